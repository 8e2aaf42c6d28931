//! Whether a run can be trusted: figures that are watched while it goes on, and a verdict on them.
//!
//! | watched | figure | at | limit |
//! |---|---|---|---|
//! | the energy balance | ∣E − E₀∣/W, E the total with all that was dissipated, W the energy in play | outputs | [`DRIFT`] |
//! | steps against contacts, of fixed explicit steps | ½ hω, ω² = kw, w = 1/m; all contacts of a body | steps | [`STEP`] |
//! | passages, of fixed steps | the way of two bodies that pass through each other in a step, over their widths | steps | none |
//! | overlap | depth over the half width of the smaller part along the normal | steps | [`OVERLAP`] |
//! | bodies inside a half-space | how far the middle is below the surface, over the half width | outputs | [`SUNK`] |
//! | bodies that leave | ε∣x∣ over the size | outputs | [`FAR`] |
//! | numbers | whether all motions are finite | steps | – |
//! | progress | simulated time in [`WINDOW`] steps, over that of the whole run | steps | [`PROGRESS`] |
//!
//! The energy in play is the greatest among kinetic energy, the ranges of gravity's and the forces' potentials, what
//! contacts store, damp and lose to friction, and what forces, motors and prescribed bodies have taken: against it an
//! error of the energy balance counts, not against a total whose zero is arbitrary. A speed that no energy explains
//! shows there too.
//!
//! A run that is healthy and strays by more than [`NOTED`] is told how it would stray less.
//!
//! The figures are plain data: stored with a checkpoint, they make the verdict of a run that was taken up again the one
//! of a run that never stopped.

mod bodies;
mod figures;
mod passing;
#[cfg(test)]
mod passing_tests;
mod stability;
#[cfg(test)]
mod tests;
mod verdict;

pub use figures::{EnergyFigures, Extreme, Figures};
pub use verdict::{DRIFT, FAR, Finding, NOTED, OVERLAP, PROGRESS, STEP, SUNK, Verdict, WINDOW};

use crate::contact_set::ActiveContact;
use crate::energy::Energy;
use crate::model::{Model, PairId};
use crate::run::Scheme;
use crate::state::State;
use bodies::Bodies;
use passing::Passing;
use stability::StepStability;

/// The watch over a run.
#[derive(Debug, Clone)]
pub struct Health {
    bodies: Bodies,
    scheme: Option<Scheme>,
    /// The simulated time of the whole run, in s.
    span: f64,
    figures: Figures,
    stability: StepStability,
    passing: Passing,
}

impl Health {
    /// The watch over a run of `model` from the time `begin` to `end`.
    pub fn new(model: &Model, begin: f64, end: f64) -> Self {
        let figures = Figures { time: begin, window_begin: begin, ..Figures::default() };
        let stability = StepStability::default();
        let (bodies, passing) = (Bodies::new(model), Passing::new(model));
        Self { bodies, scheme: None, span: end - begin, figures, stability, passing }
    }

    /// The same, of a run that is taken up again with the figures it had.
    #[must_use]
    pub fn resumed(self, figures: Figures) -> Self {
        Self { figures, ..self }
    }

    /// Takes the state in which the next step begins; a run's first output tells it too.
    pub fn begin(&mut self, state: &State) {
        self.passing.begin(&state.motions);
    }

    /// Says how the bodies are moved, on which limits and advice depend.
    pub fn set_scheme(&mut self, scheme: &Scheme) {
        self.scheme = Some(*scheme);
    }

    /// What has been seen so far.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }

    /// Looks at a state after a step, with its contacts.
    pub fn step(&mut self, state: &State, active_contacts: &[(PairId, ActiveContact)]) {
        let h = state.time - self.figures.time;
        if !self.bodies.is_finite(state) && self.figures.not_finite.is_none() {
            self.figures.not_finite = Some(self.figures.time);
        }
        self.figures.longest_step = self.figures.longest_step.max(h);
        let explicit = matches!(self.scheme, Some(Scheme::Many { .. }));
        for (id, found) in active_contacts {
            let at = |value: f64| Extreme { value, time: state.time, bodies: [id.a.body.0, id.b.body.0] };
            self.overlap(*id, found, state);
            let may_be_worst =
                |worst: Extreme| self.bodies.may_be_unstable(*id, found, state, [h, worst.value]);
            if explicit && h > 0.0 && self.figures.step.is_none_or(may_be_worst) {
                Extreme::keep(&mut self.figures.step, at(self.bodies.step_ratio(*id, found, state, h)));
            }
        }
        if explicit && h > 0.0 {
            self.stability.look(&self.bodies, state, active_contacts, h, &mut self.figures.step);
        }
        if self.has_fixed_steps()
            && let Some(found) = self.passing.look(&state.motions, active_contacts, [state.time, h])
        {
            Extreme::keep(&mut self.figures.passed, found);
        }
        self.figures.time = state.time;
        self.figures.window_steps += 1;
        if self.figures.window_steps >= WINDOW {
            let done = state.time - self.figures.window_begin;
            if done < PROGRESS * self.span && self.figures.stalled.is_none() {
                self.figures.stalled = Some(state.time);
            }
            (self.figures.window_steps, self.figures.window_begin) = (0, state.time);
        }
    }

    /// Whether steps may go past a contact without a look at it: others end where a gap closes.
    fn has_fixed_steps(&self) -> bool {
        matches!(self.scheme, Some(Scheme::Many { .. } | Scheme::Mechanism(_)))
    }

    /// Keeps the overlap of a contact if it is the worst one.
    fn overlap(&mut self, id: PairId, found: &ActiveContact, state: &State) {
        if self.figures.overlap.is_none_or(|worst| self.bodies.may_overlap(id, found, worst.value)) {
            let value = self.bodies.overlap(id, found, state);
            let bodies = [id.a.body.0, id.b.body.0];
            Extreme::keep(&mut self.figures.overlap, Extreme { value, time: state.time, bodies });
        }
    }

    /// Looks at a state of the records, with its energy and its contacts.
    pub fn output(&mut self, state: &State, energy: &Energy, active_contacts: &[(PairId, ActiveContact)]) {
        if self.has_fixed_steps() && !self.passing.has_begun() {
            self.begin(state);
        }
        for (id, found) in active_contacts {
            self.overlap(*id, found, state);
        }
        if let Some(sunk) = self.bodies.sunk(state) {
            Extreme::keep(&mut self.figures.sunk, sunk);
        }
        if let Some(far) = self.bodies.farthest(state) {
            Extreme::keep(&mut self.figures.far, far);
        }
        if energy.total().is_finite() {
            self.figures
                .energy_figures
                .get_or_insert_with(|| EnergyFigures::new(energy))
                .see(energy, state.time);
        } else if self.figures.not_finite.is_none() {
            self.figures.not_finite = Some(self.figures.time);
        }
    }

    /// Whether the run leads no further: at its pace it would never end.
    pub fn is_stalled(&self) -> bool {
        self.figures.stalled.is_some()
    }

    /// What is to be said of the run so far.
    pub fn verdict(&self) -> Verdict {
        Verdict::new(&self.figures, &self.bodies, self.scheme.as_ref())
    }
}
