//! Algorithms I to IV for two bodies with a support view.
//!
//! Römer et al., "Normal parameterization", section 5. The master is A, the slave B; with r from A's origin to B's,
//! all in A's axes, every outer normal n of A gives P = ∇h_A(n), Q = r + R∇h_B(−Rᵀn) and d = Q − P (80), R from B's
//! to A's axes.
//!
//! | algorithm | what | file |
//! |---|---|---|
//! | I | Newton on ½ d·d in the angles of n (81–83) | `newton` |
//! | II | Newton on the tangential parts of d in the angles (84, 85) | `newton` |
//! | III | fixed-point iteration through the centres of curvature (86–89) | `fixed_point` |
//! | IV | III until n_i·n_{i−1} > 0.99, then II | here |
//! | 7a, 7b | the simpler schemes of Fig. 7, not stable and slow | `scheme` |
//!
//! Stopping is not described in the paper. Here an iteration has converged when the part of d across n is at most
//! `tolerance` (m), and at the latest stops after `max_iterations` (the paper's 10³). It converges to *a* common
//! normal, which may be that of the greatest distance: comparing is the caller's.
//!
//! Departures from the paper:
//! - The slave's angles (79) are not needed: B's point follows from the vector −Rᵀn.
//! - After each Newton step the angles are brought back to φ in [0, π]; the iteration is unaffected, since (φ, θ) and
//!   (2π − φ, θ + π) are related by a reflection of the coordinates.

mod fixed_point;
mod newton;
mod scheme;

pub use scheme::Scheme;

use crate::narrow::{Solution, argument};
use crate::{ContactError, Result};
use fixed_point::FixedPoint;
use rattleback_geom::spherical::Angles;
use rattleback_geom::surface::Support;
use rattleback_geom::{Mat3, Pose, Vec3};

/// The four algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Newton on the squared distance.
    I,
    /// Newton on the common normal.
    II,
    /// Fixed-point iteration without derivatives.
    III,
    /// III, then II.
    IV,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::I, Self::II, Self::III, Self::IV];
}

/// How an algorithm stops.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The length of the part of d across n, in m.
    pub tolerance: f64,
    /// The most steps; the paper has 10³.
    pub max_iterations: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { tolerance: 1e-12, max_iterations: 1000 }
    }
}

/// Why an iteration ended without a common normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The matrix of a Newton step is singular.
    Singular,
    /// A point or a step is not finite, or the next normal has no direction.
    NotFinite,
    /// Two successive normals are equal although d is not along them.
    Stalled,
    /// The bound on the iterations was reached.
    IterationLimit,
}

/// How an algorithm ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AlgorithmOutcome {
    /// A common normal, not necessarily that of the least distance.
    Converged(Solution),
    /// None; `best` is the normal at which d was closest to it.
    Failed {
        /// Why.
        reason: Reason,
        /// What the best normal gives.
        best: Solution,
    },
}

impl AlgorithmOutcome {
    /// The solution that an algorithm ended with, converged or not.
    pub fn best(&self) -> &Solution {
        match self {
            Self::Converged(solution) => solution,
            Self::Failed { best, .. } => best,
        }
    }

    /// The solution, or an error in its place.
    pub fn into_result(self) -> Result<Solution> {
        match self {
            Self::Converged(solution) => Ok(solution),
            Self::Failed { best, .. } => Err(ContactError::NotConverged {
                solver: "the iteration over normals",
                iterations: best.iterations,
                residual: best.residual,
            }),
        }
    }
}

/// A convex body and where it is.
#[derive(Clone, Copy)]
pub struct SupportBody<'a> {
    /// The body in its own frame.
    pub surface: &'a dyn Support,
    /// Where that frame is.
    pub pose: Pose,
}

/// Two bodies in A's axes.
struct PairInA<'a> {
    a: &'a dyn Support,
    b: &'a dyn Support,
    /// From A's origin to B's.
    r: Vec3,
    /// From B's to A's axes.
    rotation: Mat3,
}

/// What a normal gives.
#[derive(Debug, Clone, Copy)]
struct Reading {
    n: Vec3,
    /// P and Q in A's frame.
    p: Vec3,
    q: Vec3,
    /// The length of the part of d across n.
    across: f64,
}

impl Reading {
    fn d(&self) -> Vec3 {
        self.q - self.p
    }
}

impl PairInA<'_> {
    fn read(&self, n: Vec3) -> Reading {
        let p = self.a.support_point(&n);
        let q = self.r + self.rotation * self.b.support_point(&-self.rotation.tr_mul(&n));
        let d = q - p;
        Reading { n, p, q, across: (d - n * n.dot(&d)).norm() }
    }
}

