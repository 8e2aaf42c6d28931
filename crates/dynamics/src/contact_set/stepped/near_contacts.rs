//! The pairs of one contact that are near, with the answers of their queries, on as many threads as there are.

use crate::contact_set::memory::ContactMemory;
use crate::contact_set::parts::Parts;
use crate::error::{DynamicsError, Result};
use crate::model::{PairId, PartPair};
use rattleback_contact::Contact;
use rattleback_contact::region::has_regions;
use rattleback_geom::Vec3;
use rayon::prelude::*;

/// From this number of queries on, threads are worth their start: it takes some 20 µs, a query a third of one.
const MANY_QUERIES: usize = 128;

/// A pair that is near.
#[derive(Debug)]
pub(super) struct NearContact {
    pub(super) id: PairId,
    /// Its place in the list of the broad phase.
    pub(super) place: usize,
    /// The normal from which it was asked.
    pub(super) start: Option<Vec3>,
    /// Gap and gap rate when the step began, in m and m/s, where the parts were apart.
    pub(super) gap_before: Option<[f64; 2]>,
    answer: Answer,
}

/// What a query said.
#[derive(Debug)]
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

impl NearContact {
    /// The contact, where the parts overlap.
    pub(super) fn overlapping(&self) -> Option<&Contact> {
        match &self.answer {
            Answer::Known(contact) if contact.touch.gap < 0.0 => Some(contact),
            _ => None,
        }
    }

    /// Takes gap and gap rate at the beginning of a step.
    pub(super) fn measure_gap(&mut self, pair: &PartPair, parts: &Parts) {
        self.gap_before = match &self.answer {
            Answer::Known(Contact { touch, .. }) if touch.gap >= 0.0 => {
                Some([touch.gap, parts.gap_rate(pair, touch)])
            }
            _ => None,
        };
    }

    /// The normal that was found.
    fn normal(&self) -> Option<Vec3> {
        match &self.answer {
            Answer::Known(contact) => Some(contact.touch.normal),
            Answer::None | Answer::Failed(_) => None,
        }
    }

    fn ask(&mut self, pairs: &[PartPair], parts: &Parts) {
        let pair = &pairs[self.place];
        self.answer = match parts.touch(pair, self.start) {
            Ok(touch) if touch.gap < 0.0 && (pair.law.asks_for_curvature() || pair.feature.is_some()) => {
                match parts.contact_at(pair, touch) {
                    Ok(contact) => Answer::Known(contact),
                    Err(error) => Answer::Failed(Box::new(error)),
                }
            }
            Ok(touch) => Answer::Known(touch.into()),
            Err(error) => Answer::Failed(Box::new(error)),
        };
    }
}

/// The pairs in declared order.
#[derive(Debug, Default)]
pub(super) struct NearContacts {
    list: Vec<NearContact>,
    /// The list before it changed last.
    before: Vec<NearContact>,
    /// Those of the list that the memory did not have.
    added: Vec<PairId>,
}

impl NearContacts {
    pub(super) fn list(&self) -> &[NearContact] {
        &self.list
    }

    pub(super) fn list_mut(&mut self) -> &mut [NearContact] {
        &mut self.list
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
    }

    /// Lets the queries of the same pairs start from the normals found last.
    pub(super) fn go_on(&mut self) {
        for found in &mut self.list {
            found.start = found.normal().or(found.start);
        }
    }

    /// Takes a new list of the broad phase. Pairs that were near go on; the others start from what the memory has, and
    /// it gets those that it lacks.
    pub(super) fn follow(&mut self, pairs: &[PartPair], parts: &Parts, memory: &mut ContactMemory) {
        std::mem::swap(&mut self.list, &mut self.before);
        self.added.clear();
        let (mut old, mut count) = (self.before.iter().peekable(), 0);
        for (place, pair) in pairs.iter().enumerate() {
            if has_regions(&parts.collider(pair.a).shape, &parts.collider(pair.b).shape) {
                continue;
            }
            let id = pair.id();
            while old.next_if(|old| old.id < id).is_some() {}
            let (start, gap_before) = match old.next_if(|old| old.id == id) {
                Some(old) => (old.normal().or(old.start), old.gap_before),
                None => {
                    let remembered = memory.get(&id);
                    if remembered.is_none() {
                        self.added.push(id);
                    }
                    (remembered.and_then(|remembered| remembered.normal), None)
                }
            };
            match self.list.get_mut(count) {
                Some(found) => {
                    (found.id, found.place, found.start, found.gap_before) = (id, place, start, gap_before)
                }
                None => self.list.push(NearContact { id, place, start, gap_before, answer: Answer::None }),
            }
            count += 1;
        }
        self.list.truncate(count);
        memory.add(&self.added);
    }

    /// Asks all pairs.
    pub(super) fn ask(&mut self, pairs: &[PartPair], parts: &Parts) -> Result<()> {
        let ask = |found: &mut NearContact| found.ask(pairs, parts);
        if self.list.len() < MANY_QUERIES || rayon::current_num_threads() == 1 {
            self.list.iter_mut().for_each(ask);
        } else {
            self.list.par_iter_mut().with_min_len(MANY_QUERIES / 4).for_each(ask);
        }
        let failure = self.list.iter().find_map(|found| match &found.answer {
            Answer::Failed(error) => Some(DynamicsError::clone(error)),
            Answer::None | Answer::Known(_) => None,
        });
        failure.map_or(Ok(()), Err)
    }
}
