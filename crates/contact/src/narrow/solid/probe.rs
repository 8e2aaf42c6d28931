//! The common normal of a body that constraints hold and a convex one that is asked for its nearest points: Newton's
//! method on p, along its tangents, with q, n and g what the touch of a small ball about p says (`polish`).

use super::active::{ACTIVE, Active};
use super::body::Body;
use super::constrained::ConstrainedPoint;
use super::linear::{self, MAX_UNKNOWNS, Rows};
use super::polish::{Common, Limits, SMALL, STEPS, Solved};
use super::tube::Tube;
use crate::contact::curvature_of;
use crate::narrow::{Start, touch};
use rattleback_geom::surface::Sphere;
use rattleback_geom::{Mat3, Pose, Vec3};

/// After so many steps along a body that is asked for its nearest points each must be shorter than the one before by
/// this factor: [`STEPS`] of them would not do otherwise. Until then it may be longer by the last one.
const QUERIES: usize = 2;
const SHORTER: f64 = 0.5;
const LONGER: f64 = 3.0;

/// Steps below this share of the size may be made by the roundings of a query.
const ROUNDED: f64 = 1e-12;

/// So far may the answer of a query be off, in sizes.
const SLACK: f64 = 1e-11;

/// The nearest point of a body to another one.
pub(super) struct Probe {
    pub q: Vec3,
    /// From the other point to it.
    pub n: Vec3,
    /// How far it is, in m; negative inside.
    pub gap: f64,
}

/// The nearest point of a convex body to p: of balls and capsules by their axis, of others by the touch with a small
/// ball there.
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
pub(super) fn against_convex(
    bodies: &[Body<'_>; 2],
    set: &Active,
    guess: &Common,
    size: f64,
    limits: &mut Limits,
) -> Option<Solved> {
    let [a, b] = bodies;
    let mut p = guess.p;
    let mut start = Start::Warm(guess.n);
    let mut before = f64::INFINITY;
    for step in 0..STEPS {
        limits.steps = limits.steps.checked_sub(1)?;
        // Inside of the body the nearest way out of it leads elsewhere, and costs more to find.
        if guess.gap > 0.0 && b.constraints() > 0 && b.holds(&p) {
            return None;
        }
        let there = probe(b, &p, start)?;
        let (n, g) = (there.n, there.gap);
        if n.dot(&guess.n) < limits.cosine {
            return None;
        }
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
        let shorter = if step >= QUERIES { SHORTER } else { LONGER };
        let slow = moved > ROUNDED * size && moved > shorter * before;
        if !(moved < 0.5 * size) || slow {
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
