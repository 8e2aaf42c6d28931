//! Reproducible random numbers and directions.

use rattleback_geom::Vec3;

/// SplitMix64: small, and the same on every machine.
pub struct Random(pub u64);

#[allow(dead_code, reason = "two test programs share it, and each uses its part")]
impl Random {
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A point of the cube from −1 to 1.
    pub fn point(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.within(-1.0, 1.0))
    }

    pub fn direction(&mut self) -> Vec3 {
        let z = self.within(-1.0, 1.0);
        let angle = self.within(0.0, std::f64::consts::TAU);
        let ring = (1.0 - z * z).sqrt();
        Vec3::new(ring * angle.cos(), ring * angle.sin(), z)
    }
}
