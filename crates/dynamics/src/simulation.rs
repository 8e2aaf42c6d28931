//! A simulation: a model, its state, and the stages by which it moves on.
//!
//! For free bodies, until the time asked for is reached:
//!
//! 1. the pairs in contact are laid out with the bodies in one vector (`free/layout.rs`);
//! 2. the integrator makes steps (`integrator/mod.rs`): each evaluation places the parts (`contact_set/parts.rs`), asks
//!    the narrow phase about the pairs in contact, applies their laws and sums up the loads (`free/equations.rs`);
//! 3. after each step the gaps of the pairs that are near are watched (`free/gap_events.rs`); the first one to pass
//!    zero ends the segment at that instant;
//! 4. the observer is told of the step, with the maxima of forces and overlaps inside it (`peak.rs`);
//! 5. the vector is written back into the state, the contact begins or ends, and the observer is told.
//!
//! Everything that decides what comes next is in the state, the length of the next step included: a run that is stopped
//! between two calls of `advance` and taken up again from its stored state has the same bits as one that was not.

use crate::contact_set::{ActiveContact, MotionBound, NearPairs, Parts, width};
use crate::equal_steps::check_end;
use crate::error::{DynamicsError, Result};
use crate::free::{FreeEquations, GapEvents, Layout, Peaks, slop};
use crate::integrator::{
    AdvanceOutcome, Dop853, Radau, Settings, Statistics, Step, Stepper, Tolerance, advance_scanned,
};
use crate::model::{Model, PairId, PartPair};
use crate::observer::{Instant, Observer, RunEvent};
use crate::peak::GreatestValues;
use crate::state::State;
use std::cell::RefCell;

/// How free bodies are integrated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Explicit, order 8, adaptive: the choice unless contacts are stiff against the motion of interest.
    Explicit,
    /// Implicit, orders 5 and 9, adaptive: where contacts are stiff and last.
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
    near: NearPairs,
    state: State,
    /// The contacts of the state last shown, with their forces.
    active_contacts: Vec<(PairId, ActiveContact)>,
    /// What contacts have reached; it decides which peaks are worth a search, and nothing of the motion.
    greatest: GreatestValues,
    method: Method,
    accuracy: Accuracy,
    statistics: Statistics,
}

