//! Bodies in motion: free ones, many of them, and mechanisms of them.
//!
//! The floor above contact. A [`Model`] says what there is and does not change; a [`State`] is plain data, and whatever
//! changes what comes next is in it. Linear velocity is that of the mass centre in world axes; angular velocity is in body
//! axes, in which the inertia is constant.
//!
//! | what moves | by |
//! |---|---|
//! | free bodies, accurately | [`Simulation`]: adaptive, contacts begin and end at events |
//! | many free bodies | [`ManyBodies`]: fixed steps, broad phase, all threads |
//! | bodies that roll and slide on each other, without yielding | [`Rolling`](rolling::Rolling): contact coordinates |
//! | bodies held together by joints | [`Mechanism`]: implicit, natural coordinates |
//! | any of them, the same way | [`Run`], by a [`Scheme`]: from output to output, watched by an [`Observer`] |
//!
//! ```
//! use rattleback_contact::law::{ContactLaw, friction::Coulomb, normal::{Hysteresis, Rule}};
//! use rattleback_contact::material::{Material, Stiffness};
//! use rattleback_dynamics::{Accuracy, Body, BodyModel, Energy, Method, Model, Motion, Result, Simulation, State};
//! use rattleback_geom::{Pose, Vec3, surface::{Ellipsoid, Plane, Surface}};
//!
//! # fn main() -> Result<()> {
//! let rubber = Material::new(5e6, 0.45)?;
//! let law = ContactLaw::new(Stiffness::hertz(&rubber, &rubber), Hysteresis::new(Rule::Exact, 0.7, 1.5)?)?
//!     .with_friction(Coulomb::new(0.4, 1e-3)?);
//! let mut builder = Model::builder();
//! builder.gravity(Vec3::new(0.0, 0.0, -9.81));
//! let surface = builder.surface("rubber");
//! builder.law(surface, surface, law);
//! let floor = Plane::new([0.0, 0.0, 1.0], 0.0)?;
//! builder.body(BodyModel::fixed("floor").with_part(floor, Pose::identity(), surface));
//! let egg = Ellipsoid::new([0.03, 0.02, 0.02])?;
//! let mass = Body::from(&egg.moments()?.with_density(1100.0)?);
//! builder.body(BodyModel::free("egg", mass).with_part(egg, Pose::identity(), surface));
//! let model = builder.build()?;
//!
//! let dropped = Motion::at_rest(Pose::from_position(0.0, 0.0, 0.1));
//! let state = State::new(vec![Motion::at_rest(Pose::identity()), dropped]);
//! let before = Energy::of(&model, &state)?.total();
//! let mut simulation = Simulation::new(&model, state, Method::Explicit, Accuracy::default())?;
//! simulation.advance(0.3, &mut |_instant| Ok(()))?;
//! let energy = Energy::of(&model, simulation.state())?;
//! assert!(energy.contacts.damped > 0.0 && (energy.total() - before).abs() < 1e-8 * before);
//! # Ok(())
//! # }
//! ```

mod body;
pub mod chain;
mod contact_set;
mod energy;
mod error;
mod flight;
pub mod force;
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
mod pace;
pub mod rolling;
mod run;
mod simulation;
mod state;
mod support;
mod track;

pub use body::{Body, Momentum, Motion};
pub use contact_set::{ContactMemory, PairState, Parts, Pressed};
pub use energy::Energy;
pub use error::{DynamicsError, Result};
pub use load::{Load, LoadTangent};
pub use many::ManyBodies;
pub use mechanism::Mechanism;
pub use model::{BodyId, BodyModel, Model};
pub use observer::{Happening, Instant, Observer};
pub use rattleback_geom as geom;
pub use run::{Overlap, Run, Scheme, pressed};
pub use simulation::{Accuracy, Method, Simulation};
pub use state::{JointState, State};
pub use support::Unsupported;
pub use track::{Beyond, Ends, Interpolation, Reading, Track};
