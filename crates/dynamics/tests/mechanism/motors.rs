//! Tables, moves and controls on a joint, and what is told where bodies do not fit their joints at the start.

use super::build::{brick, joint};
use rattleback_dynamics::joint::{
    Action, Control, Freedom, JointAction, JointFrame, JointKind, MotionLaw, Profile, Table,
};
use rattleback_dynamics::mechanism::{JointReading, Settings, Step};
use rattleback_dynamics::{
    Beyond, BodyModel, DynamicsError, Ends, Interpolation, Mechanism, Model, Motion, Run, Scheme, State,
};
use rattleback_geom::{Pose, Vec3};

/// A brick of 2 kg on a slide or hinge at its mass centre.
fn brick_on(kind: JointKind, action: Action) -> (Model, State) {
    let mut builder = Model::builder();
    let world = builder.body(BodyModel::fixed("world"));
    let body = builder.body(BodyModel::free("brick", brick(2.0, [0.5, 0.2, 0.1])));
    let still = Pose::identity();
    let id = builder.joint(joint("J", kind, (world, &still), (body, &still), Vec3::zeros(), Vec3::z()));
    let freedom = if kind == JointKind::Prismatic { Freedom::Slide } else { Freedom::Turn };
    builder.action(JointAction { joint: id, freedom, action });
    (builder.build().unwrap(), State::new(vec![Motion::at_rest(still); 2]))
}

/// Value and rate of the coordinate, and the effort, at times of a run in steps of 1 ms.
fn follow(model: &Model, state: State, times: &[f64]) -> Vec<[f64; 3]> {
    let mut mechanism = Mechanism::new(model, Settings::default()).unwrap();
    let mut state = state;
    let mut found = Vec::new();
    for &time in times {
        mechanism.advance(&mut state, time, &mut |_, _| Ok(())).unwrap();
        let [value, rate] = mechanism.coordinates(&state).unwrap()[0];
        found.push([value, rate, mechanism.efforts(&state).unwrap()[0]]);
    }
    found
}

#[test]
fn a_motor_stays_between_the_values_of_its_table_and_at_the_last_one() {
    let between = Interpolation::Monotone(Ends::AtRest);
    let table = Table::new(&[0.0, 0.2, 0.3, 0.6], &[0.0, 0.1, 0.1, 0.4], between, Beyond::Hold).unwrap();
    let law = MotionLaw::Table(table);
    let (model, state) = brick_on(JointKind::Prismatic, Action::Motor(law.clone()));
    let times: Vec<f64> = (1..=90).map(|k| 0.01 * f64::from(k)).collect();
    let found = follow(&model, state, &times);
    for (time, [value, rate, _]) in times.iter().zip(&found) {
        assert!((value - law.at(*time)[0]).abs() < 1e-10, "{time}: {value}");
        assert!((0.0..=0.4 + 1e-10).contains(value) && *rate > -1e-9, "{time}: {value} {rate}");
    }
    // Held, and no force to hold it.
    let [value, rate, effort] = found[89];
    assert!(
        (value - 0.4).abs() < 1e-12 && rate.abs() < 1e-9 && effort.abs() < 1e-6,
        "{value} {rate} {effort}"
    );
}

#[test]
fn a_move_takes_the_force_of_its_acceleration() {
    for profile in [Profile::Ramp, Profile::SCurve] {
        let law = MotionLaw::Move { ends: [0.0, 0.3], begin: 0.1, duration: 0.6, profile };
        let (model, state) = brick_on(JointKind::Prismatic, Action::Motor(law.clone()));
        let times = [0.2, 0.4, 0.55, 0.8];
        for (time, [value, _, effort]) in times.iter().zip(follow(&model, state, &times)) {
            let [expected, _, acceleration] = law.at(*time);
            assert!((value - expected).abs() < 1e-10, "{profile:?} {time}: {value}");
            assert!(
                (effort - 2.0 * acceleration).abs() < 2e-2,
                "{profile:?} {time}: {effort} {acceleration}"
            );
        }
    }
}

