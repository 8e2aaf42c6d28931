//! The superquadric with three exponents: ∣x/a₁∣^γ₁ + ∣y/a₂∣^γ₂ + ∣z/a₃∣^γ₃ = 1, Lopes (37) with aᵢ = aᵢᵢ^(−1/γᵢ).
//!
//! Support function. With mᵢ = aᵢ∣nᵢ∣ and the multiplier λ, the point ξᵢ = ∣xᵢ∣/aᵢ of outer normal n satisfies
//! mᵢ = λγᵢξᵢ^{γᵢ−1}. So λ solves the scalar equation Σ (mᵢ/λγᵢ)^{qᵢ} = 1, qᵢ = γᵢ/(γᵢ−1). In τ = ln λ the
//! logarithm of the left side is convex, falls with a slope between −max q and −min q, and has its root at or above
//! τ = max ln(mᵢ/γᵢ): Newton from there climbs monotonically and cannot fail. Then h = Σ mᵢξᵢ, and with
//!
//!   Eᵢ = aᵢ²ξᵢ^{2−γᵢ}/(γᵢ(γᵢ−1)) (inverse Hessian of F),   βᵢ = xᵢ/(γᵢ−1),   ωᵢ = qᵢξᵢ^γᵢ,   Ω = Σωᵢ
//!   ∇²h = (E − ββᵀ/Ω)/λ,   diagonal: Eᵢ(Ω − ωᵢ)/(λΩ),   radii: r₁r₂ = E₁E₂E₃/(λ⁴Ω) for a unit n
//!
//! all of them sums and products of positive numbers.

mod touch;

use super::octant::{self, Powers};
use super::superellipsoid::exponent;
use super::{
    Domain, Implicit, Parametric, ParametricJet, Revolution, Support, SupportBlock, SupportJet, Surface,
    TouchPoint,
};
use crate::chart::Atlas;
use crate::curvature::{BendingRate, eigen2, tangent_block, tangents};
use crate::error::{GeomError, Result, direction, finite3, length3, positive3};
use crate::taylor::{Taylor, jet};
use crate::{Aabb, Curvature, Mat3, Moments, TriMesh, Vec3, tessellate};
use std::f64::consts::{FRAC_PI_2, TAU};

/// ξ below this is lifted to it where it stands in a denominator; see the nested norm.
const LEAST_SHARE: f64 = 1e-100;
/// An inverse power of ξ above this is cut to it, so that a product of three stays finite.
const GREATEST_POWER: f64 = 1e98;

/// A superquadric about the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Superquadric {
    semi_axes: Vec3,
    exponents: Vec3,
    /// Conjugate exponents qᵢ.
    conjugate: Vec3,
}

/// The solution of the scalar equation at a normal.
struct SupportSolution {
    lambda: f64,
    /// ξ, not negative.
    xi: Vec3,
}

impl Superquadric {
    /// A superquadric from its semi-axes in metres and its exponents.
    pub fn new(semi_axes: [f64; 3], exponents: [f64; 3]) -> Result<Self> {
        length3("semi_axes", semi_axes)?;
        for (i, &gamma) in exponents.iter().enumerate() {
            exponent(&format!("exponents[{i}]"), gamma)?;
        }
        let exponents = Vec3::from(exponents);
        Ok(Self { semi_axes: semi_axes.into(), exponents, conjugate: exponents.map(|g| g / (g - 1.0)) })
    }

    /// The same from the coefficients aᵢᵢ of Lopes (37), in m^−γᵢ.
    pub fn from_coefficients(coefficients: [f64; 3], exponents: [f64; 3]) -> Result<Self> {
        positive3("coefficients", coefficients)?;
        Self::new(std::array::from_fn(|i| coefficients[i].powf(-1.0 / exponents[i])), exponents)
    }

    /// The semi-axes in metres.
    pub fn semi_axes(&self) -> &Vec3 {
        &self.semi_axes
    }

    /// The three exponents.
    pub fn exponents(&self) -> [f64; 3] {
        self.exponents.into()
    }

