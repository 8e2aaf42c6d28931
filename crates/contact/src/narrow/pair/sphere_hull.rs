//! A sphere and a hull, in closed form: the sphere's centre c against the core of the hull.
//!
//! Outside the core its nearest point k is that of its faces, edges and corners, and n = (c − k)/∣c − k∣; within it
//! the nearest face is. Balls about the centre and about the core take their radii off. The distance to a convex body
//! has one least value outside, and within one for each face, of which the least is taken: both are global.
//!
//! Near an edge or a corner n has no more digits than c − k: the support function at n tells whether they suffice.

use crate::error::{ContactError, Result};
use crate::narrow::touch::{Branch, CLOSED, Evidence, Touch};
use rattleback_geom::Pose;
use rattleback_geom::surface::{ConvexHull, Sphere, Support, Surface};

/// The touch of a hull, A, and a sphere, B; none where the normal is not known well enough.
pub(crate) fn solve(a: &ConvexHull, pose_a: &Pose, b: &Sphere, pose_b: &Pose) -> Result<Option<Touch>> {
    let centre = pose_a.point_to_local(&pose_b.position);
    let beyond = |_| ContactError::NotConverged { solver: "touch", iterations: 1, residual: f64::INFINITY };
    let (distance, n) = a.distance(&centre).map_err(beyond)?;
    let size = centre.norm() + a.bounds().diagonal() + b.radius();
    let (p, q) = (centre - n * distance, centre - n * b.radius());
    let depth = n.dot(&(p - q));
    let lower = n.dot(&centre) - a.support(&n) - b.radius();
    if (lower + depth).abs() > 0.25 * CLOSED * size {
        return Ok(None);
    }
    let evidence = Evidence::Climbed { margin: depth.max(f64::MIN_POSITIVE), branch: Branch::Global };
    Ok(Some(Touch::new(pose_a, &n, &p, &q, 1, size, evidence)))
}
