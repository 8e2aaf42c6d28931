//! Capsules on their sides: they touch a plane, or another capsule, along a line, which is borne at its ends.
//!
//! An end of a capsule is a ball. Its contact has a relative curvature, which that of the side has not where the other
//! surface goes on straight: so a capsule that lies on a plane has two rigid contacts, one at each end. Capsules of
//! parallel axes touch in the same way, the ends of either on the side of the other.

use super::gap_scan::{PairTrees, shape};
use crate::contact_set::Parts;
use crate::error::Result;
use crate::model::{PartId, PartPair};
use rattleback_contact::Touch;
use rattleback_geom::surface::{Capsule, Shape};
use rattleback_geom::{Pose, Vec3};

/// How far, in rad, the normal at an end may point back over the side: as far as capsules tilt that are laid down at
/// the beginning.
const BACK: f64 = 1e-3;

/// Where an end of a capsule comes nearest to another part.
#[derive(Debug, Clone, Copy)]
pub struct End {
    /// The capsule.
    pub part: PartId,
    /// Half the length of its side, with the sign of the end.
    height: f64,
    /// Where.
    pub touch: Touch,
    /// Whether that is a point of the capsule: the normal does not point back over its side.
    pub faces: bool,
}

impl End {
    /// A point of the end's ball, put beyond the seam of the side.
    pub fn beyond(&self, local: &Vec3) -> Vec3 {
        let z = if self.height > 0.0 { local.z.max(self.height) } else { local.z.min(self.height) };
        Vec3::new(local.x, local.y, z)
    }
}

impl PairTrees<'_> {
    /// The capsules of a pair that may touch along a line.
    fn capsules(&self, pair: &PartPair) -> Vec<(PartId, &Capsule)> {
        let shapes = [pair.a, pair.b].map(|part| (part, shape(self.model, part)));
        let straight = shapes.iter().all(|(_, shape)| matches!(shape, Shape::Capsule(_) | Shape::Plane(_)));
        let capsules = shapes.into_iter().filter_map(|(part, shape)| match shape {
            Shape::Capsule(capsule) => Some((part, capsule)),
            _ => None,
        });
        if straight { capsules.collect() } else { Vec::new() }
    }

    /// Whether two parts touch in one place at most.
    pub fn touches_once(&self, pair: &PartPair) -> bool {
        self.is_convex(pair) && self.capsules(pair).is_empty()
    }

    /// The ends of the capsules of a pair, as the narrow phase numbers them: both of the first, both of the second.
    pub fn ends(&self, pair: &PartPair, parts: &Parts, poses: [&Pose; 2]) -> Result<Vec<End>> {
        let mut found = Vec::new();
        for (part, capsule) in self.capsules(pair) {
            for sign in [1.0, -1.0] {
                let touch = parts.touch(&PartPair { feature: Some(found.len()), ..*pair }, None)?;
                let (pose, outward) =
                    if part == pair.a { (poses[0], touch.normal) } else { (poses[1], -touch.normal) };
                let axis = pose.vector_to_world(&Vec3::z()) * sign;
                let (height, faces) = (sign * capsule.half_length(), axis.dot(&outward) > -BACK);
                found.push(End { part, height, touch, faces });
            }
        }
        Ok(found)
    }
}
