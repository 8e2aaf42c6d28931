//! A parametric surface A against a convex body B with a support function: two unknowns.
//!
//! B's point follows from A's normal, q = r + R∇h(−Rᵀn), so that the normals oppose each other by construction; what
//! remains is Φ_j = d·a_j with d = q − p, and with W = R∇²h(−Rᵀn)Rᵀ
//!
//!   ∂_k Φ_j = −(p_k + W ∂_k n)·a_j + d·∂_k a_j
//!
//! Regular at zero gap if and only if 1 + W S_A is, which for a convex A is always so. Where B has faces or edges W
//! holds a huge number or zero, and the search may miss them; bodies with smooth surfaces are what it is for.

use super::choice::Choice;
use super::patch::{Grid, Patch};
use super::{ParametricBody, ParametricSolution, SearchSettings};
use crate::Result;
use crate::narrow::damped::descend;
use crate::narrow::{Solution, argument};
use rattleback_geom::nalgebra::{Matrix2, Vector2};
use rattleback_geom::surface::{Implicit, Support};
use rattleback_geom::{Curvature, Mat3, Pose, Vec3};

/// A convex body and where it is.
#[derive(Clone, Copy)]
pub struct SupportedBody<'a> {
    /// The body in its own frame.
    pub surface: &'a dyn Support,
    /// What tells inside from outside, where the body has it.
    pub inside: Option<&'a dyn Implicit>,
    /// Where the frame is.
    pub pose: Pose,
}

impl SupportedBody<'_> {
    /// The point whose outer normal is −n, in world axes.
    fn opposite(&self, n: &Vec3) -> Vec3 {
        self.pose.point_to_world(&self.surface.support_point(&-self.pose.vector_to_local(n)))
    }

    /// W.
    fn radii(&self, n: &Vec3) -> Mat3 {
        let rotation = self.pose.rotation();
        rotation * self.surface.support_jet(&-rotation.tr_mul(n)).hessian * rotation.transpose()
    }

    fn shape(&self, n: &Vec3) -> Mat3 {
        let m = -self.pose.vector_to_local(n);
        let hessian = self.surface.support_jet(&m).hessian;
        let mut curvature = Curvature::from_support(&hessian, &m);
        // On an edge the curvature is infinite; a large number orders as well and yields no NaN.
        curvature.kappa = curvature.kappa.map(|k| k.min(1e150));
        curvature.map(|x| self.pose.vector_to_world(x)).shape_operator()
    }
}

fn linearise(a: &Patch, b: &SupportedBody) -> (Vector2<f64>, Matrix2<f64>) {
    let (d, radii) = (b.opposite(&a.n) - a.x, b.radii(&a.n));
    let moves = [0, 1].map(|k| a.partial[k] + radii * a.dn[k]);
    let phi = Vector2::from_fn(|j, _| d.dot(&a.tangent[j]));
    let jacobian = Matrix2::from_fn(|j, k| d.dot(&a.d_tangent[j][k]) - moves[k].dot(&a.tangent[j]));
    (phi, jacobian)
}

/// Searches from a grid over A's domain for the common normal of least signed gap; the parameters of B are zero.
pub fn search_against_support(
    a: &ParametricBody,
    b: &SupportedBody,
    settings: &SearchSettings,
) -> Result<ParametricSolution> {
    argument::positive("tolerance", settings.tolerance)?;
    argument::pose("b.pose", &b.pose)?;
    let grid = a.checked("a.pose")?.grid(settings.grid);
    let stop = settings.stop(grid.size);
    let starts = starts(&grid, b, settings.starts);
    let opposites = grid.samples.iter().map(|s| b.opposite(&s.normal));
    let mut choice = Choice::of(grid.points(), opposites, [a.inside, b.inside], [&a.pose, &b.pose]);
    let advance = |x: &Vector2<f64>, step: &Vector2<f64>| Vector2::from(a.within((x + step).into()));
    for i in starts {
        let start = Vector2::from(grid.parameters[i]);
        let end = descend(start, &stop, |x| linearise(&a.at((*x).into()), b), advance);
        choice.spent(end.iterations);
        if !(end.norm <= stop.accepted) {
            choice.missed(end.norm);
            continue;
        }
        let [u, v] = end.x.into();
        let at = a.at([u, v]);
        let point_b = b.opposite(&at.n);
        let gap = at.n.dot(&(point_b - at.x));
        let solution =
            Solution { gap, normal: at.n, point_a: at.x, point_b, iterations: 0, residual: end.norm };
        choice.offer(
            ParametricSolution { solution, parameters: [u, v, 0.0, 0.0] },
            [&a.shape([u, v]), &b.shape(&at.n)],
            [a.inside, b.inside],
            [&a.pose, &b.pose],
            stop.accepted,
        );
    }
    choice.best()
}

/// Samples of the grid, at most `most` by each ranking: the part of d across n, which is to vanish, and ∣d∣; those
/// within a quarter of the body's size of a better one are left out.
fn starts(grid: &Grid, b: &SupportedBody, most: usize) -> Vec<usize> {
    let d: Vec<Vec3> = grid.samples.iter().map(|s| b.opposite(&s.normal) - s.point).collect();
    let across = |i: usize| d[i].cross(&grid.samples[i].normal).norm();
    let distance = |i: usize| d[i].norm();
    let mut chosen: Vec<usize> = Vec::new();
    for score in [&across as &dyn Fn(usize) -> f64, &distance] {
        let mut ranked: Vec<(f64, usize)> = (0..d.len()).map(|i| (score(i), i)).collect();
        ranked.retain(|(s, _)| s.is_finite());
        ranked.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        let room = chosen.len() + most;
        for (_, i) in ranked {
            let near = |&j: &usize| (grid.samples[i].point - grid.samples[j].point).norm() < 0.25 * grid.size;
            if chosen.len() < room && !chosen.iter().any(near) {
                chosen.push(i);
            }
        }
    }
    chosen
}
