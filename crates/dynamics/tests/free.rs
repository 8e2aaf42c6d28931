//! Free bodies, simulated: closed forms, energy, determinism.

use crate::samples::free::{Free, GRAVITY, bouncing_ball, tumbling_ellipsoid};
use rattleback_contact::law::normal::{Hysteresis, KelvinVoigt, NormalLaw, Rule, restitution_of_factor};
use rattleback_contact::law::{ContactLaw, friction::Coulomb};
use rattleback_contact::material::{Material, Stiffness};
use rattleback_dynamics::geom::surface::{Cuboid, Ellipsoid, Plane, Shape, Sphere, Torus};
use rattleback_dynamics::geom::{Mat3, Pose, Vec3};
use rattleback_dynamics::{
    Accuracy, Body, BodyModel, Energy, Method, Model, Motion, RunEvent, Simulation, State, measure,
};

fn simulation(case: &Free) -> Simulation<'_> {
    Simulation::new(&case.model, case.state.clone(), case.method, case.accuracy).unwrap()
}

#[test]
fn a_free_asymmetric_top_keeps_its_angular_momentum_and_energy() {
    let mut builder = Model::builder();
    let inertia = Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 2.7));
    let body = builder.body(BodyModel::free("top", Body { mass: 2.0, inertia }));
    let model = builder.build().unwrap();
    let pose = Pose::from_parts([0.1, 0.2, 0.3], [0.5, 0.5, -0.5, 0.5]).unwrap();
    // About the middle axis, where the motion tumbles.
    let angular_velocity = Vec3::new(0.01, std::f64::consts::TAU, 0.02);
    let motion =
        Motion { pose, velocity: Vec3::new(0.3, -0.1, 0.2), angular_velocity_body: angular_velocity };
    let state = State::new(vec![motion]);
    let accuracy = Accuracy { relative: 1e-14, absolute: 1e-14 };
    let before = measure::momentum(&model, &state.motions).unwrap();
    let energy = measure::kinetic_energy(&model, &state.motions).unwrap();
    let mut simulation = Simulation::new(&model, state, Method::Explicit, accuracy).unwrap();
    let revolutions = 100.0;
    simulation.advance(revolutions, &mut |_| Ok(())).unwrap();
    let motions = &simulation.state().motions;
    let after = measure::momentum(&model, motions).unwrap();
    let drift = (after.angular - before.angular).norm() / before.angular.norm() / revolutions;
    assert!(drift < 1e-12, "{drift:e} per revolution");
    let lost = (measure::kinetic_energy(&model, motions).unwrap() / energy - 1.0).abs() / revolutions;
    assert!(lost < 1e-12, "{lost:e} per revolution");
    assert!((motions[body.0].pose.position - Vec3::new(30.1, -9.8, 20.3)).norm() < 1e-11);
}

/// A ball of 261 kg falls 0.5 m and bounces. The energies of its contacts begin at zero; how exactly they are wanted is
/// told by the 1.3 kJ in play, and not by an absolute tolerance of 1e-11 J.
#[test]
fn an_impact_of_a_heavy_ball_takes_few_implicit_steps_and_keeps_its_energy() {
    let steel = Material::new(210e9, 0.3).unwrap();
    let normal = Hysteresis::new(Rule::Flores, 0.7, 1.5).unwrap();
    let law = ContactLaw::new(Stiffness::hertz(&steel, &steel), normal).unwrap();
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let surface = builder.surface("steel");
    builder.law(surface, surface, law);
    let plane = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    builder.body(BodyModel::fixed("floor").with_part(plane, Pose::identity(), surface));
    builder.body(BodyModel::solid("ball", Sphere::new(0.2).unwrap(), 7800.0, surface).unwrap());
    let model = builder.build().unwrap();
    let places = [Pose::identity(), Pose::from_position(0.0, 0.0, 0.7)];
    let state = State::new(places.map(Motion::at_rest).to_vec());
    let mut simulation = Simulation::new(&model, state, Method::Stiff, Accuracy::default()).unwrap();
    let before = Energy::of(&model, simulation.state()).unwrap().total();
    let (mut contacts, mut steps) = (0, 0);
    simulation
        .advance(1.5, &mut |now| {
            contacts += usize::from(matches!(now.event, RunEvent::Begin(_)));
            steps += usize::from(matches!(now.event, RunEvent::Step) && !now.active_contacts.is_empty());
            Ok(())
        })
        .unwrap();
    let in_play = model.bodies()[1].body.mass * GRAVITY * 0.5;
    let lost = (Energy::of(&model, simulation.state()).unwrap().total() - before) / in_play;
    assert!(contacts >= 2 && steps < 30 * contacts, "{steps} steps in {contacts} contacts");
    assert!(lost.abs() < 2e-7, "{lost:e}");
    // The next contact begins with the first step of the last one, far below those of the flight.
    let state = simulation.state();
    assert!(state.begin_step.is_some_and(|first| first < 0.01 * state.step.unwrap()), "{state:?}");
}

