//! The regular patch of Loop's scheme: a triangle all of whose corners have six neighbours.
//!
//! Over the triangle (a, b, c) the surface is a quartic. With the barycentric coordinates (1 − s − t, s, t) its Bézier
//! points are 1/24 of whole multiples of the twelve control points around (J. Stam, Evaluation of Loop Subdivision
//! Surfaces, SIGGRAPH 98 course notes, appendix A, in Bernstein form). The control points are numbered a, the ring of a
//! counter-clockwise from b (b, c, r₂ … r₅), then the others x₀ … x₄ counter-clockwise from r₅ to r₂:
//!
//! ```text
//!        x4 — x3
//!       /  \ /  \
//!     r2 —  c — x2
//!    /  \  / \  / \
//!  r3 —  a  — b — x1
//!    \  /  \ / \ /
//!     r4 —  r5 — x0
//! ```
//!
//! De Casteljau's steps take the net N₄ of degree four to N₃, N₂, N₁ and the point N₀; with the differences along s and
//! t the derivatives of order m are 4!/(4 − m)! times the m-th differences of N_m.

use crate::Vec3;
use crate::surface::ParametricJet;

/// Control points of a regular patch.
pub(super) const POINTS: usize = 12;

/// Bézier points of a quartic.
const QUARTIC: usize = 15;

/// Weights in 24ths: row p gives what control point p adds to each Bézier point.
const WEIGHTS: [[u8; QUARTIC]; POINTS] = weights();

/// Directions of differences along s and along t, in barycentric coordinates.
const ALONG: [[f64; 3]; 2] = [[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]];

/// Where the Bézier point with the exponents (d − j − k, j, k) of a net of degree d is kept, whatever d.
const fn index(j: usize, k: usize) -> usize {
    (j + k) * (j + k + 1) / 2 + k
}

/// The weight of the corner with the exponent `p`.
const fn corner(p: usize, q: usize, r: usize) -> u8 {
    match (p, q, r) {
        (4 | 3, _, _) => 12,
        (2, 1, 1) => 10,
        (2, _, _) => 8,
        (1, 3, 0) | (1, 0, 3) => 4,
        (1, _, _) => 6,
        (_, 4, 0) | (_, 0, 4) => 2,
        (_, 2, 2) => 4,
        _ => 3,
    }
}

/// The weight of the point across the side of the exponents `p` and `q`.
const fn across(p: usize, q: usize, r: usize) -> u8 {
    match (p, q, r) {
        (4, 0, 0) | (0, 4, 0) => 2,
        (2, 2, 0) => 4,
        (_, _, 0) => 3,
        (_, _, 1) => 1,
        _ => 0,
    }
}

/// The weight of the other point beyond the corner of `p`, the one on the side towards the corner of `q`.
const fn beyond(p: usize, q: usize) -> u8 {
    match (p, q) {
        (4, _) => 2,
        (3, 1) => 1,
        _ => 0,
    }
}

const fn weights() -> [[u8; QUARTIC]; POINTS] {
    let mut table = [[0; QUARTIC]; POINTS];
    let mut b = 0;
    while b <= 4 {
        let mut c = 0;
        while b + c <= 4 {
            let (a, at) = (4 - b - c, index(b, c));
            let column = [
                corner(a, b, c),
                corner(b, c, a),
                corner(c, a, b),
                across(a, c, b),
                beyond(a, c),
                beyond(a, b),
                across(a, b, c),
                beyond(b, a),
                beyond(b, c),
                across(b, c, a),
                beyond(c, b),
                beyond(c, a),
            ];
            let mut p = 0;
            while p < POINTS {
                table[p][at] = column[p];
                p += 1;
            }
            c += 1;
        }
        b += 1;
    }
    table
}

/// A Bézier triangle of degree four or less; points beyond its degree are not used.
#[derive(Clone, Copy)]
struct Net {
    degree: usize,
    points: [Vec3; QUARTIC],
}

impl Net {
    /// The net of the next lower degree: an interpolation where `w` sums to one, a difference where to zero.
    fn lowered(&self, w: [f64; 3]) -> Self {
        let mut points = [Vec3::zeros(); QUARTIC];
        for j in 0..self.degree {
            for k in 0..self.degree - j {
                let [a, b, c] = [index(j, k), index(j + 1, k), index(j, k + 1)].map(|i| self.points[i]);
                points[index(j, k)] = a * w[0] + b * w[1] + c * w[2];
            }
        }
        Self { degree: self.degree - 1, points }
    }
}

fn bezier_points(control: &[Vec3; POINTS]) -> Net {
    let mut points = [Vec3::zeros(); QUARTIC];
    for (row, x) in WEIGHTS.iter().zip(control) {
        for (point, &weight) in points.iter_mut().zip(row) {
            *point += x * (f64::from(weight) / 24.0);
        }
    }
    Net { degree: 4, points }
}

