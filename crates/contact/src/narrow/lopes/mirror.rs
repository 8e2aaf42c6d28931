//! The paper's choice among mirror solutions, Lopes (21–24), and its contact states, Table 2.
//!
//! With q₁ of A and q₂ of B, q₃ = −q₁ and q₄ = −q₂ in the bodies' own frames, the four pairs are weighed by
//! f = sign(n·(q_n − q_m)) ∣q_n − q_m∣, n the outer normal of A at q₁, and the least is taken.
//!
//! This is the paper's method, offered for comparison. Mirrored points solve the equations only for spheres and for
//! aligned bodies, and where the iteration stopped on the far side of A every f is negative: the least then reports
//! an overlap of separate bodies.

use super::CommonNormal;
use super::system::halves;
use rattleback_geom::{Pose, Vec3};

/// The contact states of Table 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactState {
    /// d > 0.
    Apart,
    /// d = 0.
    Touching,
    /// d < 0.
    Overlapping,
}

impl ContactState {
    /// The state of a signed distance, zero being known to ± `tolerance`, both in m. None for NaN.
    pub fn of(distance: f64, tolerance: f64) -> Option<Self> {
        if distance.is_nan() || !(tolerance >= 0.0) {
            None
        } else if distance > tolerance {
            Some(Self::Apart)
        } else if distance < -tolerance {
            Some(Self::Overlapping)
        } else {
            Some(Self::Touching)
        }
    }
}

/// What [`mirrors`] returns: the pairs in the order (q₁,q₂), (q₁,q₄), (q₃,q₂), (q₃,q₄).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mirrors {
    /// The points in world axes.
    pub pairs: [[Vec3; 2]; 4],
    /// f of (24b) for each pair, in m.
    pub distances: [f64; 4],
    /// The index of the least f (24a).
    pub least: usize,
}

/// The four pairs of (22) and the one that (24) takes.
pub fn mirrors(found: &CommonNormal, pose_a: &Pose, pose_b: &Pose) -> Mirrors {
    let (s_a, s_b) = halves(&found.unknowns);
    let on_a = [pose_a.point_to_world(&s_a), pose_a.point_to_world(&-s_a)];
    let on_b = [pose_b.point_to_world(&s_b), pose_b.point_to_world(&-s_b)];
    let pairs = [[on_a[0], on_b[0]], [on_a[0], on_b[1]], [on_a[1], on_b[0]], [on_a[1], on_b[1]]];
    let distances = pairs.map(|[p, q]| {
        let d = q - p;
        d.norm().copysign(found.solution.normal.dot(&d))
    });
    let least = (1..4).fold(0, |best, i| if distances[i] < distances[best] { i } else { best });
    Mirrors { pairs, distances, least }
}
