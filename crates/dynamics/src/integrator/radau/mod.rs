//! Radau IIA with three or five stages, orders 5 and 9: the method for stiff motions. It is L-stable: what decays
//! faster than a step dies out in it.
//!
//! | equation | here |
//! |---|---|
//! | the stages y₀ + zᵢ, y₁ = y₀ + z_s | `collocation.rs` |
//! | u(x), the polynomial with u(0) = 0, u(cᵢ) = zᵢ; y(t₀ + x h) = y₀ + u(x) | `interpolate` |
//! | f(t₁, y₁) = u′(1)/h, which is what the last stage solves: no evaluation, and no error of y₁ times a large J | `close` |
//! | err = (γ/h I − J)⁻¹ (f(t₀, y₀) − u′(0)/h) | `error` |
//! | where that is 1 or more at a start or after a rejection: f(t₀, y₀ + err) in place of f(t₀, y₀) | `error` |
//! | h_new = h S min(8, max(⅕, err^(−1/(s+1)))), S = 0.9 (2 k_max + 1)/(2 k_max + k), k Newton iterations | `growth` |
//! | and at most 0.9 h (h/h_old) (err_old/err²)^(1/(s+1)), the predictive controller of Gustafsson | `growth` |
//!
//! Source: Hairer, Wanner, Solving Ordinary Differential Equations II (2nd edition), section IV.8 (eqs. 8.17 to 8.21
//! the error, 8.22 to 8.25 the step), their program RADAU5; Stiff differential equations solved by Radau methods, J.
//! Comput. Appl. Math. 111 (1999), for more stages.
//!
//! The estimate is of order s, err = O(hˢ⁺¹), where the step's error is O(h²ˢ). So, as in the programs, it is held to
//! 0.1 r^((s+1)/2s) in place of the relative tolerance r, the absolute ones in proportion, which brings the error near
//! r itself; Newton's iteration is held to 0.1 r. The interpolant is of order s within a step: at tight tolerances it
//! is the larger error, and events and output between steps carry it.
//!
//! Stages. At tight tolerances five stages allow steps several times as long as three, as long as the motion is smooth.
//! A Newton iteration that fails or an error that is rejected twice shows that it is not: then the next trial has
//! three. After [`CALM`] steps without a rejected trial it has five again. (Seven were tried on
//! `scenes/papers/roemer_box.toml` at 1e-5 to 1e-12: between 1 % faster, at 1e-12, and 40 % slower than five.)
//!
//! J is kept while the iteration contracts by a hundred (`FRESH`), and the factors with it while the step would grow by
//! less than a fifth. It is evaluated in the middle of the step, on the polynomial of the step before: where J changes
//! within a step, as that of friction about zero slip does, it is nearer to all stages than that of the beginning.
//! `FRESH`, [`CALM`] and the 0.1 r of the iteration were chosen on the same scene.
//!
//! Departures. A step cut short to end on a limit has no say in the controller's memory and does not shorten the ones
//! after it. A singular system or a Newton iteration without success halves the step down to rounding, without a
//! separate count. The program RADAU begins with three stages and watches θ for ten steps before it takes more;
//! contacts are over by then.

use super::collocation::{Collocation, Newton, max_iterations, power};
use super::progress::{Progress, Trial, all_finite, stands_at_its_progress};
use super::radau_table::{METHODS, Polynomial};
use super::{Equations, Settings, Stepper, Tolerance};
use crate::Result;

/// The program's SAFE.
const SAFETY: f64 = 0.9;
/// The shortest and the longest new step, in old ones (1/FACL, 1/FACR of the program).
const SHRINK: f64 = 0.2;
const GROW: f64 = 8.0;
/// Growth for which the factors are not worth renewing (the program's QUOT2).
const WORTHWHILE: f64 = 1.2;
/// The contraction up to which J is fresh enough (the program's THET, larger for a J that costs many evaluations: that
/// of free bodies in contact costs some fifteen).
const FRESH: f64 = 0.01;
/// After a failed iteration.
const RETREAT: f64 = 0.5;
/// After an error too large in the first step, whose length was a guess.
const FIRST_RETREAT: f64 = 0.1;
/// Steps without a rejected trial after which more stages are tried.
const CALM: usize = 10;