/// The point at (s, t) and its derivatives to third order.
pub(super) fn jet(control: &[Vec3; POINTS], s: f64, t: f64) -> ParametricJet {
    let at = [1.0 - s - t, s, t];
    let [ds, dt] = ALONG;
    let cubic = bezier_points(control).lowered(at);
    let quadratic = cubic.lowered(at);
    let linear = quadratic.lowered(at);
    let (s2, t2) = (quadratic.lowered(ds), quadratic.lowered(dt));
    let (s3, t3) = (cubic.lowered(ds), cubic.lowered(dt));
    let (ss3, tt3) = (s3.lowered(ds), t3.lowered(dt));
    let last = |net: Net, w: [f64; 3]| net.lowered(w).points[0];
    ParametricJet {
        p: last(linear, at),
        du: last(linear, ds) * 4.0,
        dv: last(linear, dt) * 4.0,
        duu: last(s2, ds) * 12.0,
        duv: last(s2, dt) * 12.0,
        dvv: last(t2, dt) * 12.0,
        duuu: last(ss3, ds) * 24.0,
        duuv: last(ss3, dt) * 24.0,
        duvv: last(tt3, ds) * 24.0,
        dvvv: last(tt3, dt) * 24.0,
    }
}

/// Bézier points of the product of two cubics.
const SEXTIC: usize = 28;

/// The Bernstein coefficients of x_s × x_t over the triangle: with the cubics' points a_i and b_j they are
/// Σ a_i × b_j C(3; i) C(3; j)/C(6; i + j) over i + j = k, C(d; i) the multinomial coefficients.
pub(super) fn normals(control: &[Vec3; POINTS]) -> [Vec3; SEXTIC] {
    let factorial = |n: usize| (1..=n).map(|x| x as f64).product::<f64>();
    let multinomial =
        |d: usize, j: usize, k: usize| factorial(d) / (factorial(j) * factorial(k) * factorial(d - j - k));
    let net = bezier_points(control);
    let [a, b] = ALONG.map(|way| net.lowered(way));
    let places = || (0..=3usize).flat_map(|j| (0..=3 - j).map(move |k| [j, k]));
    let mut out = [Vec3::zeros(); SEXTIC];
    for [i, j] in places() {
        let first = a.points[index(i, j)] * multinomial(3, i, j);
        for [k, l] in places() {
            let weight = multinomial(3, k, l) / multinomial(6, i + k, j + l);
            out[index(i + k, j + l)] += first.cross(&b.points[index(k, l)]) * weight;
        }
    }
    // Four times both differences.
    out.map(|n| n * 16.0)
}

/// A regular patch by its Taylor coefficients about the middle of the triangle, which are evaluated in a fifth of the
/// time that de Casteljau's steps take. Within the triangle s and t are at most 2/3 from the middle: powers fall, and
/// no digits are lost.
#[derive(Debug, Clone)]
pub(super) struct Quartic([Vec3; QUARTIC]);

impl Quartic {
    pub(super) fn new(control: &[Vec3; POINTS]) -> Self {
        let [ds, dt] = ALONG;
        let mut coefficients = [Vec3::zeros(); QUARTIC];
        for j in 0..=4 {
            for k in 0..=4 - j {
                let mut net = bezier_points(control);
                let mut factor = 1.0;
                for step in 0..4 {
                    let (way, order) = if step < j { (ds, step + 1) } else { (dt, step + 1 - j) };
                    if step < j + k {
                        factor *= (4 - step) as f64 / order as f64;
                        net = net.lowered(way);
                    } else {
                        net = net.lowered([1.0 / 3.0; 3]);
                    }
                }
                coefficients[index(j, k)] = net.points[0] * factor;
            }
        }
        Self(coefficients)
    }

    /// The point at (s, t) and its derivatives to third order.
    #[inline]
    pub(super) fn jet(&self, s: f64, t: f64) -> ParametricJet {
        let (x, y) = (s - 1.0 / 3.0, t - 1.0 / 3.0);
        let (xx, xy, yy) = (x * x, x * y, y * y);
        let (xxx, yyy) = (xx * x, yy * y);
        let powers =
            [1.0, x, y, xx, xy, yy, xxx, xx * y, x * yy, yyy, xx * xx, xxx * y, xx * yy, x * yyy, yy * yy];
        ParametricJet {
            p: self.derivative::<0, 0>(&powers),
            du: self.derivative::<1, 0>(&powers),
            dv: self.derivative::<0, 1>(&powers),
            duu: self.derivative::<2, 0>(&powers),
            duv: self.derivative::<1, 1>(&powers),
            dvv: self.derivative::<0, 2>(&powers),
            duuu: self.derivative::<3, 0>(&powers),
            duuv: self.derivative::<2, 1>(&powers),
            duvv: self.derivative::<1, 2>(&powers),
            dvvv: self.derivative::<0, 3>(&powers),
        }
    }

