//! A curve turned and shifted: h(n) = h₀(Qᵀn) + p·n, ∇h = Q∇h₀ + p, R = R₀.
//!
//! The shift is Römer (10): the potential about another point A of the body, g_A = g_B − r_BA·n, is this one with
//! p = −r_BA. The rotation is the paper's g_B(φ − α).

use super::{Curve, CurveJet, Pose2};
use crate::Vec2;
use crate::error::Result;
use std::sync::Arc;

/// A curve in a pose.
#[derive(Debug, Clone)]
pub struct Placed {
    base: Arc<dyn Curve>,
    pose: Pose2,
}

impl Placed {
    /// `base` turned and shifted by `pose`.
    pub fn new(base: Arc<dyn Curve>, pose: Pose2) -> Self {
        Self { base, pose }
    }

    /// The pose.
    pub fn pose(&self) -> &Pose2 {
        &self.pose
    }
}

impl Curve for Placed {
    fn kind(&self) -> &'static str {
        "placed"
    }

    fn unit_jet(&self, n: &Vec2) -> CurveJet {
        let jet = self.base.unit_jet(&self.pose.unrotate(n));
        CurveJet {
            value: jet.value + self.pose.translation().dot(n),
            point: self.pose.transform(&jet.point),
            radius: jet.radius,
        }
    }

    fn radius_range(&self) -> Result<[f64; 2]> {
        self.base.radius_range()
    }

    fn length(&self) -> Result<f64> {
        self.base.length()
    }

    fn area(&self) -> Result<f64> {
        self.base.area()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::Ellipse;

    #[test]
    fn moving_the_reference_point_follows_equation_10() {
        // r_BA = d (cos ψ, −sin ψ) and g_A(φ) = g_B(φ) − d cos(φ + ψ).
        let (d, psi) = (1.7f64, 0.4f64);
        let base = Arc::new(Ellipse::new([2.0, 1.0]).unwrap());
        let shift = Vec2::new(-d * psi.cos(), d * psi.sin());
        let moved = Placed::new(base.clone(), Pose2::new(0.0, shift).unwrap());
        for i in 0..20 {
            let phi = f64::from(i) * 0.37;
            let expected = base.at_angle(phi).unwrap().value - d * (phi + psi).cos();
            assert!((moved.at_angle(phi).unwrap().value - expected).abs() < 1e-14);
        }
    }

    #[test]
    fn turning_the_curve_shifts_the_angle() {
        let base = Arc::new(Ellipse::new([2.0, 1.0]).unwrap());
        let turned = Placed::new(base.clone(), Pose2::new(0.6, Vec2::zeros()).unwrap());
        for i in 0..20 {
            let phi = f64::from(i) * 0.37;
            let (a, b) = (turned.at_angle(phi).unwrap(), base.at_angle(phi - 0.6).unwrap());
            assert!((a.value - b.value).abs() < 1e-14 && (a.radius - b.radius).abs() < 1e-13);
        }
    }
}
