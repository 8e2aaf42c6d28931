//! The driver: steps until an event or the end, and shows every step on the way.

use super::event::{Scan, Scanner};
use super::{Equations, Event, Stepper};
use crate::{DynamicsError, Result};

/// How a call of [`advance`] ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AdvanceOutcome {
    /// At the end that was asked for.
    Reached,
    /// At an event; the stepper stands there. Events within rounding of each other are one: `index` is the first of
    /// them as declared, [`Event::fired`] tells the others.
    Event {
        /// Its place among the events.
        index: usize,
        /// When.
        time: f64,
    },
}

/// An accepted step as an observer sees it, up to the event that ended it.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    stepper: &'a dyn Stepper,
    end: f64,
}

impl std::fmt::Debug for Step<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Step").field("begin", &self.begin()).field("end", &self.end).finish()
    }
}

impl Step<'_> {
    /// The time at which it begins: the end of the step before.
    pub fn begin(&self) -> f64 {
        self.stepper.previous_time()
    }

    /// The time at which it ends.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// The stepper at the end of the step.
    pub(crate) fn stepper(&self) -> &dyn Stepper {
        self.stepper
    }

    /// Writes the state at a time within the step to `y`.
    pub fn interpolate(&self, t: f64, y: &mut [f64]) {
        self.stepper.interpolate(t, y);
    }
}

/// Integrates to `t_end`, which may lie in the past, or to the first of the `events`, and calls `observer` with each
/// accepted step.
///
/// The time of an event is found on the interpolant; the step is then made again up to that time, so that the state
/// there is as accurate as at the end of any step: [`Stepper::time`] is the time of the event and [`Stepper::state`]
/// the state. The next call goes on from it, or from where [`Stepper::restart`] has put it; an event that has just been
/// reported, or is at zero at the start, is reported when it has left zero and comes back. An event on `t_end` is an
/// event.
///
/// Fails with [`DynamicsError::TooManySteps`] after [`Settings::max_steps`](super::Settings::max_steps), and with
/// whatever the equations, the events and the observer fail with.
pub fn advance(
    stepper: &mut dyn Stepper,
    equations: &mut dyn Equations,
    events: &mut [Event<'_>],
    t_end: f64,
    observer: &mut dyn FnMut(&Step<'_>) -> Result<()>,
) -> Result<AdvanceOutcome> {
    let mut scan = Scan::new(stepper.state().len(), events);
    advance_scanned(stepper, equations, &mut scan, t_end, observer)
}

/// The same with another way to look through the steps.
pub(crate) fn advance_scanned(
    stepper: &mut dyn Stepper,
    equations: &mut dyn Equations,
    scanner: &mut dyn Scanner,
    t_end: f64,
    observer: &mut dyn FnMut(&Step<'_>) -> Result<()>,
) -> Result<AdvanceOutcome> {
    scanner.begin(stepper.time(), stepper.state())?;
    if stepper.time() == t_end {
        return Ok(AdvanceOutcome::Reached);
    }
    let most = stepper.settings().max_steps;
    for steps in 0..most {
        stepper.step(equations, t_end)?;
        if let Some((index, time)) = scanner.first(stepper, steps == 0)? {
            step_to(stepper, equations, time, observer)?;
            return Ok(AdvanceOutcome::Event { index, time });
        }
        observer(&Step { stepper, end: stepper.time() })?;
        if stepper.time() == t_end {
            return Ok(AdvanceOutcome::Reached);
        }
    }
    Err(DynamicsError::TooManySteps { time: stepper.time(), steps: most })
}

/// Makes the last step again, no farther than `time`, and shows what it took.
fn step_to(
    stepper: &mut dyn Stepper,
    equations: &mut dyn Equations,
    time: f64,
    observer: &mut dyn FnMut(&Step<'_>) -> Result<()>,
) -> Result<()> {
    let begin = stepper.previous_time();
    let mut state = vec![0.0; stepper.state().len()];
    stepper.interpolate(begin, &mut state);
    stepper.restart(begin, &state)?;
    while stepper.time() != time {
        stepper.step(equations, time)?;
        observer(&Step { stepper, end: stepper.time() })?;
    }
    Ok(())
}
