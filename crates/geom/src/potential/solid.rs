//! Solid harmonics in Cartesian coordinates, and the derivatives of their series.
//!
//! With m ≥ 0 and no Condon–Shortley phase, R_l^m = r^l P_l^m(cos θ) e^{imφ}/(l + m)! = C_lm + i S_lm obeys
//!
//! > R_m^m = (x + iy) R_{m−1}^{m−1}/(2m),
//! > (l + 1 − m)(l + 1 + m) R_{l+1}^m = (2l + 1) z R_l^m − r² R_{l−1}^m,
//!
//! polynomials in x, y, z without poles; and its derivatives are solid harmonics again,
//!
//! > ∂_z R_l^m = R_{l−1}^m, (∂_x + i∂_y) R_l^m = −R_{l−1}^{m+1}, (∂_x − i∂_y) R_l^m = R_{l−1}^{m−1} (m ≥ 1)
//!
//! (Hobson, Spherical and Ellipsoidal Harmonics, §85 and §88; normalised as in Epton and Dembart,
//! SIAM J. Sci. Comput. 16 (1995), 865). A series is differentiated by moving its coefficients, once, when it is
//! made. C_lm is kept at l² + l + m, S_lm at l² + l − m.

use crate::taylor::Taylor;
use std::ops::{Add, Mul, Sub};

/// What the recurrences are run in: numbers, or series in two parameters.
pub(super) trait Scalar:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Mul<f64, Output = Self>
{
    fn constant(value: f64) -> Self;
}

impl Scalar for f64 {
    fn constant(value: f64) -> Self {
        value
    }
}

impl Scalar for Taylor {
    fn constant(value: f64) -> Self {
        Self::constant(value)
    }
}

/// Where the coefficient of degree l, order m is kept.
pub(super) fn index(l: usize, m: isize) -> usize {
    (l * l + l).wrapping_add_signed(m)
}

/// Calls `visit(index, value)` for every solid harmonic up to `degree` at the point `e` of the unit sphere.
#[inline(always)]
pub(super) fn walk<S: Scalar>(degree: usize, e: &[S; 3], mut visit: impl FnMut(usize, S)) {
    let [x, y, z] = *e;
    let (mut re, mut im) = (S::constant(1.0), S::constant(0.0));
    for m in 0..=degree {
        if m > 0 {
            let shrink = 0.5 / m as f64;
            (re, im) = ((re * x - im * y) * shrink, (re * y + im * x) * shrink);
        }
        let (mut q, mut before) = (S::constant(1.0), S::constant(0.0));
        for l in m..=degree {
            if m == 0 {
                visit(index(l, 0), q);
            } else {
                visit(index(l, m as isize), q * re);
                visit(index(l, -(m as isize)), q * im);
            }
            let inverse = 1.0 / (((l + 1 - m) * (l + 1 + m)) as f64);
            (q, before) = (z * q * ((2 * l + 1) as f64 * inverse) - before * inverse, q);
        }
    }
}

/// Coefficients of the derivative of a series along axis 0, 1 or 2.
pub(super) fn derivative(degree: usize, a: &[f64], axis: usize) -> Vec<f64> {
    let mut out = vec![0.0; a.len()];
    for l in 1..=degree {
        let below = l - 1;
        // Adds `value` times C (sign +1) or S (sign −1) of degree l − 1, order m, where that exists.
        let mut put = |m: usize, sign: isize, value: f64| {
            if m <= below && (m > 0 || sign > 0) {
                out[index(below, sign * m as isize)] += value;
            }
        };
        let zero = a[index(l, 0)];
        match axis {
            0 => put(1, 1, -zero),
            1 => put(1, -1, -zero),
            _ => put(0, 1, zero),
        }
        for m in 1..=l {
            let (c, s) = (a[index(l, m as isize)], a[index(l, -(m as isize))]);
            match axis {
                0 => {
                    put(m - 1, 1, 0.5 * c);
                    put(m + 1, 1, -0.5 * c);
                    put(m - 1, -1, 0.5 * s);
                    put(m + 1, -1, -0.5 * s);
                }
                1 => {
                    put(m - 1, -1, -0.5 * c);
                    put(m + 1, -1, -0.5 * c);
                    put(m - 1, 1, 0.5 * s);
                    put(m + 1, 1, 0.5 * s);
                }
                _ => {
                    put(m, 1, c);
                    put(m, -1, s);
                }
            }
        }
    }
    out
}

/// What turns C_lm and S_lm into the orthonormal real harmonics on the unit sphere:
/// √((2 − δ_m0)(2l + 1)(l − m)!(l + m)!/4π).
pub(super) fn norm(l: usize, m: usize) -> f64 {
    let factorial = |n: usize| (1..=n).fold(1.0, |product, k| product * k as f64);
    let twice = if m == 0 { 1.0 } else { 2.0 };
    let solid = twice * (2 * l + 1) as f64 / (4.0 * std::f64::consts::PI);
    (solid * factorial(l - m)).sqrt() * factorial(l + m).sqrt()
}
