//! The contacts of a mechanism: what they exert within a step, and what they remember after it.
//!
//! A step from t₀ to t₁ = t₀ + h is made with the memory of t₀. A pair that overlaps at a trial end of the step and did not
//! at its beginning is met with the approach speed that it has at t₀. When the step is accepted, contacts begin, go on or
//! end by the gaps at t₁, and the ledger is booked by the trapezoidal rule with the powers at both ends.
//!
//! A bristle z moves with the slip of the end of the step, z = z₀ + h ż(z₀, v₁, N₁), so that sticking is implicit:
//!
//!   df = f_v dv + f_N dN + f_z dz,   dz = h (ż_v dv + ż_N dN)
//!
//! which `Contacts::tangent` knows. What the wandering tangent plane adds to dz is left out of the derivative.

use crate::body::Motion;
use crate::contacts::{Contacts, Pressed};
use crate::error::Result;
use crate::load::Load;
use crate::model::{BodyId, Model, PairId, PartPair};
use crate::state::State;
use rattleback_contact::Powers;
use rattleback_contact::law::ContactState;
use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::SVector;

/// All pairs that may touch, as they are at the beginning of a step.
#[derive(Debug, Clone)]
pub(super) struct Touching {
    pairs: Vec<PartPair>,
    contacts: Option<Contacts>,
    begun: Vec<Begun>,
    /// The contacts at the end of the last step, in declared order.
    pressed: Vec<(PairId, Pressed)>,
    h: f64,
}

/// A pair at the beginning of a step.
#[derive(Debug, Clone, Copy)]
struct Begun {
    normal: Vec3,
    /// What it remembers, or would if it began now.
    state: ContactState,
    powers: Powers,
    /// The power that prescribed bodies take from it, in W.
    taken: f64,
}

impl Touching {
    pub(super) fn new(model: &Model) -> Self {
        Self { pairs: model.all_pairs(), contacts: None, begun: Vec::new(), pressed: Vec::new(), h: 0.0 }
    }

    /// The contacts at the end of the last step with their forces, in declared order.
    pub(super) fn pressed(&self) -> &[(PairId, Pressed)] {
        &self.pressed
    }

