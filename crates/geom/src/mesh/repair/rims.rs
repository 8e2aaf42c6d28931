//! Edges where a mesh ends, pieces of a mesh that have such, and what is wrong with them.

use super::super::topology::{Classes, Edge, EdgeKind};
use super::super::{Topology, TriMesh};
use crate::Aabb;
use crate::error::{GeomError, MeshFault, Result};
use std::collections::HashMap;

/// So many faults are told with their places; the rest are counted.
const TOLD: usize = 20;

/// Which components have a rim and less than `share` of the whole area, and the area of all these.
pub(super) fn loose(mesh: &TriMesh, topology: &Topology, share: f64) -> (Vec<bool>, f64) {
    let count = topology.component_count();
    let (mut areas, mut open) = (vec![0.0; count], vec![false; count]);
    for (t, component) in topology.components().iter().enumerate() {
        areas[*component as usize] += mesh.triangle_area(t);
    }
    let rims: HashMap<[u32; 2], ()> = borders(topology).map(|edge| (edge.vertices, ())).collect();
    for (t, corners) in mesh.triangles().iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            open[topology.components()[t] as usize] |= rims.contains_key(&[a.min(b), a.max(b)]);
        }
    }
    let whole: f64 = areas.iter().sum();
    let loose: Vec<bool> =
        open.iter().zip(&areas).map(|(open, area)| *open && *area < share * whole).collect();
    let area = loose.iter().zip(&areas).filter(|(loose, _)| **loose).map(|(_, area)| area).sum();
    (loose, area)
}

pub(super) fn borders(topology: &Topology) -> impl Iterator<Item = &Edge> {
    topology.edges().iter().filter(|edge| edge.kind() == EdgeKind::Border)
}

/// Refuses a mesh with rims or with edges of more than two triangles and says where they are.
pub(super) fn refuse_faults(mesh: &TriMesh, topology: &Topology) -> Result<()> {
    let mut faults = holes(mesh, topology);
    let holes = faults.len();
    let crowded = topology.edges().iter().filter(|edge| edge.kind() == EdgeKind::NonManifold);
    faults.extend(crowded.map(|edge| MeshFault::Edge {
        triangles: edge.triangles as usize,
        ends: edge.vertices.map(|v| mesh.vertices()[v as usize].into()),
    }));
    let edges = faults.len() - holes;
    if faults.is_empty() {
        return Ok(());
    }
    faults.truncate(TOLD);
    Err(GeomError::NotClosed { holes, edges, faults })
}

/// Refuses a mesh with edges of more than two triangles, rims or not.
pub(super) fn refuse_crowded(mesh: &TriMesh, topology: &Topology) -> Result<()> {
    let is_crowded = topology.faults().non_manifold_edges > 0;
    if is_crowded { refuse_faults(mesh, topology) } else { Ok(()) }
}

/// Rims that do not touch each other, the largest first.
fn holes(mesh: &TriMesh, topology: &Topology) -> Vec<MeshFault> {
    let edges: Vec<[u32; 2]> = borders(topology).map(|edge| edge.vertices).collect();
    let mut classes = Classes::new(mesh.vertices().len());
    for [a, b] in &edges {
        classes.unite(*a as usize, *b as usize);
    }
    let mut rims: Vec<(usize, Aabb)> = Vec::new();
    let mut number = HashMap::new();
    for edge in &edges {
        let ends = edge.map(|v| mesh.vertices()[v as usize]);
        let next = rims.len();
        let rim = *number.entry(classes.root(edge[0] as usize)).or_insert(next);
        if rim == next {
            rims.push((0, Aabb::of_points(&ends)));
        }
        let (count, bounds) = &mut rims[rim];
        *count += 1;
        *bounds = Aabb::of_points(&[bounds.min, bounds.max, ends[0], ends[1]]);
    }
    // Stable: of equal ones, the one with the lowest vertex comes first.
    rims.sort_by(|a, b| b.1.diagonal().total_cmp(&a.1.diagonal()));
    let hole = |(edges, bounds): (usize, Aabb)| MeshFault::Hole {
        edges,
        size: bounds.diagonal(),
        place: bounds.centre().into(),
    };
    rims.into_iter().map(hole).collect()
}
