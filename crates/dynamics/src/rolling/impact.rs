//! Impacts of rigid bodies: the algebraic law of Chatterjee and Ruina (1998), one contact at a time.
//!
//! At a contact with the normal n from A to B the material of B moves against that of A with u. An impulse p on B, −p
//! on A, changes it by W p,
//!
//!   W = Σ over free bodies of 1/m − [r]ₓ I⁻¹ [r]ₓ,   r from the mass centre to the point
//!
//! Two impulses bound what can happen: p₁ = −n (n·u)/(n·W n) stops the approach without friction, p₂ = −W⁻¹u stops all
//! motion. The law takes
//!
//!   p = (1 + e) p₁ + κ (p₂ − p₁),   κ = 1 + e_t unless |p_t| would exceed μ p_n, then κ = μ B/(|D_t| − μ D_n)
//!
//! with D = p₂ − p₁ and B the length of (1 + e) p₁: the normal speed is reversed with restitution e, the slip is
//! stopped or reversed with e_t as far as friction allows, but for what the rebound e p₁ brings along, and no energy is
//! gained for 0 ≤ e ≤ 1, −1 ≤ e_t ≤ 1.
//!
//! Several contacts at once are treated in turn, the fastest approach first, until none approaches.

use crate::body::Motion;
use crate::error::{DynamicsError, Result};
use crate::model::{BodyId, Model, PartPair};
use rattleback_geom::{Mat3, Vec3};

/// A place where two bodies touch.
#[derive(Debug, Clone, Copy)]
pub struct Impact {
    /// Which parts.
    pub pair: PartPair,
    /// Where, in the world.
    pub point: Vec3,
    /// The normal from A to B.
    pub normal: Vec3,
}

/// How impacts end.
#[derive(Debug, Clone, Copy)]
pub struct Law {
    /// e_t.
    pub tangential: f64,
    /// Approaches slower than this, in m/s, do not bounce.
    pub settle: f64,
}

/// An approach slower than this, in m/s, is rounding.
const STILL: f64 = 1e-12;
/// Impulses for each contact, on average, before the search for rest is given up.
const MAX_ROUNDS: usize = 10_000;

impl Impact {
    fn bodies(&self) -> [BodyId; 2] {
        [self.pair.a.body, self.pair.b.body]
    }

    /// u: how B's material moves against A's.
    pub fn velocity(&self, motions: &[Motion]) -> Vec3 {
        let [a, b] = self.bodies().map(|body| {
            let motion = &motions[body.0];
            motion.twist().at(&(self.point - motion.pose.position))
        });
        b - a
    }

    /// The rate of the gap.
    pub fn gap_rate(&self, motions: &[Motion]) -> f64 {
        self.normal.dot(&self.velocity(motions))
    }

    /// W.
    fn mobility(&self, model: &Model, motions: &[Motion]) -> Mat3 {
        let mut sum = Mat3::zeros();
        for body in self.bodies() {
            let (model, motion) = (model.body(body), &motions[body.0]);
            if !model.is_free() {
                continue;
            }
            let arm = (self.point - motion.pose.position).cross_matrix();
            let turning = inverse_inertia(&model.body.inertia, motion);
            sum += Mat3::identity() / model.body.mass - arm * turning * arm;
        }
        sum
    }

    /// The impulse on B.
    fn impulse(&self, model: &Model, motions: &[Motion], law: &Law) -> Result<Vec3> {
        let (u, w, n) = (self.velocity(motions), self.mobility(model, motions), &self.normal);
        let approach = -n.dot(&u);
        let compliance = n.dot(&(w * n));
        let restitution =
            if approach > law.settle { self.pair.law.restitution_of_impact(1.0 / compliance)? } else { 0.0 };
        let stopping = n * (approach / compliance);
        let bounce = stopping * (1.0 + restitution);
        let friction = self.pair.law.rigid_friction().sliding;
        let Some(inverse) = w.try_inverse() else { return Ok(bounce) };
        let rest = -(inverse * u) - stopping;
        let tangential = if restitution > 0.0 { law.tangential } else { 0.0 };
        let (along, across) = (n.dot(&rest), (rest - n * n.dot(&rest)).norm());
        let most = 1.0 + tangential;
        let normal_impulse = n.dot(&bounce) + most * along;
        let within = most * across <= friction * normal_impulse;
        let share = if within { most } else { friction * n.dot(&bounce) / (across - friction * along) };
        Ok(bounce + rest * share)
    }

