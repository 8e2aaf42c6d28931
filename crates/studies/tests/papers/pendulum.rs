//! The pendulum of the IFToMM library, A01: order of convergence, drift of energy, its reference.

use crate::build::run;
use rattleback_dynamics::mechanism::{Rule, Settings, Step};
use rattleback_dynamics::{Mechanism, Model, State};
use rattleback_geom::Vec3;
use rattleback_studies::Case;
use rattleback_studies::mechanism::PENDULUM_END as REFERENCE;

fn pendulum() -> (Model, State) {
    let scene = Case::scene_of("pendulum").unwrap();
    (scene.model, scene.state)
}

fn end(rule: Rule, h: f64) -> Vec3 {
    let (model, start) = pendulum();
    let settings = Settings { rule, ..Settings::default() }.with_step(h);
    run(&model, &start, settings, 10.0).0.motions[1].pose.position
}

#[test]
fn both_rules_are_of_second_order_and_extrapolate_to_the_reference() {
    let reference = Vec3::new(REFERENCE[0], REFERENCE[1], 0.0);
    for rule in [Rule::Trapezoidal, Rule::GeneralizedAlpha { rho: 0.8 }] {
        let [coarse, middle, fine] = [0.0025, 0.00125, 0.000625].map(|h| end(rule, h));
        let order = ((coarse - reference).norm() / (fine - reference).norm()).log2() / 2.0;
        assert!((order - 2.0).abs() < 0.05, "{rule:?}: order {order}");
        // The errors go with h² and h³.
        let [first, second] = [(coarse, middle), (middle, fine)].map(|(a, b)| b + (b - a) / 3.0);
        let best = second + (second - first) / 7.0;
        println!("{rule:?}: order {order:.3}, extrapolated error {:e}", (best - reference).norm());
        assert!((best - reference).norm() < 1e-7, "{rule:?}: {:e}", (best - reference).norm());
    }
}

#[test]
fn the_energy_swings_with_the_square_and_drifts_down_with_the_cube_of_the_step() {
    let (model, start) = pendulum();
    // The largest departure in the first 10 s, and the drift of the mean over 10 s from the start to the end, in J/s.
    let measure = |h: f64| {
        let mut mechanism = Mechanism::new(&model, Settings::default().with_step(h)).unwrap();
        let mut state = start.clone();
        mechanism.assemble(&mut state).unwrap();
        let before = mechanism.energy(&state).unwrap().total();
        let (mut swing, mut first, mut last) = (0.0_f64, 0.0, 0.0);
        mechanism
            .advance(&mut state, 60.0, &mut |mechanism, state| {
                let energy = mechanism.energy(state)?.total() - before;
                let violation = mechanism.violation(state)?;
                assert!(violation.position < 1e-10 && violation.velocity < 1e-10, "{violation:?}");
                if state.time <= 10.0 {
                    swing = swing.max(energy.abs());
                    first += 0.1 * h * energy;
                } else if state.time > 50.0 {
                    last += 0.1 * h * energy;
                }
                Ok(())
            })
            .unwrap();
        [swing, (last - first) / 50.0]
    };
    let (coarse, fine) = (measure(0.01), measure(0.005));
    println!("energy: {coarse:?} {fine:?}");
    assert!(((coarse[0] / fine[0]).log2() - 2.0).abs() < 0.3, "{coarse:?} {fine:?}");
    assert!(((coarse[1] / fine[1]).log2() - 3.0).abs() < 0.3, "{coarse:?} {fine:?}");
    // Of 9.81 J: the projections take a little, and never give.
    assert!(coarse[1] < 0.0 && coarse[1] > -2e-4, "{coarse:?}");
}

#[test]
fn adaptive_steps_keep_the_error_that_was_asked_for() {
    let (model, start) = pendulum();
    let reference = Vec3::new(REFERENCE[0], REFERENCE[1], 0.0);
    let mut errors = Vec::new();
    for tolerance in [1e-6, 1e-8] {
        let step = Step::Adaptive { tolerance, first: 1e-3, longest: 0.1 };
        let mut steps = 0;
        let mut mechanism = Mechanism::new(&model, Settings { step, ..Settings::default() }).unwrap();
        let mut state = start.clone();
        let mut range = [f64::INFINITY, 0.0_f64];
        let mut last = 0.0;
        mechanism
            .advance(&mut state, 10.0, &mut |_, state| {
                steps += 1;
                let h = state.time - last;
                range = [range[0].min(h), range[1].max(h)];
                last = state.time;
                Ok(())
            })
            .unwrap();
        assert_eq!(state.time, 10.0);
        let error = (state.motions[1].pose.position - reference).norm();
        println!("tolerance {tolerance:e}: {steps} steps of {range:?}, error {error:e}");
        assert!(range[1] > 1.5 * range[0]);
        errors.push((error, steps));
    }
    // The step goes with the cube root of the tolerance, the error with the square of the step: 4.6 and 22.
    let [(coarse, few), (fine, many)] = errors[..] else { panic!() };
    assert!(coarse < 2e-2 && fine < coarse / 10.0, "{coarse:e} {fine:e}");
    assert!((3 * few..6 * few).contains(&many), "{few} {many}");
}
