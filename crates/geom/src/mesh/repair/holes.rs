//! Holes closed by triangles over their rims.
//!
//! The edges of one triangle are walked to closed paths; where a path meets itself, what lies between is a hole of its
//! own, so that two holes that touch at a vertex stay two. A path is cut into triangles as a polygon is (`ears.rs`).
//! Where one of their sides is an edge of the mesh already, which would have four triangles then, or where the path is
//! too long to be cut, the triangles meet at a new vertex in the middle of the path.

use super::super::topology::EdgeKind;
use super::super::{Topology, TriMesh, ears};
use super::rims::borders;
use crate::{Aabb, Vec3};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What was closed.
pub(super) struct Closed {
    pub(super) holes: usize,
    /// Edges, box diagonal in metres and middle of the largest.
    pub(super) edges: usize,
    pub(super) size: f64,
    pub(super) place: Vec3,
    pub(super) triangles: usize,
}

/// Closes all holes of a mesh whose edges have two triangles at most; none where one has more.
pub(super) fn close(
    mesh: &TriMesh,
    vertices: &mut Vec<Vec3>,
    triangles: &mut Vec<[u32; 3]>,
) -> Option<Closed> {
    let topology = Topology::new(mesh);
    if topology.edges().iter().any(|edge| edge.kind() == EdgeKind::NonManifold) {
        return None;
    }
    let before = triangles.len();
    let paths = paths(mesh, &topology);
    let mut edges: HashSet<[u32; 2]> = topology.edges().iter().map(|edge| edge.vertices).collect();
    let mut largest: Option<(usize, Aabb)> = None;
    for path in &paths {
        let points: Vec<Vec3> = path.iter().map(|v| mesh.vertices()[*v as usize]).collect();
        let bounds = Aabb::of_points(&points);
        if largest.as_ref().is_none_or(|(_, other)| bounds.diagonal() > other.diagonal()) {
            largest = Some((path.len(), bounds));
        }
        let mut patch = Vec::new();
        let is_cut = ears::cut(vertices, path, &mut patch) && are_new(&patch, path, &edges);
        if !is_cut {
            patch.clear();
            let middle = vertices.len() as u32;
            vertices.push(points.iter().sum::<Vec3>() / points.len() as f64);
            patch.extend((0..path.len()).map(|k| [path[k], path[(k + 1) % path.len()], middle]));
        }
        edges.extend(patch.iter().flat_map(sides));
        triangles.extend(patch);
    }
    let (rim, bounds) = largest?;
    Some(Closed {
        holes: paths.len(),
        edges: rim,
        size: bounds.diagonal(),
        place: bounds.centre(),
        triangles: triangles.len() - before,
    })
}

/// Whether the sides of a patch that are not the rim's own are edges of no triangle, and each of two of the patch.
fn are_new(patch: &[[u32; 3]], path: &[u32], edges: &HashSet<[u32; 2]>) -> bool {
    let rim: HashSet<[u32; 2]> =
        (0..path.len()).map(|k| sorted(path[k], path[(k + 1) % path.len()])).collect();
    let mut met: HashMap<[u32; 2], usize> = HashMap::new();
    for side in patch.iter().flat_map(sides) {
        *met.entry(side).or_default() += 1;
    }
    met.iter().all(
        |(side, count)| if rim.contains(side) { *count == 1 } else { *count == 2 && !edges.contains(side) },
    )
}

/// The rims as closed paths without repeated vertices, against the direction of the triangles along them.
fn paths(mesh: &TriMesh, topology: &Topology) -> Vec<Vec<u32>> {
    let rim: HashSet<[u32; 2]> = borders(topology).map(|edge| edge.vertices).collect();
    // From each vertex of a rim, where its edges lead; in a fixed order.
    let mut leads: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut directed = HashSet::new();
    for t in mesh.triangles() {
        for k in 0..3 {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            if rim.contains(&sorted(a, b)) {
                leads.entry(a).or_default().push(b);
                leads.entry(b).or_default().push(a);
                directed.insert([a, b]);
            }
        }
    }
    let mut paths = Vec::new();
    let starts: Vec<u32> = leads.keys().copied().collect();
    for start in starts {
        let mut walk = vec![start];
        let mut place: HashMap<u32, usize> = HashMap::from([(start, 0)]);
        while let Some(next) = walk.last().and_then(|here| leads.get_mut(here)?.pop()) {
            let here = walk[walk.len() - 1];
            if let Some(back) = leads.get_mut(&next)
                && let Some(i) = back.iter().position(|v| *v == here)
            {
                back.remove(i);
            }
            match place.get(&next) {
                None => {
                    place.insert(next, walk.len());
                    walk.push(next);
                }
                // A path meets itself: the part between is a hole.
                Some(&begin) => {
                    let path = walk.split_off(begin + 1);
                    path.iter().for_each(|v| _ = place.remove(v));
                    paths.push(turned([vec![next], path].concat(), &directed));
                }
            }
        }
    }
    paths
}

/// The path in the direction against which most triangles run along it.
fn turned(mut path: Vec<u32>, directed: &HashSet<[u32; 2]>) -> Vec<u32> {
    let along =
        (0..path.len()).filter(|k| directed.contains(&[path[*k], path[(k + 1) % path.len()]])).count();
    if 2 * along > path.len() {
        path.reverse();
    }
    path
}

fn sorted(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

fn sides(t: &[u32; 3]) -> [[u32; 2]; 3] {
    [sorted(t[0], t[1]), sorted(t[1], t[2]), sorted(t[2], t[0])]
}
