//! Rigid contacts as an observer sees them: the same form as that of compliant contacts, without
//! overlap.

use super::assembly::{Assembly, ContactKinematics};
use super::events::Probe;
use super::layout::Layout;
use super::rigid_contact::{ContactList, RigidContact};
use crate::contact_set::ActiveContact;
use crate::error::Result;
use crate::integrator::Step;
use crate::model::{BodyId, Model, PairId};
use crate::peak::{Quantities, WithinStep};
use crate::state::State;
use rattleback_contact::{Certificate, ContactForce, Kinematics, Rates, Touch};
use rattleback_geom::Vec3;

/// The rigid contacts of a state with their forces, in declared order.
pub fn active_contacts(model: &Model, state: &State) -> Result<Vec<(PairId, ActiveContact)>> {
    if state.rigid_contacts.is_none() {
        return Ok(Vec::new());
    }
    let layout = Layout::new(model, ContactList::of(state))?;
    let y = layout.pack(state);
    let mut assembly = Assembly::new(model, layout, state.motions.clone());
    assembly.evaluate(state.time, &y)?;
    let mut found = Vec::new();
    collect(&assembly, &mut found);
    Ok(found)
}

/// The contacts of an assembly that has been evaluated; takes the place of what is in `found`.
pub fn collect(assembly: &Assembly<'_>, found: &mut Vec<(PairId, ActiveContact)>) {
    found.clear();
    for (number, rigid_contact) in assembly.layout.rigid_contacts.iter().enumerate() {
        if let (Some(rigid_contact), Some(touching)) = (rigid_contact, &assembly.touching[number]) {
            let body = assembly.layout.owner(number);
            found.push((rigid_contact.pair(body), describe(assembly, body, rigid_contact, touching)));
        }
    }
    found.sort_unstable_by_key(|(pair, _)| *pair);
}

/// A step of bodies that roll. Contact coordinates are smooth over steps: the interpolant is as exact as the end of
/// one.
pub struct RollingStep<'s, 'a> {
    pub step: &'s Step<'s>,
    pub probe: &'s mut Probe<'a>,
    pub y: &'s mut [f64],
    pub contacts: &'s mut Vec<(PairId, ActiveContact)>,
}

impl WithinStep for RollingStep<'_, '_> {
    fn interpolate(&mut self, time: f64, _: Option<usize>, out: &mut [Quantities]) -> Result<()> {
        self.step.interpolate(time, self.y);
        collect(self.probe.at(time, self.y)?, self.contacts);
        out.iter_mut()
            .zip(self.contacts.iter())
            .for_each(|(out, (_, found))| *out = [found.force.normal, 0.0]);
        Ok(())
    }

    fn exactly(&mut self, time: f64, contact: usize) -> Result<Quantities> {
        self.step.interpolate(time, self.y);
        collect(self.probe.at(time, self.y)?, self.contacts);
        Ok([self.contacts[contact].1.force.normal, 0.0])
    }
}

fn describe(
    assembly: &Assembly<'_>,
    body: BodyId,
    rigid_contact: &RigidContact,
    touching: &ContactKinematics,
) -> ActiveContact {
    let own_first = rigid_contact.pair(body).a.body == body;
    let outward: Vec3 = touching.axes.column(2).into();
    // From the pair's first part to its second; signs of what is felt by the second.
    let sign = if own_first { 1.0 } else { -1.0 };
    let normal = outward * sign;
    let [torque, force] = touching.wrench.map(|v| -(touching.axes * v) * sign);
    let w = &touching.velocities;
    let carrier = rigid_contact.carrier.body.0;
    let bodies = if own_first { [body.0, carrier] } else { [carrier, body.0] };
    let arms = if own_first { touching.arms } else { [touching.arms[1], touching.arms[0]] };
    let kinematics = Kinematics {
        point: touching.point,
        arm: arms,
        normal,
        gap_rate: 0.0,
        slip: touching.axes * Vec3::new(w[3], w[4], 0.0) * -sign,
        angular_velocity: touching.axes * Vec3::new(w[0], w[1], w[2]) * -sign,
        mean_angular_velocity: (assembly.motions[bodies[0]].twist().angular_velocity
            + assembly.motions[bodies[1]].twist().angular_velocity)
            * 0.5,
    };
    let touch = Touch {
        gap: 0.0,
        normal,
        point_a: touching.point,
        point_b: touching.point,
        iterations: 0,
        residual: 0.0,
        // In contact coordinates the points are one point by construction.
        certificate: Certificate::Stationary { residual: 0.0 },
        certified: false,
    };
    let force = ContactForce {
        point: touching.point,
        force,
        torque,
        normal: touching.normal_force(),
        friction: force - normal * normal.dot(&force),
        elastic: 0.0,
        elastic_by_curvature: [0.0; 2],
        elastic_by_weight: 0.0,
        patch: [0.0; 2],
        bristle: 0.0,
        bristle_rate: Vec3::zeros(),
        damping: 0.0,
        by_rate: 0.0,
        damped: 0.0,
        friction_loss: touching.friction_loss(),
    };
    let powers = force.powers(&Rates::of_gap(0.0));
    ActiveContact { touch, kinematics, force, powers, bristle_rate: Vec3::zeros(), couple: Vec3::zeros() }
}
