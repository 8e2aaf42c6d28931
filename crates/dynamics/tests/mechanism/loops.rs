//! Closed loops of the IFToMM library of computational benchmark problems: rectangular four-bars through their singular
//! position (A02), Bricard's mechanism with redundant constraints (A04), the stiff flyball governor (A05). Definitions as
//! in M. González, D. Dopico, U. Lugrís, J. Cuadrado, Multibody Syst. Dyn. 16 (2006) 179–190, and its reimplementation by
//! L. Tagliapietra, M. Vivian, E. Ceseracciu, M. Reggiani (Multi-Body Systems Benchmark in OpenSim, 2015).

use crate::build::{brick, joint, run};
use rattleback_dynamics::force::{End, Force, SpringDamper};
use rattleback_dynamics::joint::JointKind;
use rattleback_dynamics::mechanism::Settings;
use rattleback_dynamics::{Body, BodyModel, Mechanism, Model, Motion, State};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Mat3, Pose, Vec3};

/// A rod between two points of the world, its x axis along it.
fn rod_pose(from: Vec3, to: Vec3) -> Pose {
    let d = to - from;
    // Opposite vectors have no shortest rotation: any half turn across will do.
    let turn = UnitQuaternion::rotation_between(&Vec3::x(), &d)
        .unwrap_or_else(|| UnitQuaternion::from_scaled_axis(Vec3::z() * std::f64::consts::PI));
    Pose::new(0.5 * (from + to), turn)
}

/// A thin uniform rod of 1 kg and 1 m, 0.01 m thick.
fn rod() -> Body {
    brick(1.0, [1.0, 0.01, 0.01])
}

/// n windows of unit rods in the xy plane: 2n + 1 rods of 1 kg, hinged on the ground at (k, 0), upright, the upper joints
/// moving at 1 m/s along x.
fn four_bars(n: usize) -> (Model, State) {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, -9.81, 0.0));
    let ground = builder.body(BodyModel::fixed("ground"));
    let mut motions = vec![Motion::at_rest(Pose::identity())];
    let mut uprights = Vec::new();
    for k in 0..=n {
        let (foot, head) = (Vec3::new(k as f64, 0.0, 0.0), Vec3::new(k as f64, 1.0, 0.0));
        let pose = rod_pose(foot, head);
        let id = builder.body(BodyModel::free(format!("upright {k}"), rod()));
        // The head moves along x: the spin is −1 rad/s about z.
        let spin = pose.vector_to_local(&Vec3::new(0.0, 0.0, -1.0));
        motions.push(Motion { pose, velocity: Vec3::new(0.5, 0.0, 0.0), spin });
        let hinge = JointKind::Revolute;
        let name = format!("foot {k}");
        builder.joint(joint(&name, hinge, (ground, &Pose::identity()), (id, &pose), foot, Vec3::z()));
        uprights.push((id, pose, head));
    }
    for k in 0..n {
        let ((left, left_pose, from), (right, right_pose, to)) = (uprights[k], uprights[k + 1]);
        let pose = rod_pose(from, to);
        let id = builder.body(BodyModel::free(format!("coupler {k}"), rod()));
        motions.push(Motion { pose, velocity: Vec3::x(), spin: Vec3::zeros() });
        for (side, body, at, point) in [("left", left, left_pose, from), ("right", right, right_pose, to)] {
            let name = format!("{side} of coupler {k}");
            builder.joint(joint(&name, JointKind::Revolute, (body, &at), (id, &pose), point, Vec3::z()));
        }
    }
    let model = builder.build().unwrap();
    let state = State::new(motions);
    (model, state)
}

fn bricard() -> (Model, State) {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, -9.81, 0.0));
    let ground = builder.body(BodyModel::fixed("ground"));
    let points = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, -1.0, 0.0],
        [1.0, -1.0, 1.0],
        [0.0, -1.0, 1.0],
        [0.0, 0.0, 1.0],
    ]
    .map(Vec3::from);
    let axes = [Vec3::y(), Vec3::z(), Vec3::x(), Vec3::y(), Vec3::z(), Vec3::x()];
    let mut motions = vec![Motion::at_rest(Pose::identity())];
    let mut last = (ground, Pose::identity());
    for k in 0..5 {
        let pose = rod_pose(points[k], points[k + 1]);
        let id = builder.body(BodyModel::free(format!("rod {}", k + 1), brick(1.0, [1.0, 0.1, 0.1])));
        motions.push(Motion::at_rest(pose));
        let name = format!("P{}", k + 1);
        let (from, to) = ((last.0, &last.1), (id, &pose));
        builder.joint(joint(&name, JointKind::Revolute, from, to, points[k], axes[k]));
        last = (id, pose);
    }
    let ends = ((last.0, &last.1), (ground, &Pose::identity()));
    builder.joint(joint("P6", JointKind::Revolute, ends.0, ends.1, points[5], axes[5]));
    let model = builder.build().unwrap();
    let state = State::new(motions);
    (model, state)
}

