//! A lower bound of the distance of two surfaces, by branch and bound.
//!
//! Pairs of parts wait in order of their bounds. Spheres, and the thickness along both axes, bound the distance of
//! inner nodes. For two pieces every unit vector e gives the bound min_B e·x − max_A e·x from their Bézier hulls; the
//! directions tried are the line of centres, the normals of both and that of the nearest common normal known. The pair
//! with the least bound is split until that bound, a bound for all, is [`SHARP`] of a distance that two points have. A
//! leaf is split into quarters, whose jets are evaluated anew: the slack falls to an eighth each time, so that few are
//! needed even where bodies are close.
//!
//! Which parts may hold the nearest points. Surfaces that do not cross have a common normal there: those of separate
//! bodies face each other, those of a body inside another point the same way. Parts whose normals do neither are left
//! out as soon as their bound is above zero, which shows that they do not cross. Before a bound is returned, parts that
//! may point the same way and may be as near as the points that are known are split until they are not, unless neither
//! body can be inside the other (`inside`); where that does not end the bound is zero. Against a half-space the lowest
//! point decides, overlap or not, and its normal is the opposite of the plane's: nodes without that normal are left
//! out.
//!
//! The bound is as certain as that of the third derivatives (`piece`), proved where [`ChartTree::is_proved`] says so.

use super::frame::Frame;
use super::inside;
use super::piece::Piece;
use super::refine::{ChartPair, Other};
use super::search::may_meet;
use super::tree::{ChartNode, ChartTree};
use super::{Kind, Side, Workspace};
use crate::error::Result;
use rattleback_geom::chart::Atlas;
use rattleback_geom::{Pose, Vec3};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The share of the distance that a bound must reach.
const SHARP: f64 = 0.92;

/// Splits after which the bound is taken as it is.
const MAX_SPLITS: usize = 20_000;

/// Angles are known to this, in rad.
const ROUNDING: f64 = 1e-7;

/// Splits that may show whether one body is inside the other.
const MAX_DOUBTS: usize = 4_000;

/// Refinements, which tell how far it is at most.
const MAX_REFINEMENTS: usize = 4;

/// Distances below this share of the size are zero: pieces so small are lost in rounding.
const NEGLIGIBLE: f64 = 1e-9;

/// Lists that a bound fills anew.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    heap: BinaryHeap<Entry>,
    /// Pieces below the leaves, of A and B, with their spheres.
    pieces: [Vec<(Piece, Vec3, f64)>; 2],
}

/// A part of a surface: a node of its tree, or a piece below a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Node(u32),
    Piece(u32),
    Plane,
}

/// Two parts and the lower bound of their distance.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Entry {
    bound: f64,
    parts: [Part; 2],
    /// Whether the normals of both may point the same way.
    same: bool,
    /// When it was made, for a fixed order.
    number: u32,
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    /// The least bound is the greatest entry.
    fn cmp(&self, other: &Self) -> Ordering {
        other.bound.total_cmp(&self.bound).then(other.number.cmp(&self.number))
    }
}

/// A lower bound in m of the distance of two closed surfaces, or of one from a half-space: zero where they touch or
/// overlap, otherwise nine tenths of the distance or more, less only where 20,000 splits did not do.
pub fn distance_bound(
    a: &Side<'_>,
    pose_a: &Pose,
    b: &Side<'_>,
    pose_b: &Pose,
    work: &mut Workspace,
) -> Result<f64> {
    let pair = ChartPair::new(a, pose_a, b, pose_b)?;
    let scratch = &mut work.distance;
    scratch.heap.clear();
    scratch.pieces.iter_mut().for_each(Vec::clear);
    Descent { pair, scratch, upper: f64::INFINITY, normal: None, refinements: 0, number: 0 }.run()
}

/// A search under way.
struct Descent<'a, 'w> {
    pair: ChartPair<'a>,
    scratch: &'w mut Scratch,
    /// The least distance of two points that is known.
    upper: f64,
    /// Its direction.
    normal: Option<Vec3>,
    refinements: usize,
    number: u32,
}

impl Descent<'_, '_> {
    fn run(mut self) -> Result<f64> {
        let size = self.pair.size();
        let second = match self.pair.other {
            Other::Charted { .. } => Part::Node(0),
            Other::Plane { .. } => Part::Plane,
        };
        self.push([Part::Node(0), second], f64::NEG_INFINITY, true);
        for _ in 0..MAX_SPLITS {
            let Some(entry) = self.scratch.heap.pop() else { break };
            self.look(&entry.parts);
            if self.upper <= NEGLIGIBLE * size {
                return Ok(0.0);
            }
            if entry.bound >= SHARP * self.upper {
                let bound = entry.bound;
                self.scratch.heap.push(entry);
                return Ok(if self.is_apart()? { bound } else { 0.0 });
            }
            self.split(&entry)?;
        }
        let bound = self.scratch.heap.peek().map_or(0.0, |entry| entry.bound);
        Ok(if bound > 0.0 && self.is_apart()? { bound } else { 0.0 })
    }

