//! The three tests of Marques et al., section 3: a bouncing ball, Newton's cradle, bodies on an incline.
//!
//! The paper gives no numbers; those of the files `scenes/papers/marques_*.toml` are chosen. With restitution one the
//! energy goes through the row of a cradle and the last ball rises as high as the first one was; balls that touched
//! would press each other at the same time, and each would keep a little, so that they hang apart by more than the
//! depth of an impact.

mod candidate;
mod cradle;
mod report;

pub use report::report;

use crate::case::Case;
use crate::error::{Result, StudyError};
use crate::variation::Variation;
use rattleback_contact::law::normal::Rule;
use rattleback_scene::Scene;
use toml::{Table, Value};

/// Gravity of the files, in m/s².
pub const GRAVITY: f64 = 9.81;
/// The angle of the sphere's incline in the file, in rad.
const INCLINE: f64 = 0.3;
/// The radius of the sphere in the file, in m.
const SPHERE: f64 = 0.1;

/// A ball falls on a floor, under one of the rules for the damping. Section 3.1.
pub fn ball(rule: Rule, restitution: f64) -> Result<Scene> {
    let mut law = Table::from_iter([("law".to_owned(), Value::from(rule.name()))]);
    if rule != Rule::Hertz {
        law.insert("restitution".to_owned(), restitution.into());
    }
    Variation::of("marques_ball")?.set("contacts.0.normal", law)?.scene()
}

/// A sphere rolls down an incline of `angle` radians. It begins at the depth at which the incline carries its weight:
/// K δ^{3/2} = m g cos α, so that δ goes with (cos α)^{2/3}. Section 3.3.
pub fn rolling_sphere(angle: f64) -> Result<Scene> {
    let file = Case::scene_of("marques_rolling_sphere")?;
    let depth = SPHERE - file.state.motions[1].pose.position.norm();
    let depth = depth * (angle.cos() / INCLINE.cos()).powf(2.0 / 3.0);
    let normal = [angle.sin(), 0.0, angle.cos()];
    let position = normal.map(|n| n * (SPHERE - depth));
    Variation::of("marques_rolling_sphere")?
        .set("bodies.0.shape.normal", normal.to_vec())?
        .set("bodies.1.position", position.to_vec())?
        .scene()
}

/// An ellipsoid with three different axes, turned about all of them, rolls down a plane until it lifts off. Section
/// 3.3.
pub fn tumbling_ellipsoid() -> Result<Scene> {
    Case::scene_of("marques_ellipsoid")
}

/// The same with the viscous friction of (44) and the force applied by stiffness, (46).
pub fn viscous_ellipsoid() -> Result<Scene> {
    Case::scene_of("marques_ellipsoid_viscous")
}

/// The normal law of a cradle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    /// The one that yields the restitution that is asked for.
    Exact,
    /// Flores' as printed, (42).
    Flores,
}

/// Newton's cradle of two or five balls with restitution 1 or 0.5. Body 0 is the frame, the balls follow. Section 3.2.
pub fn cradle(balls: usize, restitution: f64, law: Law) -> Result<Scene> {
    let name = match (balls, restitution) {
        (2, 1.0) => "marques_cradle_two",
        (2, 0.5) => "marques_cradle_two_damped",
        (5, 1.0) => "marques_cradle",
        (5, 0.5) => "marques_cradle_damped",
        _ => {
            return Err(StudyError::UnknownCase {
                name: format!("cradle of {balls}, restitution {restitution}"),
            });
        }
    };
    match law {
        Law::Exact => Case::scene_of(name),
        Law::Flores => Variation::of(name)?.set("contacts.0.normal.law", "flores")?.scene(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn the_incline_of_the_file_is_one_of_all_inclines() {
        let (file, made) =
            (Case::scene_of("marques_rolling_sphere").unwrap(), rolling_sphere(INCLINE).unwrap());
        let [a, b] = [&file, &made].map(|scene| scene.state.motions[1].pose.position);
        assert!((a - b).norm() < 1e-15, "{a} {b}");
        // The incline carries the weight at once: nothing moves along its normal.
        let made = rolling_sphere(0.6).unwrap();
        let mut run = rattleback_dynamics::Run::new(&made.model, made.state.clone(), &made.scheme).unwrap();
        run.advance(0.1, &mut |_| Ok(())).unwrap();
        let along = |p: rattleback_geom::Vec3| p.x * 0.6f64.sin() + p.z * 0.6f64.cos();
        let rise = along(run.state().motions[1].pose.position) - along(made.state.motions[1].pose.position);
        assert!(rise.abs() < 1e-8, "{rise:e}");
    }

    #[test]
    fn a_cradle_that_has_no_file_is_refused() {
        assert!(cradle(3, 1.0, Law::Exact).unwrap_err().to_string().contains("cradle of 3"));
        assert_eq!(cradle(5, 0.5, Law::Flores).unwrap().model.bodies().len(), 6);
    }
}
