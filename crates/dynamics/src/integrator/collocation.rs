//! The stages of Radau IIA of order 5, from a simplified Newton iteration in transformed variables.
//!
//! The stages are g_i = y₀ + z_i with z_i = h Σⱼ aᵢⱼ f(t₀ + cⱼ h, y₀ + zⱼ), i, j = 1, 2, 3, and y₁ = y₀ + z₃. A⁻¹ has
//! one real eigenvalue γ and a pair α ± iβ; with T⁻¹ A⁻¹ T = (γ; α −β; β α) and z = T w the iteration falls apart into
//!
//! - (γ/h I − J) Δw₁ = (T⁻¹ F)₁ − γ/h w₁,
//! - ((α + iβ)/h I − J) (Δw₂ + i Δw₃) = (T⁻¹ F)₂ + i (T⁻¹ F)₃ − (α + iβ)/h (w₂ + i w₃),
//!
//! a real system and a complex one of n equations each in place of a real one of 3n. The iteration stops when
//! θ/(1 − θ) ‖Δw‖ ≤ κ with the rate of convergence θ = ‖Δw‖/‖Δw‖_old, and gives up as soon as that cannot be reached in
//! [`MOST`] iterations.
//!
//! | symbol | here | unit |
//! |---|---|---|
//! | J | `jacobian` | 1/s |
//! | z, w | `z`, `w` | that of y |
//! | T⁻¹ F | `f` | that of ẏ |
//! | κ | `target` | 1, in units of the tolerance |
//! | θ | `contraction` | 1 |
//!
//! Source: Hairer, Wanner, Solving Ordinary Differential Equations II (2nd edition), section IV.8, eqs. 8.1 to 8.14,
//! and the numbers of their program RADAU5.

use rattleback_geom::elementary;
use rattleback_geom::nalgebra::{Complex, DMatrix};

use super::linear::Factors;
use super::progress::all_finite;
use super::{Equations, Statistics};
use crate::{DynamicsError, Result};

/// Newton iterations at most (the program's NIT).
pub(super) const MOST: usize = 7;

/// c₁ = (4 − √6)/10, c₂ = (4 + √6)/10, c₃ = 1.
pub(super) const NODES: [f64; 3] = [0.155_051_025_721_682_2, 0.644_948_974_278_317_8, 1.0];

/// γ = 3 + 3^(2/3) − 3^(1/3), α = 3 − (3^(2/3) − 3^(1/3))/2, β = (3^(5/6) + 3^(7/6))/2.
pub(super) const GAMMA: f64 = 3.637_834_252_744_496;
const ALPHA: f64 = 2.681_082_873_627_752_3;
const BETA: f64 = 3.050_430_199_247_410_5;

/// T.
const OUT: [[f64; 3]; 3] = [
    [0.091_232_394_870_892_95, -0.141_255_295_020_954_2, -0.030_029_194_105_147_424],
    [0.241_717_932_707_107, 0.204_129_352_293_799_94, 0.382_942_112_757_261_9],
    [0.966_048_182_615_093, 1.0, 0.0],
];

/// T⁻¹.
const IN: [[f64; 3]; 3] = [
    [4.325_579_890_063_155, 0.339_199_251_815_809_84, 0.541_770_539_935_874_9],
    [-4.178_718_591_551_905, -0.327_682_820_761_062_37, 0.476_623_554_500_550_44],
    [-0.502_872_634_945_786_8, 2.571_926_949_855_605, -0.596_039_204_828_224_9],
];

/// How an iteration ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Newton {
    /// The stages are known.
    Converged {
        /// Iterations spent.
        iterations: usize,
    },
    /// It would take too long; a step shorter by `factor` promises to make it.
    Slow {
        /// Of the step.
        factor: f64,
    },
    /// It does not converge, or met something that is not finite.
    Failed {
        /// Whether all was finite.
        finite: bool,
    },
}

/// The equations of one step and their solution.
#[derive(Debug, Clone)]
pub(super) struct Collocation {
    /// zᵢ.
    pub z: [Vec<f64>; 3],
    /// The tolerance of each component.
    pub scale: Vec<f64>,
    /// κ.
    pub target: f64,
    /// θ of the last iteration; zero where one iteration was enough.
    pub contraction: f64,
    /// θ/(1 − θ) as the last step left it.
    pub remainder: f64,
    w: [Vec<f64>; 3],
    f: [Vec<f64>; 3],
    point: Vec<f64>,
    pair: Vec<Complex<f64>>,
    jacobian: DMatrix<f64>,
    real: Factors<f64>,
    complex: Factors<Complex<f64>>,
    /// The step for which the factors hold.
    factorised: Option<f64>,
}

