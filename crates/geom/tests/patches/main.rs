//! Bézier patches, NURBS, S-patches and their nets against polynomials, spheres, tori, differences and one another.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(test)]
mod bezier;
#[cfg(test)]
mod net;
#[cfg(test)]
mod nurbs;
#[cfg(test)]
#[path = "../conformance/sample.rs"]
mod sample;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod spatch;
