//! A contact as a joint of the tree: the directions of its velocities, what friction makes of its force, and the part
//! of the acceleration that is known. The formulas are at the top of `assembly.rs`.

use super::assembly::{Assembly, ContactKinematics};
use super::modes::shared_lever;
use super::rigid_contact::{Mode, RigidContact};
use super::tree::{ContactJoint, Vec6, join};
use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::{SMatrix, SVector, Vector2};

impl Assembly<'_> {
    /// A rigid contact as a joint of the tree.
    pub(super) fn joint(&self, body: usize, rigid_contact: &RigidContact) -> ContactJoint {
        let Some(touching) = &self.touching[body] else { unreachable!("a seat has been placed before") };
        let ([r_a, _], f) = (&touching.arms, &touching.axes);
        let (motion, carrier) = (&self.motions[body], &self.motions[rigid_contact.carrier.body.0]);
        let held = rigid_contact.mode.held();
        let mut directions = SMatrix::<f64, 6, 5>::zeros();
        let mut tests = SMatrix::<f64, 6, 5>::zeros();
        let normal = join(&Vec3::zeros(), &f.column(2).into());
        let (share, given) = self.friction(body, touching, rigid_contact.mode);
        for k in (0..5).filter(|&k| !held[k]) {
            let axis: Vec3 = f.column(k % 3).into();
            // τ_P = τ − r_A × f, so the component of the wrench at P is that of the wrench about the mass centre along
            // S.
            let direction = if k < 3 { join(&axis, &-axis.cross(r_a)) } else { join(&Vec3::zeros(), &axis) };
            directions.set_column(k, &direction);
            tests.set_column(k, &(direction + normal * share[k]));
        }
        ContactJoint {
            parent: rigid_contact.carrier.body.0,
            arm: motion.pose.position - carrier.pose.position,
            directions,
            tests,
            given,
            drift: self.drift(touching, [body, rigid_contact.carrier.body.0]),
            held,
        }
    }

    /// ζ of a contact of the bodies A and B.
    pub(super) fn drift(&self, touching: &ContactKinematics, [a, b]: [usize; 2]) -> Vec6 {
        let ([r_a, r_b], f, w) = (&touching.arms, &touching.axes, &touching.velocities);
        let (motion, carrier) = (&self.motions[a], &self.motions[b]);
        let (angular_velocity_a, angular_velocity_b) =
            (motion.twist().angular_velocity, carrier.twist().angular_velocity);
        let slip = f * Vec3::new(w[3], w[4], 0.0);
        let relative = f * Vec3::new(w[0], w[1], w[2]);
        let turning =
            angular_velocity_a + f * (touching.contact_frames.frames[0].turn * touching.point_rates.rates[0]);
        let over = |v: &Vector2<f64>| f * Vec3::new(v.x, v.y, 0.0);
        let angular = turning.cross(&relative);
        let linear = angular_velocity_b
            .cross(&(angular_velocity_b.cross(r_b) + over(&touching.point_rates.over_b)))
            + turning.cross(&slip)
            - angular.cross(r_a)
            - angular_velocity_a.cross(&(angular_velocity_a.cross(r_a) + over(&touching.point_rates.over_a)));
        join(&angular, &linear)
    }

    /// d and k.
    pub(super) fn friction(
        &self,
        number: usize,
        touching: &ContactKinematics,
        mode: Mode,
    ) -> (SVector<f64, 5>, SVector<f64, 5>) {
        let (mut share, mut given) = (SVector::zeros(), SVector::zeros());
        let Some(rigid_friction) = self.rigid_friction(number) else { return (share, given) };
        let w = &touching.velocities;
        let torque = rigid_friction.resistance.torque(&Vec3::new(w[0], w[1], 0.0), w[2], 1.0);
        share.fixed_rows_mut::<3>(0).copy_from(&Vec3::new(
            torque.rolling.x,
            torque.rolling.y,
            torque.spinning,
        ));
        let lever = shared_lever(rigid_friction);
        let slip = touching.slip_with_spin(lever);
        if let Some(first) = self.first_friction[number] {
            share[2] += first.z;
            (share[3], share[4]) = (first.x, first.y);
            return (share, given);
        }
        if mode == Mode::Sliding && slip > 0.0 {
            share[2] -= rigid_friction.sliding * lever * lever * w[2] / slip;
            for k in 3..5 {
                share[k] = -rigid_friction.sliding * w[k] / slip;
                given[k] = -rigid_friction.viscous * w[k];
            }
        }
        (share, given)
    }
}
