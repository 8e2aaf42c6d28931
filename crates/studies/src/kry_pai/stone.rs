//! The rattleback of Kry and Pai (2002), section 4.2.1 and Figs 10 and 11: one bicubic Bézier patch.
//!
//! The paper says that it is longest 10 degrees off the x axis, a third as wide as long, curved by elevating the
//! outer control points, with an inertia that is not aligned with its planes of symmetry, and that it rocks with a
//! period of about half a second just before it turns back, after about eight seconds. It gives no numbers. Here:
//!
//! - The control points are evenly spaced over the length L and the width W; those on the border of the net are
//!   elevated by e once for each border they are on. As B₀ + B₃ = ¼ + 3(t − ½)², the patch is a part of the elliptic
//!   paraboloid z = z₀ + ½(ξ²/R₁ + η²/R₂), with R₁ = L²/6e along its length and R₂ = W²/6e across.
//! - The frame is at the mass centre, h above the lowest point, along the principal axes of inertia: the patch is
//!   turned against them. Its outer normal ∂x/∂u × ∂x/∂v points down, as v runs along the length and u across.
//! - Rocking about the short axis is a pendulum: (2πf)² = g (R₁ − h)/(I/m + h²). A stone as small as a toy would need
//!   its mass beyond its ends to rock at 2 Hz; with L = 0.6 m the radius of gyration is 0.197 m, little more than the
//!   0.173 m of a rod.
//! - It begins tilted by 0.02 rad about its short axis, spinning counter-clockwise at 2 rad/s as in Fig. 11, and
//!   turns back after 8.6 seconds; clockwise it goes on. The contact stays within 0.12 m of the middle along the
//!   length and 0.02 m across; a friction coefficient of 0.2 is enough.
//! - Damping is viscous and chosen here, against rocking in the contact and against turning about the vertical.

use crate::case::Case;
use crate::error::{Result, StudyError, not_negative};
use crate::variation::Variation;
use rattleback_dynamics::rolling::{Mode, Rolling, Settings};
use rattleback_dynamics::{Accuracy, Energy};
use rattleback_geom::Vec3;
use rattleback_geom::patch::BezierPatch;
use rattleback_geom::surface::Shape;
use rattleback_scene::Scene;
use toml::{Table, Value};

/// The case.
pub const CASE: &str = "patch";
/// h, in m.
const HEIGHT: f64 = 0.03;
/// The angular velocity at the start about the vertical, in rad/s.
pub const SPIN: f64 = 2.0;
/// L, in m.
const LENGTH: f64 = 0.6;
/// From the x axis to the length of the patch, in degrees.
const TURN: f64 = 10.0;
/// Gravity, in m/s².
const GRAVITY: f64 = 9.81;

/// The resistance against rocking is tanh(ω/ω₁): with ω₁ in rad/s far beyond all that rocks it is linear.
const TRANSITION: f64 = 100.0;
/// A stone that turns as fast as this, in rad/s, turns one way: while it turns back, rocking makes its spin swing by
/// up to 0.2 rad/s about zero.
const TURNING: f64 = 0.3;
/// The longest step, in s: a tenth of the time of a swing of the spin, which goes up and down twice as the stone
/// rocks once.
const LONGEST: f64 = 0.025;

/// Viscous damping, in N m s/rad.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Damping {
    /// Against rocking, where the stone stands with its weight.
    pub rocking: f64,
    /// Against turning about the vertical.
    pub turning: f64,
}

/// A motion of the stone.
#[derive(Debug, Clone, PartialEq)]
pub struct Spun {
    /// Time in s and the angular velocity about the vertical in rad/s, after every step.
    pub spins: Vec<[f64; 2]>,
    /// When it began to turn the other way, in s.
    pub reversals: Vec<f64>,
    /// The mechanical energy at the start and at the end above that of the stone at rest, in J.
    pub energies: [f64; 2],
    /// How far the sum of all energies strays, in J.
    pub lost: f64,
    /// For how long it slid, in s.
    pub slid: f64,
}

/// A stone that was tapped.
#[derive(Debug, Clone, PartialEq)]
pub struct Tap {
    /// The angular velocity right after the tap, in rad/s.
    pub rocks: f64,
    /// The motion after it.
    pub spun: Spun,
}

