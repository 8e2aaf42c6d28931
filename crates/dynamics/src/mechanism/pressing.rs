//! A contact within a step: how it is seen, what it exerts at a trial end, and what it has taken when the step is done.

use crate::body::Motion;
use crate::contact_set::{ActiveContact, Parts};
use crate::error::Result;
use crate::load::Load;
use crate::model::{BodyId, Model, PairId, PartPair};
use rattleback_contact::law::ContactState;
use rattleback_contact::region::HeldRegion;
use rattleback_contact::{Contact, Powers, Touch};
use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::SVector;

/// A contact at the beginning of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepContact {
    pub(super) id: PairId,
    pub(super) pair: PartPair,
    pub(super) seen: Seen,
    /// What it remembers, or would if it began in this step, and since when.
    pub(super) state: ContactState,
    pub(super) since: f64,
    pub(super) powers: Powers,
    /// The power that prescribed bodies take from it, in W.
    pub(super) taken: f64,
    /// What its force does along the normal and across it.
    pub(super) pressing: Pressing,
    /// The contact when its force was last asked for, if it pressed then.
    pub(super) asked: Option<TrialContact>,
}

/// A contact at a trial end of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct TrialContact {
    pub(super) found: ActiveContact,
    /// What it would remember.
    pub(super) moved: ContactState,
    /// How far the bristle of a region follows the slip, in s.
    pub(super) follows: f64,
}

/// How a contact is seen during a step.
#[derive(Debug, Clone, Copy)]
pub(super) enum Seen {
    /// Asked for anew, from this normal.
    Asked(Vec3),
    /// Held as it was.
    Held(HeldRegion),
}

/// The geometry of a contact at a trial end of a step; what the law asks for is known where it overlaps.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::large_enum_variant, reason = "there is one at a time; a box would allocate for every query")]
pub(super) enum Geometry {
    At(Contact),
    Held(HeldRegion),
}

impl Seen {
    /// The geometry that belongs to a touch.
    pub(super) fn at(&self, contacts: &Parts, pair: &PartPair, touch: Touch) -> Result<Geometry> {
        Ok(match self {
            Self::Held(held) => Geometry::Held(*held),
            Self::Asked(_) if touch.gap < 0.0 => Geometry::At(contacts.contact_at(pair, touch)?),
            Self::Asked(_) => Geometry::At(touch.into()),
        })
    }

    /// The gap, the normal and the geometry.
    pub(super) fn look(&self, contacts: &Parts, pair: &PartPair) -> Result<(f64, Vec3, Geometry)> {
        match self {
            Self::Asked(normal) => {
                let touch = contacts.touch(pair, Some(*normal))?;
                Ok((touch.gap, touch.normal, self.at(contacts, pair, touch)?))
            }
            Self::Held(held) => {
                let touch = contacts.hold(pair, held).0;
                Ok((touch.gap, touch.normal, Geometry::Held(*held)))
            }
        }
    }
}

impl Geometry {
    pub(super) fn press(
        &self,
        contacts: &Parts,
        pair: &PartPair,
        state: &ContactState,
    ) -> Result<ActiveContact> {
        match self {
            // What is apart is weighed too where it was in contact when the step began.
            Self::At(contact) if !(contact.touch.gap < 0.0) => {
                contacts.press_at(pair, &contacts.contact_at(pair, contact.touch)?, state)
            }
            Self::At(contact) => contacts.press_at(pair, contact, state),
            Self::Held(held) => contacts.press_held(pair, held, state),
        }
    }
}

/// What a contact's force does, along the normal and across it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pressing {
    pub(super) gap: f64,
    pub(super) force: f64,
    pub(super) stored: f64,
    pub(super) slip: Vec3,
    pub(super) friction: Vec3,
    pub(super) stretched: f64,
}

impl Pressing {
    pub(super) fn new(found: &ActiveContact) -> Self {
        Self {
            gap: found.touch.gap,
            force: found.force.normal,
            stored: found.force.elastic,
            slip: found.kinematics.slip,
            friction: found.force.friction,
            stretched: found.force.bristle,
        }
    }

