//! Joints: what keeps bodies together, and what acts on what they leave free.
//!
//! A joint holds a frame on each of two bodies; what its kind allows is said in those frames. A single body is joined
//! to the world by way of a fixed body.
//!
//! | what | file |
//! |---|---|
//! | vectors linear in the coordinates, functions quadratic in them | `form.rs` |
//! | a constraint equation and its derivatives | `row.rs` |
//! | fixed, spherical, revolute, universal, cylindrical, prismatic, planar, distance | `kinematic.rs` |
//! | angles and distances as coordinates | `relative.rs` |
//! | screw, gear | `coupling.rs` |
//! | point on a surface | `surface.rs` |
//! | motors | `motor.rs` |
//! | springs, friction, limits on a joint's coordinate | `action.rs` |

mod action;
mod coupling;
mod form;
mod kinematic;
mod motor;
mod relative;
mod row;
mod surface;

pub use action::{Action, Control, Freedom, JointAction};
pub use motor::{MotionLaw, Profile, Table};

pub(crate) use action::Effort;
pub(crate) use coupling::Relative;
pub(crate) use form::{Form, Quadratic};
pub(crate) use motor::Driven;
pub(crate) use row::Row;

use crate::error::{DynamicsError, Result};
use crate::model::{BodyId, BodyModel};
use rattleback_geom::Pose;
use relative::Angle;

/// A joint's place in the order of declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId(pub usize);

/// A frame on a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointFrame {
    /// The body.
    pub body: BodyId,
    /// The frame's pose in the body's frame.
    pub pose: Pose,
}

/// What a joint allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JointKind {
    /// Nothing.
    Fixed,
    /// Turning about the common origin.
    Spherical,
    /// Turning about the common z axis.
    Revolute,
    /// Turning about x of A and y of B, which stay orthogonal, through the common origin.
    Universal,
    /// Turning about and sliding along the common z axis.
    Cylindrical,
    /// Sliding along the common z axis.
    Prismatic,
    /// Sliding in the xy plane of A and turning about its z axis.
    Planar,
    /// Everything that keeps the origins at a distance: a rod with two ball joints.
    Distance {
        /// The distance in m.
        length: f64,
    },
    /// Turning about the common z axis and advancing with it; the angle is from x of A to x of B.
    Screw {
        /// The advance per turn in m.
        pitch: f64,
    },
    /// Turning of A and B against a carrier in a fixed ratio.
    Gear(Gear),
    /// The origin of A moves on the surface of a part of B.
    PointOnSurface {
        /// The number of the part of B.
        part: usize,
    },
}

/// Two wheels on a carrier: φ_A + ratio φ_B = phase.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gear {
    /// The body that carries both wheels.
    pub carrier: BodyId,
    /// Frames on the carrier from whose x axes the angles of A and B are counted, about their z axes.
    pub frames: [Pose; 2],
    /// Teeth of B over teeth of A; negative for an internal mesh.
    pub ratio: f64,
    /// The constant in rad.
    pub phase: f64,
}

/// A joint between two bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// What it allows.
    pub kind: JointKind,
    /// The frame on the first body.
    pub a: JointFrame,
    /// The frame on the second body.
    pub b: JointFrame,
}

/// The equations of a joint, and the relative coordinates that they bring.
pub(crate) struct Equations {
    pub(crate) rows: Vec<Row>,
    pub(crate) relatives: Vec<Relative>,
}

impl Joint {
    /// The equations; new coordinates are numbered from `column` on, and `at` says where a body's start.
    pub(crate) fn equations(
        &self,
        bodies: &[BodyModel],
        at: &dyn Fn(&JointFrame) -> usize,
        column: usize,
    ) -> Result<Equations> {
        let both = [at(&self.a), at(&self.b)];
        let mut rows = kinematic::rows(&self.kind, &self.a, &self.b, both);
        let mut relatives = Vec::new();
        if let Some((coordinates, more)) = coupling::rows(&self.kind, &self.a, &self.b, at, column) {
            relatives.extend(coordinates);
            rows.extend(more);
        }
        if let JointKind::PointOnSurface { part } = self.kind {
            let part = &bodies[self.b.body.0].parts[part];
            let row = surface::OnSurface::new(&self.a, part, both)
                .ok_or_else(|| self.invalid("the shape has no implicit view".to_owned()))?;
            rows.push(Row::Surface(Box::new(row)));
        }
        Ok(Equations { rows, relatives })
    }

    /// A relative coordinate of the joint and its equation.
    pub(crate) fn coordinate(
        &self,
        freedom: Freedom,
        at: &dyn Fn(&JointFrame) -> usize,
        column: usize,
    ) -> (Relative, Row) {
        let (a, b, both) = (&self.a, &self.b, [at(&self.a), at(&self.b)]);
        match (freedom, self.kind) {
            (Freedom::Slide, _) => Relative::slide(a, b, both, column),
            (Freedom::SecondTurn, _) => Relative::angle(Angle::about_y(a, b, both, column)),
            (Freedom::Turn, JointKind::Universal) => Relative::angle(Angle::about_x(a, b, both, column)),
            (Freedom::Turn, _) => Relative::angle(Angle::about_z(a, b, both, column)),
        }
    }

    fn invalid(&self, reason: String) -> DynamicsError {
        DynamicsError::Invalid { what: format!("joint {}", self.name), reason }
    }

    /// Whether its bodies exist and differ and its numbers make sense.
    pub(crate) fn check(&self, bodies: &[BodyModel]) -> Result<()> {
        let mut named = vec![self.a.body, self.b.body];
        if let JointKind::Gear(gear) = &self.kind {
            named.push(gear.carrier);
        }
        for (i, body) in named.iter().enumerate() {
            if body.0 >= bodies.len() {
                return Err(self.invalid(format!("body number {} does not exist", body.0)));
            }
            if named[..i].contains(body) {
                return Err(self.invalid("two of its frames are on the same body".to_owned()));
            }
        }
        if named.iter().all(|body| !bodies[body.0].is_free()) {
            return Err(self.invalid("none of its bodies is free".to_owned()));
        }
        let out_of_range = |field: &str, value: f64, allowed: &'static str| {
            let field = format!("{field} of joint {}", self.name);
            Err(DynamicsError::OutOfRange { field, value, allowed })
        };
        match self.kind {
            JointKind::Distance { length } if !(length > 0.0 && length.is_finite()) => {
                out_of_range("length", length, "above zero and finite")
            }
            JointKind::Screw { pitch } if !pitch.is_finite() => out_of_range("pitch", pitch, "finite"),
            JointKind::Gear(gear) if !(gear.ratio != 0.0 && gear.ratio.is_finite()) => {
                out_of_range("ratio", gear.ratio, "finite and not zero")
            }
            JointKind::Gear(gear) if !gear.phase.is_finite() => out_of_range("phase", gear.phase, "finite"),
            JointKind::PointOnSurface { part } => match bodies[self.b.body.0].parts.get(part) {
                None => Err(self.invalid(format!("its second body has no part number {part}"))),
                Some(p) if p.shape.surface().as_implicit().is_none() => {
                    Err(self.invalid("the shape has no implicit view".to_owned()))
                }
                Some(_) => Ok(()),
            },
            _ => Ok(()),
        }
    }
}
