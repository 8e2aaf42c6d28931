//! Bricard's mechanism, A04 of the IFToMM library: five rods and the ground in a loop of six hinges, which moves though
//! its constraints are redundant.
//!
//! | parameter | value |
//! |---|---|
//! | rods | uniform, 1 kg, 1 m long |
//! | hinges P1 … P6 | at (0,0,0), (1,0,0), (1,−1,0), (1,−1,1), (0,−1,1), (0,0,1) m, about y, z, x, y, z, x |
//! | gravity | 9.81 m/s², along −y |
//! | start | at rest |
//! | duration | 10 s, in which P3 comes back to its start twice |
//!
//! Rods are 0.1 m thick. Source: `super`.

use super::GRAVITY;
use super::build::{brick, joint, rod_pose};
use crate::body::Motion;
use crate::error::Result;
use crate::joint::JointKind;
use crate::model::{BodyModel, Model};
use crate::state::State;
use rattleback_geom::{Pose, Vec3};

/// The model and its start. Body k is the rod from Pk to Pk+1, x along it.
pub fn bricard() -> Result<(Model, State)> {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, -GRAVITY, 0.0));
    let ground = builder.body(BodyModel::fixed("ground"));
    let points = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, -1.0, 0.0],
        [1.0, -1.0, 1.0],
        [0.0, -1.0, 1.0],
        [0.0, 0.0, 1.0],
    ]
    .map(Vec3::from);
    let axes = [Vec3::y(), Vec3::z(), Vec3::x(), Vec3::y(), Vec3::z(), Vec3::x()];
    let mut motions = vec![Motion::at_rest(Pose::identity())];
    let mut last = (ground, Pose::identity());
    for k in 0..5 {
        let pose = rod_pose(points[k], points[k + 1]);
        let id = builder.body(BodyModel::free(format!("rod {}", k + 1), brick(1.0, [1.0, 0.1, 0.1])));
        motions.push(Motion::at_rest(pose));
        let name = format!("P{}", k + 1);
        let (from, to) = ((last.0, &last.1), (id, &pose));
        builder.joint(joint(&name, JointKind::Revolute, from, to, points[k], axes[k]));
        last = (id, pose);
    }
    let ends = ((last.0, &last.1), (ground, &Pose::identity()));
    builder.joint(joint("P6", JointKind::Revolute, ends.0, ends.1, points[5], axes[5]));
    Ok((builder.build()?, State::new(motions)))
}
