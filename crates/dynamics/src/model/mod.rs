//! The model: everything about a mechanism that does not change while it moves.
//!
//! | what | where |
//! |---|---|
//! | bodies, their shapes and surfaces | `body_model.rs` |
//! | joints between bodies, what acts on them | `crate::joint` |
//! | applied forces | `crate::force` |
//! | how a model is put together and checked | `builder.rs` |
//!
//! A body's frame has its origin at the mass centre; its axes are the user's, the inertia need not be diagonal in them.
//! Shapes, anchors of joints and points where forces act have poses in that frame. Ids are places in the order of
//! declaration, and every result follows that order.

mod body_model;
mod builder;

pub use body_model::{BodyModel, Mobility, Part};
pub use builder::ModelBuilder;

use crate::force::Force;
use crate::joint::{Joint, JointAction};
use rattleback_contact::law::ContactLaw;
use rattleback_geom::Vec3;

/// A body's place in the order of declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub usize);

/// The place of a kind of surface (a material, as far as contact is concerned) in the order of declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SurfaceId(pub usize);

/// Two parts that may touch, the first one declared first, and their law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartPair {
    /// Body and part of A.
    pub a: (BodyId, usize),
    /// Body and part of B.
    pub b: (BodyId, usize),
    /// The law between them.
    pub law: ContactLaw,
}

/// A mechanism, immutable.
#[derive(Debug, Clone)]
pub struct Model {
    gravity: Vec3,
    bodies: Vec<BodyModel>,
    joints: Vec<Joint>,
    actions: Vec<JointAction>,
    forces: Vec<Force>,
    pairs: Vec<PartPair>,
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

    /// The bodies in the order of declaration.
    pub fn bodies(&self) -> &[BodyModel] {
        &self.bodies
    }

    /// A body.
    pub fn body(&self, id: BodyId) -> &BodyModel {
        &self.bodies[id.0]
    }

    /// The id of the body of that name.
    pub fn find(&self, name: &str) -> Option<BodyId> {
        self.bodies.iter().position(|body| body.name == name).map(BodyId)
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

    /// The pairs of parts that may touch, in the order of declaration.
    pub fn pairs(&self) -> &[PartPair] {
        &self.pairs
    }
}
