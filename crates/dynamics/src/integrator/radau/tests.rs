//! Measured orders.

use rattleback_geom::nalgebra::DMatrix;

use super::*;

/// ẏ = ωv, v̇ = −ωy from (1, 0): y = cos ωt.
struct Oscillator;

const FREQUENCY: f64 = 12.0;

impl Equations for Oscillator {
    fn dimension(&self) -> usize {
        2
    }
    fn rate(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        (dy[0], dy[1]) = (FREQUENCY * y[1], -FREQUENCY * y[0]);
        Ok(())
    }
    fn jacobian(&mut self, _t: f64, _y: &[f64], out: &mut DMatrix<f64>) -> Result<()> {
        (out[(0, 1)], out[(1, 0)]) = (FREQUENCY, -FREQUENCY);
        Ok(())
    }
}

/// Errors at t = 1 and largest within steps, of `n` steps of the method at a place in [`METHODS`], whose error control
/// never speaks but whose Newton iteration goes down to rounding.
fn errors(level: usize, n: usize) -> (f64, f64) {
    let h = 1.0 / n as f64;
    let settings = Settings { first_step: Some(h), longest_step: h, ..Settings::default() };
    let mut stepper = Radau::new(0.0, &[1.0, 0.0], Tolerance::new(0.5, 1e3).unwrap(), settings).unwrap();
    stepper.set_level(level);
    stepper.highest = level;
    stepper.collocation.target = 1e-13 / (stepper.widening * 1e3);
    let (mut y, mut within) = ([0.0; 2], 0.0_f64);
    while stepper.time() < 1.0 {
        stepper.step(&mut Oscillator, 1.0).unwrap();
        for i in 0..20 {
            let t = stepper.previous_time() + h * f64::from(i) / 20.0;
            stepper.interpolate(t, &mut y);
            within = within.max((y[0] - (FREQUENCY * t).cos()).abs());
        }
    }
    assert_eq!((stepper.statistics().steps, stepper.statistics().rejected), (n, 0));
    let end = [FREQUENCY.cos(), -FREQUENCY.sin()];
    ((stepper.state()[0] - end[0]).hypot(stepper.state()[1] - end[1]), within)
}

#[test]
fn end_points_converge_with_order_2s_minus_1_and_the_interpolant_with_order_s_at_least() {
    for (level, counts) in [(0, [24, 32, 48, 64]), (1, [8, 12, 16, 24])] {
        let s = METHODS[level].stages() as f64;
        let found: Vec<_> = counts.iter().map(|&n| errors(level, n)).collect();
        for (pair, n) in found.windows(2).zip(counts.windows(2)) {
            let refined = (n[1] as f64 / n[0] as f64).ln();
            let order = |before: f64, after: f64| (before / after).ln() / refined;
            assert!(order(pair[0].0, pair[1].0) > 2.0 * s - 1.2, "{s}: {found:?}");
            assert!(order(pair[0].1, pair[1].1) > s - 0.3, "{s}: {found:?}");
        }
    }
}

/// A step is left through a time limit and taken up again: the stepper stands on the limit and the errors stay those of
/// the tolerance.
#[test]
fn limits_and_restarts_keep_the_accuracy() {
    let tolerance = Tolerance::new(1e-9, 1e-9).unwrap();
    let mut stepper = Radau::new(0.0, &[1.0, 0.0], tolerance, Settings::default()).unwrap();
    for k in 1..=10 {
        let limit = 0.1 * f64::from(k);
        while stepper.time() < limit {
            stepper.step(&mut Oscillator, limit).unwrap();
        }
        let (t, state) = (stepper.time(), stepper.state().to_vec());
        assert_eq!(t, limit);
        assert!((state[0] - (FREQUENCY * t).cos()).abs() < 1e-7, "{t}: {state:?}");
        stepper.restart(t, &state).unwrap();
        assert!(stepper.proposal().is_some_and(|step| step > 1e-3));
    }
}

/// A step that is made again to a time within it ends where steps that were cut there do, and the stepper that it was
/// cloned from stands where it stood. The rate at the end of a step is that of the equations.
#[test]
fn a_step_made_again_is_as_accurate_as_one_that_ends_there() {
    let mut stepper =
        Radau::new(0.0, &[1.0, 0.0], Tolerance::new(1e-9, 1e-9).unwrap(), Settings::default()).unwrap();
    let (mut worst, mut interpolated) = (0.0_f64, 0.0_f64);
    while stepper.time() < 1.0 {
        stepper.step(&mut Oscillator, 1.0).unwrap();
        let (begin, end, state) = (stepper.previous_time(), stepper.time(), stepper.state().to_vec());
        let rate = [FREQUENCY * state[1], -FREQUENCY * state[0]];
        let found = &stepper.progress.rate;
        assert!((found[0] - rate[0]).hypot(found[1] - rate[1]) < 1e-5 * FREQUENCY, "{found:?} {rate:?}");
        let mut begun = [0.0; 2];
        stepper.interpolate(begin, &mut begun);
        for share in [0.05, 0.4, 0.8, 0.99] {
            let time = begin + share * (end - begin);
            let (mut again, mut y) = (stepper.boxed(), [0.0; 2]);
            assert!(again.step_again(&mut Oscillator, time).unwrap());
            assert_eq!((again.time(), again.previous_time()), (time, begin));
            stepper.interpolate(time, &mut y);
            let (sin, cos) = (FREQUENCY * (time - begin)).sin_cos();
            let exact = begun[0] * cos + begun[1] * sin;
            worst = worst.max((again.state()[0] - exact).abs());
            interpolated = interpolated.max((y[0] - exact).abs());
        }
        assert_eq!((stepper.time(), stepper.state()), (end, &state[..]));
    }
    assert!(worst < 1e-8 && worst < 0.1 * interpolated, "{worst:e} {interpolated:e}");
    // At a start there is no step to make again.
    let mut fresh =
        Radau::new(0.0, &[1.0, 0.0], Tolerance::new(1e-9, 1e-9).unwrap(), Settings::default()).unwrap();
    assert!(!fresh.step_again(&mut Oscillator, 0.1).unwrap());
}
