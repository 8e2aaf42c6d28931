//! What a region exerted at one end of a step, and its work in the steps on both sides of it.
//!
//! The trapezoidal rule gives the bodies the kinetic energy ½ (Q₀ + Q₁)·Δq in a step, Q₀ and Q₁ the forces at its ends
//! as the accelerations there have them. Regions are found anew for every step, with other points, shares and normals:
//! Q₀ is the force of the regions that the step before it ended with. So each force is kept until the end of the next
//! step and does half of its work on either side. With N n and f the force on B at the material points that were at c,
//! T the free torque, Δx = Δx_B − Δx_A the way of those points and Δθ that of the angles:
//!
//!   taken = −½ (N n + f)·Δx − ½ T·Δθ
//!   normal part = ΔS + damped − stiffness_change,   the rest = Δ(bristle) + friction_loss                   (`Ledger`)
//!
//! With the couple N c of a region with a potential its normal part has −½ N c·Δθ too. Where the energy S of the
//! region is the potential of the elastic part Nₑ of its force, `damped` is the work of N − Nₑ; that of Nₑ and ΔS
//! differ by what the rule errs by, which is left to the drift of the total energy. Elsewhere `damped` is ½ h P of the
//! law's own power P at either end, and what is left of the normal part is booked as `stiffness_change`: the change of
//! the region and what the rule errs by.

use super::trial_contact::{StepContact, taken};
use crate::body::Motion;
use crate::contact_set::ActiveContact;
use crate::model::{Model, PairId};
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
    /// The free torque on it of friction and resistance, in N m.
    pub torque: Vec3,
    /// That of the normal force.
    #[serde(default)]
    pub couple: Vec3,
    /// Whether its elastic part is the gradient of what the region stores.
    #[serde(default)]
    pub has_potential: bool,
    /// The elastic part of normal force and couple.
    #[serde(default)]
    pub elastic: [Vec3; 2],
    /// The power that the normal law damps, in W.
    pub damped: f64,
    /// The power that prescribed bodies take, in W.
    pub taken: f64,
}

impl RegionForce {
    pub(super) fn new(
        model: &Model,
        motions: &[Motion],
        step_contact: &StepContact,
        found: &ActiveContact,
    ) -> Self {
        let StepContact { id, ref pair, has_potential, .. } = *step_contact;
        let (couple, depth) = (found.couple * found.force.normal, -found.touch.gap);
        // K δⁿ of what it stores, K δⁿ⁺¹/(n + 1).
        let elastic = match depth > 0.0 {
            true => found.force.elastic * (pair.law.exponent() + 1.0) / depth,
            false => 0.0,
        };
        let local = |body: crate::model::BodyId| motions[body.0].pose.point_to_local(&found.force.point);
        Self {
            id,
            points: [local(pair.a.body), local(pair.b.body)],
            normal: found.force.force - found.force.friction,
            friction: found.force.friction,
            torque: found.force.torque - couple,
            couple,
            has_potential,
            elastic: [found.touch.normal, found.couple].map(|of| of * elastic),
            damped: found.powers.damped,
            taken: taken(model, motions, pair, found),
        }
    }

    /// Books the half of a step of `h` seconds between two places of all bodies; `by_path` where what the region
    /// stores is not the same potential at both.
    pub(super) fn book(
        &self,
        ledger: &mut Ledger,
        [from, to]: [&dyn Fn(usize) -> Pose; 2],
        h: f64,
        by_path: bool,
    ) {
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
        let turned = match self.torque != Vec3::zeros() || self.couple != Vec3::zeros() {
            true => turn(1) - turn(0),
            false => Vec3::zeros(),
        };
        let work = |force: &Vec3, couple: &Vec3| -0.5 * (force.dot(&way) + couple.dot(&turned));
        let normal = work(&self.normal, &self.couple);
        let across = work(&self.friction, &self.torque);
        if by_path {
            let damped = 0.5 * h * self.damped;
            ledger.damped += damped;
            ledger.stiffness_change += damped - normal;
        } else {
            ledger.damped += normal - work(&self.elastic[0], &self.elastic[1]);
        }
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
            couple: Vec3::z() * -0.4,
            has_potential: false,
            elastic: [Vec3::z() * 4.0, Vec3::z() * -0.3],
            damped: 4.0,
            taken: 0.0,
        };
        let from = |_: usize| Pose::identity();
        let to = |body: usize| match body {
            0 => Pose::identity(),
            _ => Pose::new(Vec3::new(0.01, 0.0, -0.02), UnitQuaternion::from_scaled_axis(Vec3::z() * 0.1)),
        };
        let mut ledger = Ledger::default();
        force.book(&mut ledger, [&from, &to], 0.5, true);
        // −½ (5·(−0.02)) = 0.05 J along the normal, ½·2·0.01 − ½·0.3·0.1 across it, ½·0.5·4 = 1 J damped.
        assert!((ledger.damped - 1.0).abs() < 1e-15);
        assert!((ledger.friction_loss - (0.01 - 0.015)).abs() < 1e-15);
        // The couple takes ½·0.4·0.1 J along the normal.
        assert!((ledger.taken() - (0.05 - 0.005 + 0.02)).abs() < 1e-15, "{ledger:?}");
        // Of the same potential at both ends: 1 N and −0.1 N m of it damp.
        let mut ledger = Ledger::default();
        force.book(&mut ledger, [&from, &to], 0.5, false);
        assert!((ledger.damped - (0.01 + 0.005)).abs() < 1e-15 && ledger.stiffness_change == 0.0);
    }
}
