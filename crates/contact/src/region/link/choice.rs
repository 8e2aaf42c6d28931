//! Which of the places where a link comes near a body are contacts of their own.
//!
//! The six nodes of the centre curve are always asked for their nearest points, so that a link that lies flat is
//! carried at six places however the wall is cut into triangles; besides them there are the minima inside the pieces.
//! As a minimum moves along a bar into the bend it passes a node, and for a while both are the same place. Two
//! places on the curve that are the length l apart, with the angle θ between their normals, are the same to the share
//!
//! q = max(0, 1 − l/2r) · clamp(2 − θ/15°, 0, 1),
//!
//! and of these the shallower is faded: it keeps the share k = Π(1 − k_j q_j) of its depth, over the deeper ones j,
//! from all of it where nothing deeper is near to nothing, where it is not told. Gaps are not faded. So depths are
//! continuous as places pass each other. Two nodes are never the same place. The deepest of all is never faded.

use super::super::Region;
use super::piece::Spine;
use rattleback_geom::Vec3;
use std::cmp::Ordering;
use std::f64::consts::PI;

/// Normals that differ by less are those of one place; twice as far apart they are those of two.
const SIMILAR: f64 = 15.0 / 180.0 * PI;

/// What keeps less than this of its depth is not told.
const LEAST: f64 = 1e-9;

/// A place where a link comes near a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Candidate {
    /// Length along the centre curve, in m.
    pub(super) place: f64,
    /// The node that it is, or none inside a piece.
    pub(super) node: Option<usize>,
    /// The signed distance of the centre curve from the body, in m; negative inside.
    pub(super) gap: f64,
    /// Unit normal out of the body.
    pub(super) outward: Vec3,
    /// The point of the centre curve.
    pub(super) on_curve: Vec3,
    /// The point of the body.
    pub(super) on_body: Vec3,
    /// The share of its depth that it keeps.
    keep: f64,
}

impl Candidate {
    /// A place with the node that it is, if it is one, the signed distance, the unit normal out of the body and the
    /// points of curve and body.
    pub(super) fn new(
        place: f64,
        node: Option<usize>,
        gap: f64,
        outward: Vec3,
        [on_curve, on_body]: [Vec3; 2],
    ) -> Self {
        Self { place, node, gap, outward, on_curve, on_body, keep: 1.0 }
    }

    /// The same with a share of its depth to begin with.
    pub(super) fn keeping(self, keep: f64) -> Self {
        Self { keep, ..self }
    }

    /// The order along the curve, and of many at one place an order that depends on them alone.
    fn compare(&self, other: &Self) -> Ordering {
        let numbers = |c: &Self| [c.place, c.gap, c.outward.x, c.outward.y, c.outward.z];
        let compared = numbers(self).into_iter().zip(numbers(other)).map(|(x, y)| x.total_cmp(&y));
        compared.fold(Ordering::Equal, Ordering::then)
    }
}

/// What the choice knows of the link and of the question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Radius of the bar in m.
    pub(super) radius: f64,
    /// Up to which gap places are told, in m.
    pub(super) reach: f64,
    /// Length of the centre curve in m.
    pub(super) length: f64,
}

impl Limits {
    pub(super) fn new(radius: f64, reach: f64, spine: &Spine) -> Self {
        Self { radius, reach, length: spine.length }
    }

    /// How far a body may be from the centre curve to be told.
    pub(super) fn most(&self) -> f64 {
        self.radius + self.reach
    }

    /// To which share two candidates are the same place.
    fn share(&self, a: &Candidate, b: &Candidate) -> f64 {
        if a.node.is_some() && b.node.is_some() && a.node != b.node {
            return 0.0;
        }
        let off = (a.place - b.place).abs();
        let near = 1.0 - off.min(self.length - off) / (2.0 * self.radius);
        if near <= 0.0 {
            return 0.0;
        }
        let angle = a.outward.cross(&b.outward).norm().atan2(a.outward.dot(&b.outward));
        near * (2.0 - angle / SIMILAR).clamp(0.0, 1.0)
    }
}

/// Tells the contacts among the candidates, in order along the curve, as regions of the link A and the body B in the
/// body's frame.
pub(super) fn choose(found: &mut [Candidate], limits: &Limits, out: &mut Vec<Region>) {
    // Deepest first, nodes after what is inside pieces.
    found.sort_unstable_by(|a, b| {
        let inside_first = a.node.is_some().cmp(&b.node.is_some());
        a.gap.total_cmp(&b.gap).then(inside_first).then_with(|| a.compare(b))
    });
    for i in 0..found.len() {
        let (deeper, rest) = found.split_at_mut(i);
        rest[0].keep *=
            deeper.iter().map(|other| 1.0 - other.keep * limits.share(&rest[0], other)).product::<f64>();
    }
    found.sort_unstable_by(Candidate::compare);
    for candidate in found.iter().filter(|candidate| candidate.keep > LEAST) {
        let depth = limits.radius - candidate.gap;
        let on_link = candidate.on_curve - candidate.outward * limits.radius;
        let point = (on_link + candidate.on_body) * 0.5;
        let depth = if depth > 0.0 { candidate.keep * depth } else { depth };
        out.push(Region::at_point(point, -candidate.outward, depth));
    }
}
