//! Andrews' squeezer: seven plane bodies, a motor and a spring, for 0.03 s.
//!
//! | parameter | value |
//! |---|---|
//! | fixed points A, B, C | (−0.06934, −0.00227), (−0.03635, 0.03273), (0.014, 0.072) m; O is the origin |
//! | lengths rr, d, e, zf, zt, u | 7, 28, 20, 20, 40, 40 mm; ss = 35 mm is in the angles of the start |
//! | point D on K3: sc, sd | 18, 20 mm |
//! | mass centres ra, da, sa, sb | 0.92, 11.5, 18.74, 10.43 mm |
//! | mass centres ea, fa, ta, tb, ua, ub | 14.21, 14.21, 23.08, 9.16, 12.28, 4.49 mm |
//! | masses of K1 … K7 | 43.25, 3.65, 23.73, 7.06, 70.50, 7.06, 54.98 g |
//! | inertias of K1 … K7 | 2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5 kg m² |
//! | spring from C to D on K3 | 4530 N/m, 77.85 mm at rest |
//! | torque on K1 | 0.033 N m |
//! | gravity | none |
//!
//! Source: F. Mazzia, C. Magherini, Test Set for Initial Value Problem Solvers, release 2.4 (2008), "Andrews'
//! squeezing mechanism"; E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, section VII.7, whose
//! letters the points, lengths and angles have. Plane bodies stand here as bodies in space with the same inertia about all
//! axes; plane joints stand as revolute ones, which makes the loops redundant.

use super::build::joint;
use crate::body::{Body, Motion};
use crate::error::Result;
use crate::force::{End, Force, SpringDamper};
use crate::joint::{Action, Freedom, JointAction, JointKind};
use crate::model::{BodyId, BodyModel, Model};
use crate::state::State;
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Mat3, Pose, Vec3};

/// The torque of the motor, in N m.
const DRIVE: f64 = 0.033;
/// β, Θ, γ, Φ, δ, Ω, ε at the start, in rad.
pub const START: [f64; 7] = [
    -0.061_713_890_014_276_45,
    0.0,
    0.455_279_819_163_070_4,
    0.222_668_390_165_885_9,
    0.487_364_979_543_842_55,
    -0.222_668_390_165_885_9,
    1.230_547_444_549_821_2,
];
/// β and ε at t = 0.03 s, in rad, as the test set gives them.
pub const END: [f64; 2] = [15.810_771_196_299_04, 1.048_080_741_042_263];

fn plane(x: f64, y: f64) -> Vec3 {
    Vec3::new(x, y, 0.0)
}

/// (cos, sin) and (sin, −cos) of an angle, times a length.
fn along(length: f64, angle: f64) -> Vec3 {
    plane(length * angle.cos(), length * angle.sin())
}
fn across(length: f64, angle: f64) -> Vec3 {
    plane(length * angle.sin(), -length * angle.cos())
}

/// The model and its start; body k is Kk, and the two actions are on β and ε.
pub fn squeezer() -> Result<(Model, State)> {
    let [beta, theta, gamma, phi, delta, omega, epsilon] = START;
    let (a, b, c) = (plane(-0.06934, -0.00227), plane(-0.03635, 0.03273), plane(0.014, 0.072));
    let f = along(7e-3, beta);
    let e = f - along(28e-3, beta + theta);
    let g = a + along(4e-2, delta);
    let h = a + across(4e-2, epsilon);
    let d = b + along(2e-2, gamma) + across(18e-3, gamma);
    // Mass, inertia, angle and mass centre of K1 to K7.
    let bodies = [
        (0.04325, 2.194e-6, beta, along(92e-5, beta)),
        (0.00365, 4.410e-7, beta + theta, f - along(115e-4, beta + theta)),
        (0.02373, 5.255e-6, gamma, b + across(1874e-5, gamma) + along(1043e-5, gamma)),
        (0.00706, 5.667e-7, phi + delta, g + across(2e-2 - 1421e-5, phi + delta)),
        (0.07050, 1.169e-5, delta, a + along(2308e-5, delta) - across(916e-5, delta)),
        (0.00706, 5.667e-7, omega + epsilon, h + along(2e-2 - 1421e-5, omega + epsilon)),
        (0.05498, 1.912e-5, epsilon, a + across(1228e-5, epsilon) + along(449e-5, epsilon)),
    ];
    let mut builder = Model::builder();
    let mut poses = vec![Pose::identity()];
    builder.body(BodyModel::fixed("ground"));
    for (k, (mass, inertia, angle, centre)) in bodies.into_iter().enumerate() {
        let body = Body { mass, inertia: Mat3::identity() * inertia };
        builder.body(BodyModel::free(format!("K{}", k + 1), body));
        poses.push(Pose::new(centre, UnitQuaternion::from_scaled_axis(Vec3::z() * angle)));
    }
    let hinges = [
        ("O", 0, 1, Vec3::zeros()),
        ("A of K7", 0, 7, a),
        ("F", 1, 2, f),
        ("B", 0, 3, b),
        ("A of K5", 0, 5, a),
        ("E of K3", 2, 3, e),
        ("E of K4", 2, 4, e),
        ("E of K6", 2, 6, e),
        ("G", 4, 5, g),
        ("H", 6, 7, h),
    ];
    for (name, one, other, point) in hinges {
        let ends = [one, other].map(|k| (BodyId(k), &poses[k]));
        let id = builder.joint(joint(name, JointKind::Revolute, ends[0], ends[1], point, Vec3::z()));
        let effort = match name {
            "O" => DRIVE,
            "A of K7" => 0.0,
            _ => continue,
        };
        builder.action(JointAction { joint: id, freedom: Freedom::Turn, action: Action::Effort(effort) });
    }
    builder.force(Force::SpringDamper(SpringDamper {
        a: End { body: BodyId(0), point: c },
        b: End { body: BodyId(3), point: poses[3].point_to_local(&d) },
        stiffness: 4530.0,
        damping: 0.0,
        length: 7785e-5,
        never_pushes: false,
    }));
    Ok((builder.build()?, State::new(poses.into_iter().map(Motion::at_rest).collect())))
}
