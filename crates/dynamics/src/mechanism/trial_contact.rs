//! A contact within a step: how it is seen, what it exerts at a trial end, and what it has taken when the step is done.

use crate::body::Motion;
use crate::contact_set::{ActiveContact, Parts};
use crate::error::Result;
use crate::load::Load;
use crate::model::{BodyId, Model, PairId, PartPair};
use rattleback_contact::law::ContactState;
use rattleback_contact::region::FrozenRegion;
use rattleback_contact::{Contact, Powers, Touch};
use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::SVector;

/// A contact at the beginning of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepContact {
    pub(super) id: PairId,
    pub(super) pair: PartPair,
    pub(super) source: ContactSource,
    /// What it remembers, or would if it began in this step, and since when.
    pub(super) state: ContactState,
    pub(super) start_time: f64,
    pub(super) powers: Powers,
    /// The power that prescribed bodies take from it, in W.
    pub(super) taken: f64,
    /// Whether it is a region whose normal force is the gradient of what it stores.
    pub(super) has_potential: bool,
    /// What its force does along the normal and across it.
    pub(super) work_sample: WorkSample,
    /// The contact when its force was last asked for, if it pressed then.
    pub(super) trial: Option<TrialContact>,
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
pub(super) enum ContactSource {
    /// Asked for anew, from this normal.
    Query(Vec3),
    /// Held as it was.
    Frozen(FrozenRegion),
}

/// The geometry of a contact at a trial end of a step; what the law asks for is known where it overlaps.
#[derive(Debug, Clone, Copy)]
pub(super) enum Geometry {
    At(Contact),
    Frozen(FrozenRegion),
}

impl ContactSource {
    /// The geometry that belongs to a touch.
    pub(super) fn at(&self, contacts: &Parts, pair: &PartPair, touch: Touch) -> Result<Geometry> {
        Ok(match self {
            Self::Frozen(frozen) => Geometry::Frozen(*frozen),
            Self::Query(_) if touch.gap < 0.0 => Geometry::At(contacts.contact_at(pair, touch)?),
            Self::Query(_) => Geometry::At(touch.into()),
        })
    }

    /// The gap, the normal and the geometry.
    pub(super) fn look(&self, contacts: &Parts, pair: &PartPair) -> Result<(f64, Vec3, Geometry)> {
        match self {
            Self::Query(normal) => {
                let touch = contacts.touch(pair, Some(*normal))?;
                Ok((touch.gap, touch.normal, self.at(contacts, pair, touch)?))
            }
            Self::Frozen(frozen) => {
                let touch = contacts.frozen_contact(pair, frozen).0;
                Ok((touch.gap, touch.normal, Geometry::Frozen(*frozen)))
            }
        }
    }
}

impl Geometry {
    pub(super) fn apply_law(
        &self,
        contacts: &Parts,
        pair: &PartPair,
        state: &ContactState,
    ) -> Result<ActiveContact> {
        match self {
            // What is apart is weighed too where it was in contact when the step began.
            Self::At(contact) if !(contact.touch.gap < 0.0) => {
                contacts.apply_law_at(pair, &contacts.contact_at(pair, contact.touch)?, state)
            }
            Self::At(contact) => contacts.apply_law_at(pair, contact, state),
            Self::Frozen(frozen) => contacts.apply_law_frozen(pair, frozen, state),
        }
    }
}

/// What a contact's force does, along the normal and across it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WorkSample {
    pub(super) stored: f64,
    /// −F δ̇ of the elastic part F of the force, in W.
    pub(super) given_back: f64,
    slip: Vec3,
    friction: Vec3,
    stretched: f64,
}

impl WorkSample {
    pub(super) fn new(found: &ActiveContact) -> Self {
        Self {
            stored: found.force.elastic,
            given_back: found.given_back(),
            slip: found.kinematics.slip,
            friction: found.force.friction,
            stretched: found.force.bristle,
        }
    }

