//! Damping and restitution: what a law's factor makes of an impact, and the factor for a restitution that is asked for.
//!
//! **F = K δⁿ (1 + c δ̇/v₀).** One body of effective mass m meets another at the approach speed v₀ and nothing else
//! acts. With u = δ̇/v₀, m v₀² u du = −K δⁿ (1 + c u) dδ; over the whole impact ∫ u du/(1 + c u) vanishes from u = 1 to
//! −e, whatever K, n and m:
//!
//!   c (1 + e) = ln[(1 + c)/(1 − c e)]                                             (Carvalho and Martins 2019)
//!
//! With φ(x) = −ln(1 − x) − x this reads φ(c e) = φ(−c): to find e, invert φ on the other branch; to find c, solve
//! h(c) = (1 + c) exp(−c(1 + e)) − (1 − c e) = 0 in (0, 1/e), where h changes its sign once from − to +.
//!
//! **F = K δ + D δ̇.** With ζ = D/(2√(K m)), pushing until the force vanishes (it never pulls):
//!
//!   e = exp(−2ζ arccos ζ/√(1 − ζ²)),   ζ > 1: arcosh and √(ζ² − 1),   ζ = 1: e^{−2}
//!
//! If it may pull, contact lasts until δ = 0 and e = exp(−πζ/√(1 − ζ²)), ζ < 1.

use crate::error::{Result, check};
use std::f64::consts::PI;

/// Below this argument the logarithms of φ and h cancel; their series take over, with 24 terms to rounding.
const SMALL: f64 = 0.15;
const TERMS: i32 = 24;
/// Bisection alone would need about 60 steps; Newton's method takes a few.
const MAX_ITERATIONS: u32 = 100;

/// φ(x) = −ln(1 − x) − x = Σ xᵏ/k from k = 2, without cancellation.
fn phi(x: f64) -> f64 {
    if x.abs() < SMALL {
        (2..=TERMS).rev().fold(0.0, |sum, k| sum * x + 1.0 / f64::from(k)) * x * x
    } else {
        -(-x).ln_1p() - x
    }
}

/// The restitution that the factor `c` ≥ 0 yields.
pub fn restitution_of_factor(c: f64) -> Result<f64> {
    check("factor", c, "zero or above and finite", c >= 0.0)?;
    if c == 0.0 {
        return Ok(1.0);
    }
    // y = c e in (0, 1) solves φ(y) = φ(−c). In w = −ln(1 − y) the equation is w − 1 + exp(−w) = target: convex.
    let target = phi(-c);
    // w exceeds the target by less than one.
    let first = if c < 0.5 { c } else { target + 0.5 };
    let w = root([0.0, target + 1.0], first, |w| {
        let y = -(-w).exp_m1();
        ((if y < SMALL { phi(y) } else { w - y }) - target, y)
    });
    Ok((-(-w).exp_m1() / c).min(1.0))
}

/// The root of a function that rises through zero once between two bounds, by Newton's method kept inside them; `f`
/// gives value and slope.
fn root(bounds: [f64; 2], first: f64, f: impl Fn(f64) -> (f64, f64)) -> f64 {
    let ([mut low, mut high], mut x) = (bounds, first);
    for _ in 0..MAX_ITERATIONS {
        let (value, slope) = f(x);
        if value > 0.0 {
            high = x;
        } else {
            low = x;
        }
        let newton = x - value / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        let done = (next - x).abs() <= 2.0 * f64::EPSILON * x;
        x = next;
        if done {
            break;
        }
    }
    x
}

/// The factor that yields the restitution `e`, which must be above zero and at most one.
pub fn factor_of_restitution(e: f64) -> Result<f64> {
    check("restitution", e, "above 0 and at most 1 (0 would take infinite damping)", e > 0.0 && e <= 1.0)?;
    if e == 1.0 {
        return Ok(0.0);
    }
    // From the first two terms of the series at e → 1, and the limit 1/e for e → 0.
    let first = (1.5 * (1.0 - e * e) / (1.0 + e * e * e)).min(0.999 / e);
    Ok(root([0.0, 1.0 / e], first, |c| excess(c, e)))
}

/// A function of the sign of h with a simple root at c, and its slope there.
fn excess(c: f64, e: f64) -> (f64, f64) {
    if c < SMALL {
        // [φ(c e) − φ(−c)]/c² = Σ (eᵏ − (−1)ᵏ) cᵏ⁻²/k.
        let (mut value, mut slope) = (0.0, 0.0);
        for k in (2..=TERMS).rev() {
            let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
            slope = slope * c + value;
            // 1 − eᵏ from 1 − e loses nothing: e is exact here.
            value = value * c + (e.powi(k) - sign) / f64::from(k);
        }
        return (value, slope);
    }
    let decay = (-c * (1.0 + e)).exp();
    ((1.0 + c) * decay - (1.0 - c * e), decay * (1.0 - (1.0 + c) * (1.0 + e)) + e)
}

/// The restitution of F = K δ + D δ̇ with damping ratio ζ = D/(2√(Km)); `adhesive` if the force may pull.
pub fn restitution_of_ratio(zeta: f64, adhesive: bool) -> Result<f64> {
    check("damping ratio", zeta, "zero or above and finite", zeta >= 0.0)?;
    if adhesive {
        return Ok(if zeta < 1.0 { (-PI * zeta / (1.0 - zeta * zeta).sqrt()).exp() } else { 0.0 });
    }
    Ok((-2.0 * zeta * arc_over_root(zeta)).exp())
}

