//! The spectrum of a seaway: how the variance of the waves' elevation is spread over angular frequencies ω.
//!
//!   S(ω) = A ω⁻⁵ exp(−5/4 (ω_p/ω)⁴) γ^b,   b = exp(−(ω − ω_p)²/(2 σ² ω_p²)),   σ = 0.07 up to ω_p and 0.09 above
//!
//! JONSWAP (Hasselmann et al. 1973; DNV-RP-C205, section 3.5.5); γ = 1 is Pierson and Moskowitz's. A follows from the
//! significant height H_s = 4 √m₀, m_n = ∫ ωⁿ S dω. Departure: A is not the usual approximation in γ but makes m₀
//! exact.
//!
//! Every spectrum is kept as straight lines between points, so that moments over any band are exact; the formula is
//! sampled between 0.3 and 6 ω_p, beyond which there is a thousandth of the variance.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | S | `density` | m² s/rad |
//! | ω, ω_p = 2π/T_p | `frequency`, `peak_period` T_p | rad/s, s |
//! | γ | `peakedness` | – |

use crate::error::{DynamicsError, Result, demand, not_negative, positive};
use std::f64::consts::TAU;

/// Samples of the formula: chords of its curve are within 1e-5 of its peak.
const SAMPLES: usize = 4000;

/// The variance density of waves over angular frequency.
#[derive(Debug, Clone, PartialEq)]
pub struct Spectrum {
    frequencies: Vec<f64>,
    densities: Vec<f64>,
    /// ∫S and ∫ωS from the first frequency on to each.
    sums: Vec<[f64; 2]>,
}

impl Spectrum {
    /// JONSWAP by significant height in m, period of the peak in s, and γ from 1 to 10, usually 3.3.
    pub fn jonswap(height: f64, peak_period: f64, peakedness: f64) -> Result<Self> {
        positive("height", height)?;
        positive("peak_period", peak_period)?;
        demand((1.0..=10.0).contains(&peakedness), "peakedness", peakedness, "from 1 to 10")?;
        let peak = TAU / peak_period;
        let frequencies: Vec<f64> =
            (0..=SAMPLES).map(|i| peak * (0.3 + 5.7 * i as f64 / SAMPLES as f64)).collect();
        let shape = |x: f64| {
            let width = if x <= 1.0 { 0.07 } else { 0.09 };
            let near = (-0.5 * ((x - 1.0) / width).powi(2)).exp();
            x.powi(-5) * (-1.25 * x.powi(-4)).exp() * peakedness.powf(near)
        };
        let densities: Vec<f64> = frequencies.iter().map(|w| shape(w / peak)).collect();
        let raw = Self::new(frequencies, densities);
        let factor = (0.25 * height).powi(2) / raw.moment(0);
        let densities = raw.densities.iter().map(|s| s * factor).collect();
        Ok(Self::new(raw.frequencies, densities))
    }

    /// Pierson and Moskowitz's by significant height in m and period of the peak in s.
    pub fn pierson_moskowitz(height: f64, peak_period: f64) -> Result<Self> {
        Self::jonswap(height, peak_period, 1.0)
    }

    /// Straight lines through densities in m² s/rad at angular frequencies in rad/s; nothing below the first and above
    /// the last.
    pub fn table(frequencies: &[f64], densities: &[f64]) -> Result<Self> {
        let invalid = |reason: String| DynamicsError::Invalid { what: "spectrum".to_owned(), reason };
        if frequencies.len() < 2 || frequencies.len() != densities.len() {
            let (f, d) = (frequencies.len(), densities.len());
            return Err(invalid(format!(
                "{f} frequencies and {d} densities: two at least, and as many, are needed"
            )));
        }
        for (i, (frequency, density)) in frequencies.iter().zip(densities).enumerate() {
            positive(&format!("frequencies[{i}]"), *frequency)?;
            not_negative(&format!("densities[{i}]"), *density)?;
        }
        if let Some(i) = frequencies.windows(2).position(|pair| pair[1] <= pair[0]) {
            return Err(invalid(format!("frequencies[{}] is not above the one before it", i + 1)));
        }
        let spectrum = Self::new(frequencies.to_vec(), densities.to_vec());
        positive("the sum of the densities", spectrum.moment(0))?;
        Ok(spectrum)
    }

    fn new(frequencies: Vec<f64>, densities: Vec<f64>) -> Self {
        let mut sums = vec![[0.0; 2]];
        let mut last = [0.0; 2];
        for i in 1..frequencies.len() {
            let [zeroth, first] = part(frequencies[i - 1], densities[i - 1], frequencies[i], densities[i]);
            last = [last[0] + zeroth, last[1] + first];
            sums.push(last);
        }
        Self { frequencies, densities, sums }
    }

    /// S at an angular frequency in rad/s.
    pub fn density(&self, frequency: f64) -> f64 {
        let i = self.frequencies.partition_point(|w| *w <= frequency);
        if i == 0 || (i == self.frequencies.len() && frequency > self.frequencies[i - 1]) {
            return 0.0;
        }
        let i = i.min(self.frequencies.len() - 1);
        let (low, high) = (self.frequencies[i - 1], self.frequencies[i]);
        let f = (frequency - low) / (high - low);
        self.densities[i - 1] + f * (self.densities[i] - self.densities[i - 1])
    }

    /// m₀ in m² or m₁ in m² rad/s.
    pub fn moment(&self, order: usize) -> f64 {
        self.sums[self.sums.len() - 1][order.min(1)]
    }

