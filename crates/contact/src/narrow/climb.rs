//! Any two bodies with support functions: Newton on the sphere of normals.
//!
//! In A's frame, with r from A's origin to B's and R from B's to A's axes, every unit n gives the support points
//!
//!   p = ∇h_A(n),   q = r + R ∇h_B(−Rᵀn),   g = q − p,   f = n·g ≤ gap
//!
//! and the signed distance is the maximum of f. On the tangent plane its gradient is g and its Hessian −(S + f·1),
//! S = ∇²h_A(n) + R ∇²h_B(−Rᵀn) Rᵀ. Where f > 0 the maximum is unique.
//!
//! A flat face squeezes all its points into nearly one normal, and a step of n that is right to first order overshoots
//! the face. So three updates compete when the plain one disappoints: the normal n + δ; the normal of A at its point
//! moved by ∇²h_A δ; the normal of B likewise. The one with the largest f is taken; if none gains, δ is cut.

use super::bodies::Bodies;
use super::relative::Relative;
use rattleback_geom::Vec3;
use rattleback_geom::curvature::{eigen2, tangents};
use rattleback_geom::surface::SupportBlock;

/// Everything at one normal, in A's frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading {
    pub n: Vec3,
    pub p: Vec3,
    /// From A's origin.
    pub q: Vec3,
    pub f: f64,
    /// Support values of A and B.
    pub h: [f64; 2],
    /// Tangent basis, the gradient in it and its length.
    pub basis: (Vec3, Vec3),
    pub gradient: [f64; 2],
    pub slope: f64,
    /// What the rounding of n makes of the gradient, however many steps are made: of B's part, because in A's own
    /// frame every component of n keeps its digits, however small it is.
    pub blur: f64,
    /// Tangent blocks of ∇²h_A and of B's, none of their eigenvalues above [`FLATTEST`] sizes.
    pub radii: [[f64; 3]; 2],
}

impl Reading {
    /// The lengths that g is the difference of.
    pub fn size(&self) -> f64 {
        self.h[0].abs() + self.h[1].abs() + self.f.abs()
    }

    /// The least eigenvalue of S + f·1.
    pub fn margin(&self) -> f64 {
        let block: [f64; 3] = std::array::from_fn(|k| self.radii[0][k] + self.radii[1][k]);
        eigen2(block, None)[1] + self.f
    }
}

/// How a climb ended.
pub(crate) struct Climb {
    pub at: Reading,
    pub iterations: u32,
}

/// Gradients below this share of the size are as good as zero: a third of what a certificate asks for.
const TOLERANCE: f64 = 3e-13;
/// Bounds on a distance count as closed at this share of the size: a tenth of what a certificate asks for.
const BOUNDS: f64 = 1e-13;
/// The bounds close with the square of the gradient. Points farther than this share of the size from a common normal
/// are not good enough, whatever the bounds say.
pub(crate) const ACROSS: f64 = 1e-10;
/// Normals with a greater cosine than this belong to one top.
const BESIDE: f64 = 0.99;
/// Cosine and sine of 30°, the reach of a hill: as far as the starts of a search are from each other.
const HILL: (f64, f64) = (0.866, 0.5);
/// A Newton step promises a gain of half the gradient along it. A hill that stays below a known top with four times as
/// much is given up.
const PROMISES: f64 = 2.0;
/// Radii of curvature above this many sizes are as good as infinite.
const FLATTEST: f64 = 1e7;
/// An update that shrinks the gradient by this much needs no rival.
const GOOD: f64 = 0.6;
/// A point that moves by less than this share of its distance from the origin is moved well by the plain update.
const NEAR: f64 = 0.15;
/// Most evaluations of a climb; exponents from 1.3 to 8 take 4 in the median and 20 at worst.
const MAX_ITERATIONS: u32 = 150;

/// The reading at the normal along `d`.
pub(crate) fn read<P: Bodies>(bodies: &P, rel: &Relative, d: &Vec3) -> Reading {
    let length = d.norm();
    let n = d / length;
    let (t, u) = tangents(&n);
    let to_b = |v: &Vec3| rel.in_b(v);
    let [block_a, block_b] = bodies.blocks([d, &-to_b(d)], length, [&t, &to_b(&t)], [&u, &to_b(&u)]);
    let (p, q) = (block_a.point, rel.r + rel.in_a(&block_b.point));
    let g = q - p;
    let f = n.dot(&g);
    let gradient = [t.dot(&g), u.dot(&g)];
    let cap = FLATTEST * (block_a.value.abs() + block_b.value.abs() + f.abs());
    Reading {
        n,
        p,
        q,
        f,
        h: [block_a.value, block_b.value],
        basis: (t, u),
        gradient,
        slope: (gradient[0] * gradient[0] + gradient[1] * gradient[1]).sqrt(),
        blur: 4.0 * f64::EPSILON * trace(&block_b),
        radii: [capped(&block_a, cap), capped(&block_b, cap)],
    }
}

fn trace(block: &SupportBlock) -> f64 {
    block.radii[0] + block.radii[2]
}

