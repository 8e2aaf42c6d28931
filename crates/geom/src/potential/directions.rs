//! Sets of directions: a quadrature rule, an even cover, and the search for an extreme over the sphere.

use crate::Vec3;
use crate::curvature::{eigen2, tangent_block, tangents};
use crate::quadrature::gauss_legendre;
use crate::surface::Support;
use std::f64::consts::PI;

/// Unit normals and weights of the Gauss–Legendre × trapezoidal rule with `order` latitudes and 2·`order`
/// longitudes: Σ w f = ∫f dω, exact for spherical harmonics up to degree 2·`order` − 1.
pub(crate) fn gauss_sphere(order: usize) -> impl Iterator<Item = (Vec3, f64)> {
    let longitudes = 2 * order;
    let share = 2.0 * PI / longitudes as f64;
    gauss_legendre(order).into_iter().flat_map(move |(z, weight)| {
        let ring = ((1.0 - z) * (1.0 + z)).sqrt();
        (0..longitudes).map(move |k| {
            let (sin, cos) = (share * (k as f64 + 0.5)).sin_cos();
            (Vec3::new(ring * cos, ring * sin, z), weight * share)
        })
    })
}

/// The 4n² + 2 lattice points with |i| + |j| + |k| = n, as unit normals: the octahedron's vertices first among them.
pub(crate) fn octahedral(n: i32) -> impl Iterator<Item = Vec3> {
    (-n..=n).flat_map(move |i| {
        let rest = n - i.abs();
        (-rest..=rest).flat_map(move |j| {
            let k = rest - j.abs();
            let both = if k == 0 { 1 } else { 2 };
            [k, -k].into_iter().take(both).map(move |k| Vec3::new(i.into(), j.into(), k.into()).normalize())
        })
    })
}

/// The two radii of curvature at the unit normal `n`, the greater one first.
pub(crate) fn radii(body: &dyn Support, n: &Vec3) -> [f64; 2] {
    let (t, b) = tangents(n);
    let [r1, r2, ..] = eigen2(tangent_block(&body.support_jet(n).hessian, &t, &b), None);
    [r1, r2]
}

/// The least value of `f` over the unit sphere as far as a search can tell, and where it was met.
///
/// A cover of 578 directions, then a compass search from the six lowest. The eigenvalues it is used on have kinks at
/// umbilics, which a compass search can handle. An extreme is flat: steps down to 1e-8 leave an error of the
/// order of rounding.
pub(crate) fn extreme(f: impl Fn(&Vec3) -> f64) -> (f64, Vec3) {
    let mut starts: Vec<(f64, Vec3)> = octahedral(12).map(|n| (f(&n), n)).collect();
    starts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut best = starts[0];
    for &(mut value, mut n) in starts.iter().take(6) {
        let mut step = 0.1;
        // At each length a bounded number of moves; 0.1·2⁻²³ ≈ 1e-8 ends the search.
        for _ in 0..24 {
            for _ in 0..8 {
                let (t, b) = tangents(&n);
                let moved = (0..8)
                    .map(|k| {
                        let (sin, cos) = (0.25 * PI * f64::from(k)).sin_cos();
                        let m = (n + (t * cos + b * sin) * step).normalize();
                        (f(&m), m)
                    })
                    .fold((value, n), |low, next| if next.0 < low.0 { next } else { low });
                if !(moved.0 < value) {
                    break;
                }
                (value, n) = moved;
            }
            step *= 0.5;
        }
        if value < best.0 {
            best = (value, n);
        }
    }
    best
}
