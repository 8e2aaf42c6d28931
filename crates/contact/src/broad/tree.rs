//! A binary tree of boxes, one body per leaf.
//!
//! A branch's box is the union of its children's. Built anew, the tree splits its bodies at the median of their centres
//! along the longest side, and lies in memory in the order of descent. A leaf put in later goes down to the child whose
//! half area grows less and becomes the sibling of the leaf or branch where making a new parent costs least (Goldsmith
//! & Salmon 1987; the greedy descent of Catto, Box2D 2.4); its ancestors grow.

use super::bodies::Bodies;
use rattleback_geom::{Aabb, Vec3};

const NONE: u32 = u32::MAX;

#[derive(Debug, Clone)]
struct BoxNode {
    aabb: Aabb,
    parent: u32,
    /// Children; a leaf has `NONE` and the id of its body.
    left: u32,
    right: u32,
}

impl BoxNode {
    fn is_leaf(&self) -> bool {
        self.left == NONE
    }
}

/// The tree, and the buffers of its walks.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    nodes: Vec<BoxNode>,
    root: u32,
    /// Places of `nodes` that are not in use.
    free: Vec<u32>,
    /// The leaf of every id.
    leaves: Vec<u32>,
    changes: usize,
    stack: Vec<u32>,
    centres: Vec<(Vec3, u32)>,
}

impl Default for Tree {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            root: NONE,
            free: Vec::new(),
            leaves: Vec::new(),
            changes: 0,
            stack: Vec::new(),
            centres: Vec::new(),
        }
    }
}

impl Tree {
    /// Boxes put in since the tree was built.
    pub fn changes(&self) -> usize {
        self.changes
    }

    /// Builds the tree of all fattened boxes anew.
    pub fn build(&mut self, bodies: &Bodies) {
        self.nodes.clear();
        self.free.clear();
        self.leaves.clear();
        self.leaves.resize(bodies.boxes.len(), NONE);
        self.changes = 0;
        let mut centres = std::mem::take(&mut self.centres);
        centres.clear();
        centres.extend(bodies.ids().map(|id| (bodies.fat[id as usize].centre(), id)));
        self.root = if centres.is_empty() { NONE } else { self.split(bodies, &mut centres, NONE) };
        self.centres = centres;
    }

    /// How many of `len` bodies go to the left when the tree is built.
    pub fn middle(len: usize) -> usize {
        len / 2
    }

    /// The bodies in the order of the leaves, as the tree was last built.
    pub fn order(&self) -> impl Iterator<Item = u32> {
        self.centres.iter().map(|&(_, id)| id)
    }

    pub fn root(&self) -> Option<u32> {
        (self.root != NONE).then_some(self.root)
    }

    pub fn children(&self, place: u32) -> [u32; 2] {
        [self.at(place).left, self.at(place).right]
    }

    pub fn aabb(&self, place: u32) -> &Aabb {
        &self.at(place).aabb
    }

    /// The subtree of some bodies, at least one; halving keeps the recursion at log₂ of their number.
    fn split(&mut self, bodies: &Bodies, centres: &mut [(Vec3, u32)], parent: u32) -> u32 {
        let place = self.nodes.len() as u32;
        if let [(_, id)] = *centres {
            self.nodes.push(BoxNode { aabb: bodies.fat[id as usize], parent, left: NONE, right: id });
            self.leaves[id as usize] = place;
            return place;
        }
        self.nodes.push(BoxNode { aabb: Aabb::EMPTY, parent, left: NONE, right: NONE });
        let spread = centres.iter().fold(Aabb::EMPTY, |aabb, (c, _)| aabb.including(c));
        let axis = spread.extents().imax();
        let middle = Self::middle(centres.len());
        centres.select_nth_unstable_by(middle, |a, b| a.0[axis].total_cmp(&b.0[axis]));
        let (low, high) = centres.split_at_mut(middle);
        let left = self.split(bodies, low, place);
        let right = self.split(bodies, high, place);
        let aabb = self.at(left).aabb.union(&self.at(right).aabb);
        self.nodes[place as usize] = BoxNode { aabb, parent, left, right };
        place
    }

    fn at(&self, place: u32) -> &BoxNode {
        &self.nodes[place as usize]
    }

