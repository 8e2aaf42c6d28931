//! The slopes of the cubics of a track, from the lengths hᵢ = tᵢ₊₁ − tᵢ of its intervals and the secants dᵢ = (yᵢ₊₁ −
//! yᵢ)/hᵢ.
//!
//! Splines have the slopes for which ÿ is continuous,
//!
//!   mᵢ₋₁/hᵢ₋₁ + 2 (1/hᵢ₋₁ + 1/hᵢ) mᵢ + mᵢ₊₁/hᵢ = 3 (dᵢ₋₁/hᵢ₋₁ + dᵢ/hᵢ)
//!
//! with m = 0 at both ends, or the same equation without what lies beyond the end (ÿ = 0 there). Monotone cubics have
//!
//!   mᵢ = (w₀ + w₁)/(w₀/dᵢ₋₁ + w₁/dᵢ),   w₀ = 2hᵢ + hᵢ₋₁,   w₁ = hᵢ + 2hᵢ₋₁     if dᵢ₋₁ dᵢ > 0, else 0
//!
//! Sources: de Boor, A Practical Guide to Splines, chapter IV. Fritsch, Butland, A method for constructing local
//! monotone piecewise cubic interpolants, SIAM J. Sci. Stat. Comput. 5 (1984) 300; the slopes at both ends are the
//! three-point formula, limited as in Moler, Numerical Computing with MATLAB, section 3.6.

use super::Ends;
use rattleback_geom::nalgebra::SVector;

/// The slopes of a spline. The rows are diagonally dominant: elimination without pivots is stable.
pub(super) fn smooth<const N: usize>(
    steps: &[f64],
    secants: &[SVector<f64, N>],
    ends: Ends,
) -> Vec<SVector<f64, N>> {
    let n = steps.len();
    let (mut upper, mut slopes) = (vec![0.0; n + 1], vec![SVector::zeros(); n + 1]);
    for i in 0..=n {
        let before = if i > 0 { Some((1.0 / steps[i - 1], secants[i - 1])) } else { None };
        let after = if i < n { Some((1.0 / steps[i], secants[i])) } else { None };
        if ends != Ends::Natural && (before.is_none() || after.is_none()) {
            continue;
        }
        let (mut diagonal, mut right, mut known) = (0.0, 0.0, SVector::zeros());
        for (inverse, secant) in before.iter().chain(after.iter()) {
            diagonal += 2.0 * inverse;
            known += secant * (3.0 * inverse);
        }
        if let Some((inverse, _)) = before {
            diagonal -= inverse * upper[i - 1];
            known -= slopes[i - 1] * inverse;
        }
        if let Some((inverse, _)) = after {
            right = inverse;
        }
        upper[i] = right / diagonal;
        slopes[i] = known / diagonal;
    }
    for i in (0..n).rev() {
        let next = slopes[i + 1];
        slopes[i] -= next * upper[i];
    }
    slopes
}

/// The slopes at all times that keep cubics between their values.
pub(super) fn monotone<const N: usize>(
    steps: &[f64],
    secants: &[SVector<f64, N>],
    ends: Ends,
) -> Vec<SVector<f64, N>> {
    let n = steps.len();
    let mut slopes = vec![SVector::zeros(); n + 1];
    for k in 0..N {
        for i in 1..n {
            slopes[i][k] = mean([steps[i - 1], steps[i]], [secants[i - 1][k], secants[i][k]]);
        }
        let [first, last] = match ends {
            Ends::AtRest => [0.0; 2],
            Ends::Periodic => [mean([steps[n - 1], steps[0]], [secants[n - 1][k], secants[0][k]]); 2],
            Ends::Natural if n == 1 => [secants[0][k]; 2],
            Ends::Natural => [[0, 1], [n - 1, n - 2]]
                .map(|near| end_slope(near.map(|i| steps[i]), near.map(|i| secants[i][k]))),
        };
        (slopes[0][k], slopes[n][k]) = (first, last);
    }
    slopes
}

/// The slope between two intervals.
fn mean(h: [f64; 2], d: [f64; 2]) -> f64 {
    if !(d[0] * d[1] > 0.0) {
        return 0.0;
    }
    let (w0, w1) = (2.0 * h[1] + h[0], h[1] + 2.0 * h[0]);
    (w0 + w1) / (w0 / d[0] + w1 / d[1])
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
