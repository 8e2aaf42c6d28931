//! The common normal of two parametric surfaces: four unknowns, no body need be convex.
//!
//! | file | what |
//! |---|---|
//! | `system` | the four equations (Lopes 6a, 6b) and their Jacobian |
//! | `patch` | a surface at its parameters, in world axes; wrapping and clamping |
//! | `against_support` | a parametric surface against a convex body: two unknowns |
//! | `choice` | which of several common normals is the contact |
//!
//! [`refine`] follows one start, as a motion needs it; [`search`] looks from a grid over both domains and takes the
//! least signed gap among the common normals that are least among their neighbours. That none was missed is likely,
//! not certain: it depends on the grid.
//!
//! At a singular point of a parametrisation (a pole) u has no effect; the parameters are kept 1e-12 of the domain
//! away from the ends of a direction that does not close, which moves a point by that much and the gap by its square.

mod against_support;
mod choice;
mod patch;
mod system;

pub use against_support::{SupportedBody, search_against_support};
pub use patch::ParametricBody;

use crate::narrow::damped::{Descent, Stop, descend};
use crate::narrow::{Solution, argument, starts};
use crate::{ContactError, Result};
use choice::Choice;
use patch::Patch;
use rattleback_geom::nalgebra::Vector4;

/// How [`search`] and [`refine`] work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchSettings {
    /// Residual at which to stop, as a share of the smaller body's size.
    pub tolerance: f64,
    /// Most evaluations from one start.
    pub max_iterations: u32,
    /// Most starts by each of the two rankings, by distance and by facing normals.
    pub starts: usize,
    /// Cells of the grid along u and along v.
    pub grid: [usize; 2],
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self { tolerance: 1e-14, max_iterations: 100, starts: 12, grid: [16, 12] }
    }
}

/// A residual may exceed the wanted one by this factor where rounding stops the descent.
const ROUNDING: f64 = 1e4;

impl SearchSettings {
    fn stop(&self, length: f64) -> Stop {
        let wanted = self.tolerance * length;
        Stop { wanted, accepted: ROUNDING * wanted, max_iterations: self.max_iterations }
    }
}

/// A common normal and where it is on the surfaces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParametricSolution {
    /// The points, A's outer normal and the gap along it.
    pub solution: Solution,
    /// (u, v) of A, then of B: the start of the next [`refine`].
    pub parameters: [f64; 4],
}

/// Searches from a grid over both domains for the common normal of least signed gap.
pub fn search(
    a: &ParametricBody,
    b: &ParametricBody,
    settings: &SearchSettings,
) -> Result<ParametricSolution> {
    argument::positive("tolerance", settings.tolerance)?;
    let grids = [a.checked("a.pose")?.grid(settings.grid), b.checked("b.pose")?.grid(settings.grid)];
    let length = grids[0].size.min(grids[1].size);
    let pairs = starts::pairs(&grids[0].samples, &grids[1].samples, length, settings.starts);
    let mut choice =
        Choice::of(grids[0].points(), grids[1].points(), [a.inside, b.inside], [&a.pose, &b.pose]);
    for [i, j] in pairs {
        let ([u1, v1], [u2, v2]) = (grids[0].parameters[i], grids[1].parameters[j]);
        let end = descent(a, b, length, settings, Vector4::new(u1, v1, u2, v2));
        take(&mut choice, a, b, &end, &settings.stop(length));
    }
    choice.best()
}

/// Follows one start, the parameters (u, v) of A and of B.
pub fn refine(
    a: &ParametricBody,
    b: &ParametricBody,
    parameters: [f64; 4],
    settings: &SearchSettings,
) -> Result<ParametricSolution> {
    argument::positive("tolerance", settings.tolerance)?;
    argument::finite("parameters", &parameters)?;
    let length = a.checked("a.pose")?.size().min(b.checked("b.pose")?.size());
    let end = descent(a, b, length, settings, parameters.into());
    let mut choice = Choice::default();
    take(&mut choice, a, b, &end, &settings.stop(length));
    choice.best()
}

fn descent(
    a: &ParametricBody,
    b: &ParametricBody,
    length: f64,
    settings: &SearchSettings,
    start: Vector4<f64>,
) -> Descent<4> {
    let advance = |x: &Vector4<f64>, step: &Vector4<f64>| {
        let ([u1, v1], [u2, v2]) =
            (a.within([x[0] + step[0], x[1] + step[1]]), b.within([x[2] + step[2], x[3] + step[3]]));
        Vector4::new(u1, v1, u2, v2)
    };
    let linearise = |x: &Vector4<f64>| system::linearise(&a.at([x[0], x[1]]), &b.at([x[2], x[3]]), length);
    descend(advance(&start, &Vector4::zeros()), &settings.stop(length), linearise, advance)
}

fn take(choice: &mut Choice, a: &ParametricBody, b: &ParametricBody, end: &Descent<4>, stop: &Stop) {
    choice.spent(end.iterations);
    if !(end.norm <= stop.accepted) {
        choice.missed(end.norm);
        return;
    }
    let parameters: [f64; 4] = end.x.into();
    let [u1, v1, u2, v2] = parameters;
    let (p, q) = (a.at([u1, v1]), b.at([u2, v2]));
    let solution = solution(&p, &q, end.norm);
    if p.n.dot(&q.n) < 0.0 {
        let inside = [a.inside, b.inside];
        choice.offer(
            ParametricSolution { solution, parameters },
            [&a.shape([u1, v1]), &b.shape([u2, v2])],
            inside,
            [&a.pose, &b.pose],
            stop.accepted,
        );
    }
}

fn solution(p: &Patch, q: &Patch, residual: f64) -> Solution {
    let gap = p.n.dot(&(q.x - p.x));
    Solution { gap, normal: p.n, point_a: p.x, point_b: q.x, iterations: 0, residual }
}

/// Nothing was found.
fn not_converged(iterations: u32, residual: f64) -> ContactError {
    ContactError::NotConverged { solver: "the search over parameters", iterations, residual }
}
