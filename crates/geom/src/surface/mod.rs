//! Surfaces, and the views through which algorithms see them.
//!
//! A surface bounds a solid; its normal points out of the solid. Everything is in the surface's own frame, in SI
//! units. What a surface can do it offers as a view:
//!
//! | view | offers | surfaces that have it |
//! |---|---|---|
//! | [`Implicit`] | F < 0 inside, ∇F, ∇²F | all but meshes and potentials |
//! | [`Support`] | h(n) = max n·x, ∇h = the point, ∇²h = radii of curvature | convex bounded bodies |
//! | [`Parametric`] | x(u, v) and its derivatives to third order | all smooth ones |
//! | [`Sliced`] | convex plane slices along one parameter | tori, links, bounded quadrics |
//! | [`Atlas`] | the same in charts, none of them singular | smooth bodies without edges, surfaces in patches |
//!
//! A new surface is one file here plus its line below, and an entry in the conformance tests.

mod capsule;
mod cavity;
mod convex_hull;
mod cuboid;
mod cylinder;
mod ellipsoid;
mod face;
pub(crate) mod faces;
mod frustum;
mod half_torus;
mod link;
mod mesh;
mod nested_norm;
mod octant;
mod open;
mod plane;
mod potential_body;
mod quadric;
mod shape;
mod sliced;
mod sphere;
mod super_touch;
mod superellipsoid;
mod superhyperboloid;
mod superquadric;
mod torus;
mod touch_point;
mod two_norms;

pub use capsule::Capsule;
pub use cavity::{Cavity, Wall};
pub use convex_hull::{ConvexHull, CoreEdge, CorePart};
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use face::{Face, Kink, Revolution};
pub use frustum::Frustum;
pub use half_torus::HalfTorus;
pub use link::Link;
pub use mesh::{Mesh, Projection};
pub use open::{BoundingPlane, Cap, Sheet};
pub use plane::Plane;
pub use potential_body::PotentialBody;
pub use quadric::{Quadric, QuadricKind};
pub use shape::Shape;
pub use sliced::{Part, Sliced};
pub use sphere::Sphere;
pub use superellipsoid::Superellipsoid;
pub use superhyperboloid::Superhyperboloid;
pub use superquadric::Superquadric;
pub use torus::Torus;
pub use touch_point::TouchPoint;

use crate::chart::Atlas;
use crate::curvature::BendingRate;
use crate::error::Result;
use crate::{Aabb, Curvature, Mat3, Moments, TriMesh, Vec3};
use std::fmt::Debug;

/// A component of a normal below this share of its length counts as zero: a normal that went through a pose there
/// and back is known to a few units of 2⁻⁵², and a face or a generator must not be mistaken for the edge beside it.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// What stands for an infinite radius of curvature, in sizes of the body: 2²⁶ = 1/√ε, so that the curvature is
/// negligible and the other radius keeps half its digits beside it.
const FLAT: f64 = 67_108_864.0;

/// A point this close to where smooth pieces of a surface meet, in sizes of the body, is on their seam: points come
/// from solvers that stop at about this error.
const ON_SEAM: f64 = 1e-9;

/// What every surface can be asked.
pub trait Surface: Debug + Send + Sync {
    /// The kind of surface, as scene files spell it.
    fn kind(&self) -> &'static str;

    /// The implicit view, where there is one.
    fn as_implicit(&self) -> Option<&dyn Implicit> {
        None
    }

    /// The support view; only convex bodies have one.
    fn as_support(&self) -> Option<&dyn Support> {
        None
    }

    /// The parametric view, where there is one.
    fn as_parametric(&self) -> Option<&dyn Parametric> {
        None
    }

    /// The solid as a stack of convex slices, where it is one and has no support function.
    fn as_sliced(&self) -> Option<&dyn Sliced> {
        None
    }

    /// The surface by charts, on which a contact point can move without end, where there are any.
    fn as_atlas(&self) -> Option<&dyn Atlas> {
        None
    }

    /// The tightest box along the axes; infinite where the solid is.
    fn bounds(&self) -> Aabb;

    /// Principal curvatures at a point of the surface.
    ///
    /// The point is taken as given: it is the caller's care that it lies on the surface.
    fn curvature_at(&self, p: &Vec3) -> Result<Curvature>;

