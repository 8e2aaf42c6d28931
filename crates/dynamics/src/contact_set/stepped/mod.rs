//! All contacts of a model at both ends of steps of fixed length.
//!
//! At the end of a step the broad phase lists the pairs, each of which is asked once (`near_contacts.rs`), from its
//! last normal. The next step begins at the same poses: its forces are those of the same answers with the velocities
//! that the bodies have then. So a step costs one query per pair. What the state stores as a pair's normal is where
//! that query started: a run that is taken up from it asks the same question, and has the same answer to the bit.
//!
//! Then, in declared order, contacts begin (`begin.rs`), go on or end, and their energies are booked: half a step with
//! the powers at each of its ends, so that what the numbers lose is of the order h², as in the motion itself. A pair
//! that parts keeps its memory until the end of the next step, where an observer can read it.
//!
//! Regions (`regions.rs`) are found at both ends. The energy S that those without a potential store is none of their
//! force, because they are found anew each time, nor is that of points whose weights change: with N ġ the power of the
//! normal force, Ṡ + N ġ + damped is booked as `stiffness_change`, so that the ledger has the work of the force.
//!
//! Damping that the step does not resolve is limited (`damping.rs`).
//!
//! Lists stay where they are from step to step, and so do the answers and forces in them: they are long, and to copy
//! them takes as long as to find them.

mod damping;
mod near_contacts;

use super::memory::{ContactMemory, PairState};
use super::near::{MotionBound, NearPairs};
use super::parts::{ActiveContact, Parts};
use super::regions::{RegionPair, region_point};
use super::touch_between;
use crate::body::Motion;
use crate::error::Result;
use crate::model::{BodyId, BodyModel, Mobility, Model, PairId, PartPair};
use crate::state::State;
use damping::Damping;
use near_contacts::{NearContact, NearContacts};
use rattleback_contact::Ledger;
use rattleback_contact::law::ContactState;
use rattleback_geom::Pose;
use rayon::prelude::*;

/// From this number of forces on, threads are worth their start: it takes some 20 µs.
const MANY_FORCES: usize = 512;

/// The contacts at the poses last given.
#[derive(Debug)]
pub(crate) struct SteppedContacts<'m> {
    model: &'m Model,
    parts: Parts,
    near: NearPairs,
    /// Per body: a radius about the mass centre that holds its parts, in m.
    radii: Vec<f64>,
    /// The poses of all bodies when the pairs were asked.
    poses: Vec<Pose>,
    /// The pairs of one contact that are near, and their answers. The memory has all of them.
    near_contacts: NearContacts,
    /// The pairs that press in regions, those that were ever near.
    regions: Vec<RegionPair>,
    /// Those of `near_contacts` that overlap: their places there, and what they remember.
    overlapping: Vec<(usize, ContactState)>,
    /// All contacts that press, in declared order.
    active_contacts: Vec<(PairId, ActiveContact)>,
    /// The pairs whose regions are not those of the potential that they had, in declared order.
    changed: Vec<PairId>,
    damping: Damping,
}

/// The instant at which contacts press.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stage {
    /// The time in s.
    pub(crate) time: f64,
    /// The step in s.
    pub(crate) step: f64,
    /// Whether it is the end of the step.
    pub(crate) is_end: bool,
}

impl<'m> SteppedContacts<'m> {
    /// The contacts of a state. Where it remembers none yet, those that overlap are in contact from the start, and what
    /// they store is booked.
    pub(crate) fn new(model: &'m Model, state: &mut State) -> Result<Self> {
        let parts = Parts::new(model, &state.motions);
        let near = NearPairs::new(model, &parts)?;
        let mut contacts = Self {
            model,
            near,
            radii: model.bodies().iter().map(BodyModel::radius).collect(),
            poses: Vec::new(),
            near_contacts: NearContacts::default(),
            regions: Vec::new(),
            overlapping: Vec::new(),
            active_contacts: Vec::new(),
            changed: Vec::new(),
            damping: Damping::new(model),
            parts,
        };
        if state.pairs.is_empty() {
            contacts.begin(state)?;
        }
        Ok(contacts)
    }

    /// The contacts that press, with their forces, in declared order.
    pub(crate) fn active_contacts(&self) -> &[(PairId, ActiveContact)] {
        &self.active_contacts
    }

    /// Forgets all answers: after an error they need not be those of the poses and the memory that are given next.
    pub(crate) fn forget(&mut self) {
        self.poses.clear();
        self.near_contacts.clear();
    }

