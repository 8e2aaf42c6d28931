//! What contacts remember: one list in the order of declaration, of the pairs that touch or are near each other.

use super::parts::ActiveContact;
use crate::model::PairId;
use rattleback_contact::Ledger;
use rattleback_contact::law::ContactState;
use rattleback_geom::Vec3;

/// What a pair of parts remembers, or one of the regions in which it presses.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct PairState {
    /// The normal from which the query at the state's poses starts.
    pub normal: Option<Vec3>,
    /// Where a region was last, in the frame of the first part, by which it is known again; none for pairs of one
    /// contact.
    pub region_point: Option<Vec3>,
    /// Whether the normal force of a region is the gradient of the energy that it stores.
    #[serde(default)]
    pub has_potential: bool,
    /// The contact, while the parts touch.
    pub contact: Option<ContactState>,
    /// When the last contact began, in s.
    pub start_time: f64,
    /// Where the energy of all contacts of the pair went so far.
    pub ledger: Ledger,
    /// The ledger when the last contact began: the difference is that contact's own.
    pub ledger_at_start: Ledger,
}

impl PairState {
    /// Begins a contact.
    pub(crate) fn begin(&mut self, contact: ContactState, time: f64) {
        (self.contact, self.start_time, self.ledger_at_start) = (Some(contact), time, self.ledger);
    }

    /// Ends the contact, if there is one, and says whether there was.
    pub(crate) fn end(&mut self) -> bool {
        let ended = self.contact.take().is_some();
        if ended {
            self.ledger.close();
        }
        ended
    }

    /// Books an interval of `time` seconds at one end of which the contact has the given force; `by_path` where what it
    /// stores is no potential of its force.
    pub(super) fn book(&mut self, found: &ActiveContact, by_path: bool, time: f64) {
        let mut powers = found.powers;
        if by_path {
            self.ledger.change_stored(found.force.elastic);
            powers.stiffness_change = found.given_back();
        }
        self.ledger.book(&powers, time);
        if let Some(contact) = &mut self.contact {
            contact.bristle += found.bristle_rate * time;
        }
    }
}

/// The memory of all pairs that have anything to remember, in declared order.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct ContactMemory {
    list: Vec<(PairId, PairState)>,
}

impl ContactMemory {
    /// What a pair remembers.
    pub fn get(&self, id: &PairId) -> Option<&PairState> {
        self.place(id).ok().map(|at| &self.list[at].1)
    }

    /// What a pair remembers, to be changed.
    pub fn get_mut(&mut self, id: &PairId) -> Option<&mut PairState> {
        self.place(id).ok().map(|at| &mut self.list[at].1)
    }

    /// Whether a pair remembers anything.
    pub fn contains(&self, id: &PairId) -> bool {
        self.place(id).is_ok()
    }

    /// What a pair remembers, to be changed; nothing yet where it was not there.
    pub fn entry(&mut self, id: PairId) -> &mut PairState {
        let at = self.place(&id).unwrap_or_else(|at| {
            self.list.insert(at, (id, PairState::default()));
            at
        });
        &mut self.list[at].1
    }

    /// Takes a pair out.
    pub fn remove(&mut self, id: &PairId) -> Option<PairState> {
        self.place(id).ok().map(|at| self.list.remove(at).1)
    }

    /// Keeps the pairs that `keep` says yes to.
    pub fn retain(&mut self, mut keep: impl FnMut(&PairId, &mut PairState) -> bool) {
        self.list.retain_mut(|(id, memory)| keep(id, memory));
    }

    /// All pairs in declared order.
    pub fn iter(&self) -> impl Iterator<Item = (&PairId, &PairState)> {
        self.list.iter().map(|(id, memory)| (id, memory))
    }

