//! Rectangular four-bars in a row, A02 of the IFToMM library: n windows of unit rods, singular whenever they lie flat.
//!
//! | parameter | value |
//! |---|---|
//! | rods | n + 1 uprights and n couplers, uniform, 1 kg, 1 m long |
//! | feet | hinged at (k, 0) m, k = 0 … n |
//! | gravity | 9.81 m/s², along −y |
//! | start | upright, the heads moving at 1 m/s along x |
//! | duration | 10 s; n = 2 in the library, 40 for many bodies |
//!
//! Rods are 0.01 m thick. Hinges stand for plane joints, which makes the loops redundant. Source: `super`.
//!
//! While all uprights are parallel, at the angle φ from the vertical, the row has one degree of freedom:
//!
//!   ½ J φ̇² + W cos φ = const,   J = (n + 1) I + n m l²,   W = g l (½ (n + 1) m + n m),   I = m d²/12 + m l²/3,
//!
//! with the thickness d. From φ = 0 at φ̇ = ω₀ it comes to φ after
//!
//!   t(φ) = ∫₀^φ dφ / √(ω₀² + 2 W/J (1 − cos φ)).
//!
//! It is singular at φ = π/2 and 3π/2, where other branches of motion cross.

use super::GRAVITY;
use super::build::{brick, joint, rod_pose};
use crate::body::{Body, Motion};
use crate::error::{DynamicsError, Result};
use crate::joint::JointKind;
use crate::model::{BodyModel, Model};
use crate::state::State;
use rattleback_geom::{Pose, Vec3};

/// The mass of a rod, in kg.
const MASS: f64 = 1.0;
/// The length of a rod, in m.
const LENGTH: f64 = 1.0;
/// The thickness of a rod, in m.
const THICKNESS: f64 = 0.01;
/// The angular velocity of the uprights at the start, in rad/s.
const SPIN: f64 = 1.0;
/// Panels of Simpson's rule for t(φ): it is smooth, and within 1e-12 s with as many for a turn and less.
const PANELS: u32 = 2000;

fn rod() -> Body {
    brick(MASS, [LENGTH, THICKNESS, THICKNESS])
}

/// The model of `windows` loops, at least one, and its start. Bodies 1 to n + 1 are the uprights, x along them from foot to
/// head; the couplers follow.
pub fn four_bars(windows: usize) -> Result<(Model, State)> {
    if windows == 0 {
        let field = "windows".to_owned();
        return Err(DynamicsError::OutOfRange { field, value: 0.0, allowed: "at least one" });
    }
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, -GRAVITY, 0.0));
    let ground = builder.body(BodyModel::fixed("ground"));
    let mut motions = vec![Motion::at_rest(Pose::identity())];
    let mut uprights = Vec::new();
    for k in 0..=windows {
        let (foot, head) = (Vec3::new(k as f64, 0.0, 0.0), Vec3::new(k as f64, LENGTH, 0.0));
        let pose = rod_pose(foot, head);
        let id = builder.body(BodyModel::free(format!("upright {k}"), rod()));
        // The head moves along x: the spin is about −z.
        let spin = pose.vector_to_local(&Vec3::new(0.0, 0.0, -SPIN));
        motions.push(Motion { pose, velocity: Vec3::new(0.5 * SPIN * LENGTH, 0.0, 0.0), spin });
        let hinge = JointKind::Revolute;
        let name = format!("foot {k}");
        builder.joint(joint(&name, hinge, (ground, &Pose::identity()), (id, &pose), foot, Vec3::z()));
        uprights.push((id, pose, head));
    }
    for k in 0..windows {
        let ((left, left_pose, from), (right, right_pose, to)) = (uprights[k], uprights[k + 1]);
        let pose = rod_pose(from, to);
        let id = builder.body(BodyModel::free(format!("coupler {k}"), rod()));
        motions.push(Motion { pose, velocity: Vec3::x() * (SPIN * LENGTH), spin: Vec3::zeros() });
        for (side, body, at, point) in [("left", left, left_pose, from), ("right", right, right_pose, to)] {
            let name = format!("{side} of coupler {k}");
            builder.joint(joint(&name, JointKind::Revolute, (body, &at), (id, &pose), point, Vec3::z()));
        }
    }
    Ok((builder.build()?, State::new(motions)))
}

/// When the uprights of `windows` loops first stand at `angle` radians from where they began, in s.
pub fn time_at(windows: usize, angle: f64) -> f64 {
    let (n, about_foot) = (windows as f64, rod().inertia.m33 + 0.25 * MASS * LENGTH * LENGTH);
    let inertia = (n + 1.0) * about_foot + n * MASS * LENGTH * LENGTH;
    let weight = GRAVITY * LENGTH * MASS * (0.5 * (n + 1.0) + n);
    let slowness = |angle: f64| 1.0 / (SPIN * SPIN + 2.0 * weight / inertia * (1.0 - angle.cos())).sqrt();
    let h = angle / f64::from(PANELS);
    let panel = |k: u32| {
        let from = h * f64::from(k);
        h / 6.0 * (slowness(from) + 4.0 * slowness(from + 0.5 * h) + slowness(from + h))
    };
    (0..PANELS).map(panel).sum()
}