    /// Lets what overlaps in a state press from the start.
    fn begin(&mut self, state: &mut State) -> Result<()> {
        self.ask(&state.motions, &mut state.pairs, 0.0)?;
        for found in self.near_contacts.list() {
            let (memory, pair) = (state.pairs.entry(found.id), &self.near.pairs()[found.place]);
            memory.normal = found.start;
            if let Some(contact) = found.overlapping() {
                let begun = self.parts.begin_inside(self.model, pair, contact)?;
                let powers = self.parts.apply_law_at(pair, contact, &begun)?;
                memory.begin(begun, state.time);
                memory.ledger.set_stored(&powers.powers);
            }
        }
        let stage = Stage { time: state.time, step: 0.0, is_end: true };
        self.apply_law_to_regions(&mut state.pairs, stage)?;
        for (id, found) in self.active_contacts.drain(..) {
            state.pairs.entry(id).ledger.set_stored(&found.powers);
        }
        Ok(())
    }

    /// Finds all contacts and their forces at one end of a step, and books what they did in its half. After an error,
    /// here or later in the step, the memory has to be given back as it was and the answers be
    /// [forgotten](Self::forget).
    pub(crate) fn evaluate(
        &mut self,
        motions: &[Motion],
        memory: &mut ContactMemory,
        ended_pairs: &mut Ledger,
        stage: Stage,
    ) -> Result<()> {
        let known = !stage.is_end && self.poses.iter().eq(motions.iter().map(|motion| &motion.pose));
        if known {
            self.parts.place_all(self.model, motions);
        } else {
            self.ask(motions, memory, stage.step)?;
        }
        self.changed.clear();
        self.begin_contacts(memory, stage)?;
        self.apply_law()?;
        self.apply_law_to_regions(memory, stage)?;
        if self.limit_damping(motions, memory, stage.step) {
            self.read_states(memory);
            self.apply_law()?;
            self.apply_law_to_regions(memory, stage)?;
        }
        self.book(memory, ended_pairs, stage);
        Ok(())
    }

    /// Asks all pairs that are near.
    fn ask(&mut self, motions: &[Motion], memory: &mut ContactMemory, h: f64) -> Result<()> {
        let Self { model, parts, near, radii, poses, near_contacts, regions, .. } = self;
        poses.clear();
        for (i, body) in model.bodies().iter().enumerate() {
            if body.mobility != Mobility::Fixed {
                parts.place(model, BodyId(i), &motions[i]);
            }
        }
        let reach = |body: BodyId| MotionBound::of(&motions[body.0], radii[body.0], h);
        let (pairs, is_new_list) = near.find(model, parts, reach)?;
        if is_new_list || near_contacts.list().is_empty() {
            near_contacts.follow(pairs, parts, memory);
            for pair in pairs {
                if let Err(place) = regions.binary_search_by_key(&pair.id(), |known| known.pair.id()) {
                    regions.splice(place..place, RegionPair::new(pair, parts));
                }
            }
        } else {
            near_contacts.go_on();
        }
        near_contacts.ask(pairs, parts)?;
        poses.extend(motions.iter().map(|motion| motion.pose));
        Ok(())
    }

    /// Begins the contacts of pairs that overlap and did not, and lists all that overlap.
    fn begin_contacts(&mut self, memory: &mut ContactMemory, stage: Stage) -> Result<()> {
        let Self { near, parts, near_contacts, overlapping, .. } = self;
        overlapping.clear();
        let mut remembered = memory.iter_mut();
        for (place, found) in near_contacts.list_mut().iter_mut().enumerate() {
            let pair = &near.pairs()[found.place];
            if !stage.is_end {
                found.measure_gap(pair, parts);
            }
            let Some(contact) = found.overlapping() else { continue };
            let Some((_, own)) = remembered.find(|(id, _)| **id == found.id) else { continue };
            if own.contact.is_none() {
                let (gap, rate) = (contact.touch.gap, parts.gap_rate(pair, &contact.touch));
                let (after, rate) = match found.gap_before {
                    Some(before) => touch_between(before, [gap, rate], stage.step),
                    None => (stage.step, rate),
                };
                own.begin(pair.law.begin(rate)?, stage.time - (stage.step - after));
            }
            overlapping.extend(own.contact.map(|state| (place, state)));
        }
        Ok(())
    }

    /// Takes what the contacts that overlap remember anew.
    fn read_states(&mut self, memory: &ContactMemory) {
        let list = self.near_contacts.list();
        for (place, state) in &mut self.overlapping {
            let remembered = memory.get(&list[*place].id).and_then(|own| own.contact);
            *state = remembered.unwrap_or(*state);
        }
    }

