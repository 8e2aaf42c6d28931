//! The triangles of a mesh that are near the pieces of a centre curve.

use rattleback_geom::Aabb;
use rattleback_geom::mesh::tree::MAX_DEPTH;
use rattleback_geom::surface::Mesh;

/// A triangle, and a bit for every piece whose box it shares a point with.
pub(super) type Hit = (u32, u8);

/// Fills `hits` with all triangles whose boxes share a point with one of six boxes or fewer, in the order of the tree.
pub(super) fn gather(mesh: &Mesh, boxes: &[Aabb], hits: &mut Vec<Hit>) {
    hits.clear();
    let touched = |aabb: &Aabb, mask: u8| {
        let near = |(i, own): (usize, &Aabb)| u8::from(mask >> i & 1 == 1 && own.overlaps(aabb)) << i;
        boxes.iter().enumerate().map(near).sum::<u8>()
    };
    let (tree, triangles) = (mesh.tree(), mesh.mesh());
    let mut stack = [(0u32, 0u8); MAX_DEPTH + 2];
    stack[0] = (0, u8::MAX);
    let mut height = 1;
    while height > 0 {
        height -= 1;
        let (index, mask) = stack[height];
        let node = &tree.nodes()[index as usize];
        let mask = touched(node.bounds(), mask);
        if mask == 0 {
            continue;
        }
        match node.children() {
            Some([first, second]) => {
                stack[height] = (second as u32, mask);
                stack[height + 1] = (first as u32, mask);
                height += 2;
            }
            None => {
                for &t in &tree.order()[node.range()] {
                    let mask = touched(&Aabb::of_points(&triangles.corners(t as usize)), mask);
                    if mask != 0 {
                        hits.push((t, mask));
                    }
                }
            }
        }
    }
}
