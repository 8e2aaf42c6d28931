//! Runs that are healthy and runs that are not, by the figures that the watch sees of them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::{Finding, Health, OVERLAP, WINDOW};
use crate::body::{Body, Motion};
use crate::model::{BodyModel, Model};
use crate::run::{Run, Scheme};
use crate::simulation::{Accuracy, Method};
use crate::state::State;
use crate::{Energy, active_contacts};
use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::normal::{Hysteresis, KelvinVoigt};
use rattleback_contact::material::Stiffness;
use rattleback_geom::surface::{Cuboid, Plane, Sphere};
use rattleback_geom::{Mat3, Pose, Vec3};

pub(super) const EXPLICIT: Scheme =
    Scheme::Free { method: Method::Explicit, accuracy: Accuracy { relative: 1e-9, absolute: 1e-11 } };

/// A ball of 10 cm and 1 kg above a floor, with a linear contact that damps nothing.
fn ball(stiffness: f64, height: f64) -> (Model, State) {
    let normal = Hysteresis::with_factor(0.0, 1.0).unwrap();
    let law = ContactLaw::new(Stiffness::given(stiffness).unwrap(), normal).unwrap();
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let surface = builder.surface("any");
    builder.law(surface, surface, law);
    let floor = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    builder.body(BodyModel::fixed("floor").with_part(floor, Pose::identity(), surface));
    let body = Body { mass: 1.0, inertia: Mat3::identity() * 4e-3 };
    let sphere = Sphere::new(0.1).unwrap();
    builder.body(BodyModel::free("ball", body).with_part(sphere, Pose::identity(), surface));
    let ball = Motion::at_rest(Pose::from_position(0.0, 0.0, height));
    (builder.build().unwrap(), State::new(vec![Motion::at_rest(Pose::identity()), ball]))
}

/// Runs to `end` in tenths, watched as a recorder does.
pub(super) fn watched(model: &Model, state: State, scheme: &Scheme, end: f64) -> Health {
    let mut health = Health::new(model, 0.0, end);
    health.set_scheme(scheme);
    let mut run = Run::new(model, state, scheme).unwrap();
    for k in 0..=10 {
        run.advance(end * 0.1 * f64::from(k), &mut |seen| {
            health.step(seen.state, seen.active_contacts);
            Ok(())
        })
        .unwrap();
        let energy = run.energy().unwrap();
        health.output(run.state(), &energy, &active_contacts(model, run.state()).unwrap());
    }
    health
}

#[test]
fn a_bouncing_ball_is_healthy_in_resolving_steps_and_broken_in_longer_ones() {
    let (model, state) = ball(1e5, 0.2);
    for scheme in [EXPLICIT, Scheme::Many { step: 1e-4 }] {
        let verdict = watched(&model, state.clone(), &scheme, 0.5).verdict();
        assert!(verdict.is_healthy(), "{}", verdict.line);
        assert!(verdict.line.starts_with("Healthy: energy kept to "), "{}", verdict.line);
    }
    // ω = √(K/m) is 1e5/s where a step of 1 ms allows 2e3/s.
    let (model, state) = ball(1e10, 0.2);
    let verdict = watched(&model, state, &Scheme::Many { step: 1e-3 }, 0.5).verdict();
    let Some(Finding::Step(worst)) = verdict.findings.first() else { panic!("{}", verdict.line) };
    assert!((worst.value - 50.0).abs() < 1e-6, "{worst:?}");
    assert!(verdict.line.starts_with("Broken: the step is 50.000 times the longest"), "{}", verdict.line);
    assert!(verdict.line.contains("shorten `step` from 1.0e-3 to 1.0e-6 s"), "{}", verdict.line);
    assert!(!verdict.line.contains("kept"), "{}", verdict.line);
}

