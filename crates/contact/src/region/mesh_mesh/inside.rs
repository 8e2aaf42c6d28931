//! How often a mesh winds around a point: the winding number is one inside a solid and zero outside.
//!
//! The point is joined to one beyond the mesh, and the triangles that the way leaves through count +1, those through
//! which it enters −1. Cuts are decided as in [`super::pair`], with the same bodies moved by the same δ, so that the
//! answer agrees with the contours even where the point lies on the surface.

use super::boxes::Placement;
use super::pair::{Corners, Moved, cut, side};
use rattleback_geom::mesh::tree::MAX_DEPTH;
use rattleback_geom::mesh::{Tree, tree::TreeNode};
use rattleback_geom::surface::Mesh;
use rattleback_geom::{Aabb, Vec3};

/// How often mesh `body` (0 for A, 1 for B) winds around the point `p` of the other, in B's frame.
pub(super) fn winding(p: &Vec3, body: usize, mesh: &Mesh, placement: &Placement) -> i32 {
    let tree = mesh.tree();
    let local = if body == 0 { placement.back(p) } else { *p };
    let rise = (tree.bounds().max.z - local.z).max(0.0) + tree.bounds().extents().max();
    let up = if body == 0 { placement.rotation.column(2).into_owned() } else { Vec3::z() };
    let far = p + up * rise;
    // B's points stand still; where the mesh is A it is the one that moves.
    let moved = if body == 0 { Moved::Second } else { Moved::First };
    let mut count = 0;
    visit_above(tree, &local, placement.margin, |t| {
        let own = mesh.mesh().corners(t);
        let corners: Corners = if body == 0 { own.map(|v| placement.point(&v)) } else { own };
        let sides = [side(p, &corners, moved), side(&far, &corners, moved)];
        count += i32::from(cut(p, &far, sides, &corners, moved));
    });
    count
}

/// Calls `visit` with the triangles of all leaves above a point, or within the margin of being so.
fn visit_above(tree: &Tree, p: &Vec3, margin: f64, mut visit: impl FnMut(usize)) {
    let is_above = |node: &TreeNode| {
        let Aabb { min, max } = node.bounds();
        let within = |i: usize| min[i] - margin <= p[i] && p[i] <= max[i] + margin;
        within(0) && within(1) && p.z <= max.z + margin
    };
    let nodes = tree.nodes();
    let mut stack = [0u32; MAX_DEPTH + 1];
    let mut height = 1;
    while height > 0 {
        height -= 1;
        let node = &nodes[stack[height] as usize];
        if !is_above(node) {
            continue;
        }
        match node.children() {
            Some(children) => {
                for child in children {
                    stack[height] = child as u32;
                    height += 1;
                }
            }
            None => tree.order()[node.range()].iter().for_each(|&t| visit(t as usize)),
        }
    }
}
