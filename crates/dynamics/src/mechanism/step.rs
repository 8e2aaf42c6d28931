//! One step: the index-3 augmented Lagrangian with projections.
//!
//!   [M + c C + s (Φqᵀ α Φq + K + K_λ)] Δq = −s [M q̈ + Φqᵀ(αΦ + λ*) − Q],   λ* ← λ* + αΦ                    (1)
//!   the same matrix projects q̇ with −s Φqᵀ α (Φq q̇ + Φt) and q̈ with −s Φqᵀ α (Φq q̈ + Φ̇q q̇ + Φ̇t)          (2)
//!
//! with s = Δt²/4 and c = Δt/2 for the trapezoidal rule; `rule.rs` has those of the others and eliminates q̇ and q̈.
//!
//! | symbol | here |
//! |---|---|
//! | Δq, Σ Δq | `right`, `displacement` |
//! | K_λ = Σ λ*_k Φ_k,qq | the geometric term |
//! | α, λ* | `penalty`, `multipliers` of `equations.rs`, where the scaling of α stands |
//!
//! Source: J. Cuadrado, J. Cardenal, P. Morer, E. Bayo, Intelligent simulation of multibody dynamics: space-state and
//! descriptor methods in sequential and parallel computing environments, Multibody Syst. Dyn. 4 (2000) 55–73;
//! E. Bayo, R. Ledesma, Nonlinear Dyn. 9 (1996) 113–130, for the projections.
//!
//! Dry friction in joints that carry much and weigh little: I φ̇/Δt + T tanh(φ̇/w) = b sends Newton's method from one
//! side of zero to the other, each time with the slope I/Δt alone, unless Δt < I w/T. Where it does not converge, the
//! step is tried again: its first iterations take for each friction the parabola above its potential T w ln cosh(φ̇/w)
//! that touches it (`Effort::steeper`), whose minimum is nearer to the solution whatever the step; Newton's method
//! goes on from there.
//!
//! Departures: K_λ is added, without which (1) converges linearly where reaction moments meet small inertias; (2) is
//! written for the change of q̇ instead of q̇ and applied until the change is rounding, which takes what is left of the
//! velocity equations from 1/κ to nothing.

use super::Mechanism;
use super::equations::Equations;
use super::natural::{BODY, accelerations_of};
use super::rule::Discrete;
use super::settings::Rule;
use crate::error::Result;
use crate::force;
use crate::model::BodyId;
use crate::state::{JointState, State};
use rattleback_geom::Vec3;

/// Applications of each projection at most. Each leaves 1/(1 + κ) of the violation, so that two or three do; near a
/// singular position a direction settles more slowly, and is left to the next steps.
const PROJECTIONS: usize = 12;

/// A correction of this share of the largest coordinate is rounding of the constraint equations.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// A slow correction of this share of the step's displacement may be left: of the order of the rule's own local error.
const SLOW: f64 = 1e-5;

/// Iterations after which one that no longer contracts is given up. Newton's method takes three to five; only a slow
/// multiplier takes more, and that contracts steadily.
const PATIENCE: usize = 8;

/// Iterations with parabolas in place of friction, where Newton's method alone has failed. Each leaves a joint that
/// sticks 1 − 2u/sinh 2u of its error in u = φ̇/w, next to nothing for u below one half.
const MAJORISED: usize = 16;

/// What may be left of a constraint, as a share of the largest coordinate: far above what converges, far below what a
/// contradiction leaves.
const CLOSED: f64 = 1e-7;

/// Why a step failed: the worst coordinate and its last change.
#[derive(Debug, Clone, Copy)]
pub(super) struct StepFailure {
    pub(super) column: usize,
    pub(super) residual: f64,
}

impl Mechanism {
    /// Tries a step of `h` to the time `end`. The result stays in the equations; `state` is only read.
    pub(super) fn try_step(
        &mut self,
        state: &State,
        joints: &JointState,
        h: f64,
        end: f64,
    ) -> Result<std::result::Result<(), StepFailure>> {
        let failed = match self.try_step_from(state, joints, [h, end], 0)? {
            Ok(()) => return Ok(Ok(())),
            Err(failed) => failed,
        };
        if !self.model.actions().iter().any(|acting| acting.action.is_dry_friction()) {
            return Ok(Err(failed));
        }
        let again = self.try_step_from(state, joints, [h, end], MAJORISED);
        self.equations.majorises = false;
        again
    }

