//! Bodies in motion.
//!
//! The floor above contact. It owns what a moving body is: its inertia, its state, and the energy and momentum that
//! every integrator is judged by. Linear velocity is that of the mass centre in world axes; angular velocity is in
//! body axes, in which the inertia is constant.

mod body;
mod contacts;
mod energy;
mod error;
pub mod force;
mod free;
pub mod integrator;
pub mod joint;
mod load;
pub mod loads;
mod many;
pub mod measure;
pub mod mechanism;
pub mod model;
mod simulation;
mod state;
pub mod study;
mod track;

pub use body::{Body, Momentum, Motion};
pub use contacts::{Contacts, Pressed};
pub use energy::Energy;
pub use error::{DynamicsError, Result};
pub use load::{Load, LoadTangent};
pub use many::ManyBodies;
pub use mechanism::Mechanism;
pub use model::{BodyId, BodyModel, Model};
pub use rattleback_geom as geom;
pub use simulation::{Accuracy, Happening, Method, Observer, Simulation};
pub use state::{JointState, PairState, State};
pub use track::{Beyond, Ends, Interpolation, Reading, Track};
