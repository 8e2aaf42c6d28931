//! Closing the bounds on the distance of separate bodies without derivatives: Gilbert, Johnson and Keerthi's algorithm.
//!
//! E = { q − p } is convex and does not hold the origin; the distance is that of its nearest point y. A simplex of at
//! most four of its points has a nearest point y to the origin, which is a point of E and an upper bound ∣y∣; the
//! support of E along −y is a lower bound f(y/∣y∣) and the next corner. On polytopes and kinks the simplex ends on the
//! face that holds the answer; on curved parts each step shrinks it. Where a climb ends beside a kink that it cannot
//! see, this does not.
//!
//! p and q are the same convex combinations of support points of A and of B: points of the bodies.
//!
//! Under overlap the point f n of E, n the normal of a top, is on the border of E; the simplex of E − f n that comes as
//! near to the origin as rounding allows gives points without any part across n, whatever edges meet there.

use super::bodies::Bodies;
use super::candidate::Candidate;
use super::climb::heights;
use super::relative::Relative;
use super::simplex::Mixture;
use rattleback_geom::Vec3;

/// Most supports that are asked for.
const MAX_ITERATIONS: u32 = 2_000;

/// A point of E and where it comes from.
#[derive(Debug, Clone, Copy)]
struct Corner {
    y: Vec3,
    p: Vec3,
    q: Vec3,
}

/// Closes the bounds as far as they will, beginning with the candidate's normal. Returns what it came to and the
/// evaluations that were spent.
pub(crate) fn close<P: Bodies>(bodies: &P, rel: &Relative, from: &Candidate) -> (Candidate, u32) {
    let corner = |n: &Vec3| support(bodies, rel, n, &Vec3::zeros());
    let mut best = *from;
    let mut simplex = vec![Corner { y: from.q - from.p, p: from.p, q: from.q }];
    let mut n = from.n;
    for spent in 1..=MAX_ITERATIONS {
        let next = corner(&n);
        let f = n.dot(&next.y);
        if f > best.f {
            (best.n, best.f) = (n, f);
        }
        simplex.push(next);
        let mut nearest = Mixture::nearest(&simplex, |c| c.y, 4);
        nearest.reduce(&mut simplex);
        let (p, q) = (nearest.of(&simplex, |c| c.p), nearest.of(&simplex, |c| c.q));
        if (q - p).norm() < (best.q - best.p).norm() {
            (best.p, best.q) = (p, q);
        }
        let still = nearest.of(&simplex, |c| c.y).try_normalize(0.0);
        match still {
            Some(next) if !best.is_closed() && next != n => n = next,
            _ => return (opposite(bodies, rel, best), spent + 1),
        }
    }
    (opposite(bodies, rel, best), MAX_ITERATIONS + 1)
}

/// Points of overlapping bodies that belong to the candidate's normal, as far as rounding allows, and the evaluations
/// that were spent.
pub(crate) fn close_overlap<P: Bodies>(bodies: &P, rel: &Relative, from: &Candidate) -> (Candidate, u32) {
    let origin = from.n * from.f;
    let mut best = *from;
    let mut simplex = vec![support(bodies, rel, &from.n, &origin)];
    for spent in 1..=MAX_ITERATIONS {
        let mut nearest = Mixture::nearest(&simplex, |c| c.y, 4);
        nearest.reduce(&mut simplex);
        let (p, q) = (nearest.of(&simplex, |c| c.p), nearest.of(&simplex, |c| c.q));
        let y = q - p - origin;
        if y.norm() < (best.q - best.p - origin).norm() {
            (best.p, best.q) = (p, q);
        }
        let Some(n) = y.try_normalize(0.0).filter(|_| !best.is_closed()) else { return (best, spent) };
        let next = support(bodies, rel, &n, &origin);
        // No point of E − f n is nearer than this one allows: the normal is not that of a top, or rounding is reached.
        if n.dot(&next.y) >= y.norm() * (1.0 - 1e-9) {
            return (best, spent + 1);
        }
        simplex.push(next);
    }
    (best, MAX_ITERATIONS)
}

/// The point of E − `origin` least far along n.
fn support<P: Bodies>(bodies: &P, rel: &Relative, n: &Vec3, origin: &Vec3) -> Corner {
    let [p, q] = bodies.points([n, &-rel.in_b(n)]);
    let q = rel.r + rel.in_a(&q);
    Corner { y: q - p - origin, p, q }
}

/// The candidate with the normal along its own points where the bounds are as close for it: points that are right to
/// the root of rounding across one normal are opposite each other along another, and f does not tell the two apart.
fn opposite<P: Bodies>(bodies: &P, rel: &Relative, best: Candidate) -> Candidate {
    let Some(n) = (best.q - best.p).try_normalize(0.0).filter(|_| !best.is_closed()) else { return best };
    let [f, _] = heights(bodies, rel, [&n, &n]);
    let other = Candidate { n, f, ..best };
    if f > 0.0 && other.is_closed() { other } else { best }
}
