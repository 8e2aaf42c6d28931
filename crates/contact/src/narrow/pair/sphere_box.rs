//! A sphere and a box, in closed form: the sphere's centre c against the core of the box.
//!
//! Outside the core the nearest point k of it is c with its coordinates cut, and n = (c − k)/∣c − k∣; within it the
//! nearest face. Balls about the centre and about the core take their radii off: gap = ±∣c − k∣ − R − r. The distance
//! to a convex body has one least value outside, and within one for each face, of which the least is taken: both are
//! global.

use crate::narrow::touch::{Branch, Evidence, Touch};
use rattleback_geom::surface::{Cuboid, Sphere};
use rattleback_geom::{Pose, Vec3};

/// The touch of a box, A, and a sphere, B.
pub(crate) fn solve(a: &Cuboid, pose_a: &Pose, b: &Sphere, pose_b: &Pose) -> Touch {
    let centre = pose_a.point_to_local(&pose_b.position);
    let core = a.core();
    let mut point = centre.zip_map(core, |x, c| x.clamp(-c, c));
    let arm = centre - point;
    let out = arm.norm();
    let n = if out > 0.0 {
        arm / out
    } else {
        let i = (core - centre.abs()).imin();
        let sign = 1f64.copysign(centre[i]);
        point[i] = sign * core[i];
        Vec3::ith(i, sign)
    };
    let size = centre.norm() + a.size().norm() + b.radius();
    let (p, q) = (point + n * a.rounding(), centre - n * b.radius());
    let depth = n.dot(&(p - q));
    let evidence = Evidence::Climbed { margin: depth.max(f64::MIN_POSITIVE), branch: Branch::Global };
    Touch::new(pose_a, &n, &p, &q, 1, size, evidence)
}
