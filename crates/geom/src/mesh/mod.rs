//! Meshes of triangles and of polygons, and what is built upon them once.
//!
//! | file | holds |
//! |---|---|
//! | [`topology`] | neighbours, edges, faults, components, genus |
//! | [`tree`] | the bounding volume hierarchy over triangles |
//! | [`closest`] | the point of a mesh that is closest to another |
//! | [`cast`] | rays and segments against a mesh |
//! | [`normals`] | unit normals of triangles and vertices |
//! | [`curvature`] | principal curvatures estimated at the vertices |
//! | [`hull`] | the convex hull of points |
//! | [`profile`] | plane polygons, extruded and revolved |
//! | [`height_field`], [`sheet`] | ground: grids of heights, open meshes with a thickness |
//! | [`polygon`] | faces of any number of corners, for control meshes |
//! | [`stl`], [`obj`], [`ply`], [`off`] | files |
//! | [`polygons`] | what the files of polygons hold |
//! | [`repair`] | what is wrong with the triangles of a file, and what can be set right |

pub mod cast;
pub mod closest;
pub mod curvature;
mod ears;
pub mod height_field;
pub mod hull;
pub mod normals;
pub mod obj;
pub mod off;
pub mod ply;
pub mod polygon;
pub mod polygons;
pub mod profile;
pub mod repair;
#[cfg(test)]
pub(crate) mod samples;
pub mod sheet;
pub mod stl;
pub mod topology;
pub mod tree;
mod words;

pub use cast::Hit;
pub use closest::{Closest, Feature};
pub use curvature::VertexCurvature;
pub use height_field::HeightField;
pub use hull::Hull;
pub use polygon::PolygonMesh;
pub use polygons::{PassedOver, Polygons};
pub use profile::Profile;
pub use repair::{Facets, Finding, RepairSettings, Repaired};
pub use topology::Topology;
pub use tree::Tree;

use crate::error::{GeomError, Result, finite3};
use crate::{Aabb, Mat3, Moments, Vec3};

/// Triangles over shared vertices, counter-clockwise seen from outside.
#[derive(Debug, Clone, PartialEq)]
pub struct TriMesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl TriMesh {
    /// A mesh from its parts; indices, coordinates and areas are checked.
    pub fn new(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self> {
        if triangles.is_empty() {
            return Err(GeomError::EmptyMesh { found: format!("{} vertices, no triangle", vertices.len()) });
        }
        // Triangles are numbered by u32 in what is built upon the mesh.
        if triangles.len() >= u32::MAX as usize {
            return Err(GeomError::OutOfRange {
                field: "triangles".to_owned(),
                value: triangles.len() as f64,
                allowed: format!("fewer than {} triangles", u32::MAX),
            });
        }
        if let Some(i) = vertices.iter().position(|v| !v.iter().all(|x| x.is_finite())) {
            finite3(&format!("vertices[{i}]"), &vertices[i])?;
        }
        let mesh = Self { vertices, triangles };
        let mut whole = 0.0;
        for (i, t) in mesh.triangles.iter().enumerate() {
            if let Some(&vertex) = t.iter().find(|&&v| v as usize >= mesh.vertices.len()) {
                return Err(GeomError::VertexOutOfRange { triangle: i, vertex, count: mesh.vertices.len() });
            }
            let area = mesh.triangle_area(i);
            whole += area;
            if whole == f64::INFINITY {
                let (field, allowed) =
                    (format!("area of the first {} triangles", i + 1), "finite".to_owned());
                return Err(GeomError::OutOfRange { field, value: whole, allowed });
            }
            if !(area > 0.0) {
                return Err(GeomError::DegenerateTriangle { triangle: i, vertices: *t, area });
            }
        }
        Ok(mesh)
    }

    /// The same mesh with all coordinates multiplied by `factor`, for files in other units than metres.
    pub fn scaled(&self, factor: f64) -> Result<Self> {
        crate::error::positive("scale", factor)?;
        Self::new(self.vertices.iter().map(|v| v * factor).collect(), self.triangles.clone())
    }

    /// The vertices, in metres.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Three vertex indices per triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of a triangle.
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|v| self.vertices[v as usize])
    }

    /// Twice the area of a triangle, along its normal.
    pub fn area_vector(&self, triangle: usize) -> Vec3 {
        let [a, b, c] = self.corners(triangle);
        (b - a).cross(&(c - a))
    }

    /// The area of a triangle.
    pub fn triangle_area(&self, triangle: usize) -> f64 {
        let twice = self.area_vector(triangle);
        // Scaled first: the square of a small area may vanish, that of a large one overflow.
        let scale = twice.amax();
        if scale > 0.0 && scale.is_finite() {
            0.5 * scale * (twice / scale).norm()
        } else {
            0.5 * twice.norm()
        }
    }

    /// The box of all vertices.
    pub fn bounds(&self) -> Aabb {
        Aabb::of_points(&self.vertices)
    }

    /// Sum of the triangles' areas.
    pub fn area(&self) -> f64 {
        (0..self.triangles.len()).map(|i| self.triangle_area(i)).sum()
    }

    /// Moments of the enclosed solid, as the sum of signed tetrahedra from the mesh's middle: with the corners a,
    /// b, c and the sum s = a + b + c, V = det/6, ∫x = V s/4, ∫xxᵀ = V(aaᵀ + bbᵀ + ccᵀ + ssᵀ)/20.
    pub fn moments(&self) -> Moments {
        let middle = self.bounds().centre();
        let mut m = Moments::zero();
        for i in 0..self.triangles.len() {
            let [a, b, c] = self.corners(i).map(|p| p - middle);
            let volume = a.dot(&b.cross(&c)) / 6.0;
            let s = a + b + c;
            let squares: Mat3 = a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose();
            m.volume += volume;
            m.first += s * (volume / 4.0);
            m.second += squares * (volume / 20.0);
        }
        m.moved(&crate::Pose::new(middle, nalgebra::UnitQuaternion::identity()))
    }
}