    /// Principal curvatures at the point of the surface that lies farthest along `n`.
    fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature>;

    /// Principal curvatures where the surface touches another one: at its point `p` with the outer unit normal `n`.
    ///
    /// On a flat face the point knows more than the normal; on an edge the normal knows more than the point, and tells
    /// caps, rims and corners apart. Zero on a flat and `+∞` across an edge are exact.
    fn curvature_at_touch(&self, p: &Vec3, n: &Vec3) -> Result<Curvature> {
        if self.as_support().is_some() { self.curvature_at_normal(n) } else { self.curvature_at(p) }
    }

    /// Whether curvature jumps where the surface touches another one at `p` with the outer unit normal `n`: there
    /// points and normals have one-sided derivatives only.
    fn has_seam_at(&self, _p: &Vec3, _n: &Vec3) -> bool {
        false
    }

    /// How the surface of the given curvature at a touch bends on while the point moves by `dp` over it and the normal
    /// by `dn` with it; `None` where that has no derivative, or where there is no view to take it from.
    fn bending_rate(&self, at: &TouchPoint, dp: &Vec3, dn: &Vec3) -> Option<BendingRate> {
        if let Some(support) = self.as_support() {
            return Some(at.radii_rate(support, dn));
        }
        let by_value = self.as_implicit().and_then(|f| at.implicit_rate(f, dp, dn));
        by_value.or_else(|| self.as_atlas().and_then(|atlas| at.charted_rate(atlas, dp, dn)))
    }

    /// The least and the greatest principal curvature over the smooth parts of the surface, in 1/m.
    fn curvature_range(&self) -> Result<[f64; 2]>;

    /// A triangle mesh no point of which is farther than `chord` metres from the surface, faces turned outwards;
    /// closed where the solid is bounded.
    fn tessellate(&self, chord: f64) -> Result<TriMesh>;

    /// Area in m².
    fn area(&self) -> Result<f64>;

    /// Volume and its first and second moments; [`Moments::with_density`] makes mass properties of them.
    fn moments(&self) -> Result<Moments>;
}

/// F < 0 inside the solid, F = 0 on its surface, ∇F outwards.
pub trait Implicit {
    /// F(p).
    fn value(&self, p: &Vec3) -> f64;

    /// ∇F(p).
    fn gradient(&self, p: &Vec3) -> Vec3;

    /// ∇²F(p).
    fn hessian(&self, p: &Vec3) -> Mat3;

    /// F, ∇F and ∇²F at once, where that is cheaper.
    fn second_order(&self, p: &Vec3) -> (f64, Vec3, Mat3) {
        (self.value(p), self.gradient(p), self.hessian(p))
    }

    /// The derivative of ∇²F(p) along `d`, for derivatives of curvature; none where there is none, or none is known.
    fn hessian_rate(&self, _p: &Vec3, _d: &Vec3) -> Option<Mat3> {
        None
    }

    /// How far `p` exceeds the bounds that cut an open surface, ≤ 0 within them (a length in metres, the largest
    /// n·p − d over the bounding planes). Surfaces that need no bounds say −∞.
    fn beyond_bounds(&self, _p: &Vec3) -> f64 {
        f64::NEG_INFINITY
    }

    /// Those planes; bodies with support functions do not need them.
    fn bounding_planes(&self) -> &[BoundingPlane] {
        &[]
    }
}

/// The support function h(n) = max n·x over the body, homogeneous of degree one, and its derivatives.
///
/// Arguments need not have length one but must not vanish: h(sn) = s h(n), ∇h(sn) = ∇h(n), ∇²h(sn) = ∇²h(n)/s.
pub trait Support {
    /// h(n).
    fn support(&self, n: &Vec3) -> f64 {
        n.dot(&self.support_point(n))
    }

    /// ∇h(n): the point of the surface whose outer normal is n (one of them, where a face or an edge has many).
    fn support_point(&self, n: &Vec3) -> Vec3;

    /// All points with outer normal n.
    fn face(&self, n: &Vec3) -> Face {
        Face::Point(self.support_point(n))
    }

    /// The point with outer normal n that is nearest to `near`, where a face or a generator has many.
    fn face_point(&self, n: &Vec3, near: &Vec3) -> Vec3 {
        self.face(n).nearest(near)
    }

