//! What acts on relative coordinates: motors, springs, friction, limits, against closed forms.

use super::build::{brick, joint, run};
use rattleback_dynamics::joint::{Action, Freedom, JointAction, JointKind, MotionLaw};
use rattleback_dynamics::mechanism::{Rule, Settings};
use rattleback_dynamics::{BodyModel, Energy, Mechanism, Model, Motion, State};
use rattleback_geom::{Pose, Vec3};

/// A brick of 2 kg whose centre lies 0.3 m from a joint at the origin about z, with actions on it.
fn brick_on(kind: JointKind, gravity: [f64; 3], actions: &[(Freedom, Action)]) -> (Model, State) {
    let mut builder = Model::builder();
    builder.gravity(gravity);
    let world = builder.body(BodyModel::fixed("world"));
    let body = builder.body(BodyModel::free("brick", brick(2.0, [0.5, 0.2, 0.1])));
    let pose = Pose::from_position(0.3, 0.0, 0.0);
    let ends = ((world, &Pose::identity()), (body, &pose));
    let id = builder.joint(joint("J", kind, ends.0, ends.1, Vec3::zeros(), Vec3::z()));
    for (freedom, action) in actions {
        builder.action(JointAction { joint: id, freedom: *freedom, action: action.clone() });
    }
    let model = builder.build().unwrap();
    let state = State::new(vec![Motion::at_rest(Pose::identity()), Motion::at_rest(pose)]);
    (model, state)
}

/// The brick's moment of inertia about the joint's axis.
const ABOUT: f64 = 2.0 * (0.25 + 0.04) / 12.0 + 2.0 * 0.09;

#[test]
fn a_motor_turns_many_times_and_its_torque_carries_the_weight() {
    let motor = Action::Motor(MotionLaw::Rate { start: 0.0, rate: 10.0 });
    let (model, mut state) = brick_on(JointKind::Revolute, [0.0, -9.81, 0.0], &[(Freedom::Turn, motor)]);
    let mut mechanism = Mechanism::new(&model, Settings::default().with_step(0.005)).unwrap();
    mechanism.advance(&mut state, 2.0, &mut |_, _| Ok(())).unwrap();
    let [angle, rate] = mechanism.coordinates(&state).unwrap()[0];
    assert!((angle - 20.0).abs() < 1e-10 && (rate - 10.0).abs() < 1e-9, "{angle} {rate}");
    let expected = Vec3::new(0.3 * 20.0_f64.cos(), 0.3 * 20.0_f64.sin(), 0.0);
    assert!((state.motions[1].pose.position - expected).norm() < 1e-10);
    let torque = mechanism.efforts(&state).unwrap()[0];
    let weight = 2.0 * 9.81 * 0.3 * 20.0_f64.cos();
    assert!((torque - weight).abs() < 1e-6, "{torque} {weight}");
    // The joint carries weight and centripetal force.
    let reaction = mechanism.reactions(&state).unwrap()[0];
    let force = Vec3::new(0.0, 2.0 * 9.81, 0.0) - 2.0 * 100.0 * expected;
    assert!((reaction.force - force).norm() < 1e-6, "{:?} {force}", reaction.force);
    assert!((reaction.torque.z - weight).abs() < 1e-6, "{:?}", reaction.torque);
}

#[test]
fn a_harmonic_motor_moves_a_slide() {
    let law = MotionLaw::Harmonic { mean: 0.1, amplitude: 0.2, frequency: 7.0, phase: 0.0 };
    let (model, mut state) =
        brick_on(JointKind::Prismatic, [0.0; 3], &[(Freedom::Slide, Action::Motor(law.clone()))]);
    let mut mechanism = Mechanism::new(&model, Settings::default().with_step(0.01)).unwrap();
    mechanism.advance(&mut state, 1.0, &mut |_, _| Ok(())).unwrap();
    assert!((state.motions[1].pose.position.z - law.at(1.0)[0]).abs() < 1e-11);
    let force = mechanism.efforts(&state).unwrap()[0];
    assert!((force - 2.0 * law.at(1.0)[2]).abs() < 1e-6, "{force}");
}

