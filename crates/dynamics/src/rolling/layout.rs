//! How bodies on seats and in flight lie in one vector.
//!
//! Per body that moves, in the order of the model: on a seat q = (s, t, u, v, ψ), w (5) and the energy lost to friction
//! since the segment began, 11 numbers; in flight the 13 of `flight.rs`. Last comes the energy that applied forces have
//! dissipated.

use super::seat::{Seat, atlas};
use crate::error::{DynamicsError, Result};
use crate::flight::{self, BODY};
use crate::model::{BodyId, Model};
use crate::state::State;

/// Numbers per body on a seat.
pub const SEAT: usize = 11;

/// Which body lies where.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The seat of each body that has one; its places have the chart, their parameters are in the vector.
    pub seats: Vec<Option<Seat>>,
    /// Where each body that moves begins in the vector.
    pub at: Vec<Option<usize>>,
    /// All bodies, carriers before what they carry.
    pub order: Vec<usize>,
    dimension: usize,
}

impl Layout {
    /// The layout of a model with the given seats, one entry per body.
    pub fn new(model: &Model, seats: &[Option<Seat>]) -> Result<Self> {
        let (mut at, mut dimension) = (Vec::new(), 0);
        for (body, seat) in model.bodies().iter().zip(seats) {
            at.push(body.is_free().then_some(dimension));
            if body.is_free() {
                dimension += if seat.is_some() { SEAT } else { BODY };
            }
        }
        let order = order(seats).ok_or_else(|| DynamicsError::Invalid {
            what: "seats".to_owned(),
            reason: "bodies carry each other in a circle".to_owned(),
        })?;
        Ok(Self { seats: seats.to_vec(), at, order, dimension: dimension + 1 })
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
            if let Some(seat) = &self.seats[body] {
                let [own, other] = &seat.places;
                y[at..at + 5].copy_from_slice(&[own.u, own.v, other.u, other.v, seat.angle]);
                y[at + 5..at + 10].copy_from_slice(seat.velocities.as_slice());
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
        for (body, seat) in self.seats.iter().enumerate() {
            let (Some(seat), Some(at)) = (seat, self.at[body]) else { continue };
            for (side, part) in [(BodyId(body), seat.part), seat.carrier].into_iter().enumerate() {
                let grain = atlas(model, part)?.grain(&seat.places[side]);
                grains[at + 2 * side..at + 2 * side + 2].fill(grain);
            }
        }
        Ok(if grains.iter().all(|grain| *grain == 1.0) { Vec::new() } else { grains })
    }

    /// The seat of a body as the vector has it.
    pub fn seat(&self, y: &[f64], body: usize) -> Option<Seat> {
        let (mut seat, at) = (self.seats[body]?, self.at[body]?);
        for side in 0..2 {
            seat.places[side].u = y[at + 2 * side];
            seat.places[side].v = y[at + 2 * side + 1];
        }
        seat.angle = y[at + 4];
        seat.velocities.copy_from_slice(&y[at + 5..at + 10]);
        Some(seat)
    }

    /// Writes seats and energies back; motions follow from them.
    pub fn unpack(&self, y: &[f64], state: &mut State) {
        let mut seats = self.seats.clone();
        for (body, seat) in seats.iter_mut().enumerate() {
            *seat = self.seat(y, body);
            if let (Some(seat), Some(at)) = (seat, self.at[body]) {
                let memory = state.pairs.entry(seat.pair(BodyId(body)));
                memory.ledger.friction_loss += y[at + 10];
            }
        }
        state.seats = Some(seats);
        state.dissipated += y[self.dimension - 1];
    }
}

/// All bodies, carriers first; none where they carry each other in a circle.
fn order(seats: &[Option<Seat>]) -> Option<Vec<usize>> {
    let mut placed = vec![false; seats.len()];
    let mut order = Vec::with_capacity(seats.len());
    while order.len() < seats.len() {
        let before = order.len();
        for (body, seat) in seats.iter().enumerate() {
            let ready = seat.is_none_or(|seat| placed[seat.carrier.0.0]);
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
