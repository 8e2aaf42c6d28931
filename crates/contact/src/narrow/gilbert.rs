//! The algorithm of Gilbert, Johnson and Keerthi (1988) by itself, as libraries of collision detection have it: for
//! comparisons.
//!
//! E = { q − p } is convex. A simplex of at most four points of E has a nearest point y to the origin; the support w
//! of E along −y is its next corner. ∣y∣ is an upper bound of the distance and y·w/∣y∣ a lower one, and the iteration
//! ends where they differ by less than `tolerance` of ∣y∣, or where rounding brings no nearer point. On smooth bodies
//! the simplex shrinks towards the answer, by a constant factor per step.
//!
//! Bodies whose simplex comes to hold the origin overlap: the algorithm ends there without a depth.

use super::Solution;
use super::roemer::SupportBody;
use super::simplex::Mixture;
use crate::error::{ContactError, Result};
use rattleback_geom::Vec3;

/// Most supports that are asked for.
const MAX_ITERATIONS: u32 = 1000;
/// The relative difference of the bounds that ends it.
const TOLERANCE: f64 = 1e-14;

/// A point of E this near to the origin, in parts of the bodies' size and distance, is the origin.
const SHARED: f64 = 1e-15;

/// The name by which it is asked for.
pub(super) const NAME: &str = "gjk";

#[derive(Debug, Clone, Copy)]
struct Corner {
    y: Vec3,
    p: Vec3,
    q: Vec3,
}

/// The distance of two convex bodies that are apart.
pub fn solve(a: &SupportBody, b: &SupportBody) -> Result<Solution> {
    super::argument::pose("a.pose", &a.pose)?;
    super::argument::pose("b.pose", &b.pose)?;
    let support = |n: &Vec3| {
        let p = a.pose.point_to_world(&a.surface.support_point(&a.pose.vector_to_local(n)));
        let q = b.pose.point_to_world(&b.surface.support_point(&-b.pose.vector_to_local(n)));
        Corner { y: q - p, p, q }
    };
    let between = b.pose.position - a.pose.position;
    let mut corners = [support(&between.try_normalize(0.0).unwrap_or_else(Vec3::x)); 5];
    let (mut count, mut y, mut n) = (1, corners[0].y, corners[0].y);
    let size = corners[0].p.norm() + corners[0].q.norm() + between.norm();
    let mut iterations = 1;
    let mut mixture = Mixture::nearest(&corners[..count], |c| c.y, 4);
    loop {
        if !(y.norm() > SHARED * size) {
            // The origin is a point of E: the bodies share one.
            return Err(ContactError::NoDepth { solver: NAME });
        }
        n = y.try_normalize(0.0).unwrap_or(n);
        let next = support(&n);
        iterations += 1;
        let closed = y.norm() - n.dot(&next.y) <= TOLERANCE * y.norm();
        if closed || iterations > MAX_ITERATIONS {
            break;
        }
        corners[count] = next;
        let mut better = Mixture::nearest(&corners[..=count], |c| c.y, 4);
        let nearer = better.of(&corners[..=count], |c| c.y);
        if nearer.norm() >= y.norm() {
            break;
        }
        count = better.gather(&mut corners[..=count]);
        (mixture, y) = (better, nearer);
    }
    let corners = &corners[..count];
    let (point_a, point_b) = (mixture.of(corners, |c| c.p), mixture.of(corners, |c| c.q));
    Ok(Solution { gap: y.norm(), normal: n, point_a, point_b, iterations, residual: 0.0 })
}
