//! A closed profile carried once around: a mesh with the topology of a torus.
//!
//! Columns follow each other around, points within a column follow the profile; the normal ∂/∂column × ∂/∂point
//! points out of the solid. Every quadrilateral is cut along its shorter diagonal, which keeps triangles fat and does
//! not fold.

use super::range::Result;
use rattleback_geom::{TriMesh, Vec3};

/// The mesh through `columns` of equally many points each.
pub(super) fn closed(columns: &[Vec<Vec3>]) -> Result<TriMesh> {
    let (count, height) = (columns.len(), columns[0].len());
    let at = |i: usize, j: usize| columns[i % count][j % height];
    let id = |i: usize, j: usize| ((i % count) * height + j % height) as u32;
    let mut triangles = Vec::with_capacity(2 * count * height);
    for i in 0..count {
        for j in 0..height {
            let [a, b, c, d] = [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)];
            let rising = (at(i + 1, j + 1) - at(i, j)).norm_squared();
            let falling = (at(i, j + 1) - at(i + 1, j)).norm_squared();
            if rising <= falling {
                triangles.extend([[a, b, c], [a, c, d]]);
            } else {
                triangles.extend([[a, b, d], [b, c, d]]);
            }
        }
    }
    TriMesh::new(columns.concat(), triangles)
}
