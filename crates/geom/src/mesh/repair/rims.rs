//! Edges where a mesh ends, and pieces of a mesh that have such.

use super::super::topology::{Classes, Edge, EdgeKind};
use super::super::{Topology, TriMesh};
use crate::Aabb;
use crate::error::{GeomError, Result};
use std::collections::HashMap;

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

fn borders(topology: &Topology) -> impl Iterator<Item = &Edge> {
    topology.edges().iter().filter(|edge| edge.kind() == EdgeKind::Border)
}

/// Refuses a mesh with rims and says where the largest is.
pub(super) fn refuse_holes(mesh: &TriMesh, topology: &Topology) -> Result<()> {
    let edges: Vec<[u32; 2]> = borders(topology).map(|edge| edge.vertices).collect();
    let mut classes = Classes::new(mesh.vertices().len());
    for [a, b] in &edges {
        classes.unite(*a as usize, *b as usize);
    }
    let mut rims: Vec<(usize, usize, Aabb)> = Vec::new();
    let mut number = HashMap::new();
    for edge in &edges {
        let ends = edge.map(|v| mesh.vertices()[v as usize]);
        let next = rims.len();
        let rim = *number.entry(classes.root(edge[0] as usize)).or_insert(next);
        if rim == next {
            rims.push((rim, 0, Aabb::of_points(&ends)));
        }
        let (_, count, bounds) = &mut rims[rim];
        *count += 1;
        *bounds = Aabb::of_points(&[bounds.min, bounds.max, ends[0], ends[1]]);
    }
    let size = |bounds: &Aabb| (bounds.max - bounds.min).norm();
    let largest = rims.iter().max_by(|a, b| size(&a.2).total_cmp(&size(&b.2)).then(b.0.cmp(&a.0)));
    match largest {
        None => Ok(()),
        Some((_, edges, bounds)) => Err(GeomError::Holes {
            count: rims.len(),
            edges: *edges,
            size: size(bounds),
            place: bounds.centre().into(),
        }),
    }
}
