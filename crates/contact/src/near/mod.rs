//! All places where two smooth surfaces come near each other, found on the surfaces themselves.
//!
//! Bodies given by charts ([`Atlas`]) need not be convex: a ring and a rod may have two nearest places at once, a bowl
//! on a table more. What Kry and Pai (2002, section 3.7) leave to a polyhedral library is done here without polyhedra:
//!
//! 1. [`ChartTree`] covers a surface by small triangles of parameters, each within a sphere, its normals within a cone.
//! 2. [`near`] walks two trees at once, drops what is too far apart or faces elsewhere, and hands what is left to
//! 3. [`refine`], Newton's method on the exact surfaces, which ends in a common normal.
//! 4. [`distance_bound`] bounds the distance from below, for bodies in flight.
//!
//! With the outer unit normals n_A, n_B, points p_A, p_B and d = p_B − p_A, a common normal is d ∥ n_A = −n_B, and the
//! gap is g = d·n_A, negative under overlap. With the shape operators S_A, S_B (outer normals, convex positive) it is a
//! minimum where the surface of A, moved out by g, touches B from outside:
//!
//! 1 + g S_A ≻ 0, 1 + g S_B ≻ 0, W = S_B + S_A (1 + g S_A)⁻¹ ≻ 0.
//!
//! For g > 0 that is a minimum of the distance of points; at g = 0 it is the relative curvature S_A + S_B of two bodies
//! that touch without cutting into each other; for g < 0 it goes on from there. Nothing changes form at g = 0.
//!
//! Overlap is seen on the surfaces alone. A `reach` larger than the bodies are thick also finds
//! backs that face away from each other, as if they overlapped.

mod distance;
mod frame;
mod inside;
mod newton;
mod osculation;
mod piece;
mod refine;
mod search;
#[cfg(test)]
mod tests;
mod tree;

pub use distance::distance_bound;
pub use refine::refine;
pub use search::near;
pub use tree::ChartTree;

use rattleback_geom::Vec3;
use rattleback_geom::chart::{Atlas, Place};
use rattleback_geom::surface::Plane;

/// One of the two surfaces of a question.
#[derive(Debug, Clone, Copy)]
pub enum Side<'a> {
    /// A surface by charts.
    Charted {
        /// Its tree.
        tree: &'a ChartTree,
        /// The surface of which the tree was made.
        atlas: &'a dyn Atlas,
    },
    /// A half-space.
    Plane(&'a Plane),
}

/// A common normal of two surfaces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    /// The places on A and B; that of a plane has u and v along the tangents of its normal.
    pub places: [Place; 2],
    /// The points on A and B in the world.
    pub points: [Vec3; 2],
    /// The outer unit normal of A in the world, from A to B.
    pub normal: Vec3,
    /// (p_B − p_A)·n in m, negative under overlap.
    pub gap: f64,
    /// Whether the gap is least here.
    pub kind: Kind,
    /// What is left of the equations, in m: the offset across the normal and the turn of the normals times the size.
    pub residual: f64,
}

/// How the gap behaves around a common normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// It grows in all directions.
    Minimum,
    /// It grows, but for directions in which it stays the same to second order: a touch along a line or of higher
    /// order.
    Flat,
    /// It falls in some direction, or a centre of curvature lies between the points.
    Saddle,
}

/// What [`near`] and [`distance_bound`] write on, kept between calls so that they need no new memory.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    search: search::Scratch,
    distance: distance::Scratch,
}

impl Workspace {
    /// An empty one.
    pub fn new() -> Self {
        Self::default()
    }
}
