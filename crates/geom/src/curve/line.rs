//! Contact of a curve with a straight line, in closed form.
//!
//! The line bounds the half-plane n·x ≤ d; n, of length one, points into the free space. The curve, in the pose
//! x ↦ Qx + p, comes nearest at the point whose outer normal is −n (the common normal):
//! x_P = Q∇h(−Qᵀn) + p, gap = n·x_P − d = n·p − h(−Qᵀn) − d, foot on the line x_P − gap n.
//! Römer (57) with (2); nothing depends on the sign of the gap, so overlap needs no other formula.

use super::{Curve, Pose2, finite2, split};
use crate::Vec2;
use crate::error::{Result, finite};

/// The half-plane n·x ≤ d.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    normal: Vec2,
    offset: f64,
}

impl Line {
    /// The half-plane `normal`·x ≤ `offset`; both are divided by the length of the normal.
    pub fn new(normal: Vec2, offset: f64) -> Result<Self> {
        let (unit, length) = split("normal", &normal)?;
        let offset = finite("offset", offset)? / length;
        Ok(Self { normal: unit, offset: finite("offset / |normal|", offset)? })
    }

    /// The unit normal, which points into the free space.
    pub fn normal(&self) -> &Vec2 {
        &self.normal
    }

    /// The distance d of the line from the origin along the normal, in metres.
    pub fn offset(&self) -> f64 {
        self.offset
    }
}

/// Where a curve and a line come nearest, or overlap most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineContact {
    /// The distance in metres, negative where they overlap.
    pub gap: f64,
    /// The point of the curve, in the frame of the line.
    pub on_curve: Vec2,
    /// The point of the line beside it.
    pub on_line: Vec2,
    /// The unit normal of the line, out of the half-plane and into the curve.
    pub normal: Vec2,
    /// The curvature of the curve at its point, in 1/m.
    pub curvature: f64,
}

/// The contact of `curve` in `pose` with `line`.
pub fn line_contact(curve: &dyn Curve, pose: &Pose2, line: &Line) -> Result<LineContact> {
    let normal = *line.normal();
    let jet = curve.jet(&pose.unrotate(&-normal))?;
    let on_curve = finite2("point on the curve", &pose.transform(&jet.point))?;
    let gap = finite("gap", normal.dot(pose.translation()) - jet.value - line.offset())?;
    Ok(LineContact { gap, on_curve, on_line: on_curve - gap * normal, normal, curvature: jet.curvature() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curve::{Ellipse, Superellipse, perpendicular};

    fn floor() -> Line {
        Line::new(Vec2::new(0.0, 2.0), 1.0).unwrap()
    }

    #[test]
    fn an_ellipse_on_its_side_touches_with_its_long_axis() {
        let ellipse = Ellipse::new([2.0, 1.0]).unwrap();
        for (height, gap) in [(4.0, 1.5), (2.5, 0.0), (1.0, -1.5)] {
            let pose = Pose2::new(std::f64::consts::FRAC_PI_2, Vec2::new(7.0, height)).unwrap();
            let contact = line_contact(&ellipse, &pose, &floor()).unwrap();
            assert!((contact.gap - gap).abs() < 1e-14);
            assert!((contact.on_curve - Vec2::new(7.0, height - 2.0)).norm() < 1e-14);
            assert!((contact.on_line - Vec2::new(7.0, 0.5)).norm() < 1e-14);
            assert!((contact.curvature - 2.0).abs() < 1e-14);
        }
    }

    #[test]
    fn the_gap_is_the_least_over_the_points_of_the_curve_in_any_pose() {
        let curve = Superellipse::new([1.0, 0.4], 3.0).unwrap();
        for i in 0..25 {
            let x = f64::from(i);
            let pose = Pose2::new(0.7 * x, Vec2::new(x.sin(), 2.0 * x.cos())).unwrap();
            let line = Line::new(Vec2::new(x.cos(), (1.3 * x).sin() + 0.1), 0.3 * (x - 12.0)).unwrap();
            let contact = line_contact(&curve, &pose, &line).unwrap();
            let mut least = f64::INFINITY;
            for k in 0..20_000 {
                let p = curve.at_angle(f64::from(k) * 3.2e-4).unwrap().point;
                least = least.min(line.normal().dot(&pose.transform(&p)) - line.offset());
            }
            assert!(contact.gap <= least + 1e-14 && contact.gap > least - 1e-6);
            assert!((line.normal().dot(&contact.on_curve) - line.offset() - contact.gap).abs() < 1e-14);
            assert!((line.normal().dot(&contact.on_line) - line.offset()).abs() < 1e-14);
        }
    }

    #[test]
    fn the_gap_changes_with_the_pose_as_the_lever_of_the_point_says() {
        // ∂gap/∂p = n and ∂gap/∂α = n·(x_P − p)^⊥: the point is stationary.
        let ellipse = Ellipse::new([1.4, 0.6]).unwrap();
        let line = Line::new(Vec2::new(0.3, 1.0), -0.2).unwrap();
        let shift = Vec2::new(0.4, 0.9);
        let gap = |angle: f64, by: Vec2| {
            line_contact(&ellipse, &Pose2::new(angle, shift + by).unwrap(), &line).unwrap().gap
        };
        for i in 0..20 {
            let angle = f64::from(i) * 0.33;
            let contact = line_contact(&ellipse, &Pose2::new(angle, shift).unwrap(), &line).unwrap();
            let lever = line.normal().dot(&perpendicular(&(contact.on_curve - shift)));
            let step = 1e-5;
            let turned = (gap(angle + step, Vec2::zeros()) - gap(angle - step, Vec2::zeros())) / (2.0 * step);
            assert!((turned - lever).abs() < 1e-8);
            let moved = gap(angle, Vec2::x() * step) - gap(angle, Vec2::zeros());
            assert!((moved / step - line.normal().x).abs() < 1e-9);
        }
    }

    #[test]
    fn a_flat_side_touches_with_curvature_zero() {
        let square = Superellipse::new([1.0, 1.0], 50.0).unwrap();
        let pose = Pose2::new(0.0, Vec2::new(0.0, 1.25)).unwrap();
        let contact = line_contact(&square, &pose, &floor()).unwrap();
        assert_eq!((contact.gap, contact.curvature), (-0.25, 0.0));
    }

    #[test]
    fn a_line_without_direction_is_refused() {
        let error = Line::new(Vec2::zeros(), 1.0).unwrap_err();
        assert_eq!(error.to_string(), "normal = 0: must be a vector of non-zero length");
        assert!(Line::new(Vec2::x(), f64::NAN).is_err_and(|e| e.to_string().starts_with("offset = NaN")));
    }
}
