//! Subdivision surfaces: smooth limits of control meshes, evaluated exactly at any parameters.
//!
//! | file | holds |
//! |---|---|
//! | [`loop_surface`] | Loop's surface over a closed triangle mesh: points, derivatives, neighbours |
//! | `loop_atlas` | the same by charts |
//! | `loop_pieces` | its quartics, made once |
//! | `loop_bound` | bounds of their third derivatives |
//! | `loop_matrix` | one step of Loop's rules about a vertex of any valence, its eigenvectors |
//! | `box_spline` | the regular patch: a quartic over twelve control points |
//! | `mesh` | the control net and its refinement |
//! | [`catmull_clark`] | Catmull and Clark's surface over a closed mesh of polygons: points, derivatives, neighbours |
//! | `catmull_clark_atlas` | the same by charts |
//! | `catmull_clark_matrix` | one step of their rules about a vertex of any valence, its eigenvectors |
//! | `bicubic` | the regular patch: a bicubic over sixteen control points |
//! | `catmull_clark_bound` | bounds of their third derivatives |
//! | `vertex` | what is proved about an extraordinary vertex |
//! | `enclosure` | what is proved over a cell |
//! | `quad` | the unit square with its sides |
//! | `polygon_net` | the control net of polygons and its refinement |

mod bicubic;
mod box_spline;
pub mod catmull_clark;
mod catmull_clark_atlas;
mod catmull_clark_bound;
mod catmull_clark_matrix;
mod enclosure;
mod loop_atlas;
mod loop_bound;
mod loop_matrix;
mod loop_pieces;
pub mod loop_surface;
mod mesh;
mod polygon_net;
#[cfg(test)]
mod polygon_samples;
mod quad;
#[cfg(test)]
mod samples;
mod vertex;

pub use catmull_clark::CatmullClarkSurface;
pub use loop_surface::{Crossing, Limit, LoopSurface};
pub use quad::QuadCrossing;
