//! Oriented boxes and the separating-axis test (Gottschalk, Lin & Manocha 1996).
//!
//! A box has a centre c, unit axes aᵢ and half extents eᵢ. Along a unit vector L two boxes are apart by
//!
//!   s(L) = ∣L·(c_B − c_A)∣ − Σ e_Aᵢ ∣L·a_Aᵢ∣ − Σ e_Bᵢ ∣L·a_Bᵢ∣
//!
//! and s(L) is a lower bound of their gap, whatever L. If the boxes are apart, some L among the three axes of A, the
//! three of B and the nine cross products of one with the other has s > 0; if they overlap, the greatest s of the
//! fifteen is minus the least translation that parts them.
//!
//! Parallel edges make a cross product vanish. Both radii are here projected on the axis as it was computed, so an
//! inaccurate axis still yields a valid bound and only one without any direction is left out; the face normals decide
//! that case.

use super::{bounded, finite_pose};
use crate::Result;
use rattleback_geom::surface::Surface;
use rattleback_geom::{Mat3, Pose, Vec3};

/// A cross product of unit vectors shorter than this is rounding alone and has no direction.
const NO_DIRECTION: f64 = 8.0 * f64::EPSILON;

/// A box along the axes of a body, in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Obb {
    centre: Vec3,
    /// Columns are the axes.
    axes: Mat3,
    half: Vec3,
}

/// How far two boxes are apart along the axis that shows it best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoxSeparation {
    /// A lower bound of the gap in m; negative: minus the least translation that parts the boxes.
    pub distance: f64,
    /// Unit axis, from A to B.
    pub axis: Vec3,
}

impl Obb {
    /// The local box of `surface` where `pose` puts it.
    pub fn new(surface: &dyn Surface, pose: &Pose) -> Result<Self> {
        finite_pose("pose", pose)?;
        let bounds = bounded(surface)?;
        Ok(Self {
            centre: pose.point_to_world(&bounds.centre()),
            axes: pose.rotation(),
            half: bounds.extents() * 0.5,
        })
    }

    /// The middle in m.
    pub fn centre(&self) -> &Vec3 {
        &self.centre
    }

    /// The axes, one per column.
    pub fn axes(&self) -> &Mat3 {
        &self.axes
    }

    /// The half extents in m.
    pub fn half_extents(&self) -> &Vec3 {
        &self.half
    }

    /// Half the length of the box's shadow on a unit vector.
    fn radius(&self, axis: &Vec3) -> f64 {
        (0..3).map(|i| self.half[i] * self.axes.column(i).dot(axis).abs()).sum()
    }

    /// The separation along a unit vector, which is turned to point from A to B.
    fn along(&self, other: &Self, axis: Vec3) -> BoxSeparation {
        let shift = axis.dot(&(other.centre - self.centre));
        let axis = if shift < 0.0 { -axis } else { axis };
        BoxSeparation { distance: shift.abs() - self.radius(&axis) - other.radius(&axis), axis }
    }

    /// The greatest separation over all fifteen axes.
    pub fn separation(&self, other: &Self) -> BoxSeparation {
        let mut best = self.along(other, self.axes.column(0).into());
        self.each_axis(other, |axis| {
            let found = self.along(other, axis);
            if found.distance > best.distance {
                best = found;
            }
            false
        });
        best
    }

    /// Whether some axis parts the boxes; stops at the first that does.
    pub fn is_separate_from(&self, other: &Self) -> bool {
        self.each_axis(other, |axis| self.along(other, axis).distance > 0.0)
    }

    /// Calls `accept` with every axis until it says yes.
    fn each_axis(&self, other: &Self, mut accept: impl FnMut(Vec3) -> bool) -> bool {
        for i in 0..3 {
            if accept(self.axes.column(i).into()) || accept(other.axes.column(i).into()) {
                return true;
            }
        }
        for i in 0..3 {
            for j in 0..3 {
                let cross = self.axes.column(i).cross(&other.axes.column(j));
                let length = cross.norm();
                if length > NO_DIRECTION && accept(cross / length) {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proximity::sample::Random;
    use rattleback_geom::surface::Ellipsoid;

    fn of(half: [f64; 3], pose: &Pose) -> Obb {
        Obb::new(&Ellipsoid::new(half).unwrap(), pose).unwrap()
    }

    /// The distance of two boxes by alternating projections, which converge to the nearest points of convex sets.
    fn distance(a: &Obb, b: &Obb) -> f64 {
        let nearest = |b: &Obb, p: &Vec3| {
            let local = b.axes.transpose() * (p - b.centre);
            b.centre + b.axes * local.zip_map(&b.half, |x, h| x.clamp(-h, h))
        };
        let (mut p, mut q) = (a.centre, b.centre);
        for _ in 0..4000 {
            q = nearest(b, &p);
            p = nearest(a, &q);
        }
        (p - q).norm()
    }

    #[test]
    fn the_fifteen_axes_agree_with_alternating_projections() {
        let mut random = Random(5);
        let mut apart = 0;
        for _ in 0..2000 {
            let mut half = || [random.within(0.05, 1.5), random.within(0.05, 1.5), random.within(0.05, 1.5)];
            let (ha, hb) = (half(), half());
            let (a, b) = (of(ha, &random.pose(1.0)), of(hb, &random.pose(1.5)));
            let gap = distance(&a, &b);
            let separation = a.separation(&b);
            assert!((separation.axis.norm() - 1.0).abs() < 1e-12);
            assert_eq!(a.is_separate_from(&b), separation.distance > 0.0);
            assert!(separation.distance <= gap + 1e-9);
            if gap > 1e-3 {
                apart += 1;
                assert!(separation.distance > 0.0, "{gap} {separation:?}");
            }
        }
        assert!(apart > 200, "{apart}");
    }

    #[test]
    fn parallel_and_nearly_parallel_boxes_are_parted_by_their_faces() {
        for angle in [0.0, 1e-18, 1e-16, 1e-14, 1e-9, 1e-6] {
            let turned = Pose::from_position(2.0 + 1e-5, 0.3, 0.2).rotated(Vec3::x(), angle).unwrap();
            let (a, b) = (of([1.0; 3], &Pose::identity()), of([1.0; 3], &turned));
            let separation = a.separation(&b);
            assert!((separation.distance - 1e-5).abs() < 1e-15, "{angle}: {separation:?}");
            assert!((separation.axis - Vec3::x()).norm() < 1e-12);
        }
    }

    #[test]
    fn overlapping_boxes_report_the_least_translation_that_parts_them() {
        let a = of([1.0; 3], &Pose::identity());
        let b = of([1.0; 3], &Pose::from_position(0.1, 0.2, -1.75));
        let separation = a.separation(&b);
        assert!((separation.distance + 0.25).abs() < 1e-15);
        assert!((separation.axis + Vec3::z()).norm() < 1e-15);
    }
}
