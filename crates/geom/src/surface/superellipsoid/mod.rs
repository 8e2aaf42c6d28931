//! The superellipsoid of Barr: ((∣x/a∣^δ + ∣y/b∣^δ)^{ε/δ} + ∣z/c∣^ε = 1.
//!
//! δ joins x and y, then ε joins z (Römer (52); Lopes (33) with γ₂ = δ, γ₁ = ε and absolute values). In Barr's own
//! exponents e = 2/n. With the conjugate exponents q = δ/(δ−1), p = ε/(ε−1) the support function is the nested
//! norm h(n) = ‖(‖(a nₓ, b n_y)‖_q, c n_z)‖_p.
//!
//! Departure from the papers: the implicit function is the gauge F = N − 1, N the nested norm of (x/a, y/b, z/c),
//! not its ε-th power. It has the same surface, grows linearly for every exponent and has the same derivatives'
//! structure as the support function.
//!
//! Where an exponent exceeds two the surface is flat (κ = 0) at vanishing coordinates; where it is below two it has
//! edges there (κ = ∞). Volume: V = (8abc/ε) S B(1/ε, 1 + 2/ε), S = Γ(1+1/δ)²/Γ(1+2/δ) the quarter of the unit
//! superellipse; the second moments alike.

mod touch;

use super::nested_norm::{NestedNorm, NormJet};
use super::octant::{self, Powers};
use super::two_norms;
use super::{
    Domain, Implicit, Parametric, ParametricJet, Revolution, Support, SupportBlock, SupportJet, Surface,
    TouchPoint,
};
use crate::chart::Atlas;
use crate::curvature::{BendingRate, eigen2, tangents};
use crate::error::{GeomError, Result, direction, finite3, length3, within};
use crate::special::beta;
use crate::taylor::{Taylor, jet};
use crate::{Aabb, Curvature, Mat3, Moments, TriMesh, Vec3, tessellate};
use std::f64::consts::{FRAC_PI_2, TAU};

/// The least exponent accepted: below it the body is a polyhedron to within the width of a double's edge radius.
pub const LEAST_EXPONENT: f64 = 1.05;
/// The greatest exponent accepted: above it the body is a box or a cylinder in all but name.
pub const GREATEST_EXPONENT: f64 = 50.0;

/// Accepts an exponent n of ∣x/a∣ⁿ.
pub(super) fn exponent(field: &str, value: f64) -> Result<f64> {
    within(field, value, LEAST_EXPONENT, GREATEST_EXPONENT, "between 1.05 and 50")
}

/// A superellipsoid about the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Superellipsoid {
    semi_axes: Vec3,
    exponents: [f64; 2],
    /// The gauge, and the support function.
    gauge: NestedNorm,
    dual: NestedNorm,
}

impl Superellipsoid {
    /// A superellipsoid from its semi-axes in metres and the exponents [δ, ε].
    pub fn new(semi_axes: [f64; 3], exponents: [f64; 2]) -> Result<Self> {
        let semi_axes = Vec3::from(length3("semi_axes", semi_axes)?);
        let [delta, epsilon] = exponents;
        exponent("exponents[0]", delta)?;
        exponent("exponents[1]", epsilon)?;
        Ok(Self {
            semi_axes,
            exponents,
            gauge: NestedNorm { scale: semi_axes.map(|a| 1.0 / a), q: delta, p: epsilon },
            dual: NestedNorm { scale: semi_axes, q: delta / (delta - 1.0), p: epsilon / (epsilon - 1.0) },
        })
    }

    /// The same from Barr's exponents [e_xy, e_z] = [2/δ, 2/ε].
    pub fn from_barr(semi_axes: [f64; 3], barr: [f64; 2]) -> Result<Self> {
        Self::new(semi_axes, barr.map(|e| 2.0 / e))
    }

    /// The semi-axes in metres.
    pub fn semi_axes(&self) -> &Vec3 {
        &self.semi_axes
    }

    /// The exponents [δ, ε].
    pub fn exponents(&self) -> [f64; 2] {
        self.exponents
    }

    /// The support values of two bodies at once, twice at a normal of each: [`Support::support`], cheaper than in turn.
    #[inline]
    pub fn supports(bodies: [&Self; 2], n: [[&Vec3; 2]; 2]) -> [[f64; 2]; 2] {
        two_norms::values(bodies.map(|s| &s.dual), n)
    }