    fn touch(&self, n: &Vec3) -> SupportSolution {
        let m = self.semi_axes.component_mul(n).abs().component_div(&self.exponents);
        let scale = m.max();
        // Scaled by the largest, the root lies in [0, ln 3/min q], where logarithms keep all their digits.
        let tau = log_root(&self.conjugate, &m.map(|x| (x / scale).ln()));
        let lambda = scale * tau.exp();
        let xi = m.zip_map(&self.exponents, |m, g| (m / lambda).powf(1.0 / (g - 1.0)));
        SupportSolution { lambda, xi }
    }

    /// E, β (signed) and ω of the file's header.
    fn parts(&self, touch: &SupportSolution, n: &Vec3) -> (Vec3, Vec3, Vec3) {
        let e = Vec3::from_fn(|i, _| {
            let (a, g) = (self.semi_axes[i], self.exponents[i]);
            a * a * touch.xi[i].max(LEAST_SHARE).powf(2.0 - g).min(GREATEST_POWER) / (g * (g - 1.0))
        });
        let beta = Vec3::from_fn(|i, _| {
            (self.semi_axes[i] * touch.xi[i] / (self.exponents[i] - 1.0)).copysign(n[i])
        });
        let omega = Vec3::from_fn(|i, _| self.conjugate[i] * touch.xi[i].powf(self.exponents[i]));
        (e, beta, omega)
    }

    fn hessian_from(&self, touch: &SupportSolution, (e, beta, omega): &(Vec3, Vec3, Vec3)) -> Mat3 {
        let total = omega.sum();
        Mat3::from_fn(|i, j| {
            if i == j {
                e[i] * ((omega[(i + 1) % 3] + omega[(i + 2) % 3]) / total) / touch.lambda
            } else {
                -beta[i] * beta[j] / (total * touch.lambda)
            }
        })
    }

    /// r with F(r A u) = 0.
    fn ray(&self, u: &Vec3) -> f64 {
        (-log_root(&self.exponents, &u.map(|c| c.abs().ln()))).exp()
    }

    /// The point A r d on the ray of a direction d of any length, as series.
    pub(crate) fn point_along(&self, d: &[Taylor; 3]) -> [Taylor; 3] {
        // Newton in series: each step doubles the order that is right, 0 → 1 → 3.
        let mut r = Taylor::constant(self.ray(&Vec3::from_fn(|i, _| d[i].value())));
        for _ in 0..2 {
            let (mut f, mut slope) = (Taylor::constant(-1.0), Taylor::constant(0.0));
            for i in 0..3 {
                let term = (d[i] * r).abs_powf(self.exponents[i]);
                f = f + term;
                slope = slope + term * self.exponents[i];
            }
            r = r - f * r / slope;
        }
        std::array::from_fn(|i| d[i] * r * self.semi_axes[i])
    }

    fn radial(&self, u: &Vec3) -> Vec3 {
        self.semi_axes.component_mul(u) * self.ray(u)
    }
}

/// τ with Σ exp(βᵢ(ℓᵢ − τ)) = 1; an ℓ of −∞ counts for nothing.
fn log_root(beta: &Vec3, ell: &Vec3) -> f64 {
    // The term of the largest ℓ is one at this τ: the sum is at least one, the root at or above.
    let mut tau = ell.max();
    // Convergence is monotone and quadratic; with slopes within a factor of 20 ten steps were the most seen.
    for _ in 0..60 {
        let terms = Vec3::from_fn(|i, _| (beta[i] * (ell[i] - tau)).exp());
        let sum = terms.sum();
        let step = sum.ln() * sum / beta.dot(&terms);
        tau += step;
        if step.abs() <= 4.0 * f64::EPSILON * (1.0 + tau.abs()) {
            break;
        }
    }
    tau
}

