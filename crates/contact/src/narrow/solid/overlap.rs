//! Overlapping solids: a common normal of least depth at the place where a common point was found.
//!
//! The common point is first moved inwards. The line through it, x, along n leaves A in p and, backwards, B in q. Lines
//! in all directions are tried, the shortest are turned towards the normals that they meet, n_A(p), −n_B(q) or between
//! them, about the middle of p and q, and Newton's method ends in the common normal. Where none is found, that of the
//! solids a little apart is followed back.

use super::body::Body;
use super::descent::Descent;
use super::exit::Inside;
use super::outcome::SolidOutcome;
use super::polish::{Common, polish};
use crate::narrow::relative::Frame;
use crate::narrow::touch::{Certificate, Touch};
use rattleback_geom::Vec3;

/// Lines that are turned into common normals.
const TURNED: usize = 2;

/// A line is hardly turned into a common normal of less than this share of its length.
const SHORTER: f64 = 0.7;

/// Turns of a line.
const TURNS: usize = 2;

/// How closely the ends of a line are found that is turned, of one that is the answer, of one that is compared with
/// others, and of one that leads inwards, in sizes of the body.
const ROUGHLY: f64 = 1e-2;
const CLOSELY: f64 = f64::EPSILON;
const DEEPLY: f64 = 0.03;
const INWARDS: f64 = 0.1;

/// An end of a line is on an edge when it is this close, in sizes of the body: of lines that guide, and of the one that
/// is the answer.
const NEAR_EDGE: f64 = 1e-3;
const ON_EDGE: f64 = 1e-9;

/// The first step out of a body, in sizes: of lines that guide, and of the one that is the answer.
const FIRST: f64 = 0.1;
const CAREFUL: f64 = 1e-4;

/// Points of a common normal may lie so far outside of the other solid, in sizes.
const INSIDE: f64 = 1e-10;

/// Points of a way that are looked at: few, because a way that leaves a solid and comes back to it is rare, and its
/// common normal is one all the same.
const SAMPLES: usize = 5;

/// A way back may turn the normal by this cosine, and lead deeper by this share of it.
const SAME_BRANCH: f64 = 0.9;
const FARTHER: f64 = 0.1;

/// By how much solids without a common normal are moved apart, in sizes.
const EASED: [f64; 3] = [1e-6, 1e-4, 1e-2];

/// Solids are still in each other that are moved by less than this share of the shortest line through both.
const STILL_OVERLAP: f64 = 0.5;

/// How well the distance of such solids is known, as a share of the way that they were moved, and about how well their
/// points are.
const CLOSE: f64 = 0.15;
const BESIDE: f64 = 0.05;

/// Splits of all searches of solids that were moved apart: what they end with is only a guess.
const SPLITS: usize = 6;

/// Where nothing is known of a branch, points of acute edges need not lie in both solids up to this depth, in sizes.
const UNSHOWN: f64 = 1e-3;

/// The shortest line through a slight overlap, in sizes: a few times the farthest that solids are moved apart.
const SLIGHT: f64 = 0.05;

/// Directions over the sphere, half of them, without their opposites: the faces' middles and the corners of a cube.
fn directions() -> [Vec3; 7] {
    let corner = |x: f64, y: f64| Vec3::new(x, y, 1.0) / 3f64.sqrt();
    let corners = [corner(1.0, 1.0), corner(-1.0, 1.0), corner(1.0, -1.0), corner(-1.0, -1.0)];
    [Vec3::x(), Vec3::y(), Vec3::z(), corners[0], corners[1], corners[2], corners[3]]
}