    /// The same with dry friction by parabolas in the first `majorised` iterations.
    fn try_step_from(
        &mut self,
        state: &State,
        joints: &JointState,
        [h, end]: [f64; 2],
        majorised: usize,
    ) -> Result<std::result::Result<(), StepFailure>> {
        let rule = Discrete::new(self.settings.rule, h);
        let Equations { system, step_contacts, .. } = &mut self.equations;
        let accelerations = |body: BodyId| {
            let at = system.at[body.0];
            let known = joints.accelerations.get(at..at + BODY).filter(|_| at < system.active);
            known.map_or([Vec3::zeros(); 2], |known| accelerations_of(&state.motions[body.0].pose, known))
        };
        step_contacts.begin(&self.model, state, h, &accelerations)?;
        self.begin(state, joints, &rule, h);
        self.equations.prescribe(&self.model, end);
        let mut worst = StepFailure { column: 0, residual: f64::INFINITY };
        let mut previous;
        let mut updated = false;
        for iteration in 0..majorised + self.settings.iterations {
            self.equations.majorises = iteration < majorised;
            self.place(&rule);
            self.equations.evaluate_rows(end);
            if iteration > 0 && !updated {
                self.update_multipliers();
            }
            updated = false;
            if !self.correct(&rule, end)? {
                return Ok(Err(worst));
            }
            previous = worst.residual;
            worst = StepFailure { column: 0, residual: 0.0 };
            let (mut moved, mut far) = (0.0_f64, 1.0_f64);
            for (column, (d, x)) in self.displacement.iter_mut().zip(&self.right).enumerate() {
                *d += x;
                moved = moved.max(d.abs());
                far = far.max(self.start[column].abs());
                if x.abs() > worst.residual {
                    worst = StepFailure { column, residual: x.abs() };
                }
            }
            if self.converged(iteration.saturating_sub(majorised), worst.residual, previous, [moved, far]) {
                self.place(&rule);
                self.equations.evaluate_rows(end);
                self.update_multipliers();
                updated = true;
                let open = self.widest();
                if open.residual <= CLOSED * far {
                    self.finish(&rule, end);
                    return Ok(Ok(()));
                }
                // Constraints that contradict each other bring the motion to rest between them, not to zero.
                if iteration >= majorised + PATIENCE {
                    return Ok(Err(open));
                }
            }
            if iteration >= majorised + PATIENCE && worst.residual > previous {
                break;
            }
        }
        Ok(Err(worst))
    }

    /// Whether a correction is the last: below the tolerance, or small and no longer shrinking. Near a singular
    /// position some direction has a small singular value σ of Φq. It turns a rounding error ε of Φ into κσε/(1 + κσ²)
    /// ≤ ½√κ ε, and its multiplier settles by no more than 1/(1 + κσ²) per iteration, with next to no effect on the
    /// motion.
    fn converged(&self, iteration: usize, size: f64, previous: f64, [moved, far]: [f64; 2]) -> bool {
        let rounding = 16.0 * self.settings.penalty.sqrt() * f64::EPSILON * far;
        let settling = iteration >= PATIENCE && size <= previous && size <= SLOW * moved;
        let slow = size > 0.25 * previous && (size <= rounding || settling);
        size <= self.settings.tolerance * moved + ROUNDING * far || slow
    }

    /// The constraint equation farthest from zero as a distance, and one of its coordinates.
    fn widest(&self) -> StepFailure {
        let e = &self.equations;
        let mut worst = StepFailure { column: 0, residual: 0.0 };
        for (k, phi) in e.phi.iter().enumerate() {
            let (g, columns) = e.gradient(k);
            let distance = phi.abs() / g.iter().map(|g| g * g).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
            if !(distance <= worst.residual) {
                let column = columns.iter().copied().find(|&c| c < e.system.active).unwrap_or(0);
                worst = StepFailure { column, residual: distance };
            }
        }
        worst
    }

    /// Takes the start of the step and predicts its end.
    fn begin(&mut self, state: &State, joints: &JointState, rule: &Discrete, h: f64) {
        let equations = &mut self.equations;
        equations.read(state, joints);
        equations.prescribe(&self.model, state.time);
        let motions = &state.motions;
        self.jump = force::advance(self.model.forces(), &mut equations.windlasses, state.time, h, motions);
        self.averaged.clear();
        match self.settings.rule {
            Rule::GeneralizedAlpha { .. } if joints.averaged.len() == equations.system.active => {
                self.averaged.extend_from_slice(&joints.averaged);
            }
            _ => self.averaged.extend_from_slice(&joints.accelerations),
        }
        for i in 0..equations.system.active {
            let (v, a) = (equations.v[i], equations.a[i]);
            self.start[i] = equations.q[i];
            self.start_rate[i] = v;
            self.constants[i] = rule.constants(v, a, self.averaged[i]);
            self.displacement[i] = h * (v + 0.5 * h * a);
        }
        equations.evaluate_rows(state.time);
        equations.scale_penalty(self.settings.penalty, rule.weights().stiffness);
    }

