//! The common normal next to a guess, to rounding: Newton's method on the conditions of Karush, Kuhn and Tucker.
//!
//! With the active constraints a_i of A (its surface, its planes) and b_j of B:
//!
//!   n = Σ α_i ∇a_i(p),   −n = Σ β_j ∇b_j(q),   a_i(p) = 0,   b_j(q) = 0,   q − p = g n,   n·n = 1,   α, β ≥ 0.
//!
//! Multipliers are eliminated by the tangents of the constraints (`held`), g = n·(q − p). One active constraint is a
//! point of a face, two one of an edge, three a corner. Nothing happens at g = 0. Of a body with a support function the
//! point q, n and g at a given p are what its own certified query says of a small ball about p; they change by dn =
//! −S(1 + gS)⁻¹ dp with the shape operator S there. A multiplier below zero leaves the active set, a constraint that is
//! violated joins it.

use super::active::{ACTIVE, Active, change};
use super::body::{Body, Kind};
use super::constrained::ConstrainedPoint;
use super::linear::{self, MAX_UNKNOWNS, Rows};
use super::newton::newton;
use super::tube::Tube;
use crate::contact::curvature_of;
use crate::narrow::{Start, touch};
use rattleback_geom::surface::Sphere;
use rattleback_geom::{Mat3, Pose, Vec3};

/// Newton steps for one active set.
const STEPS: usize = 25;

/// Active sets that are tried.
const SETS: usize = 8;

/// Steps below this share of the size are rounding.
const SMALL: f64 = 4e-15;

/// A step below this share of the size leaves no more than its square.
const SQUARED: f64 = 1e-8;

/// Where the product of a step, in sizes, and of the angle that the normals are off is below this, g does not change
/// any more; normals that are off by more than [`FLAT`] are none.
const STILL: f64 = 1e-17;
const FLAT: f64 = 1e-8;

/// Steps are cut to this length, in sizes and rad together; those so many times as long lead nowhere.
const LONGEST: f64 = 0.3;
const FARTHEST: f64 = 10.0;

/// After so many steps each must be shorter than the one before; and where they are below the second number, in sizes and
/// rad together, the normals must be less off than before: towards an infinitely curved line steps shrink without end.
const LOST: usize = 6;
const CREEPING: f64 = 1e-4;

/// Steps that shrink by a factor within this range, the same one twice to this share of it, are those towards a multiple
/// root: all that would follow are taken at once, where they and the angle that the normals are off are below the last
/// number, in sizes and rad.
const MULTIPLE: [f64; 2] = [0.4, 0.97];
const ALIKE: f64 = 0.1;
const CLOSE: f64 = 1e-2;

/// After so many steps along a body that is asked for its nearest points each must be shorter than the one before by this
/// factor: [`STEPS`] of them would not do otherwise.
const QUERIES: usize = 2;
const SHORTER: f64 = 0.5;

/// Steps below this share of the size may be made by the roundings of a query.
const ROUNDED: f64 = 1e-12;

/// So far may the answer of a query be off, in sizes.
const SLACK: f64 = 1e-11;

/// Two points on a common normal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Common {
    pub p: Vec3,
    pub q: Vec3,
    pub n: Vec3,
    pub gap: f64,
    pub iterations: u32,
}

