//! The sphere: F = (∣x∣² − R²)/R², h = R∣n∣, κ = 1/R.
//!
//! F is scaled so that ∇F is of order one over R whatever R is, as for the ellipsoid it is a case of.

use super::{
    Domain, Implicit, Parametric, ParametricJet, Revolution, Support, SupportBlock, SupportJet, Surface,
    TouchPoint,
};
use crate::chart::Atlas;
use crate::curvature::BendingRate;
use crate::error::{Result, direction, length};
use crate::taylor::{Taylor, jet};
use crate::{Aabb, Curvature, Mat3, Moments, TriMesh, Vec3, tessellate};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// A ball about the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    radius: f64,
}

impl Sphere {
    /// A sphere of the given radius in metres.
    pub fn new(radius: f64) -> Result<Self> {
        Ok(Self { radius: length("radius", radius)? })
    }

    /// The radius in metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

impl Surface for Sphere {
    fn kind(&self) -> &'static str {
        "sphere"
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
        Aabb::centred(Vec3::repeat(self.radius))
    }

    fn curvature_at(&self, p: &Vec3) -> Result<Curvature> {
        Ok(Curvature::umbilic(&direction("point", p)?, 1.0 / self.radius))
    }

    fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature> {
        Ok(Curvature::umbilic(&direction("normal", n)?, 1.0 / self.radius))
    }

    fn bending_rate(&self, _at: &TouchPoint, _dp: &Vec3, _dn: &Vec3) -> Option<BendingRate> {
        Some(BendingRate::NONE)
    }

    fn curvature_range(&self) -> Result<[f64; 2]> {
        Ok([1.0 / self.radius; 2])
    }

    fn tessellate(&self, chord: f64) -> Result<TriMesh> {
        tessellate::star(chord, |u| u * self.radius)
    }

    fn area(&self) -> Result<f64> {
        Ok(4.0 * PI * self.radius * self.radius)
    }

    fn moments(&self) -> Result<Moments> {
        let volume = 4.0 / 3.0 * PI * self.radius.powi(3);
        Ok(Moments::symmetric(volume, Vec3::repeat(volume * self.radius * self.radius / 5.0)))
    }
}

impl Implicit for Sphere {
    fn value(&self, p: &Vec3) -> f64 {
        (p / self.radius).norm_squared() - 1.0
    }

    fn gradient(&self, p: &Vec3) -> Vec3 {
        p * (2.0 / (self.radius * self.radius))
    }

    fn hessian(&self, _p: &Vec3) -> Mat3 {
        Mat3::from_diagonal_element(2.0 / (self.radius * self.radius))
    }
}

impl Support for Sphere {
    fn revolution(&self) -> Option<Revolution> {
        Some(Revolution::All)
    }

    #[inline]
    fn support(&self, n: &Vec3) -> f64 {
        self.radius * n.norm()
    }

    #[inline]
    fn support_point(&self, n: &Vec3) -> Vec3 {
        n * (self.radius / n.norm())
    }

    #[inline]
    fn support_jet(&self, n: &Vec3) -> SupportJet {
        let length = n.norm();
        let e = n / length;
        SupportJet {
            value: self.radius * length,
            point: e * self.radius,
            hessian: (Mat3::identity() - e * e.transpose()) * (self.radius / length),
        }
    }

    #[inline]
    fn support_block(&self, n: &Vec3, t: &Vec3, u: &Vec3) -> SupportBlock {
        let length = n.norm();
        let (e, k) = (n / length, self.radius / length);
        let (et, eu) = (e.dot(t), e.dot(u));
        let radii = [k * (t.dot(t) - et * et), k * (t.dot(u) - et * eu), k * (u.dot(u) - eu * eu)];
        SupportBlock { value: self.radius * length, point: e * self.radius, radii, determinant: None }
    }

    fn support_third(&self, n: &Vec3, d: &Vec3) -> Mat3 {
        // d/dn of R(1 − eeᵀ)/∣n∣ along d, with ė = (d − e(e·d))/∣n∣.
        let length = n.norm();
        let e = n / length;
        let along = e.dot(d);
        let rate = (d - e * along) / length;
        let turn = rate * e.transpose();
        let projector = Mat3::identity() - e * e.transpose();
        (-(turn + turn.transpose()) - projector * (along / length)) * (self.radius / length)
    }
}

impl Parametric for Sphere {
    /// u is the longitude, v the latitude.
    fn domain(&self) -> Domain {
        Domain { u: [0.0, TAU], v: [-FRAC_PI_2, FRAC_PI_2], periodic: [true, false] }
    }

    fn jet(&self, u: f64, v: f64) -> ParametricJet {
        let (u, v) = (Taylor::u(u), Taylor::v(v));
        let ring = v.cos() * self.radius;
        jet([ring * u.cos(), ring * u.sin(), v.sin() * self.radius])
    }
}