    /// Gives bodies the speed of parting `speed` along the normal, without friction; the energy that this brings.
    pub fn separate(&self, model: &Model, motions: &mut [Motion], speed: f64) -> f64 {
        let before = self.kinetic(model, motions);
        let compliance = self.normal.dot(&(self.mobility(model, motions) * self.normal));
        let push = (speed - self.gap_rate(motions)) / compliance;
        self.apply(model, motions, &(self.normal * push));
        self.kinetic(model, motions) - before
    }

    /// Gives a body the motion of the one it touches, as if it were fixed to it, but for the speed of parting: so it
    /// hops in place without turning. The energy that this brings.
    pub fn hop(&self, model: &Model, motions: &mut [Motion], body: BodyId, speed: f64) -> f64 {
        let before = self.kinetic(model, motions);
        let own_first = self.pair.a.body == body;
        let carrier = motions[if own_first { self.pair.b.body.0 } else { self.pair.a.body.0 }];
        let away = self.normal * if own_first { -speed } else { speed };
        let (twist, motion) = (carrier.twist(), &mut motions[body.0]);
        motion.velocity = twist.at(&(motion.pose.position - carrier.pose.position)) + away;
        motion.angular_velocity_body = motion.pose.vector_to_local(&twist.angular_velocity);
        self.kinetic(model, motions) - before
    }

    /// How fast the bodies turn against each other, in rad/s.
    pub fn turning(&self, motions: &[Motion]) -> f64 {
        let [a, b] = self.bodies().map(|body| motions[body.0].twist().angular_velocity);
        (b - a).norm()
    }

    /// The kinetic energy of both bodies, as far as they are free.
    fn kinetic(&self, model: &Model, motions: &[Motion]) -> f64 {
        let of = |body: BodyId| model.body(body).body.kinetic_energy(&motions[body.0]);
        self.bodies().into_iter().filter(|&body| model.body(body).is_free()).map(of).sum()
    }

    fn apply(&self, model: &Model, motions: &mut [Motion], impulse: &Vec3) {
        for (body, sign) in self.bodies().into_iter().zip([-1.0, 1.0]) {
            let (model, motion) = (model.body(body), &mut motions[body.0]);
            if !model.is_free() {
                continue;
            }
            let (push, arm) = (impulse * sign, self.point - motion.pose.position);
            motion.velocity += push / model.body.mass;
            let turn = inverse_inertia(&model.body.inertia, motion) * arm.cross(&push);
            motion.angular_velocity_body += motion.pose.vector_to_local(&turn);
        }
    }
}

fn inverse_inertia(inertia: &Mat3, motion: &Motion) -> Mat3 {
    // The builder has made sure that every free body's inertia is positive definite.
    let r = motion.pose.rotation();
    r * inertia.try_inverse().unwrap_or_else(Mat3::zeros) * r.transpose()
}

