//! Regions of meshes against closed forms, against brute force and in the hard positions.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod boxes;
mod continuous;
mod convex;
mod degenerate;
mod plane;
mod random;
mod samples;
mod several;
mod spheres;