    /// The axes about which the body is one of revolution, where it is known to be.
    fn revolution(&self) -> Option<Revolution> {
        None
    }

    /// Where the support function has kinks because whole faces share a normal; few, and known beforehand.
    fn kinks(&self) -> &[Kink] {
        &[]
    }

    /// Tells the normals to which a step across n leads along the surfaces that the body is made of: each at its own
    /// point, moved by ∇²h times the step. Where a face is nearly flat they are better guesses than n + step. Only
    /// bodies say any whose parts can be asked for their normal at a point.
    fn followed(&self, _n: &Vec3, _step: &Vec3, _tell: &mut dyn FnMut(Vec3)) {}

    /// h, ∇h and ∇²h at once.
    ///
    /// Where a radius of curvature is infinite the Hessian holds a huge finite number in its place, so that no NaN
    /// arises from it.
    fn support_jet(&self, n: &Vec3) -> SupportJet;

    /// h, ∇h and ∇²h in two directions t, u across n: all that a step on the sphere needs.
    #[inline]
    fn support_block(&self, n: &Vec3, t: &Vec3, u: &Vec3) -> SupportBlock {
        let jet = self.support_jet(n);
        let radii = crate::curvature::tangent_block(&jet.hessian, t, u);
        SupportBlock { value: jet.value, point: jet.point, radii, determinant: None }
    }

    /// The derivative of ∇²h(n) along `d`, for derivatives of curvature.
    fn support_third(&self, n: &Vec3, d: &Vec3) -> Mat3;
}

/// [`Support::followed`] of a body with an implicit function.
fn follow<S: Support + Implicit>(body: &S, n: &Vec3, step: &Vec3, tell: &mut dyn FnMut(Vec3)) {
    let jet = body.support_jet(n);
    let normal = body.gradient(&(jet.point + jet.hessian * step));
    if let Some(normal) = normal.try_normalize(0.0).filter(|v| v.sum().is_finite()) {
        tell(normal);
    }
}

/// What [`Support::support_jet`] returns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SupportJet {
    /// h(n) in m.
    pub value: f64,
    /// ∇h(n) in m.
    pub point: Vec3,
    /// ∇²h(n) in m; n is in its null space, its other eigenvalues are the radii of curvature (for a unit n).
    pub hessian: Mat3,
}

/// What [`Support::support_block`] returns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SupportBlock {
    /// h(n) in m.
    pub value: f64,
    /// ∇h(n) in m.
    pub point: Vec3,
    /// The entries (tt, tu, uu) of ∇²h(n) in m.
    pub radii: [f64; 3],
    /// Their determinant, where it is known without the cancellation of tt·uu − tu².
    pub determinant: Option<f64>,
}

/// A surface as the image of a rectangle.
pub trait Parametric {
    /// The rectangle.
    fn domain(&self) -> Domain;

    /// x(u, v).
    fn point(&self, u: f64, v: f64) -> Vec3 {
        self.jet(u, v).p
    }

    /// x(u, v) and its derivatives to third order. ∂x/∂u × ∂x/∂v points outwards.
    fn jet(&self, u: f64, v: f64) -> ParametricJet;
}

/// The rectangle of parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Domain {
    /// Least and greatest u.
    pub u: [f64; 2],
    /// Least and greatest v.
    pub v: [f64; 2],
    /// Whether the surface closes on itself in u, in v.
    pub periodic: [bool; 2],
}

/// A point and all partial derivatives to third order.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(missing_docs, reason = "the names are the derivatives")]
pub struct ParametricJet {
    pub p: Vec3,
    pub du: Vec3,
    pub dv: Vec3,
    pub duu: Vec3,
    pub duv: Vec3,
    pub dvv: Vec3,
    pub duuu: Vec3,
    pub duuv: Vec3,
    pub duvv: Vec3,
    pub dvvv: Vec3,
}

impl ParametricJet {
    /// ∂x/∂u × ∂x/∂v, which points outwards and vanishes where the parametrisation is singular.
    pub fn normal(&self) -> Vec3 {
        self.du.cross(&self.dv)
    }

    /// Principal curvatures; NaN where the parametrisation is singular.
    pub fn curvature(&self) -> Curvature {
        let n = self.normal().normalize();
        Curvature::from_parametric([&self.du, &self.dv], [&self.duu, &self.duv, &self.dvv], &n)
    }
}