    /// [`Support::support_block`] of two bodies at once, at the normals d/`length`: nothing waits for the length,
    /// because h goes as ∣d∣, its gradient not at all and its Hessian as the inverse.
    #[inline]
    pub fn support_blocks(
        bodies: [&Self; 2],
        d: [&Vec3; 2],
        length: f64,
        t: [&Vec3; 2],
        u: [&Vec3; 2],
    ) -> [SupportBlock; 2] {
        let jets = two_norms::jets(bodies.map(|s| &s.dual), d);
        let block = |k: usize| {
            let NormJet { value, k: [k1, k2], .. } = jets[k];
            block(&NormJet { value: value / length, k: [k1 * length, k2 * length], ..jets[k] }, t[k], u[k])
        };
        [block(0), block(1)]
    }

    /// [`Support::support_point`] of two bodies at once, at a normal of each.
    #[inline]
    pub fn support_points(bodies: [&Self; 2], n: [&Vec3; 2]) -> [Vec3; 2] {
        two_norms::jets(bodies.map(|s| &s.dual), n).map(|jet| jet.gradient)
    }

    fn radial(&self, u: &Vec3) -> Vec3 {
        let y = self.semi_axes.component_mul(u);
        y / self.gauge.value(&y)
    }
}

impl Surface for Superellipsoid {
    fn kind(&self) -> &'static str {
        "superellipsoid"
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

    /// There is none where an exponent is below two: there curvatures are infinite, and nothing rolls over an edge.
    fn as_atlas(&self) -> Option<&dyn Atlas> {
        self.exponents.iter().all(|&e| e >= 2.0).then_some(self as &dyn Atlas)
    }

    fn bounds(&self) -> Aabb {
        Aabb::centred(self.semi_axes)
    }

    fn curvature_at(&self, p: &Vec3) -> Result<Curvature> {
        let p = finite3("point", p)?;
        let jet = self.gauge.jet(&p);
        let norm = jet.gradient.norm();
        if p.amax() == 0.0 {
            return Err(GeomError::Undefined {
                surface: "superellipsoid",
                quantity: "curvature at its centre",
                reason: "the point must lie on the surface".to_owned(),
            });
        }
        let n = jet.gradient / norm;
        let (t, b) = tangents(&n);
        let (block, det) = jet.tangent_block(&t, &b);
        let [k1, k2, c, s] = eigen2(block.map(|x| x / norm), Some(det / (norm * norm)));
        let d1 = t * c + b * s;
        Ok(Curvature { kappa: [k1, k2], direction: [d1, n.cross(&d1)] })
    }

    fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature> {
        let n = direction("normal", n)?;
        let (t, b) = tangents(&n);
        let (block, det) = self.dual.jet(&n).tangent_block(&t, &b);
        Ok(Curvature::from_radii(block, Some(det), &t, &b, &n))
    }

    fn curvature_at_touch(&self, p: &Vec3, n: &Vec3) -> Result<Curvature> {
        self.curvature_by_both(p, n)
    }

    fn has_seam_at(&self, p: &Vec3, n: &Vec3) -> bool {
        self.has_seam_by_both(p, n)
    }

    fn bending_rate(&self, at: &TouchPoint, dp: &Vec3, dn: &Vec3) -> Option<BendingRate> {
        self.rate_by_both(at, dp, dn)
    }

    fn curvature_range(&self) -> Result<[f64; 2]> {
        let [low, high] = octant::range(|u| self.curvature_at(&self.radial(u)).map(|c| c.kappa))?;
        Ok(octant::singular_range(&self.exponents, low, high))
    }

    fn tessellate(&self, chord: f64) -> Result<TriMesh> {
        tessellate::star(chord, |u| self.radial(u))
    }

    fn area(&self) -> Result<f64> {
        let [around, outer] = self.exponents.map(|n| 1.0 / n);
        octant::area(&self.semi_axes, &Powers { ring: [outer; 2], angle: [around; 2], height: outer })
    }

