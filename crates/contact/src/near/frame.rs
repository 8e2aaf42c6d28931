//! B's frame as A sees it, and A's in the world.

use rattleback_geom::{Mat3, Pose, Vec3};

/// A rotation and a translation, worked out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    rotation: Mat3,
    origin: Vec3,
}

impl Frame {
    /// A frame in the world.
    pub fn of(pose: &Pose) -> Self {
        Self { rotation: pose.rotation(), origin: pose.position }
    }

    /// The axes themselves.
    pub fn same() -> Self {
        Self { rotation: Mat3::identity(), origin: Vec3::zeros() }
    }

    /// B in A's axes.
    pub fn between(a: &Pose, b: &Pose) -> Self {
        Self {
            rotation: *(a.orientation.inverse() * b.orientation).to_rotation_matrix().matrix(),
            origin: a.point_to_local(&b.position),
        }
    }

    #[inline]
    pub fn vector(&self, v: &Vec3) -> Vec3 {
        self.rotation * v
    }

    #[inline]
    pub fn point(&self, p: &Vec3) -> Vec3 {
        self.rotation * p + self.origin
    }

    #[inline]
    pub fn vector_back(&self, v: &Vec3) -> Vec3 {
        self.rotation.tr_mul(v)
    }

    #[inline]
    pub fn point_back(&self, p: &Vec3) -> Vec3 {
        self.rotation.tr_mul(&(p - self.origin))
    }
}
