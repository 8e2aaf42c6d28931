//! Signals on a uniform grid of times: filters, splines with derivatives, gaps, other rates.
//!
//! | what | file |
//! |---|---|
//! | low-pass filter without lag | `butterworth.rs` |
//! | interpolating splines of odd degree | `spline.rs` |
//! | gaps | `gap.rs` |
//! | the cut-off by residual analysis | `residual.rs` |

mod butterworth;
mod gap;
mod residual;
mod spline;

pub use butterworth::{low_pass, low_pass_points};
pub use gap::{Gap, fill_gaps};
pub use residual::{ResidualAnalysis, residual_analysis};
pub use spline::Spline;

use crate::Result;
use rattleback_geom::Vec3;

/// A signal of `rate_hz` from `start`, at other times: low-passed below 0.45 of the rate it goes to where that is
/// lower, then by a cubic spline. Times outside of the signal give its value at the end.
pub fn resample(
    values: &[f64],
    start: f64,
    rate_hz: f64,
    times: &[f64],
    to_rate_hz: f64,
) -> Result<Vec<f64>> {
    let smooth =
        if to_rate_hz < rate_hz { low_pass(values, rate_hz, 0.45 * to_rate_hz)? } else { values.to_vec() };
    let spline = Spline::uniform(start, rate_hz, &smooth, 3)?;
    Ok(times.iter().map(|t| spline.value(*t)).collect())
}

/// First or second derivative of points on a uniform grid, by quintic splines through them.
pub fn differentiate(points: &[Vec3], rate_hz: f64, order: usize) -> Result<Vec<Vec3>> {
    let mut out = vec![Vec3::zeros(); points.len()];
    for axis in 0..3 {
        let values: Vec<f64> = points.iter().map(|p| p[axis]).collect();
        let spline = Spline::uniform(0.0, rate_hz, &values, 5)?;
        for (i, point) in out.iter_mut().enumerate() {
            point[axis] = spline.derivative(i as f64 / rate_hz, order);
        }
    }
    Ok(out)
}
