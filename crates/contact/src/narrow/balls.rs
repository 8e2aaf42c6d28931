//! Balls inside bodies: those that roll along all of a surface, and those that touch it at one point.
//!
//! The least radius of curvature of an ellipsoid with semi-axes a is min a²/max a: a ball of that radius rolls inside
//! all of its surface. One of radius min a²/h that touches it at its point of support along n, h its support value, is
//! inside it.

use rattleback_geom::Vec3;
use rattleback_geom::surface::Shape;

/// The radius of a ball that rolls inside all of an ellipsoid's surface.
pub(super) fn in_ellipsoid(axes: &Vec3) -> f64 {
    axes.min().powi(2) / axes.max()
}

/// The point of an ellipsoid farthest along n, which need not be a unit vector.
pub(super) fn farthest(axes: &Vec3, n: &Vec3) -> Vec3 {
    let scaled = axes.component_mul(n);
    axes.component_mul(&scaled) / scaled.norm()
}

/// The radius of a ball that rolls inside all of the body's surface: the body is another convex one, enlarged by it.
/// Zero where none is known.
pub(super) fn rolling_ball(shape: &Shape) -> f64 {
    match shape {
        Shape::Sphere(s) => s.radius(),
        Shape::Capsule(s) => s.radius(),
        Shape::Cuboid(s) => s.rounding(),
        Shape::ConvexHull(s) => s.rounding(),
        // The least radius of curvature, which is proved of potentials.
        Shape::Ellipsoid(s) => in_ellipsoid(s.semi_axes()),
        Shape::Superellipsoid(s) if s.exponents() == [2.0, 2.0] => in_ellipsoid(s.semi_axes()),
        Shape::Superquadric(s) if s.exponents() == [2.0, 2.0, 2.0] => in_ellipsoid(s.semi_axes()),
        Shape::Potential(s) => s.convexity().lower_bound.max(0.0),
        _ => 0.0,
    }
}

/// A ball inside the body that touches its surface, or comes near to it, at the point p of support along a unit n: its
/// radius and centre. Zero where none is known.
pub(super) fn inner_ball(shape: &Shape, n: &Vec3, p: &Vec3) -> (f64, Vec3) {
    // With exponents of two and more a body holds the ellipsoid.
    let touching = |a: &Vec3| {
        let radius = a.min().powi(2) / a.component_mul(n).norm();
        (radius, farthest(a, n) - n * radius)
    };
    match shape {
        Shape::Ellipsoid(s) => touching(s.semi_axes()),
        Shape::Superellipsoid(s) if s.exponents().iter().all(|&e| e >= 2.0) => touching(s.semi_axes()),
        Shape::Superquadric(s) if s.exponents().iter().all(|&e| e >= 2.0) => touching(s.semi_axes()),
        Shape::Sphere(s) => (s.radius(), Vec3::zeros()),
        _ => (rolling_ball(shape), p - n * rolling_ball(shape)),
    }
}
