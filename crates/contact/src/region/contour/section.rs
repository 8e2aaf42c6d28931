//! The line in which a triangle cuts the surface of a convex body.
//!
//! The triangle's plane cuts the body in a convex area, whose boundary is star-shaped about any point c inside it.
//! With m strictly inside the body and p the body's point farthest across the plane from m, the segment from m to p
//! goes through the plane strictly inside the body: that is c. The signed distance f of the body is convex, so that
//!
//! - along a ray from c it has one zero, to which Newton's method comes from outside without passing it;
//! - on a side of the triangle it has two zeros at most: one where its ends differ in sign, and where both are outside
//!   none or two, about a place below zero, which the tangents at both ends of a bracket close in on.
//!
//! The zeros on the sides, in order of their angles about c, divide the boundary into arcs; each lies inside the
//! triangle as its middle does.

use super::super::mesh_convex::Field;
use super::Line;
use rattleback_geom::Vec3;
use rattleback_geom::curvature::tangents;
use rattleback_geom::surface::Shape;
use std::f64::consts::TAU;

/// Chords of a whole turn.
const CHORDS: f64 = 72.0;
/// Zeros are found to this share of the body's size.
const CLOSE: f64 = 1e-12;
/// Steps to a zero, or to a place below zero, at most.
const STEPS: usize = 100;
/// A point this far outside a side of a triangle, in sizes of the body, still counts as inside.
const ON_SIDE: f64 = 1e-9;

/// A convex body and a point strictly inside it.
pub(super) struct Body<'a> {
    field: Field<'a>,
    inner: Vec3,
}

impl<'a> Body<'a> {
    /// None where the shape has no support function, or nothing inside.
    pub(super) fn new(shape: &'a Shape) -> Option<Self> {
        let field = Field::new(shape)?;
        let bounds = shape.surface().bounds();
        let middle = bounds.centre();
        if field.read(&middle).f < -0.1 * bounds.extents().min() {
            return Some(Self { field, inner: middle });
        }
        // The mass centre of what is convex is inside.
        let moments = shape.surface().moments().ok()?;
        let inner = moments.first / moments.volume;
        (field.read(&inner).f < 0.0).then_some(Self { field, inner })
    }

    fn f(&self, x: &Vec3) -> f64 {
        self.field.read(x).f
    }

    /// Where the way from a point inside to one outside leaves the body.
    fn way_out(&self, inside: &Vec3, outside: &Vec3) -> Vec3 {
        let way = outside - inside;
        let mut s = 1.0;
        for _ in 0..STEPS {
            let at = self.field.read(&(inside + way * s));
            let slope = at.n.dot(&way);
            // Convex from below zero to above it: f rises there, but for rounding.
            if at.f <= CLOSE * self.field.size || !(slope > 0.0) {
                break;
            }
            s = (s - at.f / slope).max(0.0);
        }
        inside + way * s
    }

    /// A point of a side that lies inside the body, of a side whose ends do not.
    fn dip(&self, a: &Vec3, b: &Vec3) -> Option<Vec3> {
        let along = b - a;
        let read = |s: f64| {
            let at = self.field.read(&(a + along * s));
            (s, at.f, at.n.dot(&along))
        };
        let (mut low, mut high) = (read(0.0), read(1.0));
        for _ in 0..STEPS {
            // Where f rises away from either end, or both tangents stay above zero, nothing is below it.
            if !(low.2 < 0.0 && high.2 > 0.0) || low.0 - low.1 / low.2 >= high.0 - high.1 / high.2 {
                return None;
            }
            let s = 0.5 * (low.0 - low.1 / low.2 + high.0 - high.1 / high.2);
            let middle = read(s);
            if middle.1 < 0.0 {
                return Some(a + along * s);
            }
            if !(s > low.0 && s < high.0) {
                return None;
            }
            if middle.2 < 0.0 { low = middle } else { high = middle }
        }
        None
    }

    /// The places where a side goes through the surface.
    fn crossings(&self, [a, b]: [(&Vec3, f64); 2], out: &mut Vec<Vec3>) {
        match (a.1 < 0.0, b.1 < 0.0) {
            (true, true) => {}
            (true, false) => out.push(self.way_out(a.0, b.0)),
            (false, true) => out.push(self.way_out(b.0, a.0)),
            (false, false) => {
                if let Some(dip) = self.dip(a.0, b.0) {
                    out.extend([a.0, b.0].map(|end| self.way_out(&dip, end)));
                }
            }
        }
    }
}

/// Adds the line in which a triangle, given in the body's frame, cuts the body's surface.
pub(super) fn add(body: &Body<'_>, corners: &[Vec3; 3], lines: &mut Vec<Line>) {
    let [a, b, c] = corners;
    let Some(normal) = (b - a).cross(&(c - a)).try_normalize(0.0).filter(|n| n.sum().is_finite()) else {
        return;
    };
    let values = corners.each_ref().map(|p| body.f(p));
    if values.iter().all(|f| *f < 0.0) {
        return;
    }
    let height = normal.dot(&(body.inner - a));
    let across = if height > 0.0 { -normal } else { normal };
    let tip = body.field.support.support_point(&across);
    let reach = across.dot(&(tip - body.inner));
    if !(height.abs() < reach) {
        return;
    }
    let centre = body.inner + (tip - body.inner) * (height.abs() / reach);
    if !(body.f(&centre) < 0.0) {
        return;
    }
    let mut crossings = Vec::new();
    for k in 0..3 {
        let ends = [k, (k + 1) % 3].map(|i| (&corners[i], values[i]));
        body.crossings(ends, &mut crossings);
    }
    let (t, u) = tangents(&normal);
    let far = 1.1 * body.field.size;
    let boundary = |angle: f64| body.way_out(&centre, &(centre + (t * angle.cos() + u * angle.sin()) * far));
    let is_inside = |p: &Vec3| {
        (0..3).all(|k| {
            let side = corners[(k + 1) % 3] - corners[k];
            side.cross(&(p - corners[k])).dot(&normal) >= -ON_SIDE * body.field.size * side.norm()
        })
    };
    let mut ends: Vec<(f64, Vec3)> =
        crossings.into_iter().map(|p| ((p - centre).dot(&u).atan2((p - centre).dot(&t)), p)).collect();
    if ends.is_empty() {
        ends.push((0.0, boundary(0.0)));
    }
    ends.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    for k in 0..ends.len() {
        let (from, first) = ends[k];
        let (to, last) = ends.get(k + 1).copied().unwrap_or((ends[0].0 + TAU, ends[0].1));
        if !(to > from) || !is_inside(&boundary(0.5 * (from + to))) {
            continue;
        }
        let chords = ((to - from) / TAU * CHORDS).ceil().max(1.0);
        let between = (1..chords as usize).map(|i| boundary(from + (to - from) * i as f64 / chords));
        lines.push(std::iter::once(first).chain(between).chain(std::iter::once(last)).collect());
    }
}
