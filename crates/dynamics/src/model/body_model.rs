//! A body of a model: its inertia, whether it moves, and its shapes.

use super::{Course, SurfaceId};
use crate::body::{Body, Motion};
use rattleback_geom::surface::Shape;
use rattleback_geom::{Pose, Vec3};

/// Whether and how a body moves.
#[derive(Debug, Clone, PartialEq)]
pub enum Mobility {
    /// By the forces on it.
    Free,
    /// Not at all.
    Fixed,
    /// As a function of time says, whatever the forces.
    Prescribed(Course),
}

/// A shape of a body.
#[derive(Debug, Clone)]
pub struct Part {
    /// The shape.
    pub shape: Shape,
    /// Its pose in the body's frame, whose origin is the mass centre.
    pub pose: Pose,
    /// What its surface is like.
    pub surface: SurfaceId,
}

/// A body of a model.
#[derive(Debug, Clone)]
pub struct BodyModel {
    /// Its name, unique in the model.
    pub name: String,
    /// Mass and inertia about the mass centre.
    pub body: Body,
    /// Whether it moves.
    pub mobility: Mobility,
    /// Its shapes.
    pub parts: Vec<Part>,
}

impl BodyModel {
    /// A free body without shapes.
    pub fn free(name: impl Into<String>, body: Body) -> Self {
        Self { name: name.into(), body, mobility: Mobility::Free, parts: Vec::new() }
    }

    /// A body that does not move; it needs no mass.
    pub fn fixed(name: impl Into<String>) -> Self {
        let body = Body { mass: 0.0, inertia: rattleback_geom::Mat3::zeros() };
        Self { name: name.into(), body, mobility: Mobility::Fixed, parts: Vec::new() }
    }

    /// A body that moves as prescribed; it needs no mass.
    pub fn prescribed(name: impl Into<String>, course: Course) -> Self {
        Self { mobility: Mobility::Prescribed(course), ..Self::fixed(name) }
    }

    /// The same with one more shape.
    #[must_use]
    pub fn with_part(mut self, shape: impl Into<Shape>, pose: Pose, surface: SurfaceId) -> Self {
        self.parts.push(Part { shape: shape.into(), pose, surface });
        self
    }

    /// The power that whatever prescribes its motion takes from a force and a torque on it, in W; none unless it is prescribed.
    pub(crate) fn taken(&self, motion: &Motion, wrench: [Vec3; 2]) -> f64 {
        if matches!(self.mobility, Mobility::Prescribed(_)) { motion.power(wrench) } else { 0.0 }
    }

    /// A radius about the mass centre that holds its parts, those that are bounded.
    pub(crate) fn radius(&self) -> f64 {
        let of = |part: &Part| {
            let bounds = part.shape.surface().bounds();
            part.pose.position.norm() + bounds.min.abs().sup(&bounds.max.abs()).norm()
        };
        self.parts.iter().map(of).filter(|radius| radius.is_finite()).fold(0.0, f64::max)
    }

    /// Whether forces move it.
    pub fn is_free(&self) -> bool {
        self.mobility == Mobility::Free
    }
}
