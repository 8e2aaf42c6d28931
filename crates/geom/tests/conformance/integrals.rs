use super::catalog::{Entry, all};
use rattleback_geom::quadrature::gauss_legendre;
use rattleback_geom::surface::ParametricJet;
use std::f64::consts::PI;

/// ∫ f over the parameters with a product Gauss rule on cells that are graded towards every eighth of the domain,
/// where coordinates of the surfaces at hand vanish.
fn integrate<const N: usize>(entry: &Entry, f: impl Fn(&ParametricJet) -> [f64; N]) -> [f64; N] {
    let x = entry.surface.as_parametric().unwrap();
    let domain = x.domain();
    let rule = gauss_legendre(32);
    let graded = |[low, high]: [f64; 2]| -> Vec<(f64, f64)> {
        let cell = (high - low) / 8.0;
        let mut nodes = Vec::new();
        for k in 0..8 {
            for (t, w) in &rule {
                // Smooth step of fifth order: its derivative vanishes quadratically at both ends.
                let s = 0.5 * (1.0 + t);
                let step = s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
                let slope = 30.0 * s * s * (1.0 - s) * (1.0 - s);
                nodes.push((low + cell * (k as f64 + step), cell * 0.5 * w * slope));
            }
        }
        nodes
    };
    let mut sum = [0.0; N];
    let (us, vs) = (graded(domain.u), graded(domain.v));
    for &(u, wu) in &us {
        for &(v, wv) in &vs {
            let values = f(&x.jet(u, v));
            for k in 0..N {
                sum[k] += wu * wv * values[k];
            }
        }
    }
    sum
}

#[test]
fn total_curvature_is_two_pi_times_the_euler_characteristic() {
    for entry in all() {
        let (Some(euler), Some(_)) = (entry.euler, entry.surface.as_parametric()) else { continue };
        let [total] = integrate(&entry, |jet| {
            let k = entry.surface.curvature_at(&jet.p).unwrap();
            [k.gaussian() * jet.normal().norm()]
        });
        assert!((total - 2.0 * PI * euler).abs() < 2e-6, "{}: {total}", entry.name);
    }
}

#[test]
fn area_volume_centre_and_second_moments_agree_with_quadrature() {
    for entry in all() {
        if !entry.covers {
            continue;
        }
        let moments = entry.surface.moments().unwrap();
        let [area, volume, fx, fy, fz, xx, yy, zz, xy, yz, zx] = integrate(&entry, |jet| {
            let n = jet.normal();
            let (p, flux) = (jet.p, jet.p.dot(&n));
            // Divergence theorem: ∫f dV = ∮ f p·n/(3 + k) for f homogeneous of degree k.
            let (third, fourth, fifth) = (flux / 3.0, flux / 4.0, flux / 5.0);
            [
                n.norm(),
                third,
                p.x * fourth,
                p.y * fourth,
                p.z * fourth,
                p.x * p.x * fifth,
                p.y * p.y * fifth,
                p.z * p.z * fifth,
                p.x * p.y * fifth,
                p.y * p.z * fifth,
                p.z * p.x * fifth,
            ]
        });
        let size = entry.surface.bounds().diagonal();
        let close = |what: &str, a: f64, b: f64, scale: f64| {
            assert!((a - b).abs() < 1e-7 * scale, "{}: {what} {a} {b}", entry.name);
        };
        close("area", entry.surface.area().unwrap(), area, area);
        close("volume", moments.volume, volume, volume);
        for (k, f) in [fx, fy, fz].into_iter().enumerate() {
            close("first moment", moments.first[k], f, volume * size);
        }
        let second = moments.second;
        for (i, j, f) in [(0, 0, xx), (1, 1, yy), (2, 2, zz), (0, 1, xy), (1, 2, yz), (2, 0, zx)] {
            close("second moment", second[(i, j)], f, volume * size * size);
        }
    }
}