impl Collocation {
    pub fn new(n: usize, target: f64) -> Self {
        let three = || [vec![0.0; n], vec![0.0; n], vec![0.0; n]];
        Self {
            z: three(),
            scale: vec![1.0; n],
            target,
            contraction: 0.0,
            remainder: 1.0,
            w: three(),
            f: three(),
            point: vec![0.0; n],
            pair: vec![Complex::new(0.0, 0.0); n],
            jacobian: DMatrix::zeros(n, n),
            real: Factors::new(n),
            complex: Factors::new(n),
            factorised: None,
        }
    }

    /// Evaluates J.
    pub fn linearise(
        &mut self,
        equations: &mut dyn Equations,
        t: f64,
        y: &[f64],
        statistics: &mut Statistics,
    ) -> Result<()> {
        self.factorised = None;
        statistics.jacobians += 1;
        equations.jacobian(t, y, &mut self.jacobian)?;
        if !all_finite(self.jacobian.as_slice()) {
            return Err(DynamicsError::NotFinite { time: t, what: "the Jacobian" });
        }
        Ok(())
    }

    /// Makes the factors hold for a step `h`; `false` if a system is singular.
    pub fn factorise(&mut self, h: f64, statistics: &mut Statistics) -> bool {
        if self.factorised == Some(h) {
            return true;
        }
        statistics.factorisations += 1;
        for (real, j) in self.real.matrix.iter_mut().zip(self.jacobian.iter()) {
            *real = -j;
        }
        for (complex, j) in self.complex.matrix.iter_mut().zip(self.jacobian.iter()) {
            *complex = Complex::new(-j, 0.0);
        }
        for i in 0..self.scale.len() {
            self.real.matrix[(i, i)] += GAMMA / h;
            self.complex.matrix[(i, i)] += Complex::new(ALPHA / h, BETA / h);
        }
        let regular = self.real.factorise() && self.complex.factorise();
        self.factorised = regular.then_some(h);
        regular
    }

    /// Iterates from the z that are there; `t`, `y` is the start of the step and `end` its end.
    pub fn solve(
        &mut self,
        equations: &mut dyn Equations,
        (t, y): (f64, &[f64]),
        (h, end): (f64, f64),
        statistics: &mut Statistics,
    ) -> Result<Newton> {
        transform(&IN, &self.z, &mut self.w);
        // The remainder of the last step stands in for a rate of convergence that one iteration does not show.
        self.remainder = power(self.remainder.max(f64::EPSILON), 0.8);
        self.contraction = 0.0;
        let (mut last, mut last_ratio) = (f64::NAN, f64::NAN);
        for iteration in 1..=MOST {
            for i in 0..3 {
                for k in 0..y.len() {
                    self.point[k] = y[k] + self.z[i][k];
                }
                statistics.evaluations += 1;
                let time = if i == 2 { end } else { t + NODES[i] * h };
                equations.rate(time, &self.point, &mut self.f[i])?;
            }
            let size = self.correct(h);
            if !size.is_finite() {
                return Ok(Newton::Failed { finite: false });
            }
            if iteration > 1 {
                let ratio = size / last;
                self.contraction = if iteration == 2 { ratio } else { (ratio * last_ratio).sqrt() };
                last_ratio = ratio;
                if self.contraction >= 0.99 {
                    return Ok(Newton::Failed { finite: true });
                }
                self.remainder = self.contraction / (1.0 - self.contraction);
                let left = MOST - iteration;
                let expected = self.remainder * size * self.contraction.powi(left as i32) / self.target;
                if expected >= 1.0 && iteration < MOST {
                    let factor = 0.8 * power(expected.clamp(1e-4, 20.0), -1.0 / (4 + left) as f64);
                    return Ok(Newton::Slow { factor });
                }
            }
            last = size.max(f64::EPSILON);
            if self.remainder * size <= self.target {
                return Ok(Newton::Converged { iterations: iteration });
            }
        }
        Ok(Newton::Failed { finite: true })
    }

