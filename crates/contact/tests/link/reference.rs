//! Distances by sampling and refinement, independent of the engine's solvers.

use rattleback_contact::geom::Vec3;
use rattleback_contact::region::link::Piece;

/// The point of a triangle closest to `p`, by the regions of its plane (Ericson, Real-Time Collision Detection, 5.1.5).
pub fn closest(p: &Vec3, [a, b, c]: &[Vec3; 3]) -> Vec3 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return *a;
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= 0.0 && d4 <= d3 {
        return *b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= 0.0 && d5 <= d6 {
        return *c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return b + (c - b) * ((d4 - d3) / (d4 - d3 + d5 - d6));
    }
    let scale = 1.0 / (va + vb + vc);
    a + ab * (vb * scale) + ac * (vc * scale)
}

/// The least of `f` over 0 ≤ s ≤ length: samples, and golden sections about every one lower than its neighbours.
pub fn least(length: f64, samples: usize, f: impl Fn(f64) -> f64) -> f64 {
    let at = |k: usize| length * k as f64 / samples as f64;
    let values: Vec<f64> = (0..=samples).map(|k| f(at(k))).collect();
    let mut best = f64::INFINITY;
    for k in 0..=samples {
        let (low, high) = (k.saturating_sub(1), (k + 1).min(samples));
        if values[k] > values[low] || values[k] > values[high] {
            continue;
        }
        let ratio = 0.5 * (5f64.sqrt() - 1.0);
        let (mut low, mut high) = (at(low), at(high));
        best = best.min(values[k]);
        for _ in 0..90 {
            let (s, t) = (high - ratio * (high - low), low + ratio * (high - low));
            let (fs, ft) = (f(s), f(t));
            best = best.min(fs).min(ft);
            if fs < ft {
                high = t;
            } else {
                low = s;
            }
        }
    }
    best
}

/// The distance of a piece from a triangle.
pub fn distance(piece: &Piece, corners: &[Vec3; 3], samples: usize) -> f64 {
    least(piece.length(), samples, |s| {
        let c = piece.point(s);
        (c - closest(&c, corners)).norm()
    })
}
