//! A bounding volume hierarchy over the triangles of a mesh.
//!
//! Built once (see `build`) and flat: nodes in one array, each with the range of its triangles. The depth is at most
//! [`MAX_DEPTH`] whatever the mesh, so that queries need a stack of that size and allocate nothing. The tree depends
//! on the mesh alone: the same mesh makes the same tree on every machine.

mod build;

use super::TriMesh;
use crate::error::{GeomError, Result, direction};
use crate::{Aabb, Vec3};
use std::ops::Range;

/// No node is deeper than this: 32 levels split by cost, and at most 32 more to halve 2³² triangles.
pub const MAX_DEPTH: usize = build::SAH_DEPTH + 32;

/// A node of a [`Tree`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TreeNode {
    bounds: Aabb,
    first: u32,
    count: u32,
    /// Index of the first child, the second follows it; zero, which is the root's, in a leaf.
    child: u32,
}

impl TreeNode {
    /// The box of its triangles.
    #[inline]
    pub fn bounds(&self) -> &Aabb {
        &self.bounds
    }

    /// The indices of its two children, or none in a leaf.
    #[inline]
    pub fn children(&self) -> Option<[usize; 2]> {
        (self.child != 0).then_some([self.child as usize, self.child as usize + 1])
    }

    /// Where its triangles stand in [`Tree::order`], whether it is a leaf or not.
    #[inline]
    pub fn range(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// A bounding volume hierarchy; the mesh it was built from goes with it to every query.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    nodes: Vec<TreeNode>,
    order: Vec<u32>,
}

impl Tree {
    /// The tree of a mesh.
    pub fn new(mesh: &TriMesh) -> Self {
        let (nodes, order) = build::build(mesh);
        Self { nodes, order }
    }

    /// All nodes, the root first, children after their parents.
    #[inline]
    pub fn nodes(&self) -> &[TreeNode] {
        &self.nodes
    }

    /// The triangles in the order of the leaves; [`TreeNode::range`] cuts a node's own out of it.
    #[inline]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The box of all triangles.
    pub fn bounds(&self) -> &Aabb {
        &self.nodes[0].bounds
    }

    /// Calls `visit` with every triangle whose box shares a point with `aabb`.
    pub fn overlapping(&self, mesh: &TriMesh, aabb: &Aabb, mut visit: impl FnMut(usize)) -> Result<()> {
        self.check(mesh)?;
        for (field, corner) in [("min", aabb.min), ("max", aabb.max)] {
            if let Some(i) = corner.iter().position(|x| x.is_nan()) {
                let field = format!("{field}[{i}]");
                return Err(GeomError::OutOfRange { field, value: f64::NAN, allowed: "a number".to_owned() });
            }
        }
        self.walk(
            |node| node.bounds.overlaps(aabb).then_some(0.0),
            |t| {
                if Aabb::of_points(&mesh.corners(t)).overlaps(aabb) {
                    visit(t);
                }
                f64::INFINITY
            },
        );
        Ok(())
    }

    /// The vertex farthest along `n`.
    pub fn farthest(&self, mesh: &TriMesh, n: &Vec3) -> Result<usize> {
        self.check(mesh)?;
        let n = direction("normal", n)?;
        let mut best = (f64::NEG_INFINITY, mesh.triangles()[0][0]);
        self.walk(
            |node| {
                let corner =
                    Vec3::from_fn(|i, _| if n[i] > 0.0 { node.bounds.max } else { node.bounds.min }[i]);
                Some(-n.dot(&corner))
            },
            |t| {
                for v in mesh.triangles()[t] {
                    let height = n.dot(&mesh.vertices()[v as usize]);
                    if height > best.0 {
                        best = (height, v);
                    }
                }
                -best.0
            },
        );
        Ok(best.1 as usize)
    }

    /// Visits the triangles of all nodes whose key is below the bound, nodes of smaller key first.
    ///
    /// `key` says how good a node's triangles may be, or none to pass over it; `visit` returns the bound from which
    /// on nodes are no longer of use.
    #[inline]
    pub(super) fn walk(&self, key: impl Fn(&TreeNode) -> Option<f64>, mut visit: impl FnMut(usize) -> f64) {
        let mut bound = f64::INFINITY;
        let mut stack = [(0u32, 0.0); MAX_DEPTH + 1];
        let mut height = 0;
        if let Some(k) = key(&self.nodes[0]) {
            stack[0] = (0, k);
            height = 1;
        }
        while height > 0 {
            height -= 1;
            let (index, k) = stack[height];
            if !(k < bound) {
                continue;
            }
            let node = &self.nodes[index as usize];
            let Some(children) = node.children() else {
                for &t in &self.order[node.range()] {
                    bound = visit(t as usize);
                }
                continue;
            };
            let keys = children.map(|c| key(&self.nodes[c]));
            // The nearer child is pushed last, hence taken first.
            let nearer = usize::from(keys[1].unwrap_or(f64::INFINITY) < keys[0].unwrap_or(f64::INFINITY));
            for c in [1 - nearer, nearer] {
                if let Some(k) = keys[c].filter(|k| *k < bound) {
                    stack[height] = (children[c] as u32, k);
                    height += 1;
                }
            }
        }
    }

    /// Refuses a mesh of another size than the tree was built from.
    pub(super) fn check(&self, mesh: &TriMesh) -> Result<()> {
        if mesh.triangles().len() == self.order.len() {
            return Ok(());
        }
        Err(GeomError::Inconsistent {
            field: "mesh".to_owned(),
            found: format!("a mesh of {} triangles", mesh.triangles().len()),
            allowed: format!("the one of {} triangles that the tree was built from", self.order.len()),
        })
    }
}

#[cfg(test)]
mod tests;
