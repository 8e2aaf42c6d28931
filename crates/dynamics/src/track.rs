//! A track: values given at times, with something between them and something beyond.
//!
//! Between the times tᵢ and tᵢ₊₁ every component is a cubic in s = t − tᵢ, kept by its coefficients, so that value, rate
//! and integral come from one place and agree to rounding:
//!
//!   y = c₀ + c₁ s + c₂ s² + c₃ s³,   ẏ = c₁ + 2c₂ s + 3c₃ s²,   ∫y = c₀ s + c₁ s²/2 + c₂ s³/3 + c₃ s⁴/4
//!
//! A cubic through (0, y₀) and (h, y₁) with slopes m₀ and m₁ has, with d = (y₁ − y₀)/h,
//!
//!   c₀ = y₀,   c₁ = m₀,   c₂ = (3d − 2m₀ − m₁)/h,   c₃ = (m₀ + m₁ − 2d)/h²
//!
//! | interpolation | slopes | continuity |
//! |---|---|---|
//! | `Linear` | – (c₁ = d, c₂ = c₃ = 0) | C⁰ |
//! | `Monotone` | weighted harmonic means of neighbouring d, zero at extrema | C¹; never beyond the values at both sides |
//!
//! Sources: Fritsch, Butland, A method for constructing local monotone piecewise cubic interpolants, SIAM J. Sci. Stat.
//! Comput. 5 (1984) 300, eqs. for G₁ with the weights of Brodlie; the end slopes are the three-point formula, limited as in
//! Moler, Numerical Computing with MATLAB, section 3.6.

use crate::error::{DynamicsError, Result, finite};
use rattleback_geom::nalgebra::SVector;

/// What lies between two times of a track.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpolation {
    /// Straight lines.
    Linear,
    /// Cubics with continuous slopes that do not overshoot.
    Monotone,
}

/// What lies before the first time of a track and after the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beyond {
    /// The first and the last value.
    Hold,
    /// Nothing: zero. The values at both ends belong to the track, so that it may jump there.
    Zero,
}

/// N numbers over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Track<const N: usize> {
    times: Vec<f64>,
    /// c₀ to c₃ of each interval.
    cubics: Vec<[SVector<f64, N>; 4]>,
    /// The integral from the first time to each.
    sums: Vec<SVector<f64, N>>,
    last: SVector<f64, N>,
    beyond: Beyond,
}

/// Value, rate and integral of a track at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading<const N: usize> {
    /// The value.
    pub value: SVector<f64, N>,
    /// Its rate: at a kink, that to the right.
    pub rate: SVector<f64, N>,
    /// The integral from the first time of the track.
    pub integral: SVector<f64, N>,
}

impl<const N: usize> Track<N> {
    /// From at least two times, each after the one before it, and a value for each.
    pub fn new(
        times: &[f64],
        values: &[[f64; N]],
        interpolation: Interpolation,
        beyond: Beyond,
    ) -> Result<Self> {
        check_times(times)?;
        if values.len() != times.len() {
            return Err(DynamicsError::Invalid {
                what: "values".to_owned(),
                reason: format!("{} of them for {} times", values.len(), times.len()),
            });
        }
        for (i, value) in values.iter().enumerate() {
            for (k, number) in value.iter().enumerate() {
                finite(&format!("values[{i}][{k}]"), *number)?;
            }
        }
        let values: Vec<SVector<f64, N>> = values.iter().map(|v| SVector::from(*v)).collect();
        let steps: Vec<f64> = times.windows(2).map(|t| t[1] - t[0]).collect();
        let secants: Vec<_> = values.windows(2).zip(&steps).map(|(v, h)| (v[1] - v[0]) / *h).collect();
        let cubics: Vec<[SVector<f64, N>; 4]> = match interpolation {
            Interpolation::Linear => {
                let none = SVector::zeros();
                secants.iter().zip(&values).map(|(d, y)| [*y, *d, none, none]).collect()
            }
            Interpolation::Monotone => {
                let slopes = monotone(&steps, &secants);
                let cubic = |i: usize| {
                    let (h, d, m0, m1) = (steps[i], secants[i], slopes[i], slopes[i + 1]);
                    [values[i], m0, (d * 3.0 - m0 * 2.0 - m1) / h, (m0 + m1 - d * 2.0) / (h * h)]
                };
                (0..steps.len()).map(cubic).collect()
            }
        };
        let mut sums = vec![SVector::zeros()];
        for (cubic, h) in cubics.iter().zip(&steps) {
            let sum = sums[sums.len() - 1] + integral(cubic, *h);
            sums.push(sum);
        }
        Ok(Self { times: times.to_vec(), cubics, sums, last: values[values.len() - 1], beyond })
    }

    /// Value, rate and integral at `time`.
    pub fn at(&self, time: f64) -> Reading<N> {
        let (first, end) = (self.times[0], self.times[self.times.len() - 1]);
        if time >= first && time < end {
            let i = self.times.partition_point(|t| *t <= time) - 1;
            let [c0, c1, c2, c3] = &self.cubics[i];
            let s = time - self.times[i];
            return Reading {
                value: c0 + (c1 + (c2 + c3 * s) * s) * s,
                rate: c1 + (c2 * 2.0 + c3 * (3.0 * s)) * s,
                integral: self.sums[i] + integral(&self.cubics[i], s),
            };
        }
        let (edge, value, sum) = if time < first {
            (first, self.cubics[0][0], SVector::zeros())
        } else {
            (end, self.last, self.sums[self.sums.len() - 1])
        };
        let held = self.beyond == Beyond::Hold || time == end;
        let value = if held { value } else { SVector::zeros() };
        Reading { value, rate: SVector::zeros(), integral: sum + value * (time - edge) }
    }
}

