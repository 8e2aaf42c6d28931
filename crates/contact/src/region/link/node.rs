//! The nodes of a centre curve and a mesh: the second column of the table in `super::mesh`.

use super::Known;
use super::choice::Candidate;
use super::feature::{Peak, Ridge};
use super::mesh::{Face, LinkMeshQuery};
use crate::error::Result;
use rattleback_geom::mesh::Feature;
use rattleback_geom::mesh::closest::on_triangle;

/// What is nearest to a node among the triangles that were gathered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    distance: f64,
    /// Whether the node is outside as seen from there; none where that takes more than one triangle.
    outside: Option<bool>,
}

impl Nearest {
    pub(super) const NOTHING: Self = Self { distance: f64::INFINITY, outside: None };
}

impl LinkMeshQuery<'_> {
    /// Adds the place where a node stands on a face, its sides or corners, if it does.
    pub(super) fn at_node(&self, i: usize, face: &Face, nearest: &mut Nearest, found: &mut Vec<Candidate>) {
        let on_curve = self.spine.node(i);
        let height = (on_curve - face.corners[0]).dot(&face.normal);
        if !(height.abs() <= self.limits.most()) {
            return;
        }
        let closest = on_triangle(&on_curve, &face.corners);
        if !(closest.distance <= self.limits.most()) {
            return;
        }
        let w = on_curve - closest.point;
        let (outward, outside, stands) = match closest.feature {
            Feature::Face => (face.normal, Some(height >= 0.0), height >= 0.0),
            Feature::Side(k) => match Ridge::new(self.mesh, face.triangle, k) {
                Some(ridge) => {
                    let outside = w.dot(&ridge.outward) >= 0.0;
                    (ridge.outward, Some(outside), outside && face.owns(k) && ridge.stands(&w))
                }
                None => (face.normal, Some(height >= 0.0), height >= 0.0),
            },
            Feature::Corner(k) => {
                let peak = Peak::new(self.mesh, face.triangle, k);
                (face.normal, None, peak.stands(&w) && w.dot(&peak.outward()) >= 0.0)
            }
        };
        if closest.distance < nearest.distance
            || (closest.distance == nearest.distance && nearest.outside.is_none())
        {
            *nearest = Nearest { distance: closest.distance, outside };
        }
        if stands {
            let outward = self.arm(&w, &outward, &face.normal);
            let (place, gap) = (self.spine.place(i, 0.0), closest.distance);
            found.push(Candidate::new(place, Some(i), gap, outward, [on_curve, closest.point]));
        }
    }

    /// Adds the nodes that lie inside the solid. A node without triangles near it is on the same side as the next one,
    /// where there are none near the piece between them either.
    pub(super) fn nodes_inside(
        &self,
        met: u8,
        nearest: &[Nearest; 6],
        known: &mut Known,
        found: &mut Vec<Candidate>,
    ) -> Result<()> {
        let count = self.spine.nodes();
        let mut outside: [Option<bool>; 6] = nearest.map(|n| n.outside);
        for i in (0..2 * count).map(|i| i % count) {
            let before = self.spine.before(i);
            if met >> before & 1 == 0 {
                let either = outside[i].or(outside[before]);
                (outside[i], outside[before]) = (either, either);
            }
        }
        for (i, outside) in outside.iter().enumerate().take(count) {
            let on_curve = self.spine.node(i);
            if *outside == Some(true) || (outside.is_none() && known.is_outside(self.mesh, i, &on_curve)?) {
                continue;
            }
            let projection = self.mesh.project(&on_curve)?;
            if projection.distance < 0.0 {
                let on_body = projection.closest.point;
                let outward = self.arm(&(on_body - on_curve), &projection.normal, &projection.normal);
                let (place, gap) = (self.spine.place(i, 0.0), projection.distance);
                found.push(Candidate::new(place, Some(i), gap, outward, [on_curve, on_body]));
            }
        }
        Ok(())
    }
}
