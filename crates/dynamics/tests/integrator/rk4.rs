//! Order and steps of the classical Runge–Kutta method.

use super::problems::problem;
use rattleback_dynamics::integrator::{AdvanceOutcome, Direction, Event, Rk4, Stepper, advance};

/// ẏ = −2t y², y = 1/(1 + t²).
fn bell(t: f64, y: &[f64], dy: &mut [f64]) {
    dy[0] = -2.0 * t * y[0] * y[0];
}

/// Errors at the end and largest within steps, for `n` steps to t = 1.
fn errors(n: usize) -> [f64; 2] {
    let mut stepper = Rk4::new(0.0, &[1.0], 1.0 / n as f64, 1000).unwrap();
    let mut within: f64 = 0.0;
    advance(&mut stepper, &mut problem(1, bell), &mut [], 1.0, &mut |step| {
        for i in 0..=20 {
            let t = step.begin() + (step.end() - step.begin()) * f64::from(i) / 20.0;
            let mut y = [0.0];
            step.interpolate(t, &mut y);
            within = within.max((y[0] - 1.0 / (1.0 + t * t)).abs());
        }
        Ok(())
    })
    .unwrap();
    assert_eq!((stepper.statistics().steps, stepper.statistics().rejected), (n, 0));
    [(stepper.state()[0] - 0.5).abs(), within]
}

#[test]
fn end_points_and_what_is_between_them_converge_with_order_4() {
    let found: Vec<_> = [8, 16, 32].into_iter().map(errors).collect();
    for pair in found.windows(2) {
        for k in 0..2 {
            let order = (pair[0][k] / pair[1][k]).log2();
            assert!((3.7..4.6).contains(&order), "{k}: {order}, {found:?}");
        }
    }
}

#[test]
fn steps_are_all_alike_up_to_an_event_and_after_a_trial_that_was_no_number() {
    // A stone from 1 m: the event cuts the last step short, and all before are whole.
    let fall = |_: f64, y: &[f64], dy: &mut [f64]| (dy[0], dy[1]) = (y[1], -9.81);
    let mut stepper = Rk4::new(0.0, &[1.0, 0.0], 0.064, 100).unwrap();
    let mut events = [Event::new(Direction::Falling, |_t, y: &[f64]| Ok(y[0]))];
    let mut lengths = Vec::new();
    let outcome = advance(&mut stepper, &mut problem(2, fall), &mut events, 1.0, &mut |step| {
        lengths.push(step.end() - step.begin());
        Ok(())
    })
    .unwrap();
    let AdvanceOutcome::Event { time, .. } = outcome else { panic!("{outcome:?}") };
    assert!((time - (2.0_f64 / 9.81).sqrt()).abs() < 1e-12);
    let last = lengths.pop().unwrap();
    assert!(last < 0.064 && lengths.iter().all(|h| (h - 0.064).abs() < 1e-12), "{lengths:?}");
    // √y has no number below zero: the step towards it is halved, and the next is tried whole again.
    let root = |_: f64, y: &[f64], dy: &mut [f64]| dy[0] = -y[0].sqrt();
    let mut stepper = Rk4::new(0.0, &[1.0], 1.5, 100).unwrap();
    stepper.step(&mut problem(1, root), 10.0).unwrap();
    stepper.step(&mut problem(1, root), 10.0).unwrap();
    assert!(stepper.statistics().rejected > 0 && stepper.time() < 2.0 && stepper.state()[0] >= 0.0);
}
