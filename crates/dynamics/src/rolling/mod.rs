//! Bodies that roll and slide on each other for a long time, in contact coordinates: no penalty spring, no drift
//! (Kry and Pai, Continuous contact simulation for smooth surfaces, 2002).
//!
//! A body that touches another sits on it (`seat.rs`): five coordinates say where, five velocities how it moves there.
//! The contact holds to rounding, whatever the step. Bodies may sit on bodies that sit on others, in chains and trees,
//! on fixed, prescribed and flying ones. Until the time asked for is reached:
//!
//! 1. each seat's mode is chosen: sliding, rolling, without spin (`modes.rs`);
//! 2. the vector of all seats and of bodies in flight (`layout.rs`) is integrated: frames and kinematics of contact
//!    (`frame.rs`, `kinematics.rs`), equations of motion (`assembly.rs`, `joint.rs`), accelerations (`tree.rs`);
//! 3. the first event ends the segment (`watch.rs`): the border of a chart, lift-off, slip, stick, an impact;
//! 4. it takes effect (`transition.rs`, `meet.rs`, `impact.rs`, `impulse.rs`), and the observer is told (`report.rs`).
//!
//! A friction coefficient of [`ROUGH`] or more stands for bodies that never slip. Between two bodies one contact at a
//! time can be a seat, and seats must not close a loop. What touches besides bounces: a contact that cannot become a
//! seat bounces at no less than the speed at which others settle, and a body that lies on several places or along a
//! line hops in place at that speed (by 5 µm at 1 cm/s).

mod assembly;
mod frame;
mod impact;
mod impulse;
mod joint;
mod kinematics;
mod layout;
mod meet;
mod modes;
mod report;
mod scout;
mod seat;
mod transition;
mod tree;
mod watch;

pub use frame::Frame;
pub use kinematics::{Meeting, Velocities, Wandering};
pub use modes::ROUGH;
pub use report::pressed;
pub use seat::{Mode, Seat};

use crate::contact_set::ActiveContact;
use crate::error::{DynamicsError, Result, demand, not_negative, positive};
use crate::integrator::{self, Dop853, Outcome, Statistics, Step, Stepper, Tolerance};
use crate::model::{Model, PairId, PartPair};
use crate::observer::{Instant, Observer, RunEvent};
use crate::pace::check_end;
use crate::simulation::Accuracy;
use crate::state::State;
use assembly::Assembly;
use layout::Layout;
use scout::{GapScan, PairTrees};
use std::cell::RefCell;
use watch::{Probe, Thresholds, Watched, events};

/// Changes at one instant before they are taken for endless.
const MOST_CHANGES: usize = 1000;

/// How bodies are moved in contact coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How accurately.
    pub accuracy: Accuracy,
    /// No step is longer, in s.
    pub longest_step: f64,
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
    lookout: PairTrees<'m>,
    state: State,
    /// The contacts of the state last shown, with their forces.
    pressed: Vec<(PairId, ActiveContact)>,
    statistics: Statistics,
}