/// A box of 1 kg on four corners heaves with ω² = 4K/m, four times as much as each of them sees of its mass; its width
/// is such that it rolls and pitches no faster. The step is stable for one corner, and not for all four.
#[test]
fn a_box_on_four_corners_is_as_stiff_as_all_of_them() {
    let (stiffness, size) = (1e5, [0.1, 0.1, 0.3]);
    let normal = Hysteresis::with_factor(0.0, 1.0).unwrap();
    let law = ContactLaw::new(Stiffness::given(stiffness).unwrap(), normal).unwrap();
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let surface = builder.surface("any");
    builder.law(surface, surface, law);
    builder.floor(surface);
    let density = 1.0 / (size[0] * size[1] * size[2]);
    let shape = Cuboid::new(size, 0.0).unwrap();
    builder.body(BodyModel::solid("box", shape, density, surface).unwrap());
    let model = builder.build().unwrap();
    let depth = 9.81 / (4.0 * stiffness);
    let mut start = model.initial_state();
    start.motions[1].pose.position.z = 0.15 - 1.01 * depth;
    // The longest stable step is 2/ω.
    let longest = 2.0 / (4.0 * stiffness).sqrt();
    for (share, healthy) in [(0.3, true), (0.95, true), (1.2, false)] {
        let scheme = Scheme::Many { step: share * longest };
        let verdict = watched(&model, start.clone(), &scheme, 240.0 * longest).verdict();
        assert_eq!(verdict.is_healthy(), healthy, "{share}: {}", verdict.line);
        if !healthy {
            let Some(Finding::Step(worst)) = verdict.findings.first() else { panic!("{}", verdict.line) };
            assert!((worst.value - share).abs() < 1e-6, "{worst:?}");
            assert!(verdict.line.contains("box"), "{}", verdict.line);
        }
    }
}

/// A damper of D under each of four corners brakes a box of mass m at the rate 4D/m: a step of h is stable while
/// ½ h 4D/m < 1, however soft the springs are.
#[test]
fn damping_of_all_corners_together_is_held_to_the_step() {
    let (stiffness, size, damping) = (1e3, [0.1, 0.1, 0.3], 100.0);
    let law =
        ContactLaw::new(Stiffness::given(stiffness).unwrap(), KelvinVoigt::new(damping).unwrap()).unwrap();
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let surface = builder.surface("any");
    builder.law(surface, surface, law);
    builder.floor(surface);
    let density = 1.0 / (size[0] * size[1] * size[2]);
    let shape = Cuboid::new(size, 0.0).unwrap();
    builder.body(BodyModel::solid("box", shape, density, surface).unwrap());
    let model = builder.build().unwrap();
    let mut start = model.initial_state();
    start.motions[1].pose.position.z = 0.15 - 1.01 * 9.81 / (4.0 * stiffness);
    let longest = 2.0 / (4.0 * damping);
    for (share, healthy) in [(0.5, true), (0.95, true), (1.2, false)] {
        let verdict =
            watched(&model, start.clone(), &Scheme::Many { step: share * longest }, 240.0 * longest)
                .verdict();
        assert_eq!(verdict.is_healthy(), healthy, "{share}: {}", verdict.line);
        if !healthy {
            let Some(Finding::Step(worst)) = verdict.findings.first() else { panic!("{}", verdict.line) };
            assert!((worst.value - share).abs() < 1e-6, "{worst:?}");
        }
    }
}

#[test]
fn energy_that_comes_from_nowhere_is_told_against_the_energy_in_play() {
    let (model, mut state) = ball(1e5, 2.0);
    let mut health = Health::new(&model, 0.0, 1.0);
    health.output(&state, &Energy::of(&model, &state).unwrap(), &[]);
    state.time = 0.5;
    state.motions[1].velocity.x = 1e9;
    health.output(&state, &Energy::of(&model, &state).unwrap(), &[]);
    let verdict = health.verdict();
    let [Finding::Drift { drift, in_play, time }] = verdict.findings[..] else { panic!("{}", verdict.line) };
    assert!((drift, in_play, time) == (5e17, 5e17, 0.5), "{drift} of {in_play} J at {time} s");
    // Energy that is lost, to the end.
    let (model, state) = ball(1e5, 2.0);
    let mut health = Health::new(&model, 0.0, 1.0);
    health.output(&state, &Energy::of(&model, &state).unwrap(), &[]);
    let (_, fallen) = ball(1e5, 0.1);
    health.output(&fallen, &Energy::of(&model, &fallen).unwrap(), &[]);
    assert!(matches!(health.verdict().findings[..], [Finding::Drift { .. }]), "{}", health.verdict().line);
}

#[test]
fn a_healthy_run_that_strays_by_percents_is_told_how_it_would_stray_less() {
    let (model, state) = ball(1e5, 0.2);
    let settings = crate::mechanism::Settings { snap: false, ..crate::mechanism::Settings::default() };
    let mut health = watched(&model, state, &Scheme::Mechanism(settings.with_step(1e-4)), 0.2);
    let line = health.verdict().line;
    assert!(line.starts_with("Healthy") && !line.contains("strays"), "{line}");
    // 0.05 of the energy of the fall comes from nowhere.
    let figures = health.figures.energy_figures.as_mut().unwrap();
    figures.drift = 0.05 * figures.in_play();
    let verdict = health.verdict();
    let advice = "The energy strays by more than 2 %: in [solver], shorten `step` from 1.0e-4 to 1.0e-5 s.";
    assert!(verdict.is_healthy() && verdict.line.ends_with(advice), "{}", verdict.line);
    // Steps of 5 ms that outputs had made 1 ms long would not be shorter with one of 0.5 ms.
    health.set_scheme(&Scheme::Mechanism(settings.with_step(5e-3)));
    let line = health.verdict().line;
    assert!(line.ends_with("shorten `step` from 1.0e-4 to 1.0e-5 s."), "{line}");
}

