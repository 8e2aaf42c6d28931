//! Which way triangles and closed parts are turned.
//!
//! A part is surrounded by those whose box holds its box and inside of which it is at all the places that are asked.
//! Inside of a part that crosses it, it is at some and not at others; that part does not count.
//!
//! What is solid is decided by winding numbers. With s = ±1 for parts turned outwards and inwards, all turned over
//! where the outermost around them is turned inwards, w = Σ s over those that surround a part:
//!
//! | w | s | the part |
//! |---|---|---|
//! | ≤ 0 | | bounds a solid, is turned outwards |
//! | 1 | −1 | bounds a cavity, is turned inwards |
//! | 1 | 1 | lies in solid material and adds nothing, as a bolt that is drawn in a plate without a hole |
//! | ≥ 2 | | the same |

use super::super::topology::EdgeKind;
use super::super::{Topology, Tree, TriMesh};
use crate::error::{GeomError, Result};
use crate::{Aabb, Vec3};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

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
    /// Whether it reaches into another part, or another into it.
    pub(crate) crossed: bool,
    /// Whether it adds nothing: it lies in solid material, or it has no volume.
    pub(crate) idle: bool,
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
        vec![
            Part { first: usize::MAX, volume: 0.0, surrounded: false, crossed: false, idle: false };
            topology.component_count()
        ];
    for (t, component) in of.iter().enumerate() {
        let part = &mut parts[*component as usize];
        part.first = part.first.min(t);
        let origin = mesh.corners(part.first)[0];
        let [a, b, c] = mesh.corners(t).map(|p| p - origin);
        part.volume += a.dot(&b.cross(&c)) / 6.0;
    }
    let Some(tree) = tree.filter(|_| parts.len() > 1) else { return Ok(parts) };
    let (widest, bounds) = (widest(mesh, of, parts.len()), bounds(mesh, of, parts.len()));
    let mut surrounding: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
    for component in 0..parts.len() {
        // The others inside of which it is, with the number of places that say so.
        let mut around: BTreeMap<u32, usize> = BTreeMap::new();
        for &t in &widest[component] {
            let mut odd = BTreeSet::new();
            tree.crossings(mesh, &beneath(mesh, t, parts[component].volume), &RAY, |hit| {
                let other = of[hit.triangle];
                if other as usize != component && !odd.insert(other) {
                    odd.remove(&other);
                }
            })?;
            odd.into_iter().for_each(|other| *around.entry(other).or_default() += 1);
        }
        let places = widest[component].len();
        for (other, count) in around.into_iter().map(|(other, count)| (other as usize, count)) {
            if count == places && holds(&bounds[other], &bounds[component]) {
                parts[component].surrounded ^= true;
                surrounding[component].push(other);
            } else {
                parts[component].crossed = true;
                parts[other].crossed = true;
            }
        }
    }
    let is_flat = |k: usize| {
        let extents = bounds[k].max - bounds[k].min;
        parts[k].volume.abs() <= NO_VOLUME * extents.norm().powi(3)
    };
    let idle: Vec<bool> =
        (0..parts.len()).map(|k| is_flat(k) || lies_in_solid(&parts, k, &surrounding[k])).collect();
    // What is left must be something.
    if idle.contains(&false) {
        parts.iter_mut().zip(idle).for_each(|(part, idle)| part.idle = idle);
    }
    Ok(parts)
}

/// Whether a part with those around it lies in solid material, by the table above.
fn lies_in_solid(parts: &[Part], k: usize, around: &[usize]) -> bool {
    let size = |part: &usize| parts[*part].volume.abs();
    let Some(outermost) = around.iter().copied().max_by(|a, b| size(a).total_cmp(&size(b))) else {
        return false;
    };
    let side = |part: usize| parts[part].volume.signum() * parts[outermost].volume.signum();
    let winding: f64 = around.iter().map(|part| side(*part)).sum();
    winding > 1.5 || winding > 0.5 && side(k) > 0.0
}

/// A part that encloses less than this share of the cube of its size encloses nothing but what rounding leaves.
const NO_VOLUME: f64 = 1e-12;
/// How many places of a part are asked at most.
const PLACES: usize = 32;
/// How far beneath the middle of a triangle, in roots of its area: parts that touch there are on the other side.
const BENEATH: f64 = 1e-5;
/// A direction that no edge of a drawing has.
const RAY: Vec3 = Vec3::new(0.271_828, 0.141_421, 0.951_939);

/// The boxes of all components.
fn bounds(mesh: &TriMesh, of: &[u32], count: usize) -> Vec<Aabb> {
    let mut bounds = vec![Aabb::EMPTY; count];
    for (t, component) in of.iter().enumerate() {
        let own = &mut bounds[*component as usize];
        *own = mesh.corners(t).iter().fold(*own, |all, corner| all.including(corner));
    }
    bounds
}

/// Whether a box holds another, which may touch it from within.
fn holds(outer: &Aabb, inner: &Aabb) -> bool {
    (0..3).all(|i| outer.min[i] <= inner.min[i] && inner.max[i] <= outer.max[i])
}

/// The greatest triangles of each component; of equal ones those that stand first in space, whatever their order in
/// the file.
fn widest(mesh: &TriMesh, of: &[u32], count: usize) -> Vec<Vec<usize>> {
    let key = |t: usize| {
        let [a, b, c] = mesh.corners(t);
        ((b - a).cross(&(c - a)).norm_squared(), a + b + c)
    };
    let mut triangles: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (t, component) in of.iter().enumerate() {
        triangles[*component as usize].push(t);
    }
    for own in triangles.iter_mut().filter(|own| own.len() > PLACES) {
        own.sort_by(|&s, &t| {
            let ((s, at_s), (t, at_t)) = (key(s), key(t));
            let later = (0..3).map(|i| at_s[i].total_cmp(&at_t[i])).find(|order| order.is_ne());
            t.total_cmp(&s).then(later.unwrap_or(Ordering::Equal))
        });
        own.truncate(PLACES);
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
