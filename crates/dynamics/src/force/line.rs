//! A straight line between a point of body A and a point of body B, and the tension in it.
//!
//! With r = R s, d = x_B + r_B − x_A − r_A, L = ∣d∣, e = d/L and V = (v_A, ω_A, v_B, ω_B) in world axes:
//!
//!   dd = D δ,   D = (−1, [r_A]×, 1, −[r_B]×)     δ = (dx_A, θ_A, dx_B, θ_B)
//!   dL = g·δ,   L̇ = g·V,   g = Dᵀe = (−e, −r_A × e, e, r_B × e)
//!   dg = H δ,   H = Dᵀ(1 − eeᵀ)D/L + diag(0, −[e]×[r_A]×, 0, [e]×[r_B]×)
//!
//! A tension T(L, L̇) pulls both ends together: Q = −T g, with the derivatives of `coordinate.rs`.
//!
//! | symbol | field | unit |
//! |---|---|---|
//! | s | `End::point`, body frame | m |
//! | L, L̇ | `length`, `rate` | m, m/s |
//!
//! A line without length has no direction. Where L is not above the rounding of d, 8ε (∣x_A∣ + ∣r_A∣ + ∣x_B∣ + ∣r_B∣),
//! no force acts and L̇ counts as zero. The one derivative that exists there is that of a spring without length at
//! rest, Q = −k Dᵀd, by pose −k DᵀD: `Line::collapsed`.

use super::coordinate::{self, Tension, twists};
use super::refuse_missing;
use crate::body::Motion;
use crate::error::{DynamicsError, Result, finite};
use crate::load::{Load, LoadTangent};
use crate::model::{BodyId, BodyModel};
use rattleback_geom::nalgebra::{SMatrix, SVector};
use rattleback_geom::{Mat3, Vec3};

/// Where a line ends: a point of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct End {
    /// The body; a fixed one for a point of the world.
    pub body: BodyId,
    /// The point in the body's frame.
    pub point: Vec3,
}

/// A line at an instant.
#[derive(Debug, Clone)]
pub(super) struct Line {
    bodies: [BodyId; 2],
    arms: [Vec3; 2],
    twist: SVector<f64, 12>,
    direction: Option<Vec3>,
    pub(super) length: f64,
    pub(super) rate: f64,
}

impl Line {
    pub(super) fn new(ends: [&End; 2], motions: &[Motion]) -> Self {
        let [a, b] = ends.map(|end| &motions[end.body.0]);
        let arms = [a.pose.vector_to_world(&ends[0].point), b.pose.vector_to_world(&ends[1].point)];
        let apart = (b.pose.position - a.pose.position) + (arms[1] - arms[0]);
        let size = a.pose.position.norm() + b.pose.position.norm() + arms[0].norm() + arms[1].norm();
        let length = apart.norm();
        let direction = (length > 8.0 * f64::EPSILON * size).then(|| apart / length);
        let (on_a, on_b) = (a.twist(), b.twist());
        let rate = direction.map_or(0.0, |e| e.dot(&(on_b.at(&arms[1]) - on_a.at(&arms[0]))));
        let bodies = ends.map(|end| end.body);
        let twist = twists(bodies, motions);
        Self { bodies, arms, twist, direction, length, rate }
    }

    /// The load of a tension. A line without direction gets none; `collapsed` is the stiffness of its derivative there.
    pub(super) fn load(
        &self,
        tension: Tension,
        collapsed: f64,
        tangent: bool,
        stored: f64,
        dissipated: f64,
    ) -> Load {
        let bodies = self.bodies.map(Some);
        let change = self.change();
        let Some(e) = self.direction else {
            let tangent = tangent.then(|| {
                let by_pose = change.transpose() * change * -collapsed;
                Box::new(LoadTangent { by_pose, by_twist: SMatrix::zeros() })
            });
            return Load { bodies, wrench: SVector::zeros(), tangent, stored, dissipated };
        };
        let gradient = change.transpose() * e;
        let tangent = tangent.then(|| {
            let across = (Mat3::identity() - e * e.transpose()) / self.length;
            let mut turning = change.transpose() * across * change;
            for (arm, at, sign) in [(self.arms[0], 3, -1.0), (self.arms[1], 9, 1.0)] {
                let mut block = turning.fixed_view_mut::<3, 3>(at, at);
                block += e.cross_matrix() * arm.cross_matrix() * sign;
            }
            coordinate::tangent(&tension, &gradient, &turning, &self.twist)
        });
        Load { bodies, wrench: gradient * -tension.value, tangent, stored, dissipated }
    }

    /// D, the change of the vector between both ends with the poses.
    fn change(&self) -> SMatrix<f64, 3, 12> {
        let mut change = SMatrix::<f64, 3, 12>::zeros();
        change.fixed_view_mut::<3, 3>(0, 0).copy_from(&-Mat3::identity());
        change.fixed_view_mut::<3, 3>(0, 3).copy_from(&self.arms[0].cross_matrix());
        change.fixed_view_mut::<3, 3>(0, 6).copy_from(&Mat3::identity());
        change.fixed_view_mut::<3, 3>(0, 9).copy_from(&-self.arms[1].cross_matrix());
        change
    }
}

/// Whether both ends are on bodies that exist and differ, at points that are numbers.
pub(super) fn check_ends(what: &str, ends: [&End; 2], bodies: &[BodyModel]) -> Result<()> {
    for (name, end) in ["a", "b"].iter().zip(ends) {
        refuse_missing(what, end.body, bodies)?;
        for (k, x) in end.point.iter().enumerate() {
            finite(&format!("{name}.point[{k}] of {what}"), *x)?;
        }
    }
    if ends[0].body == ends[1].body {
        let reason = format!("both ends are on body {}", bodies[ends[0].body.0].name);
        return Err(DynamicsError::Invalid { what: what.to_owned(), reason });
    }
    Ok(())
}
