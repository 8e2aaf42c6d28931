//! The explicit Runge–Kutta pair of Dormand and Prince, order 8 with error estimates of orders 5 and 3 and dense output
//! of order 7: the method for smooth motions that are not stiff.
//!
//! | equation | here |
//! |---|---|
//! | gᵢ = y₀ + h Σⱼ aᵢⱼ kⱼ, kᵢ = f(t₀ + cᵢ h, gᵢ), i = 1 … 12 | `attempt` |
//! | y₁ = y₀ + h Σ bᵢ kᵢ; k₁₃ = f(t₁, y₁) is the next step's k₁ | `attempt` |
//! | err₅ = h Σ eᵢ kᵢ, err₃ = h (Σ bᵢ kᵢ − Σ b̂ᵢ kᵢ) | `error` |
//! | err = ‖err₅‖²/√(‖err₅‖² + ‖err₃‖²/100) = O(h⁸) | `error` |
//! | h_new = h min(6, max(⅓, 0.9 err^(−1/8))) | `step` |
//! | y(t₀ + s h) = y₀ + s Δ + s (1 − s) (u₁ + s (u₂ + (1 − s) (u₃ + s (u₄ + (1 − s) (u₅ + s u₆))))) | `interpolate` |
//! | Δ = y₁ − y₀, u₁ = h k₁ − Δ, u₂ = 2Δ − h (k₁ + k₁₃), u₃…₆ = h Σ dᵢ kᵢ, i = 1 … 16 | `fill_dense` |
//!
//! Source: Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I (2nd edition), section II.5 (the method),
//! II.10 (its error estimate) and II.6 (dense output), and their program DOP853, whose numbers these are. Norms are
//! those of [`Tolerance`], with the larger of both ends' states.
//!
//! Departures. The interpolant is written from the nearer end, so that it is exact at both. The three stages of the
//! dense output are evaluated in every accepted step, 15 evaluations in place of 12: events look at every step, and the
//! interpolant must not need the equations. There is no test for stiffness: a stiff problem shows as many steps. A step
//! cut short to end on a limit does not shorten the ones after it.

use super::dop853_table::{DENSE, FIFTH, NODES, STAGES, THIRD};
use super::progress::{Progress, Trial, all_finite, stands_at_its_progress};
use super::{Equations, Settings, Stepper, Tolerance};
use crate::Result;

/// Index of k₁₃, the rate at the end of the step.
const LAST: usize = 12;
/// The step is chosen a little shorter than the estimate allows (the program's SAFE).
const SAFETY: f64 = 0.9;
/// The shortest and the longest new step, in old ones (the program's FAC1, FAC2).
const SHRINK: f64 = 1.0 / 3.0;
const GROW: f64 = 6.0;
/// After a trial that was not finite nothing is known of the size of the error.
const RETREAT: f64 = 0.25;

/// Dormand–Prince 8(5,3).
#[derive(Debug, Clone)]
pub struct Dop853 {
    progress: Progress,
    /// kᵢ.
    stages: Vec<Vec<f64>>,
    /// gᵢ, and y₁ at the end of a trial.
    point: Vec<f64>,
    /// g of the stages beyond the step, which must leave y₁ alone.
    beyond: Vec<f64>,
    /// u₁ … u₆ of the last accepted step.
    dense: Vec<[f64; 6]>,
}

impl Dop853 {
    /// Begins at time `t` and state `y`.
    pub fn new(t: f64, y: &[f64], tolerance: Tolerance, settings: Settings) -> Result<Self> {
        let progress = Progress::new(t, y, tolerance, settings)?;
        let n = y.len();
        Ok(Self {
            progress,
            stages: vec![vec![0.0; n]; STAGES.len()],
            point: vec![0.0; n],
            beyond: vec![0.0; n],
            dense: vec![[0.0; 6]; n],
        })
    }

    /// Computes y₁ and k₁₃ for a step; the error in units of the tolerance, or `None` if something is not finite.
    fn attempt(&mut self, equations: &mut dyn Equations, trial: Trial) -> Result<Option<f64>> {
        self.stages[0].copy_from_slice(&self.progress.rate);
        for i in 1..=LAST {
            combine(&self.progress.state, trial.step, STAGES[i], &self.stages, &mut self.point);
            let t = if NODES[i] == 1.0 { trial.end } else { self.progress.time + NODES[i] * trial.step };
            self.progress.statistics.evaluations += 1;
            equations.rate(t, &self.point, &mut self.stages[i])?;
            if !all_finite(&self.stages[i]) {
                return Ok(None);
            }
        }
        let error = self.error(trial.step);
        Ok((error.is_finite() && all_finite(&self.point)).then_some(error))
    }

