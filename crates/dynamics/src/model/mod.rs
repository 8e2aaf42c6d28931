//! The model: everything about a mechanism that does not change while it moves.
//!
//! | what | where |
//! |---|---|
//! | bodies, their shapes and surfaces | `body_model.rs` |
//! | which parts may touch | `pairs.rs`, bodies that never do `excluded_pairs.rs` |
//! | prescribed motions | `prescribed_motion.rs`, `harmonics.rs`, `seaway.rs` and `spectrum.rs`, `pose_table.rs` |
//! | joints between bodies, what acts on them | `crate::joint` |
//! | applied forces | `crate::force` |
//! | how a model is put together and checked | `builder.rs` |
//!
//! A body's frame has its origin at the mass centre; its axes are the user's, the inertia need not be diagonal in them.
//! Shapes, anchors of joints and points where forces act have poses in that frame. Ids are places in the order of
//! declaration, and every result follows that order.

mod body_model;
mod builder;
mod excluded_pairs;
mod formula_motion;
mod harmonics;
mod pairs;
mod pose_table;
mod prescribed_motion;
mod seaway;
mod spectrum;
mod turning;

pub use body_model::{BodyModel, Mobility, Part};
pub use builder::ModelBuilder;
pub use formula_motion::FormulaMotion;
pub use harmonics::{Freedom, Harmonic};
pub use prescribed_motion::{PrescribedMotion, PrescribedState};
pub use seaway::{Gain, Response, Seaway};
pub use spectrum::Spectrum;

use crate::body::Motion;
use crate::force::{self, Force, Windlass};
use crate::joint::{Joint, JointAction};
use crate::state::State;
use excluded_pairs::ExcludedPairs;
use rattleback_contact::law::ContactLaw;
use rattleback_contact::proximity::Proximity;
use rattleback_geom::Vec3;
use std::collections::BTreeMap;

/// A body's place in the order of declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct BodyId(pub usize);

/// The place of a kind of surface (a material, as far as contact is concerned) in the order of declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SurfaceId(pub usize);

/// A part of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct PartId {
    /// The body.
    pub body: BodyId,
    /// The place among the body's shapes, from zero.
    pub index: usize,
}

impl PartId {
    /// The part of a body at a place.
    pub fn new(body: BodyId, index: usize) -> Self {
        Self { body, index }
    }
}

/// A contact of two parts. The order of pairs is that of declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct PairId {
    /// The part of the body that is declared first.
    pub a: PartId,
    /// The other part.
    pub b: PartId,
    /// The place among the contacts of the two: zero, unless they press on each other at several features or in several
    /// regions.
    pub region: usize,
}

impl PairId {
    /// The contact of two parts in a region.
    pub fn new(a: PartId, b: PartId, region: usize) -> Self {
        Self { a, b, region }
    }

    /// The same two parts, whichever contact of theirs.
    #[must_use]
    pub fn parts(self) -> Self {
        Self { region: 0, ..self }
    }
}

/// Two parts that may touch, the first one declared first, and their law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartPair {
    /// A.
    pub a: PartId,
    /// B.
    pub b: PartId,
    /// Which of their features touch, where they may touch along a line or a circle; none for the nearest points.
    pub feature: Option<usize>,
    /// The law between them.
    pub law: ContactLaw,
}

impl PartPair {
    /// Which pair it is.
    pub fn id(&self) -> PairId {
        PairId::new(self.a, self.b, self.feature.unwrap_or(0))
    }

    /// Whether what the contact stores may depend on more than its depth: on curvatures, or on the weight of a feature.
    pub(crate) fn has_changing_stiffness(&self) -> bool {
        self.law.asks_for_curvature() || self.feature.is_some()
    }
}

/// A mechanism, immutable.
#[derive(Debug, Clone)]
pub struct Model {
    gravity: Vec3,
    bodies: Vec<BodyModel>,
    joints: Vec<Joint>,
    actions: Vec<JointAction>,
    forces: Vec<Force>,
    laws: BTreeMap<(SurfaceId, SurfaceId), ContactLaw>,
    excluded_pairs: ExcludedPairs,
    proximity: Proximity,
}

impl Model {
    /// A model to be put together.
    pub fn builder() -> ModelBuilder {
        ModelBuilder::default()
    }

    /// The acceleration of gravity in world axes, in m/s².
    pub fn gravity(&self) -> Vec3 {
        self.gravity
    }

    /// What is asked of pairs before their normal is sought.
    pub fn proximity(&self) -> Proximity {
        self.proximity
    }

    /// The bodies in the order of declaration.
    pub fn bodies(&self) -> &[BodyModel] {
        &self.bodies
    }

    /// A body; none where the id is another model's.
    pub fn get(&self, id: BodyId) -> Option<&BodyModel> {
        self.bodies.get(id.0)
    }

    /// A body that is known to be there.
    pub(crate) fn body(&self, id: BodyId) -> &BodyModel {
        &self.bodies[id.0]
    }

    /// The state at time zero in which every body moves as it was declared to, nothing touching yet.
    pub fn initial_state(&self) -> State {
        State::new(first_motions(&self.bodies))
    }

    /// The id of the body of that name.
    pub fn find(&self, name: &str) -> Option<BodyId> {
        self.bodies.iter().position(|body| body.name == name).map(BodyId)
    }

    /// Puts the prescribed bodies where they have to be at `time`, with the velocities of their courses.
    pub fn prescribe(&self, time: f64, motions: &mut [Motion]) {
        for (body, motion) in self.bodies.iter().zip(motions) {
            if let Mobility::Prescribed(prescribed) = &body.mobility {
                *motion = prescribed.at(time).motion;
            }
        }
    }

    /// The joints in the order of declaration.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// What acts on the joints, in the order of declaration.
    pub fn actions(&self) -> &[JointAction] {
        &self.actions
    }

    /// The applied forces in the order of declaration.
    pub fn forces(&self) -> &[Force] {
        &self.forces
    }

    /// The windlasses among them; what they remember is in `State::windlasses`, in the same order.
    pub fn windlasses(&self) -> impl Iterator<Item = &Windlass> {
        force::windlasses(&self.forces)
    }
}

/// The motions with which bodies begin at time zero.
fn first_motions(bodies: &[BodyModel]) -> Vec<Motion> {
    let of = |body: &BodyModel| match &body.mobility {
        Mobility::Prescribed(prescribed) => prescribed.at(0.0).motion,
        _ => body.motion,
    };
    bodies.iter().map(of).collect()
}
