//! A windlass in a mechanism: it lifts, stalls, holds, slips and hangs loose, and the books close.

use super::build::run;
use rattleback_dynamics::force::{End, Force, Windlass};
use rattleback_dynamics::mechanism::Settings;
use rattleback_dynamics::model::{Freedom, Harmonic, PrescribedMotion};
use rattleback_dynamics::{Body, BodyId, BodyModel, Mechanism, Model, Motion, State};
use rattleback_geom::{Mat3, Pose, Vec3};

const GRAVITY: f64 = 10.0;
/// The line hangs from the origin; the load begins this far below.
const DEPTH: f64 = 4.0;

fn windlass() -> Windlass {
    Windlass {
        a: End { body: BodyId(0), point: Vec3::zeros() },
        b: End { body: BodyId(1), point: Vec3::zeros() },
        length: DEPTH,
        speed: 0.5,
        start: 0.2,
        ramp: 0.3,
        shortest: 0.5,
        rigidity: 4e4,
        damping: 200.0,
        limit: 300.0,
        shoulder: 0.1,
        brake: 500.0,
        brake_at: None,
        brake_after_stall: None,
    }
}

/// A load that hangs from a windlass, its line stretched by its weight.
fn hanging(mass: f64, windlass: Windlass) -> (Model, State) {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    builder.body(BodyModel::fixed("crane"));
    builder.body(BodyModel::free("load", Body { mass, inertia: Mat3::identity() * mass }));
    builder.force(Force::Windlass(windlass));
    let low = windlass.length * (1.0 + mass * GRAVITY / windlass.rigidity);
    let load = Motion::at_rest(Pose::from_position(0.0, 0.0, -low));
    (builder.build().unwrap(), State::new(vec![Motion::at_rest(Pose::identity()), load]))
}

/// A load at the end of the line that nothing moves: a million tonnes.
fn stuck(windlass: Windlass) -> (Model, State) {
    let mut builder = Model::builder();
    builder.body(BodyModel::fixed("crane"));
    builder.body(BodyModel::free("load", Body { mass: 1e9, inertia: Mat3::identity() * 1e9 }));
    builder.force(Force::Windlass(windlass));
    let load = Motion::at_rest(Pose::from_position(0.0, 0.0, -windlass.length));
    (builder.build().unwrap(), State::new(vec![Motion::at_rest(Pose::identity()), load]))
}

/// Moves a load with steps of `h`; says the greatest tension on the way.
fn moved(model: &Model, state: &State, h: f64, end: f64) -> (State, f64) {
    let Force::Windlass(windlass) = model.forces()[0] else { panic!("no windlass") };
    let (mut state, mut most) = (state.clone(), 0.0_f64);
    let mut mechanism = Mechanism::new(model, Settings::default().with_step(h)).unwrap();
    mechanism
        .advance(&mut state, end, &mut |_, state| {
            most = most.max(windlass.tension(&state.windlasses[0], &state.motions));
            Ok(())
        })
        .unwrap();
    (state, most)
}

#[test]
fn a_load_is_lifted_at_the_winding_speed_and_stops_at_the_shortest_length() {
    let (model, state) = hanging(20.0, windlass());
    let (lifted, most) = moved(&model, &state, 2e-3, 3.0);
    // What comes in is longer than its unstretched length.
    assert!(
        (lifted.motions[1].velocity.z - 0.5 * (1.0 + 200.0 / 4e4)).abs() < 1e-4,
        "{:?}",
        lifted.motions[1]
    );
    // Half the ramp's time is lost.
    let length = DEPTH - 0.5 * (3.0 - 0.2 - 0.15);
    assert!((lifted.windlasses[0].length - length).abs() < 1e-9, "{:?}", lifted.windlasses);
    assert!(most < 270.0, "{most}");
    let (stopped, _) = moved(&model, &lifted, 2e-3, 12.0);
    assert_eq!(stopped.windlasses[0].length, 0.5);
    assert!((stopped.motions[1].pose.position.z + 0.5 * (1.0 + 200.0 / 4e4)).abs() < 1e-6);
}

#[test]
fn a_drive_slows_down_on_its_shoulder_and_stalls_at_its_limit() {
    // 285 N on a shoulder from 270 to 300 N: half the speed, once m w/σY = 0.475 s have passed some times.
    let (model, state) = hanging(28.5, windlass());
    let (slow, _) = moved(&model, &state, 2e-3, 6.0);
    assert!((slow.windlasses[0].rate + 0.25).abs() < 1e-4, "{:?}", slow.windlasses);
    // A load that is held fast: the line comes in until the drive stalls.
    let (model, state) = stuck(windlass());
    let (stuck, most) = moved(&model, &state, 2e-3, 3.0);
    assert!((most - 300.0).abs() < 1e-3 && most <= 300.0 + 1e-9, "{most}");
    assert!(stuck.windlasses[0].stalled > 2.0 && !stuck.windlasses[0].braked, "{:?}", stuck.windlasses);
    // A load beyond the limit and below the brake's stays where it is.
    let (model, state) = hanging(40.0, windlass());
    let (held, _) = moved(&model, &state, 2e-3, 3.0);
    assert_eq!(held.windlasses[0].length, DEPTH);
    assert!((held.motions[1].pose.position - state.motions[1].pose.position).norm() < 1e-9);
}

#[test]
fn the_law_is_kept_however_long_the_step_and_however_stiff_the_line() {
    // One step of a millisecond changes the tension of this line by 12 times the shoulder.
    let stiff = Windlass { rigidity: 4e6, shoulder: 0.01, damping: 0.0, ..windlass() };
    for h in [1e-3, 1e-2] {
        let (model, state) = stuck(stiff);
        let (_, most) = moved(&model, &state, h, 2.0);
        assert!(most <= 300.0 * (1.0 + 1e-6), "{h}: {most}");
    }
}

