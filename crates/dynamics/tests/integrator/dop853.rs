//! Order, accuracy and failures of the explicit method.

use std::f64::consts::{PI, TAU};

use super::problems::{distance, kepler, kepler_energy, oscillator, pericentre, problem};
use rattleback_dynamics::integrator::{AdvanceOutcome, Dop853, Settings, Stepper, Tolerance, advance};
use rattleback_dynamics::{DynamicsError, Result};

/// A stepper whose error control never speaks, so that all steps are `h` long.
fn fixed(y: &[f64], h: f64) -> Dop853 {
    let settings = Settings { first_step: Some(h), longest_step: h, ..Settings::default() };
    Dop853::new(0.0, y, Tolerance::new(0.5, 1e6).unwrap(), settings).unwrap()
}

fn adaptive(t: f64, y: &[f64], tolerance: f64) -> Dop853 {
    let tolerance = Tolerance::new(tolerance, tolerance).unwrap();
    Dop853::new(t, y, tolerance, Settings::default()).unwrap()
}

/// ẏ = −2t y², y = 1/(1 + t²): not linear, depends on t, and its derivatives grow like factorials.
fn bell(t: f64, y: &[f64], dy: &mut [f64]) {
    dy[0] = -2.0 * t * y[0] * y[0];
}

/// Errors at the end and largest within steps, for `n` fixed steps to t = 1.
fn fixed_errors(n: usize) -> (f64, f64) {
    let mut stepper = fixed(&[1.0], 1.0 / n as f64);
    let mut within: f64 = 0.0;
    advance(&mut stepper, &mut problem(1, bell), &mut [], 1.0, &mut |step| {
        for i in 0..20 {
            let t = step.begin() + (step.end() - step.begin()) * f64::from(i) / 20.0;
            let mut y = [0.0];
            step.interpolate(t, &mut y);
            within = within.max((y[0] - 1.0 / (1.0 + t * t)).abs());
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(stepper.statistics().steps, n);
    assert_eq!(stepper.statistics().rejected, 0);
    ((stepper.state()[0] - 0.5).abs(), within)
}

#[test]
fn end_points_converge_with_order_8_and_dense_output_with_order_7() {
    let errors: Vec<_> = [4, 8, 16].iter().map(|&n| fixed_errors(n)).collect();
    for pair in errors.windows(2) {
        let order = |select: fn(&(f64, f64)) -> f64| (select(&pair[0]) / select(&pair[1])).log2();
        assert!(order(|e| e.0) > 7.6, "{errors:?}");
        assert!(order(|e| e.1) > 6.8, "{errors:?}");
    }
}

#[test]
fn dense_output_meets_the_steps_exactly_at_both_ends() {
    let mut stepper = adaptive(0.0, &[1.0, 0.0], 1e-8);
    let mut before = stepper.state().to_vec();
    let mut y = [0.0; 2];
    for _ in 0..20 {
        stepper.step(&mut oscillator(), 100.0).unwrap();
        stepper.interpolate(stepper.previous_time(), &mut y);
        assert_eq!(y[..], before);
        stepper.interpolate(stepper.time(), &mut y);
        assert_eq!(&y[..], stepper.state());
        before = stepper.state().to_vec();
    }
}

#[test]
fn an_oscillator_keeps_its_energy_and_phase_over_a_hundred_periods() {
    let mut stepper = adaptive(0.0, &[1.0, 0.0], 1e-13);
    let outcome = advance(&mut stepper, &mut oscillator(), &mut [], 100.0 * TAU, &mut |_| Ok(())).unwrap();
    assert_eq!((outcome, stepper.time()), (AdvanceOutcome::Reached, 100.0 * TAU));
    let y = stepper.state();
    assert!((y[0] * y[0] + y[1] * y[1] - 1.0).abs() < 2e-11, "{y:?}");
    assert!(distance(y, &[1.0, 0.0]) < 2e-11);
}

#[test]
fn a_comet_returns_after_ten_orbits_of_eccentricity_nine_tenths() {
    let start = pericentre(0.9);
    let mut stepper = adaptive(0.0, &start, 1e-13);
    advance(&mut stepper, &mut kepler(), &mut [], 10.0 * TAU, &mut |_| Ok(())).unwrap();
    let drift = kepler_energy(stepper.state()) / kepler_energy(&start) - 1.0;
    assert!(drift.abs() < 1e-11, "{drift:e}");
    // At the pericentre, where the speed is √19 and the acceleration 100, errors of phase show most.
    assert!(distance(stepper.state(), &start) < 1e-8);
}

#[test]
fn errors_follow_the_tolerance() {
    let mut errors = Vec::new();
    for tolerance in [1e-4, 1e-6, 1e-8, 1e-10, 1e-12] {
        let mut stepper = adaptive(0.0, &pericentre(0.5), tolerance);
        advance(&mut stepper, &mut kepler(), &mut [], TAU, &mut |_| Ok(())).unwrap();
        errors.push(distance(stepper.state(), &pericentre(0.5)) / tolerance);
    }
    assert!(errors.iter().all(|&ratio| ratio < 200.0), "{errors:?}");
}

#[test]
fn time_runs_backwards_as_well() {
    let mut stepper = adaptive(PI, &[-1.0, 0.0], 1e-12);
    advance(&mut stepper, &mut oscillator(), &mut [], 0.0, &mut |_| Ok(())).unwrap();
    assert_eq!(stepper.time(), 0.0);
    assert!(distance(stepper.state(), &[1.0, 0.0]) < 1e-11);
    // And turns round without a restart.
    advance(&mut stepper, &mut oscillator(), &mut [], PI, &mut |_| Ok(())).unwrap();
    assert!(distance(stepper.state(), &[-1.0, 0.0]) < 1e-11);
}

#[test]
fn runs_repeat_to_the_bit_and_clones_go_the_same_way() {
    let run = || {
        let mut stepper = adaptive(0.0, &pericentre(0.7), 1e-9);
        for _ in 0..30 {
            stepper.step(&mut kepler(), 50.0).unwrap();
        }
        stepper
    };
    let (mut a, b) = (run(), run());
    assert_eq!(a.state(), b.state());
    let mut c = a.clone();
    a.step(&mut kepler(), 50.0).unwrap();
    c.step(&mut kepler(), 50.0).unwrap();
    assert_eq!((a.time(), a.state(), a.statistics()), (c.time(), c.state(), c.statistics()));
}

#[test]
fn a_step_cut_short_does_not_shorten_the_next() {
    let mut stepper = adaptive(0.0, &[1.0, 0.0], 1e-8);
    for _ in 0..5 {
        stepper.step(&mut oscillator(), 100.0).unwrap();
    }
    let usual = stepper.time() - stepper.previous_time();
    let limit = stepper.time() + 1e-3 * usual;
    stepper.step(&mut oscillator(), limit).unwrap();
    assert_eq!(stepper.time(), limit);
    stepper.step(&mut oscillator(), 100.0).unwrap();
    assert!(stepper.time() - stepper.previous_time() > 0.8 * usual);
}

#[test]
fn restarts_keep_the_length_of_steps() {
    let mut stepper = adaptive(0.0, &[1.0, 0.0], 1e-8);
    for _ in 0..5 {
        stepper.step(&mut oscillator(), 100.0).unwrap();
    }
    let usual = stepper.time() - stepper.previous_time();
    stepper.restart(7.0, &[0.0, -1.0]).unwrap();
    assert_eq!((stepper.time(), stepper.previous_time()), (7.0, 7.0));
    let mut y = [0.0; 2];
    stepper.interpolate(7.0, &mut y);
    assert_eq!(y, [0.0, -1.0]);
    stepper.step(&mut oscillator(), 100.0).unwrap();
    assert!(stepper.time() - stepper.previous_time() > 0.8 * usual);
    let s = stepper.time() - 7.0;
    assert!(distance(stepper.state(), &[-s.sin(), -s.cos()]) < 1e-7);
}

#[test]
fn a_solution_that_ends_names_the_time_at_which_it_does() {
    // y = 1/(1 − t).
    let mut stepper = adaptive(0.0, &[1.0], 1e-9);
    let mut explosion = problem(1, |_, y, dy| dy[0] = y[0] * y[0]);
    let error = advance(&mut stepper, &mut explosion, &mut [], 2.0, &mut |_| Ok(())).unwrap_err();
    let (DynamicsError::StepTooSmall { time, .. } | DynamicsError::NotFinite { time, .. }) = error else {
        panic!("{error}")
    };
    assert!((time - 1.0).abs() < 1e-6, "{error}");
    assert_eq!(stepper.time(), time);
}

#[test]
fn a_rate_that_is_nan_beyond_its_domain_shortens_the_step_first() {
    // ẏ = −√y from 1 has y = (1 − t/2)²; the stages of a step that is too long have y < 0.
    let mut stepper = adaptive(0.0, &[1.0], 1e-6);
    let mut seen = 0;
    let mut root = problem(1, |_, y, dy| {
        dy[0] = -y[0].sqrt();
        seen += usize::from(dy[0].is_nan());
    });
    advance(&mut stepper, &mut root, &mut [], 1.99, &mut |_| Ok(())).unwrap();
    assert!((stepper.state()[0] - 0.005_f64.powi(2)).abs() < 1e-6);
    assert!(seen > 0);
    // Where it is NaN for good, the time is named.
    let mut wall = problem(1, |t, _, dy| dy[0] = if t > 1.0 { f64::NAN } else { 1.0 });
    let mut stepper = adaptive(0.0, &[0.0], 1e-6);
    let error = advance(&mut stepper, &mut wall, &mut [], 2.0, &mut |_| Ok(())).unwrap_err();
    let DynamicsError::NotFinite { time, what: "the rate" } = error else { panic!("{error}") };
    assert!((time - 1.0).abs() < 1e-12, "{error}");
}

#[test]
fn bad_starts_and_limits_are_refused_by_name() {
    let make = |t, y: &[f64]| {
        Dop853::new(t, y, Tolerance::new(1e-6, 1e-6).unwrap(), Settings::default()).unwrap_err()
    };
    assert_eq!(make(2.0, &[1.0, f64::NAN]), DynamicsError::NotFinite { time: 2.0, what: "the state" });
    assert!(make(f64::INFINITY, &[1.0]).to_string().starts_with("time = inf"));
    let mut stepper = adaptive(0.0, &[1.0, 0.0], 1e-6);
    assert!(stepper.step(&mut oscillator(), 0.0).unwrap_err().to_string().starts_with("time limit = 0"));
    assert!(
        stepper.step(&mut oscillator(), f64::NAN).unwrap_err().to_string().starts_with("time limit = NaN")
    );
    assert_eq!(
        stepper.restart(0.0, &[1.0]),
        Err(DynamicsError::Dimension { field: "state", found: 1, expected: 2 })
    );
    assert_eq!(
        stepper.step(&mut kepler(), 1.0),
        Err(DynamicsError::Dimension { field: "state", found: 2, expected: 4 })
    );
    let mut nowhere = problem(2, |_, _, dy| dy.fill(f64::NAN));
    assert_eq!(
        stepper.step(&mut nowhere, 1.0),
        Err(DynamicsError::NotFinite { time: 0.0, what: "the rate" })
    );
}

#[test]
fn the_number_of_steps_is_bounded() {
    let settings = Settings { max_steps: 10, ..Settings::default() };
    let mut stepper = Dop853::new(0.0, &[1.0, 0.0], Tolerance::new(1e-9, 1e-9).unwrap(), settings).unwrap();
    let error = advance(&mut stepper, &mut oscillator(), &mut [], 1e3, &mut |_| Ok(())).unwrap_err();
    assert_eq!(error, DynamicsError::TooManySteps { time: stepper.time(), steps: 10 });
}

#[test]
fn an_error_of_the_rate_passes_through_and_leaves_the_stepper_where_it_stood() {
    struct Broken;
    impl rattleback_dynamics::integrator::Equations for Broken {
        fn dimension(&self) -> usize {
            1
        }
        fn rate(&mut self, t: f64, _: &[f64], dy: &mut [f64]) -> Result<()> {
            dy[0] = 1.0;
            if t < 1.0 {
                return Ok(());
            }
            Err(DynamicsError::OutOfRange { field: "load".into(), value: t, allowed: "small" })
        }
    }
    let mut stepper = adaptive(0.0, &[0.0], 1e-6);
    let error = advance(&mut stepper, &mut Broken, &mut [], 2.0, &mut |_| Ok(())).unwrap_err();
    assert!(error.to_string().starts_with("load = "), "{error}");
    assert!(stepper.time() < 1.0 && (stepper.state()[0] - stepper.time()).abs() < 1e-12);
}
