//! Two bodies with support functions, asked together: both at the same moment are cheaper than one after the other.

use rattleback_geom::Vec3;
use rattleback_geom::surface::{Face, Implicit, Kink, Shape, Superellipsoid, Support, SupportBlock};

/// Two bodies as the solvers see them, each in its own frame; 0 is A, 1 is B.
pub(crate) trait Bodies {
    /// The same with A and B exchanged.
    fn swapped(&self) -> Self;

    /// The support values at the normals `n`, two of each body.
    fn supports(&self, n: [[&Vec3; 2]; 2]) -> [[f64; 2]; 2];

    /// The points of support at the normals `n`, one of each body.
    fn points(&self, n: [&Vec3; 2]) -> [Vec3; 2];

    /// Values, points and radii at the normals d/`length` and the tangents t, u across them.
    fn blocks(&self, d: [&Vec3; 2], length: f64, t: [&Vec3; 2], u: [&Vec3; 2]) -> [SupportBlock; 2];

    /// The gradient of the implicit function at a point near the surface, where there is one for the whole surface.
    fn outward(&self, body: usize, point: &Vec3) -> Option<Vec3>;

    /// The normals to which a step across n leads along the parts of a body that has no implicit function of its own.
    fn followed(&self, body: usize, n: &Vec3, step: &Vec3, tell: &mut dyn FnMut(Vec3));

    /// The implicit view where its zero set is the whole surface.
    fn implicit(&self, body: usize) -> Option<&dyn Implicit>;

    /// The normals with more than one point.
    fn kinks(&self, body: usize) -> &[Kink];

    /// Whether faces are what their bodies say: those of sums know only some of them, and not to rounding.
    fn has_exact_faces(&self) -> bool;

    /// All points with outer normal n.
    fn face(&self, body: usize, n: &Vec3) -> Face;
}

/// Any two bodies.
#[derive(Clone, Copy)]
pub(crate) struct Any<'a> {
    support: [&'a dyn Support; 2],
    implicit: [Option<&'a dyn Implicit>; 2],
    exact_faces: bool,
}

impl<'a> Any<'a> {
    pub fn new(support: [&'a dyn Support; 2], shapes: [&'a Shape; 2]) -> Self {
        let is_sum = |shape: &Shape| matches!(shape, Shape::Potential(_));
        Self { support, implicit: shapes.map(whole_implicit), exact_faces: !shapes.into_iter().any(is_sum) }
    }
}

/// The implicit view, where its zero set is the whole surface and the origin inside: one that needs bounds describes a
/// part only.
fn whole_implicit(shape: &Shape) -> Option<&dyn Implicit> {
    let origin = Vec3::zeros();
    let whole = |f: &&dyn Implicit| f.beyond_bounds(&origin) == f64::NEG_INFINITY && f.value(&origin) < 0.0;
    shape.surface().as_implicit().filter(whole)
}

impl Bodies for Any<'_> {
    fn swapped(&self) -> Self {
        let Self { support: [a, b], implicit: [fa, fb], exact_faces } = *self;
        Self { support: [b, a], implicit: [fb, fa], exact_faces }
    }

    fn supports(&self, n: [[&Vec3; 2]; 2]) -> [[f64; 2]; 2] {
        n.map(|[a, b]| [self.support[0].support(a), self.support[1].support(b)])
    }

    fn points(&self, n: [&Vec3; 2]) -> [Vec3; 2] {
        [self.support[0].support_point(n[0]), self.support[1].support_point(n[1])]
    }

    fn blocks(&self, d: [&Vec3; 2], length: f64, t: [&Vec3; 2], u: [&Vec3; 2]) -> [SupportBlock; 2] {
        let block = |k: usize| self.support[k].support_block(&(d[k] / length), t[k], u[k]);
        [block(0), block(1)]
    }

    fn outward(&self, body: usize, point: &Vec3) -> Option<Vec3> {
        Some(self.implicit[body]?.gradient(point))
    }

    fn followed(&self, body: usize, n: &Vec3, step: &Vec3, tell: &mut dyn FnMut(Vec3)) {
        if self.implicit[body].is_none() {
            self.support[body].followed(n, step, tell);
        }
    }

    fn implicit(&self, body: usize) -> Option<&dyn Implicit> {
        self.implicit[body]
    }

    fn kinks(&self, body: usize) -> &[Kink] {
        self.support[body].kinks()
    }

    fn has_exact_faces(&self) -> bool {
        self.exact_faces
    }

    fn face(&self, body: usize, n: &Vec3) -> Face {
        self.support[body].face(n)
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

    fn points(&self, n: [&Vec3; 2]) -> [Vec3; 2] {
        Superellipsoid::support_points(self.0, n)
    }

    #[inline]
    fn blocks(&self, d: [&Vec3; 2], length: f64, t: [&Vec3; 2], u: [&Vec3; 2]) -> [SupportBlock; 2] {
        Superellipsoid::support_blocks(self.0, d, length, t, u)
    }

    #[inline]
    fn outward(&self, body: usize, point: &Vec3) -> Option<Vec3> {
        Some(self.0[body].gradient(point))
    }

    fn followed(&self, _body: usize, _n: &Vec3, _step: &Vec3, _tell: &mut dyn FnMut(Vec3)) {}

    fn implicit(&self, body: usize) -> Option<&dyn Implicit> {
        Some(self.0[body])
    }

    #[inline]
    fn kinks(&self, _body: usize) -> &[Kink] {
        &[]
    }

    fn has_exact_faces(&self) -> bool {
        true
    }

    fn face(&self, body: usize, n: &Vec3) -> Face {
        self.0[body].face(n)
    }
}