#[test]
fn a_torsional_spring_swings_at_its_frequency() {
    let spring = Action::Spring { stiffness: 5.0, rest: 0.4 };
    let (model, start) = brick_on(JointKind::Revolute, [0.0; 3], &[(Freedom::Turn, spring)]);
    let omega = (5.0 / ABOUT).sqrt();
    let end = 2.0;
    let exact = 0.4 - 0.4 * (omega * end).cos();
    let error = |h: f64| {
        let mut mechanism = Mechanism::new(&model, Settings::default().with_step(h)).unwrap();
        let mut state = start.clone();
        mechanism.advance(&mut state, end, &mut |_, _| Ok(())).unwrap();
        (mechanism.coordinates(&state).unwrap()[0][0] - exact).abs()
    };
    let (coarse, fine) = (error(0.01), error(0.005));
    assert!(fine < 1e-3 && ((coarse / fine).log2() - 2.0).abs() < 0.1, "{coarse:e} {fine:e}");
}

#[test]
fn friction_slows_a_rotor_at_a_constant_rate_and_then_holds_it() {
    let friction = Action::Friction { effort: 0.5, rate: 0.01, viscous: 0.0 };
    let (model, mut state) = brick_on(JointKind::Revolute, [0.0; 3], &[(Freedom::Turn, friction)]);
    state.motions[1].angular_velocity_body.z = 3.0;
    state.motions[1].velocity.y = 0.9;
    let mut mechanism = Mechanism::new(&model, Settings::default().with_step(0.002)).unwrap();
    mechanism.advance(&mut state, 0.8, &mut |_, _| Ok(())).unwrap();
    let rate = mechanism.coordinates(&state).unwrap()[0][1];
    // The rule's error in turning is (ω h)²/12 = 3e-6 of the angle.
    assert!((rate - (3.0 - 0.5 / ABOUT * 0.8)).abs() < 2e-5, "{rate}");
    mechanism.advance(&mut state, 2.5, &mut |_, _| Ok(())).unwrap();
    assert!(mechanism.coordinates(&state).unwrap()[0][1].abs() < 1e-6);
}

#[test]
fn a_loaded_pin_slows_a_flywheel_at_a_constant_rate_and_then_holds_it() {
    // About its own centre the brick's pin carries its weight, whatever the angle.
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, -9.81, 0.0));
    let world = builder.body(BodyModel::fixed("world"));
    let inertia = brick(2.0, [0.5, 0.2, 0.1]);
    let body = builder.body(BodyModel::free("brick", inertia));
    let place = Pose::identity();
    let pin = builder.joint(joint(
        "J",
        JointKind::Revolute,
        (world, &place),
        (body, &place),
        Vec3::zeros(),
        Vec3::z(),
    ));
    let bearing = Action::Bearing { coefficient: 0.3, radius: 0.02, rate: 0.01 };
    builder.action(JointAction { joint: pin, freedom: Freedom::Turn, action: bearing });
    let model = builder.build().unwrap();
    let mut state = State::new(vec![Motion::at_rest(place); 2]);
    state.motions[1].angular_velocity_body.z = 3.0;
    let mut mechanism = Mechanism::new(&model, Settings::default().with_step(0.002)).unwrap();
    mechanism.advance(&mut state, 0.5, &mut |_, _| Ok(())).unwrap();
    let slowing = 0.3 * 0.02 * 2.0 * 9.81 / inertia.inertia[(2, 2)];
    let rate = mechanism.coordinates(&state).unwrap()[0][1];
    assert!((rate - (3.0 - 0.5 * slowing)).abs() < 2e-5, "{rate}");
    let effort = mechanism.efforts(&state).unwrap()[0];
    assert!((effort + 0.3 * 0.02 * 2.0 * 9.81).abs() < 1e-9, "{effort}");
    let start = 0.5 * inertia.inertia[(2, 2)] * 9.0;
    mechanism.advance(&mut state, 3.0 / slowing + 0.5, &mut |_, _| Ok(())).unwrap();
    assert!(mechanism.coordinates(&state).unwrap()[0][1].abs() < 1e-6);
    assert!((state.dissipated - start).abs() < 1e-4 * start, "{} {start}", state.dissipated);
}

