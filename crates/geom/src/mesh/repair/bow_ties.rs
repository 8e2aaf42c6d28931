//! Vertices at which fans of triangles touch that share no edge there: each fan gets a vertex of its own.

use super::super::topology::Classes;
use super::super::{Topology, TriMesh};
use crate::Vec3;
use std::collections::HashMap;

/// Divides the vertices at which fans only touch, and says how many there were.
pub(super) fn split(mesh: &TriMesh, vertices: &mut Vec<Vec3>, triangles: &mut [[u32; 3]]) -> usize {
    let topology = Topology::new(mesh);
    let mut around: HashMap<u32, Vec<usize>> = topology.bow_ties().iter().map(|v| (*v, Vec::new())).collect();
    for (corner, vertex) in triangles.as_flattened().iter().enumerate() {
        if let Some(corners) = around.get_mut(vertex) {
            corners.push(corner);
        }
    }
    for vertex in topology.bow_ties() {
        let corners = &around[vertex];
        // Corners with a neighbour in common are of one fan.
        let mut fans = Classes::new(corners.len());
        let mut met: HashMap<u32, usize> = HashMap::new();
        for (i, corner) in corners.iter().enumerate() {
            let t = mesh.triangles()[corner / 3];
            for step in 1..3 {
                let first = *met.entry(t[(corner + step - 3 * (corner / 3)) % 3]).or_insert(i);
                fans.unite(first, i);
            }
        }
        let mut numbers = HashMap::new();
        for (i, corner) in corners.iter().enumerate() {
            let root = fans.root(i);
            if root == 0 {
                continue;
            }
            let number = *numbers.entry(root).or_insert_with(|| {
                vertices.push(mesh.vertices()[*vertex as usize]);
                vertices.len() as u32 - 1
            });
            triangles[corner / 3][corner % 3] = number;
        }
    }
    topology.bow_ties().len()
}
