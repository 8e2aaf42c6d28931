//! Spline and rational spline potentials on the sphere, without angles: Römer, Remark 22.
//!
//! About each of the unit normals n_k there is a piecewise polynomial that is zero beyond an angle, the reach,
//!
//! > B_k(x) = [(n_k·x − t₀)₊/(1 − t₀)]⁷, t₀ = cos(reach),
//!
//! six times continuously differentiable, so that the curvature of a body and its slope are continuous (Proposition
//! 13). There is no pole, since it depends on n_k·n alone. With coefficients c_k in m and, for the rational form,
//! weights w_k,
//!
//! > g = a + v·n + Σ c_k B_k (spline), g = a + v·n + Σ w_k c_k B_k/Σ w_k B_k (rational, as of NURBS).
//!
//! A spline goes through given values of g at its normals: a and v are the least squares of a ball anywhere, the c_k
//! solve Σ c_k B_k(n_j) = what is left. Near a plane B is (1 − r²)⁷, whose Fourier transform J₈(ω)/ω⁸ has its first
//! zero at 12.2: for normals at a spacing s, whose greatest wave number is about 4/s, the system is well posed as long
//! as the reach is three spacings or less, [`SphericalSpline::reach_of`]; coefficients that outgrow the values are
//! refused. In the rational form the values are control values: g is a mean of those whose normals are within the
//! reach, which must leave no normal alone.
//!
//! Derivatives. p(x) = Σ c_k B_k(x), or the quotient p = N/D, is a function in all of space with
//!
//! > ∇p = (∇N − p∇D)/D, ∇²p = (∇²N − ∇p∇Dᵀ − ∇D∇pᵀ − p∇²D)/D,
//! > ∇³p[d] = (∇³N[d] − (∇D·d)∇²p − (∇p·d)∇²D − p∇³D[d] − S(∇²p d ∇Dᵀ) − S(∇p (∇²D d)ᵀ))/D, S(M) = M + Mᵀ,
//!
//! and h follows from it as in `harmonics.rs`.
//!
//! Bounds on a cap. Along a great circle t = n_k·n(s) has ∣t^(j)∣ ≤ 1, so that with b_j the greatest ∣B^(j)∣ in the cap
//!
//! > ∣f′∣ ≤ b₁, ∣f″∣ ≤ b₂ + b₁, ∣f‴∣ ≤ b₃ + 3b₂ + b₁, ∣f⁗∣ ≤ b₄ + 6b₃ + 7b₂ + b₁,
//!
//! added up over k; of a quotient ∣f^(j)∣ ≤ (∣N^(j)∣ + Σ_{i<j} C(j,i)∣f^(i)∣∣D^(j−i)∣)/min D. The forms follow as in
//! `bound.rs`: ∣∇²h∣ ≤ ∣f∣ + ∣f″∣, ∣∇³h∣ ≤ ∣f′∣ + ∣f‴∣, ∣∇⁴h∣ ≤ ∣f⁗∣ + ∣f″∣ + 3(∣f∣ + ∣f″∣) for tangents.

use super::expression::length;
use crate::error::{GeomError, Result, coordinate, direction, positive, within};
use crate::surface::{Support, SupportJet};
use crate::taylor::Taylor;
use crate::{Mat3, Vec3};
use nalgebra::{DMatrix, DVector};
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

/// The power of the polynomials.
const POWER: i32 = 7;
/// The most normals: a system of so many unknowns takes about a second.
pub const MOST_NORMALS: usize = 2000;
/// How many spacings of its normals a polynomial reaches over.
const SPACINGS: f64 = 3.0;
/// By how much coefficients may exceed the values that they make.
const OUTGROWN: f64 = 100.0;
/// The residual of the interpolation that counts as solved, in parts of the greatest value.
const SOLVED: f64 = 1e-9;

/// A polynomial about a normal.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Piece {
    normal: Vec3,
    /// c_k, or w_k c_k.
    coefficient: f64,
    /// w_k; not asked for in a plain spline.
    weight: f64,
}

