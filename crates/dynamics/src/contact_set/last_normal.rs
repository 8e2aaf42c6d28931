//! The normal from which the next query of a pair starts, as long as it says something of it.
//!
//! A query that starts from a normal stays on its branch where bodies overlap, and from the wrong side of a body there
//! is such a branch even where they are apart. Trial steps and samples of long steps place bodies anywhere: before,
//! inside and behind each other. Where a body has moved by more than [`NEAR`] of the pair's least width against the
//! other one, or turned by more than 0.25 rad, since the normal was found, the query starts from none.

use super::parts::Parts;
use crate::model::PartPair;
use rattleback_geom::{Pose, Vec3};

/// From the middle of a body to its face is half of its width.
const NEAR: f64 = 0.25;
/// cos ½φ of the greatest turn φ, 0.25 rad.
const TURNED: f64 = 0.992_197_667_229_329;

/// The last normal of a pair, and where the parts were.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LastNormal {
    normal: Option<Vec3>,
    poses: [Pose; 2],
    width: f64,
}

impl LastNormal {
    /// A normal that belongs to the present poses.
    pub(crate) fn new(parts: &Parts, pair: &PartPair, normal: Option<Vec3>) -> Self {
        Self { normal, poses: poses(parts, pair), width: width(parts, pair) }
    }

    /// The normal, if the parts are near where they were.
    #[inline]
    pub(crate) fn at(&self, parts: &Parts, pair: &PartPair) -> Option<Vec3> {
        let [a, b] = [&parts.collider(pair.a).pose, &parts.collider(pair.b).pose];
        let apart = |[a, b]: [&Pose; 2]| b.position - a.position;
        let moved = (apart([a, b]) - apart([&self.poses[0], &self.poses[1]])).norm();
        let stays =
            |now: &Pose, then: &Pose| now.orientation.coords.dot(&then.orientation.coords).abs() >= TURNED;
        let is_near = moved <= NEAR * self.width && stays(a, &self.poses[0]) && stays(b, &self.poses[1]);
        self.normal.filter(|_| is_near)
    }

    /// Takes the normal found at the present poses.
    #[inline]
    pub(crate) fn set(&mut self, parts: &Parts, pair: &PartPair, normal: Vec3) {
        (self.normal, self.poses) = (Some(normal), poses(parts, pair));
    }
}

fn poses(parts: &Parts, pair: &PartPair) -> [Pose; 2] {
    [parts.collider(pair.a).pose, parts.collider(pair.b).pose]
}

/// The least width of both parts of a pair, in m; infinite for half-spaces.
pub(crate) fn width(parts: &Parts, pair: &PartPair) -> f64 {
    let width = |part| parts.collider(part).shape.surface().bounds().extents().min();
    width(pair.a).min(width(pair.b))
}
