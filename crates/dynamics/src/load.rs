//! A load: what a force does to one body or to two, and how that changes.
//!
//! Everything that acts on bodies, an applied force as well as a contact, says it in the same words: wrenches about the
//! mass centres in world axes, Q = (f_A, τ_A, f_B, τ_B), and their exact derivatives with respect to both poses (dx and
//! a small rotation in world axes) and both twists (velocity of the mass centre and angular velocity in world axes).
//! Each formulation maps that to its own coordinates in one place.

use crate::model::BodyId;
use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::{SMatrix, SVector};

/// Wrenches on one or two bodies.
#[derive(Debug, Clone, PartialEq)]
pub struct Load {
    /// The bodies; the second is absent where a force acts against the world.
    pub bodies: [Option<BodyId>; 2],
    /// (f_A, τ_A, f_B, τ_B), in N and N m.
    pub wrench: SVector<f64, 12>,
    /// The derivatives, where they were asked for.
    pub tangent: Option<Box<LoadTangent>>,
    /// The potential energy behind the load, in J.
    pub stored: f64,
    /// The power that it dissipates, in W; negative where it feeds the bodies.
    pub dissipated: f64,
}

/// Derivatives of a load's wrenches.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadTangent {
    /// By poses.
    pub by_pose: SMatrix<f64, 12, 12>,
    /// By twists.
    pub by_twist: SMatrix<f64, 12, 12>,
}

impl Load {
    /// Force and torque about the mass centre on the body `side`, 0 or 1.
    pub fn on(&self, side: usize) -> [Vec3; 2] {
        [0, 3].map(|at| self.wrench.fixed_rows::<3>(6 * side + at).into())
    }
}
