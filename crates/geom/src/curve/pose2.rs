//! Poses in the plane: x ↦ Q(α) x + p, α counter-clockwise in radians, p in metres.

use super::{finite2, unit_normal};
use crate::Vec2;
use crate::error::{Result, finite};

/// A rotation about the origin followed by a translation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose2 {
    /// (cos α, sin α).
    heading: Vec2,
    translation: Vec2,
}

impl Pose2 {
    /// The pose that leaves everything in its place.
    pub const IDENTITY: Self = Self { heading: Vec2::new(1.0, 0.0), translation: Vec2::new(0.0, 0.0) };

    /// A pose from the angle in radians and the translation in metres.
    pub fn new(angle: f64, translation: Vec2) -> Result<Self> {
        Ok(Self {
            heading: unit_normal(finite("angle", angle)?),
            translation: finite2("translation", &translation)?,
        })
    }

    /// Where the origin goes, in metres.
    pub fn translation(&self) -> &Vec2 {
        &self.translation
    }

    /// Q v.
    pub fn rotate(&self, v: &Vec2) -> Vec2 {
        let [c, s] = self.heading.into();
        Vec2::new(c * v.x - s * v.y, s * v.x + c * v.y)
    }

    /// Qᵀ v.
    pub fn unrotate(&self, v: &Vec2) -> Vec2 {
        let [c, s] = self.heading.into();
        Vec2::new(c * v.x + s * v.y, c * v.y - s * v.x)
    }

    /// Q x + p.
    pub fn transform(&self, x: &Vec2) -> Vec2 {
        self.rotate(x) + self.translation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_takes_x_to_y_and_back() {
        let pose = Pose2::new(std::f64::consts::FRAC_PI_2, Vec2::new(3.0, 4.0)).unwrap();
        assert!((pose.transform(&Vec2::x()) - Vec2::new(3.0, 5.0)).norm() < 1e-15);
        assert!((pose.unrotate(&pose.rotate(&Vec2::new(0.3, 0.4))) - Vec2::new(0.3, 0.4)).norm() < 1e-15);
        assert_eq!(Pose2::IDENTITY.transform(&Vec2::y()), Vec2::y());
    }

    #[test]
    fn nan_is_refused_by_name() {
        let error = Pose2::new(0.0, Vec2::new(0.0, f64::NAN)).unwrap_err();
        assert_eq!(error.to_string(), "translation[1] = NaN: must be a finite number");
        assert_eq!(
            Pose2::new(f64::NAN, Vec2::zeros()).unwrap_err().to_string(),
            "angle = NaN: must be a finite number"
        );
    }
}
