//! The true signed gap of a realisation: Newton on the sphere, from many starts where the depth is in doubt.

#![allow(dead_code, reason = "each test uses its share")]

use rattleback_contact::Result;
use rattleback_contact::narrow::pair::ellipsoid_ellipsoid::{EllipsoidPair, Reading};
use rattleback_contact::study::roemer::Realisation;

/// The pair in A's frame.
pub fn pair(r: &Realisation) -> EllipsoidPair {
    let m = r.pose_b.rotation().transpose();
    let rows: [f64; 9] = std::array::from_fn(|i| m[(i % 3, i / 3)]);
    EllipsoidPair::new(&r.semi_axes_a, &r.semi_axes_b, &rows, &r.pose_b.position.into())
}

/// The best reading over all starts.
pub fn reading(r: &Realisation) -> Reading {
    let pair = pair(r);
    let mut best = pair.climb(&pair.start()).at;
    if best.f < 0.0 && !pair.is_global(&best) {
        for k in 0..27 {
            let d = [(k % 3) as f64 - 1.0, (k / 3 % 3) as f64 - 1.0, (k / 9) as f64 - 1.0];
            if k != 13 {
                let other = pair.climb(&d).at;
                if other.f > best.f {
                    best = other;
                }
            }
        }
    }
    best
}

/// The signed gap in m.
pub fn gap(r: &Realisation) -> Result<f64> {
    Ok(reading(r).f)
}