    /// The forces of all pairs that overlap.
    fn apply_law(&mut self) -> Result<()> {
        let Self { near, parts, near_contacts, overlapping, active_contacts, .. } = self;
        let (pairs, list) = (near.pairs(), near_contacts.list());
        let apply_law = |found: &NearContact, state: &ContactState| {
            let Some(contact) = found.overlapping() else { return Ok(None) };
            Ok(Some((found.id, parts.apply_law_at(&pairs[found.place], contact, state)?)))
        };
        if overlapping.len() >= MANY_FORCES {
            let all = overlapping.par_iter().with_min_len(MANY_FORCES / 4);
            let all = all.filter_map(|(place, state)| apply_law(&list[*place], state).transpose());
            *active_contacts = all.collect::<Result<_>>()?;
            return Ok(());
        }
        active_contacts.truncate(overlapping.len());
        for (k, (place, state)) in overlapping.iter().enumerate() {
            let found = &list[*place];
            match (active_contacts.get_mut(k), found.overlapping()) {
                (Some((id, active)), Some(contact)) => {
                    *id = found.id;
                    parts.renew_force(&pairs[found.place], contact, state, active)?;
                }
                _ => active_contacts.extend(apply_law(found, state)?),
            }
        }
        Ok(())
    }

    /// Adds the regions that press, and begins their contacts. At the beginning of a step the gaps that may close in
    /// it are measured too, which tell how fast the parts meet.
    fn apply_law_to_regions(&mut self, memory: &mut ContactMemory, stage: Stage) -> Result<()> {
        let Self { near, parts, regions, active_contacts, changed, .. } = self;
        let single = active_contacts.len();
        for region_pair in regions {
            let pair = region_pair.pair;
            if near.pairs().binary_search_by_key(&pair.id(), PartPair::id).is_err() {
                continue;
            }
            let poses = [pair.a, pair.b].map(|part| &parts.collider(part).pose);
            let ahead = if stage.is_end { 0.0 } else { stage.step };
            let found: Vec<_> =
                region_pair.look(parts, memory, ahead)?.map(|(place, contact)| (place, *contact)).collect();
            if !stage.is_end {
                let nearest = found.iter().max_by(|a, b| a.1.region.depth.total_cmp(&b.1.region.depth));
                region_pair.gap_before = nearest.and_then(|(_, contact)| {
                    Some(parts.meeting(&pair, &contact.freeze(poses))).filter(|[gap, _]| *gap >= 0.0)
                });
            }
            if region_pair.changes()
                && let Err(place) = changed.binary_search(&pair.id())
            {
                changed.insert(place, pair.id());
            }
            for (place, region_contact) in found {
                if !(region_contact.region.depth > 0.0) {
                    continue;
                }
                let pair = PartPair { law: region_contact.law, ..pair };
                let id = PairId::new(pair.a, pair.b, place);
                let frozen = region_contact.freeze(poses);
                let own = memory.entry(id);
                let state = match own.contact {
                    Some(state) => state,
                    None => {
                        let now = parts.meeting(&pair, &frozen);
                        let before = region_pair.gap_before.filter(|_| stage.is_end);
                        pair.law
                            .begin(before.map_or(now[1], |before| touch_between(before, now, stage.step).1))?
                    }
                };
                let found = parts.apply_law_frozen(&pair, &frozen, &state)?;
                if own.contact.is_none() {
                    own.begin(state, stage.time);
                }
                own.normal = Some(found.touch.normal);
                own.has_potential = region_contact.has_potential;
                own.region_point = Some(region_point(parts, &pair, &found.force.point));
                active_contacts.push((id, found));
            }
        }
        if active_contacts.len() > single {
            active_contacts.sort_unstable_by_key(|(id, _)| *id);
        }
        Ok(())
    }

    /// Brings the memory up to date: contacts go on and end, and are booked for half a step.
    fn book(&mut self, memory: &mut ContactMemory, ended_pairs: &mut Ledger, stage: Stage) {
        let mut active = self.active_contacts.iter().peekable();
        let mut near = self.near_contacts.list().iter().peekable();
        let (pairs, parts) = (self.near.pairs(), &self.parts);
        let is_changed = |id: &PairId| self.changed.binary_search(&id.parts()).is_ok();
        let by_path = |id: &PairId, own: &PairState, asked: Option<&NearContact>| match own.region_point {
            Some(_) => !own.has_potential || is_changed(id),
            None => asked.is_some_and(|found| parts.has_weights(&pairs[found.place])),
        };
        memory.retain(|id, own| {
            let current = active.next_if(|(other, _)| other == id);
            let asked = near.next_if(|found| found.id == *id);
            if let Some(found) = asked {
                own.normal = found.start;
            }
            match (current, own.contact) {
                (Some((_, found)), _) => own.book(found, by_path(id, own, asked), 0.5 * stage.step),
                (None, Some(_)) => {
                    if by_path(id, own, asked) {
                        own.ledger.change_stored(0.0);
                    }
                    own.end();
                }
                (None, None) if asked.is_none() && stage.is_end => {
                    *ended_pairs += own.ledger;
                    return false;
                }
                (None, None) => {}
            }
            true
        });
        debug_assert!(active.next().is_none() && near.next().is_none(), "the memory lacks a pair");
    }
}
