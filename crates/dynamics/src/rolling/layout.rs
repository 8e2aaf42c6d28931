//! How bodies on rigid contacts and in flight lie in one vector.
//!
//! Per body that moves, in the order of the model: on a rigid contact q = (s, t, u, v, ψ), w (5) and the energy lost to
//! friction since the segment began, 11 numbers; in flight the 13 of `flight.rs`. Last comes the energy that applied
//! forces have dissipated.

use super::rigid_contact::{RigidContact, atlas};
use crate::error::{DynamicsError, Result};
use crate::flight::{self, BODY};
use crate::model::{BodyId, Model, PartId};
use crate::state::State;

/// Numbers per body on a seat.
pub const CONTACT_SIZE: usize = 11;

/// Which body lies where.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The rigid contact of each body that has one; its places have the chart, their parameters are in the vector.
    pub rigid_contacts: Vec<Option<RigidContact>>,
    /// Where each body that moves begins in the vector.
    pub at: Vec<Option<usize>>,
    /// All bodies, carriers before what they carry.
    pub order: Vec<usize>,
    dimension: usize,
}

impl Layout {
    /// The layout of a model with the given rigid contacts, one entry per body.
    pub fn new(model: &Model, rigid_contacts: &[Option<RigidContact>]) -> Result<Self> {
        let (mut at, mut dimension) = (Vec::new(), 0);
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
        Ok(Self { rigid_contacts: rigid_contacts.to_vec(), at, order, dimension: dimension + 1 })
    }

    /// How many numbers there are.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The vector of a state; energies begin at zero.
    pub fn pack(&self, state: &State) -> Vec<f64> {
        let mut y = vec![0.0; self.dimension];
        for (body, at) in self.at.iter().enumerate() {
            let Some(at) = *at else { continue };
            if let Some(rigid_contact) = &self.rigid_contacts[body] {
                let [own, other] = &rigid_contact.places;
                y[at..at + 5].copy_from_slice(&[own.u, own.v, other.u, other.v, rigid_contact.angle]);
                y[at + 5..at + 10].copy_from_slice(rigid_contact.velocities.as_slice());
            } else {
                flight::pack(&state.motions[body], &mut y[at..at + BODY]);
            }
        }
        y
    }

    /// The share of its accuracy that each number needs ([`Atlas::grain`](rattleback_geom::chart::Atlas::grain)): a
    /// parameter of a place is about one, but close to a point without derivatives the surface changes over much less.
    /// Empty where all are one.
    pub fn grains(&self, model: &Model) -> Result<Vec<f64>> {
        let mut grains = vec![1.0; self.dimension];
        for (body, rigid_contact) in self.rigid_contacts.iter().enumerate() {
            let (Some(rigid_contact), Some(at)) = (rigid_contact, self.at[body]) else { continue };
            for (side, part) in
                [PartId::new(BodyId(body), rigid_contact.part), rigid_contact.carrier].into_iter().enumerate()
            {
                let grain = atlas(model, part)?.grain(&rigid_contact.places[side]);
                grains[at + 2 * side..at + 2 * side + 2].fill(grain);
            }
        }
        Ok(if grains.iter().all(|grain| *grain == 1.0) { Vec::new() } else { grains })
    }

    /// The rigid contact of a body as the vector has it.
    pub fn rigid_contact(&self, y: &[f64], body: usize) -> Option<RigidContact> {
        let (mut rigid_contact, at) = (self.rigid_contacts[body]?, self.at[body]?);
        for side in 0..2 {
            rigid_contact.places[side].u = y[at + 2 * side];
            rigid_contact.places[side].v = y[at + 2 * side + 1];
        }
        rigid_contact.angle = y[at + 4];
        rigid_contact.velocities.copy_from_slice(&y[at + 5..at + 10]);
        Some(rigid_contact)
    }

    /// Writes rigid contacts and energies back; motions follow from them.
    pub fn unpack(&self, y: &[f64], state: &mut State) {
        let mut rigid_contacts = self.rigid_contacts.clone();
        for (body, rigid_contact) in rigid_contacts.iter_mut().enumerate() {
            *rigid_contact = self.rigid_contact(y, body);
            if let (Some(rigid_contact), Some(at)) = (rigid_contact, self.at[body]) {
                let memory = state.pairs.entry(rigid_contact.pair(BodyId(body)));
                memory.ledger.friction_loss += y[at + 10];
            }
        }
        state.rigid_contacts = Some(rigid_contacts);
        state.dissipated += y[self.dimension - 1];
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