#[test]
fn the_friction_of_a_swinging_pin_follows_its_load_and_never_gives_energy() {
    let bearing = Action::Bearing { coefficient: 0.4, radius: 0.05, rate: 0.05 };
    let (model, start) = brick_on(JointKind::Revolute, [0.0, -9.81, 0.0], &[(Freedom::Turn, bearing)]);
    let swing = |h: f64| {
        let mut state = start.clone();
        let mut mechanism = Mechanism::new(&model, Settings::default().with_step(h)).unwrap();
        mechanism.assemble(&mut state).unwrap();
        let (mut last, mut worst) = (state.dissipated, 0.0_f64);
        let before = mechanism.energy(&state).unwrap().total();
        mechanism
            .advance(&mut state, 2.0, &mut |mechanism, state| {
                assert!(state.dissipated >= last, "{} {last}", state.dissipated);
                last = state.dissipated;
                worst = worst.max((mechanism.energy(state)?.total() - before).abs());
                // A pin of radius r under the force N holds μ r N at most.
                let carried = mechanism.reactions(state)?[0].force.norm();
                let effort = mechanism.efforts(state)?[0];
                assert!(effort.abs() <= 0.4 * 0.05 * carried * 1.1 + 1e-9, "{effort} {carried}");
                Ok(())
            })
            .unwrap();
        (mechanism.coordinates(&state).unwrap()[0][0], last, worst)
    };
    let [(a, lost, _), (b, _, coarse), (c, _, fine)] = [4e-3, 2e-3, 1e-3].map(swing);
    assert!(lost > 0.5, "{lost}");
    // The force is that of the step before: of first order in the motion, of second in the books.
    assert!((b - c).abs() < 0.7 * (a - b).abs() && (b - c).abs() < 5e-3, "{a} {b} {c}");
    assert!(fine < 5e-3 && (coarse / fine).log2() > 1.8, "{coarse:e} {fine:e}");
}

#[test]
fn limits_stop_a_pendulum_and_take_energy_only() {
    let limit = Action::Limit { lower: -1.0, upper: 2.0, stiffness: 5e3, damping: 0.5 };
    let (model, mut state) = brick_on(JointKind::Revolute, [0.0, -9.81, 0.0], &[(Freedom::Turn, limit)]);
    let mut mechanism = Mechanism::new(&model, Settings::default().with_step(5e-4)).unwrap();
    mechanism.assemble(&mut state).unwrap();
    let start = mechanism.energy(&state).unwrap().mechanical();
    let (mut lowest, mut highest) = (0.0_f64, f64::NEG_INFINITY);
    mechanism
        .advance(&mut state, 3.0, &mut |mechanism, state| {
            lowest = lowest.min(mechanism.coordinates(state)?[0][0]);
            highest = highest.max(mechanism.energy(state)?.mechanical());
            Ok(())
        })
        .unwrap();
    // It falls 5 J onto 5 kN m/rad: 0.045 rad deep without damping.
    assert!(lowest < -1.0 && lowest > -1.05, "{lowest}");
    let end = mechanism.energy(&state).unwrap().mechanical();
    assert!(highest < start + 1e-3 && end < start - 1.0, "{start} {highest} {end}");
}

#[test]
fn what_every_action_takes_or_brings_is_booked_to_second_order() {
    let harmonic = MotionLaw::Harmonic { mean: 0.0, amplitude: 0.7, frequency: 6.0, phase: 0.3 };
    for action in [
        Action::Effort(4.0),
        Action::Damper { damping: 0.8 },
        Action::Friction { effort: 1.0, rate: 0.5, viscous: 0.2 },
        Action::Limit { lower: -1.0, upper: 2.0, stiffness: 200.0, damping: 0.5 },
        Action::Motor(harmonic),
    ] {
        let (model, state) =
            brick_on(JointKind::Revolute, [0.0, -9.81, 0.0], &[(Freedom::Turn, action.clone())]);
        let lost = |h: f64| {
            let (end, [lost, ..]) = run(&model, &state, Settings::default().with_step(h), 2.0);
            // It swings through about 6 J, and a good part of that goes through the books.
            assert!(end.dissipated.abs() > 0.3, "{action:?}: {}", end.dissipated);
            lost
        };
        let (coarse, fine) = (lost(2e-3), lost(1e-3));
        let order = (coarse / fine).log2();
        assert!(fine < 5e-3 && order > 1.8, "{action:?}: {coarse:e} {fine:e}");
    }
}

