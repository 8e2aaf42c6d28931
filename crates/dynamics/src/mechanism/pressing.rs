//! A contact within a step: how it is seen, what it exerts at a trial end, and what it has taken when the step is done.

use crate::body::Motion;
use crate::contacts::{Contacts, Pressed};
use crate::error::Result;
use crate::load::{Load, LoadTangent};
use crate::model::{BodyId, Model, PairId, PartPair};
use rattleback_contact::law::ContactState;
use rattleback_contact::region::HeldRegion;
use rattleback_contact::{ContactForce, Powers};
use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::SVector;

/// A contact at the beginning of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Begun {
    pub(super) id: PairId,
    pub(super) pair: PartPair,
    pub(super) seen: Seen,
    /// What it remembers, or would if it began now.
    pub(super) state: ContactState,
    pub(super) powers: Powers,
    /// The power that prescribed bodies take from it, in W.
    pub(super) taken: f64,
    /// What its force does along the normal and across it.
    pub(super) pressing: Pressing,
    /// The contact when its force was last asked for, if it pressed then.
    pub(super) asked: Option<Asked>,
}

/// A contact at a trial end of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    pub(super) found: Pressed,
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

impl Seen {
    /// The gap and the normal.
    pub(super) fn gap(&self, contacts: &Contacts, pair: &PartPair) -> Result<(f64, Vec3)> {
        let touch = match self {
            Self::Asked(normal) => contacts.touch(pair, Some(*normal))?,
            Self::Held(held) => contacts.hold(pair, held).0.touch,
        };
        Ok((touch.gap, touch.normal))
    }

    pub(super) fn press(
        &self,
        contacts: &Contacts,
        pair: &PartPair,
        state: &ContactState,
    ) -> Result<Pressed> {
        match self {
            Self::Asked(normal) => contacts.press(pair, state, Some(*normal)),
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
    pub(super) fn new(found: &Pressed) -> Self {
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
    pub(super) fn lost(&self, now: &Self, h: f64) -> [f64; 2] {
        let pressed = 0.5 * (self.force + now.force) * (self.gap - now.gap);
        let rubbed = -0.25 * h * (self.friction + now.friction).dot(&(self.slip + now.slip));
        [pressed - (now.stored - self.stored), rubbed - (now.stretched - self.stretched)]
    }
}

/// The power that prescribed bodies take from a contact.
pub(super) fn taken(model: &Model, motions: &[Motion], pair: &PartPair, found: &Pressed) -> f64 {
    let power = |(side, body): (usize, BodyId)| {
        let motion = &motions[body.0];
        model.body(body).taken(motion, found.wrench(side, &motion.pose.position))
    };
    [pair.a.0, pair.b.0].into_iter().enumerate().map(power).sum()
}

impl Begun {
    pub(super) fn new(id: PairId, pair: &PartPair, seen: Seen, state: ContactState) -> Self {
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
    pub(super) fn weighed(self, model: &Model, contacts: &Contacts, motions: &[Motion]) -> Result<Self> {
        let found = self.seen.press(contacts, &self.pair, &self.state)?;
        let taken = taken(model, motions, &self.pair, &found);
        Ok(Self { powers: found.force.powers(&found.rates), taken, pressing: Pressing::new(&found), ..self })
    }

    /// The contact at the end of a step, and what it remembers then.
    pub(super) fn press(&self, contacts: &Contacts, h: f64) -> Result<Asked> {
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

    pub(super) fn load(
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
