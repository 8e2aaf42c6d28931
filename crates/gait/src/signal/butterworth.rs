//! A Butterworth low-pass of second order, run forwards and backwards: fourth order in all, no lag.
//!
//! |H(f)|² of one pass is 1/(1 + (tan(πf/f_s)/tan(πf_c'/f_s))⁴). Two passes have half the power at f_c when
//! tan(πf_c'/f_s) = tan(πf_c/f_s)/(√2 − 1)^¼ (Winter, Biomechanics and Motor Control of Human Movement, 4th ed.,
//! chapter 3). With K = tan(πf_c'/f_s): b₀ = K²/(1 + √2K + K²), b₁ = 2b₀, b₂ = b₀,
//! a₁ = 2(K² − 1)/(1 + √2K + K²), a₂ = (1 − √2K + K²)/(1 + √2K + K²).
//!
//! The straight line from the first to the last value is taken off before and put back after: a filter without lag
//! leaves lines as they are, and a walk over the ground is then filtered as one on a treadmill. Both ends are
//! continued by odd reflection, so that value and slope go on; each pass begins in the steady state of its first
//! value.

use crate::error::{GaitError, Result};
use rattleback_geom::Vec3;

/// How many periods of the cut-off the reflected ends last: the impulse response has died to 1e-4 by then.
const PADDING: f64 = 2.0;

/// A signal low-passed at `cutoff_hz` (half power), without lag.
///
/// The cut-off must be above zero and below half the rate; all values finite.
pub fn low_pass(values: &[f64], rate_hz: f64, cutoff_hz: f64) -> Result<Vec<f64>> {
    if !(rate_hz > 0.0 && rate_hz.is_finite()) {
        return Err(GaitError::out_of_range("rate_hz", rate_hz, "above zero"));
    }
    if !(cutoff_hz > 0.0 && cutoff_hz < 0.5 * rate_hz) {
        let allowed = format!("above zero and below half the rate, {} Hz", 0.5 * rate_hz);
        return Err(GaitError::out_of_range("cutoff_hz", cutoff_hz, allowed));
    }
    if let Some(bad) = values.iter().find(|v| !v.is_finite()) {
        return Err(GaitError::out_of_range("values", *bad, "finite: fill gaps before filtering"));
    }
    if values.len() < 2 {
        return Ok(values.to_vec());
    }
    let filter = Filter::new(rate_hz, cutoff_hz);
    let count = ((PADDING * rate_hz / cutoff_hz).ceil() as usize).clamp(1, values.len() - 1);
    let end = values.len() - 1;
    let line = |i: usize| values[0] + (values[end] - values[0]) * (i as f64 / end as f64);
    let bent = |i: usize| values[i] - line(i);
    let mut padded: Vec<f64> = (1..=count).rev().map(|k| -bent(k)).collect();
    padded.extend((0..=end).map(bent));
    padded.extend((1..=count).map(|k| -bent(end - k)));
    filter.run(&mut padded);
    padded.reverse();
    filter.run(&mut padded);
    padded.reverse();
    Ok((0..=end).map(|i| padded[count + i] + line(i)).collect())
}

/// Points low-passed, each coordinate alike.
pub fn low_pass_points(points: &[Vec3], rate_hz: f64, cutoff_hz: f64) -> Result<Vec<Vec3>> {
    let mut out = vec![Vec3::zeros(); points.len()];
    for axis in 0..3 {
        let values: Vec<f64> = points.iter().map(|p| p[axis]).collect();
        for (point, value) in out.iter_mut().zip(low_pass(&values, rate_hz, cutoff_hz)?) {
            point[axis] = value;
        }
    }
    Ok(out)
}

struct Filter {
    b: [f64; 3],
    a: [f64; 2],
}

impl Filter {
    fn new(rate_hz: f64, cutoff_hz: f64) -> Self {
        let two_passes = (2f64.sqrt() - 1.0).powf(0.25);
        let k = (std::f64::consts::PI * cutoff_hz / rate_hz).tan() / two_passes;
        let (root, square) = (2f64.sqrt() * k, k * k);
        let scale = 1.0 / (1.0 + root + square);
        let b = square * scale;
        Self { b: [b, 2.0 * b, b], a: [2.0 * (square - 1.0) * scale, (1.0 - root + square) * scale] }
    }

    /// One pass in place, by the transposed direct form II, from the steady state of the first value.
    fn run(&self, values: &mut [f64]) {
        let [b0, b1, b2] = self.b;
        let [a1, a2] = self.a;
        let first = values[0];
        let mut s2 = (b2 - a2) * first;
        let mut s1 = (b1 - a1) * first + s2;
        for value in values {
            let x = *value;
            let y = b0 * x + s1;
            s1 = b1 * x - a1 * y + s2;
            s2 = b2 * x - a2 * y;
            *value = y;
        }
    }
}
