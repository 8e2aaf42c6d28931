//! The bowl and the table of Kry and Pai (2002), section 4.2 and Fig. 6, as control meshes of Loop's surfaces.
//!
//! The paper gives sizes, the mass of the bowl, "a little less than 1 kg", and the numbers of patches, 14 and 60, but no
//! control points.
//!
//! - The table has 60 patches: a slab with a net of 3 × 3 squares above and below and one row of squares around, two
//!   triangles each. All control points of the square in the middle lie in a plane and are regular: there the surface is flat,
//!   exactly.
//! - The bowl has 48: four rings of six control points, outside, two on the rim and inside, each turned by half of its
//!   pitch against the last, and one point below and one above the bottom. Fourteen triangles in two fans of seven make a
//!   bowl as well, but one that stands on an extraordinary vertex, where a Loop surface has no curvature; here six meet.
//!
//! | limit surface | size | mass |
//! |---|---|---|
//! | bowl | 13 cm across, 11 cm high; its lowest point is the origin | a little less than 1 kg of earthenware |
//! | table | 40 cm square, 4 cm thick; its top is z = 0 and flat for 28 cm | 4 kg of wood |

use crate::error::Result;
use rattleback_geom::{TriMesh, Vec3};
use std::f64::consts::TAU;

/// Density of the bowl, in kg/m³: earthenware.
pub const BOWL_DENSITY: f64 = 1850.0;
/// Density of the table, in kg/m³: wood.
pub const TABLE_DENSITY: f64 = 700.0;

/// Control points on a ring of the bowl.
const SECTORS: usize = 6;
/// Radius and height of the bowl's control points from the lowest to the one above the bottom, in m.
const PROFILE: [[f64; 2]; 6] =
    [[0.0, -0.0095], [0.0603, 0.0095], [0.0829, 0.1143], [0.0535, 0.1134], [0.0575, 0.0421], [0.0, -0.0101]];

/// Where the lines of the table's net are, along x and along y, in m.
const LINES: [f64; 4] = [-0.202, -0.14, 0.14, 0.202];
/// Height of the table's net, in m.
const THICKNESS: f64 = 0.04;

/// The control mesh of the bowl.
pub fn bowl() -> Result<TriMesh> {
    let rings = PROFILE.len() - 2;
    let mut points = vec![Vec3::new(0.0, 0.0, PROFILE[0][1])];
    for (k, [radius, height]) in PROFILE[1..=rings].iter().enumerate() {
        for i in 0..SECTORS {
            let angle = TAU * (i as f64 + 0.5 * k as f64) / SECTORS as f64;
            points.push(Vec3::new(radius * angle.cos(), radius * angle.sin(), *height));
        }
    }
    points.push(Vec3::new(0.0, 0.0, PROFILE[rings + 1][1]));
    let (bottom, inside) = (0, points.len() as u32 - 1);
    // Ring k is turned by k half pitches: its point i lies between i and i + 1 of the ring before.
    let at = |ring: usize, i: usize| (1 + ring * SECTORS + i % SECTORS) as u32;
    let mut triangles = Vec::new();
    for i in 0..SECTORS {
        triangles.push([bottom, at(0, i + 1), at(0, i)]);
        for ring in 1..rings {
            triangles.push([at(ring - 1, i), at(ring - 1, i + 1), at(ring, i)]);
            triangles.push([at(ring, i), at(ring - 1, i + 1), at(ring, i + 1)]);
        }
        triangles.push([inside, at(rings - 1, i), at(rings - 1, i + 1)]);
    }
    Ok(TriMesh::new(points, triangles)?)
}

/// The control mesh of the table.
pub fn table() -> Result<TriMesh> {
    let at = |i: usize, j: usize| (4 * i + j) as u32;
    let mut points = Vec::new();
    for height in [0.0, -THICKNESS] {
        points.extend((0..16).map(|k| Vec3::new(LINES[k / 4], LINES[k % 4], height)));
    }
    let mut triangles = Vec::new();
    for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        // Diagonals that all run the same way leave six triangles at each vertex inside.
        for [a, b, c] in [[a, b, c], [a, c, d]] {
            triangles.extend([[a, b, c], [16 + a, 16 + c, 16 + b]]);
        }
    }
    let along = |side: usize, k: usize| match side {
        0 => at(k, 0),
        1 => at(3, k),
        2 => at(3 - k, 3),
        _ => at(0, 3 - k),
    };
    for (side, k) in (0..12).map(|k| (k / 3, k % 3)) {
        let (a, b) = (along(side, k), along(side, k + 1));
        triangles.extend([[16 + a, 16 + b, b], [16 + a, b, a]]);
    }
    Ok(TriMesh::new(points, triangles)?)
}

#[cfg(test)]
mod tests;
