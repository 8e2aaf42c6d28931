//! Applied forces: what acts on bodies besides gravity, contact and joints.
//!
//! | force | file |
//! |---|---|
//! | constant force and torque | `constant.rs` |
//! | force and torque by a table over time | `table.rs` |
//! | force and torque by formulas of time | `formula.rs` |
//! | spring and damper between two points, rope | `spring_damper.rs` |
//! | torsion spring about a common axis | `torsion_spring.rs` |
//! | winch with an elastic line and a limit to its tension | `winch.rs` |
//! | windlass: a drive that stalls, a brake that slips | `windlass.rs`, what it remembers `memory.rs` |
//!
//! `line.rs` is what springs, ropes and winches share: a straight line between two points. `coordinate.rs` is what
//! these share with torsion springs: the load and the tangent of a law in one coordinate.

mod constant;
mod coordinate;
mod formula;
mod line;
mod memory;
mod spring_damper;
mod table;
mod torsion_spring;
mod winch;
mod windlass;

pub use constant::{Axes, Constant};
pub use formula::FormulaForce;
pub use line::End;
pub use memory::WindlassState;
pub use spring_damper::SpringDamper;
pub use table::Table;
pub use torsion_spring::TorsionSpring;
pub use winch::Winch;
pub use windlass::{Windlass, WindlassMode, WindlassReading};

pub(crate) use memory::{advance, begin, count, loads, windlasses};

use crate::body::Motion;
use crate::error::{DynamicsError, Result};
use crate::load::Load;
use crate::model::{BodyId, BodyModel};
use rattleback_geom::Vec3;

/// An applied force.
#[derive(Debug, Clone, PartialEq)]
pub enum Force {
    /// A constant force and torque.
    Constant(Constant),
    /// A force and a torque over time.
    Table(Table),
    /// A force and a torque by formulas of time.
    Formula(Box<FormulaForce>),
    /// A spring with a damper, or a rope.
    SpringDamper(SpringDamper),
    /// A torsion spring with a damper.
    TorsionSpring(TorsionSpring),
    /// A winch and its line.
    Winch(Winch),
    /// A windlass and its line; only a mechanism keeps what it remembers.
    Windlass(Windlass),
}

impl Force {
    /// The load at an instant; with its derivatives if `tangent`. A windlass, whose load depends on what it remembers,
    /// is refused: its own [`Windlass::load`] is told.
    pub fn load(&self, time: f64, motions: &[Motion], tangent: bool) -> Result<Load> {
        Ok(match self {
            Self::Constant(force) => force.load(motions, tangent),
            Self::Table(force) => force.load(time, motions, tangent),
            Self::Formula(force) => force.load(time, motions, tangent),
            Self::SpringDamper(force) => force.load(motions, tangent),
            Self::TorsionSpring(force) => force.load(motions, tangent),
            Self::Winch(force) => force.load(time, motions, tangent),
            Self::Windlass(_) => {
                let reason = "it remembers its length, which only a mechanism does".to_owned();
                return Err(DynamicsError::Invalid { what: "a windlass".to_owned(), reason });
            }
        })
    }

    /// Whether its bodies exist and are such that it can act on them, and its numbers make sense.
    pub(crate) fn check(&self, bodies: &[BodyModel]) -> Result<()> {
        match self {
            Self::Constant(force) => force.check(bodies),
            Self::Table(force) => force.check(bodies),
            Self::Formula(force) => force.check(bodies),
            Self::SpringDamper(force) => force.check(bodies),
            Self::TorsionSpring(force) => force.check(bodies),
            Self::Winch(force) => force.check(bodies),
            Self::Windlass(force) => force.check(bodies),
        }
    }
}

/// Adds the loads of forces at an instant to `loads`: force and torque about the mass centre, in world axes, per body.
/// Does not allocate. Returns the power that they dissipate, in W.
pub fn add_loads(forces: &[Force], time: f64, motions: &[Motion], loads: &mut [[Vec3; 2]]) -> Result<f64> {
    let mut dissipated = 0.0;
    for force in forces {
        let load = force.load(time, motions, false)?;
        dissipated += load.dissipated;
        for (side, body) in load.bodies.iter().enumerate() {
            let Some(body) = body else { continue };
            let [push, turn] = load.on(side);
            let [sum, torque] = &mut loads[body.0];
            *sum += push;
            *torque += turn;
        }
    }
    Ok(dissipated)
}

/// An error if there is no such body.
fn refuse_missing(what: &str, body: BodyId, bodies: &[BodyModel]) -> Result<()> {
    if body.0 < bodies.len() {
        return Ok(());
    }
    let reason = format!("body number {} does not exist", body.0);
    Err(DynamicsError::Invalid { what: what.to_owned(), reason })
}
