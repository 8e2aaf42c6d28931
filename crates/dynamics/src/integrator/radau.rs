//! Radau IIA with three stages, order 5: the method for stiff motions. It is L-stable: what decays faster than a step
//! dies out in it.
//!
//! | equation | here |
//! |---|---|
//! | the stages y₀ + zᵢ, y₁ = y₀ + z₃ | `collocation.rs` |
//! | err = (γ/h I − J)⁻¹ (f(t₀, y₀) + (e₁ z₁ + e₂ z₂ + e₃ z₃)/h), e = −(13 + 7√6, 13 − 7√6, 1)/3 | `error` |
//! | where that is 1 or more at a start or after a rejection: f(t₀, y₀ + err) in place of f(t₀, y₀) | `error` |
//! | h_new = h S min(8, max(⅕, err^(−1/4))), S = 0.9 (2 k_max + 1)/(2 k_max + k), k Newton iterations | `growth` |
//! | and at most 0.9 h (h/h_old) (err_old/err²)^(1/4), the predictive controller of Gustafsson | `growth` |
//! | y(t₀ + s h) = y₀ + the cubic through 0, z₁, z₂, z₃ at s = 0, c₁, c₂, 1 | `interpolate` |
//!
//! Source: Hairer, Wanner, Solving Ordinary Differential Equations II (2nd edition), section IV.8 (eqs. 8.17 to 8.21
//! the error, 8.22 to 8.25 the step), and their program RADAU5, whose numbers these are.
//!
//! The estimate is of order 3, err = O(h⁴), where the step's error is O(h⁶). So, as in the program, it is held to 0.1
//! r^(2/3) in place of the relative tolerance r, the absolute ones in proportion, which brings the error near r itself.
//! The cubic is of order 3 within a step: at tight tolerances it is the larger error, and events and output between
//! steps carry it (on an oscillator of unit amplitude 1e-7 at r = 1e-9, 1e-9 at r = 1e-12).
//!
//! J is kept while the iteration contracts by a thousand (`FRESH`), and the factors with it while the step would grow
//! by less than a fifth.
//!
//! Departures. The interpolant is written from the nearer end, so that it is exact at both. A step cut short to end on
//! a limit has no say in the controller's memory and does not shorten the ones after it. A singular system or a Newton
//! iteration without success halves the step down to rounding, without a separate count.

use super::collocation::{Collocation, MOST, NODES, Newton, power};
use super::progress::{Progress, Trial, all_finite};
use super::{Equations, Settings, Statistics, Stepper, Tolerance};
use crate::Result;

/// e₁, e₂, e₃.
const ERROR: [f64; 3] = [-10.048_809_399_827_416, 1.382_142_733_160_749, -0.333_333_333_333_333_3];
/// The program's SAFE.
const SAFETY: f64 = 0.9;
/// The shortest and the longest new step, in old ones (1/FACL, 1/FACR of the program).
const SHRINK: f64 = 0.2;
const GROW: f64 = 8.0;
/// Growth for which the factors are not worth renewing (the program's QUOT2).
const WORTHWHILE: f64 = 1.2;
/// The contraction up to which J is fresh enough (the program's THET).
const FRESH: f64 = 1e-3;
/// After a failed iteration.
const RETREAT: f64 = 0.5;
/// After an error too large in the first step, whose length was a guess.
const FIRST_RETREAT: f64 = 0.1;

/// Radau IIA of order 5.
#[derive(Debug, Clone)]
pub struct Radau {
    progress: Progress,
    collocation: Collocation,
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
    /// Divided differences of the last accepted step's cubic over the nodes 0 c₁, 0 c₁ c₂, 0 c₁ c₂ 1, c₂ 1, c₁ c₂ 1.
    dense: Vec<[f64; 5]>,
}

impl Radau {
    /// Begins at time `t` and state `y`.
    pub fn new(t: f64, y: &[f64], tolerance: Tolerance, settings: Settings) -> Result<Self> {
        let n = y.len();
        let relative = tolerance.relative();
        let held_to = 0.1 * power(relative, 2.0 / 3.0);
        // The program's FNEWT: a small part of the tolerance, but not below rounding.
        let target = held_to.sqrt().min(0.03).max(10.0 * f64::EPSILON / held_to);
        Ok(Self {
            progress: Progress::new(t, y, tolerance, settings)?,
            collocation: Collocation::new(n, target),
            widening: held_to / relative,
            stale: true,
            current: false,
            memory: None,
            estimate: vec![0.0; n],
            point: vec![0.0; n],
            rate: vec![0.0; n],
            dense: vec![[0.0; 5]; n],
        })
    }

