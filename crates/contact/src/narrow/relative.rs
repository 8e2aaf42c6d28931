//! The placement of B as A sees it.

use rattleback_geom::{Mat3, Pose, Vec3};

/// B's frame in A's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Relative {
    /// From B's to A's axes.
    pub rotation: Mat3,
    /// From A's origin to B's, in A's axes.
    pub r: Vec3,
}

impl Relative {
    pub fn new(a: &Pose, b: &Pose) -> Self {
        Self::seen_from(&a.rotation(), a, b)
    }

    /// The same where A's axes, the columns of `axes`, are at hand.
    #[inline(always)]
    pub fn seen_from(axes: &Mat3, a: &Pose, b: &Pose) -> Self {
        let turn = a.orientation.conjugate() * b.orientation;
        Self { rotation: *turn.to_rotation_matrix().matrix(), r: axes.tr_mul(&(b.position - a.position)) }
    }
}
