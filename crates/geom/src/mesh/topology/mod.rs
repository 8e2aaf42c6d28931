//! How the triangles of a mesh hang together.
//!
//! Half-edge 3t + k runs along triangle t from its corner k to its corner k + 1. Half-edges sorted by their two
//! vertices make the edges. A mesh is the border of a solid when at every edge two triangles meet that run along it
//! in opposite directions, and when the triangles at every vertex form one ring. Then every component has the Euler
//! characteristic V − E + F = 2 − 2g with its genus g.

use super::TriMesh;
use crate::error::{GeomError, Result};

/// Stands for no neighbour.
const NONE: u32 = u32::MAX;

/// What meets at an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeKind {
    /// Two triangles in opposite directions.
    Regular,
    /// One triangle: the mesh ends here.
    Border,
    /// Two triangles in the same direction: one of them is turned inside out.
    Flipped,
    /// More than two triangles.
    NonManifold,
}

/// An edge of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Its two vertices, the lower index first.
    pub vertices: [u32; 2],
    /// How many triangles meet at it.
    pub triangles: u32,
    /// How many of them run along it from the lower index to the higher.
    pub forward: u32,
}

impl Edge {
    /// What meets here.
    pub fn kind(&self) -> EdgeKind {
        match (self.triangles, self.forward) {
            (2, 1) => EdgeKind::Regular,
            (2, _) => EdgeKind::Flipped,
            (0 | 1, _) => EdgeKind::Border,
            _ => EdgeKind::NonManifold,
        }
    }
}

/// How many faults of each sort a mesh has; a border of a solid has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Faults {
    /// Edges of one triangle.
    pub border_edges: usize,
    /// Edges of two triangles that run along it in the same direction.
    pub flipped_edges: usize,
    /// Edges of more than two triangles.
    pub non_manifold_edges: usize,
    /// Vertices at which triangles meet that no chain of edges at this vertex connects.
    pub bow_tie_vertices: usize,
    /// Vertices of no triangle. They are harmless.
    pub unused_vertices: usize,
}

/// Neighbours, edges, components and faults of a mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct Topology {
    neighbours: Vec<[u32; 3]>,
    edges: Vec<Edge>,
    components: Vec<u32>,
    component_count: usize,
    bow_ties: Vec<u32>,
    faults: Faults,
    euler: i64,
}

impl Topology {
    /// Describes any mesh, faults and all.
    pub fn new(mesh: &TriMesh) -> Self {
        let count = mesh.triangles().len();
        let mut neighbours = vec![[NONE; 3]; count];
        let mut edges = Vec::with_capacity(count + count / 2);
        let mut triangles = Classes::new(count);
        let mut corners = Classes::new(3 * count);
        let halves = half_edges(mesh);
        for group in halves.chunk_by(|a, b| a.vertices == b.vertices) {
            if let [a, b] = group {
                neighbours[a.triangle()][a.side()] = b.triangle() as u32;
                neighbours[b.triangle()][b.side()] = a.triangle() as u32;
            }
            for other in &group[1..] {
                triangles.unite(group[0].triangle(), other.triangle());
                for end in 0..2 {
                    corners.unite(group[0].corner(end), other.corner(end));
                }
            }
            edges.push(Edge {
                vertices: group[0].vertices,
                triangles: group.len() as u32,
                forward: group.iter().filter(|h| h.forward).count() as u32,
            });
        }
        let mut fans = vec![0u32; mesh.vertices().len()];
        for (corner, &vertex) in mesh.triangles().as_flattened().iter().enumerate() {
            fans[vertex as usize] += u32::from(corners.root(corner) == corner);
        }
        let bow_ties: Vec<u32> = (0..fans.len() as u32).filter(|&v| fans[v as usize] > 1).collect();
        let of_kind = |kind| edges.iter().filter(|e| e.kind() == kind).count();
        let faults = Faults {
            border_edges: of_kind(EdgeKind::Border),
            flipped_edges: of_kind(EdgeKind::Flipped),
            non_manifold_edges: of_kind(EdgeKind::NonManifold),
            bow_tie_vertices: bow_ties.len(),
            unused_vertices: fans.iter().filter(|&&f| f == 0).count(),
        };
        let euler = (fans.len() - faults.unused_vertices) as i64 - edges.len() as i64 + count as i64;
        let (components, component_count) = triangles.numbered();
        Self { neighbours, edges, components, component_count, bow_ties, faults, euler }
    }