impl Surface for Superquadric {
    fn kind(&self) -> &'static str {
        "superquadric"
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
        let (g, d) = (self.gradient(&p), self.hessian(&p).diagonal());
        let norm = g.norm();
        if !(norm > 0.0) {
            return Err(GeomError::Undefined {
                surface: "superquadric",
                quantity: "curvature at its centre",
                reason: "the point must lie on the surface".to_owned(),
            });
        }
        let n = g / norm;
        let (t, b) = tangents(&n);
        // The determinant on the tangent plane of a diagonal matrix: Σ nᵢ² dⱼdₖ.
        let det = n.x * n.x * d.y * d.z + n.y * n.y * d.z * d.x + n.z * n.z * d.x * d.y;
        let block = tangent_block(&Mat3::from_diagonal(&d), &t, &b);
        let [k1, k2, c, s] = eigen2(block.map(|x| x / norm), Some(det / (norm * norm)));
        let d1 = t * c + b * s;
        Ok(Curvature { kappa: [k1, k2], direction: [d1, n.cross(&d1)] })
    }

    fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature> {
        let n = direction("normal", n)?;
        let touch = self.touch(&n);
        let parts = self.parts(&touch, &n);
        let (t, b) = tangents(&n);
        let block = tangent_block(&self.hessian_from(&touch, &parts), &t, &b);
        let det = parts.0.product() / (touch.lambda.powi(4) * parts.2.sum());
        Ok(Curvature::from_radii(block, Some(det), &t, &b, &n))
    }

    fn curvature_at_touch(&self, p: &Vec3, n: &Vec3) -> Result<Curvature> {
        self.curvature_by_both(p, n)
    }

    fn bending_rate(&self, at: &TouchPoint, dp: &Vec3, dn: &Vec3) -> Option<BendingRate> {
        self.rate_by_both(at, dp, dn)
    }

    fn curvature_range(&self) -> Result<[f64; 2]> {
        let [low, high] = octant::range(|u| self.curvature_at(&self.radial(u)).map(|c| c.kappa))?;
        Ok(octant::singular_range(self.exponents.as_slice(), low, high))
    }

    fn tessellate(&self, chord: f64) -> Result<TriMesh> {
        tessellate::star(chord, |u| self.radial(u))
    }

    fn area(&self) -> Result<f64> {
        let [x, y, height]: [f64; 3] = self.exponents.map(|n| 1.0 / n).into();
        octant::area(&self.semi_axes, &Powers { ring: [x, y], angle: [x, y], height })
    }

    fn moments(&self) -> Result<Moments> {
        // Dirichlet: ∫ over the octant of Π xᵢ^{kᵢ} = Π (aᵢ^{kᵢ+1}/γᵢ) Γ(sᵢ) / Γ(1 + Σsᵢ), sᵢ = (kᵢ+1)/γᵢ.
        let dirichlet = |k: [f64; 3]| {
            let s = Vec3::from_fn(|i, _| (k[i] + 1.0) / self.exponents[i]);
            let sizes = Vec3::from_fn(|i, _| self.semi_axes[i].powf(k[i] + 1.0) / self.exponents[i]);
            8.0 * sizes.product() * s.map(libm::tgamma).product() / libm::tgamma(1.0 + s.sum())
        };
        let second =
            Vec3::new(dirichlet([2.0, 0.0, 0.0]), dirichlet([0.0, 2.0, 0.0]), dirichlet([0.0, 0.0, 2.0]));
        Ok(Moments::symmetric(dirichlet([0.0; 3]), second))
    }
}

impl Implicit for Superquadric {
    fn value(&self, p: &Vec3) -> f64 {
        let y = p.component_div(&self.semi_axes).abs();
        y.zip_map(&self.exponents, f64::powf).sum() - 1.0
    }

    fn gradient(&self, p: &Vec3) -> Vec3 {
        Vec3::from_fn(|i, _| {
            let (a, g) = (self.semi_axes[i], self.exponents[i]);
            (g / a * (p[i] / a).abs().powf(g - 1.0)).copysign(p[i])
        })
    }

    fn hessian(&self, p: &Vec3) -> Mat3 {
        Mat3::from_diagonal(&Vec3::from_fn(|i, _| {
            let (a, g) = (self.semi_axes[i], self.exponents[i]);
            g * (g - 1.0) / (a * a) * (p[i] / a).abs().max(LEAST_SHARE).powf(g - 2.0)
        }))
    }
}

