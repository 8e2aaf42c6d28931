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

use super::active::{ACTIVE, Active, change, is_to_change};
use super::body::{Body, Kind};
use super::constrained::ConstrainedPoint;
use super::newton::newton;
use super::probe::against_convex;
use rattleback_geom::Vec3;

/// Newton steps for one active set.
pub(super) const STEPS: usize = 25;

/// Active sets that are tried.
const SETS: usize = 8;

/// Steps below this share of the size are rounding.
pub(super) const SMALL: f64 = 4e-15;

/// A step below this share of the size leaves no more than its square.
const SQUARED: f64 = 1e-8;

/// Where the product of a step, in sizes, and of the angle that the normals are off is below this, g does not change
/// any more; normals that are off by more than [`FLAT`] are none.
const STILL: f64 = 1e-17;
const FLAT: f64 = 1e-8;

/// Steps are cut to this length, in sizes and rad together; those so many times as long lead nowhere.
const LONGEST: f64 = 0.3;
const FARTHEST: f64 = 10.0;

/// After so many steps each must be shorter than the one before; and after so many, where they are below the last
/// number, in sizes and rad together, the normals must be less off than before: towards an infinitely curved line
/// steps shrink without end. Normals that are as much off as before after so many steps in turn stay so.
const LOST: usize = 6;
const EARLIEST: usize = 2;
const CREEPING: f64 = 1e-4;
const MAX_IDLES: usize = 4;

/// Where steps, in sizes and rad together, and the angle that the normals are off are below this for the first time,
/// it is looked whether the set of active constraints is another one, by more than so many steps and than the last
/// number.
const AHEAD: f64 = 1e-2;
const CLEARLY: f64 = 10.0;
const LEAST: f64 = 1e-6;

/// Steps that shrink by a factor within this range, the same one twice to this share of it, are those towards a
/// multiple root: all that would follow are taken at once, where they and the angle that the normals are off are below
/// the last number, in sizes and rad.
const MULTIPLE: [f64; 2] = [0.4, 0.97];
const ALIKE: f64 = 0.1;
const CLOSE: f64 = 1e-2;

/// Two points on a common normal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Common {
    pub p: Vec3,
    pub q: Vec3,
    pub n: Vec3,
    pub gap: f64,
    pub iterations: u32,
}

/// What Newton's method may do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Whether bodies with constraints are asked for their nearest points, which costs more than all else.
    pub ask: bool,
    /// The least cosine of the angle by which the normal may turn.
    pub cosine: f64,
    /// Whether the guess must be next to a common normal for each of its sets.
    pub near: bool,
    /// Steps that are left.
    pub steps: usize,
}

impl Default for Limits {
    /// No limits.
    fn default() -> Self {
        Self { ask: true, cosine: -2.0, near: false, steps: usize::MAX }
    }
}