/// The place in [`METHODS`] of the most stages that are worth their evaluations at a relative tolerance, as measured on
/// bodies in contact.
fn highest(relative: f64) -> usize {
    if relative > 1e-5 { 0 } else { METHODS.len() - 1 }
}

/// Radau IIA.
#[derive(Debug, Clone)]
pub struct Radau {
    progress: Progress,
    collocation: Collocation,
    /// The place of the method in [`METHODS`], and the last that may be taken.
    level: usize,
    highest: usize,
    /// Steps since the last rejected trial or change of stages.
    calm: usize,
    /// The factor from the tolerance asked for to the one that the estimate is held to.
    widening: f64,
    /// J must be evaluated before the next trial.
    stale: bool,
    /// J is that of the present state.
    current: bool,
    /// Length and error of the last step that the error control chose.
    memory: Option<(f64, f64)>,
    /// err, then y₁ and the rate there.
    estimate: Vec<f64>,
    point: Vec<f64>,
    rate: Vec<f64>,
    /// u of the last accepted step.
    dense: Polynomial,
}

impl Radau {
    /// Begins at time `t` and state `y`.
    pub fn new(t: f64, y: &[f64], tolerance: Tolerance, settings: Settings) -> Result<Self> {
        let n = y.len();
        let highest = highest(tolerance.relative());
        let mut radau = Self {
            progress: Progress::new(t, y, tolerance, settings)?,
            collocation: Collocation::new(n, METHODS[highest]),
            level: highest,
            highest,
            calm: 0,
            widening: 1.0,
            stale: true,
            current: false,
            memory: None,
            estimate: vec![0.0; n],
            point: vec![0.0; n],
            rate: vec![0.0; n],
            dense: Polynomial::new(n, METHODS[highest]),
        };
        radau.set_level(highest);
        Ok(radau)
    }

    /// Takes another number of stages.
    fn set_level(&mut self, level: usize) {
        let (relative, s) = (self.progress.tolerance.relative(), METHODS[level].stages() as f64);
        let held_to = 0.1 * power(relative, (s + 1.0) / (2.0 * s));
        (self.level, self.calm) = (level, 0);
        self.widening = held_to / relative;
        self.collocation.table = METHODS[level];
        // A tenth of the tolerance asked for, but not below rounding (the program's FNEWT).
        self.collocation.target = (0.1 / self.widening).min(0.03).max(10.0 * f64::EPSILON / held_to);
    }

    /// xˢ⁺¹ = 1/error.
    fn reach(&self, error: f64) -> f64 {
        power(error, -1.0 / (self.collocation.table.stages() + 1) as f64)
    }

    /// One trial: the error in units of the tolerance and the Newton iterations it took, or how to go on.
    fn attempt(&mut self, equations: &mut dyn Equations, trial: Trial, again: bool) -> Result<Attempt> {
        let Self { progress, collocation, .. } = self;
        for (i, scale) in collocation.scale.iter_mut().enumerate() {
            *scale = self.widening * progress.tolerance.scale(i, progress.state[i]);
        }
        let last = progress.time - progress.previous_time;
        if last == 0.0 {
            // The constant rate: bodies that just touch press nowhere but ahead.
            for (z, c) in collocation.z.iter_mut().zip(collocation.table.nodes) {
                z.iter_mut().zip(&progress.rate).for_each(|(z, rate)| *z = c * trial.step * rate);
            }
        } else {
            self.dense.go_on(trial.step / last, collocation.table, &mut collocation.z);
        }
        if self.stale {
            self.linearise(equations, trial.step, again)?;
        }
        let Self { progress, collocation, .. } = self;
        if !collocation.factorise(trial.step, &mut progress.statistics) {
            return Ok(Attempt::Failed { factor: RETREAT, finite: true });
        }
        let start = (progress.time, &progress.state[..]);
        let ended = collocation.solve(equations, start, (trial.step, trial.end), &mut progress.statistics)?;
        let iterations = match ended {
            Newton::Converged { iterations } => iterations,
            Newton::Slow { factor } => return Ok(Attempt::Failed { factor, finite: true }),
            Newton::Failed { finite } => return Ok(Attempt::Failed { factor: RETREAT, finite }),
        };
        let error = self.error(equations, trial.step, again)?;
        if !error.is_finite() {
            return Ok(Attempt::Failed { factor: RETREAT, finite: false });
        }
        // As in the program: a smaller error is not told from none.
        let error = error.max(1e-10);
        if error >= 1.0 {
            let factor = if self.memory.is_none() { FIRST_RETREAT } else { self.growth(error, iterations) };
            return Ok(Attempt::Rough { factor: factor.min(SAFETY) });
        }
        Ok(Attempt::Passed { error, iterations })
    }

