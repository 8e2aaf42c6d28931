//! Joints in motion, against closed forms.

use super::build::{brick, joint, run};
use rattleback_dynamics::joint::{
    Action, Freedom, Gear, Joint, JointAction, JointFrame, JointKind, MotionLaw,
};
use rattleback_dynamics::mechanism::Settings;
use rattleback_dynamics::{BodyModel, Mechanism, Model, Motion, State};
use rattleback_geom::surface::Ellipsoid;
use rattleback_geom::{Pose, Vec3};
use std::f64::consts::TAU;

#[test]
fn a_nut_falls_on_its_screw_with_the_inertia_of_its_spin() {
    let pitch = 0.05;
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let world = builder.body(BodyModel::fixed("world"));
    let nut = builder.body(BodyModel::free("nut", brick(1.0, [0.06, 0.06, 0.02])));
    let place = Pose::identity();
    let ends = ((world, &place), (nut, &place));
    builder.joint(joint("thread", JointKind::Screw { pitch }, ends.0, ends.1, Vec3::zeros(), Vec3::z()));
    let model = builder.build().unwrap();
    let start = State::new(vec![Motion::at_rest(place); 2]);
    let (state, worst) = run(&model, &start, Settings::default().with_step(1e-3), 0.5);
    let inertia = model.bodies()[nut.0].body.inertia[(2, 2)];
    let acceleration = 9.81 / (1.0 + inertia * (TAU / pitch).powi(2));
    let exact = -0.5 * acceleration * 0.25;
    // The rule is exact for parabolas but not for turning: (ω h)²/12 = 3e-4 at the 59 rad/s of the end.
    assert!((state.motions[1].pose.position.z - exact).abs() < 5e-4 * exact.abs(), "{exact}");
    assert!(worst[1] < 1e-10 && worst[2] < 1e-8, "{worst:?}");
    // More than a full turn: the angle counts them.
    assert!(exact.abs() > pitch);
    let angle = state.joints.unwrap().relative[0];
    assert!((angle - TAU * state.motions[1].pose.position.z / pitch).abs() < 1e-8);
}

#[test]
fn geared_wheels_share_a_torque_through_many_turns() {
    let mut builder = Model::builder();
    let world = builder.body(BodyModel::fixed("world"));
    let places = [Pose::identity(), Pose::from_position(0.5, 0.0, 0.0)];
    let wheels = [("A", 0.2), ("B", 0.4)]
        .map(|(name, side)| builder.body(BodyModel::free(name, brick(2.0, [side, side, 0.05]))));
    for k in 0..2 {
        let ends = ((world, &places[0]), (wheels[k], &places[k]));
        let name = ["axle A", "axle B"][k];
        let id =
            builder.joint(joint(name, JointKind::Revolute, ends.0, ends.1, places[k].position, Vec3::z()));
        let effort = Action::Effort([0.3, 0.0][k]);
        builder.action(JointAction { joint: id, freedom: Freedom::Turn, action: effort });
    }
    let ratio = 1.7;
    let gear = Gear { carrier: world, frames: places, ratio, phase: 0.0 };
    let anchor = |body| JointFrame { body, pose: Pose::identity() };
    builder.joint(Joint {
        name: "mesh".to_owned(),
        kind: JointKind::Gear(gear),
        a: anchor(wheels[0]),
        b: anchor(wheels[1]),
    });
    let model = builder.build().unwrap();
    let mut motions = vec![Motion::at_rest(places[0])];
    motions.extend(places.map(Motion::at_rest));
    let mut state = State::new(motions);
    let mut mechanism = Mechanism::new(&model, Settings::default().with_step(0.001)).unwrap();
    mechanism.advance(&mut state, 2.0, &mut |_, _| Ok(())).unwrap();
    let inertia = wheels.map(|w| model.bodies()[w.0].body.inertia[(2, 2)]);
    // φ_A + ρ φ_B = 0: the torque on A moves I_A + I_B/ρ².
    let exact = 0.5 * 0.3 / (inertia[0] + inertia[1] / (ratio * ratio)) * 4.0;
    let found = mechanism.coordinates(&state).unwrap();
    assert!(exact > TAU);
    // (ω h)²/12 = 3e-5 at the 19 rad/s of the end.
    assert!((found[0][0] - exact).abs() < 5e-5 * exact, "{} {exact}", found[0][0]);
    assert!((found[0][0] + ratio * found[1][0]).abs() < 1e-10 * exact, "{found:?}");
}

