//! The algebraic separation test of two ellipsoids (Wang, Wang & Kim 2001; Choi, Wang, Liu & Kim 2009).
//!
//! Convention: XᵀAX ≤ 0 and XᵀBX ≤ 0 are the solids, X = (x, 1). The characteristic polynomial det(λA + B) has degree
//! four, and the ellipsoids are
//!
//!   separate             iff it has two distinct positive roots,
//!   touching externally  iff it has a positive double root,
//!   overlapping          otherwise (nested, or touching from within, included).
//!
//! Derivation in factored form. Let M, N be the matrices whose supports are h_A² = nᵀMn, h_B² = nᵀNn, and r the vector
//! between the centres. In axes where M = 1 and N = diag(ν), with u the components of r,
//!
//!   −det(λA + B)·ν₁ν₂ν₃ = P(λ) = (1 + λ) Π(1 + λνᵢ) − λ Σᵢ uᵢ² Πⱼ≠ᵢ(1 + λνⱼ)
//!                              = (1 + λ) Π(1 + λνᵢ) · (1 − F(λ)),
//!   F(λ) = Σ uᵢ² λ/((1 + λ)(1 + λνᵢ)).
//!
//! The factors before the bracket are positive for λ > 0, so the positive roots of P are those of F = 1. With
//! t = λ/(1 + λ), F = rᵀ[M/t + N/(1 − t)]⁻¹r is a parallel sum, concave in t on (0, 1), zero at both ends: F = 1 has
//! two distinct roots, a double one or none as max F is above, at or below one. Hence the signs are decided by max F,
//! which is well conditioned where the double root is not, and nothing is expanded or cancelled.
//!
//! max F = μ² (Perram & Wertheim 1985): scaled about their centres by μ the ellipsoids touch. Both facts bound the
//! gap: for μ > 1 it is at least (μ − 1)(a + b), with a, b the least semi-axes.
//!
//! Where is the maximum? dF/dt = Σ uᵢ² (1 − λ²νᵢ)/(1 + λνᵢ)² = s(λ) decreases, and every term of it changes sign at
//! λ = 1/√νᵢ: the root of s lies between the least and the greatest of these. s′ = −2(1 + λ) Σ uᵢ² νᵢ/(1 + λνᵢ)³.
//!
//! Computation: √νᵢ are the singular values of G = M^(−1/2) R N_d^(1/2) (semi-axes on both sides of the relative
//! rotation), found by Jacobi rotations of its columns. M belongs to the rounder body: the columns' scaling by the
//! thinner one costs no digits (Demmel & Veselić 1992), so μ loses only the digits that the rounder one's ratio of axes
//! takes.

use super::finite_pose;
use super::sturm::positive_roots;
use crate::{ContactError, Result};
use rattleback_geom::surface::Ellipsoid;
use rattleback_geom::{Mat3, Pose, Vec3};

/// Most sweeps of Jacobi rotations; four or five are usual for three columns.
const MAX_SWEEPS: u32 = 30;

/// Columns whose cosine is below this are orthogonal: the rounding of a product of three terms.
const ORTHOGONAL: f64 = 8.0 * f64::EPSILON;

/// Most steps to the maximum of F: halving the logarithm of any representable bracket to [`STEP`] takes 42.
const MAX_STEPS: u32 = 100;

/// The last relative step of λ. F is flat there, its error is of the second order and below rounding.
const STEP: f64 = 1e-9;

/// How two solid ellipsoids lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// No common point.
    Separate,
    /// One common point, from outside, within the tolerance.
    Touching,
    /// A common interior; one may lie inside the other.
    Overlapping,
}

/// The pencil λA + B of two ellipsoids in the axes that make both diagonal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EllipsoidPencil {
    /// The eigenvalues of M⁻¹N.
    nu: Vec3,
    /// The squared components of r.
    u2: Vec3,
}

impl EllipsoidPencil {
    /// The pencil of `a` and `b` at their poses.
    pub fn new(a: &Ellipsoid, pose_a: &Pose, b: &Ellipsoid, pose_b: &Pose) -> Result<Self> {
        finite_pose("pose_a", pose_a)?;
        finite_pose("pose_b", pose_b)?;
        let thinness = |e: &Ellipsoid| e.semi_axes().max() / e.semi_axes().min();
        let (round, at, thin, to) =
            if thinness(a) <= thinness(b) { (a, pose_a, b, pose_b) } else { (b, pose_b, a, pose_a) };
        let (d, e) = (round.semi_axes(), thin.semi_axes());
        let turn = at.rotation().transpose() * to.rotation();
        let mut g = Mat3::from_fn(|i, j| turn[(i, j)] * (e[j] / d[i]));
        orthogonalise(&mut g)?;
        let c = at.vector_to_local(&(to.position - at.position)).component_div(d);
        let nu = Vec3::from_fn(|i, _| g.column(i).norm_squared());
        let u2 = Vec3::from_fn(|i, _| (g.column(i).dot(&c) / nu[i].sqrt()).powi(2));
        for i in 0..3 {
            within("squared ratio of semi-axes", nu[i], f64::MIN_POSITIVE, "representable and above zero")?;
            within("squared ratio of distance and semi-axis", u2[i], 0.0, "finite")?;
        }
        Ok(Self { nu, u2 })
    }