    /// Evaluates J: in the middle of the step, where the last one leads; at its beginning at a start, if that failed,
    /// or if the middle is beyond the domain of the equations.
    fn linearise(&mut self, equations: &mut dyn Equations, step: f64, again: bool) -> Result<()> {
        let Self { progress, collocation, point, .. } = self;
        self.stale = false;
        self.current = again || progress.time == progress.previous_time;
        if !self.current {
            let middle = collocation.table.stages() / 2;
            let time = progress.time + collocation.table.nodes[middle] * step;
            for (i, point) in point.iter_mut().enumerate() {
                *point = progress.state[i] + collocation.z[middle][i];
            }
            if collocation.linearise(equations, time, point, &mut progress.statistics).is_ok() {
                return Ok(());
            }
            self.current = true;
        }
        collocation.linearise(equations, progress.time, &progress.state, &mut progress.statistics)
    }

    fn error(&mut self, equations: &mut dyn Equations, step: f64, again: bool) -> Result<f64> {
        let Self { progress, collocation, estimate, point, rate, .. } = self;
        point.fill(0.0);
        let slopes = collocation.table.slopes();
        for (z, slope) in collocation.z.iter().zip(slopes).take(collocation.table.stages()) {
            for (point, z) in point.iter_mut().zip(z) {
                *point -= slope / step * z;
            }
        }
        for i in 0..estimate.len() {
            estimate[i] = progress.rate[i] + point[i];
        }
        collocation.filter(estimate);
        let error = collocation.norm(estimate);
        if error < 1.0 || !(again || self.memory.is_none()) {
            return Ok(error);
        }
        for i in 0..estimate.len() {
            estimate[i] += progress.state[i];
        }
        progress.statistics.evaluations += 1;
        equations.rate(progress.time, estimate, rate)?;
        for i in 0..estimate.len() {
            estimate[i] = rate[i] + point[i];
        }
        collocation.filter(estimate);
        Ok(collocation.norm(estimate))
    }

    /// How much longer the next step may be, before the controller's memory is asked.
    fn growth(&self, error: f64, iterations: usize) -> f64 {
        let most = max_iterations(self.collocation.table);
        let effort = (1 + 2 * most) as f64 / (iterations + 2 * most) as f64;
        (SAFETY * effort * self.reach(error)).clamp(SHRINK, GROW)
    }

    /// State and rate at the end of a step that passed; `false` if they are not finite.
    fn close(&mut self, step: f64) -> bool {
        let last = &self.collocation.z[self.collocation.table.stages() - 1];
        for i in 0..self.point.len() {
            self.point[i] = self.progress.state[i] + last[i];
        }
        let table = self.collocation.table;
        self.rate.fill(0.0);
        for (z, slope) in self.collocation.z.iter().zip(table.end_slopes()).take(table.stages()) {
            for (rate, z) in self.rate.iter_mut().zip(z) {
                *rate += slope / step * z;
            }
        }
        all_finite(&self.rate) && all_finite(&self.point)
    }

    fn accept(&mut self, trial: Trial, error: f64, iterations: usize, again: bool) {
        let length = trial.step.abs();
        let mut growth = self.growth(error, iterations);
        if !trial.cut {
            if let Some((last, last_error)) = self.memory {
                let predicted = SAFETY * length / last * self.reach(error * error / last_error);
                growth = growth.min(predicted.clamp(SHRINK, GROW));
            }
            // The floor keeps one lucky step from promising too much (the program's ERRACC).
            self.memory = Some((length, error.max(1e-2)));
        }
        self.stale = self.collocation.contraction > FRESH;
        self.current = false;
        if again {
            growth = growth.min(1.0);
        }
        if !self.stale && (1.0..=WORTHWHILE).contains(&growth) {
            growth = 1.0;
        }
        // A cut step that grew as far as it may has not shown how long a step could be.
        let known = if trial.cut && growth == GROW { self.progress.proposal.unwrap_or(0.0) } else { 0.0 };
        self.progress.proposal = Some((growth * length).max(known));
        std::mem::swap(&mut self.dense.z, &mut self.collocation.z);
        self.dense.table = self.collocation.table;
        self.progress.accept(trial, &self.point, &self.rate);
        self.calm = if again { 0 } else { self.calm + 1 };
        if self.calm >= CALM && self.level < self.highest {
            self.set_level(self.level + 1);
            self.memory = None;
        }
    }
}

