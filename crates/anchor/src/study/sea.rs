//! The seaway after a manoeuvre: the ship begins to move where she lay still.

use crate::manoeuvre::{Manoeuvre, Rig};
use rattleback_dynamics::model::{Freedom, Gain, PrescribedMotion, Response, Seaway, Spectrum};
use rattleback_dynamics::{Ends, Result};
use rattleback_geom::{Pose, Vec3};

/// Significant height in m, peak period in s and peakedness of the waves.
pub const HEIGHT: f64 = 4.0;
/// By how much the sea is raised at a time, and to which height at most, in m.
pub const RAISE: f64 = 2.0;
pub const HIGHEST: f64 = 12.0;
pub const PERIOD: f64 = 9.0;
const PEAKEDNESS: f64 = 3.3;
/// The time in s over which the motion grows.
const RAMP: f64 = 5.0;
/// From the mouth of the pipe to the centre of the ship's motion, in m.
const CENTRE: [f64; 3] = [-60.0, -8.0, -6.0];
/// Between two poses of the table, in s, and how far the table goes on after the end, where it comes to rest.
const EVERY: f64 = 0.1;
const AFTER: f64 = 2.0;

/// The manoeuvre's model with a ship that begins to move at the time `begin`.
///
/// The windlass is braked from then on: it heaves no more, the brake alone holds.
pub fn rig(manoeuvre: &Manoeuvre, height: f64, begin: f64, duration: f64) -> Result<Rig> {
    let motion = Some(course(height, begin, duration)?);
    Manoeuvre { motion, brake_at: Some(begin), ..manoeuvre.clone() }.build()
}

/// The motion of a seaway, later.
fn course(height: f64, begin: f64, duration: f64) -> Result<PrescribedMotion> {
    let response = |freedom, gain, phase| Response { freedom, gain, phase };
    let seaway = Seaway {
        ramp: RAMP,
        centre: Vec3::from(CENTRE),
        ..Seaway::new(
            Spectrum::jonswap(height, PERIOD, PEAKEDNESS)?,
            vec![
                response(Freedom::Heave, Gain::PerMetre(0.7), 0.0),
                response(Freedom::Pitch, Gain::PerMetre(1.2_f64.to_radians()), 1.5),
                response(Freedom::Roll, Gain::Significant(8_f64.to_radians() * height / HEIGHT), 0.8),
            ],
        )
    };
    let waves = PrescribedMotion::seaway(Pose::identity(), &seaway)?;
    let count = ((duration + AFTER) / EVERY).ceil() as u32;
    let moments: Vec<f64> = (0..=count).map(|k| EVERY * f64::from(k)).collect();
    let poses: Vec<Pose> = moments.iter().map(|time| waves.at(*time).motion.pose).collect();
    let times: Vec<f64> = moments.iter().map(|time| begin + time).collect();
    PrescribedMotion::table(&times, &poses, Ends::AtRest)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn the_ship_lies_still_until_the_seaway_begins_and_then_moves_by_metres() {
        let course = course(HEIGHT, 11.25, 20.0).unwrap();
        for time in [0.0, 11.25] {
            let motion = course.at(time).motion;
            assert!(motion.pose.position.norm() < 1e-9 && motion.velocity.norm() < 1e-6, "{motion:?}");
        }
        let heights = (0..200).map(|k| course.at(11.25 + 0.1 * f64::from(k)).motion.pose.position.z);
        let most = heights.fold(0.0_f64, |most, z| most.max(z.abs()));
        assert!((1.0..10.0).contains(&most), "the mouth rises and falls by {most} m");
    }
}
