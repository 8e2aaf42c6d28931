//! Points that belong to a normal where it leaves them open: on faces that are flat, or flat to rounding.
//!
//! With E = { q − p } the pair of points that belongs to n is the y of E with the least n·y. On a flat face there are
//! many; on one that is nearly flat the rounding of n decides which one is returned. What is wanted is the one without
//! a part across n. The y with the least (n + εt)·y lies towards −t on the face, and costs little:
//!
//!   n·y(n + εt) − n·y(n) ≤ ε t·(y(n) − y(n + εt)),
//!
//! so for ε of a tenth of the tolerance all of them count as the face's own, and so do their mixtures, because E is
//! convex; where the points need to move by less than the size, ε may be greater in proportion. Those whose triangle,
//! seen along n, holds the origin or comes nearest to it are kept (Gilbert, Johnson and Keerthi's algorithm in the
//! tangent plane).

use super::bodies::Bodies;
use super::candidate::Candidate;
use super::expand::Points;
use super::relative::Relative;
use super::simplex::Mixture;
use super::touch::{CLOSED, TOLERANCE};
use rattleback_geom::Vec3;
use rattleback_geom::curvature::tangents;

/// ε: a tenth of what bounds may leave open, and more where that is not enough.
const TILTS: [f64; 4] = [0.1 * TOLERANCE, TOLERANCE, 10.0 * TOLERANCE, 100.0 * TOLERANCE];

/// Points asked for at most; kinks and flat faces take three to ten.
const MAX_POINTS: u32 = 40;

/// Points of both bodies, and their weight.
#[derive(Debug, Clone, Copy)]
struct Corner {
    p: Vec3,
    q: Vec3,
    /// The part of q − p across n.
    e: Vec3,
}

/// The points that are best opposite each other among those that belong to the candidate's normal. Returns the
/// evaluations too.
pub(crate) fn blend<P: Bodies>(bodies: &P, rel: &Relative, from: &Candidate) -> (Candidate, u32) {
    let (mut best, mut spent) = (*from, 0);
    for tilt in TILTS {
        let (next, more) = blend_with(bodies, rel, from, tilt);
        spent += more;
        if next.is_closed() {
            return (next, spent);
        }
        if next.across() < best.across() && next.open() <= CLOSED * next.size {
            best = next;
        }
    }
    (best, spent)
}

/// Three pairs of points, each the farthest along a normal within `tilt` of the candidate's, whose triangle encloses
/// the line through the origin along it; none where there are none.
pub(crate) fn enclosing<P: Bodies>(
    bodies: &P,
    rel: &Relative,
    from: &Candidate,
    tilt: f64,
) -> (Option<[Points; 3]>, u32) {
    let (_, mut kept, mut spent) = gather(bodies, rel, from, tilt);
    // A point or a line that lies on it already is an edge of triangles to either side.
    while kept.len() < 3 {
        let along = if kept.len() == 2 { kept[1].e - kept[0].e } else { tangents(&from.n).0 };
        let Some(aside) = along.cross(&from.n).try_normalize(0.0) else { return (None, spent) };
        let next = farthest(bodies, rel, &from.n, &(from.n + aside * tilt));
        spent += 1;
        if kept.iter().any(|c| c.e == next.e) {
            return (None, spent);
        }
        kept.push(next);
    }
    let all = kept.iter().map(|c| Points { p: c.p, q: c.q }).collect::<Vec<_>>();
    (all.try_into().ok(), spent)
}

/// The points that belong to a normal `way`, as seen along n.
fn farthest<P: Bodies>(bodies: &P, rel: &Relative, n: &Vec3, way: &Vec3) -> Corner {
    let [p, q] = bodies.points([way, &-rel.in_b(way)]);
    corner(n, p, rel.r + rel.in_a(&q))
}

fn corner(n: &Vec3, p: Vec3, q: Vec3) -> Corner {
    let g = q - p;
    Corner { p, q, e: g - n * n.dot(&g) }
}

fn blend_with<P: Bodies>(bodies: &P, rel: &Relative, from: &Candidate, tilt: f64) -> (Candidate, u32) {
    let (best, _, spent) = gather(bodies, rel, from, tilt);
    (best, spent)
}

/// The best mixture, the corners that it is made of, and the evaluations that were spent.
fn gather<P: Bodies>(
    bodies: &P,
    rel: &Relative,
    from: &Candidate,
    tilt: f64,
) -> (Candidate, Vec<Corner>, u32) {
    let n = from.n;
    let mut kept = vec![corner(&n, from.p, from.q)];
    let mut best = *from;
    let wanted = 1e-15 * from.size;
    let mut spent = 0;
    let mut e = kept[0].e;
    while spent < MAX_POINTS && e.norm() > wanted {
        let way = n + e * (tilt / e.norm());
        let next = farthest(bodies, rel, &n, &way);
        spent += 1;
        // Nothing lies farther that way: the face does not reach the origin.
        if next.e.dot(&e) >= e.norm_squared() * (1.0 - 1e-9) {
            break;
        }
        kept.push(next);
        let mixed = mix(&mut kept);
        if mixed.e.norm() < best.across() {
            (best.p, best.q) = (mixed.p, mixed.q);
        }
        e = mixed.e;
    }
    (best, kept, spent)
}

/// The mixture nearest to the origin; corners that it does not need are dropped.
fn mix(kept: &mut Vec<Corner>) -> Corner {
    let mut nearest = Mixture::nearest(kept, |c| c.e, 3);
    nearest.reduce(kept);
    let sum = |part: fn(&Corner) -> Vec3| nearest.of(kept, part);
    Corner { p: sum(|c| c.p), q: sum(|c| c.q), e: sum(|c| c.e) }
}
