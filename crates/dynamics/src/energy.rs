//! The energy of a model: what the bodies have, what contacts and forces store, and where the rest went.
//!
//!   E = Σ ½m v² + ½ω·Iω − Σ m g·x + stored,   E + damped + friction_loss − stiffness_change + dissipated = const
//!
//! The sum is the total; how far it strays is what the numbers lost.

use crate::error::Result;
use crate::measure;
use crate::mechanism;
use crate::model::Model;
use crate::state::State;
use rattleback_contact::Ledger;

/// The energies of a state, in J.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Energy {
    /// Of the free bodies.
    pub kinetic: f64,
    /// Of the free bodies in gravity; zero at the world's origin.
    pub potential: f64,
    /// Stored by applied forces and by springs in joints.
    pub applied: f64,
    /// Dissipated by applied forces and in joints, taken by motors and prescribed bodies so far; negative where they
    /// have fed the others.
    pub dissipated: f64,
    /// Of all contacts.
    pub contacts: Ledger,
}

impl Energy {
    /// The energies of a state, which must fit the model. Where joints have springs, their coordinates are measured
    /// anew: [`Mechanism::energy`](crate::Mechanism::energy) has them at hand.
    pub fn of(model: &Model, state: &State) -> Result<Self> {
        let mut energy = Self::without_joints(model, state)?;
        energy.applied += mechanism::stored_in_joints(model, state)?;
        Ok(energy)
    }

    /// The same but for what springs in joints store.
    pub(crate) fn without_joints(model: &Model, state: &State) -> Result<Self> {
        state.check(model)?;
        let mut contacts = state.ended_pairs;
        for pair in state.pairs.values() {
            contacts += pair.ledger;
        }
        Ok(Self {
            kinetic: measure::kinetic_energy(model, &state.motions)?,
            potential: measure::gravitational_energy(model, &state.motions)?,
            applied: measure::stored_energy(model, state)?,
            dissipated: state.dissipated,
            contacts,
        })
    }

    /// What could still be turned into motion.
    pub fn mechanical(&self) -> f64 {
        self.kinetic + self.potential + self.applied + self.contacts.stored
    }

    /// Everything, dissipated energy included: constant but for what the numbers lose.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.applied + self.dissipated + self.contacts.taken()
    }
}
