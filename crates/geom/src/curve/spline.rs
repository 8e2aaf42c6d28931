//! A potential given at some angles: g is the periodic cubic spline through them, h(n) = c·n + ∣n∣ g(φ).
//!
//! Römer, Remark 11. A cubic spline has a continuous g″, hence by Proposition 1 a continuous curvature. On a segment,
//! with t = φ − φᵢ,
//! g = c₀ + c₁t + c₂t² + c₃t³ and R = g + g″ = (c₀ + 2c₂) + (c₁ + 6c₃)t + c₂t² + c₃t³,
//! whose extremes are at the ends of the segment and at the roots of R′ within it. The convexity condition (3) is
//! therefore checked over the whole circle, not at samples of it.
//!
//! The spline errs in g by the fourth power of the spacing, in R by the square.
//!
//! The centre c in metres is apart, because a spline reproduces no cosine: shifting a curve by it costs no accuracy.

use super::periodic::PeriodicSpline;
use super::{Curve, CurveJet, finite2, perpendicular, unit_normal};
use crate::Vec2;
use crate::error::{GeomError, Result, finite};
use std::f64::consts::TAU;

/// A curve whose generating potential is a periodic cubic spline in the angle of the normal.
#[derive(Debug, Clone, PartialEq)]
pub struct SplinePotential {
    spline: PeriodicSpline,
    centre: Vec2,
    radius_range: [f64; 2],
}

impl SplinePotential {
    /// The spline through `values` of g, in metres, at `angles`, in radians: four or more that increase within
    /// one turn. Refused where its radius of curvature is not positive all around.
    pub fn interpolate(angles: &[f64], values: &[f64]) -> Result<Self> {
        if angles.len() != values.len() || angles.len() < 4 {
            return Err(GeomError::Inconsistent {
                field: "angles, values".to_owned(),
                found: format!("{} angles and {} values", angles.len(), values.len()),
                allowed: "four or more of each, as many of one as of the other".to_owned(),
            });
        }
        for i in 0..angles.len() {
            finite(&format!("angles[{i}]"), angles[i])?;
            finite(&format!("values[{i}]"), values[i])?;
            let after = angles.get(i + 1).copied().unwrap_or(angles[0] + TAU);
            if !(after > angles[i]) {
                return Err(GeomError::OutOfRange {
                    field: format!("angles[{i}]"),
                    value: angles[i],
                    allowed: format!("below {after}: angles increase, within one turn"),
                });
            }
        }
        Self::checked(PeriodicSpline::interpolate(angles, values), Vec2::zeros())
    }

    /// The same potential about another centre: the curve shifted by `centre`.
    pub fn with_centre(self, centre: Vec2) -> Result<Self> {
        Ok(Self { centre: finite2("centre", &centre)?, ..self })
    }

    /// The centre c in metres.
    pub fn centre(&self) -> &Vec2 {
        &self.centre
    }

    /// Accepts a spline whose radius is positive all around.
    pub(super) fn checked(spline: PeriodicSpline, centre: Vec2) -> Result<Self> {
        let ([low, at], [high, _]) = spline.radius_extremes();
        if low > 0.0 && high < f64::INFINITY {
            return Ok(Self { spline, centre, radius_range: [low, high] });
        }
        let n = unit_normal(at);
        Err(GeomError::NotConvex { radius: low, normal: [n.x, n.y, 0.0], required: 0.0 })
    }
}