    /// All pairs in declared order, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&PairId, &mut PairState)> {
        self.list.iter_mut().map(|(id, memory)| (&*id, memory))
    }

    /// The pairs in declared order.
    pub fn keys(&self) -> impl Iterator<Item = &PairId> {
        self.list.iter().map(|(id, _)| id)
    }

    /// What they remember.
    pub fn values(&self) -> impl Iterator<Item = &PairState> {
        self.list.iter().map(|(_, memory)| memory)
    }

    /// All regions of two parts.
    pub(crate) fn regions(&self, id: &PairId) -> &[(PairId, PairState)] {
        let begin = self.list.partition_point(|(other, _)| other < &id.parts());
        let rest = &self.list[begin..];
        &rest[..rest.partition_point(|(other, _)| other.parts() == id.parts())]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds pairs that are not there yet, given in declared order; each entry is moved once at most.
    pub(crate) fn add(&mut self, pairs: &[PairId]) {
        let mut end = self.list.len();
        self.list.extend(pairs.iter().map(|id| (*id, PairState::default())));
        for (before, id) in pairs.iter().enumerate().rev() {
            let begin = self.list[..end].partition_point(|(other, _)| other < id);
            self.list.copy_within(begin..end, begin + before + 1);
            self.list[begin + before] = (*id, PairState::default());
            end = begin;
        }
    }

    /// The list itself.
    pub(crate) fn list(&self) -> &[(PairId, PairState)] {
        &self.list
    }

    /// Takes all from another one, in the buffer that is there.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.list.clear();
        self.list.extend_from_slice(&other.list);
    }

    fn place(&self, id: &PairId) -> Result<usize, usize> {
        self.list.binary_search_by(|(other, _)| other.cmp(id))
    }
}

impl FromIterator<(PairId, PairState)> for ContactMemory {
    fn from_iter<I: IntoIterator<Item = (PairId, PairState)>>(pairs: I) -> Self {
        let mut list: Vec<_> = pairs.into_iter().collect();
        list.sort_by_key(|(id, _)| *id);
        list.dedup_by_key(|(id, _)| *id);
        Self { list }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BodyId, PartId};

    fn id(a: usize, b: usize, place: usize) -> PairId {
        PairId::new(PartId::new(BodyId(a), 0), PartId::new(BodyId(b), 0), place)
    }

    #[test]
    fn pairs_are_kept_in_declared_order_whatever_the_order_of_entries() {
        let mut memory = ContactMemory::default();
        for pair in [id(2, 3, 0), id(0, 1, 1), id(0, 4, 0), id(0, 1, 0), id(0, 1, 2)] {
            memory.entry(pair).start_time = 1.0;
        }
        assert!(memory.keys().is_sorted() && memory.len() == 5);
        let places: Vec<usize> = memory.regions(&id(0, 1, 7)).iter().map(|(id, _)| id.region).collect();
        assert_eq!(places, [0, 1, 2]);
        assert!(memory.regions(&id(1, 2, 0)).is_empty());
        memory.remove(&id(0, 1, 1));
        assert!(!memory.contains(&id(0, 1, 1)) && memory.contains(&id(0, 1, 2)));
        memory.add(&[id(0, 0, 0), id(0, 1, 1), id(0, 3, 0), id(0, 3, 1), id(3, 4, 0)]);
        assert!(memory.keys().is_sorted() && memory.len() == 9);
        let is_new = |id: &PairId| memory.get(id).is_some_and(|memory| memory.start_time == 0.0);
        assert!([id(0, 0, 0), id(0, 1, 1), id(0, 3, 0), id(0, 3, 1), id(3, 4, 0)].iter().all(is_new));
        assert!([id(0, 1, 0), id(0, 1, 2), id(0, 4, 0), id(2, 3, 0)].iter().all(|id| !is_new(id)));
        let again: ContactMemory = memory.iter().map(|(id, memory)| (*id, *memory)).collect();
        assert_eq!(again, memory);
    }

    #[test]
    fn the_difference_of_the_ledgers_is_what_the_contact_took() {
        let mut memory = PairState::default();
        memory.ledger.damped = 2.0;
        memory.begin(ContactState { approach_speed: 0.5, bristle: Vec3::zeros() }, 3.0);
        memory.ledger.damped += 1.0;
        assert!(memory.end() && !memory.end());
        assert_eq!((memory.ledger.damped - memory.ledger_at_start.damped, memory.start_time), (1.0, 3.0));
    }
}
