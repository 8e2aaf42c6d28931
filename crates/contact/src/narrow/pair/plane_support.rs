//! A half-space n·x ≤ d against a body with a support function, in closed form (Römer section 5): the body's point
//! farthest along −n, and its foot on the plane. The only normal that a half-space has is its own, so that the answer
//! is the global one under overlap too.

use crate::narrow::touch::{Branch, Certificate, Touch};
use rattleback_geom::surface::Plane;
use rattleback_geom::{Pose, Vec3};

/// The touch of a plane (A) and a body (B) whose farthest point along a direction of its own frame is `farthest`.
pub(crate) fn solve(plane: &Plane, pose_a: &Pose, farthest: impl Fn(&Vec3) -> Vec3, pose_b: &Pose) -> Touch {
    let n = pose_a.vector_to_world(plane.normal());
    let q = pose_b.point_to_world(&farthest(&pose_b.vector_to_local(&-n)));
    let gap = n.dot(&(q - pose_a.position)) - plane.offset();
    let certificate = if gap > 0.0 {
        Certificate::Separate { lower: gap, upper: gap }
    } else {
        Certificate::Overlap { gradient: 0.0, margin: f64::INFINITY, branch: Branch::Global }
    };
    Touch {
        gap,
        normal: n,
        point_a: q - n * gap,
        point_b: q,
        iterations: 1,
        residual: 0.0,
        certificate,
        certified: gap.is_finite(),
    }
}
