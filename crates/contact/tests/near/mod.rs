//! Places where surfaces come near each other, against closed forms, the narrow phase and brute force.

mod brute;
mod convex;
mod loops;
mod meshes;
mod quads;
pub mod random;
mod ring;