    /// Whether the bodies are surely not inside each other: parts that may show it are split until they are farther
    /// apart than two points that are known.
    fn is_apart(&mut self) -> Result<bool> {
        if matches!(self.pair.other, Other::Plane { .. }) {
            return Ok(true);
        }
        let upper = self.upper;
        let doubtful = |entry: &Entry| entry.bound <= upper && entry.same;
        if !self.scratch.heap.iter().any(doubtful) || self.neither_inside() {
            return Ok(true);
        }
        for _ in 0..MAX_DOUBTS {
            let upper = self.upper;
            self.scratch.heap.retain(|entry| entry.bound <= upper && entry.same);
            let Some(entry) = self.scratch.heap.pop() else { return Ok(true) };
            self.split(&entry)?;
        }
        Ok(false)
    }

    /// Whether it is shown that neither body is inside the other.
    fn neither_inside(&self) -> bool {
        let Other::Charted { tree, frame, .. } = self.pair.other else { return true };
        inside::is_outside(self.pair.tree, &Frame::same(), tree, &frame, self.normal)
            && inside::is_outside(tree, &frame, self.pair.tree, &Frame::same(), self.normal)
    }

    /// Lowers the upper bound by what two leaves or pieces show.
    fn look(&mut self, parts: &[Part; 2]) {
        let first = self.node(0, parts[0]).filter(|node| node.is_leaf).map(|node| node.next);
        let second = self.node(1, parts[1]).filter(|node| node.is_leaf).map(|node| node.next);
        let is_plane = parts[1] == Part::Plane;
        let Some(i) = first else { return };
        // From normals that are not opposite the way leads anywhere, to the far sides too, which look as if they
        // overlapped.
        let facing = is_plane || self.common_normals(*parts).is_some_and(|[facing, same]| facing && !same);
        if !facing || self.refinements == MAX_REFINEMENTS {
            return;
        }
        self.refinements += 1;
        let leaf = &self.pair.tree.leaves[i as usize];
        let other = match self.pair.other {
            Other::Charted { tree, .. } => second.map(|j| &tree.leaves[j as usize]),
            Other::Plane { .. } => None,
        };
        let Some((places, pictures)) = self.pair.start(leaf, other) else { return };
        let Some(found) = self.pair.solve(places, pictures, [f64::INFINITY; 2]) else { return };
        let crossing = found.gap < 0.0 && found.kind != Kind::Saddle;
        let distance = if crossing { 0.0 } else { (found.points[1] - found.points[0]).norm() };
        if distance < self.upper {
            self.upper = distance;
            self.normal = Some(found.normal);
        }
    }

    fn tree(&self, side: usize) -> Option<&ChartTree> {
        match (side, &self.pair.other) {
            (0, _) => Some(self.pair.tree),
            (_, Other::Charted { tree, .. }) => Some(tree),
            _ => None,
        }
    }

    fn node(&self, side: usize, part: Part) -> Option<&ChartNode> {
        match part {
            Part::Node(i) => self.tree(side).map(|tree| &tree.nodes[i as usize]),
            _ => None,
        }
    }

    /// The piece that a part is, where it is a leaf or below one.
    fn piece(&self, side: usize, part: Part) -> Option<&Piece> {
        match part {
            Part::Piece(k) => Some(&self.scratch.pieces[side][k as usize].0),
            Part::Node(i) => {
                let tree = self.tree(side)?;
                let node = &tree.nodes[i as usize];
                node.is_leaf.then(|| &tree.leaves[node.next as usize].piece)
            }
            Part::Plane => None,
        }
    }

    fn sphere(&self, side: usize, part: Part) -> Option<(Vec3, f64)> {
        match part {
            Part::Piece(k) => {
                let (_, centre, radius) = self.scratch.pieces[side][k as usize];
                Some((centre, radius))
            }
            _ => self.node(side, part).map(|node| (node.centre, node.radius)),
        }
    }

    /// Whether a node may hold the lowest point over a half-space, whose normal is the opposite of the plane's.
    fn may_be_lowest(&self, parts: [Part; 2]) -> bool {
        match (&self.pair.other, self.node(0, parts[0])) {
            (Other::Plane { plane, frame }, Some(a)) => -frame.vector(plane.normal()).dot(&a.axis) >= a.cos,
            _ => true,
        }
    }

    /// Whether the normals of two nodes may face each other at nearest points, and whether they may point the same way.
    fn common_normals(&self, parts: [Part; 2]) -> Option<[bool; 2]> {
        match (&self.pair.other, self.node(0, parts[0]), self.node(1, parts[1])) {
            (Other::Charted { frame, .. }, Some(a), Some(b)) => {
                let between = a.axis.angle(&frame.vector(&b.axis));
                Some([may_meet(a, b, frame, self.upper), between <= a.angle + b.angle + ROUNDING])
            }
            _ => None,
        }
    }

