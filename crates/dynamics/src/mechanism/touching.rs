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

use crate::body::Motion;
use crate::contacts::{Contacts, Pressed};
use crate::error::Result;
use crate::load::{Load, LoadTangent};
use crate::model::{BodyId, Model, PairId, PartPair};
use crate::regions::{self, Watched};
use crate::state::{PairState, State};
use rattleback_contact::law::ContactState;
use rattleback_contact::region::HeldRegion;
use rattleback_contact::{ContactForce, Kinematics, Powers};
use rattleback_geom::nalgebra::SVector;
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

/// A contact at the beginning of a step.
#[derive(Debug, Clone, Copy)]
struct Begun {
    id: PairId,
    pair: PartPair,
    seen: Seen,
    /// What it remembers, or would if it began now.
    state: ContactState,
    powers: Powers,
    /// The power that prescribed bodies take from it, in W.
    taken: f64,
    /// What its force does along the normal and across it.
    pressing: Pressing,
    /// The contact when its force was last asked for, if it pressed then.
    asked: Option<Asked>,
}

/// A contact at a trial end of a step.
#[derive(Debug, Clone, Copy)]
struct Asked {
    found: Pressed,
    /// What it would remember.
    moved: ContactState,
    /// How far the bristle of a region follows the slip, in s.
    follows: f64,
}

/// How a contact is seen during a step.
#[derive(Debug, Clone, Copy)]
enum Seen {
    /// Asked for anew, from this normal.
    Asked(Vec3),
    /// Held as it was.
    Held(HeldRegion),
}

impl Seen {
    /// The gap and the normal.
    fn gap(&self, contacts: &Contacts, pair: &PartPair) -> Result<(f64, Vec3)> {
        let touch = match self {
            Self::Asked(normal) => contacts.touch(pair, Some(*normal))?,
            Self::Held(held) => contacts.hold(pair, held).0.touch,
        };
        Ok((touch.gap, touch.normal))
    }

    fn press(&self, contacts: &Contacts, pair: &PartPair, state: &ContactState) -> Result<Pressed> {
        match self {
            Self::Asked(normal) => contacts.press(pair, state, Some(*normal)),
            Self::Held(held) => contacts.press_held(pair, held, state),
        }
    }
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

/// What a contact's force does, along the normal and across it.
#[derive(Debug, Clone, Copy, Default)]
struct Pressing {
    gap: f64,
    force: f64,
    stored: f64,
    slip: Vec3,
    friction: Vec3,
    stretched: f64,
}

impl Pressing {
    fn new(found: &Pressed) -> Self {
        let ContactForce { normal, friction, .. } = &found.force;
        Self {
            gap: found.contact.touch.gap,
            force: normal.force,
            stored: normal.stored,
            slip: found.kinematics.slip,
            friction: friction.force.value,
            stretched: friction.stored,
        }
    }

    /// What normal force and friction have taken from the bodies in a step of `h` seconds that ended `now`, and not stored. It is
    /// their work as the rule of the step does it, ½ (N₀ + N₁)(g₀ − g₁) and −½ (f₀ + f₁)·½h (s₀ + s₁), which is right however
    /// short the contact is against the step.
    fn lost(&self, now: &Self, h: f64) -> [f64; 2] {
        let pressed = 0.5 * (self.force + now.force) * (self.gap - now.gap);
        let rubbed = -0.25 * h * (self.friction + now.friction).dot(&(self.slip + now.slip));
        [pressed - (now.stored - self.stored), rubbed - (now.stretched - self.stretched)]
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

impl Begun {
    fn new(id: PairId, pair: &PartPair, seen: Seen, state: ContactState) -> Self {
        Self {
            id,
            pair: *pair,
            seen,
            state,
            powers: Powers::default(),
            taken: 0.0,
            pressing: Pressing::default(),
            asked: None,
        }
    }

    /// The same with the powers of the force that acts now.
    fn weighed(self, model: &Model, contacts: &Contacts, motions: &[Motion]) -> Result<Self> {
        let found = self.seen.press(contacts, &self.pair, &self.state)?;
        let taken = taken(model, motions, &self.pair, &found);
        Ok(Self { powers: found.force.powers(&found.rates), taken, pressing: Pressing::new(&found), ..self })
    }

    /// The contact at the end of a step, and what it remembers then.
    fn press(&self, contacts: &Contacts, h: f64) -> Result<Asked> {
        let pair = &self.pair;
        let found = self.seen.press(contacts, pair, &self.state)?;
        if !pair.law.has_bristle() {
            return Ok(Asked { found, moved: self.state, follows: 0.0 });
        }
        let (moved, follows) = match self.seen {
            Seen::Held(_) => pair.law.stretched(&found.force, &found.kinematics, &self.state, h),
            Seen::Asked(_) => {
                let rate = found.force.bristle_rate(&found.kinematics, &found.rates, &self.state);
                (ContactState { bristle: self.state.bristle + rate * h, ..self.state }, 0.0)
            }
        };
        Ok(Asked { found: self.seen.press(contacts, pair, &moved)?, moved, follows })
    }

    fn load(
        &self,
        contacts: &Contacts,
        asked: &Asked,
        h: f64,
        motions: &[Motion],
        tangent: bool,
    ) -> Result<Load> {
        let Asked { found, moved, follows } = asked;
        let bodies = [self.pair.a.0, self.pair.b.0];
        let centres = bodies.map(|body| motions[body.0].pose.position);
        let mut wrench = SVector::<f64, 12>::zeros();
        for (side, centre) in centres.iter().enumerate() {
            for (at, vector) in found.wrench(side, centre).iter().enumerate() {
                wrench.fixed_rows_mut::<3>(6 * side + 3 * at).copy_from(vector);
            }
        }
        let powers = found.force.powers(&found.rates);
        let origins = [&centres[0], &centres[1]];
        let tangent = match self.seen {
            _ if !tangent => None,
            Seen::Held(_) => Some(Contacts::symmetric_tangent(found, origins, *follows)),
            Seen::Asked(_) => Some(self.tangent(contacts, found, moved, origins, h)?),
        };
        Ok(Load {
            bodies: bodies.map(Some),
            wrench,
            tangent: tangent.map(Box::new),
            stored: powers.stored,
            dissipated: powers.damped + powers.rubbed - powers.stiffened,
        })
    }

    /// The exact tangent of a contact that is asked for anew.
    fn tangent(
        &self,
        contacts: &Contacts,
        found: &Pressed,
        moved: &ContactState,
        origins: [&Vec3; 2],
        h: f64,
    ) -> Result<LoadTangent> {
        let pair = &self.pair;
        let still = match pair.law.has_bristle() {
            true => Some(self.seen.press(contacts, pair, &self.state)?),
            false => None,
        };
        let moving = still.as_ref().map(|still| (&still.force.friction.bristle_rate, h));
        contacts.tangent(pair, found, moved, origins, moving)
    }
}
