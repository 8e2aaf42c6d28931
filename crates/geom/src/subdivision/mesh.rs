//! The control net of Loop's scheme and its refinement.
//!
//! Half-edge 3t + k runs along triangle t from its corner k to its corner k + 1, as in [`crate::mesh::topology`]; its
//! twin runs the other way along the triangle across. Refinement cuts triangle t into 4t + k at its corners k, each of
//! which begins at the old vertex, and 4t + 3 in the middle, which begins at the middle of side 0.

use super::loop_matrix::{edge_point, vertex_point};
use crate::error::{GeomError, Result};
use crate::mesh::Topology;
use crate::{TriMesh, Vec3};

/// Triangles around every edge and vertex.
#[derive(Debug, Clone)]
pub(super) struct ControlNet {
    pub(super) points: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    twins: Vec<u32>,
}

/// The half-edge after `h` in its triangle.
fn next(h: usize) -> usize {
    h - h % 3 + (h + 1) % 3
}

/// The half-edge before `h` in its triangle.
fn previous(h: usize) -> usize {
    h - h % 3 + (h + 2) % 3
}

impl ControlNet {
    /// A closed mesh as a control net; open and non-manifold meshes and vertices of two triangles are refused.
    pub(super) fn new(mesh: &TriMesh) -> Result<Self> {
        let topology = Topology::closed(mesh)?;
        // Half-edges of the refined net are numbered by u32.
        if mesh.triangles().len() >= (u32::MAX / 12) as usize {
            return Err(GeomError::OutOfRange {
                field: "triangles".to_owned(),
                value: mesh.triangles().len() as f64,
                allowed: format!("fewer than {} triangles", u32::MAX / 12),
            });
        }
        let mut twins = Vec::with_capacity(3 * mesh.triangles().len());
        for (t, corners) in mesh.triangles().iter().enumerate() {
            let neighbours = topology.neighbours(t);
            for k in 0..3 {
                let pair = [corners[(k + 1) % 3], corners[k]];
                let twin = neighbours[k].and_then(|other| {
                    let around = mesh.triangles()[other];
                    (0..3).find(|&j| [around[j], around[(j + 1) % 3]] == pair).map(|j| 3 * other + j)
                });
                let Some(twin) = twin else {
                    let found = "run along by no triangle the other way".to_owned();
                    return Err(GeomError::NonManifoldEdge { edge: pair, found });
                };
                twins.push(twin as u32);
            }
        }
        let net = Self { points: mesh.vertices().to_vec(), triangles: mesh.triangles().to_vec(), twins };
        for h in 0..net.twins.len() {
            let valence = net.spokes(h).take(3).count();
            if valence < 3 {
                return Err(GeomError::Inconsistent {
                    field: format!("vertices[{}]", net.start(h)),
                    found: format!("a vertex of {valence} triangles"),
                    allowed: "surrounded by three triangles or more".to_owned(),
                });
            }
        }
        Ok(net)
    }

    /// The half-edge along the other side of the edge.
    pub(super) fn twin(&self, h: usize) -> usize {
        self.twins[h] as usize
    }

    fn start(&self, h: usize) -> usize {
        self.triangles[h / 3][h % 3] as usize
    }

    fn end(&self, h: usize) -> Vec3 {
        self.points[self.start(next(h))]
    }

    /// The half-edge that follows `h` counter-clockwise about its start.
    fn turned(&self, h: usize) -> usize {
        self.twin(previous(h))
    }

    /// All half-edges from the start of `h`, counter-clockwise from `h`.
    fn spokes(&self, h: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(h), move |&g| Some(self.turned(g)).filter(|&g| g != h))
    }

    /// The vertex from which a half-edge starts, and its neighbours counter-clockwise from the half-edge's end.
    pub(super) fn ring(&self, h: usize) -> (Vec3, Vec<Vec3>) {
        (self.points[self.start(h)], self.spokes(h).map(|g| self.end(g)).collect())
    }

    /// How many triangles meet at the start of `h`.
    pub(super) fn valence(&self, h: usize) -> usize {
        self.spokes(h).count()
    }

    /// The control points that govern a triangle whose corners but the first have valence six: a, its ring, x₀ … x₄.
    pub(super) fn surroundings(&self, triangle: usize) -> impl Iterator<Item = Vec3> {
        let h = 3 * triangle;
        // About b: c, a, the last of the ring, then x₀, x₁, x₂. About c: a, b, x₂, then x₃, x₄.
        let about_b = self.spokes(next(h)).skip(3).take(3);
        let about_c = self.spokes(previous(h)).skip(3).take(2);
        let others = self.spokes(h).chain(about_b).chain(about_c);
        std::iter::once(self.points[self.start(h)]).chain(others.map(|g| self.end(g)))
    }

    /// The net of the next level.
    pub(super) fn refined(&self) -> Self {
        let halves = self.twins.len();
        let mut points = vec![Vec3::zeros(); self.points.len()];
        let mut seen = vec![false; self.points.len()];
        let mut middle = vec![0u32; halves];
        for h in 0..halves {
            let v = self.start(h);
            if !seen[v] {
                seen[v] = true;
                let (p, ring) = self.ring(h);
                points[v] = vertex_point(&p, &ring);
            }
            let g = self.twin(h);
            if h < g {
                let (left, right) = (self.end(next(h)), self.end(next(g)));
                middle[h] = points.len() as u32;
                middle[g] = middle[h];
                points.push(edge_point(&self.end(g), &self.end(h), &left, &right));
            }
        }
        let mut triangles = Vec::with_capacity(4 * self.triangles.len());
        let mut twins = Vec::with_capacity(4 * halves);
        for (t, corners) in self.triangles.iter().enumerate() {
            let m = [0, 1, 2].map(|k| middle[3 * t + k]);
            for k in 0..3 {
                triangles.push([corners[k], m[k], m[(k + 2) % 3]]);
                // The first half of side k meets the second half of its twin, which ends at the same vertex.
                let (first, last) = (self.twin(3 * t + k), self.twin(3 * t + (k + 2) % 3));
                let at_end = 4 * (first / 3) + (first % 3 + 1) % 3;
                let at_start = 4 * (last / 3) + last % 3;
                twins.extend([3 * at_end + 2, 3 * (4 * t + 3) + (k + 2) % 3, 3 * at_start].map(|h| h as u32));
            }
            triangles.push(m);
            twins.extend([0, 1, 2].map(|j| (3 * (4 * t + (j + 1) % 3) + 1) as u32));
        }
        Self { points, triangles, twins }
    }
}
