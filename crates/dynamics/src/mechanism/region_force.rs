//! What a region exerted at one end of a step, and its work in the steps on both sides of it.
//!
//! The trapezoidal rule gives the bodies the kinetic energy ½ (Q₀ + Q₁)·Δq in a step, Q₀ and Q₁ the forces at its ends as the
//! accelerations there have them. Regions are found anew for every step, with other points, shares and normals: Q₀ is the
//! force of the regions that the step before it ended with. So each force is kept until the end of the next step and does
//! half of its work on either side. With N n and f the force on B at the material points that were at c, T the free torque,
//! Δx = Δx_B − Δx_A the way of those points and Δθ that of the angles:
//!
//!   taken = −½ (N n + f)·Δx − ½ T·Δθ
//!   normal part = ΔS + damped − stiffness_change,   the rest = Δ(bristle) + friction_loss                   (`Ledger`)
//!
//! `damped` is ½ h P of the law's own power P at either end; what is then left of the normal part is the change of the
//! region, booked as `stiffness_change`, with what the rule errs by.

use crate::body::Motion;
use crate::contact_set::ActiveContact;
use crate::model::{Model, PairId, PartPair};
use rattleback_contact::Ledger;
use rattleback_geom::{Pose, Vec3};

/// The force of a region at the end of a step.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct RegionForce {
    /// The region.
    pub id: PairId,
    /// Where it acts, in the frames of both bodies, in m.
    pub points: [Vec3; 2],
    /// The normal force on the second body in world axes, in N.
    pub normal: Vec3,
    /// The friction on it, in N.
    pub friction: Vec3,
    /// The free torque on it, in N m.
    pub torque: Vec3,
    /// The power that the normal law damps, in W.
    pub damped: f64,
    /// The power that prescribed bodies take, in W.
    pub taken: f64,
}

impl RegionForce {
    pub(super) fn new(
        model: &Model,
        motions: &[Motion],
        pair: &PartPair,
        id: PairId,
        found: &ActiveContact,
    ) -> Self {
        let local = |body: crate::model::BodyId| motions[body.0].pose.point_to_local(&found.force.point);
        Self {
            id,
            points: [local(pair.a.body), local(pair.b.body)],
            normal: found.force.force - found.force.friction,
            friction: found.force.friction,
            torque: found.force.torque,
            damped: found.powers.damped,
            taken: super::trial_contact::taken(model, motions, pair, found),
        }
    }

    /// Books the half of a step of `h` seconds between two places of all bodies.
    pub(super) fn book(&self, ledger: &mut Ledger, [from, to]: [&dyn Fn(usize) -> Pose; 2], h: f64) {
        let ways = [self.id.a.body.0, self.id.b.body.0].map(|body| (from(body), to(body)));
        let way = |side: usize| {
            let (from, to) = &ways[side];
            to.point_to_world(&self.points[side]) - from.point_to_world(&self.points[side])
        };
        let turn = |side: usize| {
            let (from, to) = &ways[side];
            (to.orientation * from.orientation.inverse()).scaled_axis()
        };
        let way = way(1) - way(0);
        let normal = -0.5 * self.normal.dot(&way);
        let mut across = -0.5 * self.friction.dot(&way);
        if self.torque != Vec3::zeros() {
            across -= 0.5 * self.torque.dot(&(turn(1) - turn(0)));
        }
        let damped = 0.5 * h * self.damped;
        ledger.damped += damped;
        ledger.stiffness_change += damped - normal;
        ledger.friction_loss += across;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BodyId, PartId};
    use rattleback_geom::nalgebra::UnitQuaternion;

    #[test]
    fn half_of_the_work_is_booked_and_the_books_have_all_of_it() {
        let id = PairId::new(PartId::new(BodyId(0), 0), PartId::new(BodyId(1), 0), 0);
        let force = RegionForce {
            id,
            points: [Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.0, 0.0, -0.2)],
            normal: Vec3::z() * 5.0,
            friction: Vec3::x() * -2.0,
            torque: Vec3::z() * 0.3,
            damped: 4.0,
            taken: 0.0,
        };
        let from = |_: usize| Pose::identity();
        let to = |body: usize| match body {
            0 => Pose::identity(),
            _ => Pose::new(Vec3::new(0.01, 0.0, -0.02), UnitQuaternion::from_scaled_axis(Vec3::z() * 0.1)),
        };
        let mut ledger = Ledger::default();
        force.book(&mut ledger, [&from, &to], 0.5);
        // −½ (5·(−0.02)) = 0.05 J along the normal, ½·2·0.01 − ½·0.3·0.1 across it, ½·0.5·4 = 1 J damped.
        assert!((ledger.damped - 1.0).abs() < 1e-15);
        assert!((ledger.friction_loss - (0.01 - 0.015)).abs() < 1e-15);
        assert!((ledger.taken() - (0.05 - 0.005)).abs() < 1e-15, "{ledger:?}");
    }
}
