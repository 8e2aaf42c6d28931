//! Third derivatives of F. With k = γ₁/γ₂, A = ∣ξ∣^γ₂, B = ∣η∣^γ₂ the planar part is P = (A + B)^k, and in ρ, t, s
//!
//! ```text
//! P_ξξξ = ρ^(γ₁−3) [kkk t^(3γ₂−3) + 3 kk (γ₂−1) t^(2γ₂−3) + γ₁(γ₂−1)(γ₂−2) t^(γ₂−3)],
//! P_ξξη = ρ^(γ₁−3) [kkk t^(2γ₂−2) + kk (γ₂−1) t^(γ₂−2)] s^(γ₂−1),
//! kk = k(k−1)γ₂²,   kkk = k(k−1)(k−2)γ₂³,
//! ```
//!
//! up to the signs of ξ, of η, and likewise for η. A power of zero that is not above zero has no derivative.

use super::Superhyperboloid;
use crate::{Mat3, Vec3};

/// c x^e of a non-negative x; infinite or NaN where a negative power of zero has no derivative.
fn even(c: f64, x: f64, e: f64) -> f64 {
    if c == 0.0 { 0.0 } else { c * x.powf(e) }
}

/// The same, to be taken with the sign of a coordinate whose size is x: it jumps at zero where the power does not
/// vanish there.
fn odd(c: f64, x: f64, e: f64) -> f64 {
    if c != 0.0 && x == 0.0 && e <= 0.0 { f64::NAN } else { even(c, x, e) }
}

impl Superhyperboloid {
    /// The derivative of ∇²F(p) along `d`; none where a power has none.
    pub(super) fn third(&self, p: &Vec3, d: &Vec3) -> Option<Mat3> {
        let [g1, g2] = self.exponents;
        let ([rho, w], [t, s]) = self.polar(p);
        let k = g1 / g2;
        let (twice, thrice) = (k * (k - 1.0) * g2 * g2, k * (k - 1.0) * (k - 2.0) * g2.powi(3));
        // The derivatives of a quadratic form vanish, at the vertex too.
        let planar = |bracket: f64| odd(bracket, rho, g1 - 3.0);
        let pure = |t: f64| {
            let x = t.abs();
            let bracket = odd(thrice, x, 3.0 * g2 - 3.0)
                + odd(3.0 * twice * (g2 - 1.0), x, 2.0 * g2 - 3.0)
                + odd(g1 * (g2 - 1.0) * (g2 - 2.0), x, g2 - 3.0);
            planar(bracket) * 1f64.copysign(t)
        };
        let mixed = |t: f64, s: f64| {
            let x = t.abs();
            let bracket = even(thrice, x, 2.0 * g2 - 2.0) + even(twice * (g2 - 1.0), x, g2 - 2.0);
            planar(bracket * s.abs().powf(g2 - 1.0)) * 1f64.copysign(s)
        };
        let [a, b, c] = self.axes;
        let (x, y, z) = (d.x / a, d.y / b, d.z / c);
        let (xxy, xyy) = (mixed(t, s), mixed(s, t));
        let mut h = Mat3::zeros();
        h[(0, 0)] = (pure(t) * x + xxy * y) / (a * a);
        h[(1, 1)] = (pure(s) * y + xyy * x) / (b * b);
        h[(0, 1)] = (xxy * x + xyy * y) / (a * b);
        h[(1, 0)] = h[(0, 1)];
        h[(2, 2)] = -odd(g1 * (g1 - 1.0) * (g1 - 2.0), w, g1 - 3.0) * 1f64.copysign(p.z) * z / (c * c);
        h.iter().all(|x| x.is_finite()).then_some(h)
    }
}
