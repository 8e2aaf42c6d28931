//! Surfaces and what can be asked of them.
//!
//! The lowest floor of Rattleback: poses, boxes, surfaces with their implicit, support and parametric views,
//! curvature, triangle meshes, mass properties. Nothing here knows of contact or motion.
//!
//! Conventions: SI units; normals point out of the solid; a convex surface has positive curvature; quaternions are
//! written w, x, y, z; constructors check their arguments and return a [`GeomError`] that names the field.

mod aabb;
mod brief;
pub mod chart;
pub mod curvature;
pub mod curve;
pub mod double_double;
pub mod elementary;
mod error;
pub mod exact;
mod fingerprint;
mod mass;
pub mod mesh;
pub mod patch;
mod pose;
pub mod potential;
pub mod quadrature;
pub mod special;
pub mod spherical;
pub mod subdivision;
pub mod surface;
pub mod taylor;
pub mod tessellate;

pub use aabb::Aabb;
pub use brief::Brief;
pub use curvature::Curvature;
pub use error::{GeomError, LENGTHS, MeshFault, Result};
pub use fingerprint::Fingerprint;
pub use mass::{MassProperties, Moments};
pub use mesh::TriMesh;
pub use nalgebra;
pub use pose::Pose;
pub use potential::Potential;

/// A vector or a point in the plane.
pub type Vec2 = nalgebra::Vector2<f64>;

/// A vector or a point in three dimensions.
pub type Vec3 = nalgebra::Vector3<f64>;

/// A 3×3 matrix.
pub type Mat3 = nalgebra::Matrix3<f64>;
