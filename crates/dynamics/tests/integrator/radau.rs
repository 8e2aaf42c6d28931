//! Accuracy and failures of the implicit method, on stiff problems with published solutions.

use std::cell::Cell;
use std::f64::consts::TAU;

use super::problems::{Problem, distance, kepler, oscillator, pericentre, problem};
use rattleback_dynamics::geom::nalgebra::DMatrix;
use rattleback_dynamics::integrator::Radau;
use rattleback_dynamics::integrator::{
    AdvanceOutcome, Direction, Dop853, Equations, Event, Settings, Step, Stepper, Tolerance, advance,
};
use rattleback_dynamics::{DynamicsError, Result};

fn unseen(_: &Step<'_>) -> Result<()> {
    Ok(())
}

fn adaptive(y: &[f64], relative: f64, absolute: f64) -> Radau {
    Radau::new(0.0, y, Tolerance::new(relative, absolute).unwrap(), Settings::default()).unwrap()
}

/// Integrates from 0 to `t_end`, and returns the stepper.
fn run(equations: &mut dyn Equations, y: &[f64], t_end: f64, relative: f64, absolute: f64) -> Radau {
    let mut stepper = adaptive(y, relative, absolute);
    assert_eq!(
        advance(&mut stepper, equations, &mut [], t_end, &mut unseen).unwrap(),
        AdvanceOutcome::Reached
    );
    stepper
}

/// The largest error relative to each component.
fn relative_error(found: &[f64], exact: &[f64]) -> f64 {
    found.iter().zip(exact).map(|(found, exact)| (found / exact - 1.0).abs()).fold(0.0, f64::max)
}

/// Van der Pol, ε ÿ = (1 − y²) ẏ − y with ε = 1e-6, with its own Jacobian.
struct VanDerPol;

impl Equations for VanDerPol {
    fn dimension(&self) -> usize {
        2
    }
    fn rate(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        (dy[0], dy[1]) = (y[1], ((1.0 - y[0] * y[0]) * y[1] - y[0]) * 1e6);
        Ok(())
    }
    fn jacobian(&mut self, _t: f64, y: &[f64], out: &mut DMatrix<f64>) -> Result<()> {
        (out[(0, 0)], out[(0, 1)]) = (0.0, 1.0);
        (out[(1, 0)], out[(1, 1)]) = ((-2.0 * y[0] * y[1] - 1.0) * 1e6, (1.0 - y[0] * y[0]) * 1e6);
        Ok(())
    }
}

type Rate = fn(f64, &[f64], &mut [f64]);

/// Robertson's chemical reaction.
fn robertson() -> Problem<Rate> {
    problem(3, |_, y, dy| {
        let (first, second, third) = (0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] * y[1]);
        (dy[0], dy[1], dy[2]) = (second - first, first - second - third, third);
    })
}

