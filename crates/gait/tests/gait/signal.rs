use rattleback_gait::signal::{Spline, differentiate, fill_gaps, low_pass, resample, residual_analysis};
use rattleback_geom::Vec3;
use rattleback_random::{stream, unit};
use std::f64::consts::TAU;

fn wave(count: usize, rate: f64, frequency: f64) -> Vec<f64> {
    (0..count).map(|i| (TAU * frequency * i as f64 / rate).sin()).collect()
}

#[test]
fn a_filter_halves_the_power_at_its_cutoff_and_has_no_lag() {
    let signal = wave(2000, 100.0, 6.0);
    let smooth = low_pass(&signal, 100.0, 6.0).unwrap();
    let inner = 500..1500;
    let dot = |a: &[f64], b: &[f64]| inner.clone().map(|i| a[i] * b[i]).sum::<f64>();
    let gain = dot(&smooth, &signal) / dot(&signal, &signal);
    assert!((gain - 0.5f64.sqrt()).abs() < 1e-3, "{gain}");
    let cosine: Vec<f64> = (0..2000).map(|i| (TAU * 6.0 * i as f64 / 100.0).cos()).collect();
    assert!(dot(&smooth, &cosine).abs() / dot(&signal, &signal) < 1e-6);
}

#[test]
fn a_filter_keeps_straight_lines_to_their_ends_and_refuses_what_it_cannot_filter() {
    let line: Vec<f64> = (0..200).map(|i| 3.0 - 0.7 * f64::from(i)).collect();
    let smooth = low_pass(&line, 60.0, 6.0).unwrap();
    for (a, b) in line.iter().zip(&smooth) {
        assert!((a - b).abs() < 1e-12, "{a} {b}");
    }
    assert!(low_pass(&line, 60.0, 30.0).is_err() && low_pass(&line, 60.0, f64::NAN).is_err());
    assert!(low_pass(&[1.0, f64::NAN, 2.0], 60.0, 6.0).is_err());
    assert_eq!(low_pass(&[], 60.0, 6.0).unwrap(), Vec::<f64>::new());
}

#[test]
fn splines_reproduce_polynomials_of_their_degree_with_all_derivatives() {
    let times = [0.0, 0.3, 0.5, 1.1, 1.3, 1.9, 2.2, 2.6, 3.0];
    for degree in [1, 3, 5] {
        let y = |t: f64| (t - 1.0).powi(degree);
        let values: Vec<f64> = times.iter().map(|t| y(*t)).collect();
        let spline = Spline::through(&times, &values, degree as usize).unwrap();
        for t in [0.0_f64, 0.1, 0.5, 1.7, 2.9, 3.0] {
            let mut factor = 1.0;
            for k in 0..=degree {
                let exact = factor * (t - 1.0).powi(degree - k);
                let found = spline.derivative(t, k as usize);
                assert!(
                    (found - exact).abs() < 1e-8 * (1.0 + exact.abs()),
                    "{degree} {t} {k}: {found} {exact}"
                );
                factor *= f64::from(degree - k);
            }
        }
    }
}

#[test]
fn accelerations_of_a_sine_converge_with_the_fourth_power_of_the_step() {
    let error = |rate: f64| {
        let points: Vec<Vec3> =
            (0..rate as usize).map(|i| Vec3::repeat((TAU * i as f64 / rate).sin())).collect();
        let second = differentiate(&points, rate, 2).unwrap();
        let exact = |i: usize| -TAU * TAU * (TAU * i as f64 / rate).sin();
        (0..points.len()).map(|i| (second[i].y - exact(i)).abs()).fold(0.0, f64::max)
    };
    let order = (error(50.0) / error(100.0)).log2();
    assert!(order > 3.7, "{order}");
}

#[test]
fn few_samples_lower_the_degree_and_bad_ones_are_refused() {
    assert_eq!(Spline::uniform(0.0, 1.0, &[1.0, 3.0], 5).unwrap().value(0.5), 2.0);
    assert!(Spline::uniform(0.0, 1.0, &[1.0], 3).is_err());
    assert!(Spline::through(&[0.0, 0.0], &[1.0, 2.0], 1).is_err());
    assert!(Spline::uniform(0.0, 1.0, &[1.0, f64::NAN, 2.0], 3).is_err());
}

#[test]
fn gaps_up_to_the_bound_are_filled_and_ends_are_left() {
    let curve = |i: usize| Vec3::new(i as f64, (0.1 * i as f64).sin(), 1.0);
    let mut points: Vec<Option<Vec3>> = (0..60).map(|i| Some(curve(i))).collect();
    for i in [0, 20, 21, 22, 40, 41, 42, 43, 44, 59] {
        points[i] = None;
    }
    let (filled, gaps) = fill_gaps(&points, 4).unwrap();
    let told: Vec<(usize, usize, bool)> = gaps.iter().map(|g| (g.first, g.last, g.filled)).collect();
    assert_eq!(told, [(0, 0, false), (20, 22, true), (40, 44, false), (59, 59, false)]);
    for i in 20..23 {
        assert!((filled[i].unwrap() - curve(i)).norm() < 1e-4);
    }
    assert!(filled[0].is_none() && filled[42].is_none());
}

#[test]
fn residual_analysis_finds_the_noise_and_a_cutoff_above_the_signal() {
    let mut random = stream(7, 0);
    let noise = 0.01;
    let values: Vec<f64> = wave(600, 60.0, 1.5)
        .into_iter()
        .map(|v| v + noise * (unit(&mut random) - 0.5) * 12f64.sqrt())
        .collect();
    let found = residual_analysis(&values, 60.0).unwrap();
    assert!((found.noise / noise - 1.0).abs() < 0.15, "{found:?}");
    assert!(found.cutoff_hz > 2.0 && found.cutoff_hz < 8.0, "{found:?}");
}

#[test]
fn a_signal_at_a_lower_rate_keeps_its_slow_part_and_loses_its_fast_one() {
    let fast: Vec<f64> =
        wave(1200, 600.0, 2.0).iter().zip(wave(1200, 600.0, 150.0)).map(|(a, b)| a + b).collect();
    let times: Vec<f64> = (0..120).map(|i| f64::from(i) / 60.0).collect();
    let slow = resample(&fast, 0.0, 600.0, &times, 60.0).unwrap();
    for (t, v) in times.iter().zip(slow).skip(10).take(100) {
        assert!((v - (TAU * 2.0 * t).sin()).abs() < 5e-3, "{t} {v}");
    }
}
