//! The capsule: all points within r (`radius`, m) of the segment from −l z to l z (`half_length` l, m).
//!
//! Support: h = r∣n∣ + l∣n_z∣, ∇h = r n/∣n∣ ± l z, ∇²h = r(1 − eeᵀ)/∣n∣ with e = n/∣n∣, which is the sphere's. At n_z =
//! 0 (below [`super::ROUNDING`]) a whole generator is farthest: its middle is returned, and [`super::FLAT`] (r + l)
//! zzᵀ, in place of an infinite radius, joins the Hessian.
//!
//! Implicit: F = ∣x − c∣²/r² − 1, c = (0, 0, clamp(z, −l, l)), with continuous first derivatives; ∇²F jumps at ∣z∣ = l,
//! as does the curvature, from (1/r, 0) on the side to (1/r, 1/r) on the caps. At the jump the side's is returned.

use super::{
    Domain, FLAT, Face, Implicit, Kink, ON_SEAM, Parametric, ParametricJet, ROUNDING, Revolution, Sphere,
    Support, SupportBlock, SupportJet, Surface, TouchPoint,
};
use crate::chart::Atlas;
use crate::curvature::BendingRate;
use crate::error::{Result, direction, finite3, length, positive};
use crate::taylor::{Taylor, jet};
use crate::tessellate::sweep;
use crate::{Aabb, Curvature, Mat3, Moments, TriMesh, Vec3};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// A cylinder about the z axis, closed by half-spheres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capsule {
    ball: Sphere,
    half_length: f64,
}

impl Capsule {
    /// A capsule from its radius and half the length of its cylindrical part, in metres.
    pub fn new(radius: f64, half_length: f64) -> Result<Self> {
        Ok(Self { ball: Sphere::new(radius)?, half_length: length("half_length", half_length)? })
    }

    /// The radius in metres.
    pub fn radius(&self) -> f64 {
        self.ball.radius()
    }

    /// Half the length of the cylindrical part in metres.
    pub fn half_length(&self) -> f64 {
        self.half_length
    }

    /// From the nearest point of the segment to `p`.
    fn arm(&self, p: &Vec3) -> Vec3 {
        Vec3::new(p.x, p.y, p.z - p.z.clamp(-self.half_length, self.half_length))
    }

    fn side_curvature(&self, e: &Vec3) -> Curvature {
        Curvature { kappa: [1.0 / self.radius(), 0.0], direction: [Vec3::z().cross(e), Vec3::z()] }
    }
}

/// Whether a normal belongs to the cylindrical part.
fn is_side(n: &Vec3) -> bool {
    n.z.abs() <= ROUNDING * n.norm()
}