impl<'m> Simulation<'m> {
    /// A simulation of free bodies that begins in the given state. Pairs about which the state knows nothing yet are
    /// asked: those that overlap are in contact from the start, with the approach speed that they have. Those that
    /// touch exactly are once they move together (`free/gap_events.rs`).
    pub fn new(model: &'m Model, mut state: State, method: Method, accuracy: Accuracy) -> Result<Self> {
        if let Some(joint) = model.joints().first() {
            let reason = "free bodies have no joints: this model is a mechanism".to_owned();
            return Err(DynamicsError::Invalid { what: format!("joint {}", joint.name), reason });
        }
        state.check(model)?;
        model.prescribe(state.time, &mut state.motions);
        let contacts = Parts::new(model, &state.motions);
        let mut near = NearPairs::new(model, &contacts)?;
        for pair in near.find(model, &contacts, |_| MotionBound::default())?.0 {
            let memory = state.pairs.entry(pair.id());
            if memory.normal.is_some() || memory.contact.is_some() {
                continue;
            }
            let contact = contacts.contact(pair, None)?;
            memory.normal = Some(contact.touch.normal);
            if contact.touch.gap < -slop(model, pair, &contacts) {
                memory.begin(contacts.begin_inside(model, pair, &contact)?, state.time);
            }
        }
        let mut active_contacts = Vec::new();
        store(model, &contacts, &mut state, &mut active_contacts)?;
        let (greatest, statistics) = (GreatestValues::default(), Statistics::default());
        Ok(Self { model, near, state, active_contacts, greatest, method, accuracy, statistics })
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

    /// Moves on to the time `t_end`. After an error the state is that at the last event, or at the beginning of the
    /// call.
    pub fn advance(&mut self, t_end: f64, observer: &mut Observer<'_>) -> Result<()> {
        check_end(self.state.time, t_end)?;
        let mut begins = false;
        while self.state.time < t_end {
            let fired = self.segment(t_end, begins, observer);
            if fired.is_err() {
                // What was seen after the last event is to be seen again.
                self.greatest = GreatestValues::default();
            }
            let fired = fired?;
            // An observer that fails must not leave a pair at its event and not switched.
            let events: Vec<RunEvent> = fired.iter().map(|pair| self.switch(pair)).collect::<Result<_>>()?;
            begins = events.iter().any(|event| matches!(event, RunEvent::Begin(_)));
            if begins {
                let longest = self.longest_first_step(&fired);
                self.state.step = self.state.begin_step.or(self.state.step).map(|step| step.min(longest));
            }
            for event in events {
                let active_contacts = &self.active_contacts;
                observer(&Instant { state: &self.state, event, active_contacts, peaks: None })?;
            }
        }
        Ok(())
    }

    /// Integrates until contacts begin or end, and says of which pairs, in declared order, or to the end. `begins`
    /// tells that a contact has just begun.
    fn segment(&mut self, t_end: f64, begins: bool, observer: &mut Observer<'_>) -> Result<Vec<PartPair>> {
        let layout = Layout::new(self.model, &self.state);
        let y = layout.pack(&self.state);
        let mut equations = FreeEquations::new(self.model, &self.state, layout.clone());
        let tolerance = self.tolerance(&layout)?;
        let method = self.method;
        let stepper_at =
            |time: f64, y: &[f64], first: Option<f64>| stepper(method, time, y, first, &tolerance);
        let mut stepper = stepper_at(self.state.time, &y, self.state.step)?;
        let Self { model, near, state, active_contacts, greatest, statistics, .. } = self;
        let gap_events = RefCell::new(GapEvents::new(model, state, &layout, near));
        let ledgers = layout.ledgers_of(state);
        // The state stays that of the last event until the segment is done.
        let mut shown = state.clone();
        let mut here = y.clone();
        let mut contacts = Parts::new(model, &state.motions);
        let mut peaks = Peaks::new(model, state, &layout, &stepper_at);
        let mut first = None;
        let mut put =
            |t: f64, y: &[f64], shown: &mut State, active_contacts: &mut Vec<(PairId, ActiveContact)>| {
                layout.unpack(y, &ledgers, shown);
                shown.time = t;
                model.prescribe(t, &mut shown.motions);
                contacts.place_all(model, &shown.motions);
                gap_events.borrow().remember(shown, &contacts);
                store(model, &contacts, shown, active_contacts)?;
                layout.balance(&ledgers.0, active_contacts, shown);
                Result::<()>::Ok(())
            };
        let mut show = |step: &Step<'_>| {
            first = first.or_else(|| promised(method, step));
            step.interpolate(step.end(), &mut here);
            put(step.end(), &here, &mut shown, active_contacts)?;
            let found = match &mut peaks {
                Some(peaks) => peaks.of_step(step, &shown, active_contacts, greatest)?,
                None => &[],
            };
            observer(&Instant { state: &shown, event: RunEvent::Step, active_contacts, peaks: Some(found) })
        };
        let outcome = advance_scanned(&mut *stepper, &mut equations, &mut &gap_events, t_end, &mut show);
        // Where no step was small enough, the query's complaint says more than the integrator's.
        let outcome = outcome.map_err(|error| match error {
            DynamicsError::NotFinite { .. } | DynamicsError::StepTooSmall { .. } => {
                equations.complaint().unwrap_or(error)
            }
            other => other,
        })?;
        put(stepper.time(), stepper.state(), state, active_contacts)?;
        state.step = stepper.proposal();
        if begins {
            state.begin_step = first.or(state.begin_step);
        }
        *statistics += stepper.statistics();
        Ok(match outcome {
            AdvanceOutcome::Event { .. } => gap_events.borrow().fired(),
            AdvanceOutcome::Reached => Vec::new(),
        })
    }

