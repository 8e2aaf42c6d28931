//! The periodic cubic spline of period 2π: on the segment i, with t = φ − φᵢ, g = c₀ + c₁t + c₂t² + c₃t³.
//!
//! The second derivatives Mᵢ at the knots solve hᵢ₋₁Mᵢ₋₁ + 2(hᵢ₋₁ + hᵢ)Mᵢ + hᵢMᵢ₊₁ = 6(sᵢ − sᵢ₋₁), where h are the
//! spacings and s the slopes of the chords: tridiagonal but for two corners, which Sherman and Morrison's formula
//! takes care of. Then c₀ = gᵢ, c₁ = sᵢ − hᵢ(2Mᵢ + Mᵢ₊₁)/6, c₂ = Mᵢ/2, c₃ = (Mᵢ₊₁ − Mᵢ)/(6hᵢ).

use crate::quadrature::gauss_legendre;
use std::f64::consts::TAU;

/// A periodic cubic spline of period 2π.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PeriodicSpline {
    knots: Vec<f64>,
    /// Per segment c₀ … c₃.
    coefficients: Vec<[f64; 4]>,
}

impl PeriodicSpline {
    /// From values at knots that increase within one turn.
    pub(super) fn interpolate(knots: &[f64], values: &[f64]) -> Self {
        let n = knots.len();
        let spacing: Vec<f64> = (0..n).map(|i| width(knots, i)).collect();
        let slope: Vec<f64> = (0..n).map(|i| (values[(i + 1) % n] - values[i]) / spacing[i]).collect();
        let right: Vec<f64> = (0..n).map(|i| 6.0 * (slope[i] - slope[(i + n - 1) % n])).collect();
        Self::from_second_derivatives(knots, values, &cyclic_tridiagonal(&spacing, &right))
    }

    /// From values and second derivatives at the knots.
    pub(super) fn from_second_derivatives(knots: &[f64], values: &[f64], second: &[f64]) -> Self {
        let n = knots.len();
        let coefficients = (0..n)
            .map(|i| {
                let (h, j) = (width(knots, i), (i + 1) % n);
                let slope = (values[j] - values[i]) / h - h * (2.0 * second[i] + second[j]) / 6.0;
                [values[i], slope, 0.5 * second[i], (second[j] - second[i]) / (6.0 * h)]
            })
            .collect();
        Self { knots: knots.to_vec(), coefficients }
    }

    /// g, g′ and g″.
    pub(super) fn at(&self, phi: f64) -> [f64; 3] {
        let first = self.knots[0];
        let phi = first + (phi - first).rem_euclid(TAU);
        let i = self.knots.partition_point(|k| *k <= phi).max(1) - 1;
        self.at_segment(i, phi - self.knots[i])
    }

    fn at_segment(&self, i: usize, t: f64) -> [f64; 3] {
        let [c0, c1, c2, c3] = self.coefficients[i];
        [c0 + t * (c1 + t * (c2 + t * c3)), c1 + t * (2.0 * c2 + 3.0 * t * c3), 2.0 * c2 + 6.0 * t * c3]
    }

    /// The least and the greatest of g + g″, each with its angle; a NaN counts as the least.
    pub(super) fn radius_extremes(&self) -> ([f64; 2], [f64; 2]) {
        let (mut least, mut most) = ([f64::INFINITY, 0.0], [f64::NEG_INFINITY, 0.0]);
        for (i, [_, c1, c2, c3]) in self.coefficients.iter().copied().enumerate() {
            let h = width(&self.knots, i);
            let [x, y] = quadratic_roots(3.0 * c3, 2.0 * c2, c1 + 6.0 * c3);
            for t in [0.0, h, x, y] {
                if !(0.0..=h).contains(&t) {
                    continue;
                }
                let [g, _, bend] = self.at_segment(i, t);
                let (radius, angle) = (g + bend, self.knots[i] + t);
                if !(radius >= least[0]) {
                    least = [radius, angle];
                }
                if radius > most[0] {
                    most = [radius, angle];
                }
            }
        }
        (least, most)
    }

