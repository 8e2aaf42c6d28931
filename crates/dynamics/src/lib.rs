//! Bodies in motion.
//!
//! The floor above contact. It owns what a moving body is: its inertia, its state, and the energy and momentum that
//! every integrator is judged by. Linear velocity is that of the mass centre in world axes; angular velocity is in
//! body axes, in which the inertia is constant.

mod body;
mod error;
pub mod force;
pub mod integrator;
pub mod joint;
mod load;
pub mod loads;
pub mod mechanism;
pub mod model;
mod state;
pub mod study;

pub use body::{Body, Momentum, Motion};
pub use error::{DynamicsError, Result};
pub use load::{Load, LoadTangent};
pub use mechanism::Mechanism;
pub use model::{BodyId, BodyModel, Model};
pub use state::{JointState, PairState, State};
