//! A body that turns at a constant rate about an axis, which may move along at a constant velocity.
//!
//!   R(t) = exp([Ω]× t) R₀,   x(t) = c + u t + exp([Ω]× t)(x₀ − c),   v = u + Ω × r,   v̇ = Ω × (Ω × r),   r = x − c −
//!   u t
//!
//! | symbol | here | unit |
//! |---|---|---|
//! | Ω | `angular_velocity`, world axes | rad/s |
//! | c, u | `point` at time zero, `velocity` | m, m/s |
//! | x₀, R₀ | `start` | m |
//!
//! In body axes ω = Rᵀ Ω = R₀ᵀ Ω is constant.

use super::prescribed_motion::PrescribedState;
use crate::body::Motion;
use crate::error::{Result, finite};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Pose, Vec3};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Turning {
    start: Pose,
    angular_velocity: Vec3,
    point: Vec3,
    velocity: Vec3,
}

impl Turning {
    pub(super) fn new(start: Pose, angular_velocity: Vec3, point: Vec3, velocity: Vec3) -> Result<Self> {
        for (field, v) in
            [("angular_velocity", &angular_velocity), ("point", &point), ("velocity", &velocity)]
        {
            v.iter().try_for_each(|x| finite(field, *x))?;
        }
        Ok(Self { start, angular_velocity, point, velocity })
    }

    pub(super) fn at(&self, time: f64) -> PrescribedState {
        let turn = UnitQuaternion::from_scaled_axis(self.angular_velocity * time);
        let arm = turn * (self.start.position - self.point);
        let pose = Pose::new(self.point + self.velocity * time + arm, turn * self.start.orientation);
        let around = self.angular_velocity.cross(&arm);
        PrescribedState {
            motion: Motion {
                pose,
                velocity: self.velocity + around,
                angular_velocity_body: self.start.vector_to_local(&self.angular_velocity),
            },
            acceleration: self.angular_velocity.cross(&around),
            angular_acceleration_body: Vec3::zeros(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::prescribed_motion::{PrescribedMotion, testing::check_rates};
    use super::*;

    #[test]
    fn rates_agree_with_differences_and_whole_turns_lead_back() {
        let start = Pose::from_parts([0.4, -0.1, 0.3], [0.5, 0.5, -0.5, 0.5]).unwrap();
        let (axis, rate) = (Vec3::new(2.0, -1.0, 2.0) / 3.0, 3.0);
        let (point, velocity) = (Vec3::new(0.1, 0.2, 0.0), Vec3::new(0.0, 0.5, -0.2));
        let motion = PrescribedMotion::turning(start, axis * rate, point, velocity).unwrap();
        for time in [-0.4, 0.0, 0.7, 5.0] {
            check_rates(&motion, time, 1e-11);
        }
        let period = std::f64::consts::TAU / rate;
        let later = motion.at(3.0 * period).motion.pose;
        assert!((later.position - start.position - velocity * (3.0 * period)).norm() < 1e-13);
        assert!(later.orientation.angle_to(&start.orientation) < 1e-13);
        let still = PrescribedMotion::turning(start, Vec3::zeros(), point, Vec3::zeros()).unwrap();
        assert!((still.at(9.0).motion.pose.position - start.position).norm() < 1e-15);
        assert!(PrescribedMotion::turning(start, axis * f64::NAN, point, velocity).is_err());
    }
}