    fn error(&self, step: f64) -> f64 {
        let n = self.point.len();
        let (mut fifth, mut third) = (0.0, 0.0);
        for i in 0..n {
            let sum = |row: &[(usize, f64)]| -> f64 { row.iter().map(|&(j, e)| e * self.stages[j][i]).sum() };
            let size = self.progress.state[i].abs().max(self.point[i].abs());
            let scale = self.progress.tolerance.scale(i, size);
            fifth += (sum(FIFTH) / scale).powi(2);
            third += ((sum(STAGES[LAST]) - sum(THIRD)) / scale).powi(2);
        }
        let both = fifth + 0.01 * third;
        if both == 0.0 { 0.0 } else { step.abs() * fifth / (both * n as f64).sqrt() }
    }

    /// Evaluates the stages k₁₄ … k₁₆ and the interpolant of a step that passed; `false` if one is not finite.
    fn fill_dense(&mut self, equations: &mut dyn Equations, step: f64) -> Result<bool> {
        for i in LAST + 1..STAGES.len() {
            combine(&self.progress.state, step, STAGES[i], &self.stages, &mut self.beyond);
            self.progress.statistics.evaluations += 1;
            equations.rate(self.progress.time + NODES[i] * step, &self.beyond, &mut self.stages[i])?;
            if !all_finite(&self.stages[i]) {
                return Ok(false);
            }
        }
        for i in 0..self.point.len() {
            let change = self.point[i] - self.progress.state[i];
            let [begin, end] = [step * self.stages[0][i], step * self.stages[LAST][i]];
            let u = &mut self.dense[i];
            u[0] = begin - change;
            u[1] = 2.0 * change - (begin + end);
            for (u, row) in u[2..].iter_mut().zip(DENSE) {
                *u = step * row.iter().map(|&(j, d)| d * self.stages[j][i]).sum::<f64>();
            }
        }
        Ok(true)
    }

    fn accept(&mut self, trial: Trial, growth: f64) {
        let wanted = growth * trial.step.abs();
        // A cut step that grew as far as it may has not shown how long a step could be.
        let known = if trial.cut && growth == GROW { self.progress.proposal.unwrap_or(0.0) } else { 0.0 };
        self.progress.proposal = Some(wanted.max(known));
        self.progress.accept(trial, &self.point, &self.stages[LAST]);
    }
}

impl Stepper for Dop853 {
    stands_at_its_progress!();

    fn step(&mut self, equations: &mut dyn Equations, t_limit: f64) -> Result<()> {
        let scratch = [&mut self.point[..], &mut self.beyond[..]];
        self.progress.prepare(equations, t_limit, eighth_root, scratch)?;
        let mut trial = self.progress.trial(t_limit);
        let mut most = GROW;
        loop {
            let error = self.attempt(equations, trial)?;
            let factor = error.map(|error| SAFETY / eighth_root(error));
            if error.is_some_and(|error| error <= 1.0) && self.fill_dense(equations, trial.step)? {
                self.accept(trial, factor.unwrap_or(1.0).clamp(SHRINK, most));
                return Ok(());
            }
            // An error just above 1 asks for 0.9, the least change; a step whose interpolant failed passed the test.
            let passed = error.is_none_or(|error| error <= 1.0);
            let shorter = if passed { RETREAT } else { factor.unwrap_or(RETREAT).max(SHRINK) };
            trial = self.progress.shorten(trial, shorter, !passed)?;
            // The step after a rejected one does not grow: it would be rejected again.
            most = 1.0;
        }
    }

    fn interpolate(&self, t: f64, y: &mut [f64]) {
        let Progress { state, previous_state, .. } = &self.progress;
        let Some((s, r)) = self.progress.weights(t) else {
            return y.copy_from_slice(state);
        };
        for i in 0..y.len() {
            let u = &self.dense[i];
            let bulge = s * r * (u[0] + s * (u[1] + r * (u[2] + s * (u[3] + r * (u[4] + s * u[5])))));
            let change = state[i] - previous_state[i];
            let chord = if s < r { previous_state[i] + s * change } else { state[i] - r * change };
            y[i] = chord + bulge;
        }
    }

    fn restart(&mut self, t: f64, y: &[f64]) -> Result<()> {
        self.progress.restart(t, y)
    }
}

/// out = y + h Σ aⱼ kⱼ.
fn combine(y: &[f64], h: f64, row: &[(usize, f64)], stages: &[Vec<f64>], out: &mut [f64]) {
    out.fill(0.0);
    for &(j, a) in row {
        for (sum, k) in out.iter_mut().zip(&stages[j]) {
            *sum += a * k;
        }
    }
    for (sum, y) in out.iter_mut().zip(y) {
        *sum = y + h * *sum;
    }
}

/// x^(1/8), the same bits everywhere.
fn eighth_root(x: f64) -> f64 {
    x.sqrt().sqrt().sqrt()
}
