//! Which of several common normals is the contact.
//!
//! Only those count that are least among their neighbours (`narrow::second_order`). A pair at a distance is certain,
//! and so is an overlap with the point of A inside B and the point of B inside A; the least signed gap among the
//! certain ones wins.
//!
//! On averted far sides the gap is negative too, with points that lie outside the other body: no contact. Yet of
//! bodies deep within each other one or both may be thinner than the depth, and a point at their true contact lies
//! outside. That the bodies do overlap is proved by the other point, or by any sample of one inside the other; and
//! some bodies cannot tell inside from outside. Such overlaps are taken where nothing is certain, the least depth
//! first.

use super::{ParametricSolution, not_converged};
use crate::Result;
use crate::narrow::second_order;
use rattleback_geom::surface::Implicit;
use rattleback_geom::{Mat3, Pose, Vec3};

/// The candidates so far.
#[derive(Debug, Default)]
pub(super) struct Choice {
    certain: Option<ParametricSolution>,
    doubtful: Option<ParametricSolution>,
    /// Whether a sample of one body lies inside the other.
    overlap_proved: bool,
    iterations: u32,
    missed: Option<f64>,
}

impl Choice {
    /// For bodies of which these are points of the surfaces, in world axes.
    pub(super) fn of(
        mut of_a: impl Iterator<Item = Vec3>,
        mut of_b: impl Iterator<Item = Vec3>,
        inside: [Option<&dyn Implicit>; 2],
        poses: [&Pose; 2],
    ) -> Self {
        let contains =
            |k: usize, x: Vec3| inside[k].is_some_and(|f| f.value(&poses[k].point_to_local(&x)) <= 0.0);
        let overlap_proved = of_a.any(|x| contains(1, x)) || of_b.any(|x| contains(0, x));
        Self { overlap_proved, ..Self::default() }
    }

    pub(super) fn spent(&mut self, iterations: u32) {
        self.iterations += iterations;
    }

    pub(super) fn missed(&mut self, residual: f64) {
        self.missed = Some(self.missed.map_or(residual, |m| m.min(residual)));
    }

    /// Considers a common normal of facing sides; a gap above −`touching` needs no inside.
    pub(super) fn offer(
        &mut self,
        found: ParametricSolution,
        shapes: [&Mat3; 2],
        inside: [Option<&dyn Implicit>; 2],
        poses: [&Pose; 2],
        touching: f64,
    ) {
        let s = &found.solution;
        if !second_order::is_least(shapes[0], shapes[1], &s.normal, s.gap) {
            return;
        }
        let contains = |k: usize, x: &Vec3| inside[k].map(|f| f.value(&poses[k].point_to_local(x)) <= 0.0);
        let overlaps = [contains(1, &s.point_a), contains(0, &s.point_b)];
        if s.gap >= -touching || overlaps == [Some(true); 2] {
            if self.certain.is_none_or(|best| s.gap < best.solution.gap) {
                self.certain = Some(found);
            }
        } else if (self.overlap_proved || overlaps != [Some(false); 2])
            && self.doubtful.is_none_or(|best| s.gap > best.solution.gap)
        {
            self.doubtful = Some(found);
        }
    }

    /// The choice, with the evaluations of all starts.
    pub(super) fn best(self) -> Result<ParametricSolution> {
        let Some(mut best) = self.certain.or(self.doubtful) else {
            return Err(not_converged(self.iterations, self.missed.unwrap_or(f64::INFINITY)));
        };
        best.solution.iterations = self.iterations;
        Ok(best)
    }
}
