//! Bodies in motion.
//!
//! The floor above contact. It owns what a moving body is: its inertia, its state, and the energy and momentum that
//! every integrator is judged by. Linear velocity is that of the mass centre in world axes; angular velocity is in
//! body axes, in which the inertia is constant.

mod body;
mod error;
pub mod integrator;

pub use body::{Body, Momentum, Motion};
pub use error::{DynamicsError, Result};
pub use rattleback_geom as geom;
