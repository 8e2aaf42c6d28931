//! The narrow phase: two bodies, one answer.

mod check;
mod damped;
pub mod lopes;
pub mod pair;
pub mod parametric;
pub mod roemer;
mod second_order;
mod starts;

use rattleback_geom::Vec3;

/// A common normal of two surfaces, in world axes: what every solver returns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solution {
    /// Signed gap (q − p)·n in m.
    pub gap: f64,
    /// Unit normal from A to B.
    pub normal: Vec3,
    /// The point p of A.
    pub point_a: Vec3,
    /// The point q of B.
    pub point_b: Vec3,
    /// Evaluations of both surfaces.
    pub iterations: u32,
    /// How far the common-normal conditions are from holding, in m: the length of the part of q − p across n, or
    /// what the solver's own equations leave if that is more.
    pub residual: f64,
}
