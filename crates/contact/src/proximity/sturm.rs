//! The number of distinct positive roots of a quartic by Sturm's theorem.
//!
//! p₀ = p, p₁ = p′, pₖ₊₁ = −(pₖ₋₁ mod pₖ) until the remainder vanishes. With V(x) the number of sign changes in
//! p₀(x), p₁(x), …, the interval (a, b] holds V(a) − V(b) distinct roots. At 0 the signs are those of the constant
//! terms, at ∞ those of the leading ones. Every member of the sequence is scaled by a positive number, which changes
//! no sign.

/// A remainder below this share of its dividend is rounding, and the polynomials have a common factor: some ten
/// operations on numbers of size one.
const VANISHED: f64 = 64.0 * f64::EPSILON;

/// A polynomial of degree four at most, constant term first.
#[derive(Clone, Copy)]
struct Polynomial {
    coefficients: [f64; 5],
    degree: usize,
}

impl Polynomial {
    /// Scaled to a largest coefficient of one; none where all vanish beside `size`.
    fn scaled(mut coefficients: [f64; 5], size: f64) -> Option<Self> {
        let largest = coefficients.iter().fold(0.0f64, |a, c| a.max(c.abs()));
        if !(largest > VANISHED * size) {
            return None;
        }
        coefficients.iter_mut().for_each(|c| *c /= largest);
        let degree = coefficients.iter().rposition(|c| c.abs() > VANISHED)?;
        coefficients[degree + 1..].fill(0.0);
        Some(Self { coefficients, degree })
    }

    fn derivative(&self) -> [f64; 5] {
        let c = &self.coefficients;
        [c[1], 2.0 * c[2], 3.0 * c[3], 4.0 * c[4], 0.0]
    }

    /// −(self mod divisor), and the size of the numbers it is the difference of.
    fn negative_remainder(&self, divisor: &Self) -> ([f64; 5], f64) {
        let mut rest = self.coefficients;
        let mut size = 1.0f64;
        for shift in (0..=self.degree.saturating_sub(divisor.degree)).rev() {
            let factor = rest[shift + divisor.degree] / divisor.coefficients[divisor.degree];
            size = size.max(factor.abs());
            for k in 0..divisor.degree {
                rest[shift + k] -= factor * divisor.coefficients[k];
            }
            rest[shift + divisor.degree] = 0.0;
        }
        (rest.map(|c| -c), size)
    }
}

/// The number of distinct roots above zero of Σ cₖ xᵏ.
pub(super) fn positive_roots(coefficients: &[f64; 5]) -> usize {
    let Some(mut upper) = Polynomial::scaled(*coefficients, 0.0) else { return 0 };
    let mut lower = Polynomial::scaled(upper.derivative(), 1.0);
    let mut at_zero = SignChanges::default();
    let mut at_infinity = SignChanges::default();
    let mut see = |p: &Polynomial| {
        at_zero.see(p.coefficients[0]);
        at_infinity.see(p.coefficients[p.degree]);
    };
    see(&upper);
    while let Some(divisor) = lower {
        see(&divisor);
        if divisor.degree == 0 {
            break;
        }
        let (rest, size) = upper.negative_remainder(&divisor);
        upper = divisor;
        lower = Polynomial::scaled(rest, size);
    }
    at_zero.count.saturating_sub(at_infinity.count)
}

/// Counts changes of sign; zeros do not count.
#[derive(Default)]
struct SignChanges {
    last: f64,
    count: usize,
}

impl SignChanges {
    fn see(&mut self, x: f64) {
        if x == 0.0 {
            return;
        }
        if self.last * x < 0.0 {
            self.count += 1;
        }
        self.last = x.signum();
    }
}

#[cfg(test)]
mod tests {
    use super::positive_roots;

    /// The coefficients of Π(x − r)·(x² + q), or of Π(x − r) for four roots.
    fn with_roots(roots: &[f64], tail: &[f64]) -> [f64; 5] {
        let mut p = [0.0; 5];
        p[..tail.len()].copy_from_slice(tail);
        for r in roots {
            for k in (0..5).rev() {
                p[k] = if k > 0 { p[k - 1] } else { 0.0 } - r * p[k];
            }
        }
        p
    }

    #[test]
    fn distinct_positive_roots_are_counted_once_each() {
        assert_eq!(positive_roots(&with_roots(&[1.0, 2.0, -1.0, -3.0], &[1.0])), 2);
        assert_eq!(positive_roots(&with_roots(&[1.0, 2.0, 3.0, 4.0], &[1.0])), 4);
        assert_eq!(positive_roots(&with_roots(&[-1.0, -2.0, -3.0, -4.0], &[1.0])), 0);
        assert_eq!(positive_roots(&with_roots(&[0.5, 0.25], &[1.0, 0.0, 1.0])), 2);
        assert_eq!(positive_roots(&with_roots(&[-0.5, 0.25], &[1.0, 0.0, 1.0])), 1);
        assert_eq!(positive_roots(&with_roots(&[2.0, 2.0, -1.0, -3.0], &[1.0])), 1);
        assert_eq!(positive_roots(&with_roots(&[2.0, 2.0, 2.0, 2.0], &[1.0])), 1);
    }

    #[test]
    fn a_polynomial_that_vanishes_has_no_roots_to_count() {
        assert_eq!(positive_roots(&[0.0; 5]), 0);
        assert_eq!(positive_roots(&[1.0, 0.0, 0.0, 0.0, 0.0]), 0);
    }
}
