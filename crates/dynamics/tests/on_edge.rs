//! Boxes that stand on a level edge on a cylinder's end fall over on their face in adaptive steps of bounded number,
//! and what changing weights bring of energy is in the books of every engine; bodies beside all but flat faces tilt.

use super::lying::engines;
use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::friction::Coulomb;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::{BodyModel, DynamicsError, Model, Motion, Run, RunEvent, State};
use rattleback_geom::surface::{Cuboid, Cylinder, Shape, Superquadric};
use rattleback_geom::{Pose, Vec3};

/// Far more than what falls and rocks for 0.2 s takes: some thousand.
const MOST_STEPS: usize = 6_000;

fn model(below: Shape, above: Shape, stiffness: f64, friction: f64) -> Model {
    let normal = Hysteresis::new(Rule::Exact, 0.5, 1.5).unwrap();
    let mut law = ContactLaw::new(Stiffness::given(stiffness).unwrap(), normal).unwrap();
    if friction > 0.0 {
        law = law.with_friction(Coulomb::new(friction, 1e-3).unwrap());
    }
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let surface = builder.surface("any");
    builder.law(surface, surface, law);
    builder.body(BodyModel::fixed("below").with_part(below, Pose::from_position(0.0, 0.0, -0.05), surface));
    builder.body(BodyModel::solid("above", above, 1000.0, surface).unwrap());
    builder.build().unwrap()
}

fn start(pose: Pose) -> State {
    State::new(vec![Motion::at_rest(Pose::identity()), Motion::at_rest(pose)])
}

#[test]
fn what_stands_on_a_level_edge_falls_on_its_face_without_tiny_steps() {
    for (stiffness, degrees, friction, rounding) in [
        (1e8, 4.0, 0.4, 0.0),
        (1e8, 5.0, 0.0, 0.0),
        (1e8, 5.0, 0.4, 0.0),
        (1e8, 5.0, 0.0, 0.01),
        (1e8, 20.0, 0.0, 0.01),
        (1e8, 20.0, 0.4, 0.0),
        (1e6, 4.0, 0.0, 0.01),
        (1e6, 5.0, 0.4, 0.01),
    ] {
        let above = Shape::from(Cuboid::new([0.12, 0.1, 0.08], rounding).unwrap());
        let turn = Pose::identity().rotated(Vec3::x(), f64::to_radians(degrees)).unwrap();
        let down = turn.vector_to_local(&-Vec3::z());
        let height = above.surface().as_support().unwrap().support(&down);
        let model = model(Cylinder::new(0.15, 0.05).unwrap().into(), above, stiffness, friction);
        let pose = Pose::new(Vec3::new(0.0, 0.02, height), turn.orientation);
        for (engine, scheme) in engines().into_iter().take(2) {
            let name = format!("{stiffness:e}, {degrees}°, {friction}, {rounding}, {engine}");
            let mut run = Run::new(&model, start(pose), &scheme).unwrap();
            let before = run.energy().unwrap().total();
            let mut steps = 0;
            let advanced = run.advance(0.3, &mut |instant| {
                steps += usize::from(matches!(instant.event, RunEvent::Step));
                let what = name.clone();
                let reason = format!("{MOST_STEPS} steps lead to {} s", instant.state.time);
                if steps < MOST_STEPS { Ok(()) } else { Err(DynamicsError::Invalid { what, reason }) }
            });
            advanced.unwrap();
            let strayed = run.energy().unwrap().total() - before;
            let end = run.state().motions[1];
            let up = end.pose.vector_to_world(&Vec3::z());
            assert!(up.z > 0.9998 && (end.pose.position.z - 0.04).abs() < 2e-3, "{name}: {end:?}");
            assert!(strayed.abs() < 1e-6, "{name}: {strayed:e} J");
        }
    }
}