#[test]
fn rounding_of_a_large_total_and_of_a_body_at_rest_is_no_drift() {
    let (model, mut state) = ball(1e5, 1e6);
    let mut health = Health::new(&model, 0.0, 1.0);
    for k in 0..10 {
        state.motions[1].pose.position.z = 1e6 * (1.0 + f64::EPSILON * f64::from(k));
        health.output(&state, &Energy::of(&model, &state).unwrap(), &[]);
    }
    assert!(health.figures().energy_figures.unwrap().drift > 0.0);
    assert!(health.verdict().is_healthy(), "{}", health.verdict().line);
}

#[test]
fn deep_overlaps_and_bodies_inside_a_half_space_are_told_with_their_names() {
    let (model, state) = ball(1e5, 0.1 - 1.01 * OVERLAP * 0.1);
    let verdict = watched(&model, state, &EXPLICIT, 1e-6).verdict();
    assert!(matches!(verdict.findings[..], [Finding::Overlap(_)]), "{}", verdict.line);
    assert!(verdict.line.contains("of floor and ball at t = 0.000000 s"), "{}", verdict.line);
    assert!(verdict.line.contains("`position`"), "{}", verdict.line);
    // A ball that fell through without a contact.
    let (model, state) = ball(1e5, -0.11);
    let mut health = Health::new(&model, 0.0, 1.0);
    health.output(&state, &Energy::of(&model, &state).unwrap(), &[]);
    let verdict = health.verdict();
    assert!(verdict.line.contains("ball is wholly inside floor"), "{}", verdict.line);
    let (_, state) = ball(1e5, -0.09);
    let mut health = Health::new(&model, 0.0, 1.0);
    health.output(&state, &Energy::of(&model, &state).unwrap(), &[]);
    assert!(health.verdict().is_healthy(), "{}", health.verdict().line);
}

#[test]
fn numbers_that_are_not_finite_and_steps_without_progress_are_told() {
    let (model, mut state) = ball(1e5, 1.0);
    let mut health = Health::new(&model, 0.0, 1.0);
    state.time = 0.25;
    health.step(&state, &[]);
    state.time = 0.5;
    state.motions[1].angular_velocity_body.y = f64::NAN;
    health.step(&state, &[]);
    assert_eq!(health.verdict().findings, [Finding::NotFinite(0.25)]);
    let (_, mut state) = ball(1e5, 1.0);
    let mut health = Health::new(&model, 0.0, 1.0);
    health.set_scheme(&EXPLICIT);
    for k in 1..=WINDOW {
        assert!(!health.is_stalled());
        state.time = 1e-15 * k as f64;
        health.step(&state, &[]);
    }
    assert!(health.is_stalled());
    assert!(health.verdict().line.contains("`type` = \"stiff\""), "{}", health.verdict().line);
}

#[test]
fn a_body_so_far_away_that_its_place_has_no_digits_left_has_left_the_scene() {
    let (model, mut state) = ball(1e5, 1.0);
    let mut health = Health::new(&model, 0.0, 1.0);
    for (x, healthy) in [(1e6, true), (1e12, false)] {
        state.motions[1].pose.position.x = x;
        health.output(&state, &Energy::of(&model, &state).unwrap(), &[]);
        assert_eq!(health.verdict().is_healthy(), healthy, "{}", health.verdict().line);
    }
    assert!(health.verdict().line.contains("ball has left the scene"), "{}", health.verdict().line);
}

#[test]
fn a_watch_that_is_taken_up_with_its_figures_comes_to_the_same_verdict() {
    let (model, state) = ball(1e10, 0.2);
    let scheme = Scheme::Many { step: 1e-3 };
    let whole = watched(&model, state, &scheme, 0.5);
    let mut resumed = Health::new(&model, 0.0, 0.5).resumed(*whole.figures());
    resumed.set_scheme(&scheme);
    assert_eq!(resumed.verdict(), whole.verdict());
}
