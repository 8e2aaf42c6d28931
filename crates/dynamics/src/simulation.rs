//! A simulation: a model, its state, and the stages by which it moves on.
//!
//! For free bodies, until the time asked for is reached:
//!
//! 1. the pairs in contact are laid out with the bodies in one vector (`free/layout.rs`);
//! 2. the integrator makes steps (`integrator/mod.rs`): each evaluation places the parts (`contacts.rs`), asks the narrow
//!    phase about the pairs in contact, applies their laws and sums up the loads (`free/equations.rs`);
//! 3. after each step the gaps of all pairs are watched; the first one to pass zero ends the segment at that instant;
//! 4. the vector is written back into the state, the contact begins or ends, and the observer is told.
//!
//! Everything that decides what comes next is in the state, the length of the next step included: a run that is stopped
//! between two calls of `advance` and taken up again from its stored state has the same bits as one that was not.

use crate::contacts::{Contacts, Pressed};
use crate::error::{DynamicsError, Result};
use crate::free::{FreeEquations, Layout, Watch, size, slop};
use crate::integrator::{Dop853, Outcome, Radau, Settings, Statistics, Step, Stepper, Tolerance, advance};
use crate::model::{Model, PairId, PartPair};
use crate::observer::{Happening, Instant, Observer};
use crate::pace::check_end;
use crate::state::State;

/// How free bodies are integrated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Explicit, order 8, adaptive: the choice unless contacts are stiff against the motion of interest.
    Explicit,
    /// Implicit, order 5, adaptive: where contacts are stiff and last.
    Stiff,
}

/// How accurately.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// Local error against the size of each number.
    pub relative: f64,
    /// Local error in SI units.
    pub absolute: f64,
}

impl Default for Accuracy {
    fn default() -> Self {
        Self { relative: 1e-9, absolute: 1e-11 }
    }
}

/// A model on its way through time.
#[derive(Debug)]
pub struct Simulation<'m> {
    model: &'m Model,
    /// All pairs that may touch.
    pairs: Vec<PartPair>,
    /// The size of the smaller part of each.
    sizes: Vec<f64>,
    state: State,
    /// The contacts of the state last shown, with their forces.
    pressed: Vec<(PairId, Pressed)>,
    method: Method,
    accuracy: Accuracy,
    statistics: Statistics,
}

impl<'m> Simulation<'m> {
    /// A simulation of free bodies that begins in the given state. Pairs about which the state knows nothing yet are asked:
    /// those that overlap are in contact from the start, with the approach speed that they have. Those that touch exactly are
    /// once they move together (`free/watch.rs`).
    pub fn new(model: &'m Model, mut state: State, method: Method, accuracy: Accuracy) -> Result<Self> {
        if let Some(joint) = model.joints().first() {
            let reason = "free bodies have no joints: this model is a mechanism".to_owned();
            return Err(DynamicsError::Invalid { what: format!("joint {}", joint.name), reason });
        }
        state.check(model)?;
        model.prescribe(state.time, &mut state.motions);
        let mut contacts = Contacts::new(model, &state.motions);
        let pairs = model.all_pairs();
        let sizes: Vec<f64> = pairs.iter().map(|pair| size(model, pair)).collect();
        for (pair, &size) in pairs.iter().zip(&sizes) {
            let memory = state.pairs.entry(pair.id()).or_default();
            if memory.normal.is_some() {
                continue;
            }
            let (contact, kinematics) = contacts.contact(pair, None)?;
            memory.normal = Some(contact.touch.normal);
            if contact.touch.gap < -slop(pair, size, &contacts) {
                memory.contact = Some(pair.law.begin(kinematics.gap_rate)?);
                memory.since = state.time;
            }
        }
        let mut pressed = Vec::new();
        store(model, &mut contacts, &mut state, &mut pressed)?;
        Ok(Self { model, pairs, sizes, state, pressed, method, accuracy, statistics: Statistics::default() })
    }

    /// The state reached.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// What the integrator has spent so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Moves on to the time `t_end`. After an error the state is that at the last event, or at the beginning of the call.
    pub fn advance(&mut self, t_end: f64, observer: &mut Observer<'_>) -> Result<()> {
        check_end(self.state.time, t_end)?;
        while self.state.time < t_end {
            let mut fired = self.segment(t_end, observer)?;
            fired.sort_unstable_by_key(|&pair| self.pairs[pair].id());
            // An observer that fails must not leave a pair at its event and not switched.
            let happenings: Vec<Happening> =
                fired.into_iter().map(|pair| self.switch(pair)).collect::<Result<_>>()?;
            for happening in happenings {
                observer(&Instant { state: &self.state, happening, pressed: &self.pressed })?;
            }
        }
        Ok(())
    }