/// A potential of polynomials about normals.
#[derive(Debug, Clone, PartialEq)]
pub struct SphericalSpline {
    pieces: Arc<[Piece]>,
    is_rational: bool,
    /// a and v in m.
    base: f64,
    centre: Vec3,
    /// t₀ and 1/(1 − t₀).
    least: f64,
    scale: f64,
}

/// p and its derivatives at a point; the last is along a direction.
#[derive(Debug, Clone, Copy)]
struct Jet {
    value: f64,
    gradient: Vec3,
    second: Mat3,
    third: Mat3,
}

impl SphericalSpline {
    /// The reach in rad that suits `count` normals spread over the sphere.
    pub fn reach_of(count: usize) -> f64 {
        (SPACINGS * (4.0 * PI / count.max(1) as f64).sqrt()).min(FRAC_PI_2)
    }

    /// The spline through `values` of g, in m, at `normals`, each of which reaches over the angle `reach` in rad, up
    /// to a right angle.
    pub fn interpolate(normals: &[Vec3], values: &[f64], reach: f64) -> Result<Self> {
        let normals = checked(normals, values, reach)?;
        let count = normals.len();
        let design = DMatrix::from_fn(count, 4, |j, k| if k == 0 { 1.0 } else { normals[j][k - 1] });
        let wanted = DVector::from_column_slice(values);
        let unsolved = |reached: f64| GeomError::NotConverged {
            procedure: "spline through the values of a potential",
            reached,
            wanted: SOLVED,
            iterations: 1,
        };
        let ball = design.clone().svd(true, true).solve(&wanted, 1e-12);
        let ball = ball.map_err(|_| unsolved(f64::NAN))?;
        let rest = &wanted - design * &ball;
        let mut spline = Self {
            pieces: normals.iter().map(|n| Piece { normal: *n, coefficient: 0.0, weight: 1.0 }).collect(),
            is_rational: false,
            base: ball[0],
            centre: Vec3::new(ball[1], ball[2], ball[3]),
            least: reach.cos(),
            scale: 1.0 / (1.0 - reach.cos()),
        };
        let matrix = DMatrix::from_fn(count, count, |j, k| spline.polynomial(normals[j].dot(&normals[k]))[0]);
        let solved = matrix.clone().lu().solve(&rest).ok_or_else(|| unsolved(f64::INFINITY))?;
        let residual = (matrix * &solved - &rest).amax() / wanted.amax();
        if !(residual <= SOLVED) {
            return Err(unsolved(residual));
        }
        let outgrown = solved.amax() / rest.amax().max(f64::EPSILON * wanted.amax());
        if !(outgrown <= OUTGROWN) {
            return Err(GeomError::OutOfRange {
                field: "reach".to_owned(),
                value: reach,
                allowed: format!(
                    "shorter for so many normals, about {:.2}: between the normals the spline would oscillate",
                    Self::reach_of(count)
                ),
            });
        }
        spline.pieces = normals
            .iter()
            .zip(&solved)
            .map(|(n, c)| Piece { normal: *n, coefficient: *c, weight: 1.0 })
            .collect();
        Ok(spline)
    }

    /// The rational form: control `values` in m and `weights` above zero at `normals`.
    pub fn rational(normals: &[Vec3], values: &[f64], weights: &[f64], reach: f64) -> Result<Self> {
        let normals = checked(normals, values, reach)?;
        if weights.len() != normals.len() {
            return Err(GeomError::Inconsistent {
                field: "weights".to_owned(),
                found: format!("{} weights and {} normals", weights.len(), normals.len()),
                allowed: "as many of one as of the other".to_owned(),
            });
        }
        for (k, weight) in weights.iter().enumerate() {
            positive(&format!("weights[{k}]"), *weight)?;
        }
        let base = values.iter().sum::<f64>() / values.len() as f64;
        let piece = |k: usize| Piece {
            normal: normals[k],
            coefficient: weights[k] * (values[k] - base),
            weight: weights[k],
        };
        let spline = Self {
            pieces: (0..normals.len()).map(piece).collect(),
            is_rational: true,
            base,
            centre: Vec3::zeros(),
            least: reach.cos(),
            scale: 1.0 / (1.0 - reach.cos()),
        };
        let (barest, n) = super::extreme(|n| spline.weight(n));
        if !(barest > 0.0) {
            return Err(GeomError::OutOfRange {
                field: "reach".to_owned(),
                value: reach,
                allowed: format!(
                    "great enough that every direction is within it of a normal: ({:.3}, {:.3}, {:.3}) is not",
                    n.x, n.y, n.z
                ),
            });
        }
        Ok(spline)
    }

