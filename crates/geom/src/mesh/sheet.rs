//! Open meshes as solids: a second sheet below the first, and a skirt along the rims.
//!
//! The vertex p with the unit normal m, weighted by angles, has its second at q = p − t m: at t below the faces where
//! the surface is flat, at t cos α where they stand at α to m. With edges u, v of a triangle and k, l the differences
//! of the normals along them its second has the area vector (u − t k) × (v − t l); along the triangle's own normal
//! that is a parabola in t whose least positive root is where the second triangle turns over. The thickness must be
//! below all of them: the second sheet does not fold then. Where the surface comes back to itself within the thickness
//! the second sheet may still cut it; the vertices whose way down meets the first sheet are counted.

use super::{Topology, Tree, TriMesh};
use crate::Vec3;
use crate::error::{GeomError, Result, length};

/// A solid made of an open surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// Closed, its faces turned outwards.
    pub mesh: TriMesh,
    /// Vertices whose way to the second sheet meets the first one.
    pub met: usize,
}

impl Sheet {
    /// The solid between a surface, its triangles turned alike, and its second sheet. Closed surfaces are refused.
    pub fn new(surface: &TriMesh, thickness: f64) -> Result<Self> {
        let thickness = length("thickness", thickness)?;
        let topology = Topology::new(surface);
        if topology.faults().border_edges == 0 {
            let found = "that of a surface without rims".to_owned();
            let allowed = "none: the surface is closed, and a solid as it is".to_owned();
            return Err(GeomError::Inconsistent { field: "thickness".to_owned(), found, allowed });
        }
        let normals = surface.vertex_normals();
        if let Some((most, place)) = turning(surface, &normals).filter(|(most, _)| thickness >= *most) {
            return Err(GeomError::OutOfRange {
                field: "thickness".to_owned(),
                value: thickness,
                allowed: format!(
                    "below {most:.4e} m, where the second sheet folds about ({:.4e}, {:.4e}, {:.4e})",
                    place.x, place.y, place.z
                ),
            });
        }
        let count = surface.vertices().len() as u32;
        let second = surface.vertices().iter().zip(&normals).map(|(p, m)| p - m * thickness);
        let vertices: Vec<Vec3> = surface.vertices().iter().copied().chain(second).collect();
        let mut triangles = surface.triangles().to_vec();
        triangles.extend(surface.triangles().iter().map(|[a, b, c]| [a + count, c + count, b + count]));
        for (t, corners) in surface.triangles().iter().enumerate() {
            for k in (0..3).filter(|&k| topology.neighbours(t)[k].is_none()) {
                let (a, b) = (corners[k], corners[(k + 1) % 3]);
                triangles.extend([[b, a, a + count], [b, a + count, b + count]]);
            }
        }
        let met = met(surface, &vertices)?;
        Ok(Self { mesh: TriMesh::new(vertices, triangles)?, met })
    }
}

/// The least thickness at which a triangle of the second sheet turns over, and where.
fn turning(surface: &TriMesh, normals: &[Vec3]) -> Option<(f64, Vec3)> {
    let mut least: Option<(f64, Vec3)> = None;
    for (t, corners) in surface.triangles().iter().enumerate() {
        let [a, b, c] = surface.corners(t);
        let [ma, mb, mc] = corners.map(|k| normals[k as usize]);
        let (u, v, k, l) = (b - a, c - a, mb - ma, mc - ma);
        let n = u.cross(&v).normalize();
        // α t² − β t + γ.
        let alpha = n.dot(&k.cross(&l));
        let beta = n.dot(&(u.cross(&l) + k.cross(&v)));
        let gamma = n.dot(&u.cross(&v));
        let rest = beta * beta - 4.0 * alpha * gamma;
        if rest < 0.0 {
            continue;
        }
        // The roots without cancellation: 2γ/(β ± √rest).
        let roots = [beta + rest.sqrt(), beta - rest.sqrt()].map(|d| 2.0 * gamma / d);
        for root in roots.into_iter().filter(|root| *root > 0.0 && root.is_finite()) {
            if least.is_none_or(|(most, _)| root < most) {
                least = Some((root, (a + b + c) / 3.0));
            }
        }
    }
    least
}

