//! Joints: what keeps bodies together.
//!
//! A joint holds a frame on each of two bodies; what its kind allows is said in those frames. A single body is joined to
//! the world by way of a fixed body.

use crate::error::{DynamicsError, Result};
use crate::model::{BodyId, BodyModel};
use rattleback_geom::Pose;

/// A frame on a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// The body.
    pub body: BodyId,
    /// The frame's pose in the body's frame.
    pub pose: Pose,
}

/// What a joint allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JointKind {
    /// Turning about the common origin.
    Spherical,
}

/// A joint between two bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// What it allows.
    pub kind: JointKind,
    /// The frame on the first body.
    pub a: Anchor,
    /// The frame on the second body.
    pub b: Anchor,
}

impl Joint {
    /// Whether its bodies exist and differ.
    pub(crate) fn check(&self, bodies: &[BodyModel]) -> Result<()> {
        let refuse =
            |reason: String| Err(DynamicsError::Invalid { what: format!("joint {}", self.name), reason });
        for anchor in [&self.a, &self.b] {
            if anchor.body.0 >= bodies.len() {
                return refuse(format!("body number {} does not exist", anchor.body.0));
            }
        }
        if self.a.body == self.b.body {
            return refuse("both frames are on the same body".to_owned());
        }
        Ok(())
    }
}
