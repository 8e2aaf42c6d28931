//! The contacts that last, followed from step to step: when they began, how hard and how deep they went.
//!
//! What the state says counts; a event tells the same at its instant. A contact that ends and begins again between two
//! looks is told by the time since when the new one lasts.

use super::peak::Peak;
use rattleback_contact::Ledger;
use rattleback_dynamics::model::PairId;
use rattleback_dynamics::{ActiveContact, ContactPeak, PairState, State};
use serde::{Deserialize, Serialize};

/// A contact under way.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct OngoingContact {
    pub(super) pair: PairId,
    /// When it began, in s.
    pub(super) start: f64,
    pub(super) approach_speed: f64,
    /// The ledger of the pair when it began, and when it was last seen.
    pub(super) first: Ledger,
    pub(super) last: Ledger,
    pub(super) force: Peak,
    pub(super) overlap: Peak,
}

/// All contacts under way, in the order of their pairs.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct OngoingContacts {
    pub(super) ongoing: Vec<OngoingContact>,
    /// The time of the last look.
    pub(super) looked: Option<f64>,
}

/// Called at the end of a contact with the contact and the time.
pub(super) type OnEnd<'t> = dyn FnMut(&OngoingContact, f64) + 't;

impl OngoingContacts {
    /// Begins a contact that the state has.
    pub(super) fn begin(&mut self, state: &State, pair: PairId) {
        let Some(memory) = state.pairs.get(&pair) else { return };
        let (Some(contact), Err(place)) = (&memory.contact, self.place(pair)) else { return };
        // Solvers that do not book when contacts begin leave a time of long ago.
        let is_new =
            self.looked.is_none_or(|looked| memory.start_time > looked) && memory.start_time <= state.time;
        let ongoing = OngoingContact {
            pair,
            start: if is_new { memory.start_time } else { state.time },
            approach_speed: contact.approach_speed,
            first: memory.ledger_at_start,
            last: memory.ledger,
            force: Peak::default(),
            overlap: Peak::default(),
        };
        self.ongoing.insert(place, ongoing);
    }

    /// Ends a contact at the state's time.
    pub(super) fn end(&mut self, state: &State, pair: PairId, on_end: &mut OnEnd<'_>) {
        if let Ok(place) = self.place(pair) {
            let mut ongoing = self.ongoing.remove(place);
            ongoing.close(state.pairs.get(&pair));
            on_end(&ongoing, state.time);
        }
    }

    /// Looks at all contacts of a state, and at the peaks inside the step that led to it, where they are known.
    pub(super) fn look(
        &mut self,
        state: &State,
        active_contacts: &[(PairId, ActiveContact)],
        peaks: Option<&[ContactPeak]>,
        on_end: &mut OnEnd<'_>,
    ) {
        for found in peaks.unwrap_or_default() {
            if let Ok(place) = self.place(found.pair) {
                let ongoing = &mut self.ongoing[place];
                for (peak, top) in [(&mut ongoing.force, found.force), (&mut ongoing.overlap, found.overlap)]
                {
                    top.iter().for_each(|&[time, value]| peak.take(time, value));
                }
            }
        }
        let mut remembered = state.pairs.iter().peekable();
        self.ongoing.retain_mut(|ongoing| {
            while remembered.next_if(|(pair, _)| **pair < ongoing.pair).is_some() {}
            let memory = remembered.next_if(|(pair, _)| **pair == ongoing.pair).map(|(_, memory)| memory);
            match memory.filter(|memory| memory.contact.is_some()) {
                Some(memory)
                    if memory.start_time > ongoing.start.max(self.looked.unwrap_or(ongoing.start)) =>
                {
                    ongoing.close(None);
                    on_end(ongoing, memory.start_time);
                    false
                }
                Some(memory) => {
                    ongoing.last = memory.ledger;
                    true
                }
                None => {
                    ongoing.close(memory);
                    on_end(ongoing, state.time);
                    false
                }
            }
        });
        // Both lists are in the order of their pairs.
        let mut place = 0;
        for (pair, found) in active_contacts {
            while self.ongoing.get(place).is_some_and(|ongoing| ongoing.pair < *pair) {
                place += 1;
            }
            if self.ongoing.get(place).is_none_or(|ongoing| ongoing.pair != *pair) {
                self.begin(state, *pair);
            }
            if let Some(ongoing) = self.ongoing.get_mut(place).filter(|ongoing| ongoing.pair == *pair) {
                let (force, overlap) = (found.force.normal, 0.0 - found.touch.gap);
                // Where the maxima inside steps are known, no curve is drawn through their ends.
                let add = if peaks.is_some() { Peak::take } else { Peak::see };
                add(&mut ongoing.force, state.time, force);
                add(&mut ongoing.overlap, state.time, overlap);
            }
        }
        self.looked = Some(state.time);
    }

    fn place(&self, pair: PairId) -> Result<usize, usize> {
        self.ongoing.binary_search_by_key(&pair, |ongoing| ongoing.pair)
    }
}

impl OngoingContact {
    /// Closes the ledger with what the pair remembers after the contact, or else with what was last seen.
    fn close(&mut self, memory: Option<&PairState>) {
        match memory {
            Some(memory) => self.last = memory.ledger,
            None => self.last.close(),
        }
    }
}
