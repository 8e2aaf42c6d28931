//! Triangles to samples: which triangle is nearest at each sample of a band of rows.
//!
//! A value that is linear over the picture (one over the depth for the camera, the height towards the light for
//! shadows) is interpolated, and the largest wins; of equal ones the first. A band depends on its own rows alone, so
//! that the result is the same on any number of threads.

use rayon::prelude::*;

/// How far outside an edge a sample may lie and still count, in samples squared: edges of neighbours are computed with
/// different rounding, and no sample may fall between them.
const EDGE: f64 = 1e-7;

/// A triangle in samples, with the value at its corners.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facet {
    /// x to the right, y downwards, value.
    pub(super) corners: [[f64; 3]; 3],
    /// The piece it belongs to, and its number there.
    pub(super) piece: u32,
    pub(super) triangle: u32,
}

/// Calls `set` with index and value for every sample of the rows from `top` on, `rows` of them, inside a triangle.
pub(super) fn scan(corners: &[[f64; 3]; 3], [width, top, rows]: [usize; 3], mut set: impl FnMut(usize, f64)) {
    let [a, mut b, mut c] = *corners;
    let mut area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if area < 0.0 {
        (b, c, area) = (c, b, -area);
    }
    if !(area > 0.0 && area.is_finite()) {
        return;
    }
    let low = |k: usize| a[k].min(b[k]).min(c[k]);
    let high = |k: usize| a[k].max(b[k]).max(c[k]);
    // Samples lie in the middles of unit cells.
    let first = |x: f64, from: usize| (x - 0.5).ceil().max(from as f64);
    let (x0, y0) = (first(low(0), 0), first(low(1), top));
    let x1 = (high(0) - 0.5).floor().min(width as f64 - 1.0);
    let y1 = (high(1) - 0.5).floor().min((top + rows) as f64 - 1.0);
    if !(x0 <= x1 && y0 <= y1) {
        return;
    }
    let (x0, x1, y0, y1) = (x0 as usize, x1 as usize, y0 as usize, y1 as usize);
    let edge = |p: &[f64; 3], q: &[f64; 3]| [p[1] - q[1], q[0] - p[0], p[0] * q[1] - p[1] * q[0]];
    let edges = [edge(&b, &c), edge(&c, &a), edge(&a, &b)];
    for y in y0..=y1 {
        let py = y as f64 + 0.5;
        for x in x0..=x1 {
            let px = x as f64 + 0.5;
            let [u, v, w] = edges.map(|[ex, ey, e]| ex * px + ey * py + e);
            if u >= -EDGE && v >= -EDGE && w >= -EDGE {
                set((y - top) * width + x, (u * a[2] + v * b[2] + w * c[2]) / area);
            }
        }
    }
}

/// For each band of `rows` rows the numbers of the facets that may reach into it, in order.
pub(super) fn bins(facets: &[Facet], height: usize, rows: usize) -> Vec<Vec<u32>> {
    let mut bins = vec![Vec::new(); height.div_ceil(rows)];
    for (i, facet) in facets.iter().enumerate() {
        let ys = facet.corners.map(|c| c[1]);
        let low = ys.iter().copied().fold(f64::INFINITY, f64::min);
        let high = ys.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if !(high >= 0.0 && low <= height as f64) {
            continue;
        }
        let last = bins.len() - 1;
        let band = |y: f64| ((y / rows as f64).max(0.0) as usize).min(last);
        for bin in &mut bins[band(low)..=band(high)] {
            bin.push(i as u32);
        }
    }
    bins
}

/// The largest value at every sample, −∞ where there is none.
pub(super) fn largest(facets: &[Facet], width: usize, height: usize) -> Vec<f32> {
    /// Rows per band.
    const ROWS: usize = 64;
    let bins = bins(facets, height, ROWS);
    let mut values = vec![f32::NEG_INFINITY; width * height];
    values.par_chunks_mut(ROWS * width).zip(&bins).enumerate().for_each(|(k, (band, bin))| {
        let area = [width, k * ROWS, band.len() / width];
        for &i in bin {
            scan(&facets[i as usize].corners, area, |at, value| band[at] = band[at].max(value as f32));
        }
    });
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_triangles_of_a_square_cover_every_sample_of_it() {
        let (a, b, c, d) = ([0.3, 0.7, 1.0], [9.9, 1.3, 1.0], [9.2, 8.8, 2.0], [0.6, 9.4, 2.0]);
        let mut count = [0; 144];
        for corners in [[a, b, c], [c, d, a], [a, c, b]] {
            scan(&corners, [12, 0, 12], |at, _| count[at] += 1);
        }
        let inside = |x: f64, y: f64| {
            let side =
                |p: [f64; 3], q: [f64; 3]| (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]) > 0.0;
            side(a, b) && side(b, c) && side(c, d) && side(d, a)
        };
        for y in 0..12 {
            for x in 0..12 {
                let covered = count[y * 12 + x] > 0;
                assert_eq!(covered, inside(x as f64 + 0.5, y as f64 + 0.5), "{x} {y}");
            }
        }
    }

    #[test]
    fn triangles_without_area_or_number_are_left_out() {
        for z in [0.0, f64::NAN, f64::INFINITY] {
            scan(&[[0.0, 0.0, 1.0], [z, z, 1.0], [z, 2.0 * z, 1.0]], [4, 0, 4], |_, _| unreachable!());
        }
    }
}
