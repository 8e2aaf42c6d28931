//! One step towards a common normal of two surfaces, from their second-order pictures.
//!
//! With d = p_B − p_A, h = n_A·d, c = n_A·n_B, the tangents T_A, T_B and Q = T_Aᵀ T_B the equations are
//!
//! r = T_Aᵀ d = 0, s = T_Aᵀ n_B = 0,
//!
//! which nothing disturbs at a gap of zero. Moving by T_A a and T_B b changes them by
//!
//! δr = −(1 + h S_A) a + Q b, δs = −c S_A a + Q S_B b
//!
//! exactly to first order. Without b, with S̃ = Q S_B Q⁻¹:
//!
//! K a = S̃ r − s, K = −c S_A + S̃ (1 + h S_A), b = Q⁻¹ ((1 + h S_A) a − r).
//!
//! At a solution c = −1 and K = W (1 + g S_A). Where the symmetric part of W is not positive definite the step takes
//! the moduli of its eigenvalues instead, which leads downhill, away from saddles; directions in which W vanishes are
//! left alone.

use super::Kind;
use super::osculation::Osculation;
use rattleback_geom::Vec2;
use rattleback_geom::curvature::eigen2;
use rattleback_geom::nalgebra::Matrix2;

/// Eigenvalues of W below this share of the curvatures are zero: what rounding leaves of second derivatives near a
/// solution known to the root of the machine's precision.
pub(super) const FLAT: f64 = 1e-8;

/// And below this share rounding leaves nothing of them: a step along them leads nowhere. Between both a step is worth
/// taking: a ring of radius R and tube r that leans by an angle θ has sin θ/R along it, beside 1/r across it.
const NOTHING: f64 = 1e-13;

/// A step and what is known where it begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// On A, along its tangents, in m.
    pub a: Vec2,
    /// On B, along its tangents, in m.
    pub b: Vec2,
    /// |r| in m.
    pub offset: f64,
    /// |s|, the sine of the angle between the normals.
    pub turn: f64,
    /// n_A·d in m.
    pub gap: f64,
    /// The least eigenvalue of W in 1/m, −∞ where a centre of curvature lies between the points.
    pub margin: f64,
    /// The sum of the curvatures' bounds in 1/m.
    pub sharpness: f64,
    /// The least singular value of K in 1/m.
    pub firmness: f64,
    /// Whether the step is Newton's own.
    pub plain: bool,
}

impl Step {
    pub fn kind(&self) -> Kind {
        let small = FLAT * self.sharpness;
        if self.margin > small {
            Kind::Minimum
        } else if self.margin >= -small {
            Kind::Flat
        } else {
            Kind::Saddle
        }
    }
}

fn symmetric(s: &[f64; 3]) -> Matrix2<f64> {
    Matrix2::new(s[0], s[1], s[1], s[2])
}

fn inverse(m: &Matrix2<f64>, det: f64) -> Matrix2<f64> {
    Matrix2::new(m[(1, 1)], -m[(0, 1)], -m[(1, 0)], m[(0, 0)]) / det
}

/// The step; none where the tangent planes are at right angles.
pub(super) fn step(a: &Osculation, b: &Osculation) -> Option<Step> {
    let d = b.p - a.p;
    let (h, c) = (a.n.dot(&d), a.n.dot(&b.n));
    let r = Vec2::new(a.t[0].dot(&d), a.t[1].dot(&d));
    let s = Vec2::new(a.t[0].dot(&b.n), a.t[1].dot(&b.n));
    let q = Matrix2::new(a.t[0].dot(&b.t[0]), a.t[0].dot(&b.t[1]), a.t[1].dot(&b.t[0]), a.t[1].dot(&b.t[1]));
    let det = q.determinant();
    if !(det.abs() > f64::EPSILON) {
        return None;
    }
    let back = inverse(&q, det);
    let (s_a, s_b) = (symmetric(&a.s), q * symmetric(&b.s) * back);
    let spread = Matrix2::identity() + s_a * h;
    let k = s_a * -c + s_b * spread;
    let rhs = s_b * r - s;

    let sharpness = a.sharpness() + b.sharpness();
    let (margin, descent) = judge(&s_a, &s_b, &spread, b, h, c);
    let det_k = k.determinant();
    let largest =
        (0.5 * (k.norm_squared() + (k.norm_squared().powi(2) - 4.0 * det_k * det_k).max(0.0).sqrt())).sqrt();
    let firmness = if largest > 0.0 { det_k.abs() / largest } else { 0.0 };
    let plain = margin > NOTHING * sharpness && firmness > 0.0;
    let along = if plain { inverse(&k, det_k) * rhs } else { descent.downhill(&rhs, sharpness) };
    let across = back * (spread * along - r);
    Some(Step {
        a: along,
        b: across,
        offset: r.norm(),
        turn: s.norm(),
        gap: h,
        margin,
        sharpness,
        firmness,
        plain,
    })
}

/// The symmetric part of W by eigenvalues and the first eigenvector.
struct Descent {
    values: [f64; 2],
    first: Vec2,
}

impl Descent {
    fn downhill(&self, rhs: &Vec2, sharpness: f64) -> Vec2 {
        let directions = [self.first, Vec2::new(-self.first.y, self.first.x)];
        let mut sum = Vec2::zeros();
        for (value, e) in self.values.iter().zip(directions) {
            if value.abs() > NOTHING * sharpness {
                sum += e * (e.dot(rhs) / value.abs());
            }
        }
        sum
    }
}

/// The margin, and W's eigenvalues; those of S_A + S̃ where a centre of curvature is in the way.
fn judge(
    s_a: &Matrix2<f64>,
    s_b: &Matrix2<f64>,
    spread: &Matrix2<f64>,
    b: &Osculation,
    h: f64,
    c: f64,
) -> (f64, Descent) {
    let is_positive = |m: &Matrix2<f64>| m.determinant() > 0.0 && m.trace() > 0.0;
    let spread_b = Matrix2::identity() + symmetric(&b.s) * h;
    let free = is_positive(spread) && is_positive(&spread_b);
    let bent = if free { s_a * inverse(spread, spread.determinant()) } else { *s_a };
    let w = bent * -c + s_b;
    let [l1, l2, x, y] = eigen2([w[(0, 0)], 0.5 * (w[(0, 1)] + w[(1, 0)]), w[(1, 1)]], None);
    let margin = if free { l2 } else { f64::NEG_INFINITY };
    (margin, Descent { values: [l1, l2], first: Vec2::new(x, y) })
}
