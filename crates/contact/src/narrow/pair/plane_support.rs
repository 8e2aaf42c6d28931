//! A half-space n·x ≤ d against a body with a support function, in closed form (Römer section 5): the body's point
//! farthest along −n, and its foot on the plane. The only normal that a half-space has is its own, so that the answer
//! is the global one under overlap too.
//!
//! With r from the plane's origin to the body's and x the farthest point from the body's own, gap = n·r + n·x − d. All
//! of it is relative: a common shift of both bodies costs nothing. What rounding may come to,
//!
//!   4ε (Σ∣nᵢrᵢ∣ + ∣d∣ + ∣x∣) + 8ε ∣r∣ where the plane is turned,
//!
//! is too much for a small body far along the plane, or far from the origins of both. There n·r − d is taken again from
//! the poses as they are given, with 106 bits: with the quaternion w + u of any length and the plane's own normal m,
//!
//!   n = ((w² − u·u) m + 2(u·m) u + 2w u × m) / ((w² + u·u) ∣m∣),
//!
//! and only n·x is left to round.

use crate::narrow::touch::{Branch, CLOSED, Certificate, Touch};
use rattleback_geom::double_double::{DoubleDouble, dot, vector};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::Plane;
use rattleback_geom::{Pose, Vec3};

/// What rounding takes from a sum of products of double doubles, as a share of its terms: 2⁻⁹⁸, some ten operations.
const FINE: f64 = 3.2e-30;

/// The touch of a plane (A) and a body (B) whose farthest point along a direction of its own frame is `farthest`.
#[inline]
pub(crate) fn solve(plane: &Plane, pose_a: &Pose, farthest: impl Fn(&Vec3) -> Vec3, pose_b: &Pose) -> Touch {
    let n = pose_a.vector_to_world(plane.normal());
    let x = pose_b.vector_to_world(&farthest(&pose_b.vector_to_local(&-n)));
    let r = pose_b.position - pose_a.position;
    let mut gap = n.dot(&r) - plane.offset() + n.dot(&x);
    let turned = if pose_a.orientation == UnitQuaternion::identity() { 0.0 } else { 8.0 * r.norm() };
    let terms = n.component_mul(&r).abs().sum() + plane.offset().abs() + x.norm();
    let mut rounding = f64::EPSILON * (4.0 * terms + turned);
    if rounding > CLOSED * (x.norm() + gap.abs()) {
        gap = height(plane, pose_a, &pose_b.position) + n.dot(&x);
        rounding = 4.0 * f64::EPSILON * (x.norm() + gap.abs()) + FINE * (r.norm() + plane.offset().abs());
    }
    let certificate = if gap > 0.0 {
        Certificate::Separate { lower: gap, upper: gap }
    } else {
        Certificate::Overlap { gradient: 0.0, margin: f64::INFINITY, branch: Branch::Global }
    };
    let q = pose_b.position + x;
    Touch {
        gap,
        normal: n,
        point_a: q - n * gap,
        point_b: q,
        iterations: 1,
        residual: 0.0,
        certificate,
        certified: rounding <= CLOSED * (x.norm() + gap.abs()),
    }
}

/// n·r − d of a place in the world, right to 2⁻⁹⁸ of its terms.
#[cold]
fn height(plane: &Plane, pose: &Pose, place: &Vec3) -> f64 {
    let q = pose.orientation.coords;
    let (w, u, m) = (DoubleDouble::from(q.w), vector(&q.xyz()), vector(plane.normal()));
    let r: [DoubleDouble; 3] = std::array::from_fn(|i| DoubleDouble::difference(place[i], pose.position[i]));
    let (ww, uu, um) = (w * w, dot(&u, &u), dot(&u, &m));
    let two = DoubleDouble::from(2.0);
    let normal: [DoubleDouble; 3] = std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        (ww - uu) * m[i] + two * um * u[i] + two * w * (u[j] * m[k] - u[k] * m[j])
    });
    let length = (ww + uu) * dot(&m, &m).sqrt();
    (dot(&normal, &r).over(length) - DoubleDouble::from(plane.offset())).value()
}