    /// Integrates until contacts begin or end, and says which, or to the end.
    fn segment(&mut self, t_end: f64, observer: &mut Observer<'_>) -> Result<Vec<usize>> {
        let layout = Layout::new(self.model, &self.pairs, &self.state);
        let y = layout.pack(&self.state);
        let mut equations = FreeEquations::new(self.model, &self.state, layout.clone());
        let mut stepper = self.stepper(&y)?;
        let watch = Watch::new(self.model, (&self.pairs, &self.sizes), &self.state, &layout);
        let mut events = watch.events();
        let (model, begun) = (self.model, self.state.clone());
        let mut here = y.clone();
        let mut contacts = Contacts::new(model, &begun.motions);
        let pressed = &mut self.pressed;
        let mut longest = 0.0f64;
        let mut show = |step: &Step<'_>| {
            longest = longest.max(step.end() - step.begin());
            step.interpolate(step.end(), &mut here);
            let mut state = begun.clone();
            layout.unpack(&here, &mut state);
            state.time = step.end();
            model.prescribe(state.time, &mut state.motions);
            watch.remember(&mut state);
            store(model, &mut contacts, &mut state, pressed)?;
            observer(&Instant { state: &state, happening: Happening::Step, pressed })
        };
        let outcome = advance(&mut *stepper, &mut equations, &mut events, t_end, &mut show);
        // Where no step was small enough, the query's complaint says more than the integrator's.
        let outcome = outcome.map_err(|error| match error {
            DynamicsError::NotFinite { .. } | DynamicsError::StepTooSmall { .. } => {
                equations.complaint().unwrap_or(error)
            }
            other => other,
        })?;
        let fired = match outcome {
            Outcome::Event { .. } => (0..events.len()).filter(|&pair| events[pair].fired()).collect(),
            Outcome::Reached => Vec::new(),
        };
        drop(events);
        layout.unpack(stepper.state(), &mut self.state);
        self.state.time = stepper.time();
        self.model.prescribe(self.state.time, &mut self.state.motions);
        // The last step may have been cut short by the end or an event; the longest one is worth a try.
        self.state.step = Some(longest);
        watch.remember(&mut self.state);
        self.statistics += stepper.statistics();
        store(self.model, &mut contacts, &mut self.state, &mut self.pressed)?;
        Ok(fired)
    }

    /// The integrator, at the beginning of a segment.
    fn stepper(&self, y: &[f64]) -> Result<Box<dyn Stepper>> {
        let tolerance = Tolerance::new(self.accuracy.relative, self.accuracy.absolute)?;
        let settings = Settings { first_step: self.state.step, ..Settings::default() };
        Ok(match self.method {
            Method::Explicit => Box::new(Dop853::new(self.state.time, y, tolerance, settings)?),
            Method::Stiff => Box::new(Radau::new(self.state.time, y, tolerance, settings)?),
        })
    }

    /// Begins or ends the contact of a pair at the present instant.
    fn switch(&mut self, index: usize) -> Result<Happening> {
        let pair = &self.pairs[index];
        let id = pair.id();
        let memory = self.state.pairs.entry(id).or_default();
        let place = self.pressed.partition_point(|(other, _)| *other < id);
        if memory.contact.take().is_some() {
            memory.ledger.close();
            self.pressed.remove(place);
            return Ok(Happening::End(id));
        }
        let contacts = Contacts::new(self.model, &self.state.motions);
        let (_, kinematics) = contacts.contact(pair, memory.normal)?;
        let begun = pair.law.begin(kinematics.gap_rate)?;
        self.pressed.insert(place, (id, contacts.press(pair, &begun, memory.normal)?));
        memory.contact = Some(begun);
        memory.since = self.state.time;
        Ok(Happening::Begin(id))
    }
}

/// Presses each contact and writes what it stores into its ledger.
fn store(
    model: &Model,
    contacts: &mut Contacts,
    state: &mut State,
    pressed: &mut Vec<(PairId, Pressed)>,
) -> Result<()> {
    pressed.clear();
    if state.pairs.values().all(|pair| pair.contact.is_none()) {
        return Ok(());
    }
    contacts.place_all(model, &state.motions);
    contacts.press_all(model, &state.pairs, pressed)?;
    for (id, found) in pressed {
        if let Some(memory) = state.pairs.get_mut(id) {
            memory.ledger.stored = found.force.powers(&found.rates).stored;
        }
    }
    Ok(())
}
