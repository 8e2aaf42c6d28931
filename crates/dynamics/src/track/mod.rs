//! A track: values given at times, with something between them and something beyond.
//!
//! Between the times tᵢ and tᵢ₊₁ every component is a cubic in s = t − tᵢ, kept by its coefficients, so that value,
//! rate and integral come from one place and agree to rounding:
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
//! | `Monotone` | weighted harmonic means of neighbouring d, zero at extrema; the ends as [`Ends`] says | C¹; never beyond the values at both sides |
//! | `Spline` | such that ÿ is continuous; zero at both ends (`AtRest`), or ÿ zero there (`Natural`) | C² |
//!
//! The slopes are found in `slopes.rs`.

mod slopes;

use crate::error::{DynamicsError, Result, finite};
use rattleback_geom::nalgebra::SVector;
use slopes::{monotone, smooth};

/// What lies between two times of a track.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpolation {
    /// Straight lines.
    Linear,
    /// Cubics with continuous slopes that do not overshoot.
    Monotone(Ends),
    /// Cubics with continuous slopes and curvatures, which may overshoot.
    Spline(Ends),
}

/// How cubics begin and end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// With a rate of zero.
    AtRest,
    /// As the values nearest to the end go: splines with a second derivative of zero, monotone cubics with the slope of
    /// the parabola through three.
    Natural,
    /// Monotone cubics: with the slope that fits when the track follows itself. Splines: as `AtRest`.
    Periodic,
}

/// What lies before the first time of a track and after the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beyond {
    /// The first and the last value.
    Hold,
    /// Nothing: zero. The values at both ends belong to the track, so that it may jump there.
    Zero,
    /// Straight on, with the rate at the end.
    Continue,
    /// The track again and again; it jumps where its last value is not the first.
    Repeat,
    /// Nothing that may be asked for: whoever runs longer has to refuse it, [`Track::is_within`]. Read as `Continue`.
    Refuse,
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
    /// The second derivative: at a kink, that to the right.
    pub second: SVector<f64, N>,
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
            Interpolation::Monotone(ends) => {
                hermite(&values, &steps, &secants, &monotone(&steps, &secants, ends))
            }
            Interpolation::Spline(ends) => {
                hermite(&values, &steps, &secants, &smooth(&steps, &secants, ends))
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
                second: c2 * 2.0 + c3 * (6.0 * s),
                integral: self.sums[i] + integral(&self.cubics[i], s),
            };
        }
        if self.beyond == Beyond::Repeat {
            let period = end - first;
            let turns = ((time - first) / period).floor();
            // Rounding may leave a whole period.
            let within = time - first - turns * period;
            let within = if within < period { within.max(0.0) } else { 0.0 };
            let mut reading = self.at((first + within).min(end.next_down()));
            reading.integral += self.sums[self.sums.len() - 1] * turns;
            return reading;
        }
        let none = SVector::zeros();
        let (edge, value, rate, sum) = if time < first {
            (first, self.cubics[0][0], self.cubics[0][1], none)
        } else {
            let ([_, c1, c2, c3], last) = (&self.cubics[self.cubics.len() - 1], self.times.len() - 1);
            let s = end - self.times[last - 1];
            (end, self.last, c1 + (c2 * 2.0 + c3 * (3.0 * s)) * s, self.sums[last])
        };
        let past = time - edge;
        let (value, rate) = match self.beyond {
            // What refuses more is asked for its last instant all the same.
            Beyond::Continue | Beyond::Refuse => (value, rate),
            Beyond::Zero if time != end => (none, none),
            _ => (value, none),
        };
        let integral = sum + (value + rate * (0.5 * past)) * past;
        Reading { value: value + rate * past, rate, second: none, integral }
    }

    /// Whether a track that refuses what lies beyond its times has this one.
    pub fn is_within(&self, time: f64) -> bool {
        self.beyond != Beyond::Refuse || (self.times[0]..=self.times[self.times.len() - 1]).contains(&time)
    }

    /// The times.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The coefficients c₀ to c₃ of each interval, and its length.
    pub(crate) fn cubics(&self) -> impl Iterator<Item = (&[SVector<f64, N>; 4], f64)> {
        self.cubics.iter().zip(self.times.windows(2).map(|t| t[1] - t[0]))
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

/// The cubics through all values with the given slopes.
fn hermite<const N: usize>(
    values: &[SVector<f64, N>],
    steps: &[f64],
    secants: &[SVector<f64, N>],
    slopes: &[SVector<f64, N>],
) -> Vec<[SVector<f64, N>; 4]> {
    let cubic = |i: usize| {
        let (h, d, m0, m1) = (steps[i], secants[i], slopes[i], slopes[i + 1]);
        [values[i], m0, (d * 3.0 - m0 * 2.0 - m1) / h, (m0 + m1 - d * 2.0) / (h * h)]
    };
    (0..steps.len()).map(cubic).collect()
}

#[cfg(test)]
mod tests;
