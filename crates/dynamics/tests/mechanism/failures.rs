//! What is refused, by name; and the same bits twice.

use super::build::{brick, joint};
use rattleback_dynamics::joint::{Action, Freedom, Joint, JointAction, JointFrame, JointKind, MotionLaw};
use rattleback_dynamics::mechanism::{Rule, Settings, Step};
use rattleback_dynamics::{BodyModel, DynamicsError, Mechanism, Model, Motion, State};
use rattleback_geom::{Pose, Vec3};

/// Two rods in a chain from the origin along x, turned out of the plane a little.
fn chain() -> (Model, State) {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, -9.81, 0.0));
    let world = builder.body(BodyModel::fixed("world"));
    let poses = [0.5, 1.5].map(|x| Pose::from_position(x, 0.0, 0.0));
    let one = builder.body(BodyModel::free("one", brick(1.0, [1.0, 0.1, 0.05])));
    let two = builder.body(BodyModel::free("two", brick(1.0, [1.0, 0.1, 0.05])));
    let tilt = Vec3::new(0.1, 0.2, 1.0);
    let ends = ((world, &Pose::identity()), (one, &poses[0]));
    builder.joint(joint("shoulder", JointKind::Universal, ends.0, ends.1, Vec3::zeros(), tilt));
    let ends = ((one, &poses[0]), (two, &poses[1]));
    let elbow = builder.joint(joint("elbow", JointKind::Revolute, ends.0, ends.1, Vec3::x(), tilt));
    builder.action(JointAction {
        joint: elbow,
        freedom: Freedom::Turn,
        action: Action::Friction { effort: 0.2, rate: 0.1, viscous: 0.01 },
    });
    let model = builder.build().unwrap();
    let mut motions = vec![Motion::at_rest(Pose::identity())];
    motions.extend(poses.map(Motion::at_rest));
    let state = State::new(motions);
    (model, state)
}

#[test]
fn the_same_start_gives_the_same_bits_and_so_does_a_stored_state() {
    for rule in [Rule::Trapezoidal, Rule::GeneralizedAlpha { rho: 0.7 }] {
        let (model, start) = chain();
        let settings = Settings { rule, ..Settings::default() };
        let go = |state: &State, steps: usize| {
            let mut mechanism = Mechanism::new(&model, settings).unwrap();
            let mut state = state.clone();
            for _ in 0..steps {
                mechanism.step(&mut state, 0.004).unwrap();
            }
            state
        };
        let whole = go(&start, 200);
        assert_eq!(whole, go(&start, 200));
        assert_eq!(whole, go(&go(&start, 120), 80));
    }
}

#[test]
fn a_position_that_cannot_be_assembled_names_the_joint() {
    let mut builder = Model::builder();
    let world = builder.body(BodyModel::fixed("world"));
    let rod = builder.body(BodyModel::free("rod", brick(1.0, [1.0, 0.1, 0.05])));
    for (name, x) in [("left", -0.5), ("right", 0.5)] {
        builder.joint(Joint {
            name: name.to_owned(),
            kind: JointKind::Spherical,
            // A rod of 1 m between points 1.4 m apart.
            a: JointFrame { body: world, pose: Pose::from_position(1.4 * x, 0.0, 0.0) },
            b: JointFrame { body: rod, pose: Pose::from_position(x, 0.0, 0.0) },
        });
    }
    let model = builder.build().unwrap();
    let mut state = State::new(vec![Motion::at_rest(Pose::identity()); 2]);
    let mut mechanism = Mechanism::new(&model, Settings::default()).unwrap();
    let error = mechanism.step(&mut state, 0.01).unwrap_err();
    let DynamicsError::CannotAssemble { joint, residual } = &error else { panic!("{error}") };
    assert!(["left", "right"].contains(&joint.as_str()) && *residual > 0.01, "{error}");
    assert!(state.joints.is_none());
}

#[test]
fn a_step_that_cannot_converge_names_time_body_and_residual() {
    let (model, mut state) = {
        let mut builder = Model::builder();
        let world = builder.body(BodyModel::fixed("world"));
        let rotor = builder.body(BodyModel::free("rotor", brick(1.0, [0.3, 0.2, 0.1])));
        let place = Pose::identity();
        let ends = ((world, &place), (rotor, &place));
        let hinge =
            builder.joint(joint("hinge", JointKind::Revolute, ends.0, ends.1, Vec3::zeros(), Vec3::z()));
        // Two motors that part after the start.
        for rate in [1.0, 2.0] {
            let action = Action::Motor(MotionLaw::Rate { start: 0.0, rate });
            builder.action(JointAction { joint: hinge, freedom: Freedom::Turn, action });
        }
        let model = builder.build().unwrap();
        let state = State::new(vec![Motion::at_rest(place); 2]);
        (model, state)
    };
    let mut mechanism = Mechanism::new(&model, Settings::default()).unwrap();
    mechanism.assemble(&mut state).unwrap();
    let before = state.clone();
    let error = mechanism.step(&mut state, 0.01).unwrap_err();
    let DynamicsError::NotConverged { time, step, body, residual } = &error else { panic!("{error}") };
    assert!(*time < 0.01 && *step < 1e-4 && *residual > 0.0, "{error}");
    assert!(["rotor", "hinge"].contains(&body.as_str()), "{error}");
    assert_eq!(state, before);
}

#[test]
fn a_first_step_that_the_time_does_not_resolve_is_made_longer_and_the_run_ends() {
    let (model, mut state) = chain();
    let step = Step::Adaptive { tolerance: 1e-6, first: 5e-324, longest: 2e-3 };
    let mut mechanism = Mechanism::new(&model, Settings { step, ..Settings::default() }).unwrap();
    mechanism.advance(&mut state, 0.02, &mut |_, _| Ok(())).unwrap();
    assert_eq!(state.time, 0.02);
    // Steps double: from 1e-16 s to 2 ms in some fifty.
    assert!(mechanism.statistics().steps < 200, "{:?}", mechanism.statistics());
}

#[test]
fn models_and_settings_that_make_no_sense_are_refused_by_name() {
    let (model, mut state) = chain();
    let bad = Settings { penalty: -1.0, ..Settings::default() };
    assert!(Mechanism::new(&model, bad).unwrap_err().to_string().starts_with("penalty = -1"));
    let bad = Settings { rule: Rule::GeneralizedAlpha { rho: 1.5 }, ..Settings::default() };
    assert!(Mechanism::new(&model, bad).unwrap_err().to_string().starts_with("rho = 1.5"));
    let mut mechanism = Mechanism::new(&model, Settings::default()).unwrap();
    assert!(mechanism.step(&mut state, f64::NAN).unwrap_err().to_string().starts_with("dt = NaN"));
    state.motions[1].velocity.x = f64::NAN;
    let message = mechanism.step(&mut state, 0.1).unwrap_err().to_string();
    assert!(message.starts_with("motion of body"), "{message}");
    state.motions.pop();
    assert!(matches!(mechanism.step(&mut state, 0.1), Err(DynamicsError::Dimension { .. })));
}
