//! Places where surfaces come near each other, against closed forms, the narrow phase and brute force.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod brute;
mod convex;
mod loops;
mod meshes;
mod quads;
mod random;
mod ring;