    /// ∫ f(g, g′, g″) over one turn; exact for f of degree two, which four Gauss nodes per segment integrate.
    pub(super) fn integral(&self, f: impl Fn([f64; 3]) -> f64) -> f64 {
        let rule = gauss_legendre(4);
        let mut sum = 0.0;
        for i in 0..self.knots.len() {
            let half = 0.5 * width(&self.knots, i);
            for (x, w) in &rule {
                sum += w * half * f(self.at_segment(i, half * (1.0 + x)));
            }
        }
        sum
    }
}

/// The width of segment i.
fn width(knots: &[f64], i: usize) -> f64 {
    knots.get(i + 1).copied().unwrap_or(knots[0] + TAU) - knots[i]
}

/// The real roots of a t² + b t + c, NaN where there are none; the one is c/(a × the other), so that none cancels.
fn quadratic_roots(a: f64, b: f64, c: f64) -> [f64; 2] {
    let q = -0.5 * (b + (b * b - 4.0 * a * c).sqrt().copysign(b));
    [q / a, c / q]
}

/// Solves h₋Mᵢ₋₁ + 2(h₋ + h)Mᵢ + hMᵢ₊₁ = rᵢ, indices modulo the number of equations.
fn cyclic_tridiagonal(h: &[f64], r: &[f64]) -> Vec<f64> {
    let n = h.len();
    let corner = h[n - 1];
    let diagonal: Vec<f64> = (0..n).map(|i| 2.0 * (h[(i + n - 1) % n] + h[i])).collect();
    // The matrix is T + u vᵀ/γ with u = (γ, 0 … 0, corner), v = (γ, 0 … 0, corner), γ = −corner: T stays dominant.
    let gamma = -corner;
    let mut bare = diagonal.clone();
    bare[0] -= gamma;
    bare[n - 1] -= corner * corner / gamma;
    let mut u = vec![0.0; n];
    (u[0], u[n - 1]) = (gamma, corner);
    let (x, z) = (tridiagonal(&bare, h, r), tridiagonal(&bare, h, &u));
    let project = |y: &[f64]| y[0] + corner * y[n - 1] / gamma;
    let factor = project(&x) / (1.0 + project(&z));
    (0..n).map(|i| x[i] - factor * z[i]).collect()
}

/// Solves the symmetric tridiagonal system with `side[i]` between the rows i and i + 1.
fn tridiagonal(diagonal: &[f64], side: &[f64], right: &[f64]) -> Vec<f64> {
    let n = diagonal.len();
    let (mut d, mut x) = (diagonal.to_vec(), right.to_vec());
    for i in 1..n {
        let w = side[i - 1] / d[i - 1];
        d[i] -= w * side[i - 1];
        x[i] -= w * x[i - 1];
    }
    x[n - 1] /= d[n - 1];
    for i in (0..n - 1).rev() {
        x[i] = (x[i] - side[i] * x[i + 1]) / d[i];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spline_passes_through_its_values_with_two_continuous_derivatives() {
        let knots: Vec<f64> = (0..13).map(|i| 0.48 * f64::from(i) + 0.2 * f64::from(i).sin() - 1.0).collect();
        let values: Vec<f64> = knots.iter().map(|k| 1.0 + 0.3 * (2.0 * k).cos() + 0.1 * k.sin()).collect();
        let spline = PeriodicSpline::interpolate(&knots, &values);
        for i in 0..13 {
            assert!((spline.at(knots[i])[0] - values[i]).abs() < 1e-14);
            let (end, start) = (spline.at_segment(i, width(&knots, i)), spline.at_segment((i + 1) % 13, 0.0));
            for k in 0..3 {
                assert!((end[k] - start[k]).abs() < 1e-13, "knot {i}, derivative {k}");
            }
        }
    }

    #[test]
    fn quadratic_roots_are_found_for_every_sign_of_the_coefficients() {
        for [x, y] in [[2.0, 3.0], [-2.0, 5.0], [-4.0, -0.5], [1e-9, 1e9]] {
            for a in [1.0, -3.0] {
                let mut found = quadratic_roots(a, -a * (x + y), a * x * y);
                found.sort_by(f64::total_cmp);
                assert!((found[0] / x - 1.0).abs() < 1e-14 && (found[1] / y - 1.0).abs() < 1e-14);
            }
        }
        assert_eq!(quadratic_roots(0.0, 2.0, -6.0).iter().filter(|t| **t == 3.0).count(), 1);
        assert!(quadratic_roots(1.0, 0.0, 1.0).iter().all(|t| t.is_nan()));
    }
}
