//! Bézier patches, NURBS, S-patches and their nets against polynomials, spheres, tori, differences and one another.
mod bezier;
mod net;
mod nurbs;
pub mod samples;
mod spatch;