/// How many vertices have the first sheet between themselves and their second.
fn met(surface: &TriMesh, vertices: &[Vec3]) -> Result<usize> {
    let tree = Tree::new(surface);
    let count = surface.vertices().len();
    let mut found = 0;
    for (p, q) in vertices[..count].iter().zip(&vertices[count..]) {
        // Past the triangles of the vertex itself.
        let from = p + (q - p) * 1e-6;
        found += usize::from(tree.segment(surface, &from, q)?.is_some());
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Facets;
    use crate::surface::{Mesh, Surface};

    /// A grid of n × n cells over the unit square, moved by `place`.
    fn grid(n: u32, place: impl Fn(f64, f64) -> Vec3) -> Facets {
        let at = |k: u32| f64::from(k) / f64::from(n);
        let vertices = (0..=n).flat_map(|i| (0..=n).map(move |j| (i, j))).map(|(i, j)| place(at(j), at(i)));
        let cell = |i: u32, j: u32| {
            let a = i * (n + 1) + j;
            [[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]
        };
        let triangles = (0..n).flat_map(|i| (0..n).flat_map(move |j| cell(i, j)));
        Facets { vertices: vertices.collect(), triangles: triangles.collect() }
    }

    #[test]
    fn a_flat_sheet_becomes_a_plate() {
        let surface = grid(5, |x, y| Vec3::new(x, y, 0.25)).repaired_open().unwrap();
        assert!(surface.findings.is_empty());
        let sheet = Sheet::new(&surface.mesh, 0.125).unwrap();
        let plate = Mesh::new(sheet.mesh).unwrap();
        assert!((plate.moments().unwrap().volume - 0.125).abs() < 1e-15);
        assert!((plate.bounds().min - Vec3::new(0.0, 0.0, 0.125)).norm() < 1e-15);
        assert_eq!((sheet.met, plate.euler_characteristic()), (0, 2));
    }

    #[test]
    fn triangles_of_a_file_that_run_both_ways_are_turned_alike() {
        let mut facets = grid(4, |x, y| Vec3::new(x, y, 0.1 * x * y));
        facets.triangles[7].swap(0, 1);
        let surface = facets.repaired_open().unwrap();
        assert_eq!(surface.findings.len(), 1);
        assert!(Mesh::new(Sheet::new(&surface.mesh, 0.02).unwrap().mesh).is_ok());
    }

    /// Half a pipe of radius 0.3, its normals outwards: the second sheet folds on the axis.
    #[test]
    fn a_sheet_thicker_than_its_curvature_allows_is_refused_with_the_bound() {
        let bent = |x: f64, y: f64| {
            let (sin, cos) = (std::f64::consts::PI * x).sin_cos();
            Vec3::new(-0.3 * cos, y, 0.3 * sin)
        };
        let surface = grid(24, bent).repaired_open().unwrap().mesh;
        let sheet = Sheet::new(&surface, 0.25).unwrap();
        assert_eq!(sheet.met, 0);
        assert!(Mesh::new(sheet.mesh).is_ok());
        let error = Sheet::new(&surface, 0.31).unwrap_err().to_string();
        assert!(
            error.starts_with("thickness = 0.31: must be below ") && error.contains("folds about"),
            "{error}"
        );
        let most: f64 = error.split("below ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!((most - 0.3).abs() < 0.01, "{most}");
    }

    #[test]
    fn a_sheet_that_comes_back_to_itself_within_its_thickness_is_told() {
        // Two leaves, one above the other, 0.1 apart.
        let (lower, upper) = (grid(3, |x, y| Vec3::new(x, y, 0.0)), grid(3, |x, y| Vec3::new(x, y, 0.1)));
        let count = lower.vertices.len() as u32;
        let both = Facets {
            vertices: [lower.vertices, upper.vertices].concat(),
            triangles: lower
                .triangles
                .iter()
                .copied()
                .chain(upper.triangles.iter().map(|t| t.map(|k| k + count)))
                .collect(),
        };
        let surface = both.repaired_open().unwrap().mesh;
        assert_eq!(Sheet::new(&surface, 0.05).unwrap().met, 0);
        assert!(Sheet::new(&surface, 0.15).unwrap().met > 0);
    }

    #[test]
    fn closed_surfaces_need_no_thickness_and_say_so() {
        let error = Sheet::new(&crate::mesh::samples::cube(0.5), 0.1).unwrap_err().to_string();
        assert!(error.starts_with("thickness = that of a surface without rims: must be none: "), "{error}");
    }
}
