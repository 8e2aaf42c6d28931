//! Truncated Taylor series in two variables, to third order: how parametric surfaces get their derivatives.
//!
//! A `Taylor` holds f and its partial derivatives divided by the factorials, c_ij = f_{u^i v^j}/(i! j!), for
//! i + j ≤ 3. Products multiply the polynomials; a function φ of a series is
//! φ(c₀₀ + w) = φ + φ′w + φ″w²/2 + φ‴w³/6. Exact up to rounding: no differences anywhere.

use crate::Vec3;
use crate::surface::ParametricJet;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Exponents (i, j) of u and v in the order in which the coefficients are kept.
const EXPONENTS: [(usize, usize); 10] =
    [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3)];

/// Where the coefficient of u^i v^j is kept.
const fn index(i: usize, j: usize) -> usize {
    let order = i + j;
    order * (order + 1) / 2 + j
}

/// The coefficients of two series whose product is of third order or less, and that to which it is added.
const PRODUCTS: [[usize; 3]; 35] = {
    let (mut all, mut count, mut a) = ([[0; 3]; 35], 0, 0);
    while a < 10 {
        let mut b = 0;
        while b < 10 {
            let ((i, j), (k, l)) = (EXPONENTS[a], EXPONENTS[b]);
            if i + j + k + l <= 3 {
                all[count] = [a, b, index(i + k, j + l)];
                count += 1;
            }
            b += 1;
        }
        a += 1;
    }
    all
};

/// A function of (u, v) to third order about a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Taylor {
    c: [f64; 10],
}

impl Taylor {
    /// A constant.
    pub fn constant(value: f64) -> Self {
        let mut c = [0.0; 10];
        c[0] = value;
        Self { c }
    }

    /// The first variable at `u`.
    pub fn u(u: f64) -> Self {
        let mut s = Self::constant(u);
        s.c[1] = 1.0;
        s
    }

    /// The second variable at `v`.
    pub fn v(v: f64) -> Self {
        let mut s = Self::constant(v);
        s.c[2] = 1.0;
        s
    }

    /// The function's value.
    pub fn value(&self) -> f64 {
        self.c[0]
    }

    /// The partial derivative ∂^(i+j)/∂u^i∂v^j, i + j ≤ 3.
    pub fn derivative(&self, i: usize, j: usize) -> f64 {
        const FACTORIAL: [f64; 4] = [1.0, 1.0, 2.0, 6.0];
        self.c[index(i, j)] * FACTORIAL[i] * FACTORIAL[j]
    }

    /// The series of the coefficients' moduli.
    pub(crate) fn moduli(&self) -> Self {
        Self { c: self.c.map(f64::abs) }
    }

    /// φ of this series, from φ, φ′, φ″, φ‴ at its value.
    pub fn compose(&self, [f0, f1, f2, f3]: [f64; 4]) -> Self {
        let mut w = *self;
        w.c[0] = 0.0;
        let w2 = w * w;
        let w3 = w2 * w;
        let mut out = Self::constant(f0);
        for k in 1..10 {
            out.c[k] = f1 * w.c[k];
            // Only where the power has a term: an infinite derivative must not spoil the others by 0·∞.
            if w2.c[k] != 0.0 {
                out.c[k] += 0.5 * f2 * w2.c[k];
            }
            if w3.c[k] != 0.0 {
                out.c[k] += f3 / 6.0 * w3.c[k];
            }
        }
        out
    }

    /// Sine.
    pub fn sin(&self) -> Self {
        let (s, c) = self.c[0].sin_cos();
        self.compose([s, c, -s, -c])
    }

    /// Cosine.
    pub fn cos(&self) -> Self {
        let (s, c) = self.c[0].sin_cos();
        self.compose([c, -s, -c, s])
    }

    /// Square root.
    pub fn sqrt(&self) -> Self {
        let r = self.c[0].sqrt();
        let x = self.c[0];
        self.compose([r, 0.5 / r, -0.25 / (r * x), 0.375 / (r * x * x)])
    }

    /// Reciprocal.
    pub fn recip(&self) -> Self {
        let r = 1.0 / self.c[0];
        let r2 = r * r;
        self.compose([r, -r2, 2.0 * r2 * r, -6.0 * r2 * r2])
    }

    /// The power of a positive base.
    pub fn powf(&self, p: f64) -> Self {
        let x = self.c[0];
        self.compose([
            x.powf(p),
            p * x.powf(p - 1.0),
            p * (p - 1.0) * x.powf(p - 2.0),
            p * (p - 1.0) * (p - 2.0) * x.powf(p - 3.0),
        ])
    }

