//! The cut-off frequency by residual analysis (Winter, Biomechanics and Motor Control of Human Movement, 4th ed.,
//! chapter 3).
//!
//! R(f) = rms of (signal − signal low-passed at f). Where only noise is left, R falls along a straight line towards
//! half the rate; its value at f = 0 is the noise's rms, and the cut-off is where R(f) equals it: what the filter
//! then takes from the signal is as much as the noise that it lets through. The line is fitted to the upper 40 % of
//! frequencies. A signal that was filtered or interpolated before has no noise there: the cut-off is then the highest
//! frequency tried.

use super::low_pass;
use crate::Result;

/// The outcome of a residual analysis.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct ResidualAnalysis {
    /// The cut-off, in Hz.
    pub cutoff_hz: f64,
    /// The noise's root mean square, in the signal's unit.
    pub noise: f64,
}

/// How many frequencies are tried up to half the rate.
const FREQUENCIES: usize = 58;

/// Analyses a signal.
pub fn residual_analysis(values: &[f64], rate_hz: f64) -> Result<ResidualAnalysis> {
    let step = 0.5 * rate_hz / (FREQUENCIES + 2) as f64;
    let mut curve = Vec::with_capacity(FREQUENCIES);
    for k in 1..=FREQUENCIES {
        let f = step * k as f64;
        let smooth = low_pass(values, rate_hz, f)?;
        let sum: f64 = values.iter().zip(&smooth).map(|(v, s)| (v - s) * (v - s)).sum();
        curve.push((f, (sum / values.len().max(1) as f64).sqrt()));
    }
    let upper = &curve[(6 * FREQUENCIES) / 10..];
    let n = upper.len() as f64;
    let mean = upper.iter().fold((0.0, 0.0), |m, (f, r)| (m.0 + f / n, m.1 + r / n));
    let slope = upper.iter().map(|(f, r)| (f - mean.0) * (r - mean.1)).sum::<f64>()
        / upper.iter().map(|(f, _)| (f - mean.0) * (f - mean.0)).sum::<f64>();
    let noise = (mean.1 - slope * mean.0).max(0.0);
    let mut cutoff_hz = curve[FREQUENCIES - 1].0;
    for pair in curve.windows(2) {
        let [(f, above), (g, below)] = [pair[0], pair[1]];
        if above > noise && below <= noise {
            cutoff_hz = f + (g - f) * (above - noise) / (above - below);
            break;
        }
    }
    Ok(ResidualAnalysis { cutoff_hz, noise })
}
