//! Unit normals of triangles, and at vertices N = Σ αᵢ nᵢ/∣Σ αᵢ nᵢ∣ with the angles αᵢ of the triangles there.
//!
//! Weighted by angles, the normal at a vertex does not depend on how the faces are cut into triangles, and the sign
//! of (p − vertex)·N says on which side a point lies that is closest to the vertex (Bærentzen, Aanæs, "Signed
//! distance computation using the angle weighted pseudonormal", IEEE TVCG 11 (2005)).

use super::TriMesh;
use crate::Vec3;

impl TriMesh {
    /// The unit normal of a triangle.
    pub fn normal(&self, triangle: usize) -> Vec3 {
        let area = self.area_vector(triangle);
        // Scaled first, so that neither tiny nor huge triangles lose their direction.
        (area / area.amax()).normalize()
    }

    /// The angle-weighted unit normal at every vertex; zero at vertices of no triangle and where normals cancel.
    pub fn vertex_normals(&self) -> Vec<Vec3> {
        let mut normals = vec![Vec3::zeros(); self.vertices().len()];
        for (t, vertices) in self.triangles().iter().enumerate() {
            let (corners, normal) = (self.corners(t), self.normal(t));
            for k in 0..3 {
                let (next, last) = (corners[(k + 1) % 3] - corners[k], corners[(k + 2) % 3] - corners[k]);
                let (next, last) = (next / next.amax(), last / last.amax());
                let angle = next.cross(&last).norm().atan2(next.dot(&last));
                normals[vertices[k] as usize] += normal * angle;
            }
        }
        for n in &mut normals {
            *n = n.try_normalize(0.0).unwrap_or_default();
        }
        normals
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{cube, mapped};
    use super::*;

    #[test]
    fn normals_at_the_corners_of_a_cube_are_its_diagonals_however_its_faces_are_cut() {
        for scale in [1.0, 1e-100, 1e100] {
            let mesh = mapped(&cube(1.0), |v| v * scale);
            for (v, n) in mesh.vertices().iter().zip(mesh.vertex_normals()) {
                assert!((n - v / (scale * 3f64.sqrt())).norm() < 1e-15);
            }
            assert_eq!(mesh.normal(0), -Vec3::z());
        }
    }

    #[test]
    fn a_vertex_of_no_triangle_has_no_normal() {
        let vertices = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        let mesh = TriMesh::new(vertices, vec![[0, 1, 2]]).unwrap();
        assert_eq!(mesh.vertex_normals(), [Vec3::z(), Vec3::z(), Vec3::z(), Vec3::zeros()]);
    }
}
