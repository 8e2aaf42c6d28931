//! A tree of spheres and cones over a surface by charts.
//!
//! The cells of the charts are halved until a leaf is nearly flat: its normals within [`WIDEST`], their cone within
//! [`LOOSEST`], its extent below [`LARGEST`] of the surface's, less where it is rough (`piece`); at most [`DEEPEST`]
//! times, which is what ends the way to an extraordinary vertex or to an edge that is all but sharp. The leaves are
//! then split at medians, along whichever direction they differ in most, the normal's directions counted beside those
//! of space: the two faces of a thin plate part early.

use super::piece::Leaf;
use crate::error::{ContactError, Result};
use rattleback_geom::chart::{Atlas, Cell};
use rattleback_geom::{Aabb, Vec3};
use std::f64::consts::PI;

/// The half-angle of a leaf's cone in rad: fifteen degrees, over which Newton's method needs no help.
const WIDEST: f64 = 15.0 / 180.0 * PI;

/// The same for a cone that is proved, within which normals turn by no more than [`WIDEST`] as far as is seen: proofs
/// of some charts are wide, and many small leaves cost more than a few wide cones.
const LOOSEST: f64 = 1.5 * WIDEST;

/// The extent of a leaf as a share of the surface's radius.
const LARGEST: f64 = 0.25;

/// The same for a rough leaf, in extents of another: about an extraordinary vertex pieces stay rough however small.
const ROUGH: f64 = 0.5;

/// Halvings of a cell; two halve its sides.
const DEEPEST: usize = 14;

/// Halvings for the sake of a proof alone, and the share of a cell of which charts that prove anything have a proof.
const HOPEFUL: usize = 10;
const SMALL: f64 = 1.0 / 64.0;

/// What a difference of normals counts for, as a share of the surface's radius.
const NORMAL_WEIGHT: f64 = 0.5;

/// A surface's leaves and the spheres and cones about them; made once per surface.
#[derive(Debug, Clone)]
pub struct ChartTree {
    pub(super) nodes: Vec<ChartNode>,
    pub(super) leaves: Vec<Leaf>,
    pub(super) is_convex: bool,
}

/// What contains a part of a surface.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChartNode {
    pub centre: Vec3,
    pub radius: f64,
    /// The axis of the cone of normals, its half-angle in rad.
    pub axis: Vec3,
    pub angle: f64,
    pub cos: f64,
    pub sin: f64,
    /// How far the part reaches from the centre along the axis, either way, in m.
    thick: f64,
    /// The second child; the first one is the next node. For a leaf its number.
    pub next: u32,
    pub is_leaf: bool,
}

impl ChartNode {
    /// How far the part reaches from its centre along a unit vector, either way, in m; `axis` is its own in the
    /// vector's frame.
    #[inline]
    pub fn thickness(&self, e: &Vec3, axis: &Vec3) -> f64 {
        let cos = e.dot(axis).abs();
        (self.thick * cos + self.radius * (1.0 - cos * cos).max(0.0).sqrt()).min(self.radius)
    }
}

impl ChartTree {
    /// The tree of a surface; an error where it has no cells, as infinite ones, or no normal somewhere.
    pub fn new(atlas: &dyn Atlas) -> Result<Self> {
        let cells = atlas.cells();
        let field = "number of cells".to_owned();
        if cells.is_empty() {
            let allowed = "one or more: an infinite surface has no tree";
            return Err(ContactError::OutOfRange { field, value: 0.0, allowed });
        }
        let mut leaves = flat_leaves(atlas, &cells)?;
        let mut nodes = Vec::with_capacity(2 * leaves.len());
        let size = spread(&leaves).extents().norm() * 0.5;
        grow(&mut nodes, &mut leaves, 0, size);
        Ok(Self { nodes, leaves, is_convex: atlas.is_convex() })
    }

    /// Whether spheres, thicknesses and cones are proved to hold the surface and its normals; estimates from samples
    /// where not.
    pub fn is_proved(&self) -> bool {
        self.leaves.iter().all(|leaf| leaf.proved)
    }

    /// How many leaves there are.
    pub fn leaf_count(&self) -> usize {
        self.leaves.len()
    }

    /// A sphere that contains the surface: its centre in the surface's frame and its radius in m.
    pub fn sphere(&self) -> (Vec3, f64) {
        (self.nodes[0].centre, self.nodes[0].radius)
    }

    pub(super) fn radius(&self) -> f64 {
        self.nodes[0].radius
    }
}

