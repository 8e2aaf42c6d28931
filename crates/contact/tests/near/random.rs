//! Numbers for random poses: a linear congruential generator (Knuth's MMIX), upper bits.

use rattleback_contact::geom::nalgebra::{Quaternion, UnitQuaternion};
use rattleback_contact::geom::{Pose, Vec3};

pub struct Random(pub u64);

impl Random {
    /// Uniform within [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn vector(&mut self, most: f64) -> Vec3 {
        Vec3::from_fn(|_, _| self.between(-most, most))
    }

    pub fn pose(&mut self, most: f64) -> Pose {
        let mut q = || self.between(-1.0, 1.0);
        let turn = Quaternion::new(q(), q(), q(), q());
        Pose::new(self.vector(most), UnitQuaternion::from_quaternion(turn))
    }
}
