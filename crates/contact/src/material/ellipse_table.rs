//! Hertz's ellipse of contact from a table: 1/K, D/K and k of `hertz.rs` over x = ln(B/A).
//!
//! They are analytic in x: ln k, on which K and D depend, is nearly linear in x, and K and D are regular up to an
//! imaginary part of π/2 of ln k, that is of more than two of x. Hence on pieces of a quarter the polynomial of degree
//! 8 through the values at Chebyshev's nodes is right to 3e-17 (measured with 40 digits at x = 0, 1, 3, 8 and 22.5),
//! and what is left is the rounding of the values that it goes through: 2e-15 of 1/K and D/K, 5e-15 of k. The
//! iteration that gives them takes several times as long as the polynomials.
//!
//! | symbol | here |
//! |---|---|
//! | x | ln `ratio` |
//! | t = 8 (x − x₀) − 1, x₀ the beginning of a piece | `t`, from −1 to 1 |

use super::hertz::{Ellipse, LONGEST};
use std::f64::consts::PI;
use std::sync::OnceLock;

/// Numbers of a polynomial.
const SIZE: usize = 9;
/// Pieces per unit of x.
const PIECES: f64 = 4.0;

/// The polynomials of 1/K, D/K and k on one piece, by powers of t.
type Piece = [[f64; SIZE]; 3];

static TABLE: OnceLock<Vec<Piece>> = OnceLock::new();

/// 1/K, D/K and k for B/A = `ratio`, from 1 to [`LONGEST`].
#[inline]
pub(super) fn at(ratio: f64) -> [f64; 3] {
    let place = PIECES * ratio.ln();
    let pieces = TABLE.get_or_init(|| {
        let (count, cosines) = ((PIECES * LONGEST.ln()) as usize + 1, cosines());
        (0..count).map(|k| piece(k as f64, &cosines)).collect()
    });
    let k = (place as usize).min(pieces.len() - 1);
    let t = 2.0 * (place - k as f64) - 1.0;
    pieces[k].map(|c| value(&c, t))
}

/// The polynomial, its terms in pairs, so that they do not wait for each other.
#[inline]
fn value(c: &[f64; SIZE], t: f64) -> f64 {
    let t2 = t * t;
    let t4 = t2 * t2;
    let low = (c[0] + c[1] * t) + (c[2] + c[3] * t) * t2;
    let high = (c[4] + c[5] * t) + (c[6] + c[7] * t) * t2;
    low + (high + c[8] * t4) * t4
}

/// Tᵢ = cos iθⱼ at the nodes cos θⱼ.
fn cosines() -> [[f64; SIZE]; SIZE] {
    std::array::from_fn(|i| std::array::from_fn(|j| (i as f64 * (PI * (j as f64 + 0.5) / SIZE as f64)).cos()))
}

/// The polynomials of the piece that begins at x = `begin` of its own lengths, through its nodes.
fn piece(begin: f64, cosines: &[[f64; SIZE]; SIZE]) -> Piece {
    let values = cosines[1].map(|node| {
        let Ellipse { k, whole, d, .. } = Ellipse::of_ratio(((begin + 0.5 + 0.5 * node) / PIECES).exp());
        [1.0 / whole, d / whole, k]
    });
    std::array::from_fn(|q| {
        // Σ cᵢ Tᵢ(t), the first one halved, then by powers: Tᵢ₊₁ = 2t Tᵢ − Tᵢ₋₁.
        let mut powers = [0.0; SIZE];
        let (mut last, mut chebyshev) = ([0.0; SIZE], [0.0; SIZE]);
        chebyshev[0] = 1.0;
        for i in 0..SIZE {
            let sum: f64 = values.iter().zip(cosines[i]).map(|(v, cosine)| v[q] * cosine).sum();
            let share = if i == 0 { 1.0 } else { 2.0 } / SIZE as f64 * sum;
            powers.iter_mut().zip(chebyshev).for_each(|(power, t)| *power += share * t);
            let factor = if i == 0 { 1.0 } else { 2.0 };
            let next = std::array::from_fn(|p| {
                let raised = if p > 0 { factor * chebyshev[p - 1] } else { 0.0 };
                raised - last[p]
            });
            last = std::mem::replace(&mut chebyshev, next);
        }
        powers
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_what_the_iteration_finds_over_the_whole_range() {
        let mut worst = 0.0_f64;
        for i in 0..=4000 {
            // Beginnings and ends of pieces, and places within.
            let ratio = (f64::from(i) * LONGEST.ln() / 4000.0).exp().min(LONGEST);
            let e = Ellipse::of_ratio(ratio);
            for (found, expected) in at(ratio).into_iter().zip([1.0 / e.whole, e.d / e.whole, e.k]) {
                worst = worst.max((found / expected - 1.0).abs());
            }
        }
        assert!(worst < 1e-14, "{worst:e}");
        for close in [1e-15, 1e-9, 1e-5] {
            let [whole, share, k] = at(1.0 + close);
            assert!((whole * 0.5 * PI - 1.0).abs() < 1e-15 + close);
            assert!((share - 0.5).abs() < 1e-15 + close && (k - 1.0).abs() < 1e-15 + close);
        }
    }

    #[test]
    fn pieces_meet() {
        for k in 1..(PIECES * LONGEST.ln()) as usize {
            let (before, after) = (piece((k - 1) as f64, &cosines()), piece(k as f64, &cosines()));
            for q in 0..3 {
                let (left, right) = (value(&before[q], 1.0), value(&after[q], -1.0));
                assert!((left / right - 1.0).abs() < 1e-14, "{k} {q}: {left} {right}");
            }
        }
    }
}
