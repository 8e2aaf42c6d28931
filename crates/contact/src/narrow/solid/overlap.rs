//! Overlapping solids: a common normal of least depth at the place where a common point was found.
//!
//! The common point is first moved inwards. The line through it, x, along n leaves A in p and, backwards, B in q. Lines in all directions are tried, the
//! shortest are turned towards the normals that they meet, n ← n_A(p) − n_B(q), about the middle of p and q, and Newton's
//! method ends in the common normal.

use super::body::Body;
use super::polish::{Common, polish};
use crate::narrow::relative::Frame;
use crate::narrow::touch::{Certificate, Touch};
use rattleback_geom::Vec3;

/// Lines that are turned into common normals.
const TURNED: usize = 4;

/// Turns of a line.
const TURNS: usize = 6;

/// How closely the ends of a line are found that only guides, of one that is the answer, and of one that leads inwards, in
/// sizes of the body.
const ROUGHLY: f64 = 1e-4;
const CLOSELY: f64 = f64::EPSILON;
const DEEPLY: f64 = 0.01;

/// Steps inwards.
const DEEPER: usize = 2;

/// Points of a common normal may lie so far outside of the other solid, in sizes.
const INSIDE: f64 = 1e-10;

/// Directions over the sphere, half of them, without their opposites: the faces' middles and the corners of a cube.
fn directions() -> [Vec3; 7] {
    let corner = |x: f64, y: f64| Vec3::new(x, y, 1.0) / 3f64.sqrt();
    let corners = [corner(1.0, 1.0), corner(-1.0, 1.0), corner(1.0, -1.0), corner(-1.0, -1.0)];
    [Vec3::x(), Vec3::y(), Vec3::z(), corners[0], corners[1], corners[2], corners[3]]
}

/// How far a body reaches from a point inside along n, by doubling and halving.
fn exit(body: &Body<'_>, x: &Vec3, n: &Vec3, close: f64) -> f64 {
    let inside = |t: f64| body.holds(&(x + n * t));
    let (mut low, mut high) = (0.0, 0.02 * body.size);
    while inside(high) && high < 2.0 * body.size {
        (low, high) = (high, high * 1.6);
    }
    while high - low > close * body.size.max(high) {
        let middle = 0.5 * (low + high);
        if !(low < middle && middle < high) {
            break;
        }
        if inside(middle) { low = middle } else { high = middle }
    }
    low
}

/// The line through x along n.
fn line(bodies: &[Body<'_>; 2], x: &Vec3, n: &Vec3, close: f64) -> Common {
    let p = x + n * exit(&bodies[0], x, n, close);
    let q = x - n * exit(&bodies[1], x, &-n, close);
    Common { p, q, n: *n, gap: n.dot(&(q - p)), iterations: 0 }
}

/// A point deeper inside both solids than x: the mean of the middles of lines through x within both, the longer ones counting
/// for more, or the middle of the longest one.
fn deepened(bodies: &[Body<'_>; 2], x: &Vec3) -> Vec3 {
    let mut x = *x;
    for _ in 0..DEEPER {
        let within = |n: &Vec3| bodies.iter().map(|b| exit(b, &x, n, DEEPLY)).fold(f64::INFINITY, f64::min);
        let (mut sum, mut total, mut longest) = (Vec3::zeros(), 0.0, (0.0, x));
        for n in directions() {
            let (ahead, back) = (within(&n), within(&-n));
            let (length, middle) = (ahead + back, n * (0.5 * (ahead - back)));
            sum += middle * length;
            total += length;
            if length > longest.0 {
                longest = (length, x + middle);
            }
        }
        let both = |x: &Vec3| bodies[0].holds(x) && bodies[1].holds(x);
        let mean = if total > 0.0 { x + sum / total } else { x };
        match [mean, longest.1].into_iter().find(both) {
            Some(next) => x = next,
            None => break,
        }
    }
    x
}

/// Turns a line towards the normals at its ends.
fn turned(bodies: &[Body<'_>; 2], mut guess: Common) -> Common {
    for _ in 0..TURNS {
        let [outer, inner] =
            [bodies[0].normal_near(&guess.p, &guess.n), bodies[1].normal_near(&guess.q, &-guess.n)];
        let Some(n) = (outer - inner).try_normalize(0.1) else { break };
        let x = (guess.p + guess.q) * 0.5;
        if n.dot(&guess.n) > 1.0 - 1e-9 || !(bodies[0].holds(&x) && bodies[1].holds(&x)) {
            break;
        }
        guess = line(bodies, &x, &n, ROUGHLY);
    }
    guess
}

/// The touch of two solids that share the point x.
pub(super) fn solve(
    bodies: &[Body<'_>; 2],
    frame: &Frame<'_>,
    x: &Vec3,
    n: &Vec3,
    size: f64,
    iterations: u32,
) -> Touch {
    let x = &deepened(bodies, x);
    let mut lines: Vec<Common> = std::iter::once(*n)
        .chain(directions().into_iter().flat_map(|n| [n, -n]))
        .map(|n| line(bodies, x, &n, ROUGHLY))
        .collect();
    lines.sort_by(|a, b| b.gap.total_cmp(&a.gap));
    let mut best: Option<Common> = None;
    for guess in lines.iter().take(TURNED) {
        let guess = turned(bodies, *guess);
        let Some(found) = polish(bodies, &guess, size, 1e-3 * size) else { continue };
        let valid = found.gap < 0.0
            && bodies[1].near(&found.p, INSIDE * size)
            && bodies[0].near(&found.q, INSIDE * size);
        if valid && best.is_none_or(|b| found.gap > b.gap) {
            best = Some(found);
        }
    }
    if let Some(common) = best {
        return answer(frame, &common, 0.0, iterations);
    }
    let common = line(bodies, x, &lines[0].n, CLOSELY);
    let off = |k: usize, p: &Vec3, n: &Vec3| (bodies[k].normal_near(p, n) - n).norm();
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
