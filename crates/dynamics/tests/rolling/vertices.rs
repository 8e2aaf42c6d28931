//! Contact on subdivision surfaces: over borders of patches, close to extraordinary vertices and right over them.

use super::engine::{ROUGH, ground, law, mode, model, settings};
use rattleback_dynamics::rolling::{Mode, Rolling, Settings};
use rattleback_dynamics::{Accuracy, Body, BodyModel, Energy, Model, Motion, State};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::subdivision::LoopSurface;
use rattleback_geom::surface::Shape;
use rattleback_geom::{Pose, TriMesh, Vec3};

/// Loop's surface over an octahedron: six vertices of valence four.
fn pebble() -> Shape {
    let points = [
        [1.0, 0.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, -1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];
    let points: Vec<Vec3> = points.iter().map(|p| Vec3::from(*p) * 0.2).collect();
    let faces = vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    LoopSurface::new(&TriMesh::new(points, faces).unwrap()).unwrap().into()
}

/// It on the ground, and its least radius.
fn on_ground() -> (Model, f64) {
    let shape = pebble();
    let radius = shape.surface().bounds().extents().z * 0.5;
    let inertia = rattleback_geom::Mat3::from_diagonal_element(0.4 * radius * radius);
    let body = BodyModel::free("pebble", Body { mass: 1.0, inertia });
    let floor = (BodyModel::fixed("floor"), ground().into(), Pose::identity());
    (model(vec![floor, (body, shape, Pose::identity())], law(ROUGH, 0.5)), radius)
}

/// Rolls it along x for a turn or so from a start turned by `turn`, with the speed of its centre; the longest jump of
/// the mass centre in a step beyond what its velocity explains, and the loss of energy.
fn roll(turn: UnitQuaternion<f64>, accuracy: Accuracy) -> [f64; 2] {
    let (model, radius) = on_ground();
    let place = Pose::new(Vec3::new(0.0, 0.0, radius), turn);
    let angular_velocity = Vec3::new(0.0, 12.0, 0.0);
    let motion = Motion {
        pose: place,
        velocity: angular_velocity.cross(&Vec3::z()) * radius,
        angular_velocity_body: turn.inverse() * angular_velocity,
    };
    let state = State::new(vec![Motion::at_rest(Pose::identity()), motion]);
    let settings = Settings { accuracy, touching: 0.05, settle: 1.0, ..settings() };
    let mut run = Rolling::new(&model, state, settings).unwrap();
    assert_eq!(mode(&run), Some(Mode::Rolling));
    let before = Energy::of(&model, run.state()).unwrap().total();
    let (mut last, mut jump) = (run.state().clone(), 0.0f64);
    run.advance(0.8, &mut |now| {
        let step = now.state.time - last.time;
        let [from, to] = [&last, now.state].map(|state| state.motions[1]);
        // Speeds are below 5 m/s and accelerations below 500 m/s².
        let way =
            (to.pose.position - from.pose.position - (to.velocity + from.velocity) * (0.5 * step)).norm();
        jump = jump.max(way - 500.0 * step * step);
        last = now.state.clone();
        Ok(())
    })
    .unwrap();
    let after = Energy::of(&model, run.state()).unwrap().total();
    [jump, (after - before).abs()]
}

#[test]
fn a_pebble_rolls_right_over_its_vertices_and_past_them() {
    let accuracy = Accuracy { relative: 1e-9, absolute: 1e-11 };
    for (aside, turn) in [
        (0.0, UnitQuaternion::identity()),
        (1e-9, UnitQuaternion::from_euler_angles(1e-9, 0.0, 0.0)),
        (1e-4, UnitQuaternion::from_euler_angles(1e-4, 0.0, 0.0)),
        (0.1, UnitQuaternion::from_euler_angles(0.1, 0.3, 0.7)),
    ] {
        let [jump, lost] = roll(turn, accuracy);
        // Over a vertex the contact hops by 1e-8 edges, the body by no more.
        let most = if aside == 0.0 { 5e-8 } else { 1e-9 };
        assert!(jump < most && lost < 1e-8, "{aside}: {jump:e} {lost:e}");
    }
}

/// Rounding decides how close a pebble that begins on a vertex comes to the next ones. Parameters measured as if the
/// surface changed over the whole of a chart lost 1e-7 J there; starts on a border were lost beyond it and ended at the
/// vertex.
#[test]
fn a_pebble_keeps_its_energy_however_closely_it_passes_its_vertices() {
    let accuracy = Accuracy { relative: 1e-9, absolute: 1e-11 };
    for k in (0..8).chain(17..23) {
        let aside = 1e-12 * f64::from(k) * if k > 12 { 1e4 } else { 1.0 };
        let [jump, lost] = roll(UnitQuaternion::from_euler_angles(0.0, aside, 0.0), accuracy);
        assert!(jump < 1e-9 && lost < 1e-8, "{aside}: {jump:e} {lost:e}");
    }
}
