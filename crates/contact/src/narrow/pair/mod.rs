//! Solvers for particular pairs of shapes.

pub mod ellipsoid_ellipsoid;
pub(crate) mod plane_support;
pub(crate) mod sphere_sphere;
