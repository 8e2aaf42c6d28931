//! A zero of a continuous function between two points where its signs differ: the ITP method.
//!
//! With a < b, g(a) > 0 ≥ g(b), m = (a + b)/2 and n₀ = 1, each iteration
//!
//! 1. interpolates: x = (g(b) a − g(a) b)/(g(b) − g(a)),
//! 2. truncates: moves x towards m by δ = max(κ₁ (b − a)², ε), at most to m, so that both ends close in,
//! 3. projects: keeps ∣x − m∣ ≤ ρ = ε 2^(n_max − j) − (b − a)/2, n_max = ⌈log₂((b − a)₀/2ε)⌉ + n₀,
//!
//! which converges superlinearly on smooth functions and never takes more than n_max iterations, one more than
//! bisection.
//!
//! Source: Oliveira, Takahashi, An Enhancement of the Bisection Method Average Performance Preserving Minmax
//! Optimality, ACM TOMS 47 (2021), algorithm 1, with their κ₁ = 0.2/(b − a)₀, κ₂ = 2, n₀ = 1. The ε in δ is ours: down
//! at rounding κ₁ (b − a)² is nothing beside a, and x would stay there.
//!
//! | symbol | here |
//! |---|---|
//! | a, b | `before`, `after` |
//! | 2ε | `width` |

use crate::Result;

/// Iterations beyond those of bisection.
const SLACK: usize = 1;

/// Shrinks [`before`, `after`] around a change from `g_before` to `g_after`, of different signs, until it is no longer
/// than `width`; returns its two ends, the sign of g on each being what it was. `after` may lie to the left.
pub(super) fn locate(
    mut g: impl FnMut(f64) -> Result<f64>,
    (mut before, mut g_before): (f64, f64),
    (mut after, mut g_after): (f64, f64),
    width: f64,
) -> Result<(f64, f64)> {
    let length = (after - before).abs();
    let half = 0.5 * width;
    let (mut reach, mut most) = (half, 0);
    while 2.0 * reach < length {
        (reach, most) = (2.0 * reach, most + 1);
    }
    for _ in 0..SLACK {
        (reach, most) = (2.0 * reach, most + 1);
    }
    for _ in 0..most {
        let left = (after - before).abs();
        if left <= width {
            break;
        }
        let middle = before + 0.5 * (after - before);
        let secant = before + (after - before) * (g_before / (g_before - g_after));
        // At least ε: an end that the zero has reached must not be tried again.
        let inwards = (0.2 / length * left * left).max(half);
        let off = secant - middle;
        let bounded = (off.abs() - inwards).max(0.0).min((reach - 0.5 * left).max(0.0));
        let x = middle + bounded.copysign(off);
        reach *= 0.5;
        let value = g(x)?;
        // Reaching zero counts as the change.
        if value != 0.0 && (value > 0.0) == (g_before > 0.0) {
            (before, g_before) = (x, value);
        } else {
            (after, g_after) = (x, value);
            if value == 0.0 {
                break;
            }
        }
    }
    Ok((before, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(g: impl Fn(f64) -> f64, a: f64, b: f64) -> (f64, usize) {
        let mut count = 0;
        let counted = |x| {
            count += 1;
            Ok(g(x))
        };
        let width = 2.0 * f64::EPSILON * a.abs().max(b.abs());
        let (_, after) = locate(counted, (a, g(a)), (b, g(b)), width).unwrap();
        (after, count)
    }

    #[test]
    fn zeros_are_found_to_rounding_from_either_side() {
        for (a, b) in [(0.0, 2.0), (2.0, 0.0)] {
            let (root, count) = find(|x| x * x - 2.0, a, b);
            assert!((root - 2.0_f64.sqrt()).abs() <= 4.0 * f64::EPSILON, "{root}");
            assert!(count <= 14, "{count}");
        }
        let (root, _) = find(|x| (x - 1.0).powi(3), -4.0, 10.0);
        assert!((root - 1.0).abs() <= 20.0 * f64::EPSILON, "{root}");
    }

    #[test]
    fn functions_that_no_secant_fits_take_at_most_one_step_more_than_bisection() {
        let step = |x: f64| if x < 0.123 { 1e-30 } else { -1e30 };
        let (root, count) = find(step, -1.0, 1.0);
        assert!((root - 0.123).abs() <= 4.0 * f64::EPSILON);
        assert!(count <= 53, "{count}");
        let (root, count) = find(|x| (x - 0.1).powi(21), -1.0, 1.0);
        assert!(step(root) != 0.0 && count <= 53, "{root} {count}");
    }
}