#[test]
fn both_angles_of_a_universal_joint_take_springs() {
    // Small swings about x and y of a body hung by its centre: each angle has its own frequency.
    let actions = [Freedom::Turn, Freedom::SecondTurn]
        .map(|freedom| (freedom, Action::Spring { stiffness: 3.0, rest: 0.0 }));
    let mut builder = Model::builder();
    let world = builder.body(BodyModel::fixed("world"));
    let body = builder.body(BodyModel::free("brick", brick(2.0, [0.5, 0.2, 0.1])));
    let anchor = |body| rattleback_dynamics::joint::JointFrame { body, pose: Pose::identity() };
    let id = builder.joint(rattleback_dynamics::joint::Joint {
        name: "J".to_owned(),
        kind: JointKind::Universal,
        a: anchor(world),
        b: anchor(body),
    });
    for (freedom, action) in actions {
        builder.action(JointAction { joint: id, freedom, action });
    }
    let model = builder.build().unwrap();
    let mut state = State::new(vec![Motion::at_rest(Pose::identity()); 2]);
    let small = 1e-3;
    state.motions[1].angular_velocity_body = Vec3::new(small, small, 0.0);
    let mut mechanism = Mechanism::new(&model, Settings::default().with_step(1e-3)).unwrap();
    mechanism.advance(&mut state, 0.05, &mut |_, _| Ok(())).unwrap();
    let found = mechanism.coordinates(&state).unwrap();
    let inertia = model.bodies()[body.0].body.inertia;
    for k in 0..2 {
        let omega = (3.0 / inertia[(k, k)]).sqrt();
        let exact = small / omega * (omega * 0.05).sin();
        assert!((found[k][0] - exact).abs() < 1e-3 * small / omega, "{} {exact}", found[k][0]);
    }
}

#[test]
fn a_spring_too_stiff_for_the_step_rings_on_or_dies_as_the_rule_says() {
    // ω h = 2200: what is left per step is 1 for the trapezoidal rule and ρ for the other.
    let spring = Action::Spring { stiffness: 1e9, rest: 1e-3 };
    let (model, start) = brick_on(JointKind::Prismatic, [0.0; 3], &[(Freedom::Slide, spring)]);
    let swing = |rule: Rule| {
        let settings = Settings { rule, ..Settings::default() }.with_step(0.1);
        let mut mechanism = Mechanism::new(&model, settings).unwrap();
        let mut state = start.clone();
        mechanism.advance(&mut state, 4.0, &mut |_, _| Ok(())).unwrap();
        (mechanism.coordinates(&state).unwrap()[0][0] - 1e-3).abs()
    };
    let ringing = swing(Rule::Trapezoidal);
    assert!((ringing - 1e-3).abs() < 1e-5, "{ringing:e}");
    // A triple root ρ: n² ρⁿ after n steps.
    let dying = swing(Rule::GeneralizedAlpha { rho: 0.5 });
    assert!(dying < 1e-3 * 40.0 * 40.0 * 0.5_f64.powi(40), "{dying:e}");
}

#[test]
fn energy_of_a_state_has_what_springs_in_joints_store() {
    let spring = Action::Spring { stiffness: 5.0, rest: 0.4 };
    let (model, state) = brick_on(JointKind::Revolute, [0.0; 3], &[(Freedom::Turn, spring)]);
    let mut mechanism = Mechanism::new(&model, Settings::default()).unwrap();
    let bare = Energy::of(&model, &state).unwrap();
    let mut assembled = state.clone();
    mechanism.assemble(&mut assembled).unwrap();
    let own = mechanism.energy(&assembled).unwrap();
    assert!(own.applied > 0.1, "{own:?}");
    for energy in [bare, Energy::of(&model, &assembled).unwrap()] {
        assert!((energy.applied - own.applied).abs() < 1e-12 * own.applied, "{energy:?} {own:?}");
    }
}
