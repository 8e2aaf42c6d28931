//! Impacts integrated in time, against closed forms.

use rattleback_contact::law::normal::{
    Hysteresis, KelvinVoigt, NormalLaw, Rule, ratio_of_restitution, restitution_of_factor,
};
use rattleback_contact::material::{Material, Stiffness};
use rattleback_studies::restitution::{Candidate, Impact};

#[test]
fn every_law_yields_the_restitution_of_the_exact_relation() {
    for candidate in Candidate::all() {
        for i in 1..=20 {
            let asked = f64::from(i) / 20.0;
            let (found, exact) = (candidate.obtained(asked).unwrap(), candidate.predicted(asked).unwrap());
            assert!((found - exact).abs() < 1e-8, "{} {asked}: {found} against {exact}", candidate.name());
        }
    }
}

#[test]
fn the_exact_law_yields_what_was_asked_for_whatever_stiffness_mass_speed_and_exponent() {
    for (stiffness, mass, speed, exponent) in
        [(1e9, 0.1, 1.0, 1.5), (10.0, 5.0, 0.01, 1.0), (1e12, 1e-6, 30.0, 2.2), (3e4, 70.0, 2.0, 4.0)]
    {
        for asked in [0.05, 0.3, 0.7, 0.99, 1.0] {
            let law = Hysteresis::new(Rule::Exact, asked, exponent).unwrap().into();
            let found = Impact { law, stiffness, mass, speed }.run().unwrap();
            assert!((found.restitution - asked).abs() < 1e-8, "{asked}: {found:?}");
            let lost = 0.5 * mass * speed * speed * (1.0 - asked * asked);
            assert!((found.damped - lost).abs() < 1e-9 * mass * speed * speed, "{asked}: {found:?}");
        }
    }
}

#[test]
fn a_linear_law_that_may_pull_yields_its_own_closed_form() {
    let (stiffness, mass, speed) = (2e5f64, 0.3, 0.8);
    for asked in [0.05, 0.4, 0.9] {
        let damping = 2.0 * ratio_of_restitution(asked, true).unwrap() * (stiffness * mass).sqrt();
        let law: NormalLaw = KelvinVoigt::new(damping).unwrap().adhesive().into();
        let found = Impact { law, stiffness, mass, speed }.run().unwrap();
        assert!((found.restitution - asked).abs() < 1e-10, "{asked}: {found:?}");
    }
}

#[test]
fn a_steel_sphere_on_a_steel_half_space_follows_hertz_to_six_digits() {
    let steel = Material::new(210e9, 0.3).unwrap();
    let radius = 0.01f64;
    let stiffness = Stiffness::hertz(&steel, &steel).at(Some([1.0 / radius; 2])).unwrap().value;
    let mass = 7800.0 * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let law = Hysteresis::new(Rule::Hertz, 1.0, 1.5).unwrap().into();
    let found = Impact { law, stiffness, mass, speed: 1.0 }.run().unwrap();
    assert!((found.depth * 1e6 - 23.42085).abs() < 5e-6, "{found:?}");
    assert!((found.duration * 1e6 - 68.93400).abs() < 5e-6, "{found:?}");
    assert!((found.peak - 1743.776).abs() < 5e-4, "{found:?}");
    // The closed forms behind them: (5mv²/4K)^{2/5} and 2.94327… times depth over speed.
    let depth = (1.25 * mass / stiffness).powf(0.4);
    assert!((found.depth / depth - 1.0).abs() < 1e-12);
    assert!((found.peak / (stiffness * depth.powf(1.5)) - 1.0).abs() < 1e-12);
    assert!((found.restitution - 1.0).abs() < 1e-12 && found.damped == 0.0);
}

#[test]
fn a_damped_peak_comes_before_the_deepest_point() {
    let law = Hysteresis::new(Rule::Flores, 0.5, 1.5).unwrap();
    let impact = Impact { law: law.into(), stiffness: 1e9, mass: 0.1, speed: 1.0 };
    let found = impact.run().unwrap();
    let at_rest = impact.stiffness * found.depth.powf(1.5);
    assert!(found.peak > 1.05 * at_rest, "{found:?}");
    assert!(found.restitution > restitution_of_factor(law.factor()).unwrap() - 1e-9);
}

#[test]
fn impacts_that_cannot_be_are_refused_by_name() {
    let law = Hysteresis::new(Rule::Hertz, 1.0, 1.5).unwrap().into();
    let good = Impact { law, stiffness: 1.0, mass: 1.0, speed: 1.0 };
    for (impact, said) in [
        (Impact { stiffness: -1.0, ..good }, "stiffness = -1"),
        (Impact { mass: f64::NAN, ..good }, "mass = NaN"),
        (Impact { speed: 0.0, ..good }, "speed = 0"),
    ] {
        let message = impact.run().unwrap_err().to_string();
        assert!(message.starts_with(said), "{message}");
    }
}
