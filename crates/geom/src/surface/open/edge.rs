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
//! μ ∇F·w = −τ·∇²F τ, and κ = −μ w·n. As τ changes by μw and w by −μτ per length s,
//!
//!   μ′ ∇F·w = −τ·(∂∇²F/∂τ)τ − 3μ τ·∇²F w,   dκ = −μ′ w·n ds − μ w·dn
//!
//! and the direction d₁ across the rim turns towards τ by −μ w·d₁ ds.

use super::BoundingPlane;
use crate::curvature::{BendingRate, tangents};
use crate::error::Result;
use crate::surface::{Implicit, TouchPoint};
use crate::{Curvature, Mat3, Vec3};

/// A point is on a plane or on the surface when it is this close, in sizes of the solid: points come from solvers that
/// stop at about this error.
const ON: f64 = 1e-9;

/// Normals closer than this, in rad, are the same, for the same reason.
const SAME: f64 = 1e-7;

/// What of the boundary has the point p and the normal n.
enum Feature {
    Curved,
    Flat(Vec3),
    Rim(Rim),
    /// An edge of two planes along this unit vector.
    Straight(Vec3),
    Corner,
}

/// The rim of a plane at a point.
struct Rim {
    gradient: Vec3,
    hessian: Mat3,
    /// τ.
    along: Vec3,
    w: Vec3,
    /// μ.
    bend: f64,
}

/// The unit normals of what holds the point: of the curved part, where it is on it, and of the planes.
struct ActiveNormals {
    curved: Option<Vec3>,
    planes: Vec<Vec3>,
}

impl ActiveNormals {
    fn at(implicit: &dyn Implicit, size: f64, p: &Vec3) -> Self {
        let gradient = implicit.gradient(p);
        let slope = gradient.norm();
        let on_curved = slope > 0.0 && (implicit.value(p) / slope).abs() <= ON * size;
        let close = |plane: &&BoundingPlane| plane.beyond(p).abs() <= ON * size;
        let planes = implicit.bounding_planes().iter().filter(close).map(|plane| *plane.normal()).collect();
        Self { curved: on_curved.then(|| gradient / slope), planes }
    }
}

fn is_same(m: &Vec3, n: &Vec3) -> bool {
    m.dot(n) > 0.0 && m.cross(n).norm() <= SAME
}

fn feature(implicit: &dyn Implicit, size: f64, p: &Vec3, n: &Vec3) -> Feature {
    let ActiveNormals { curved, planes } = ActiveNormals::at(implicit, size, p);
    if let Some(m) = planes.iter().find(|m| is_same(m, n)) {
        return Feature::Flat(*m);
    }
    match (curved, planes.as_slice()) {
        (_, []) => Feature::Curved,
        (Some(g), _) if is_same(&g, n) => Feature::Curved,
        (None, [m]) => Feature::Flat(*m),
        (Some(g), [m]) => {
            let Some(along) = m.cross(&g).try_normalize(f64::EPSILON) else {
                return Feature::Flat(*m);
            };
            let (_, gradient, hessian) = implicit.second_order(p);
            let w = m.cross(&along);
            let bend = -along.dot(&(hessian * along)) / gradient.dot(&w);
            Feature::Rim(Rim { gradient, hessian, along, w, bend })
        }
        (None, [m, k]) => Feature::Straight(m.cross(k).normalize()),
        _ => Feature::Corner,
    }
}

/// The curvature at p towards n; `curved` is that of the curved part at p.
pub(crate) fn curvature(
    implicit: &dyn Implicit,
    size: f64,
    p: &Vec3,
    n: &Vec3,
    curved: impl FnOnce() -> Result<Curvature>,
) -> Result<Curvature> {
    let (along, kappa) = match feature(implicit, size, p, n) {
        Feature::Curved => return curved(),
        Feature::Flat(m) => return Ok(Curvature::flat(&m)),
        Feature::Rim(rim) => (rim.along, -rim.bend * rim.w.dot(n)),
        Feature::Straight(along) => (along, 0.0),
        Feature::Corner => {
            let (t, b) = tangents(n);
            return Ok(Curvature { kappa: [f64::INFINITY; 2], direction: [t, b] });
        }
    };
    // The normal of a solver may lean along the edge by its tolerance.
    let along = (along - n * n.dot(&along)).normalize();
    Ok(Curvature { kappa: [f64::INFINITY, kappa], direction: [along.cross(n), along] })
}

/// How the solid bends on from a touch, see [`crate::surface::Surface::bending_rate`].
pub(crate) fn bending_rate(
    implicit: &dyn Implicit,
    size: f64,
    at: &TouchPoint,
    dp: &Vec3,
    dn: &Vec3,
) -> Option<BendingRate> {
    match feature(implicit, size, &at.point, &at.normal) {
        Feature::Curved => at.implicit_rate(implicit, dp, dn),
        Feature::Flat(_) => Some(BendingRate::NONE),
        Feature::Straight(_) | Feature::Corner => Some(BendingRate::Edge { turn: 0.0, along: 0.0 }),
        Feature::Rim(Rim { gradient, hessian, along: tau, w, bend }) => {
            let third = tau.dot(&(implicit.hessian_rate(&at.point, &tau)? * tau));
            let bend_rate = -(third + 3.0 * bend * tau.dot(&(hessian * w))) / gradient.dot(&w);
            let (s, [d1, d2]) = (tau.dot(dp), &at.curvature.direction);
            let along = -bend_rate * s * w.dot(&at.normal) - bend * w.dot(dn);
            let rate = BendingRate::Edge { turn: -bend * w.dot(d1) * s * tau.dot(d2).signum(), along };
            rate.is_finite().then_some(rate)
        }
    }
}

/// Whether n is the last normal of a face beside an edge, or of an edge beside a corner: one of the normals mᵢ that
/// hold the point has no share αᵢ in n = Σ αᵢmᵢ.
pub(crate) fn is_seam(implicit: &dyn Implicit, size: f64, p: &Vec3, n: &Vec3) -> bool {
    let ActiveNormals { curved, planes } = ActiveNormals::at(implicit, size, p);
    let m: Vec<Vec3> = curved.into_iter().chain(planes).collect();
    let share = |a: &Vec3, across: &Vec3| n.dot(across) / a.dot(across);
    match m.as_slice() {
        [a, b] => {
            let across = a.cross(b);
            [share(a, &b.cross(&across)), share(b, &a.cross(&across))].iter().any(|x| !(x.abs() > SAME))
        }
        [a, b, c] => {
            let all = [share(a, &b.cross(c)), share(b, &c.cross(a)), share(c, &a.cross(b))];
            all.iter().any(|x| !(x.abs() > SAME))
        }
        more => more.len() > 3,
    }
}