/// arccos ζ/√(1 − ζ²), which continues as arcosh ζ/√(ζ² − 1).
fn arc_over_root(zeta: f64) -> f64 {
    let d = 1.0 - zeta;
    if d.abs() < 1e-3 {
        // Σ with x = 1 − ζ: 1 + x/3 + 2x²/15 + 2x³/35 + 8x⁴/315 + 8x⁵/693 (the series of arcsin x/√(1 − x²) at half
        // angle).
        return 1.0
            + d * (1.0 / 3.0 + d * (2.0 / 15.0 + d * (2.0 / 35.0 + d * (8.0 / 315.0 + d * 8.0 / 693.0))));
    }
    if zeta < 1.0 {
        zeta.acos() / (d * (1.0 + zeta)).sqrt()
    } else {
        zeta.acosh() / (-d * (1.0 + zeta)).sqrt()
    }
}

/// The damping ratio that yields the restitution `e`, above zero and at most one.
pub fn ratio_of_restitution(e: f64, adhesive: bool) -> Result<f64> {
    check("restitution", e, "above 0 and at most 1 (0 would take infinite damping)", e > 0.0 && e <= 1.0)?;
    let log = -e.ln();
    if adhesive {
        return Ok(log / (PI * PI + log * log).sqrt());
    }
    // 2ζ·arc_over_root(ζ) grows with ζ without bound, as 2 ln 2ζ in the end.
    let most = (0.5 * log + 1.0).exp();
    let ratio = root([0.0, most], (log / PI).min(0.5 * most), |zeta| {
        let (arc, m) = (arc_over_root(zeta), 1.0 - zeta * zeta);
        // d(ζ·arc)/dζ = arc + ζ(ζ arc − 1)/m; 2/3 is its limit at ζ = 1.
        let slope = 2.0 * if m.abs() < 1e-4 { 2.0 / 3.0 } else { arc + zeta * (zeta * arc - 1.0) / m };
        (2.0 * zeta * arc - log, slope)
    });
    Ok(ratio)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relation itself, by another route: quadrature of ∫ u du/(1 + c u) from −e to 1.
    fn imbalance(c: f64, e: f64) -> f64 {
        let n = 20_000;
        let h = (1.0 + e) / f64::from(n);
        let g = |u: f64| u / (1.0 + c * u);
        let sum: f64 = (0..n)
            .map(|i| {
                let u = -e + h * f64::from(i);
                h / 6.0 * (g(u) + 4.0 * g(u + 0.5 * h) + g(u + h))
            })
            .sum();
        sum
    }

    #[test]
    fn the_factor_and_the_restitution_undo_each_other() {
        for i in 1..=1000 {
            let e = f64::from(i) / 1000.0;
            let c = factor_of_restitution(e).unwrap();
            assert!((restitution_of_factor(c).unwrap() - e).abs() < 1e-13, "{e}: {c}");
        }
        for close in [1e-15, 1e-12, 1e-8, 1e-4] {
            let c = factor_of_restitution(1.0 - close).unwrap();
            let exact = 1.0 - (1.0 - close);
            assert!((c / (1.5 * exact) - 1.0).abs() < 2.0 * close + 1e-14, "{close}: {c}");
            assert!((restitution_of_factor(c).unwrap() - (1.0 - close)).abs() < 1e-15);
        }
    }

    #[test]
    fn the_work_integral_vanishes_over_an_impact() {
        for e in [0.2, 0.5, 0.8, 0.95, 0.999] {
            let c = factor_of_restitution(e).unwrap();
            assert!(imbalance(c, e).abs() < 1e-10, "{e}: {c}, {}", imbalance(c, e));
        }
        for c in [1e-6, 0.01, 0.149, 0.151, 0.75, 1.5, 3.0] {
            let e = restitution_of_factor(c).unwrap();
            assert!(imbalance(c, e).abs() < 1e-10, "{c}: {e}");
        }
    }

    #[test]
    fn a_small_restitution_takes_the_factor_one_over_it() {
        let c = factor_of_restitution(0.01).unwrap();
        assert!((c - 100.0).abs() < 1e-12, "{c}");
        for c in [50.0, 1e3, 1e8] {
            assert!((restitution_of_factor(c).unwrap() * c - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn the_linear_law_has_its_closed_restitution_and_its_inverse() {
        assert!((restitution_of_ratio(1.0, false).unwrap() - (-2f64).exp()).abs() < 1e-15);
        assert_eq!(restitution_of_ratio(0.0, false).unwrap(), 1.0);
        for i in 1..=1000 {
            let e = f64::from(i) / 1000.0;
            for adhesive in [false, true] {
                let zeta = ratio_of_restitution(e, adhesive).unwrap();
                assert!((restitution_of_ratio(zeta, adhesive).unwrap() - e).abs() < 1e-13, "{e}: {zeta}");
            }
        }
        // Both sides of the critical damping join smoothly.
        for d in [1.001e-3, 0.999e-3] {
            let (below, above) = (arc_over_root(1.0 - d), arc_over_root(1.0 + d));
            assert!((below + above - 2.0 - 4.0 / 15.0 * d * d).abs() < 1e-12);
            assert!((below - above - 2.0 / 3.0 * d).abs() < 1e-9);
        }
    }

    #[test]
    fn restitutions_that_cannot_be_are_refused_by_name() {
        for bad in [0.0, -0.1, 1.1, f64::NAN] {
            for found in [factor_of_restitution(bad), ratio_of_restitution(bad, false)] {
                let message = found.unwrap_err().to_string();
                assert!(message.starts_with("restitution = "), "{message}");
            }
        }
        assert!(restitution_of_factor(f64::NAN).is_err());
        assert!(restitution_of_ratio(-1.0, true).is_err());
    }
}
