//! Joints of a scene and what acts on them.
//!
//! Where a joint begins at the coordinate zero it stands at a `point` of the world; else it has frames on both bodies,
//! so that its coordinate reads as in the source.

use super::joints::{Held, Holding};
use super::log::Log;
use super::robot::{Coupling, Freedom};
use super::toml::{number, orientation, text, vector};
use super::write::Scenery;
use super::write_action::{Acting, lose_actions};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Pose, Vec3};
use std::fmt::Write;

/// The entry of the joint above a body; nothing where it is free or fixed.
pub(super) fn joint(scenery: &Scenery<'_>, k: usize, log: &mut Log) -> String {
    let body = &scenery.robot.bodies[k];
    let held = match (&scenery.holdings[k], body.parent) {
        (Holding::Joint(held), Some(_)) => held,
        (Holding::Free, _) => {
            body.joints.iter().for_each(|joint| lose_actions(joint, "moves freely", log));
            return String::new();
        }
        _ => return String::new(),
    };
    let parent = body.parent.unwrap_or_default();
    let names: Vec<&str> = body.joints.iter().map(|joint| joint.name.as_str()).collect();
    let mut out = format!("[[joints]]\nname = {}\ntype = \"{}\"\n", text(&names.join(" ")), held.kind);
    writeln!(out, "bodies = [{}, {}]", text(scenery.name(parent)), text(&body.name)).ok();
    let shifts = frames(scenery, k, held, &mut out);
    let mut acting = Acting::default();
    for ((joint, coordinate), shift) in body.joints.iter().zip(&held.coordinates).zip(shifts) {
        match coordinate {
            Some(on) => acting.add(scenery, k, joint, on, shift, log),
            None => lose_actions(joint, &format!("a {} joint has no coordinate", held.kind), log),
        }
    }
    acting.write(&mut out);
    out + "\n"
}

/// Writes where a joint is; what is to be taken from each coordinate of the source to have that of the scene.
fn frames(scenery: &Scenery<'_>, k: usize, held: &Held, out: &mut String) -> Vec<f64> {
    let joints = &scenery.robot.bodies[k].joints;
    let begins_at_zero = joints.iter().all(|joint| joint.value == 0.0 && joint.zero == 0.0);
    let has_one = matches!(joints.as_slice(), [joint] if joint.is_single());
    let moved = joints.iter().any(|joint| joint.value != joint.zero);
    if begins_at_zero || !(has_one || moved) {
        let world = scenery.poses[k].compose(&held.frame);
        writeln!(out, "point = {}", vector(&world.position)).ok();
        let axis = |v: Vec3| vector(&world.vector_to_world(&v));
        match held.kind {
            "spherical" => {}
            "universal" => _ = writeln!(out, "axes = [{}, {}]", axis(Vec3::x()), axis(Vec3::y())),
            _ => _ = writeln!(out, "axis = {}", axis(Vec3::z())),
        }
        return joints.iter().map(|joint| joint.value).collect();
    }
    // The frame on the body is turned, or shifted, to where its coordinate is that of the source.
    let (on_parent, mut on_body) = (scenery.robot.bodies[k].pose.compose(&held.frame), held.frame);
    if let ([joint], true) = (joints.as_slice(), has_one) {
        let along = match joint.freedom {
            Freedom::Slide => Pose::from_position(0.0, 0.0, joint.zero),
            _ => Pose::new(Vec3::zeros(), UnitQuaternion::from_scaled_axis(Vec3::z() * joint.zero)),
        };
        on_body = on_body.compose(&along);
    }
    for (key, pose) in [("a", on_parent), ("b", on_body)] {
        let turn =
            orientation(&pose.orientation).map_or_else(String::new, |turn| format!(", orientation = {turn}"));
        writeln!(out, "{key} = {{ position = {}{turn} }}", vector(&pose.position)).ok();
    }
    joints.iter().map(|joint| if has_one { 0.0 } else { joint.zero }).collect()
}

/// A joint that follows another: a gear, where both are hinges of bodies that share a third.
pub(super) fn coupling(scenery: &Scenery<'_>, coupling: &Coupling, log: &mut Log) -> String {
    let bodies = &scenery.robot.bodies;
    let ends = |(body, _): (usize, usize)| {
        let is_hinge = matches!(&scenery.holdings[body], Holding::Joint(held) if held.kind == "revolute");
        Some((bodies[body].parent.filter(|_| is_hinge)?, body))
    };
    let axis =
        |(body, joint): (usize, usize)| scenery.poses[body].vector_to_world(&bodies[body].joints[joint].axis);
    let (Some((parent, child)), Some((other_parent, other))) = (ends(coupling.driven), ends(coupling.by))
    else {
        return lost(coupling, "both must be hinges", log);
    };
    // φ_A + ratio φ_B = 0 against the carrier, with φ = 0 at the start. Seen from the child, a parent turns backwards.
    let (wheels, carrier, ratio) = if parent == other_parent {
        ([child, other], parent, -coupling.factor)
    } else if parent == other {
        ([child, other_parent], parent, coupling.factor)
    } else if other_parent == child {
        ([parent, other], child, coupling.factor)
    } else {
        return lost(coupling, "both must be joined to one body", log);
    };
    if coupling.factor == 0.0 {
        return lost(coupling, "its factor is zero", log);
    }
    let [a, b] = wheels.map(|wheel| text(scenery.name(wheel)));
    let axes = format!("[{}, {}]", vector(&axis(coupling.driven)), vector(&axis(coupling.by)));
    format!(
        "[[joints]]\nname = {}\ntype = \"gear\"\nbodies = [{a}, {b}]\ncarrier = {}\naxes = {axes}\nratio = {}\n\n",
        text(&coupling.name),
        text(scenery.name(carrier)),
        number(ratio)
    )
}

fn lost(coupling: &Coupling, reason: &str, log: &mut Log) -> String {
    log.lose(&coupling.spot, format!("\"{}\": left out, {reason}; it moves by itself", coupling.name));
    String::new()
}