/// What came of a trial.
#[derive(Debug, Clone, Copy)]
enum Attempt {
    Passed {
        error: f64,
        iterations: usize,
    },
    /// The error is too large.
    Rough {
        factor: f64,
    },
    /// The stages were not found.
    Failed {
        factor: f64,
        finite: bool,
    },
}

impl Stepper for Radau {
    stands_at_its_progress!();

    fn step(&mut self, equations: &mut dyn Equations, t_limit: f64) -> Result<()> {
        let scratch = [&mut self.point[..], &mut self.rate[..]];
        self.progress.prepare(equations, t_limit, fourth_root, scratch)?;
        let mut trial = self.progress.trial(t_limit);
        let mut again = false;
        loop {
            let (factor, finite) = match self.attempt(equations, trial, again)? {
                Attempt::Passed { error, iterations } => {
                    if self.close(trial.step) {
                        self.accept(trial, error, iterations, again);
                        return Ok(());
                    }
                    (RETREAT, false)
                }
                Attempt::Rough { factor } => {
                    if again && self.memory.is_some() {
                        self.set_level(self.level.saturating_sub(1));
                    }
                    (if again { factor.min(RETREAT) } else { factor }, true)
                }
                Attempt::Failed { factor, finite } => {
                    self.set_level(self.level.saturating_sub(1));
                    (factor, finite)
                }
            };
            self.stale = !self.current;
            trial = self.progress.shorten(trial, factor, finite)?;
            again = true;
        }
    }

    fn interpolate(&self, t: f64, y: &mut [f64]) {
        let Some((x, left)) = self.progress.weights(t) else {
            return y.copy_from_slice(&self.progress.state);
        };
        if left == 0.0 {
            return y.copy_from_slice(&self.progress.state);
        }
        y.copy_from_slice(&self.progress.previous_state);
        self.dense.add_to(x, y);
    }

    fn restart(&mut self, t: f64, y: &[f64]) -> Result<()> {
        self.progress.restart(t, y)?;
        (self.stale, self.current, self.memory) = (true, false, None);
        Ok(())
    }

    /// The step's own polynomial is what the iteration starts from, with the J that it has.
    fn step_again(&mut self, equations: &mut dyn Equations, t: f64) -> Result<bool> {
        let Self { progress, collocation, dense, .. } = self;
        let begin = progress.previous_time;
        let (step, last, table) = (t - begin, progress.time - begin, dense.table);
        if last == 0.0 || step == 0.0 {
            return Ok(false);
        }
        let next_table = std::mem::replace(&mut collocation.table, table);
        for (z, c) in collocation.z.iter_mut().zip(table.nodes) {
            z.fill(0.0);
            dense.add_to(c * step / last, z);
        }
        let start = (begin, &progress.previous_state[..]);
        let solved = collocation.factorise(step, &mut progress.statistics)
            && matches!(
                collocation.solve(equations, start, (step, t), &mut progress.statistics)?,
                Newton::Converged { .. }
            );
        collocation.table = next_table;
        if !solved {
            return Ok(false);
        }
        std::mem::swap(&mut dense.z, &mut collocation.z);
        let way = &dense.z[table.stages() - 1];
        for ((state, begun), way) in progress.state.iter_mut().zip(&progress.previous_state).zip(way) {
            *state = begun + way;
        }
        (progress.time, progress.rate_known) = (t, false);
        progress.statistics.steps += 1;
        Ok(true)
    }
}

/// x^(1/4), the same bits everywhere.
fn fourth_root(x: f64) -> f64 {
    x.sqrt().sqrt()
}

#[cfg(test)]
mod tests;
