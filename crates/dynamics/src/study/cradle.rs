//! Newton's cradle (Marques, section 3.2, Figs 3 to 7): balls on rods, each hung from a revolute joint.
//!
//! The paper gives no numbers. Here: rods of 0.5 m without mass, rubber balls of radius 25 mm and 0.1 kg, 3 mm apart at
//! rest; the first one is raised by half a radian and let go. Exact restitution, no friction. With restitution one the
//! energy goes through the row and the last ball rises as high as the first one was; balls that touched would press each
//! other at the same time, and each would keep a little.

use crate::body::{Body, Motion};
use crate::error::Result;
use crate::joint::{Anchor, Joint, JointKind};
use crate::model::{BodyModel, Model};
use crate::state::State;
use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::{Material, Stiffness};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::Sphere;
use rattleback_geom::{Mat3, Pose, Vec3};
use std::f64::consts::FRAC_PI_2;

/// Length of the rods to the balls' centres, in m.
pub const LENGTH: f64 = 0.5;
/// Radius of the balls, in m.
pub const RADIUS: f64 = 0.025;
/// Mass of a ball, in kg.
pub const MASS: f64 = 0.1;
/// The gap between balls at rest, in m: more than the depth of an impact, so that the impacts come one after the other.
pub const GAP: f64 = 3e-3;
/// How far the first ball is raised, in rad.
pub const RAISED: f64 = 0.5;
/// Gravity, in m/s².
pub const GRAVITY: f64 = 9.81;

/// A cradle of `count` balls, the first one raised. Body 0 is the frame, the balls follow.
pub fn cradle(count: usize, restitution: f64) -> Result<(Model, State)> {
    let rubber = Material::new(1e7, 0.45)?;
    let law = ContactLaw::new(
        Stiffness::hertz(&rubber, &rubber),
        Hysteresis::new(Rule::Exact, restitution, Stiffness::HERTZ_EXPONENT)?,
    )?;
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let surface = builder.surface("rubber");
    builder.law(surface, surface, law);
    let frame = builder.body(BodyModel::fixed("frame"));
    let body = Body { mass: MASS, inertia: Mat3::identity() * (0.4 * MASS * RADIUS * RADIUS) };
    // Joints turn about their z axes; the cradle swings in the plane of x and z, about y.
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
            a: Anchor { body: frame, pose: Pose::new(pivot, about_y) },
            b: Anchor { body: ball, pose: Pose::new(Vec3::new(0.0, 0.0, LENGTH), about_y) },
        });
        let angle = if i == 0 { RAISED } else { 0.0 };
        let turn = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), angle);
        motions.push(Motion::at_rest(Pose::new(pivot - turn * Vec3::new(0.0, 0.0, LENGTH), turn)));
    }
    Ok((builder.build()?, State::new(motions)))
}

/// The height of each ball above its lowest position, in m.
pub fn heights(state: &State) -> Vec<f64> {
    state.motions[1..].iter().map(|motion| motion.pose.position.z).collect()
}
