//! A normal with the points that belong to it, before it is judged.
//!
//! Whatever n, p and q are, as long as p is a point of A and q one of B,
//!
//!   f(n) ≤ gap ≤ ∣q − p∣   and   f(n) ≤ n·(q − p),
//!
//! where f is made of support values alone. So of two candidates the one with the greater f is nearer to the truth,
//! whatever else is known of them, and any f > 0 refutes every overlap.

use super::blend::blend;
use super::climb::{ACROSS, Reading, heights, read};
use super::refine::refine;
use super::relative::Relative;
use super::touch::CLOSED;
use super::{bodies::Bodies, faces};
use rattleback_geom::Vec3;
use rattleback_geom::curvature::eigen2;

/// A normal and points in A's frame; q from A's origin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    pub n: Vec3,
    pub p: Vec3,
    pub q: Vec3,
    /// From the support values at n.
    pub f: f64,
    /// The least eigenvalue of S + f·1 where f ≤ 0.
    pub margin: f64,
    /// The length to which tolerances refer.
    pub size: f64,
}

impl Candidate {
    /// n·(q − p).
    pub fn gap(&self) -> f64 {
        self.n.dot(&(self.q - self.p))
    }

    /// The length of q − p across n.
    pub fn across(&self) -> f64 {
        let g = self.q - self.p;
        (g - self.n * self.n.dot(&g)).norm()
    }

    /// What the bounds leave open: between f and ∣q − p∣ for separate bodies, between f and n·(q − p) under overlap.
    pub fn open(&self) -> f64 {
        let upper = if self.f > 0.0 { (self.q - self.p).norm() } else { self.gap() };
        (upper - self.f).abs()
    }

    /// Whether the points belong to the normal and, for separate bodies, the bounds have closed.
    pub fn is_closed(&self) -> bool {
        let across = if self.f > 0.0 { ACROSS } else { CLOSED };
        self.open() <= CLOSED * self.size && self.across() <= across * self.size
    }

    /// Whether it is nearer to the truth than another one: higher, or as high with points that are better opposite.
    pub fn beats(&self, other: &Self) -> bool {
        let slack = CLOSED * self.size.max(other.size);
        self.f > other.f + slack || self.f > other.f - slack && self.across() < other.across()
    }
}

/// The candidate at a reading, with better points where the normal leaves them open. Returns it with the evaluations that were
/// spent.
pub(crate) fn candidate<P: Bodies>(bodies: &P, rel: &Relative, at: &Reading) -> (Candidate, u32) {
    let (p, q) = faces::points(bodies, rel, at);
    // Separate bodies need no margin: it is at least f.
    let margin = if at.f > 0.0 { at.f } else { at.margin() };
    // What rounding is a share of: the points' distances from their origins, not only those along n.
    let size = at.p.norm() + (at.q - rel.r).norm() + at.f.abs();
    let plain = Candidate { n: at.n, p, q, f: at.f, margin, size };
    if plain.is_closed() {
        return (plain, 0);
    }
    let (fine, spent) = refined(bodies, rel, at, &plain);
    if fine.is_closed() {
        return (fine, spent);
    }
    let (blended, more) = polished(bodies, rel, at, plain);
    let kept = blended.is_closed() || !fine.is_closed() && blended.across() < fine.across();
    (if kept { blended } else { fine }, spent + more)
}

/// Radii of curvature above this many sizes are those of faces: there the rounding of n moves the point of support by more
/// than the tolerance.
const FLAT: f64 = 1e3;

/// Most corrections of a normal; two are the usual.
const MOST_CORRECTIONS: u32 = 5;

/// The candidate with points blended where a face is flat, and its normal corrected by Newton's method where it is not: the
/// slope that a climb sees is drowned there by the rounding of the face's own.
fn polished<P: Bodies>(bodies: &P, rel: &Relative, at: &Reading, plain: Candidate) -> (Candidate, u32) {
    let (mut at, mut spent) = (*at, 0);
    let mut best = plain;
    for _ in 0..MOST_CORRECTIONS {
        let (p, q) = faces::points(bodies, rel, &at);
        let from = Candidate { n: at.n, p, q, f: at.f, ..plain };
        let (next, more) = blend(bodies, rel, &from);
        spent += more + 1;
        if next.is_closed() || next.across() < best.across() && next.f > best.f - CLOSED * best.size {
            best = next;
        }
        if best.is_closed() {
            break;
        }
        let g = next.q - next.p;
        let (t, u) = at.basis;
        let block: [f64; 3] = std::array::from_fn(|k| at.radii[0][k] + at.radii[1][k]);
        let [l1, l2, c, s] = eigen2(block, None);
        let ways = [(l1, t * c + u * s), (l2, u * c - t * s)];
        let round = ways.iter().filter(|(l, _)| *l + at.f > 0.0 && *l < FLAT * plain.size);
        let delta: Vec3 = round.map(|(l, d)| d * (d.dot(&g) / (l + at.f))).sum();
        // Only the last digits of the normal: anything longer is a climb's affair.
        if !(delta.norm() > 0.0 && delta.norm() < 1e-4) {
            break;
        }
        at = read(bodies, rel, &(at.n + delta));
    }
    (best, spent)
}

/// The candidate with its points refined on the surfaces, where both have implicit functions.
fn refined<P: Bodies>(bodies: &P, rel: &Relative, at: &Reading, plain: &Candidate) -> (Candidate, u32) {
    let (Some(fa), Some(fb)) = (bodies.implicit(0), bodies.implicit(1)) else { return (*plain, 0) };
    let Some(fine) = refine(fa, fb, rel, &at.p, &at.q, plain.size) else { return (*plain, 0) };
    let g = fine.q - fine.p;
    // Of three normals the one with the greatest f: along g, which is the best one for points that are right; A's own, at
    // contact; the one that the climb ended with.
    let along = g.try_normalize(0.0).filter(|n| n.dot(&fine.n) > 0.0).unwrap_or(fine.n);
    let [first, second] = heights(bodies, rel, [&along, &fine.n]);
    let mut best = (at.n, at.f);
    for (n, f) in [(fine.n, second), (along, first)] {
        best = if f > best.1 { (n, f) } else { best };
    }
    let (n, f) = best;
    let margin = if f > 0.0 || n == at.n { plain.margin } else { read(bodies, rel, &n).margin() };
    let better = Candidate { n, p: fine.p, q: fine.q, f, margin, size: plain.size };
    let kept = better.is_closed() || better.open() < plain.open() && better.across() < plain.across();
    (if kept { better } else { *plain }, fine.iterations)
}
