//! A potential as a series of real spherical harmonics, evaluated without angles.
//!
//! g(n) = Σ c_lm Y_lm(n), ∫Y_lm Y_kj dω = δ, with Y_l0 = √((2l+1)/4π) P_l(z) and, for m > 0,
//! Y_{l,±m} = √(2(2l+1)/4π · (l−m)!/(l+m)!) P_l^m(z) {cos, sin}(mφ), P_l^m without the Condon–Shortley phase. c_lm is
//! kept at l² + l + m, in metres. Degree 0 is the ball of radius c₀₀/√4π, degree 1 the translation
//! √(3/4π)(c₁₁, c₁₋₁, c₁₀).
//!
//! On the unit sphere g equals the polynomial p = Σ p_l = Σ c_lm × solid harmonic (see `solid`), whose derivatives are
//! exact. With e = n/|n|, P = 1 − eeᵀ, s = p − e·∇p at e, the extension of degree one is
//!
//! > h = ∣n∣p, ∇h = pe + P∇p, ∣n∣∇²h = P∇²pP + sP,
//! > ∣n∣²∇³h[d] = P∇³p[d]P + Ṗ∇²pP + P∇²pṖ − (e·∇²p d)P + sṖ, Ṗ = −(deᵀ + edᵀ), for d ⊥ e,
//!
//! and ∇³h[e] = −∇²h/∣n∣. By Euler s = Σ (1 − l) p_l: the radii are summed without the translation, whose rounding
//! would drown those of a body far from the origin.

use super::expression::length;
use super::solid::{derivative, index, norm, walk};
use crate::error::{GeomError, LENGTHS, Result, within};
use crate::surface::{Support, SupportJet};
use crate::taylor::Taylor;
use crate::{Mat3, Vec3};
use std::f64::consts::PI;
use std::sync::Arc;

/// The highest degree accepted: (2·32)! still has room in a double.
pub const MAX_DEGREE: usize = 32;

/// p; p_x p_y p_z; p_xx p_xy p_xz p_yy p_yz; s; p_xxx p_xxy p_xxz p_xyy p_xyz p_yyy p_yyz. The others follow from
/// ∇·∇p = 0.
const COLUMNS: usize = 17;
/// The column of s.
const S: usize = 9;

/// A series of real spherical harmonics.
#[derive(Debug, Clone, PartialEq)]
pub struct Harmonics {
    degree: usize,
    coefficients: Arc<[f64]>,
    /// Per solid harmonic its coefficient in p and in the derivatives of p.
    table: Arc<[[f64; COLUMNS]]>,
}

impl Harmonics {
    /// A series from its degree and its (degree + 1)² orthonormal coefficients in metres, c_lm at l² + l + m.
    pub fn new(degree: usize, coefficients: &[f64]) -> Result<Self> {
        within("degree", degree as f64, 0.0, MAX_DEGREE as f64, &format!("at most {MAX_DEGREE}"))?;
        let wanted = (degree + 1) * (degree + 1);
        if coefficients.len() != wanted {
            return Err(GeomError::Inconsistent {
                field: "coefficients".to_owned(),
                found: format!("{} numbers for degree {degree}", coefficients.len()),
                allowed: format!("{wanted} numbers, one per degree and order"),
            });
        }
        let mut solid = vec![0.0; wanted];
        for l in 0..=degree {
            for m in -(l as isize)..=l as isize {
                let k = index(l, m);
                let field = format!("coefficients[{k}]");
                let most = LENGTHS[1];
                solid[k] = norm(l, m.unsigned_abs())
                    * within(&field, coefficients[k], -most, most, "at most 1e20 m, either way")?;
            }
        }
        Ok(Self { degree, coefficients: coefficients.into(), table: tabulate(degree, solid).into() })
    }

    /// The highest degree of the series.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// The orthonormal coefficients in metres, c_lm at l² + l + m.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// Where c_lm is kept, for −l ≤ m ≤ l.
    pub fn index(l: usize, m: isize) -> usize {
        index(l, m)
    }

    /// sup |f_l| over the sphere, at most: for the part f_l of degree l, by the addition theorem
    /// Σ_m Y_lm² = (2l + 1)/4π and Cauchy–Schwarz.
    pub(super) fn degree_bound(&self, l: usize) -> f64 {
        let squares: f64 = self.coefficients[l * l..(l + 1) * (l + 1)].iter().map(|c| c * c).sum();
        (squares * (2 * l + 1) as f64 / (4.0 * PI)).sqrt()
    }

    /// The first `N` columns of the table, summed at the unit normal `e`.
    #[inline]
    fn sums<const N: usize>(&self, e: &Vec3) -> [f64; N] {
        let mut sums = [0.0; N];
        walk(self.degree, &[e.x, e.y, e.z], |k, value: f64| {
            let row = &self.table[k];
            for j in 0..N {
                sums[j] += row[j] * value;
            }
        });
        sums
    }

    /// The jet at n and ∇³h along two directions, from one walk over the series.
    pub(super) fn jet_and_thirds(&self, n: &Vec3, directions: [&Vec3; 2]) -> (SupportJet, [Mat3; 2]) {
        let length = n.norm();
        let e = n / length;
        let sums: [f64; COLUMNS] = self.sums(&e);
        (jet(&sums, &e, length), directions.map(|d| third(&sums, &e, length, d)))
    }

