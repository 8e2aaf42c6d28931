//! Signs of determinants without error.
//!
//! Sums of products are first taken in floating point with a bound of their error (Shewchuk, "Adaptive precision
//! floating-point arithmetic and fast robust geometric predicates", 1997). Where the bound leaves the sign open they
//! are taken again as an expansion: an unevaluated sum of doubles that do not overlap, to which a double is added
//! without error (his theorem 10). A difference of doubles is a sum of two, a product of doubles too.
//!
//! Exact as long as nothing under- or overflows: for coordinates that are zero or lie between 1e-70 and 1e70 m.

use crate::Vec3;
use crate::double_double::{two_product, two_sum};

/// Half a unit in the last place of one.
const HALF: f64 = 0.5 * f64::EPSILON;

/// Of the error of [`determinant`], relative to the sum of the absolute values of its terms (Shewchuk's bound A).
const DETERMINANT_ERROR: f64 = (7.0 + 56.0 * HALF) * HALF;

/// Of the error of a difference of two products of differences, relative to the sum of their absolute values.
const CROSS_ERROR: f64 = (3.0 + 16.0 * HALF) * HALF;

/// A determinant beyond so many times its bound has eleven digits at least.
const ACCURATE: f64 = 1e11;

/// The greatest number of terms: six products of three differences, eight triple products each, four doubles per
/// product.
const TERMS: usize = 192;

/// A sum of doubles that do not overlap, in rising order.
struct Expansion {
    terms: [f64; TERMS],
    count: usize,
}

impl Expansion {
    fn new() -> Self {
        Self { terms: [0.0; TERMS], count: 0 }
    }

    /// Adds a double; terms that vanish are left out.
    fn add(&mut self, x: f64) {
        let mut sum = x;
        let mut kept = 0;
        for k in 0..self.count {
            let (s, error) = two_sum(sum, self.terms[k]);
            sum = s;
            if error != 0.0 {
                self.terms[kept] = error;
                kept += 1;
            }
        }
        if sum != 0.0 {
            self.terms[kept] = sum;
            kept += 1;
        }
        self.count = kept;
    }

    /// The sum, rounded: its sign is right, it vanishes only where the sum does.
    fn value(&self) -> f64 {
        self.terms[..self.count].iter().sum()
    }
}

/// x − y as two doubles.
fn difference(x: f64, y: f64) -> [f64; 2] {
    let (s, error) = two_sum(x, -y);
    [s, error]
}

