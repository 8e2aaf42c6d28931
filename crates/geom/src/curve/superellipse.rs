//! The superellipse ∣x/a∣^ε + ∣y/b∣^ε = 1: h = (u^q + v^q)^{1/q} with u = a∣n_x∣, v = b∣n_y∣, q = ε/(ε − 1).
//!
//! Römer (13). For a unit n, ∇h = h^{1−q} (±a u^{q−1}, ±b v^{q−1}), and from ∇²h n = 0
//! R = −h_xy/(n_x n_y) = (q − 1) a²b² h^{1−2q} (uv)^{q−2}.
//! At an axis normal R is therefore ∞ for ε > 2 (q < 2), b²/a or a²/b for ε = 2, and 0 for ε < 2.
//!
//! Departure: u and v are divided by the larger of them, which keeps every power within [0, 2] and the one infinite
//! factor the only one. With τ = tan²φ, dR/dφ vanishes between the axes only where
//! (b²τ/a²)^{q/2} = ((q+1)τ + q − 2)/((q−2)τ + q + 1).
//! In s = ln τ the logarithm of the left side has the slope q/2, that of the right side
//! 3(2q−1)/((q+1)(q−2)(τ + 1/τ) + (q+1)² + (q−2)²), which is below 3/(2q−1) < q/2 for q > 2 and above
//! 3/(2q−1) > q/2 for q < 2: one root, found by bisection.
//! Area 4ab Γ(1 + 1/ε)²/Γ(1 + 2/ε) = 2ab B(1/ε, 1/ε)/ε.

use super::ellipse::positive2;
use super::{Curve, CurveJet, Ellipse};
use crate::Vec2;
use crate::error::{Result, within};
use crate::special;

/// A superellipse about the origin, its axes along the coordinate axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Superellipse {
    semi_axes: Vec2,
    exponent: f64,
}

impl Superellipse {
    /// A superellipse from its semi-axes in metres and its exponent ε, from 1.05 to 50.
    pub fn new(semi_axes: [f64; 2], exponent: f64) -> Result<Self> {
        Ok(Self {
            semi_axes: positive2("semi_axes", semi_axes)?,
            exponent: within("exponent", exponent, 1.05, 50.0, "from 1.05 to 50")?,
        })
    }

    /// The semi-axes in metres.
    pub fn semi_axes(&self) -> &Vec2 {
        &self.semi_axes
    }

    /// The exponent ε.
    pub fn exponent(&self) -> f64 {
        self.exponent
    }

    /// q − 1 = 1/(ε − 1).
    fn dual_less_one(&self) -> f64 {
        1.0 / (self.exponent - 1.0)
    }

    /// The unit normal between the axes at which R has its one stationary value; ε ≠ 2.
    fn stationary_normal(&self) -> Vec2 {
        let q = 1.0 + self.dual_less_one();
        let shift = (self.semi_axes.y / self.semi_axes.x).ln();
        let difference = |s: f64| {
            // Divided by e^{s/2} above and below, so that neither end overflows.
            let (up, down) = ((0.5 * s).exp(), (-0.5 * s).exp());
            let right = ((q + 1.0) * up + (q - 2.0) * down) / ((q - 2.0) * up + (q + 1.0) * down);
            0.5 * q * s + q * shift - right.ln()
        };
        let width = ((q + 1.0) / (q - 2.0).abs()).ln();
        // The left side minus the right: rising through zero for q > 2, falling for q < 2.
        let (mut low, mut high) = if q > 2.0 {
            (-2.0 * shift - 2.0 * width / q, -2.0 * shift + 2.0 * width / q)
        } else {
            (width, -width)
        };
        // Each step halves the bracket: a hundred exhaust the digits of any bracket.
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if difference(middle) < 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        let tangent = (0.25 * (low + high)).exp();
        let length = tangent.hypot(1.0);
        Vec2::new(1.0 / length, tangent / length)
    }
}