/// A can without friction, half over the edge of a box: what its points bring that are on the outline of neither body
/// alone is booked, in fixed steps as in adaptive ones.
#[test]
fn what_weights_and_wandering_points_bring_is_booked_in_every_engine() {
    let (table, can) = (Cuboid::new([0.4, 0.3, 0.1], 0.0).unwrap(), Cylinder::new(0.05, 0.06).unwrap());
    let model = model(table.into(), can.into(), 1e6, 0.0);
    let pose = Pose::from_position(0.2, 0.02, 0.06);
    let mut first = None;
    for (engine, scheme) in engines() {
        let mut run = Run::new(&model, start(pose), &scheme).unwrap();
        let before = run.energy().unwrap();
        let mut strayed = 0.0_f64;
        for k in 1..=10 {
            run.advance(0.03 * f64::from(k), &mut |_| Ok(())).unwrap();
            strayed = strayed.max((run.energy().unwrap().total() - before.total()).abs());
        }
        let after = run.energy().unwrap();
        let fallen = before.potential - after.potential;
        let brought = after.contacts.stiffness_change.abs();
        assert!(brought > 5e-3 * fallen, "{engine}: {brought:e} J of {fallen:e}");
        assert!(strayed < 2e-3 * fallen, "{engine}: {strayed:e} J of {fallen:e}");
        let end = run.state().motions[1].pose.position;
        let apart = (end - *first.get_or_insert(end)).norm();
        assert!(apart < 1e-4, "{engine}: {apart} m from explicit");
    }
}

/// Two superquadrics on each other, the middle of the upper one beyond the face of the lower one, where that is curved:
/// neither lies on the other's plane.
#[test]
fn what_lies_beside_an_all_but_flat_face_tilts_alike_in_every_engine() {
    for (exponents, x) in [([9.0, 10.0, 11.0], 0.07), ([30.0; 3], 0.07), ([9.0, 10.0, 11.0], 0.08)] {
        let below = Superquadric::new([0.1, 0.1, 0.05], [12.0; 3]).unwrap();
        let above = Superquadric::new([0.04; 3], exponents).unwrap();
        let model = model(below.into(), above.into(), 1e6, 0.4);
        let mut first = None;
        for (engine, scheme) in engines() {
            let name = format!("{exponents:?}, {x} m, {engine}");
            let mut run = Run::new(&model, start(Pose::from_position(x, 0.0, 0.04)), &scheme).unwrap();
            let is_adaptive = engine == "explicit" || engine == "stiff";
            let mut steps = 0;
            let advanced = run.advance(0.2, &mut |instant| {
                steps += usize::from(matches!(instant.event, RunEvent::Step));
                let what = name.clone();
                let reason = format!("{MOST_STEPS} steps lead to {} s", instant.state.time);
                if is_adaptive && steps >= MOST_STEPS {
                    Err(DynamicsError::Invalid { what, reason })
                } else {
                    Ok(())
                }
            });
            advanced.unwrap();
            let end = run.state().motions[1].pose;
            assert!(end.vector_to_world(&Vec3::z()).x > 1e-3, "{name}: it tilts: {end:?}");
            let apart = (end.position - first.get_or_insert(end).position).norm();
            assert!(apart < 2e-5, "{name}: {apart} m from explicit");
        }
    }
}

/// With its axis over the box, not over the edge itself, from where it tips by whatever differs.
#[test]
fn a_can_that_reaches_over_an_edge_is_pushed_along_alike_in_every_engine() {
    let (table, can) = (Cuboid::new([0.4, 0.3, 0.1], 0.0).unwrap(), Cylinder::new(0.06, 0.05).unwrap());
    let model = model(table.into(), can.into(), 1e6, 0.0);
    for x in [0.17, 0.19] {
        let mut first = None;
        for (engine, scheme) in engines() {
            let mut run = Run::new(&model, start(Pose::from_position(x, 0.0, 0.05)), &scheme).unwrap();
            run.advance(0.3, &mut |_| Ok(())).unwrap();
            let end = run.state().motions[1].pose.position;
            let apart = (end - *first.get_or_insert(end)).norm();
            assert!(end.x - x < 1e-4 && apart < 3e-6, "{x} m, {engine}: {end}, {apart} m from explicit");
        }
    }
}
