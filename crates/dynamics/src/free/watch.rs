//! The gaps of all pairs, watched along a segment: where one passes zero, a contact begins or ends.

use super::layout::Layout;
use crate::contacts::Contacts;
use crate::error::Result;
use crate::integrator::{Direction, Event};
use crate::model::{Mobility, Model, PartPair};
use crate::state::State;
use rattleback_geom::Vec3;
use std::cell::RefCell;

/// All pairs of a model, and whether they touch.
pub struct Watch<'a> {
    model: &'a Model,
    pairs: &'a [PartPair],
    layout: &'a Layout,
    pressed: Vec<bool>,
    /// Event functions are evaluated one at a time and share the parts.
    probe: RefCell<Probe>,
}

struct Probe {
    contacts: Contacts,
    normals: Vec<Option<Vec3>>,
}

impl<'a> Watch<'a> {
    pub fn new(model: &'a Model, pairs: &'a [PartPair], state: &State, layout: &'a Layout) -> Self {
        let contacts = Contacts::new(model, &state.motions);
        let memory = |pair: &PartPair| state.pairs.get(&pair.id());
        let normals = pairs.iter().map(|pair| memory(pair).and_then(|memory| memory.normal)).collect();
        let is_pressed = |pair: &PartPair| memory(pair).is_some_and(|memory| memory.contact.is_some());
        let pressed = pairs.iter().map(is_pressed).collect();
        Self { model, pairs, layout, pressed, probe: RefCell::new(Probe { contacts, normals }) }
    }

    /// One event per pair, in the order of the model.
    pub fn events(&self) -> Vec<Event<'_>> {
        let event = |(index, &pressed): (usize, &bool)| {
            let direction = if pressed { Direction::Rising } else { Direction::Falling };
            Event::new(direction, move |t, y: &[f64]| self.gap(index, t, y))
        };
        self.pressed.iter().enumerate().map(event).collect()
    }

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
        Ok(touch.gap)
    }

    /// The last normals, for the next segment's warm starts.
    pub fn remember(&self, state: &mut State) {
        for (pair, normal) in self.pairs.iter().zip(&self.probe.borrow().normals) {
            state.pairs.entry(pair.id()).or_default().normal = *normal;
        }
    }
}