    /// Turns the rates in `f` into a correction, applies it, and returns its size in units of the tolerance.
    fn correct(&mut self, h: f64) -> f64 {
        let n = self.scale.len();
        let shift = Complex::new(ALPHA / h, BETA / h);
        for k in 0..n {
            let rates = [self.f[0][k], self.f[1][k], self.f[2][k]];
            let row = |i: usize| IN[i][0] * rates[0] + IN[i][1] * rates[1] + IN[i][2] * rates[2];
            let (first, second) = (row(0), Complex::new(row(1), row(2)));
            self.f[0][k] = first - GAMMA / h * self.w[0][k];
            self.pair[k] = second - shift * Complex::new(self.w[1][k], self.w[2][k]);
        }
        self.real.solve(&mut self.f[0]);
        self.complex.solve(&mut self.pair);
        let mut sum = 0.0;
        for k in 0..n {
            let change = [self.f[0][k], self.pair[k].re, self.pair[k].im];
            for (w, change) in self.w.iter_mut().zip(change) {
                w[k] += change;
                sum += (change / self.scale[k]).powi(2);
            }
        }
        transform(&OUT, &self.w, &mut self.z);
        (sum / (3 * n).max(1) as f64).sqrt()
    }

    /// Replaces b by (γ/h I − J)⁻¹ b.
    pub fn filter(&self, b: &mut [f64]) {
        self.real.solve(b);
    }

    /// √(1/n Σ (vᵢ/sᵢ)²).
    pub fn norm(&self, v: &[f64]) -> f64 {
        let sum: f64 = v.iter().zip(&self.scale).map(|(value, scale)| (value / scale).powi(2)).sum();
        (sum / v.len().max(1) as f64).sqrt()
    }
}

/// out = M v for three vectors at once.
fn transform(matrix: &[[f64; 3]; 3], v: &[Vec<f64>; 3], out: &mut [Vec<f64>; 3]) {
    for (row, out) in matrix.iter().zip(out) {
        for k in 0..out.len() {
            out[k] = row[0] * v[0][k] + row[1] * v[1][k] + row[2] * v[2][k];
        }
    }
}

/// xᵉ for x > 0, the same bits everywhere.
pub(super) fn power(x: f64, exponent: f64) -> f64 {
    let log = exponent * elementary::ln(x);
    if log <= 0.0 { elementary::exp(log) } else { 1.0 / elementary::exp(-log) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_geom::nalgebra::Matrix3;

    /// aᵢⱼ of Radau IIA.
    fn butcher() -> Matrix3<f64> {
        let s = 6.0_f64.sqrt();
        Matrix3::new(
            (88.0 - 7.0 * s) / 360.0,
            (296.0 - 169.0 * s) / 1800.0,
            (-2.0 + 3.0 * s) / 225.0,
            (296.0 + 169.0 * s) / 1800.0,
            (88.0 + 7.0 * s) / 360.0,
            (-2.0 - 3.0 * s) / 225.0,
            (16.0 - s) / 36.0,
            (16.0 + s) / 36.0,
            1.0 / 9.0,
        )
    }

    #[test]
    fn the_coefficients_collocate_to_third_order_and_integrate_to_fifth() {
        let a = butcher();
        for k in 1..=5 {
            for i in 0..3 {
                let sum: f64 = (0..3).map(|j| a[(i, j)] * NODES[j].powi(k - 1)).sum();
                let exact = NODES[i].powi(k) / f64::from(k);
                assert!((sum - exact).abs() < 1e-15 || (k > 3 && i < 2), "{i} {k}");
            }
        }
    }

    #[test]
    fn the_transformation_splits_the_inverse_into_its_real_and_complex_parts() {
        let rows = |m: [[f64; 3]; 3]| Matrix3::from_fn(|i, j| m[i][j]);
        assert!((rows(OUT) * rows(IN) - Matrix3::identity()).norm() < 1e-14);
        let blocks = rows(IN) * butcher().try_inverse().unwrap() * rows(OUT);
        let exact = Matrix3::new(GAMMA, 0.0, 0.0, 0.0, ALPHA, -BETA, 0.0, BETA, ALPHA);
        assert!((blocks - exact).norm() < 1e-13, "{blocks}");
        let root = 3.0_f64.cbrt();
        assert!((GAMMA - (3.0 + root * root - root)).abs() < 1e-15);
        assert!((ALPHA - (3.0 - 0.5 * (root * root - root))).abs() < 1e-15);
        assert!((BETA - 0.5 * 3.0_f64.sqrt() * (root + root * root)).abs() < 2e-15);
    }

    #[test]
    fn powers_agree_with_the_library() {
        for (x, e) in [(99.0_f64, 0.8), (1e-16, 0.8), (20.0, -0.1), (1e-12, 2.0 / 3.0)] {
            assert!((power(x, e) / x.powf(e) - 1.0).abs() < 1e-14);
        }
    }
}