/// The sign of det[b − a, c − a, d − a], positive where d lies on the side of (b − a) × (c − a).
#[inline]
pub fn orientation(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> i8 {
    let (value, bound) = determinant(a, b, c, d);
    if value.abs() > bound { sign(value) } else { sign(exact_determinant(a, b, c, d)) }
}

/// det[b − a, c − a, d − a] with eleven digits at least.
pub fn accurate_determinant(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> f64 {
    let (value, bound) = determinant(a, b, c, d);
    if value.abs() > ACCURATE * bound { value } else { exact_determinant(a, b, c, d) }
}

/// det[b − a, c − a, d − a] and the bound of its error.
#[inline]
fn determinant(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> (f64, f64) {
    let (u, v, w) = (b - a, c - a, d - a);
    let (p, q) = (v.y * w.z, v.z * w.y);
    let (r, s) = (v.z * w.x, v.x * w.z);
    let (t, o) = (v.x * w.y, v.y * w.x);
    let value = u.x * (p - q) + u.y * (r - s) + u.z * (t - o);
    let all =
        u.x.abs() * (p.abs() + q.abs()) + u.y.abs() * (r.abs() + s.abs()) + u.z.abs() * (t.abs() + o.abs());
    (value, DETERMINANT_ERROR * all)
}

#[cold]
fn exact_determinant(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> f64 {
    let rows = [b, c, d].map(|p| [0, 1, 2].map(|i| difference(p[i], a[i])));
    let mut sum = Expansion::new();
    for (x, y, z, even) in [
        (0, 1, 2, true),
        (1, 2, 0, true),
        (2, 0, 1, true),
        (0, 2, 1, false),
        (1, 0, 2, false),
        (2, 1, 0, false),
    ] {
        for u in rows[0][x] {
            for v in rows[1][y] {
                let (p, e) = two_product(if even { u } else { -u }, v);
                for w in rows[2][z] {
                    for part in [p, e] {
                        let (p, e) = two_product(part, w);
                        sum.add(e);
                        sum.add(p);
                    }
                }
            }
        }
    }
    sum.value()
}

/// The sign of the first component of (q − p) × (b − a) that does not vanish; zero where the two are parallel.
pub fn cross_sign(p: &Vec3, q: &Vec3, a: &Vec3, b: &Vec3) -> i8 {
    [(1, 2), (2, 0), (0, 1)]
        .into_iter()
        .map(|(i, j)| component(p, q, a, b, i, j))
        .find(|s| *s != 0)
        .unwrap_or(0)
}

/// The sign of (q − p)_i (b − a)_j − (q − p)_j (b − a)_i.
fn component(p: &Vec3, q: &Vec3, a: &Vec3, b: &Vec3, i: usize, j: usize) -> i8 {
    let (left, right) = ((q[i] - p[i]) * (b[j] - a[j]), (q[j] - p[j]) * (b[i] - a[i]));
    let value = left - right;
    if value.abs() > CROSS_ERROR * (left.abs() + right.abs()) {
        return sign(value);
    }
    let mut sum = Expansion::new();
    for (i, j, factor) in [(i, j, 1.0), (j, i, -1.0)] {
        for u in difference(q[i], p[i]) {
            for v in difference(b[j], a[j]) {
                let (product, error) = two_product(factor * u, v);
                sum.add(error);
                sum.add(product);
            }
        }
    }
    sign(sum.value())
}

#[inline]
fn sign(x: f64) -> i8 {
    i8::from(x > 0.0) - i8::from(x < 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number between −1 and 1.
    fn share(state: &mut u64) -> f64 {
        2.0 * rattleback_random::unit(state) - 1.0
    }

    /// The same with integers: coordinates are `n`/2³⁰ about an offset that makes doubles round.
    fn integer(points: [[i64; 3]; 4]) -> i128 {
        let d = |k: usize, i: usize| i128::from(points[k][i] - points[0][i]);
        let minor = |i: usize, j: usize| d(2, i) * d(3, j) - d(2, j) * d(3, i);
        d(1, 0) * minor(1, 2) + d(1, 1) * minor(2, 0) + d(1, 2) * minor(0, 1)
    }

    #[test]
    fn orientations_of_nearly_flat_tetrahedra_are_those_of_integers() {
        let mut random = 3;
        let mut seen = [0; 3];
        for round in 0..20_000 {
            // Coordinates of up to 40 bits: products have 120 and fit, doubles of them do not.
            let mut point = || [0; 3].map(|_: i64| (share(&mut random) * (1i64 << 39) as f64) as i64);
            let (a, b, c) = (point(), point(), point());
            let near = (round % 3) as i64 - 1;
            let d = [0, 1, 2].map(|i| (a[i] + b[i]) / 2 + near * i64::from(i == (round % 2) as usize));
            let even = [a, b].map(|p| p.map(|x| x & !1));
            let points = [even[0], even[1], c, if round % 5 == 0 { point() } else { d }];
            let double = points.map(|p| Vec3::from(p.map(|x| x as f64 * 2f64.powi(-40))));
            let want = integer(points).signum() as i8;
            assert_eq!(orientation(&double[0], &double[1], &double[2], &double[3]), want, "{points:?}");
            let value = accurate_determinant(&double[0], &double[1], &double[2], &double[3]);
            let exact = integer(points) as f64 * 2f64.powi(-120);
            assert!((value - exact).abs() <= 1e-10 * exact.abs(), "{value} {exact}");
            seen[(want + 1) as usize] += 1;
        }
        assert!(seen.iter().all(|n| *n > 1000), "{seen:?}");
    }

    #[test]
    fn the_sign_of_a_cross_product_is_that_of_integers_even_where_edges_are_parallel() {
        let mut random = 9;
        let mut parallel = 0;
        for round in 0..20_000 {
            let mut point = || [0; 3].map(|_: i64| (share(&mut random) * (1i64 << 45) as f64) as i64);
            let (p, q, a) = (point(), point(), point());
            let mut b = [0, 1, 2].map(|i| a[i] + 3 * (q[i] - p[i]));
            if round % 2 == 0 {
                b[round % 3] += 1;
            }
            let d = |x: [i64; 3], y: [i64; 3], i: usize| i128::from(y[i] - x[i]);
            let want = [(1, 2), (2, 0), (0, 1)]
                .map(|(i, j)| d(p, q, i) * d(a, b, j) - d(p, q, j) * d(a, b, i))
                .into_iter()
                .find(|s| *s != 0)
                .unwrap_or(0);
            let [p, q, a, b] = [p, q, a, b].map(|x| Vec3::from(x.map(|x| x as f64 * 0.125)));
            assert_eq!(cross_sign(&p, &q, &a, &b), want.signum() as i8);
            parallel += i32::from(want == 0);
        }
        assert!(parallel > 5000);
    }
}
