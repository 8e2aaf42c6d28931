//! Which way triangles and closed parts are turned.

use super::super::topology::EdgeKind;
use super::super::{Topology, Tree, TriMesh};
use crate::Vec3;
use crate::error::{GeomError, Result};

/// Marks the triangles of each component that are turned against most of the others in it.
pub(super) fn flipped(mesh: &TriMesh, topology: &Topology) -> Result<Vec<bool>> {
    if let Some(edge) = topology.edges().iter().find(|edge| edge.kind() == EdgeKind::NonManifold) {
        let found = format!("shared by {} triangles", edge.triangles);
        return Err(GeomError::NonManifoldEdge { edge: edge.vertices, found });
    }
    let count = mesh.triangles().len();
    let mut turned: Vec<Option<bool>> = vec![None; count];
    let mut marked = vec![false; count];
    for seed in 0..count {
        if turned[seed].is_some() {
            continue;
        }
        turned[seed] = Some(false);
        let mut part = vec![seed];
        let mut next = 0;
        while let Some(&t) = part.get(next) {
            next += 1;
            for (side, other) in topology.neighbours(t).into_iter().enumerate() {
                let Some(other) = other else { continue };
                let turn = turned[t].unwrap_or(false) ^ agree(mesh, t, side, other);
                match turned[other] {
                    None => {
                        turned[other] = Some(turn);
                        part.push(other);
                    }
                    Some(own) if own != turn => {
                        let place = mesh.corners(other).iter().sum::<Vec3>() / 3.0;
                        return Err(GeomError::NotOrientable { triangle: other, place: place.into() });
                    }
                    Some(_) => {}
                }
            }
        }
        let against = part.iter().filter(|t| turned[**t] == Some(true)).count();
        let minority = 2 * against <= part.len();
        for t in part {
            marked[t] = turned[t] == Some(minority);
        }
    }
    Ok(marked)
}

/// Whether two neighbours run along their common side in the same direction, which is wrong.
fn agree(mesh: &TriMesh, t: usize, side: usize, other: usize) -> bool {
    let (mine, theirs) = (mesh.triangles()[t], mesh.triangles()[other]);
    let (a, b) = (mine[side], mine[(side + 1) % 3]);
    (0..3).any(|k| theirs[k] == a && theirs[(k + 1) % 3] == b)
}

/// A closed part of a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Part {
    /// Its first triangle.
    pub(crate) first: usize,
    /// What it encloses in m³, below zero where its faces are turned inwards.
    pub(crate) volume: f64,
    /// Whether an odd number of other parts surround it: it bounds a cavity then.
    pub(crate) surrounded: bool,
}

impl Part {
    /// Whether it is turned inwards and bounds no cavity, or the reverse.
    pub(crate) fn is_inside_out(&self) -> bool {
        self.surrounded != (self.volume < 0.0)
    }
}

/// The parts of a closed mesh, in the order of its components. The tree is needed where there are several.
pub(crate) fn parts(mesh: &TriMesh, topology: &Topology, tree: Option<&Tree>) -> Result<Vec<Part>> {
    let of = topology.components();
    let mut parts =
        vec![Part { first: usize::MAX, volume: 0.0, surrounded: false }; topology.component_count()];
    for (t, component) in of.iter().enumerate() {
        let part = &mut parts[*component as usize];
        part.first = part.first.min(t);
        let origin = mesh.corners(part.first)[0];
        let [a, b, c] = mesh.corners(t).map(|p| p - origin);
        part.volume += a.dot(&b.cross(&c)) / 6.0;
    }
    let Some(tree) = tree.filter(|_| parts.len() > 1) else { return Ok(parts) };
    let widest = widest(mesh, of, parts.len());
    for (component, part) in parts.iter_mut().enumerate() {
        let mut votes = 0_i32;
        for &t in &widest[component] {
            let mut surrounded = false;
            tree.crossings(mesh, &beneath(mesh, t, part.volume), &RAY, |hit| {
                surrounded ^= of[hit.triangle] as usize != component;
            })?;
            votes += if surrounded { 1 } else { -1 };
        }
        part.surrounded = votes > 0;
    }
    Ok(parts)
}

/// How many places of a part are asked, an odd number: parts that only touch agree on all, crossing ones on most.
const PLACES: usize = 7;
/// How far beneath the middle of a triangle, in roots of its area: parts that touch there are on the other side.
const BENEATH: f64 = 1e-5;
/// A direction that no edge of a drawing has.
const RAY: Vec3 = Vec3::new(0.271_828, 0.141_421, 0.951_939);

/// The greatest triangles of each component, an odd number.
fn widest(mesh: &TriMesh, of: &[u32], count: usize) -> Vec<Vec<usize>> {
    let area = |t: usize| {
        let [a, b, c] = mesh.corners(t);
        (b - a).cross(&(c - a)).norm_squared()
    };
    let mut triangles: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (t, component) in of.iter().enumerate() {
        triangles[*component as usize].push(t);
    }
    for own in &mut triangles {
        own.sort_by(|&s, &t| area(t).total_cmp(&area(s)));
        own.truncate(if own.len() < PLACES { 1 } else { PLACES });
    }
    triangles
}

/// A place just inside a part beneath one of its triangles, whichever way the part is turned.
fn beneath(mesh: &TriMesh, t: usize, volume: f64) -> Vec3 {
    let [a, b, c] = mesh.corners(t);
    let across = (b - a).cross(&(c - a));
    let size = across.norm();
    let inwards = if volume < 0.0 { across } else { -across };
    let middle = (a + b + c) / 3.0;
    if size > 0.0 { middle + inwards * (BENEATH / size.sqrt()) } else { middle }
}