/// The radii, none of them above `cap`. Beside a larger one the other would be lost in a sum; and as less is lower,
/// what is proved with capped radii is true of the real ones.
fn capped(block: &SupportBlock, cap: f64) -> [f64; 3] {
    if trace(block) <= cap {
        return block.radii;
    }
    let [l1, l2, c, s] = eigen2(block.radii, block.determinant);
    let (l1, l2) = (l1.min(cap), l2.min(cap));
    [l1 * c * c + l2 * s * s, (l1 - l2) * c * s, l1 * s * s + l2 * c * c]
}

/// The Newton step in the tangent basis; where the Hessian is not negative definite, the one that leaves saddles.
#[inline]
pub(crate) fn step(at: &Reading) -> [f64; 2] {
    let [a, b, c]: [f64; 3] = std::array::from_fn(|k| at.radii[0][k] + at.radii[1][k]);
    let solve = |shift: f64| {
        let (a, c) = (a + shift, c + shift);
        let det = a * c - b * b;
        let [x, y] = at.gradient;
        (a > 0.0 && det > 1e-14 * a * c, [(c * x - b * y) / det, (a * y - b * x) / det])
    };
    let (definite, d) = solve(at.f);
    if definite { d } else { saddle_free_step([a, b, c], at.f, at.gradient) }
}

/// The step of S + f·1 with its eigenvalues made positive: upwards along every principal direction, and away from a
/// saddle as fast as Newton approaches a maximum.
pub(crate) fn saddle_free_step(radii: [f64; 3], f: f64, [x, y]: [f64; 2]) -> [f64; 2] {
    let [l1, l2, c, s] = eigen2(radii, None);
    // A floor of a thousandth of the radii: a step of more than a radian is cut anyway.
    let floor = 1e-3 * (l1.abs() + l2.abs() + f.abs());
    let positive = |l: f64| (l + f).abs().max(floor);
    let (along, across) = ((c * x + s * y) / positive(l1), (c * y - s * x) / positive(l2));
    [c * along - s * across, s * along + c * across]
}

/// The normal of a body at a moved point.
fn moved<P: Bodies>(bodies: &P, body: usize, point: &Vec3) -> Option<Vec3> {
    let normal = bodies.outward(body, point)?;
    let length = normal.norm();
    (length > 0.0 && length.is_finite()).then(|| normal / length)
}

/// ∇²h δ for a tangent block, in the tangent basis.
fn displacement([a, b, c]: &[f64; 3], d: &[f64; 2]) -> [f64; 2] {
    [a * d[0] + b * d[1], b * d[0] + c * d[1]]
}

/// Whether the bounds f and √(f² + slope²) on the distance of separate bodies are closed, and the points opposite.
#[inline]
fn closed(at: &Reading, size: f64) -> bool {
    at.slope <= ACROSS * size && at.slope * at.slope <= 2.0 * at.f * (BOUNDS * size)
}

/// Whether a climb leads nowhere new: to a top that is known, or to a hill below it. `near` says that the step may be
/// believed; on a flat face it is short whatever is beyond.
///
/// The points of support bound f from above everywhere: f(m) ≤ m·g for every unit m. So within an angle θ of n, f is at
/// most f(n) cos θ + slope sin θ.
fn hopeless(at: &Reading, d: &[f64; 2], near: bool, known: &Reading) -> bool {
    let bound = at.f * HILL.0 + at.slope * HILL.1;
    let promised = at.gradient[0] * d[0] + at.gradient[1] * d[1];
    at.n.dot(&known.n) > BESIDE || bound < known.f || near && at.f + PROMISES * promised < known.f
}

/// Climbs from `start` to a maximum of f; where a top is `known`, only as long as a higher one may be found.
pub(crate) fn climb<P: Bodies>(bodies: &P, rel: &Relative, start: &Vec3, known: Option<&Reading>) -> Climb {
    let mut at = read(bodies, rel, start);
    let mut iterations = 1;
    loop {
        let size = at.size();
        let still = at.slope <= (TOLERANCE * size).max(at.blur) || closed(&at, size);
        if still || !at.f.is_finite() || iterations > MAX_ITERATIONS {
            return Climb { at, iterations };
        }
        let d = step(&at);
        let far = far(rel, &at, &d);
        let near = far[0].max(far[1]) < NEAR * NEAR;
        if known.is_some_and(|known| hopeless(&at, &d, near, known)) {
            return Climb { at, iterations };
        }
        let [first, second, third] = order(far, near);
        let mut next = None;
        let normal = if near { Some(plain(&at, &d)) } else { update(first, bodies, rel, &at, &d) };
        if let Some(n) = normal {
            let reading = read(bodies, rel, &n);
            iterations += 1;
            if gains(&at, &reading) && reading.slope < GOOD * at.slope {
                at = reading;
                continue;
            }
            next = Some(reading);
        }
        match rival(bodies, rel, &at, &d, next, [second, third], &mut iterations) {
            Some(next) => at = next,
            None => return Climb { at, iterations },
        }
    }
}

