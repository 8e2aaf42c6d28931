//! Reproducible random pairs of ellipsoids, and their true gap.
//!
//! A stands at the origin; the centre of B is beyond A's semi-axes by up to one metre along each of them, B is turned
//! in any way. All lengths are uniform within (0, 1) m, the orientation is uniform over all rotations.

#![allow(dead_code, reason = "each program uses some of it")]

use rattleback_contact::Result;
use rattleback_contact::narrow::{Start, touch};
use rattleback_geom::nalgebra::{Quaternion, UnitQuaternion};
use rattleback_geom::surface::{Ellipsoid, Shape};
use rattleback_geom::{Pose, Vec3};
use std::f64::consts::TAU;

/// A random pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipsoids {
    /// Semi-axes of A in m.
    pub semi_axes_a: [f64; 3],
    /// Semi-axes of B in m.
    pub semi_axes_b: [f64; 3],
    /// Where B is.
    pub pose_b: Pose,
    /// Uniform on the unit sphere.
    pub random_normal: Vec3,
}

impl Ellipsoids {
    /// The pair of an index under a seed.
    pub fn drawn(seed: u64, index: u64) -> Self {
        let mut state = rattleback_random::stream(seed, index);
        let mut unit = || rattleback_random::unit(&mut state);
        let mut three = || [unit(), unit(), unit()];
        let (semi_axes_a, semi_axes_b, beyond, [u, v, w]) = (three(), three(), three(), three());
        // Shoemake, "Uniform random rotations", Graphics Gems III.
        let (low, high) = ((1.0 - u).sqrt(), u.sqrt());
        let ((sv, cv), (sw, cw)) = ((TAU * v).sin_cos(), (TAU * w).sin_cos());
        let turn = UnitQuaternion::from_quaternion(Quaternion::new(high * cw, low * sv, low * cv, high * sw));
        let (z, (sin, cos)) = (2.0 * unit() - 1.0, (TAU * unit()).sin_cos());
        let ring = (1.0 - z * z).sqrt();
        Self {
            semi_axes_a,
            semi_axes_b,
            pose_b: Pose::new(Vec3::from(semi_axes_a) + Vec3::from(beyond), turn),
            random_normal: Vec3::new(ring * cos, ring * sin, z),
        }
    }

    /// The larger of the two ratios of the longest to the shortest semi-axis.
    pub fn aspect(&self) -> f64 {
        let ratio = |[a, b, c]: [f64; 3]| a.max(b).max(c) / a.min(b).min(c);
        ratio(self.semi_axes_a).max(ratio(self.semi_axes_b))
    }

    /// In m; under overlap the least translation over all directions, with a minus.
    pub fn gap(&self) -> Result<f64> {
        let shape = |axes| Ellipsoid::new(axes).map(Shape::Ellipsoid);
        let (a, b) = (shape(self.semi_axes_a)?, shape(self.semi_axes_b)?);
        Ok(touch(&a, &Pose::identity(), &b, &self.pose_b, Start::Cold)?.gap)
    }
}