/// The common normal next to a guess; `room` says how far the guess may be off, in m.
pub(super) fn polish(bodies: &[Body<'_>; 2], guess: &Common, size: f64, room: f64) -> Option<Common> {
    polish_with(bodies, guess, size, room, true)
}

/// The same; bodies with constraints are asked for their nearest points only where `ask` says so, which costs more than
/// all else.
pub(super) fn polish_with(
    bodies: &[Body<'_>; 2],
    guess: &Common,
    size: f64,
    room: f64,
    ask: bool,
) -> Option<Common> {
    let mut sets = [Active::at(&bodies[0], &guess.p, room), Active::at(&bodies[1], &guess.q, room)];
    // The sets that were solved for, the first one in front.
    let mut seen = [sets; SETS + 1];
    let mut iterations = 0;
    for round in 0..SETS {
        if sets[0].count == 0 || (sets[1].count == 0 && bodies[1].constraints() > 0) {
            return None;
        }
        let by_constraints = || against_stack(bodies, &sets, guess, size);
        let by_query = || against_convex(bodies, &sets[0], guess, size);
        let solved = match (bodies[1].constraints(), bodies[1].kind) {
            (0, _) => by_query(),
            (_, Kind::Convex(_)) if ask && guess.gap > 0.0 => by_constraints().or_else(by_query),
            _ => by_constraints(),
        };
        let (found, multipliers) = match solved {
            Some(solved) => solved,
            // Too many constraints leave nothing to solve for.
            None if sets[0].count + sets[1].count > 2 => {
                let side = usize::from(sets[1].count > sets[0].count);
                let last = sets[side].count - 1;
                sets[side].remove(last);
                // Sets that were solved before lead where they led.
                if seen[..=round].contains(&sets) {
                    return None;
                }
                continue;
            }
            None => return None,
        };
        iterations += found.iterations;
        if !change(bodies, &mut sets, &found, &multipliers, size) {
            return Some(Common { iterations, ..found });
        }
        if seen[..=round].contains(&sets) {
            return None;
        }
        seen[round + 1] = sets;
    }
    None
}

type Solved = (Common, [[f64; ACTIVE]; 2]);

/// Both bodies by their constraints. Unknowns: p and q along their tangents, and the turn of n, lengths in sizes.
fn against_stack(bodies: &[Body<'_>; 2], sets: &[Active; 2], guess: &Common, size: f64) -> Option<Solved> {
    let [a, b] = bodies;
    if are_inclined(bodies, sets) {
        return None;
    }
    let (mut p, mut q, mut n) = (guess.p, guess.q, guess.n);
    let (mut before, mut off_before, mut rate_before) = (f64::INFINITY, f64::INFINITY, 0.0);
    for step in 0..STEPS {
        let (x, y) =
            (ConstrainedPoint::at(a, &sets[0], &p, &n)?, ConstrainedPoint::at(b, &sets[1], &q, &-n)?);
        let way = q - p;
        let off = x.off(&n).max(y.off(&n)).max((way - n * n.dot(&way)).norm() / size);
        let (dp, dq, dn) = newton(&x, &y, &way, &n, size);
        let moved = (dp.norm() + dq.norm()) / size + dn.norm();
        if !(moved < FARTHEST * LONGEST) {
            return None;
        }
        // The first guess may be as good as it gets along its tangents, but not off its surfaces.
        let back = x.back.norm() + y.back.norm();
        let slow = moved > SQUARED && (before < f64::INFINITY || back > SQUARED * size);
        // Where the way across is flat to higher order the steps shrink slowly, but what they change of g is soon
        // nothing.
        let short = moved <= SMALL || (step > 8 && moved <= 1e-13);
        let still = off <= FLAT && (short || off * moved <= STILL);
        if short && !still {
            // Equations that contradict each other, as of two planes, leave nothing to move.
            return None;
        }
        if still && (!slow || back <= SMALL * size) {
            let (p, q, n) = if slow { (p, q, n) } else { (p + dp, q + dq, (n + dn).normalize()) };
            let common = Common { p, q, n, gap: n.dot(&(q - p)), iterations: step as u32 + 1 };
            return Some((common, [x.multipliers, y.multipliers]));
        }
        let stuck = moved < CREEPING && off > 0.9 * off_before;
        if step > LOST && (moved > 0.9 * before || stuck) {
            return None;
        }
        // Steps that shrink by one factor lead to a flat place, where the equations have a multiple root.
        let rate = moved / before;
        let close = moved < CLOSE && off < CLOSE;
        let alike = (rate - rate_before).abs() < ALIKE * rate;
        let multiple = close && alike && (MULTIPLE[0]..MULTIPLE[1]).contains(&rate);
        let share = if multiple { 1.0 / (1.0 - rate) } else { 1.0 };
        let share = share.min(LONGEST / moved);
        p += dp * share;
        q += dq * share;
        n = (n + dn * share).normalize();
        (before, off_before, rate_before) = (moved, off, rate);
        if multiple {
            (before, off_before, rate_before) = (f64::MAX, f64::MAX, 0.0);
        }
    }
    None
}

/// Whether both points are held by one plane each, which are not parallel: no normal is that of both.
fn are_inclined(bodies: &[Body<'_>; 2], sets: &[Active; 2]) -> bool {
    let plane = |k: usize| {
        let set = &sets[k];
        let index = (set.count == 1).then(|| set.list[0].checked_sub(1))??;
        bodies[k].planes().get(index).map(|plane| bodies[k].rotation * plane.normal())
    };
    // Those that are parallel to half of what may be off go on as before.
    plane(0).zip(plane(1)).is_some_and(|(m, n)| m.cross(&n).norm() > 4.0 * FLAT)
}

/// The nearest point of a body to another one.
pub(super) struct Probe {
    pub q: Vec3,
    /// From the other point to it.
    pub n: Vec3,
    /// How far it is, in m; negative inside.
    pub gap: f64,
}

/// The nearest point of a convex body to p: of balls and capsules by their axis, of others by the touch with a small ball
/// there.
pub(super) fn probe(b: &Body<'_>, p: &Vec3, start: Start) -> Option<Probe> {
    if let Some(tube) = Tube::of(b) {
        let (s, distance) = tube.nearest(p);
        let c = tube.at(s).c;
        let n = (c - p).try_normalize(0.0)?;
        return Some(Probe { q: c - n * tube.radius, n, gap: distance - tube.radius });
    }
    let radius = b.probe_radius();
    let ball = Sphere::new(radius).ok()?.into();
    let place = Pose { position: *p, ..Pose::identity() };
    let there = touch(&ball, &place, b.shape, &b.pose(), start).ok()?;
    Some(Probe { q: there.point_b, n: there.normal, gap: there.gap + radius })
}

/// A by its constraints, B by its own query. Unknowns: p along its tangents.
fn against_convex(bodies: &[Body<'_>; 2], set: &Active, guess: &Common, size: f64) -> Option<Solved> {
    let [a, b] = bodies;
    let mut p = guess.p;
    let mut start = Start::Warm(guess.n);
    let mut before = f64::INFINITY;
    for step in 0..STEPS {
        // Inside of the body the nearest way out of it leads elsewhere, and costs more to find.
        if guess.gap > 0.0 && b.constraints() > 0 && b.holds(&p) {
            return None;
        }
        let there = probe(b, &p, start)?;
        let (n, g) = (there.n, there.gap);
        start = Start::Warm(n);
        let x = ConstrainedPoint::at(a, set, &p, &n)?;
        let turn = offset_shape(b, &n, &there.q, g, size)?;
        let mut rows: Rows = [[0.0; MAX_UNKNOWNS + 2]; MAX_UNKNOWNS];
        for i in 0..x.free {
            for j in 0..x.free {
                rows[i][j] = size * (x.shape[i][j] + x.tangents[i].dot(&(turn * x.tangents[j])));
            }
            rows[i][MAX_UNKNOWNS] = x.tangents[i].dot(&(n - turn * x.back)) - x.pull[i];
        }
        let z = linear::solve(&mut rows, x.free);
        let dp = (0..x.free).fold(x.back, |sum, i| sum + x.tangents[i] * (size * z[i]));
        let moved = dp.norm();
        if !(moved < 0.5 * size) || (step >= QUERIES && moved > ROUNDED * size && moved > SHORTER * before) {
            return None;
        }
        before = moved;
        p += dp;
        if moved <= SMALL * size || (step > 8 && moved <= 1e-13 * size) {
            let there = probe(b, &p, start)?;
            let Probe { q, n, gap } = there;
            if !((q - p - n * gap).norm() <= SLACK * size) {
                return None;
            }
            let common = Common { p, q, n, gap, iterations: step as u32 + 1 };
            return Some((common, [x.multipliers, [0.0; ACTIVE]]));
        }
    }
    None
}

/// S(1 + gS)⁻¹ of a convex body at its point, for a point g outside of it.
fn offset_shape(b: &Body<'_>, n: &Vec3, q: &Vec3, g: f64, size: f64) -> Option<Mat3> {
    let curvature = curvature_of(b.shape, &b.pose(), &-n, q).ok()?;
    let mut shape = Mat3::zeros();
    for k in 0..2 {
        let (kappa, d) = (curvature.kappa[k], &curvature.direction[k]);
        let radius = (1.0 / kappa + g).abs().max(1e-9 * size).copysign(1.0 / kappa + g);
        shape += d * d.transpose() / radius;
    }
    Some(shape)
}