#[test]
fn a_cardan_shaft_turns_as_hooke_says() {
    // Two shafts that meet at the origin under 30°; loops of revolute joints in space are redundant.
    let bend = 30.0_f64.to_radians();
    let (first, second) = (Vec3::z(), Vec3::new(bend.sin(), 0.0, bend.cos()));
    let mut builder = Model::builder();
    let world = builder.body(BodyModel::fixed("world"));
    let shafts = ["one", "two"].map(|n| builder.body(BodyModel::free(n, brick(1.0, [0.05, 0.05, 0.4]))));
    let place = Pose::identity();
    let ends = ((world, &place), (shafts[0], &place));
    let driven = builder.joint(joint("one", JointKind::Revolute, ends.0, ends.1, Vec3::zeros(), first));
    let ends = ((world, &place), (shafts[1], &place));
    let led = builder.joint(joint("two", JointKind::Revolute, ends.0, ends.1, Vec3::zeros(), second));
    // The cross has a pin along x of the first shaft and one along y of the second.
    builder.joint(Joint {
        name: "cross".to_owned(),
        kind: JointKind::Universal,
        a: JointFrame { body: shafts[0], pose: Pose::identity() },
        b: JointFrame { body: shafts[1], pose: Pose::identity() },
    });
    let motor = Action::Motor(MotionLaw::Rate { start: 0.0, rate: 3.0 });
    builder.action(JointAction { joint: driven, freedom: Freedom::Turn, action: motor });
    builder.action(JointAction { joint: led, freedom: Freedom::Turn, action: Action::Effort(0.0) });
    let model = builder.build().unwrap();
    let mut state = State::new(vec![Motion::at_rest(place); 3]);
    let mut mechanism = Mechanism::new(&model, Settings::default().with_step(0.01)).unwrap();
    let mut worst = 0.0_f64;
    mechanism
        .advance(&mut state, 3.0, &mut |mechanism, state| {
            let found = mechanism.coordinates(state)?;
            // The pins are orthogonal: n₁ = (cos θ₁, sin θ₁, 0), n₂ = −sin θ₂ (cos β, 0, −sin β) + cos θ₂ y.
            let (s1, c1) = found[0][0].sin_cos();
            let (s2, c2) = found[1][0].sin_cos();
            worst = worst.max((s1 * c2 - c1 * s2 * bend.cos()).abs());
            Ok(())
        })
        .unwrap();
    assert!(worst < 1e-10, "{worst:e}");
    assert!(mechanism.coordinates(&state).unwrap()[1][0] > TAU);
}

