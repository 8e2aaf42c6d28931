//! A body whose position, and angle about an axis, are formulas of time.
//!
//!   R(t) = exp([a]× θ(t)) R₀,   x(t) = p(t) + r,   r = R(t) s
//!   v = ṗ + Ω × r,   v̇ = p̈ + Ω̇ × r + Ω × (Ω × r),   Ω = a θ̇,   Ω̇ = a θ̈
//!
//! | symbol | here | unit |
//! |---|---|---|
//! | p | `position`, world axes, of the point that turns about itself | m |
//! | a, θ | `axis`, world axes, `angle` | –, rad |
//! | R₀ | `orientation` | |
//! | s | `mass_centre`, body axes, from that point | m |
//!
//! The axis is fixed in the world and, turning about itself, in the body: in body axes ω = R₀ᵀ Ω and ω̇ = R₀ᵀ Ω̇.

use super::prescribed_motion::PrescribedState;
use crate::body::Motion;
use crate::error::{DynamicsError, Result};
use crate::formula::Formula;
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Pose, Vec3};

/// Formulas of position and angle.
#[derive(Debug, Clone, PartialEq)]
pub struct FormulaMotion {
    /// p.
    pub position: [Formula; 3],
    /// a, of length one.
    pub axis: Vec3,
    /// θ.
    pub angle: Formula,
    /// R₀.
    pub orientation: UnitQuaternion<f64>,
    /// s.
    pub mass_centre: Vec3,
}

impl FormulaMotion {
    pub(super) fn check(&self) -> Result<()> {
        let length = self.axis.norm();
        // Rounding of a vector that was made so.
        if (length - 1.0).abs() < 1e-9 && self.mass_centre.iter().all(|x| x.is_finite()) {
            return Ok(());
        }
        let (what, reason) = ("a motion by formulas".to_owned(), format!("its axis has the length {length}"));
        Err(DynamicsError::Invalid { what, reason })
    }

    /// The first of many times from zero to `end` at which a formula is not finite.
    pub fn first_not_finite(&self, end: f64) -> Option<f64> {
        let each = self.position.iter().chain([&self.angle]);
        each.filter_map(|formula| formula.first_not_finite(end)).min_by(f64::total_cmp)
    }

    pub(super) fn at(&self, time: f64) -> PrescribedState {
        let jets = self.position.each_ref().map(|formula| formula.at(time));
        let [p, p_rate, p_second] = [0, 1, 2].map(|d| Vec3::new(jets[0][d], jets[1][d], jets[2][d]));
        let [angle, rate, second] = self.angle.at(time);
        let turn = UnitQuaternion::from_scaled_axis(self.axis * angle);
        let orientation = turn * self.orientation;
        let arm = orientation * self.mass_centre;
        let (angular_velocity, angular_acceleration) = (self.axis * rate, self.axis * second);
        let around = angular_velocity.cross(&arm);
        PrescribedState {
            motion: Motion {
                pose: Pose::new(p + arm, orientation),
                velocity: p_rate + around,
                angular_velocity_body: self.orientation.inverse() * angular_velocity,
            },
            acceleration: p_second + angular_acceleration.cross(&arm) + angular_velocity.cross(&around),
            angular_acceleration_body: self.orientation.inverse() * angular_acceleration,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::prescribed_motion::{PrescribedMotion, testing::check_rates};
    use super::*;
    use crate::formula::{Function, Operation};

    /// a sin(w t) + c t².
    fn formula(a: f64, w: f64, c: f64) -> Formula {
        use Operation::{Call, Number, Time};
        let multiply = Call(Function::Multiply);
        let swing = [Number(a), Time, Number(w), multiply, Call(Function::Sine), multiply];
        let bend = [Time, Number(2.0), Call(Function::Power), Number(c), multiply, Call(Function::Add)];
        Formula::new(swing.into_iter().chain(bend).collect()).unwrap()
    }

    #[test]
    fn rates_agree_with_differences() {
        let start = Pose::from_parts([0.0; 3], [0.5, 0.5, -0.5, 0.5]).unwrap();
        let motion = FormulaMotion {
            position: [formula(0.3, 2.0, 0.1), formula(-0.2, 3.0, 0.0), formula(0.1, 1.0, -0.4)],
            axis: Vec3::new(2.0, -1.0, 2.0) / 3.0,
            angle: formula(0.8, 2.5, 0.3),
            orientation: start.orientation,
            mass_centre: Vec3::new(0.1, -0.2, 0.05),
        };
        let prescribed = PrescribedMotion::formulas(motion.clone()).unwrap();
        for time in [0.0, 0.4, 1.7] {
            check_rates(&prescribed, time, 1e-9);
        }
        assert!(PrescribedMotion::formulas(FormulaMotion { axis: Vec3::zeros(), ..motion }).is_err());
    }
}
