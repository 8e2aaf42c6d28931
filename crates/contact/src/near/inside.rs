//! Whether one closed surface can lie inside another.
//!
//! A body inside another reaches no farther than it in any direction. One point of it that does shows that it is not
//! inside: leaves give points of the inner surface, and hulls that hold the outer one.

use super::frame::Frame;
use super::tree::ChartTree;
use rattleback_geom::Vec3;

/// Whether `inner` reaches farther than `outer` in one of a few directions; both frames lead to common axes, in which
/// `normal` is a direction between the surfaces.
pub(super) fn is_outside(
    inner: &ChartTree,
    frame: &Frame,
    outer: &ChartTree,
    outer_frame: &Frame,
    normal: Option<Vec3>,
) -> bool {
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    let directions = normal.into_iter().chain(axes).flat_map(|e| [e, -e]);
    directions.into_iter().any(|e| farthest_point(inner, frame, &e) > farthest_hull(outer, outer_frame, &e))
}

fn farthest_point(tree: &ChartTree, frame: &Frame, e: &Vec3) -> f64 {
    let (d, origin) = (frame.vector_back(e), e.dot(&frame.point(&Vec3::zeros())));
    tree.leaves.iter().map(|leaf| d.dot(&leaf.piece.p)).fold(f64::NEG_INFINITY, f64::max) + origin
}

fn farthest_hull(tree: &ChartTree, frame: &Frame, e: &Vec3) -> f64 {
    let (d, origin) = (frame.vector_back(e), e.dot(&frame.point(&Vec3::zeros())));
    tree.leaves.iter().map(|leaf| leaf.piece.farthest(&d)).fold(f64::NEG_INFINITY, f64::max) + origin
}
