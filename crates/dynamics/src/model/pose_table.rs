//! A pose through a table of poses, with continuous accelerations.
//!
//! Position and quaternion are one cubic spline s(t) = (x, p) ∈ ℝ⁷; the orientation is p/∣p∣. With n = p·p,
//!
//!   ω = 2 Im(p̄ ṗ)/n,   ω̇ = (2 Im(p̄ p̈) − ω ṅ)/n,   ṅ = 2 p·ṗ
//!
//! (Im(ṗ̄ ṗ) is zero.) The spline is linear in the given quaternions: a rotation of the world or of the body's axes
//! turns the prescribed motion as a whole. It is C² as long as p stays away from zero, which is proved when the table
//! is made: in each interval the Bézier points of p must all have a part of at least ½ along the mean of both
//! quaternions, and p lies in their hull.
//!
//! | symbol | meaning | unit |
//! |---|---|---|
//! | x | position of the mass centre, world axes | m |
//! | p | quaternion before normalisation | – |
//! | ω | `angular_velocity_body` | rad/s |
//!
//! A quaternion and its negative are the same orientation: each is given the sign nearer to the one before it.
//!
//! Departure from cumulative quaternion splines (Kim, Kim, Shin, SIGGRAPH 1995): those of class C² pass by the given
//! orientations unless control quaternions are found by iteration. Normalising meets them, at the price that turns
//! between neighbours must be moderate, 120° at most; at 45° between equidistant neighbours a steady turn varies by
//! 0.03 %.

use super::prescribed_motion::PrescribedState;
use crate::body::Motion;
use crate::error::{DynamicsError, Result};
use crate::track::{Beyond, Ends, Interpolation, Track, check_times};
use rattleback_geom::nalgebra::{Quaternion, SVector, UnitQuaternion, Vector4};
use rattleback_geom::{Pose, Vec3};

/// Poses at times.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PoseTable(Track<7>);

/// The least part of a Bézier point along the mean quaternion: half of what it is where nothing turns.
const PART: f64 = 0.5;

/// The least product of neighbouring quaternions, a turn of 120°: near 180° the way round would be left to rounding.
const NEAR: f64 = 0.5;

impl PoseTable {
    pub(super) fn new(times: &[f64], poses: &[Pose], ends: Ends) -> Result<Self> {
        check_times(times)?;
        if poses.len() != times.len() {
            return Err(DynamicsError::Invalid {
                what: "poses".to_owned(),
                reason: format!("{} of them for {} times", poses.len(), times.len()),
            });
        }
        let mut values: Vec<[f64; 7]> = Vec::with_capacity(poses.len());
        for (i, pose) in poses.iter().enumerate() {
            let checked = Pose::from_parts(pose.position.into(), pose.wxyz()).map_err(|error| {
                DynamicsError::Invalid { what: format!("poses[{i}]"), reason: error.to_string() }
            })?;
            let (x, mut q) = (checked.position, Vector4::from(checked.wxyz()));
            if let Some(before) = values.last()
                && q.dot(&Vector4::from_column_slice(&before[3..])) < 0.0
            {
                q = -q;
            }
            values.push([x.x, x.y, x.z, q[0], q[1], q[2], q[3]]);
        }
        let table = Self(Track::new(times, &values, Interpolation::Spline(ends), Beyond::Hold)?);
        table.check_turns()?;
        Ok(table)
    }

    fn check_turns(&self) -> Result<()> {
        for (i, (cubic, h)) in self.0.cubics().enumerate() {
            let [c0, c1, c2, c3] = cubic.map(|c| Vector4::from(c.fixed_rows::<4>(3)));
            let bezier = [
                c0,
                c0 + c1 * (h / 3.0),
                c0 + c1 * (2.0 * h / 3.0) + c2 * (h * h / 3.0),
                c0 + (c1 + (c2 + c3 * h) * h) * h,
            ];
            let mean = (bezier[0] + bezier[3]).normalize();
            let near = bezier[0].dot(&bezier[3]) >= NEAR;
            if !(near && bezier.iter().all(|point| point.dot(&mean) >= PART)) {
                return Err(DynamicsError::Invalid {
                    what: format!("poses[{i}] and poses[{}]", i + 1),
                    reason: "the turn between them is too large, or too sudden: give poses in between"
                        .to_owned(),
                });
            }
        }
        Ok(())
    }

    pub(super) fn at(&self, time: f64) -> PrescribedState {
        let now = self.0.at(time);
        let [p, dp, ddp] = [&now.value, &now.rate, &now.second].map(quaternion);
        let square = p.norm_squared();
        let angular_velocity = (p.conjugate() * dp).imag() * (2.0 / square);
        let growth = 2.0 * p.dot(&dp);
        let angular_acceleration_body =
            ((p.conjugate() * ddp).imag() * 2.0 - angular_velocity * growth) / square;
        let pose = Pose::new(position(&now.value), UnitQuaternion::new_normalize(p));
        let motion = Motion { pose, velocity: position(&now.rate), angular_velocity_body: angular_velocity };
        PrescribedState { motion, acceleration: position(&now.second), angular_acceleration_body }
    }
}

fn position(s: &SVector<f64, 7>) -> Vec3 {
    s.fixed_rows::<3>(0).into()
}

fn quaternion(s: &SVector<f64, 7>) -> Quaternion<f64> {
    Quaternion::new(s[3], s[4], s[5], s[6])
}