#[test]
fn a_brake_is_put_on_at_its_time_or_after_a_stall_and_stays_on() {
    let timed = Windlass { brake_at: Some(1.2), ..windlass() };
    let (model, state) = hanging(20.0, timed);
    let (end, _) = moved(&model, &state, 1e-3, 3.0);
    assert!(end.windlasses[0].braked);
    assert!((end.windlasses[0].length - (DEPTH - 0.5 * (1.2 - 0.2 - 0.15))).abs() < 1e-3);
    let patient = Windlass { brake_after_stall: Some(0.7), ..windlass() };
    let (model, state) = hanging(40.0, patient);
    // Driven from 0.5 s on, braked 0.7 s later.
    assert!(!moved(&model, &state, 1e-3, 1.15).0.windlasses[0].braked);
    assert!(moved(&model, &state, 1e-3, 1.25).0.windlasses[0].braked);
    let (model, state) = hanging(20.0, patient);
    assert!(!moved(&model, &state, 1e-3, 3.0).0.windlasses[0].braked);
}

#[test]
fn a_brake_slips_at_its_force_and_takes_the_energy_of_a_falling_load() {
    // A load of 20 kg at 3 m/s: the brake slips at 500 N and stops it with 15 m/s² within 0.3 m.
    let braked = Windlass { brake_at: Some(0.0), ..windlass() };
    let (model, mut state) = hanging(20.0, braked);
    state.motions[1].velocity.z = -3.0;
    for h in [2e-3, 1e-3, 5e-4] {
        let (end, most) = moved(&model, &state, h, 2.0);
        let paid = end.windlasses[0].length - DEPTH;
        // It stops 3²/30 m below, where the line is stretched by 500 N. Predictions are behind by the deceleration in a
        // step.
        let low = DEPTH * (1.0 + 200.0 / 4e4) + 0.3;
        assert!((paid - (low / (1.0 + 500.0 / 4e4) - DEPTH)).abs() < 2.5 * h, "{h}: {paid}");
        assert!(most < 500.0 + 200.0 * 15.0 * h + 4e4 / DEPTH * 15.0 * h * h + 1.0, "{h}: {most}");
        let lost = end.dissipated;
        assert!((lost - (90.0 + 20.0 * GRAVITY * paid)).abs() < 2.0, "{h}: {lost}");
        assert_eq!(end.windlasses[0].rate, 0.0);
    }
}

#[test]
fn a_loose_line_pushes_nothing_and_is_taken_in() {
    let (model, mut state) = hanging(20.0, Windlass { start: 0.0, ramp: 0.0, ..windlass() });
    // Thrown up: the load flies freely until the line is taut again.
    state.motions[1].pose.position.z = -DEPTH + 0.1;
    state.motions[1].velocity.z = 2.0;
    let (flying, most) = moved(&model, &state, 1e-3, 0.2);
    assert_eq!(most, 0.0);
    let height = -DEPTH + 0.1 + 2.0 * 0.2 - 0.5 * GRAVITY * 0.04;
    assert!((flying.motions[1].pose.position.z - height).abs() < 1e-9);
    assert!((flying.windlasses[0].length - (DEPTH - 0.1)).abs() < 1e-9);
}

#[test]
fn the_books_of_a_windlass_close_to_second_order() {
    // Lifted on a ramp; a load on the shoulder; one that swings below a brake that slips.
    let lifting = hanging(20.0, windlass());
    let slow = hanging(28.5, windlass());
    let mut slipping = hanging(20.0, Windlass { brake_at: Some(0.0), ..windlass() });
    slipping.1.motions[1].velocity = Vec3::new(0.5, 0.0, -3.0);
    for (name, (model, state)) in [("lifting", lifting), ("slow", slow), ("slipping", slipping)] {
        let lost = |h: f64| {
            let (end, [lost, ..]) = run(&model, &state, Settings::default().with_step(h), 2.0);
            assert!(end.dissipated.abs() > 50.0, "{name}: {}", end.dissipated);
            lost
        };
        let (coarse, fine) = (lost(2e-3), lost(1e-3));
        let order = (coarse / fine).log2();
        assert!(fine < 5e-3 && order > 1.8, "{name}: {coarse:e} {fine:e}");
    }
}

#[test]
fn in_a_seaway_the_brake_slips_and_the_books_close() {
    let term = Harmonic { freedom: Freedom::Heave, amplitude: 1.0, frequency: 4.0, phase: 0.0 };
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    builder
        .body(BodyModel::prescribed("ship", PrescribedMotion::harmonic(Pose::identity(), &[term]).unwrap()));
    builder.body(BodyModel::free("load", Body { mass: 25.0, inertia: Mat3::identity() }));
    builder.force(Force::Windlass(Windlass { brake_at: Some(0.0), ..windlass() }));
    let model = builder.build().unwrap();
    let load = Motion::at_rest(Pose::from_position(0.0, 0.0, -DEPTH));
    let state = State::new(vec![Motion::at_rest(Pose::identity()), load]);
    // Held fast, 25 (10 + 16) N would be needed where the ship is lowest, and the line is slack where it is highest.
    let (end, most) = moved(&model, &state, 1e-3, 4.0);
    assert!(end.windlasses[0].length > DEPTH + 0.2, "{:?}", end.windlasses);
    assert!(most > 500.0 && most < 530.0, "{most}");
    let lost = |h: f64| run(&model, &state, Settings::default().with_step(h), 4.0).1[0];
    let (coarse, fine) = (lost(2e-3), lost(1e-3));
    // Slackening and snatching between steps is of first order.
    assert!(fine < 1.0 && fine < 0.7 * coarse, "{coarse:e} {fine:e}");
}