#[test]
fn a_ball_bounces_as_high_as_every_law_says() {
    let mut laws: Vec<(String, NormalLaw, Option<Stiffness>, f64)> = Vec::new();
    for rule in Rule::ALL {
        let law = Hysteresis::new(rule, 0.7, 1.5).unwrap();
        laws.push((rule.name().to_owned(), law.into(), None, restitution_of_factor(law.factor()).unwrap()));
    }
    // The ball's mass: 7800 kg/m³, radius 10 mm.
    let mass = 7800.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-6;
    let linear = KelvinVoigt::with_restitution(0.7, 1e7, mass).unwrap();
    laws.push(("linear".to_owned(), linear.into(), Some(Stiffness::given(1e7).unwrap()), 0.7));
    for (name, law, stiffness, restitution) in laws {
        let case = bouncing_ball(law, stiffness).unwrap();
        let mut simulation = simulation(&case);
        let (mut arrivals, mut departures) = (Vec::new(), Vec::new());
        simulation
            .advance(0.5, &mut |now| {
                let speed = now.state.motions[1].velocity.z;
                match now.event {
                    RunEvent::Begin(_) => arrivals.push((now.state.time, -speed)),
                    RunEvent::End(_) => departures.push(speed),
                    RunEvent::Step => {}
                }
                Ok(())
            })
            .unwrap();
        assert!(arrivals.len() >= 2 && departures.len() >= 2, "{name}");
        // The first touch is after a fall of 0.1 m.
        let (time, speed) = arrivals[0];
        assert!((time - (0.2 / GRAVITY).sqrt()).abs() < 1e-10, "{name}: {time}");
        assert!((speed - (0.2 * GRAVITY).sqrt()).abs() < 1e-9, "{name}: {speed}");
        for (arrival, departure) in arrivals.iter().zip(&departures) {
            // The weight is 1e-4 of the impact's force.
            let found = departure / arrival.1;
            assert!((found - restitution).abs() < 5e-4, "{name}: {found} against {restitution}");
        }
        // It comes back as fast as it left.
        assert!((arrivals[1].1 / departures[0] - 1.0).abs() < 1e-8, "{name}");
    }
}

#[test]
fn a_linear_law_needs_a_stiffness_of_its_own() {
    let message = bouncing_ball(KelvinVoigt::new(1.0).unwrap(), None).unwrap_err().to_string();
    assert!(message.starts_with("exponent = 1: must be 1.5 where the stiffness is Hertz's"), "{message}");
}

#[test]
fn a_run_has_the_same_bits_again_and_after_being_taken_up_from_its_stored_state() {
    let case = tumbling_ellipsoid().unwrap();
    let run = |pauses: &[f64]| {
        let mut simulation = simulation(&case);
        for &pause in pauses {
            simulation.advance(pause, &mut |_| Ok(())).unwrap();
        }
        simulation.state().clone()
    };
    let whole = run(&[0.4, 0.7, 1.0]);
    assert_eq!(whole, run(&[0.4, 0.7, 1.0]));
    let stored = run(&[0.4, 0.7]);
    let mut again = Simulation::new(&case.model, stored, case.method, case.accuracy).unwrap();
    again.advance(1.0, &mut |_| Ok(())).unwrap();
    assert_eq!(&whole, again.state());
}

