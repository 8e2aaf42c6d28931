//! The placement of B as A sees it.
//!
//! A query begins and ends here, so that it is written out with fused products: a quaternion of length one, w + (x, y,
//! z), turns by 1 + 2w[v]× + 2[v]×².

use rattleback_geom::elementary::fma;
use rattleback_geom::nalgebra::UnitQuaternion;
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
        Self::seen_from(&Frame::new(a), b)
    }

    /// The same where A's frame is at hand.
    #[inline(always)]
    pub fn seen_from(a: &Frame<'_>, b: &Pose) -> Self {
        let (p, q) = (a.pose.orientation.coords, b.orientation.coords);
        // The conjugate of p times q.
        let w = fma(p.w, q.w, fma(p.x, q.x, fma(p.y, q.y, p.z * q.z)));
        let x = fma(p.w, q.x, fma(-p.x, q.w, fma(p.z, q.y, -p.y * q.z)));
        let y = fma(p.w, q.y, fma(-p.y, q.w, fma(p.x, q.z, -p.z * q.x)));
        let z = fma(p.w, q.z, fma(-p.z, q.w, fma(p.y, q.x, -p.x * q.y)));
        let apart = b.position - a.pose.position;
        let along = |j: usize| {
            let c = a.axes.column(j);
            fma(c[0], apart.x, fma(c[1], apart.y, c[2] * apart.z))
        };
        Self { rotation: matrix(w, x, y, z), r: Vec3::new(along(0), along(1), along(2)) }
    }
}

impl Relative {
    /// A direction of A's frame in B's.
    #[inline(always)]
    pub fn in_b(&self, v: &Vec3) -> Vec3 {
        let t = &self.rotation;
        let along = |j: usize| fma(t[3 * j], v.x, fma(t[3 * j + 1], v.y, t[3 * j + 2] * v.z));
        Vec3::new(along(0), along(1), along(2))
    }

    /// A direction of B's frame in A's.
    #[inline(always)]
    pub fn in_a(&self, v: &Vec3) -> Vec3 {
        let t = &self.rotation;
        let along = |i: usize| fma(t[i], v.x, fma(t[i + 3], v.y, t[i + 6] * v.z));
        Vec3::new(along(0), along(1), along(2))
    }
}

/// A pose with its axes worked out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame<'a> {
    pub pose: &'a Pose,
    /// The axes in the world are the columns.
    pub axes: Mat3,
}

impl<'a> Frame<'a> {
    #[inline(always)]
    pub fn new(pose: &'a Pose) -> Self {
        let q: &UnitQuaternion<f64> = &pose.orientation;
        Self { pose, axes: matrix(q.w, q.i, q.j, q.k) }
    }

    /// A direction of the frame in the world.
    #[inline(always)]
    pub fn vector(&self, v: &Vec3) -> Vec3 {
        let t = &self.axes;
        let row = |i: usize| fma(t[(i, 0)], v.x, fma(t[(i, 1)], v.y, t[(i, 2)] * v.z));
        Vec3::new(row(0), row(1), row(2))
    }

    /// A point of the frame in the world.
    #[inline(always)]
    pub fn point(&self, v: &Vec3) -> Vec3 {
        self.vector(v) + self.pose.position
    }
}

#[inline(always)]
fn matrix(w: f64, x: f64, y: f64, z: f64) -> Mat3 {
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xy, yz, zx) = (x * y2, y * z2, z * x2);
    let square = |a: f64, a2: f64, b: f64, b2: f64| fma(-a, a2, fma(-b, b2, 1.0));
    Mat3::new(
        square(y, y2, z, z2),
        fma(-w, z2, xy),
        fma(w, y2, zx),
        fma(w, z2, xy),
        square(z, z2, x, x2),
        fma(-w, x2, yz),
        fma(-w, y2, zx),
        fma(w, x2, yz),
        square(x, x2, y, y2),
    )
}
