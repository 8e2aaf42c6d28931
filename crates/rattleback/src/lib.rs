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
//! | module | what |
//! |---|---|
//! | [`geom`] | surfaces and what can be asked of them, potentials, plane curves, meshes, mass properties |
//! | [`collide`] | broad phase, proximity queries, the narrow phase with every solver by name |

pub use rattleback_contact as collide;
pub use rattleback_contact::{
    Branch, Certificate, Collider, Contact, ContactError, Derivatives, Pair, Solver, Start, Touch, contact,
    contact_from, contacts, derivatives, touches,
};
pub use rattleback_geom as geom;
pub use rattleback_geom::surface::{
    Capsule, Cylinder, Ellipsoid, HalfTorus, Mesh, Plane, PotentialBody, Quadric, Shape, Sphere,
    Superellipsoid, Superhyperboloid, Superquadric, Surface, Torus,
};
pub use rattleback_geom::{Curvature, GeomError, Pose, TriMesh, Vec3};