#[test]
fn a_torus_bounces_on_a_plane_with_a_given_stiffness_by_both_methods() {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let surface = builder.surface("all");
    let normal = Hysteresis::new(Rule::Exact, 0.8, 1.5).unwrap();
    let law = ContactLaw::new(Stiffness::given(1e6).unwrap(), normal)
        .unwrap()
        .with_friction(Coulomb::new(0.3, 1e-2).unwrap());
    builder.law(surface, surface, law);
    let plane = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    builder.body(BodyModel::fixed("floor").with_part(plane, Pose::identity(), surface));
    let ring = Torus::new(0.1, 0.02).unwrap();
    builder.body(BodyModel::solid("ring", ring, 1000.0, surface).unwrap());
    let model = builder.build().unwrap();
    let tilted = Pose::from_position(0.0, 0.0, 0.2).rotated(Vec3::x(), 1.0).unwrap();
    let state = State::new(vec![Motion::at_rest(Pose::identity()), Motion::at_rest(tilted)]);
    let total = Energy::of(&model, &state).unwrap().total();
    let mut ends = Vec::new();
    for method in [Method::Explicit, Method::Stiff] {
        let mut simulation = Simulation::new(&model, state.clone(), method, Accuracy::default()).unwrap();
        simulation.advance(0.5, &mut |_| Ok(())).unwrap();
        let energy = Energy::of(&model, simulation.state()).unwrap();
        assert!((energy.total() - total).abs() < 1e-6 * total, "{method:?}: {energy:?} of {total}");
        assert!(
            energy.contacts.damped > 0.0 && energy.contacts.friction_loss > 0.0,
            "{method:?}: {energy:?}"
        );
        ends.push(simulation.state().motions[1].pose.position);
    }
    assert!((ends[0] - ends[1]).norm() < 1e-4, "{ends:?}");
}

#[test]
fn states_that_do_not_fit_are_refused() {
    let case = tumbling_ellipsoid().unwrap();
    let refused = |state: State| {
        Simulation::new(&case.model, state, case.method, case.accuracy).unwrap_err().to_string()
    };
    let mut short = case.state.clone();
    short.motions.pop();
    assert!(Energy::of(&case.model, &short).unwrap_err().to_string().starts_with("motions has 1 entries"));
    assert!(refused(short).starts_with("motions has 1 entries"));
    let mut wrong = case.state.clone();
    wrong.motions[1].velocity.x = f64::NAN;
    assert!(refused(wrong).starts_with("motion of body ellipsoid = NaN"));
}

/// A ball falls onto a thin plate that leans. The step of its flight leads far beyond the plate: neither the beginning
/// of the contact nor its first step may depend on where that step ends.
#[test]
fn a_ball_bounces_off_a_thin_plate_whenever_it_is_looked_at() {
    let normal = Hysteresis::new(Rule::HuntCrossley, 0.3, 1.5).unwrap();
    let law = ContactLaw::new(Stiffness::given(1e5).unwrap(), normal).unwrap();
    for plate in [Shape::from(Ellipsoid::new([0.1, 0.05, 0.01]).unwrap()), slab()] {
        let mut builder = Model::builder();
        builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
        let surface = builder.surface("any");
        builder.law(surface, surface, law);
        builder.body(BodyModel::fixed("plate").with_part(plate, Pose::identity(), surface));
        builder.body(BodyModel::solid("ball", Sphere::new(0.01).unwrap(), 1000.0, surface).unwrap());
        let model = builder.build().unwrap();
        let leaning = Pose::from_position(0.1, 0.0, 0.06).rotated(-Vec3::y(), 0.8).unwrap();
        let places = [leaning, Pose::from_position(0.035, 0.0, 0.08)];
        let state = State::new(places.map(Motion::at_rest).to_vec());
        for method in [Method::Explicit, Method::Stiff] {
            let ends = [1, 300].map(|parts| {
                let mut simulation =
                    Simulation::new(&model, state.clone(), method, Accuracy::default()).unwrap();
                for k in 1..=parts {
                    simulation.advance(0.3 * f64::from(k) / f64::from(parts), &mut |_| Ok(())).unwrap();
                }
                simulation.state().motions[1]
            });
            let [at_once, in_parts] = ends.map(|motion| motion.velocity);
            // It has been thrown aside.
            assert!(in_parts.x < -0.3, "{in_parts}");
            assert!((at_once - in_parts).norm() < 1e-6, "{method:?}: {at_once} {in_parts}");
        }
    }
}

fn slab() -> Shape {
    Cuboid::new([0.2, 0.1, 0.02], 0.0).unwrap().into()
}
