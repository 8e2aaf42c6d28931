//! The state: everything about a mechanism that changes and that changes what comes next. Plain data: it can be cloned,
//! stored and compared, and a run that goes on from a stored state goes on as if it had never stopped.

use crate::body::Motion;
use crate::model::Model;
use rattleback_contact::Ledger;
use rattleback_contact::law::ContactState;
use rattleback_geom::Vec3;

/// Where everything is and how it moves.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The time in s.
    pub time: f64,
    /// The motion of each body, in the order of the model.
    pub motions: Vec<Motion>,
    /// What each pair of parts remembers, in the order of the model.
    pub pairs: Vec<PairState>,
    /// What a mechanism remembers beyond motions, once it has been assembled. Whoever changes motions by hand takes it
    /// away, and the next step assembles again.
    pub joints: Option<JointState>,
}

/// What a mechanism of joints remembers from step to step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JointState {
    /// Accelerations of all coordinates.
    pub accelerations: Vec<f64>,
    /// The auxiliary accelerations of the generalized-α rule; empty for the trapezoidal one.
    pub averaged: Vec<f64>,
    /// The multipliers of all constraint equations.
    pub multipliers: Vec<f64>,
    /// The relative coordinates, full turns included, in rad or m.
    pub relative: Vec<f64>,
    /// Their rates.
    pub relative_rates: Vec<f64>,
    /// The step that adaptive stepping tries next, in s; zero where it has none yet.
    pub step: f64,
}

impl JointState {
    /// Takes all from another one, in the buffers that are there.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.accelerations.clone_from(&other.accelerations);
        self.averaged.clone_from(&other.averaged);
        self.multipliers.clone_from(&other.multipliers);
        self.relative.clone_from(&other.relative);
        self.relative_rates.clone_from(&other.relative_rates);
        self.step = other.step;
    }
}

/// What a pair of parts remembers.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairState {
    /// The last common normal, from which the next query starts.
    pub normal: Option<Vec3>,
    /// The contact, while the parts touch.
    pub contact: Option<ContactState>,
    /// When the last contact began, in s.
    pub since: f64,
    /// Where the energy of all contacts of the pair went so far.
    pub ledger: Ledger,
}

impl State {
    /// The state of a model at time zero with the given motions, nothing touching yet.
    pub fn new(model: &Model, motions: Vec<Motion>) -> Self {
        Self { time: 0.0, motions, pairs: vec![PairState::default(); model.pairs().len()], joints: None }
    }
}