    /// How many polynomials there are.
    pub(super) fn count(&self) -> usize {
        self.pieces.len()
    }

    /// B and its first four derivatives at t = n_k·x.
    fn polynomial(&self, t: f64) -> [f64; 5] {
        let mut found = [0.0; 5];
        let u = (t - self.least) * self.scale;
        if u > 0.0 {
            let mut factor = 1.0;
            for (j, value) in found.iter_mut().enumerate() {
                *value = factor * u.powi(POWER - j as i32);
                factor *= f64::from(POWER - j as i32) * self.scale;
            }
        }
        found
    }

    fn weight(&self, n: &Vec3) -> f64 {
        let e = n.normalize();
        self.pieces.iter().map(|piece| piece.weight * self.polynomial(piece.normal.dot(&e))[0]).sum()
    }

    /// p at a unit normal, without a and v, its third derivative along `d`.
    fn jet(&self, e: &Vec3, d: &Vec3) -> Jet {
        let zero = Jet { value: 0.0, gradient: Vec3::zeros(), second: Mat3::zeros(), third: Mat3::zeros() };
        let (mut n, mut w) = (zero, zero);
        for piece in self.pieces.iter() {
            let t = piece.normal.dot(e);
            if t <= self.least {
                continue;
            }
            let b = self.polynomial(t);
            let square = piece.normal * piece.normal.transpose();
            let along = piece.normal.dot(d);
            let add = |sum: &mut Jet, c: f64| {
                sum.value += c * b[0];
                sum.gradient += piece.normal * (c * b[1]);
                sum.second += square * (c * b[2]);
                sum.third += square * (c * b[3] * along);
            };
            add(&mut n, piece.coefficient);
            if self.is_rational {
                add(&mut w, piece.weight);
            }
        }
        if !self.is_rational {
            return n;
        }
        let both = |m: Mat3| m + m.transpose();
        let value = n.value / w.value;
        let gradient = (n.gradient - w.gradient * value) / w.value;
        let second = (n.second - both(gradient * w.gradient.transpose()) - w.second * value) / w.value;
        let third = n.third
            - second * w.gradient.dot(d)
            - w.second * gradient.dot(d)
            - w.third * value
            - both(second * d * w.gradient.transpose())
            - both(gradient * (w.second * d).transpose());
        Jet { value, gradient, second, third: third / w.value }
    }

    /// ∇h of a normal given as series in two parameters.
    pub(super) fn gradient_taylor(&self, n: &[Taylor; 3]) -> [Taylor; 3] {
        let inverse = length(n).recip();
        let e = n.map(|x| x * inverse);
        let zero = Taylor::constant(0.0);
        let (mut value, mut slope) = ([zero; 2], [[zero; 3]; 2]);
        for piece in self.pieces.iter() {
            let t = e[0] * piece.normal.x + e[1] * piece.normal.y + e[2] * piece.normal.z;
            if t.value() <= self.least {
                continue;
            }
            let [b, b1, b2, b3, b4] = self.polynomial(t.value());
            let (b, b1) = (t.compose([b, b1, b2, b3]), t.compose([b1, b2, b3, b4]));
            for (k, c) in [piece.coefficient, piece.weight].into_iter().enumerate() {
                value[k] = value[k] + b * c;
                for i in 0..3 {
                    slope[k][i] = slope[k][i] + b1 * (c * piece.normal[i]);
                }
            }
        }
        let (p, gradient) = if self.is_rational {
            let p = value[0] / value[1];
            (p, std::array::from_fn(|i| (slope[0][i] - p * slope[1][i]) / value[1]))
        } else {
            (value[0], slope[0])
        };
        let s = p + self.base - (e[0] * gradient[0] + e[1] * gradient[1] + e[2] * gradient[2]);
        std::array::from_fn(|i| gradient[i] + e[i] * s + Taylor::constant(self.centre[i]))
    }

