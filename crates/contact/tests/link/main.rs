//! Chain links against triangles, meshes and half-spaces.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod continuity;
mod deepest;
mod distance;
mod lying;
mod meshes;
mod programs;
#[path = "../near/random.rs"]
mod random;
mod reference;
