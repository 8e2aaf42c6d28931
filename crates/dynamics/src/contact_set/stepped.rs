//! All contacts of a model at both ends of steps of fixed length.
//!
//! At the end of a step the broad phase lists the pairs, each of which is asked once, from its last normal, on as many
//! threads as there are. The next step begins at the same poses: its forces are those of the same answers with the
//! velocities that the bodies have then. So a step costs one query per pair. What the state stores as a pair's normal
//! is where that query started: a run that is taken up from it asks the same question, and has the same answer to the
//! bit.
//!
//! Then, in declared order, contacts begin (`begin.rs`), go on or end, and their energies are booked: half a step with
//! the powers at each of its ends, so that what the numbers lose is of the order h², as in the motion itself. A pair
//! that parts keeps its memory until the end of the next step, where an observer can read it.
//!
//! Regions (`regions.rs`) are found at both ends. The energy S that they store is no potential of their force, because
//! they are found anew each time: with N ġ the power of the normal force, Ṡ + N ġ + damped is booked as
//! `stiffness_change`, so that the ledger has the work of the force.

use super::memory::{ContactMemory, PairState};
use super::near::{MotionBound, NearPairs};
use super::parts::{ActiveContact, Parts};
use super::regions::{RegionPair, region_point};
use super::touch_between;
use crate::body::Motion;
use crate::error::{DynamicsError, Result};
use crate::model::{BodyId, BodyModel, Mobility, Model, PairId, PartPair};
use crate::state::State;
use rattleback_contact::law::ContactState;
use rattleback_contact::region::{FrozenRegion, has_regions};
use rattleback_contact::{Contact, Ledger, Touch};
use rattleback_geom::{Pose, Vec3};
use rayon::prelude::*;

/// From these numbers of queries and of forces on, threads are worth their start: it takes some 20 µs, a query a third
/// of one.
const MANY_QUERIES: usize = 128;
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
    /// The pairs of one contact that are near, and their answers.
    found: Vec<NearPair>,
    before: Vec<NearPair>,
    /// The pairs that press in regions, those that were ever near.
    regions: Vec<RegionPair>,
    /// All contacts that press, in declared order, and what each of them remembers.
    active_contacts: Vec<(PairId, ActiveContact)>,
    histories: Vec<ContactHistory>,
    memory: ContactMemory,
}

/// A pair that is near.
#[derive(Debug, Clone)]
struct NearPair {
    id: PairId,
    /// Its place in the list of the broad phase.
    place: usize,
    /// The normal from which it was asked.
    start: Option<Vec3>,
    answer: Answer,
    /// The rate of its gap when the step began, in m/s.
    gap_rate: f64,
}

/// What a query said.
#[derive(Debug, Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "answers stay where they are written; a box would allocate for every query"
)]
enum Answer {
    /// Not asked yet.
    None,
    /// What the law asks for is known where they overlap.
    Known(Contact),
    /// Boxed: it is rare, and the others are copied less.
    Failed(Box<DynamicsError>),
}

impl Answer {
    fn touch(&self) -> Option<&Touch> {
        match self {
            Self::Known(contact) => Some(&contact.touch),
            Self::None | Self::Failed(_) => None,
        }
    }

    fn overlapping(&self) -> Option<&Contact> {
        match self {
            Self::Known(contact) if contact.touch.gap < 0.0 => Some(contact),
            _ => None,
        }
    }
}

/// What a contact that presses remembers.
#[derive(Debug, Clone, Copy)]
struct ContactHistory {
    state: ContactState,
    /// When it began.
    start_time: f64,
    /// Where a region is in the frame of the first part.
    region_point: Option<Vec3>,
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
            found: Vec::new(),
            before: Vec::new(),
            regions: Vec::new(),
            active_contacts: Vec::new(),
            histories: Vec::new(),
            memory: ContactMemory::default(),
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

    /// Lets what overlaps in a state press from the start.
    fn begin(&mut self, state: &mut State) -> Result<()> {
        self.ask(&state.motions, &state.pairs, 0.0)?;
        for found in &self.found {
            let (memory, pair) = (state.pairs.entry(found.id), &self.near.pairs()[found.place]);
            memory.normal = found.start;
            if let Some(contact) = found.answer.overlapping() {
                let history = self.parts.begin_inside(self.model, pair, contact)?;
                let powers = self.parts.apply_law_at(pair, contact, &history)?;
                memory.begin(history, state.time);
                memory.ledger.set_stored(&powers.powers);
            }
        }
        let stage = Stage { time: state.time, step: 0.0, is_end: false };
        self.apply_law_to_regions(&state.pairs, stage)?;
        for ((id, found), history) in self.active_contacts.iter().zip(&self.histories) {
            let memory = state.pairs.entry(*id);
            (memory.normal, memory.region_point) = (Some(found.touch.normal), history.region_point);
            memory.begin(history.state, state.time);
            memory.ledger.set_stored(&found.powers);
        }
        self.active_contacts.clear();
        self.histories.clear();
        Ok(())
    }

