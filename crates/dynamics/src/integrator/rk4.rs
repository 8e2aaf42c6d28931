//! The classical Runge–Kutta method, order 4, with steps of one length: what Kry and Pai (2002) integrate with.
//!
//!   k₁ = f(t, y), k₂ = f(t + h/2, y + h k₁/2), k₃ = f(t + h/2, y + h k₂/2), k₄ = f(t + h, y + h k₃)
//!   y₁ = y + h (k₁ + 2 k₂ + 2 k₃ + k₄)/6
//!
//! Between the ends the state is the cubic with both ends' states and rates (Hermite), of order 3:
//!
//!   y(t + s h) = y + s Δ + s (1 − s) [(1 − s)(h k₁ − Δ) − s (h f₁ − Δ)],   Δ = y₁ − y
//!
//! There is no look at the error. Every step is `longest_step` long but those that end on the limit of a call, those up
//! to an event, and those with a stage that is no number, which are made shorter by half until they have none.

use super::progress::{Progress, Trial, all_finite, stands_at_its_progress};
use super::{Equations, Settings, Stepper, Tolerance};
use crate::Result;

/// A trial that was not finite is made so much shorter.
const RETREAT: f64 = 0.5;

/// Classical Runge–Kutta steps of one length.
#[derive(Debug, Clone)]
pub struct Rk4 {
    progress: Progress,
    /// k₂, k₃, k₄, and f at the end.
    stages: [Vec<f64>; 4],
    /// Where a stage is, and y₁ at the end of a trial.
    point: Vec<f64>,
    /// h f₁ − Δ and h k₁ − Δ of the last step.
    dense: Vec<[f64; 2]>,
}

impl Rk4 {
    /// Begins at time `t` and state `y`, with steps of `h` > 0.
    pub fn new(t: f64, y: &[f64], h: f64, max_steps: usize) -> Result<Self> {
        let settings = Settings { first_step: Some(h), longest_step: h, max_steps };
        // What is not looked at: any will do.
        let progress = Progress::new(t, y, Tolerance::new(1e-3, 1.0)?, settings)?;
        let zeros = vec![0.0; y.len()];
        Ok(Self {
            progress,
            stages: std::array::from_fn(|_| zeros.clone()),
            point: zeros,
            dense: vec![[0.0; 2]; y.len()],
        })
    }

    /// y + h c k to `point`, where k is that of the stage before, and the rate there to `stage`.
    fn stage(&mut self, equations: &mut dyn Equations, trial: Trial, stage: usize, share: f64) -> Result<()> {
        let (before, rest) = self.stages.split_at_mut(stage);
        let rate = before.last().unwrap_or(&self.progress.rate);
        for (point, (y, k)) in self.point.iter_mut().zip(self.progress.state.iter().zip(rate)) {
            *point = y + trial.step * share * k;
        }
        let t = if share == 1.0 { trial.end } else { self.progress.time + share * trial.step };
        self.progress.statistics.evaluations += 1;
        equations.rate(t, &self.point, &mut rest[0])
    }

    /// A step; false where something is not finite.
    fn attempt(&mut self, equations: &mut dyn Equations, trial: Trial) -> Result<bool> {
        for (stage, share) in [(0, 0.5), (1, 0.5), (2, 1.0)] {
            self.stage(equations, trial, stage, share)?;
            if !all_finite(&self.stages[stage]) {
                return Ok(false);
            }
        }
        for i in 0..self.point.len() {
            let [k2, k3, k4] = [0, 1, 2].map(|k: usize| self.stages[k][i]);
            let sum = self.progress.rate[i] + 2.0 * (k2 + k3) + k4;
            self.point[i] = self.progress.state[i] + trial.step / 6.0 * sum;
        }
        self.progress.statistics.evaluations += 1;
        equations.rate(trial.end, &self.point, &mut self.stages[3])?;
        Ok(all_finite(&self.stages[3]) && all_finite(&self.point))
    }
}

impl Stepper for Rk4 {
    stands_at_its_progress!();

    fn step(&mut self, equations: &mut dyn Equations, t_limit: f64) -> Result<()> {
        let [first, .., last] = &mut self.stages;
        self.progress.prepare(equations, t_limit, f64::sqrt, [&mut first[..], &mut last[..]])?;
        let mut trial = self.progress.trial(t_limit);
        while !self.attempt(equations, trial)? {
            trial = self.progress.shorten(trial, RETREAT, false)?;
        }
        for i in 0..self.point.len() {
            let change = self.point[i] - self.progress.state[i];
            self.dense[i] =
                [trial.step * self.stages[3][i] - change, trial.step * self.progress.rate[i] - change];
        }
        self.progress.accept(trial, &self.point, &self.stages[3]);
        Ok(())
    }

    fn interpolate(&self, t: f64, y: &mut [f64]) {
        let Progress { state, previous_state, .. } = &self.progress;
        let Some((s, r)) = self.progress.weights(t) else {
            return y.copy_from_slice(state);
        };
        for i in 0..y.len() {
            let [end, begin] = self.dense[i];
            let change = state[i] - previous_state[i];
            let chord = if s < r { previous_state[i] + s * change } else { state[i] - r * change };
            y[i] = chord + s * r * (r * begin - s * end);
        }
    }

    fn restart(&mut self, t: f64, y: &[f64]) -> Result<()> {
        self.progress.restart(t, y)
    }
}
