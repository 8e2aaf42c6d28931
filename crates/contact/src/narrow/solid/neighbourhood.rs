//! A neighbourhood of a common normal along the curve of a tube in which no place is as near: the convex functions of
//! `walk`, whose symbols are used here.

use super::body::Body;
use super::polish::Common;
use super::tube::{CurvePoint, QUARTER, Tube};
use super::walk::{ACROSS, Minimum, OWN, Other, WIDTHS};
use super::walk_cylinder::{Beside, rises_from_plane};
use rattleback_geom::Vec3;
use rattleback_geom::surface::{Shape, Support};

/// A neighbourhood of the minimum in which it is the only one.
pub(super) struct Neighbourhood {
    /// a.
    pub width: f64,
    /// What the minimum may be off, because ways are not quite across the other curve, in m.
    pub slack: f64,
}

/// The widest neighbourhood of those tried in which the minimum is proved to be the only one.
pub(super) fn neighbourhood(
    tube: &Tube<'_, '_>,
    other: &Other<'_, '_>,
    min: &Minimum,
    best: &Common,
    size: f64,
) -> Option<Neighbourhood> {
    let (radius, _) = tube.bend();
    let widest = radius.min(size) * QUARTER;
    let widths = (0..WIDTHS).map(|k| widest * 0.5f64.powi(k as i32));
    let exact = |width: f64| Neighbourhood { width, slack: 0.0 };
    match other {
        Other::Ellipsoid(body) => {
            widths.into_iter().find(|&a| beside_ellipsoid(tube, body, min, best, a)).map(exact)
        }
        Other::Tube(second) => about_tube(tube, second, min, best, size, f64::INFINITY),
        Other::Cylinder(can) => match can.beside(&min.at.c)? {
            Beside::Plane(m) => {
                widths.into_iter().find(|&a| rises_from_plane(tube, &min.at, &m, a)).map(exact)
            }
            Beside::Tube(second, room) => about_tube(tube, &second, min, best, size, room),
        },
    }
}

/// The same beside another tube, no wider than `room`.
fn about_tube(
    tube: &Tube<'_, '_>,
    second: &Tube<'_, '_>,
    min: &Minimum,
    best: &Common,
    size: f64,
    room: f64,
) -> Option<Neighbourhood> {
    let widest = (tube.bend().0.min(size) * QUARTER).min(room);
    let mut widths = (0..WIDTHS).map(|k| widest * 0.5f64.powi(k as i32));
    let (t, off) = second.nearest(&best.q);
    let there = second.at(t);
    if (off - second.radius).abs() > OWN * size
        || (there.c - best.n * second.radius - best.q).norm() > OWN * size
    {
        return None;
    }
    let d = min.at.c - there.c;
    let (length, closed) = second.length();
    if length == 0.0 {
        let width = widths.find(|&a| along(tube, &min.at, &d, [a, 0.0]) > 0.0)?;
        return Some(Neighbourhood { width, slack: 0.0 });
    }
    // At an end a way may lean outwards.
    let ends = !closed && (t <= 0.0 || t >= length);
    let slope = if ends { 0.0 } else { there.tangent.dot(&best.n).abs() };
    if slope > ACROSS {
        return None;
    }
    let width = widths.find(|&a| beside_tube([tube, second], [&min.at, &there], t, a))?;
    Some(Neighbourhood { width, slack: 2.0 * widest * slope })
}

/// The least E_ss of a tube over a neighbourhood of the widths a of its own curve and b of the other; d points from the
/// other.
pub(super) fn along(tube: &Tube<'_, '_>, at: &CurvePoint, d: &Vec3, [a, b]: [f64; 2]) -> f64 {
    let (radius, bent) = tube.bend();
    if radius.is_infinite() {
        return 1.0;
    }
    let inwards = d.dot(&at.e) + (d.norm() + a + b) * a / radius + b;
    // Straight parts may lie in the neighbourhood.
    1.0 - if bent { inwards } else { inwards.max(0.0) } / radius
}

/// Whether E is convex over both curves within a of the minimum, its least value along the other curve lies there for
/// all of them, and the rest of the other curve is farther.
fn beside_tube(tubes: [&Tube<'_, '_>; 2], spots: [&CurvePoint; 2], t: f64, a: f64) -> bool {
    let d = spots[0].c - spots[1].c;
    let [from, to] = tubes[1].piece(t);
    let (length, closed) = tubes[1].length();
    // Where the curve ends nothing is beyond; at the end of a piece something is, of which the arc or the segment tells
    // nothing.
    let enough = |room: f64, end: bool| room >= a || end;
    if !(enough(t - from, !closed && from <= 0.0) && enough(to - t, !closed && to >= length)) {
        return false;
    }
    let (ss, tt) = (along(tubes[0], spots[0], &d, [a, a]), along(tubes[1], spots[1], &-d, [a, a]));
    let st = spots[0].tangent.dot(&spots[1].tangent).abs() + a / tubes[0].bend().0 + a / tubes[1].bend().0;
    if !(ss > 0.0 && tt > 0.0 && ss * tt > st * st && tt > st) {
        return false;
    }
    tubes[1].elsewhere(&spots[0].c, t) >= d.norm() + a
}

/// Whether the minimum is the only one within a, beside an ellipsoid.
fn beside_ellipsoid(tube: &Tube<'_, '_>, body: &Body<'_>, min: &Minimum, best: &Common, a: f64) -> bool {
    let Shape::Ellipsoid(shape) = body.shape else { return false };
    let m = body.rotation.tr_mul(&-best.n);
    let jet = shape.support_jet(&m);
    // The trace is the sum of both radii, the square norm that of their squares.
    let (sum, squares) = (jet.hessian.trace(), jet.hessian.norm_squared());
    let rho = 0.5 * (sum + (2.0 * squares - sum * sum).max(0.0).sqrt());
    let widest = shape.semi_axes().amax();
    // c − o turns by the angle θ at most.
    let theta = a / (rho + min.f - a).max(f64::MIN_POSITIVE);
    let room = jet.value - widest * theta;
    if !(a < rho + min.f && room > 0.0) {
        return false;
    }
    let rho = rho * jet.value / room + 2.0 * widest * widest * widest * theta / (room * room);
    let o = best.q + best.n * rho;
    along(tube, &min.at, &(min.at.c - o), [a, 0.0]) > 0.0
}
