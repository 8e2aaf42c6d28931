//! Applied forces: what acts on bodies besides gravity, contact and joints.
//!
//! | force | file |
//! |---|---|
//! | constant force and torque | `constant.rs` |
//! | force and torque by a table over time | `table.rs` |
//! | spring and damper between two points, rope | `spring_damper.rs` |
//! | winch with an elastic line and a limit to its tension | `winch.rs` |
//!
//! `line.rs` is what the last two share: a straight line between two points, and its tension.

mod constant;
mod line;
mod spring_damper;
mod table;
mod winch;

pub use constant::{Axes, Constant};
pub use line::End;
pub use spring_damper::SpringDamper;
pub use table::Table;
pub use winch::Winch;

use crate::body::Motion;
use crate::error::{DynamicsError, Result};
use crate::load::Load;
use crate::model::{BodyId, BodyModel};

/// An applied force.
#[derive(Debug, Clone, PartialEq)]
pub enum Force {
    /// A constant force and torque.
    Constant(Constant),
    /// A force and a torque over time.
    Table(Table),
    /// A spring with a damper, or a rope.
    SpringDamper(SpringDamper),
    /// A winch and its line.
    Winch(Winch),
}

impl Force {
    /// The load at an instant; with its derivatives if `tangent`.
    pub fn load(&self, time: f64, motions: &[Motion], tangent: bool) -> Result<Load> {
        Ok(match self {
            Self::Constant(force) => force.load(motions, tangent),
            Self::Table(force) => force.load(time, motions, tangent),
            Self::SpringDamper(force) => force.load(motions, tangent),
            Self::Winch(force) => force.load(time, motions, tangent),
        })
    }

    /// Whether its bodies exist and are such that it can act on them, and its numbers make sense.
    pub(crate) fn check(&self, bodies: &[BodyModel]) -> Result<()> {
        match self {
            Self::Constant(force) => force.check(bodies),
            Self::Table(force) => force.check(bodies),
            Self::SpringDamper(force) => force.check(bodies),
            Self::Winch(force) => force.check(bodies),
        }
    }
}

/// An error if there is no such body.
fn refuse_missing(what: &str, body: BodyId, bodies: &[BodyModel]) -> Result<()> {
    if body.0 < bodies.len() {
        return Ok(());
    }
    let reason = format!("body number {} does not exist", body.0);
    Err(DynamicsError::Invalid { what: what.to_owned(), reason })
}
