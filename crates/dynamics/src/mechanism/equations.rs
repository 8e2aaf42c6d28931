//! The equations of motion at a position and a velocity, and the matrix of the method:
//!
//!   M q̈ + Φqᵀ(αΦ + λ*) = Q,     A = M + c C + s (Φqᵀ α Φq + K + Σ λ*_k Φ_k,qq)
//!
//! | symbol | here |
//! |---|---|
//! | q, q̇, q̈ | `q`, `v`, `a`, those of fixed bodies included |
//! | Φ, Φq | `phi`, `gradients` (row by row over the row's columns) |
//! | α, λ* | `penalty`, `multipliers` |
//! | Q, K = −∂Q/∂q, C = −∂Q/∂q̇ | `force`, and from the loads when the matrix is filled |
//! | c, s | [`Weights`] |
//!
//! The exact derivative has (λ* + αΦ)_k in the last term. What αΦ adds to λ* before the iteration has settled is the
//! error of the prediction magnified by κ, and A is better without it.
//!
//! Scaling: α_k = κ/(s Σ_j Φ_k,j²/m_j) with m_j the mass of a coordinate, so that the penalty outweighs the inertia by
//! κ in every equation, whatever its unit and whatever the step; the iteration on λ* then contracts by 1/(1 + κ). A
//! relative coordinate has no mass; it counts with that of the equation that defines it.

use super::matrix::Matrix;
use super::natural;
use super::scatter::{Couple, Scatter};
use super::step_contacts::StepContacts;
use super::system::System;
use crate::body::Motion;
use crate::error::Result;
use crate::force::{self, WindlassState};
use crate::joint::{Action, Effort};
use crate::load::Load;
use crate::model::{Mobility, Model};
use crate::state::{JointState, State};

/// The factors of damping and stiffness in the matrix.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weights {
    pub(super) damping: f64,
    pub(super) stiffness: f64,
}

/// Coordinates, equations and scratch.
#[derive(Debug, Clone)]
pub(super) struct Equations {
    pub(super) system: System,
    pub(super) q: Vec<f64>,
    pub(super) v: Vec<f64>,
    pub(super) a: Vec<f64>,
    pub(super) phi: Vec<f64>,
    pub(super) gradients: Vec<f64>,
    pub(super) penalty: Vec<f64>,
    pub(super) multipliers: Vec<f64>,
    pub(super) force: Vec<f64>,
    pub(super) matrix: Matrix,
    pub(super) step_contacts: StepContacts,
    /// What the windlasses remember at the instant that the equations are at.
    pub(super) windlasses: Vec<WindlassState>,
    /// For each action the force that its joint carries, constant within a step; zero for those that need none.
    pub(super) carried: Vec<f64>,
    /// Whether the matrix takes dry friction in joints by parabolas above its potential, and not by its tangents.
    pub(super) majorises: bool,
    /// The instant that the equations are at.
    time: f64,
    scatter: Scatter,
    motions: Vec<Motion>,
    loads: Vec<Load>,
    /// The bodies that may be pressed in regions, coupled with themselves: regions come and go, the pattern stays.
    standing: Vec<Couple>,
    couples: Vec<Couple>,
    weight: Vec<f64>,
}

impl Equations {
    pub(super) fn new(model: &Model) -> Result<Self> {
        let system = System::new(model)?;
        let step_contacts = StepContacts::new(model)?;
        let mut standing: Vec<Couple> =
            step_contacts.in_regions().map(|body| [system.at[body.0]; 2].into()).collect();
        standing.retain(|couple| couple.0 < system.active);
        standing.sort_unstable();
        standing.dedup();
        let (scatter, matrix) = Scatter::new(&system, &standing)?;
        let rows = system.rows.len();
        Ok(Self {
            q: vec![0.0; system.total],
            v: vec![0.0; system.total],
            a: vec![0.0; system.total],
            phi: vec![0.0; rows],
            gradients: vec![0.0; system.starts[rows]],
            penalty: vec![0.0; rows],
            multipliers: vec![0.0; rows],
            force: vec![0.0; system.active],
            weight: system.weight.clone(),
            majorises: false,
            matrix,
            step_contacts,
            standing,
            windlasses: Vec::new(),
            carried: vec![0.0; system.acted.len()],
            time: 0.0,
            scatter,
            motions: Vec::new(),
            loads: Vec::new(),
            couples: Vec::new(),
            system,
        })
    }

