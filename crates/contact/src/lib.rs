//! Where smooth bodies touch, how far apart they are, and what force they exert on each other.
//!
//! ```
//! use rattleback_contact::{Collider, contact};
//! use rattleback_contact::geom::{Pose, surface::Ellipsoid};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let a = Collider::new(Ellipsoid::new([0.3, 0.2, 0.1])?, Pose::identity());
//! let b = Collider::new(Ellipsoid::new([0.1, 0.1, 0.4])?, Pose::from_parts([0.5, 0.3, 0.2], [0.8, 0.0, 0.6, 0.0])?);
//! let found = contact(&a, &b)?;
//! assert!(found.touch.certified && found.touch.gap > 0.0);
//! # Ok(())
//! # }
//! ```
//!
//! Conventions: the normal points from A to B; a negative gap is an overlap; points, normals and directions are in
//! world axes unless a name says otherwise (`p_wa`: a point of A in world axes).

mod batch;
pub mod broad;
mod cavity;
mod collide;
mod contact;
mod derivative;
mod error;
mod feature;
pub mod first_contact;
mod flat;
mod flat_spot;
mod force;
mod kinematics;
pub mod law;
mod ledger;
mod manifold;
pub mod material;
pub mod narrow;
pub mod near;
pub mod proximity;
pub mod region;

pub use batch::{ColliderPair, contacts, touches};
pub use collide::{ContactQuery, collide, feature_count, has_weights, near_features};
pub use contact::{
    Collider, Contact, ContactCurvature, contact, contact_at, contact_from, curvature_at, curvature_between,
};
pub use derivative::{Derivatives, Rates, Regularity, derivatives, rates};
pub use error::{ContactError, Result};
pub use flat::{SharedFaces, has_plain_faces};
pub use force::{ContactForce, ContactTangent, ForcePartials, IndentationPlace};
pub use kinematics::{Kinematics, KinematicsDerivatives, Twist};
pub use ledger::{Ledger, Powers};
pub use narrow::{Branch, Certificate, Solver, Start, Touch};
pub use rattleback_geom as geom;
