//! Joints that couple relative coordinates.
//!
//!   screw:  Φ = s − p φ/(2π)               beside the equations of a cylindrical joint
//!   gear:   Φ = φ_a + ρ φ_b − φ₀           φ_a of A, φ_b of B, both against the carrier C
//!
//! | symbol | field | unit |
//! |---|---|---|
//! | p | `pitch`: advance along z per turn | m |
//! | ρ | `ratio`: teeth of B over teeth of A, negative for an internal mesh | 1 |
//! | φ₀ | `phase` | rad |
//!
//! The gear does not hold its wheels: each needs its own revolute joint on the carrier. It keeps their angles in a
//! ratio that holds through any number of turns, because the angles count them.

use super::form::Quadratic;
use super::relative::{self, Angle};
use super::row::Row;
use super::{Gear, JointFrame, JointKind};
use std::f64::consts::TAU;

/// A relative coordinate that a joint needs.
#[derive(Debug, Clone)]
pub(crate) enum Relative {
    /// An angle.
    Turn(Angle),
    /// A distance.
    Slide(Quadratic),
}

impl Relative {
    /// The coordinate's value from the positions of the bodies, the angle in (−π, π].
    pub(crate) fn measure(&self, q: &[f64]) -> f64 {
        match self {
            Self::Turn(angle) => angle.measure(q),
            Self::Slide(along) => along.value(q),
        }
    }

    /// An angle and its equation.
    fn turn(a: &JointFrame, b: &JointFrame, at: [usize; 2], column: usize) -> (Self, Row) {
        Self::angle(Angle::about_z(a, b, at, column))
    }

    /// An angle and its equation.
    pub(super) fn angle(angle: Angle) -> (Self, Row) {
        (Self::Turn(angle.clone()), Row::Angle(angle))
    }

    /// A distance and its equation.
    pub(super) fn slide(a: &JointFrame, b: &JointFrame, at: [usize; 2], column: usize) -> (Self, Row) {
        (Self::Slide(relative::along(a, b, at)), relative::distance(a, b, at, column))
    }
}

/// The coordinates, numbered from `column` on, and the equations of a screw or a gear; `at` says where a body's
/// coordinates start.
pub(super) fn rows(
    kind: &JointKind,
    a: &JointFrame,
    b: &JointFrame,
    at: &dyn Fn(&JointFrame) -> usize,
    column: usize,
) -> Option<([Relative; 2], [Row; 3])> {
    match *kind {
        JointKind::Screw { pitch } => {
            let both = [at(a), at(b)];
            let (turn, first) = Relative::turn(a, b, both, column);
            let (slide, second) = Relative::slide(a, b, both, column + 1);
            let coupled = Quadratic::linear(&[(column, -pitch / TAU), (column + 1, 1.0)], 0.0);
            Some(([turn, slide], [first, second, Row::Quadratic(coupled)]))
        }
        JointKind::Gear(Gear { carrier, frames, ratio, phase }) => {
            let on = frames.map(|pose| JointFrame { body: carrier, pose });
            let (one, first) = Relative::turn(&on[0], a, [at(&on[0]), at(a)], column);
            let (other, second) = Relative::turn(&on[1], b, [at(&on[1]), at(b)], column + 1);
            let coupled = Quadratic::linear(&[(column, 1.0), (column + 1, ratio)], -phase);
            Some(([one, other], [first, second, Row::Quadratic(coupled)]))
        }
        _ => None,
    }
}
