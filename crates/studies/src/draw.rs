//! What the studies draw: numbers, rotations and directions that depend on a seed and an index alone.

use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::{Quaternion, UnitQuaternion};
use std::f64::consts::TAU;

/// Which random pairs are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawn {
    /// How many.
    pub samples: u64,
    /// The same seed draws the same ones.
    pub seed: u64,
}

impl Default for Drawn {
    /// As many pairs as take a few seconds.
    fn default() -> Self {
        Self { samples: 20_000, seed: 1 }
    }
}

/// A stream of numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stream(u64);

impl Stream {
    /// The stream of `index` under `seed`.
    pub(crate) fn new(seed: u64, index: u64) -> Self {
        Self(rattleback_random::stream(seed, index))
    }

    /// Uniform within (0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        rattleback_random::unit(&mut self.0)
    }

    /// Uniform over all rotations (Shoemake, "Uniform random rotations", Graphics Gems III).
    pub(crate) fn rotation(&mut self) -> UnitQuaternion<f64> {
        let [u, v, w] = [self.unit(), self.unit(), self.unit()];
        let (low, high) = ((1.0 - u).sqrt(), u.sqrt());
        let ((sv, cv), (sw, cw)) = ((TAU * v).sin_cos(), (TAU * w).sin_cos());
        UnitQuaternion::from_quaternion(Quaternion::new(high * cw, low * sv, low * cv, high * sw))
    }

    /// Uniform on the unit sphere.
    pub(crate) fn direction(&mut self) -> Vec3 {
        let (z, (sin, cos)) = (2.0 * self.unit() - 1.0, (TAU * self.unit()).sin_cos());
        let ring = (1.0 - z * z).sqrt();
        Vec3::new(ring * cos, ring * sin, z)
    }
}
