//! The mesh of a rounded polyhedron: the hull of points on its surface.
//!
//! With points v + r n for normals n of every corner v that leave no normal of it farther than δ from one of them, the
//! hull's support function is nowhere less than r(1 − cos δ) below that of the body, and so is the distance of their
//! surfaces. The normals are those of a grid over the octahedron that lie among the corner's own, and of equal parts of
//! the arcs that bound them: from any normal the nearest one of the grid is a share of δ away, or the way to it comes
//! near an arc, along which the next one is another share away.

use super::ConvexHull;
use crate::error::{GeomError, Result, positive};
use crate::mesh::Hull;
use crate::{TriMesh, Vec3};

/// Most parts of an edge of the grid's octahedron.
const FINEST: f64 = 256.0;

/// Angles as shares of δ: of a normal from the grid, of one beside an arc from it, between points of an arc. The
/// first, the second and half of the third are less than one.
const FROM_GRID: f64 = 0.45;
const BESIDE: f64 = 0.1;
const ALONG: f64 = 0.8;

impl ConvexHull {
    pub(super) fn inscribed(&self, chord: f64) -> Result<TriMesh> {
        let chord = positive("chord", chord)?;
        if self.rounding == 0.0 {
            return Ok(self.core.mesh().clone());
        }
        // cos δ = 1 − chord/r, by the half angle.
        let delta = 2.0 * (chord / (2.0 * self.rounding)).min(1.0).sqrt().asin();
        // On the faces' middles, 1/√3 from the origin, a triangle with sides of √2/k has a circle of √(2/3)/k about it.
        let parts = (2f64.sqrt() / (FROM_GRID * delta)).ceil();
        if parts > FINEST {
            return Err(GeomError::OutOfRange {
                field: "chord".to_owned(),
                value: chord,
                allowed: format!("at least {:.1e} m for this rounding", self.rounding * 8e-5),
            });
        }
        let mut points: Vec<Vec3> = Vec::new();
        for facet in &self.facets {
            points.extend(facet.face.iter().map(|v| v + facet.normal * self.rounding));
        }
        for edge in &self.edges {
            let [a, b] = edge.facets.map(|f| self.facets[f as usize].normal);
            let steps = (self.angle(edge) / (ALONG * delta)).ceil().max(1.0) as u32;
            for k in 1..steps {
                let phi = self.angle(edge) * f64::from(k) / f64::from(steps);
                let across = (b - a * a.dot(&b)).normalize();
                let n = (a * phi.cos() + across * phi.sin()) * self.rounding;
                points.extend(edge.ends.map(|end| self.corner(end) + n));
            }
        }
        let grid = octahedral(parts as i32);
        for (k, corner) in self.at.iter().enumerate() {
            let v = self.vertices()[k];
            let is_own = |n: &&Vec3| {
                corner.edges.iter().all(|&e| {
                    let edge = &self.edges[e as usize];
                    let out = if edge.ends[0] as usize == k { edge.along } else { -edge.along };
                    // Beside the arcs the points are as good as theirs and nearly in line with them.
                    out.dot(n) < -BESIDE * delta
                })
            };
            points.extend(grid.iter().filter(is_own).map(|n| v + n * self.rounding));
        }
        Ok(Hull::new(&points)?.triangles()?.0)
    }
}

/// Unit vectors over an octahedron whose edges have so many parts.
fn octahedral(parts: i32) -> Vec<Vec3> {
    let mut found = Vec::new();
    for i in -parts..=parts {
        let rest = parts - i.abs();
        for j in -rest..=rest {
            let k = rest - j.abs();
            for k in if k == 0 { vec![0] } else { vec![k, -k] } {
                found.push(Vec3::new(f64::from(i), f64::from(j), f64::from(k)).normalize());
            }
        }
    }
    found
}