/// Two times or more, each finite and after the one before it.
pub(crate) fn check_times(times: &[f64]) -> Result<()> {
    let refuse = |reason: String| Err(DynamicsError::Invalid { what: "times".to_owned(), reason });
    if times.len() < 2 {
        return refuse(format!("{} of them, at least 2 are needed", times.len()));
    }
    for (i, time) in times.iter().enumerate() {
        finite(&format!("times[{i}]"), *time)?;
    }
    match times.windows(2).position(|t| t[1] <= t[0]) {
        Some(i) => refuse(format!("times[{}] = {} does not come after {}", i + 1, times[i + 1], times[i])),
        None => Ok(()),
    }
}

fn integral<const N: usize>([c0, c1, c2, c3]: &[SVector<f64, N>; 4], s: f64) -> SVector<f64, N> {
    (c0 + (c1 / 2.0 + (c2 / 3.0 + c3 * (s / 4.0)) * s) * s) * s
}

/// The slopes at all times.
fn monotone<const N: usize>(steps: &[f64], secants: &[SVector<f64, N>]) -> Vec<SVector<f64, N>> {
    let n = steps.len();
    let mut slopes = vec![secants[0]; n + 1];
    if n == 1 {
        return slopes;
    }
    for k in 0..N {
        for i in 1..n {
            let (before, after) = (secants[i - 1][k], secants[i][k]);
            slopes[i][k] = if before * after > 0.0 {
                let (w0, w1) = (2.0 * steps[i] + steps[i - 1], steps[i] + 2.0 * steps[i - 1]);
                (w0 + w1) / (w0 / before + w1 / after)
            } else {
                0.0
            };
        }
        slopes[0][k] = end_slope([steps[0], steps[1]], [secants[0][k], secants[1][k]]);
        slopes[n][k] = end_slope([steps[n - 1], steps[n - 2]], [secants[n - 1][k], secants[n - 2][k]]);
    }
    slopes
}

/// The slope at an end of the parabola through the three values nearest to it, limited so that nothing overshoots.
fn end_slope(h: [f64; 2], d: [f64; 2]) -> f64 {
    let slope = ((2.0 * h[0] + h[1]) * d[0] - h[0] * d[1]) / (h[0] + h[1]);
    if slope * d[0] <= 0.0 {
        0.0
    } else if d[0] * d[1] <= 0.0 && slope.abs() > 3.0 * d[0].abs() {
        3.0 * d[0]
    } else {
        slope
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: [f64; 6] = [-1.0, 0.0, 0.5, 2.0, 2.25, 4.0];
    const VALUES: [[f64; 2]; 6] = [[0.0, 3.0], [1.0, 2.0], [1.0, -1.0], [4.0, 0.5], [9.0, 0.5], [9.5, 1.0]];

    fn slope<const N: usize>(h: f64, f: impl Fn(f64) -> SVector<f64, N>) -> SVector<f64, N> {
        let delta = |k: f64| f(k * h) - f(-k * h);
        (delta(1.0) * 45.0 - delta(2.0) * 9.0 + delta(3.0)) / (60.0 * h)
    }

    #[test]
    fn values_are_met_and_rates_and_integrals_agree_with_differences() {
        for interpolation in [Interpolation::Linear, Interpolation::Monotone] {
            for beyond in [Beyond::Hold, Beyond::Zero] {
                let track = Track::new(&TIMES, &VALUES, interpolation, beyond).unwrap();
                for (time, value) in TIMES.iter().zip(&VALUES) {
                    assert!((track.at(*time).value - SVector::from(*value)).norm() < 1e-14);
                }
                for time in [-3.0, -0.7, 0.2, 1.1, 2.1, 3.3, 3.9, 5.0] {
                    let found = track.at(time);
                    // Cubics and quartics: sixth order is exact but for rounding, 1e-16/1e-3.
                    let rate = slope(1e-3, |s| track.at(time + s).value);
                    let value = slope(1e-3, |s| track.at(time + s).integral);
                    assert!((found.rate - rate).norm() < 1e-10 && (found.value - value).norm() < 1e-10);
                }
                let outside = track.at(7.0).value;
                let expected = if beyond == Beyond::Hold { [9.5, 1.0] } else { [0.0; 2] };
                assert_eq!(outside, SVector::from(expected));
            }
        }
    }

    #[test]
    fn monotone_cubics_have_continuous_slopes_and_never_overshoot() {
        let track = Track::new(&TIMES, &VALUES, Interpolation::Monotone, Beyond::Hold).unwrap();
        for (i, pair) in TIMES.windows(2).enumerate() {
            for j in 0..=100 {
                let value = track.at(pair[0] + (pair[1] - pair[0]) * f64::from(j) / 100.0).value;
                for k in 0..2 {
                    let (low, high) =
                        (VALUES[i][k].min(VALUES[i + 1][k]), VALUES[i][k].max(VALUES[i + 1][k]));
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
    fn monotone_cubics_reproduce_a_line() {
        let values = TIMES.map(|t| [2.0 - 3.0 * t]);
        let track = Track::new(&TIMES, &values, Interpolation::Monotone, Beyond::Hold).unwrap();
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
}
