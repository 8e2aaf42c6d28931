//! What mechanisms are built from: uniform boxes, rods between points, joints at points of the world.
//!
//! A uniform box of mass m and sides x, y, z has the moments of inertia m (y² + z²)/12 and so on about its axes.

use crate::body::Body;
use crate::joint::{Anchor, Joint, JointKind};
use crate::model::BodyId;
use rattleback_geom::nalgebra::{Matrix3, Rotation3, UnitQuaternion};
use rattleback_geom::{Mat3, Pose, Vec3};
use std::f64::consts::PI;

/// A uniform box, in kg and m.
pub fn brick(mass: f64, sides: [f64; 3]) -> Body {
    let [x, y, z] = sides.map(|s| s * s * mass / 12.0);
    Body { mass, inertia: Mat3::from_diagonal(&Vec3::new(y + z, x + z, x + y)) }
}

/// The pose of a rod between two points of the world, its x axis along it.
pub fn rod_pose(from: Vec3, to: Vec3) -> Pose {
    let d = to - from;
    // Opposite vectors have no shortest rotation: any half turn across will do.
    let turn = UnitQuaternion::rotation_between(&Vec3::x(), &d)
        .unwrap_or_else(|| UnitQuaternion::from_scaled_axis(Vec3::z() * PI));
    Pose::new(0.5 * (from + to), turn)
}

/// The frame at `point` of the world with its z axis along `z`, as a pose in a body that stands at `body`.
fn frame(body: &Pose, point: Vec3, z: Vec3) -> Pose {
    let z = z.normalize();
    let other = if z.x.abs() < 0.7 { Vec3::x() } else { Vec3::y() };
    let x = other.cross(&z).normalize();
    let r = Matrix3::from_columns(&[x, z.cross(&x), z]);
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(r));
    body.inverse().compose(&Pose::new(point, turn))
}

/// A joint at `point` of the world about `z`, which is not zero, between bodies that stand at the poses given.
pub fn joint(
    name: &str,
    kind: JointKind,
    a: (BodyId, &Pose),
    b: (BodyId, &Pose),
    point: Vec3,
    z: Vec3,
) -> Joint {
    Joint {
        name: name.to_owned(),
        kind,
        a: Anchor { body: a.0, pose: frame(a.1, point, z) },
        b: Anchor { body: b.0, pose: frame(b.1, point, z) },
    }
}
