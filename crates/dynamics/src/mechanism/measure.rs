//! What can be measured on a mechanism: energy, what is left of the constraints, the forces in the joints.
//!
//! The force that an equation exerts is −Φqᵀλ. On a body with natural coordinates that is the wrench f = Q_r,
//! τ = Σ eᵢ × Q_{eᵢ} about its mass centre, since deᵢ = dθ × eᵢ.

use super::system::{Owner, System};
use super::{Mechanism, natural};
use crate::energy::Energy;
use crate::error::Result;
use crate::joint::{Action, JointId};
use crate::model::Model;
use crate::state::State;
use rattleback_geom::Vec3;

/// What is left of the constraint equations, each in its own unit (m, rad, or that of an implicit function).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Violation {
    /// The largest ∣Φ∣.
    pub position: f64,
    /// The largest ∣Φ̇∣.
    pub velocity: f64,
}

/// What a joint, and what acts on its coordinates, exerts on its second body; on the first acts the opposite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reaction {
    /// The force in world axes, in N.
    pub force: Vec3,
    /// The torque about the second frame's origin in world axes, in N m.
    pub torque: Vec3,
}

/// What springs in the joints of a model store in a state, in J.
pub(crate) fn stored_in_joints(model: &Model, state: &State) -> Result<f64> {
    if !model.actions().iter().any(|acting| matches!(acting.action, Action::Spring { .. })) {
        return Ok(0.0);
    }
    let system = System::new(model)?;
    let (mut q, mut v) = (vec![0.0; system.total], vec![0.0; system.total]);
    for (&at, motion) in system.at.iter().zip(&state.motions) {
        let range = at..at + natural::BODY;
        natural::write(motion, &mut q[range.clone()], &mut v[range]);
    }
    let first = system.active - system.relatives.len();
    let known = state.joints.as_ref().map(|joints| &joints.relative);
    let value = |column: usize| {
        let k = column - first;
        known.and_then(|known| known.get(k).copied()).unwrap_or_else(|| system.relatives[k].measure(&q))
    };
    let actions = model.actions().iter().zip(&system.acted);
    Ok(actions
        .map(|(acting, &column)| acting.action.effort(state.time, value(column), 0.0, 0.0).stored)
        .sum())
}

impl Mechanism {
    /// The energy of a state; what springs in joints store counts with the applied forces.
    pub fn energy(&mut self, state: &State) -> Result<Energy> {
        self.load(state)?;
        let mut energy = Energy::without_joints(&self.model, state)?;
        let e = &self.equations;
        for (k, (acting, &column)) in self.model.actions().iter().zip(&e.system.acted).enumerate() {
            energy.applied += e.effort(k, &acting.action, column).stored;
        }
        Ok(energy)
    }

    /// How well a state satisfies the constraints.
    pub fn violation(&mut self, state: &State) -> Result<Violation> {
        self.load(state)?;
        let e = &mut self.equations;
        e.evaluate_rows(state.time);
        let mut violation = Violation { position: 0.0, velocity: 0.0 };
        for k in 0..e.phi.len() {
            let rate = e.times(k, &e.v) + e.system.rows[k].rate(state.time);
            violation.position = violation.position.max(e.phi[k].abs());
            violation.velocity = violation.velocity.max(rate.abs());
        }
        Ok(violation)
    }

    /// The forces in all joints, in the order of declaration, from the equations of motion at the state. Where
    /// constraints are redundant they are the ones of least effort in the scaling of the method.
    pub fn reactions(&mut self, state: &State) -> Result<Vec<Reaction>> {
        self.settle(state)?;
        let mut rows = vec![Vec::new(); self.model.joints().len()];
        for (k, owner) in self.equations.system.owners.iter().enumerate() {
            if let Owner::Joint(joint) = *owner {
                rows[joint].push(k);
            }
        }
        Ok(rows.iter().enumerate().map(|(j, rows)| self.reaction(JointId(j), rows)).collect())
    }

    /// Forces and torques of the actions of the model, in the order of declaration: of a motor what it takes to move as
    /// it does, of the others what they exert.
    pub fn efforts(&mut self, state: &State) -> Result<Vec<f64>> {
        self.settle(state)?;
        Ok((0..self.model.actions().len()).map(|k| self.settled_effort(k)).collect())
    }

    /// The effort of an action at the state that was settled last.
    pub(super) fn settled_effort(&self, k: usize) -> f64 {
        let e = &self.equations;
        match e.system.motors[k] {
            Some(row) => -e.multipliers[row],
            None => e.effort(k, &self.model.actions()[k].action, e.system.acted[k]).force,
        }
    }

    /// The coordinate of each action of the model and its rate, in the order of declaration.
    pub fn coordinates(&mut self, state: &State) -> Result<Vec<[f64; 2]>> {
        self.load(state)?;
        let e = &self.equations;
        Ok(e.system.acted.iter().map(|&c| [e.q[c], e.v[c]]).collect())
    }

    /// Accelerations and multipliers of a state, which depend on nothing else: the pattern of the matrix is that of the
    /// state's own loads, whatever the last step had.
    pub(super) fn settle(&mut self, state: &State) -> Result<()> {
        self.load(state)?;
        self.equations.multipliers.fill(0.0);
        self.equations.couple(&self.model, state.time)?;
        self.balance(state.time)
    }

    /// The force of a joint with the given rows.
    fn reaction(&self, joint: JointId, rows: &[usize]) -> Reaction {
        let e = &self.equations;
        let described = &self.model.joints()[joint.0];
        // The side that moves; a joint has at least one.
        let at = [described.b.body, described.a.body].map(|body| e.system.at[body.0]);
        let (at, sign) = if at[0] < e.system.active { (at[0], -1.0) } else { (at[1], 1.0) };
        let mut force = [0.0; natural::BODY];
        for &k in rows {
            let (g, columns) = e.gradient(k);
            for (g, &c) in g.iter().zip(columns) {
                if (at..at + natural::BODY).contains(&c) {
                    force[c - at] += sign * e.multipliers[k] * g;
                }
            }
        }
        let [f, torque] = natural::wrench(&e.q[at..at + natural::BODY], &force);
        let centre = Vec3::from_column_slice(&e.q[at..at + 3]);
        let b = e.system.at[described.b.body.0];
        let s = described.b.pose.position;
        let point =
            Vec3::from_fn(|k, _| e.q[b + k] + (0..3).map(|i| s[i] * e.q[b + 3 * i + 3 + k]).sum::<f64>());
        Reaction { force: f, torque: torque - (point - centre).cross(&f) }
    }
}