fn flat_leaves(atlas: &dyn Atlas, cells: &[Cell]) -> Result<Vec<Leaf>> {
    let mut waiting = Vec::with_capacity(cells.len());
    for cell in cells {
        // What charts do not prove of a cell they may prove of its halves, where they prove anything of a small part of
        // it.
        let proves = atlas.enclosure(&shrunk(cell)).is_some();
        waiting.push((Leaf::survey(atlas, *cell)?, 0, proves));
    }
    let whole: Vec<Leaf> = waiting.iter().map(|(leaf, ..)| *leaf).collect();
    let length = LARGEST * 0.5 * spread(&whole).extents().norm();
    let mut flat = Vec::new();
    while let Some((leaf, depth, proves)) = waiting.pop() {
        let allowed = if leaf.piece.rough { ROUGH * length } else { length };
        let hopeful = proves && !leaf.proved && depth < HOPEFUL;
        let fine = leaf.turn <= WIDEST && leaf.angle <= LOOSEST && leaf.extent <= allowed && !hopeful;
        if fine || depth == DEEPEST {
            flat.push(leaf);
            continue;
        }
        for half in leaf.halves(atlas, length, WIDEST)? {
            waiting.push((Leaf::survey(atlas, half)?, depth + 1, proves));
        }
    }
    Ok(flat)
}

/// A small cell within another.
fn shrunk(cell: &Cell) -> Cell {
    let [a, b, c] = cell.corners;
    let middle = (a + b + c) / 3.0;
    Cell { corners: cell.corners.map(|w| middle + (w - middle) * SMALL), ..*cell }
}

/// The box of the leaves' middle points.
fn spread(leaves: &[Leaf]) -> Aabb {
    Aabb::of_points(&leaves.iter().map(|leaf| leaf.piece.p).collect::<Vec<_>>())
}

/// Adds the node of these leaves, of which the first has the number `from`, and all below it.
fn grow(nodes: &mut Vec<ChartNode>, leaves: &mut [Leaf], from: usize, size: f64) {
    let index = nodes.len();
    nodes.push(around(leaves));
    if let [_] = leaves {
        nodes[index].next = from as u32;
        nodes[index].is_leaf = true;
        return;
    }
    let key = widest(leaves, NORMAL_WEIGHT * size);
    leaves.sort_by(|a, b| key_of(a, key).total_cmp(&key_of(b, key)));
    let (low, high) = leaves.split_at_mut(leaves.len() / 2);
    grow(nodes, low, from, size);
    nodes[index].next = nodes.len() as u32;
    grow(nodes, high, from + low.len(), size);
}

/// Coordinate 0 to 2 of a leaf's point, 3 to 5 of its normal.
fn key_of(leaf: &Leaf, key: usize) -> f64 {
    if key < 3 { leaf.piece.p[key] } else { leaf.axis[key - 3] }
}

/// The coordinate in which leaves differ most.
fn widest(leaves: &[Leaf], normal_weight: f64) -> usize {
    let range = |key: usize| {
        let mut ends = [f64::INFINITY, f64::NEG_INFINITY];
        for leaf in leaves {
            let x = key_of(leaf, key);
            ends = [ends[0].min(x), ends[1].max(x)];
        }
        (ends[1] - ends[0]) * if key < 3 { 1.0 } else { normal_weight }
    };
    let ranges: [f64; 6] = std::array::from_fn(range);
    (1..6).fold(0, |best, key| if ranges[key] > ranges[best] { key } else { best })
}

/// The sphere and the cone of some leaves.
fn around(leaves: &[Leaf]) -> ChartNode {
    let (mut centre, mut axis) = (Vec3::zeros(), Vec3::zeros());
    if let [leaf] = leaves {
        let (centre, radius) = leaf.piece.sphere();
        return node(centre, radius, leaf.axis, leaf.angle, leaves);
    }
    let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    for leaf in leaves {
        let (c, r) = leaf.piece.sphere();
        low = low.inf(&(c - Vec3::repeat(r)));
        high = high.sup(&(c + Vec3::repeat(r)));
        axis += leaf.axis;
    }
    centre += (low + high) * 0.5;
    let (mut radius, mut angle): (f64, f64) = (0.0, 0.0);
    let axis = axis.try_normalize(f64::EPSILON).unwrap_or_else(Vec3::x);
    for leaf in leaves {
        let (c, r) = leaf.piece.sphere();
        radius = radius.max((c - centre).norm() + r);
        angle = angle.max(axis.angle(&leaf.axis) + leaf.angle);
    }
    node(centre, radius, axis, angle, leaves)
}

fn node(centre: Vec3, radius: f64, axis: Vec3, angle: f64, leaves: &[Leaf]) -> ChartNode {
    let angle = angle.min(PI);
    let (middle, mut thick): (f64, f64) = (axis.dot(&centre), 0.0);
    for leaf in leaves {
        thick = thick.max(leaf.piece.farthest(&axis) - middle).max(leaf.piece.farthest(&-axis) + middle);
    }
    ChartNode {
        thick,
        centre,
        radius,
        axis,
        angle,
        cos: angle.cos(),
        sin: angle.sin(),
        next: 0,
        is_leaf: false,
    }
}
