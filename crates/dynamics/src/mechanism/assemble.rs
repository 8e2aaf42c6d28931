//! The start: positions and velocities on the constraints, accelerations and multipliers that belong to them.
//!
//!   position:      (M + Φqᵀ α Φq) Δq = −Φqᵀ α Φ                             until Δq vanishes
//!   velocity:      (M + Φqᵀ α Φq) Δq̇ = −Φqᵀ α (Φq q̇ + Φt)                   until the right side does
//!   acceleration:  (M + Φqᵀ α Φq) q̈ = Q − Φqᵀ(λ + α(Φ̇q q̇ + Φ̇t)),   λ ← λ + α(Φq q̈ + Φ̇q q̇ + Φ̇t)
//!
//! The first two take the nearest point in the metric of the mass; each round leaves 1/(1 + κ) of the violation.
//! Source: E. Bayo, R. Ledesma, Nonlinear Dyn. 9 (1996) 113–130.

use super::equations::Weights;
use super::natural::BODY;
use super::system::Owner;
use super::{Assembly, Mechanism, Rule};
use crate::error::{DynamicsError, Result};
use crate::force;
use crate::joint::{Action, Control, JointId, Relative};
use crate::state::{JointState, State};
use rattleback_geom::Vec3;
use std::f64::consts::TAU;

/// Rounds of each stage. Newton's method doubles the digits of a position each round once it is near; what needs more
/// rounds has no solution near.
const ROUNDS: usize = 40;
/// What may be left of an equation: far above rounding, far below what a step corrects.
const CLOSED: f64 = 1e-10;
/// Corrections below this are rounding of coordinates of the order of one.
const ROUNDING: f64 = 1e-14;

impl Mechanism {
    /// Brings a state onto the constraints and gives it accelerations and multipliers. The first step does that itself.
    pub fn assemble(&mut self, state: &mut State) -> Result<()> {
        self.check(state)?;
        force::begin(self.model.forces(), &mut state.windlasses);
        self.equations.forget_loads()?;
        self.equations.step_contacts.begin(&self.model, state, 0.0, &|_| [Vec3::zeros(); 2])?;
        self.equations.read_motions(state);
        self.equations.prescribe(&self.model, state.time);
        self.measure_relatives(state.time);
        let before = state.motions.clone();
        let open = self.open_joint(state.time);
        self.close_positions(state.time)?;
        self.close_velocities(state.time);
        self.equations.multipliers.fill(0.0);
        self.equations.carry();
        self.balance(state.time)?;
        // The friction of bearings follows from what the joints carry without it, as in every step by what they carried
        // before it.
        if self.equations.system.bearings.iter().any(Option::is_some) {
            self.equations.carry();
            self.balance(state.time)?;
        }
        let mut joints = JointState::default();
        self.equations.write(state, &mut joints);
        self.equations.step_contacts.region_forces(&self.model, &state.motions, &mut joints.region_forces);
        let assembly = Assembly::new(&self.model, open, [&before, &state.motions]);
        if !self.settings.snap {
            assembly.check(&self.model, &state.motions)?;
        }
        self.assembly = Some(assembly);
        self.equations.step_contacts.book_first(&self.model, state)?;
        joints.power = self.power(state, &self.equations.multipliers)?;
        if matches!(self.settings.rule, Rule::GeneralizedAlpha { .. }) {
            joints.averaged.clone_from(&joints.accelerations);
        }
        state.joints = Some(joints);
        Ok(())
    }

    /// The relative coordinates of the bodies' positions, a driven angle with the number of turns of its motor.
    fn measure_relatives(&mut self, time: f64) {
        let e = &mut self.equations;
        let first = BODY * e.system.free.len();
        for (k, relative) in e.system.relatives.iter().enumerate() {
            let mut value = relative.measure(&e.q);
            for (acting, &column) in self.model.actions().iter().zip(&e.system.acted) {
                let (Action::Motor(law) | Action::Control(Control { target: law, .. })) = &acting.action
                else {
                    continue;
                };
                if column == first + k && matches!(relative, Relative::Turn(_)) {
                    value += TAU * ((law.at(time)[0] - value) / TAU).round();
                }
            }
            e.q[first + k] = value;
            e.v[first + k] = 0.0;
        }
    }

