//! The point of a mesh that is closest to another.
//!
//! On one triangle (a, b, c) with N = (b − a) × (c − a) and q = p − a, the foot on its plane has the weights w_b = (q ×
//! (c − a))·N/N², w_c = ((b − a) × q)·N/N², w_a = 1 − w_b − w_c. Where all are positive the foot is a candidate; the
//! closest points of the three sides are candidates always. Every candidate is a point of the triangle whatever the
//! rounding, so that a sliver's ill-conditioned foot can never beat its sides wrongly. (N² is a fourth power of
//! lengths: triangles below 1e-77 m or above 1e77 m lose the foot.)

use super::{Tree, TriMesh};
use crate::error::{GeomError, Result, finite3};
use crate::{Aabb, Vec3};

/// What a point of a triangle lies on; sides run from corner k to corner k + 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// The inside of the triangle.
    Face,
    /// Its side k.
    Side(usize),
    /// Its corner k.
    Corner(usize),
}

/// A closest point of a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closest {
    /// The triangle it lies on; one of them where several share it.
    pub triangle: usize,
    /// The point, in metres.
    pub point: Vec3,
    /// Its distance from the point asked about, in metres.
    pub distance: f64,
    /// Its barycentric coordinates; not negative, their sum is one.
    pub weights: [f64; 3],
    /// What it lies on.
    pub feature: Feature,
}

/// The point of a triangle that is closest to `p`.
///
/// The triangle number is zero. Coordinates beyond 1e150 overflow into an infinite distance.
pub fn on_triangle(p: &Vec3, corners: &[Vec3; 3]) -> Closest {
    let (squared, found) = candidate(p, corners);
    Closest { distance: squared.sqrt(), ..found }
}

/// The squared distance, and the closest point with its distance left out.
#[inline]
fn candidate(p: &Vec3, corners: &[Vec3; 3]) -> (f64, Closest) {
    let mut best = face(p, corners).unwrap_or_else(|| {
        let (point, weights) = (corners[0], [1.0, 0.0, 0.0]);
        let found = Closest { triangle: 0, point, distance: 0.0, weights, feature: Feature::Corner(0) };
        ((p - point).norm_squared(), found)
    });
    for k in 0..3 {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        let side = b - a;
        let length = side.norm_squared();
        let s = if length > 0.0 { ((p - a).dot(&side) / length).clamp(0.0, 1.0) } else { 0.0 };
        let (point, feature) = if s <= 0.0 {
            (a, Feature::Corner(k))
        } else if s >= 1.0 {
            (b, Feature::Corner((k + 1) % 3))
        } else {
            (a + side * s, Feature::Side(k))
        };
        let squared = (p - point).norm_squared();
        if squared < best.0 {
            let mut weights = [0.0; 3];
            weights[k] = 1.0 - s;
            weights[(k + 1) % 3] = s;
            best = (squared, Closest { triangle: 0, point, distance: 0.0, weights, feature });
        }
    }
    best
}

/// The foot on the plane, where it lies inside the triangle.
#[inline]
fn face(p: &Vec3, [a, b, c]: &[Vec3; 3]) -> Option<(f64, Closest)> {
    let (ab, ac, q) = (b - a, c - a, p - a);
    let normal = ab.cross(&ac);
    let square = normal.norm_squared();
    let wb = q.cross(&ac).dot(&normal) / square;
    let wc = ab.cross(&q).dot(&normal) / square;
    let wa = 1.0 - wb - wc;
    // NaN and infinite weights, from a square that under- or overflowed, fail one of these.
    if !(wa > 0.0 && wb > 0.0 && wc > 0.0) {
        return None;
    }
    let point = a + ab * wb + ac * wc;
    let found = Closest { triangle: 0, point, distance: 0.0, weights: [wa, wb, wc], feature: Feature::Face };
    Some(((p - point).norm_squared(), found))
}

impl Tree {
    /// The point of the mesh that is closest to `p`.
    pub fn closest_point(&self, mesh: &TriMesh, p: &Vec3) -> Result<Closest> {
        self.check(mesh)?;
        let p = finite3("point", p)?;
        let mut best: Option<Closest> = None;
        let mut least = f64::INFINITY;
        self.walk(
            |node| Some(squared_distance(node.bounds(), &p)),
            |triangle| {
                let (squared, found) = candidate(&p, &mesh.corners(triangle));
                if squared < least {
                    least = squared;
                    best = Some(Closest { triangle, ..found });
                }
                least
            },
        );
        best.map(|found| Closest { distance: least.sqrt(), ..found }).ok_or_else(|| GeomError::OutOfRange {
            field: "point".to_owned(),
            value: p.amax(),
            allowed: "near enough to the mesh for the square of the distance to be finite".to_owned(),
        })
    }
}

#[inline]
fn squared_distance(aabb: &Aabb, p: &Vec3) -> f64 {
    let mut sum = 0.0;
    for i in 0..3 {
        let d = (aabb.min[i] - p[i]).max(p[i] - aabb.max[i]).max(0.0);
        sum += d * d;
    }
    sum
}
