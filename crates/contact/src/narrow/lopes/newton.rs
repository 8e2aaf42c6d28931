//! Newton–Raphson on the six equations, Lopes (8): q ← q − Φ_q⁻¹ Φ until ∣Δq∣ ≤ `tolerance` (m).
//!
//! Rows are scaled to a largest entry of one, which leaves the step as it is and makes the pivots comparable; a row
//! that has all but vanished against its natural size, as the Hessian's do on a flat face, is left small. Where the
//! smallest pivot falls below 1e-10 of the largest the step is that of the pseudo-inverse (section 8 of the paper),
//! singular values below the same share cut off. A cut step can be short without a solution being near; so the
//! conditions themselves are tested at the end, in lengths.
//!
//! The cold start is the paper's: both points half way between the centres (section 7).

use super::system::halves;
use super::{ImplicitBody, System, TangentFrame, Unknowns};
use crate::narrow::{Solution, argument};
use crate::{ContactError, Result};
use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::{Matrix6, Vector6};

/// Pivots and singular values below this share of the largest count as zero: half of the digits of a double, and
/// some to spare, so that a step keeps at least five.
const RANK: f64 = 1e-10;

/// A row below this share of its natural size is not scaled up to one: it carries no information.
const VANISHED: f64 = 1e-8;

/// The conditions must hold to this multiple of the tolerance on the last step; Newton leaves them far below one.
const ACCEPTED: f64 = 1e3;

/// How [`solve`] iterates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The tangents of B.
    pub frame: TangentFrame,
    /// The length of the last step, in m. The paper takes 1e-6.
    pub tolerance: f64,
    /// The most steps.
    pub max_iterations: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { frame: TangentFrame::Householder, tolerance: 1e-6, max_iterations: 100 }
    }
}

/// Where the iteration begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Start {
    /// Both points half way between the origins of the surfaces' frames.
    Centres,
    /// A guess in world axes.
    Points {
        /// Near A.
        a: Vec3,
        /// Near B.
        b: Vec3,
    },
    /// The unknowns of an earlier solve, each point in its body's frame: the paper's warm start.
    Unknowns(Unknowns),
}

/// A solution of the six equations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CommonNormal {
    /// The points, the outer normal of A and the gap (q − p)·n along it.
    pub solution: Solution,
    /// The points in their bodies' frames: the start of the next solve.
    pub unknowns: Unknowns,
    /// Whether the outer normals oppose each other, as they do at a contact.
    pub facing: bool,
    /// Steps that needed the pseudo-inverse.
    pub rank_losses: u32,
}

/// Finds a common normal near the start; which one, and whether it is the closest, the start decides.
pub fn solve(a: &ImplicitBody, b: &ImplicitBody, start: Start, settings: &Settings) -> Result<CommonNormal> {
    argument::pose("a.pose", &a.pose)?;
    argument::pose("b.pose", &b.pose)?;
    argument::positive("tolerance", settings.tolerance)?;
    let system = System { a: *a, b: *b, frame: settings.frame };
    let mut q = match start {
        Start::Centres => {
            let middle = (a.pose.position + b.pose.position) * 0.5;
            system.unknowns(&middle, &middle)
        }
        Start::Points { a, b } => system.unknowns(&a, &b),
        Start::Unknowns(q) => q,
    };
    argument::finite("start", &q)?;
    let (mut rank_losses, mut step) = (0, f64::INFINITY);
    for iterations in 1..=settings.max_iterations {
        let (phi, jacobian) = system.linearise(&q);
        let Some((delta, lost)) = newton_step(&phi, &jacobian, &system.row_sizes(&q)) else {
            return Err(stopped(iterations, step));
        };
        rank_losses += u32::from(lost);
        q -= delta;
        step = delta.norm();
        if step <= settings.tolerance {
            let found = read(&system, &q, iterations, rank_losses);
            // A NaN fails the comparison and is refused with it.
            return if found.solution.residual <= ACCEPTED * settings.tolerance {
                Ok(found)
            } else {
                Err(stopped(iterations, found.solution.residual))
            };
        }
    }
    Err(stopped(settings.max_iterations, step))
}

fn stopped(iterations: u32, residual: f64) -> ContactError {
    ContactError::NotConverged { solver: "the common-normal Newton iteration", iterations, residual }
}

/// Φ_q⁻¹ Φ and whether the pseudo-inverse was needed; nothing where a number is not finite.
fn newton_step(
    phi: &Vector6<f64>,
    jacobian: &Matrix6<f64>,
    sizes: &Vector6<f64>,
) -> Option<(Vector6<f64>, bool)> {
    let (mut phi, mut jacobian) = (*phi, *jacobian);
    for i in 0..6 {
        let scale = jacobian.row(i).amax().max(VANISHED * sizes[i]);
        if scale > 0.0 {
            phi[i] /= scale;
            jacobian.row_mut(i).scale_mut(1.0 / scale);
        }
    }
    if !(phi.iter().chain(jacobian.iter()).all(|x| x.is_finite())) {
        return None;
    }
    let lu = jacobian.lu();
    let pivots = lu.u().diagonal().abs();
    if pivots.min() > RANK * pivots.max()
        && let Some(delta) = lu.solve(&phi)
    {
        return Some((delta, false));
    }
    // 60 sweeps are ten per singular value; two or three are usual.
    let svd = jacobian.try_svd(true, true, f64::EPSILON, 60)?;
    let cut = RANK * svd.singular_values.max();
    svd.solve(&phi, cut).ok().map(|delta| (delta, true))
}

fn read(system: &System, q: &Unknowns, iterations: u32, rank_losses: u32) -> CommonNormal {
    let (s_a, s_b) = halves(q);
    let [point_a, point_b] = system.points(q);
    let (normal, other) = (system.a.normal_w(&s_a), system.b.normal_w(&s_b));
    let d = point_b - point_a;
    let gap = d.dot(&normal);
    let across = (d - normal * gap).norm();
    let off = system.a.offset(&s_a).abs().max(system.b.offset(&s_b).abs());
    let residual = if off.is_nan() { off } else { across.max(off) };
    CommonNormal {
        solution: Solution { gap, normal, point_a, point_b, iterations, residual },
        unknowns: *q,
        facing: normal.dot(&other) < 0.0,
        rank_losses,
    }
}
