//! The least and the greatest value over a rectangle: a grid, then a compass search from its best points.
//!
//! Curvature has few and broad extremes on the surfaces that ask, so the grid finds the right hill; the compass then
//! halves its step until the abscissa is known to 1e-9 of the rectangle, which fixes a smooth extremum to rounding.

use crate::error::Result;

/// Intervals of the grid along each side.
const GRID: usize = 64;

/// The compass stops at this share of the rectangle.
const FINEST: f64 = 1e-9;

/// Bound on compass moves: thirty halvings and as many strides again between them as a curved ridge may need.
const MOVES: usize = 400;

/// `[least, greatest]` where `f` returns a pair whose larger and smaller members compete for either.
pub(crate) fn extremes(
    u: [f64; 2],
    v: [f64; 2],
    f: impl Fn(f64, f64) -> Result<[f64; 2]>,
) -> Result<[f64; 2]> {
    let at = |p: [f64; 2]| f(u[0] + (u[1] - u[0]) * p[0], v[0] + (v[1] - v[0]) * p[1]);
    let greatest = |p: [f64; 2]| at(p).map(|[x, y]| x.max(y));
    let least = |p: [f64; 2]| at(p).map(|[x, y]| -x.min(y));
    let mut best = [([0.0; 2], f64::NEG_INFINITY); 2];
    for i in 0..=GRID {
        for j in 0..=GRID {
            let p = [i as f64 / GRID as f64, j as f64 / GRID as f64];
            let [x, y] = at(p)?;
            for (slot, value) in best.iter_mut().zip([-x.min(y), x.max(y)]) {
                if value > slot.1 {
                    *slot = (p, value);
                }
            }
        }
    }
    Ok([-climb(best[0], least)?, climb(best[1], greatest)?])
}

fn climb((mut p, mut value): ([f64; 2], f64), f: impl Fn([f64; 2]) -> Result<f64>) -> Result<f64> {
    const COMPASS: [[f64; 2]; 8] = [
        [1.0, 0.0],
        [-1.0, 0.0],
        [0.0, 1.0],
        [0.0, -1.0],
        [1.0, 1.0],
        [-1.0, 1.0],
        [1.0, -1.0],
        [-1.0, -1.0],
    ];
    let mut step = 1.0 / GRID as f64;
    for _ in 0..MOVES {
        if step < FINEST || value.is_infinite() {
            break;
        }
        let from = p;
        let mut moved = false;
        for d in COMPASS {
            let q = [0, 1].map(|k| (from[k] + step * d[k]).clamp(0.0, 1.0));
            let candidate = f(q)?;
            if candidate > value {
                (p, value, moved) = (q, candidate, true);
            }
        }
        if !moved {
            step *= 0.5;
        }
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_inside_and_on_the_border_are_found_to_rounding() {
        let hill = |u: f64, v: f64| {
            let top = 3.0 - (u - 0.3).powi(2) - 2.0 * (v - 0.77).powi(2) - (u - 0.3) * (v - 0.77);
            Ok([top, u * v])
        };
        let [least, greatest] = extremes([-1.0, 1.0], [0.0, 2.0], hill).unwrap();
        assert!((greatest - 3.0).abs() < 1e-15, "{greatest}");
        // The product is least in the corner (−1, 2); the hill there lies at −1.74.
        assert!((least + 2.0).abs() < 1e-15, "{least}");
    }
}
