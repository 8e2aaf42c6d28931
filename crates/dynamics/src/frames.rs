//! A run as an iterator over frames, equally spaced in time.
//!
//! Frame k is at t₀ + k Δt, the last one at the end, bit for bit, whether or not the interval Δt divides the time.
//! Engines end their steps on the frames, so that fewer frames are other steps: results agree within the accuracy asked
//! for.

use crate::body::Motion;
use crate::contact_set::ActiveContact;
use crate::energy::Energy;
use crate::equal_steps::{FINEST, check_end};
use crate::error::{Result, demand};
use crate::model::{BodyId, PairId};
use crate::observer::{Instant, RunEvent};
use crate::run::{Run, active_contacts};

/// A frame that would be nearer to the end than this share of the interval is the one at the end: t₀ + kΔt is rounded.
const SLIVER: f64 = 1e-9;

/// A contact that began or ended on the way to a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactEvent {
    /// When, in s; engines of fixed steps know it to the step.
    pub time: f64,
    /// Which pair.
    pub pair: PairId,
    /// Whether it began; otherwise it ended.
    pub begins: bool,
}

/// What is known of a run at one time.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The time in s.
    pub time: f64,
    /// The motion of each body, in the order of the model.
    pub motions: Vec<Motion>,
    /// The pairs in contact with their forces, in declared order.
    pub contacts: Vec<(PairId, ActiveContact)>,
    /// Where the energy is and where it went.
    pub energy: Energy,
    /// What began and ended since the frame before, in the order in which it happened.
    pub events: Vec<ContactEvent>,
}

impl Frame {
    /// The motion of a body; none where the id is another model's.
    pub fn motion(&self, body: BodyId) -> Option<&Motion> {
        self.motions.get(body.0)
    }
}

/// The frames of a run, from [`Run::frames`]. An error is the last item; the run's state is then the last one that is
/// whole.
#[derive(Debug)]
pub struct Frames<'r, 'm> {
    run: &'r mut Run<'m>,
    begin: f64,
    end: f64,
    interval: f64,
    /// The number of the next frame; none after the last.
    next: Option<u64>,
}

impl<'r, 'm> Frames<'r, 'm> {
    pub(crate) fn new(run: &'r mut Run<'m>, end: f64, interval: f64) -> Self {
        let begin = run.state().time;
        Self { run, begin, end, interval, next: Some(0) }
    }

    fn check(&self) -> Result<()> {
        check_end(self.begin, self.end)?;
        let finest = FINEST * self.begin.abs().max(self.end.abs());
        let allowed = "above zero, finite, and not lost in the rounding of the time";
        demand(self.interval > 0.0 && self.interval >= finest, "interval", self.interval, allowed)
    }

    fn time(&self, number: u64) -> f64 {
        let time = self.begin + number as f64 * self.interval;
        if self.end - time < SLIVER * self.interval { self.end } else { time }
    }

    fn frame(&mut self, number: u64) -> Result<Frame> {
        if number == 0 {
            self.check()?;
        }
        let mut events = Vec::new();
        let mut watch = |now: &Instant<'_>| {
            let event = |pair, begins| ContactEvent { time: now.state.time, pair, begins };
            match now.event {
                RunEvent::Step => {}
                RunEvent::Begin(pair) => events.push(event(pair, true)),
                RunEvent::End(pair) => events.push(event(pair, false)),
            }
            Ok(())
        };
        if number > 0 {
            self.run.advance(self.time(number), &mut watch)?;
        }
        let energy = self.run.energy()?;
        let state = self.run.state();
        let contacts = active_contacts(self.run.model(), state)?;
        Ok(Frame { time: state.time, motions: state.motions.clone(), contacts, energy, events })
    }
}

impl Iterator for Frames<'_, '_> {
    type Item = Result<Frame>;

    fn next(&mut self) -> Option<Self::Item> {
        let number = self.next.take()?;
        let found = self.frame(number);
        if found.as_ref().is_ok_and(|frame| frame.time < self.end) {
            self.next = Some(number + 1);
        }
        Some(found)
    }
}

impl std::iter::FusedIterator for Frames<'_, '_> {}
