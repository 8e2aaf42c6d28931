//! The simple pendulum, A01 of the IFToMM library: a point mass on a rod without mass.
//!
//! | parameter | value |
//! |---|---|
//! | mass | 1 kg |
//! | length of the rod | 1 m |
//! | gravity | 9.81 m/s², along −y |
//! | start | at (−1, 0) m, at rest |
//! | duration | 10 s |
//!
//! The mass is a cube of 0.1 m here: the rod ends in its mass centre and never turns it, so that its inertia plays no part.
//! Source: `super`.

use super::GRAVITY;
use super::build::brick;
use crate::body::Motion;
use crate::error::Result;
use crate::joint::{Anchor, Joint, JointKind};
use crate::model::{BodyModel, Model};
use crate::state::State;
use rattleback_geom::{Pose, Vec3};

/// x and y of the mass after 10 s, in m, as the library gives them.
pub const REFERENCE: [f64; 2] = [-0.275_087_462_576, -0.961_419_205_099];

/// The model and its start; body 1 is the mass.
pub fn pendulum() -> Result<(Model, State)> {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, -GRAVITY, 0.0));
    let world = builder.body(BodyModel::fixed("world"));
    let mass = builder.body(BodyModel::free("mass", brick(1.0, [0.1; 3])));
    let at = |body| Anchor { body, pose: Pose::identity() };
    builder.joint(Joint {
        name: "rod".to_owned(),
        kind: JointKind::Distance { length: 1.0 },
        a: at(world),
        b: at(mass),
    });
    let place = |x| Motion::at_rest(Pose::from_position(x, 0.0, 0.0));
    Ok((builder.build()?, State::new(vec![place(0.0), place(-1.0)])))
}
