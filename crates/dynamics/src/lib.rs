//! Bodies in motion: free ones, many of them, and mechanisms of them.
//!
//! The floor above contact. A [`Model`] says what there is and does not change; a [`State`] is plain data, and whatever
//! changes what comes next is in it. Linear velocity is that of the mass centre in world axes; angular velocity is in
//! body axes, in which the inertia is constant.
//!
//! | what moves | by |
//! |---|---|
//! | free bodies, accurately | [`Simulation`]: adaptive, contacts begin and end at events |
//! | many free bodies | [`ManyBodies`]: fixed steps, broad phase, all threads |
//! | bodies that roll and slide on each other, without yielding | [`Rolling`](rolling::Rolling): contact coordinates |
//! | bodies held together by joints | [`Mechanism`]: implicit, natural coordinates |
//! | any of them, the same way | [`Run`], by a [`Scheme`]: in [`Frames`], or watched by an [`Observer`] |
//!
//! ```
//! use rattleback_contact::{law, material::Material};
//! use rattleback_dynamics::{BodyModel, Model, Result, Scheme};
//! use rattleback_geom::{Pose, surface::Ellipsoid};
//!
//! # fn main() -> Result<()> {
//! let rubber = Material::new(5e6, 0.45)?;
//! let mut builder = Model::builder();
//! builder.gravity([0.0, 0.0, -9.81]);
//! let surface = builder.surface_with("rubber", law::hertz(&rubber, &rubber).restitution(0.7)?.friction(0.4)?);
//! builder.floor(surface);
//! let egg = BodyModel::solid("egg", Ellipsoid::new([0.03, 0.02, 0.02])?, 1100.0, surface)?;
//! let egg = builder.body(egg.at(Pose::from_position(0.0, 0.0, 0.1)));
//! let model = builder.build()?;
//!
//! let mut run = model.run(&Scheme::default())?;
//! let before = run.energy()?.total();
//! for frame in run.frames(0.3, 0.05) {
//!     let frame = frame?;
//!     println!("{:.2} s: {:.4} m high", frame.time, frame.motions[egg.0].pose.position.z);
//! }
//! let energy = run.energy()?;
//! assert!(energy.contacts.damped > 0.0 && (energy.total() - before).abs() < 1e-8 * before);
//! # Ok(())
//! # }
//! ```

pub mod analysis;
mod body;
pub mod chain;
mod contact_estimate;
mod contact_set;
mod energy;
mod equal_steps;
mod error;
mod flight;
pub mod force;
pub mod formula;
mod frames;
mod free;
pub mod health;
pub mod integrator;
pub mod joint;
mod load;
mod many;
pub mod measure;
pub mod mechanism;
pub mod model;
mod observer;
mod peak;
pub mod rolling;
mod run;
mod simulation;
mod state;
mod support;
mod track;

pub use body::{Body, Momentum, Motion};
pub use contact_estimate::PartEstimate;
pub use contact_set::{ActiveContact, ContactMemory, PairState, Parts};
pub use energy::Energy;
pub use error::{DynamicsError, Result};
pub use frames::{ContactEvent, Frame, Frames};
pub use load::{Load, LoadTangent};
pub use many::ManyBodies;
pub use mechanism::Mechanism;
pub use model::{BodyId, BodyModel, Model};
pub use observer::{Instant, Observer, RunEvent};
pub use peak::ContactPeak;
pub use rattleback_geom as geom;
pub use run::{Overlap, Run, Scheme, active_contacts};
pub use simulation::{Accuracy, Method, Simulation};
pub use state::{JointState, State};
pub use support::Unsupported;
pub use track::{Beyond, Ends, Interpolation, Reading, Track};