/// High irradiance response of a plant's morphogenesis.
fn hires() -> Problem<Rate> {
    problem(8, |_, y, dy| {
        let bound = 280.0 * y[5] * y[7];
        dy[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
        dy[1] = 1.71 * y[0] - 8.75 * y[1];
        dy[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
        dy[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
        dy[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
        dy[5] = -bound + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
        dy[6] = bound - 1.81 * y[6];
        dy[7] = -dy[6];
    })
}

/// The solutions printed in Hairer, Wanner's collection of stiff test problems (VDPOL at t = 1 and 2).
#[test]
fn van_der_pol_follows_the_published_solution_through_its_jumps() {
    let exact = [
        (1.0, [-1.863_646_254_808_13, 0.753_543_086_543_546]),
        (2.0, [1.706_167_732_170_483, -0.892_809_701_024_797_5]),
    ];
    for tolerance in [1e-4, 1e-7, 1e-10] {
        let mut stepper = adaptive(&[2.0, 0.0], tolerance, tolerance);
        for (t, y) in exact {
            advance(&mut stepper, &mut VanDerPol, &mut [], t, &mut unseen).unwrap();
            let error = distance(stepper.state(), &y);
            assert!(error < 20.0 * tolerance, "{tolerance:e}: {error:e}");
        }
        let spent = stepper.statistics();
        assert!(spent.jacobians <= spent.steps + spent.rejected);
    }
}

/// ROBER of the same collection at t = 1e11, and at t = 40.
#[test]
fn robertson_reaches_its_equilibrium_over_eleven_decades() {
    for (t, y) in [
        (40.0, [0.715_827_068_719_4, 9.185_534_764_557_7e-6, 0.284_163_745_745_83]),
        (1e11, [2.083_340_149_701_255e-8, 8.333_360_770_334_713e-14, 0.999_999_979_166_505]),
    ] {
        let stepper = run(&mut robertson(), &[1.0, 0.0, 0.0], t, 1e-9, 1e-20);
        let error = relative_error(stepper.state(), &y);
        assert!(error < 1e-7, "{t}: {error:e}");
        // Σ ẏ = 0, and the method keeps linear invariants.
        assert!((stepper.state().iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}

/// HIRES of the Test Set for Initial Value Problem Solvers (Mazzia, Magherini), at t = 321.8122.
#[test]
fn hires_ends_on_the_published_solution() {
    let exact = [
        0.737_131_257_332_566_8e-3,
        0.144_248_572_631_618_5e-3,
        0.588_872_974_096_757_5e-4,
        0.117_565_134_328_314_9e-2,
        0.238_635_619_883_133_1e-2,
        0.623_896_825_274_279_6e-2,
        0.284_999_839_518_576_9e-2,
        0.285_000_160_481_423_1e-2,
    ];
    let start = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057];
    for (tolerance, allowed) in [(1e-6, 1e-3), (1e-9, 1e-6), (1e-12, 1e-9)] {
        let stepper = run(&mut hires(), &start, 321.8122, tolerance, 1e-4 * tolerance);
        let error = relative_error(stepper.state(), &exact);
        assert!(error < allowed, "{tolerance:e}: {error:e}");
    }
}

#[test]
fn both_methods_agree_where_nothing_is_stiff() {
    let start = pericentre(0.5);
    let stiff = run(&mut kepler(), &start, TAU, 1e-11, 1e-11);
    assert!(distance(stiff.state(), &start) < 1e-8, "{:e}", distance(stiff.state(), &start));
    let tolerance = Tolerance::new(1e-12, 1e-12).unwrap();
    let mut other = Dop853::new(0.0, &start, tolerance, Settings::default()).unwrap();
    advance(&mut other, &mut kepler(), &mut [], 2.0, &mut unseen).unwrap();
    let stiff = run(&mut kepler(), &start, 2.0, 1e-11, 1e-11);
    assert!(distance(stiff.state(), other.state()) < 1e-9);
}

#[test]
fn errors_follow_the_tolerance_on_an_oscillator() {
    for tolerance in [1e-3, 1e-5, 1e-7, 1e-9, 1e-11] {
        let stepper = run(&mut oscillator(), &[1.0, 0.0], TAU, tolerance, tolerance);
        let error = distance(stepper.state(), &[1.0, 0.0]);
        assert!(error < 100.0 * tolerance, "{tolerance:e}: {error:e}");
    }
}

#[test]
fn a_fast_transient_does_not_rule_the_step() {
    // ẏ = −1e8 (y − cos t) − sin t, off the slow solution at first.
    let mut relaxation = problem(1, |t: f64, y, dy| dy[0] = -1e8 * (y[0] - t.cos()) - t.sin());
    let stepper = run(&mut relaxation, &[2.0], 10.0, 1e-6, 1e-6);
    assert!((stepper.state()[0] - 10.0_f64.cos()).abs() < 1e-6);
    assert!(stepper.statistics().steps < 200, "{:?}", stepper.statistics());
}

#[test]
fn linear_equations_need_few_jacobians_and_factorisations() {
    let stepper = run(&mut oscillator(), &[1.0, 0.0], 10.0 * TAU, 1e-7, 1e-7);
    let spent = stepper.statistics();
    assert!(spent.jacobians < spent.steps / 10, "{spent:?}");
    assert!(spent.factorisations < spent.steps, "{spent:?}");
}

#[test]
fn dense_output_meets_the_steps_exactly_at_both_ends_and_time_runs_backwards() {
    let tolerance = Tolerance::new(1e-8, 1e-8).unwrap();
    let mut stepper = Radau::new(TAU, &[1.0, 0.0], tolerance, Settings::default()).unwrap();
    let mut before = stepper.state().to_vec();
    let mut y = [0.0; 2];
    while stepper.time() != 0.0 {
        stepper.step(&mut oscillator(), 0.0).unwrap();
        stepper.interpolate(stepper.previous_time(), &mut y);
        assert_eq!(y[..], before);
        stepper.interpolate(stepper.time(), &mut y);
        assert_eq!(&y[..], stepper.state());
        before = stepper.state().to_vec();
    }
    assert!(distance(&before, &[1.0, 0.0]) < 1e-6);
}

/// A mass on a stiff, strongly damped stop: ẍ = −g outside, and −g − k x − c ẋ while x < 0. The time of touch is that
/// of free fall, and the end is the rest position −g/k.
#[test]
fn a_stiff_stop_is_met_at_the_time_of_free_fall() {
    const GRAVITY: f64 = 9.81;
    let touching = Cell::new(false);
    let mut equations = problem(2, |_, y, dy| {
        let force = if touching.get() { -1e8 * y[0] - 1e6 * y[1] } else { 0.0 };
        (dy[0], dy[1]) = (y[1], force - GRAVITY);
    });
    let mut stepper = adaptive(&[1.0, 0.0], 1e-10, 1e-14);
    let mut events = [
        Event::new(Direction::Falling, |_, y: &[f64]| Ok(y[0])),
        Event::new(Direction::Rising, |_, y: &[f64]| Ok(y[0])),
    ];
    let outcome = advance(&mut stepper, &mut equations, &mut events, 10.0, &mut unseen).unwrap();
    let AdvanceOutcome::Event { index: 0, time } = outcome else { panic!("{outcome:?}") };
    let exact = (2.0 / GRAVITY).sqrt();
    assert!((time - exact).abs() < 1e-12 * exact, "{time} {exact}");
    touching.set(true);
    let state = stepper.state().to_vec();
    stepper.restart(time, &state).unwrap();
    let outcome = advance(&mut stepper, &mut equations, &mut events, 10.0, &mut unseen).unwrap();
    assert_eq!(outcome, AdvanceOutcome::Reached, "an overdamped mass does not come back");
    assert!((stepper.state()[0] + GRAVITY * 1e-8).abs() < 1e-12);
    assert!(stepper.statistics().steps < 1000, "{:?}", stepper.statistics());
}

/// The jump of Van der Pol's y₁ through zero, between the steps of two tolerances.
#[test]
fn events_of_a_stiff_problem_follow_the_tolerance() {
    let time = |tolerance| {
        let mut stepper = adaptive(&[2.0, 0.0], tolerance, tolerance);
        let mut events = [Event::new(Direction::Falling, |_, y: &[f64]| Ok(y[0]))];
        match advance(&mut stepper, &mut VanDerPol, &mut events, 2.0, &mut unseen).unwrap() {
            AdvanceOutcome::Event { time, .. } => time,
            outcome => panic!("{outcome:?}"),
        }
    };
    assert!((time(1e-6) - time(1e-12)).abs() < 1e-5);
    assert!((time(1e-9) - time(1e-12)).abs() < 1e-8);
}

#[test]
fn failures_name_the_time_and_the_reason() {
    let mut explosion = problem(1, |_, y, dy| dy[0] = y[0] * y[0]);
    let mut stepper = adaptive(&[1.0], 1e-9, 1e-9);
    let error = advance(&mut stepper, &mut explosion, &mut [], 2.0, &mut unseen).unwrap_err();
    let (DynamicsError::StepTooSmall { time, .. } | DynamicsError::NotFinite { time, .. }) = error else {
        panic!("{error}")
    };
    assert!((time - 1.0).abs() < 1e-6, "{error}");
    let mut wall = problem(1, |t, _, dy| dy[0] = if t > 1.0 { f64::NAN } else { 1.0 });
    let mut stepper = adaptive(&[0.0], 1e-6, 1e-6);
    let error = advance(&mut stepper, &mut wall, &mut [], 2.0, &mut unseen).unwrap_err();
    let DynamicsError::NotFinite { time, what: "the rate" } = error else { panic!("{error}") };
    assert!((time - 1.0).abs() < 1e-12, "{error}");
    let mut steep = problem(1, |_, y, dy| dy[0] = if y[0] == 0.0 { 1.0 } else { f64::INFINITY });
    let error = adaptive(&[0.0], 1e-6, 1e-6).step(&mut steep, 1.0).unwrap_err();
    assert_eq!(error, DynamicsError::NotFinite { time: 0.0, what: "the Jacobian" });
}

#[test]
fn runs_repeat_to_the_bit() {
    let once = || run(&mut hires(), &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057], 50.0, 1e-7, 1e-11);
    assert_eq!(once().state(), once().state());
    assert_eq!(once().statistics(), once().statistics());
}
