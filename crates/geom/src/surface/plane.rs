//! The half-space n·x ≤ d: F = n·x − d, ∇F = n, ∇²F = 0, κ = 0.
//!
//! n (`normal`) has length one and points out of the solid; d (`offset`, m) is the distance of the plane from the
//! origin along n. The chart is x = d n + u t + v b with the right-handed frame (t, b, n). There is no support view:
//! the support function is infinite but for one direction.

use super::{Domain, Implicit, Parametric, ParametricJet, Surface, TouchPoint};
use crate::chart::Atlas;
use crate::curvature::{BendingRate, tangents};
use crate::error::{GeomError, Result, coordinate, direction, finite3};
use crate::{Aabb, Curvature, Mat3, Moments, TriMesh, Vec3};

/// How far the chart reaches on either side, in metres: finite so that the domain has a middle and can be sampled,
/// larger than any scene.
const REACH: f64 = 1e6;

/// The angle in rad within which a normal counts as the plane's own: normals that were computed, not given, carry the
/// tolerance of the solver that found them.
const SAME_NORMAL: f64 = 1e-9;

/// A half-space, bounded by a plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    normal: Vec3,
    offset: f64,
}

impl Plane {
    /// The half-space n·x ≤ `offset`, where n is `normal` brought to length one and `offset` is in metres.
    pub fn new(normal: [f64; 3], offset: f64) -> Result<Self> {
        Ok(Self { normal: direction("normal", &normal.into())?, offset: coordinate("offset", offset)? })
    }

    /// The ground: the half-space z ≤ 0.
    pub fn ground() -> Self {
        Self { normal: Vec3::z(), offset: 0.0 }
    }

    /// The outer unit normal.
    pub fn normal(&self) -> &Vec3 {
        &self.normal
    }

    /// The distance from the origin along the normal, in metres.
    pub fn offset(&self) -> f64 {
        self.offset
    }

    fn unbounded<T>(quantity: &'static str, reason: &str) -> Result<T> {
        Err(GeomError::Undefined { surface: "plane", quantity, reason: reason.to_owned() })
    }
}

impl Surface for Plane {
    fn kind(&self) -> &'static str {
        "plane"
    }

    fn as_implicit(&self) -> Option<&dyn Implicit> {
        Some(self)
    }

    fn as_parametric(&self) -> Option<&dyn Parametric> {
        Some(self)
    }

    fn as_atlas(&self) -> Option<&dyn Atlas> {
        Some(self)
    }

    /// Infinite on every side but the one that a normal along an axis bounds.
    fn bounds(&self) -> Aabb {
        let mut all = Aabb::ALL;
        for i in 0..3 {
            if self.normal[(i + 1) % 3] != 0.0 || self.normal[(i + 2) % 3] != 0.0 {
                continue;
            }
            if self.normal[i] > 0.0 {
                all.max[i] = self.offset;
            } else {
                all.min[i] = -self.offset;
            }
        }
        all
    }

    fn curvature_at(&self, p: &Vec3) -> Result<Curvature> {
        finite3("point", p)?;
        Ok(Curvature::flat(&self.normal))
    }

    fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature> {
        let n = direction("normal", n)?;
        if n.dot(&self.normal) > 0.0 && n.cross(&self.normal).norm() <= SAME_NORMAL {
            Ok(Curvature::flat(&self.normal))
        } else {
            Self::unbounded(
                "point farthest along a normal other than its own",
                "the half-space has no end there",
            )
        }
    }

    fn bending_rate(&self, _at: &TouchPoint, _dp: &Vec3, _dn: &Vec3) -> Option<BendingRate> {
        Some(BendingRate::NONE)
    }

    fn curvature_range(&self) -> Result<[f64; 2]> {
        Ok([0.0; 2])
    }

    fn tessellate(&self, _chord: f64) -> Result<TriMesh> {
        Self::unbounded(
            "tessellation",
            "it is unbounded; mesh a box or a cylinder of the size that is needed",
        )
    }

    fn area(&self) -> Result<f64> {
        Self::unbounded("area", "it is unbounded")
    }

    fn moments(&self) -> Result<Moments> {
        Self::unbounded("volume", "the half-space is unbounded; give its body a mass, or fix it")
    }
}

impl Implicit for Plane {
    #[inline]
    fn value(&self, p: &Vec3) -> f64 {
        self.normal.dot(p) - self.offset
    }

    #[inline]
    fn gradient(&self, _p: &Vec3) -> Vec3 {
        self.normal
    }

    #[inline]
    fn hessian(&self, _p: &Vec3) -> Mat3 {
        Mat3::zeros()
    }
}

impl Parametric for Plane {
    /// u and v are lengths in metres along two tangents; the chart holds beyond its finite domain of ±10⁶ m too.
    fn domain(&self) -> Domain {
        Domain { u: [-REACH, REACH], v: [-REACH, REACH], periodic: [false, false] }
    }

    fn jet(&self, u: f64, v: f64) -> ParametricJet {
        let (t, b) = tangents(&self.normal);
        let none = Vec3::zeros();
        ParametricJet {
            p: self.normal * self.offset + t * u + b * v,
            du: t,
            dv: b,
            duu: none,
            duv: none,
            dvv: none,
            duuu: none,
            duuv: none,
            duvv: none,
            dvvv: none,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_normal_along_an_axis_bounds_the_box() {
        let up = Plane::new([0.0, 0.0, 5.0], 2.0).unwrap().bounds();
        assert_eq!((up.max.z, up.min.z, up.max.x), (2.0, f64::NEG_INFINITY, f64::INFINITY));
        let left = Plane::new([-3.0, 0.0, 0.0], 2.0).unwrap().bounds();
        assert_eq!((left.min.x, left.max.x), (-2.0, f64::INFINITY));
        assert_eq!(Plane::new([1e-9, 0.0, 1.0], 2.0).unwrap().bounds(), Aabb::ALL);
    }

    #[test]
    fn what_a_half_space_lacks_is_said_with_its_reason() {
        let plane = Plane::new([1.0, 2.0, 2.0], 3.0).unwrap();
        assert!(plane.as_support().is_none());
        let error = plane.moments().unwrap_err().to_string();
        assert!(error.starts_with("a plane has no volume: "), "{error}");
        let error = plane.tessellate(0.1).unwrap_err().to_string();
        assert!(error.contains("no tessellation") && error.contains("mesh a box"), "{error}");
        assert!(matches!(plane.area(), Err(GeomError::Undefined { quantity: "area", .. })));
        assert!(matches!(plane.curvature_at_normal(&Vec3::x()), Err(GeomError::Undefined { .. })));
        assert!(matches!(plane.curvature_at_normal(&-plane.normal), Err(GeomError::Undefined { .. })));
        assert_eq!(plane.curvature_at_normal(&(plane.normal * 7.0)).unwrap().kappa, [0.0; 2]);
    }
}
