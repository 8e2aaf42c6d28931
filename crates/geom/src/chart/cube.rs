//! Directions by six charts, one over each face of a cube.
//!
//! Chart 2k covers the directions about +e_k, chart 2k + 1 those about −e_k: d(u, v) = ±e_k + u e_i + v e_j, of no
//! particular length. (i, j) follow k cyclically, swapped on the negative side, so that ∂d/∂u × ∂d/∂v points along
//! ±e_k.
//!
//! The faces end at ±1. A chart is used up to ±1.2, where the chart over the nearest face takes over; there both
//! parameters are at most 1. A place near the seam between two faces hence stays in the chart it came from and does not
//! flip back and forth.

use super::{Cell, Place, check, check_margin, check_rates};
use crate::error::Result;
use crate::taylor::Taylor;
use crate::{Vec2, Vec3};

/// How many charts there are.
pub(super) const CHARTS: usize = 6;

/// The greatest parameter up to which a chart is used.
const REACH: f64 = 1.2;

/// Squares of cells along the edge of a face.
const DIVISIONS: usize = 4;

/// The axis k and the sign of a chart, and the axes of its u and v.
fn axes(chart: usize) -> (usize, f64, usize, usize) {
    let k = chart / 2 % 3;
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    if chart.is_multiple_of(2) { (k, 1.0, i, j) } else { (k, -1.0, j, i) }
}

/// The place of a direction of any length but zero, in the chart over its face.
pub(super) fn place(d: &Vec3) -> Place {
    let k = d.iamax();
    let chart = 2 * k + usize::from(d[k] < 0.0);
    let (_, sign, i, j) = axes(chart);
    let height = sign * d[k];
    Place { chart, u: d[i] / height, v: d[j] / height }
}

/// The direction at a place.
pub(super) fn direction(place: &Place) -> Vec3 {
    let (k, sign, i, j) = axes(place.chart);
    let mut d = Vec3::zeros();
    (d[k], d[i], d[j]) = (sign, place.u, place.v);
    d
}

/// The axis k and the sign of a place's chart, and the axes of its u and v; an error where it has no derivatives.
pub(super) fn frame(place: &Place) -> Result<(usize, f64, usize, usize)> {
    check(place, CHARTS)?;
    check_margin(inside(place))?;
    Ok(axes(place.chart))
}

/// The direction about a place as series in u and v.
pub(super) fn series(place: &Place) -> Result<[Taylor; 3]> {
    let (k, sign, i, j) = frame(place)?;
    let mut d = [Taylor::constant(sign); 3];
    debug_assert!(k != i && i != j);
    (d[i], d[j]) = (Taylor::u(place.u), Taylor::v(place.v));
    Ok(d)
}

/// See [`super::Atlas::inside`].
pub(super) fn inside(place: &Place) -> f64 {
    // Not f64::max, which would hide a NaN.
    let (u, v) = (place.u.abs(), place.v.abs());
    (REACH - if u > v || u.is_nan() { u } else { v }) / (2.0 * REACH)
}

/// See [`super::Atlas::onward`].
pub(super) fn onward(at: &Place, rates: &Vec2) -> Result<Option<Place>> {
    check(at, CHARTS)?;
    check_rates(rates)?;
    check_margin(inside(at))?;
    Ok(Some(place(&direction(at))))
}

/// Cells over the six faces.
pub(super) fn cells() -> Vec<Cell> {
    (0..CHARTS).flat_map(|chart| grid(chart, [[-1.0, 1.0]; 2], [DIVISIONS; 2])).collect()
}

/// Cells over a rectangle of parameters: two to each of m by n equal parts.
pub(crate) fn grid(chart: usize, [u, v]: [[f64; 2]; 2], [m, n]: [usize; 2]) -> Vec<Cell> {
    let part = |[low, high]: [f64; 2], k: usize, n: usize| {
        // The ends exactly, so that neighbours leave no gap.
        if k == n { high } else { low + (high - low) * (k as f64 / n as f64) }
    };
    let corner = |i: usize, j: usize| Vec2::new(part(u, i, m), part(v, j, n));
    let mut cells = Vec::with_capacity(2 * m * n);
    for i in 0..m {
        for j in 0..n {
            let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            cells.extend([[a, b, c], [a, c, d]].map(|corners| Cell { chart, corners }));
        }
    }
    cells
}