/// A control on a mass: m ẍ = k (X − x) − c ẋ, from rest to X.
#[test]
fn a_control_swings_in_as_the_damped_oscillator_that_it_is_and_keeps_its_limit() {
    let (mass, stiffness, damping, aim) = (2.0_f64, 200.0_f64, 8.0, 0.1);
    let target = MotionLaw::Rate { start: aim, rate: 0.0 };
    let control = Control { target, stiffness, damping, limit: f64::INFINITY };
    let (model, state) = brick_on(JointKind::Prismatic, Action::Control(control.clone()));
    let decay = damping / (2.0 * mass);
    let omega = (stiffness / mass - decay * decay).sqrt();
    let times = [0.1, 0.25, 0.5];
    for (t, [value, ..]) in times.iter().zip(follow(&model, state.clone(), &times)) {
        let shape = (omega * t).cos() + decay / omega * (omega * t).sin();
        let exact = aim * (1.0 - (-decay * t).exp() * shape);
        assert!((value - exact).abs() < 2e-5 * aim, "{t}: {value} {exact}");
    }
    // Limited to 4 N it begins with 2 m/s², and never exerts more.
    let (model, state) = brick_on(JointKind::Prismatic, Action::Control(Control { limit: 4.0, ..control }));
    let times: Vec<f64> = (1..=300).map(|k| 0.02 * f64::from(k)).collect();
    let found = follow(&model, state, &times);
    assert!((found[2][0] - 0.5 * 2.0 * 0.06 * 0.06).abs() < 1e-9, "{}", found[2][0]);
    assert!(found.iter().all(|[.., effort]| effort.abs() <= 4.0 + 1e-12));
    assert!((found[299][0] - aim).abs() < 1e-3 * aim, "{}", found[299][0]);
}

#[test]
fn a_torque_over_time_turns_a_body_by_its_impulse() {
    let table = Table::new(&[0.0, 0.5], &[0.0, 0.3], Interpolation::Linear, Beyond::Zero).unwrap();
    let (model, state) = brick_on(JointKind::Revolute, Action::EffortTable(table));
    let inertia = 2.0 * (0.25 + 0.04) / 12.0;
    let found = follow(&model, state, &[0.5, 1.0]);
    // ∫ = 0.075 N m s, and nothing after it but in the step that begins on the jump.
    for [_, rate, _] in found {
        assert!((rate * inertia - 0.075).abs() < 2e-4, "{rate}");
    }
}

#[test]
fn a_table_that_refuses_what_lies_beyond_is_not_left() {
    let between = Interpolation::Monotone(Ends::Natural);
    let table = Table::new(&[0.0, 0.5], &[0.0, 0.1], between, Beyond::Refuse).unwrap();
    let (model, mut state) = brick_on(JointKind::Prismatic, Action::Motor(MotionLaw::Table(table)));
    let mut mechanism = Mechanism::new(&model, Settings::default()).unwrap();
    mechanism.advance(&mut state, 0.5, &mut |_, _| Ok(())).unwrap();
    let error = mechanism.advance(&mut state, 0.6, &mut |_, _| Ok(())).unwrap_err();
    assert!(matches!(error, DynamicsError::OutOfRange { value: 0.6, .. }), "{error}");
}

/// A brick that hangs from a hinge by frames that lie `apart`, and moves.
fn hung(apart: f64, velocity: [f64; 3], angular_velocity: [f64; 3]) -> Model {
    let mut builder = Model::builder();
    let world = builder.body(BodyModel::fixed("world"));
    let body = BodyModel::free("brick", brick(2.0, [0.5, 0.2, 0.1]));
    let pose = Pose::from_position(0.3 + apart, 0.0, 0.0);
    let motion = Motion { pose, velocity: velocity.into(), angular_velocity_body: angular_velocity.into() };
    let body = builder.body(body.with_motion(motion));
    builder.joint(rattleback_dynamics::joint::Joint {
        name: "hinge".to_owned(),
        kind: JointKind::Revolute,
        a: JointFrame { body: world, pose: Pose::identity() },
        b: JointFrame { body, pose: Pose::from_position(-0.3, 0.0, 0.0) },
    });
    builder.build().unwrap()
}

fn begun(model: &Model, snap: bool) -> Result<Run<'_>, DynamicsError> {
    model.run(&Scheme::Mechanism(Settings { snap, ..Settings::default() }))
}

