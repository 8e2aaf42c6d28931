//! Numbers of the published mechanisms, whose models are the files of `scenes/mechanisms`.
//!
//! | case | mechanism | what it tries |
//! |---|---|---|
//! | `pendulum` | simple pendulum, IFToMM A01 | accuracy over many swings |
//! | `four_bar` | a row of four-bars, IFToMM A02 | a singular position; many bodies |
//! | `bricard` | Bricard's mechanism, IFToMM A04 | redundant constraints |
//! | `flyball` | flyball governor, IFToMM A05 | stiffness |
//! | `squeezer` | Andrews' squeezer | high speed, against a published solution |
//!
//! The IFToMM library of computational benchmark problems is defined in M. González, D. Dopico, U. Lugrís, J.
//! Cuadrado, Multibody Syst. Dyn. 16 (2006) 179–190, and was implemented again by L. Tagliapietra, M. Vivian, E.
//! Ceseracciu, M. Reggiani (Multi-Body Systems Benchmark in OpenSim, 2015). The squeezer is that of F. Mazzia, C.
//! Magherini, Test Set for Initial Value Problem Solvers, release 2.4 (2008), and of E. Hairer, G. Wanner, Solving
//! Ordinary Differential Equations II, section VII.7, whose letters its angles have. Its plane bodies stand as bodies
//! in space, its plane joints as revolute ones, which makes the loops redundant.
//!
//! While all uprights of the row of n four-bars are parallel, at the angle φ from the vertical, it has one degree of
//! freedom:
//!
//!   ½ J φ̇² + W cos φ = const,   J = (n + 1) I + n m l²,   W = g l (½ (n + 1) m + n m),   I = m d²/12 + m l²/3,
//!
//! with the rods' mass m = 1 kg, length l = 1 m and thickness d = 0.01 m. From φ = 0 at φ̇ = ω₀ = 1 rad/s it comes to
//! φ after
//!
//!   t(φ) = ∫₀^φ dφ / √(ω₀² + 2 W/J (1 − cos φ)).
//!
//! It is singular at φ = π/2 and 3π/2, where other branches of motion cross.

use crate::error::{Result, StudyError};
use crate::variation::Variation;
use rattleback_scene::Scene;
use toml::Value;

/// x and y of the pendulum's mass after 10 s, in m, as the library gives them.
pub const PENDULUM_END: [f64; 2] = [-0.275_087_462_576, -0.961_419_205_099];

/// β and ε of the squeezer at the start, in rad: the angles of K1 and K7.
pub const SQUEEZER_START: [f64; 2] = [-0.061_713_890_014_276_45, 1.230_547_444_549_821_2];
/// β and ε at t = 0.03 s, in rad, as the test set gives them.
pub const SQUEEZER_END: [f64; 2] = [15.810_771_196_299_04, 1.048_080_741_042_263];

/// Gravity of the library, in m/s².
const GRAVITY: f64 = 9.81;
/// The thickness of a rod of the four-bars over its length.
const THICKNESS: f64 = 0.01;
/// Panels of Simpson's rule for t(φ): it is smooth, and within 1e-12 s with as many for a turn and less.
const PANELS: u32 = 2000;
/// The loops of the file.
const LOOPS: usize = 2;

/// The row of four-bars with `count` loops, two or more: the file's, and copies of its last upright and coupler with
/// their joints, each a rod's length further. Bodies 1 to `count` + 1 are the uprights, x along them from foot to
/// head; the couplers follow.
pub fn four_bars(count: usize) -> Result<Scene> {
    if count < LOOPS {
        return Err(StudyError::OutOfRange { field: "loops", value: count as f64, allowed: "two or more" });
    }
    let mut row = Variation::of("four_bar")?;
    let find = |list: &[Value], name: &str| {
        list.iter().find(|entry| entry.get("name").and_then(Value::as_str) == Some(name)).cloned()
    };
    let missing = |key: &str| StudyError::MissingKey { case: "four_bar", key: key.to_owned() };
    for (key, place, names) in [
        ("bodies", "position", &["upright", "coupler"][..]),
        ("joints", "point", &["foot", "left of coupler", "right of coupler"]),
    ] {
        let Value::Array(list) = row.value(key)? else { return Err(missing(key)) };
        for k in LOOPS..count {
            // Uprights and feet are one more than loops.
            for name in names {
                let own = usize::from(matches!(*name, "upright" | "foot"));
                let last = format!("{name} {}", LOOPS - 1 + own);
                let mut copy = find(list, &last).ok_or_else(|| missing(&last))?;
                shift(&mut copy, place, (k + 1 - LOOPS) as f64).ok_or_else(|| missing(place))?;
                copy["name"] = format!("{name} {}", k + own).into();
                for body in copy.get_mut("bodies").and_then(Value::as_array_mut).into_iter().flatten() {
                    follow(body, k + 1 - LOOPS);
                }
                let at = if own == 1 { k + 1 + own } else { list.len() };
                list.insert(if key == "bodies" { at } else { list.len() }, copy);
            }
        }
    }
    row.scene()
}