    /// The joint whose equations are open the farthest, and by how much, in m or rad.
    fn open_joint(&mut self, time: f64) -> Option<(JointId, f64)> {
        self.equations.evaluate_rows(time);
        let rows = self.equations.phi.iter().zip(&self.equations.system.owners);
        let open = rows.filter_map(|(phi, owner)| match owner {
            Owner::Joint(joint) => Some((JointId(*joint), phi.abs())),
            Owner::Body(_) => None,
        });
        open.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Evaluates and factorises M + Φqᵀ α Φq.
    fn prepare(&mut self, time: f64) -> bool {
        let e = &mut self.equations;
        e.evaluate_rows(time);
        e.scale_penalty(self.settings.penalty, 1.0);
        let weights = Weights { damping: 0.0, stiffness: 1.0 };
        e.fill(weights, None).is_ok() && e.matrix.factorise(true)
    }

    fn close_positions(&mut self, time: f64) -> Result<()> {
        for _ in 0..ROUNDS {
            if !self.prepare(time) {
                break;
            }
            for (k, x) in self.per_row.iter_mut().enumerate() {
                *x = -self.equations.penalty[k] * self.equations.phi[k];
            }
            self.project();
            let mut size: f64 = 0.0;
            for (q, x) in self.equations.q.iter_mut().zip(&self.right) {
                *q += x;
                size = size.max(x.abs());
            }
            if size < ROUNDING {
                break;
            }
        }
        self.equations.evaluate_rows(time);
        let system = &self.equations.system;
        // A body that joints tear apart has open equations of its own; the joints are to blame.
        for blame_joints in [true, false] {
            let mut worst = (0, 0.0);
            for (k, phi) in self.equations.phi.iter().enumerate() {
                let eligible = matches!(system.owners[k], Owner::Joint(_)) == blame_joints;
                if eligible && !(phi.abs() <= worst.1) {
                    worst = (k, phi.abs());
                }
            }
            if !(worst.1 <= CLOSED) {
                let joint = system.name_of_row(&self.model, worst.0);
                return Err(DynamicsError::CannotAssemble { joint, residual: worst.1 });
            }
        }
        Ok(())
    }

    fn close_velocities(&mut self, time: f64) {
        if !self.prepare(time) {
            return;
        }
        // Three rounds leave 1/κ³ of the violation, below rounding for any κ above 1e5.
        for _ in 0..3 {
            for (k, x) in self.per_row.iter_mut().enumerate() {
                let e = &self.equations;
                *x = -e.penalty[k] * (e.times(k, &e.v) + e.system.rows[k].rate(time));
            }
            self.project();
            let change = &self.right;
            self.equations.v.iter_mut().zip(change).for_each(|(v, x)| *v += x);
        }
    }

    /// Accelerations and multipliers at the position and velocity of the equations.
    pub(super) fn balance(&mut self, time: f64) -> Result<()> {
        let prepared = self.prepare(time);
        self.equations.evaluate_forces(&self.model, time, false)?;
        for (k, x) in self.convective.iter_mut().enumerate() {
            let e = &self.equations;
            *x = e.system.rows[k].convective(time, &e.q, &e.v);
        }
        let active = self.equations.system.active;
        self.equations.a[..active].fill(0.0);
        for _ in 0..ROUNDS {
            let e = &self.equations;
            self.right.copy_from_slice(&e.force);
            let gamma = &self.convective;
            e.add_transposed(|k| -(e.multipliers[k] + e.penalty[k] * gamma[k]), &mut self.right);
            if !(prepared && e.matrix.solve(&mut self.right)) {
                return Err(DynamicsError::NotFinite { time, what: "an acceleration at the start" });
            }
            let (mut change, mut size) = (0.0_f64, 0.0_f64);
            for (a, x) in self.equations.a.iter_mut().zip(&self.right) {
                change = change.max((*a - x).abs());
                size = size.max(x.abs());
                *a = *x;
            }
            for k in 0..self.convective.len() {
                let e = &mut self.equations;
                let x = e.times(k, &e.a) + self.convective[k];
                e.multipliers[k] += e.penalty[k] * x;
            }
            // κ of the matrix's digits are lost in a solution, which bounds how far the iteration can settle.
            if change <= 1e-15 * self.settings.penalty.sqrt() * size {
                break;
            }
        }
        Ok(())
    }
}
