//! The files of `scenes/mechanisms` against the models of `dynamics::study::mechanism`: bodies, joints, actions and forces.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::super::force::ForceSpec;
use super::super::frames::Frames;
use super::JointSpec;
use crate::orientation::Orientation;
use crate::read::{AngularVelocity, Field, Inertia, Length, Mass, Node, Reader, Velocity};
use rattleback_dynamics::force::Force;
use rattleback_dynamics::joint::JointAction;
use rattleback_dynamics::study::mechanism::{bricard, flyball, four_bar, pendulum, squeezer};
use rattleback_dynamics::{Model, Motion, State};
use rattleback_geom::{Mat3, Pose, Vec3};
use std::path::Path;

/// Angles are rounded to 1e-16, and lengths of up to 1 m stand between points and mass centres.
const ROUNDING: f64 = 4e-15;

fn close(what: &str, found: Pose, expected: Pose) {
    let off = (found.position - expected.position).norm() + (found.rotation() - expected.rotation()).norm();
    assert!(off < ROUNDING, "{what}: {found:?} against {expected:?}, off by {off:e}");
}

/// What a key of a table says.
fn said<T: Field>(table: &Node, key: &str, reader: &mut Reader) -> Option<T> {
    table.get(key).map(|node| T::read(node, reader).unwrap())
}

/// The bodies' frames, after a comparison of their masses, poses and velocities with the model's.
fn bodies(nodes: &[Node], model: &Model, state: &State, reader: &mut Reader) -> Frames {
    let mut frames = Frames::default();
    assert_eq!(nodes.len(), model.bodies().len());
    for ((node, body), motion) in nodes.iter().zip(model.bodies()).zip(&state.motions) {
        let name: String = said(node, "name", reader).unwrap();
        assert_eq!(name, body.name);
        let vector = |v: Option<[Length; 3]>| v.map_or(Vec3::zeros(), |v| v.map(|x| x.0).into());
        let (position, centre) = (said(node, "position", reader), said(node, "mass_centre", reader));
        let (position, centre) = (vector(position), vector(centre));
        let turn: Orientation = said(node, "orientation", reader).unwrap_or_default();
        let own = Pose::new(position, turn.0);
        frames.push(&name, centre, own);
        close(&name, Pose { position: own.point_to_world(&centre), ..own }, motion.pose);
        let velocity: Option<[Velocity; 3]> = said(node, "velocity", reader);
        let velocity = velocity.map_or(Vec3::zeros(), |v| v.map(|x| x.0).into());
        let spin = node.get("angular_velocity").and_then(|spin| said(spin, "world", reader));
        let spin = spin.map_or(Vec3::zeros(), |v: [AngularVelocity; 3]| v.map(|x| x.0).into());
        let Motion { velocity: expected, spin: turning, .. } = motion;
        // Velocities are of the order of ten.
        assert!((velocity - expected).norm() < 10.0 * ROUNDING, "{name}: {velocity} against {expected}");
        assert!((own.vector_to_local(&spin) - turning).norm() < 10.0 * ROUNDING, "{name}: {spin}");
        if body.is_free() {
            let mass: Mass = said(node, "mass", reader).unwrap();
            let moments: [Inertia; 3] = said(node, "inertia", reader).unwrap();
            let inertia = Mat3::from_diagonal(&moments.map(|x| x.0).into());
            assert_eq!(mass.0, body.body.mass, "{name}");
            assert!((inertia - body.body.inertia).norm() < 1e-15 * inertia.norm(), "{name}: {inertia}");
        }
    }
    frames
}

fn check(file: &str, (model, state): (Model, State)) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/mechanisms").join(file);
    let (root, complaints) = Node::from_toml(&std::fs::read_to_string(path).unwrap());
    let mut reader = Reader::with(complaints);
    let list = |key: &str| match root.get(key).map(|node| &node.value) {
        Some(crate::read::Value::List(list)) => list.clone(),
        _ => Vec::new(),
    };
    let frames = bodies(&list("bodies"), &model, &state, &mut reader);
    let gravity: Option<[f64; 3]> = said(&root, "gravity", &mut reader);
    assert_eq!(gravity.map_or(Vec3::zeros(), Vec3::from), model.gravity());
    let specs = list("joints").iter().map(|node| JointSpec::read(node, &mut reader)).collect::<Vec<_>>();
    let joints: Vec<_> =
        specs.iter().map(|spec| spec.as_ref().and_then(|spec| spec.lower(&frames, &mut reader))).collect();
    let forces: Vec<_> = list("forces")
        .iter()
        .map(|node| ForceSpec::read(node, &mut reader).and_then(|spec| spec.lower(&frames, &mut reader)))
        .collect();
    let complaints: Vec<String> = reader.into_complaints().iter().map(|c| c.sentence()).collect();
    assert!(complaints.is_empty(), "{file}: {complaints:?}");

    assert_eq!(joints.len(), model.joints().len(), "{file}");
    let mut actions = Vec::new();
    for (k, expected) in model.joints().iter().enumerate() {
        let (joint, acting) = joints[k].clone().unwrap();
        assert_eq!((&joint.name, joint.kind), (&expected.name, expected.kind));
        assert_eq!([joint.a.body, joint.b.body], [expected.a.body, expected.b.body]);
        close(&joint.name, joint.a.pose, expected.a.pose);
        close(&joint.name, joint.b.pose, expected.b.pose);
        let joint = rattleback_dynamics::joint::JointId(k);
        actions.extend(acting.into_iter().map(|(freedom, action)| JointAction { joint, freedom, action }));
    }
    assert_eq!(actions, model.actions(), "{file}");
    assert_eq!(forces.len(), model.forces().len(), "{file}");
    for (force, expected) in forces.into_iter().zip(model.forces()) {
        let (Some(Force::SpringDamper(mut force)), Force::SpringDamper(expected)) = (force, expected) else {
            panic!("{file}: another force")
        };
        for (end, other) in [(&mut force.a, expected.a), (&mut force.b, expected.b)] {
            assert!((end.point - other.point).norm() < ROUNDING, "{file}: {end:?}");
            end.point = other.point;
        }
        assert_eq!(force, *expected, "{file}");
    }
}

#[test]
fn the_files_of_mechanisms_say_what_the_studies_do() {
    check("pendulum.toml", pendulum::pendulum().unwrap());
    check("four_bar.toml", four_bar::four_bars(2).unwrap());
    check("bricard.toml", bricard::bricard().unwrap());
    check("flyball.toml", flyball::flyball().unwrap());
    check("squeezer.toml", squeezer::squeezer().unwrap());
}
