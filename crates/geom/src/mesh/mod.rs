//! Triangle meshes.

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
        for (i, v) in vertices.iter().enumerate() {
            finite3(&format!("vertices[{i}]"), v)?;
        }
        let mesh = Self { vertices, triangles };
        for (i, t) in mesh.triangles.iter().enumerate() {
            if let Some(&vertex) = t.iter().find(|&&v| v as usize >= mesh.vertices.len()) {
                return Err(GeomError::VertexOutOfRange { triangle: i, vertex, count: mesh.vertices.len() });
            }
            let area = 0.5 * mesh.area_vector(i).norm();
            if !(area > 0.0) {
                return Err(GeomError::DegenerateTriangle { triangle: i, vertices: *t, area });
            }
        }
        Ok(mesh)
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

    /// The box of all vertices.
    pub fn bounds(&self) -> Aabb {
        Aabb::of_points(&self.vertices)
    }

    /// Sum of the triangles' areas.
    pub fn area(&self) -> f64 {
        (0..self.triangles.len()).map(|i| 0.5 * self.area_vector(i).norm()).sum()
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