impl<'m> Rolling<'m> {
    /// A run that begins in the given state. Where it does not know of seats yet, bodies that are close enough and slow
    /// enough are moved together and sit on each other from the start.
    pub fn new(model: &'m Model, mut state: State, settings: Settings) -> Result<Self> {
        settings.check()?;
        if let Some(joint) = model.joints().first() {
            let reason = "bodies that roll have no joints: this model is a mechanism".to_owned();
            return Err(DynamicsError::Invalid { what: format!("joint {}", joint.name), reason });
        }
        state.check(model)?;
        model.prescribe(state.time, &mut state.motions);
        let (lookout, pressed) = (PairTrees::new(model)?, Vec::new());
        let mut run = Self { model, settings, lookout, state, pressed, statistics: Statistics::default() };
        if run.state.seats.is_none() {
            run.begin()?;
        }
        run.pressed = report::pressed(model, &run.state)?;
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
            if changes > MOST_CHANGES {
                let what = format!("contacts at t = {here}");
                let reason = format!("{MOST_CHANGES} changes lead no further");
                return Err(DynamicsError::Invalid { what, reason });
            }
            let mut told = self.choose_modes()?;
            if told.is_empty() {
                let horizon = self.state.time + self.lookout.horizon(self.seats(), &self.state.motions);
                let (fired, met) = self.segment(end.min(horizon), observer)?;
                told = self.take_effect(&fired, met, end)?;
            }
            self.tell(&told, observer)?;
        }
        Ok(())
    }

    /// The pairs that overlap where no body sits, with their gaps: bodies that are placed in each other farther than
    /// they are moved together. They touch when they come deeper in.
    pub(crate) fn overlaps(&self) -> Result<Vec<(PairId, f64)>> {
        let mut found = Vec::new();
        for pair in self.lookout.pairs() {
            if scout::seated(self.seats(), pair) {
                continue;
            }
            let places = self.lookout.find(pair, &self.state.motions, self.lookout.reach(pair))?;
            let gap = places.iter().map(|place| place.gap).fold(f64::INFINITY, f64::min);
            if gap < -self.lookout.slop(pair) {
                found.push((pair.id(), gap));
            }
        }
        Ok(found)
    }

    fn seats(&self) -> &[Option<Seat>] {
        self.state.seats.as_deref().unwrap_or_default()
    }

    /// Integrates until something happens, and says what, or to the end.
    fn segment(&mut self, end: f64, observer: &mut Observer<'_>) -> Result<(Vec<Watched>, Vec<PartPair>)> {
        let (model, begun) = (self.model, self.state.clone());
        let seats = begun.seats.clone().unwrap_or_default();
        let layout = Layout::new(model, &seats)?;
        let y = layout.pack(&begun);
        let new = || Assembly::new(model, layout.clone(), begun.motions.clone());
        let (mut equations, probe) = (new(), RefCell::new(Probe::new(new())));
        let scouts = RefCell::new(GapScan::new(&self.lookout, &seats, &begun.motions));
        let thresholds = Thresholds { slip: self.settings.stick, spin: self.settings.still };
        let (watched, mut events) = events(model, &seats, &probe, &scouts, &thresholds)?;
        let mut stepper = self.stepper(&layout, &y)?;
        let mut here = y.clone();
        let mut longest = 0.0f64;
        let pressed = &mut self.pressed;
        let mut show = |step: &Step<'_>| {
            longest = longest.max(step.end() - step.begin());
            step.interpolate(step.end(), &mut here);
            let mut state = begun.clone();
            state.time = step.end();
            layout.unpack(&here, &mut state);
            let mut probe = probe.borrow_mut();
            let assembly = probe.at(step.end(), &here)?;
            state.motions.clone_from(&assembly.motions);
            report::collect(assembly, pressed);
            observer(&Instant { state: &state, event: RunEvent::Step, pressed })
        };
        let outcome = integrator::advance(&mut stepper, &mut equations, &mut events, end, &mut show);
        let outcome = outcome.map_err(|error| match error {
            DynamicsError::NotFinite { .. } | DynamicsError::StepTooSmall { .. } => {
                equations.complaint().unwrap_or(error)
            }
            other => other,
        })?;
        let fired: Vec<Watched> = match outcome {
            Outcome::Event { .. } => {
                (0..events.len()).filter(|&k| events[k].fired()).map(|k| watched[k]).collect()
            }
            Outcome::Reached => Vec::new(),
        };
        drop(events);
        layout.unpack(stepper.state(), &mut self.state);
        self.state.time = stepper.time();
        self.state.step = Some(longest);
        let mut probe = probe.borrow_mut();
        let assembly = probe.at(stepper.time(), stepper.state())?;
        self.state.motions.clone_from(&assembly.motions);
        report::collect(assembly, &mut self.pressed);
        self.statistics += stepper.statistics();
        let met = scouts.borrow().pairs().to_vec();
        Ok((fired, met))
    }

    /// The integrator, at the beginning of a segment.
    fn stepper(&self, layout: &Layout, y: &[f64]) -> Result<Dop853> {
        let Accuracy { relative, absolute } = self.settings.accuracy;
        let settings = integrator::Settings {
            first_step: self.state.step.map(|step| step.min(self.settings.longest_step)),
            longest_step: self.settings.longest_step,
            ..integrator::Settings::default()
        };
        let tolerance = Tolerance::new(relative, absolute)?.with_shares(layout.grains(self.model)?)?;
        Dop853::new(self.state.time, y, tolerance, settings)
    }

    /// Shows the observer what has happened: first what touches, then what parts.
    fn tell(&self, told: &[Told], observer: &mut Observer<'_>) -> Result<()> {
        let mut show = |state: &State, event| observer(&Instant { state, event, pressed: &self.pressed });
        for event in told {
            match event {
                Told::Bounced(before, pair) => show(before, RunEvent::Begin(*pair))?,
                Told::Landed(pair) => show(&self.state, RunEvent::Begin(*pair))?,
                Told::LiftedOff(_) | Told::Changed => {}
            }
        }
        for event in told {
            if let Told::Bounced(_, pair) | Told::LiftedOff(pair) = event {
                show(&self.state, RunEvent::End(*pair))?;
            }
        }
        Ok(())
    }
}

/// What has happened at an instant.
#[derive(Debug)]
enum Told {
    /// A pair has begun to touch and stays together.
    Landed(PairId),
    /// A pair has parted.
    LiftedOff(PairId),
    /// A pair has bounced; the state in which it touched.
    Bounced(Box<State>, PairId),
    /// Something that is not told: a border, a mode.
    Changed,
}
