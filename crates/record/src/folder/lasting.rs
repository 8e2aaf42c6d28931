//! The contacts that last, followed from step to step: when they began, how hard and how deep they went.
//!
//! What the state says counts; a event tells the same at its instant. A contact that ends and begins again between two
//! looks is told by the time since when the new one lasts.

use super::peak::Peak;
use rattleback_contact::Ledger;
use rattleback_dynamics::model::PairId;
use rattleback_dynamics::{ActiveContact, PairState, State};
use serde::{Deserialize, Serialize};

/// A contact under way.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Lasting {
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
pub(super) struct Follow {
    pub(super) lasting: Vec<Lasting>,
    /// The time of the last look.
    pub(super) looked: Option<f64>,
}

/// Who is told of an end: the contact and its time.
pub(super) type Told<'t> = dyn FnMut(&Lasting, f64) + 't;

impl Follow {
    /// Begins a contact that the state has.
    pub(super) fn begin(&mut self, state: &State, pair: PairId) {
        let Some(memory) = state.pairs.get(&pair) else { return };
        let (Some(contact), Err(place)) = (&memory.contact, self.place(pair)) else { return };
        // Solvers that do not book when contacts begin leave a time of long ago.
        let is_new = self.looked.is_none_or(|looked| memory.since > looked) && memory.since <= state.time;
        let lasting = Lasting {
            pair,
            start: if is_new { memory.since } else { state.time },
            approach_speed: contact.approach_speed,
            first: memory.begin,
            last: memory.ledger,
            force: Peak::default(),
            overlap: Peak::default(),
        };
        self.lasting.insert(place, lasting);
    }

    /// Ends a contact at the state's time.
    pub(super) fn end(&mut self, state: &State, pair: PairId, told: &mut Told<'_>) {
        if let Ok(place) = self.place(pair) {
            let mut lasting = self.lasting.remove(place);
            lasting.close(state.pairs.get(&pair));
            told(&lasting, state.time);
        }
    }

    /// Looks at all contacts of a state.
    pub(super) fn look(&mut self, state: &State, pressed: &[(PairId, ActiveContact)], told: &mut Told<'_>) {
        let mut remembered = state.pairs.iter().peekable();
        self.lasting.retain_mut(|lasting| {
            while remembered.next_if(|(pair, _)| **pair < lasting.pair).is_some() {}
            let memory = remembered.next_if(|(pair, _)| **pair == lasting.pair).map(|(_, memory)| memory);
            match memory.filter(|memory| memory.contact.is_some()) {
                Some(memory) if memory.since > lasting.start.max(self.looked.unwrap_or(lasting.start)) => {
                    lasting.close(None);
                    told(lasting, memory.since);
                    false
                }
                Some(memory) => {
                    lasting.last = memory.ledger;
                    true
                }
                None => {
                    lasting.close(memory);
                    told(lasting, state.time);
                    false
                }
            }
        });
        // Both lists are in the order of their pairs.
        let mut place = 0;
        for (pair, found) in pressed {
            while self.lasting.get(place).is_some_and(|lasting| lasting.pair < *pair) {
                place += 1;
            }
            if self.lasting.get(place).is_none_or(|lasting| lasting.pair != *pair) {
                self.begin(state, *pair);
            }
            if let Some(lasting) = self.lasting.get_mut(place).filter(|lasting| lasting.pair == *pair) {
                lasting.force.see(state.time, found.force.normal);
                lasting.overlap.see(state.time, 0.0 - found.touch.gap);
            }
        }
        self.looked = Some(state.time);
    }

    fn place(&self, pair: PairId) -> Result<usize, usize> {
        self.lasting.binary_search_by_key(&pair, |lasting| lasting.pair)
    }
}

impl Lasting {
    /// Closes the books with what the pair remembers after the contact, or else with what was last seen.
    fn close(&mut self, memory: Option<&PairState>) {
        match memory {
            Some(memory) => self.last = memory.ledger,
            None => self.last.close(),
        }
    }
}
