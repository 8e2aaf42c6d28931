//! Reproducible random numbers, directions and poses for the tests.

use rattleback_geom::nalgebra::{Quaternion, UnitQuaternion};
use rattleback_geom::{Pose, Vec3};

/// SplitMix64: small, and the same on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / (1u64 << 53) as f64)
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
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
