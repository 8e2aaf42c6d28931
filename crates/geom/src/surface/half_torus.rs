//! Half a torus, the end of a chain link: the part y ≥ 0 of the torus about the z axis.
//!
//! The ring lies in the plane z = 0 and ends at two flat discs in the plane y = 0, about (±R, 0, 0), facing −y, where
//! the straight parts of a link go on. R (`major_radius`, m) is that of the centre line, r (`minor_radius`, m)
//! that of the tube, R > r.
//!
//! The implicit and the parametric view are the curved part, as of [`Torus`]; the discs cut it by `beyond_bounds` = −y.
//! With dV = ρ dρ dz du over the section ∣(ρ − R, z)∣ ≤ r and 0 ≤ u ≤ π:
//!
//! area 2π²Rr + 2πr² (tube and discs), V = π²Rr², ∫y = 2∫ρ² = 2πr²(R² + r²/4), hence the centre at
//! ȳ = (2R² + r²/2)/(πR); second moments are half the torus's, mixed ones vanish.
//!
//! The point farthest along n: on the tube for n_y ≥ 0 as for the torus. For n_y < 0 it is on the rim of the disc on
//! the side of n_x, because R c + r√(c² + n_z²) grows with c = n·e (R > r): κ = (∞, w/r) with w = √(n_x² + n_z²); for n
//! = −y it is a disc itself. A point of a rim has the tube's curvature, since a link goes on smoothly there.

use super::open::edge;
use super::{
    BoundingPlane, Domain, Implicit, Parametric, ParametricJet, ROUNDING, Sliced, Surface, Torus, TouchPoint,
};
use crate::curvature::BendingRate;
use crate::error::{Result, direction, finite3, positive};
use crate::tessellate::sweep;
use crate::{Aabb, Curvature, Mat3, Moments, TriMesh, Vec3};
use std::f64::consts::{PI, TAU};

/// A point is on a disc when it is this close to its plane and this far inside its rim, in outer radii: points come
/// from solvers that stop at about this error.
const ON_DISC: f64 = 1e-9;

/// The plane of the discs: y ≥ 0.
const CUT: [BoundingPlane; 1] = [BoundingPlane::along(Vec3::new(0.0, -1.0, 0.0), 0.0)];

/// The half ring y ≥ 0 of circular section about the z axis, closed by flat discs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfTorus {
    whole: Torus,
}

impl HalfTorus {
    /// Half a torus from the radius of its centre line and the smaller one of its tube, in metres.
    pub fn new(major_radius: f64, minor_radius: f64) -> Result<Self> {
        Ok(Self { whole: Torus::new(major_radius, minor_radius)? })
    }

    /// The radius of the tube's centre line in metres.
    pub fn major_radius(&self) -> f64 {
        self.whole.major_radius()
    }

    /// The radius of the tube in metres.
    pub fn minor_radius(&self) -> f64 {
        self.whole.minor_radius()
    }

    fn outer(&self) -> f64 {
        self.major_radius() + self.minor_radius()
    }
}

impl Surface for HalfTorus {
    fn kind(&self) -> &'static str {
        "half_torus"
    }

    fn as_implicit(&self) -> Option<&dyn Implicit> {
        Some(self)
    }

    fn as_parametric(&self) -> Option<&dyn Parametric> {
        Some(self)
    }

    fn as_sliced(&self) -> Option<&dyn Sliced> {
        Some(self)
    }

    fn bounds(&self) -> Aabb {
        let mut bounds = self.whole.bounds();
        bounds.min.y = 0.0;
        bounds
    }

    fn curvature_at(&self, p: &Vec3) -> Result<Curvature> {
        finite3("point", p)?;
        let close = ON_DISC * self.outer();
        if p.y.abs() <= close && self.whole.off_centre_line(p) < self.minor_radius() - close {
            return Ok(Curvature::flat(&-Vec3::y()));
        }
        self.whole.curvature_at(p)
    }

    fn curvature_at_touch(&self, p: &Vec3, n: &Vec3) -> Result<Curvature> {
        let (p, n) = (finite3("point", p)?, direction("normal", n)?);
        edge::curvature(self, self.bounds().diagonal(), &p, &n, || self.whole.curvature_at(&p))
    }

    fn has_seam_at(&self, p: &Vec3, n: &Vec3) -> bool {
        edge::is_seam(self, self.bounds().diagonal(), p, n)
    }

    fn bending_rate(&self, at: &TouchPoint, dp: &Vec3, dn: &Vec3) -> Option<BendingRate> {
        edge::bending_rate(self, self.bounds().diagonal(), at, dp, dn)
    }

    fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature> {
        let n = direction("normal", n)?;
        if n.y >= -ROUNDING {
            return self.whole.curvature_at_normal(&n);
        }
        let w = n.x.hypot(n.z);
        if w <= ROUNDING {
            return Ok(Curvature::flat(&n));
        }
        // Along the rim: perpendicular to y and to the section's normal (n_x, 0, n_z).
        let along = Vec3::new(n.z, 0.0, -n.x) / w;
        Ok(Curvature { kappa: [f64::INFINITY, w / self.minor_radius()], direction: [along.cross(&n), along] })
    }

    fn curvature_range(&self) -> Result<[f64; 2]> {
        self.whole.curvature_range()
    }

    fn tessellate(&self, chord: f64) -> Result<TriMesh> {
        let chord = positive("chord", chord)?;
        let [u, v] = self.whole.steps(chord, PI)?;
        sweep::half_turn(chord, &self.whole.profile(v), self.major_radius(), u)
    }

    /// The whole boundary: the tube and the two discs.
    fn area(&self) -> Result<f64> {
        Ok(0.5 * self.whole.area()? + TAU * self.minor_radius() * self.minor_radius())
    }

    fn moments(&self) -> Result<Moments> {
        let (major, r) = (self.major_radius(), self.minor_radius());
        let whole = self.whole.moments()?;
        let first = TAU * r * r * (major * major + r * r / 4.0);
        Ok(Moments {
            volume: 0.5 * whole.volume,
            first: Vec3::new(0.0, first, 0.0),
            second: whole.second * 0.5,
        })
    }
}