    /// Positions, velocities and accelerations that belong to the displacement.
    fn place(&mut self, rule: &Discrete) {
        for (i, &d) in self.displacement.iter().enumerate() {
            let [rate, acceleration] = self.constants[i];
            self.equations.q[i] = self.start[i] + d;
            self.equations.v[i] = rule.rate * d + rate;
            self.equations.a[i] = rule.acceleration * d + acceleration;
        }
    }

    fn update_multipliers(&mut self) {
        let e = &mut self.equations;
        for (k, lambda) in e.multipliers.iter_mut().enumerate() {
            *lambda += e.penalty[k] * e.phi[k];
        }
    }

    /// Solves (1) for the next correction, in `right`; false where the matrix is singular or a number is not finite.
    fn correct(&mut self, rule: &Discrete, end: f64) -> Result<bool> {
        let weights = rule.weights();
        self.statistics.evaluations += 1;
        let e = &mut self.equations;
        if !e.phi.iter().chain(&e.q).all(|x| x.is_finite()) {
            return Ok(false);
        }
        e.evaluate_forces(&self.model, end, true)?;
        for (r, f) in self.right.iter_mut().zip(&e.force) {
            *r = -f;
        }
        e.add_mass_times(&e.a, &mut self.right);
        e.add_transposed(|k| e.penalty[k] * e.phi[k] + e.multipliers[k], &mut self.right);
        self.right.iter_mut().for_each(|r| *r *= -weights.stiffness);
        e.fill(weights, Some(&self.model))?;
        self.statistics.jacobians += 1;
        self.statistics.factorisations += 1;
        let symmetric = e.is_symmetric();
        Ok(e.matrix.factorise(symmetric) && e.matrix.solve(&mut self.right))
    }

    /// The projections (2), with the factors of the last iteration.
    ///
    /// λ* belongs to the accelerations before their projection, which where a motor or a prescribed body moves the
    /// constraints are those of t₁ − h/3: of first order. M Δq̈ = −s Φqᵀ α (Φq q̈ + Φ̇q q̇ + Φ̇t), up to terms of the
    /// order h and with the q̈ after the change, says what has to be added to it.
    fn finish(&mut self, rule: &Discrete, end: f64) {
        for i in 0..self.displacement.len() {
            self.averaged[i] = rule.next(self.displacement[i], self.start_rate[i], self.averaged[i]);
        }
        let s = rule.weights().stiffness;
        for _ in 0..PROJECTIONS {
            for (k, x) in self.per_row.iter_mut().enumerate() {
                let e = &self.equations;
                *x = -s * e.penalty[k] * (e.times(k, &e.v) + e.system.rows[k].rate(end));
            }
            self.project();
            if add(&mut self.equations.v, &self.right) {
                break;
            }
        }
        for (k, x) in self.convective.iter_mut().enumerate() {
            let e = &self.equations;
            *x = e.system.rows[k].convective(end, &e.q, &e.v);
        }
        self.balanced.copy_from_slice(&self.equations.multipliers);
        for round in 0..PROJECTIONS {
            for (k, x) in self.per_row.iter_mut().enumerate() {
                let e = &self.equations;
                *x = -s * e.penalty[k] * (e.times(k, &e.a) + self.convective[k]);
                if round > 0 {
                    self.balanced[k] -= *x;
                }
            }
            self.project();
            if add(&mut self.equations.a, &self.right) {
                break;
            }
        }
    }

    /// Solves with Φqᵀ x on the right, x per row; leaves zeros where the answer is not finite.
    pub(super) fn project(&mut self) {
        self.right.fill(0.0);
        let rows = &self.per_row;
        self.equations.add_transposed(|k| rows[k], &mut self.right);
        if !self.equations.matrix.solve(&mut self.right) {
            self.right.fill(0.0);
        }
    }
}

/// Adds a change; true if it was down to rounding.
fn add(x: &mut [f64], change: &[f64]) -> bool {
    let (mut size, mut largest) = (0.0_f64, 0.0_f64);
    for (x, c) in x.iter_mut().zip(change) {
        *x += c;
        size = size.max(x.abs());
        largest = largest.max(c.abs());
    }
    largest <= ROUNDING * size
}
