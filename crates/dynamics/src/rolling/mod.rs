//! Bodies that roll and slide on each other for a long time, in contact coordinates: no penalty spring, no drift
//! (Kry and Pai, Continuous contact simulation for smooth surfaces, 2002).
//!
//! A body that touches another has a rigid contact (`rigid_contact.rs`): five coordinates and five velocities.
//! The contact holds to rounding, whatever the step. Bodies may rest on bodies that rest on others, in chains and
//! trees, on fixed, prescribed and flying ones. Until the time asked for is reached:
//!
//! 1. each rigid contact's mode is chosen: sliding, rolling, without spin (`modes.rs`);
//! 2. the vector of all rigid contacts and of bodies in flight (`layout.rs`) is integrated: frames and kinematics of
//!    contact (`frame.rs`, `kinematics.rs`), equations of motion (`assembly.rs`, `joint.rs`), accelerations
//!    (`tree.rs`);
//! 3. the first event ends the segment (`events.rs`): the border of a chart, lift-off, slip, stick, an impact;
//! 4. it takes effect (`transition.rs`, `meet.rs`, `impact.rs`, `impulse.rs`), and the observer is told (`report.rs`).
//!
//! A friction coefficient of [`ROUGH`] or more stands for bodies that never slip.
//!
//! Rigid contacts may close loops: several of two bodies, a ball between two others. They have no coordinates of their
//! own in the tree but constrain it (`closing.rs`), by multipliers (`multipliers.rs`, `response.rs`, `singular.rs`);
//! what slips there is in `loop_slip.rs`. Redundant ones, as four feet of a table, leave the shares that they bear
//! undetermined: the least are taken. They do not change the motion, but where friction is at its limit: whether a
//! contact slips is asked of its share, and of contacts that can only slip together of the sum.
//!
//! A capsule on its side touches at its two ends (`ends.rs`). What touches along a line or a circle otherwise, and what
//! does not fit into a loop, bounces at no less than the speed at which others settle: a body that lies so hops in
//! place at that speed (by 5 µm at 1 cm/s).

mod assembly;
mod attach;
mod closing;
mod ends;
mod events;
mod frame;
mod gap_scan;
mod impact;
mod impulse;
mod joint;
mod kinematics;
mod layout;
mod loop_slip;
mod meet;
mod modes;
mod multipliers;
mod report;
mod response;
mod rigid_contact;
mod singular;
mod transition;
mod tree;

pub use frame::Frame;
pub use kinematics::{ContactFrames, ContactPointRates, Velocities};
pub use modes::ROUGH;
pub use report::active_contacts;
pub use rigid_contact::{ClosingContact, ContactList, Mode, RigidContact};

use crate::contact_set::ActiveContact;
use crate::equal_steps::check_end;
use crate::error::{DynamicsError, Result, demand, not_negative, positive};
use crate::integrator::{self, AdvanceOutcome, Dop853, Rk4, Statistics, Step, Stepper, Tolerance};
use crate::model::{Model, PairId, PartPair};
use crate::observer::{Instant, Observer, RunEvent};
use crate::peak::{GreatestValues, PeakSearch};
use crate::simulation::Accuracy;
use crate::state::State;
use assembly::Assembly;
use events::{Probe, RollingEvent, Thresholds, events};
use gap_scan::{GapScan, PairTrees};
use layout::Layout;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Changes at one instant before they are taken for endless.
const MAX_CHANGES: usize = 1000;

/// How bodies are moved in contact coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How accurately.
    pub accuracy: Accuracy,
    /// No step is longer, in s.
    pub longest_step: f64,
    /// Classical Runge–Kutta steps of this length in s, whatever their error, as Kry and Pai took them; accuracy and
    /// longest step do not count then.
    pub fixed_step: Option<f64>,
    /// Slip slower than this is held, in m/s.
    pub stick: f64,
    /// Spin about the normal slower than this is held where the contact resists spinning, in rad/s.
    pub still: f64,
    /// Bodies that part slower than this after an impact stay together, in m/s.
    pub settle: f64,
    /// The share of the slip that an impact reverses, if friction can.
    pub tangential_restitution: f64,
    /// Bodies this close at the beginning, in m, are moved together and touch, unless they move faster than `settle`.
    pub touching: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            accuracy: Accuracy::default(),
            longest_step: f64::INFINITY,
            fixed_step: None,
            stick: 1e-4,
            still: 1e-3,
            settle: 1e-2,
            tangential_restitution: 0.0,
            touching: 1e-4,
        }
    }
}

