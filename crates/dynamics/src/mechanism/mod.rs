//! Mechanisms: bodies held together by joints, in natural coordinates, by the index-3 augmented Lagrangian with
//! projections.
//!
//! ```
//! use rattleback_dynamics::joint::{JointFrame, Joint, JointKind};
//! use rattleback_dynamics::mechanism::Settings;
//! use rattleback_dynamics::{Body, BodyModel, Mechanism, Model, Motion, Result, State};
//! use rattleback_geom::{Mat3, Pose, Vec3};
//!
//! # fn main() -> Result<()> {
//! let mut builder = Model::builder();
//! builder.gravity(Vec3::new(0.0, -9.81, 0.0));
//! let world = builder.body(BodyModel::fixed("world"));
//! let rod = Body { mass: 1.0, inertia: Mat3::from_diagonal(&Vec3::new(0.001, 1.0 / 12.0, 1.0 / 12.0)) };
//! let rod = builder.body(BodyModel::free("rod", rod));
//! builder.joint(Joint {
//!     name: "hinge".to_owned(),
//!     kind: JointKind::Revolute,
//!     a: JointFrame { body: world, pose: Pose::identity() },
//!     b: JointFrame { body: rod, pose: Pose::from_position(-0.5, 0.0, 0.0) },
//! });
//! let model = builder.build()?;
//! let place = |x| Motion::at_rest(Pose::from_position(x, 0.0, 0.0));
//! let mut state = State::new(vec![place(0.0), place(0.5)]);
//! let mut mechanism = Mechanism::new(&model, Settings::default().with_step(0.01))?;
//! mechanism.assemble(&mut state)?;
//! let before = mechanism.energy(&state)?.total();
//! mechanism.advance(&mut state, 1.0, &mut |_, _| Ok(()))?;
//! assert!((mechanism.energy(&state)?.total() - before).abs() < 1e-2);
//! assert!(mechanism.violation(&state)?.position < 1e-10);
//! # Ok(())
//! # }
//! ```
//!
//! | file | content |
//! |---|---|
//! | `natural.rs` | natural coordinates, mass matrix, how loads act on them |
//! | `system.rs` | coordinates and constraint equations of a model |
//! | `equations.rs` | equations of motion and their matrix; the scaling of the penalty |
//! | `scatter.rs`, `matrix.rs` | its sparse pattern, its factors |
//! | `rule.rs` | trapezoidal and generalized-α rules |
//! | `step.rs` | one step |
//! | `advance.rs` | steps that are cut in half, fixed and adaptive steps |
//! | `assemble.rs`, `assembly.rs` | the start; by how much it moves bodies |
//! | `step_contacts.rs`, `trial_contact.rs` | contacts within a step and after it; one of them |
//! | `region_force.rs`, `passage.rs` | the work of regions; thin bodies that meet within a step |
//! | `work.rs` | what is dissipated, what motors and prescribed bodies take |
//! | `measure.rs`, `joint_reading.rs` | energy, violation, reactions; coordinates, rates and motors of joints |
//! | `linear.rs` | linear equations about a state at rest |
//! | `settings.rs` | how it is integrated |
//!
//! What holds for all: the state is the only memory, so that a run that goes on from a stored state repeats every bit;
//! buffers are made with the mechanism; redundant constraints are tolerated, their multipliers share the load.

mod advance;
mod assemble;
pub(crate) mod assembly;
mod equations;
mod joint_reading;
mod linear;
mod matrix;
mod measure;
mod natural;
mod passage;
mod region_force;
mod rule;
mod scatter;
mod settings;
mod step;
mod step_contacts;
mod system;
#[cfg(test)]
mod tests;
mod trial_contact;
mod work;

pub use assembly::{Assembly, BodyChange};
pub use joint_reading::{CoordinateReading, JointReading};
pub(crate) use linear::Linear;
pub(crate) use measure::stored_in_joints;
pub use measure::{Reaction, Violation};
pub use region_force::RegionForce;
pub use settings::{Rule, Settings, Step};

