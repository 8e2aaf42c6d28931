//! Applied forces: what acts on bodies besides gravity, contact and joints.
//!
//! | force | file |
//! |---|---|
//! | constant force and torque | `constant.rs` |
//! | spring and damper between two points | `spring.rs` |

mod constant;
mod spring;

pub use constant::{Axes, Constant};
pub use spring::Spring;

use crate::body::Motion;
use crate::error::Result;
use crate::load::Load;
use crate::model::BodyModel;

/// An applied force.
#[derive(Debug, Clone, PartialEq)]
pub enum Force {
    /// A constant force and torque.
    Constant(Constant),
    /// A spring and a damper between two points.
    Spring(Spring),
}

impl Force {
    /// The load at an instant; with its derivatives if `tangent`.
    pub fn load(&self, time: f64, motions: &[Motion], tangent: bool) -> Result<Load> {
        match self {
            Self::Constant(force) => Ok(force.load(motions, tangent)),
            Self::Spring(force) => force.load(time, motions, tangent),
        }
    }

    /// Whether its bodies exist and are such that it can act on them.
    pub(crate) fn check(&self, bodies: &[BodyModel]) -> Result<()> {
        match self {
            Self::Constant(force) => force.check(bodies),
            Self::Spring(force) => force.check(bodies),
        }
    }
}
