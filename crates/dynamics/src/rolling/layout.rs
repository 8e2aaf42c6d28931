//! How bodies on rigid contacts and in flight lie in one vector.
//!
//! Per body that moves, in the order of the model: on a rigid contact q = (s, t, u, v, ψ), w (5) and the energy lost to
//! friction since the segment began, 11 numbers; in flight the 13 of `flight.rs`. Then, per contact that closes a loop,
//! (s, t, u, v) and the energy lost to its friction; ψ and w follow from the bodies (`closing.rs`). Last comes the
//! energy that applied forces have dissipated.
//!
//! Contacts are numbered: those of the tree as their bodies, the closing ones after all bodies.

use super::rigid_contact::{ContactList, RigidContact, atlas};
use crate::error::{DynamicsError, Result};
use crate::flight::{self, BODY};
use crate::model::{BodyId, Model};
use crate::state::State;

/// Numbers per body on a seat.
pub const CONTACT_SIZE: usize = 11;
/// Numbers per contact that closes a loop.
pub const CLOSING_SIZE: usize = 5;

/// Which body lies where.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The rigid contact of each body that has one, then the closing ones; their places have the chart, the parameters
    /// are in the vector.
    pub rigid_contacts: Vec<Option<RigidContact>>,
    /// The body of each of them.
    owners: Vec<BodyId>,
    /// Where each body that moves, and then each closing contact, begins in the vector.
    pub at: Vec<Option<usize>>,
    /// All bodies, carriers before what they carry.
    pub order: Vec<usize>,
    dimension: usize,
}

impl Layout {
    /// The layout of a model with the given rigid contacts.
    pub fn new(model: &Model, contacts: ContactList<'_>) -> Result<Self> {
        let (mut at, mut dimension) = (Vec::new(), 0);
        let rigid_contacts = contacts.tree;
        for (body, rigid_contact) in model.bodies().iter().zip(rigid_contacts) {
            at.push(body.is_free().then_some(dimension));
            if body.is_free() {
                dimension += if rigid_contact.is_some() { CONTACT_SIZE } else { BODY };
            }
        }
        let order = order(rigid_contacts).ok_or_else(|| DynamicsError::Invalid {
            what: "rigid contacts".to_owned(),
            reason: "bodies carry each other in a circle".to_owned(),
        })?;
        let mut owners: Vec<BodyId> = (0..rigid_contacts.len()).map(BodyId).collect();
        let mut rigid_contacts = rigid_contacts.to_vec();
        for closing in contacts.closing {
            at.push(Some(dimension));
            dimension += CLOSING_SIZE;
            owners.push(closing.body);
            rigid_contacts.push(Some(closing.contact));
        }
        Ok(Self { rigid_contacts, owners, at, order, dimension: dimension + 1 })
    }

    /// The body of a contact.
    pub fn owner(&self, number: usize) -> BodyId {
        self.owners[number]
    }

    /// The numbers of the contacts that close loops.
    pub fn closing(&self) -> std::ops::Range<usize> {
        self.order.len()..self.rigid_contacts.len()
    }

    /// Whether any contact closes a loop.
    pub fn closes(&self) -> bool {
        !self.closing().is_empty()
    }

    /// How many numbers there are.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The vector of a state; energies begin at zero.
    pub fn pack(&self, state: &State) -> Vec<f64> {
        let mut y = vec![0.0; self.dimension];
        for (number, at) in self.at.iter().enumerate() {
            let Some(at) = *at else { continue };
            if let Some(rigid_contact) = &self.rigid_contacts[number] {
                let [own, other] = &rigid_contact.places;
                y[at..at + 4].copy_from_slice(&[own.u, own.v, other.u, other.v]);
                if number < self.order.len() {
                    y[at + 4] = rigid_contact.angle;
                    y[at + 5..at + 10].copy_from_slice(rigid_contact.velocities.as_slice());
                }
            } else {
                flight::pack(&state.motions[number], &mut y[at..at + BODY]);
            }
        }
        y
    }

    /// The share of its accuracy that each number needs ([`Atlas::grain`](rattleback_geom::chart::Atlas::grain)): a
    /// parameter of a place is about one, but close to a point without derivatives the surface changes over much less.
    /// Empty where all are one.
    pub fn grains(&self, model: &Model) -> Result<Vec<f64>> {
        let mut grains = vec![1.0; self.dimension];
        for (number, rigid_contact) in self.rigid_contacts.iter().enumerate() {
            let (Some(rigid_contact), Some(at)) = (rigid_contact, self.at[number]) else { continue };
            for (side, part) in rigid_contact.parts(self.owner(number)).into_iter().enumerate() {
                let grain = atlas(model, part)?.grain(&rigid_contact.places[side]);
                grains[at + 2 * side..at + 2 * side + 2].fill(grain);
            }
        }
        Ok(if grains.iter().all(|grain| *grain == 1.0) { Vec::new() } else { grains })
    }

    /// A rigid contact as the vector has it; of one that closes a loop only the places are.
    pub fn rigid_contact(&self, y: &[f64], number: usize) -> Option<RigidContact> {
        let (mut rigid_contact, at) = (self.rigid_contacts[number]?, self.at[number]?);
        for side in 0..2 {
            rigid_contact.places[side].u = y[at + 2 * side];
            rigid_contact.places[side].v = y[at + 2 * side + 1];
        }
        if number < self.order.len() {
            rigid_contact.angle = y[at + 4];
            rigid_contact.velocities.copy_from_slice(&y[at + 5..at + 10]);
        }
        Some(rigid_contact)
    }

    /// The energy that a contact has lost to friction since the segment began.
    pub fn friction_loss(&self, y: &[f64], number: usize) -> f64 {
        let last = if number < self.order.len() { CONTACT_SIZE } else { CLOSING_SIZE } - 1;
        self.at[number].map_or(0.0, |at| y[at + last])
    }

    /// The energy that applied forces have dissipated since the segment began.
    pub fn dissipated(&self, y: &[f64]) -> f64 {
        y[self.dimension - 1]
    }
}

/// All bodies, carriers first; none where they carry each other in a circle.
fn order(rigid_contacts: &[Option<RigidContact>]) -> Option<Vec<usize>> {
    let mut placed = vec![false; rigid_contacts.len()];
    let mut order = Vec::with_capacity(rigid_contacts.len());
    while order.len() < rigid_contacts.len() {
        let before = order.len();
        for (body, rigid_contact) in rigid_contacts.iter().enumerate() {
            let ready = rigid_contact.is_none_or(|rigid_contact| placed[rigid_contact.carrier.body.0]);
            if ready && !placed[body] {
                placed[body] = true;
                order.push(body);
            }
        }
        if order.len() == before {
            return None;
        }
    }
    Some(order)
}
