//! Building the tree.
//!
//! Nodes are split where the surface-area heuristic A_left n_left + A_right n_right is least over [`BINS`] bins of
//! box centres per axis (Wald, "On fast construction of SAH-based bounding volume hierarchies", 2007). Where no bin
//! border separates the centres, and below the depth [`SAH_DEPTH`], the node is halved by rank instead.

use super::TreeNode;
use crate::{Aabb, TriMesh, Vec3};

/// Bins per axis; Wald's number.
const BINS: usize = 16;

/// Leaves hold at most this many triangles.
const LEAF: usize = 4;

/// The depth from which nodes are halved by rank.
pub(super) const SAH_DEPTH: usize = 32;

/// The nodes of a mesh's tree, and the triangles in the order of its leaves.
pub(super) fn build(mesh: &TriMesh) -> (Vec<TreeNode>, Vec<u32>) {
    let mut items: Vec<Item> = (0..mesh.triangles().len())
        .map(|t| {
            let bounds = Aabb::of_points(&mesh.corners(t));
            // Halved before they are added: the sum of two large coordinates may overflow.
            Item { bounds, centre: bounds.min * 0.5 + bounds.max * 0.5, triangle: t as u32 }
        })
        .collect();
    let mut nodes = Vec::with_capacity(items.len());
    nodes.push(leaf(&items, 0));
    split(&mut nodes, 0, &mut items, 0);
    nodes.shrink_to_fit();
    (nodes, items.iter().map(|i| i.triangle).collect())
}

#[derive(Clone, Copy)]
struct Item {
    bounds: Aabb,
    centre: Vec3,
    triangle: u32,
}

fn leaf(items: &[Item], first: usize) -> TreeNode {
    let bounds = items.iter().fold(Aabb::EMPTY, |b, i| b.union(&i.bounds));
    TreeNode { bounds, first: first as u32, count: items.len() as u32, child: 0 }
}

/// Splits the node `index`, which holds `items`, until leaves are small enough.
fn split(nodes: &mut Vec<TreeNode>, index: usize, items: &mut [Item], depth: usize) {
    if items.len() <= LEAF {
        return;
    }
    let middle = match best_cut(items).filter(|_| depth < SAH_DEPTH) {
        Some(cut) => partition(items, |i| cut.bin(&i.centre) <= cut.last),
        None => halve(items),
    };
    let (left, right) = items.split_at_mut(middle);
    let first = nodes[index].first as usize;
    let child = nodes.len();
    nodes[index].child = child as u32;
    nodes.push(leaf(left, first));
    nodes.push(leaf(right, first + middle));
    split(nodes, child, left, depth + 1);
    split(nodes, child + 1, right, depth + 1);
}

/// A border between bins: those up to `last` go left.
struct Cut {
    axis: usize,
    low: f64,
    scale: f64,
    last: usize,
}

impl Cut {
    fn bin(&self, centre: &Vec3) -> usize {
        // The cast saturates and takes NaN to zero, so that every centre has a bin.
        (((centre[self.axis] - self.low) * self.scale) as usize).min(BINS - 1)
    }
}

/// The cut of least cost, or none where no bin border separates the centres.
fn best_cut(items: &[Item]) -> Option<Cut> {
    let centres = Aabb::of_points(items.iter().map(|i| &i.centre));
    // Areas are measured in units of the node's size: products of raw extents may overflow.
    let unit = items.iter().fold(Aabb::EMPTY, |b, i| b.union(&i.bounds)).extents().max();
    let mut best = None;
    let mut least = f64::INFINITY;
    for axis in 0..3 {
        let extent = centres.max[axis] - centres.min[axis];
        if !(extent > 0.0) {
            continue;
        }
        let mut cut = Cut { axis, low: centres.min[axis], scale: BINS as f64 / extent, last: 0 };
        let mut bins = [(Aabb::EMPTY, 0usize); BINS];
        for item in items {
            let (bounds, count) = &mut bins[cut.bin(&item.centre)];
            *bounds = bounds.union(&item.bounds);
            *count += 1;
        }
        if let Some((cost, last)) = cheapest(&bins, unit).filter(|c| c.0 < least) {
            least = cost;
            cut.last = last;
            best = Some(cut);
        }
    }
    best
}

/// The least cost over the borders between bins, and the last bin on their left.
fn cheapest(bins: &[(Aabb, usize); BINS], unit: f64) -> Option<(f64, usize)> {
    let cost = |(bounds, count): &(Aabb, usize)| {
        let e = bounds.extents() / unit;
        (e.x * e.y + e.y * e.z + e.z * e.x) * *count as f64
    };
    let mut right = [(Aabb::EMPTY, 0); BINS];
    right[BINS - 1] = bins[BINS - 1];
    for k in (0..BINS - 1).rev() {
        right[k] = (bins[k].0.union(&right[k + 1].0), bins[k].1 + right[k + 1].1);
    }
    let mut left = (Aabb::EMPTY, 0);
    let mut best = None;
    for k in 0..BINS - 1 {
        left = (left.0.union(&bins[k].0), left.1 + bins[k].1);
        if left.1 == 0 || right[k + 1].1 == 0 {
            continue;
        }
        let sum = cost(&left) + cost(&right[k + 1]);
        if best.is_none_or(|(least, _)| sum < least) && sum.is_finite() {
            best = Some((sum, k));
        }
    }
    best
}

/// Moves the items that `goes_left` accepts to the front and returns their number.
fn partition(items: &mut [Item], goes_left: impl Fn(&Item) -> bool) -> usize {
    let mut middle = 0;
    for k in 0..items.len() {
        if goes_left(&items[k]) {
            items.swap(k, middle);
            middle += 1;
        }
    }
    middle
}

/// Halves the items by rank along the longest side of their centres' box; equal centres by triangle.
fn halve(items: &mut [Item]) -> usize {
    let axis = Aabb::of_points(items.iter().map(|i| &i.centre)).extents().imax();
    let middle = items.len() / 2;
    items.select_nth_unstable_by(middle, |a, b| {
        a.centre[axis].total_cmp(&b.centre[axis]).then(a.triangle.cmp(&b.triangle))
    });
    middle
}