impl Curve for Superellipse {
    fn kind(&self) -> &'static str {
        "superellipse"
    }

    fn unit_jet(&self, n: &Vec2) -> CurveJet {
        let p = self.dual_less_one();
        let q = 1.0 + p;
        let [a, b] = self.semi_axes.into();
        let m = self.semi_axes.component_mul(n);
        let largest = m.amax();
        let w = m.abs() / largest;
        let sum = w.x.powf(q) + w.y.powf(q);
        let shrink = sum.powf(-p / q);
        let point =
            Vec2::new((a * w.x.powf(p) * shrink).copysign(n.x), (b * w.y.powf(p) * shrink).copysign(n.y));
        let circle = (a / largest) * (b / largest) * (a * (b / largest));
        let radius = p * sum.powf(1.0 / q - 2.0) * circle * (w.x * w.y).powf(p - 1.0);
        CurveJet { value: largest * sum.powf(1.0 / q), point, radius }
    }

    fn radius_range(&self) -> Result<[f64; 2]> {
        if self.exponent == 2.0 {
            return Ellipse::new(self.semi_axes.into())?.radius_range();
        }
        let between = self.unit_jet(&self.stationary_normal()).radius;
        Ok(if self.exponent > 2.0 { [between, f64::INFINITY] } else { [0.0, between] })
    }

    fn area(&self) -> Result<f64> {
        let inverse = 1.0 / self.exponent;
        Ok(2.0 * self.semi_axes.x * self.semi_axes.y * inverse * special::beta(inverse, inverse))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::integral;
    use crate::curve::{perpendicular, unit_normal};
    use std::f64::consts::{FRAC_PI_2, TAU};

    const EXPONENTS: [f64; 8] = [1.05, 1.3, 1.9, 2.0, 2.2, 4.0, 17.0, 50.0];

    #[test]
    fn points_satisfy_the_implicit_equation_from_diamond_to_square() {
        for exponent in EXPONENTS {
            for semi_axes in [[1.0, 1.0], [3.0, 0.2], [1e-150, 1e-148], [1e100, 1e102]] {
                let curve = Superellipse::new(semi_axes, exponent).unwrap();
                for i in 0..100 {
                    let p = curve.at_angle(f64::from(i) * 0.0731).unwrap().point;
                    let s = p.abs().component_div(curve.semi_axes()).map(|x| x.powf(exponent)).sum();
                    assert!((s - 1.0).abs() < 1e-12, "ε = {exponent}, {semi_axes:?}: {s}");
                }
            }
        }
    }

    #[test]
    fn the_radius_takes_its_limit_at_an_axis_normal() {
        for (exponent, expected) in
            [(1.05, 0.0), (1.9, 0.0), (2.0, 0.5), (2.1, f64::INFINITY), (50.0, f64::INFINITY)]
        {
            let curve = Superellipse::new([2.0, 1.0], exponent).unwrap();
            for n in [Vec2::x(), -Vec2::x(), Vec2::new(1.0, -0.0)] {
                let jet = curve.jet(&n).unwrap();
                assert_eq!(jet.radius, expected, "ε = {exponent}");
                assert_eq!((jet.value, jet.point.x.abs(), jet.point.y.abs()), (2.0, 2.0, 0.0));
                assert!(curve.hessian(&n).unwrap().iter().all(|x| x.is_finite()));
            }
            // Approached from beside, the radius moves towards the limit without a jump past it.
            let beside = |y: f64| curve.jet(&Vec2::new(1.0, y)).unwrap().radius;
            let [far, near] = [beside(1e-4), beside(1e-9)];
            assert!(
                (exponent < 2.0 && near < far) || (exponent > 2.0 && near > far) || (near - 0.5).abs() < 1e-7
            );
        }
    }

    #[test]
    fn extreme_components_of_the_normal_leave_no_nan() {
        for exponent in EXPONENTS {
            let curve = Superellipse::new([1e-3, 1e3], exponent).unwrap();
            for n in [[1.0, 5e-324], [1e-308, 1e308], [1e-200, -1.0], [-1e308, 1e308], [0.0, 5e-324]] {
                let jet = curve.jet(&n.into()).unwrap();
                assert!(
                    !jet.value.is_nan() && !jet.radius.is_nan() && jet.point.iter().all(|x| x.is_finite())
                );
                assert!(jet.radius >= 0.0);
            }
        }
    }

    #[test]
    fn exponent_two_is_the_ellipse() {
        let (curve, ellipse) =
            (Superellipse::new([2.0, 0.7], 2.0).unwrap(), Ellipse::new([2.0, 0.7]).unwrap());
        for i in 0..40 {
            let (a, b) = (curve.at_angle(f64::from(i)).unwrap(), ellipse.at_angle(f64::from(i)).unwrap());
            assert!((a.value - b.value).abs() < 1e-14 && (a.point - b.point).norm() < 1e-14);
            assert!((a.radius / b.radius - 1.0).abs() < 1e-13);
        }
        assert!((curve.length().unwrap() / ellipse.length().unwrap() - 1.0).abs() < 1e-11);
        assert_eq!(curve.radius_range().unwrap(), ellipse.radius_range().unwrap());
    }

    #[test]
    fn the_extreme_radius_between_the_axes_is_that_of_a_scan() {
        for exponent in EXPONENTS {
            for semi_axes in [[1.0, 1.0], [3.0, 1.0], [1.0, 8.0]] {
                let curve = Superellipse::new(semi_axes, exponent).unwrap();
                let [low, high] = curve.radius_range().unwrap();
                let (mut least, mut most) = (f64::INFINITY, 0.0f64);
                for i in 1..20_000 {
                    let radius = curve.at_angle(f64::from(i) / 20_000.0 * FRAC_PI_2).unwrap().radius;
                    (least, most) = (least.min(radius), most.max(radius));
                }
                assert!(low <= least * (1.0 + 1e-12) && high >= most * (1.0 - 1e-12), "ε = {exponent}");
                if exponent > 2.0 {
                    assert!((least / low - 1.0).abs() < 1e-4, "ε = {exponent}: {least} {low}");
                } else if exponent < 2.0 {
                    assert!((most / high - 1.0).abs() < 1e-4, "ε = {exponent}: {most} {high}");
                }
            }
        }
    }

    #[test]
    fn the_area_in_closed_form_is_the_integral() {
        for exponent in EXPONENTS {
            let curve = Superellipse::new([1.2, 0.5], exponent).unwrap();
            let integral = integral::adaptive([0.0, TAU], 1e-11, |phi| {
                let n = unit_normal(phi);
                let jet = curve.unit_jet(&n);
                0.5 * (jet.value.powi(2) - perpendicular(&n).dot(&jet.point).powi(2))
            });
            assert!((integral.unwrap() / curve.area().unwrap() - 1.0).abs() < 1e-10, "ε = {exponent}");
        }
        // Between a diamond and a square the length runs from 4√2 to 8.
        let length = |exponent| Superellipse::new([1.0, 1.0], exponent).unwrap().length().unwrap();
        assert!(length(1.05) > 32f64.sqrt() && length(1.05) < length(2.0));
        assert!(length(50.0) < 8.0 && length(50.0) > 7.9);
    }

    #[test]
    fn exponents_outside_the_range_are_refused() {
        for exponent in [1.0, 1.04, 50.1, f64::NAN] {
            let error = Superellipse::new([1.0, 1.0], exponent).unwrap_err();
            assert!(error.to_string().ends_with("must be from 1.05 to 50"), "{error}");
        }
    }
}