impl Surface for Capsule {
    fn kind(&self) -> &'static str {
        "capsule"
    }

    fn as_implicit(&self) -> Option<&dyn Implicit> {
        Some(self)
    }

    fn as_support(&self) -> Option<&dyn Support> {
        Some(self)
    }

    fn as_parametric(&self) -> Option<&dyn Parametric> {
        Some(self)
    }

    fn as_atlas(&self) -> Option<&dyn Atlas> {
        Some(self)
    }

    fn bounds(&self) -> Aabb {
        let r = self.radius();
        Aabb::centred(Vec3::new(r, r, r + self.half_length))
    }

    fn curvature_at(&self, p: &Vec3) -> Result<Curvature> {
        let n = direction("point", &self.arm(&finite3("point", p)?))?;
        if p.z.abs() <= self.half_length {
            Ok(self.side_curvature(&n))
        } else {
            self.ball.curvature_at_normal(&n)
        }
    }

    fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature> {
        let n = direction("normal", n)?;
        if is_side(&n) { Ok(self.side_curvature(&n)) } else { self.ball.curvature_at_normal(&n) }
    }

    /// By the point: the wall's normals are known to rounding only, and those of the half-spheres begin beside them.
    fn curvature_at_touch(&self, p: &Vec3, n: &Vec3) -> Result<Curvature> {
        let n = direction("normal", n)?;
        if p.z.abs() <= self.half_length {
            Ok(self.side_curvature(&direction("normal", &Vec3::new(n.x, n.y, 0.0))?))
        } else {
            self.ball.curvature_at_normal(&n)
        }
    }

    fn has_seam_at(&self, p: &Vec3, _n: &Vec3) -> bool {
        (p.z.abs() - self.half_length).abs() <= ON_SEAM * (self.radius() + self.half_length)
    }

    fn bending_rate(&self, _at: &TouchPoint, _dp: &Vec3, _dn: &Vec3) -> Option<BendingRate> {
        Some(BendingRate::NONE)
    }

    fn curvature_range(&self) -> Result<[f64; 2]> {
        Ok([0.0, 1.0 / self.radius()])
    }

    fn tessellate(&self, chord: f64) -> Result<TriMesh> {
        let chord = positive("chord", chord)?;
        let (r, l) = (self.radius(), self.half_length);
        let step = sweep::sphere_step(chord, r);
        let steps = sweep::divisions(chord, TAU, step, 4)?;
        let quarter = sweep::divisions(chord, FRAC_PI_2, step, 2)?;
        let cap: Vec<[f64; 2]> = (0..quarter)
            .map(|i| (FRAC_PI_2 * i as f64 / quarter as f64).sin_cos())
            .map(|(sin, cos)| [r * cos, l + r * sin])
            .chain([[0.0, l + r]])
            .collect();
        let below = cap.iter().rev().map(|&[rho, z]| [rho, -z]);
        sweep::full_turn(chord, &below.chain(cap.iter().copied()).collect::<Vec<_>>(), steps)
    }

    fn area(&self) -> Result<f64> {
        Ok(4.0 * PI * self.radius() * (self.half_length + self.radius()))
    }

    /// The cylinder and, at ±l, the half-balls with ∫ζ = πr⁴/4 and ∫ζ² = 2πr⁵/15 above their flat side.
    fn moments(&self) -> Result<Moments> {
        let (r, l) = (self.radius(), self.half_length);
        let (rr, half_ball) = (r * r, 2.0 / 3.0 * PI * r.powi(3));
        let cylinder = PI * rr * 2.0 * l;
        let across = cylinder * rr / 4.0 + 2.0 * half_ball * rr / 5.0;
        let caps = half_ball * (l * l + rr / 5.0) + 2.0 * l * (PI * rr * rr / 4.0);
        let along = cylinder * l * l / 3.0 + 2.0 * caps;
        Ok(Moments::symmetric(cylinder + 2.0 * half_ball, Vec3::new(across, across, along)))
    }
}

impl Implicit for Capsule {
    fn value(&self, p: &Vec3) -> f64 {
        (self.arm(p) / self.radius()).norm_squared() - 1.0
    }

    fn gradient(&self, p: &Vec3) -> Vec3 {
        self.arm(p) * (2.0 / (self.radius() * self.radius()))
    }

    fn hessian(&self, p: &Vec3) -> Mat3 {
        let along = if p.z.abs() <= self.half_length { 0.0 } else { 2.0 };
        Mat3::from_diagonal(&(Vec3::new(2.0, 2.0, along) / (self.radius() * self.radius())))
    }
}

impl Support for Capsule {
    fn revolution(&self) -> Option<Revolution> {
        Some(Revolution::About(Vec3::z()))
    }

    #[inline]
    fn support(&self, n: &Vec3) -> f64 {
        self.ball.support(n) + self.half_length * n.z.abs()
    }

    #[inline]
    fn support_point(&self, n: &Vec3) -> Vec3 {
        let mut point = self.ball.support_point(n);
        if !is_side(n) {
            point.z += self.half_length.copysign(n.z);
        }
        point
    }

    fn face(&self, n: &Vec3) -> Face {
        let point = self.support_point(n);
        if is_side(n) {
            Face::Segment { centre: point, half: Vec3::new(0.0, 0.0, self.half_length) }
        } else {
            Face::Point(point)
        }
    }

