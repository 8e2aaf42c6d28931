//! What can be said of a model without moving it through time: where it is at rest, and how it moves about that.
//!
//! | what | file |
//! |---|---|
//! | static equilibrium from a start | `equilibrium.rs` |
//! | eigenvalues and modes about an equilibrium | `modes.rs` |
//!
//! Both use the exact derivatives of the solver `mechanism`, so that joints, forces, contacts and regions count as they
//! do in its runs.
//!
//! ```
//! use rattleback_dynamics::analysis;
//! use rattleback_dynamics::{Body, BodyModel, Model, Result};
//! use rattleback_dynamics::joint::{Joint, JointFrame, JointKind};
//! use rattleback_geom::{Mat3, Pose, Vec3};
//!
//! # fn main() -> Result<()> {
//! let mut builder = Model::builder();
//! builder.gravity([0.0, 0.0, -9.81]);
//! let world = builder.body(BodyModel::fixed("world"));
//! let rod = Body { mass: 2.0, inertia: Mat3::identity() * 0.1 };
//! let rod = builder.body(BodyModel::free("rod", rod).at(Pose::from_position(0.3, 0.0, 0.4)));
//! let hinge = |body, z| JointFrame { body, pose: Pose::from_position(0.0, 0.0, z).rotated(Vec3::x(), 1.570796326794897).unwrap() };
//! builder.joint(Joint { name: "hinge".to_owned(), kind: JointKind::Revolute, a: hinge(world, 0.9), b: hinge(rod, 0.5) });
//! let model = builder.build()?;
//!
//! let rest = analysis::equilibrium(&model, &model.initial_state())?;
//! assert!((rest.state.motions[rod.0].pose.position.z - 0.4).abs() < 1e-9);
//! let modes = analysis::modes(&model, &rest.state)?;
//! let frequency = (2.0 * 9.81 * 0.5 / (0.1 + 2.0 * 0.25_f64)).sqrt() / std::f64::consts::TAU;
//! assert!((modes.modes[0].frequency() - frequency).abs() < 1e-9 * frequency);
//! # Ok(())
//! # }
//! ```

mod equilibrium;
mod modes;

pub use equilibrium::{Equilibrium, equilibrium};
pub use modes::{Mode, Modes, Shape, modes};

use crate::error::{DynamicsError, Result};
use crate::joint::Action;
use crate::mechanism::{Mechanism, Settings};
use crate::model::{Mobility, Model};
use crate::state::State;

/// The equations of a model that nothing drives at the time of a state.
fn mechanism(model: &Model, state: &State) -> Result<Mechanism> {
    let moving = |what: &str, name: &str| DynamicsError::Invalid {
        what: format!("{what} {name}"),
        reason: "moves by itself; only what nothing drives can be at rest".to_owned(),
    };
    for body in model.bodies() {
        if let Mobility::Prescribed(prescribed) = &body.mobility {
            let there = prescribed.at(state.time);
            let motion = there.motion;
            if motion.velocity.norm() + motion.angular_velocity_body.norm() > 0.0 {
                return Err(moving("body", &body.name));
            }
        }
    }
    for acting in model.actions() {
        if let Action::Motor(law) = &acting.action
            && law.at(state.time)[1] != 0.0
        {
            return Err(moving("the motor of joint", &model.joints()[acting.joint.0].name));
        }
    }
    Mechanism::new(model, Settings { snap: true, ..Settings::default() })
}