    /// |x|^p. At x = 0 a derivative of even order above p is +∞; one of odd order, whose one-sided limits are
    /// opposite, is given as their mean, zero.
    pub fn abs_powf(&self, p: f64) -> Self {
        let x = self.c[0];
        let (a, sign) = (x.abs(), 1f64.copysign(x));
        let (c1, c2) = (p, p * (p - 1.0));
        let c3 = c2 * (p - 2.0);
        let odd = |c: f64, e: f64| if c == 0.0 || a == 0.0 { 0.0 } else { sign * c * a.powf(e) };
        let even = |c: f64, e: f64| if c == 0.0 { 0.0 } else { c * a.powf(e) };
        self.compose([a.powf(p), odd(c1, p - 1.0), even(c2, p - 2.0), odd(c3, p - 3.0)])
    }
}

impl Add for Taylor {
    type Output = Self;
    fn add(self, rhs: Self) -> Self {
        Self { c: std::array::from_fn(|k| self.c[k] + rhs.c[k]) }
    }
}

impl Sub for Taylor {
    type Output = Self;
    fn sub(self, rhs: Self) -> Self {
        Self { c: std::array::from_fn(|k| self.c[k] - rhs.c[k]) }
    }
}

impl Neg for Taylor {
    type Output = Self;
    fn neg(self) -> Self {
        Self { c: self.c.map(|x| -x) }
    }
}

impl Mul for Taylor {
    type Output = Self;
    fn mul(self, rhs: Self) -> Self {
        let mut c = [0.0; 10];
        for [a, b, sum] in PRODUCTS {
            // A missing term times an infinite one is missing.
            if self.c[a] != 0.0 && rhs.c[b] != 0.0 {
                c[sum] += self.c[a] * rhs.c[b];
            }
        }
        Self { c }
    }
}

impl Mul<f64> for Taylor {
    type Output = Self;
    fn mul(self, rhs: f64) -> Self {
        Self { c: self.c.map(|x| x * rhs) }
    }
}

impl Add<f64> for Taylor {
    type Output = Self;
    fn add(mut self, rhs: f64) -> Self {
        self.c[0] += rhs;
        self
    }
}

impl Div for Taylor {
    type Output = Self;
    // A quotient of series is the product with the reciprocal series.
    #[expect(clippy::suspicious_arithmetic_impl)]
    fn div(self, rhs: Self) -> Self {
        self * rhs.recip()
    }
}

/// Three coordinate series as the jet of a surface.
pub fn jet([x, y, z]: [Taylor; 3]) -> ParametricJet {
    let d = |i, j| Vec3::new(x.derivative(i, j), y.derivative(i, j), z.derivative(i, j));
    ParametricJet {
        p: d(0, 0),
        du: d(1, 0),
        dv: d(0, 1),
        duu: d(2, 0),
        duv: d(1, 1),
        dvv: d(0, 2),
        duuu: d(3, 0),
        duuv: d(2, 1),
        duvv: d(1, 2),
        dvvv: d(0, 3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_of_a_known_function_come_out_exactly() {
        // f = u³v²/(1+v) · sin(u): compare with a hand-written expansion at (0.7, 0.4).
        let (u0, v0) = (0.7, 0.4);
        let (u, v) = (Taylor::u(u0), Taylor::v(v0));
        let f = u.sin() * (v + 1.0).recip() * v * v;
        // g(v) = v²/(1+v): g' = (v²+2v)/(1+v)², g'' = 2/(1+v)³, g''' = −6/(1+v)⁴.
        let w = 1.0 + v0;
        let g = [v0 * v0 / w, (v0 * v0 + 2.0 * v0) / (w * w), 2.0 / w.powi(3), -6.0 / w.powi(4)];
        let s = [u0.sin(), u0.cos(), -u0.sin(), -u0.cos()];
        for i in 0..4 {
            for j in 0..4 - i {
                assert!((f.derivative(i, j) - s[i] * g[j]).abs() < 1e-14, "{i} {j}");
            }
        }
    }

    #[test]
    fn powers_and_roots_invert_each_other() {
        let x = Taylor::u(1.3) * Taylor::v(0.6) + Taylor::v(0.6) * 2.0;
        let back = x.sqrt() * x.sqrt() - x;
        let pow = x.powf(2.7).powf(1.0 / 2.7) - x;
        let abs = (-x).abs_powf(2.7) - x.powf(2.7);
        for k in 0..10 {
            assert!(back.c[k].abs() < 1e-14 && pow.c[k].abs() < 1e-13 && abs.c[k].abs() < 1e-13);
        }
    }
}
