//! What an observer of a run is shown, and how engines of fixed steps report the start and the end of contacts.

use crate::contact_set::ActiveContact;
use crate::error::Result;
use crate::model::PairId;
use crate::peak::ContactPeak;
use crate::state::State;

/// What has just happened, for an observer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEvent {
    /// An accepted step of the integrator.
    Step,
    /// A pair has begun to touch.
    Begin(PairId),
    /// A pair has ceased to touch.
    End(PairId),
}

/// What an observer sees: the state after a step, or when a contact begins or ends.
///
/// | engine | beginnings and endings | order at an instant |
/// |---|---|---|
/// | `Simulation`, `Rolling` | at the event itself | the step that ends on the event, then what happens there |
/// | `ManyBodies`, `Mechanism` | at the end of the step in which they lie | what has happened, then the step |
///
/// What happens at one instant comes in declared order, and each time the state is the one after all of it. A pair that
/// begins and ends within one step of the latter two is not seen; a bounce of `Rolling` begins and ends at one instant.
/// A pair that overlaps in the first state is in contact from the start.
#[derive(Debug, Clone, Copy)]
pub struct Instant<'a> {
    /// The state.
    pub state: &'a State,
    /// What has happened.
    pub event: RunEvent,
    /// The pairs in contact, in declared order, with their forces: those of
    /// [`active_contacts`](crate::active_contacts), and of `ManyBodies` those of the step's last kick, taken at the
    /// poses of the state with velocities predicted to order h².
    pub active_contacts: &'a [(PairId, ActiveContact)],
    /// Where engines with dense output tell of a step: the maxima of forces and overlaps inside it. None of the others,
    /// whose steps of second order are joined by parabolas as exactly as they are made.
    pub peaks: Option<&'a [ContactPeak]>,
}

/// The observer of a run. An error stops it: [`DynamicsError::Stopped`](crate::DynamicsError::Stopped) where nothing is
/// wrong.
pub type Observer<'o> = dyn FnMut(&Instant<'_>) -> Result<()> + 'o;

/// The pairs in contact after the last step, against which the next one is held.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    touched: Vec<PairId>,
    events: Vec<RunEvent>,
}

impl Changes {
    /// The pairs that are in contact in a state.
    pub(crate) fn new(state: &State) -> Self {
        let touching = state.pairs.iter().filter(|(_, memory)| memory.contact.is_some());
        Self { touched: touching.map(|(&id, _)| id).collect(), events: Vec::new() }
    }

    /// Tells an observer what has begun and ended in a step that led to `state`, and of the step. What is left to tell
    /// when the observer fails is not told later.
    pub(crate) fn tell(
        &mut self,
        state: &State,
        active_contacts: &[(PairId, ActiveContact)],
        observer: &mut Observer<'_>,
    ) -> Result<()> {
        self.compare(active_contacts);
        for &event in &self.events {
            observer(&Instant { state, event, active_contacts, peaks: None })?;
        }
        observer(&Instant { state, event: RunEvent::Step, active_contacts, peaks: None })
    }

    /// Both lists are in declared order.
    fn compare(&mut self, active_contacts: &[(PairId, ActiveContact)]) {
        self.events.clear();
        let mut before = self.touched.iter().copied().peekable();
        for &(id, _) in active_contacts {
            while let Some(gone) = before.next_if(|other| *other < id) {
                self.events.push(RunEvent::End(gone));
            }
            if before.next_if_eq(&id).is_none() {
                self.events.push(RunEvent::Begin(id));
            }
        }
        self.events.extend(before.map(RunEvent::End));
        self.touched.clear();
        self.touched.extend(active_contacts.iter().map(|(id, _)| *id));
    }
}
