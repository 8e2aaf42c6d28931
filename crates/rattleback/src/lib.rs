//! Smooth-surface contact in multibody dynamics.
//!
//! Two ellipsoids, where they are, how far apart, and along which normal:
//!
//! ```
//! use rattleback::{Collider, Ellipsoid, Pose, contact};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let a = Collider::new(Ellipsoid::new([0.3, 0.2, 0.1])?, Pose::identity());
//! let b = Collider::new(Ellipsoid::new([0.1, 0.1, 0.4])?, Pose::from_parts([0.5, 0.3, 0.2], [0.8, 0.0, 0.6, 0.0])?);
//! let found = contact(&a, &b)?;
//! println!("gap {} m along {:?}", found.touch.gap, found.touch.normal);
//! assert!(found.touch.certified);
//! # Ok(())
//! # }
//! ```
//!
//! The answer is exact to rounding and carries its evidence: for separate bodies a lower and an upper bound that have
//! closed, for overlapping ones the vanished gradient, a definite Hessian, and what is known of other branches.
//! [`derivatives`] gives its change with both poses, [`contacts`] answers for many pairs at once.
//!
//! From overlap to force, with the restitution that was asked for:
//!
//! ```
//! use rattleback::law::{ContactLaw, friction::Coulomb, normal::{Hysteresis, Rule}};
//! use rattleback::material::{Material, Stiffness};
//! use rattleback::{Collider, Kinematics, Plane, Pose, Sphere, Twist, Vec3, contact};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let steel = Material::new(210e9, 0.3)?;
//! let law = ContactLaw::new(Stiffness::hertz(&steel, &steel), Hysteresis::new(Rule::Exact, 0.8, 1.5)?)?
//!     .with_friction(Coulomb::new(0.3, 1e-3)?);
//! let floor = Collider::new(Plane::new([0.0, 0.0, 1.0], 0.0)?, Pose::identity());
//! let ball = Collider::new(Sphere::new(0.01)?, Pose::from_position(0.0, 0.0, 0.00999));
//! let falling = Twist { velocity: Vec3::new(0.2, 0.0, -1.0), spin: Vec3::zeros() };
//! let found = contact(&floor, &ball)?;
//! let motion = Kinematics::new(&floor, &ball, &found, [&Twist::zero(), &falling], law.share());
//! let state = law.begin(motion.gap_rate)?;
//! let force = law.force(&found, &motion, &state)?.force;
//! assert!(force.z > 0.0 && (force.x + 0.3 * force.z).abs() < 1e-12 * force.z);
//! # Ok(())
//! # }
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`geom`] | surfaces and what can be asked of them, potentials, plane curves, meshes, mass properties |
//! | [`collide`] | broad phase, proximity queries, the narrow phase with every solver by name |
//! | [`law`], [`material`] | from overlap to force: normal laws, friction, resistance, stiffness |
//! | [`dynamics`] | models, states, joints, forces; free bodies, many bodies, mechanisms; integrators and events |

pub use rattleback_contact as collide;
pub use rattleback_contact::{
    Branch, Certificate, Collider, Contact, ContactError, ContactForce, ContactTangent, Derivatives,
    Kinematics, KinematicsDerivatives, Ledger, Pair, Powers, Rates, Regularity, Solver, Start, Touch, Twist,
    contact, contact_from, contacts, derivatives, law, material, rates, touches,
};
pub use rattleback_dynamics as dynamics;
pub use rattleback_dynamics::{
    Accuracy, Body, BodyId, BodyModel, DynamicsError, Energy, Happening, Instant, ManyBodies, Mechanism,
    Method, Model, Motion, Observer, Pressed, Run, Scheme, Simulation, State, pressed,
};
pub use rattleback_geom as geom;
pub use rattleback_geom::surface::{
    Capsule, Cylinder, Ellipsoid, HalfTorus, Link, Mesh, Plane, PotentialBody, Quadric, Shape, Sphere,
    Superellipsoid, Superhyperboloid, Superquadric, Surface, Torus,
};
pub use rattleback_geom::{Curvature, GeomError, Pose, TriMesh, Vec3};
