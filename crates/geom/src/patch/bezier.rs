//! Bézier patches: x(u, v) = Σ wᵢⱼ Pᵢⱼ Bᵢᵖ(u) Bⱼ^q(v) / Σ wᵢⱼ Bᵢᵖ(u) Bⱼ^q(v) on the unit square.
//!
//! P (`control`, m) and w > 0 (`weights`, none where all are one) are kept with j running fastest;
//! Bᵢᵖ(t) = C(p, i) tⁱ (1 − t)^(p−i). From Piegl and Tiller, The NURBS Book, 2nd ed. (1997), sections 1.3 and 4.5:
//!
//! - Basis: Bᵢᵖ = (1 − t) Bᵢᵖ⁻¹ + t Bᵢ₋₁ᵖ⁻¹, which only adds positive numbers for 0 ≤ t ≤ 1.
//! - Derivatives: (Bᵢᵖ)′ = p(Bᵢ₋₁ᵖ⁻¹ − Bᵢᵖ⁻¹), hence (Bᵢᵖ)⁽ᵏ⁾ = p!/(p−k)! Σᵣ (−1)^(k−r) C(k, r) Bᵢ₋ᵣᵖ⁻ᵏ.
//! - Quotient: with A = Σ wPBB and w = Σ wBB, Leibniz' rule for A = wx gives (4.20)
//!   x_kl = (A_kl − Σ C(k, i) C(l, j) w_ij x_(k−i)(l−j))/w, the sum without i = j = 0; indices count derivatives.
//!
//! Nothing is allocated: the basis has at most ten functions in each direction.
//!
//! A side of the net may collapse to a point, as at the pole of a sphere; there the normal ∂x/∂u × ∂x/∂v vanishes and
//! curvatures are NaN. A net whose patch has no area at all is refused.

use super::MAX_DEGREE;
use super::net::Edge;
use crate::error::{GeomError, Result, finite, finite3, positive};
use crate::surface::{Domain, Parametric, ParametricJet};
use crate::{Aabb, Vec3};

/// C(k, r) for the orders of differentiation that occur.
pub(super) const BINOMIAL: [[f64; 4]; 4] =
    [[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], [1.0, 2.0, 1.0, 0.0], [1.0, 3.0, 3.0, 1.0]];

/// Derivatives of order k in u and l in v at `[k][l]`, for k + l ≤ 3.
type Derivatives<T> = [[T; 4]; 4];

/// A tensor-product patch on the unit square, polynomial or rational.
#[derive(Debug, Clone, PartialEq)]
pub struct BezierPatch {
    degree: [usize; 2],
    control: Vec<Vec3>,
    weights: Option<Vec<f64>>,
}

impl BezierPatch {
    /// A polynomial patch of the bidegree `degree` = [p, q] from (p + 1)(q + 1) control points in metres, those along
    /// v together: point (i, j) at i(q + 1) + j.
    pub fn new(degree: [usize; 2], control: Vec<Vec3>) -> Result<Self> {
        Self::checked(degree, control, None)
    }

    /// A rational patch; the weights are above zero and kept in the order of the control points.
    pub fn rational(degree: [usize; 2], control: Vec<Vec3>, weights: Vec<f64>) -> Result<Self> {
        Self::checked(degree, control, Some(weights))
    }

    fn checked(degree: [usize; 2], control: Vec<Vec3>, weights: Option<Vec<f64>>) -> Result<Self> {
        check_degree(degree)?;
        check_net([degree[0] + 1, degree[1] + 1], &control, weights.as_deref())?;
        let patch = Self { degree, control, weights };
        if patch.has_area() { Ok(patch) } else { Err(flat("control", patch.control.len())) }
    }

    /// Whether the normal is above rounding at any node of a grid.
    ///
    /// The normal of a patch, times the third power of the weight, is made of the minors of (h, ∂h/∂u, ∂h/∂v) with
    /// h = (wx, w), polynomials of bidegree below (3p, 3q): they vanish on 3p by 3q nodes only where they vanish
    /// everywhere.
    fn has_area(&self) -> bool {
        let [m, n] = self.degree.map(|d| 3 * d);
        let node = |i: usize, n: usize| (i as f64 + 0.5) / n as f64;
        let threshold = Threshold::of(&self.control);
        (0..m * n).any(|k| threshold.is_passed(&self.jet(node(k / n, m), node(k % n, n))))
    }

