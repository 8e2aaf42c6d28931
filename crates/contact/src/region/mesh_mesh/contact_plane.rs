//! The contact plane, the centroid and the indentation of a region as Dopico et al. print them, sections 4.4 to 4.6.
//!
//! Of the points r of a region's contours, each with the weight one,
//!
//!   Σ (n·r + d)² least, ∣n∣ = 1             the plane n·r + d = 0 of least squares, (20) to (23)
//!   c = Σ (r_i + r_j)(r_i × r_j)/6A         the centroid of the contours projected to that plane, A = Σ (r_i ×
//!   r_j)/2, (24) δ = max over both bodies of the distance beyond the plane
//!
//! Departures. n is the eigenvector of the least eigenvalue of the points' covariance, and the plane goes through
//! their mean: the paper factors the normal equations of x = (n, d) and sets the unknown of the least pivot to one,
//! whose plane depends on the axes of B as far as the contour is not flat, by 27° where two edges cross. Any axes of
//! the plane serve for (25, 26). A region that several contours bound, a ring, is one, with the holes taken off by the
//! signs of their areas. Whether a vertex lies inside the other body is decided exactly, where the paper asks whether
//! its projection lies inside the projected contour: the corners of a cube that lies flat project onto the contour
//! itself. And the indentation is over points of the contours too, or edges that cross each other, without a vertex
//! inside, would have none.
//!
//! Points on a line determine no plane, and contours whose projection crosses itself no centroid: a plane that leans
//! by more than 60° from the normal of the region, and a centroid beyond the sphere about the contours' box, are not
//! taken.
//!
//! The paper gives one body's indentation for both: two equal spheres yield half of their overlap each, and δ is that
//! half.

use rattleback_geom::curvature::tangents;
use rattleback_geom::{Aabb, Mat3, Pose, Vec3};

/// The least cosine between the plane's normal and the one of [`super::super::measure`].
const LEAN: f64 = 0.5;

/// A region as Dopico et al. have it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPlane {
    /// The unit normal, from A to B.
    pub normal: Vec3,
    /// The centroid of the projected contours, a point of the plane.
    pub centroid: Vec3,
    /// How far the body that is deepest reaches beyond the plane, in m.
    pub depth: f64,
}

impl ContactPlane {
    /// The plane and the centroid of closed contours, with its normal to the side of `facing`; none where they
    /// determine none. The depth is left to who knows the bodies.
    pub(super) fn fit<C: Iterator<Item = Vec3>>(
        contours: impl Iterator<Item = C> + Clone,
        facing: &Vec3,
    ) -> Option<Self> {
        let start = contours.clone().flatten().next()?;
        let (mut sum, mut count) = (Vec3::zeros(), 0.0);
        for r in contours.clone().flatten() {
            sum += r - start;
            count += 1.0;
        }
        // Of the plane, and the origin of what follows.
        let origin = start + sum / count;
        let mut squares = Mat3::zeros();
        let mut bounds = Aabb::EMPTY;
        for r in contours.clone().flatten() {
            squares += (r - origin) * (r - origin).transpose();
            bounds = bounds.including(&r);
        }
        let scale = squares.trace();
        if !(scale > 0.0 && scale.is_finite()) {
            return None;
        }
        let eigen = (squares / scale).symmetric_eigen();
        let axis = eigen.eigenvectors.column(eigen.eigenvalues.imin()).into_owned();
        let cosine = facing.dot(&axis);
        let normal = axis * cosine.signum();
        let (v, w) = tangents(&normal);
        let (mut area, mut first) = (0.0, [0.0; 2]);
        for contour in contours {
            let mut points = contour.map(|r| [v.dot(&(r - origin)), w.dot(&(r - origin))]);
            let Some(start) = points.next() else { continue };
            let mut last = start;
            for next in points.chain([start]) {
                let cross = 0.5 * (last[0] * next[1] - next[0] * last[1]);
                area += cross;
                (0..2).for_each(|i| first[i] += (last[i] + next[i]) * cross / 3.0);
                last = next;
            }
        }
        let centroid = origin + v * (first[0] / area) + w * (first[1] / area);
        let margin = 0.5 * bounds.extents().norm();
        let is_among = (centroid - bounds.centre()).norm() <= margin;
        (cosine.abs() >= LEAN && is_among).then_some(Self { normal, centroid, depth: 0.0 })
    }

    /// The same in the axes outside a pose.
    pub(super) fn placed(self, pose: &Pose) -> Self {
        let Self { normal, centroid, depth } = self;
        Self { normal: pose.vector_to_world(&normal), centroid: pose.point_to_world(&centroid), depth }
    }
}