    /// Finds all contacts and their forces at one end of a step, and books what they did in its half.
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
        self.apply_law(memory, stage)?;
        self.book(memory, ended_pairs, stage);
        Ok(())
    }

    /// Asks all pairs that are near.
    fn ask(&mut self, motions: &[Motion], memory: &ContactMemory, h: f64) -> Result<()> {
        let Self { model, parts, near, radii, poses, found, before, regions, .. } = self;
        // A failure leaves no answers that could be taken for those of other poses.
        poses.clear();
        for (i, body) in model.bodies().iter().enumerate() {
            if body.mobility != Mobility::Fixed {
                parts.place(model, BodyId(i), &motions[i]);
            }
        }
        let reach = |body: BodyId| MotionBound::of(&motions[body.0], radii[body.0], h);
        let near = near.find(model, parts, reach)?;
        std::mem::swap(found, before);
        let mut count = 0;
        let (mut old, mut remembered) = (before.iter().peekable(), memory.list().iter().peekable());
        for (place, pair) in near.iter().enumerate() {
            let id = pair.id();
            let shapes = [pair.a, pair.b].map(|part| &parts.collider(part).shape);
            if has_regions(shapes[0], shapes[1]) {
                if let Err(place) = regions.binary_search_by_key(&id, |region_pair| region_pair.pair.id()) {
                    regions.splice(place..place, RegionPair::new(pair, parts));
                }
                continue;
            }
            while old.next_if(|old| old.id < id).is_some() {}
            while remembered.next_if(|(other, _)| *other < id).is_some() {}
            let last = old.next_if(|old| old.id == id).and_then(|old| Some(old.answer.touch()?.normal));
            let stored = remembered.next_if(|(other, _)| *other == id).and_then(|(_, memory)| memory.normal);
            let start = last.or(stored);
            // In the places of an earlier step: answers are long, and would be copied.
            match found.get_mut(count) {
                Some(found) => {
                    (found.id, found.place, found.start, found.gap_rate) = (id, place, start, 0.0);
                    found.answer = Answer::None;
                }
                None => found.push(NearPair { id, place, start, answer: Answer::None, gap_rate: 0.0 }),
            }
            count += 1;
        }
        found.truncate(count);
        let ask = |found: &mut NearPair| {
            let pair = &near[found.place];
            let answer = parts.touch(pair, found.start).and_then(|touch| match touch.gap < 0.0 {
                true => Ok(Answer::Known(parts.contact_at(pair, touch)?)),
                false => Ok(Answer::Known(touch.into())),
            });
            found.answer = answer.unwrap_or_else(|error| Answer::Failed(Box::new(error)));
        };
        if found.len() < MANY_QUERIES {
            found.iter_mut().for_each(ask);
        } else {
            found.par_iter_mut().with_min_len(MANY_QUERIES / 4).for_each(ask);
        }
        for found in found.iter_mut() {
            if let Answer::Failed(error) = &found.answer {
                return Err(DynamicsError::clone(error));
            }
        }
        poses.extend(motions.iter().map(|motion| motion.pose));
        Ok(())
    }

    /// The forces of all contacts, with what they remember or begin with.
    fn apply_law(&mut self, memory: &ContactMemory, stage: Stage) -> Result<()> {
        let near = self.near.pairs();
        if !stage.is_end {
            for found in &mut self.found {
                if let Some(touch) = found.answer.touch() {
                    found.gap_rate = self.parts.gap_rate(&near[found.place], touch);
                }
            }
        }
        self.active_contacts.clear();
        self.histories.clear();
        let (mut old, mut remembered) = (self.before.iter().peekable(), memory.list().iter().peekable());
        let mut contacts = Vec::new();
        for found in &self.found {
            let Some(contact) = found.answer.overlapping() else { continue };
            let id = found.id;
            while old.next_if(|old| old.id < id).is_some() {}
            while remembered.next_if(|(other, _)| *other < id).is_some() {}
            let before = old.next_if(|old| stage.is_end && old.id == id);
            let memory = remembered.next_if(|(other, _)| *other == id).map(|(_, memory)| memory);
            contacts.push((&near[found.place], contact));
            self.histories.push(self.begin_or_go_on(&near[found.place], contact, before, memory, stage)?);
        }
        let parts = &self.parts;
        let apply_law = |(&(pair, contact), history): (&(&PartPair, &Contact), &ContactHistory)| {
            Ok((pair.id(), parts.apply_law_at(pair, contact, &history.state)?))
        };
        if contacts.len() < MANY_FORCES {
            for each in contacts.iter().zip(&self.histories) {
                self.active_contacts.push(apply_law(each)?);
            }
        } else {
            let all = contacts.par_iter().zip(&self.histories).with_min_len(MANY_FORCES / 4).map(apply_law);
            self.active_contacts = all.collect::<Result<_>>()?;
        }
        self.apply_law_to_regions(memory, stage)
    }

    /// What a contact of one point remembers, or begins with.
    fn begin_or_go_on(
        &self,
        pair: &PartPair,
        contact: &Contact,
        before: Option<&NearPair>,
        memory: Option<&PairState>,
        stage: Stage,
    ) -> Result<ContactHistory> {
        if let Some((state, start_time)) =
            memory.and_then(|memory| Some((memory.contact?, memory.start_time)))
        {
            return Ok(ContactHistory { state, start_time, region_point: None });
        }
        let rate = self.parts.gap_rate(pair, &contact.touch);
        let apart = before.and_then(|before| Some((before.answer.touch()?.gap, before.gap_rate)));
        let (after, rate) = match apart.filter(|(gap, _)| *gap >= 0.0) {
            Some((gap, gap_rate)) => touch_between([gap, gap_rate], [contact.touch.gap, rate], stage.step),
            None => (stage.step, rate),
        };
        let start_time = stage.time - (stage.step - after);
        Ok(ContactHistory { state: pair.law.begin(rate)?, start_time, region_point: None })
    }

    /// Adds the regions that press.
    fn apply_law_to_regions(&mut self, memory: &ContactMemory, stage: Stage) -> Result<()> {
        let single = self.active_contacts.len();
        let parts = &self.parts;
        let mut regions = Vec::new();
        for region_pair in &mut self.regions {
            let pair = region_pair.pair;
            if self.near.pairs().binary_search_by_key(&pair.id(), PartPair::id).is_err() {
                continue;
            }
            let poses = [pair.a, pair.b].map(|part| &parts.collider(part).pose);
            for (place, region_contact) in region_pair.look(parts, memory, 0.0)? {
                if !(region_contact.region.depth > 0.0) {
                    continue;
                }
                let pair = PartPair { law: region_contact.law, ..pair };
                let id = PairId::new(pair.a, pair.b, place);
                let frozen = FrozenRegion::new(&region_contact.region, poses);
                let known = memory.get(&id).and_then(|memory| Some((memory.contact?, memory.start_time)));
                let (state, start_time) = match known {
                    Some(known) => known,
                    None => (pair.law.begin(parts.frozen_contact(&pair, &frozen).1.gap_rate)?, stage.time),
                };
                let found = parts.apply_law_frozen(&pair, &frozen, &state)?;
                let region_point = Some(region_point(parts, &pair, &found.force.point));
                regions.push(((id, found), ContactHistory { state, start_time, region_point }));
            }
        }
        if regions.is_empty() {
            return Ok(());
        }
        regions.extend(self.active_contacts.drain(..single).zip(self.histories.drain(..single)));
        regions.sort_unstable_by_key(|((id, _), _)| *id);
        (self.active_contacts, self.histories) = regions.into_iter().unzip();
        Ok(())
    }

    /// Brings the memory up to date: contacts begin, go on and end, and are booked for half a step.
    fn book(&mut self, memory: &mut ContactMemory, ended_pairs: &mut Ledger, stage: Stage) {
        let half = 0.5 * stage.step;
        let next = &mut self.memory;
        next.clear();
        let mut old = memory.list().iter().peekable();
        let mut active = self.active_contacts.iter().zip(&self.histories).peekable();
        let mut near = self.found.iter().peekable();
        loop {
            let heads = [
                old.peek().map(|(id, _)| *id),
                active.peek().map(|((id, _), _)| *id),
                near.peek().map(|found| found.id),
            ];
            let Some(id) = heads.into_iter().flatten().min() else { break };
            let known = old.next_if(|(other, _)| *other == id).map(|(_, memory)| memory);
            let current = active.next_if(|((other, _), _)| *other == id);
            let asked = near.next_if(|found| found.id == id);
            let is_contact = known.is_some_and(|known| known.contact.is_some());
            if current.is_none() && !is_contact && asked.is_none() && stage.is_end {
                if let Some(known) = known {
                    *ended_pairs += known.ledger;
                }
                continue;
            }
            let own = next.push(id, known);
            if let Some(found) = asked {
                own.normal = found.start;
            }
            if let Some(((_, found), history)) = current {
                history.book(found, own, half);
            } else if is_contact {
                if own.region_point.is_some() {
                    own.ledger.stiffness_change -= own.ledger.stored - own.ledger.bristle;
                }
                own.end();
            }
        }
        std::mem::swap(memory, next);
    }

    /// What the pairs remembered before the evaluation that was made last, in exchange for a buffer.
    pub(crate) fn take_before(&mut self, buffer: &mut ContactMemory) {
        std::mem::swap(&mut self.memory, buffer);
    }
}

impl ContactHistory {
    /// Books half a step of `half` seconds.
    fn book(&self, found: &ActiveContact, memory: &mut PairState, half: f64) {
        let Self { state, start_time, region_point } = self;
        if memory.contact.is_none() {
            memory.begin(*state, *start_time);
        }
        let mut powers = found.powers;
        if region_point.is_some() {
            (memory.normal, memory.region_point) = (Some(found.touch.normal), *region_point);
            let elastic = memory.ledger.stored - memory.ledger.bristle;
            memory.ledger.stiffness_change += found.force.elastic - elastic;
            powers.stiffness_change = found.force.normal * found.kinematics.gap_rate + powers.damped;
        }
        memory.ledger.book(&powers, half);
        let mut state = *state;
        state.bristle += found.bristle_rate * half;
        memory.contact = Some(state);
    }
}
