//! Mechanisms on prescribed bodies: a pendulum whose pivot is shaken, against its equation of motion, and a ball on a
//! plate that goes up and down.

use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::geom::surface::{Plane, Sphere};
use rattleback_dynamics::geom::{Mat3, Pose, Vec3};
use rattleback_dynamics::integrator::{
    Dop853, Equations, Settings as StepSettings, Stepper, Tolerance, advance,
};
use rattleback_dynamics::joint::{Joint, JointFrame, JointKind};
use rattleback_dynamics::mechanism::Settings;
use rattleback_dynamics::model::{Freedom, Harmonic, PrescribedMotion};
use rattleback_dynamics::{Body, BodyModel, Mechanism, Model, Motion, Result, State};

const GRAVITY: f64 = 9.81;
const LENGTH: f64 = 0.7;
const MASS: f64 = 2.0;
const INERTIA: f64 = 0.03;
const SWAY: f64 = 0.05;
const FREQUENCY: f64 = 9.0;

/// θ from the vertical, with the pivot at x = a cos Ωt: (I + mℓ²) θ̈ = −mℓ (g sin θ + ẍ cos θ).
struct Shaken;

impl Equations for Shaken {
    fn dimension(&self) -> usize {
        2
    }

    fn rate(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        let push = -SWAY * FREQUENCY * FREQUENCY * (FREQUENCY * t).cos();
        dy[0] = y[1];
        dy[1] =
            -MASS * LENGTH * (GRAVITY * y[0].sin() + push * y[0].cos()) / (INERTIA + MASS * LENGTH * LENGTH);
        Ok(())
    }
}

fn model() -> (Model, State) {
    let term = Harmonic { freedom: Freedom::Surge, amplitude: SWAY, frequency: FREQUENCY, phase: 0.0 };
    let prescribed = PrescribedMotion::harmonic(Pose::identity(), &[term]).unwrap();
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, -GRAVITY, 0.0));
    let cart = builder.body(BodyModel::prescribed("cart", prescribed));
    let inertia = Mat3::from_diagonal(&Vec3::new(0.02, 0.02, INERTIA));
    let bob = builder.body(BodyModel::free("bob", Body { mass: MASS, inertia }));
    // Revolute joints turn about z, and the pendulum swings in the plane of x and y.
    builder.joint(Joint {
        name: "pivot".to_owned(),
        kind: JointKind::Revolute,
        a: JointFrame { body: cart, pose: Pose::identity() },
        b: JointFrame { body: bob, pose: Pose::from_position(0.0, LENGTH, 0.0) },
    });
    let place = Pose::from_position(SWAY, -LENGTH, 0.0);
    let state = State::new(vec![Motion::at_rest(Pose::identity()), Motion::at_rest(place)]);
    (builder.build().unwrap(), state)
}

#[test]
fn a_pendulum_on_a_shaken_pivot_follows_its_equation_to_second_order() {
    let mut exact =
        Dop853::new(0.0, &[0.0, 0.0], Tolerance::new(1e-12, 1e-12).unwrap(), StepSettings::default())
            .unwrap();
    advance(&mut exact, &mut Shaken, &mut [], 2.0, &mut |_| Ok(())).unwrap();
    let angle = exact.state()[0];
    assert!(angle.abs() > 0.01, "{angle}");
    let pivot = SWAY * (2.0 * FREQUENCY).cos();
    let truth = Vec3::new(pivot + LENGTH * angle.sin(), -LENGTH * angle.cos(), 0.0);
    let (mut errors, mut losses) = (Vec::new(), Vec::new());
    for step in [4e-3, 2e-3, 1e-3] {
        let (model, mut state) = model();
        let mut mechanism = Mechanism::new(&model, Settings::default().with_step(step)).unwrap();
        mechanism.assemble(&mut state).unwrap();
        let (mut worst, mut lost) = (0.0f64, 0.0f64);
        let start = mechanism.energy(&state).unwrap().total();
        mechanism
            .advance(&mut state, 2.0, &mut |mechanism, state| {
                let left = mechanism.violation(state)?;
                worst = worst.max(left.position).max(left.velocity);
                lost = lost.max((mechanism.energy(state)?.total() - start).abs());
                Ok(())
            })
            .unwrap();
        assert!(worst < 1e-10, "the pivot opens by {worst}");
        assert!((state.motions[0].pose.position.x - pivot).abs() < 1e-12);
        // The pivot has put in all of its energy.
        assert!(state.dissipated < -0.05, "{}", state.dissipated);
        losses.push(lost);
        errors.push((state.motions[1].pose.position - truth).norm());
    }
    let orders = [(errors[0] / errors[1]).log2(), (errors[1] / errors[2]).log2()];
    assert!(orders.iter().all(|order| (order - 2.0).abs() < 0.1), "{errors:?}: {orders:?}");
    // So do the books.
    let order = (losses[0] / losses[2]).log2() / 2.0;
    assert!(losses[2] < 1e-5 && order > 1.8, "{losses:?}");
}

#[test]
fn a_plate_that_lifts_a_ball_pays_for_it() {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let surface = builder.surface("all");
    let normal = Hysteresis::new(Rule::Exact, 0.5, 1.5).unwrap();
    builder.law(surface, surface, ContactLaw::new(Stiffness::given(1e5).unwrap(), normal).unwrap());
    // Gentle enough that the ball stays on it: a Ω² = 1.3 m/s².
    let term = Harmonic { freedom: Freedom::Heave, amplitude: 0.05, frequency: 5.0, phase: 0.0 };
    let prescribed = PrescribedMotion::harmonic(Pose::identity(), &[term]).unwrap();
    let plane = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    builder.body(BodyModel::prescribed("plate", prescribed).with_part(plane, Pose::identity(), surface));
    let ball = Sphere::new(0.05).unwrap();
    builder.body(BodyModel::solid("ball", ball, 2000.0, surface).unwrap());
    let model = builder.build().unwrap();
    let above = Motion::at_rest(Pose::from_position(0.0, 0.0, 0.105));
    let mut state = State::new(vec![Motion::at_rest(Pose::identity()), above]);
    let mut mechanism = Mechanism::new(&model, Settings::default().with_step(2e-4)).unwrap();
    mechanism.assemble(&mut state).unwrap();
    let start = mechanism.energy(&state).unwrap().total();
    let (mut lost, mut paid) = (0.0f64, [f64::INFINITY, f64::NEG_INFINITY]);
    mechanism
        .advance(&mut state, 3.0, &mut |mechanism, state| {
            lost = lost.max((mechanism.energy(state)?.total() - start).abs());
            paid = [paid[0].min(state.dissipated), paid[1].max(state.dissipated)];
            Ok(())
        })
        .unwrap();
    // Up and down by 0.1 m.
    let weight = model.bodies()[1].body.mass * GRAVITY;
    assert!((paid[1] - paid[0]) / (0.1 * weight) > 0.9, "{paid:?}");
    assert!(lost < 2e-3 * 0.1 * weight, "{lost} of {}", 0.1 * weight);
}