    /// What friction has taken from the bodies in a step of `h` seconds that ended `now`, and not stored. It is its
    /// work as the rule of the step does it, −½ (f₀ + f₁)·½h (s₀ + s₁), which is right however short the contact is
    /// against the step.
    pub(super) fn lost(&self, now: &Self, h: f64) -> f64 {
        let work = -0.25 * h * (self.friction + now.friction).dot(&(self.slip + now.slip));
        work - (now.stretched - self.stretched)
    }
}

/// The power that prescribed bodies take from a contact.
pub(super) fn taken(model: &Model, motions: &[Motion], pair: &PartPair, found: &ActiveContact) -> f64 {
    let power = |(side, body): (usize, BodyId)| {
        let motion = &motions[body.0];
        model.body(body).taken(motion, found.wrench(side, &motion.pose.position))
    };
    [pair.a.body, pair.b.body].into_iter().enumerate().map(power).sum()
}

impl StepContact {
    pub(super) fn new(
        id: PairId,
        pair: &PartPair,
        source: ContactSource,
        (state, start_time): (ContactState, f64),
    ) -> Self {
        Self {
            id,
            pair: *pair,
            source,
            state,
            start_time,
            powers: Powers::default(),
            taken: 0.0,
            has_potential: false,
            work_sample: WorkSample::default(),
            trial: None,
        }
    }

    /// Whether it is a region that is held.
    pub(super) fn is_frozen(&self) -> bool {
        matches!(self.source, ContactSource::Frozen(_))
    }

    /// The same with the powers of the force that acts now.
    pub(super) fn weighed(
        self,
        model: &Model,
        contacts: &Parts,
        geometry: &Geometry,
        motions: &[Motion],
    ) -> Result<Self> {
        let found = geometry.apply_law(contacts, &self.pair, &self.state)?;
        let taken = taken(model, motions, &self.pair, &found);
        Ok(Self { powers: found.powers, taken, work_sample: WorkSample::new(&found), ..self })
    }

    /// The contact at the end of a step, and what it remembers then.
    pub(super) fn apply_law(&self, contacts: &Parts, geometry: &Geometry, h: f64) -> Result<TrialContact> {
        let pair = &self.pair;
        let still = geometry.apply_law(contacts, pair, &self.state)?;
        if !pair.law.has_bristle() {
            return Ok(TrialContact { found: still, moved: self.state, follows: 0.0 });
        }
        let (moved, follows) = match self.source {
            ContactSource::Frozen(_) => pair.law.stretched(&still.force, &still.kinematics, &self.state, h),
            ContactSource::Query(_) => {
                (ContactState { bristle: self.state.bristle + still.bristle_rate * h, ..self.state }, 0.0)
            }
        };
        Ok(TrialContact { found: geometry.apply_law(contacts, pair, &moved)?, moved, follows })
    }

    pub(super) fn load(
        &self,
        contacts: &Parts,
        trial: &TrialContact,
        h: f64,
        motions: &[Motion],
        tangent: bool,
    ) -> Result<Load> {
        let TrialContact { found, moved, follows } = trial;
        let pair = &self.pair;
        let bodies = [pair.a.body, pair.b.body];
        let centres = bodies.map(|body| motions[body.0].pose.position);
        let mut wrench = SVector::<f64, 12>::zeros();
        for (side, centre) in centres.iter().enumerate() {
            for (at, vector) in found.wrench(side, centre).iter().enumerate() {
                wrench.fixed_rows_mut::<3>(6 * side + 3 * at).copy_from(vector);
            }
        }
        let powers = &found.powers;
        let origins = [&centres[0], &centres[1]];
        let tangent = match self.source {
            _ if !tangent => None,
            ContactSource::Frozen(_) => {
                Some(Parts::symmetric_tangent(pair, found, moved, origins, *follows)?)
            }
            ContactSource::Query(_) => {
                // The bristle goes on from where it was at the beginning of the step.
                let moving = pair.law.has_bristle().then_some((&self.state, h));
                Some(contacts.tangent(pair, found, moved, (origins, [true; 2]), moving)?)
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
