//! Integrals over an interval whose integrand may have a root or a jump in slope somewhere.
//!
//! A cell's error is the difference of the eight-point Gauss rule over it and over its halves, which overestimates
//! that of the latter.

use crate::error::{GeomError, Result};
use crate::quadrature::gauss_legendre;

/// Cells at the start: their ends fall on the axis normals, where superellipses have their roots.
const START: usize = 8;

/// Bound on the number of cells: forty levels around each of a hundred roots.
const CELLS: usize = 8192;

/// ∫ f to a relative tolerance, by splitting the cells that err most.
pub(super) fn adaptive([from, to]: [f64; 2], tolerance: f64, f: impl Fn(f64) -> f64) -> Result<f64> {
    let rule = gauss_legendre(8);
    let apply = |a: f64, b: f64| {
        let half = 0.5 * (b - a);
        rule.iter().map(|(x, w)| w * half * f(a + half * (1.0 + x))).sum::<f64>()
    };
    let evaluate = |a: f64, b: f64| {
        let middle = 0.5 * (a + b);
        let fine = apply(a, middle) + apply(middle, b);
        ((fine - apply(a, b)).abs(), a, b, fine)
    };
    let end = |i: usize| from + (to - from) * (i as f64 / START as f64);
    let mut list: Vec<_> = (0..START).map(|i| evaluate(end(i), end(i + 1))).collect();
    loop {
        let total: f64 = list.iter().map(|cell| cell.3).sum();
        let error: f64 = list.iter().map(|cell| cell.0).sum();
        let allowed = tolerance * total.abs();
        if error <= allowed && total.is_finite() {
            return Ok(total);
        }
        if list.len() >= CELLS || !(error + total).is_finite() {
            return Err(GeomError::NotConverged {
                procedure: "quadrature along a curve",
                reached: if total.is_finite() { error / total.abs() } else { total },
                wanted: tolerance,
                iterations: list.len(),
            });
        }
        // Every cell that errs more than its fair share, so that few sweeps suffice.
        let worst = list.iter().fold(0.0f64, |m, cell| m.max(cell.0));
        let share = (allowed / list.len() as f64).max(0.1 * worst);
        for (e, a, b, value) in std::mem::take(&mut list) {
            if e < share {
                list.push((e, a, b, value));
            } else {
                let middle = 0.5 * (a + b);
                list.push(evaluate(a, middle));
                list.push(evaluate(middle, b));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steep_roots_are_integrated_to_the_tolerance() {
        for power in [0.02, 0.5, 3.0] {
            let value = adaptive([0.0, 1.0], 1e-11, |x| (x - 0.3).abs().powf(power)).unwrap();
            let exact = (0.3f64.powf(1.0 + power) + 0.7f64.powf(1.0 + power)) / (1.0 + power);
            assert!((value / exact - 1.0).abs() < 1e-10, "power {power}: {value} {exact}");
        }
    }

    #[test]
    fn a_divergent_integral_is_reported() {
        let error = adaptive([0.0, 1.0], 1e-11, |x| 1.0 / x).unwrap_err();
        assert!(error.to_string().starts_with("quadrature along a curve stopped at"), "{error}");
        assert!(adaptive([0.0, 1.0], 1e-11, |_| f64::NAN).is_err_and(|e| e.to_string().contains("NaN")));
    }
}