    /// The degrees in u and v.
    pub fn degree(&self) -> [usize; 2] {
        self.degree
    }

    /// The control points in metres, those along v together.
    pub fn control(&self) -> &[Vec3] {
        &self.control
    }

    /// The weights in the order of the control points; none where the patch is polynomial.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// The box of the control points: weights are positive, hence the patch over the unit square lies within it.
    pub fn bounds(&self) -> Aabb {
        Aabb::of_points(&self.control)
    }

    /// Control points and weights along an edge, in the direction in which the free parameter grows.
    pub fn edge(&self, edge: Edge) -> impl Iterator<Item = (Vec3, f64)> + '_ {
        let [p, q] = self.degree;
        let (start, stride, count) = match edge {
            Edge::U0 => (0, 1, q + 1),
            Edge::U1 => (p * (q + 1), 1, q + 1),
            Edge::V0 => (0, q + 1, p + 1),
            Edge::V1 => (q, q + 1, p + 1),
        };
        (0..count).map(move |k| {
            let at = start + k * stride;
            (self.control[at], self.weights.as_ref().map_or(1.0, |w| w[at]))
        })
    }

    /// Σ f(i, j) Bᵢ⁽ᵏ⁾ Bⱼ⁽ˡ⁾ for all k + l ≤ 3.
    fn tensor<T>(
        &self,
        bases: &[[[f64; MAX_DEGREE + 1]; 4]; 2],
        zero: T,
        f: impl Fn(usize) -> T,
    ) -> Derivatives<T>
    where
        T: Copy + std::ops::AddAssign + std::ops::Mul<f64, Output = T>,
    {
        let [p, q] = self.degree;
        let mut sum = [[zero; 4]; 4];
        for i in 0..=p {
            let mut row = [zero; 4];
            for j in 0..=q {
                let value = f(i * (q + 1) + j);
                for l in 0..4 {
                    row[l] += value * bases[1][l][j];
                }
            }
            for k in 0..4 {
                for l in 0..4 - k {
                    sum[k][l] += row[l] * bases[0][k][i];
                }
            }
        }
        sum
    }
}

impl Parametric for BezierPatch {
    fn domain(&self) -> Domain {
        Domain { u: [0.0, 1.0], v: [0.0, 1.0], periodic: [false, false] }
    }

    fn jet(&self, u: f64, v: f64) -> ParametricJet {
        let bases = [basis(self.degree[0], u), basis(self.degree[1], v)];
        match &self.weights {
            None => jet(&self.tensor(&bases, Vec3::zeros(), |k| self.control[k])),
            Some(w) => {
                let mut a = self.tensor(&bases, Vec3::zeros(), |k| self.control[k] * w[k]);
                divide(&mut a, &self.tensor(&bases, 0.0, |k| w[k]));
                jet(&a)
            }
        }
    }
}

/// The Bernstein polynomials of degree p at t: derivatives of order k in row k.
fn basis(p: usize, t: f64) -> [[f64; MAX_DEGREE + 1]; 4] {
    let mut out = [[0.0; MAX_DEGREE + 1]; 4];
    let mut b = [0.0; MAX_DEGREE + 1];
    b[0] = 1.0;
    for degree in 0..=p {
        if degree > 0 {
            for i in (1..=degree).rev() {
                b[i] = (1.0 - t) * b[i] + t * b[i - 1];
            }
            b[0] *= 1.0 - t;
        }
        let k = p - degree;
        if k > 3 {
            continue;
        }
        let falling: f64 = (degree + 1..=p).map(|x| x as f64).product();
        for i in 0..=p {
            for r in 0..=k.min(i) {
                let sign = if (k - r).is_multiple_of(2) { falling } else { -falling };
                // Beyond its degree the lower basis is zero, which the array already holds.
                out[k][i] += sign * BINOMIAL[k][r] * b[i - r];
            }
        }
    }
    out
}

