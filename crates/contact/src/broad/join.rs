//! All overlapping pairs of a tree that was just built.
//!
//! The tree's splits put the bodies into an order in which every subtree is a contiguous run. Two subtrees whose boxes
//! overlap are walked down together, the one with more bodies first, to runs of at most `RUN` bodies; runs are
//! compared body by body, which costs fewer mispredicted branches than walking to single leaves.

use super::tree::{Tree, cross};
use rattleback_geom::Aabb;

/// Measured: 4 to 16 cost about the same.
const RUN: usize = 8;

/// A subtree: its place among the nodes, and its run of bodies.
#[derive(Clone, Copy)]
struct Subtree {
    place: u32,
    start: usize,
    len: usize,
}

/// The tree, and the bodies and their boxes in the order of its leaves.
pub(super) struct Join<'a> {
    pub tree: &'a Tree,
    pub ids: &'a [u32],
    pub boxes: &'a [Aabb],
}

impl Join<'_> {
    /// Calls `report` once with every two bodies whose boxes overlap.
    pub fn each_overlap(&self, mut report: impl FnMut(u32, u32)) {
        if let Some(place) = self.tree.root() {
            self.within(Subtree { place, start: 0, len: self.ids.len() }, &mut report);
        }
    }

    fn halves(&self, of: Subtree) -> [Subtree; 2] {
        let [left, right] = self.tree.children(of.place);
        let middle = Tree::middle(of.len);
        [
            Subtree { place: left, start: of.start, len: middle },
            Subtree { place: right, start: of.start + middle, len: of.len - middle },
        ]
    }

    /// The pairs inside a subtree.
    fn within(&self, a: Subtree, report: &mut impl FnMut(u32, u32)) {
        if a.len > RUN {
            let [left, right] = self.halves(a);
            self.within(left, report);
            self.within(right, report);
            if cross(self.tree.aabb(left.place), self.tree.aabb(right.place)) {
                self.between(left, right, report);
            }
            return;
        }
        for i in a.start..a.start + a.len {
            self.against(i, i + 1..a.start + a.len, report);
        }
    }

    /// The pairs between two subtrees whose boxes overlap.
    fn between(&self, a: Subtree, b: Subtree, report: &mut impl FnMut(u32, u32)) {
        let (large, small) = if a.len > b.len { (a, b) } else { (b, a) };
        let small_box = self.tree.aabb(small.place);
        if large.len > RUN {
            for half in self.halves(large) {
                if cross(self.tree.aabb(half.place), small_box) {
                    self.between(half, small, report);
                }
            }
            return;
        }
        for i in large.start..large.start + large.len {
            if cross(&self.boxes[i], small_box) {
                self.against(i, small.start..small.start + small.len, report);
            }
        }
    }

    /// One body against a run.
    #[inline]
    fn against(&self, i: usize, run: std::ops::Range<usize>, report: &mut impl FnMut(u32, u32)) {
        let aabb = self.boxes[i];
        for j in run {
            if cross(&aabb, &self.boxes[j]) {
                report(self.ids[i], self.ids[j]);
            }
        }
    }
}
