//! Who looks out for contacts that are not there yet: the gaps of all pairs of parts that may touch.
//!
//! A pair of convex bodies is asked about by the narrow phase, which knows how deep they overlap; others by the trees over
//! their charts (`rattleback_contact::near`). Convex bodies that touch already are not watched: they touch nowhere else.
//!
//! A pair meets where its gap falls to −[`SLOP`] times its size: so bodies that have just parted, whose gap is zero but for
//! rounding, have a sign.

use super::assembly::Assembly;
use super::impact::Impact;
use super::seat::{Seat, atlas};
use crate::body::Motion;
use crate::contacts::Contacts;
use crate::error::Result;
use crate::model::{BodyId, Model, PartId, PartPair};
use rattleback_geom::chart::Place;

/// An overlap that counts as touching, as a share of the size of the smaller part.
pub const SLOP: f64 = 1e-10;

/// A place where two parts touch, on the charts of both.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    /// Point and normal.
    pub impact: Impact,
    /// The places on A and B.
    pub places: [Place; 2],
    /// The gap, in m.
    pub gap: f64,
}

/// The pairs that are watched.
#[derive(Debug)]
pub struct Scouts<'m> {
    model: &'m Model,
    pairs: Vec<PartPair>,
    sizes: Vec<f64>,
    contacts: Contacts,
}

impl<'m> Scouts<'m> {
    /// The pairs among `pairs` that are worth watching while bodies sit on `seats`.
    pub fn new(model: &'m Model, pairs: &[PartPair], seats: &[Option<Seat>], motions: &[Motion]) -> Self {
        let seated = |pair: &PartPair| {
            let sits = |body: BodyId| seats[body.0].is_some_and(|seat| seat.pair(body) == pair.id());
            sits(pair.a.0) || sits(pair.b.0)
        };
        let pairs: Vec<PartPair> = pairs.iter().filter(|pair| !seated(pair)).copied().collect();
        let sizes = pairs.iter().map(|pair| size(model, pair.a).min(size(model, pair.b))).collect();
        Self { model, pairs, sizes, contacts: Contacts::new(model, motions) }
    }

    /// The pairs.
    pub fn pairs(&self) -> &[PartPair] {
        &self.pairs
    }

    /// The gap of a pair, plus what counts as touching.
    pub fn gap(&mut self, pair: usize, assembly: &Assembly<'_>) -> Result<f64> {
        let (watched, slop) = (self.pairs[pair], SLOP * self.sizes[pair]);
        for body in [watched.a.0, watched.b.0] {
            self.contacts.place(self.model, body, &assembly.motions[body.0]);
        }
        Ok(self.contacts.touch(&watched, None)?.gap + slop)
    }
}

/// Where the parts of a pair come nearest.
pub fn find(
    model: &Model,
    contacts: &mut Contacts,
    pair: &PartPair,
    motions: &[Motion],
) -> Result<Vec<Found>> {
    for body in [pair.a.0, pair.b.0] {
        contacts.place(model, body, &motions[body.0]);
    }
    let touch = contacts.touch(pair, None)?;
    let place = |part: PartId, point| {
        let local = contacts.collider(part).pose.point_to_local(point);
        atlas(model, part)?.locate(&local).map_err(crate::DynamicsError::from)
    };
    let places = [place(pair.a, &touch.point_a)?, place(pair.b, &touch.point_b)?];
    let point = (touch.point_a + touch.point_b) * 0.5;
    Ok(vec![Found { impact: Impact { pair: *pair, point, normal: touch.normal }, places, gap: touch.gap }])
}

/// The largest extent of a part; infinite for a half-space.
pub fn size(model: &Model, (body, part): PartId) -> f64 {
    model.body(body).parts[part].shape.surface().bounds().extents().max()
}
