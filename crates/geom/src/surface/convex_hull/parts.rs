//! The faces and edges of a core, and the kinks of its support function.

use super::{Edge, Facet};
use crate::Vec3;
use crate::surface::{Kink, ROUNDING};
use std::collections::HashMap;
use std::sync::Arc;

/// Most edges whose circles of normals are told as kinks: where they cross is tried by pairs.
const MOST_CIRCLES: usize = 128;

pub(super) fn facet(vertices: &[Vec3], corners: &[u32]) -> Facet {
    let at = |k: usize| vertices[corners[k % corners.len()] as usize];
    let area: Vec3 = (1..corners.len() - 1).map(|k| (at(k) - at(0)).cross(&(at(k + 1) - at(0)))).sum();
    let face: Arc<[Vec3]> = (0..corners.len()).map(at).collect();
    let middle = face.iter().sum::<Vec3>() / face.len() as f64;
    Facet { normal: area.normalize(), corners: corners.to_vec(), face, middle }
}

pub(super) fn edges(vertices: &[Vec3], facets: &[Facet]) -> Vec<Edge> {
    let mut of: HashMap<[u32; 2], u32> = HashMap::new();
    for (f, facet) in facets.iter().enumerate() {
        let n = facet.corners.len();
        of.extend((0..n).map(|k| ([facet.corners[k], facet.corners[(k + 1) % n]], f as u32)));
    }
    let mut edges: Vec<Edge> = of
        .iter()
        .filter(|([a, b], _)| a < b)
        .filter_map(|(&[a, b], &f)| {
            let along = (vertices[b as usize] - vertices[a as usize]).normalize();
            Some(Edge { ends: [a, b], facets: [f, *of.get(&[b, a])?], along })
        })
        .collect();
    edges.sort_by_key(|edge| edge.ends);
    edges
}

/// The normals of faces, each sense of a line once, and the circles across edges, each direction once.
pub(super) fn kinks(facets: &[Facet], edges: &[Edge]) -> Vec<Kink> {
    let mut normals: Vec<Vec3> = Vec::new();
    for facet in facets {
        if !normals.iter().any(|n| n.cross(&facet.normal).norm() <= ROUNDING) {
            normals.push(facet.normal);
        }
    }
    let mut axes: Vec<Vec3> = Vec::new();
    for edge in edges {
        if !axes.iter().any(|axis| axis.cross(&edge.along).norm() <= ROUNDING) {
            axes.push(edge.along);
        }
    }
    if axes.len() > MOST_CIRCLES {
        axes.clear();
    }
    let circles = axes.into_iter().map(|axis| Kink::Circle { axis, height: 0.0 });
    normals.into_iter().map(Kink::Normal).chain(circles).collect()
}
