//! The flyball governor, A05 of the IFToMM library: two balls on arms, held to a slider by stiff springs, on a turning shaft.
//!
//! | parameter | value |
//! |---|---|
//! | shaft, arms | 1 × 0.01 × 0.01 m of 3000 kg/m³: 0.3 kg |
//! | slider | a cube of 0.1 m of 3000 kg/m³: 3 kg, at half height of the shaft |
//! | balls | 5 kg at the ends of the arms |
//! | hinges of the arms | at x = ±0.05 m on the top of the shaft, about y |
//! | springs | 8e5 N/m, 4e4 N s/m, 0.5 m at rest, from the slider's sides to the middles of the arms |
//! | gravity | 9.81 m/s², along −z |
//! | start | arms 30° below the horizontal, all turning at 2π rad/s about z |
//! | duration | 10 s, in which the slider moves between 0.500 m and 0.744 m (the library's figure) |
//!
//! An arm and its ball are one body here. Source: `super`.

use super::GRAVITY;
use super::build::{brick, joint, rod_pose};
use crate::body::{Body, Motion};
use crate::error::Result;
use crate::force::{End, Force, SpringDamper};
use crate::joint::JointKind;
use crate::model::{BodyModel, Model};
use crate::state::State;
use rattleback_geom::{Mat3, Pose, Vec3};
use std::f64::consts::TAU;

/// The mass of an arm or the shaft, in kg.
const ARM: f64 = 0.3;
/// The mass of a ball, in kg.
const BALL: f64 = 5.0;

/// Arm and ball as one body, and how far its mass centre lies from the hinge.
fn arm_with_ball() -> (Body, f64) {
    let mass = ARM + BALL;
    let centre = (0.5 * ARM + BALL) / mass;
    let steiner = ARM * (centre - 0.5_f64).powi(2) + BALL * (1.0 - centre).powi(2);
    let across = Mat3::from_diagonal(&Vec3::new(0.0, steiner, steiner));
    (Body { mass, inertia: brick(ARM, [1.0, 0.01, 0.01]).inertia + across }, centre)
}

/// The model and its start; body 1 is the shaft, 2 the slider, 3 and 4 are the arms, x along them.
pub fn flyball() -> Result<(Model, State)> {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let ground = builder.body(BodyModel::fixed("ground"));
    let spin = Vec3::new(0.0, 0.0, TAU);
    let moving =
        |pose: Pose| Motion { pose, velocity: spin.cross(&pose.position), spin: pose.vector_to_local(&spin) };
    // Shaft and slider have their mass centres in the same place.
    let (world, middle) = (Pose::identity(), Pose::from_position(0.0, 0.0, 0.5));
    let shaft = builder.body(BodyModel::free("shaft", brick(ARM, [0.01, 0.01, 1.0])));
    let slider = builder.body(BodyModel::free("slider", brick(3.0, [0.1; 3])));
    let mut motions = vec![Motion::at_rest(world), moving(middle), moving(middle)];
    let ends = ((ground, &world), (shaft, &middle));
    builder.joint(joint("bearing", JointKind::Revolute, ends.0, ends.1, Vec3::zeros(), Vec3::z()));
    let ends = ((shaft, &middle), (slider, &middle));
    builder.joint(joint("guide", JointKind::Prismatic, ends.0, ends.1, middle.position, Vec3::z()));
    let (body, centre) = arm_with_ball();
    for (side, name) in [(1.0, "right"), (-1.0, "left")] {
        let top = Vec3::new(0.05 * side, 0.0, 1.0);
        let (sin, cos) = (30.0_f64).to_radians().sin_cos();
        let along = Vec3::new(side * cos, 0.0, -sin);
        let pose = Pose::new(top + centre * along, rod_pose(top, top + along).orientation);
        let arm = builder.body(BodyModel::free(name, body));
        motions.push(moving(pose));
        builder.joint(joint(name, JointKind::Revolute, (shaft, &middle), (arm, &pose), top, Vec3::y()));
        builder.force(Force::SpringDamper(SpringDamper {
            a: End { body: slider, point: Vec3::new(0.05 * side, 0.0, 0.0) },
            b: End { body: arm, point: Vec3::new(0.5 - centre, 0.0, 0.0) },
            stiffness: 8e5,
            damping: 4e4,
            length: 0.5,
            never_pushes: false,
        }));
    }
    Ok((builder.build()?, State::new(motions)))
}