    /// Takes positions and velocities of the bodies from a state.
    pub(super) fn read_motions(&mut self, state: &State) {
        self.motions.clone_from(&state.motions);
        self.windlasses.clone_from(&state.windlasses);
        for (b, motion) in state.motions.iter().enumerate() {
            let at = self.system.at[b];
            let range = at..at + natural::BODY;
            natural::write(motion, &mut self.q[range.clone()], &mut self.v[range.clone()]);
            if at >= self.system.active {
                self.v[range].fill(0.0);
            }
        }
    }

    /// Puts prescribed bodies where they are at a time, with their velocities and accelerations: columns of the
    /// equations that are known, like those of fixed bodies.
    pub(super) fn prescribe(&mut self, model: &Model, time: f64) {
        self.time = time;
        for (b, body) in model.bodies().iter().enumerate() {
            if let Mobility::Prescribed(prescribed) = &body.mobility {
                let range = self.system.at[b]..self.system.at[b] + natural::BODY;
                let there = prescribed.at(time);
                natural::write(&there.motion, &mut self.q[range.clone()], &mut self.v[range.clone()]);
                natural::write_accelerations(&there, &mut self.a[range]);
                self.motions[b] = there.motion;
            }
        }
    }

    /// Takes all from a state and what its joints remember.
    pub(super) fn read(&mut self, state: &State, joints: &JointState) {
        self.read_motions(state);
        let active = self.system.active;
        let first = active - joints.relative.len();
        self.q[first..active].copy_from_slice(&joints.relative);
        self.v[first..active].copy_from_slice(&joints.relative_rates);
        self.a[..active].copy_from_slice(&joints.accelerations);
        self.multipliers.copy_from_slice(&joints.multipliers);
        self.carry();
    }

    /// Takes the forces that bearings carry from the multipliers: those of the equations that keep two points together.
    pub(super) fn carry(&mut self) {
        for (carried, row) in self.carried.iter_mut().zip(&self.system.bearings) {
            *carried = row.map_or(0.0, |k| {
                let [x, y, z] = [0, 1, 2].map(|i| self.multipliers[k + i]);
                (x * x + y * y + z * z).sqrt()
            });
        }
    }

    /// Gives all back.
    pub(super) fn write(&mut self, state: &mut State, joints: &mut JointState) {
        self.update_motions();
        state.motions.clone_from(&self.motions);
        state.windlasses.clone_from(&self.windlasses);
        let active = self.system.active;
        let first = active - self.system.relatives.len();
        joints.relative.clear();
        joints.relative.extend_from_slice(&self.q[first..active]);
        joints.relative_rates.clear();
        joints.relative_rates.extend_from_slice(&self.v[first..active]);
        joints.accelerations.clear();
        joints.accelerations.extend_from_slice(&self.a[..active]);
        joints.multipliers.clone_from(&self.multipliers);
    }

    fn update_motions(&mut self) {
        for &b in &self.system.free {
            let range = self.system.at[b]..self.system.at[b] + natural::BODY;
            let near = self.motions[b].pose.orientation;
            self.motions[b] = natural::read(&self.q[range.clone()], &self.v[range], &near);
        }
    }

    /// Φ and Φq.
    pub(super) fn evaluate_rows(&mut self, time: f64) {
        for (k, row) in self.system.rows.iter().enumerate() {
            self.phi[k] = row.value(time, &self.q);
            let range = self.system.starts[k]..self.system.starts[k + 1];
            row.gradient(&self.q, &mut self.gradients[range]);
        }
    }