/// The underside.
pub fn patch() -> Result<BezierPatch> {
    let scene = Case::scene_of(CASE)?;
    match scene.model.bodies().get(1).and_then(|stone| stone.parts.first()).map(|part| &part.shape) {
        Some(Shape::Patches(net)) if net.patches().len() == 1 => Ok(net.patches()[0].clone()),
        _ => Err(StudyError::Unexpected { case: CASE, expected: "a stone of one patch" }),
    }
}

/// The file's stone, damped, with an angular velocity about the vertical in rad/s. It rolls: all of its velocity
/// comes from turning.
pub fn scene(damping: Damping, spin: f64) -> Result<Scene> {
    not_negative("damping of rocking", damping.rocking)?;
    not_negative("damping of turning", damping.turning)?;
    let file = Case::scene_of(CASE)?;
    let (stone, motion) = (&file.model.bodies()[1].body, &file.state.motions[1]);
    let velocity = motion.velocity * (spin / SPIN);
    let resistance = Table::from_iter([
        ("rolling".to_owned(), Value::from(damping.rocking * TRANSITION / (stone.mass * GRAVITY))),
        ("transition".to_owned(), Value::from(TRANSITION)),
    ]);
    // Frames along the bodies' own axes: what turns is damped about the vertical.
    let frame = || Value::from(Table::from_iter([("position".to_owned(), Value::from(vec![0.0; 3]))]));
    let damper = Table::from_iter([
        ("type".to_owned(), Value::from("torsion_spring")),
        ("bodies".to_owned(), vec!["table", "rattleback"].into()),
        ("a".to_owned(), frame()),
        ("b".to_owned(), frame()),
        ("angle".to_owned(), 0.0.into()),
        ("stiffness".to_owned(), 0.0.into()),
        ("damping".to_owned(), damping.turning.into()),
    ]);
    Variation::of(CASE)?
        .set("bodies.1.velocity", velocity.as_slice().to_vec())?
        .set("bodies.1.angular_velocity.world", vec![0.0, 0.0, spin])?
        .add("contacts.0", "resistance", resistance)?
        .add("", "forces", vec![Value::from(damper)])?
        .scene()
}

/// Steps as accurate as the motion of a stone needs.
fn accurate() -> Settings {
    Settings {
        accuracy: Accuracy { relative: 1e-9, absolute: 1e-11 },
        longest_step: LONGEST,
        ..Settings::default()
    }
}

/// Spins the stone about the vertical, in rad/s, and follows it for some seconds.
pub fn spin(damping: Damping, spin: f64, duration: f64) -> Result<Spun> {
    spin_with(damping, spin, duration, accurate())
}

/// The same with other settings.
pub fn spin_with(damping: Damping, spin: f64, duration: f64, settings: Settings) -> Result<Spun> {
    follow(scene(damping, spin)?, duration, settings)
}

/// Spins the stone on a table of another friction coefficient, without damping.
pub fn spin_on(friction: f64, spin: f64, duration: f64) -> Result<Spun> {
    not_negative("friction coefficient", friction)?;
    let file = Case::scene_of(CASE)?;
    let velocity = file.state.motions[1].velocity * (spin / SPIN);
    let scene = Variation::of(CASE)?
        .set("bodies.1.velocity", velocity.as_slice().to_vec())?
        .set("bodies.1.angular_velocity.world", vec![0.0, 0.0, spin])?
        .set("contacts.0.friction.coefficient", friction)?
        .scene()?;
    follow(scene, duration, accurate())
}

/// Taps the stone at rest with a downward impulse in N s at one end of its length, and follows it.
///
/// With c the contact point, right below the mass centre, and r = (L/2)(cos 10°, sin 10°) the end, ω = I_c⁻¹ (r × P)
/// with I_c = diag(I_x + m h², I_y + m h², I_z) about c, and the mass centre moves with ω × h e_z.
pub fn tap(impulse: f64, duration: f64) -> Result<Tap> {
    not_negative("impulse", impulse)?;
    let file = Case::scene_of(CASE)?;
    let stone = &file.model.bodies()[1].body;
    let (sin, cos) = TURN.to_radians().sin_cos();
    let moment = (Vec3::new(cos, sin, 0.0) * (0.5 * LENGTH)).cross(&(Vec3::z() * -impulse));
    let steiner = stone.mass * HEIGHT * HEIGHT;
    let about = stone.inertia.diagonal() + Vec3::new(steiner, steiner, 0.0);
    let turning = moment.component_div(&about);
    let velocity = turning.cross(&(Vec3::z() * HEIGHT));
    let scene = Variation::of(CASE)?
        .set("bodies.1.position", vec![0.0, 0.0, HEIGHT])?
        .set("bodies.1.orientation.angle", 0.0)?
        .set("bodies.1.velocity", velocity.as_slice().to_vec())?
        .set("bodies.1.angular_velocity.world", turning.as_slice().to_vec())?
        .scene()?;
    Ok(Tap { rocks: turning.norm(), spun: follow(scene, duration, accurate())? })
}

