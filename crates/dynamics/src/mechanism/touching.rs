//! The contacts of a mechanism: what they exert within a step, and what they remember after it.
//!
//! A step from t₀ to t₁ = t₀ + h is made with the memory of t₀. A pair that overlaps at a trial end of the step and did not
//! at its beginning is met with the approach speed that it has at t₀. When the step is accepted, contacts begin, go on or
//! end by the gaps at t₁, and the ledger is booked by the trapezoidal rule with the powers at both ends.
//!
//! Pairs that press in several regions (`crate::regions`) are looked at once, at t₀: their regions are held for the step, with
//! those that may close on the way, so that what is solved for is smooth. At the next step they are found anew, and the energy
//! stored in them is another one: the difference is booked as `stiffened`. Their derivatives are the symmetric part alone, which
//! keeps the matrix of a long chain fit for Cholesky's method; the iteration takes one or two rounds more where a region slides.
//!
//! A bristle z moves with the slip of the end of the step, z = z₀ + h ż(z₀, v₁, N₁), so that sticking is implicit:
//!
//!   df = f_v dv + f_N dN + f_z dz,   dz = h (ż_v dv + ż_N dN)
//!
//! which `Contacts::tangent` knows. What the wandering tangent plane adds to dz is left out of the derivative.

use super::pressing::{Asked, Begun, Pressing, Seen, taken};
use crate::body::Motion;
use crate::contacts::{Contacts, Pressed};
use crate::error::Result;
use crate::load::Load;
use crate::model::{BodyId, Model, PairId, PartPair};
use crate::regions::{self, Watched};
use crate::state::{PairState, State};
use rattleback_contact::region::HeldRegion;
use rattleback_contact::{Kinematics, Powers};
use rattleback_geom::{Pose, Vec3};

/// All pairs that may touch, as they are at the beginning of a step.
#[derive(Debug, Clone)]
pub(super) struct Touching {
    /// Those with one contact.
    pairs: Vec<PartPair>,
    /// Those with regions.
    watched: Vec<Watched>,
    contacts: Contacts,
    begun: Vec<Begun>,
    /// The contacts at the end of the last step, in declared order.
    pressed: Vec<(PairId, Pressed)>,
    h: f64,
}

impl Touching {
    pub(super) fn new(model: &Model) -> Self {
        let anywhere = Motion::at_rest(Pose::identity());
        let contacts = Contacts::new(model, &vec![anywhere; model.bodies().len()]);
        let (mut pairs, mut watched) = (Vec::new(), Vec::new());
        for pair in model.all_pairs() {
            match Watched::new(&pair, &contacts) {
                Some(pair) => watched.push(pair),
                None => pairs.push(pair),
            }
        }
        Self { pairs, watched, contacts, begun: Vec::new(), pressed: Vec::new(), h: 0.0 }
    }

    /// The contacts at the end of the last step with their forces, in declared order.
    pub(super) fn pressed(&self) -> &[(PairId, Pressed)] {
        &self.pressed
    }

    /// The bodies that may be pressed in regions.
    pub(super) fn in_regions(&self) -> impl Iterator<Item = BodyId> {
        self.watched.iter().flat_map(|watched| [watched.pair.a.0, watched.pair.b.0])
    }

    /// Takes the beginning of a step of `h` seconds from a state.
    pub(super) fn begin(&mut self, model: &Model, state: &State, h: f64) -> Result<()> {
        self.h = h;
        self.begun.clear();
        if self.pairs.is_empty() && self.watched.is_empty() {
            return Ok(());
        }
        let (contacts, motions) = (&mut self.contacts, &state.motions);
        contacts.place_all(model, motions);
        for pair in &self.pairs {
            let memory = state.pairs.get(&pair.id());
            let (contact, kinematics) = contacts.contact(pair, memory.and_then(|memory| memory.normal))?;
            let seen = Seen::Asked(contact.touch.normal);
            let memory = memory.and_then(|memory| memory.contact);
            let pressing = memory.is_some();
            let memory = memory.map_or_else(|| pair.law.begin(kinematics.gap_rate), Ok)?;
            let begun = Begun::new(pair.id(), pair, seen, memory);
            self.begun.push(if pressing { begun.weighed(model, contacts, motions)? } else { begun });
        }
        for watched in &mut self.watched {
            let pair = watched.pair;
            for (place, spot) in watched.look(contacts, &state.pairs, h)? {
                let (pair, region) = (PartPair { law: spot.law, ..pair }, &spot.region);
                let id = PairId(pair.a, pair.b, place);
                let poses = [pair.a, pair.b].map(|part| &contacts.collider(part).pose);
                let held = HeldRegion::new(region, poses);
                let memory = state.pairs.get(&id).and_then(|memory| memory.contact);
                let (_, Kinematics { gap_rate, slip, .. }) = contacts.hold(&pair, &held);
                let begins = memory.map_or_else(|| pair.law.begin(gap_rate), Ok)?;
                let mut begun = Begun::new(id, &pair, Seen::Held(held), begins);
                begun.pressing.gap = -region.depth;
                begun.pressing.slip = slip;
                if region.depth > 0.0 {
                    begun = begun.weighed(model, contacts, motions)?;
                }
                // The accelerations at the start of the step know nothing of a region that is new.
                if memory.is_none() {
                    (begun.pressing.force, begun.pressing.friction) = (0.0, Vec3::zeros());
                }
                self.begun.push(begun);
            }
        }
        Ok(())
    }