    /// Adds a pair whose bound is at least that of the pair of which it is part, `same` as it is of that.
    fn push(&mut self, parts: [Part; 2], least: f64, same: bool) {
        if !self.may_be_lowest(parts) {
            return;
        }
        let bound = self.bound(parts).max(least);
        let [facing, same] = self.common_normals(parts).unwrap_or([true, same]);
        // What can have no common normal can only cross.
        if !facing && !same && bound > 0.0 {
            return;
        }
        self.scratch.heap.push(Entry { bound, parts, same, number: self.number });
        self.number += 1;
    }

    fn bound(&mut self, parts: [Part; 2]) -> f64 {
        let Some((centre, radius)) = self.sphere(0, parts[0]) else { return 0.0 };
        match self.pair.other {
            Other::Plane { plane, frame } => {
                let n = frame.vector(plane.normal());
                let level = plane.offset() + n.dot(&frame.point(&Vec3::zeros()));
                let by_sphere = n.dot(&centre) - radius - level;
                let by_hull = self.piece(0, parts[0]).map(|piece| -piece.farthest(&-n) - level);
                if let Some(piece) = self.piece(0, parts[0]) {
                    self.upper = self.upper.min((n.dot(&piece.p) - level).max(0.0));
                }
                by_hull.map_or(by_sphere, |hull| hull.max(by_sphere))
            }
            Other::Charted { frame, .. } => {
                let Some((c, r)) = self.sphere(1, parts[1]) else { return 0.0 };
                let way = frame.point(&c) - centre;
                let by_spheres = way.norm() - radius - r;
                if let (Some(a), Some(b)) = (self.node(0, parts[0]), self.node(1, parts[1]))
                    && !(a.is_leaf && b.is_leaf)
                {
                    let axis = frame.vector(&b.axis);
                    let above =
                        |e: &Vec3| e.dot(&way).abs() - a.thickness(e, &a.axis) - b.thickness(e, &axis);
                    return by_spheres.max(above(&a.axis)).max(above(&axis));
                }
                let (Some(a), Some(b)) = (self.piece(0, parts[0]), self.piece(1, parts[1])) else {
                    return by_spheres;
                };
                let by_hulls = hulls(a, b, &frame, &way, self.normal);
                let apart = (frame.point(&b.p) - a.p).norm();
                self.upper = self.upper.min(apart);
                by_spheres.max(by_hulls)
            }
        }
    }

    /// Splits the larger part of a pair; inner nodes come before pieces.
    fn split(&mut self, entry: &Entry) -> Result<()> {
        let [a, b] = entry.parts;
        let rank = |side: usize, part: Part| {
            let is_inner = self.node(side, part).is_some_and(|node| !node.is_leaf);
            (is_inner, self.sphere(side, part).map_or(f64::NEG_INFINITY, |(_, radius)| radius))
        };
        let side = usize::from(rank(0, a) < rank(1, b));
        let parts = self.children(side, entry.parts[side])?;
        for part in parts.into_iter().flatten() {
            let pair = if side == 0 { [part, b] } else { [a, part] };
            self.push(pair, entry.bound, entry.same);
        }
        Ok(())
    }

    fn children(&mut self, side: usize, part: Part) -> Result<[Option<Part>; 4]> {
        if let (Part::Node(i), Some(node)) = (part, self.node(side, part))
            && !node.is_leaf
        {
            return Ok([Some(Part::Node(i + 1)), Some(Part::Node(node.next)), None, None]);
        }
        let Some(piece) = self.piece(side, part).copied() else { return Ok([None; 4]) };
        let atlas: &dyn Atlas = match (side, &self.pair.other) {
            (1, Other::Charted { atlas, .. }) => *atlas,
            _ => self.pair.atlas,
        };
        let mut out = [None; 4];
        for (slot, quarter) in out.iter_mut().zip(piece.quarters(atlas)?) {
            *slot = Some(Part::Piece(self.scratch.pieces[side].len() as u32));
            let (centre, radius) = quarter.sphere();
            self.scratch.pieces[side].push((quarter, centre, radius));
        }
        Ok(out)
    }
}

/// The best of the bounds that some directions give for two pieces; B is in its own frame.
fn hulls(a: &Piece, b: &Piece, frame: &Frame, way: &Vec3, normal: Option<Vec3>) -> f64 {
    let along = way.try_normalize(0.0);
    let directions = [along, Some(a.flat_normal()), Some(-frame.vector(&b.flat_normal())), normal];
    let origin = frame.point(&Vec3::zeros());
    let apart = |e: &Vec3| {
        // A normal may point away from the other piece.
        let e = if e.dot(way) < 0.0 { -e } else { *e };
        e.dot(&origin) - b.farthest(&-frame.vector_back(&e)) - a.farthest(&e)
    };
    directions
        .iter()
        .flatten()
        .filter(|e| e.norm_squared() > 0.5)
        .map(apart)
        .fold(f64::NEG_INFINITY, f64::max)
}
