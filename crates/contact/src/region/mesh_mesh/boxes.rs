//! Whether a box of A's tree and one of B's have nothing in common: the fifteen axes of Gottschalk, Lin and Manocha
//! (1996).
//!
//! A's boxes lie along A's axes, B's along B's. With the rotation R and the shift t from A's frame to B's, the boxes'
//! centres c and half extents h, d = R c_A + t − c_B, the boxes are apart when for one of
//!
//!   B's axis k:        ∣d_k∣ > h_B,k + Σᵢ ∣R_kᵢ∣ h_A,ᵢ
//!   A's axis i:        ∣Σₖ R_kᵢ d_k∣ > h_A,ᵢ + Σₖ ∣R_kᵢ∣ h_B,k
//!   their product:     ∣a_i × e_j·d∣ > Σ ∣R∣ h_A + Σ ∣R∣ h_B over the two axes of each that are not i, j
//!
//! Products are not brought to length one, so that nothing is divided by zero where axes are parallel. All lengths
//! carry the margin by which everything here and the vertices of A in B's frame may be rounded, and by which R misses a
//! rotation: boxes that are said to be apart hold no two triangles that meet.

use rattleback_geom::{Aabb, Mat3, Vec3};

/// Roundings of one sum of six products of numbers within the size of the scene, with a wide berth.
const ROUNDINGS: f64 = 64.0 * f64::EPSILON;

/// How many axes there are; as an axis it stands for none.
pub(super) const AXES: u8 = 15;

/// A's frame in B's, and what is needed to compare boxes.
#[derive(Debug, Clone)]
pub(super) struct Placement {
    /// From A's axes to B's.
    pub rotation: Mat3,
    /// A's origin in B's frame.
    pub shift: Vec3,
    /// By how much a length may be wrong, in m.
    pub margin: f64,
    absolute: Mat3,
}

impl Placement {
    pub fn new(rotation: Mat3, shift: Vec3, a: &Aabb, b: &Aabb) -> Self {
        let reach = |bounds: &Aabb| bounds.min.abs().sup(&bounds.max.abs()).norm();
        let size = reach(a) + reach(b) + shift.norm();
        let defect = (rotation.transpose() * rotation - Mat3::identity()).abs().max();
        let margin = (ROUNDINGS + 4.0 * defect) * size;
        Self { rotation, shift, margin, absolute: rotation.abs() }
    }

    /// A point of A in B's frame. Every vertex has one image, independent of the caller.
    #[inline]
    pub fn point(&self, p: &Vec3) -> Vec3 {
        let r = &self.rotation;
        let row = |i: usize| (r[(i, 0)] * p.x + r[(i, 1)] * p.y) + (r[(i, 2)] * p.z + self.shift[i]);
        Vec3::new(row(0), row(1), row(2))
    }

    /// A point of B's frame in A's, up to rounding.
    pub fn back(&self, p: &Vec3) -> Vec3 {
        self.rotation.tr_mul(&(p - self.shift))
    }

    /// An axis that parts the boxes, or none; `first` is looked at first.
    #[inline]
    pub fn parting_axis(&self, a: &Aabb, b: &Aabb, first: u8) -> Option<u8> {
        let (half_a, half_b) = ((a.max - a.min) * 0.5, (b.max - b.min) * 0.5);
        let d = self.point(&((a.min + a.max) * 0.5)) - (b.min + b.max) * 0.5;
        if first < AXES && self.parts(first, &d, &half_a, &half_b) {
            return Some(first);
        }
        (0..AXES).find(|&axis| self.parts(axis, &d, &half_a, &half_b))
    }

    /// Axes 0 to 2 are B's, 3 to 5 A's, 6 + 3i + j is A's i times B's j.
    #[inline(always)]
    fn parts(&self, axis: u8, d: &Vec3, half_a: &Vec3, half_b: &Vec3) -> bool {
        const OTHERS: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
        let (r, s) = (&self.rotation, &self.absolute);
        let axis = axis as usize;
        if axis < 3 {
            let reach = s[(axis, 0)] * half_a.x + s[(axis, 1)] * half_a.y + s[(axis, 2)] * half_a.z;
            return d[axis].abs() > half_b[axis] + reach + self.margin;
        }
        if axis < 6 {
            let i = axis - 3;
            let along = r[(0, i)] * d.x + r[(1, i)] * d.y + r[(2, i)] * d.z;
            let reach = s[(0, i)] * half_b.x + s[(1, i)] * half_b.y + s[(2, i)] * half_b.z;
            return along.abs() > half_a[i] + reach + self.margin;
        }
        let (i, j) = ((axis - 6) / 3, (axis - 6) % 3);
        let ([i1, i2], [j1, j2]) = (OTHERS[i], OTHERS[j]);
        let along = r[(j2, i)] * d[j1] - r[(j1, i)] * d[j2];
        let reach_a = half_a[i1] * s[(j, i2)] + half_a[i2] * s[(j, i1)];
        let reach_b = half_b[j1] * s[(j2, i)] + half_b[j2] * s[(j1, i)];
        along.abs() > reach_a + reach_b + self.margin
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proximity::Obb;
    use crate::proximity::sample::Random;
    use rattleback_geom::Pose;
    use rattleback_geom::surface::Ellipsoid;

    #[test]
    fn boxes_are_apart_just_when_oriented_boxes_in_the_world_are() {
        let mut random = Random(21);
        let mut apart = 0;
        for _ in 0..5000 {
            let mut half = || [random.within(0.05, 1.5), random.within(0.05, 1.5), random.within(0.05, 1.5)];
            let (ha, hb) = (half(), half());
            let pose = random.pose(2.0);
            let (a, b) = (Aabb::centred(ha.into()), Aabb::centred(hb.into()));
            let placement = Placement::new(pose.rotation(), pose.position, &a, &b);
            let obb = |half, pose| Obb::new(&Ellipsoid::new(half).unwrap(), pose).unwrap();
            let want = obb(ha, &pose).separation(&obb(hb, &Pose::identity())).distance;
            if want.abs() > 1e-9 {
                let found = placement.parting_axis(&a, &b, AXES);
                assert_eq!(found.is_some(), want > 0.0, "{want}");
                // Whatever axis is tried first, the answer is the same.
                assert_eq!(placement.parting_axis(&a, &b, 7).is_some(), want > 0.0);
                apart += i32::from(want > 0.0);
            }
        }
        assert!((1000..4000).contains(&apart), "{apart}");
    }

    #[test]
    fn touching_boxes_are_never_apart_however_they_are_turned() {
        let mut random = Random(22);
        for _ in 0..5000 {
            let pose = random.pose(100.0);
            let a = Aabb::centred(Vec3::new(0.3, 0.2, 1e-3));
            // A corner of A's box as the only point of B's.
            let corner = Vec3::new(0.3, -0.2, 1e-3);
            let placement = Placement::new(pose.rotation(), pose.position, &a, &a);
            let image = placement.point(&corner);
            let b = Aabb { min: image, max: image };
            assert_eq!(placement.parting_axis(&a, &b, AXES), None);
        }
    }
}
