//! The common normal next to a guess, to rounding: Newton's method on the conditions of Karush, Kuhn and Tucker.
//!
//! With the active constraints a_i of A (its surface, its planes) and b_j of B, and q = p + g n:
//!
//!   n = Σ α_i ∇a_i(p),   −n = Σ β_j ∇b_j(q),   a_i(p) = 0,   b_j(q) = 0,   n·n = 1,   α, β ≥ 0.
//!
//! One active constraint is a point of a face, two one of an edge, three a corner. Nothing happens at g = 0. Of a body with a
//! support function the point q, n and g at a given p are what its own certified query says of a small ball about p; they
//! change by dn = −S(1 + gS)⁻¹ dp with the shape operator S there. A multiplier below zero leaves the active set, a constraint
//! that is violated joins it.

use super::active::{ACTIVE, Active, change};
use super::body::{Body, Kind};
use super::linear::{self, MOST, Rows};
use crate::contact::curvature_of;
use crate::narrow::{Start, Touch, touch};
use rattleback_geom::surface::Sphere;
use rattleback_geom::{Mat3, Pose, Vec3};

/// Newton steps for one active set.
const STEPS: usize = 25;

/// Active sets that are tried.
const SETS: usize = 8;

/// Steps below this share of the size are rounding.
const SMALL: f64 = 4e-15;

/// So far may the answer of a query be off, in sizes.
const SLACK: f64 = 1e-11;

/// The radius of the ball about p that asks a convex body for its nearest point, in sizes of that body.
const PROBE: f64 = 1e-3;

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
    let mut sets = [Active::at(&bodies[0], &guess.p, room), Active::at(&bodies[1], &guess.q, room)];
    let mut seen = [sets; SETS];
    let mut iterations = 0;
    for round in 0..SETS {
        if sets[0].count == 0 || (sets[1].count == 0 && bodies[1].constraints() > 0) {
            return None;
        }
        let by_constraints = || against_stack(bodies, &sets, guess, size);
        let by_query = || against_convex(bodies, &sets[0], guess, size);
        let solved = match (bodies[1].constraints(), bodies[1].kind) {
            (0, _) => by_query(),
            (_, Kind::Convex(_)) if guess.gap > 0.0 => by_constraints().or_else(by_query),
            _ => by_constraints(),
        };
        let (found, multipliers) = match solved {
            Some(solved) => solved,
            // Too many constraints leave nothing to solve for.
            None if sets[0].count + sets[1].count > 2 => {
                let side = usize::from(sets[1].count > sets[0].count);
                let last = sets[side].count - 1;
                sets[side].remove(last);
                continue;
            }
            None => return None,
        };
        iterations += found.iterations;
        if !change(bodies, &mut sets, &found, &multipliers, size) {
            return Some(Common { iterations, ..found });
        }
        if seen[..round].contains(&sets) {
            return None;
        }
        seen[round] = sets;
    }
    None
}

/// Multipliers that make n of the gradients, by least squares.
fn multipliers(gradients: &[Vec3], n: &Vec3) -> [f64; ACTIVE] {
    let mut rows: Rows = [[0.0; MOST + 1]; MOST];
    for (i, g) in gradients.iter().enumerate() {
        for (j, h) in gradients.iter().enumerate() {
            rows[i][j] = g.dot(h);
        }
        rows[i][MOST] = g.dot(n);
    }
    let x = linear::solve(&mut rows, gradients.len());
    std::array::from_fn(|i| if i < gradients.len() { x[i] } else { 0.0 })
}

fn gradients(body: &Body<'_>, set: &Active, x: &Vec3) -> ([Vec3; ACTIVE], usize) {
    let mut out = [Vec3::zeros(); ACTIVE];
    for (slot, k) in out.iter_mut().zip(set.iter()) {
        *slot = body.constraint(k, x).1;
    }
    (out, set.count)
}

type Solved = (Common, [[f64; ACTIVE]; 2]);

fn put(rows: &mut Rows, row: usize, column: usize, m: &Mat3) {
    for i in 0..3 {
        for j in 0..3 {
            rows[row + i][column + j] += m[(i, j)];
        }
    }
}

