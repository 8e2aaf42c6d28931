//! The scenes of the papers are the scenarios of `rattleback_dynamics::study`: same bodies, same start, same laws.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_dynamics::joint::{Anchor, JointKind};
use rattleback_dynamics::model::PartId;
use rattleback_dynamics::study::{case, cradle, heap, mechanism};
use rattleback_dynamics::{Model, Scheme, State};
use rattleback_geom::{Pose, Vec3};
use rattleback_scene::{Scene, read_scene};
use std::path::Path;

fn scene(name: &str) -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
    read_scene(&path).unwrap_or_else(|error| panic!("{error}"))
}

/// Numbers written in a file with sixteen digits, or computed another way, agree to a few units in the last place.
const ROUNDING: f64 = 4e-15;

fn assert_same_pose(a: &Pose, b: &Pose, what: &str) {
    assert!((a.position - b.position).norm() <= ROUNDING * (1.0 + b.position.norm()), "{what}: {a:?} {b:?}");
    assert!(a.orientation.rotation_to(&b.orientation).vector().norm() <= ROUNDING, "{what}: {a:?} {b:?}");
}

fn assert_same(name: &str, model: &Model, state: &State) -> Scene {
    let scene = scene(name);
    let found = &scene.model;
    assert_eq!(found.gravity(), model.gravity());
    assert_eq!(found.bodies().len(), model.bodies().len());
    for (i, (a, b)) in found.bodies().iter().zip(model.bodies()).enumerate() {
        let what = format!("{name}: {}", a.name);
        assert_eq!(a.is_free(), b.is_free(), "{what}");
        if a.is_free() {
            assert!((a.body.mass - b.body.mass).abs() <= ROUNDING * b.body.mass, "{what}: {:?}", a.body);
            assert!((a.body.inertia - b.body.inertia).amax() <= ROUNDING * b.body.inertia.amax(), "{what}");
        }
        let (one, other) = (&scene.state.motions[i], &state.motions[i]);
        assert_same_pose(&one.pose, &other.pose, &what);
        let near = |a: &Vec3, b: &Vec3| (a - b).norm() <= ROUNDING * (1.0 + b.norm());
        let moving = near(&one.velocity, &other.velocity) && near(&one.spin, &other.spin);
        assert!(moving, "{what}: {one:?} {other:?}");
    }
    let (a, b) = (found.all_pairs(), model.all_pairs());
    assert_eq!(a.len(), b.len(), "{name}: pairs");
    for (a, b) in a.iter().zip(&b) {
        assert_eq!((a.a, a.b, a.law), (b.a, b.b, b.law), "{name}");
        for (one, other) in [(a.a, b.a), (a.b, b.b)] {
            let part = |model: &Model, id: PartId| model.body(id.0).parts[id.1].clone();
            let (one, other) = (part(found, one), part(model, other));
            assert_same_pose(&one.pose, &other.pose, name);
            assert_eq!(format!("{:?}", one.shape), format!("{:?}", other.shape), "{name}");
        }
    }
    assert_same_joints(name, found, model, state);
    scene
}

fn assert_same_joints(name: &str, found: &Model, model: &Model, state: &State) {
    assert_eq!(found.joints().len(), model.joints().len(), "{name}: joints");
    for (a, b) in found.joints().iter().zip(model.joints()) {
        let what = format!("{name}: {}", a.name);
        assert_eq!(std::mem::discriminant(&a.kind), std::mem::discriminant(&b.kind), "{what}");
        assert_eq!((a.a.body, a.b.body), (b.a.body, b.b.body), "{what}");
        for (one, other) in [(a.a, b.a), (a.b, b.b)] {
            // The point and the axis; where x points is free.
            let place = |anchor: Anchor| {
                let pose = state.motions[anchor.body.0].pose.compose(&anchor.pose);
                (pose.position, pose.vector_to_world(&Vec3::z()))
            };
            let ((p, z), (q, w)) = (place(one), place(other));
            assert!((p - q).norm() < 1e-14, "{what} at {p:?} and {q:?}");
            let about_axis = !matches!(a.kind, JointKind::Distance { .. } | JointKind::Spherical);
            assert!((z - w).norm() < 1e-14 || !about_axis, "{what} about {z:?} and {w:?}");
        }
    }
    assert_eq!(found.actions(), model.actions(), "{name}");
    assert_eq!(found.forces().len(), model.forces().len(), "{name}: forces");
    let load = |model: &Model, k: usize| {
        let load = model.forces()[k].load(0.0, &state.motions, false).unwrap();
        (load.bodies, load.wrench, load.stored)
    };
    for k in 0..model.forces().len() {
        let ((bodies, wrench, stored), expected) = (load(found, k), load(model, k));
        assert_eq!(bodies, expected.0, "{name}: force {k}");
        assert!((wrench - expected.1).norm() <= 1e-12 * (1.0 + expected.1.norm()), "{name}: force {k}");
        assert!((stored - expected.2).abs() <= 1e-12 * (1.0 + expected.2.abs()), "{name}: force {k}");
    }
}

fn assert_case(name: &str, case: &case::Case) {
    let scene = assert_same(name, &case.model, &case.state);
    assert_eq!(scene.scheme, Scheme::Free { method: case.method, accuracy: case.accuracy }, "{name}");
    assert_eq!(scene.duration, case.duration, "{name}");
}

#[test]
fn the_box_is_the_study() {
    assert_case("papers/roemer_box.toml", &case::roemer_box().unwrap());
}

#[test]
fn the_ball_is_the_study() {
    let law = Hysteresis::new(Rule::Exact, 0.7, 1.5).unwrap();
    assert_case("papers/marques_ball.toml", &case::bouncing_ball(law, None).unwrap());
}

#[test]
fn the_sphere_on_the_incline_is_the_study() {
    assert_case("papers/marques_rolling_sphere.toml", &case::rolling_sphere(0.3).unwrap());
}

#[test]
fn the_ellipsoid_on_the_incline_is_the_study() {
    assert_case("papers/marques_ellipsoid.toml", &case::tumbling_ellipsoid().unwrap());
}

#[test]
fn the_heap_is_the_study() {
    let (model, state) = heap::heap(5, heap::soft().unwrap()).unwrap();
    assert_same("heap.toml", &model, &state);
}

#[test]
fn the_cradles_are_the_studies() {
    for (name, count, restitution) in [
        ("papers/marques_cradle.toml", 5, 1.0),
        ("papers/marques_cradle_damped.toml", 5, 0.5),
        ("papers/marques_cradle_two.toml", 2, 1.0),
    ] {
        let (model, state) = cradle::cradle(count, restitution).unwrap();
        assert_same(name, &model, &state);
    }
}

#[test]
fn the_mechanisms_are_the_studies() {
    for (name, study) in [
        ("pendulum", mechanism::pendulum::pendulum()),
        ("four_bar", mechanism::four_bar::four_bars(2)),
        ("bricard", mechanism::bricard::bricard()),
        ("flyball", mechanism::flyball::flyball()),
        ("squeezer", mechanism::squeezer::squeezer()),
    ] {
        let (model, state) = study.unwrap();
        assert_same(&format!("mechanisms/{name}.toml"), &model, &state);
    }
}