    /// One trial: the error in units of the tolerance and the Newton iterations it took, or how to go on.
    fn attempt(&mut self, equations: &mut dyn Equations, trial: Trial, again: bool) -> Result<Attempt> {
        let Self { progress, collocation, .. } = self;
        if self.stale {
            collocation.linearise(equations, progress.time, &progress.state, &mut progress.statistics)?;
            (self.stale, self.current) = (false, true);
        }
        if !collocation.factorise(trial.step, &mut progress.statistics) {
            return Ok(Attempt::Shorten { factor: RETREAT, finite: true });
        }
        self.extrapolate(trial.step);
        let Self { progress, collocation, .. } = self;
        let start = (progress.time, &progress.state[..]);
        let ended = collocation.solve(equations, start, (trial.step, trial.end), &mut progress.statistics)?;
        let iterations = match ended {
            Newton::Converged { iterations } => iterations,
            Newton::Slow { factor } => return Ok(Attempt::Shorten { factor, finite: true }),
            Newton::Failed { finite } => return Ok(Attempt::Shorten { factor: RETREAT, finite }),
        };
        let error = self.error(equations, trial.step, again)?;
        if !error.is_finite() {
            return Ok(Attempt::Shorten { factor: RETREAT, finite: false });
        }
        // As in the program: a smaller error is not told from none.
        let error = error.max(1e-10);
        if error >= 1.0 {
            let factor = if self.memory.is_none() { FIRST_RETREAT } else { self.growth(error, iterations) };
            return Ok(Attempt::Shorten { factor: factor.min(SAFETY), finite: true });
        }
        Ok(Attempt::Passed { error, iterations })
    }

    /// Continues the cubic of the last step into this one as a first approximation of z.
    fn extrapolate(&mut self, step: f64) {
        let last = self.progress.time - self.progress.previous_time;
        for (z, c) in self.collocation.z.iter_mut().zip(NODES) {
            if last == 0.0 {
                z.fill(0.0);
                continue;
            }
            let ahead = c * step / last;
            let s = 1.0 + ahead;
            for (z, d) in z.iter_mut().zip(&self.dense) {
                *z = ahead * (d[3] + (s - NODES[1]) * (d[4] + (s - NODES[0]) * d[2]));
            }
        }
    }

