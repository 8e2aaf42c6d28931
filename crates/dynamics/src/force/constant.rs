//! A force at a point of a body and a torque on it, constant in world axes or in the body's own.
//!
//! World axes: f = F, τ = Rs × F + T. Body axes: f = R F, τ = R(s × F + T). With a small rotation θ of the body,
//! d(Rs) = θ × Rs and d(R F) = θ × RF. A force in world axes has the potential −F·(x + Rs); the others have none.
//!
//! | symbol | field | unit |
//! |---|---|---|
//! | s | `point`, body frame | m |
//! | F, T | `force`, `torque` | N, N m |

use super::refuse_missing;
use crate::body::Motion;
use crate::error::{DynamicsError, Result};
use crate::load::{Load, LoadTangent};
use crate::model::{BodyId, BodyModel};
use rattleback_geom::nalgebra::{SMatrix, SVector};
use rattleback_geom::{Mat3, Vec3};

/// The axes in which a vector stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axes {
    /// The world's.
    World,
    /// The body's.
    Body,
}

/// A constant force and torque.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Constant {
    /// The body.
    pub body: BodyId,
    /// Where the force acts, in the body's frame.
    pub point: Vec3,
    /// The force.
    pub force: Vec3,
    /// The torque.
    pub torque: Vec3,
    /// In which axes both are constant.
    pub axes: Axes,
}

impl Constant {
    pub(super) fn load(&self, motions: &[Motion], tangent: bool) -> Load {
        let motion = &motions[self.body.0];
        let r = motion.pose.rotation();
        let arm = r * self.point;
        let (force, torque) = match self.axes {
            Axes::World => (self.force, self.torque),
            Axes::Body => (r * self.force, r * self.torque),
        };
        let mut wrench = SVector::<f64, 12>::zeros();
        let whole = arm.cross(&force) + torque;
        wrench.fixed_rows_mut::<3>(0).copy_from(&force);
        wrench.fixed_rows_mut::<3>(3).copy_from(&whole);
        let stored = match self.axes {
            Axes::World => -force.dot(&(motion.pose.position + arm)),
            Axes::Body => 0.0,
        };
        // What is not the change of a potential feeds or drains the body.
        let angular_velocity = motion.pose.vector_to_world(&motion.angular_velocity_body);
        let power = match self.axes {
            Axes::World => torque.dot(&angular_velocity),
            Axes::Body => force.dot(&motion.velocity) + whole.dot(&angular_velocity),
        };
        let tangent = tangent.then(|| {
            let mut by_pose = SMatrix::<f64, 12, 12>::zeros();
            // θ ↦ θ × v is −[v]×; of the torque d(a × F) = (θ × a) × F in world axes, θ × τ in the body's.
            let (turn_force, turn_torque) = match self.axes {
                Axes::World => (Mat3::zeros(), force.cross_matrix() * arm.cross_matrix()),
                Axes::Body => (-force.cross_matrix(), -whole.cross_matrix()),
            };
            by_pose.fixed_view_mut::<3, 3>(0, 3).copy_from(&turn_force);
            by_pose.fixed_view_mut::<3, 3>(3, 3).copy_from(&turn_torque);
            Box::new(LoadTangent { by_pose, by_twist: SMatrix::zeros() })
        });
        Load { bodies: [Some(self.body), None], wrench, tangent, stored, dissipated: -power }
    }

    pub(super) fn check(&self, bodies: &[BodyModel]) -> Result<()> {
        refuse_missing("a constant force", self.body, bodies)?;
        for (field, v) in [("point", self.point), ("force", self.force), ("torque", self.torque)] {
            if let Some(value) = v.iter().copied().find(|x| !x.is_finite()) {
                let field = format!("{field} of a constant force on body {}", bodies[self.body.0].name);
                return Err(DynamicsError::OutOfRange { field, value, allowed: "finite" });
            }
        }
        Ok(())
    }
}