/// Lets bodies bounce that touch at the given places, until none approaches; adds the energy that each impact takes to
/// `lost`.
pub fn resolve(
    model: &Model,
    motions: &mut [Motion],
    impacts: &[Impact],
    law: &Law,
    lost: &mut [f64],
) -> Result<()> {
    for _ in 0..=MAX_ROUNDS * impacts.len() {
        let rates = impacts.iter().map(|impact| impact.gap_rate(motions)).enumerate();
        let Some((worst, rate)) = rates.min_by(|a, b| a.1.total_cmp(&b.1)) else { return Ok(()) };
        if rate > -STILL {
            return Ok(());
        }
        let impact = &impacts[worst];
        let before = impact.kinetic(model, motions);
        let impulse = impact.impulse(model, motions, law)?;
        impact.apply(model, motions, &impulse);
        lost[worst] += before - impact.kinetic(model, motions);
    }
    let names: Vec<_> =
        impacts.iter().map(|i| i.bodies().map(|b| model.body(b).name.clone()).join(" and ")).collect();
    let what = names.join(", ");
    Err(DynamicsError::Invalid { what, reason: "their impacts do not come to an end".to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::model::BodyModel;
    use rattleback_contact::law::normal::{Hysteresis, Rule};
    use rattleback_contact::law::{ContactLaw, friction::Coulomb};
    use rattleback_contact::material::Stiffness;
    use rattleback_geom::Pose;
    use rattleback_geom::surface::Sphere;

    const SETTLE: f64 = 1e-9;

    /// Two bodies that touch at a point with a normal, and how they move.
    fn pair(friction: f64, restitution: f64) -> (Model, Vec<Motion>, Impact) {
        let normal = Hysteresis::new(Rule::Exact, restitution, 1.5).unwrap();
        let law = ContactLaw::new(Stiffness::given(1e6).unwrap(), normal).unwrap();
        let mut builder = Model::builder();
        let surface = builder.surface("any");
        builder.law(surface, surface, law.with_friction(Coulomb::new(friction, 1e-3).unwrap()));
        for (name, mass) in [("a", 1.0), ("b", 0.3)] {
            let inertia = Mat3::new(3e-3, 2e-4, 0.0, 2e-4, 5e-3, 1e-4, 0.0, 1e-4, 6e-3) * mass;
            let body = BodyModel::free(name, Body { mass, inertia });
            builder.body(body.with_part(Sphere::new(0.1).unwrap(), Pose::identity(), surface));
        }
        let model = builder.build().unwrap();
        let motion = |x: f64, velocity: [f64; 3], angular_velocity: [f64; 3]| {
            let pose = Pose::from_position(x, 0.02, -0.01).rotated(Vec3::new(1.0, 2.0, 3.0), x).unwrap();
            Motion { pose, velocity: velocity.into(), angular_velocity_body: angular_velocity.into() }
        };
        let motions = vec![
            motion(-0.1, [1.0, 0.3, -0.2], [2.0, -5.0, 3.0]),
            motion(0.12, [-1.5, 0.4, 0.6], [-4.0, 1.0, 7.0]),
        ];
        let pair = model.all_pairs()[0];
        let normal = Vec3::new(0.9, 0.3, -0.2).normalize();
        (model, motions, Impact { pair, point: Vec3::new(0.01, 0.03, 0.02), normal })
    }

    #[test]
    fn an_impact_reverses_the_approach_keeps_momentum_and_gains_no_energy() {
        for friction in [0.0, 0.1, 0.5, 5.0] {
            for restitution in [0.01, 0.5, 1.0] {
                for tangential in [-1.0, 0.0, 1.0] {
                    let (model, mut motions, impact) = pair(friction, restitution);
                    let before = motions.clone();
                    let mut lost = [0.0];
                    let law = Law { tangential, settle: SETTLE };
                    resolve(&model, &mut motions, &[impact], &law, &mut lost).unwrap();
                    let (rate, approach) = (impact.gap_rate(&motions), impact.gap_rate(&before));
                    assert!(approach < 0.0 && (rate + restitution * approach).abs() < 1e-10);
                    let momentum = |motions: &[Motion]| {
                        let of = |(body, motion): (&crate::BodyModel, &Motion)| body.body.momentum(motion);
                        let all = model.bodies().iter().zip(motions).map(of);
                        all.fold([Vec3::zeros(); 2], |[p, l], m| [p + m.linear, l + m.angular])
                    };
                    let ([p, l], [q, k]) = (momentum(&motions), momentum(&before));
                    assert!((p - q).norm() < 1e-12 && (l - k).norm() < 1e-12);
                    assert!(lost[0] > -1e-12, "{friction} {restitution} {tangential}: {}", lost[0]);
                }
            }
        }
    }

    #[test]
    fn friction_stays_within_its_cone_and_stops_slip_where_it_can() {
        let law = Law { tangential: 0.0, settle: SETTLE };
        for (friction, sticks) in [(0.1, false), (5.0, true)] {
            let (model, mut motions, impact) = pair(friction, 0.5);
            let impulse = impact.impulse(&model, &motions, &law).unwrap();
            let along = impulse.dot(&impact.normal);
            let across = (impulse - impact.normal * along).norm();
            assert!(across <= friction * along * (1.0 + 1e-12));
            assert_eq!((across - friction * along).abs() < 1e-12, !sticks);
            // What sticks moves afterwards only by the rebound, e W p₁.
            let (w, n) = (impact.mobility(&model, &motions), impact.normal);
            let rebound = w * n * (-0.5 * impact.gap_rate(&motions) / n.dot(&(w * n)));
            impact.apply(&model, &mut motions, &impulse);
            let error = (impact.velocity(&motions) - rebound).norm();
            assert_eq!(error < 1e-12, sticks, "{error}");
        }
    }

    #[test]
    fn parting_and_hopping_book_what_they_bring() {
        let (model, motions, impact) = pair(0.3, 0.5);
        let energy = |motions: &[Motion]| impact.kinetic(&model, motions);
        let mut parted = motions.clone();
        let brought = impact.separate(&model, &mut parted, 0.2);
        assert!((impact.gap_rate(&parted) - 0.2).abs() < 1e-12);
        assert!((energy(&parted) - energy(&motions) - brought).abs() < 1e-12);
        for body in [BodyId(0), BodyId(1)] {
            let mut hopped = motions.clone();
            let brought = impact.hop(&model, &mut hopped, body, 0.2);
            assert!((impact.velocity(&hopped) - impact.normal * 0.2).norm() < 1e-12);
            assert!(impact.turning(&hopped) < 1e-12);
            assert!((energy(&hopped) - energy(&motions) - brought).abs() < 1e-12);
        }
    }
}