/// The tube, without the discs.
impl Implicit for HalfTorus {
    #[inline]
    fn value(&self, p: &Vec3) -> f64 {
        self.whole.value(p)
    }

    #[inline]
    fn gradient(&self, p: &Vec3) -> Vec3 {
        self.whole.gradient(p)
    }

    #[inline]
    fn hessian(&self, p: &Vec3) -> Mat3 {
        self.whole.hessian(p)
    }

    fn hessian_rate(&self, p: &Vec3, d: &Vec3) -> Option<Mat3> {
        self.whole.hessian_rate(p, d)
    }

    #[inline]
    fn beyond_bounds(&self, p: &Vec3) -> f64 {
        -p.y
    }

    fn bounding_planes(&self) -> &[BoundingPlane] {
        &CUT
    }
}

/// The tube, without the discs.
impl Parametric for HalfTorus {
    /// u is the angle about the axis from +x over +y to −x, v the one about the tube; both in rad.
    fn domain(&self) -> Domain {
        Domain { u: [0.0, PI], v: [0.0, TAU], periodic: [false, true] }
    }

    fn jet(&self, u: f64, v: f64) -> ParametricJet {
        self.whole.jet(u, v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curvature_tells_tube_disc_and_rim_apart() {
        let t = HalfTorus::new(3.0, 1.0).unwrap();
        let at = |n: Vec3| t.curvature_at_normal(&n).unwrap().kappa;
        assert_eq!(at(Vec3::y()), [1.0, 0.25]);
        assert_eq!(at(Vec3::x()), [1.0, 0.25]);
        assert_eq!(at(-Vec3::y()), [0.0, 0.0]);
        assert_eq!(at(Vec3::new(0.0, -0.6, 0.8)), [f64::INFINITY, 0.8]);
        let point = |p: Vec3| t.curvature_at(&p).unwrap().kappa;
        assert_eq!(point(Vec3::new(-3.2, 0.0, 0.3)), [0.0, 0.0]);
        assert_eq!(point(Vec3::new(4.0, 0.0, 0.0)), [1.0, 0.25]);
        assert_eq!(point(Vec3::new(0.0, 2.0, 0.0)), [1.0, -0.5]);
    }

    #[test]
    fn the_farthest_point_has_the_curvature_that_its_normal_is_told() {
        // Samples of the boundary: the largest n·x must be where the closed form expects it.
        let t = HalfTorus::new(2.0, 0.7).unwrap();
        let mesh = t.tessellate(1e-4).unwrap();
        for n in [Vec3::new(0.3, -0.5, 0.4), Vec3::new(-0.2, -0.9, -0.1), Vec3::new(-0.4, 0.2, 0.6)] {
            let farthest =
                mesh.vertices().iter().max_by(|a, b| n.dot(a).total_cmp(&n.dot(b))).copied().unwrap();
            let expected = if n.y < 0.0 {
                let section = Vec3::new(n.x, 0.0, n.z).normalize();
                Vec3::new(2f64.copysign(n.x), 0.0, 0.0) + section * 0.7
            } else {
                Vec3::new(n.x, n.y, 0.0).normalize() * 2.0 + n.normalize() * 0.7
            };
            assert!((farthest - expected).norm() < 0.05, "{n} {farthest} {expected}");
        }
    }
}
