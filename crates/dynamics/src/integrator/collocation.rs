//! The stages of Radau IIA, from a simplified Newton iteration in transformed variables.
//!
//! The stages are gᵢ = y₀ + zᵢ with zᵢ = h Σⱼ aᵢⱼ f(t₀ + cⱼ h, y₀ + zⱼ), i, j = 1 … s, and y₁ = y₀ + z_s. With
//! T⁻¹ A⁻¹ T = diag(γ, (α −β; β α), …) (`radau_table.rs`) and z = T w the iteration falls apart into
//!
//! - (γ/h I − J) Δw₁ = (T⁻¹ F)₁ − γ/h w₁,
//! - ((α + iβ)/h I − J) (Δw₂ + i Δw₃) = (T⁻¹ F)₂ + i (T⁻¹ F)₃ − (α + iβ)/h (w₂ + i w₃), and so on for each pair,
//!
//! one real system and (s − 1)/2 complex ones of n equations each in place of a real one of s n. Sums, on which nothing
//! depends, are evaluated in the last iteration alone. The iteration stops when θ/(1 − θ) ‖Δw‖ ≤ κ with the rate of
//! convergence θ = ‖Δw‖/‖Δw‖_old, and gives up as soon as that cannot be reached in [`max_iterations`] iterations.
//!
//! | symbol | here | unit |
//! |---|---|---|
//! | J | `jacobian` | 1/s |
//! | z, w | `z`, `w` | that of y |
//! | F | `f` | that of ẏ |
//! | T⁻¹ F − w/h, then Δw | `change` | that of ẏ, then of y |
//! | κ | `target` | 1, in units of the tolerance |
//! | θ | `contraction` | 1 |
//!
//! Source: Hairer, Wanner, Solving Ordinary Differential Equations II (2nd edition), section IV.8, eqs. 8.1 to 8.14;
//! Stiff differential equations solved by Radau methods, J. Comput. Appl. Math. 111 (1999).

use rattleback_geom::elementary;
use rattleback_geom::nalgebra::{Complex, DMatrix};

use super::linear::{Blocks, System};
use super::progress::all_finite;
use super::radau_table::{MAX_STAGES, Table};
use super::{Equations, Statistics};
use crate::{DynamicsError, Result};

/// Newton iterations at most: 7 for three stages, 12 for five (the program RADAU's NIT).
pub(super) fn max_iterations(table: &Table) -> usize {
    7 + 5 * (table.stages() - 3) / 2
}

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
    /// The method; its stages are the first ones of `z`, `w` and `f`.
    pub table: &'static Table,
    /// zᵢ.
    pub z: Vec<Vec<f64>>,
    /// The tolerance of each component.
    pub scale: Vec<f64>,
    /// κ.
    pub target: f64,
    /// θ of the last iteration; zero where one iteration was enough.
    pub contraction: f64,
    /// θ/(1 − θ) as the last step left it.
    pub remainder: f64,
    w: Vec<Vec<f64>>,
    f: Vec<Vec<f64>>,
    change: Vec<Vec<f64>>,
    point: Vec<f64>,
    pair: Vec<Complex<f64>>,
    jacobian: DMatrix<f64>,
    blocks: Option<Blocks>,
    real: System<f64>,
    complex: Vec<System<Complex<f64>>>,
    /// The step and the stages for which the factors hold.
    factorised: Option<(f64, usize)>,
}