use crate::contact_set::ActiveContact;
use crate::error::{DynamicsError, Result};
use crate::integrator::Statistics;
use crate::model::{Model, PairId};
use crate::state::State;
use equations::Equations;
use rattleback_geom::Vec3;

/// A model ready to be moved: equations and scratch. What changes is in [`State`].
#[derive(Debug, Clone)]
pub struct Mechanism {
    model: Model,
    settings: Settings,
    equations: Equations,
    displacement: Vec<f64>,
    right: Vec<f64>,
    start: Vec<f64>,
    start_rate: Vec<f64>,
    constants: Vec<[f64; 2]>,
    averaged: Vec<f64>,
    per_row: Vec<f64>,
    convective: Vec<f64>,
    /// The multipliers that belong to the accelerations at the end of the step.
    balanced: Vec<f64>,
    /// By how much the power at the beginning of the step changes with the windlasses' rates.
    jump: f64,
    saved: State,
    assembly: Option<Assembly>,
    statistics: Statistics,
}

impl Mechanism {
    /// The equations of a model.
    pub fn new(model: &Model, settings: Settings) -> Result<Self> {
        settings.check()?;
        let equations = Equations::new(model)?;
        let (active, rows) = (equations.system.active, equations.system.rows.len());
        Ok(Self {
            model: model.clone(),
            settings,
            equations,
            displacement: vec![0.0; active],
            right: vec![0.0; active],
            start: vec![0.0; active],
            start_rate: vec![0.0; active],
            constants: vec![[0.0; 2]; active],
            averaged: Vec::with_capacity(active),
            per_row: vec![0.0; rows],
            convective: vec![0.0; rows],
            balanced: vec![0.0; rows],
            jump: 0.0,
            saved: State::new(Vec::new()),
            assembly: None,
            statistics: Statistics::default(),
        })
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Unknown coordinates and constraint equations, those that keep bodies rigid included.
    pub fn size(&self) -> (usize, usize) {
        (self.equations.system.active, self.equations.system.rows.len())
    }

    /// What has been spent so far: steps, those of steps that were cut in half each, and iterations as evaluations.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// By how much the last assembly moved the bodies; none where no state was assembled.
    pub fn assembly(&self) -> Option<&Assembly> {
        self.assembly.as_ref()
    }

    /// The contacts at the end of the last step with their forces, in declared order.
    pub fn active_contacts(&self) -> &[(PairId, ActiveContact)] {
        self.equations.step_contacts.active_contacts()
    }

    /// Whether a state fits the model.
    fn check(&self, state: &State) -> Result<()> {
        state.check(&self.model)?;
        let Some(joints) = &state.joints else { return Ok(()) };
        let expected = self.equations.system.active;
        if joints.accelerations.len() != expected {
            let found = joints.accelerations.len();
            return Err(DynamicsError::Dimension { field: "accelerations", found, expected });
        }
        let (found, expected) = (joints.multipliers.len(), self.equations.system.rows.len());
        if found != expected {
            return Err(DynamicsError::Dimension { field: "multipliers", found, expected });
        }
        let (found, expected) = (joints.relative.len(), self.equations.system.relatives.len());
        if found != expected || joints.relative_rates.len() != expected {
            return Err(DynamicsError::Dimension { field: "relative coordinates", found, expected });
        }
        Ok(())
    }

    /// Takes a state as it is, assembled or not.
    fn load(&mut self, state: &State) -> Result<()> {
        self.check(state)?;
        self.equations.step_contacts.begin(&self.model, state, 0.0, &|_| [Vec3::zeros(); 2])?;
        match &state.joints {
            Some(joints) => self.equations.read(state, joints),
            None => {
                self.equations.read_motions(state);
                self.equations.carried.fill(0.0);
                let first = self.equations.system.active - self.equations.system.relatives.len();
                for (k, relative) in self.equations.system.relatives.iter().enumerate() {
                    self.equations.q[first + k] = relative.measure(&self.equations.q);
                    self.equations.v[first + k] = 0.0;
                }
            }
        }
        self.equations.prescribe(&self.model, state.time);
        Ok(())
    }
}