impl Settings {
    fn check(&self) -> Result<()> {
        if self.longest_step != f64::INFINITY {
            positive("longest step", self.longest_step)?;
        }
        self.fixed_step.map_or(Ok(()), |step| positive("fixed step", step))?;
        positive("stick", self.stick)?;
        positive("still", self.still)?;
        positive("settle", self.settle)?;
        not_negative("touching", self.touching)?;
        let e = self.tangential_restitution;
        demand((-1.0..=1.0).contains(&e), "tangential restitution", e, "from -1 to 1")
    }
}

/// A model on its way through time, in contact coordinates.
#[derive(Debug)]
pub struct Rolling<'m> {
    model: &'m Model,
    settings: Settings,
    pair_trees: PairTrees<'m>,
    state: State,
    /// The contacts of the state last shown, with their forces.
    active_contacts: Vec<(PairId, ActiveContact)>,
    statistics: Statistics,
}

impl<'m> Rolling<'m> {
    /// A run that begins in the given state. Where it does not know of rigid contacts yet, bodies that are close enough
    /// and slow enough are moved together and are in contact from the start.
    pub fn new(model: &'m Model, mut state: State, settings: Settings) -> Result<Self> {
        settings.check()?;
        if let Some(joint) = model.joints().first() {
            let reason = "bodies that roll have no joints: this model is a mechanism".to_owned();
            return Err(DynamicsError::Invalid { what: format!("joint {}", joint.name), reason });
        }
        state.check(model)?;
        model.prescribe(state.time, &mut state.motions);
        let (pair_trees, active_contacts) = (PairTrees::new(model)?, Vec::new());
        let mut run =
            Self { model, settings, pair_trees, state, active_contacts, statistics: Statistics::default() };
        if run.state.rigid_contacts.is_none() {
            run.begin()?;
        }
        run.active_contacts = report::active_contacts(model, &run.state)?;
        Ok(run)
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

    /// Moves on to the time `end`. After an error the state is that at the last event, or at the beginning of the call.
    pub fn advance(&mut self, end: f64, observer: &mut Observer<'_>) -> Result<()> {
        check_end(self.state.time, end)?;
        let (mut here, mut changes) = (self.state.time, 0);
        while self.state.time < end {
            if self.state.time > here {
                (here, changes) = (self.state.time, 0);
            }
            changes += 1;
            if changes > MAX_CHANGES {
                let what = format!("contacts at t = {here}");
                let reason = format!("{MAX_CHANGES} changes lead no further");
                return Err(DynamicsError::Invalid { what, reason });
            }
            self.cross_borders(end)?;
            let mut contact_changes = self.choose_modes()?;
            if contact_changes.is_empty() {
                let horizon =
                    self.state.time + self.pair_trees.horizon(self.rigid_contacts(), &self.state.motions);
                let (fired, met) = self.segment(end.min(horizon), observer)?;
                contact_changes = self.take_effect(&fired, met, end)?;
            }
            self.tell(&contact_changes, observer)?;
        }
        Ok(())
    }

    /// The pairs that overlap without a rigid contact, with their gaps: bodies that are placed in each other farther
    /// than they are moved together. They touch when they come deeper in.
    pub(crate) fn overlaps(&self) -> Result<Vec<(PairId, f64)>> {
        let mut found = Vec::new();
        for pair in self.pair_trees.pairs() {
            if gap_scan::has_rigid_contact(self.rigid_contacts(), pair) {
                continue;
            }
            let places = self.pair_trees.find(pair, &self.state.motions, self.pair_trees.reach(pair))?;
            let gap = places.iter().map(|place| place.gap).fold(f64::INFINITY, f64::min);
            if gap < -self.pair_trees.slop(pair) {
                found.push((pair.id(), gap));
            }
        }
        Ok(found)
    }

    fn rigid_contacts(&self) -> ContactList<'_> {
        ContactList::of(&self.state)
    }

