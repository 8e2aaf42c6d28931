//! The distance of two convex sets by their farthest points: Gilbert, Johnson and Keerthi (1988).
//!
//! w = p − q with p of A and q of B lies in the difference A ⊖ B; v is the point nearest to zero of the simplex of up
//! to four such w. The unit vector n = −v/∣v∣ points from A to B, and the farthest points p along n, q along −n give
//! the bound
//!
//! f(n) = n·(q − p) ≤ distance ≤ ∣v∣,
//!
//! which holds for every n, however n was found: the lower bound is proved, whatever the iteration does.

use crate::narrow::simplex::Mixture;
use rattleback_geom::Vec3;

/// Iterations after which the bounds are taken as they are.
const MAX_ITERATIONS: usize = 40;

/// The share of the slack that is left to sets which may be as far from each other as is sought: to find out is cheaper
/// than to divide them.
const FINER: f64 = 1e-3;

/// A corner of the simplex.
#[derive(Debug, Clone, Copy)]
struct Corner {
    w: Vec3,
    p: Vec3,
    q: Vec3,
}

/// What is known of the distance of two convex sets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    /// The greatest f(n) seen; not above the distance.
    pub lower: f64,
    /// Its n, from A to B.
    pub n: Vec3,
    /// Points of both sets that are ∣v∣ apart.
    pub p: Vec3,
    pub q: Vec3,
    /// Whether the sets have a point in common, to rounding: p = q is one.
    pub crossing: bool,
    pub iterations: u32,
}

/// When to stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Enough {
    /// Lower bounds from here on are as good as infinite.
    pub lower: f64,
    /// So close may the bounds stay to each other, in m.
    pub slack: f64,
    /// And as a share of the distance.
    pub share: f64,
    /// And of sets that are nearer than `lower`, as a share of what they fall short of it.
    pub short: f64,
    /// Below this length v is zero, in m.
    pub zero: f64,
}

/// The distance of two sets, of which `farthest` gives the points p along n and q along −n.
pub(super) fn gjk(farthest: impl Fn(&Vec3) -> [Vec3; 2], first: &Vec3, enough: &Enough) -> Gap {
    let mut n = *first;
    let [p, q] = farthest(&n);
    // Three corners that were kept and the next one at most.
    let (mut simplex, mut count) = ([Corner { w: p - q, p, q }; 4], 1);
    let mut nearest = Mixture::nearest(&simplex[..1], |c| c.w, 4);
    let mut v = p - q;
    let mut out = Gap { lower: -n.dot(&v), n, p, q, crossing: false, iterations: 1 };
    while out.iterations < MAX_ITERATIONS as u32 {
        let length = v.norm();
        let short = if enough.lower < f64::INFINITY { enough.short * (enough.lower - length) } else { 0.0 };
        let slack = if length < enough.lower { enough.slack.max(short) } else { FINER * enough.slack };
        let slack = slack.max(enough.share * length);
        if out.lower >= enough.lower || length - out.lower <= slack {
            break;
        }
        if length <= enough.zero {
            out.crossing = true;
            break;
        }
        n = v / -length;
        let [p, q] = farthest(&n);
        let w = p - q;
        out.iterations += 1;
        let f = -n.dot(&w);
        if f > out.lower {
            (out.lower, out.n) = (f, n);
        }
        if simplex[..count].iter().any(|c| c.w == w) {
            break;
        }
        simplex[count] = Corner { w, p, q };
        let mut next = Mixture::nearest_with_last(&simplex[..=count], |c| c.w);
        let shorter = next.of(&simplex[..=count], |c| c.w);
        if !(shorter.norm() < length) {
            break;
        }
        (count, v) = (next.gather(&mut simplex[..=count]), shorter);
        nearest = next;
        // Four corners that are all needed hold zero.
        out.crossing = count == 4;
        if out.crossing {
            break;
        }
    }
    let simplex = &simplex[..count];
    (out.p, out.q) = (nearest.of(simplex, |c| c.p), nearest.of(simplex, |c| c.q));
    out
}
