//! Proof that a common normal of a tube (`tube`) and another body is the shortest way between them.
//!
//! With c(s) the tube's curve by its length and f(s) the distance of c(s) from the other body B, the distance of the
//! solids is min f − r. f changes by 1 per length at most: beside a place with f > f* nothing as close as f* is nearer
//! than f − f*. Where B is convex, or a tube about a convex set, it lies behind the plane across m, the normal at its
//! point nearest to c(s): f(s + w) ≥ f(s) + m·(c(s + w) − c(s)). With c″ = −k e/R, k zero or one, and e that turns by
//! 1/R per length at most, this falls below f(s) + w m·c′ by no more than ½(m·e)w²/R + w³/6R², and where m·e < 0 by
//! (w + R m·e)³/6R² as soon as that is positive; both are convex in w, so that the end of a step tells for all of it.
//! That walks all the way round the curve but for a neighbourhood ∣s − s*∣ ≤ a of the known minimum f*, where steps
//! would shrink to nothing. There the minimum is the only one because a function below f, equal to it at s*, is convex:
//!
//! - B a tube about c₂(t): E(s, t) = ½∣c − c₂∣² with d = c − c₂ has E_ss = 1 + d·c″, E_tt = 1 − d·c₂″, E_st = −c′·c₂′.
//!   Over ∣s − s*∣ ≤ a, ∣t − t*∣ ≤ b, with D = ∣d∣ + a + b, they differ from their values at (s*, t*) by
//!   (D a/R + b)/R, (D b/R₂ + a)/R₂ and a/R + b/R₂ at most; b = a. Where E_tt > ∣E_st∣ there, E_t is negative at t* − a
//!   and positive at t* + a for all s: the least E over t lies between, and an arc or a segment has no other one.
//!   Beyond the arc or the segment that t* is on, ∣c(s*) − c₂∣ ≥ ∣d∣ + a.
//!   Closed curves have a walk of their own, `walk_pair`.
//! - B a ball: the nearest place of the curve to its centre is closed, and there is nothing to walk.
//! - B a cylinder: `walk_cylinder`.
//! - B an ellipsoid: with its normal m at q, h its support function and ρ its greatest radius of curvature over all
//!   normals within θ of m, h(m′) ≤ m′·o + ρ there, o = q − ρm, because u = h − m′·o − ρ has u″ + u ≤ 0 along great
//!   circles from m, where u = u′ = 0. Hence f ≥ ∣c − o∣ − ρ as long as c − o stays within θ of m, and E(s) = ½∣c − o∣²
//!   is that of a tube about a point. Of ∇²h = A^½(1 − ŷŷᵀ)A^½/∣y∣ with y = A^½m′, A the squared semi-axes, α the
//!   greatest one and δ = αθ: ρ ≤ ρ(m) h/(h − δ) + 2α²δ/(h − δ)².

use super::body::Body;
use super::neighbourhood::{Neighbourhood, neighbourhood};
use super::polish::Common;
use super::probe::probe;
use super::tube::{CurvePoint, Tube};
use super::walk_cylinder::Can;
use super::walk_pair::is_clear;
use crate::narrow::Start;
use rattleback_geom::Vec3;
use rattleback_geom::surface::Shape;

/// Steps of a walk: where f is nearly the same all along, it does not end.
const STEPS: usize = 150;

/// Widths of the neighbourhood and of a step that are tried, each half the one before.
pub(super) const WIDTHS: usize = 10;

/// Numbers of a walk are right to this share of the size: sums of a few roundings of coordinates.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// A common normal whose points are not the tubes' own to this share of the size lies on a disc or a rim.
pub(super) const OWN: f64 = 1e-13;

/// Ways that lean along a curve by more than this, in rad, end at one of its ends.
pub(super) const ACROSS: f64 = 1e-9;

/// The other body.
pub(super) enum Other<'a, 'b> {
    Tube(Tube<'a, 'b>),
    Ellipsoid(&'a Body<'b>),
    Cylinder(Can<'a, 'b>),
}

/// What is known of the minimum.
pub(super) struct Minimum {
    /// f*.
    pub f: f64,
    pub at: CurvePoint,
}