    /// a in m: the radius of the ball without the polynomials.
    pub(super) fn base(&self) -> f64 {
        self.base
    }

    /// Bounds on ∇²h, ∇³h and ∇⁴h of the polynomials with tangents within the angle `rho` of the unit normal `n`, in m.
    pub(super) fn tangent_bounds(&self, n: &Vec3, rho: f64) -> [f64; 3] {
        let (mut b, mut w) = ([0.0; 5], [0.0; 5]);
        for piece in self.pieces.iter() {
            let cosine = piece.normal.dot(n).clamp(-1.0, 1.0);
            // The cosine of the least angle to the cap.
            let nearest = if rho >= PI { 1.0 } else { (cosine.acos() - rho).max(0.0).cos() };
            if nearest <= self.least {
                continue;
            }
            for (j, value) in self.polynomial(nearest).into_iter().enumerate() {
                b[j] += piece.coefficient.abs() * value;
                w[j] += piece.weight * value;
            }
        }
        let along = |b: [f64; 5]| {
            [b[0], b[1], b[2] + b[1], b[3] + 3.0 * b[2] + b[1], b[4] + 6.0 * b[3] + 7.0 * b[2] + b[1]]
        };
        let mut f = along(b);
        if self.is_rational {
            let weight = along(w);
            let least = self.weight(n) - rho * weight[1];
            if !(least > 0.0) {
                return [f64::INFINITY; 3];
            }
            let parts = f;
            for j in 0..5 {
                let mut sum = parts[j];
                let mut choose = 1.0;
                for i in 0..j {
                    sum += choose * f[i] * weight[j - i];
                    choose *= (j - i) as f64 / (i + 1) as f64;
                }
                f[j] = sum / least;
            }
        }
        [f[0] + f[2], f[1] + f[3], f[4] + f[2] + 3.0 * (f[0] + f[2])]
    }
}

/// Unit normals spread evenly: equal steps of z, turned by the golden angle.
#[cfg(test)]
pub(super) fn lattice(count: usize) -> Vec<Vec3> {
    let golden = PI * (3.0 - 5f64.sqrt());
    let normal = |k: usize| {
        let z = 1.0 - (2 * k + 1) as f64 / count as f64;
        let (sin, cos) = (golden * k as f64).sin_cos();
        let ring = (1.0 - z * z).sqrt();
        Vec3::new(ring * cos, ring * sin, z)
    };
    (0..count).map(normal).collect()
}

/// Unit normals, as many as values, and a reach that makes sense.
fn checked(normals: &[Vec3], values: &[f64], reach: f64) -> Result<Vec<Vec3>> {
    if normals.len() != values.len() || !(4..=MOST_NORMALS).contains(&normals.len()) {
        return Err(GeomError::Inconsistent {
            field: "normals, values".to_owned(),
            found: format!("{} normals and {} values", normals.len(), values.len()),
            allowed: format!("4 to {MOST_NORMALS} of each, as many of one as of the other"),
        });
    }
    within("reach", reach, 1e-3, FRAC_PI_2, "from 1 mrad to a right angle")?;
    for (k, value) in values.iter().enumerate() {
        coordinate(&format!("values[{k}]"), *value)?;
    }
    normals.iter().enumerate().map(|(k, n)| direction(&format!("normals[{k}]"), n)).collect()
}

