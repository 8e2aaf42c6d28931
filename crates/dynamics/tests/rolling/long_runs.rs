//! Very many steps of a given length: the contact holds to rounding, and energy to the integrator's order.
//!
//! The number of steps can be given by the environment variable `RATTLEBACK_STEPS`.

use super::engine::{ROUGH, law, of_solid, of_state, uniform};
use super::reference::rattleback;
use rattleback_contact::Start;
use rattleback_contact::narrow::touch;
use rattleback_dynamics::force::{End, Force, SpringDamper};
use rattleback_dynamics::rolling::{Mode, Rolling, Settings};
use rattleback_dynamics::{Accuracy, BodyModel, Energy, Model, Motion, RunEvent, State};
use rattleback_geom::surface::Ellipsoid;
use rattleback_geom::{Pose, Vec3};

fn steps() -> usize {
    std::env::var("RATTLEBACK_STEPS").map_or(20_000, |count| count.parse().unwrap())
}

/// Settings under which every step has the given length, but for those that end on an event.
fn fixed(step: f64) -> Settings {
    let accuracy = Accuracy { relative: 0.5, absolute: 1e3 };
    Settings { accuracy, longest_step: step, ..Settings::default() }
}

/// A run in steps of a given length.
fn stepping(model: &Model, mut state: State, step: f64) -> Rolling<'_> {
    state.step = Some(step);
    Rolling::new(model, state, fixed(step)).unwrap()
}

/// The gap between the two bodies as the narrow phase finds it from their poses alone.
fn gap(model: &Model, state: &State) -> f64 {
    let [a, b] = [0, 1].map(|k| {
        let part = &model.bodies()[k].parts[0];
        (&part.shape, state.motions[k].pose.compose(&part.pose))
    });
    touch(a.0, &a.1, b.0, &b.1, Start::Cold).unwrap().gap
}

/// The greatest gaps in the first and the second half of a run, how many steps it took and over how many borders it
/// went.
fn greatest_gaps(model: &Model, state: State, step: f64) -> ([f64; 2], usize, usize) {
    let mut run = stepping(model, state, step);
    let (mut worst, mut taken, mut borders) = ([0.0f64; 2], 0, 0);
    let end = step * steps() as f64;
    let charts = |state: &State| {
        state.rigid_contacts.as_ref().unwrap()[1]
            .map(|rigid_contact| rigid_contact.places.map(|place| place.chart))
    };
    let mut last = charts(run.state());
    run.advance(end, &mut |now| {
        assert_eq!(now.event, RunEvent::Step, "t = {}", now.state.time);
        let half = &mut worst[usize::from(now.state.time > 0.5 * end)];
        *half = half.max(gap(model, now.state).abs());
        borders += usize::from(charts(now.state) != last);
        last = charts(now.state);
        taken += 1;
        Ok(())
    })
    .unwrap();
    (worst, taken, borders)
}

/// An ellipsoid that a spring between the middles holds to a fixed one, both far out of round.
fn held(friction: f64) -> (Model, State) {
    let (stone, pebble) =
        (Ellipsoid::new([0.3, 0.2, 0.25]).unwrap(), Ellipsoid::new([0.08, 0.1, 0.06]).unwrap());
    let mut builder = Model::builder();
    let surface = builder.surface("any");
    builder.law(surface, surface, law(friction, 0.5));
    let fixed = builder.body(BodyModel::fixed("stone").with_part(stone, Pose::identity(), surface));
    let free = BodyModel::free("pebble", uniform(&pebble, 1.0)).with_part(pebble, Pose::identity(), surface);
    let free = builder.body(free);
    let end = |body| End { body, point: Vec3::zeros() };
    builder.force(Force::SpringDamper(SpringDamper {
        a: end(fixed),
        b: end(free),
        length: 0.0,
        stiffness: 200.0,
        damping: 0.0,
        never_pushes: false,
    }));
    let pose = Pose::from_position(0.0, 0.0, 0.31);
    // No slip at the lowest point, 0.06 m below the middle: v = ω × r.
    let angular_velocity = Vec3::new(13.0, -9.0, 4.0);
    let velocity = -angular_velocity.cross(&Vec3::new(0.0, 0.0, -0.06));
    let motions = vec![
        Motion::at_rest(Pose::identity()),
        Motion { pose, velocity, angular_velocity_body: angular_velocity },
    ];
    (builder.build().unwrap(), State::new(motions))
}

/// The greatest gaps must be a few roundings of the bodies' size and those of the second half no greater than the
/// first's.
fn holds(worst: [f64; 2], size: f64) {
    assert!(worst[0].max(worst[1]) < 1e-14 * size, "{worst:?}");
    assert!(worst[1] <= 2.0 * worst[0] + 1e-16 * size, "{worst:?}");
}

#[test]
fn an_ellipsoid_that_rolls_about_another_stays_on_it_to_rounding() {
    let (model, state) = held(ROUGH);
    let (worst, taken, borders) = greatest_gaps(&model, state, 1e-3);
    assert!(taken >= steps() && borders > steps() / 500, "{taken} {borders}");
    holds(worst, 0.3);
}

#[test]
fn the_rattleback_stays_on_its_table_to_rounding() {
    let stone = rattleback::stone(rattleback::PRODUCT);
    let y = rattleback::start(&stone, &rattleback::tilt(), -5.0);
    let model = of_solid(&stone.0, law(ROUGH, 0.5));
    let (worst, taken, _) = greatest_gaps(&model, of_state(&stone.0, &y), 1e-3);
    assert!(taken >= steps(), "{taken}");
    holds(worst, 0.2);
}

/// The greatest change of energy over a run in equal steps, relative to its kinetic energy at the beginning.
fn drift(model: &Model, state: State, step: f64, mode: Mode) -> f64 {
    let mut run = stepping(model, state, step);
    let begin = Energy::of(model, run.state()).unwrap();
    let mut worst = 0.0f64;
    run.advance(1.5, &mut |now| {
        let found = now.state.rigid_contacts.as_ref().unwrap()[1].map(|rigid_contact| rigid_contact.mode);
        assert_eq!(found, Some(mode), "t = {}", now.state.time);
        let energy = Energy::of(model, now.state).unwrap().total();
        worst = worst.max((energy - begin.total()).abs() / begin.kinetic);
        Ok(())
    })
    .unwrap();
    worst
}

/// Halves the step twice: the drift must shrink at about the eighth order of the integrator, and be small in the end.
fn shrinks(name: &str, step: f64, last: f64, run: impl Fn(f64) -> f64) {
    let drifts = [step, 0.5 * step, 0.25 * step].map(run);
    let orders = [0, 1].map(|k| (drifts[k] / drifts[k + 1]).log2());
    assert!(orders.iter().all(|order| (7.5..9.5).contains(order)), "{name}: {drifts:?} {orders:?}");
    assert!(drifts[2] < last, "{name}: {drifts:?}");
}

#[test]
fn energy_keeps_to_the_order_of_the_integrator() {
    let stone = rattleback::stone(rattleback::PRODUCT);
    let y = rattleback::start(&stone, &rattleback::tilt(), -5.0);
    let model = of_solid(&stone.0, law(ROUGH, 0.5));
    shrinks("rattleback", 4e-3, 1e-9, |step| drift(&model, of_state(&stone.0, &y), step, Mode::Rolling));
    let (model, state) = held(ROUGH);
    shrinks("rolling", 0.016, 2e-9, |step| drift(&model, state.clone(), step, Mode::Rolling));
    let (model, state) = held(0.0);
    shrinks("sliding", 0.016, 1e-12, |step| drift(&model, state.clone(), step, Mode::Sliding));
}