    /// Describes a mesh that is the border of a solid, and refuses any other.
    pub fn closed(mesh: &TriMesh) -> Result<Self> {
        let topology = Self::new(mesh);
        if let Some(edge) = topology.edges.iter().find(|e| e.kind() != EdgeKind::Regular) {
            let found = match edge.kind() {
                EdgeKind::Border => "a border: one triangle".to_owned(),
                EdgeKind::Flipped => "run along by both its triangles in the same direction".to_owned(),
                _ => format!("shared by {} triangles", edge.triangles),
            };
            return Err(GeomError::NonManifoldEdge { edge: edge.vertices, found });
        }
        match topology.bow_ties.first() {
            None => Ok(topology),
            Some(vertex) => Err(GeomError::Inconsistent {
                field: format!("vertices[{vertex}]"),
                found: "the meeting point of rings of triangles that share no edge".to_owned(),
                allowed: "surrounded by one closed ring of triangles".to_owned(),
            }),
        }
    }

    /// The triangle across each side of a triangle, side k running from corner k to corner k + 1; none where one or
    /// more than two triangles meet.
    pub fn neighbours(&self, triangle: usize) -> [Option<usize>; 3] {
        self.neighbours[triangle].map(|t| (t != NONE).then_some(t as usize))
    }

    /// All edges, in rising order of their vertices.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// What is wrong with the mesh.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Vertices at which rings or fans of triangles touch that share no edge there, in rising order.
    pub fn bow_ties(&self) -> &[u32] {
        &self.bow_ties
    }

    /// Whether the mesh is the border of a solid: no fault but unused vertices.
    pub fn is_closed(&self) -> bool {
        Faults { unused_vertices: 0, ..self.faults } == Faults::default()
    }

    /// How many parts the mesh has that share no edge.
    pub fn component_count(&self) -> usize {
        self.component_count
    }

    /// The component of each triangle, numbered from zero in the order of their first triangles.
    pub fn components(&self) -> &[u32] {
        &self.components
    }

    /// V − E + F, unused vertices left out.
    pub fn euler_characteristic(&self) -> i64 {
        self.euler
    }

    /// The number of handles, summed over the components; none where the mesh is not closed.
    pub fn genus(&self) -> Option<usize> {
        let twice = 2 * self.component_count as i64 - self.euler;
        self.is_closed().then_some(twice as usize / 2)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct HalfEdge {
    vertices: [u32; 2],
    id: usize,
    forward: bool,
}

impl HalfEdge {
    fn triangle(&self) -> usize {
        self.id / 3
    }

    fn side(&self) -> usize {
        self.id % 3
    }

    /// The corner of its triangle at the lower (`end` 0) or the higher (`end` 1) vertex.
    fn corner(&self, end: usize) -> usize {
        let step = usize::from((end == 1) == self.forward);
        3 * self.triangle() + (self.side() + step) % 3
    }
}

fn half_edges(mesh: &TriMesh) -> Vec<HalfEdge> {
    let mut halves = Vec::with_capacity(3 * mesh.triangles().len());
    for (t, corners) in mesh.triangles().iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            halves.push(HalfEdge { vertices: [a.min(b), a.max(b)], id: 3 * t + k, forward: a < b });
        }
    }
    halves.sort_unstable();
    halves
}

/// Disjoint sets; the root of a set is its least member.
pub(crate) struct Classes(Vec<usize>);

impl Classes {
    pub(crate) fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    pub(crate) fn root(&mut self, mut i: usize) -> usize {
        while self.0[i] != i {
            self.0[i] = self.0[self.0[i]];
            i = self.0[i];
        }
        i
    }

    pub(crate) fn unite(&mut self, i: usize, j: usize) {
        let (i, j) = (self.root(i), self.root(j));
        self.0[i.max(j)] = i.min(j);
    }

    /// A number from zero for every member's set, and how many sets there are.
    fn numbered(&mut self) -> (Vec<u32>, usize) {
        let mut numbers = vec![0; self.0.len()];
        let mut count = 0;
        for i in 0..numbers.len() {
            let root = self.root(i);
            if root == i {
                numbers[i] = count;
                count += 1;
            } else {
                numbers[i] = numbers[root];
            }
        }
        (numbers, count as usize)
    }
}

#[cfg(test)]
mod tests;
