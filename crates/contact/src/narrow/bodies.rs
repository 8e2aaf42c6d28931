//! Two bodies with support functions, asked together: both at the same moment are cheaper than one after the other.

use super::faces;
use rattleback_geom::Vec3;
use rattleback_geom::surface::{Implicit, Shape, Superellipsoid, Support, SupportBlock};

/// Two bodies as the solvers see them, each in its own frame; 0 is A, 1 is B.
pub(crate) trait Bodies {
    /// The same with A and B exchanged.
    fn swapped(&self) -> Self;

    /// The support values at the normals `n`, two of each body.
    fn supports(&self, n: [[&Vec3; 2]; 2]) -> [[f64; 2]; 2];

    /// Values, points and radii at the normals d/`length` and the tangents t, u across them.
    fn blocks(&self, d: [&Vec3; 2], length: f64, t: [&Vec3; 2], u: [&Vec3; 2]) -> [SupportBlock; 2];

    /// The gradient of the implicit function at a point near the surface, where there is one for the whole surface.
    fn outward(&self, body: usize, point: &Vec3) -> Option<Vec3>;

    /// The implicit view where its zero set is the whole surface.
    fn implicit(&self, body: usize) -> Option<&dyn Implicit>;

    /// Whether some normals have more than one point.
    fn has_faces(&self, body: usize) -> bool;

    /// The point with outer normal n that is nearest to `near`.
    fn face_point(&self, body: usize, n: &Vec3, near: &Vec3) -> Vec3;
}

/// Any two bodies.
#[derive(Clone, Copy)]
pub(crate) struct Any<'a> {
    support: [&'a dyn Support; 2],
    implicit: [Option<&'a dyn Implicit>; 2],
    has_faces: [bool; 2],
}

impl<'a> Any<'a> {
    pub fn new(support: [&'a dyn Support; 2], shapes: [&'a Shape; 2]) -> Self {
        Self { support, implicit: shapes.map(whole_implicit), has_faces: shapes.map(faces::has_faces) }
    }
}

/// The implicit view, where its zero set is the whole surface: one that needs bounds describes a part only.
fn whole_implicit(shape: &Shape) -> Option<&dyn Implicit> {
    shape.surface().as_implicit().filter(|f| f.beyond_bounds(&Vec3::zeros()) == f64::NEG_INFINITY)
}

impl Bodies for Any<'_> {
    fn swapped(&self) -> Self {
        let Self { support: [a, b], implicit: [fa, fb], has_faces: [x, y] } = *self;
        Self { support: [b, a], implicit: [fb, fa], has_faces: [y, x] }
    }

    fn supports(&self, n: [[&Vec3; 2]; 2]) -> [[f64; 2]; 2] {
        n.map(|[a, b]| [self.support[0].support(a), self.support[1].support(b)])
    }

    fn blocks(&self, d: [&Vec3; 2], length: f64, t: [&Vec3; 2], u: [&Vec3; 2]) -> [SupportBlock; 2] {
        let block = |k: usize| self.support[k].support_block(&(d[k] / length), t[k], u[k]);
        [block(0), block(1)]
    }

    fn outward(&self, body: usize, point: &Vec3) -> Option<Vec3> {
        Some(self.implicit[body]?.gradient(point))
    }

    fn implicit(&self, body: usize) -> Option<&dyn Implicit> {
        self.implicit[body]
    }

    fn has_faces(&self, body: usize) -> bool {
        self.has_faces[body]
    }

    fn face_point(&self, body: usize, n: &Vec3, near: &Vec3) -> Vec3 {
        self.support[body].face_point(n, near)
    }
}

/// Two superellipsoids, whose powers share the lanes of the vector unit.
#[derive(Clone, Copy)]
pub(crate) struct Superellipsoids<'a>(pub [&'a Superellipsoid; 2]);

impl Bodies for Superellipsoids<'_> {
    #[inline]
    fn swapped(&self) -> Self {
        Self([self.0[1], self.0[0]])
    }

    #[inline]
    fn supports(&self, n: [[&Vec3; 2]; 2]) -> [[f64; 2]; 2] {
        Superellipsoid::supports(self.0, n)
    }

    #[inline]
    fn blocks(&self, d: [&Vec3; 2], length: f64, t: [&Vec3; 2], u: [&Vec3; 2]) -> [SupportBlock; 2] {
        Superellipsoid::support_blocks(self.0, d, length, t, u)
    }

    #[inline]
    fn outward(&self, body: usize, point: &Vec3) -> Option<Vec3> {
        Some(self.0[body].gradient(point))
    }

    fn implicit(&self, body: usize) -> Option<&dyn Implicit> {
        Some(self.0[body])
    }

    #[inline]
    fn has_faces(&self, _body: usize) -> bool {
        false
    }

    fn face_point(&self, body: usize, n: &Vec3, _near: &Vec3) -> Vec3 {
        self.0[body].support_point(n)
    }
}
