use super::*;

const TIMES: [f64; 6] = [-1.0, 0.0, 0.5, 2.0, 2.25, 4.0];
const VALUES: [[f64; 2]; 6] = [[0.0, 3.0], [1.0, 2.0], [1.0, -1.0], [4.0, 0.5], [9.0, 0.5], [9.5, 1.0]];

fn slope<const N: usize>(h: f64, f: impl Fn(f64) -> SVector<f64, N>) -> SVector<f64, N> {
    let delta = |k: f64| f(k * h) - f(-k * h);
    (delta(1.0) * 45.0 - delta(2.0) * 9.0 + delta(3.0)) / (60.0 * h)
}

#[test]
fn values_are_met_and_rates_and_integrals_agree_with_differences() {
    for interpolation in [
        Interpolation::Linear,
        Interpolation::Monotone(Ends::AtRest),
        Interpolation::Monotone(Ends::Natural),
        Interpolation::Monotone(Ends::Periodic),
        Interpolation::Spline(Ends::AtRest),
        Interpolation::Spline(Ends::Natural),
    ] {
        for beyond in [Beyond::Hold, Beyond::Zero, Beyond::Continue, Beyond::Repeat, Beyond::Refuse] {
            let track = Track::new(&TIMES, &VALUES, interpolation, beyond).unwrap();
            // A track that repeats has its first value at its last time.
            let last = if beyond == Beyond::Repeat { 5 } else { 6 };
            for (time, value) in TIMES[..last].iter().zip(&VALUES) {
                assert!((track.at(*time).value - SVector::from(*value)).norm() < 1e-14);
            }
            for time in [-3.1, -0.7, 0.2, 1.1, 2.1, 3.3, 3.9, 5.2] {
                let found = track.at(time);
                // Cubics and quartics: sixth order is exact but for rounding, 1e-16/1e-3.
                let rate = slope(1e-3, |s| track.at(time + s).value);
                let value = slope(1e-3, |s| track.at(time + s).integral);
                let second = slope(1e-3, |s| track.at(time + s).rate);
                assert!((found.rate - rate).norm() < 1e-10 && (found.value - value).norm() < 1e-10);
                assert!((found.second - second).norm() < 1e-9);
            }
            let outside = track.at(7.0).value;
            let expected = match beyond {
                Beyond::Hold => SVector::from([9.5, 1.0]),
                Beyond::Zero => SVector::zeros(),
                Beyond::Continue | Beyond::Refuse => {
                    let end = track.at(4.0);
                    end.value + end.rate * 3.0
                }
                Beyond::Repeat => track.at(2.0).value,
            };
            assert!((outside - expected).norm() < 1e-13, "{interpolation:?} {beyond:?}: {outside}");
            let before = track.at(-1.5);
            if beyond == Beyond::Repeat {
                assert!((before.value - track.at(3.5).value).norm() < 1e-13);
            } else if beyond == Beyond::Continue {
                let first = track.at(-1.0);
                assert!((before.value - (first.value - first.rate * 0.5)).norm() < 1e-13);
            }
        }
    }
}

#[test]
fn monotone_cubics_have_continuous_slopes_and_never_overshoot() {
    let track = Track::new(&TIMES, &VALUES, Interpolation::Monotone(Ends::Natural), Beyond::Hold).unwrap();
    for (i, pair) in TIMES.windows(2).enumerate() {
        for j in 0..=100 {
            let value = track.at(pair[0] + (pair[1] - pair[0]) * f64::from(j) / 100.0).value;
            for k in 0..2 {
                let (low, high) = (VALUES[i][k].min(VALUES[i + 1][k]), VALUES[i][k].max(VALUES[i + 1][k]));
                assert!(value[k] >= low - 1e-13 && value[k] <= high + 1e-13, "{i} {j} {k}");
            }
        }
        if i > 0 {
            let jump = track.at(pair[0] + 1e-9).rate - track.at(pair[0] - 1e-9).rate;
            assert!(jump.norm() < 1e-6, "{i}: {jump}");
        }
    }
}

#[test]
fn splines_have_continuous_curvature_and_the_ends_asked_for() {
    for ends in [Ends::AtRest, Ends::Natural] {
        let track = Track::new(&TIMES, &VALUES, Interpolation::Spline(ends), Beyond::Hold).unwrap();
        for time in &TIMES[1..5] {
            let (before, after) = (track.at(time - 1e-9), track.at(time + 1e-9));
            assert!((before.rate - after.rate).norm() < 1e-6);
            assert!((before.second - after.second).norm() < 1e-5);
        }
        for end in [track.at(-1.0), track.at(4.0 - 1e-12)] {
            let zero = if ends == Ends::AtRest { end.rate } else { end.second };
            assert!(zero.norm() < 1e-9, "{ends:?} {zero}");
        }
    }
    // A cubic with zero slope at both ends is its own spline.
    let cubic = |t: f64| [t * t * (7.5 - t)];
    let values = [0.0, 1.0, 1.5, 4.0, 5.0].map(cubic);
    let track =
        Track::new(&[0.0, 1.0, 1.5, 4.0, 5.0], &values, Interpolation::Spline(Ends::AtRest), Beyond::Hold);
    assert!((track.unwrap().at(3.0).value[0] - cubic(3.0)[0]).abs() < 1e-13);
}

#[test]
fn monotone_cubics_reproduce_a_line() {
    let values = TIMES.map(|t| [2.0 - 3.0 * t]);
    let track = Track::new(&TIMES, &values, Interpolation::Monotone(Ends::Natural), Beyond::Hold).unwrap();
    for time in [-0.9, 0.3, 1.7, 2.2, 3.1] {
        assert!((track.at(time).value[0] - (2.0 - 3.0 * time)).abs() < 1e-14);
    }
}

#[test]
fn tracks_that_cannot_be_are_refused_by_name() {
    let make = |times: &[f64], values: &[[f64; 1]]| {
        Track::new(times, values, Interpolation::Linear, Beyond::Zero).unwrap_err().to_string()
    };
    for (message, said) in [
        (make(&[0.0], &[[1.0]]), "times: 1 of them"),
        (make(&[0.0, 1.0, 1.0], &[[1.0]; 3]), "times: times[2] = 1 does not come after 1"),
        (make(&[0.0, f64::NAN], &[[1.0]; 2]), "times[1] = NaN"),
        (make(&[0.0, 1.0], &[[1.0]; 3]), "values: 3 of them for 2 times"),
        (make(&[0.0, 1.0], &[[1.0], [f64::INFINITY]]), "values[1][0] = inf"),
    ] {
        assert!(message.starts_with(said), "{message}");
    }
}