    /// The gradient of a row and its columns.
    pub(super) fn gradient(&self, k: usize) -> (&[f64], &[usize]) {
        (&self.gradients[self.system.starts[k]..self.system.starts[k + 1]], self.system.rows[k].columns())
    }

    /// Q; keeps the loads with their derivatives if `tangent`.
    pub(super) fn evaluate_forces(&mut self, model: &Model, time: f64, tangent: bool) -> Result<()> {
        self.time = time;
        self.update_motions();
        self.loads.clear();
        for load in force::loads(model.forces(), &self.windlasses, time, &self.motions, tangent) {
            self.loads.push(load?);
        }
        self.step_contacts.collect(model, &self.motions, tangent, &mut self.loads)?;
        self.force.copy_from_slice(&self.system.gravity);
        for load in &self.loads {
            for side in 0..2 {
                let Some(body) = load.bodies[side] else { continue };
                let at = self.system.at[body.0];
                if at < self.system.active {
                    let range = at..at + natural::BODY;
                    natural::add_force(&self.q[range.clone()], load.on(side), &mut self.force[range]);
                }
            }
        }
        for (k, (acting, &column)) in model.actions().iter().zip(&self.system.acted).enumerate() {
            self.force[column] += self.effort(k, &acting.action, column).force;
        }
        Ok(())
    }

    /// What the action number `k` of the model exerts on its coordinate.
    pub(super) fn effort(&self, k: usize, action: &Action, column: usize) -> Effort {
        action.effort(self.time, self.q[column], self.v[column], self.carried[k])
    }

    /// Sets α for the weight `s` of the stiffness; the rows are those of [`Self::evaluate_rows`].
    pub(super) fn scale_penalty(&mut self, kappa: f64, s: f64) {
        let first = self.system.active - self.system.relatives.len();
        self.weight[first..].fill(0.0);
        let mut defined = 0;
        for k in 0..self.system.rows.len() {
            let (g, columns) = self.gradient(k);
            let mut compliance = 0.0;
            for (g, &c) in g.iter().zip(columns) {
                if c < self.system.active && self.weight[c] > 0.0 {
                    compliance += g * g / self.weight[c];
                }
            }
            let mass = if compliance > 0.0 { 1.0 / compliance } else { 1.0 };
            self.penalty[k] = kappa * mass / s;
            if self.system.defined.get(defined).is_some_and(|&(_, row)| row == k) {
                self.weight[first + defined] = mass;
                defined += 1;
            }
        }
    }

    /// The loads of the last evaluation.
    pub(super) fn loads(&self) -> &[Load] {
        &self.loads
    }

    /// Takes the pattern without loads, so that what follows does not depend on earlier ones.
    pub(super) fn forget_loads(&mut self) -> Result<()> {
        self.loads.clear();
        self.update_pattern()
    }

    /// Takes the pattern of the loads that act at a time.
    pub(super) fn couple(&mut self, model: &Model, time: f64) -> Result<()> {
        self.evaluate_forces(model, time, true)?;
        self.update_pattern()
    }

    /// The places of the loads' blocks; a new analysis where the set of coupled bodies has changed.
    fn update_pattern(&mut self) -> Result<()> {
        self.couples.clone_from(&self.standing);
        for load in self.loads.iter().filter(|load| load.tangent.is_some()) {
            let at = load.bodies.map(|body| body.map_or(usize::MAX, |b| self.system.at[b.0]));
            for &a in at.iter().filter(|&&a| a < self.system.active) {
                for &b in at.iter().filter(|&&b| b < self.system.active) {
                    self.couples.push((a, b));
                }
            }
        }
        self.couples.sort_unstable();
        self.couples.dedup();
        if self.couples != self.scatter.couples() {
            (self.scatter, self.matrix) = Scatter::new(&self.system, &self.couples)?;
        }
        Ok(())
    }

