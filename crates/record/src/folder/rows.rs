//! What goes into the rows of each sheet, in the order of its columns.

use super::checkpoint::Names;
use super::ongoing::OngoingContact;
use super::sheet_writer::SheetWriter;
use rattleback_dynamics::force::WindlassReading;
use rattleback_dynamics::mechanism::JointReading;
use rattleback_dynamics::model::{BodyId, PairId};
use rattleback_dynamics::rolling::RigidContact;
use rattleback_dynamics::{ActiveContact, Energy, Motion, State};

pub(super) fn motion(rows: &mut SheetWriter, time: f64, name: &str, motion: &Motion) {
    rows.float(time).text(name).vector(&motion.pose.position);
    for q in motion.pose.wxyz() {
        rows.float(q);
    }
    rows.vector(&motion.velocity).vector(&motion.angular_velocity_body).end_row();
}

pub(super) fn contact(
    rows: &mut SheetWriter,
    names: &Names,
    state: &State,
    id: PairId,
    found: &ActiveContact,
) {
    let ActiveContact { touch, kinematics, force, .. } = found;
    let memory = state.pairs.get(&id).copied().unwrap_or_default();
    rows.float(state.time);
    pair(rows, names, id);
    rows.float(touch.gap).vector(&touch.point_a).vector(&touch.point_b);
    rows.vector(&touch.normal).vector(&force.point).vector(&force.force);
    rows.float(force.normal).float(force.friction.norm()).vector(&force.torque);
    let pressure = force.greatest_pressure();
    let [long, short] = force.patch.map(|axis| pressure.map(|_| axis));
    rows.maybe(long).maybe(short).maybe(pressure);
    rows.float(kinematics.gap_rate).float(kinematics.slip.norm());
    // A contact that presses has an approach speed; a caller's list that knows more than the state shows as NaN.
    rows.float(memory.contact.map_or(f64::NAN, |contact| contact.approach_speed));
    let ledger = memory.ledger;
    rows.float(ledger.stored)
        .float(ledger.damped)
        .float(ledger.friction_loss)
        .float(ledger.stiffness_change)
        .end_row();
}

/// A contact that ended, or that lasts when the run ends.
pub(super) fn event(rows: &mut SheetWriter, names: &Names, ongoing: &OngoingContact, end: Option<f64>) {
    pair(rows, names, ongoing.pair);
    rows.float(ongoing.start).maybe(end).integer(usize::from(end.is_none())).float(ongoing.approach_speed);
    let (force, overlap) = (ongoing.force.top(), ongoing.overlap.top());
    rows.maybe(force.map(|[_, force]| force)).maybe(force.map(|[time, _]| time));
    rows.maybe(overlap.map(|[_, overlap]| overlap));
    let (first, last) = (&ongoing.first, &ongoing.last);
    rows.float(last.damped - first.damped).float(last.friction_loss - first.friction_loss);
    rows.float(last.stiffness_change - first.stiffness_change).end_row();
}

pub(super) fn energy(rows: &mut SheetWriter, time: f64, energy: &Energy) {
    rows.float(time).float(energy.kinetic).float(energy.potential).float(energy.applied);
    rows.float(energy.contacts.stored).float(energy.mechanical()).float(energy.contacts.damped);
    rows.float(energy.contacts.friction_loss)
        .float(energy.contacts.stiffness_change)
        .float(energy.dissipated);
    rows.float(energy.total()).end_row();
}

pub(super) fn joint(rows: &mut SheetWriter, time: f64, name: &str, joint: &JointReading) {
    rows.float(time).text(name).vector(&joint.reaction.force).vector(&joint.reaction.torque);
    for coordinate in [joint.turn, joint.second_turn, joint.slide] {
        rows.maybe(coordinate.map(|c| c.value)).maybe(coordinate.map(|c| c.rate));
        rows.maybe(coordinate.and_then(|c| c.motor));
    }
    rows.end_row();
}

pub(super) fn windlass(
    rows: &mut SheetWriter,
    names: &Names,
    time: f64,
    number: usize,
    bodies: [BodyId; 2],
    reading: &WindlassReading,
) {
    rows.float(time).text(&number.to_string());
    for body in bodies {
        rows.text(&names.bodies[body.0]);
    }
    rows.text(reading.mode.word()).float(reading.pull).float(reading.length).float(reading.rate).end_row();
}

pub(super) fn rigid_contact(
    rows: &mut SheetWriter,
    names: &Names,
    time: f64,
    body: usize,
    contact: &RigidContact,
) {
    rows.float(time).text(&names.bodies[body]).integer(contact.part);
    rows.text(&names.bodies[contact.carrier.body.0]).integer(contact.carrier.index);
    rows.text(contact.mode.word());
    for place in &contact.places {
        rows.integer(place.chart).float(place.u).float(place.v);
    }
    rows.float(contact.angle);
    for velocity in &contact.velocities {
        rows.float(*velocity);
    }
    rows.end_row();
}

fn pair(rows: &mut SheetWriter, names: &Names, PairId { a, b, region }: PairId) {
    for part in [a, b] {
        rows.text(&names.bodies[part.body.0]).integer(part.index);
    }
    rows.integer(region);
}