impl Curve for SplinePotential {
    fn kind(&self) -> &'static str {
        "spline_potential"
    }

    fn unit_jet(&self, n: &Vec2) -> CurveJet {
        let [g, slope, bend] = self.spline.at(n.y.atan2(n.x));
        CurveJet {
            value: g + self.centre.dot(n),
            point: self.centre + g * n + slope * perpendicular(n),
            radius: g + bend,
        }
    }

    fn radius_range(&self) -> Result<[f64; 2]> {
        Ok(self.radius_range)
    }

    fn length(&self) -> Result<f64> {
        Ok(self.spline.integral(|[g, ..]| g))
    }

    fn area(&self) -> Result<f64> {
        Ok(self.spline.integral(|[g, slope, _]| 0.5 * (g * g - slope * slope)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::Ellipse;

    fn sampled(curve: &dyn Curve, count: usize) -> SplinePotential {
        // Unequal spacings, which the cyclic system must take as well.
        let angles: Vec<f64> = (0..count)
            .map(|i| {
                let x = i as f64 / count as f64 * TAU;
                x + 0.2 * (2.0 * x).sin() - 1.0
            })
            .collect();
        let values: Vec<f64> = angles.iter().map(|&a| curve.at_angle(a).unwrap().value).collect();
        SplinePotential::interpolate(&angles, &values).unwrap()
    }

    #[test]
    fn it_approaches_an_ellipse_with_the_fourth_power_in_g_and_the_second_in_the_radius() {
        let ellipse = Ellipse::new([1.5, 1.0]).unwrap();
        let errors = |count| {
            let spline = sampled(&ellipse, count);
            (0..1000).fold((0.0f64, 0.0f64), |(value, radius), i| {
                let (a, b) =
                    (spline.at_angle(f64::from(i)).unwrap(), ellipse.at_angle(f64::from(i)).unwrap());
                (value.max((a.value - b.value).abs()), radius.max((a.radius - b.radius).abs()))
            })
        };
        let ((v1, r1), (v2, r2)) = (errors(60), errors(120));
        assert!(((v1 / v2).log2() - 4.0).abs() < 0.3, "{v1} {v2}");
        assert!(((r1 / r2).log2() - 2.0).abs() < 0.3, "{r1} {r2}");
        let fine = sampled(&ellipse, 400);
        assert!((fine.length().unwrap() / ellipse.length().unwrap() - 1.0).abs() < 1e-8);
        assert!((fine.area().unwrap() / ellipse.area().unwrap() - 1.0).abs() < 1e-7);
    }

    #[test]
    fn the_radius_range_is_that_of_a_fine_scan() {
        let spline = sampled(&Ellipse::new([1.6, 1.0]).unwrap(), 17);
        let [low, high] = spline.radius_range().unwrap();
        let scan: Vec<f64> =
            (0..100_000).map(|i| spline.at_angle(f64::from(i) * TAU * 1e-5).unwrap().radius).collect();
        let least = scan.iter().copied().fold(f64::INFINITY, f64::min);
        let most = scan.iter().copied().fold(0.0, f64::max);
        // R has kinks at the knots, which a scan misses by its spacing, 6e-5, times the slope.
        assert!(least >= low - 1e-14 && least - low < 1e-4, "{least} {low}");
        assert!(most <= high + 1e-14 && high - most < 1e-4, "{most} {high}");
    }

    #[test]
    fn a_dip_between_the_knots_is_found_and_refused_with_its_normal() {
        let angles: Vec<f64> = (0..12).map(|i| f64::from(i) * TAU / 12.0).collect();
        let mut values = vec![1.0; 12];
        values[3] = 1.12;
        let GeomError::NotConvex { radius, normal, required } =
            SplinePotential::interpolate(&angles, &values).unwrap_err()
        else {
            panic!("the bump at 90° must be refused");
        };
        assert!(radius <= 0.0 && required == 0.0 && normal[1] > 0.9 && normal[2] == 0.0);
    }

    #[test]
    fn the_centre_shifts_the_curve() {
        let base = sampled(&Ellipse::new([1.5, 1.0]).unwrap(), 40);
        let centre = Vec2::new(100.0, -3.0);
        let moved = base.clone().with_centre(centre).unwrap();
        let (a, b) = (moved.at_angle(0.7).unwrap(), base.at_angle(0.7).unwrap());
        assert!((a.point - b.point - centre).norm() < 1e-13 && a.radius == b.radius);
        assert_eq!(moved.area().unwrap(), base.area().unwrap());
    }

    #[test]
    fn bad_knots_are_refused_by_name() {
        let refused = |angles: &[f64], values: &[f64]| {
            SplinePotential::interpolate(angles, values).unwrap_err().to_string()
        };
        assert!(refused(&[0.0, 1.0, 2.0], &[1.0; 3]).contains("four or more"));
        assert!(refused(&[0.0, 2.0, 1.0, 4.0], &[1.0; 4]).starts_with("angles[1] = 2: must be below 1"));
        assert!(refused(&[0.0, 2.0, 4.0, 7.0], &[1.0; 4]).starts_with("angles[3] = 7: must be below 6.28"));
        assert!(refused(&[0.0, 2.0, 4.0, 5.0], &[1.0, f64::NAN, 1.0, 1.0]).starts_with("values[1] = NaN"));
    }
}