/// Moves a point along x by so many metres.
fn shift(entry: &mut Value, place: &str, by: f64) -> Option<()> {
    let x = entry.get_mut(place)?.get_mut(0)?;
    let old = x.as_float().or_else(|| x.as_integer().map(|x| x as f64))?;
    *x = Value::Float(old + by);
    Some(())
}

/// The name of a rod that is so many places further on; the ground has no number and stays.
fn follow(name: &mut Value, by: usize) {
    let further = name.as_str().and_then(|name| {
        let (kind, number) = name.rsplit_once(' ')?;
        Some(format!("{kind} {}", number.parse::<usize>().ok()? + by))
    });
    if let Some(further) = further {
        *name = further.into();
    }
}

/// When the uprights of so many four-bars first stand at `angle` radians from where they began, in s.
pub fn four_bar_time(loops: usize, angle: f64) -> f64 {
    let n = loops as f64;
    let about_foot = THICKNESS * THICKNESS / 12.0 + 1.0 / 3.0;
    let inertia = (n + 1.0) * about_foot + n;
    let weight = GRAVITY * (0.5 * (n + 1.0) + n);
    let slowness = |angle: f64| 1.0 / (1.0 + 2.0 * weight / inertia * (1.0 - angle.cos())).sqrt();
    let h = angle / f64::from(PANELS);
    let panel = |k: u32| {
        let from = h * f64::from(k);
        h / 6.0 * (slowness(from) + 4.0 * slowness(from + 0.5 * h) + slowness(from + h))
    };
    (0..PANELS).map(panel).sum()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::case::Case;

    #[test]
    fn a_longer_row_goes_on_as_the_file_begins() {
        let (two, four) = (Case::scene_of("four_bar").unwrap(), four_bars(4).unwrap());
        assert_eq!(four_bars(2).unwrap().state, two.state);
        let names: Vec<&str> = four.model.bodies().iter().map(|body| body.name.as_str()).collect();
        assert_eq!(names[1..6], ["upright 0", "upright 1", "upright 2", "upright 3", "upright 4"]);
        assert_eq!(names[6..], ["coupler 0", "coupler 1", "coupler 2", "coupler 3"]);
        for (k, motion) in four.state.motions[1..6].iter().enumerate() {
            assert!((motion.pose.position.x - k as f64).abs() < 1e-15, "{k}: {motion:?}");
        }
        for joint in four.model.joints() {
            // Both frames of a joint are at one point of the world.
            let [a, b] = [joint.a, joint.b]
                .map(|end| four.state.motions[end.body.0].pose.point_to_world(&end.pose.position));
            assert!((a - b).norm() < 1e-14, "{}", joint.name);
        }
        assert_eq!(four.model.joints().len(), 5 + 8);
        assert!(four_bars(1).unwrap_err().to_string().starts_with("loops = 1"));
    }

    #[test]
    fn the_squeezer_begins_at_the_angles_of_the_test_set() {
        let squeezer = Case::scene_of("squeezer").unwrap();
        for (body, angle) in [("K1", SQUEEZER_START[0]), ("K7", SQUEEZER_START[1])] {
            let body = squeezer.model.find(body).unwrap();
            let found = squeezer.state.motions[body.0].pose.orientation.scaled_axis().z;
            assert!((found - angle).abs() < 1e-15, "{found}");
        }
    }
}
