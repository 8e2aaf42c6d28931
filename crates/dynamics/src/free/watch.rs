//! The gaps of all pairs, watched along a segment: where one passes its level, a contact begins or ends.
//!
//! A pair that is apart has g > 0, one in contact has g < 0; then the level is zero. A segment may also begin with a pair on the
//! wrong side of zero or exactly on it: bodies that are placed so that they touch, and pairs at or just beyond their event,
//! where the state is that of the step made again and g is zero but for the tolerance of the integrator. Such a pair has the
//! level
//!
//!   apart, g₀ ≤ 0:  g₀ − s,   in contact, g₀ ≥ 0:  g₀ + s,   s = [`SLOP`] L + [`ROUNDING`] ε X
//!
//! with L the size of the smaller part and X the greatest coordinate: it begins with a sign, whatever its gap, and its event
//! comes when it has gone deeper in, or farther out, than it was, by more than rounding. So a pair that touches exactly and is at
//! rest, approaches, or is pushed together by what comes later is in contact from a depth of s on, in which no force is worth
//! mentioning; one that separates is not; and none passes through because its gap had no sign or the wrong one. Between
//! beginning and end lies a way of s at least: no instant sees both without end.

use super::layout::Layout;
use crate::contacts::Contacts;
use crate::error::Result;
use crate::integrator::{Direction, Event};
use crate::model::{Mobility, Model, PartId, PartPair};
use crate::state::State;
use rattleback_geom::Vec3;
use std::cell::RefCell;

/// A depth that counts as touching, as a share of the size of the smaller part: to this share the narrow phase certifies gaps.
const SLOP: f64 = 1e-12;
/// The rounding of a gap, as a multiple of ε on the scale of the coordinates: those of two poses, of their rotations and of the
/// difference of two points.
const ROUNDING: f64 = 16.0;

/// The size of the smaller part of a pair, in m.
pub fn size(model: &Model, pair: &PartPair) -> f64 {
    let of = |(body, part): PartId| {
        let extents = model.body(body).parts[part].shape.surface().bounds().extents();
        if extents.iter().all(|x| x.is_finite()) { extents.max() } else { f64::INFINITY }
    };
    let size = of(pair.a).min(of(pair.b));
    if size.is_finite() { size } else { 0.0 }
}

/// A depth that counts as touching, in m, for a pair whose smaller part has the given size.
pub fn slop(pair: &PartPair, size: f64, contacts: &Contacts) -> f64 {
    // What is the same distance away on both sides says nothing of a half-space, whose origin may be anywhere.
    let reach = |part: PartId| contacts.collider(part).pose.position.amax();
    SLOP * size + ROUNDING * f64::EPSILON * (reach(pair.a).max(reach(pair.b)) + size)
}

/// All pairs of a model, and whether they touch.
pub struct Watch<'a> {
    model: &'a Model,
    pairs: &'a [PartPair],
    layout: &'a Layout,
    pressed: Vec<bool>,
    /// Per pair the depth that counts as touching.
    slops: Vec<f64>,
    /// Event functions are evaluated one at a time and share the parts.
    probe: RefCell<Probe>,
}

struct Probe {
    contacts: Contacts,
    normals: Vec<Option<Vec3>>,
    /// Per pair the gap at which its event is, once its first gap is known.
    levels: Vec<Option<f64>>,
}

impl<'a> Watch<'a> {
    /// Watches `pairs`, whose smaller parts have the given sizes.
    pub fn new(
        model: &'a Model,
        (pairs, sizes): (&'a [PartPair], &[f64]),
        state: &State,
        layout: &'a Layout,
    ) -> Self {
        let contacts = Contacts::new(model, &state.motions);
        let memory = |pair: &PartPair| state.pairs.get(&pair.id());
        let normals = pairs.iter().map(|pair| memory(pair).and_then(|memory| memory.normal)).collect();
        let is_pressed = |pair: &PartPair| memory(pair).is_some_and(|memory| memory.contact.is_some());
        let pressed = pairs.iter().map(is_pressed).collect();
        let slops = pairs.iter().zip(sizes).map(|(pair, &size)| slop(pair, size, &contacts)).collect();
        let probe = RefCell::new(Probe { contacts, normals, levels: vec![None; pairs.len()] });
        Self { model, pairs, layout, pressed, slops, probe }
    }

    /// One event per pair, in the order of the model.
    pub fn events(&self) -> Vec<Event<'_>> {
        let event = |(index, &pressed): (usize, &bool)| {
            let direction = if pressed { Direction::Rising } else { Direction::Falling };
            Event::new(direction, move |t, y: &[f64]| self.gap(index, t, y))
        };
        self.pressed.iter().enumerate().map(event).collect()
    }

    /// The gap of a pair beyond its level; the first one that is asked for is that of the beginning.
    fn gap(&self, index: usize, t: f64, y: &[f64]) -> Result<f64> {
        let pair = &self.pairs[index];
        let probe = &mut *self.probe.borrow_mut();
        for body in [pair.a.0, pair.b.0] {
            let motion = match (&self.model.body(body).mobility, self.layout.place[body.0]) {
                (_, Some(k)) => self.layout.motion(y, k),
                (Mobility::Prescribed(course), _) => course.at(t).motion,
                _ => continue,
            };
            probe.contacts.place(self.model, body, &motion);
        }
        let touch = probe.contacts.touch(pair, probe.normals[index])?;
        probe.normals[index] = Some(touch.normal);
        let level = probe.levels[index].get_or_insert_with(|| {
            let (gap, slop) = (touch.gap, self.slops[index]);
            match self.pressed[index] {
                false if gap <= 0.0 => gap - slop,
                true if gap >= 0.0 => gap + slop,
                _ => 0.0,
            }
        });
        Ok(touch.gap - *level)
    }

    /// The last normals, for the next segment's warm starts.
    pub fn remember(&self, state: &mut State) {
        for (pair, normal) in self.pairs.iter().zip(&self.probe.borrow().normals) {
            state.pairs.entry(pair.id()).or_default().normal = *normal;
        }
    }
}
