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
use super::refine::{Refined, refine, refine_one};
use super::relative::Relative;
use super::straight::refine_straight;
use super::touch::{CLOSED, ROUNDING};
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

/// How the points of a candidate lie to each other and to its normal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measures {
    /// n·(q − p).
    pub gap: f64,
    /// The length of q − p across n.
    pub across: f64,
    /// ∣q − p∣.
    pub distance: f64,
    /// Whether the points belong to the normal and, for separate bodies, the bounds have closed.
    pub closed: bool,
}

impl Candidate {
    /// Everything that judges the points, at once.
    #[inline]
    pub fn measures(&self) -> Measures {
        let g = self.q - self.p;
        let gap = self.n.dot(&g);
        let across = (g - self.n * gap).norm();
        let distance = g.norm();
        let (upper, limit) = if self.f > 0.0 { (distance, ACROSS) } else { (gap, CLOSED) };
        let closed = (upper - self.f).abs() <= CLOSED * self.size && across <= limit * self.size;
        Measures { gap, across, distance, closed }
    }

    /// The length of q − p across n.
    pub fn across(&self) -> f64 {
        self.measures().across
    }

    /// What the bounds leave open: between f and ∣q − p∣ for separate bodies, between f and n·(q − p) under overlap.
    pub fn open(&self) -> f64 {
        let Measures { gap, distance, .. } = self.measures();
        let upper = if self.f > 0.0 { distance } else { gap };
        (upper - self.f).abs()
    }

    /// Whether the points belong to the normal and, for separate bodies, the bounds have closed.
    pub fn is_closed(&self) -> bool {
        self.measures().closed
    }

    /// Whether it is nearer to the truth than another one: higher, or as high with points that are better opposite.
    pub fn beats(&self, other: &Self) -> bool {
        let slack = CLOSED * self.size.max(other.size);
        self.f > other.f + slack || self.f > other.f - slack && self.across() < other.across()
    }
}

/// The candidate at a reading, with better points where the normal leaves them open. Returns it with the evaluations
/// that were spent.
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

/// Radii of curvature above this many sizes are those of faces: there the rounding of n moves the point of support by
/// more than the tolerance.
const FLAT: f64 = 1e3;

/// Most corrections of a normal; two are the usual.
const MAX_CORRECTIONS: u32 = 5;

/// The candidate with points blended where a face is flat, and its normal corrected by Newton's method where it is not:
/// the slope that a climb sees is drowned there by the rounding of the face's own.
fn polished<P: Bodies>(bodies: &P, rel: &Relative, at: &Reading, plain: Candidate) -> (Candidate, u32) {
    let (mut at, mut spent) = (*at, 0);
    let mut best = plain;
    for _ in 0..MAX_CORRECTIONS {
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

/// Points nearer to each other than this share of the size say less of the normal than the surfaces do: their rounding
/// of 1e-16 turns it by 1e-13.
const APART: f64 = 1e-3;

/// The candidate with its points refined on the surfaces, where there are implicit functions.
fn refined<P: Bodies>(bodies: &P, rel: &Relative, at: &Reading, plain: &Candidate) -> (Candidate, u32) {
    let found = refined_points(bodies, rel, at, plain.size);
    let Some(fine) = found else { return (*plain, 0) };
    let g = fine.q - fine.p;
    // Of three normals the one with the greatest f: along g, which is the best one for points that are right; A's own,
    // at contact; the one that the climb ended with. The rounding of f hides its own root of a normal's error, so that
    // of normals as high as each other to rounding the first one is taken.
    let along = along_or_own(&g, &fine.n, plain.size);
    let [first, second] = heights(bodies, rel, [&along, &fine.n]);
    let slack = ROUNDING * plain.size;
    let mut best = (along, first);
    for (n, f) in [(fine.n, second), (at.n, at.f)] {
        best = if f > best.1 + slack { (n, f) } else { best };
    }
    let (n, f) = best;
    let margin = if f > 0.0 || n == at.n { plain.margin } else { read(bodies, rel, &n).margin() };
    let better = Candidate { n, p: fine.p, q: fine.q, f, margin, size: plain.size };
    let kept = better.is_closed() || better.open() < plain.open() && better.across() < plain.across();
    (if kept { better } else { *plain }, fine.iterations)
}

/// What points that are right leave of their equations, as a share of the size.
const REFINED: f64 = 1e-13;

/// By both bodies' implicit functions, or by one of them where the other has none or is too sharp for its own.
fn refined_points<P: Bodies>(bodies: &P, rel: &Relative, at: &Reading, size: f64) -> Option<Refined> {
    // Faces that are known to rounding need no more.
    if !bodies.has_exact_faces()
        && let Some(found) = refine_straight(bodies, rel, at, size).filter(|f| f.residual <= REFINED * size)
    {
        return Some(found);
    }
    let functions = [bodies.implicit(0), bodies.implicit(1)];
    let mut best = match functions {
        [Some(a), Some(b)] => refine(a, b, rel, &at.p, &at.q, size),
        _ => None,
    };
    for (body, f) in functions.into_iter().enumerate() {
        if let Some(f) = f.filter(|_| best.is_none_or(|b| b.residual > REFINED * size)) {
            let next = refine_one(bodies, rel, (body, f), at, size);
            let spent = best.map_or(0, |b| b.iterations) + next.map_or(0, |n| n.iterations);
            let better = next.filter(|n| best.is_none_or(|b| n.residual < b.residual));
            best = better.or(best).map(|b| Refined { iterations: spent, ..b });
        }
    }
    best
}

/// The normal of points that are right: along q − p = g unless they are so near to each other that rounding turns it,
/// otherwise A's own.
fn along_or_own(g: &Vec3, own: &Vec3, size: f64) -> Vec3 {
    let along = g.try_normalize(APART * size).filter(|n| n.dot(own) > 0.0);
    along.unwrap_or(*own)
}