fn follow(Scene { model, state, .. }: Scene, duration: f64, settings: Settings) -> Result<Spun> {
    let mut run = Rolling::new(&model, state, settings)?;
    let before = Energy::of(&model, run.state())?;
    let mut spins = vec![[0.0, run.state().motions[1].twist().angular_velocity.z]];
    let (mut slid, mut last) = (0.0, 0.0);
    run.advance(duration, &mut |now| {
        spins.push([now.state.time, now.state.motions[1].twist().angular_velocity.z]);
        let contact = now.state.rigid_contacts.as_ref().and_then(|contacts| contacts[1]);
        if contact.is_some_and(|contact| contact.mode == Mode::Sliding) {
            slid += now.state.time - last;
        }
        last = now.state.time;
        Ok(())
    })?;
    let after = Energy::of(&model, run.state())?;
    Ok(Spun {
        reversals: reversals(&spins),
        spins,
        energies: [before, after]
            .map(|energy| energy.mechanical() - model.bodies()[1].body.mass * GRAVITY * HEIGHT),
        lost: after.total() - before.total(),
        slid,
    })
}

/// When a spin first passes zero before it is that of a stone that turns the other way.
fn reversals(spins: &[[f64; 2]]) -> Vec<f64> {
    let (mut found, mut way, mut passed) = (Vec::new(), 0.0, None);
    for pair in spins.windows(2) {
        let [[t, from], [end, to]] = [pair[0], pair[1]];
        if way == 0.0 && from.abs() >= TURNING {
            way = from.signum();
        }
        if passed.is_none() && to * way < 0.0 {
            passed = Some(t + (end - t) * from / (from - to));
        }
        if to.abs() >= TURNING {
            if to * way < 0.0 {
                found.extend(passed);
                way = to.signum();
            }
            passed = None;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use rattleback_geom::Curvature;
    use rattleback_geom::surface::Parametric;
    use std::f64::consts::TAU;

    /// W and e, in m.
    const WIDTH: f64 = LENGTH / 3.0;
    const ELEVATION: f64 = 0.09;
    /// The tilt at the start about the short axis of the patch, in rad.
    const TILT: f64 = 0.02;

    /// R₁ and R₂, in m.
    fn radii() -> [f64; 2] {
        [LENGTH, WIDTH].map(|size| size * size / (6.0 * ELEVATION))
    }

    #[test]
    fn the_patch_is_the_paraboloid_that_it_says() {
        let (patch, [length, width]) = (patch().unwrap(), radii());
        let (sin, cos) = TURN.to_radians().sin_cos();
        for (u, v) in [(0.5, 0.5), (0.1, 0.8), (1.0, 0.0)] {
            let p = patch.jet(u, v).p;
            let (along, across) = (cos * p.x + sin * p.y, cos * p.y - sin * p.x);
            assert!((along - LENGTH * (v - 0.5)).abs() < 1e-15 && (across - WIDTH * (u - 0.5)).abs() < 1e-15);
            let z = 0.5 * (along * along / length + across * across / width) - HEIGHT;
            assert!((p.z - z).abs() < 1e-15);
        }
    }

    #[test]
    fn it_stands_on_its_lowest_point_and_is_turned_by_ten_degrees() {
        let jet = patch().unwrap().jet(0.5, 0.5);
        let n = jet.du.cross(&jet.dv).normalize();
        assert!((n + Vec3::z()).norm() < 1e-15 && (jet.p - Vec3::new(0.0, 0.0, -HEIGHT)).norm() < 1e-15);
        let curvature = Curvature::from_parametric([&jet.du, &jet.dv], [&jet.duu, &jet.duv, &jet.dvv], &n);
        let [length, width] = radii();
        assert!((curvature.kappa[0] * width - 1.0).abs() < 1e-12);
        assert!((curvature.kappa[1] * length - 1.0).abs() < 1e-12);
        let along = curvature.direction[1];
        assert!((along.y / along.x - TURN.to_radians().tan()).abs() < 1e-12);
        // It stands stably: the mass centre is below both centres of curvature.
        assert!(HEIGHT < width && HEIGHT < length);
    }

    #[test]
    fn it_begins_on_the_plane_with_the_contact_at_rest() {
        let (motion, patch) = (Case::scene_of(CASE).unwrap().state.motions[1], patch().unwrap());
        let v = 0.5 + radii()[0] * TILT.tan() / LENGTH;
        let jet = patch.jet(0.5, v);
        let normal = motion.pose.orientation * jet.du.cross(&jet.dv).normalize();
        assert!((normal + Vec3::z()).norm() < 1e-15);
        let arm = motion.pose.orientation * jet.p;
        assert!((motion.pose.position + arm).norm() < 1e-15);
        let spin = motion.pose.orientation * motion.angular_velocity_body;
        assert!((spin - Vec3::new(0.0, 0.0, SPIN)).norm() < 1e-15);
        assert!((motion.velocity + spin.cross(&arm)).norm() < 1e-15);
    }

    #[test]
    fn it_rocks_twice_a_second() {
        let body = Case::scene_of(CASE).unwrap().model.bodies()[1].body;
        let moments = body.inertia.diagonal();
        let square = GRAVITY * (radii()[0] - HEIGHT) / (moments.y / body.mass + HEIGHT * HEIGHT);
        assert!((square.sqrt() / TAU - 2.0).abs() < 0.02);
        // Moments of a real body: none exceeds the sum of the others.
        assert!(moments.max() <= 0.5 * moments.sum());
    }

    #[test]
    fn reversals_are_counted_once_however_the_spin_trembles() {
        let trembling = [1.0, 0.05, -0.05, 0.05, -0.05, -0.5, -0.05, 0.05, -0.5, 0.5];
        let spins: Vec<[f64; 2]> = trembling.iter().enumerate().map(|(k, s)| [k as f64, *s]).collect();
        let found = reversals(&spins);
        assert!(
            found.len() == 2 && (found[0] - 1.5).abs() < 1e-12 && (found[1] - 8.5).abs() < 1e-12,
            "{found:?}"
        );
        assert!(reversals(&[[0.0, 0.0], [1.0, 0.01]]).is_empty());
    }

    #[test]
    fn spun_counter_clockwise_it_turns_back_and_clockwise_it_goes_on() {
        let found = spin(Damping::default(), SPIN, 15.0).unwrap();
        assert!(
            found.reversals.len() == 1 && (found.reversals[0] - 8.6).abs() < 0.05,
            "{:?}",
            found.reversals
        );
        assert!(found.spins.iter().any(|[_, spin]| *spin < -1.5));
        assert!(found.lost.abs() < 1e-7 && (found.energies[1] - found.energies[0]).abs() < 1e-7);
        let other = spin(Damping::default(), -SPIN, 15.0).unwrap();
        assert!(other.reversals.is_empty() && other.spins.iter().all(|[_, spin]| *spin < -1.5));
    }

    #[test]
    fn fixed_steps_of_10_ms_turn_it_back_and_long_ones_do_not() {
        let under = |step: f64| {
            let settings = Settings { fixed_step: Some(step), ..Settings::default() };
            spin_with(Damping::default(), SPIN, 12.0, settings).unwrap()
        };
        let (fine, coarse) = (under(10e-3), under(100e-3));
        assert!(fine.reversals.len() == 1 && (fine.reversals[0] - 8.6).abs() < 0.3, "{:?}", fine.reversals);
        assert!(coarse.reversals.is_empty(), "{:?}", coarse.reversals);
    }

    #[test]
    fn tapped_at_an_end_it_begins_to_turn_and_keeps_its_energy() {
        let Tap { rocks, spun } = tap(0.02, 10.0).unwrap();
        assert!(rocks > 0.05 && spun.spins[0][1].abs() < 1e-12);
        assert!(spun.spins.iter().any(|[_, spin]| spin.abs() > 1e-3) && spun.lost.abs() < 1e-8);
        // Slippery ground takes energy, which rolling does not.
        let slid = spin_on(0.01, SPIN, 4.0).unwrap();
        assert!(
            slid.slid > 0.1 && slid.energies[1] < slid.energies[0] && slid.lost.abs() < 1e-6,
            "{} {}",
            slid.slid,
            slid.lost
        );
    }
}
