//! Tree against tree: which leaves of two trees may hold triangles that meet.
//!
//! A pair of nodes whose boxes have a point in common is split at its larger box until both are leaves. The pairs at
//! which this ends, boxes that are apart and pairs of leaves, make the front: a cut through the tree of all pairs of
//! nodes. The next question starts from it instead of the roots and tries at every pair the axis that parted it last. A
//! front only ever goes down, so that it is made anew from the roots when it has grown to twice the size, and from time
//! to time, since bodies that move apart leave it deep.
//!
//! What is found depends on the front in its order and in pairs of leaves that hold nothing: the pairs of triangles
//! that meet are the same.

use super::boxes::{AXES, Placement};
use rattleback_geom::mesh::Tree;

/// A front beyond its first size times two and this is made anew.
const SLACK: usize = 256;

/// A front is made anew after so many questions.
const AGE: u32 = 32;

/// Two nodes and the axis that parts them, [`AXES`] where none does.
#[derive(Debug, Clone, Copy)]
struct NodePair {
    a: u32,
    b: u32,
    axis: u8,
}

/// Where the last traversal ended.
#[derive(Debug, Clone, Default)]
pub(super) struct Front {
    pairs: Vec<NodePair>,
    next: Vec<NodePair>,
    stack: Vec<NodePair>,
    first_size: usize,
    age: u32,
}

impl Front {
    /// Calls `visit` with all pairs of leaves whose boxes have a point in common; false where even the roots are apart.
    pub fn traverse(
        &mut self,
        placement: &Placement,
        trees: [&Tree; 2],
        mut visit: impl FnMut(usize, usize),
    ) -> bool {
        let nodes = trees.map(Tree::nodes);
        if placement.parting_axis(nodes[0][0].bounds(), nodes[1][0].bounds(), AXES).is_some() {
            return false;
        }
        let stale = self.age >= AGE || self.pairs.len() > 2 * self.first_size + SLACK;
        let cold = self.pairs.is_empty() || stale;
        if cold {
            self.pairs.clear();
            self.pairs.push(NodePair { a: 0, b: 0, axis: AXES });
        }
        self.next.clear();
        for k in 0..self.pairs.len() {
            self.stack.push(self.pairs[k]);
            while let Some(pair) = self.stack.pop() {
                let (a, b) = (&nodes[0][pair.a as usize], &nodes[1][pair.b as usize]);
                if let Some(axis) = placement.parting_axis(a.bounds(), b.bounds(), pair.axis) {
                    self.next.push(NodePair { axis, ..pair });
                    continue;
                }
                let split_a = match (a.children(), b.children()) {
                    (None, None) => {
                        self.next.push(NodePair { axis: AXES, ..pair });
                        visit(pair.a as usize, pair.b as usize);
                        continue;
                    }
                    (Some(_), None) => true,
                    (None, Some(_)) => false,
                    (Some(_), Some(_)) => {
                        a.bounds().extents().norm_squared() >= b.bounds().extents().norm_squared()
                    }
                };
                for child in if split_a { a.children() } else { b.children() }.into_iter().flatten().rev() {
                    let (a, b) = if split_a { (child as u32, pair.b) } else { (pair.a, child as u32) };
                    self.stack.push(NodePair { a, b, axis: pair.axis });
                }
            }
        }
        std::mem::swap(&mut self.pairs, &mut self.next);
        self.age = if cold { 0 } else { self.age + 1 };
        if cold {
            self.first_size = self.pairs.len();
        }
        true
    }
}
