//! Many bodies: the fixed-step method with the broad phase, against the adaptive one, and on any number of threads.

use crate::samples::free::bouncing_ball;
use crate::samples::heap::{heap, soft};
use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::friction::Bristle;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::geom::surface::{Cuboid, Ellipsoid, Plane, Surface};
use rattleback_dynamics::geom::{Pose, Vec3};
use rattleback_dynamics::{
    Accuracy, Body, BodyModel, Energy, ManyBodies, Method, Model, Motion, Simulation, State,
};

fn run(model: &Model, state: &State, dt: f64, steps: usize) -> State {
    let mut many = ManyBodies::new(model, state.clone()).unwrap();
    for _ in 0..steps {
        many.step(dt).unwrap();
    }
    many.state().clone()
}

#[test]
fn a_heap_settles_with_its_energy_accounted_for() {
    let (model, state) = heap(3, soft().unwrap()).unwrap();
    let total = Energy::of(&model, &state).unwrap().total();
    let after = run(&model, &state, 1e-4, 15_000);
    let energy = Energy::of(&model, &after).unwrap();
    // Booked by the trapezoidal rule: the error is of second order in the step.
    assert!((energy.total() - total).abs() < 2e-3 * total, "{energy:?} of {total}");
    assert!(energy.kinetic < 0.02 * total, "{energy:?} of {total}");
    // Nobody fell through a wall.
    let width = 0.75;
    for motion in &after.motions[1..] {
        let p = motion.pose.position;
        assert!(p.x > 0.0 && p.x < width && p.y > 0.0 && p.y < width && p.z > 0.0, "{p:?}");
    }
    // Touching pairs are remembered, far ones are not.
    let touching = after.pairs.values().filter(|pair| pair.contact.is_some()).count();
    assert!(touching > 27 && after.pairs.len() < 27 * 12, "{touching} of {}", after.pairs.len());
}

#[test]
fn threads_and_repetition_do_not_change_a_bit() {
    let (model, state) = heap(3, soft().unwrap()).unwrap();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&model, &state, 2e-4, 1500))
    };
    let one = on(1);
    assert_eq!(one, on(2));
    assert_eq!(one, on(5));
    // And a run that is taken up again from its stored state.
    let half = run(&model, &state, 2e-4, 700);
    assert_eq!(one, run(&model, &half, 2e-4, 800));
}

#[test]
fn the_motion_converges_to_that_of_the_adaptive_method() {
    let normal = Hysteresis::new(Rule::Exact, 0.8, 1.5).unwrap();
    let mut ball = bouncing_ball(normal, Some(Stiffness::given(1e5).unwrap())).unwrap();
    ball.accuracy = Accuracy { relative: 1e-12, absolute: 1e-13 };
    let mut exact =
        Simulation::new(&ball.model, ball.state.clone(), Method::Explicit, ball.accuracy).unwrap();
    // One bounce.
    exact.advance(0.25, &mut |_| Ok(())).unwrap();
    let truth = exact.state().motions[1].pose.position.z;
    let mut errors = Vec::new();
    for steps in [2_500, 10_000, 40_000] {
        let found = run(&ball.model, &ball.state, 0.25 / f64::from(steps), steps as usize);
        errors.push((found.motions[1].pose.position.z - truth).abs());
    }
    // The approach speed is that of the step at which the touch was noticed: first order at least.
    assert!(errors[1] < 0.5 * errors[0] && errors[2] < 0.5 * errors[1], "{errors:?}");
    assert!(errors[2] < 1e-5, "{errors:?}");
}

