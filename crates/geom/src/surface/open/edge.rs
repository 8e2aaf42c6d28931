//! Curvature of a solid {F ≤ 0} between planes, at a point of its boundary with a given outer normal n.
//!
//! | what p lies on | n | κ |
//! |---|---|---|
//! | the curved part, or a rim with n = ∇F/∣∇F∣ | | that of F = 0 |
//! | a plane, or an edge with n its normal | | 0, 0 |
//! | a rim | between both | ∞ across, κ along |
//! | an edge of two planes | between both | ∞ across, 0 along |
//! | a corner | | ∞, ∞ |
//!
//! Along the rim of the plane m·x = d, with the unit tangent τ ∥ m × ∇F and w = m × τ, the curve bends by μw with
//! μ ∇F·w = −τ·∇²F τ, and κ = −μ w·n.

use super::BoundingPlane;
use crate::curvature::tangents;
use crate::error::Result;
use crate::surface::Implicit;
use crate::{Curvature, Vec3};

/// A point is on a plane or on the surface when it is this close, in sizes of the solid: points come from solvers that stop at
/// about this error.
const ON: f64 = 1e-9;

/// Normals closer than this, in rad, are the same, for the same reason.
const SAME: f64 = 1e-7;

/// The curvature at p towards n; `curved` is that of the curved part at p.
pub(crate) fn curvature(
    implicit: &dyn Implicit,
    size: f64,
    p: &Vec3,
    n: &Vec3,
    curved: impl FnOnce() -> Result<Curvature>,
) -> Result<Curvature> {
    let gradient = implicit.gradient(p);
    let slope = gradient.norm();
    let on_curved = slope > 0.0 && (implicit.value(p) / slope).abs() <= ON * size;
    let close = |plane: &&BoundingPlane| plane.beyond(p).abs() <= ON * size;
    let on: Vec<Vec3> =
        implicit.bounding_planes().iter().filter(close).map(|plane| *plane.normal()).collect();
    let same = |m: &Vec3| m.dot(n) > 0.0 && m.cross(n).norm() <= SAME;
    if let Some(m) = on.iter().find(|m| same(m)) {
        return Ok(Curvature::flat(m));
    }
    let (along, kappa) = match (on_curved, on.as_slice()) {
        (_, []) => return curved(),
        (true, _) if same(&(gradient / slope)) => return curved(),
        (false, [m]) => return Ok(Curvature::flat(m)),
        (true, [m]) => {
            let Some(along) = m.cross(&gradient).try_normalize(f64::EPSILON * slope) else {
                return Ok(Curvature::flat(m));
            };
            let w = m.cross(&along);
            let bend = -along.dot(&(implicit.hessian(p) * along)) / gradient.dot(&w);
            (along, -bend * w.dot(n))
        }
        (false, [m, k]) => (m.cross(k).normalize(), 0.0),
        _ => {
            let (t, b) = tangents(n);
            return Ok(Curvature { kappa: [f64::INFINITY; 2], direction: [t, b] });
        }
    };
    // The normal of a solver may lean along the edge by its tolerance.
    let along = (along - n * n.dot(&along)).normalize();
    Ok(Curvature { kappa: [f64::INFINITY, kappa], direction: [along.cross(n), along] })
}