    fn error(&mut self, equations: &mut dyn Equations, step: f64, again: bool) -> Result<f64> {
        let Self { progress, collocation, estimate, point, rate, .. } = self;
        let [z1, z2, z3] = &collocation.z;
        for i in 0..estimate.len() {
            point[i] = (ERROR[0] * z1[i] + ERROR[1] * z2[i] + ERROR[2] * z3[i]) / step;
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
        let effort = (1 + 2 * MOST) as f64 / (iterations + 2 * MOST) as f64;
        (SAFETY * effort / fourth_root(error)).clamp(SHRINK, GROW)
    }

    /// Evaluates the rate at the end of a step that passed; `false` if it is not finite.
    fn close(&mut self, equations: &mut dyn Equations, end: f64) -> Result<bool> {
        for i in 0..self.point.len() {
            self.point[i] = self.progress.state[i] + self.collocation.z[2][i];
        }
        self.progress.statistics.evaluations += 1;
        equations.rate(end, &self.point, &mut self.rate)?;
        Ok(all_finite(&self.rate) && all_finite(&self.point))
    }

    fn accept(&mut self, trial: Trial, error: f64, iterations: usize, again: bool) {
        let length = trial.step.abs();
        let mut growth = self.growth(error, iterations);
        if !trial.cut {
            if let Some((last, last_error)) = self.memory {
                let predicted = SAFETY * length / last / fourth_root(error * error / last_error);
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
        self.fill_dense();
        self.progress.accept(trial, &self.point, &self.rate);
    }

    fn fill_dense(&mut self) {
        let [c1, c2, _] = NODES;
        let [z1, z2, z3] = &self.collocation.z;
        for (i, d) in self.dense.iter_mut().enumerate() {
            let begin = z1[i] / c1;
            let middle = (z2[i] - z1[i]) / (c2 - c1);
            let end = (z3[i] - z2[i]) / (1.0 - c2);
            let (early, late) = ((middle - begin) / c2, (end - middle) / (1.0 - c1));
            *d = [begin, early, late - early, end, late];
        }
    }
}

/// What came of a trial.
#[derive(Debug, Clone, Copy)]
enum Attempt {
    Passed { error: f64, iterations: usize },
    Shorten { factor: f64, finite: bool },
}

impl Stepper for Radau {
    fn step(&mut self, equations: &mut dyn Equations, t_limit: f64) -> Result<()> {
        let scratch = [&mut self.point[..], &mut self.rate[..]];
        self.progress.prepare(equations, t_limit, fourth_root, scratch)?;
        for (i, scale) in self.collocation.scale.iter_mut().enumerate() {
            *scale = self.widening * self.progress.tolerance.scale(i, self.progress.state[i]);
        }
        let mut trial = self.progress.trial(t_limit);
        let mut again = false;
        loop {
            let (factor, finite) = match self.attempt(equations, trial, again)? {
                Attempt::Shorten { factor, finite } => (factor, finite),
                Attempt::Passed { error, iterations } => {
                    if self.close(equations, trial.end)? {
                        self.accept(trial, error, iterations, again);
                        return Ok(());
                    }
                    (RETREAT, false)
                }
            };
            self.stale = !self.current;
            trial = self.progress.shorten(trial, factor, finite)?;
            again = true;
        }
    }

    fn time(&self) -> f64 {
        self.progress.time
    }

    fn state(&self) -> &[f64] {
        &self.progress.state
    }

    fn previous_time(&self) -> f64 {
        self.progress.previous_time
    }

    fn interpolate(&self, t: f64, y: &mut [f64]) {
        let Progress { state, previous_state, .. } = &self.progress;
        let Some((s, r)) = self.progress.weights(t) else {
            return y.copy_from_slice(state);
        };
        let (after1, after2) = (s - NODES[0], s - NODES[1]);
        for (i, d) in self.dense.iter().enumerate() {
            y[i] = if s < r {
                previous_state[i] + s * (d[0] + after1 * (d[1] + after2 * d[2]))
            } else {
                state[i] - r * (d[3] + after2 * (d[4] + after1 * d[2]))
            };
        }
    }

    fn restart(&mut self, t: f64, y: &[f64]) -> Result<()> {
        self.progress.restart(t, y)?;
        (self.stale, self.current, self.memory) = (true, false, None);
        Ok(())
    }

    fn settings(&self) -> &Settings {
        &self.progress.settings
    }

    fn statistics(&self) -> Statistics {
        self.progress.statistics
    }
}

/// x^(1/4), the same bits everywhere.
fn fourth_root(x: f64) -> f64 {
    x.sqrt().sqrt()
}

#[cfg(test)]
mod tests {
    use rattleback_geom::nalgebra::DMatrix;

    use super::*;

    /// ẏ = −2t y², y = 1/(1 + t²).
    struct Bell;

    impl Equations for Bell {
        fn dimension(&self) -> usize {
            1
        }
        fn rate(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
            dy[0] = -2.0 * t * y[0] * y[0];
            Ok(())
        }
        fn jacobian(&mut self, t: f64, y: &[f64], out: &mut DMatrix<f64>) -> Result<()> {
            out[(0, 0)] = -4.0 * t * y[0];
            Ok(())
        }
    }

    /// Errors at t = 1 and largest within steps, of `n` steps whose error control never speaks but whose Newton
    /// iteration goes down to rounding.
    fn errors(n: usize) -> (f64, f64) {
        let h = 1.0 / n as f64;
        let settings = Settings { first_step: Some(h), longest_step: h, ..Settings::default() };
        let mut stepper = Radau::new(0.0, &[1.0], Tolerance::new(0.5, 1e3).unwrap(), settings).unwrap();
        stepper.collocation.target = 1e-13 / (stepper.widening * 1e3);
        let mut within: f64 = 0.0;
        while stepper.time() < 1.0 {
            stepper.step(&mut Bell, 1.0).unwrap();
            stepper.stale = true;
            for i in 0..20 {
                let t = stepper.previous_time() + h * f64::from(i) / 20.0;
                let mut y = [0.0];
                stepper.interpolate(t, &mut y);
                within = within.max((y[0] - 1.0 / (1.0 + t * t)).abs());
            }
        }
        assert_eq!((stepper.statistics().steps, stepper.statistics().rejected), (n, 0));
        ((stepper.state()[0] - 0.5).abs(), within)
    }

    #[test]
    fn end_points_converge_with_order_5_and_the_cubic_with_order_3_at_least() {
        let found: Vec<_> = [8, 16, 32, 64].iter().map(|&n| errors(n)).collect();
        for pair in found.windows(2) {
            assert!((pair[0].0 / pair[1].0).log2() > 4.8, "{found:?}");
            assert!((pair[0].1 / pair[1].1).log2() > 3.7, "{found:?}");
        }
    }
}