    /// ∇h of a normal given as series in two parameters.
    pub(super) fn gradient_taylor(&self, n: &[Taylor; 3]) -> [Taylor; 3] {
        let inverse = length(n).recip();
        let e = n.map(|x| x * inverse);
        let mut sums = [Taylor::constant(0.0); 4];
        walk(self.degree, &e, |k, value: Taylor| {
            for (sum, column) in sums.iter_mut().zip([1, 2, 3, S]) {
                *sum = *sum + value * self.table[k][column];
            }
        });
        let [px, py, pz, s] = sums;
        [px + e[0] * s, py + e[1] * s, pz + e[2] * s]
    }
}

/// The orthonormal harmonics up to `degree` at a unit normal, written to `out`.
pub(super) fn basis(degree: usize, norms: &[f64], e: &Vec3, out: &mut [f64]) {
    walk(degree, &[e.x, e.y, e.z], |k, value: f64| out[k] = norms[k] * value);
}

/// The factors [`basis`] needs.
pub(super) fn norms(degree: usize) -> Vec<f64> {
    (0..=degree).flat_map(|l| (-(l as isize)..=l as isize).map(move |m| norm(l, m.unsigned_abs()))).collect()
}

fn tabulate(degree: usize, solid: Vec<f64>) -> Vec<[f64; COLUMNS]> {
    let d = |a: &[f64], axis| derivative(degree, a, axis);
    let (x, y, z) = (d(&solid, 0), d(&solid, 1), d(&solid, 2));
    let (xx, xy, xz, yy, yz) = (d(&x, 0), d(&x, 1), d(&x, 2), d(&y, 1), d(&y, 2));
    let third = [d(&xx, 0), d(&xx, 1), d(&xx, 2), d(&xy, 1), d(&xy, 2), d(&yy, 1), d(&yy, 2)];
    let [xxx, xxy, xxz, xyy, xyz, yyy, yyz] = third;
    let degrees = (0..=degree).flat_map(|l| std::iter::repeat_n(l as f64, 2 * l + 1));
    let s = degrees.zip(&solid).map(|(l, c)| (1.0 - l) * c).collect();
    let columns = [solid, x, y, z, xx, xy, xz, yy, yz, s, xxx, xxy, xxz, xyy, xyz, yyy, yyz];
    (0..columns[0].len()).map(|k| std::array::from_fn(|j| columns[j][k])).collect()
}

fn second(s: &[f64]) -> Mat3 {
    let zz = -(s[4] + s[7]);
    Mat3::new(s[4], s[5], s[6], s[5], s[7], s[8], s[6], s[8], zz)
}

/// ∇³p[d].
fn third_along(s: &[f64; COLUMNS], d: &Vec3) -> Mat3 {
    let [xxx, xxy, xxz, xyy, xyz, yyy, yyz] = [s[10], s[11], s[12], s[13], s[14], s[15], s[16]];
    let (xzz, yzz, zzz) = (-(xxx + xyy), -(xxy + yyy), -(xxz + yyz));
    Mat3::new(xxx, xxy, xxz, xxy, xyy, xyz, xxz, xyz, xzz) * d.x
        + Mat3::new(xxy, xyy, xyz, xyy, yyy, yyz, xyz, yyz, yzz) * d.y
        + Mat3::new(xxz, xyz, xzz, xyz, yyz, yzz, xzz, yzz, zzz) * d.z
}

impl Support for Harmonics {
    fn support(&self, n: &Vec3) -> f64 {
        let length = n.norm();
        let [p] = self.sums(&(n / length));
        length * p
    }

    fn support_point(&self, n: &Vec3) -> Vec3 {
        let e = n.normalize();
        let [p, x, y, z] = self.sums(&e);
        let gradient = Vec3::new(x, y, z);
        gradient + e * (p - e.dot(&gradient))
    }

    fn support_jet(&self, n: &Vec3) -> SupportJet {
        let length = n.norm();
        let e = n / length;
        jet(&self.sums::<10>(&e), &e, length)
    }

    fn support_third(&self, n: &Vec3, d: &Vec3) -> Mat3 {
        let length = n.norm();
        let e = n / length;
        third(&self.sums(&e), &e, length, d)
    }
}

/// h and its derivatives from the sums at e.
fn jet(sums: &[f64], e: &Vec3, length: f64) -> SupportJet {
    let gradient = Vec3::new(sums[1], sums[2], sums[3]);
    let projector = Mat3::identity() - e * e.transpose();
    let hessian = (projector * second(sums) * projector + projector * sums[S]) / length;
    let point = gradient + e * (sums[0] - e.dot(&gradient));
    SupportJet { value: sums[0] * length, point, hessian }
}

/// ∇³h[d] from the sums at e.
fn third(sums: &[f64; COLUMNS], e: &Vec3, length: f64, d: &Vec3) -> Mat3 {
    let along = e.dot(d);
    let t = d - e * along;
    let s = sums[S];
    let m = second(sums);
    let projector = Mat3::identity() - e * e.transpose();
    let turn = t * e.transpose();
    let rate = -(turn + turn.transpose());
    let bent = rate * m * projector;
    let moved = projector * third_along(sums, &t) * projector + bent + bent.transpose()
        - projector * e.dot(&(m * t))
        + rate * s;
    let hessian = projector * m * projector + projector * s;
    (moved - hessian * along) / (length * length)
}
