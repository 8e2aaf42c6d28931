//! Reproducible random numbers and directions.

use rattleback_geom::Vec3;

/// The state of a stream.
pub struct Random(pub u64);

#[allow(dead_code, reason = "two test programs share it, and each uses its part")]
impl Random {
    pub fn unit(&mut self) -> f64 {
        rattleback_random::unit(&mut self.0)
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
