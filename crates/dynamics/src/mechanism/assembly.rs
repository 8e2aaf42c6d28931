//! By how much the assembly of a mechanism moves its bodies, and when that is more than rounding of what was written.
//!
//! | symbol | here | unit |
//! |---|---|---|
//! | L | the longest arm of a joint about a mass centre; 1 where there is none | m |
//! | d, θ | `distance`, `angle` of the body that is moved most, by d + Lθ | m, rad |
//! | Δv, Δω | the same of velocities, of bodies that move at the start | m/s, rad/s |
//!
//! Bodies are where they were said to be if d + Lθ ≤ [`SMALL`] L, and move as was said if Δv + LΔω ≤ [`SMALL`] (v +
//! Lω). Bodies at rest say nothing of their velocities: motors and joints give them.

use crate::body::Motion;
use crate::error::{DynamicsError, Result};
use crate::joint::JointId;
use crate::model::{BodyId, Model};
use rattleback_geom::Vec3;

/// What rounding of four digits in a scene comes to.
pub const SMALL: f64 = 1e-3;

/// What assembly changed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Assembly {
    /// The joint that was open the farthest, and by how much, in m or rad.
    pub open: Option<(JointId, f64)>,
    /// The body that was moved the farthest, in m and rad.
    pub moved: Option<BodyChange>,
    /// Of the bodies that moved at the start, the one whose velocity changed the most, in m/s and rad/s.
    pub sped: Option<BodyChange>,
    /// L.
    arm: f64,
}

/// A change of a body's pose, or of its velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyChange {
    /// Which body.
    pub body: BodyId,
    /// In m or m/s.
    pub distance: f64,
    /// In rad or rad/s.
    pub angle: f64,
    /// As a share of what it is held against.
    pub share: f64,
}

impl Assembly {
    pub(super) fn new(model: &Model, open: Option<(JointId, f64)>, [before, after]: [&[Motion]; 2]) -> Self {
        let arms = model.joints().iter().flat_map(|joint| [joint.a.pose.position, joint.b.pose.position]);
        let arm =
            Some(arms.map(|arm| arm.norm()).fold(0.0, f64::max)).filter(|arm| *arm > 0.0).unwrap_or(1.0);
        let (mut moved, mut sped) = (None, None);
        for (i, (was, is)) in
            before.iter().zip(after).enumerate().filter(|(i, _)| model.bodies()[*i].is_free())
        {
            let body = BodyId(i);
            let turned = was.pose.orientation.angle_to(&is.pose.orientation);
            keep(&mut moved, arm, arm, (body, (is.pose.position - was.pose.position).norm(), turned));
            let speed = was.velocity.norm() + arm * was.angular_velocity_body.norm();
            if speed > 0.0 {
                let turning = |motion: &Motion| motion.pose.vector_to_world(&motion.angular_velocity_body);
                let change = (is.velocity - was.velocity).norm();
                keep(&mut sped, arm, speed, (body, change, (turning(is) - turning(was)).norm()));
            }
        }
        Self { open, moved, sped, arm }
    }

    /// An error where bodies are not where, or do not move as, they were said to.
    pub(super) fn check(&self, model: &Model, after: &[Motion]) -> Result<()> {
        if let Some(moved) = self.moved.filter(|moved| moved.share > SMALL) {
            let body = model.body(moved.body).name.clone();
            let (joint, open) = self.open.unwrap_or((JointId(0), 0.0));
            let joint = model.joints().get(joint.0).map_or_else(String::new, |joint| joint.name.clone());
            return Err(DynamicsError::JointOpen {
                joint,
                open,
                body,
                distance: moved.distance,
                angle: moved.angle,
            });
        }
        if let Some(sped) = self.sped.filter(|sped| sped.share > SMALL) {
            let motion = &after[sped.body.0];
            let fitting = [motion.velocity, motion.pose.vector_to_world(&motion.angular_velocity_body)];
            let [velocity, angular_velocity] = fitting.map(rounded);
            let body = model.body(sped.body).name.clone();
            return Err(DynamicsError::VelocityContradicts { body, velocity, angular_velocity });
        }
        Ok(())
    }

    /// Whether anything changed by more than rounding.
    pub fn is_noticeable(&self) -> bool {
        [self.moved, self.sped].into_iter().flatten().any(|change| change.share > 1e-9)
    }
}

/// Keeps the greatest change.
fn keep(most: &mut Option<BodyChange>, arm: f64, whole: f64, (body, distance, angle): (BodyId, f64, f64)) {
    let share = (distance + arm * angle) / whole;
    if most.is_none_or(|most| share > most.share) {
        *most = Some(BodyChange { body, distance, angle, share });
    }
}

/// Numbers to be read: what is rounding of zero is zero.
fn rounded(v: Vec3) -> [f64; 3] {
    let digits = 1e-6 * v.amax().max(f64::MIN_POSITIVE);
    v.map(|x| (x / digits).round() * digits).into()
}
