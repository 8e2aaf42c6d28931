//! One way to run any model: free bodies, many of them, bodies that roll, or a mechanism, moved and watched alike.
//!
//! A run goes from output to output: each call of [`Run::advance`] ends on the time asked for, bit for bit, and a run
//! that is taken up again from the state between two calls has the same bits as one that was not.
//!
//! After an error the state is the last one that is whole: for free and rolling bodies that at the last event or at the
//! beginning of the call, for many bodies and mechanisms that after the last step. An observer stops a run with
//! [`DynamicsError::Stopped`](crate::DynamicsError::Stopped), which comes back as it is.

use crate::contact_set::{ActiveContact, Parts};
use crate::energy::Energy;
use crate::error::{Result, positive};
use crate::frames::Frames;
use crate::integrator::Statistics;
use crate::many::ManyBodies;
use crate::mechanism::{self, Assembly, JointReading, Mechanism, Reaction};
use crate::model::{Model, PairId};
use crate::observer::{Changes, Observer};
use crate::rolling::{self, Rolling};
use crate::simulation::{Accuracy, Method, Simulation};
use crate::state::State;

/// How a model is moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scheme {
    /// Free bodies with adaptive steps, by [`Simulation`].
    Free {
        /// The integrator.
        method: Method,
        /// How accurately.
        accuracy: Accuracy,
    },
    /// Many free bodies with equal steps, by [`ManyBodies`].
    Many {
        /// The longest step in s.
        step: f64,
    },
    /// Bodies that roll and slide on each other in contact coordinates, by [`Rolling`].
    Rolling(rolling::Settings),
    /// Bodies held together by joints, by [`Mechanism`].
    Mechanism(mechanism::Settings),
}

/// Free bodies, explicit, with the default accuracy.
impl Default for Scheme {
    fn default() -> Self {
        Self::Free { method: Method::Explicit, accuracy: Accuracy::default() }
    }
}

impl Model {
    /// A run that begins in the [initial state](Model::initial_state).
    pub fn run(&self, scheme: &Scheme) -> Result<Run<'_>> {
        Run::new(self, self.initial_state(), scheme)
    }
}

/// A model on its way through time, whatever moves it.
#[derive(Debug)]
pub struct Run<'m> {
    model: &'m Model,
    engine: Engine<'m>,
}

