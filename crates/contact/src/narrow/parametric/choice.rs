//! Which of several common normals is the contact.
//!
//! Only those count that are least among their neighbours (`narrow::second_order`). A pair at a distance is certain, and so is an overlap
//! with the point of A inside B and the point of B inside A; the least signed gap among the certain ones wins.
//!
//! On averted far sides the gap is negative too, with points that lie in neither body. Yet of bodies deep within
//! each other one may be thinner than the depth, and the same is seen at their true contact; and some bodies cannot tell inside
//! from outside. Such overlaps are taken where nothing is certain, the least depth first.

use super::{Found, not_converged};
use crate::Result;
use crate::narrow::second_order;
use rattleback_geom::surface::Implicit;
use rattleback_geom::{Mat3, Pose, Vec3};

/// The candidates so far.
#[derive(Debug, Default)]
pub(super) struct Choice {
    certain: Option<Found>,
    doubtful: Option<Found>,
    iterations: u32,
    missed: Option<f64>,
}

impl Choice {
    pub(super) fn spent(&mut self, iterations: u32) {
        self.iterations += iterations;
    }

    pub(super) fn missed(&mut self, residual: f64) {
        self.missed = Some(self.missed.map_or(residual, |m| m.min(residual)));
    }

    /// Considers a common normal of facing sides; a gap above −`touching` needs no inside.
    pub(super) fn offer(
        &mut self,
        found: Found,
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
        } else if self.doubtful.is_none_or(|best| s.gap > best.solution.gap) {
            self.doubtful = Some(found);
        }
    }

    /// The choice, with the evaluations of all starts.
    pub(super) fn best(self) -> Result<Found> {
        let Some(mut best) = self.certain.or(self.doubtful) else {
            return Err(not_converged(self.iterations, self.missed.unwrap_or(f64::INFINITY)));
        };
        best.solution.iterations = self.iterations;
        Ok(best)
    }
}
