//! How the state of free bodies and their contacts lies in one vector.
//!
//! Per free body, in the order of the model, its 13 numbers (`flight.rs`). Then, per pair in contact whose friction has
//! one, the bristle (3). Last come sums that nothing depends on: per pair in contact the energies damped, lost to
//! friction and, where the stiffness may change, given back by the elastic force since the segment began, and
//! the energy that applied forces have dissipated.

use crate::body::Motion;
use crate::contact_set::ActiveContact;
use crate::flight::{self, BODY, POSE, vector};
use crate::integrator::Pattern;
use crate::model::{BodyId, Mobility, Model, PairId, PartPair};
use crate::state::State;
use rattleback_contact::Ledger;

/// Energies per contact.
const LEDGER_ENTRIES: usize = 3;

/// Which body and which contact lies where.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The free bodies.
    pub free: Vec<BodyId>,
    /// The bodies that are not fixed.
    pub moved: Vec<BodyId>,
    /// For every body its place among the free ones.
    pub place: Vec<Option<usize>>,
    /// The pairs in contact.
    pub active_contacts: Vec<PartPair>,
    /// For every pair in contact, where its bristle lies.
    pub bristles: Vec<Option<usize>>,
    /// How many numbers there are before the sums.
    pub moving: usize,
}

impl Layout {
    pub fn new(model: &Model, state: &State) -> Self {
        let (mut free, mut moved, mut place) = (Vec::new(), Vec::new(), Vec::new());
        for (i, body) in model.bodies().iter().enumerate() {
            place.push(body.is_free().then_some(free.len()));
            if body.is_free() {
                free.push(BodyId(i));
            }
            if body.mobility != Mobility::Fixed {
                moved.push(BodyId(i));
            }
        }
        let (mut active_contacts, mut bristles) = (Vec::new(), Vec::new());
        let mut moving = BODY * free.len();
        let touching = state.pairs.iter().filter(|(_, memory)| memory.contact.is_some());
        for pair in touching.filter_map(|(&id, _)| model.contact(id)) {
            active_contacts.push(pair);
            bristles.push(pair.law.has_bristle().then_some(moving));
            moving += if pair.law.has_bristle() { 3 } else { 0 };
        }
        Self { free, moved, place, active_contacts, bristles, moving }
    }

    pub fn dimension(&self) -> usize {
        self.ledger_start(self.active_contacts.len()) + 1
    }

    /// Where the energies of the `k`-th pair in contact begin.
    pub fn ledger_start(&self, k: usize) -> usize {
        self.moving + LEDGER_ENTRIES * k
    }

    /// Positions and orientations follow velocities; the energies are sums.
    pub fn pattern(&self) -> Pattern {
        // Each coordinate follows its own velocity; the numbers of a quaternion belong together.
        let of = |k: usize| [0..1, 1..2, 2..3, 3..POSE].map(|r| BODY * k + r.start..BODY * k + r.end);
        let positions = (0..self.free.len()).flat_map(of).collect();
        Pattern { positions, sums: self.dimension() - self.moving }
    }

    /// The vector of a state; the energies begin at zero.
    pub fn pack(&self, state: &State) -> Vec<f64> {
        let mut y = vec![0.0; self.dimension()];
        for (k, body) in self.free.iter().enumerate() {
            flight::pack(&state.motions[body.0], &mut y[BODY * k..BODY * (k + 1)]);
        }
        for (pair, at) in self.active_contacts.iter().zip(&self.bristles) {
            let contact = state.pairs.get(&pair.id()).and_then(|memory| memory.contact);
            if let (Some(contact), &Some(at)) = (contact, at) {
                y[at..at + 3].copy_from_slice(contact.bristle.as_slice());
            }
        }
        y
    }

    /// The motion of the `k`-th free body.
    pub fn motion(&self, y: &[f64], k: usize) -> Motion {
        flight::unpack(&y[BODY * k..BODY * (k + 1)])
    }

    /// The energy in play at the beginning of a segment, in J: that of the motion and what contacts store. The energies
    /// of the vector begin at zero, which says nothing of how exactly they are wanted: a velocity that is wrong by a
    /// share r makes them wrong by 2r of this.
    pub fn energy_of(&self, model: &Model, state: &State) -> f64 {
        let kinetic = |id: &BodyId| model.body(*id).body.kinetic_energy(&state.motions[id.0]);
        let stored = |pair: &PartPair| state.pairs.get(&pair.id()).map_or(0.0, |memory| memory.ledger.stored);
        self.free.iter().map(kinetic).sum::<f64>() + self.active_contacts.iter().map(stored).sum::<f64>()
    }

    /// What the books of a state hold: the ledger of every pair in contact, and what forces have dissipated.
    pub fn ledgers_of(&self, state: &State) -> (Vec<Ledger>, f64) {
        let ledger = |pair: &PartPair| state.pairs.get(&pair.id()).map_or_else(Ledger::default, |m| m.ledger);
        (self.active_contacts.iter().map(ledger).collect(), state.dissipated)
    }

    /// Writes the vector back; its energies come on top of the books at the beginning of the segment. What changes of
    /// stiffness bring is known when [`Layout::balance`] is told what is stored.
    pub fn unpack(&self, y: &[f64], (ledgers, dissipated): &(Vec<Ledger>, f64), state: &mut State) {
        for (k, body) in self.free.iter().enumerate() {
            state.motions[body.0] = self.motion(y, k);
        }
        for (k, (pair, begun)) in self.active_contacts.iter().zip(ledgers).enumerate() {
            let (at, pair) = (self.ledger_start(k), state.pairs.entry(pair.id()));
            if let (Some(contact), Some(at)) = (&mut pair.contact, self.bristles[k]) {
                contact.bristle = vector(y, at);
            }
            pair.ledger.damped = begun.damped + y[at];
            pair.ledger.friction_loss = begun.friction_loss + y[at + 1];
            pair.ledger.stiffness_change = begun.stiffness_change + y[at + 2];
        }
        state.dissipated = dissipated + y[self.ledger_start(self.active_contacts.len())];
    }

    /// Adds what the contacts, all of them and in the same order, store more than at the beginning of the segment to
    /// what changes of stiffness have brought.
    pub fn balance(&self, begun: &[Ledger], found: &[(PairId, ActiveContact)], state: &mut State) {
        for ((pair, begun), (id, found)) in self.active_contacts.iter().zip(begun).zip(found) {
            debug_assert_eq!(pair.id(), *id);
            if let (true, Some(memory)) = (pair.has_changing_stiffness(), state.pairs.get_mut(id)) {
                memory.ledger.stiffness_change += found.force.elastic - (begun.stored - begun.bristle);
            }
        }
    }
}
