//! The scenes of the papers are the scenarios of `rattleback_dynamics::study`: same bodies, same start, same laws.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::friction::Coulomb;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::joint::{Anchor, JointKind};
use rattleback_dynamics::model::{BodyModel, PartId};
use rattleback_dynamics::rolling::{ROUGH, Settings};
use rattleback_dynamics::study::{case, cradle, heap, kry_pai_bowl, kry_pai_rattleback, mechanism};
use rattleback_dynamics::{Model, Motion, Run, Scheme, State};
use rattleback_geom::patch::PatchNet;
use rattleback_geom::surface::Plane;
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

#[test]
fn the_rolling_rattleback_is_the_stone_of_the_demonstration() {
    let stone = scene("demonstration.toml");
    let rolling = assert_same("rolling/rattleback.toml", &stone.model, &stone.state);
    assert_eq!(rolling.scheme, Scheme::Rolling(Settings::default()));
    assert_eq!(rolling.duration, stone.duration);
}

#[test]
fn the_patch_is_the_study() {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -kry_pai_rattleback::GRAVITY));
    let stone = builder.surface("stone");
    let normal = Hysteresis::new(Rule::Exact, 0.5, 1.5).unwrap();
    let law = ContactLaw::new(Stiffness::given(1e6).unwrap(), normal).unwrap();
    builder.law(stone, stone, law.with_friction(Coulomb::new(ROUGH, 1e-3).unwrap()));
    let table = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    builder.body(BodyModel::fixed("table").with_part(table, Pose::identity(), stone));
    let patch = PatchNet::new(vec![kry_pai_rattleback::patch().unwrap()]).unwrap();
    let body = BodyModel::free("rattleback", kry_pai_rattleback::body());
    builder.body(body.with_part(patch, Pose::identity(), stone));
    let start = kry_pai_rattleback::start(kry_pai_rattleback::SPIN);
    let state = State::new(vec![Motion::at_rest(Pose::identity()), start]);
    assert_same("rolling/patch.toml", &builder.build().unwrap(), &state);
}

#[test]
fn the_bowl_is_the_study() {
    let (model, state) = (kry_pai_bowl::model().unwrap(), kry_pai_bowl::start());
    let scene = assert_same("rolling/bowl.toml", &model, &state);
    assert_eq!(scene.scheme, Scheme::Rolling(kry_pai_bowl::settings(4e-3)));
    assert_eq!(scene.duration, kry_pai_bowl::DURATION);
}

#[test]
fn the_ring_comes_back_to_where_it_began() {
    let scene = scene("rolling/ring.toml");
    let mut run = Run::new(&scene.model, scene.state.clone(), &scene.scheme).unwrap();
    // Twice around.
    run.advance(scene.duration, &mut |_| Ok(())).unwrap();
    let (first, last) = (&scene.state.motions[1], &run.state().motions[1]);
    assert!((first.pose.position - last.pose.position).norm() < 1e-7, "{:?}", last.pose.position);
    assert!((first.velocity - last.velocity).norm() < 1e-7, "{:?}", last.velocity);
    let axis = |motion: &Motion| motion.pose.vector_to_world(&Vec3::z());
    assert!((axis(first) - axis(last)).norm() < 1e-7);
}

#[test]
fn the_ball_rolls_down_as_the_closed_form_says() {
    let scene = scene("rolling/incline.toml");
    let mut run = Run::new(&scene.model, scene.state.clone(), &scene.scheme).unwrap();
    run.advance(scene.duration, &mut |_| Ok(())).unwrap();
    let speed = 5.0 / 7.0 * 9.81 * 0.6 * scene.duration;
    assert!((run.state().motions[1].velocity - speed * Vec3::new(0.8, 0.0, -0.6)).norm() < 1e-6);
}
