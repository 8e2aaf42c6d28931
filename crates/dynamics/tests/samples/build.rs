//! What mechanisms are built from: uniform boxes, joints at points of the world.
//!
//! A uniform box of mass m and sides x, y, z has the moments of inertia m (y² + z²)/12 and so on about its axes.

use rattleback_dynamics::joint::{Joint, JointFrame, JointKind};
use rattleback_dynamics::{Body, BodyId, BodyModel, Model, Motion, Result, State};
use rattleback_geom::nalgebra::{Matrix3, Rotation3, UnitQuaternion};
use rattleback_geom::{Mat3, Pose, Vec3};

/// A uniform box, in kg and m.
pub fn brick(mass: f64, sides: [f64; 3]) -> Body {
    let [x, y, z] = sides.map(|s| s * s * mass / 12.0);
    Body { mass, inertia: Mat3::from_diagonal(&Vec3::new(y + z, x + z, x + y)) }
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
        a: JointFrame { body: a.0, pose: frame(a.1, point, z) },
        b: JointFrame { body: b.0, pose: frame(b.1, point, z) },
    }
}

/// A mass at rest beside the point that a rod of 1 m without mass holds it to, gravity along −y; body 1 is the mass.
pub fn pendulum() -> Result<(Model, State)> {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, -9.81, 0.0));
    let world = builder.body(BodyModel::fixed("world"));
    let mass = builder.body(BodyModel::free("mass", brick(1.0, [0.1; 3])));
    let at = |body| JointFrame { body, pose: Pose::identity() };
    let kind = JointKind::Distance { length: 1.0 };
    builder.joint(Joint { name: "rod".to_owned(), kind, a: at(world), b: at(mass) });
    let place = |x| Motion::at_rest(Pose::from_position(x, 0.0, 0.0));
    Ok((builder.build()?, State::new(vec![place(0.0), place(-1.0)])))
}
