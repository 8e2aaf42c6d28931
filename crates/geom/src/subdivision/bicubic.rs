//! The regular patch of Catmull and Clark's scheme: a quadrilateral all of whose corners have four neighbours.
//!
//! Over the unit square the surface is the uniform bicubic B-spline x(s, t) = Σ Pᵢⱼ Nᵢ(s) Nⱼ(t), i, j from 0 to 3, with
//! 6N₀ = (1 − s)³, 6N₁ = 3s³ − 6s² + 4, 6N₂ = −3s³ + 3s² + 3s + 1, 6N₃ = s³. The square lies between the points of
//! indices one and two. Nothing is allocated.

use crate::Vec3;
use crate::surface::ParametricJet;

/// Control points of a regular patch, in either direction.
pub(super) const ORDER: usize = 4;

/// Pᵢⱼ at `[j][i]`.
pub(super) type Grid = [[Vec3; ORDER]; ORDER];

/// The four B-splines at s: derivatives of order k in row k.
#[inline]
fn basis(s: f64) -> [[f64; ORDER]; 4] {
    let r = 1.0 - s;
    let (s2, r2) = (s * s, r * r);
    [
        // N₁(s) = N₂(1 − s) as sums of what is positive within the square.
        [
            r2 * r / 6.0,
            (1.0 + 3.0 * r * (1.0 + r * (1.0 - r))) / 6.0,
            (1.0 + 3.0 * s * (1.0 + s * (1.0 - s))) / 6.0,
            s2 * s / 6.0,
        ],
        [-0.5 * r2, s * (1.5 * s - 2.0), r * (2.0 - 1.5 * r), 0.5 * s2],
        [r, 3.0 * s - 2.0, 1.0 - 3.0 * s, s],
        [-1.0, 3.0, -3.0, 1.0],
    ]
}

/// The point at (s, t) and its derivatives to third order.
pub(super) fn jet(control: &Grid, s: f64, t: f64) -> ParametricJet {
    let (bs, bt) = (basis(s), basis(t));
    // Relative to a point of the net: far from the origin derivatives keep their digits.
    let origin = control[1][1];
    let mut d = [[Vec3::zeros(); 4]; 4];
    for (j, points) in control.iter().enumerate() {
        let points = points.map(|p| p - origin);
        for k in 0..4 {
            let row =
                points[0] * bs[k][0] + points[1] * bs[k][1] + points[2] * bs[k][2] + points[3] * bs[k][3];
            for l in 0..4 - k {
                d[k][l] += row * bt[l][j];
            }
        }
    }
    ParametricJet {
        p: origin + d[0][0],
        du: d[1][0],
        dv: d[0][1],
        duu: d[2][0],
        duv: d[1][1],
        dvv: d[0][2],
        duuu: d[3][0],
        duuv: d[2][1],
        duvv: d[1][2],
        dvvv: d[0][3],
    }
}

/// Bézier points of a cubic from those of the B-spline.
fn bezier(p: [Vec3; ORDER]) -> [Vec3; ORDER] {
    let [a, b, c, d] = p;
    let (left, right) = ((b * 2.0 + c) / 3.0, (b + c * 2.0) / 3.0);
    [(a + b * 4.0 + c) / 6.0, left, right, (b + c * 4.0 + d) / 6.0]
}