#[cfg(test)]
mod tests {
    use super::samples::{cube, mapped};
    use super::*;

    #[test]
    fn triangles_without_a_finite_area_are_refused_and_tiny_ones_are_not() {
        let triangle = |points: [[f64; 3]; 3]| TriMesh::new(points.map(Vec3::from).to_vec(), vec![[0, 1, 2]]);
        let error = triangle([[0.0; 3], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]).unwrap_err();
        assert!(matches!(error, GeomError::DegenerateTriangle { triangle: 0, .. }), "{error}");
        let error = triangle([[0.0; 3], [1e200, 0.0, 0.0], [0.0, 1e200, 0.0]]).unwrap_err().to_string();
        assert_eq!(error, "area of the first 1 triangles = inf: must be finite");
        // Each of them has one, all together have none.
        let corners = [[0.0; 3], [1.3e154, 0.0, 0.0], [0.0, 1.3e154, 0.0]].map(Vec3::from).to_vec();
        let error = TriMesh::new(corners, vec![[0, 1, 2]; 3]).unwrap_err().to_string();
        assert_eq!(error, "area of the first 3 triangles = inf: must be finite");
        let error = triangle([[0.0; 3], [1.0, f64::NAN, 0.0], [0.0, 1.0, 0.0]]).unwrap_err().to_string();
        assert!(error.starts_with("vertices[1][1] = NaN"), "{error}");
        assert_eq!(triangle([[0.0; 3], [1e-100, 0.0, 0.0], [0.0, 1e-100, 0.0]]).unwrap().area(), 0.5e-200);
    }

    #[test]
    fn indices_that_point_nowhere_and_meshes_of_nothing_are_refused() {
        let error = TriMesh::new(vec![Vec3::zeros()], vec![[0, 0, 7]]).unwrap_err();
        assert_eq!(error, GeomError::VertexOutOfRange { triangle: 0, vertex: 7, count: 1 });
        assert!(matches!(TriMesh::new(vec![], vec![]), Err(GeomError::EmptyMesh { .. })));
    }

    #[test]
    fn moments_of_a_cube_far_away_keep_their_digits() {
        let offset = Vec3::new(1e3, -2e3, 5e2);
        let m = mapped(&cube(0.5), |v| v + offset).moments().with_density(1.0).unwrap();
        assert!((m.mass - 1.0).abs() < 1e-12 && (m.centroid - offset).norm() < 1e-9);
    }
}
