//! Reproducible random pairs.

use rattleback_contact::Collider;
use rattleback_contact::geom::nalgebra::{Quaternion, UnitQuaternion};
use rattleback_contact::geom::surface::{Ellipsoid, Shape, Superellipsoid, Superquadric};
use rattleback_contact::geom::{Pose, Vec3};

/// The state of a stream.
pub struct Random(pub u64);

impl Random {
    pub fn unit(&mut self) -> f64 {
        rattleback_random::unit(&mut self.0)
    }

    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.within(-1.0, 1.0), self.within(-1.0, 1.0), self.within(-1.0, 1.0))
    }

    /// Uniform over rotations (Shoemake).
    pub fn rotation(&mut self) -> UnitQuaternion<f64> {
        let (a, b, c) =
            (self.unit(), self.within(0.0, std::f64::consts::TAU), self.within(0.0, std::f64::consts::TAU));
        let (s, t) = ((1.0 - a).sqrt(), a.sqrt());
        UnitQuaternion::from_quaternion(Quaternion::new(t * c.cos(), s * b.sin(), s * b.cos(), t * c.sin()))
    }

    /// Semi-axes from `least` to one, spread evenly in their logarithm.
    pub fn axes(&mut self, least: f64) -> [f64; 3] {
        std::array::from_fn(|_| least.powf(self.unit()))
    }

    /// Two shapes: the second beyond the first's corner by up to one, `closeness` times as far.
    pub fn pair(
        &mut self,
        closeness: f64,
        mut shape: impl FnMut(&mut Self) -> Shape,
    ) -> (Collider, Collider) {
        let (a, b) = (shape(self), shape(self));
        let corner = a.surface().bounds().max;
        let offset = Vec3::new(self.unit(), self.unit(), self.unit());
        let pose = Pose::new((corner + offset) * closeness, self.rotation());
        (Collider { shape: a, pose: Pose::identity() }, Collider { shape: b, pose })
    }

    pub fn ellipsoid(&mut self, least: f64) -> Shape {
        Ellipsoid::new(self.axes(least)).unwrap().into()
    }

    pub fn superellipsoid(&mut self, low: f64, high: f64) -> Shape {
        let exponents = [self.within(low, high), self.within(low, high)];
        Superellipsoid::new(self.axes(0.2), exponents).unwrap().into()
    }

    pub fn superquadric(&mut self, low: f64, high: f64) -> Shape {
        let exponents = [self.within(low, high), self.within(low, high), self.within(low, high)];
        Superquadric::new(self.axes(0.2), exponents).unwrap().into()
    }
}