/// The paper's good start: along the line between the origins, n₀ = r/∣r∣.
pub fn start_between_origins(a: &SupportBody, b: &SupportBody) -> Result<Vec3> {
    argument::direction("b.pose.position - a.pose.position", &(b.pose.position - a.pose.position))
}

/// Runs an algorithm from the outer normal `start` of A, in world axes and of any length but zero.
pub fn solve(
    algorithm: Algorithm,
    a: &SupportBody,
    b: &SupportBody,
    start: &Vec3,
    settings: &Settings,
) -> Result<AlgorithmOutcome> {
    solve_observed(algorithm, a, b, start, settings, &mut |_, _| {})
}

/// As [`solve`]; `observe` is told after every step how many there were and the part of d across n, in m.
pub fn solve_observed(
    algorithm: Algorithm,
    a: &SupportBody,
    b: &SupportBody,
    start: &Vec3,
    settings: &Settings,
    observe: &mut dyn FnMut(u32, f64),
) -> Result<AlgorithmOutcome> {
    iterate(Stage::new(algorithm), [a, b], start, settings, observe)
}

/// Runs a scheme of Fig. 7 from the outer normal `start` of A, as [`solve_observed`] runs an algorithm.
pub fn solve_scheme(
    scheme: Scheme,
    a: &SupportBody,
    b: &SupportBody,
    start: &Vec3,
    settings: &Settings,
    observe: &mut dyn FnMut(u32, f64),
) -> Result<AlgorithmOutcome> {
    iterate(Stage::Scheme(scheme), [a, b], start, settings, observe)
}

fn iterate(
    mut stage: Stage,
    [a, b]: [&SupportBody; 2],
    start: &Vec3,
    settings: &Settings,
    observe: &mut dyn FnMut(u32, f64),
) -> Result<AlgorithmOutcome> {
    argument::pose("a.pose", &a.pose)?;
    argument::pose("b.pose", &b.pose)?;
    argument::positive("tolerance", settings.tolerance)?;
    let start = argument::direction("start", start)?;
    let (to_a, from_b) = (a.pose.inverse(), b.pose);
    let pair = PairInA {
        a: a.surface,
        b: b.surface,
        r: to_a.point_to_world(&from_b.position),
        rotation: to_a.compose(&from_b).rotation(),
    };
    let mut at = pair.read(to_a.vector_to_world(&start));
    let mut best = at;
    let mut iterations = 0;
    observe(iterations, at.across);
    let failure = loop {
        if at.across <= settings.tolerance {
            break None;
        }
        if iterations >= settings.max_iterations {
            break Some(Reason::IterationLimit);
        }
        match stage.step(&pair, &at) {
            Ok(n) => at = pair.read(n),
            Err(reason) => break Some(reason),
        }
        iterations += 1;
        if !at.across.is_finite() {
            break Some(Reason::NotFinite);
        }
        observe(iterations, at.across);
        if at.across < best.across {
            best = at;
        }
    };
    let solution = in_world(&best, &a.pose, iterations);
    Ok(match failure {
        None => AlgorithmOutcome::Converged(solution),
        Some(reason) => AlgorithmOutcome::Failed { reason, best: solution },
    })
}

fn in_world(at: &Reading, pose: &Pose, iterations: u32) -> Solution {
    Solution {
        gap: at.n.dot(&at.d()),
        normal: pose.vector_to_world(&at.n),
        point_a: pose.point_to_world(&at.p),
        point_b: pose.point_to_world(&at.q),
        iterations,
        residual: at.across,
    }
}

/// The cosine between successive normals above which algorithm IV turns from III to II.
const CLOSE: f64 = 0.99;

/// What makes the next normal.
enum Stage {
    Scheme(Scheme),
    Newton(Algorithm),
    FixedPoint { state: FixedPoint, then_newton: bool },
}

impl Stage {
    fn new(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::I | Algorithm::II => Self::Newton(algorithm),
            Algorithm::III => Self::FixedPoint { state: FixedPoint::default(), then_newton: false },
            Algorithm::IV => Self::FixedPoint { state: FixedPoint::default(), then_newton: true },
        }
    }

    fn step(&mut self, pair: &PairInA, at: &Reading) -> std::result::Result<Vec3, Reason> {
        if let Self::FixedPoint { state, then_newton: true } = self
            && state.previous().is_some_and(|n| n.dot(&at.n) > CLOSE)
        {
            *self = Self::Newton(Algorithm::II);
        }
        match self {
            Self::Scheme(scheme) => scheme.step(at),
            Self::FixedPoint { state, .. } => state.step(at),
            Self::Newton(algorithm) => {
                let angles = Angles::from_normal(&at.n).map_err(|_| Reason::NotFinite)?;
                newton::step(*algorithm, pair, at, &angles)
            }
        }
    }
}