/// The common normal next to a guess; `room` says how far the guess may be off, in m.
pub(super) fn polish(bodies: &[Body<'_>; 2], guess: &Common, size: f64, room: f64) -> Option<Common> {
    polish_within(bodies, guess, size, room, &mut Limits::default())
}

/// The same within limits.
pub(super) fn polish_within(
    bodies: &[Body<'_>; 2],
    guess: &Common,
    size: f64,
    room: f64,
    limits: &mut Limits,
) -> Option<Common> {
    let mut sets = [Active::at(&bodies[0], &guess.p, room), Active::at(&bodies[1], &guess.q, room)];
    // The sets that were solved for, the first one in front.
    let mut seen = [sets; SETS + 1];
    let mut iterations = 0;
    for round in 0..SETS {
        if sets[0].count == 0 || (sets[1].count == 0 && bodies[1].constraints() > 0) {
            return None;
        }
        let by_query = |limits: &mut Limits| against_convex(bodies, &sets[0], guess, size, limits);
        let solved = match (bodies[1].constraints(), bodies[1].kind) {
            (0, _) => by_query(limits),
            (_, Kind::Convex(_)) if limits.ask && guess.gap > 0.0 => {
                against_stack(bodies, &sets, guess, size, limits).or_else(|| by_query(limits))
            }
            _ => against_stack(bodies, &sets, guess, size, limits),
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
                seen[round + 1] = sets;
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

pub(super) type Solved = (Common, [[f64; ACTIVE]; 2]);

/// The step before: its length, in sizes and rad together, the angle that the normals were off, and by which factor it
/// was shorter than the one before it; and how many steps in turn have left the normals as much off.
struct Progress {
    moved: f64,
    off: f64,
    rate: f64,
    idles: usize,
}

impl Progress {
    /// Whether the next step shows that all lead nowhere.
    fn ends(&mut self, step: usize, moved: f64, off: f64) -> bool {
        let idle = off > 0.9 * self.off;
        self.idles = if idle { self.idles + 1 } else { 0 };
        let lost = step > LOST && moved > 0.9 * self.moved;
        let creeps = step > EARLIEST && idle && moved < CREEPING;
        lost || creeps || self.idles == MAX_IDLES
    }
}

/// Both bodies by their constraints. Unknowns: p and q along their tangents, and the turn of n, lengths in sizes.
fn against_stack(
    bodies: &[Body<'_>; 2],
    sets: &[Active; 2],
    guess: &Common,
    size: f64,
    limits: &mut Limits,
) -> Option<Solved> {
    let [a, b] = bodies;
    if are_inclined(bodies, sets) {
        return None;
    }
    let (mut p, mut q, mut n) = (guess.p, guess.q, guess.n);
    let mut looked = false;
    let mut progress = Progress { moved: f64::INFINITY, off: f64::INFINITY, rate: 0.0, idles: 0 };
    for step in 0..STEPS {
        limits.steps = limits.steps.checked_sub(1)?;
        let (x, y) =
            (ConstrainedPoint::at(a, &sets[0], &p, &n)?, ConstrainedPoint::at(b, &sets[1], &q, &-n)?);
        let way = q - p;
        let off = x.off(&n).max(y.off(&n)).max((way - n * n.dot(&way)).norm() / size);
        let (dp, dq, dn) = newton(&x, &y, &way, &n, size);
        let moved = (dp.norm() + dq.norm()) / size + dn.norm();
        if !(moved < FARTHEST * LONGEST) || n.dot(&guess.n) < limits.cosine {
            return None;
        }
        // The first guess may be as good as it gets along its tangents, but not off its surfaces.
        let back = x.back.norm() + y.back.norm();
        let slow = moved > SQUARED && (progress.moved < f64::INFINITY || back > SQUARED * size);
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
        if limits.near && step == 0 && !(x.may_have(&n) && y.may_have(&-n)) {
            return None;
        }
        // Another set is as clear from about here, and begins at the guess again.
        if !looked && moved < AHEAD && off < AHEAD {
            looked = true;
            let (p, q, n) = (p + dp, q + dq, (n + dn).normalize());
            let common = Common { p, q, n, gap: n.dot(&(q - p)), iterations: step as u32 + 1 };
            let multipliers = [x.multipliers, y.multipliers];
            if is_to_change(bodies, sets, &common, &multipliers, (CLEARLY * moved).max(LEAST), size) {
                return Some((common, multipliers));
            }
        }
        if progress.ends(step, moved, off) {
            return None;
        }
        // Steps that shrink by one factor lead to a flat place, where the equations have a multiple root.
        let rate = moved / progress.moved;
        let close = moved < CLOSE && off < CLOSE;
        let alike = (rate - progress.rate).abs() < ALIKE * rate;
        let multiple = close && alike && (MULTIPLE[0]..MULTIPLE[1]).contains(&rate);
        let share = if multiple { 1.0 / (1.0 - rate) } else { 1.0 };
        let share = share.min(LONGEST / moved);
        p += dp * share;
        q += dq * share;
        n = (n + dn * share).normalize();
        let idles = progress.idles;
        progress = match multiple {
            true => Progress { moved: f64::MAX, off: f64::MAX, rate: 0.0, idles },
            false => Progress { moved, off, rate, idles },
        };
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