/// The Bernstein coefficients of x_s × x_t over the unit square, of degree five either way: with the points a_ij of
/// x_s, of the degrees 2 and 3, and b_kl of x_t they are Σ a_ij × b_kl C(2, i) C(3, k)/C(5, i + k) C(3, j) C(2, l)/C(5,
/// j + l).
pub(super) fn normals(control: &Grid) -> [[Vec3; 6]; 6] {
    const TWO: [f64; 3] = [1.0, 2.0, 1.0];
    const THREE: [f64; 4] = [1.0, 3.0, 3.0, 1.0];
    const FIVE: [f64; 6] = [1.0, 5.0, 10.0, 10.0, 5.0, 1.0];
    let rows = control.map(bezier);
    let columns: [[Vec3; ORDER]; ORDER] =
        std::array::from_fn(|i| bezier([rows[0][i], rows[1][i], rows[2][i], rows[3][i]]));
    let mut out = [[Vec3::zeros(); 6]; 6];
    for (i, j) in (0..3).flat_map(|i| (0..4).map(move |j| (i, j))) {
        let a = (columns[i + 1][j] - columns[i][j]) * (3.0 * TWO[i] * THREE[j]);
        for (k, l) in (0..4).flat_map(|k| (0..3).map(move |l| (k, l))) {
            let b = (columns[k][l + 1] - columns[k][l]) * (3.0 * THREE[k] * TWO[l]);
            out[i + k][j + l] += a.cross(&b) / (FIVE[i + k] * FIVE[j + l]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bernstein_coefficients_make_the_normal() {
        let control: Grid = std::array::from_fn(|j| {
            std::array::from_fn(|i| {
                let (x, y) = (i as f64, j as f64);
                Vec3::new(x + 0.2 * (y * 1.7).sin(), y - 0.1 * x * x, (1.3 * x).sin() * (0.7 * y).cos())
            })
        });
        let coefficients = normals(&control);
        for (s, t) in [(0.0, 0.0), (0.3, 0.2), (1.0, 0.4), (0.7, 0.9)] {
            let weight = |k: i32, x: f64| {
                [1.0, 5.0, 10.0, 10.0, 5.0, 1.0][k as usize] * x.powi(k) * f64::powi(1.0 - x, 5 - k)
            };
            let mut sum = Vec3::zeros();
            for (i, j) in (0..6).flat_map(|i| (0..6).map(move |j| (i, j))) {
                sum += coefficients[i as usize][j as usize] * (weight(i, s) * weight(j, t));
            }
            assert!((sum - jet(&control, s, t).normal()).norm() < 1e-13, "{sum}");
        }
    }

    #[test]
    fn a_cubic_on_the_lattice_gives_a_patch_with_its_second_order_smoothing() {
        // The bicubic B-spline smooths f to f + (f_ss + f_tt)/6 + f_sstt/36 on cubics in each variable: its second
        // moments are 1/3.
        let f = |s: f64, t: f64| Vec3::new(s * s, s * t * t, s * s * s - 2.0 * s * s * t * t);
        let control: Grid =
            std::array::from_fn(|j| std::array::from_fn(|i| f(i as f64 - 1.0, j as f64 - 1.0)));
        for (s, t) in [(0.0, 0.0), (0.2, 0.3), (1.0, 0.0), (0.1, 0.9), (1.2, -0.2)] {
            let j = jet(&control, s, t);
            let third = 1.0 / 3.0;
            let z = s * s * s + s - 2.0 * (s * s + third) * (t * t + third);
            let p = Vec3::new(s * s + third, s * (t * t + third), z);
            assert!((j.p - p).norm() < 1e-14, "{} {p}", j.p);
            let du = Vec3::new(2.0 * s, t * t + third, 3.0 * s * s + 1.0 - 4.0 * s * (t * t + third));
            assert!((j.du - du).norm() < 1e-14);
            assert!((j.duv - Vec3::new(0.0, 2.0 * t, -8.0 * s * t)).norm() < 1e-13);
            assert!((j.dvv - Vec3::new(0.0, 2.0 * s, -4.0 * (s * s + third))).norm() < 1e-13);
            assert!((j.duuu - Vec3::z() * 6.0).norm() < 1e-12 && j.dvvv.norm() < 1e-12);
            assert!((j.duuv + Vec3::z() * (8.0 * t)).norm() < 1e-12);
            assert!((j.duvv - Vec3::new(0.0, 2.0, -8.0 * s)).norm() < 1e-12);
        }
    }
}