#[test]
fn bristles_hold_a_body_on_an_incline() {
    let normal = Hysteresis::new(Rule::Exact, 0.3, 1.5).unwrap();
    let bristle = Bristle::new(0.5, 1e-3, 1e4, 20.0).unwrap();
    // Damping is explicit: c K δⁿ/(m v₀) times the step must stay below one, and the table comes to rest at v₀ → 0.
    let law = ContactLaw::new(Stiffness::given(1e6).unwrap(), normal)
        .unwrap()
        .with_friction(bristle)
        .with_least_speed(0.05)
        .unwrap();
    let mut builder = Model::builder();
    // Gravity is tilted by 0.3 rad instead of the floor: tan 0.3 = 0.31 is below the friction.
    builder.gravity(Vec3::new(9.81 * 0.3f64.sin(), 0.0, -9.81 * 0.3f64.cos()));
    let surface = builder.surface("all");
    builder.law(surface, surface, law);
    let plane = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    builder.body(BodyModel::fixed("floor").with_part(plane, Pose::identity(), surface));
    // Four small ellipsoids as the feet of one heavy body: it cannot roll.
    let foot = Ellipsoid::new([0.02, 0.02, 0.02]).unwrap();
    let mass = Ellipsoid::new([0.1, 0.1, 0.02]).unwrap().moments().unwrap().with_density(1000.0).unwrap();
    let mut table = BodyModel::free("table", Body::try_from(&mass).unwrap());
    for (x, y) in [(0.1, 0.1), (-0.1, 0.1), (0.1, -0.1), (-0.1, -0.1)] {
        table = table.with_part(foot, Pose::from_position(x, y, -0.02), surface);
    }
    builder.body(table);
    let model = builder.build().unwrap();
    let state = State::new(vec![
        Motion::at_rest(Pose::identity()),
        Motion::at_rest(Pose::from_position(0.0, 0.0, 0.04)),
    ]);
    let early = run(&model, &state, 5e-5, 10_000);
    let late = run(&model, &early, 5e-5, 20_000);
    let [before, after] = [&early, &late].map(|state| state.motions[1].pose.position.x);
    assert!(early.pairs.values().filter(|pair| pair.contact.is_some()).count() == 4);
    assert!((after - before).abs() < 1e-7, "it creeps from {before} to {after}");
}

#[test]
fn steps_that_make_no_sense_are_refused() {
    let (model, state) = heap(1, soft().unwrap()).unwrap();
    let mut many = ManyBodies::new(&model, state).unwrap();
    for dt in [0.0, -1e-3, f64::NAN] {
        assert!(many.step(dt).unwrap_err().to_string().starts_with("dt = "));
    }
}

/// Gaps of boxes that are set down exactly on each other may be zero at both ends of a step.
#[test]
fn boxes_set_down_exactly_on_each_other_are_carried() {
    let side = 0.1;
    let normal = Hysteresis::new(Rule::HuntCrossley, 0.1, 1.5).unwrap();
    let law = ContactLaw::new(Stiffness::given(1e7).unwrap(), normal).unwrap().with_least_speed(0.1).unwrap();
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let wood = builder.surface("wood");
    builder.law(wood, wood, law);
    let floor = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    builder.body(BodyModel::fixed("floor").with_part(floor, Pose::identity(), wood));
    let cube = Cuboid::new([side; 3], 0.0).unwrap();
    let body = Body::try_from(&cube.moments().unwrap().with_density(1000.0).unwrap()).unwrap();
    let mut motions = vec![Motion::at_rest(Pose::identity())];
    for k in 0..10 {
        builder.body(BodyModel::free(format!("box-{k}"), body).with_part(
            cube.clone(),
            Pose::identity(),
            wood,
        ));
        motions.push(Motion::at_rest(Pose::from_position(0.0, 0.0, (f64::from(k) + 0.5) * side)));
    }
    let (model, state) = (builder.build().unwrap(), State::new(motions));
    let after = run(&model, &state, 5e-5, 400);
    // The lowest contact bears ten weights with four corners, 0.18 mm deep at rest.
    for (k, pair) in after.motions.windows(2).enumerate() {
        let apart = if k == 0 { 0.5 * side } else { side };
        let depth = apart - (pair[1].pose.position.z - pair[0].pose.position.z);
        assert!((0.0..4e-4).contains(&depth), "contact {k}: {depth} m deep");
    }
}
