//! Bounding spheres.
//!
//! Two bodies inside spheres (c₁, r₁), (c₂, r₂) are at least ∣c₂ − c₁∣ − r₁ − r₂ apart.
//!
//! The radius. About the middle c of the local box the half diagonal always holds. With a support function it shrinks:
//! let x be the farthest point of the body, u = (x − c)/∣x − c∣. Cut the sphere of directions into cells; the cell of u
//! has a centre n with n·u ≥ cos θ, θ the greatest angle in the cell, so
//!
//!   h(n) − n·c ≥ n·(x − c) ≥ ∣x − c∣ cos θ,    ∣x − c∣ ≤ max over cells of (h(n) − n·c)/cos θ.
//!
//! The cells are squares on the faces of a cube. Seen from the cube's centre the directions within an angle of n form a
//! convex cone, so θ is reached at a corner of the square. With `CELLS` squares along an edge the radius is at most
//! 0.3 % too large.

use super::{bounded, finite_pose};
use crate::Result;
use rattleback_geom::surface::{Support, Surface};
use rattleback_geom::{Pose, Vec3};

/// Squares along an edge of the cube.
const CELLS: usize = 16;

/// A sphere that contains a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoundingSphere {
    /// Its centre in m: in the surface's axes from [`BoundingSphere::new`], in the world's from
    /// [`BoundingSphere::placed`].
    pub centre: Vec3,
    /// Its radius in m.
    pub radius: f64,
}

impl BoundingSphere {
    /// The sphere of a surface in its own axes; to be made once, it asks a support function some 1500 times.
    pub fn new(surface: &dyn Surface) -> Result<Self> {
        let bounds = bounded(surface)?;
        let centre = bounds.centre();
        let half_diagonal = 0.5 * bounds.diagonal();
        let radius = match surface.as_support() {
            Some(support) => half_diagonal.min(farthest(support, &centre)),
            None => half_diagonal,
        };
        // A few roundings in the support function and in the sums.
        Ok(Self { centre, radius: radius * (1.0 + 16.0 * f64::EPSILON) })
    }

    /// The same sphere where `pose` puts it.
    pub fn placed(&self, pose: &Pose) -> Result<Self> {
        finite_pose("pose", pose)?;
        Ok(Self { centre: pose.point_to_world(&self.centre), radius: self.radius })
    }

    /// A lower bound of the gap of what the spheres contain, in m.
    #[inline]
    pub fn separation(&self, other: &Self) -> f64 {
        (other.centre - self.centre).norm() - (self.radius + other.radius)
    }

    /// Whether the spheres share no point.
    #[inline]
    pub fn is_separate_from(&self, other: &Self) -> bool {
        self.separation(other) > 0.0
    }
}

/// An upper bound of the distance from `c` to the body's farthest point.
fn farthest(support: &dyn Support, c: &Vec3) -> f64 {
    let mut bound = 0.0f64;
    let step = 2.0 / CELLS as f64;
    for axis in 0..3 {
        for i in 0..CELLS {
            for j in 0..CELLS {
                let corner = |u: f64, v: f64| {
                    let mut d = Vec3::zeros();
                    d[axis] = 1.0;
                    d[(axis + 1) % 3] = (i as f64 + u) * step - 1.0;
                    d[(axis + 2) % 3] = (j as f64 + v) * step - 1.0;
                    d.normalize()
                };
                let n = corner(0.5, 0.5);
                let cosine = [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)]
                    .iter()
                    .fold(1.0f64, |least, &(u, v)| least.min(n.dot(&corner(u, v))));
                let along = (support.support(&n) - n.dot(c)).max(support.support(&-n) + n.dot(c));
                bound = bound.max(along / cosine);
            }
        }
    }
    bound
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proximity::sample::Random;
    use rattleback_geom::surface::{Capsule, Ellipsoid, Plane, Sphere, Superellipsoid, Torus};

    #[test]
    fn the_sphere_of_an_ellipsoid_reaches_just_beyond_its_longest_axis() {
        let mut random = Random(1);
        for _ in 0..200 {
            let axes = [random.within(0.01, 3.0), random.within(0.01, 3.0), random.within(0.01, 3.0)];
            let sphere = BoundingSphere::new(&Ellipsoid::new(axes).unwrap()).unwrap();
            let longest = axes.iter().fold(0.0f64, |a, &b| a.max(b));
            assert!(
                sphere.radius >= longest && sphere.radius < 1.004 * longest,
                "{axes:?} {}",
                sphere.radius
            );
        }
    }

    #[test]
    fn every_support_point_and_every_point_of_a_torus_lies_inside() {
        let mut random = Random(2);
        let convex: [&dyn Surface; 3] = [
            &Superellipsoid::new([1.0, 0.5, 0.2], [4.0, 3.0]).unwrap(),
            &Capsule::new(0.3, 1.0).unwrap(),
            &Sphere::new(2.0).unwrap(),
        ];
        for surface in convex {
            let sphere = BoundingSphere::new(surface).unwrap();
            let support = surface.as_support().unwrap();
            for _ in 0..10_000 {
                let p = support.support_point(&random.direction());
                assert!((p - sphere.centre).norm() <= sphere.radius, "{} {p}", surface.kind());
            }
        }
        let torus = BoundingSphere::new(&Torus::new(1.0, 0.25).unwrap()).unwrap();
        assert!(torus.radius >= 1.25);
    }

    #[test]
    fn the_separation_of_placed_spheres_bounds_the_gap_from_below() {
        let sphere = BoundingSphere::new(&Sphere::new(1.0).unwrap()).unwrap();
        let far = sphere.placed(&Pose::from_position(0.0, 3.0, 0.0)).unwrap();
        let separation = sphere.separation(&far);
        assert!(separation <= 1.0 && separation > 0.99);
        assert!(sphere.is_separate_from(&far));
        assert!(!sphere.is_separate_from(&sphere));
    }

    #[test]
    fn a_half_space_has_no_bounding_sphere() {
        let error = BoundingSphere::new(&Plane::new([1.0, 1.0, 0.0], 0.0).unwrap()).unwrap_err();
        assert!(error.to_string().starts_with("plane: extent[0] of the bounds = inf"), "{error}");
    }
}