#[cfg(test)]
mod tests {
    use super::super::prescribed_motion::{PrescribedMotion, testing::check_rates};
    use super::*;

    const TIMES: [f64; 5] = [0.0, 1.0, 1.8, 3.0, 4.0];

    fn poses() -> Vec<Pose> {
        let turns = [[0.0; 3], [0.4, 0.1, -0.3], [0.9, 0.3, -0.2], [1.2, -0.4, 0.5], [1.0, -0.9, 0.6]];
        let pose = |(i, turn): (usize, &[f64; 3])| {
            let i = i as f64;
            let q = UnitQuaternion::from_scaled_axis(Vec3::from(*turn));
            // Every other quaternion with the other sign.
            let q = if i % 2.0 == 1.0 { UnitQuaternion::new_unchecked(-q.into_inner()) } else { q };
            Pose::new(Vec3::new(i, i * i * 0.3, (2.0 * i).sin()), q)
        };
        turns.iter().enumerate().map(pose).collect()
    }

    #[test]
    fn poses_are_met_and_velocities_and_accelerations_are_derivatives() {
        for ends in [Ends::AtRest, Ends::Natural] {
            let prescribed = PrescribedMotion::table(&TIMES, &poses(), ends).unwrap();
            for (time, pose) in TIMES.iter().zip(poses()) {
                let found = prescribed.at(*time).motion.pose;
                assert!((found.position - pose.position).norm() < 1e-14);
                assert!((found.rotation() - pose.rotation()).norm() < 1e-14);
            }
            // Truncation is h⁶ of derivatives of order ten, rounding 1e-16/2e-3.
            for time in [-1.0, 0.1, 0.5, 0.93, 1.3, 1.7, 2.0, 2.6, 3.5, 3.9, 7.0] {
                check_rates(&prescribed, time, 1e-11);
            }
        }
    }

    #[test]
    fn accelerations_are_continuous_and_the_ends_at_rest() {
        let prescribed = PrescribedMotion::table(&TIMES, &poses(), Ends::AtRest).unwrap();
        for time in &TIMES[1..4] {
            let (before, after) = (prescribed.at(time - 1e-9), prescribed.at(time + 1e-9));
            assert!((before.acceleration - after.acceleration).norm() < 1e-6);
            assert!((before.angular_acceleration_body - after.angular_acceleration_body).norm() < 1e-6);
        }
        for time in [0.0, 4.0 - 1e-12, 5.0] {
            let motion = prescribed.at(time).motion;
            assert!(
                motion.velocity.norm() < 1e-10 && motion.angular_velocity_body.norm() < 1e-10,
                "{motion:?}"
            );
        }
    }

    #[test]
    fn turning_the_world_turns_the_course() {
        let world = Pose::from_position(0.3, -1.0, 2.0).rotated(Vec3::new(1.0, -2.0, 0.3), 2.5).unwrap();
        let there: Vec<Pose> = poses().iter().map(|pose| world.compose(pose)).collect();
        let prescribed = PrescribedMotion::table(&TIMES, &poses(), Ends::Natural).unwrap();
        let turned = PrescribedMotion::table(&TIMES, &there, Ends::Natural).unwrap();
        for time in [0.3, 1.1, 2.9, 3.3] {
            let (here, there) = (prescribed.at(time).motion, turned.at(time).motion);
            let expected = world.compose(&here.pose);
            assert!((expected.position - there.pose.position).norm() < 1e-13);
            assert!((expected.rotation() - there.pose.rotation()).norm() < 1e-13);
            assert!((here.angular_velocity_body - there.angular_velocity_body).norm() < 1e-13);
        }
    }

    #[test]
    fn a_steady_turn_in_steps_of_45_degrees_is_steady_to_three_digits() {
        let rate = std::f64::consts::FRAC_PI_4;
        let times: Vec<f64> = (0..13).map(f64::from).collect();
        let pose = |t: &f64| Pose::identity().rotated(Vec3::z(), rate * t).unwrap();
        let prescribed =
            PrescribedMotion::table(&times, &times.iter().map(pose).collect::<Vec<_>>(), Ends::Natural);
        let prescribed = prescribed.unwrap();
        // The middle interval, to which the ends do not reach.
        let worst = (0..=20)
            .map(|k| {
                (prescribed.at(6.0 + f64::from(k) / 20.0).motion.angular_velocity_body.z / rate - 1.0).abs()
            })
            .fold(0.0, f64::max);
        // Measured: 2.9e-4.
        assert!(worst < 5e-4, "{worst:e}");
    }

    #[test]
    fn tables_that_cannot_be_are_refused_by_name() {
        let said = |times: &[f64], poses: &[Pose]| {
            PrescribedMotion::table(times, poses, Ends::AtRest).unwrap_err().to_string()
        };
        let mut far = poses();
        far[2] = Pose::identity().rotated(Vec3::x(), 3.5).unwrap();
        let mut nan = poses();
        nan[3].position.y = f64::NAN;
        for (message, expected) in [
            (said(&TIMES[..4], &poses()), "poses: 5 of them for 4 times"),
            (said(&[0.0, 2.0, 1.0, 3.0, 4.0], &poses()), "times: times[2] = 1"),
            (said(&TIMES, &nan), "poses[3]: position[1] = NaN"),
            (said(&TIMES, &far), "poses[1] and poses[2]: the turn"),
        ] {
            assert!(message.starts_with(expected), "{message}");
        }
    }
}
