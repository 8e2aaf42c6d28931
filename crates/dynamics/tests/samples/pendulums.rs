//! Balls in a row, each on a rod without mass that hangs from a revolute joint; the first one is raised and let go.

use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::{Material, Stiffness};
use rattleback_dynamics::joint::{Joint, JointFrame, JointKind};
use rattleback_dynamics::{Body, BodyModel, Model, Motion, Result, State};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::Sphere;
use rattleback_geom::{Mat3, Pose, Vec3};
use std::f64::consts::FRAC_PI_2;

/// Length of the rods to the balls' centres, in m.
const LENGTH: f64 = 0.5;
/// Radius of the balls, in m.
const RADIUS: f64 = 0.025;
/// The gap between balls at rest, in m.
const GAP: f64 = 3e-3;
/// Mass of a ball, in kg.
const MASS: f64 = 0.1;
/// How far the first ball is raised, in rad.
const RAISED: f64 = 0.5;

/// `count` balls, the first one raised, exact restitution, no friction. Body 0 is the frame, the balls follow.
pub fn pendulums(count: usize, restitution: f64) -> Result<(Model, State)> {
    let rubber = Material::new(1e7, 0.45)?;
    let law = ContactLaw::new(
        Stiffness::hertz(&rubber, &rubber),
        Hysteresis::new(Rule::Exact, restitution, Stiffness::HERTZ_EXPONENT)?,
    )?;
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let surface = builder.surface("rubber");
    builder.law(surface, surface, law);
    let frame = builder.body(BodyModel::fixed("frame"));
    let body = Body { mass: MASS, inertia: Mat3::identity() * (0.4 * MASS * RADIUS * RADIUS) };
    // Joints turn about their z axes; the balls swing in the plane of x and z, about y.
    let about_y = UnitQuaternion::from_axis_angle(&Vec3::x_axis(), -FRAC_PI_2);
    let mut motions = vec![Motion::at_rest(Pose::identity())];
    for i in 0..count {
        let pivot = Vec3::new((2.0 * RADIUS + GAP) * i as f64, 0.0, LENGTH);
        let name = format!("ball {}", i + 1);
        let ball = BodyModel::free(&name, body).with_part(Sphere::new(RADIUS)?, Pose::identity(), surface);
        let ball = builder.body(ball);
        builder.joint(Joint {
            name: format!("hinge {}", i + 1),
            kind: JointKind::Revolute,
            a: JointFrame { body: frame, pose: Pose::new(pivot, about_y) },
            b: JointFrame { body: ball, pose: Pose::new(Vec3::new(0.0, 0.0, LENGTH), about_y) },
        });
        let angle = if i == 0 { RAISED } else { 0.0 };
        let turn = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), angle);
        motions.push(Motion::at_rest(Pose::new(pivot - turn * Vec3::new(0.0, 0.0, LENGTH), turn)));
    }
    Ok((builder.build()?, State::new(motions)))
}
