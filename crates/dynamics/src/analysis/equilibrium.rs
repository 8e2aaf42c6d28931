//! Where a model is at rest: the place to which it is led from a start.
//!
//! In coordinates y with unit mass the forces are r(y) and their stiffness K̃ = −∂r/∂y. From place to place
//!
//!   (1/τ² + K̃) δy = r
//!
//! which for small τ is τ² r, a fall from rest for that long with all speed taken away, and for large τ is Newton's
//! method: pseudo-transient continuation (C. T. Kelley, D. E. Keyes, SIAM J. Numer. Anal. 35 (1998) 508–523). τ grows
//! while the energy or the forces fall, and shrinks where neither does. So bodies fall onto each other, slide into
//! hollows and swing to their lowest place. Where forces balance though the symmetric part of K̃ has a negative
//! eigenvalue, as for a rod that stands upright, bodies are pushed along its vector and led on from there: what is
//! reached is stable, or it is said that it is not.
//!
//! Friction that comes with slip holds nothing at rest: bodies slide to where they would rest without it.

use super::mechanism;
use crate::error::{DynamicsError, Result};
use crate::mechanism::{Linear, Mechanism};
use crate::model::Model;
use crate::state::State;
use rattleback_geom::nalgebra::{DMatrix, DVector, SymmetricEigen, UnitQuaternion};
use rattleback_geom::{Pose, Vec3};

/// What may be left of the forces, as a share of those that act.
const BALANCED: f64 = 1e-11;
/// Where rounding of stiff contacts allows no better, this is still rest.
const NEARLY: f64 = 1e-8;
/// Most steps.
const MOST: u32 = 20_000;
/// Steps without progress after which what was reached is as good as it gets.
const STALLED: u32 = 60;
/// A body may go this share of its size in a step, and turn by this angle.
const FARTHEST: f64 = 0.2;
/// How far bodies are pushed from where they do not rest stably, and how often.
const PUSH: f64 = 0.02;
const PUSHES: u32 = 20;
/// Eigenvalues of the stiffness above minus this share of the greatest are zero.
const INDIFFERENT: f64 = 1e-9;
/// The energy may rise by this share of what is stored: rounding.
const ROUNDING: f64 = 1e-13;

/// A model at rest.
#[derive(Debug, Clone)]
pub struct Equilibrium {
    /// Where it is; all velocities are zero.
    pub state: State,
    /// Steps that it took.
    pub steps: u32,
    /// What is left of the forces, as a share of those that act.
    pub unbalanced: f64,
    /// Whether no small displacement lowers the energy.
    pub is_stable: bool,
}

/// The equilibrium to which a model is led from a start; its velocities do not count.
pub fn equilibrium(model: &Model, start: &State) -> Result<Equilibrium> {
    let mut mechanism = mechanism(model, start)?;
    let mut here = Place::new(model, &mut mechanism, at_rest(start))?;
    let mut step_time = first_step_time(model, &here);
    let (mut stalled, mut best, mut pushes) = (0, f64::INFINITY, 0);
    for steps in 0..MOST {
        let unbalanced = here.unbalanced();
        if unbalanced <= BALANCED || stalled > STALLED && unbalanced <= NEARLY {
            let falling = here.falling();
            let Some(push) = falling.as_ref().filter(|_| pushes < PUSHES) else {
                return Ok(Equilibrium {
                    is_stable: falling.is_none(),
                    state: here.state,
                    steps,
                    unbalanced,
                });
            };
            let push = push * (PUSH / here.fastest(model, push));
            here = Place::new(model, &mut mechanism, here.moved(&push))?;
            step_time = first_step_time(model, &here);
            (stalled, best, pushes) = (0, f64::INFINITY, pushes + 1);
            continue;
        }
        stalled = if unbalanced < 0.5 * best { 0 } else { stalled + 1 };
        best = best.min(unbalanced);
        let Some(step) = here.step(model, step_time) else {
            step_time *= 0.25;
            continue;
        };
        let next = Place::new(model, &mut mechanism, here.moved(&step))?;
        let falls = next.energy <= here.energy + ROUNDING * (here.energy.abs() + next.energy.abs());
        if (falls && next.force() <= 4.0 * here.force()) || next.force() < here.force() {
            here = next;
            step_time = (step_time * 3.0).min(1e9);
        } else {
            step_time *= 0.2;
        }
    }
    Err(here.no_rest(model))
}