    /// The derivative of order A in s and B in t, from the powers of the distances.
    #[inline]
    fn derivative<const A: usize, const B: usize>(&self, powers: &[f64; QUARTIC]) -> Vec3 {
        let falling = |n: usize, k: usize| (n + 1 - k..=n).map(|x| x as f64).product::<f64>();
        let mut sum = Vec3::zeros();
        // The small terms first.
        for order in (A + B..=4).rev() {
            for k in B..=order - A {
                let j = order - k;
                sum += self.0[index(j, k)] * (falling(j, A) * falling(k, B) * powers[index(j - A, k - B)]);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The control points' places in the (s, t) plane.
    const PLACES: [[f64; 2]; POINTS] = [
        [0.0, 0.0],
        [1.0, 0.0],
        [0.0, 1.0],
        [-1.0, 1.0],
        [-1.0, 0.0],
        [0.0, -1.0],
        [1.0, -1.0],
        [2.0, -1.0],
        [2.0, 0.0],
        [1.0, 1.0],
        [0.0, 2.0],
        [-1.0, 2.0],
    ];

    #[test]
    fn bernstein_coefficients_make_the_normal() {
        let control = PLACES.map(|[s, t]| Vec3::new((1.1 * s).sin() + t, (s + 2.0 * t).cos(), s * t * t));
        let coefficients = normals(&control);
        let factorial = |n: usize| (1..=n).map(|x| x as f64).product::<f64>();
        for (s, t) in [(0.0, 0.0), (0.3, 0.2), (0.6, 0.4), (0.1, 0.9)] {
            let mut sum = Vec3::zeros();
            for j in 0..=6 {
                for k in 0..=6 - j {
                    let i = 6 - j - k;
                    let many = 720.0 / (factorial(i) * factorial(j) * factorial(k));
                    let powers = f64::powi(1.0 - s - t, i as i32) * s.powi(j as i32) * t.powi(k as i32);
                    sum += coefficients[index(j, k)] * (many * powers);
                }
            }
            assert!((sum - jet(&control, s, t).normal()).norm() < 1e-13, "{sum}");
        }
    }

    #[test]
    fn weights_are_a_partition_of_unity() {
        for at in 0..QUARTIC {
            assert_eq!(WEIGHTS.iter().map(|row| u32::from(row[at])).sum::<u32>(), 24, "{at}");
        }
    }

    #[test]
    fn a_cubic_on_the_lattice_gives_a_patch_with_its_second_order_smoothing() {
        // The box spline smooths f to f + (f_ss − f_st + f_tt)/6 on cubics: its second moments are those of one
        // lattice hexagon, E[s²] = E[t²] = 1/3, E[st] = −1/6.
        let control = PLACES.map(|[s, t]| Vec3::new(s * s, s * t, s * s * s - 2.0 * s * t * t));
        for (s, t) in [(0.0, 0.0), (0.2, 0.3), (1.0, 0.0), (0.1, 0.9)] {
            let j = jet(&control, s, t);
            let z = s * s * s - 2.0 * s * t * t + (6.0 * s + 4.0 * t - 4.0 * s) / 6.0;
            assert!((j.p - Vec3::new(s * s + 1.0 / 3.0, s * t - 1.0 / 6.0, z)).norm() < 1e-14, "{}", j.p);
            let du = Vec3::new(2.0 * s, t, 3.0 * s * s - 2.0 * t * t + 1.0 / 3.0);
            assert!((j.du - du).norm() < 1e-14 && (j.duv - Vec3::new(0.0, 1.0, -4.0 * t)).norm() < 1e-13);
            assert!((j.duuu - Vec3::z() * 6.0).norm() < 1e-12 && (j.duvv + Vec3::z() * 4.0).norm() < 1e-12);
            assert!(j.duuv.norm() < 1e-12 && j.dvvv.norm() < 1e-12);
        }
    }

    #[test]
    fn taylor_coefficients_give_the_same_jet_as_the_steps_of_de_casteljau() {
        let control = PLACES.map(|[s, t]| Vec3::new((3.0 * s).sin(), (s + 2.0 * t).cos(), s * t * t));
        let quartic = Quartic::new(&control);
        for (s, t) in [(0.0, 0.0), (0.2, 0.3), (1.0, 0.0), (0.1, 0.9), (-0.2, 0.4), (0.5, 0.7)] {
            let (a, b) = (jet(&control, s, t), quartic.jet(s, t));
            let all =
                |j: &ParametricJet| [j.p, j.du, j.dv, j.duu, j.duv, j.dvv, j.duuu, j.duuv, j.duvv, j.dvvv];
            for (x, y) in all(&a).iter().zip(all(&b)) {
                assert!((x - y).norm() < 1e-13, "{s} {t}: {x} {y}");
            }
        }
    }
}
