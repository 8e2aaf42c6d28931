//! A body in flight as 13 numbers: x (3), q = (w, x, y, z), v (3, world axes), ω (3, body axes).

use crate::body::Motion;
use rattleback_geom::nalgebra::{Quaternion, UnitQuaternion};
use rattleback_geom::{Pose, Vec3};

/// Numbers per body.
pub(crate) const BODY: usize = 13;
/// Of them those of the pose, which come first.
pub(crate) const POSE: usize = 7;

/// Writes a motion.
pub(crate) fn pack(motion: &Motion, y: &mut [f64]) {
    y[0..3].copy_from_slice(motion.pose.position.as_slice());
    y[3..7].copy_from_slice(&motion.pose.wxyz());
    y[7..10].copy_from_slice(motion.velocity.as_slice());
    y[10..13].copy_from_slice(motion.angular_velocity_body.as_slice());
}

/// The motion that was written; the quaternion is normalised.
pub(crate) fn unpack(y: &[f64]) -> Motion {
    let q = Quaternion::new(y[3], y[4], y[5], y[6]);
    let pose = Pose::new(vector(y, 0), UnitQuaternion::from_quaternion(q));
    Motion { pose, velocity: vector(y, 7), angular_velocity_body: vector(y, 10) }
}

/// Writes the rates: ẋ = v, q̇ = ½ q ∘ (0, ω), the acceleration in world axes and ω̇ in body axes.
pub(crate) fn rates(
    y: &[f64],
    motion: &Motion,
    acceleration: &Vec3,
    angular_acceleration_body: &Vec3,
    dy: &mut [f64],
) {
    let w = motion.angular_velocity_body;
    let q = Quaternion::new(y[3], y[4], y[5], y[6]) * Quaternion::new(0.0, w.x, w.y, w.z) * 0.5;
    dy[0..3].copy_from_slice(motion.velocity.as_slice());
    dy[3..7].copy_from_slice(&[q.w, q.i, q.j, q.k]);
    dy[7..10].copy_from_slice(acceleration.as_slice());
    dy[10..13].copy_from_slice(angular_acceleration_body.as_slice());
}

/// Three numbers as a vector.
pub(crate) fn vector(y: &[f64], at: usize) -> Vec3 {
    Vec3::new(y[at], y[at + 1], y[at + 2])
}