    fn kinks(&self) -> &[Kink] {
        const { &[Kink::Circle { axis: Vec3::new(0.0, 0.0, 1.0), height: 0.0 }] }
    }

    fn support_jet(&self, n: &Vec3) -> SupportJet {
        let mut hessian = self.ball.support_jet(n).hessian;
        if is_side(n) {
            hessian[(2, 2)] += FLAT * (self.radius() + self.half_length) / n.norm();
        }
        SupportJet { value: self.support(n), point: self.support_point(n), hessian }
    }

    /// The jet without its matrix, for unit normals and tangents across them: those of the ball are 1.
    fn support_block(&self, n: &Vec3, t: &Vec3, u: &Vec3) -> SupportBlock {
        let mut block = self.ball.support_block(n, t, u);
        block.value += self.half_length * n.z.abs();
        if is_side(n) {
            let flat = FLAT * (self.radius() + self.half_length) / n.norm();
            let along = [flat * t.z * t.z, flat * t.z * u.z, flat * u.z * u.z];
            block.radii = std::array::from_fn(|i| block.radii[i] + along[i]);
            block.determinant = None;
        } else {
            block.point.z += self.half_length.copysign(n.z);
        }
        block
    }

    /// The flat part, at normals of the side, is held constant.
    fn support_third(&self, n: &Vec3, d: &Vec3) -> Mat3 {
        self.ball.support_third(n, d)
    }
}

impl Parametric for Capsule {
    /// u is the angle about the axis in rad, v the length in metres along the meridian from the equator: the side for
    /// ∣v∣ ≤ l, beyond it the half-spheres at the latitude (∣v∣ − l)/r. Second derivatives in v jump at ∣v∣ = l.
    fn domain(&self) -> Domain {
        let reach = self.half_length + FRAC_PI_2 * self.radius();
        Domain { u: [0.0, TAU], v: [-reach, reach], periodic: [true, false] }
    }

    fn jet(&self, u: f64, v: f64) -> ParametricJet {
        let (r, l) = (self.radius(), self.half_length);
        let middle = v.clamp(-l, l);
        let (u, along) = (Taylor::u(u), Taylor::v(v));
        if v == middle {
            return jet([u.cos() * r, u.sin() * r, along]);
        }
        let latitude = (along + -middle) * (1.0 / r);
        let ring = latitude.cos() * r;
        jet([ring * u.cos(), ring * u.sin(), latitude.sin() * r + middle])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curvature_jumps_where_the_side_meets_the_caps() {
        let c = Capsule::new(0.5, 2.0).unwrap();
        assert_eq!(c.curvature_at(&Vec3::new(0.3, 0.4, 2.0)).unwrap().kappa, [2.0, 0.0]);
        assert_eq!(c.curvature_at(&Vec3::new(0.3, 0.4, 2.0 + 1e-12)).unwrap().kappa, [2.0, 2.0]);
        assert_eq!(c.curvature_at_normal(&Vec3::x()).unwrap().kappa, [2.0, 0.0]);
        assert_eq!(c.curvature_at_normal(&Vec3::new(1.0, 0.0, -1e-9)).unwrap().kappa, [2.0, 2.0]);
        let side = c.support_jet(&Vec3::x());
        assert_eq!((side.point, side.value), (Vec3::new(0.5, 0.0, 0.0), 0.5));
        assert!(side.hessian[(2, 2)] > 1e8 && side.hessian[(1, 1)] == 0.5);
    }

    #[test]
    fn the_parametrisation_has_continuous_first_derivatives() {
        let c = Capsule::new(0.5, 2.0).unwrap();
        for v in [2.0, -2.0] {
            let jet = |share: f64| Parametric::jet(&c, 0.7, v * share);
            let (a, b) = (jet(1.0 - 1e-14), jet(1.0 + 1e-14));
            assert!((a.p - b.p).norm() < 1e-12 && (a.dv - b.dv).norm() < 1e-12);
            assert!((a.dvv - b.dvv).norm() > 1.9);
        }
    }
}