/// A lower bound of the distance of two bodies that is the gap of a common normal, to rounding, if that can be proved.
pub(super) fn prove(bodies: &[Body<'_>; 2], best: &Common, size: f64) -> Option<f64> {
    let [a, b] = bodies;
    let tube = Tube::of(a)?;
    let other = match b.shape {
        Shape::Ellipsoid(_) => Other::Ellipsoid(b),
        Shape::Cylinder(can) => {
            let (radius, half_length) = (can.radius(), can.half_length());
            Other::Cylinder(Can { body: b, radius, half_length })
        }
        _ => Other::Tube(Tube::of(b)?),
    };
    let (s, off) = tube.nearest(&best.p);
    let at = tube.at(s);
    let rounding = ROUNDING * size;
    if (off - tube.radius).abs() > OWN * size || (at.c + best.n * tube.radius - best.p).norm() > OWN * size {
        return None;
    }
    // A way that is not quite across the curve leaves room for its part along it: convex functions fall by slope times
    // width at most.
    let slope = at.tangent.dot(&best.n).abs();
    let f = best.gap + tube.radius;
    let (length, closed) = tube.length();
    if slope > ACROSS {
        return None;
    }
    if let Other::Tube(second) = &other
        && second.length().1
    {
        let least = f + second.radius - rounding;
        return is_clear([&tube, second], s, least).then_some(best.gap - 2.0 * rounding);
    }
    // The nearest place of the curve to a point is known.
    if let Other::Tube(second) = &other
        && second.length().0 == 0.0
    {
        let lower = tube.nearest(&second.at(0.0).c).1 - tube.radius - second.radius;
        let is_least = lower >= best.gap - OWN * size;
        return is_least.then(|| lower.min(best.gap) - 2.0 * rounding);
    }
    let Neighbourhood { width, slack } = neighbourhood(&tube, &other, &Minimum { f, at }, best, size)?;
    let near = width.min(0.5 * length);
    let slack = slack + 2.0 * near * slope + rounding;
    let mut start = Start::Warm(best.n);
    let mut plane = |at: &CurvePoint| other.plane(&at.c, &mut start, rounding);
    let mut walk = |sign: f64, end: f64| covers(&tube, [s + sign * near, end], f, &mut plane);
    let clear = if closed {
        walk(1.0, s + length - near)
    } else {
        (s + near >= length || walk(1.0, length)) && (s - near <= 0.0 || walk(-1.0, 0.0))
    };
    clear.then_some(best.gap - slack)
}

/// A lower bound of the distance of a point from the other body, and the normal of the plane that shows it.
struct Bound {
    distance: f64,
    /// Away from the body; none where the body is not on one side of the plane.
    m: Option<Vec3>,
}

impl Other<'_, '_> {
    /// The bound at c; `start` is the normal of the one before.
    fn plane(&self, c: &Vec3, start: &mut Start, rounding: f64) -> Option<Bound> {
        match self {
            Self::Tube(second) => {
                let (t, distance) = second.nearest(c);
                let m = (c - second.at(t).c) / distance;
                let convex = second.bend().0.is_infinite() && distance > 0.0;
                Some(Bound { distance: distance - second.radius - rounding, m: convex.then_some(m) })
            }
            Self::Ellipsoid(body) => {
                let there = probe(body, c, *start)?;
                *start = Start::Warm(there.n);
                let m = -there.n;
                let distance = m.dot(&(c - body.farthest(&body.whole(), &m))) - rounding;
                Some(Bound { distance, m: Some(m) })
            }
            Self::Cylinder(can) => {
                let (distance, m) = can.nearest(c)?;
                Some(Bound { distance: distance - rounding, m: Some(m) })
            }
        }
    }
}

/// Whether no place of the curve from one length to another is closer to the other body than `least`.
fn covers(
    tube: &Tube<'_, '_>,
    [from, to]: [f64; 2],
    least: f64,
    plane: &mut dyn FnMut(&CurvePoint) -> Option<Bound>,
) -> bool {
    let (sign, end) = ((to - from).signum(), (to - from).abs());
    let mut way = 0.0;
    for _ in 0..STEPS {
        if way >= end {
            return true;
        }
        let here = tube.at(from + sign * way);
        let Some(bound) = plane(&here) else { return false };
        let room = bound.distance - least;
        // Nothing is gained by steps that rounding makes.
        if !(room > f64::EPSILON * from.abs().max(to.abs())) {
            return false;
        }
        way += bound.m.map_or(room, |m| step(tube, &here, sign, &m, room));
    }
    false
}

/// How far along the curve a body behind the plane with the normal m is `room` nearer at most.
fn step(tube: &Tube<'_, '_>, here: &CurvePoint, sign: f64, m: &Vec3, room: f64) -> f64 {
    let (radius, _) = tube.bend();
    let (rate, bend) = (sign * m.dot(&here.tangent), m.dot(&here.e));
    let stays = |w: &f64| {
        let turned = (w + bend.min(0.0) * radius).max(0.0);
        let fall = (0.5 * bend.max(0.0) + turned / (6.0 * radius)) * turned * turned / radius;
        room + rate * w - fall >= 0.0
    };
    let widths = (0..WIDTHS).map(|k| radius * 0.5f64.powi(k as i32));
    widths.take_while(|w| *w > room).find(stays).unwrap_or(room)
}
