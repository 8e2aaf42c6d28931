//! True times from a column of rounded ones.
//!
//! A camera's clock is uniform: t_k = t₀ + k/f. A column written with a few decimals, t_i, differs from it by its
//! rounding ρ, half a unit of the last decimal. An acceleration by differences of rounded times is off by about v ρ
//! f² (1 ms at 60 Hz, 1 m/s: 2 m/s²), so the grid is what is differentiated on.
//!
//! f is the header's rate where the column agrees with it, else that of the column, (n − 1)/(t_n − t₁), made whole
//! where it is whole within the rounding. k_i = round((t_i − t₀) f) gives each row its place: rows left out become
//! missing frames.

use super::Timing;
use crate::error::{GaitError, Result};

/// Rows may be off their place on the grid by this share of a frame: 600 Hz with times rounded to 1 ms are off by 0.3.
const JITTER: f64 = 0.4;
/// Over a whole column, a header's rate may drift by this share of a frame; 60 Hz told for 59.94 Hz do so within 200
/// frames.
const DRIFT: f64 = 0.2;
/// A grid may have this many times the frames of the column.
const STRETCH: usize = 4;

/// A uniform grid and the place of every row on it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Grid {
    pub rate_hz: f64,
    pub times: Vec<f64>,
    pub places: Vec<usize>,
    pub timing: Timing,
}

/// Finds the grid of a column of increasing times.
pub(super) fn find(what: &str, times: &[f64], header_hz: Option<f64>) -> Result<Grid> {
    let n = times.len();
    if n < 3 {
        return Err(GaitError::unsupported(what, format!("{n} rows, three or more are needed")));
    }
    let mut steps: Vec<f64> = times.windows(2).map(|t| t[1] - t[0]).collect();
    let mean = (times[n - 1] - times[0]) / (n - 1) as f64;
    steps.sort_by(f64::total_cmp);
    let median = steps[steps.len() / 2];
    // Rows left out make the mean step longer than the usual one.
    let is_whole = steps.iter().all(|s| (s / median - 1.0).abs() < 0.5);
    let step = if is_whole { mean } else { usual(&steps, median) };
    let column_hz = whole(1.0 / step, times);
    let agrees = |f: &f64| (step * f - 1.0).abs() * (n as f64) < DRIFT;
    let rate_hz = header_hz.filter(|f| *f > 0.0 && agrees(f)).unwrap_or(column_hz);
    let start = first_time(times[0], rate_hz);
    let mut places = Vec::with_capacity(n);
    let mut rounding_s: f64 = 0.0;
    for (i, t) in times.iter().enumerate() {
        let exact = (t - start) * rate_hz;
        let place = exact.round().max(0.0);
        if (exact - place).abs() > JITTER || places.last().is_some_and(|last| place as usize <= *last) {
            let reason = format!(
                "the time {t} s of row {} is {:.2} frames off the rate of {rate_hz} Hz: the times are not uniform",
                i + 1,
                exact - i as f64
            );
            return Err(GaitError::unsupported(what, reason));
        }
        rounding_s = rounding_s.max((exact - place).abs() / rate_hz);
        places.push(place as usize);
    }
    // A place beyond all integers is the greatest of them.
    let count = places[n - 1].saturating_add(1);
    if count > STRETCH.saturating_mul(n) {
        return Err(GaitError::unsupported(what, format!("{} of {count} frames are left out", count - n)));
    }
    let times = (0..count).map(|k| start + k as f64 / rate_hz).collect();
    Ok(Grid {
        rate_hz,
        times,
        places,
        timing: Timing { header_hz, column_hz, rounding_s, dropped: count - n },
    })
}

/// The mean of the steps that are about the median.
fn usual(steps: &[f64], median: f64) -> f64 {
    let near: Vec<f64> = steps.iter().copied().filter(|s| (s / median - 1.0).abs() < 0.5).collect();
    near.iter().sum::<f64>() / near.len() as f64
}

/// A rate made whole where the rounding of the first and the last time allows it.
fn whole(rate_hz: f64, times: &[f64]) -> f64 {
    let span = times[times.len() - 1] - times[0];
    let unit = times.iter().map(|t| decimal(*t)).fold(0.0, f64::max);
    let slack = rate_hz * (2.0 * unit / span + 1e-9);
    let near = rate_hz.round();
    if near > 0.0 && (near - rate_hz).abs() <= slack { near } else { rate_hz }
}

/// Half a unit of the last decimal of a number with at most six, else zero.
fn decimal(value: f64) -> f64 {
    let is_short = |k: i32| (value * 10f64.powi(k) - (value * 10f64.powi(k)).round()).abs() < 1e-6;
    (0..=6).find(|k| is_short(*k)).map_or(0.0, |k| 0.5 * 10f64.powi(-k.max(3)))
}

/// The first time, moved onto whole frames where it is one of them rounded.
fn first_time(time: f64, rate_hz: f64) -> f64 {
    let near = (time * rate_hz).round() / rate_hz;
    if (near - time).abs() <= decimal(time) + 1e-9 { near } else { time }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(count: usize, rate: f64, unit: f64) -> Vec<f64> {
        (0..count).map(|i| (i as f64 / rate / unit).round() * unit).collect()
    }

    #[test]
    fn times_rounded_to_a_millisecond_give_the_grid_of_the_header() {
        let grid = find("t", &rounded(151, 60.0, 1e-3), Some(60.0)).unwrap();
        assert_eq!(grid.rate_hz, 60.0);
        assert!((grid.times[100] - 100.0 / 60.0).abs() < 1e-15);
        assert!(grid.timing.rounding_s > 3e-4 && grid.timing.rounding_s < 5.01e-4);
    }

    #[test]
    fn a_header_that_contradicts_the_column_is_not_followed() {
        let grid = find("t", &rounded(151, 120.0, 1e-6), Some(60.0)).unwrap();
        assert_eq!((grid.rate_hz, grid.timing.header_hz), (120.0, Some(60.0)));
        let grid = find("t", &rounded(1501, 600.0, 1e-4), None).unwrap();
        assert_eq!(grid.rate_hz, 600.0);
    }

    #[test]
    fn a_rate_of_television_told_as_sixty_is_that_of_the_column() {
        let times: Vec<f64> = (0..1000).map(|i| f64::from(i) * 1.001 / 60.0).collect();
        let grid = find("t", &times, Some(60.0)).unwrap();
        assert!((grid.rate_hz - 60.0 / 1.001).abs() < 1e-9 && grid.times.len() == 1000, "{}", grid.rate_hz);
    }

    #[test]
    fn rows_left_out_are_missing_frames_and_uneven_times_are_refused() {
        let mut times = rounded(100, 100.0, 1e-3);
        times.drain(40..43);
        let grid = find("t", &times, Some(100.0)).unwrap();
        assert_eq!((grid.times.len(), grid.places[40], grid.timing.dropped), (100, 43, 3));
        let uneven: Vec<f64> = (0..50).map(|i| 0.01 * f64::from(i).powf(1.3)).collect();
        assert!(matches!(find("t", &uneven, Some(100.0)), Err(GaitError::Unsupported { .. })));
    }
}
