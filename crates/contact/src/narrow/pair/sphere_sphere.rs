//! Two spheres: gap = ∣r∣ − R_A − R_B. Concentric ones part along any direction; z is taken.

use crate::narrow::touch::{Branch, Evidence, Touch};
use rattleback_geom::surface::Sphere;
use rattleback_geom::{Pose, Vec3};

/// The touch of two spheres.
pub(crate) fn solve(a: &Sphere, pose_a: &Pose, b: &Sphere, pose_b: &Pose) -> Touch {
    let r = pose_b.position - pose_a.position;
    let length = r.norm();
    let n = if length > 0.0 { r / length } else { Vec3::z() };
    let world = Pose::new(pose_a.position, Default::default());
    let q = r - n * b.radius();
    let margin = a.radius() + b.radius() + n.dot(&q) - a.radius();
    let size = length + a.radius() + b.radius();
    // Concentric: the Hessian vanishes, every direction is a least one.
    let evidence = Evidence::Climbed { margin: margin.max(f64::MIN_POSITIVE), branch: Branch::Global };
    Touch::new(&world, &n, &(n * a.radius()), &q, 1, size, evidence)
}
