//! Solvers for particular pairs of shapes.

pub mod ellipsoid_ellipsoid;
