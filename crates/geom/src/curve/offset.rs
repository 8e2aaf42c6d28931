//! The curve at the distance d from another: h(n) = h₀(n) + d∣n∣, ∇h = ∇h₀ + d n/∣n∣, R = R₀ + d.
//!
//! Römer (11), Remark 8: d ≥ −min R₀; at −min R₀ the curve has a kink with R = 0, beyond it crosses itself.
//! Length L₀ + 2πd, area A₀ + L₀d + πd² (Steiner).

use super::{Curve, CurveJet};
use crate::Vec2;
use crate::error::{GeomError, Result};
use std::f64::consts::PI;
use std::sync::Arc;

/// A curve grown by a distance, or shrunk by a negative one.
#[derive(Debug, Clone)]
pub struct Offset {
    base: Arc<dyn Curve>,
    distance: f64,
}

impl Offset {
    /// `base` grown by `distance` metres; refused where the result would cross itself.
    pub fn new(base: Arc<dyn Curve>, distance: f64) -> Result<Self> {
        let [least, _] = base.radius_range()?;
        // Four ulps: the limit and the caller's own −min R₀ are each rounded.
        let slack = 4.0 * f64::EPSILON * least;
        if distance >= -least - slack && distance < f64::INFINITY {
            Ok(Self { base, distance })
        } else {
            Err(GeomError::OutOfRange {
                field: "distance".to_owned(),
                value: distance,
                allowed: format!("finite and at least −min R = {}", -least),
            })
        }
    }

    /// The distance d in metres.
    pub fn distance(&self) -> f64 {
        self.distance
    }
}

impl Curve for Offset {
    fn kind(&self) -> &'static str {
        "offset"
    }

    fn unit_jet(&self, n: &Vec2) -> CurveJet {
        let jet = self.base.unit_jet(n);
        CurveJet {
            value: jet.value + self.distance,
            point: jet.point + self.distance * n,
            radius: clip(jet.radius + self.distance),
        }
    }

    fn radius_range(&self) -> Result<[f64; 2]> {
        Ok(self.base.radius_range()?.map(|radius| clip(radius + self.distance)))
    }

    fn length(&self) -> Result<f64> {
        Ok(self.base.length()? + 2.0 * PI * self.distance)
    }

    fn area(&self) -> Result<f64> {
        Ok(self.base.area()? + self.distance * (self.base.length()? + PI * self.distance))
    }
}

/// Zero in place of the rounding error below it; NaN stays.
fn clip(radius: f64) -> f64 {
    if radius < 0.0 { 0.0 } else { radius }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::{Ellipse, Superellipse};
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn example_4_has_kinks_at_the_ends_of_the_long_axis() {
        for (a, b) in [(2.0, 1.0), (1.0, 0.3), (0.7, 0.1)] {
            let ellipse = Arc::new(Ellipse::new([a, b]).unwrap());
            let offset = Offset::new(ellipse, -b * b / a).unwrap();
            for phi in [0.0, PI] {
                let jet = offset.at_angle(phi).unwrap();
                assert!(jet.radius.abs() < 1e-15 * a, "{}", jet.radius);
                assert!((jet.point.x.abs() - (a - b * b / a)).abs() < 1e-15);
            }
            let top = offset.at_angle(FRAC_PI_2).unwrap();
            assert!((top.radius - (a * a / b - b * b / a)).abs() < 1e-13 * a * a / b);
            for i in 1..100 {
                let phi = f64::from(i) * 0.01 * PI;
                let expected = ((a * phi.cos()).powi(2) + (b * phi.sin()).powi(2)).sqrt() - b * b / a;
                let jet = offset.at_angle(phi).unwrap();
                assert!((jet.value - expected).abs() < 1e-14 && jet.radius > 0.0);
            }
        }
    }

    #[test]
    fn every_radius_grows_by_the_distance() {
        let bases: [Arc<dyn Curve>; 2] = [
            Arc::new(Ellipse::new([1.0, 0.5]).unwrap()),
            Arc::new(Superellipse::new([1.0, 0.8], 4.0).unwrap()),
        ];
        for base in bases {
            let least = base.radius_range().unwrap()[0];
            for distance in [0.25, -0.5 * least, -least] {
                let offset = Offset::new(base.clone(), distance).unwrap();
                for i in 0..50 {
                    let phi = 0.05 + f64::from(i) * 0.12;
                    let (a, b) = (offset.at_angle(phi).unwrap(), base.at_angle(phi).unwrap());
                    assert_eq!(a.radius, b.radius + distance);
                    assert!(((a.point - b.point).norm() - distance.abs()).abs() < 1e-14);
                }
            }
        }
    }

    #[test]
    fn an_offset_beyond_the_least_radius_is_refused() {
        let ellipse: Arc<dyn Curve> = Arc::new(Ellipse::new([2.0, 1.0]).unwrap());
        let error = Offset::new(ellipse.clone(), -0.5 - 1e-12).unwrap_err();
        assert!(error.to_string().contains("must be finite and at least −min R = -0.5"), "{error}");
        let diamond: Arc<dyn Curve> = Arc::new(Superellipse::new([1.0, 1.0], 1.5).unwrap());
        for (base, distance) in [(diamond, -1e-9), (ellipse.clone(), f64::NAN), (ellipse, f64::INFINITY)] {
            assert!(matches!(Offset::new(base, distance), Err(GeomError::OutOfRange { .. })));
        }
    }

    #[test]
    fn length_and_area_follow_steiner() {
        let circle = Arc::new(Ellipse::new([1.0, 1.0]).unwrap());
        let offset = Offset::new(circle, -0.4).unwrap();
        assert!((offset.length().unwrap() - 1.2 * PI).abs() < 1e-14);
        assert!((offset.area().unwrap() - 0.36 * PI).abs() < 1e-14);
    }
}