/// Whether f has grown; near the top, where f is rounding, the gradient must shrink instead.
#[inline]
fn gains(at: &Reading, next: &Reading) -> bool {
    let rounding = 2e-15 * at.size();
    next.f > at.f + rounding || (next.f >= at.f - rounding && next.slope < 0.7 * at.slope)
}

/// The best of the updates after the first disappointed, or a cut of the step; none where nothing gains.
#[inline(never)]
fn rival<P: Bodies>(
    bodies: &P,
    rel: &Relative,
    at: &Reading,
    d: &[f64; 2],
    mut best: Option<Reading>,
    others: [Update; 2],
    iterations: &mut u32,
) -> Option<Reading> {
    for which in others {
        let Some(n) = update(which, bodies, rel, at, d) else { continue };
        let next = read(bodies, rel, &n);
        *iterations += 1;
        if best.is_none_or(|b| next.f > b.f) {
            best = Some(next);
        }
        if gains(at, &next) && next.slope < GOOD * at.slope {
            break;
        }
    }
    let (t, u) = at.basis;
    let delta = t * d[0] + u * d[1];
    if !best.is_some_and(|b| gains(at, &b) && b.slope < GOOD * at.slope) {
        followed(bodies, rel, &at.n, &delta, &mut |n| {
            let next = read(bodies, rel, &n);
            *iterations += 1;
            if best.is_none_or(|b| next.f > b.f) {
                best = Some(next);
            }
        });
    }
    let mut cut = 0.25;
    while !best.is_some_and(|b| gains(at, &b)) {
        // Cut until the step is rounding, or the budget is spent.
        if cut < 1e-15 || *iterations > MAX_ITERATIONS {
            return None;
        }
        best = Some(read(bodies, rel, &(at.n + delta * cut)));
        *iterations += 1;
        cut *= 0.25;
    }
    best
}

/// The normals to which a step leads along the parts of bodies without implicit functions.
pub(crate) fn followed<P: Bodies>(
    bodies: &P,
    rel: &Relative,
    n: &Vec3,
    step: &Vec3,
    tell: &mut dyn FnMut(Vec3),
) {
    bodies.followed(0, n, step, tell);
    let to_b = |v: &Vec3| -rel.in_b(v);
    bodies.followed(1, &to_b(n), &to_b(step), &mut |v| tell(-rel.in_a(&v)));
}

/// The ways to take a step.
#[derive(Clone, Copy)]
pub(crate) enum Update {
    Plain,
    AlongA,
    AlongB,
}

/// How far a step moves the point of each body: the square of its share of the point's distance from the origin.
fn far(rel: &Relative, at: &Reading, d: &[f64; 2]) -> [f64; 2] {
    let far = |k: usize, arm: &Vec3| {
        let [x, y] = displacement(&at.radii[k], d);
        (x * x + y * y) / arm.norm_squared()
    };
    [far(0, &at.p), far(1, &(at.q - rel.r))]
}

/// The updates, the most promising first: the plain one, unless a body's point would move by more than a part of its
/// size, when that body's surface is the better guide.
#[inline]
fn order([far_a, far_b]: [f64; 2], near: bool) -> [Update; 3] {
    if near {
        [Update::Plain, Update::AlongA, Update::AlongB]
    } else if far_a > far_b {
        [Update::AlongA, Update::Plain, Update::AlongB]
    } else {
        [Update::AlongB, Update::Plain, Update::AlongA]
    }
}

/// The normal that a step leads to as it is.
#[inline]
fn plain(at: &Reading, d: &[f64; 2]) -> Vec3 {
    let (t, u) = &at.basis;
    at.n + t * d[0] + u * d[1]
}

/// The normal that an update leads to; none where the body has no implicit view.
pub(crate) fn update<P: Bodies>(
    which: Update,
    bodies: &P,
    rel: &Relative,
    at: &Reading,
    d: &[f64; 2],
) -> Option<Vec3> {
    let (t, u) = &at.basis;
    match which {
        Update::Plain => Some(plain(at, d)),
        Update::AlongA => {
            let [x, y] = displacement(&at.radii[0], d);
            moved(bodies, 0, &(at.p + t * x + u * y))
        }
        // B's own point moves against the step, because its normal is −n.
        Update::AlongB => {
            let [x, y] = displacement(&at.radii[1], d);
            let point = rel.in_b(&(at.q - rel.r - t * x - u * y));
            Some(-rel.in_a(&moved(bodies, 1, &point)?))
        }
    }
}

/// f alone at two normals, for looking around.
pub(crate) fn heights<P: Bodies>(bodies: &P, rel: &Relative, [m, n]: [&Vec3; 2]) -> [f64; 2] {
    let to_b = |n: &Vec3| -rel.in_b(n);
    let [[a, b], [c, d]] = bodies.supports([[m, &to_b(m)], [n, &to_b(n)]]);
    [m.dot(&rel.r) - a - b, n.dot(&rel.r) - c - d]
}