/// Shaft and rods 1 × 0.01 × 0.01 m, slider a cube of 0.1 m, all of 3000 kg/m³; balls of 5 kg at the rods' ends; springs of
/// 8e5 N/m with 4e4 N s/m and 0.5 m between the slider and the rods' middles; α = 30°, ω = 2π rad/s.
fn flyball() -> (Model, State) {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let ground = builder.body(BodyModel::fixed("ground"));
    let spin = Vec3::new(0.0, 0.0, std::f64::consts::TAU);
    let moving =
        |pose: Pose| Motion { pose, velocity: spin.cross(&pose.position), spin: pose.vector_to_local(&spin) };
    let shaft_pose = Pose::from_position(0.0, 0.0, 0.5);
    let slider_pose = Pose::from_position(0.0, 0.0, 0.5);
    let shaft = builder.body(BodyModel::free("shaft", brick(0.3, [0.01, 0.01, 1.0])));
    let slider = builder.body(BodyModel::free("slider", brick(3.0, [0.1; 3])));
    let mut motions = vec![Motion::at_rest(Pose::identity()), moving(shaft_pose), moving(slider_pose)];
    let origin = Vec3::zeros();
    let world = Pose::identity();
    builder.joint(joint(
        "bearing",
        JointKind::Revolute,
        (ground, &world),
        (shaft, &shaft_pose),
        origin,
        Vec3::z(),
    ));
    builder.joint(joint(
        "guide",
        JointKind::Prismatic,
        (shaft, &shaft_pose),
        (slider, &slider_pose),
        Vec3::new(0.0, 0.0, 0.5),
        Vec3::z(),
    ));
    for (side, name) in [(1.0, "right"), (-1.0, "left")] {
        let top = Vec3::new(0.05 * side, 0.0, 1.0);
        let (sin, cos) = (30.0_f64).to_radians().sin_cos();
        let along = Vec3::new(side * cos, 0.0, -sin);
        // Rod and ball are one body: its mass centre lies 0.5·0.3 + 1·5 over 5.3 m from the hinge.
        let centre = (0.5 * 0.3 + 5.0) / 5.3;
        let across = brick(0.3, [1.0, 0.01, 0.01]).inertia;
        let steiner = 0.3 * (centre - 0.5_f64).powi(2) + 5.0 * (1.0 - centre).powi(2);
        let inertia = across + Mat3::from_diagonal(&Vec3::new(0.0, steiner, steiner));
        let pose = Pose::new(top + centre * along, rod_pose(top, top + along).orientation);
        let arm = builder.body(BodyModel::free(name, Body { mass: 5.3, inertia }));
        motions.push(moving(pose));
        builder.joint(joint(name, JointKind::Revolute, (shaft, &shaft_pose), (arm, &pose), top, Vec3::y()));
        builder.force(Force::SpringDamper(SpringDamper {
            a: End { body: slider, point: Vec3::new(0.05 * side, 0.0, 0.0) },
            b: End { body: arm, point: Vec3::new(0.5 - centre, 0.0, 0.0) },
            stiffness: 8e5,
            damping: 4e4,
            length: 0.5,
            never_pushes: false,
        }));
    }
    let model = builder.build().unwrap();
    let state = State::new(motions);
    (model, state)
}

#[test]
fn two_windows_pass_their_singular_position_and_keep_their_energy() {
    let (model, start) = four_bars(2);
    // The library's bound is 0.1 J over 10 s.
    let (_, coarse) = run(&model, &start, Settings::default().with_step(0.01), 10.0);
    assert!(coarse[0] < 0.1, "{coarse:?}");
    let (state, fine) = run(&model, &start, Settings::default().with_step(0.005), 10.0);
    println!("two windows: {coarse:?} {fine:?}");
    assert!(fine[0] < 0.03 && fine[1] < 1e-8, "{fine:?}");
    // All uprights stay parallel: it passed on the branch on which it came.
    let angle = |k: usize| state.motions[k].pose.vector_to_world(&Vec3::x());
    assert!((angle(1) - angle(3)).norm() < 1e-6);
}

#[test]
fn forty_windows_pass_their_singular_position() {
    let (model, start) = four_bars(40);
    // A quarter of a turn and on: the singular position comes at 0.7 s.
    let (_, worst) = run(&model, &start, Settings::default().with_step(0.0025), 1.0);
    println!("forty windows: {worst:?}");
    assert!(worst[0] < 0.1 && worst[1] < 1e-8, "{worst:?}");
}

#[test]
fn bricard_moves_though_its_constraints_are_redundant() {
    let (model, start) = bricard();
    let (state, worst) = run(&model, &start, Settings::default().with_step(0.01), 10.0);
    println!("Bricard: {worst:?}");
    // The library's bound is 0.1 J over 10 s.
    assert!(worst[0] < 1e-3 && worst[1] < 1e-10 && worst[2] < 1e-9, "{worst:?}");
    // P3 comes back to its start after 5 s and 10 s, as in the library's figure.
    let p3 = state.motions[2].pose.point_to_world(&Vec3::new(0.5, 0.0, 0.0));
    assert!((p3 - Vec3::new(1.0, -1.0, 0.0)).norm() < 1e-3, "{p3}");
    let mechanism = Mechanism::new(&model, Settings::default()).unwrap();
    assert_eq!(mechanism.size(), (60, 60));
}

#[test]
fn the_stiff_governor_moves_as_in_the_library() {
    let slide = |h: f64| {
        let (model, mut state) = flyball();
        let mut mechanism = Mechanism::new(&model, Settings::default().with_step(h)).unwrap();
        let mut range = [1.0_f64, 0.0_f64];
        mechanism
            .advance(&mut state, 10.0, &mut |_, state| {
                let z = state.motions[2].pose.position.z;
                range = [range[0].min(z), range[1].max(z)];
                Ok(())
            })
            .unwrap();
        (range, state.motions[2].pose.position.z)
    };
    let (coarse, fine) = (slide(0.01), slide(0.005));
    println!("governor: {coarse:?} {fine:?}");
    // The library's figure: between 0.500 m and 0.744 m, about 0.62 m at the end.
    assert!((fine.0[0] - 0.5).abs() < 2e-3 && (fine.0[1] - 0.744).abs() < 2e-3, "{fine:?}");
    assert!((fine.1 - 0.62).abs() < 5e-3 && (fine.1 - coarse.1).abs() < 5e-3, "{fine:?}");
}
