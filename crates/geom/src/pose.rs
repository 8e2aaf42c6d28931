//! Where a body is: a rotation and a translation.
//!
//! p_w = R p_l + t. Frames stand in names: `p_w` in world axes, `p_l` in the body's own.

use crate::error::{Result, finite, finite3};
use crate::{GeomError, Mat3, Vec3};
use nalgebra::{Quaternion, UnitQuaternion};

/// A placement of a local frame in the world.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Pose {
    /// Origin of the local frame, in world axes, in metres.
    pub position: Vec3,
    /// Rotation from local to world axes.
    pub orientation: UnitQuaternion<f64>,
}

impl Default for Pose {
    fn default() -> Self {
        Self::identity()
    }
}

impl Pose {
    /// The world frame itself.
    pub fn identity() -> Self {
        Self { position: Vec3::zeros(), orientation: UnitQuaternion::identity() }
    }

    /// Whether it moves nothing.
    #[inline]
    pub fn is_identity(&self) -> bool {
        let (p, q) = (&self.position, &self.orientation);
        p.x == 0.0 && p.y == 0.0 && p.z == 0.0 && q.w == 1.0 && q.i == 0.0 && q.j == 0.0 && q.k == 0.0
    }

    /// A pose from a position and a rotation.
    #[inline]
    pub fn new(position: Vec3, orientation: UnitQuaternion<f64>) -> Self {
        Self { position, orientation }
    }

    /// A pose without rotation.
    pub fn from_position(x: f64, y: f64, z: f64) -> Self {
        Self { position: Vec3::new(x, y, z), orientation: UnitQuaternion::identity() }
    }

    /// The same position, turned by `angle` radians about `axis` (which must have a direction).
    pub fn rotated(self, axis: Vec3, angle: f64) -> Result<Self> {
        let axis = crate::error::direction("axis", &axis)?;
        finite("angle", angle)?;
        let turn = UnitQuaternion::from_axis_angle(&nalgebra::Unit::new_unchecked(axis), angle);
        Ok(Self { orientation: turn * self.orientation, ..self })
    }

    /// A pose from a position and a quaternion (w, x, y, z), which is normalised here.
    ///
    /// A quaternion whose length differs from one by more than 1e-3 is refused: it is more likely a mistake in
    /// the order of its components than rounding.
    pub fn from_parts(position: [f64; 3], wxyz: [f64; 4]) -> Result<Self> {
        let position = finite3("position", &Vec3::from(position))?;
        for (i, q) in wxyz.iter().enumerate() {
            finite(&format!("orientation[{i}]"), *q)?;
        }
        let [w, x, y, z] = wxyz;
        let q = Quaternion::new(w, x, y, z);
        let norm = q.norm();
        if (norm - 1.0).abs() > 1e-3 {
            return Err(GeomError::OutOfRange {
                field: "orientation".to_owned(),
                value: norm,
                allowed: "a quaternion (w, x, y, z) of length one".to_owned(),
            });
        }
        Ok(Self { position, orientation: UnitQuaternion::from_quaternion(q) })
    }

    /// The quaternion's components in the order w, x, y, z.
    pub fn wxyz(&self) -> [f64; 4] {
        let q = self.orientation.quaternion();
        [q.w, q.i, q.j, q.k]
    }

    /// The rotation as a matrix whose columns are the local axes in world axes.
    #[inline]
    pub fn rotation(&self) -> Mat3 {
        *self.orientation.to_rotation_matrix().matrix()
    }

    /// A point from local to world.
    #[inline]
    pub fn point_to_world(&self, p_l: &Vec3) -> Vec3 {
        self.orientation * p_l + self.position
    }

    /// A point from world to local.
    #[inline]
    pub fn point_to_local(&self, p_w: &Vec3) -> Vec3 {
        self.orientation.inverse_transform_vector(&(p_w - self.position))
    }

    /// A direction from local to world.
    #[inline]
    pub fn vector_to_world(&self, v_l: &Vec3) -> Vec3 {
        self.orientation * v_l
    }

    /// A direction from world to local.
    #[inline]
    pub fn vector_to_local(&self, v_w: &Vec3) -> Vec3 {
        self.orientation.inverse_transform_vector(v_w)
    }

    /// The pose that undoes this one.
    pub fn inverse(&self) -> Self {
        let orientation = self.orientation.inverse();
        Self { position: -(orientation * self.position), orientation }
    }

    /// This pose after `inner`: maps what `inner` maps into this pose's local frame on into the world.
    #[inline]
    pub fn compose(&self, inner: &Pose) -> Self {
        Self {
            position: self.point_to_world(&inner.position),
            orientation: self.orientation * inner.orientation,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn composing_with_the_inverse_gives_the_identity() {
        let pose = Pose::from_parts([1.0, -2.0, 0.5], [0.5, 0.5, -0.5, 0.5]).unwrap();
        let p = Vec3::new(0.3, 0.1, -0.7);
        assert!((pose.compose(&pose.inverse()).point_to_world(&p) - p).norm() < 1e-15);
        assert!((pose.point_to_local(&pose.point_to_world(&p)) - p).norm() < 1e-15);
    }

    #[test]
    fn a_quaternion_far_from_unit_length_is_refused_by_name() {
        let error = Pose::from_parts([0.0; 3], [1.0, 1.0, 0.0, 0.0]).unwrap_err();
        assert!(error.to_string().starts_with("orientation = 1.414"), "{error}");
        let error = Pose::from_parts([0.0, f64::NAN, 0.0], [1.0, 0.0, 0.0, 0.0]).unwrap_err();
        assert!(error.to_string().starts_with("position[1] = NaN"), "{error}");
    }
}