impl Collocation {
    pub fn new(n: usize, table: &'static Table) -> Self {
        let stages = || vec![vec![0.0; n]; MAX_STAGES];
        Self {
            table,
            z: stages(),
            scale: vec![1.0; n],
            target: 1.0,
            contraction: 0.0,
            remainder: 1.0,
            w: stages(),
            f: stages(),
            change: stages(),
            point: vec![0.0; n],
            pair: vec![Complex::new(0.0, 0.0); n],
            jacobian: DMatrix::zeros(n, n),
            blocks: None,
            real: System::new(),
            complex: vec![System::new(); MAX_STAGES / 2],
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
        self.blocks.get_or_insert_with(|| Blocks::new(&equations.pattern(), y.len())).take(&self.jacobian);
        Ok(())
    }

    /// Makes the factors hold for a step `h`; `false` if a system is singular.
    pub fn factorise(&mut self, h: f64, statistics: &mut Statistics) -> bool {
        let wanted = Some((h, self.table.stages()));
        if self.factorised == wanted {
            return true;
        }
        statistics.factorisations += 1;
        let Self { table, blocks, real, complex, .. } = self;
        let Some(blocks) = blocks else { return false };
        let regular = real.factorise(table.gamma / h, blocks)
            && complex.iter_mut().zip(table.pairs).all(|(system, pair)| system.factorise(pair / h, blocks));
        self.factorised = wanted.filter(|_| regular);
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
        let (table, most) = (self.table, max_iterations(self.table));
        transform(table.to_modes, &self.z, &mut self.w, y.len());
        // The remainder of the last step stands in for a rate of convergence that one iteration does not show.
        self.remainder = power(self.remainder.max(f64::EPSILON), 0.8);
        let (mut last, mut last_ratio) = (f64::NAN, f64::NAN);
        // The contraction of the last step says whether the second iteration is the last one.
        let mut expected_ratio = std::mem::replace(&mut self.contraction, 0.0);
        let no_sums = self.blocks.as_ref().is_some_and(|blocks| blocks.coupled() == y.len());
        for iteration in 1..=most {
            let ends = no_sums || self.remainder * last * expected_ratio <= self.target;
            self.evaluate(equations, (t, y), (h, end), ends)?;
            statistics.evaluations += table.stages();
            let size = self.correct(h, ends);
            if !size.is_finite() {
                return Ok(Newton::Failed { finite: false });
            }
            if iteration > 1 {
                let ratio = size / last;
                self.contraction = if iteration == 2 { ratio } else { (ratio * last_ratio).sqrt() };
                (last_ratio, expected_ratio) = (ratio, ratio);
                if self.contraction >= 0.99 {
                    return Ok(Newton::Failed { finite: true });
                }
                self.remainder = self.contraction / (1.0 - self.contraction);
                let left = most - iteration;
                let expected = self.remainder * size * self.contraction.powi(left as i32) / self.target;
                if expected >= 1.0 && iteration < most {
                    let factor = 0.8 * power(expected.clamp(1e-4, 20.0), -1.0 / (4 + left) as f64);
                    return Ok(Newton::Slow { factor });
                }
            }
            last = size.max(f64::EPSILON);
            if self.remainder * size <= self.target {
                if !ends {
                    self.evaluate(equations, (t, y), (h, end), true)?;
                    statistics.evaluations += table.stages();
                    if !self.correct(h, true).is_finite() {
                        return Ok(Newton::Failed { finite: false });
                    }
                }
                return Ok(Newton::Converged { iterations: iteration });
            }
        }
        Ok(Newton::Failed { finite: true })
    }

    /// Evaluates the rates of all stages, those of the sums if `whole`.
    fn evaluate(
        &mut self,
        equations: &mut dyn Equations,
        (t, y): (f64, &[f64]),
        (h, end): (f64, f64),
        whole: bool,
    ) -> Result<()> {
        for ((c, z), f) in self.table.nodes.iter().zip(&self.z).zip(&mut self.f) {
            for ((point, y), z) in self.point.iter_mut().zip(y).zip(z) {
                *point = y + z;
            }
            let time = if *c == 1.0 { end } else { t + c * h };
            if whole {
                equations.rate(time, &self.point, f)?;
            } else {
                equations.coupled_rate(time, &self.point, f)?;
            }
        }
        Ok(())
    }

    /// Turns the rates in `f` into a correction, applies it, and returns its size in units of the tolerance, that of
    /// the sums not counted: they follow from the motion, without iteration.
    fn correct(&mut self, h: f64, whole: bool) -> f64 {
        let Self { table, z, scale, w, f, change, pair, blocks, real, complex, .. } = self;
        let s = table.stages();
        let Some(blocks) = blocks else { return f64::NAN };
        let coupled = blocks.coupled();
        let n = if whole { scale.len() } else { coupled };
        transform(table.to_modes, f, change, n);
        let ([first, others @ ..], [first_w, others_w @ ..]) = (&mut change[..s], &w[..s]) else {
            return f64::NAN;
        };
        let shift = table.gamma / h;
        first.iter_mut().zip(first_w).take(n).for_each(|(change, w)| *change -= shift * w);
        real.solve(blocks, &mut first[..n]);
        let pairs = others.chunks_exact_mut(2).zip(others_w.chunks_exact(2));
        for ((change, w), (system, eigenvalue)) in pairs.zip(complex.iter_mut().zip(table.pairs)) {
            let ([re, im], [w_re, w_im]) = (change, w) else { continue };
            let shift = eigenvalue / h;
            let both = re.iter().zip(im.iter()).zip(w_re.iter().zip(w_im));
            for (pair, ((re, im), (w_re, w_im))) in pair[..n].iter_mut().zip(both) {
                *pair = Complex::new(*re, *im) - shift * Complex::new(*w_re, *w_im);
            }
            system.solve(blocks, &mut pair[..n]);
            for (pair, (re, im)) in pair[..n].iter().zip(re.iter_mut().zip(im)) {
                (*re, *im) = (pair.re, pair.im);
            }
        }
        let mut sum = 0.0;
        for (w, change) in w.iter_mut().zip(change).take(s) {
            w.iter_mut().zip(&*change).take(n).for_each(|(w, change)| *w += change);
            let parts = change.iter().zip(&*scale).take(coupled);
            sum += parts.map(|(change, scale)| (change / scale).powi(2)).sum::<f64>();
        }
        transform(table.from_modes, w, z, n);
        (sum / (s * coupled).max(1) as f64).sqrt()
    }

    /// Replaces b by (γ/h I − J)⁻¹ b.
    pub fn filter(&mut self, b: &mut [f64]) {
        if let Some(blocks) = &self.blocks {
            self.real.solve(blocks, b);
        }
    }

    /// √(1/n Σ (vᵢ/sᵢ)²).
    pub fn norm(&self, v: &[f64]) -> f64 {
        let sum: f64 = v.iter().zip(&self.scale).map(|(value, scale)| (value / scale).powi(2)).sum();
        (sum / v.len().max(1) as f64).sqrt()
    }
}

/// out = M v for all stages at once, of the first `n` components.
fn transform(matrix: &[&[f64]], v: &[Vec<f64>], out: &mut [Vec<f64>], n: usize) {
    match matrix.len() {
        3 => transform_stages::<3>(matrix, v, out, n),
        _ => transform_stages::<MAX_STAGES>(matrix, v, out, n),
    }
}

#[inline(always)]
fn transform_stages<const S: usize>(matrix: &[&[f64]], v: &[Vec<f64>], out: &mut [Vec<f64>], n: usize) {
    let v: [&[f64]; S] = std::array::from_fn(|j| &v[j][..n]);
    for (row, out) in matrix.iter().zip(out) {
        let row: [f64; S] = std::array::from_fn(|j| row[j]);
        for (i, out) in out[..n].iter_mut().enumerate() {
            *out = (0..S).fold(0.0, |sum, j| sum + row[j] * v[j][i]);
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

    #[test]
    fn powers_agree_with_the_library() {
        for (x, e) in [(99.0_f64, 0.8), (1e-16, 0.8), (20.0, -0.1), (1e-12, 2.0 / 3.0)] {
            assert!((power(x, e) / x.powf(e) - 1.0).abs() < 1e-14);
        }
    }
}