impl Support for SphericalSpline {
    fn support(&self, n: &Vec3) -> f64 {
        let size = n.norm();
        size * (self.base + self.jet(&(n / size), &Vec3::zeros()).value) + self.centre.dot(n)
    }

    fn support_point(&self, n: &Vec3) -> Vec3 {
        self.support_jet(n).point
    }

    fn support_jet(&self, n: &Vec3) -> SupportJet {
        let size = n.norm();
        let e = n / size;
        let jet = self.jet(&e, &Vec3::zeros());
        let s = self.base + jet.value - e.dot(&jet.gradient);
        let projector = Mat3::identity() - e * e.transpose();
        SupportJet {
            value: size * (self.base + jet.value) + self.centre.dot(n),
            point: jet.gradient + e * s + self.centre,
            hessian: (projector * jet.second * projector + projector * s) / size,
        }
    }

    fn support_third(&self, n: &Vec3, d: &Vec3) -> Mat3 {
        let size = n.norm();
        let e = n / size;
        let along = e.dot(d);
        let t = d - e * along;
        let jet = self.jet(&e, &t);
        let s = self.base + jet.value - e.dot(&jet.gradient);
        let projector = Mat3::identity() - e * e.transpose();
        let turn = t * e.transpose();
        let rate = -(turn + turn.transpose());
        let bent = rate * jet.second * projector;
        let moved = projector * jet.third * projector + bent + bent.transpose()
            - projector * e.dot(&(jet.second * t))
            + rate * s;
        let hessian = projector * jet.second * projector + projector * s;
        (moved - hessian * along) / (size * size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::potential::Potential;
    use crate::surface::{Ellipsoid, PotentialBody, Surface};

    fn values(normals: &[Vec3]) -> Vec<f64> {
        let shape = Ellipsoid::new([1.0, 0.9, 0.8]).unwrap();
        normals.iter().map(|n| shape.support(n) + 0.01 * n.x * n.y * n.z).collect()
    }

    fn both() -> [SphericalSpline; 2] {
        let normals = lattice(60);
        let few = lattice(14);
        let weights: Vec<f64> = (0..14).map(|k| 1.0 + 0.2 * f64::from(k % 3)).collect();
        let mild: Vec<f64> = values(&few).iter().map(|value| 0.9 + 0.1 * (value - 0.9)).collect();
        [
            SphericalSpline::interpolate(&normals, &values(&normals), 1.2).unwrap(),
            SphericalSpline::rational(&few, &mild, &weights, 1.55).unwrap(),
        ]
    }

    #[test]
    fn a_spline_goes_through_its_values_and_a_rational_one_of_equal_values_is_a_ball() {
        let normals = lattice(60);
        let given = values(&normals);
        let [spline, _] = both();
        for (n, value) in normals.iter().zip(&given) {
            assert!((spline.support(n) - value).abs() < 1e-12);
        }
        let ball = SphericalSpline::rational(&normals, &[0.7; 60], &given, 1.0).unwrap();
        for n in lattice(33) {
            assert!((ball.support(&n) - 0.7).abs() < 1e-15);
            assert!((ball.support_point(&n) - n * 0.7).norm() < 1e-14);
        }
    }

    #[test]
    fn derivatives_agree_with_differences_and_with_series_in_both_forms() {
        let step = 1e-4;
        for spline in both() {
            for (n, d) in lattice(40).into_iter().zip(lattice(41).into_iter().skip(1)) {
                let (n, d) = (n * 1.3, d.cross(&n).normalize() + n * 0.2);
                let slope =
                    |f: &dyn Fn(&Vec3) -> f64| (f(&(n + d * step)) - f(&(n - d * step))) / (2.0 * step);
                let jet = spline.support_jet(&n);
                assert!((jet.point.dot(&n) - jet.value).abs() < 1e-13);
                assert!((slope(&|x| spline.support(x)) - jet.point.dot(&d)).abs() < 1e-6);
                let moved = (spline.support_point(&(n + d * step)) - spline.support_point(&(n - d * step)))
                    / (2.0 * step);
                assert!((moved - jet.hessian * d).norm() < 1e-6, "∇²h at {n}");
                let bent = (spline.support_jet(&(n + d * step)).hessian
                    - spline.support_jet(&(n - d * step)).hessian)
                    / (2.0 * step);
                assert!((bent - spline.support_third(&n, &d)).norm() < 1e-5, "∇³h at {n}");
                // n + u d as a series.
                let u = Taylor::u(0.0);
                let series: [Taylor; 3] = std::array::from_fn(|i| u * d[i] + Taylor::constant(n[i]));
                let found = spline.gradient_taylor(&series);
                for i in 0..3 {
                    assert!((found[i].value() - jet.point[i]).abs() < 1e-13);
                    assert!((found[i].derivative(1, 0) - (jet.hessian * d)[i]).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn no_derivative_in_a_cap_is_beyond_its_bound() {
        for (spline, rho) in both().into_iter().zip([0.2, 0.02]) {
            for n in lattice(20) {
                let [second, third, _] = spline.tangent_bounds(&n, rho);
                assert!(second.is_finite() && third.is_finite());
                for m in lattice(4000).into_iter().filter(|m| m.dot(&n) > f64::cos(rho)) {
                    let ball = Mat3::identity() - m * m.transpose();
                    let hessian = spline.support_jet(&m).hessian - ball * spline.base;
                    assert!(hessian.symmetric_eigenvalues().amax() <= second, "{m}");
                    let t = m.cross(&Vec3::new(0.3, 0.5, -0.4)).normalize();
                    let along = t.dot(&(spline.support_third(&m, &t) * t));
                    assert!(along.abs() <= third, "{along} {third}");
                }
            }
        }
    }

    #[test]
    fn bodies_are_proved_convex_and_a_dent_is_refused() {
        for spline in both() {
            let rational = spline.is_rational;
            let body = PotentialBody::new(Potential::spline(spline));
            let body = body.unwrap_or_else(|error| panic!("rational: {rational}: {error}"));
            let least = body.convexity();
            assert!(least.lower_bound > 0.0 && least.lower_bound <= least.upper_bound);
            let sphere = 4.0 / 3.0 * PI;
            let volume = body.moments().unwrap().volume;
            assert!(volume > 0.6 * sphere && volume < sphere, "{volume}");
        }
        let normals = lattice(60);
        let mut dented = vec![1.0; 60];
        dented[30] = 0.7;
        let spline = SphericalSpline::interpolate(&normals, &dented, 0.8).unwrap();
        let error = PotentialBody::new(Potential::spline(spline)).unwrap_err();
        assert!(matches!(error, GeomError::NotConvex { .. }), "{error}");
    }

    #[test]
    fn what_makes_no_spline_is_refused_by_name() {
        let normals = lattice(20);
        let refused = |result: Result<SphericalSpline>| result.unwrap_err().to_string();
        let plain = |n: &[Vec3], v: &[f64], reach| refused(SphericalSpline::interpolate(n, v, reach));
        assert!(plain(&normals, &[1.0; 3], 1.0).starts_with("normals, values = 20 normals and 3 values"));
        assert!(plain(&normals, &[1.0; 20], 2.0).starts_with("reach = 2"));
        assert!(plain(&[Vec3::zeros(); 20], &[1.0; 20], 1.0).starts_with("normals[0]"));
        let rational = |w: &[f64], reach| refused(SphericalSpline::rational(&normals, &[1.0; 20], w, reach));
        assert!(rational(&[1.0; 3], 1.0).starts_with("weights = 3 weights"));
        assert!(rational(&[-1.0; 20], 1.0).starts_with("weights[0] = -1"));
        assert!(rational(&[1.0; 20], 0.1).contains("is not"));
        let twice = [normals.clone(), normals.clone()].concat();
        assert!(plain(&twice, &[vec![1.0; 20], vec![1.1; 20]].concat(), 1.0).contains("spline through"));
    }
}