    /// Lets the pairs that overlap in a state which has just been assembled be in contact from now on, and books what they
    /// store: it is there before the first step.
    pub(super) fn book_first(&mut self, model: &Model, state: &mut State) -> Result<()> {
        self.begin(model, state, 0.0)?;
        let contacts = &self.contacts;
        for begun in &self.begun {
            let (gap, normal) = begun.seen.gap(contacts, &begun.pair)?;
            let known = state.pairs.get(&begun.id).is_some_and(|memory| memory.contact.is_some());
            if known || !(gap < 0.0) {
                continue;
            }
            let found = begun.seen.press(contacts, &begun.pair, &begun.state)?;
            let memory = state.pairs.entry(begun.id).or_default();
            memory.normal = Some(normal);
            if let Seen::Held(_) = begun.seen {
                memory.mark = Some(regions::mark(contacts, &begun.pair, &found.force.point));
            }
            memory.contact = Some(begun.state);
            memory.since = state.time;
            memory.ledger.stored = found.force.powers(&found.rates).stored;
        }
        Ok(())
    }

    /// Appends the loads of all pairs that overlap at `motions`.
    pub(super) fn collect(
        &mut self,
        model: &Model,
        motions: &[Motion],
        tangent: bool,
        out: &mut Vec<Load>,
    ) -> Result<()> {
        if self.begun.is_empty() {
            return Ok(());
        }
        let contacts = &mut self.contacts;
        contacts.place_all(model, motions);
        for begun in &mut self.begun {
            begun.asked = None;
            if begun.seen.gap(contacts, &begun.pair)?.0 < 0.0 {
                let found = begun.press(contacts, self.h)?;
                out.push(begun.load(contacts, &found, self.h, motions, tangent)?);
                begun.asked = Some(found);
            }
        }
        Ok(())
    }

    /// Writes what the pairs remember after the step into the state, which has the motions of its end.
    pub(super) fn finish(&mut self, model: &Model, state: &mut State) -> Result<()> {
        self.pressed.clear();
        let contacts = &mut self.contacts;
        self.begun.sort_unstable_by_key(|begun| begun.id);
        if !self.watched.is_empty() {
            forget_lost(&self.begun, state);
        }
        if self.begun.is_empty() {
            return Ok(());
        }
        contacts.place_all(model, &state.motions);
        for begun in &self.begun {
            let (gap, normal) = begun.seen.gap(contacts, &begun.pair)?;
            let is_held = matches!(begun.seen, Seen::Held(_));
            let found = match begun.asked {
                // The force that the step was made with; that of the projected velocities is another one.
                Some(asked) if is_held => Some(asked),
                // From the normal that is remembered, as whoever presses the stored state does.
                _ if gap < 0.0 && !is_held => {
                    Some(Begun { seen: Seen::Asked(normal), ..*begun }.press(contacts, self.h)?)
                }
                _ => None,
            };
            if is_held && found.is_none() && !state.pairs.contains_key(&begun.id) {
                continue;
            }
            let mut begun_powers = begun.powers;
            let memory = state.pairs.entry(begun.id).or_default();
            memory.normal = Some(normal);
            let (mut powers, mut now_taken) = (Powers::default(), 0.0);
            let mut now = Pressing { gap, ..Pressing::default() };
            if let Some(Asked { found, moved, .. }) = found {
                self.pressed.push((begun.id, found));
                powers = found.force.powers(&found.rates);
                now = Pressing::new(&found);
                now_taken = taken(model, &state.motions, &begun.pair, &found);
                if memory.contact.is_none() {
                    memory.since = state.time;
                }
                memory.contact = Some(moved);
                memory.mark = is_held.then(|| regions::mark(contacts, &begun.pair, &found.force.point));
            } else if memory.contact.take().is_none() && begun.powers == Powers::default() {
                continue;
            }
            if is_held {
                memory.ledger.stiffened += begun.powers.stored - memory.ledger.stored;
                let [damped, rubbed] = begun.pressing.lost(&now, self.h);
                memory.ledger.damped += damped;
                memory.ledger.rubbed += rubbed;
                powers = Powers { stored: powers.stored, ..Powers::default() };
                begun_powers = powers;
            }
            memory.ledger.book(&begun_powers, 0.5 * self.h);
            memory.ledger.book(&powers, 0.5 * self.h);
            state.dissipated += 0.5 * self.h * (begun.taken + now_taken);
            if memory.contact.is_none() {
                memory.ledger.close();
            }
        }
        Ok(())
    }
}

/// Ends the contacts of regions that were not found any more: what was stored in them leaves with them. `begun` is sorted.
fn forget_lost(begun: &[Begun], state: &mut State) {
    let is_found = |id: &PairId| begun.binary_search_by_key(id, |begun| begun.id).is_ok();
    let marked = |memory: &PairState| memory.mark.is_some() && memory.contact.is_some();
    for (id, memory) in &mut state.pairs {
        if marked(memory) && !is_found(id) {
            memory.contact = None;
            memory.ledger.stiffened -= std::mem::take(&mut memory.ledger.stored);
        }
    }
}
