//! Solvers for particular pairs of shapes.

pub(crate) mod box_box;
mod ellipsoid_depth;
pub mod ellipsoid_ellipsoid;
pub(crate) mod plane_support;
pub(crate) mod sphere_box;
pub(crate) mod sphere_hull;
pub(crate) mod sphere_sphere;
