//! The load of a law in one coordinate: a length, an angle, whatever two bodies have between them.
//!
//! A coordinate u(poses) with du = g·δ, u̇ = g·V and dg = H δ, for δ = (dx_A, θ_A, dx_B, θ_B) and V = (v_A, ω_A, v_B,
//! ω_B) in world axes. A tension T(u, u̇) works against the growth of u: Q = −T g, with the derivatives
//!
//!   by pose  −g (T_u g + T_v Hᵀ V)ᵀ − T H,     by twist  −T_v g gᵀ
//!
//! | symbol | field | unit |
//! |---|---|---|
//! | g, H | `gradient`, `turning` | 1 and m, 1/m and 1 |
//! | T, T_u, T_v | `Tension` | N or N m, and per unit of u and of u̇ |

use crate::body::Motion;
use crate::load::LoadTangent;
use crate::model::BodyId;
use rattleback_geom::nalgebra::{SMatrix, SVector};

/// A tension with its derivatives by the coordinate and by its rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tension {
    pub(super) value: f64,
    pub(super) by_coordinate: f64,
    pub(super) by_rate: f64,
}

impl Tension {
    /// Of a line that hangs loose.
    pub(super) const SLACK: Self = Self { value: 0.0, by_coordinate: 0.0, by_rate: 0.0 };
}

/// (v_A, ω_A, v_B, ω_B) in world axes.
pub(super) fn twists(bodies: [BodyId; 2], motions: &[Motion]) -> SVector<f64, 12> {
    let mut twists = SVector::<f64, 12>::zeros();
    for (side, body) in bodies.iter().enumerate() {
        let twist = motions[body.0].twist();
        twists.fixed_rows_mut::<3>(6 * side).copy_from(&twist.velocity);
        twists.fixed_rows_mut::<3>(6 * side + 3).copy_from(&twist.angular_velocity);
    }
    twists
}

/// The derivatives of −T g.
pub(super) fn tangent(
    tension: &Tension,
    gradient: &SVector<f64, 12>,
    turning: &SMatrix<f64, 12, 12>,
    twists: &SVector<f64, 12>,
) -> Box<LoadTangent> {
    let along = gradient * tension.by_coordinate + turning.transpose() * twists * tension.by_rate;
    Box::new(LoadTangent {
        by_pose: -(gradient * along.transpose()) - turning * tension.value,
        by_twist: gradient * gradient.transpose() * -tension.by_rate,
    })
}
