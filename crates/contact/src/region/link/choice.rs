//! Which of the places where a link comes near a body are contacts of their own.
//!
//! The six nodes of the centre curve are always asked for their nearest points, so that a link that lies flat is carried at six
//! places however the wall is cut into triangles; besides them there are the minima inside the pieces. As a minimum wanders along a
//! bar into the bend it passes a node, and for a while both stand for the same place. Two places on the curve that are the length l
//! apart, with the angle θ between their normals, are the same to the share
//!
//! q = max(0, 1 − l/2r) · clamp(2 − θ/15°, 0, 1),
//!
//! and of these the shallower is faded: it keeps k = Π(1 − k_j q_j) over the deeper ones j, and its depth δ becomes δ − (1 − k)(δ + reach),
//! from δ where nothing deeper is near to −reach, where it is not told. So depths are continuous as places pass each other. Two nodes are
//! never the same place. The deepest of all is never faded.

use super::super::Region;
use super::piece::Spine;
use rattleback_geom::Vec3;
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

/// Tells the contacts among the candidates, in order along the curve, as regions of the link A and the body B in the body's frame.
/// `kept` is scratch.
pub(super) fn choose(found: &mut [Candidate], kept: &mut Vec<f64>, limits: &Limits, out: &mut Vec<Region>) {
    // Deepest first; what else decides makes the order that of the candidates alone.
    found.sort_unstable_by(|a, b| {
        let rank = |c: &Candidate| [c.gap, if c.node.is_some() { 1.0 } else { 0.0 }, c.place];
        let normals = || a.outward.iter().zip(&b.outward).map(|(x, y)| x.total_cmp(y));
        let ranks = rank(a).into_iter().zip(rank(b)).map(|(x, y)| x.total_cmp(&y));
        ranks.chain(normals()).fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
    });
    kept.clear();
    for (i, candidate) in found.iter().enumerate() {
        let others = found[..i].iter().zip(kept.iter());
        kept.push(others.map(|(other, keep)| 1.0 - keep * limits.share(candidate, other)).product());
    }
    let start = out.len();
    for (candidate, keep) in found.iter_mut().zip(kept.iter()) {
        let depth = limits.radius - candidate.gap;
        if *keep <= LEAST || depth < -limits.reach {
            continue;
        }
        let on_link = candidate.on_curve - candidate.outward * limits.radius;
        out.push(Region {
            point: (on_link + candidate.on_body) * 0.5,
            normal: -candidate.outward,
            depth: depth - (1.0 - keep) * (depth + limits.reach),
            // The place along the curve, until the regions are in order.
            area: candidate.place,
        });
    }
    out[start..].sort_by(|a, b| a.area.total_cmp(&b.area));
    for region in &mut out[start..] {
        region.area = 0.0;
    }
}
