//! Many bodies: fixed steps by the symplectic method, contacts found by the broad phase.
//!
//! The stages of a step of h:
//!
//! 1. the loads at its beginning, half a kick; 2. the drift; 3. the loads at its end, half a kick
//!    (`integrator/splitting.rs`).
//!
//! The loads are those of applied forces and of the contacts (`contact_set/stepped/mod.rs`), summed up in declared
//! order: nothing depends on the number of threads.
//!
//! The step has to resolve the contacts: a tenth of √(m/(n K δⁿ⁻¹)). Damping is taken explicitly, and that of the
//! hysteresis laws is limited to what the step resolves (`contact_set/stepped/damping.rs`): where bodies come to rest,
//! v₀ is the law's least approach speed, and m v₀/(c K δⁿ) may be shorter than any step that is wanted.

use crate::body::Motion;
use crate::contact_set::{ContactMemory, Stage, SteppedContacts};
use crate::equal_steps::EqualSteps;
use crate::error::{DynamicsError, Result, positive};
use crate::force;
use crate::integrator::{Splitting, Statistics};
use crate::model::Model;
use crate::observer::{Changes, Observer};
use crate::state::State;
use rattleback_geom::Vec3;

/// A model of many free bodies on its way through time.
#[derive(Debug)]
pub struct ManyBodies<'m> {
    model: &'m Model,
    state: State,
    splitting: Splitting,
    contacts: SteppedContacts<'m>,
    /// What pairs remembered before the step, to which an error returns.
    saved: ContactMemory,
    changes: Changes,
    steps: usize,
}

impl<'m> ManyBodies<'m> {
    /// A simulation that begins in the given state. Where it remembers no pair yet, those that overlap are in contact
    /// from the start, with the approach speed that they have, and what they store is booked.
    pub fn new(model: &'m Model, mut state: State) -> Result<Self> {
        if let Some(joint) = model.joints().first() {
            let reason = "free bodies have no joints: this model is a mechanism".to_owned();
            return Err(DynamicsError::Invalid { what: format!("joint {}", joint.name), reason });
        }
        state.check(model)?;
        model.prescribe(state.time, &mut state.motions);
        let contacts = SteppedContacts::new(model, &mut state)?;
        let (splitting, changes) = (Splitting::new(model), Changes::new(&state));
        let saved = ContactMemory::default();
        Ok(Self { model, state, splitting, contacts, saved, changes, steps: 0 })
    }

    /// The state reached.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// What has been spent so far.
    pub fn statistics(&self) -> Statistics {
        let evaluations = self.splitting.evaluations();
        Statistics { steps: self.steps, evaluations, ..Statistics::default() }
    }

    /// Moves on to the time `end` in equal steps no longer than `longest` seconds.
    pub fn advance(&mut self, end: f64, longest: f64, observer: &mut Observer<'_>) -> Result<()> {
        positive("step", longest)?;
        let equal_steps = EqualSteps::new(self.state.time, end, longest)?;
        for time in equal_steps.ends() {
            self.step_to(equal_steps.step(), time)?;
            self.changes.tell(&self.state, self.contacts.active_contacts(), observer)?;
        }
        Ok(())
    }

    /// Makes a step of `dt` seconds, above zero. After an error the state is as it was.
    pub fn step(&mut self, dt: f64) -> Result<()> {
        self.step_to(dt, self.state.time + dt)
    }

    /// Makes a step of `dt` seconds to a time that is `end` but for rounding.
    fn step_to(&mut self, dt: f64, end: f64) -> Result<()> {
        positive("dt", dt)?;
        self.saved.copy_from(&self.state.pairs);
        let (ended_pairs, dissipated) = (self.state.ended_pairs, self.state.dissipated);
        if let Err(error) = self.kick_and_drift(dt) {
            (self.state.ended_pairs, self.state.dissipated) = (ended_pairs, dissipated);
            std::mem::swap(&mut self.state.pairs, &mut self.saved);
            self.contacts.forget();
            return Err(error);
        }
        self.state.time = end;
        self.model.prescribe(end, &mut self.state.motions);
        self.steps += 1;
        Ok(())
    }

    /// A step, but for the time.
    fn kick_and_drift(&mut self, dt: f64) -> Result<()> {
        let State { time, motions, pairs, ended_pairs, dissipated, .. } = &mut self.state;
        let (model, contacts) = (self.model, &mut self.contacts);
        let begin = *time;
        // The motions are the method's; what contacts remember is ours.
        let mut loads = |t: f64, motions: &[Motion], sum: &mut [[Vec3; 2]]| {
            let lost = force::add_loads(model.forces(), t, motions, sum)?;
            let stage = Stage { time: t, step: dt, is_end: t > begin };
            contacts.evaluate(motions, pairs, ended_pairs, stage)?;
            for (id, found) in contacts.active_contacts() {
                for (side, body) in [id.a.body, id.b.body].into_iter().enumerate() {
                    let [force, torque] = found.wrench(side, &motions[body.0].pose.position);
                    sum[body.0][0] += force;
                    sum[body.0][1] += torque;
                }
            }
            let bodies = model.bodies().iter().zip(motions.iter().zip(sum.iter()));
            let taken: f64 = bodies.map(|(body, (motion, wrench))| body.taken(motion, *wrench)).sum();
            *dissipated += 0.5 * dt * (lost + taken);
            Ok(())
        };
        self.splitting.step(motions, begin, dt, &mut loads)
    }
}
