//! Chain links against triangles, meshes and half-spaces.

mod continuity;
mod deepest;
mod distance;
mod lying;
mod meshes;
mod programs;
mod reference;
