//! The contacts of seats as whoever watches a run sees them: the same form as that of compliant contacts, without
//! overlap.

use super::assembly::{Assembly, Touching};
use super::layout::Layout;
use super::seat::Seat;
use crate::contact_set::ActiveContact;
use crate::error::Result;
use crate::model::{BodyId, Model, PairId};
use crate::state::State;
use rattleback_contact::law::ResistanceTorque;
use rattleback_contact::law::friction::{FrictionForce, Partials};
use rattleback_contact::law::normal::NormalForce;
use rattleback_contact::material::StiffnessValue;
use rattleback_contact::{Certificate, Contact, ContactForce, Kinematics, Rates, Touch};
use rattleback_geom::curvature::eigen2;
use rattleback_geom::nalgebra::Matrix2;
use rattleback_geom::{Curvature, Mat3, Vec3};

/// The contacts of a state on seats with their forces, in declared order.
pub fn pressed(model: &Model, state: &State) -> Result<Vec<(PairId, ActiveContact)>> {
    let Some(seats) = &state.seats else { return Ok(Vec::new()) };
    let layout = Layout::new(model, seats)?;
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
    for (body, seat) in assembly.layout.seats.iter().enumerate() {
        if let (Some(seat), Some(touching)) = (seat, &assembly.touching[body]) {
            found.push((seat.pair(BodyId(body)), describe(assembly, body, seat, touching)));
        }
    }
    found.sort_unstable_by_key(|(pair, _)| *pair);
}

fn describe(assembly: &Assembly<'_>, body: usize, seat: &Seat, touching: &Touching) -> ActiveContact {
    let own_first = seat.pair(BodyId(body)).0.0 == BodyId(body);
    let outward: Vec3 = touching.axes.column(2).into();
    // From the pair's first part to its second; signs of what is felt by the second.
    let sign = if own_first { 1.0 } else { -1.0 };
    let normal = outward * sign;
    let [torque, force] = touching.wrench.map(|v| -(touching.axes * v) * sign);
    let w = &touching.velocities;
    let carrier = seat.carrier.0.0;
    let [own, other] = &touching.meeting.frames;
    let bodies = if own_first { [body, carrier] } else { [carrier, body] };
    let arms = if own_first { touching.arms } else { [touching.arms[1], touching.arms[0]] };
    let kinematics = Kinematics {
        point: touching.point,
        arm: arms,
        normal,
        gap_rate: 0.0,
        slip: touching.axes * Vec3::new(w[3], w[4], 0.0) * -sign,
        spin: touching.axes * Vec3::new(w[0], w[1], w[2]) * -sign,
        mean_spin: (assembly.motions[bodies[0]].twist().spin + assembly.motions[bodies[1]].twist().spin)
            * 0.5,
    };
    let other_axes = assembly.motions[carrier].pose.rotation() * other.axes;
    let of_own = curvature(&own.curvature(), &touching.axes);
    let of_other = curvature(&other.curvature(), &other_axes);
    let relative = curvature(&touching.meeting.relative_curvature(), &touching.axes);
    let (curvature_a, curvature_b) = if own_first { (of_own, of_other) } else { (of_other, of_own) };
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
    let contact = Contact { touch, curvature_a, curvature_b, relative };
    let force = describe_force(touching, normal, torque, force);
    ActiveContact { contact, kinematics, rates: Rates::of_gap(0.0), force }
}

fn describe_force(touching: &Touching, normal: Vec3, torque: Vec3, force: Vec3) -> ContactForce {
    let pressing = touching.normal_force();
    let tangential = |value: Vec3| Partials {
        value,
        by_velocity: Mat3::zeros(),
        by_normal_force: Vec3::zeros(),
        by_bristle: Mat3::zeros(),
    };
    let spinning = normal.dot(&torque);
    ContactForce {
        point: touching.point,
        force,
        torque,
        stiffness: StiffnessValue { value: f64::INFINITY, by_curvature: [0.0; 2] },
        normal: NormalForce { force: pressing, ..NormalForce::default() },
        friction: FrictionForce {
            force: tangential(force - normal * normal.dot(&force)),
            bristle_rate: tangential(Vec3::zeros()),
            stored: 0.0,
            friction_loss: touching.friction_loss(),
        },
        resistance: ResistanceTorque {
            rolling: torque - normal * spinning,
            rolling_by_spin: Mat3::zeros(),
            spinning,
            spinning_by_spin: 0.0,
            friction_loss: 0.0,
        },
    }
}

/// Principal curvatures from the tensor in the axes x, y of a frame.
fn curvature(k: &Matrix2<f64>, axes: &Mat3) -> Curvature {
    let [first, second, cos, sin] = eigen2([k[(0, 0)], k[(0, 1)], k[(1, 1)]], None);
    let (x, y): (Vec3, Vec3) = (axes.column(0).into(), axes.column(1).into());
    Curvature { kappa: [first, second], direction: [x * cos + y * sin, y * cos - x * sin] }
}
