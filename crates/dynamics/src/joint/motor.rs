//! Motors: a relative coordinate as a given function of time.
//!
//!   Φ = φ − f(t),   Φ_t = −ḟ,   Φ_tt = −f̈
//!
//! | law | f(t) |
//! |---|---|
//! | rate | f₀ + ω t |
//! | harmonic | f₀ + A sin(ω t + β) |
//! | table | the natural cubic spline through (t_k, f_k), straight on beyond its ends |

use crate::error::{DynamicsError, Result};

/// f(t), in rad or m.
#[derive(Debug, Clone, PartialEq)]
pub enum MotionLaw {
    /// f₀ + ω t.
    Rate {
        /// f₀.
        start: f64,
        /// ω, per second.
        rate: f64,
    },
    /// f₀ + A sin(ω t + β).
    Harmonic {
        /// f₀.
        mean: f64,
        /// A.
        amplitude: f64,
        /// ω in rad/s.
        frequency: f64,
        /// β in rad.
        phase: f64,
    },
    /// A smooth curve through given values.
    Table(Table),
}

/// The natural cubic spline through given values: f″ is continuous and vanishes at the ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    times: Vec<f64>,
    values: Vec<f64>,
    bends: Vec<f64>,
}

impl Table {
    /// From times that increase and as many values, two at least.
    pub fn new(times: &[f64], values: &[f64]) -> Result<Self> {
        let n = times.len();
        if values.len() != n || n < 2 {
            return Err(DynamicsError::Dimension {
                field: "values of a table",
                found: values.len(),
                expected: n.max(2),
            });
        }
        let finite = times.iter().chain(values).all(|x| x.is_finite());
        if !finite || times.windows(2).any(|t| t[1] <= t[0]) {
            return Err(DynamicsError::Invalid {
                what: "a table".to_owned(),
                reason: "its entries must be finite and its times must increase".to_owned(),
            });
        }
        Ok(Self { times: times.to_vec(), values: values.to_vec(), bends: bends(times, values) })
    }

    /// f, ḟ, f̈.
    fn at(&self, time: f64) -> [f64; 3] {
        let (t, f, m) = (&self.times, &self.values, &self.bends);
        let last = t.len() - 1;
        let inside = time.clamp(t[0], t[last]);
        let k = t.partition_point(|&x| x <= inside).clamp(1, last) - 1;
        let h = t[k + 1] - t[k];
        let (a, b) = ((t[k + 1] - inside) / h, (inside - t[k]) / h);
        let value =
            a * f[k] + b * f[k + 1] + (a * (a * a - 1.0) * m[k] + b * (b * b - 1.0) * m[k + 1]) * h * h / 6.0;
        let slope =
            (f[k + 1] - f[k]) / h + ((3.0 * b * b - 1.0) * m[k + 1] - (3.0 * a * a - 1.0) * m[k]) * h / 6.0;
        [value + slope * (time - inside), slope, a * m[k] + b * m[k + 1]]
    }
}

/// f″ at the knots: tridiagonal equations, solved by elimination.
fn bends(t: &[f64], f: &[f64]) -> Vec<f64> {
    let n = t.len();
    let mut m = vec![0.0; n];
    let mut upper = vec![0.0; n];
    for k in 1..n - 1 {
        let (h0, h1) = (t[k] - t[k - 1], t[k + 1] - t[k]);
        let right = 6.0 * ((f[k + 1] - f[k]) / h1 - (f[k] - f[k - 1]) / h0);
        let pivot = 2.0 * (h0 + h1) - h0 * upper[k - 1];
        upper[k] = h1 / pivot;
        m[k] = (right - h0 * m[k - 1]) / pivot;
    }
    for k in (1..n - 1).rev() {
        m[k] -= upper[k] * m[k + 1];
    }
    m
}

impl MotionLaw {
    /// f, ḟ, f̈.
    pub fn at(&self, time: f64) -> [f64; 3] {
        match self {
            Self::Rate { start, rate } => [start + rate * time, *rate, 0.0],
            Self::Harmonic { mean, amplitude, frequency, phase } => {
                let (s, c) = libm::sincos(frequency * time + phase);
                let w = frequency;
                [mean + amplitude * s, amplitude * w * c, -amplitude * w * w * s]
            }
            Self::Table(table) => table.at(time),
        }
    }

    /// Whether its numbers are finite.
    pub(crate) fn check(&self, what: &str) -> Result<()> {
        let fields: &[(&str, f64)] = match self {
            Self::Rate { start, rate } => &[("start", *start), ("rate", *rate)],
            Self::Harmonic { mean, amplitude, frequency, phase } => {
                &[("mean", *mean), ("amplitude", *amplitude), ("frequency", *frequency), ("phase", *phase)]
            }
            Self::Table(_) => &[],
        };
        for &(field, value) in fields {
            if !value.is_finite() {
                let field = format!("{field} of {what}");
                return Err(DynamicsError::OutOfRange { field, value, allowed: "finite" });
            }
        }
        Ok(())
    }
}

/// φ − f(t) = 0.
#[derive(Debug, Clone)]
pub(crate) struct Driven {
    column: [usize; 1],
    law: MotionLaw,
}

impl Driven {
    pub(crate) fn new(column: usize, law: MotionLaw) -> Self {
        Self { column: [column], law }
    }

    pub(super) fn columns(&self) -> &[usize] {
        &self.column
    }

    pub(super) fn value(&self, time: f64, q: &[f64]) -> f64 {
        q[self.column[0]] - self.law.at(time)[0]
    }

    pub(super) fn gradient(&self, out: &mut [f64]) {
        out[0] = 1.0;
    }

    pub(super) fn rate(&self, time: f64) -> f64 {
        -self.law.at(time)[1]
    }

    pub(super) fn second_rate(&self, time: f64) -> f64 {
        -self.law.at(time)[2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_of_every_law_agree_with_differences() {
        let table = Table::new(&[0.0, 0.4, 1.0, 1.5], &[0.0, 1.0, -0.5, 2.0]).unwrap();
        for law in [
            MotionLaw::Rate { start: 0.3, rate: -2.0 },
            MotionLaw::Harmonic { mean: 0.1, amplitude: 0.7, frequency: 3.0, phase: 0.2 },
            MotionLaw::Table(table),
        ] {
            for t in [-0.3, 0.1, 0.7, 1.2, 1.8] {
                let h = 1e-5;
                let [before, here, after] = [t - h, t, t + h].map(|t| law.at(t));
                // Central differences of order h².
                for d in 0..2 {
                    let difference = (after[d] - before[d]) / (2.0 * h);
                    assert!((difference - here[d + 1]).abs() < 1e-7, "{law:?} at {t}");
                }
            }
        }
    }

    #[test]
    fn a_table_passes_through_its_values() {
        let (t, f) = ([0.0, 0.4, 1.0, 1.5], [0.0, 1.0, -0.5, 2.0]);
        let table = Table::new(&t, &f).unwrap();
        for k in 0..4 {
            assert!((table.at(t[k])[0] - f[k]).abs() < 1e-15);
        }
        assert!(Table::new(&[0.0, 0.0], &[1.0, 2.0]).is_err());
    }
}