fn at_rest(start: &State) -> State {
    let mut motions = start.motions.clone();
    for motion in &mut motions {
        (motion.velocity, motion.angular_velocity_body) = (Vec3::zeros(), Vec3::zeros());
    }
    let mut state = State::new(motions);
    state.time = start.time;
    state
}

/// A τ in which nothing moves by more than a twentieth of what a step may.
fn first_step_time(model: &Model, place: &Place) -> f64 {
    let fastest = place.fastest(model, &place.linear.force);
    if fastest > 0.0 { (0.05 / fastest).sqrt() } else { 1.0 }
}

/// A place and the equations about it.
struct Place {
    state: State,
    linear: Linear,
    energy: f64,
}

impl Place {
    fn new(model: &Model, mechanism: &mut Mechanism, mut state: State) -> Result<Self> {
        let linear = mechanism.linear(&mut state)?;
        let energy = mechanism.energy(&state)?;
        let finite = linear.force.iter().chain(linear.stiffness.iter()).all(|x| x.is_finite());
        if !finite {
            return Err(DynamicsError::NotFinite { time: state.time, what: "a force at rest" });
        }
        let potential = energy.total() - energy.kinetic;
        debug_assert_eq!(state.motions.len(), model.bodies().len());
        Ok(Self { state, linear, energy: potential })
    }

    fn force(&self) -> f64 {
        self.linear.force.norm()
    }

    fn unbalanced(&self) -> f64 {
        let scale = self.linear.scale;
        if scale > 0.0 { self.force() / scale } else { self.force() }
    }

    /// The displacement along which the energy falls most; none where it falls along none.
    fn falling(&self) -> Option<DVector<f64>> {
        let k = &self.linear.stiffness;
        if k.is_empty() {
            return None;
        }
        let eigen = SymmetricEigen::new((k + k.transpose()) * 0.5);
        let least = eigen.eigenvalues.imin();
        let falls = eigen.eigenvalues[least] < -INDIFFERENT * eigen.eigenvalues.amax();
        falls.then(|| eigen.eigenvectors.column(least).into_owned())
    }

    /// δy; none where the equations have no solution that leads along the forces.
    fn step(&self, model: &Model, step_time: f64) -> Option<DVector<f64>> {
        let force = &self.linear.force;
        let n = force.len();
        let matrix = &self.linear.stiffness + DMatrix::identity(n, n) / (step_time * step_time);
        let step = matrix.lu().solve(force)?;
        if !(step.iter().all(|x| x.is_finite()) && step.dot(force) > 0.0) {
            return None;
        }
        let far = self.fastest(model, &step) / FARTHEST;
        Some(if far > 1.0 { step / far } else { step })
    }

    /// The greatest displacement by y over the size of its body, or angle.
    fn fastest(&self, model: &Model, y: &DVector<f64>) -> f64 {
        let each = self.linear.free.iter().enumerate().map(|(k, &body)| {
            let [shift, turn] = self.linear.displacement(k, y);
            (shift.norm() / size(model, body)).max(turn.norm())
        });
        each.fold(0.0, f64::max)
    }

    fn moved(&self, y: &DVector<f64>) -> State {
        let mut state = at_rest(&self.state);
        for (k, &body) in self.linear.free.iter().enumerate() {
            let [shift, turn] = self.linear.displacement(k, y);
            let pose = &mut state.motions[body].pose;
            *pose =
                Pose::new(pose.position + shift, UnitQuaternion::from_scaled_axis(turn) * pose.orientation);
        }
        state
    }

    fn no_rest(&self, model: &Model) -> DynamicsError {
        let pushed = |&(k, &body): &(usize, &usize)| {
            let [shift, turn] = self.linear.displacement(k, &self.linear.force);
            shift.norm() + turn.norm() * size(model, body)
        };
        let worst = self
            .linear
            .free
            .iter()
            .enumerate()
            .max_by(|a, b| pushed(a).total_cmp(&pushed(b)))
            .map_or("?", |(_, &body)| model.bodies()[body].name.as_str());
        DynamicsError::Invalid {
            what: "equilibrium".to_owned(),
            reason: format!(
                "none was found in {MOST} steps from the start: body {worst} is still pushed by {:.1e} of what acts; nothing may \
                 hold it (friction does not at rest), or it lies on something that is too uneven",
                self.unbalanced()
            ),
        }
    }
}

/// The size of a body, or a metre where it has none.
fn size(model: &Model, body: usize) -> f64 {
    let radius = model.bodies()[body].radius();
    if radius > 0.0 && radius.is_finite() { radius } else { 1.0 }
}