#[test]
fn frames_that_lie_apart_are_told_and_closed_only_on_request() {
    let model = hung(0.5, [0.0; 3], [0.0; 3]);
    let error = begun(&model, false).unwrap_err();
    let DynamicsError::JointOpen { joint, open, body, distance, .. } = &error else { panic!("{error}") };
    assert_eq!((joint.as_str(), body.as_str()), ("hinge", "brick"));
    assert!((open - 0.5).abs() < 1e-12 && (distance - 0.5).abs() < 1e-9, "{error}");
    assert!(error.to_string().contains("snap = true"), "{error}");
    let run = begun(&model, true).unwrap();
    let moved = run.assembly().unwrap().moved.unwrap();
    assert!((moved.distance - 0.5).abs() < 1e-9 && run.assembly().unwrap().is_noticeable());
    assert!((run.state().motions[1].pose.position.x - 0.3).abs() < 1e-12);
    // What was written with four digits is closed, and what fits exactly is not worth a word.
    let model = hung(1e-4, [0.0; 3], [0.0; 3]);
    assert!(begun(&model, false).unwrap().assembly().unwrap().is_noticeable());
    let model = hung(0.0, [0.0; 3], [0.0; 3]);
    assert!(!begun(&model, false).unwrap().assembly().unwrap().is_noticeable());
}

#[test]
fn velocities_that_contradict_the_joints_are_told_with_those_that_fit() {
    // It turns about the hinge, but its mass centre is said to stand still.
    let model = hung(0.0, [0.0; 3], [0.0, 0.0, 2.0]);
    let error = begun(&model, false).unwrap_err();
    let DynamicsError::VelocityContradicts { body, velocity, angular_velocity } = &error else {
        panic!("{error}")
    };
    assert_eq!(body, "brick");
    // What is told fits: ω about z and v = ω × r.
    let omega = angular_velocity[2];
    assert!(omega > 0.1 && (velocity[1] - 0.3 * omega).abs() < 1e-5 * omega, "{error}");
    let fitting = hung(0.0, *velocity, *angular_velocity);
    assert!(begun(&fitting, false).is_ok());
    assert!(begun(&hung(0.0, [0.0, 0.6, 0.0], [0.0, 0.0, 2.0]), false).is_ok());
    let run = begun(&model, true).unwrap();
    assert!(run.assembly().unwrap().sped.is_some_and(|sped| sped.angle > 0.1));
}

#[test]
fn bodies_at_rest_take_the_velocity_of_their_motor_without_a_word() {
    let motor = Action::Motor(MotionLaw::Rate { start: 0.0, rate: 3.0 });
    let (model, _) = brick_on(JointKind::Revolute, motor);
    let run = begun(&model, false).unwrap();
    assert!((run.state().motions[1].angular_velocity_body.z - 3.0).abs() < 1e-9);
    assert!(run.assembly().unwrap().sped.is_none());
}

/// The acceleration of a ramp jumps four times in a move, at times that are no multiples of the step; outputs fall on
/// some of them. What the motor gives is booked without an error of first order in the step, which would be 5e-3 at 1
/// ms.
#[test]
fn the_books_of_a_motor_have_no_error_of_first_order_at_the_corners_of_its_profile() {
    let law = |profile| MotionLaw::Move { ends: [0.0, 1.3], begin: 0.0123, duration: 0.7, profile };
    let knots =
        Table::new(&[0.0, 0.31, 0.7], &[0.0, 1.0, 1.2], Interpolation::Monotone(Ends::AtRest), Beyond::Hold);
    let ramped = MotionLaw::RampedRate { start: 0.0, rate: 3.0, ramp: 0.333, profile: Profile::Ramp };
    for law in [law(Profile::Ramp), law(Profile::SCurve), ramped, MotionLaw::Table(knots.unwrap())] {
        let strays = |h: f64, every: f64| {
            let (model, state) = brick_on(JointKind::Revolute, Action::Motor(law.clone()));
            let settings = Settings { step: Step::Fixed(h), tolerance: 1e-12, ..Settings::default() };
            let mut run = Run::new(&model, state, &Scheme::Mechanism(settings)).unwrap();
            let start = run.energy().unwrap().total();
            let (mut worst, mut greatest) = (0.0f64, 0.0f64);
            for k in 1..=(0.8 / every).round() as usize {
                run.to(k as f64 * every).unwrap();
                let energy = run.energy().unwrap();
                worst = worst.max((energy.total() - start).abs());
                greatest = greatest.max(energy.kinetic);
            }
            worst / greatest
        };
        let found = [2e-3, 1e-3, 5e-4].map(|h| strays(h, 0.1));
        assert!(found[..2].iter().all(|stray| *stray < 2e-4), "{law:?}: {found:?}");
        // Outputs at 0.333, one of the corners.
        let stray = strays(1e-3, 0.0333);
        assert!(stray < 2e-4, "{law:?}: {stray}");
        // Ramps are followed exactly, and what is left there is how far equations are closed.
        if matches!(law, MotionLaw::Table(_) | MotionLaw::Move { profile: Profile::SCurve, .. }) {
            assert!(found[1] < 0.35 * found[0] && found[2] < 0.35 * found[1], "{law:?}: {found:?}");
        }
    }
}