impl Support for Superquadric {
    fn revolution(&self) -> Option<Revolution> {
        // x² + y² in equal shares, or the same about another axis.
        let (a, e) = (&self.semi_axes, &self.exponents);
        if e.iter().all(|&e| e == 2.0) {
            return Revolution::of_axes(a);
        }
        let k = (0..3)
            .find(|k| [(k + 1) % 3, (k + 2) % 3].iter().all(|&i| e[i] == 2.0 && a[i] == a[(k + 1) % 3]))?;
        Some(Revolution::About(Vec3::ith(k, 1.0)))
    }

    fn support(&self, n: &Vec3) -> f64 {
        n.dot(&self.support_point(n))
    }

    fn support_point(&self, n: &Vec3) -> Vec3 {
        let xi = self.touch(n).xi;
        Vec3::from_fn(|i, _| (self.semi_axes[i] * xi[i]).copysign(n[i]))
    }

    fn support_jet(&self, n: &Vec3) -> SupportJet {
        let touch = self.touch(n);
        let parts = self.parts(&touch, n);
        let point = Vec3::from_fn(|i, _| (self.semi_axes[i] * touch.xi[i]).copysign(n[i]));
        SupportJet { value: n.dot(&point), point, hessian: self.hessian_from(&touch, &parts) }
    }

    fn support_block(&self, n: &Vec3, t: &Vec3, u: &Vec3) -> SupportBlock {
        let touch = self.touch(n);
        let parts = self.parts(&touch, n);
        let point = Vec3::from_fn(|i, _| (self.semi_axes[i] * touch.xi[i]).copysign(n[i]));
        let radii = tangent_block(&self.hessian_from(&touch, &parts), t, u);
        // r₁r₂ of a unit n; the block of a longer one shrinks with its length.
        let scale = n.norm_squared();
        let determinant = parts.0.product() * scale / (touch.lambda.powi(4) * parts.2.sum());
        SupportBlock { value: n.dot(&point), point, radii, determinant: Some(determinant) }
    }

    fn followed(&self, n: &Vec3, step: &Vec3, tell: &mut dyn FnMut(Vec3)) {
        super::follow(self, n, step, tell);
    }

    fn support_third(&self, n: &Vec3, d: &Vec3) -> Mat3 {
        let touch = self.touch(n);
        let parts = self.parts(&touch, n);
        let hessian = self.hessian_from(&touch, &parts);
        let (e, beta, omega) = parts;
        let total = omega.sum();
        let moved = hessian * d;
        // d ln λ = β·d/(λΩ), from the normalisation; d ln ξ where ξ does not vanish.
        let log_lambda = beta.dot(d) / (touch.lambda * total);
        let log_xi = Vec3::from_fn(|i, _| {
            let x = (self.semi_axes[i] * touch.xi[i]).copysign(n[i]);
            if touch.xi[i] > LEAST_SHARE { moved[i] / x } else { 0.0 }
        });
        let de = Vec3::from_fn(|i, _| e[i] * (2.0 - self.exponents[i]) * log_xi[i]);
        let dbeta = Vec3::from_fn(|i, _| moved[i] / (self.exponents[i] - 1.0));
        let dtotal = Vec3::from_fn(|i, _| omega[i] * self.exponents[i] * log_xi[i]).sum();
        let outer = dbeta * beta.transpose();
        let change = Mat3::from_diagonal(&de) - (outer + outer.transpose()) / total
            + beta * beta.transpose() * (dtotal / (total * total));
        change / touch.lambda - hessian * log_lambda
    }
}

impl Parametric for Superquadric {
    /// u is the longitude, v the latitude of the ray through the point of the body scaled to unit axes. Where a
    /// coordinate vanishes, derivatives of an order above its exponent do not exist and may be infinite.
    fn domain(&self) -> Domain {
        Domain { u: [0.0, TAU], v: [-FRAC_PI_2, FRAC_PI_2], periodic: [true, false] }
    }

    fn jet(&self, u: f64, v: f64) -> ParametricJet {
        let (tu, tv) = (Taylor::u(u), Taylor::v(v));
        let ray = [tv.cos() * tu.cos(), tv.cos() * tu.sin(), tv.sin()];
        jet(self.point_along(&ray))
    }
}
