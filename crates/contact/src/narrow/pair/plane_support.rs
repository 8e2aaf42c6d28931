//! A half-space n·x ≤ d against a body with a support function, in closed form (Römer section 5): the body's point
//! farthest along −n, and its foot on the plane. The only normal that a half-space has is its own, so that the answer
//! is the global one under overlap too.
//!
//! With r from the plane's origin to the body's and x the farthest point from the body's own, gap = n·r + n·x − d. All of
//! it is relative: a common shift of both bodies costs nothing but the rounding of r. What rounding may come to,
//!
//!   4ε (Σ∣nᵢrᵢ∣ + ∣d∣ + ∣x∣) + 8ε ∣r∣ where the plane is turned,
//!
//! must stay below the tolerance: a small body far along the plane, or far from the origins of both, is not certified.

use crate::narrow::touch::{Branch, CLOSED, Certificate, Touch};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::Plane;
use rattleback_geom::{Pose, Vec3};

/// The touch of a plane (A) and a body (B) whose farthest point along a direction of its own frame is `farthest`.
pub(crate) fn solve(plane: &Plane, pose_a: &Pose, farthest: impl Fn(&Vec3) -> Vec3, pose_b: &Pose) -> Touch {
    let n = pose_a.vector_to_world(plane.normal());
    let x = pose_b.vector_to_world(&farthest(&pose_b.vector_to_local(&-n)));
    let r = pose_b.position - pose_a.position;
    let gap = n.dot(&r) - plane.offset() + n.dot(&x);
    let certificate = if gap > 0.0 {
        Certificate::Separate { lower: gap, upper: gap }
    } else {
        Certificate::Overlap { gradient: 0.0, margin: f64::INFINITY, branch: Branch::Global }
    };
    let turned = if pose_a.orientation == UnitQuaternion::identity() { 0.0 } else { 8.0 * r.norm() };
    let terms = n.component_mul(&r).abs().sum() + plane.offset().abs() + x.norm();
    let rounding = f64::EPSILON * (4.0 * terms + turned);
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
