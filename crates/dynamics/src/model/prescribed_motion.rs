//! A prescribed motion: pose, velocity and acceleration of a body as given functions of time.
//!
//! Five kinds, each in its file. All give velocities and accelerations that are the derivatives of the pose to
//! rounding: v = ẋ and v̇ in world axes; ω with [ω]× = RᵀṘ, and ω̇, in body axes.
//!
//! | prescribed motion | file | continuity |
//! |---|---|---|
//! | rest pose and harmonics per degree of freedom | `harmonics.rs` | C^∞ |
//! | a ship in a seaway: harmonics of a spectrum of waves | `seaway.rs` | C², C^∞ once it has grown |
//! | turning at a constant rate about an axis that moves at a constant velocity | `turning.rs` | C^∞ |
//! | table of times and poses | `pose_table.rs` | C² between its ends |
//! | formulas of position and angle | `formula_motion.rs` | that of the formulas |

use super::formula_motion::FormulaMotion;
use super::harmonics::{Harmonic, Harmonics};
use super::pose_table::PoseTable;
use super::turning::Turning;
use crate::body::Motion;
use crate::error::Result;
use crate::track::Ends;
use rattleback_geom::{Pose, Vec3};

/// Where a body has to be, and how it has to move.
#[derive(Debug, Clone, PartialEq)]
pub struct PrescribedMotion(Kind);

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Harmonics(Harmonics),
    Table(PoseTable),
    Turning(Turning),
    Formulas(Box<FormulaMotion>),
}

/// A prescribed motion at an instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrescribedState {
    /// Pose and velocities.
    pub motion: Motion,
    /// Acceleration of the mass centre in world axes, in m/s².
    pub acceleration: Vec3,
    /// Rate of the angular velocity in body axes, in rad/s².
    pub angular_acceleration_body: Vec3,
}

impl PrescribedMotion {
    /// Harmonics about a pose: what they mean is said at [`Harmonic`].
    pub fn harmonic(rest: Pose, terms: &[Harmonic]) -> Result<Self> {
        Ok(Self(Kind::Harmonics(Harmonics::new(rest, terms)?)))
    }

    pub(super) fn of_harmonics(harmonics: Harmonics) -> Self {
        Self(Kind::Harmonics(harmonics))
    }

    /// Through the given poses at the given times, each after the one before it, with continuous accelerations in
    /// between.
    ///
    /// Positions are cubic splines, orientations normalised cubic splines of quaternions, whose signs do not matter.
    /// With [`Ends::AtRest`] the body starts and ends without velocity; with [`Ends::Natural`] the splines have no
    /// curvature at both ends. Before the first time and after the last the body stands still at the first and the last
    /// pose: with `Natural` its velocity jumps there, and the table should cover the whole run.
    pub fn table(times: &[f64], poses: &[Pose], ends: Ends) -> Result<Self> {
        Ok(Self(Kind::Table(PoseTable::new(times, poses, ends)?)))
    }

    /// From a pose at time zero on, turning with a constant angular velocity in world axes, in rad/s, about an axis
    /// through a point of the world that moves with a constant velocity, in m/s.
    pub fn turning(start: Pose, angular_velocity: Vec3, point: Vec3, velocity: Vec3) -> Result<Self> {
        Ok(Self(Kind::Turning(Turning::new(start, angular_velocity, point, velocity)?)))
    }

    /// By formulas of time: what they mean is said at [`FormulaMotion`].
    pub fn formulas(motion: FormulaMotion) -> Result<Self> {
        motion.check()?;
        Ok(Self(Kind::Formulas(Box::new(motion))))
    }

    /// Its formulas, if it has any.
    pub fn as_formulas(&self) -> Option<&FormulaMotion> {
        match &self.0 {
            Kind::Formulas(prescribed) => Some(prescribed),
            _ => None,
        }
    }

    /// Pose, velocities and accelerations at a time in s.
    pub fn at(&self, time: f64) -> PrescribedState {
        match &self.0 {
            Kind::Harmonics(prescribed) => prescribed.at(time),
            Kind::Table(prescribed) => prescribed.at(time),
            Kind::Turning(prescribed) => prescribed.at(time),
            Kind::Formulas(prescribed) => prescribed.at(time),
        }
    }
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;

    fn slope(h: f64, f: impl Fn(f64) -> Vec3) -> Vec3 {
        let delta = |k: f64| f(k * h) - f(-k * h);
        (delta(1.0) * 45.0 - delta(2.0) * 9.0 + delta(3.0)) / (60.0 * h)
    }

    /// Velocities and accelerations against differences of sixth order, which err by h⁶ of the seventh derivative and
    /// by 1e-16/h: `tolerance` for h = 2e-3 s, relative to one and to the values.
    pub(in crate::model) fn check_rates(prescribed: &PrescribedMotion, time: f64, tolerance: f64) {
        let now = prescribed.at(time);
        let at = |s: f64| prescribed.at(time + s);
        let h = 2e-3;
        let pose = now.motion.pose;
        let turned = |s: f64| (pose.orientation.inverse() * at(s).motion.pose.orientation).scaled_axis();
        for (what, given, found) in [
            ("velocity", now.motion.velocity, slope(h, |s| at(s).motion.pose.position)),
            ("acceleration", now.acceleration, slope(h, |s| at(s).motion.velocity)),
            ("angular velocity", now.motion.angular_velocity_body, slope(h, turned)),
            (
                "angular acceleration",
                now.angular_acceleration_body,
                slope(h, |s| at(s).motion.angular_velocity_body),
            ),
        ] {
            let error = (given - found).norm() / (1.0 + given.norm());
            assert!(error < tolerance, "{what} at {time}: {given} against {found}, {error:e}");
        }
    }
}
