//! The ellipsoid: F = Σ(xᵢ/aᵢ)² − 1, h = ∣A n∣ with A = diag(a), ∇h = A²n/h, ∇²h = (A² − ∇h∇hᵀ)/h.
//!
//! Römer (51). The radii of curvature at the unit normal n satisfy r₁ + r₂ = tr ∇²h and
//! r₁r₂ = a²b²c²/h⁴, both without cancellation; area 4π R_G(a²b², a²c², b²c²) (Carlson).

use super::{Domain, Implicit, Parametric, ParametricJet, Revolution, Support, SupportJet, Surface};
use crate::chart::Atlas;
use crate::curvature::{curvatures_from_radii, tangent_block, tangents};
use crate::error::{Result, direction, finite3, length3};
use crate::taylor::{Taylor, jet};
use crate::{Aabb, Curvature, Mat3, Moments, TriMesh, Vec3, special, tessellate};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// An ellipsoid about the origin, its axes along the coordinate axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipsoid {
    semi_axes: Vec3,
}

impl Ellipsoid {
    /// An ellipsoid from its semi-axes in metres.
    pub fn new(semi_axes: [f64; 3]) -> Result<Self> {
        Ok(Self { semi_axes: length3("semi_axes", semi_axes)?.into() })
    }

    /// The semi-axes in metres.
    #[inline]
    pub fn semi_axes(&self) -> &Vec3 {
        &self.semi_axes
    }

    /// The principal curvatures of [`Surface::curvature_at_normal`] at a unit normal, without their directions, to
    /// rounding: one division where there are many. Infinite where n is zero or no number.
    #[inline]
    pub fn principal_curvatures(&self, n: &Vec3) -> [f64; 2] {
        let a = &self.semi_axes;
        let m = a.component_mul(n);
        let per_value = 1.0 / m.norm();
        let point = a.component_mul(&m) * per_value;
        let square = per_value * per_value;
        let mut hessian = point * point.transpose() * -per_value;
        for i in 0..3 {
            let others = m[(i + 1) % 3].powi(2) + m[(i + 2) % 3].powi(2);
            hessian[(i, i)] = a[i] * a[i] * (others * square) * per_value;
        }
        let (t, b) = tangents(n);
        let product = a.product() * square;
        curvatures_from_radii(tangent_block(&hessian, &t, &b), product * product)
    }

    fn squared(&self) -> Vec3 {
        self.semi_axes.component_mul(&self.semi_axes)
    }
}

impl Surface for Ellipsoid {
    fn kind(&self) -> &'static str {
        "ellipsoid"
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
        Aabb::centred(self.semi_axes)
    }

    fn curvature_at(&self, p: &Vec3) -> Result<Curvature> {
        self.curvature_at_normal(&self.gradient(&finite3("point", p)?))
    }

    fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature> {
        let n = direction("normal", n)?;
        let jet = self.support_jet(&n);
        let (t, b) = tangents(&n);
        let product = self.semi_axes.product() / (jet.value * jet.value);
        Ok(Curvature::from_radii(tangent_block(&jet.hessian, &t, &b), Some(product * product), &t, &b, &n))
    }

    fn curvature_range(&self) -> Result<[f64; 2]> {
        // At the end of the shortest axis c/a² is the least, at the end of the longest a/c² the greatest.
        let (a, c) = (self.semi_axes.max(), self.semi_axes.min());
        Ok([c / (a * a), a / (c * c)])
    }

    fn tessellate(&self, chord: f64) -> Result<TriMesh> {
        tessellate::star(chord, |u| self.semi_axes.component_mul(u))
    }

    fn area(&self) -> Result<f64> {
        // Scaled by the largest axis, so that the fourth powers neither overflow nor vanish.
        let size = self.semi_axes.max();
        let [a, b, c] = (self.semi_axes / size).into();
        let g = special::carlson_rg((a * b).powi(2), (a * c).powi(2), (b * c).powi(2));
        Ok(4.0 * PI * g * size * size)
    }

    fn moments(&self) -> Result<Moments> {
        let volume = 4.0 / 3.0 * PI * self.semi_axes.product();
        Ok(Moments::symmetric(volume, self.squared() * (volume / 5.0)))
    }
}

impl Implicit for Ellipsoid {
    #[inline]
    fn value(&self, p: &Vec3) -> f64 {
        p.component_div(&self.semi_axes).norm_squared() - 1.0
    }

    #[inline]
    fn gradient(&self, p: &Vec3) -> Vec3 {
        2.0 * p.component_div(&self.squared())
    }

    #[inline]
    fn hessian(&self, _p: &Vec3) -> Mat3 {
        Mat3::from_diagonal(&self.squared().map(|a| 2.0 / a))
    }
}

impl Support for Ellipsoid {
    fn revolution(&self) -> Option<Revolution> {
        Revolution::of_axes(&self.semi_axes)
    }

    #[inline]
    fn support(&self, n: &Vec3) -> f64 {
        self.semi_axes.component_mul(n).norm()
    }

    #[inline]
    fn support_point(&self, n: &Vec3) -> Vec3 {
        let m = self.semi_axes.component_mul(n);
        self.semi_axes.component_mul(&m) / m.norm()
    }

    #[inline]
    fn support_jet(&self, n: &Vec3) -> SupportJet {
        let m = self.semi_axes.component_mul(n);
        let value = m.norm();
        let point = self.semi_axes.component_mul(&m) / value;
        let mut hessian = point * point.transpose() * (-1.0 / value);
        for i in 0..3 {
            // a²(1 − m²/h²)/h as a sum of the other two squares: no cancellation near an axis.
            let others = m[(i + 1) % 3].powi(2) + m[(i + 2) % 3].powi(2);
            hessian[(i, i)] = self.semi_axes[i].powi(2) * (others / (value * value)) / value;
        }
        SupportJet { value, point, hessian }
    }

    fn support_third(&self, n: &Vec3, d: &Vec3) -> Mat3 {
        // With g = ∇h, H = ∇²h: dH = −(Hd gᵀ + g (Hd)ᵀ)/h − H (g·d)/h.
        let SupportJet { value, point, hessian } = self.support_jet(n);
        let moved = hessian * d * point.transpose();
        -(moved + moved.transpose() + hessian * point.dot(d)) / value
    }
}

impl Parametric for Ellipsoid {
    /// u is the longitude, v the latitude of the sphere that the ellipsoid is an affine image of.
    fn domain(&self) -> Domain {
        Domain { u: [0.0, TAU], v: [-FRAC_PI_2, FRAC_PI_2], periodic: [true, false] }
    }

    fn jet(&self, u: f64, v: f64) -> ParametricJet {
        let (u, v) = (Taylor::u(u), Taylor::v(v));
        let [a, b, c] = self.semi_axes.into();
        jet([v.cos() * u.cos() * a, v.cos() * u.sin() * b, v.sin() * c])
    }
}
