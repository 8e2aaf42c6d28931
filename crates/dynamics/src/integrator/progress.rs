//! Where a stepper stands, and how long its next step may be.
//!
//! The first step follows Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, section II.4, "Starting
//! Step Size": with d₀ = ‖y‖, d₁ = ‖f‖ in the norm of the tolerance, an Euler step of h₀ = d₀/100 d₁ gives the second
//! derivative d₂ = ‖Δf‖/h₀, and h₁ᵖ⁺¹ max(d₁, d₂) = 1/100 the step for an error of order p. All of it is a guess that
//! the error control mends.
//!
//! | symbol | here |
//! |---|---|
//! | t, y, f(t, y) | `time`, `state`, `rate` |
//! | p + 1st root | `root` |

use super::{Equations, Settings, Statistics, Tolerance};
use crate::{DynamicsError, Result};

/// Steps that rounding of t spoils: below ten units in its last place the stages cannot be told apart.
const FINEST_STEP: f64 = 10.0 * f64::EPSILON;

/// A step may be stretched by this much to end on the limit rather than just short of it.
const STRETCH: f64 = 1.01;

/// What every [`Stepper`](super::Stepper) says of where it stands, from its field `progress`.
macro_rules! stands_at_its_progress {
    () => {
        fn time(&self) -> f64 {
            self.progress.time
        }

        fn state(&self) -> &[f64] {
            &self.progress.state
        }

        fn previous_time(&self) -> f64 {
            self.progress.previous_time
        }

        fn boxed(&self) -> Box<dyn Stepper> {
            Box::new(self.clone())
        }

        fn proposal(&self) -> Option<f64> {
            self.progress.proposal
        }

        fn settings(&self) -> &Settings {
            &self.progress.settings
        }

        fn statistics(&self) -> $crate::integrator::Statistics {
            self.progress.statistics
        }
    };
}
pub(super) use stands_at_its_progress;

/// The state of a stepper apart from its stages.
#[derive(Debug, Clone)]
pub(super) struct Progress {
    pub time: f64,
    pub previous_time: f64,
    pub state: Vec<f64>,
    pub previous_state: Vec<f64>,
    /// f at (`time`, `state`), if `rate_known`.
    pub rate: Vec<f64>,
    pub rate_known: bool,
    /// The length of the next step as the error control wants it; `None` before the first.
    pub proposal: Option<f64>,
    pub tolerance: Tolerance,
    pub settings: Settings,
    pub statistics: Statistics,
}

/// A step to be tried.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trial {
    /// h, with its sign.
    pub step: f64,
    /// t + h; the limit itself where the step ends on it.
    pub end: f64,
    /// Whether the limit made it shorter than the error control would have it.
    pub cut: bool,
}

impl Progress {
    pub fn new(t: f64, y: &[f64], tolerance: Tolerance, settings: Settings) -> Result<Self> {
        tolerance.check(y.len())?;
        settings.check()?;
        check_start(t, y)?;
        Ok(Self {
            time: t,
            previous_time: t,
            state: y.to_vec(),
            previous_state: y.to_vec(),
            rate: vec![0.0; y.len()],
            rate_known: false,
            proposal: settings.first_step,
            tolerance,
            settings,
            statistics: Statistics::default(),
        })
    }

    pub fn restart(&mut self, t: f64, y: &[f64]) -> Result<()> {
        check_dimension("state", y.len(), self.state.len())?;
        check_start(t, y)?;
        (self.time, self.previous_time) = (t, t);
        self.state.copy_from_slice(y);
        self.previous_state.copy_from_slice(y);
        self.rate_known = false;
        Ok(())
    }

    /// Makes sure that the rate here and a proposal for the step are known. `scratch` is two vectors of the dimension.
    pub fn prepare(
        &mut self,
        equations: &mut dyn Equations,
        t_limit: f64,
        root: fn(f64) -> f64,
        scratch: [&mut [f64]; 2],
    ) -> Result<()> {
        check_dimension("state", self.state.len(), equations.dimension())?;
        if !t_limit.is_finite() || t_limit == self.time {
            let allowed = "finite and not the present time";
            return Err(DynamicsError::OutOfRange { field: "time limit".into(), value: t_limit, allowed });
        }
        if !self.rate_known {
            self.statistics.evaluations += 1;
            equations.rate(self.time, &self.state, &mut self.rate)?;
            if !all_finite(&self.rate) {
                return Err(DynamicsError::NotFinite { time: self.time, what: "the rate" });
            }
            self.rate_known = true;
        }
        if self.proposal.is_none() {
            self.proposal = Some(self.guess(equations, t_limit, root, scratch)?);
        }
        Ok(())
    }

