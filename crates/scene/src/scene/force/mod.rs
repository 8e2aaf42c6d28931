//! Applied forces: what acts on bodies besides gravity, contact and joints.
//!
//! | type | what | keys |
//! |---|---|---|
//! | `constant` | a force and a torque on a body | `body`, `point`, `force`, `torque`, `axes` |
//! | `table` | the same over time | `body`, `point`, `times`, `forces`, `torques`, `axes`, `interpolation`, `ends`, `beyond` |
//! | `expression` | the same by expressions of the time `t` | `body`, `point`, `force`, `torque`, `axes` |
//! | `spring` | a spring and a damper between two points | `bodies`, `points`, `length`, `stiffness`, `damping` |
//! | `rope` | the same, which pulls only | as `spring` |
//! | `torsion_spring` | a spring and a damper about a common axis | `bodies`, `axis` or `a` and `b`, `angle`, `stiffness`, `damping` |
//! | `winch` | an elastic line that is wound in | `bodies`, `points`, `length`, `speed`, `start`, `ramp` or `times` and `speeds`, … |
//! | `windlass` | the same with a drive that stalls and a brake that slips | `bodies`, `points`, `length`, `speed`, `limit`, `brake`, … |
//!
//! Points are in their bodies' own frames. Lengths and angles that are left out are those at the start.

mod line;
mod push;
#[cfg(test)]
mod tests;
mod torsion;
mod windlass;

pub use line::{LineForceSpec, WinchForceSpec};
pub(crate) use push::interpolation;
pub use push::{
    BeyondSpec, ConstantForceSpec, EndsSpec, FormulaForceSpec, InterpolationSpec, TableForceSpec,
};
pub use torsion::TorsionForceSpec;
pub use windlass::WindlassForceSpec;

use super::frames::Frames;
use crate::read::{Reader, choice};
use rattleback_dynamics::force::Force;

choice! {
    /// An applied force by its type.
    pub enum ForceSpec by "type" {
        "constant" => Constant(ConstantForceSpec),
        "table" => Table(TableForceSpec),
        "expression" => Formula(FormulaForceSpec),
        "spring" => Spring(LineForceSpec),
        "rope" => Rope(LineForceSpec),
        "torsion_spring" => TorsionSpring(TorsionForceSpec),
        "winch" => Winch(WinchForceSpec),
        "windlass" => Windlass(WindlassForceSpec),
    }
}

impl ForceSpec {
    /// The force.
    pub(crate) fn lower(&self, frames: &Frames, reader: &mut Reader) -> Option<Force> {
        match self {
            Self::Constant(spec) => spec.lower(frames, reader).map(Force::Constant),
            Self::Table(spec) => spec.lower(frames, reader).map(Force::Table),
            Self::Formula(spec) => spec.lower(frames, reader).map(Box::new).map(Force::Formula),
            Self::Spring(spec) => spec.lower(false, frames, reader).map(Force::SpringDamper),
            Self::Rope(spec) => spec.lower(true, frames, reader).map(Force::SpringDamper),
            Self::TorsionSpring(spec) => spec.lower(frames, reader).map(Force::TorsionSpring),
            Self::Winch(spec) => spec.lower(frames, reader).map(Force::Winch),
            Self::Windlass(spec) => spec.lower(frames, reader).map(Force::Windlass),
        }
    }

    /// Whether it remembers something that only a mechanism keeps.
    pub(crate) fn remembers(&self) -> bool {
        matches!(self, Self::Windlass(_))
    }
}