/// From derivatives of A = wx and of w to those of x, in place: (4.20).
fn divide(a: &mut Derivatives<Vec3>, w: &Derivatives<f64>) {
    for order in 0..4 {
        for l in 0..=order {
            let k = order - l;
            for i in 0..=k {
                for j in 0..=l {
                    if i + j > 0 {
                        let lower = a[k - i][l - j];
                        a[k][l] -= lower * (BINOMIAL[k][i] * BINOMIAL[l][j] * w[i][j]);
                    }
                }
            }
            a[k][l] /= w[0][0];
        }
    }
}

fn jet(d: &Derivatives<Vec3>) -> ParametricJet {
    ParametricJet {
        p: d[0][0],
        du: d[1][0],
        dv: d[0][1],
        duu: d[2][0],
        duv: d[1][1],
        dvv: d[0][2],
        duuu: d[3][0],
        duuv: d[2][1],
        duvv: d[1][2],
        dvvv: d[0][3],
    }
}

/// Accepts degrees that the fixed arrays hold.
pub(super) fn check_degree(degree: [usize; 2]) -> Result<()> {
    match degree.iter().position(|d| !(1..=MAX_DEGREE).contains(d)) {
        Some(k) => Err(GeomError::OutOfRange {
            field: format!("degree[{k}]"),
            value: degree[k] as f64,
            allowed: format!("from 1 to {MAX_DEGREE}"),
        }),
        None => Ok(()),
    }
}

/// The greatest ratio of two weights. A patch of larger ones squeezes nearly all of its area into so thin a strip of
/// its parameters that no rule of integration sees it (wrong from 1e8 on).
const WEIGHTS: f64 = 1e6;

/// Accepts a net of `size` finite control points with positive weights that are not too uneven.
pub(super) fn check_net(size: [usize; 2], control: &[Vec3], weights: Option<&[f64]>) -> Result<()> {
    let count = size[0] * size[1];
    for (field, found) in [("control", Some(control.len())), ("weights", weights.map(<[f64]>::len))] {
        if found.is_some_and(|found| found != count) {
            return Err(GeomError::Inconsistent {
                field: field.to_owned(),
                found: format!("{} entries", found.unwrap_or_default()),
                allowed: format!("{} by {} = {count} entries", size[0], size[1]),
            });
        }
    }
    for (k, p) in control.iter().enumerate() {
        finite3(&format!("control[{k}]"), p)?;
        if let Some(w) = weights {
            positive(&format!("weights[{k}]"), w[k])?;
            finite(&format!("weights[{k}] · control[{k}]"), p.amax() * w[k])?;
        }
    }
    let [least, most] = weights
        .into_iter()
        .flatten()
        .fold([f64::INFINITY, 0.0], |[least, most]: [f64; 2], w| [least.min(*w), most.max(*w)]);
    // Inserted knots mean weights, to rounding.
    if !(most <= least * WEIGHTS * (1.0 + 1e-9)) {
        return Err(GeomError::Inconsistent {
            field: "weights".to_owned(),
            found: format!("weights from {least:e} to {most:e}"),
            allowed: format!("weights of which none is more than {WEIGHTS:e} times another"),
        });
    }
    Ok(())
}

/// What a normal must exceed in order to be more than rounding.
pub(super) struct Threshold {
    size: f64,
    least: f64,
}

impl Threshold {
    /// Derivatives are differences of control points, each known to a rounding of its size. All is relative to that
    /// size, so that neither tiny nor huge patches leave the range of numbers.
    pub(super) fn of(control: &[Vec3]) -> Self {
        const NOISE: f64 = 64.0 * f64::EPSILON;
        let size = control.iter().fold(f64::MIN_POSITIVE, |size, p| size.max(p.amax()));
        let bounds = Aabb::of_points(control);
        let extent = (bounds.max / size - bounds.min / size).amax();
        Self { size, least: NOISE * extent.max(NOISE) }
    }

    pub(super) fn is_passed(&self, jet: &ParametricJet) -> bool {
        (jet.du / self.size).cross(&(jet.dv / self.size)).norm() > self.least
    }
}

/// The refusal of a net whose patch has no area.
pub(super) fn flat(field: &str, count: usize) -> GeomError {
    GeomError::Inconsistent {
        field: field.to_owned(),
        found: format!("{count} points whose patch has no area"),
        allowed: "points that span a surface: not all on one curve or in one place".to_owned(),
    }
}