/// Both bodies by their constraints. Unknowns: p, n, g, α, β.
fn against_stack(bodies: &[Body<'_>; 2], sets: &[Active; 2], guess: &Common, size: f64) -> Option<Solved> {
    let [a, b] = bodies;
    let (mut p, mut n) = (guess.p, guess.n);
    let mut g = n.dot(&(guess.q - p));
    let (ga, ka) = gradients(a, &sets[0], &p);
    let (gb, kb) = gradients(b, &sets[1], &(p + n * g));
    let mut alpha = multipliers(&ga[..ka], &n);
    let mut beta = multipliers(&gb[..kb], &-n);
    let unknowns = 7 + ka + kb;
    for step in 0..STEPS {
        let q = p + n * g;
        let mut rows: Rows = [[0.0; MOST + 1]; MOST];
        let (mut first, mut second) = (n, n);
        put(&mut rows, 0, 3, &Mat3::identity());
        put(&mut rows, 3, 3, &Mat3::identity());
        for (i, k) in sets[0].iter().enumerate() {
            let (value, gradient, hessian) = a.constraint(k, &p);
            put(&mut rows, 0, 0, &(hessian * -alpha[i]));
            first -= gradient * alpha[i];
            for d in 0..3 {
                rows[d][7 + i] = -gradient[d];
                rows[6 + i][d] = gradient[d];
            }
            rows[6 + i][MOST] = -value;
        }
        for (j, k) in sets[1].iter().enumerate() {
            let (value, gradient, hessian) = b.constraint(k, &q);
            let (turn, row) = (hessian * beta[j], 6 + ka + j);
            put(&mut rows, 3, 0, &turn);
            put(&mut rows, 3, 3, &(turn * g));
            let along = turn * n;
            second += gradient * beta[j];
            for d in 0..3 {
                rows[3 + d][6] += along[d];
                rows[3 + d][7 + ka + j] = gradient[d];
                rows[row][d] = gradient[d];
                rows[row][3 + d] = gradient[d] * g;
            }
            rows[row][6] = gradient.dot(&n);
            rows[row][MOST] = -value;
        }
        for d in 0..3 {
            rows[d][MOST] = -first[d];
            rows[3 + d][MOST] = -second[d];
            rows[unknowns - 1][3 + d] = 2.0 * n[d];
        }
        rows[unknowns - 1][MOST] = 1.0 - n.norm_squared();
        let x = linear::solve(&mut rows, unknowns);
        let dp = Vec3::new(x[0], x[1], x[2]);
        let dn = Vec3::new(x[3], x[4], x[5]);
        if !(dp.norm() < 0.5 * size && dn.norm() < 1.0 && x[6].abs() < size) {
            return None;
        }
        p += dp;
        n += dn;
        g += x[6];
        (0..ka).for_each(|i| alpha[i] += x[7 + i]);
        (0..kb).for_each(|j| beta[j] += x[7 + ka + j]);
        let moved = dp.norm() + size * dn.norm() + x[6].abs();
        if moved <= SMALL * size || (step > 8 && moved <= 1e-13 * size) {
            let n = n.normalize();
            let weigh = |g: &[Vec3; ACTIVE], m: [f64; ACTIVE]| std::array::from_fn(|i| m[i] * g[i].norm());
            let (ga, gb) = (gradients(a, &sets[0], &p).0, gradients(b, &sets[1], &q).0);
            let common = Common { p, q: p + n * g, n, gap: g, iterations: step as u32 + 1 };
            return Some((common, [weigh(&ga, alpha), weigh(&gb, beta)]));
        }
    }
    None
}

/// The nearest point of a convex body to p: its touch with a small ball there.
fn probe(b: &Body<'_>, p: &Vec3, start: Start) -> Option<Touch> {
    let ball = Sphere::new(PROBE * b.size).ok()?.into();
    let place = Pose { position: *p, ..Pose::identity() };
    touch(&ball, &place, b.shape, &b.pose(), start).ok()
}

/// A by its constraints, B by its own query. Unknowns: p, α.
fn against_convex(bodies: &[Body<'_>; 2], set: &Active, guess: &Common, size: f64) -> Option<Solved> {
    let [a, b] = bodies;
    let radius = PROBE * b.size;
    let mut p = guess.p;
    let mut start = Start::Warm(guess.n);
    let mut alpha: Option<[f64; ACTIVE]> = None;
    let unknowns = 3 + set.count;
    for step in 0..STEPS {
        let there = probe(b, &p, start)?;
        start = Start::Warm(there.normal);
        let (n, g) = (there.normal, there.gap + radius);
        let (ga, ka) = gradients(a, set, &p);
        let now = alpha.unwrap_or_else(|| multipliers(&ga[..ka], &n));
        let mut rows: Rows = [[0.0; MOST + 1]; MOST];
        let mut rest = n;
        put(&mut rows, 0, 0, &-offset_shape(b, &n, &there.point_b, g, size)?);
        for (i, k) in set.iter().enumerate() {
            let (value, gradient, hessian) = a.constraint(k, &p);
            put(&mut rows, 0, 0, &(hessian * -now[i]));
            rest -= gradient * now[i];
            for d in 0..3 {
                rows[d][3 + i] = -gradient[d];
                rows[3 + i][d] = gradient[d];
            }
            rows[3 + i][MOST] = -value;
        }
        for d in 0..3 {
            rows[d][MOST] = -rest[d];
        }
        let x = linear::solve(&mut rows, unknowns);
        let dp = Vec3::new(x[0], x[1], x[2]);
        if !(dp.norm() < 0.5 * size) {
            return None;
        }
        p += dp;
        let next = std::array::from_fn(|i| if i < ka { now[i] + x[3 + i] } else { 0.0 });
        alpha = Some(next);
        if dp.norm() <= SMALL * size || (step > 8 && dp.norm() <= 1e-13 * size) {
            let there = probe(b, &p, start)?;
            let weighed = std::array::from_fn(|i| next[i] * ga[i].norm());
            let (n, gap) = (there.normal, there.gap + radius);
            if !((there.point_b - p - n * gap).norm() <= SLACK * size) {
                return None;
            }
            let common = Common { p, q: there.point_b, n, gap, iterations: step as u32 + 1 };
            return Some((common, [weighed, [0.0; ACTIVE]]));
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