#[derive(Debug)]
enum Engine<'m> {
    Free(Box<Simulation<'m>>),
    Many { bodies: Box<ManyBodies<'m>>, step: f64 },
    Rolling(Box<Rolling<'m>>),
    Mechanism(Box<Jointed>),
}

#[derive(Debug)]
struct Jointed {
    mechanism: Mechanism,
    state: State,
    changes: Changes,
}

impl<'m> Run<'m> {
    /// A run that begins in the given state; a mechanism is assembled here if it was not.
    pub fn new(model: &'m Model, mut state: State, scheme: &Scheme) -> Result<Self> {
        scheme.supports(model)?;
        let engine = match *scheme {
            Scheme::Free { method, accuracy } => {
                Engine::Free(Box::new(Simulation::new(model, state, method, accuracy)?))
            }
            Scheme::Many { step } => {
                positive("step", step)?;
                Engine::Many { bodies: Box::new(ManyBodies::new(model, state)?), step }
            }
            Scheme::Rolling(settings) => Engine::Rolling(Box::new(Rolling::new(model, state, settings)?)),
            Scheme::Mechanism(settings) => {
                let mut mechanism = Mechanism::new(model, settings)?;
                mechanism.prepare_state(&mut state)?;
                let changes = Changes::new(&state);
                Engine::Mechanism(Box::new(Jointed { mechanism, state, changes }))
            }
        };
        Ok(Self { model, engine })
    }

    /// The state reached.
    pub fn state(&self) -> &State {
        match &self.engine {
            Engine::Free(simulation) => simulation.state(),
            Engine::Many { bodies, .. } => bodies.state(),
            Engine::Rolling(rolling) => rolling.state(),
            Engine::Mechanism(jointed) => &jointed.state,
        }
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Moves on to the time `end` and shows the observer what happens on the way.
    pub fn advance(&mut self, end: f64, observer: &mut Observer<'_>) -> Result<()> {
        match &mut self.engine {
            Engine::Free(simulation) => simulation.advance(end, observer),
            Engine::Many { bodies, step } => bodies.advance(end, *step, observer),
            Engine::Rolling(rolling) => rolling.advance(end, observer),
            Engine::Mechanism(jointed) => {
                let Jointed { mechanism, state, changes } = &mut **jointed;
                let mut show = |mechanism: &mut Mechanism, state: &State| {
                    changes.tell(state, mechanism.active_contacts(), observer)
                };
                mechanism.advance(state, end, &mut show)
            }
        }
    }

    /// Moves on to the time `end` without an observer, and gives the state there.
    pub fn to(&mut self, end: f64) -> Result<&State> {
        self.advance(end, &mut |_| Ok(()))?;
        Ok(self.state())
    }

    /// Moves on to the time `end` frame by frame: the first one now, then one every `interval` seconds, the last one at
    /// the end. Nothing moves before the first frame is asked for.
    pub fn frames(&mut self, end: f64, interval: f64) -> Frames<'_, 'm> {
        Frames::new(self, end, interval)
    }

    /// The energy of the state reached; that of a mechanism with what the springs in its joints store.
    pub fn energy(&mut self) -> Result<Energy> {
        match &mut self.engine {
            Engine::Mechanism(jointed) => jointed.mechanism.energy(&jointed.state),
            _ => Energy::of(self.model, self.state()),
        }
    }

    /// The pairs of parts that overlap in the state reached, each of them once, the deepest first. Before the first
    /// step they are those that are placed in each other, whose energy is in the balance from the start.
    pub fn overlaps(&self) -> Result<Vec<Overlap>> {
        let state = self.state();
        let mut found = Vec::new();
        let mut keep = |pair: PairId, gap: f64| {
            let stored = state.pairs.get(&pair).map_or(0.0, |memory| memory.ledger.stored);
            if gap < 0.0 {
                found.push(Overlap { pair, depth: -gap, stored });
            }
        };
        if let Engine::Rolling(rolling) = &self.engine {
            for (pair, gap) in rolling.overlaps()? {
                keep(pair, gap);
            }
        } else {
            // A point whose place is taken by others stores nothing, and is none of an overlap.
            let contacts = active_contacts(self.model, state)?;
            for (pair, found) in contacts.iter().filter(|(_, found)| found.force.elastic > 0.0) {
                keep(*pair, found.touch.gap);
            }
        }
        found.sort_by_key(|overlap| overlap.pair);
        found.dedup_by(|next, kept| {
            let is_same = next.pair.parts() == kept.pair.parts();
            if is_same {
                (kept.depth, kept.stored) = (kept.depth.max(next.depth), kept.stored + next.stored);
            }
            is_same
        });
        found.sort_by(|a, b| b.depth.total_cmp(&a.depth).then(a.pair.cmp(&b.pair)));
        Ok(found)
    }

    /// By how much a mechanism was moved onto its joints when the run was made.
    pub fn assembly(&self) -> Option<&Assembly> {
        match &self.engine {
            Engine::Mechanism(jointed) => jointed.mechanism.assembly(),
            _ => None,
        }
    }

    /// What has been spent since the run was made.
    pub fn statistics(&self) -> Statistics {
        match &self.engine {
            Engine::Free(simulation) => simulation.statistics(),
            Engine::Many { bodies, .. } => bodies.statistics(),
            Engine::Rolling(rolling) => rolling.statistics(),
            Engine::Mechanism(jointed) => jointed.mechanism.statistics(),
        }
    }

    /// The forces in all joints, in the order of declaration.
    pub fn reactions(&mut self) -> Result<Vec<Reaction>> {
        match &mut self.engine {
            Engine::Mechanism(jointed) => jointed.mechanism.reactions(&jointed.state),
            _ => Ok(Vec::new()),
        }
    }

    /// All joints with their forces, coordinates and motors, in the order of declaration.
    pub fn joint_readings(&mut self) -> Result<Vec<JointReading>> {
        match &mut self.engine {
            Engine::Mechanism(jointed) => jointed.mechanism.joint_readings(&jointed.state),
            _ => Ok(Vec::new()),
        }
    }

    /// The coordinate of each action of the model and its rate, in the order of declaration.
    pub fn coordinates(&mut self) -> Result<Vec<[f64; 2]>> {
        match &mut self.engine {
            Engine::Mechanism(jointed) => jointed.mechanism.coordinates(&jointed.state),
            _ => Ok(Vec::new()),
        }
    }
}

/// Two parts that overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// Which.
    pub pair: PairId,
    /// How deep at the deepest of their points, in m.
    pub depth: f64,
    /// What all of their contacts store, in J: none between bodies that do not yield.
    pub stored: f64,
}

/// The contacts of a state with their forces: every pair that the state says is in contact, in declared order.
pub fn active_contacts(model: &Model, state: &State) -> Result<Vec<(PairId, ActiveContact)>> {
    state.check(model)?;
    if state.rigid_contacts.is_some() {
        return rolling::active_contacts(model, state);
    }
    let mut found = Vec::new();
    Parts::new(model, &state.motions).apply_law_to_all(model, &state.pairs, &mut found)?;
    Ok(found)
}
