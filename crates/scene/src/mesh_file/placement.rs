//! Triangles that are placed, perhaps several times, by affine maps.

use rattleback_geom::mesh::Facets;
use rattleback_geom::{GeomError, Mat3, Vec3};

/// Placed triangles have at most so many corners: a file of kilobytes can place its meshes without end.
const MOST_CORNERS: usize = 1 << 26;

/// x ↦ A x + b.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Affine {
    pub(super) linear: Mat3,
    pub(super) shift: Vec3,
}

impl Affine {
    pub(super) fn identity() -> Self {
        Self { linear: Mat3::identity(), shift: Vec3::zeros() }
    }

    pub(super) fn scaling(factor: f64) -> Self {
        Self { linear: Mat3::identity() * factor, shift: Vec3::zeros() }
    }

    /// This map after another one.
    pub(super) fn after(&self, first: &Self) -> Self {
        Self { linear: self.linear * first.linear, shift: self.linear * first.shift + self.shift }
    }

    /// Adds a mesh under this map; a map that mirrors turns the triangles, so that their outer sides stay outside.
    pub(super) fn place(
        &self,
        vertices: &[Vec3],
        triangles: &[[u32; 3]],
        out: &mut Facets,
    ) -> Result<(), GeomError> {
        let first = out.vertices.len();
        if first + vertices.len() > MOST_CORNERS || 3 * (out.triangles.len() + triangles.len()) > MOST_CORNERS
        {
            return Err(GeomError::Inconsistent {
                field: "instances".to_owned(),
                found: format!("more than {MOST_CORNERS} corners when all are placed"),
                allowed: "fewer".to_owned(),
            });
        }
        out.vertices.extend(vertices.iter().map(|v| self.linear * v + self.shift));
        let mirrors = self.linear.determinant() < 0.0;
        out.triangles.extend(triangles.iter().map(|t| {
            let [a, b, c] = t.map(|v| v + first as u32);
            if mirrors { [a, c, b] } else { [a, b, c] }
        }));
        Ok(())
    }
}