    /// Integrates until something happens, and says what, or to the end.
    fn segment(
        &mut self,
        end: f64,
        observer: &mut Observer<'_>,
    ) -> Result<(Vec<RollingEvent>, Vec<PartPair>)> {
        let (model, begun) = (self.model, self.state.clone());
        let layout = Layout::new(model, ContactList::of(&begun))?;
        let y = layout.pack(&begun);
        let new = || Assembly::new(model, layout.clone(), begun.motions.clone());
        let (mut equations, probe) = (new(), RefCell::new(Probe::new(new())));
        let gap_scan = RefCell::new(GapScan::new(&self.pair_trees, ContactList::of(&begun), &begun.motions));
        let thresholds = Thresholds { slip: self.settings.stick, spin: self.settings.still };
        let slip_groups =
            if layout.closes() { self.slip_groups(&self.assembly()?)? } else { BTreeMap::new() };
        let (event_kinds, mut events) = events(model, &layout, &probe, &gap_scan, &thresholds, &slip_groups)?;
        let mut stepper = self.stepper(&layout, &y)?;
        let mut here = y.clone();
        let (mut search, mut inside) = (PeakSearch::default(), Vec::new());
        let mut greatest = GreatestValues::default();
        let mut longest = 0.0f64;
        let active_contacts = &mut self.active_contacts;
        let mut show = |step: &Step<'_>| {
            longest = longest.max(step.end() - step.begin());
            step.interpolate(step.end(), &mut here);
            let mut state = begun.clone();
            state.time = step.end();
            let mut probe = probe.borrow_mut();
            let assembly = probe.at(step.end(), &here)?;
            assembly.unpack(&mut state);
            report::collect(assembly, active_contacts);
            let at_end = active_contacts.iter().map(|(pair, found)| (*pair, [found.force.normal, 0.0]));
            let mut within =
                report::RollingStep { step, probe: &mut probe, y: &mut here, contacts: &mut inside };
            let peaks = search.step([step.begin(), step.end()], at_end, &mut greatest, &mut within)?;
            observer(&Instant { state: &state, event: RunEvent::Step, active_contacts, peaks: Some(peaks) })
        };
        let outcome = integrator::advance(stepper.as_mut(), &mut equations, &mut events, end, &mut show);
        let outcome = outcome.map_err(|error| match error {
            DynamicsError::NotFinite { .. } | DynamicsError::StepTooSmall { .. } => {
                equations.complaint().unwrap_or(error)
            }
            other => other,
        })?;
        let fired: Vec<RollingEvent> = match outcome {
            AdvanceOutcome::Event { .. } => {
                (0..events.len()).filter(|&k| events[k].fired()).map(|k| event_kinds[k]).collect()
            }
            AdvanceOutcome::Reached => Vec::new(),
        };
        drop(events);
        self.state.time = stepper.time();
        self.state.step = Some(longest);
        let mut probe = probe.borrow_mut();
        let assembly = probe.at(stepper.time(), stepper.state())?;
        assembly.unpack(&mut self.state);
        report::collect(assembly, &mut self.active_contacts);
        self.statistics += stepper.statistics();
        let met = gap_scan.borrow().pairs().to_vec();
        Ok((fired, met))
    }

    /// The integrator, at the beginning of a segment.
    fn stepper(&self, layout: &Layout, y: &[f64]) -> Result<Box<dyn Stepper>> {
        if let Some(step) = self.settings.fixed_step {
            let most = integrator::Settings::default().max_steps;
            return Ok(Box::new(Rk4::new(self.state.time, y, step, most)?));
        }
        let Accuracy { relative, absolute } = self.settings.accuracy;
        let settings = integrator::Settings {
            first_step: self.state.step.map(|step| step.min(self.settings.longest_step)),
            longest_step: self.settings.longest_step,
            ..integrator::Settings::default()
        };
        let tolerance = Tolerance::new(relative, absolute)?.with_shares(layout.grains(self.model)?)?;
        Ok(Box::new(Dop853::new(self.state.time, y, tolerance, settings)?))
    }

    /// Shows the observer what has happened: first what touches, then what parts.
    fn tell(&self, contact_changes: &[ContactChange], observer: &mut Observer<'_>) -> Result<()> {
        let mut show = |state: &State, event| {
            observer(&Instant { state, event, active_contacts: &self.active_contacts, peaks: None })
        };
        for event in contact_changes {
            match event {
                ContactChange::Bounced(before, pair) => show(before, RunEvent::Begin(*pair))?,
                ContactChange::Landed(pair) => show(&self.state, RunEvent::Begin(*pair))?,
                ContactChange::LiftedOff(_) | ContactChange::Changed => {}
            }
        }
        for event in contact_changes {
            if let ContactChange::Bounced(_, pair) | ContactChange::LiftedOff(pair) = event {
                show(&self.state, RunEvent::End(*pair))?;
            }
        }
        Ok(())
    }
}

/// What has happened at an instant.
#[derive(Debug)]
enum ContactChange {
    /// A pair has begun to touch and stays together.
    Landed(PairId),
    /// A pair has parted.
    LiftedOff(PairId),
    /// A pair has bounced; the state in which it touched.
    Bounced(Box<State>, PairId),
    /// A change that is not reported: a border, a mode.
    Changed,
}
