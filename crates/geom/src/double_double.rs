//! Sums of two doubles that do not overlap: 106 bits, for the few places where the rounding of a double is too much.
//!
//! By Knuth's sum and the fused product, which give a sum and a product of doubles together with what rounding took
//! from them (Dekker 1971, Shewchuk 1997). A sum or product of double doubles is right to about 2⁻¹⁰² of its greatest
//! term.

use crate::Vec3;
use std::ops::{Add, Mul, Neg, Sub};

/// a + b, rounded, and what rounding took from it.
pub fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// a·b, rounded, and what rounding took from it.
pub fn two_product(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    (p, a.mul_add(b, -p))
}

/// A sum of two doubles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DoubleDouble {
    high: f64,
    low: f64,
}

impl DoubleDouble {
    /// The nearest double.
    pub fn value(self) -> f64 {
        self.high
    }

    /// Both doubles, whose sum it is; the first is the nearest double.
    pub fn parts(self) -> [f64; 2] {
        [self.high, self.low]
    }

    /// a − b without error.
    pub fn difference(a: f64, b: f64) -> Self {
        let (high, low) = two_sum(a, -b);
        Self { high, low }
    }

    /// The square root of a positive number, by Newton's step from the root of the nearest double.
    pub fn sqrt(self) -> Self {
        let root = self.high.sqrt();
        let (square, error) = two_product(root, root);
        let rest = self - Self { high: square, low: error };
        let (high, low) = two_sum(root, rest.high / (2.0 * root));
        Self { high, low }
    }

    /// The cube root of a number that is not zero, by Newton's step from the root of the nearest double.
    pub fn cbrt(self) -> Self {
        let root = Self::from(self.high.cbrt());
        let rest = self - root * root * root;
        root + Self::from(rest.high / (3.0 * root.high * root.high))
    }

    /// The quotient.
    pub fn over(self, b: Self) -> Self {
        let q = Self::from(self.high / b.high);
        let rest = self - q * b;
        q + Self::from(rest.high / b.high)
    }
}

impl From<f64> for DoubleDouble {
    fn from(x: f64) -> Self {
        Self { high: x, low: 0.0 }
    }
}

impl Add for DoubleDouble {
    type Output = Self;

    fn add(self, b: Self) -> Self {
        let (s, e) = two_sum(self.high, b.high);
        let (t, f) = two_sum(self.low, b.low);
        let (s, e) = two_sum(s, e + t);
        let (high, low) = two_sum(s, e + f);
        Self { high, low }
    }
}

impl Neg for DoubleDouble {
    type Output = Self;

    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Sub for DoubleDouble {
    type Output = Self;

    fn sub(self, b: Self) -> Self {
        self + -b
    }
}

impl Mul for DoubleDouble {
    type Output = Self;

    fn mul(self, b: Self) -> Self {
        let (p, e) = two_product(self.high, b.high);
        let (high, low) = two_sum(p, e + (self.high * b.low + self.low * b.high));
        Self { high, low }
    }
}

/// a·b of vectors.
pub fn dot(a: &[DoubleDouble; 3], b: &[DoubleDouble; 3]) -> DoubleDouble {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A vector of doubles.
pub fn vector(v: &Vec3) -> [DoubleDouble; 3] {
    [v.x, v.y, v.z].map(DoubleDouble::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rounding_takes_from_a_sum_or_a_product_is_kept() {
        let third = DoubleDouble::from(1.0).over(DoubleDouble::from(3.0));
        let rest = third * DoubleDouble::from(3.0) - DoubleDouble::from(1.0);
        assert!(rest.value().abs() < 1e-31, "{rest:?}");
        let root = DoubleDouble::from(2.0).sqrt();
        let rest = root * root - DoubleDouble::from(2.0);
        assert!(rest.value().abs() < 1e-31, "{rest:?}");
        for x in [2.0, -0.3, 1e-7] {
            let root = DoubleDouble::from(x).cbrt();
            let rest = root * root * root - DoubleDouble::from(x);
            assert!(rest.value().abs() < 1e-30 * f64::abs(x), "{rest:?}");
            let [high, low] = root.parts();
            assert!(high == root.value() && low.abs() <= f64::EPSILON * high.abs());
        }
        let sum = DoubleDouble::from(1e16) + DoubleDouble::from(1.0) - DoubleDouble::from(1e16);
        assert_eq!(sum.value(), 1.0);
        let (a, b) = (1.0 + 2.0f64.powi(-30), 1.0 - 2.0f64.powi(-30));
        let product = DoubleDouble::from(a) * DoubleDouble::from(b) - DoubleDouble::from(1.0);
        assert_eq!(product.value(), -2.0f64.powi(-60));
        assert_eq!(DoubleDouble::difference(1e20, 1.0).value(), 1e20);
        let [x, y] = [Vec3::new(1e20, 1.0, -1e20), Vec3::new(1.0, 1.0, 1.0)].map(|v| vector(&v));
        assert_eq!(dot(&x, &y).value(), 1.0);
    }
}