    fn moments(&self) -> Result<Moments> {
        let ([a, b, c], [delta, epsilon]) = (self.semi_axes.into(), self.exponents);
        // ∫∫ x^k dx dy over the quarter of the unit superellipse.
        let plane = |k: f64| beta((k + 1.0) / delta, 1.0 + 1.0 / delta) / delta;
        // ∫₀¹ z^k (1 − z^ε)^{m/ε} dz, the disc's size to the power m.
        let height = |k: f64, m: f64| beta((k + 1.0) / epsilon, 1.0 + m / epsilon) / epsilon;
        let abc8 = 8.0 * a * b * c;
        let volume = abc8 * plane(0.0) * height(0.0, 2.0);
        let ring = abc8 * plane(2.0) * height(0.0, 4.0);
        let axial = abc8 * plane(0.0) * height(2.0, 2.0);
        Ok(Moments::symmetric(volume, Vec3::new(a * a * ring, b * b * ring, c * c * axial)))
    }
}

impl Implicit for Superellipsoid {
    #[inline]
    fn value(&self, p: &Vec3) -> f64 {
        self.gauge.value(p) - 1.0
    }

    #[inline]
    fn gradient(&self, p: &Vec3) -> Vec3 {
        two_norms::gradient(&self.gauge, p)
    }

    #[inline]
    fn hessian(&self, p: &Vec3) -> Mat3 {
        // At the centre the gauge has a cone's tip and no Hessian; zero says that there is no curvature to use.
        if p.amax() == 0.0 { Mat3::zeros() } else { self.gauge.jet(p).hessian() }
    }

    fn second_order(&self, p: &Vec3) -> (f64, Vec3, Mat3) {
        if p.amax() == 0.0 {
            return (self.value(p), self.gradient(p), self.hessian(p));
        }
        let jet = self.gauge.jet(p);
        (jet.value - 1.0, jet.gradient, jet.hessian())
    }
}

#[inline]
fn block(jet: &NormJet, t: &Vec3, u: &Vec3) -> SupportBlock {
    let (radii, determinant) = jet.tangent_block(t, u);
    SupportBlock { value: jet.value, point: jet.gradient, radii, determinant: Some(determinant) }
}

impl Support for Superellipsoid {
    /// About z where its sections across z are circles.
    fn revolution(&self) -> Option<Revolution> {
        let circles = self.exponents[0] == 2.0 && self.semi_axes.x == self.semi_axes.y;
        let ellipsoid = self.exponents == [2.0, 2.0];
        if ellipsoid {
            Revolution::of_axes(&self.semi_axes)
        } else {
            circles.then_some(Revolution::About(Vec3::z()))
        }
    }

    #[inline]
    fn support(&self, n: &Vec3) -> f64 {
        self.dual.value(n)
    }

    #[inline]
    fn support_point(&self, n: &Vec3) -> Vec3 {
        self.dual.gradient(n).1
    }

    #[inline]
    fn support_jet(&self, n: &Vec3) -> SupportJet {
        let jet = self.dual.jet(n);
        SupportJet { value: jet.value, point: jet.gradient, hessian: jet.hessian() }
    }

    #[inline]
    fn support_block(&self, n: &Vec3, t: &Vec3, u: &Vec3) -> SupportBlock {
        block(&self.dual.jet(n), t, u)
    }

    fn followed(&self, n: &Vec3, step: &Vec3, tell: &mut dyn FnMut(Vec3)) {
        super::follow(self, n, step, tell);
    }

    fn support_third(&self, n: &Vec3, d: &Vec3) -> Mat3 {
        self.dual.third(n, d)
    }
}

impl Parametric for Superellipsoid {
    /// u is the longitude, v the latitude of the ray through the point of the body scaled to unit axes: the
    /// angle-centre form of Lopes (35, 36). At u a multiple of π/2, and at v = 0, derivatives of an order above the
    /// exponent do not exist and may be infinite.
    fn domain(&self) -> Domain {
        Domain { u: [0.0, TAU], v: [-FRAC_PI_2, FRAC_PI_2], periodic: [true, false] }
    }

    fn jet(&self, u: f64, v: f64) -> ParametricJet {
        let (u, v) = (Taylor::u(u), Taylor::v(v));
        let ([a, b, c], [delta, epsilon]) = (self.semi_axes.into(), self.exponents);
        let (x, y) = (u.cos(), u.sin());
        let ring = (x.abs_powf(delta) + y.abs_powf(delta)).powf(1.0 / delta);
        let norm = ((v.cos() * ring).abs_powf(epsilon) + v.sin().abs_powf(epsilon)).powf(1.0 / epsilon);
        let r = norm.recip();
        jet([v.cos() * x * r * a, v.cos() * y * r * b, v.sin() * r * c])
    }
}
