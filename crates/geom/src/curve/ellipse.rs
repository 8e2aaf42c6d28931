//! The ellipse: h = ∣A n∣ with A = diag(a, b), ∇h = A²n/h, R = a²b²/h³ for a unit n.
//!
//! Römer (12). R runs from min²/max to max²/min of the semi-axes; length 8 R_G(0, a², b²) (Carlson), area πab.

use super::{Curve, CurveJet};
use crate::Vec2;
use crate::error::{Result, positive};
use crate::special;
use std::f64::consts::PI;

/// An ellipse about the origin, its axes along the coordinate axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipse {
    semi_axes: Vec2,
}

impl Ellipse {
    /// An ellipse from its semi-axes in metres.
    pub fn new(semi_axes: [f64; 2]) -> Result<Self> {
        Ok(Self { semi_axes: positive2("semi_axes", semi_axes)? })
    }

    /// The semi-axes in metres.
    pub fn semi_axes(&self) -> &Vec2 {
        &self.semi_axes
    }
}

/// Accepts two finite numbers above zero.
pub(super) fn positive2(field: &str, values: [f64; 2]) -> Result<Vec2> {
    for (i, value) in values.into_iter().enumerate() {
        positive(&format!("{field}[{i}]"), value)?;
    }
    Ok(values.into())
}

impl Curve for Ellipse {
    fn kind(&self) -> &'static str {
        "ellipse"
    }

    fn unit_jet(&self, n: &Vec2) -> CurveJet {
        let [a, b] = self.semi_axes.into();
        let m = self.semi_axes.component_mul(n);
        let value = m.x.hypot(m.y);
        let point = self.semi_axes.component_mul(&(m / value));
        CurveJet { value, point, radius: (a / value) * (b / value) * (a * (b / value)) }
    }

    fn radius_range(&self) -> Result<[f64; 2]> {
        let (long, short) = (self.semi_axes.max(), self.semi_axes.min());
        Ok([short * (short / long), long * (long / short)])
    }

    fn length(&self) -> Result<f64> {
        // Scaled by the longer axis, so that the squares neither overflow nor vanish.
        let (long, short) = (self.semi_axes.max(), self.semi_axes.min());
        Ok(8.0 * special::carlson_rg(0.0, 1.0, (short / long).powi(2)) * long)
    }

    fn area(&self) -> Result<f64> {
        Ok(PI * self.semi_axes.x * self.semi_axes.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GeomError;
    use crate::quadrature::gauss_legendre;
    use std::f64::consts::TAU;

    #[test]
    fn points_satisfy_the_implicit_equation() {
        for semi_axes in [[2.0, 1.0], [0.3, 5.0], [1e-6, 1e6]] {
            let ellipse = Ellipse::new(semi_axes).unwrap();
            for i in 0..50 {
                let p =
                    ellipse.at_angle(f64::from(i) * 0.13).unwrap().point.component_div(ellipse.semi_axes());
                assert!((p.norm_squared() - 1.0).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn length_and_area_are_the_integrals_of_the_radius() {
        let ellipse = Ellipse::new([1.5, 0.9]).unwrap();
        let (mut length, mut area) = (0.0, 0.0);
        for (x, w) in gauss_legendre(64) {
            let jet = ellipse.at_angle(0.5 * TAU * (1.0 + x)).unwrap();
            length += 0.5 * TAU * w * jet.radius;
            area += 0.25 * TAU * w * jet.value * jet.radius;
        }
        assert!((length / ellipse.length().unwrap() - 1.0).abs() < 1e-13);
        assert!((area / ellipse.area().unwrap() - 1.0).abs() < 1e-13);
    }

    #[test]
    fn bad_axes_and_normals_are_refused_by_name() {
        let error = Ellipse::new([1.0, -2.0]).unwrap_err();
        assert_eq!(error.to_string(), "semi_axes[1] = -2: must be a finite number above zero");
        assert!(matches!(Ellipse::new([f64::NAN, 1.0]), Err(GeomError::OutOfRange { .. })));
        let circle = Ellipse::new([1.0, 1.0]).unwrap();
        assert!(matches!(circle.jet(&Vec2::zeros()), Err(GeomError::OutOfRange { .. })));
        assert!(matches!(circle.jet(&Vec2::new(f64::NAN, 1.0)), Err(GeomError::OutOfRange { .. })));
        assert!(matches!(circle.at_angle(f64::INFINITY), Err(GeomError::OutOfRange { .. })));
    }
}
