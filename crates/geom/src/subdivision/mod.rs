//! Subdivision surfaces: smooth limits of control meshes, evaluated exactly at any parameters.
//!
//! | file | holds |
//! |---|---|
//! | [`loop_surface`] | Loop's surface over a closed triangle mesh: points, derivatives, neighbours |
//! | `loop_atlas` | the same by charts |
//! | `loop_pieces` | its quartics, made once |
//! | `loop_matrix` | one step of Loop's rules about a vertex of any valence, its eigenvectors |
//! | `box_spline` | the regular patch: a quartic over twelve control points |
//! | `mesh` | the control net and its refinement |

mod box_spline;
mod loop_atlas;
mod loop_matrix;
mod loop_pieces;
pub mod loop_surface;
mod mesh;
#[cfg(test)]
mod samples;

pub use loop_surface::{Crossing, Limit, LoopSurface};
