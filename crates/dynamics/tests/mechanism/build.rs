//! What the tests build mechanisms from.

use rattleback_dynamics::joint::{Anchor, Joint, JointKind};
use rattleback_dynamics::mechanism::Settings;
use rattleback_dynamics::{Body, BodyId, Mechanism, Model, State};
use rattleback_geom::nalgebra::{Matrix3, Rotation3, UnitQuaternion};
use rattleback_geom::{Mat3, Pose, Vec3};

/// A uniform box.
pub fn brick(mass: f64, sides: [f64; 3]) -> Body {
    let [x, y, z] = sides.map(|s| s * s * mass / 12.0);
    Body { mass, inertia: Mat3::from_diagonal(&Vec3::new(y + z, x + z, x + y)) }
}

/// The frame at `point` of the world with its z axis along `z`, as a pose in a body that stands at `body`.
pub fn frame(body: &Pose, point: Vec3, z: Vec3) -> Pose {
    let z = z.normalize();
    let other = if z.x.abs() < 0.7 { Vec3::x() } else { Vec3::y() };
    let x = other.cross(&z).normalize();
    let r = Matrix3::from_columns(&[x, z.cross(&x), z]);
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(r));
    body.inverse().compose(&Pose::new(point, turn))
}

/// A joint at `point` of the world about `z`, between bodies that stand at the poses given.
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

/// Moves a state; returns it with the largest departure of the energy from its start and the largest violations.
pub fn run(model: &Model, state: &State, settings: Settings, end: f64) -> (State, [f64; 3]) {
    let mut mechanism = Mechanism::new(model, settings).unwrap();
    let mut state = state.clone();
    mechanism.assemble(&mut state).unwrap();
    let start = mechanism.energy(&state).unwrap().total();
    let mut worst = [0.0_f64; 3];
    mechanism
        .advance(&mut state, end, &mut |mechanism, state| {
            let violation = mechanism.violation(state)?;
            let energy = mechanism.energy(state)?.total();
            for (worst, x) in worst.iter_mut().zip([energy - start, violation.position, violation.velocity]) {
                *worst = worst.max(x.abs());
            }
            Ok(())
        })
        .unwrap();
    (state, worst)
}