    /// The longest step, in s, after contacts that have just begun: in it bodies go a quarter of their width d into
    /// each other at most, v h + ½ g h² = d. A step of a flight may lead past the other body, and none of its stages
    /// would see that they touch.
    fn longest_first_step(&self, begun: &[PartPair]) -> f64 {
        let contacts = Parts::new(self.model, &self.state.motions);
        let gravity = self.model.gravity().norm();
        let mut longest = f64::INFINITY;
        for pair in begun {
            let Some(contact) = self.state.pairs.get(&pair.id()).and_then(|memory| memory.contact) else {
                continue;
            };
            let (speed, way) = (contact.approach_speed, 0.25 * width(&contacts, pair));
            let step = 2.0 * way / (speed + (speed * speed + 2.0 * gravity * way).sqrt());
            longest = if step.is_finite() { longest.min(step) } else { longest };
        }
        longest
    }

    /// How exactly each number of a segment is wanted.
    fn tolerance(&self, layout: &Layout) -> Result<Tolerance> {
        let Accuracy { relative, absolute } = self.accuracy;
        let mut absolute = vec![absolute; layout.dimension()];
        let energy = relative * layout.energy_of(self.model, &self.state);
        absolute[layout.moving..].iter_mut().for_each(|absolute| *absolute = absolute.max(energy));
        Tolerance::per_component(relative, &absolute)
    }

    /// Begins or ends the contact of a pair at the present instant.
    fn switch(&mut self, pair: &PartPair) -> Result<RunEvent> {
        let id = pair.id();
        self.greatest.forget(id);
        let memory = self.state.pairs.entry(id);
        let place = self.active_contacts.partition_point(|(other, _)| *other < id);
        if memory.end() {
            self.active_contacts.remove(place);
            return Ok(RunEvent::End(id));
        }
        let contacts = Parts::new(self.model, &self.state.motions);
        let contact = contacts.contact(pair, memory.normal)?;
        let begun = pair.law.begin(contacts.gap_rate(pair, &contact.touch))?;
        self.active_contacts.insert(place, (id, contacts.apply_law_at(pair, &contact, &begun)?));
        memory.begin(begun, self.state.time);
        Ok(RunEvent::Begin(id))
    }
}

/// The integrator at a time and a state, with the first step that it tries.
fn stepper(
    method: Method,
    time: f64,
    y: &[f64],
    first_step: Option<f64>,
    tolerance: &Tolerance,
) -> Result<Box<dyn Stepper>> {
    let (tolerance, settings) = (tolerance.clone(), Settings { first_step, ..Settings::default() });
    Ok(match method {
        Method::Explicit => Box::new(Dop853::new(time, y, tolerance, settings)?),
        Method::Stiff => Box::new(Radau::new(time, y, tolerance, settings)?),
    })
}

/// The length with which the next contact may begin, after the first step of one: for the implicit method half of the
/// step that follows, so that it is seldom rejected, and no less than the step itself. A step that another event cuts
/// down to nothing, as of bodies that meet at the same instant but for rounding, promises nothing.
fn promised(method: Method, step: &Step<'_>) -> Option<f64> {
    let length = step.end() - step.begin();
    let promised = match (method, step.stepper().proposal()) {
        (Method::Stiff, Some(next)) => length.max(0.5 * next),
        _ => length,
    };
    (promised > 0.0).then_some(promised)
}

/// Presses each contact, its parts placed, and writes what it stores into its ledger.
fn store(
    model: &Model,
    contacts: &Parts,
    state: &mut State,
    active_contacts: &mut Vec<(PairId, ActiveContact)>,
) -> Result<()> {
    active_contacts.clear();
    if state.pairs.values().all(|pair| pair.contact.is_none()) {
        return Ok(());
    }
    contacts.apply_law_to_all(model, &state.pairs, active_contacts)?;
    for (id, found) in active_contacts {
        if let Some(memory) = state.pairs.get_mut(id) {
            memory.ledger.set_stored(&found.powers);
        }
    }
    Ok(())
}