    /// Fills the matrix A with M and Φqᵀ α Φq, and with all the rest if `model` is given.
    pub(super) fn fill(&mut self, weights: Weights, model: Option<&Model>) -> Result<()> {
        if model.is_some() {
            self.update_pattern()?;
        }
        let values = self.matrix.values();
        values.fill(0.0);
        self.scatter.add_mass(values);
        for (k, row) in self.system.rows.iter().enumerate() {
            let g = &self.gradients[self.system.starts[k]..self.system.starts[k + 1]];
            self.scatter.add_product(k, weights.stiffness * self.penalty[k], g, values);
            if model.is_some() {
                let factor = weights.stiffness * self.multipliers[k];
                row.hessian(&self.q, &mut |i, j, h| {
                    self.scatter.add_entry(k, [i, j], g.len(), factor * h, values);
                });
            }
        }
        let Some(model) = model else { return Ok(()) };
        let first = self.system.active - self.system.relatives.len();
        for (k, (acting, &column)) in model.actions().iter().zip(&self.system.acted).enumerate() {
            let effort = acting.action.effort(self.time, self.q[column], self.v[column], self.carried[k]);
            let by_rate = effort.by_rate - if self.majorises { effort.steeper } else { 0.0 };
            let x = -weights.stiffness * effort.by_value - weights.damping * by_rate;
            self.scatter.add_relative(column - first, x, values);
        }
        self.fill_loads(weights);
        Ok(())
    }

    /// Whether the matrix is symmetric: a load's derivatives need not be. Where bodies press in regions it is made so,
    /// since the regions' own derivatives are symmetric and what others leave out is small.
    pub(super) fn is_symmetric(&self) -> bool {
        self.is_symmetrised() || self.loads.iter().all(|load| load.tangent.is_none())
    }

    fn is_symmetrised(&self) -> bool {
        !self.standing.is_empty()
    }

    fn fill_loads(&mut self, weights: Weights) {
        let symmetrised = self.is_symmetrised();
        let values = self.matrix.values();
        for load in &self.loads {
            let at = load.bodies.map(|body| body.map(|b| self.system.at[b.0]));
            let known = at.map(|at| {
                at.map(|at| {
                    let range = at..at + natural::BODY;
                    (&self.q[range.clone()], &self.v[range])
                })
            });
            let Some([by_value, by_rate]) = natural::tangents(load, known) else { continue };
            for (i, a) in at.iter().enumerate() {
                for (j, b) in at.iter().enumerate() {
                    let (Some(a), Some(b)) = (*a, *b) else { continue };
                    let entry = |r: usize, c: usize| {
                        let at =
                            |place| -weights.stiffness * by_value[place] - weights.damping * by_rate[place];
                        let (r, c) = (12 * i + r, 12 * j + c);
                        if symmetrised { 0.5 * (at((r, c)) + at((c, r))) } else { at((r, c)) }
                    };
                    self.scatter.add_block((a, b), entry, values);
                }
            }
        }
    }

    /// Adds Φqᵀ x, with x given per row.
    pub(super) fn add_transposed(&self, x: impl Fn(usize) -> f64, out: &mut [f64]) {
        for k in 0..self.system.rows.len() {
            let factor = x(k);
            let (g, columns) = self.gradient(k);
            for (g, &c) in g.iter().zip(columns) {
                if c < self.system.active {
                    out[c] += factor * g;
                }
            }
        }
    }

    /// Row k of Φq x.
    pub(super) fn times(&self, k: usize, x: &[f64]) -> f64 {
        let (g, columns) = self.gradient(k);
        g.iter().zip(columns).map(|(g, &c)| g * x[c]).sum()
    }

    /// Adds M x.
    pub(super) fn add_mass_times(&self, x: &[f64], out: &mut [f64]) {
        for &(r, c, m) in &self.system.mass {
            out[r] += m * x[c];
        }
    }
}