    /// What normal force and friction have taken from the bodies in a step of `h` seconds that ended `now`, and not
    /// stored. It is their work as the rule of the step does it, ½ (N₀ + N₁)(g₀ − g₁) and −½ (f₀ + f₁)·½h (s₀ + s₁),
    /// which is right however short the contact is against the step.
    pub(super) fn lost(&self, now: &Self, h: f64) -> [f64; 2] {
        let pressed = 0.5 * (self.force + now.force) * (self.gap - now.gap);
        let friction_loss = -0.25 * h * (self.friction + now.friction).dot(&(self.slip + now.slip));
        [pressed - (now.stored - self.stored), friction_loss - (now.stretched - self.stretched)]
    }
}

/// The power that prescribed bodies take from a contact.
pub(super) fn taken(model: &Model, motions: &[Motion], pair: &PartPair, found: &ActiveContact) -> f64 {
    let power = |(side, body): (usize, BodyId)| {
        let motion = &motions[body.0];
        model.body(body).taken(motion, found.wrench(side, &motion.pose.position))
    };
    [pair.a.0, pair.b.0].into_iter().enumerate().map(power).sum()
}

impl StepContact {
    pub(super) fn new(id: PairId, pair: &PartPair, seen: Seen, (state, since): (ContactState, f64)) -> Self {
        Self {
            id,
            pair: *pair,
            seen,
            state,
            since,
            powers: Powers::default(),
            taken: 0.0,
            pressing: Pressing::default(),
            asked: None,
        }
    }

    /// The same with the powers of the force that acts now.
    pub(super) fn weighed(
        self,
        model: &Model,
        contacts: &Parts,
        geometry: &Geometry,
        motions: &[Motion],
    ) -> Result<Self> {
        let found = geometry.press(contacts, &self.pair, &self.state)?;
        let taken = taken(model, motions, &self.pair, &found);
        Ok(Self { powers: found.powers, taken, pressing: Pressing::new(&found), ..self })
    }

    /// The contact at the end of a step, and what it remembers then.
    pub(super) fn press(&self, contacts: &Parts, geometry: &Geometry, h: f64) -> Result<TrialContact> {
        let pair = &self.pair;
        let still = geometry.press(contacts, pair, &self.state)?;
        if !pair.law.has_bristle() {
            return Ok(TrialContact { found: still, moved: self.state, follows: 0.0 });
        }
        let (moved, follows) = match self.seen {
            Seen::Held(_) => pair.law.stretched(&still.force, &still.kinematics, &self.state, h),
            Seen::Asked(_) => {
                (ContactState { bristle: self.state.bristle + still.bristle_rate * h, ..self.state }, 0.0)
            }
        };
        Ok(TrialContact { found: geometry.press(contacts, pair, &moved)?, moved, follows })
    }

    pub(super) fn load(
        &self,
        contacts: &Parts,
        asked: &TrialContact,
        h: f64,
        motions: &[Motion],
        tangent: bool,
    ) -> Result<Load> {
        let TrialContact { found, moved, follows } = asked;
        let pair = &self.pair;
        let bodies = [pair.a.0, pair.b.0];
        let centres = bodies.map(|body| motions[body.0].pose.position);
        let mut wrench = SVector::<f64, 12>::zeros();
        for (side, centre) in centres.iter().enumerate() {
            for (at, vector) in found.wrench(side, centre).iter().enumerate() {
                wrench.fixed_rows_mut::<3>(6 * side + 3 * at).copy_from(vector);
            }
        }
        let powers = &found.powers;
        let origins = [&centres[0], &centres[1]];
        let tangent = match self.seen {
            _ if !tangent => None,
            Seen::Held(_) => Some(Parts::symmetric_tangent(pair, found, moved, origins, *follows)?),
            Seen::Asked(_) => {
                // The bristle goes on from where it was at the beginning of the step.
                let moving = pair.law.has_bristle().then_some((&self.state, h));
                Some(contacts.tangent(pair, found, moved, origins, moving)?)
            }
        };
        Ok(Load {
            bodies: bodies.map(Some),
            wrench,
            tangent: tangent.map(Box::new),
            stored: powers.stored,
            dissipated: powers.damped + powers.friction_loss - powers.stiffness_change,
        })
    }
}
