//! Boxes along the axes.

use crate::Vec3;

/// The smallest box along the axes that contains something; infinite where that is unbounded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// Lower corner, in metres.
    pub min: Vec3,
    /// Upper corner, in metres.
    pub max: Vec3,
}

impl Aabb {
    /// The box that contains nothing.
    pub const EMPTY: Self = Self {
        min: Vec3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
        max: Vec3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    /// The box that contains everything.
    pub const ALL: Self = Self { min: Self::EMPTY.max, max: Self::EMPTY.min };

    /// A box about the origin with the given half extents.
    pub fn centred(half: Vec3) -> Self {
        Self { min: -half, max: half }
    }

    /// The box of a set of points.
    pub fn of_points<'a>(points: impl IntoIterator<Item = &'a Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |aabb, p| aabb.including(p))
    }

    /// This box grown to contain `p`.
    pub fn including(&self, p: &Vec3) -> Self {
        Self { min: self.min.inf(p), max: self.max.sup(p) }
    }

    /// The box of both.
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.inf(&other.min), max: self.max.sup(&other.max) }
    }

    /// This box grown by `margin` on every side.
    #[inline]
    pub fn fattened(&self, margin: f64) -> Self {
        Self { min: self.min.add_scalar(-margin), max: self.max.add_scalar(margin) }
    }

    /// Whether `p` lies inside or on the border.
    pub fn contains(&self, p: &Vec3) -> bool {
        (0..3).all(|i| self.min[i] <= p[i] && p[i] <= self.max[i])
    }

    /// Whether `other` lies inside or on the border.
    #[inline]
    pub fn encloses(&self, other: &Self) -> bool {
        (0..3).all(|i| self.min[i] <= other.min[i] && other.max[i] <= self.max[i])
    }

    /// Whether the two boxes share a point.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|i| self.min[i] <= other.max[i] && other.min[i] <= self.max[i])
    }

    /// The middle; NaN where the box is unbounded.
    pub fn centre(&self) -> Vec3 {
        (self.min + self.max) * 0.5
    }

    /// Lengths of the sides.
    #[inline]
    pub fn extents(&self) -> Vec3 {
        self.max - self.min
    }

    /// Length of the diagonal.
    pub fn diagonal(&self) -> f64 {
        self.extents().norm()
    }

    /// Half the surface, the usual cost of a box in a tree.
    #[inline]
    pub fn half_area(&self) -> f64 {
        let e = self.extents();
        e.x * e.y + e.y * e.z + e.z * e.x
    }

    /// Whether every side is finite and none is negative.
    #[inline]
    pub fn is_bounded(&self) -> bool {
        let e = self.extents();
        e.iter().all(|x| x.is_finite() && *x >= 0.0)
    }
}
