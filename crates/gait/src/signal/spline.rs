//! Interpolating B-splines of degree one, three or five.
//!
//! s(x) = Σ c_j B_j(x) with s(x_i) = y_i. The knots are the samples x_{(p+1)/2} … x_{n−1−(p+1)/2} and p + 1 times
//! each end ("not a knot"): as many coefficients as samples, and polynomials up to degree p are reproduced. The
//! matrix B_j(x_i) is totally positive with p non-zero entries to either side, so elimination without pivots is
//! stable (de Boor, A Practical Guide to Splines, chapter XIII). Values and derivatives by de Boor's algorithm;
//! derivatives of coefficients: c'_j = p (c_j − c_{j−1})/(t_{j+p} − t_j).

use crate::error::{GaitError, Result};

/// A spline through samples.
#[derive(Debug, Clone)]
pub struct Spline {
    degree: usize,
    knots: Vec<f64>,
    /// Coefficients of the spline and of its derivatives up to its degree.
    coefficients: Vec<Vec<f64>>,
}

impl Spline {
    /// Through samples of `rate_hz` that begin at `start`. Degree 1, 3 or 5, lowered where there are too few samples.
    pub fn uniform(start: f64, rate_hz: f64, values: &[f64], degree: usize) -> Result<Self> {
        if !(rate_hz > 0.0 && rate_hz.is_finite()) {
            return Err(GaitError::out_of_range("rate_hz", rate_hz, "above zero"));
        }
        let times: Vec<f64> = (0..values.len()).map(|i| start + i as f64 / rate_hz).collect();
        Self::through(&times, values, degree)
    }

    /// Through `values` at increasing `times`.
    pub fn through(times: &[f64], values: &[f64], degree: usize) -> Result<Self> {
        if !matches!(degree, 1 | 3 | 5) {
            return Err(GaitError::out_of_range("degree", degree as f64, "1, 3 or 5"));
        }
        let n = values.len();
        if n < 2 || times.len() != n {
            return Err(GaitError::out_of_range("samples", n as f64, "two or more, a time for each"));
        }
        if let Some(bad) = times.iter().chain(values).find(|v| !v.is_finite()) {
            return Err(GaitError::out_of_range("samples", *bad, "finite"));
        }
        if let Some(pair) = times.windows(2).find(|pair| !(pair[1] > pair[0])) {
            return Err(GaitError::out_of_range("times", pair[1], "increasing"));
        }
        let mut p = degree;
        while p + 1 > n {
            p -= if p == 1 { 0 } else { 2 };
        }
        let mut knots = vec![times[0]; p + 1];
        knots.extend_from_slice(&times[p.div_ceil(2)..n - p.div_ceil(2)]);
        knots.extend(std::iter::repeat_n(times[n - 1], p + 1));
        let mut spline = Self { degree: p, knots, coefficients: Vec::new() };
        let first = spline.solve(times, values);
        spline.coefficients.push(first);
        for k in 1..=p {
            spline.coefficients.push(spline.derived(k));
        }
        Ok(spline)
    }

    /// The value at a time; outside of the samples the one at the nearer end.
    pub fn value(&self, time: f64) -> f64 {
        self.derivative(time, 0)
    }

    /// A derivative at a time, zero above the degree; outside of the samples that at the nearer end.
    pub fn derivative(&self, time: f64, order: usize) -> f64 {
        let Some(coefficients) = self.coefficients.get(order) else { return 0.0 };
        let p = self.degree;
        let last = self.knots[self.knots.len() - 1];
        let x = time.clamp(self.knots[0], last);
        let span = self.span(x);
        // The derivative has degree p − order, on the knots without `order` at either end.
        let q = p - order;
        let knots = &self.knots[order..self.knots.len() - order];
        let span = span - order;
        let mut d: [f64; 6] = [0.0; 6];
        d[..=q].copy_from_slice(&coefficients[span - q..=span]);
        for r in 1..=q {
            for j in (r..=q).rev() {
                let i = span - q + j;
                let w = (x - knots[i]) / (knots[i + q + 1 - r] - knots[i]);
                d[j] = (1.0 - w) * d[j - 1] + w * d[j];
            }
        }
        d[q]
    }

    /// The interval of knots with x, t_k ≤ x < t_{k+1}, the last one closed.
    fn span(&self, x: f64) -> usize {
        let p = self.degree;
        let above = self.knots.partition_point(|t| *t <= x);
        above.clamp(p + 1, self.knots.len() - p - 1) - 1
    }

    /// The coefficients of derivative k from those of derivative k − 1.
    fn derived(&self, k: usize) -> Vec<f64> {
        let q = self.degree + 1 - k;
        let knots = &self.knots[k - 1..self.knots.len() + 1 - k];
        let c = &self.coefficients[k - 1];
        (1..c.len()).map(|j| q as f64 * (c[j] - c[j - 1]) / (knots[j + q] - knots[j])).collect()
    }

    /// The values of the p + 1 B-splines that are not zero at x, by the recursion of Cox and de Boor.
    fn basis(&self, x: f64, span: usize) -> [f64; 6] {
        let mut b = [0.0; 6];
        b[0] = 1.0;
        for r in 1..=self.degree {
            let mut carried = 0.0;
            for j in 0..r {
                let (left, right) = (self.knots[span + 1 + j - r], self.knots[span + 1 + j]);
                let share = b[j] / (right - left);
                b[j] = carried + (right - x) * share;
                carried = (x - left) * share;
            }
            b[r] = carried;
        }
        b
    }

    /// Solves the banded system: row i has its entries in columns i − p … i + p.
    fn solve(&self, times: &[f64], values: &[f64]) -> Vec<f64> {
        let (p, n) = (self.degree, values.len());
        let width = 2 * p + 1;
        let mut band = vec![0.0; n * width];
        for (i, x) in times.iter().enumerate() {
            let span = self.span(*x);
            let basis = self.basis(*x, span);
            for j in 0..=p {
                let column = span - p + j;
                // A column outside of the band has a zero there.
                if let Some(at) = (column + p).checked_sub(i).filter(|at| *at < width) {
                    band[i * width + at] = basis[j];
                }
            }
        }
        let mut c = values.to_vec();
        for k in 0..n {
            let pivot = band[k * width + p];
            for i in k + 1..(k + p + 1).min(n) {
                let factor = band[i * width + p + k - i] / pivot;
                if factor != 0.0 {
                    for column in k + 1..(k + p + 1).min(n) {
                        band[i * width + p + column - i] -= factor * band[k * width + p + column - k];
                    }
                    c[i] -= factor * c[k];
                }
            }
        }
        for k in (0..n).rev() {
            for column in k + 1..(k + p + 1).min(n) {
                c[k] -= band[k * width + p + column - k] * c[column];
            }
            c[k] /= band[k * width + p];
        }
        c
    }
}