    fn allocate(&mut self, node: BoxNode) -> u32 {
        if let Some(place) = self.free.pop() {
            self.nodes[place as usize] = node;
            return place;
        }
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// Gives a body its new box, whether or not it is in the tree.
    ///
    /// A box that still overlaps the old one keeps its leaf, and the branches above are fitted to it.
    pub fn put(&mut self, id: u32, aabb: &Aabb) {
        let leaf = self.leaf(id);
        if leaf != NONE && self.at(leaf).aabb.overlaps(aabb) {
            self.changes += 1;
            self.nodes[leaf as usize].aabb = *aabb;
            self.refit(self.at(leaf).parent);
        } else {
            self.remove(id);
            self.insert(id, aabb);
        }
    }

    /// Where the leaf of a body lies in memory; bodies near each other are mostly near here too.
    pub fn leaf(&self, id: u32) -> u32 {
        self.leaves.get(id as usize).copied().unwrap_or(NONE)
    }

    /// Puts in a body that is not in the tree.
    fn insert(&mut self, id: u32, aabb: &Aabb) {
        self.changes += 1;
        let leaf = self.allocate(BoxNode { aabb: *aabb, parent: NONE, left: NONE, right: id });
        if id as usize >= self.leaves.len() {
            self.leaves.resize(id as usize + 1, NONE);
        }
        self.leaves[id as usize] = leaf;
        if self.root == NONE {
            self.root = leaf;
            return;
        }
        let sibling = self.best_sibling(aabb);
        let old = self.at(sibling);
        let (above, union) = (old.parent, old.aabb.union(aabb));
        let branch = self.allocate(BoxNode { aabb: union, parent: above, left: sibling, right: leaf });
        self.nodes[sibling as usize].parent = branch;
        self.nodes[leaf as usize].parent = branch;
        self.replace_child(above, sibling, branch);
        self.refit(above);
    }

    /// Takes a body out, if it is in the tree.
    pub fn remove(&mut self, id: u32) {
        let leaf = self.leaf(id);
        if leaf == NONE {
            return;
        }
        self.leaves[id as usize] = NONE;
        self.free.push(leaf);
        let parent = self.at(leaf).parent;
        if parent == NONE {
            self.root = NONE;
            return;
        }
        let BoxNode { parent: above, left, right, .. } = *self.at(parent);
        let sibling = if left == leaf { right } else { left };
        self.nodes[sibling as usize].parent = above;
        self.replace_child(above, parent, sibling);
        self.free.push(parent);
        self.refit(above);
    }

    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = new;
            return;
        }
        let node = &mut self.nodes[parent as usize];
        if node.left == old {
            node.left = new;
        } else {
            node.right = new;
        }
    }

    /// Makes boxes the unions of their children's from `place` upwards, until one does not change.
    fn refit(&mut self, mut place: u32) {
        while place != NONE {
            let BoxNode { aabb, parent, left, right } = *self.at(place);
            let union = self.at(left).aabb.union(&self.at(right).aabb);
            if union == aabb {
                return;
            }
            self.nodes[place as usize].aabb = union;
            place = parent;
        }
    }

    /// The node beside which a new leaf costs least.
    ///
    /// A new parent here costs the area of the union; going down costs the growth of this node in any case, and
    /// at least the growth of the child.
    fn best_sibling(&self, aabb: &Aabb) -> u32 {
        let mut place = self.root;
        loop {
            let node = self.at(place);
            if node.is_leaf() {
                return place;
            }
            let union = node.aabb.union(aabb).half_area();
            let growth = union - node.aabb.half_area();
            let below = |child: u32| {
                let child = self.at(child);
                let union = child.aabb.union(aabb).half_area();
                growth + if child.is_leaf() { union } else { union - child.aabb.half_area() }
            };
            let (left, right) = (below(node.left), below(node.right));
            if union < left && union < right {
                return place;
            }
            place = if left < right { node.left } else { node.right };
        }
    }

    /// Calls `report` with every body whose box overlaps `aabb`.
    pub fn each_over(&mut self, aabb: &Aabb, mut report: impl FnMut(u32)) {
        let Self { nodes, stack, .. } = self;
        stack.clear();
        if self.root != NONE && cross(&nodes[self.root as usize].aabb, aabb) {
            stack.push(self.root);
        }
        while let Some(place) = stack.pop() {
            let node = &nodes[place as usize];
            if node.is_leaf() {
                report(node.right);
                continue;
            }
            for child in [node.left, node.right] {
                if cross(&nodes[child as usize].aabb, aabb) {
                    stack.push(child);
                }
            }
        }
    }
}

/// [`Aabb::overlaps`] without a branch per axis, which in a walk down the tree would be mispredicted.
#[inline(always)]
pub(super) fn cross(a: &Aabb, b: &Aabb) -> bool {
    (a.min.x <= b.max.x)
        & (b.min.x <= a.max.x)
        & (a.min.y <= b.max.y)
        & (b.min.y <= a.max.y)
        & (a.min.z <= b.max.z)
        & (b.min.z <= a.max.z)
}