/// The line through x along n.
fn line(bodies: &[Body<'_>; 2], x: &Vec3, n: &Vec3, close: f64, first: f64) -> Common {
    let p = x + n * Inside::new(&bodies[0], x).exit(n, close, first);
    let q = x - n * Inside::new(&bodies[1], x).exit(&-n, close, first);
    Common { p, q, n: *n, gap: n.dot(&(q - p)), iterations: 0 }
}

/// A point deeper inside both solids than x: the mean of the middles of lines within both, along the axes, the longer
/// ones counting for more, or the middle of the longest one; x where neither is in both.
fn inwards(bodies: &[Body<'_>; 2], x: &Vec3) -> Vec3 {
    let (mut sum, mut total, mut longest) = (Vec3::zeros(), 0.0, (0.0, *x));
    let inside = bodies.each_ref().map(|body| Inside::new(body, x));
    for n in [Vec3::x(), Vec3::y(), Vec3::z()] {
        let way_out = |n: Vec3| {
            let first = inside[0].exit(&n, INWARDS, FIRST);
            inside[1].exit_within(&n, first, INWARDS, FIRST)
        };
        let [ahead, back] = [n, -n].map(way_out);
        let (length, middle) = (ahead + back, n * (0.5 * (ahead - back)));
        sum += middle * length;
        total += length;
        if length > longest.0 {
            longest = (length, x + middle);
        }
    }
    let mean = if total > 0.0 { x + sum / total } else { *x };
    let both = |x: &Vec3| bodies[0].holds(x) && bodies[1].holds(x);
    [mean, longest.1].into_iter().find(both).unwrap_or(*x)
}

/// The shortest lines through x along n, in all directions and against them, the shortest first.
fn shortest(bodies: &[Body<'_>; 2], x: &Vec3, n: &Vec3) -> [Common; TURNED] {
    let [a, b] = bodies.each_ref().map(|body| Inside::new(body, x));
    let all = std::iter::once(*n).chain(directions().into_iter().flat_map(|n| [n, -n]));
    let none = Common { p: *x, q: *x, n: *n, gap: f64::NEG_INFINITY, iterations: 0 };
    let mut out = [none; TURNED];
    for n in all {
        // Of lines that are longer than those that are known nothing is sought.
        let longest = -out[TURNED - 1].gap;
        let first = a.exit_within(&n, longest, DEEPLY, FIRST);
        if first >= longest {
            continue;
        }
        let second = b.exit_within(&-n, longest - first, DEEPLY, FIRST);
        let line = Common { p: x + n * first, q: x - n * second, n, gap: -(first + second), iterations: 0 };
        if let Some(place) = (0..TURNED).find(|&k| line.gap > out[k].gap) {
            out[place..].rotate_right(1);
            out[place] = line;
        }
    }
    out
}

/// The line through x along n, its ends moved to where convex solids end along n; none where it is longer than
/// `longest`.
fn between(inside: &[Inside<'_, '_>; 2], x: &Vec3, n: &Vec3, longest: f64) -> Option<Common> {
    let end = |k: usize, n: &Vec3, longest: f64| match inside[k].body().is_convex() {
        true => inside[k].body().farthest(&inside[k].body().whole(), n),
        false => x + n * inside[k].exit_within(n, longest, ROUGHLY, FIRST),
    };
    let p = end(0, n, longest);
    let first = n.dot(&(p - x));
    if first >= longest {
        return None;
    }
    let q = end(1, &-n, longest - first);
    let gap = n.dot(&(q - p));
    (gap > -longest).then_some(Common { p, q, n: *n, gap, iterations: 0 })
}

/// Turns a line towards the normals at its ends, to that of A, that of B or between them, whichever is the shortest.
fn turned(bodies: &[Body<'_>; 2], mut guess: Common) -> Common {
    for _ in 0..TURNS {
        let outer = bodies[0].normal_near(&guess.p, &guess.n, NEAR_EDGE);
        let inner = bodies[1].normal_near(&guess.q, &-guess.n, NEAR_EDGE);
        let x = (guess.p + guess.q) * 0.5;
        let inside = bodies.each_ref().map(|body| Inside::new(body, &x));
        if !inside.iter().all(Inside::is_inside) {
            break;
        }
        let ways = [Some(outer), Some(-inner), (outer - inner).try_normalize(0.1)].into_iter().flatten();
        let mut best: Option<Common> = None;
        for n in ways.filter(|n| n.dot(&guess.n) < 1.0 - 1e-9) {
            let longest = best.map_or(f64::INFINITY, |best| -best.gap);
            best = between(&inside, &x, &n, longest).or(best);
        }
        let Some(best) = best else { break };
        guess = best;
    }
    guess
}

/// Whether two guesses are the same to what a line is known.
pub(super) fn is_same(first: &Common, second: &Common, size: f64) -> bool {
    let close = ROUGHLY * size;
    (first.p - second.p).norm() < close
        && (first.q - second.q).norm() < close
        && (first.n - second.n).norm() < ROUGHLY
}

/// Whether a common normal is that of an overlap.
fn is_overlap(bodies: &[Body<'_>; 2], found: &Common, size: f64) -> bool {
    let room = INSIDE * size;
    let either = || bodies[1].near(&found.p, room) && bodies[0].near(&found.q, room);
    found.gap < 0.0 && (either() || common_point(bodies, found).is_some())
}

/// A point of both solids on the way from q to p that leads through B as far as it and through A from there on, as far
/// as [`SAMPLES`] points of the way tell. Of a solid that is pierced one of p and q lies beyond the other solid.
pub(super) fn common_point(bodies: &[Body<'_>; 2], Common { p, q, .. }: &Common) -> Option<Vec3> {
    let at = |k: usize| q + (p - q) * (k as f64 / (SAMPLES + 1) as f64);
    let last = (1..=SAMPLES).take_while(|&k| bodies[1].holds(&at(k))).last()?;
    let first = (1..=SAMPLES).rev().take_while(|&k| bodies[0].holds(&at(k))).last()?;
    (first <= last).then(|| at(first))
}

/// Whether solids that share the point x still overlap when B is moved by `way`: then y is in A and y − way in B for a
/// y beside x.
fn stays(bodies: &[Body<'_>; 2], x: &Vec3, way: &Vec3) -> bool {
    [0.5, 0.0, 1.0].into_iter().any(|t| {
        let y = x + way * t;
        bodies[0].holds(&y) && bodies[1].holds(&(y - way))
    })
}

/// The common normal of a slight overlap about the point x: of the solids moved apart along n by little and by more,
/// whose nearest points are found, and then back again.
fn eased(
    bodies: &[Body<'_>; 2],
    x: &Vec3,
    n: &Vec3,
    size: f64,
    least: f64,
    splits: &mut usize,
) -> Option<Common> {
    let way = |t: f64| n * (t * size);
    EASED.into_iter().filter(|t| t * size > least && !stays(bodies, x, &way(*t))).find_map(|t| {
        let [a, b] = *bodies;
        let apart = [a, b.moved(&way(t))];
        let mut descent = Descent::within(&apart, size, CLOSE * t * size);
        descent.most = *splits;
        let outcome = descent.run(apart.each_ref().map(Body::whole), n);
        *splits -= descent.splits.min(*splits);
        let SolidOutcome::Apart(nearest) = outcome else {
            return None;
        };
        let Common { p, q, n, .. } = nearest.common;
        let q = q - way(t);
        let guess = Common { p, q, n, gap: n.dot(&(q - p)), iterations: 0 };
        let found = polish(bodies, &guess, size, BESIDE * t * size)?;
        // No deeper than the way back, on the same branch; edges may be so acute that neither point lies in the other
        // solid.
        let deepest = -(1.0 + FARTHER) * t * size;
        (found.gap < INSIDE * size && found.gap >= deepest && found.n.dot(&n) > SAME_BRANCH).then_some(found)
    })
}

/// Where solids overlap.
pub(super) struct Place {
    /// A point that both have.
    pub x: Vec3,
    /// About the direction from A to B.
    pub n: Vec3,
    /// The normal of a moment ago.
    pub known: Option<Vec3>,
}

/// The touch of two solids that overlap.
pub(super) fn solve(
    bodies: &[Body<'_>; 2],
    frame: &Frame<'_>,
    Place { x, n, known }: &Place,
    size: f64,
    iterations: u32,
) -> Touch {
    let x = &inwards(bodies, x);
    // The branch of a moment ago, before any other.
    let mut splits = SPLITS;
    if let Some(common) = known.and_then(|n| eased(bodies, x, &n, size, 0.0, &mut splits)) {
        return answer(frame, &common, 0.0, iterations);
    }
    let lines = shortest(bodies, x, n);
    let mut best: Option<Common> = None;
    let mut before: Option<Common> = None;
    for guess in &lines {
        // The lines are in order: what is left is longer still.
        if best.is_some_and(|b| b.gap > SHORTER * guess.gap) {
            break;
        }
        let guess = turned(bodies, *guess);
        // A guess as good as the one before leads where that one led.
        if before.replace(guess).is_some_and(|before| is_same(&before, &guess, size)) {
            break;
        }
        let Some(found) = polish(bodies, &guess, size, 1e-3 * size) else { continue };
        let valid = is_overlap(bodies, &found, size);
        if valid && best.is_none_or(|b| found.gap > b.gap) {
            best = Some(found);
        }
    }
    // Lines that are longer cannot lead out of a slight overlap.
    let slight = lines[0].gap > -SLIGHT * size;
    let other = Some(lines[0].n).filter(|other| other.dot(n) < SAME_BRANCH);
    let ways = [Some(*n), other];
    let shown = |found: &Common| found.gap > -UNSHOWN * size || is_overlap(bodies, found, size);
    let least = -lines[0].gap * STILL_OVERLAP;
    let eased = |n: &Vec3| eased(bodies, x, n, size, least, &mut splits).filter(shown);
    // A way that is nearly the known one leads where that one led.
    let tried = |n: &&Vec3| known.is_none_or(|known| known.dot(n) < SAME_BRANCH);
    let best = best.or_else(|| ways.iter().flatten().filter(|_| slight).filter(tried).find_map(eased));
    if let Some(common) = best {
        return answer(frame, &common, 0.0, iterations);
    }
    let common = line(bodies, x, &lines[0].n, CLOSELY, CAREFUL);
    let off = |k: usize, p: &Vec3, n: &Vec3| (bodies[k].normal_near(p, n, ON_EDGE) - n).norm();
    let residual = size * off(0, &common.p, &common.n).max(off(1, &common.q, &-common.n));
    answer(frame, &common, residual, iterations)
}

/// The answer along a common normal, or along a line that is none by `residual`.
pub(super) fn answer(frame: &Frame<'_>, common: &Common, residual: f64, iterations: u32) -> Touch {
    let way = common.q - common.p;
    let residual = (way - common.n * common.gap).norm().max(residual);
    Touch {
        gap: common.gap,
        normal: frame.vector(&common.n),
        point_a: frame.point(&common.p),
        point_b: frame.point(&common.q),
        iterations: iterations + common.iterations,
        residual,
        certificate: Certificate::Stationary { residual },
        certified: false,
    }
}
