//! The closed triangle mesh as a surface.
//!
//! Area and moments are those of the polyhedron, or moments those of the body that it approximates; curvature is the
//! estimate of [`VertexCurvature`], that of the smooth surface the vertices were taken from. The distance of a point
//! is signed by the pseudonormal N at its closest point c, sign (p − c)·N: the normal of a face, the sum of both at an
//! edge, the angle-weighted one at a vertex (Bærentzen, Aanæs 2005).
//!
//! A mesh may have several components: outer ones turned outwards, those inside them inwards as the walls of cavities,
//! and so on. That components neither cut themselves nor each other is not checked.

use super::Surface;
use crate::error::{GeomError, Result, direction, positive, within};
use crate::mesh::repair::orient::parts;
use crate::mesh::{Closest, Feature, Topology, Tree, VertexCurvature};
use crate::{Aabb, Curvature, Moments, TriMesh, Vec3};

/// A solid bounded by triangles, with all that queries need built once.
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    mesh: TriMesh,
    topology: Topology,
    tree: Tree,
    curvature: VertexCurvature,
    vertex_normals: Vec<Vec3>,
    moments: Moments,
}

/// The closest point of a mesh, seen from a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projection {
    /// Distance in metres, negative inside the solid.
    pub distance: f64,
    /// The closest point and the triangle it lies on.
    pub closest: Closest,
    /// The outer unit pseudonormal there: of the face, the edge or the vertex.
    pub normal: Vec3,
}

impl Mesh {
    /// A solid from a closed mesh, consistently oriented with its faces outwards.
    pub fn new(mesh: TriMesh) -> Result<Self> {
        let topology = Topology::closed(&mesh)?;
        let moments = mesh.moments();
        let allowed = "a finite number above zero; are the faces turned outwards?";
        within("volume", moments.volume, f64::MIN_POSITIVE, f64::MAX, allowed)?;
        let tree = Tree::new(&mesh);
        check_components(&mesh, &topology, &tree)?;
        let curvature = VertexCurvature::new(&mesh);
        let vertex_normals = mesh.vertex_normals();
        Ok(Self { mesh, topology, tree, curvature, vertex_normals, moments })
    }

    /// The same with the moments of the body that the triangles approximate, where those are known.
    pub fn with_moments(mesh: TriMesh, moments: Moments) -> Result<Self> {
        let made = Self::new(mesh)?;
        within("volume", moments.volume, f64::MIN_POSITIVE, f64::MAX, "a finite number above zero")?;
        Ok(Self { moments, ..made })
    }

    /// The triangles.
    pub fn mesh(&self) -> &TriMesh {
        &self.mesh
    }

    /// How they hang together.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The tree over them.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The curvatures estimated at the vertices.
    pub fn vertex_curvature(&self) -> &VertexCurvature {
        &self.curvature
    }

    /// V − E + F: two for every component without handles.
    pub fn euler_characteristic(&self) -> i64 {
        self.topology.euler_characteristic()
    }

    /// The distance of `p` from the surface in metres, negative inside.
    pub fn signed_distance(&self, p: &Vec3) -> Result<f64> {
        Ok(self.project(p)?.distance)
    }

    /// The closest point of the surface, with its normal and the signed distance.
    pub fn project(&self, p: &Vec3) -> Result<Projection> {
        let closest = self.tree.closest_point(&self.mesh, p)?;
        let normal = self.pseudonormal(&closest);
        let outside = (p - closest.point).dot(&normal) >= 0.0;
        Ok(Projection {
            distance: if outside { closest.distance } else { -closest.distance },
            closest,
            normal,
        })
    }

    fn pseudonormal(&self, closest: &Closest) -> Vec3 {
        let own = self.mesh.normal(closest.triangle);
        match closest.feature {
            Feature::Face => own,
            Feature::Corner(k) => self.vertex_normals[self.mesh.triangles()[closest.triangle][k] as usize],
            Feature::Side(k) => self.topology.neighbours(closest.triangle)[k]
                .and_then(|t| (own + self.mesh.normal(t)).try_normalize(0.0))
                .unwrap_or(own),
        }
    }

    /// Whether no vertex lies more than `tolerance` metres outside the plane of any triangle.
    ///
    /// A convex mesh of n triangles costs n searches for the farthest vertex; a dent ends the search early.
    pub fn is_convex(&self, tolerance: f64) -> Result<bool> {
        let tolerance = within("tolerance", tolerance, 0.0, f64::MAX, "a finite number, zero or above")?;
        let count = self.mesh.triangles().len();
        let above = |t: usize, n: &Vec3, v: usize| {
            (self.mesh.vertices()[v] - self.mesh.corners(t)[0]).dot(n) > tolerance
        };
        // Neighbours first: they find nearly every dent without a search.
        for t in 0..count {
            let n = self.mesh.normal(t);
            let mut corners =
                self.topology.neighbours(t).into_iter().flatten().flat_map(|o| self.mesh.triangles()[o]);
            if corners.any(|v| above(t, &n, v as usize)) {
                return Ok(false);
            }
        }
        for t in 0..count {
            let n = self.mesh.normal(t);
            if above(t, &n, self.tree.farthest(&self.mesh, &n)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Refuses a component that is turned inwards where it should be turned outwards, or the reverse: an even number of
/// the others surround one of positive volume, an odd number one of negative volume.
fn check_components(mesh: &TriMesh, topology: &Topology, tree: &Tree) -> Result<()> {
    let parts = parts(mesh, topology, Some(tree))?;
    let Some(part) = parts.iter().find(|part| part.is_inside_out()) else { return Ok(()) };
    let others = if part.surrounded { "an odd" } else { "an even" };
    Err(GeomError::Inconsistent {
        field: format!("component of triangles[{}]", part.first),
        found: format!("of volume {:.3e} inside {others} number of others", part.volume),
        allowed: "turned outwards inside an even number of others, inwards inside an odd one".to_owned(),
    })
}

impl Surface for Mesh {
    fn kind(&self) -> &'static str {
        "mesh"
    }

    fn bounds(&self) -> Aabb {
        *self.tree.bounds()
    }

    fn curvature_at(&self, p: &Vec3) -> Result<Curvature> {
        Ok(self.curvature.at(&self.mesh, &self.tree.closest_point(&self.mesh, p)?))
    }

    fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature> {
        let vertex = self.tree.farthest(&self.mesh, &direction("normal", n)?)?;
        self.curvature.at_vertex(vertex).copied().ok_or_else(|| GeomError::Undefined {
            surface: "mesh",
            quantity: "curvature there",
            reason: format!("the normals of the triangles at vertex {vertex} cancel"),
        })
    }

    fn curvature_range(&self) -> Result<[f64; 2]> {
        Ok(self.curvature.range())
    }

    /// The mesh itself, whatever the chord error.
    fn tessellate(&self, chord: f64) -> Result<TriMesh> {
        positive("chord", chord)?;
        Ok(self.mesh.clone())
    }

    fn area(&self) -> Result<f64> {
        Ok(self.mesh.area())
    }

    fn moments(&self) -> Result<Moments> {
        Ok(self.moments)
    }
}

#[cfg(test)]
mod tests;
