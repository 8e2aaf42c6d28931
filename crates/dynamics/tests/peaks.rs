//! Peaks of force and overlap against closed forms, whatever the outputs.
//!
//! A ball of mass m that meets a plane at v₀ without gravity, F = K δⁿ (1 + c δ̇/v₀), has with u = δ̇/v₀
//!
//!   K δⁿ⁺¹/((n + 1) m) = v₀²/c² [c u − ln(1 + c u)] from u to 1,    F = K δⁿ (1 + c u)
//!
//! δ is greatest at u = 0, F somewhat before. Without damping δ_max = (5 m v₀²/(4 K))^{2/5}, n = 3/2 (Johnson, Contact
//! Mechanics, section 11.4).

use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::{Material, Stiffness};
use rattleback_dynamics::geom::surface::{Ellipsoid, Plane, Sphere};
use rattleback_dynamics::geom::{Pose, Vec3};
use rattleback_dynamics::rolling;
use rattleback_dynamics::{Accuracy, BodyModel, Method, Model, Run, RunEvent, Scheme};

const SPEED: f64 = 1.0;

/// A ball of 10 mm, 1 mm above a plane of steel, and its stiffness.
fn ball(restitution: f64) -> (Model, f64, Hysteresis) {
    let steel = Material::new(210e9, 0.3).unwrap();
    let normal = Hysteresis::new(Rule::Exact, restitution, 1.5).unwrap();
    let law = ContactLaw::new(Stiffness::hertz(&steel, &steel), normal).unwrap();
    let mut builder = Model::builder();
    let surface = builder.surface_with("steel", law);
    let plane = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    builder.body(BodyModel::fixed("floor").with_part(plane, Pose::identity(), surface));
    let ball = BodyModel::solid("ball", Sphere::new(0.01).unwrap(), 7800.0, surface).unwrap();
    builder.body(ball.at(Pose::from_position(0.0, 0.0, 0.011)).with_velocity([0.0, 0.0, -SPEED]));
    // K = 4/3 E* √R, 1/E* = 2 (1 − ν²)/E.
    let modulus = 210e9 / (2.0 * (1.0 - 0.3 * 0.3));
    (builder.build().unwrap(), 4.0 / 3.0 * modulus * 0.01_f64.sqrt(), normal)
}

/// The greatest force and overlap of a run with outputs at an interval.
fn peaks(model: &Model, scheme: &Scheme, [end, interval]: [f64; 2]) -> [f64; 2] {
    let mut run = Run::new(model, model.initial_state(), scheme).unwrap();
    let mut greatest = [0.0_f64; 2];
    for k in 1..=(end / interval).round() as u32 {
        run.advance(interval * f64::from(k), &mut |now| {
            if now.event == RunEvent::Step {
                let ends = now.active_contacts.iter().map(|(_, c)| [c.force.normal, -c.touch.gap]);
                let inside = now
                    .peaks
                    .unwrap()
                    .iter()
                    .map(|p| [p.force, p.overlap].map(|top| top.map_or(0.0, |t| t[1])));
                for value in ends.chain(inside) {
                    greatest = [0, 1].map(|q| greatest[q].max(value[q]));
                }
            }
            Ok(())
        })
        .unwrap();
    }
    greatest
}

/// The greatest force and overlap by the closed form.
fn closed_form(mass: f64, stiffness: f64, c: f64) -> [f64; 2] {
    let energy = |u: f64| if c == 0.0 { 0.5 * u * u } else { (c * u - (c * u).ln_1p()) / (c * c) };
    let overlap = |u: f64| (2.5 * mass * SPEED * SPEED / stiffness * (energy(1.0) - energy(u))).powf(0.4);
    let force = |u: f64| stiffness * overlap(u).powf(1.5) * (1.0 + c * u);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let third = (high - low) / 3.0;
        if force(low + third) > force(high - third) { high -= third } else { low += third }
    }
    [force(0.5 * (low + high)), overlap(0.0)]
}

#[test]
fn peaks_of_an_impact_are_those_of_the_closed_form_whatever_the_outputs() {
    let accuracy = Accuracy::default();
    // A step may err by this in the ball's position, which is 10 mm; the impact takes some twenty.
    let allowed = 20.0 * (accuracy.absolute + accuracy.relative * 0.01);
    for restitution in [1.0, 0.6] {
        let (model, stiffness, normal) = ball(restitution);
        let expected = closed_form(model.bodies()[1].body.mass, stiffness, normal.factor());
        for method in [Method::Explicit, Method::Stiff] {
            // The impact takes 60 µs: whole within an output, and cut by many of them.
            for interval in [2e-3, 1e-3 + 1e-7, 3.7e-6, 1e-6] {
                let found = peaks(&model, &Scheme::Free { method, accuracy }, [2e-3, interval]);
                for (q, power) in [1.5, 1.0].into_iter().enumerate() {
                    let error = (found[q] / expected[q] - 1.0).abs();
                    let what = format!("e = {restitution}, {method:?}, every {interval} s, {q}: {error:e}");
                    assert!(error < 2.0 * power * allowed / expected[1], "{what}");
                }
            }
        }
    }
}

#[test]
fn loose_tolerances_make_peaks_as_loose_and_no_worse() {
    let (model, stiffness, normal) = ball(0.6);
    let expected = closed_form(model.bodies()[1].body.mass, stiffness, normal.factor());
    for method in [Method::Explicit, Method::Stiff] {
        for relative in [1e-4, 1e-6, 1e-11] {
            let accuracy = Accuracy { relative, absolute: 1e-2 * relative };
            let found = peaks(&model, &Scheme::Free { method, accuracy }, [2e-3, 2e-3]);
            for q in 0..2 {
                let error = (found[q] / expected[q] - 1.0).abs();
                assert!(error < 100.0 * relative, "{method:?} at {relative:e}, {q}: {error:e}");
            }
        }
    }
}

/// An ellipsoid rolls like a wheel: the floor's force has its greatest value inside steps.
#[test]
fn the_greatest_force_of_a_body_that_rolls_does_not_depend_on_the_outputs() {
    let law =
        rattleback_contact::law::stiffness(1e6).unwrap().restitution(0.5).unwrap().friction(1e4).unwrap();
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let surface = builder.surface_with("wood", law);
    builder.floor(surface);
    let egg = BodyModel::solid("egg", Ellipsoid::new([0.05, 0.05, 0.045]).unwrap(), 700.0, surface).unwrap();
    let pose = Pose::from_position(0.0, 0.0, 0.045);
    builder.body(egg.at(pose).with_velocity([0.09, 0.0, 0.0]).with_angular_velocity_body([0.0, 2.0, 0.0]));
    let model = builder.build().unwrap();
    let scheme = Scheme::Rolling(rolling::Settings::default());
    let [whole, cut] = [0.8, 0.8 / 97.0].map(|interval| peaks(&model, &scheme, [0.8, interval])[0]);
    assert!(whole > 0.0 && (whole / cut - 1.0).abs() < 1e-8, "{whole} {cut}");
}