/// A universal joint and a slide, told by their mechanism and by the motions of their bodies.
#[test]
fn joints_show_coordinates_rates_and_motors() {
    let motor = Action::Motor(MotionLaw::Rate { start: 0.0, rate: 10.0 });
    let (model, state) = brick_on(JointKind::Revolute, motor);
    let mut run = Run::new(&model, state, &Scheme::Mechanism(Settings::default())).unwrap();
    run.to(1.0).unwrap();
    let reading = run.joint_readings().unwrap()[0];
    let turn = reading.turn.unwrap();
    // Whole turns are counted, and no torque is needed.
    assert!((turn.value - 10.0).abs() < 1e-9 && (turn.rate - 10.0).abs() < 1e-9, "{turn:?}");
    assert!(turn.motor.unwrap().abs() < 1e-6 && reading.slide.is_none() && reading.second_turn.is_none());

    for (kind, effort) in [(JointKind::Cylindrical, 3.0), (JointKind::Prismatic, 3.0)] {
        let (model, state) = brick_on_slide(kind, effort);
        let mut run = Run::new(&model, state, &Scheme::Mechanism(Settings::default())).unwrap();
        run.to(0.5).unwrap();
        let reading = run.joint_readings().unwrap()[0];
        let slide = reading.slide.unwrap();
        // ½ (F/m) t², (F/m) t.
        assert!(
            (slide.value - 0.5 * 1.5 * 0.25).abs() < 1e-5 && (slide.rate - 0.75).abs() < 1e-5,
            "{slide:?}"
        );
        assert_eq!(slide.motor, Some(effort));
        assert_eq!(reading.turn.is_some(), kind == JointKind::Cylindrical);
        // What nothing acts on is measured from the bodies.
        assert!(reading.turn.is_none_or(|turn| turn.value.abs() < 1e-12 && turn.motor.is_none()));
    }
}

fn brick_on_slide(kind: JointKind, effort: f64) -> (Model, State) {
    let mut builder = Model::builder();
    let world = builder.body(BodyModel::fixed("world"));
    let body = builder.body(BodyModel::free("brick", brick(2.0, [0.5, 0.2, 0.1])));
    let still = Pose::identity();
    let id = builder.joint(joint("J", kind, (world, &still), (body, &still), Vec3::zeros(), Vec3::x()));
    builder.action(JointAction { joint: id, freedom: Freedom::Slide, action: Action::Effort(effort) });
    (builder.build().unwrap(), State::new(vec![Motion::at_rest(still); 2]))
}

/// Coordinates on which nothing acts against those on which an effort of nothing does.
#[test]
fn coordinates_measured_from_the_bodies_are_those_of_the_mechanism() {
    let build = |acted: bool| {
        let mut builder = Model::builder();
        builder.gravity(Vec3::new(0.0, -9.81, 1.0));
        let world = builder.body(BodyModel::fixed("world"));
        let body = builder.body(BodyModel::free("brick", brick(2.0, [0.5, 0.2, 0.1])));
        let (still, pose) = (Pose::identity(), Pose::from_position(0.2, 0.3, 0.1));
        let kind = JointKind::Universal;
        let id = builder.joint(joint("J", kind, (world, &still), (body, &pose), Vec3::zeros(), Vec3::z()));
        for freedom in [Freedom::Turn, Freedom::SecondTurn] {
            if acted {
                builder.action(JointAction { joint: id, freedom, action: Action::Effort(0.0) });
            }
        }
        let motions = vec![Motion::at_rest(still), Motion::at_rest(pose)];
        (builder.build().unwrap(), State::new(motions))
    };
    let reading = |acted: bool| {
        let (model, state) = build(acted);
        let mut run = Run::new(&model, state, &Scheme::Mechanism(Settings::default())).unwrap();
        run.to(0.2).unwrap();
        let JointReading { turn, second_turn, .. } = run.joint_readings().unwrap()[0];
        [turn.unwrap(), second_turn.unwrap()]
    };
    for (of_mechanism, measured) in reading(true).iter().zip(reading(false)) {
        assert!(measured.value.abs() > 0.01 && measured.rate.abs() > 0.1, "{measured:?}");
        let apart = [of_mechanism.value - measured.value, of_mechanism.rate - measured.rate];
        assert!(apart.iter().all(|x| x.abs() < 1e-7), "{of_mechanism:?} {measured:?}");
    }
}