    /// μ, the factor that makes the ellipsoids touch when both are scaled by it about their centres: above one for
    /// separate ones, zero for concentric ones.
    pub fn scale(&self) -> Result<f64> {
        if self.u2.max() == 0.0 {
            return Ok(0.0);
        }
        let [mut low, mut high] = [1.0 / self.nu.max().sqrt(), 1.0 / self.nu.min().sqrt()];
        let mut lambda = low.sqrt() * high.sqrt();
        let mut last = f64::INFINITY;
        for _ in 0..MAX_STEPS {
            let (slope, bend) = self.slope(lambda);
            if slope > 0.0 {
                low = lambda;
            } else {
                high = lambda;
            }
            let mut next = lambda - slope / bend;
            // Newton's step must stay in the bracket and halve; the middle of the logarithms does both.
            if !(next >= low && next <= high && (next - lambda).abs() <= 0.5 * last) {
                next = low.sqrt() * high.sqrt();
            }
            last = (next - lambda).abs();
            lambda = next;
            if last <= STEP * lambda {
                return Ok(self.value(lambda).sqrt());
            }
        }
        let residual = last / lambda;
        Err(ContactError::NotConverged { solver: "ellipsoid pencil", iterations: MAX_STEPS, residual })
    }

    /// Touching means ∣μ − 1∣ ≤ `tolerance`: for bodies of about the same size, a gap or depth of that share of it.
    ///
    /// μ itself carries some 1e-15 times the thinness (longest over shortest semi-axis) of the rounder body and
    /// the ratio of the distance to the shortest semi-axis; a tolerance below that decides by rounding.
    pub fn relation(&self, tolerance: f64) -> Result<Relation> {
        within("tolerance", tolerance, 0.0, "finite and at least zero")?;
        let excess = self.scale()? - 1.0;
        Ok(if excess > tolerance {
            Relation::Separate
        } else if excess >= -tolerance {
            Relation::Touching
        } else {
            Relation::Overlapping
        })
    }

    /// The coefficients of P from λ⁰ to λ⁴, with λ = (ν₁ν₂ν₃)^(−1/4) s so that the first and the last are one.
    pub fn quartic(&self) -> [f64; 5] {
        let unit = self.nu.iter().fold(1.0, |product, nu| product / nu.sqrt().sqrt());
        let [a, b, c] = (self.nu * unit).into();
        let cubic = [1.0, a + b + c, a * b + b * c + c * a, a * b * c];
        let mut p = [1.0, cubic[1] + unit, cubic[2] + unit * cubic[1], cubic[3] + unit * cubic[2], 1.0];
        for (u2, (b, c)) in self.u2.iter().zip([(b, c), (c, a), (a, b)]) {
            p[1] -= unit * u2;
            p[2] -= unit * u2 * (b + c);
            p[3] -= unit * u2 * (b * c);
        }
        p
    }

    /// The number of distinct positive roots of the quartic by its Sturm sequence: two for separate ellipsoids.
    ///
    /// The literature's criterion. The expanded coefficients lose digits for thin bodies and near touching, where
    /// [`EllipsoidPencil::relation`] does not.
    pub fn positive_roots(&self) -> usize {
        positive_roots(&self.quartic())
    }

    fn value(&self, lambda: f64) -> f64 {
        (0..3).map(|i| self.u2[i] / (1.0 + lambda * self.nu[i])).sum::<f64>() * (lambda / (1.0 + lambda))
    }

    /// s and ds/dλ.
    fn slope(&self, lambda: f64) -> (f64, f64) {
        let (mut s, mut bend) = (0.0, 0.0);
        for i in 0..3 {
            let x = lambda * self.nu[i];
            let inverse = 1.0 / (1.0 + x);
            let share = self.u2[i] * inverse * inverse;
            s += share * (1.0 - lambda * x);
            bend -= 2.0 * (1.0 + lambda) * share * self.nu[i] * inverse;
        }
        (s, bend)
    }
}

/// Rotates pairs of columns until all are orthogonal.
fn orthogonalise(g: &mut Mat3) -> Result<()> {
    let mut worst = 0.0f64;
    for _ in 0..MAX_SWEEPS {
        worst = 0.0;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (x, y) = (g.column(p).into_owned(), g.column(q).into_owned());
            let (alpha, beta, gamma) = (x.norm(), y.norm(), x.dot(&y));
            let cosine = (gamma / alpha / beta).abs();
            if !(cosine > ORTHOGONAL) {
                continue;
            }
            worst = worst.max(cosine);
            let zeta = (beta - alpha) * (beta + alpha) / (2.0 * gamma);
            let t = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
            let c = 1.0 / t.hypot(1.0);
            g.set_column(p, &((x - y * t) * c));
            g.set_column(q, &((x * t + y) * c));
        }
        if worst == 0.0 {
            return Ok(());
        }
    }
    Err(ContactError::NotConverged { solver: "Jacobi rotations", iterations: MAX_SWEEPS, residual: worst })
}

fn within(field: &str, value: f64, least: f64, allowed: &'static str) -> Result<()> {
    if value >= least && value.is_finite() {
        return Ok(());
    }
    Err(ContactError::OutOfRange { field: field.to_owned(), value, allowed })
}