    /// Takes the beginning of a step of `h` seconds from a state.
    pub(super) fn begin(&mut self, model: &Model, state: &State, h: f64) -> Result<()> {
        self.h = h;
        self.begun.clear();
        if self.pairs.is_empty() {
            return Ok(());
        }
        let contacts = self.contacts.get_or_insert_with(|| Contacts::new(model, &state.motions));
        let motions = &state.motions;
        contacts.place_all(model, motions);
        for pair in &self.pairs {
            let memory = state.pairs.get(&pair.id());
            let (contact, kinematics) = contacts.contact(pair, memory.and_then(|memory| memory.normal))?;
            let normal = contact.touch.normal;
            let begun = match memory.and_then(|memory| memory.contact) {
                Some(state) => {
                    let found = contacts.press(pair, &state, Some(normal))?;
                    let taken = taken(model, motions, pair, &found);
                    Begun { normal, state, powers: found.force.powers(&found.rates), taken }
                }
                None => {
                    let state = pair.law.begin(kinematics.gap_rate)?;
                    Begun { normal, state, powers: Powers::default(), taken: 0.0 }
                }
            };
            self.begun.push(begun);
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
        let Some(contacts) = self.contacts.as_mut().filter(|_| !self.begun.is_empty()) else {
            return Ok(());
        };
        contacts.place_all(model, motions);
        for (pair, begun) in self.pairs.iter().zip(&self.begun) {
            if contacts.touch(pair, Some(begun.normal))?.gap < 0.0 {
                out.push(load(contacts, pair, begun, self.h, motions, tangent)?);
            }
        }
        Ok(())
    }

    /// Writes what the pairs remember after the step into the state, which has the motions of its end.
    pub(super) fn finish(&mut self, model: &Model, state: &mut State) -> Result<()> {
        self.pressed.clear();
        let Some(contacts) = self.contacts.as_mut().filter(|_| !self.begun.is_empty()) else {
            return Ok(());
        };
        contacts.place_all(model, &state.motions);
        for (pair, begun) in self.pairs.iter().zip(&self.begun) {
            let touch = contacts.touch(pair, Some(begun.normal))?;
            let memory = state.pairs.entry(pair.id()).or_default();
            memory.normal = Some(touch.normal);
            let (mut powers, mut now_taken) = (Powers::default(), 0.0);
            if touch.gap < 0.0 {
                // From the normal that is remembered, as whoever presses the stored state does.
                let begun = Begun { normal: touch.normal, ..*begun };
                let (found, moved) = press(contacts, pair, &begun, self.h)?;
                self.pressed.push((pair.id(), found));
                powers = found.force.powers(&found.rates);
                now_taken = taken(model, &state.motions, pair, &found);
                if memory.contact.is_none() {
                    memory.since = state.time;
                }
                memory.contact = Some(moved);
            } else if memory.contact.take().is_none() {
                continue;
            }
            memory.ledger.book(&begun.powers, 0.5 * self.h);
            memory.ledger.book(&powers, 0.5 * self.h);
            state.dissipated += 0.5 * self.h * (begun.taken + now_taken);
            if memory.contact.is_none() {
                memory.ledger.close();
            }
        }
        // The pairs are listed body by body, not part by part.
        self.pressed.sort_unstable_by_key(|(id, _)| *id);
        Ok(())
    }
}

/// The power that prescribed bodies take from a contact.
fn taken(model: &Model, motions: &[Motion], pair: &PartPair, found: &Pressed) -> f64 {
    let power = |(side, body): (usize, BodyId)| {
        let motion = &motions[body.0];
        model.body(body).taken(motion, found.wrench(side, &motion.pose.position))
    };
    [pair.a.0, pair.b.0].into_iter().enumerate().map(power).sum()
}

/// A pair at the end of a step, and what it remembers then.
fn press(contacts: &Contacts, pair: &PartPair, begun: &Begun, h: f64) -> Result<(Pressed, ContactState)> {
    let found = contacts.press(pair, &begun.state, Some(begun.normal))?;
    if !pair.law.has_bristle() {
        return Ok((found, begun.state));
    }
    let rate = found.force.bristle_rate(&found.kinematics, &found.rates, &begun.state);
    let moved = ContactState { bristle: begun.state.bristle + rate * h, ..begun.state };
    Ok((contacts.press(pair, &moved, Some(begun.normal))?, moved))
}

fn load(
    contacts: &Contacts,
    pair: &PartPair,
    begun: &Begun,
    h: f64,
    motions: &[Motion],
    tangent: bool,
) -> Result<Load> {
    let (found, moved) = press(contacts, pair, begun, h)?;
    let bodies = [pair.a.0, pair.b.0];
    let centres = bodies.map(|body| motions[body.0].pose.position);
    let mut wrench = SVector::<f64, 12>::zeros();
    for (side, centre) in centres.iter().enumerate() {
        for (at, vector) in found.wrench(side, centre).iter().enumerate() {
            wrench.fixed_rows_mut::<3>(6 * side + 3 * at).copy_from(vector);
        }
    }
    let powers = found.force.powers(&found.rates);
    let tangent = match tangent {
        true if pair.law.has_bristle() => {
            let still = contacts.press(pair, &begun.state, Some(begun.normal))?;
            let moving = Some((&still.force.friction.bristle_rate, h));
            Some(contacts.tangent(pair, &found, &moved, [&centres[0], &centres[1]], moving)?)
        }
        true => Some(contacts.tangent(pair, &found, &moved, [&centres[0], &centres[1]], None)?),
        false => None,
    };
    Ok(Load {
        bodies: bodies.map(Some),
        wrench,
        tangent: tangent.map(Box::new),
        stored: powers.stored,
        dissipated: powers.damped + powers.rubbed - powers.stiffened,
    })
}
