//! Smooth-surface contact in multibody dynamics.
//!
//! Where two bodies are nearest, how that changes when they move, and how a body bounces:
//!
//! ```
//! use rattleback::prelude::*;
//!
//! # fn main() -> rattleback::Result<()> {
//! let a = Collider::new(Ellipsoid::new([0.3, 0.2, 0.1])?, Pose::identity());
//! let b = Collider::new(Ellipsoid::new([0.1, 0.1, 0.4])?, Pose::from_parts([0.5, 0.3, 0.2], [0.8, 0.0, 0.6, 0.0])?);
//! let found = contact(&a, &b)?;
//! println!("gap {} m along {:?}", found.touch.gap, found.touch.normal);
//! assert!(found.touch.certified);
//!
//! // Columns: translation and rotation of A, of B. The gap grows as fast as B moves along the normal.
//! let change = derivatives(&a, &b, &found)?;
//! assert!((change.gap.fixed_rows::<3>(6) - found.touch.normal).norm() < 1e-12);
//!
//! let rubber = Material::new(5e6, 0.45)?;
//! let mut builder = Model::builder();
//! builder.gravity([0.0, 0.0, -9.81]);
//! let surface = builder.surface_with("rubber", law::hertz(&rubber, &rubber).restitution(0.7)?.friction(0.4)?);
//! builder.floor(surface);
//! let egg = BodyModel::solid("egg", Ellipsoid::new([0.03, 0.02, 0.02])?, 1100.0, surface)?;
//! let egg = builder.body(egg.at(Pose::from_position(0.0, 0.0, 0.1)));
//! let model = builder.build()?;
//! let mut run = model.run(&Scheme::default())?;
//! for frame in run.frames(0.3, 0.1) {
//!     let frame = frame?;
//!     println!("{:.1} s: {:.4} m", frame.time, frame.motions[egg.0].pose.position.z);
//! }
//! assert!(run.energy()?.contacts.damped > 0.0);
//! # Ok(())
//! # }
//! ```
//!
//! The answer of a query is exact to rounding and carries its evidence: for separate bodies a lower and an upper bound
//! that have closed, for overlapping ones the vanished gradient, a definite Hessian, and what is known of other
//! branches.
//!
//! | module | what |
//! |---|---|
//! | [`prelude`] | what most programs need |
//! | [`geom`] | surfaces and what can be asked of them, potentials, plane curves, meshes, mass properties |
//! | [`mod@collide`] | broad phase, proximity queries, the narrow phase with every solver by name |
//! | [`law`], [`material`] | from overlap to force: normal laws, friction, resistance, stiffness |
//! | [`dynamics`] | models, states, runs and their frames; free bodies, many bodies, integrators and events |
//! | [`joint`], [`mechanism`], [`chain`], [`force`], [`rolling`] | mechanisms, chains and bodies that roll |
//! | `scene` (feature `scene`) | scene files: read, checked, made a model |
//! | `record` (feature `record`) | result folders: written and read; tables, figures, reports |
//!
//! Scenes and records are not there by default: they bring TOML, JSON and Parquet, which no query and no run needs.

pub mod prelude;

pub use rattleback_contact as collide;
pub use rattleback_contact::{
    Branch, Certificate, Collider, ColliderPair, Contact, ContactCurvature, ContactError, ContactForce,
    ContactQuery, ContactTangent, Derivatives, ForcePartials, Kinematics, KinematicsDerivatives, Ledger,
    Powers, Rates, Regularity, Solver, Start, Touch, Twist, collide, contact, contact_from, contacts,
    derivatives, law, material, rates, touches,
};
pub use rattleback_dynamics as dynamics;
pub use rattleback_dynamics::{
    Accuracy, ActiveContact, Body, BodyId, BodyModel, ContactEvent, DynamicsError, Energy, Frame, Frames,
    Instant, ManyBodies, Mechanism, Method, Model, Motion, Observer, Result, Run, RunEvent, Scheme,
    Simulation, State, active_contacts, chain, force, joint, mechanism, rolling,
};
pub use rattleback_geom as geom;
pub use rattleback_geom::surface::{
    Capsule, Cavity, ConvexHull, Cylinder, Ellipsoid, Frustum, HalfTorus, Link, Mesh, Plane, PotentialBody,
    Quadric, Shape, Sphere, Superellipsoid, Superhyperboloid, Superquadric, Surface, Torus,
};
pub use rattleback_geom::{Curvature, GeomError, Pose, TriMesh, Vec3};
#[cfg(feature = "record")]
pub use rattleback_record as record;
#[cfg(feature = "scene")]
pub use rattleback_scene as scene;
