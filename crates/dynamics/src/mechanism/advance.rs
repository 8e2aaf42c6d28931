//! From one time to another: steps that are cut in half where they do not converge, fixed and adaptive steps.
//!
//! A step from t to t + h that does not converge, or on whose way a force cannot be computed, becomes two of h/2, and
//! so on; after success the longer step is taken up again as soon as the binary grid of h allows.
//!
//! Adaptive steps: the trapezoidal rule's local error in q is h³/12 q⃛ (E. Hairer, S. P. Nørsett, G. Wanner, Solving
//! Ordinary Differential Equations I, section III.2), estimated from both ends of the step as
//!
//!   e = h²/12 max∣q̈₁ − q̈₀∣,      h ← h · 0.9 (tol/e)^{1/3},  by at most 2 and at least 1/5.
//!
//! Corners: where the acceleration that a motor asks for jumps at t_c, so do multipliers and powers, and a step across
//! it, or one that takes the value to the right for its own end, leaves the trapezoids of work an error of first order
//! in h. Steps end just before t_c, by [`BEFORE`] of it, with the values to the left, and the next one begins at t_c
//! with accelerations and multipliers computed anew, which are those to the right.
//!
//! Generalized-α has an error of the same order with a constant of the order of one, and takes the same estimate.

use super::settings::{Rule, Step};
use super::step::StepFailure;
use super::{Mechanism, natural};
use crate::equal_steps::{EqualSteps, FINEST, check_end};
use crate::error::{DynamicsError, Result};
use crate::force;
use crate::state::{JointState, State};

/// Factors of a controller for an error of order three (Hairer, Nørsett, Wanner I, section II.4).
const SAFETY: f64 = 0.9;
const GROW: f64 = 2.0;
const SHRINK: f64 = 0.2;

/// How far before a corner a step ends, as a share of its time: beyond the rounding of times, far below any step.
const BEFORE: f64 = 64.0 * f64::EPSILON;

