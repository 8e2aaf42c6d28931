//! Integrals and extrema over bodies that are symmetric about the three coordinate planes, such as superquadrics:
//! one octant is enough, but its borders and diagonals are where the surface bends.

use crate::error::Result;
use crate::{Vec3, quadrature};
use std::f64::consts::FRAC_PI_2;

/// The relative accuracy of areas.
const AREA_TOLERANCE: f64 = 1e-9;

/// t ↦ t⁴(35 − 84t + 70t² − 20t³) and its derivative: flat at both ends, so that an integrand with a root or a power
/// there becomes smooth.
fn smooth_step(t: f64) -> (f64, f64) {
    let s = 1.0 - t;
    (t.powi(4) * (35.0 - 84.0 * t + 70.0 * t * t - 20.0 * t.powi(3)), 140.0 * (t * s).powi(3))
}

/// The direction at (u, v) ∈ [0, 1]² of the octant, and the solid angle per du dv.
fn direction(u: f64, v: f64) -> (Vec3, f64) {
    let ((s, ds), (z, dz)) = (smooth_step(u), smooth_step(v));
    let (longitude, latitude) = (s * FRAC_PI_2, z * FRAC_PI_2);
    let ring = latitude.cos();
    let d = Vec3::new(ring * longitude.cos(), ring * longitude.sin(), latitude.sin());
    (d, ds * dz * ring * FRAC_PI_2 * FRAC_PI_2)
}

/// Area of the surface whose point and gradient on the ray A u are `ray(u)`: with y = A⁻¹x = ru,
/// dA = ∣det A · A⁻¹ dS_y∣, dS_y = r² g_y/(u·g_y) dω, g_y = A g.
pub(super) fn area(semi_axes: &Vec3, ray: impl Fn(&Vec3) -> (Vec3, Vec3)) -> Result<f64> {
    let det = semi_axes.product();
    let [sum] = quadrature::adaptive([0.0, 1.0], [0.0, 1.0], AREA_TOLERANCE, 60_000, |u, v| {
        let (dir, weight) = direction(u, v);
        let (x, g) = ray(&dir);
        let y = x.component_div(semi_axes);
        [det * y.norm_squared() * g.norm() / dir.dot(&semi_axes.component_mul(&g)) * weight]
    })?;
    Ok(8.0 * sum)
}

/// Least and greatest curvature over the open octant: a grid, then a pattern search from its extremes.
pub(super) fn range(kappa: impl Fn(&Vec3) -> Result<[f64; 2]>) -> Result<[f64; 2]> {
    const GRID: usize = 96;
    let at = |u: f64, v: f64, which: usize| -> Result<f64> {
        let inside = |t: f64| t.clamp(1e-9, 1.0 - 1e-9);
        Ok(kappa(&direction(inside(u), inside(v)).0)?[which])
    };
    let mut range = [0.0; 2];
    // The least is among the second curvatures, the greatest among the first; `sign` turns it into a maximum.
    for (slot, which, sign) in [(0, 1, -1.0), (1, 0, 1.0)] {
        let mut best = (f64::NEG_INFINITY, 0.0, 0.0);
        for i in 0..=GRID {
            for j in 0..=GRID {
                let (u, v) = (i as f64 / GRID as f64, j as f64 / GRID as f64);
                let k = sign * at(u, v, which)?;
                if k > best.0 {
                    best = (k, u, v);
                }
            }
        }
        let mut step = 1.0 / GRID as f64;
        // Halved from 1e-2 to 1e-9: the value at an extremum is then right to rounding.
        while step > 1e-9 {
            let mut moved = false;
            for (du, dv) in [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)] {
                let (u, v) = ((best.1 + du).clamp(0.0, 1.0), (best.2 + dv).clamp(0.0, 1.0));
                let k = sign * at(u, v, which)?;
                if k > best.0 {
                    best = (k, u, v);
                    moved = true;
                }
            }
            if !moved {
                step *= 0.5;
            }
        }
        range[slot] = sign * best.0;
    }
    Ok(range)
}

/// The range with what the exponents say of the borders: above two a flat spot, below two an edge.
pub(super) fn singular_range(exponents: &[f64], low: f64, high: f64) -> [f64; 2] {
    let flat = exponents.iter().any(|&g| g > 2.0);
    let edge = exponents.iter().any(|&g| g < 2.0);
    [if flat { 0.0 } else { low }, if edge { f64::INFINITY } else { high }]
}
