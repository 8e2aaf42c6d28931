//! The planes that bound an open surface: half-spaces n·x ≤ d (Lopes, end of 3.3).
//!
//! The paper asks for bounds and leaves their form open. A list of half-spaces is general enough for the contact
//! test; the solids that quadrics and superhyperboloids bound accept those whose normals run along an axis, because
//! their areas and moments stay exact then.

use crate::error::{GeomError, Result, coordinate, direction};
use crate::{Aabb, Vec3};

/// The half-space n·x ≤ d, with a unit normal n out of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoundingPlane {
    normal: Vec3,
    offset: f64,
}

impl BoundingPlane {
    /// The half-space `normal`·x ≤ `offset`·∣`normal`∣: the offset is a distance from the origin, in metres.
    pub fn new(normal: Vec3, offset: f64) -> Result<Self> {
        Ok(Self { normal: direction("normal", &normal)?, offset: coordinate("offset", offset)? })
    }

    /// The half-space along a normal that has length one already.
    pub(crate) const fn along(normal: Vec3, offset: f64) -> Self {
        Self { normal, offset }
    }

    /// The unit normal, which points out of the half-space.
    pub fn normal(&self) -> &Vec3 {
        &self.normal
    }

    /// Distance from the origin along the normal, in metres.
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// How far `p` lies beyond the plane, ≤ 0 within the half-space, in metres.
    #[inline]
    pub fn beyond(&self, p: &Vec3) -> f64 {
        self.normal.dot(p) - self.offset
    }

    /// The axis along which the normal runs and its sign, if it runs along one.
    fn axis(&self) -> Option<(usize, bool)> {
        let axis = self.normal.iamax();
        ((0..3).all(|i| i == axis || self.normal[i] == 0.0)).then_some((axis, self.normal[axis] > 0.0))
    }
}

/// The largest of n·p − d over a list of planes; −∞ for none.
#[inline]
pub(crate) fn beyond(planes: &[BoundingPlane], p: &Vec3) -> f64 {
    planes.iter().map(|plane| plane.beyond(p)).fold(f64::NEG_INFINITY, f64::max)
}

/// What several planes along the axes leave: `range[i]` is the interval of coordinate i, infinite where no plane is.
pub(crate) fn ranges(planes: &[BoundingPlane]) -> Result<[[f64; 2]; 3]> {
    let mut range = [[f64::NEG_INFINITY, f64::INFINITY]; 3];
    for (i, plane) in planes.iter().enumerate() {
        let Some((axis, upper)) = plane.axis() else {
            let n = plane.normal;
            return Err(GeomError::Inconsistent {
                field: format!("planes[{i}].normal"),
                found: format!("[{}, {}, {}]", n.x, n.y, n.z),
                allowed: "along a coordinate axis".to_owned(),
            });
        };
        let [low, high] = &mut range[axis];
        if upper {
            *high = high.min(plane.offset);
        } else {
            *low = low.max(-plane.offset);
        }
    }
    Ok(range)
}

/// The planes that leave the given intervals; none where an interval is unbounded.
pub(crate) fn planes(range: &[[f64; 2]; 3]) -> Vec<BoundingPlane> {
    let mut list = Vec::new();
    for (axis, [low, high]) in range.iter().enumerate() {
        let normal = Vec3::ith(axis, 1.0);
        if high.is_finite() {
            list.push(BoundingPlane { normal, offset: *high });
        }
        if low.is_finite() {
            list.push(BoundingPlane { normal: -normal, offset: -low });
        }
    }
    list
}

/// Refuses a surface whose bounding planes leave more of it than a body may be long.
pub(crate) fn within_reach(bounds: &Aabb) -> Result<()> {
    for corner in [&bounds.min, &bounds.max] {
        for x in corner.iter() {
            coordinate("rim at the bounding planes", *x)?;
        }
    }
    Ok(())
}

/// The error for planes that are missing, superfluous or leave nothing.
pub(crate) fn unfit(found: String, allowed: &str) -> GeomError {
    GeomError::Inconsistent { field: "planes".to_owned(), found, allowed: allowed.to_owned() }
}