impl Mechanism {
    /// A step of `dt` s. A state that has not been assembled is assembled first; after an error it is as it was.
    pub fn step(&mut self, state: &mut State, dt: f64) -> Result<()> {
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(DynamicsError::OutOfRange {
                field: "dt".to_owned(),
                value: dt,
                allowed: "above zero and finite",
            });
        }
        self.save(state);
        let end = state.time + dt;
        let outcome = self.prepare_state(state).and_then(|()| self.halving(state, dt, end));
        if outcome.is_err() {
            self.restore(state);
        }
        outcome
    }

    /// Keeps what a step changes, in buffers that stay.
    fn save(&mut self, state: &State) {
        self.saved.time = state.time;
        self.saved.motions.clone_from(&state.motions);
        self.saved.pairs.copy_from(&state.pairs);
        self.saved.windlasses.clone_from(&state.windlasses);
        (self.saved.ended_pairs, self.saved.dissipated, self.saved.step) =
            (state.ended_pairs, state.dissipated, state.step);
        match (&mut self.saved.joints, &state.joints) {
            (Some(saved), Some(joints)) => saved.copy_from(joints),
            (saved, joints) => saved.clone_from(joints),
        }
    }

    fn restore(&mut self, state: &mut State) {
        std::mem::swap(state, &mut self.saved);
    }

    /// Moves a state to the time `end` and shows it to `observer` after every step. After an error the state stands
    /// where the last step that converged left it.
    pub fn advance(
        &mut self,
        state: &mut State,
        end: f64,
        observer: &mut dyn FnMut(&mut Self, &State) -> Result<()>,
    ) -> Result<()> {
        check_end(state.time, end)?;
        for acting in self.model.actions() {
            if !(acting.action.is_within(state.time) && acting.action.is_within(end)) {
                let joint = &self.model.joints()[acting.joint.0].name;
                let field = format!("the time for the table of joint {joint}");
                return Err(DynamicsError::OutOfRange { field, value: end, allowed: "within the table" });
            }
        }
        self.prepare_state(state)?;
        for corner in self.corners(state.time, end) {
            let margin = BEFORE * corner.abs();
            if corner - state.time > 2.0 * margin {
                self.advance_smoothly(state, corner - margin, observer)?;
            }
            // Times that are the same but for rounding are the same.
            let time = if end - corner > 2.0 * margin { corner } else { end };
            self.turn_corner(state, time)?;
        }
        if state.time < end { self.advance_smoothly(state, end, observer) } else { Ok(()) }
    }

    /// The times after `begin` and up to `end` at which accelerations that motors ask for jump, in their order.
    fn corners(&self, begin: f64, end: f64) -> Vec<f64> {
        let mut corners: Vec<f64> =
            self.model.actions().iter().flat_map(|acting| acting.action.corners()).collect();
        corners.retain(|corner| *corner > begin && *corner <= end);
        corners.sort_by(f64::total_cmp);
        corners.dedup();
        corners
    }

    /// Goes on to the time of a corner, from which a state is away by rounding, with accelerations and multipliers to
    /// the right.
    fn turn_corner(&mut self, state: &mut State, corner: f64) -> Result<()> {
        state.time = corner;
        self.settle(state)?;
        let power = self.power(state, &self.equations.multipliers)?;
        let active = self.equations.system.active;
        if let Some(joints) = &mut state.joints {
            joints.accelerations.clear();
            joints.accelerations.extend_from_slice(&self.equations.a[..active]);
            joints.multipliers.clone_from(&self.equations.multipliers);
            if let Rule::GeneralizedAlpha { .. } = self.settings.rule {
                joints.averaged.clone_from(&joints.accelerations);
            }
            joints.power = power;
            let step_contacts = &self.equations.step_contacts;
            step_contacts.region_forces(&self.model, &state.motions, &mut joints.region_forces);
        }
        Ok(())
    }

    /// The same where no acceleration jumps.
    fn advance_smoothly(
        &mut self,
        state: &mut State,
        end: f64,
        observer: &mut dyn FnMut(&mut Self, &State) -> Result<()>,
    ) -> Result<()> {
        match self.settings.step {
            Step::Fixed(h) => {
                let equal_steps = EqualSteps::new(state.time, end, h)?;
                for time in equal_steps.ends() {
                    self.halving(state, equal_steps.step(), time)?;
                    observer(self, state)?;
                }
            }
            Step::Adaptive { tolerance, first, longest } => {
                while state.time < end {
                    self.adapt(state, end, [tolerance, first, longest])?;
                    observer(self, state)?;
                }
            }
        }
        Ok(())
    }

    /// Checks a state and assembles it if that has not been done.
    pub(crate) fn prepare_state(&mut self, state: &mut State) -> Result<()> {
        self.check(state)?;
        self.model.prescribe(state.time, &mut state.motions);
        force::begin(self.model.forces(), &mut state.windlasses);
        if state.joints.is_none() {
            self.assemble(state)?;
        }
        Ok(())
    }

    /// One step of `dt` to `end`, in halves of halves where it must be.
    fn halving(&mut self, state: &mut State, dt: f64, end: f64) -> Result<()> {
        let (begin, parts) = (state.time, 1_u64 << self.settings.halvings);
        let (mut done, mut size) = (0, parts);
        let mut joints = state.joints.take().unwrap_or_default();
        while done < parts {
            let h = dt * (size as f64 / parts as f64);
            let next = done + size;
            let time = if next == parts { end } else { begin + (end - begin) * (next as f64 / parts as f64) };
            match self.try_step(state, &joints, h, time) {
                Err(error) if size == 1 => {
                    state.joints = Some(joints);
                    return Err(error);
                }
                Ok(Err(failure)) if size == 1 => {
                    state.joints = Some(joints);
                    return Err(self.not_converged(state.time, h, failure));
                }
                Err(_) | Ok(Err(_)) => {
                    self.statistics.rejected += 1;
                    size /= 2;
                }
                Ok(Ok(())) => {
                    if let Err(error) = self.accept(state, &mut joints, h, time) {
                        state.joints = Some(joints);
                        return Err(error);
                    }
                    done = next;
                    while size < parts && done % (2 * size) == 0 && done + 2 * size <= parts {
                        size *= 2;
                    }
                }
            }
        }
        state.joints = Some(joints);
        Ok(())
    }

    /// Takes the end of a step of `h` seconds into the state, with what contacts and forces did on the way.
    fn accept(&mut self, state: &mut State, joints: &mut JointState, h: f64, time: f64) -> Result<()> {
        self.equations.write(state, joints);
        state.time = time;
        self.statistics.steps += 1;
        self.equations.step_contacts.finish(&self.model, state, &mut joints.region_forces)?;
        let power = self.power(state, &self.balanced)?;
        state.dissipated += 0.5 * h * (joints.power + self.jump + power);
        joints.power = power;
        if let Rule::GeneralizedAlpha { .. } = self.settings.rule {
            joints.averaged.clone_from(&self.averaged);
        }
        Ok(())
    }

    /// One step whose estimated error is within the tolerance.
    fn adapt(&mut self, state: &mut State, end: f64, [tolerance, first, longest]: [f64; 3]) -> Result<()> {
        let mut joints = state.joints.take().unwrap_or_default();
        // Shorter steps are lost in the rounding of the time, and their squares may vanish.
        let finest = FINEST * state.time.abs().max(end.abs());
        let wanted = state.step.unwrap_or(first).min(longest).max(finest);
        let mut h = wanted;
        loop {
            let left = end - state.time;
            let last = h >= left * (1.0 - FINEST);
            let (dt, time) = if last { (left, end) } else { (h, state.time + h) };
            let failure = match self.try_step(state, &joints, dt, time) {
                Ok(Ok(())) => {
                    let (column, error) = self.local_error(&joints, dt);
                    let factor = if error > 0.0 { SAFETY * libm::cbrt(tolerance / error) } else { GROW };
                    if error <= tolerance {
                        if let Err(error) = self.accept(state, &mut joints, dt, time) {
                            state.joints = Some(joints);
                            return Err(error);
                        }
                        // A step that the end cut short says nothing against the one that was wanted.
                        let next = dt * factor.clamp(SHRINK, GROW);
                        let next = if last && dt < wanted { next.max(wanted) } else { next };
                        state.step = Some(next.min(longest));
                        state.joints = Some(joints);
                        return Ok(());
                    }
                    h = dt * factor.clamp(SHRINK, SAFETY);
                    self.not_converged(state.time, dt, StepFailure { column, residual: error })
                }
                Ok(Err(failure)) => {
                    h = 0.5 * dt;
                    self.not_converged(state.time, dt, failure)
                }
                Err(error) => {
                    h = 0.5 * dt;
                    error
                }
            };
            self.statistics.rejected += 1;
            if h < finest {
                state.joints = Some(joints);
                return Err(failure);
            }
        }
    }

    /// The largest estimate among the bodies' coordinates, and which one it is.
    fn local_error(&self, joints: &JointState, h: f64) -> (usize, f64) {
        let mut worst = (0, 0.0);
        for column in 0..natural::BODY * self.equations.system.free.len() {
            let change = (self.equations.a[column] - joints.accelerations[column]).abs();
            if !(change <= worst.1) {
                worst = (column, change);
            }
        }
        (worst.0, h * h / 12.0 * worst.1)
    }

    fn not_converged(&self, time: f64, step: f64, failure: StepFailure) -> DynamicsError {
        let body = self.equations.system.name_of_coordinate(&self.model, failure.column);
        DynamicsError::NotConverged { time, step, body, residual: failure.residual }
    }
}
