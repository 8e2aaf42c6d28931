//! A body that lies on a flat place of a mesh along a line, a circle or a face is borne there as on a half-space.
//!
//! With N the mesh's outward normal at the deepest place x of a patch, the points y of the body's features on the
//! half-space below x (`feature.rs`) have the depths N·(x − y). Those whose feet y + N depth lie on the mesh are
//! regions of their own: the triangles there are of the same plane. Where fewer than two are, the body touches at its
//! deepest place alone. That place is a region beside them where it is deeper than all of them: an edge or a corner of
//! the mesh below a face of the body.

use super::Region;
use super::spot::MeshConvexPair;
use crate::error::Result;
use crate::feature;
use rattleback_geom::Vec3;
use rattleback_geom::surface::Shape;

/// A foot within this share of the body's size of the mesh is on it.
pub(super) const ON_MESH: f64 = 1e-9;

/// Adds the regions of the feet of a body on the plane of a patch's deepest region, in the body's frame; whether that
/// region is one of them.
pub(super) fn add(
    pair: &MeshConvexPair<'_>,
    shape: &Shape,
    deepest: &Region,
    points: &mut Vec<Vec3>,
    out: &mut Vec<Region>,
) -> Result<bool> {
    let n = deepest.normal;
    let small = ON_MESH * pair.field.size;
    // The height of the mesh along the normal.
    let top = n.dot(&deepest.point) + 0.5 * deepest.depth;
    points.clear();
    feature::points_on(shape, &n, points);
    let first = out.len();
    for y in points.iter() {
        let depth = top - n.dot(y);
        if depth <= -pair.reach || depth < 0.0 && pair.reach == 0.0 {
            continue;
        }
        let foot = pair.back(&(y + n * depth));
        let seen = pair.mesh.tree().closest_point(pair.mesh.mesh(), &foot)?;
        if (seen.point - foot).norm() <= small {
            out.push(Region::at_point(y + n * (0.5 * depth), n, depth));
        }
    }
    if out.len() < first + 2 {
        out.truncate(first);
        return Ok(false);
    }
    Ok(out[first..].iter().any(|foot| foot.depth >= deepest.depth - small))
}
