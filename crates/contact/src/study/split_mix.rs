//! SplitMix64 (Steele, Lea, Flood 2014): x ← x + γ, then two rounds of xor-shift and multiplication.

use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::{Quaternion, UnitQuaternion};
use std::f64::consts::TAU;

/// A stream of numbers that depends on a seed and an index alone.
#[derive(Debug, Clone, Copy)]
pub(super) struct SplitMix {
    state: u64,
}

/// γ, the odd integer next to 2⁶⁴ over the golden ratio.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl SplitMix {
    /// The stream of `index` under `seed`; streams of neighbouring indices begin at unrelated states.
    pub(super) fn new(seed: u64, index: u64) -> Self {
        Self { state: mix(mix(seed.wrapping_add(GAMMA)) ^ index.wrapping_mul(GAMMA)) }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GAMMA);
        mix(self.state)
    }

    /// Uniform within (0, 1), neither end included.
    pub(super) fn unit(&mut self) -> f64 {
        ((self.next() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// Uniform over all rotations (Shoemake, "Uniform random rotations", Graphics Gems III).
    pub(super) fn rotation(&mut self) -> UnitQuaternion<f64> {
        let [u, v, w] = [self.unit(), self.unit(), self.unit()];
        let (low, high) = ((1.0 - u).sqrt(), u.sqrt());
        let ((sv, cv), (sw, cw)) = ((TAU * v).sin_cos(), (TAU * w).sin_cos());
        UnitQuaternion::from_quaternion(Quaternion::new(high * cw, low * sv, low * cv, high * sw))
    }

    /// Uniform on the unit sphere.
    pub(super) fn direction(&mut self) -> Vec3 {
        let (z, (sin, cos)) = (2.0 * self.unit() - 1.0, (TAU * self.unit()).sin_cos());
        let ring = (1.0 - z * z).sqrt();
        Vec3::new(ring * cos, ring * sin, z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_of_state_zero_are_the_published_ones() {
        let mut stream = SplitMix { state: 0 };
        assert_eq!([stream.next(), stream.next()], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }

    #[test]
    fn a_stream_fills_the_unit_interval_evenly() {
        let mut counts = [0; 10];
        for index in 0..10_000 {
            counts[(SplitMix::new(7, index).unit() * 10.0) as usize] += 1;
        }
        assert!(counts.iter().all(|&c| (880..1120).contains(&c)), "{counts:?}");
    }
}