    /// 4 √m₀ in m.
    pub fn significant_height(&self) -> f64 {
        4.0 * self.moment(0).sqrt()
    }

    /// Cuts the spectrum into bands of equal variance; the mean frequency of each, ∫ωS/∫S.
    pub(super) fn bands(&self, count: usize) -> Vec<f64> {
        let share = self.moment(0) / count as f64;
        let mut below = 0.0;
        (1..=count)
            .map(|k| {
                let upto = if k == count { self.moment(1) } else { self.first_below(share * k as f64) };
                let mean = (upto - below) / share;
                below = upto;
                mean
            })
            .collect()
    }

    /// ∫ωS up to the frequency below which there is the given variance.
    fn first_below(&self, variance: f64) -> f64 {
        let i = self.sums.partition_point(|sum| sum[0] <= variance).clamp(1, self.sums.len() - 1);
        let (low, high) = (self.frequencies[i - 1], self.frequencies[i]);
        let (s, slope) = (self.densities[i - 1], (self.densities[i] - self.densities[i - 1]) / (high - low));
        let rest = (variance - self.sums[i - 1][0]).max(0.0);
        // s d + slope d²/2 = rest, by the root without cancellation.
        let d = 2.0 * rest / (s + (s * s + 2.0 * slope * rest).max(0.0).sqrt());
        let d = if d.is_finite() { d.min(high - low) } else { 0.0 };
        self.sums[i - 1][1] + part(low, s, low + d, s + slope * d)[1]
    }
}

/// ∫S and ∫ωS below a straight line.
fn part(low: f64, s: f64, high: f64, t: f64) -> [f64; 2] {
    let width = high - low;
    [0.5 * width * (s + t), width * (s * (2.0 * low + high) + t * (low + 2.0 * high)) / 6.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_significant_height_is_the_one_asked_for() {
        for peakedness in [1.0, 3.3, 7.0] {
            let spectrum = Spectrum::jonswap(2.5, 9.0, peakedness).unwrap();
            assert!((spectrum.significant_height() - 2.5).abs() < 1e-13);
            // The highest density stands at the peak.
            let peak = TAU / 9.0;
            let highest = spectrum.densities.iter().copied().fold(0.0, f64::max);
            assert!(spectrum.density(peak) > 0.999 * highest);
        }
    }

    #[test]
    fn pierson_and_moskowitz_has_its_closed_form() {
        let (height, period) = (3.0, 8.0);
        let spectrum = Spectrum::pierson_moskowitz(height, period).unwrap();
        let peak: f64 = TAU / period;
        for w in [0.5, 0.8, 1.0, 1.7] {
            let exact = 5.0 / 16.0 * height * height * peak.powi(4) / f64::powi(w, 5)
                * (-1.25 * (peak / w).powi(4)).exp();
            // A thousandth of the variance is above six times the peak's frequency.
            assert!((spectrum.density(w) / exact - 1.0).abs() < 1.2e-3, "{} {exact}", spectrum.density(w));
        }
        // m₁ = Γ(3/4) (5/4)^¼ ω_p m₀.
        let mean = spectrum.moment(1) / spectrum.moment(0) / peak;
        assert!((mean - 1.225_416_702_465_178 * 1.25_f64.powf(0.25)).abs() < 8e-3, "{mean}");
    }

    #[test]
    fn a_table_has_the_moments_of_its_lines() {
        let spectrum = Spectrum::table(&[0.5, 1.0, 2.0], &[0.0, 2.0, 0.0]).unwrap();
        assert!((spectrum.moment(0) - 1.5).abs() < 1e-15);
        // The triangle's middle is at the mean of its corners.
        assert!((spectrum.moment(1) - 1.5 * 3.5 / 3.0).abs() < 1e-15);
        assert_eq!([0.4, 0.75, 1.5, 2.0, 2.1].map(|w| spectrum.density(w)), [0.0, 1.0, 1.0, 0.0, 0.0]);
        for count in [1, 2, 7, 100] {
            let bands = spectrum.bands(count);
            let mean = bands.iter().sum::<f64>() / count as f64;
            assert!((mean - 3.5 / 3.0).abs() < 1e-14, "{mean}");
            assert!(bands.windows(2).all(|pair| pair[0] < pair[1]));
            assert!(bands[0] > 0.5 && bands[count - 1] < 2.0);
        }
    }

    #[test]
    fn spectra_that_cannot_be_are_refused_by_name() {
        let said = |result: Result<Spectrum>| result.unwrap_err().to_string();
        assert!(said(Spectrum::jonswap(0.0, 8.0, 3.3)).starts_with("height = 0"));
        assert!(said(Spectrum::jonswap(1.0, f64::NAN, 3.3)).starts_with("peak_period = NaN"));
        assert!(said(Spectrum::jonswap(1.0, 8.0, 0.5)).starts_with("peakedness = 0.5: must be from 1 to 10"));
        assert!(said(Spectrum::table(&[1.0], &[1.0])).contains("1 frequencies and 1 densities"));
        assert!(said(Spectrum::table(&[1.0, 1.0], &[1.0, 0.0])).contains("frequencies[1] is not above"));
        assert!(said(Spectrum::table(&[1.0, 2.0], &[1.0, -1.0])).starts_with("densities[1] = -1"));
        assert!(said(Spectrum::table(&[1.0, 2.0], &[0.0, 0.0])).starts_with("the sum of the densities = 0"));
    }
}
