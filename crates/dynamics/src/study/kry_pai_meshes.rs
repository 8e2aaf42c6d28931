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
//!
//! Moments are ∫ over the solid as integrals over its surface, with dA = ∂x/∂u × ∂x/∂v du dv:
//! V = ⅓∫x·dA, ∫x dV = ¼∫x (x·dA), ∫x xᵀ dV = ⅕∫x xᵀ (x·dA). A face is cut towards its extraordinary corners as in
//! Loop's refinement; on every part x is a quartic polynomial, the integrands have degree 18 and less, and Gauss's rule is exact.

use crate::error::Result;
use rattleback_geom::quadrature::gauss_legendre;
use rattleback_geom::subdivision::LoopSurface;
use rattleback_geom::{Moments, TriMesh, Vec2, Vec3};
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

/// Steps towards an extraordinary corner of a face. What is left out is below 0.3^12 = 5e-7 of the face's share.
const DEPTH: usize = 12;
/// Points of Gauss's rule: exact to degree 19, one of which the collapsed square takes.
const POINTS: usize = 10;

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

/// Moments of the solid within a Loop surface, about the origin.
pub fn moments(surface: &LoopSurface) -> Result<Moments> {
    let rule = gauss_legendre(POINTS);
    let mut sum = Moments::zero();
    let whole = [Vec2::new(0.0, 0.0), Vec2::new(1.0, 0.0), Vec2::new(0.0, 1.0)];
    for face in 0..surface.face_count() {
        add(surface, face, &middle(&whole), &rule, &mut sum)?;
        for k in 0..3 {
            let mut corner = shrunk(&whole, k);
            if surface.limit(face, k)?.valence == 6 {
                add(surface, face, &corner, &rule, &mut sum)?;
                continue;
            }
            for _ in 1..DEPTH {
                add(surface, face, &middle(&corner), &rule, &mut sum)?;
                for j in (0..3).filter(|&j| j != k) {
                    add(surface, face, &shrunk(&corner, j), &rule, &mut sum)?;
                }
                corner = shrunk(&corner, k);
            }
        }
    }
    Ok(sum)
}

/// The triangle of the middles of the sides.
fn middle(corners: &[Vec2; 3]) -> [Vec2; 3] {
    [0, 1, 2].map(|k| 0.5 * (corners[k] + corners[(k + 1) % 3]))
}

/// The half of a triangle at its corner k.
fn shrunk(corners: &[Vec2; 3], k: usize) -> [Vec2; 3] {
    corners.map(|p| 0.5 * (p + corners[k]))
}

/// Adds what a triangle of parameters contributes.
fn add(
    surface: &LoopSurface,
    face: usize,
    [a, b, c]: &[Vec2; 3],
    rule: &[(f64, f64)],
    sum: &mut Moments,
) -> Result<()> {
    let twice = (b - a).perp(&(c - a));
    for (x, first) in rule {
        for (y, second) in rule {
            let (s, t) = (0.5 * (1.0 + x), 0.5 * (1.0 + y));
            let at = a + (b - a) * (s * (1.0 - t)) + (c - a) * (s * t);
            let jet = surface.jet(face, at.x, at.y)?;
            let flux = jet.p.dot(&jet.du.cross(&jet.dv)) * (0.25 * first * second * s * twice);
            sum.volume += flux / 3.0;
            sum.first += jet.p * (flux / 4.0);
            sum.second += jet.p * jet.p.transpose() * (flux / 5.0);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