    fn guess(
        &mut self,
        equations: &mut dyn Equations,
        t_limit: f64,
        root: fn(f64) -> f64,
        [moved, moved_rate]: [&mut [f64]; 2],
    ) -> Result<f64> {
        let longest = (t_limit - self.time).abs().min(self.settings.longest_step);
        let size = self.norm(&self.state);
        let speed = self.norm(&self.rate);
        // Where one of them says nothing: a millionth of the time unit, as the reference has it.
        let first = if size < 1e-5 || speed < 1e-5 { 1e-6 } else { 0.01 * size / speed }.min(longest);
        let signed = first.copysign(t_limit - self.time);
        for i in 0..moved.len() {
            moved[i] = self.state[i] + signed * self.rate[i];
        }
        self.statistics.evaluations += 1;
        equations.rate(self.time + signed, moved, moved_rate)?;
        for i in 0..moved.len() {
            moved[i] = moved_rate[i] - self.rate[i];
        }
        let bend = self.norm(moved) / first;
        if !bend.is_finite() {
            return Ok(first);
        }
        let sharpest = bend.max(speed);
        let second = if sharpest <= 1e-15 { (1e-3 * first).max(1e-6) } else { root(0.01 / sharpest) };
        Ok((100.0 * first).min(second).min(longest))
    }

    /// The first trial of a step.
    pub fn trial(&self, t_limit: f64) -> Trial {
        let wanted = self.proposal.unwrap_or(f64::INFINITY).min(self.settings.longest_step);
        let left = t_limit - self.time;
        if STRETCH * wanted >= left.abs() {
            Trial { step: left, end: t_limit, cut: left.abs() < wanted }
        } else {
            let step = wanted.copysign(left);
            Trial { step, end: self.time + step, cut: false }
        }
    }

    /// The next trial after one that failed, `factor` times as long; an error where rounding does not allow that.
    pub fn shorten(&mut self, trial: Trial, factor: f64, finite: bool) -> Result<Trial> {
        self.statistics.rejected += 1;
        let step = factor * trial.step;
        if !(step.abs() > FINEST_STEP * self.time.abs()) || step.abs() < f64::MIN_POSITIVE {
            return Err(if finite {
                DynamicsError::StepTooSmall { time: self.time, step: trial.step.abs() }
            } else {
                DynamicsError::NotFinite { time: self.time, what: "the rate" }
            });
        }
        Ok(Trial { step, end: self.time + step, cut: false })
    }

    /// Moves to the end of a step whose end state is `state` and end rate is `rate`.
    pub fn accept(&mut self, trial: Trial, state: &[f64], rate: &[f64]) {
        self.previous_time = self.time;
        self.time = trial.end;
        std::mem::swap(&mut self.previous_state, &mut self.state);
        self.state.copy_from_slice(state);
        self.rate.copy_from_slice(rate);
        self.rate_known = true;
        self.statistics.steps += 1;
    }

    /// Weights of a step of the last accepted length: (s, 1 − s) at `t`, each exact near its own end.
    pub fn weights(&self, t: f64) -> Option<(f64, f64)> {
        let h = self.time - self.previous_time;
        (h != 0.0).then(|| ((t - self.previous_time) / h, (self.time - t) / h))
    }

    /// √(1/n Σ (vᵢ/sᵢ)²) with the scale of the present state.
    pub fn norm(&self, v: &[f64]) -> f64 {
        let sum: f64 = v
            .iter()
            .zip(&self.state)
            .enumerate()
            .map(|(i, (value, state))| (value / self.tolerance.scale(i, *state)).powi(2))
            .sum();
        (sum / v.len().max(1) as f64).sqrt()
    }
}

pub(super) fn all_finite(v: &[f64]) -> bool {
    // Without an early end, which keeps it from being done by vectors.
    v.iter().fold(true, |finite, value| finite & value.is_finite())
}

fn check_dimension(field: &'static str, found: usize, expected: usize) -> Result<()> {
    if found == expected { Ok(()) } else { Err(DynamicsError::Dimension { field, found, expected }) }
}

fn check_start(t: f64, y: &[f64]) -> Result<()> {
    if !t.is_finite() {
        return Err(DynamicsError::OutOfRange { field: "time".into(), value: t, allowed: "finite" });
    }
    if !all_finite(y) {
        return Err(DynamicsError::NotFinite { time: t, what: "the state" });
    }
    Ok(())
}
