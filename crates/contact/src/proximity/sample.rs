//! Reproducible random numbers, directions and poses for the tests.

use rattleback_geom::nalgebra::{Quaternion, UnitQuaternion};
use rattleback_geom::{Pose, Vec3};

/// The state of a stream.
pub struct Random(pub u64);

impl Random {
    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * rattleback_random::unit(&mut self.0)
    }

    pub fn below(&mut self, count: usize) -> usize {
        rattleback_random::below(&mut self.0, count)
    }

    pub fn point(&mut self, reach: f64) -> Vec3 {
        Vec3::from_fn(|_, _| self.within(-reach, reach))
    }

    pub fn direction(&mut self) -> Vec3 {
        loop {
            let p = self.point(1.0);
            if p.norm() > 0.1 && p.norm() < 1.0 {
                return p.normalize();
            }
        }
    }

    pub fn orientation(&mut self) -> UnitQuaternion<f64> {
        loop {
            let q = Quaternion::from_parts(self.within(-1.0, 1.0), self.point(1.0));
            if q.norm() > 0.1 && q.norm() < 1.0 {
                return UnitQuaternion::from_quaternion(q);
            }
        }
    }

    pub fn pose(&mut self, reach: f64) -> Pose {
        Pose::new(self.point(reach), self.orientation())
    }
}