#[test]
fn a_point_stays_on_its_ellipsoid_and_keeps_its_energy() {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let surface = builder.surface("any");
    let axes = [1.0, 0.7, 0.5];
    let bowl = builder.body(BodyModel::fixed("bowl").with_part(
        Ellipsoid::new(axes).unwrap(),
        Pose::identity(),
        surface,
    ));
    let bead = builder.body(BodyModel::free("bead", brick(0.5, [0.02; 3])));
    builder.joint(Joint {
        name: "on the bowl".to_owned(),
        kind: JointKind::PointOnSurface { part: 0 },
        a: JointFrame { body: bead, pose: Pose::identity() },
        b: JointFrame { body: bowl, pose: Pose::identity() },
    });
    let model = builder.build().unwrap();
    let mut start = State::new(vec![Motion::at_rest(Pose::identity()); 2]);
    start.motions[1] = Motion {
        pose: Pose::from_position(0.8, 0.0, -0.3),
        velocity: Vec3::new(0.0, 1.0, 0.0),
        angular_velocity_body: Vec3::zeros(),
    };
    let (coarse_state, coarse) = run(&model, &start, Settings::default().with_step(2e-3), 2.0);
    let (_, fine) = run(&model, &start, Settings::default().with_step(1e-3), 2.0);
    let p = coarse_state.motions[1].pose.position;
    let f: f64 = (0..3).map(|k| (p[k] / axes[k]).powi(2)).sum::<f64>() - 1.0;
    assert!(f.abs() < 1e-10 && coarse[1] < 1e-10, "{f:e} {coarse:?}");
    assert!(fine[0] < 1e-3 && coarse[0] / fine[0] > 3.0, "{coarse:?} {fine:?}");
}

#[test]
fn a_slab_slides_down_its_plane() {
    let slope = 20.0_f64.to_radians();
    let normal = Vec3::new(slope.sin(), 0.0, slope.cos());
    for kind in [JointKind::Planar, JointKind::Prismatic, JointKind::Cylindrical] {
        let mut builder = Model::builder();
        builder.gravity(Vec3::new(0.0, 0.0, -9.81));
        let world = builder.body(BodyModel::fixed("world"));
        let slab = builder.body(BodyModel::free("slab", brick(3.0, [0.3, 0.2, 0.1])));
        let place = Pose::identity();
        let down = Vec3::new(slope.cos(), 0.0, -slope.sin());
        let axis = if kind == JointKind::Planar { normal } else { down };
        let ends = ((world, &place), (slab, &place));
        builder.joint(joint("guide", kind, ends.0, ends.1, Vec3::zeros(), axis));
        let model = builder.build().unwrap();
        let start = State::new(vec![Motion::at_rest(place); 2]);
        let (state, _) = run(&model, &start, Settings::default().with_step(0.01), 1.0);
        let exact = down * (0.5 * 9.81 * slope.sin());
        // A parabola is exact for the rule.
        assert!((state.motions[1].pose.position - exact).norm() < 1e-9, "{kind:?}");
    }
}

#[test]
fn two_halves_that_are_fixed_together_swing_like_the_whole() {
    let swing = |halves: usize| {
        let mut builder = Model::builder();
        builder.gravity(Vec3::new(0.0, -9.81, 0.0));
        let world = builder.body(BodyModel::fixed("world"));
        let length = 1.0 / halves as f64;
        let mut motions = vec![Motion::at_rest(Pose::identity())];
        let mut last = (world, Pose::identity());
        for k in 0..halves {
            let body = brick(length, [length, 0.1, 0.1]);
            let id = builder.body(BodyModel::free(format!("part {k}"), body));
            let pose = Pose::from_position(length * (k as f64 + 0.5), 0.0, 0.0);
            motions.push(Motion::at_rest(pose));
            let kind = if k == 0 { JointKind::Revolute } else { JointKind::Fixed };
            let point = Vec3::new(length * k as f64, 0.0, 0.0);
            builder.joint(joint(
                &format!("joint {k}"),
                kind,
                (last.0, &last.1),
                (id, &pose),
                point,
                Vec3::z(),
            ));
            last = (id, pose);
        }
        let model = builder.build().unwrap();
        let start = State::new(motions);
        let (state, worst) = run(&model, &start, Settings::default().with_step(0.002), 1.0);
        assert!(worst[1] < 1e-10 && worst[2] < 1e-10, "{worst:?}");
        let end = state.motions[halves];
        end.pose.point_to_world(&Vec3::new(0.5 * length, 0.0, 0.0))
    };
    // The same discrete equations in other coordinates, but for the projections' metric: equal to the rule's error.
    let apart = (swing(1) - swing(2)).norm();
    assert!(apart < 1e-5, "{apart:e}");
}
