//! Any surface, as one type: what colliders hold and what the narrow phase dispatches on, once per pair.

use super::{
    Capsule, Cavity, ConvexHull, Cuboid, Cylinder, Ellipsoid, Frustum, HalfTorus, Link, Mesh, Plane,
    PotentialBody, Quadric, Sphere, Superellipsoid, Superhyperboloid, Superquadric, Surface, Torus,
};
use crate::patch::{NurbsSurface, PatchNet, SPatchSurface};
use crate::subdivision::{CatmullClarkSurface, LoopSurface};
use std::sync::Arc;

/// One of the surfaces of this crate, or one of the user's own.
#[derive(Debug, Clone)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant is documented at the type it holds")]
pub enum Shape {
    Plane(Plane),
    Sphere(Sphere),
    Ellipsoid(Ellipsoid),
    Superellipsoid(Superellipsoid),
    Superquadric(Superquadric),
    Cuboid(Cuboid),
    ConvexHull(Arc<ConvexHull>),
    Cylinder(Cylinder),
    Frustum(Frustum),
    Capsule(Capsule),
    Cavity(Cavity),
    Torus(Torus),
    HalfTorus(HalfTorus),
    Link(Link),
    Quadric(Arc<Quadric>),
    Superhyperboloid(Arc<Superhyperboloid>),
    Potential(Arc<PotentialBody>),
    Mesh(Arc<Mesh>),
    Loop(Arc<LoopSurface>),
    CatmullClark(Arc<CatmullClarkSurface>),
    Patches(Arc<PatchNet>),
    Nurbs(Arc<NurbsSurface>),
    SPatch(Arc<SPatchSurface>),
    /// A surface defined elsewhere; it is treated by the views it offers.
    Custom(Arc<dyn Surface>),
}

impl Shape {
    /// The mesh that bounds the body, of a mesh and of a box or hull with true edges.
    pub fn mesh(&self) -> Option<&Arc<Mesh>> {
        match self {
            Self::Mesh(mesh) => Some(mesh),
            Self::Cuboid(cuboid) => cuboid.mesh(),
            Self::ConvexHull(hull) => hull.mesh(),
            _ => None,
        }
    }

    /// The surface behind the shape.
    #[inline]
    pub fn surface(&self) -> &dyn Surface {
        match self {
            Self::Plane(s) => s,
            Self::Sphere(s) => s,
            Self::Ellipsoid(s) => s,
            Self::Superellipsoid(s) => s,
            Self::Superquadric(s) => s,
            Self::Cuboid(s) => s,
            Self::ConvexHull(s) => s.as_ref(),
            Self::Cylinder(s) => s,
            Self::Frustum(s) => s,
            Self::Capsule(s) => s,
            Self::Cavity(s) => s,
            Self::Torus(s) => s,
            Self::HalfTorus(s) => s,
            Self::Link(s) => s,
            Self::Quadric(s) => s.as_ref(),
            Self::Superhyperboloid(s) => s.as_ref(),
            Self::Potential(s) => s.as_ref(),
            Self::Mesh(s) => s.as_ref(),
            Self::Loop(s) => s.as_ref(),
            Self::CatmullClark(s) => s.as_ref(),
            Self::Patches(s) => s.as_ref(),
            Self::Nurbs(s) => s.as_ref(),
            Self::SPatch(s) => s.as_ref(),
            Self::Custom(s) => s.as_ref(),
        }
    }
}

macro_rules! from {
    ($($name:ident($kind:ty)),*) => {
        $(impl From<$kind> for Shape {
            fn from(surface: $kind) -> Self {
                Self::$name(surface.into())
            }
        })*
    };
}

from!(
    Plane(Plane),
    Sphere(Sphere),
    Ellipsoid(Ellipsoid),
    Superellipsoid(Superellipsoid),
    Superquadric(Superquadric),
    Cuboid(Cuboid),
    ConvexHull(ConvexHull),
    Cylinder(Cylinder),
    Frustum(Frustum),
    Capsule(Capsule),
    Cavity(Cavity),
    Torus(Torus),
    HalfTorus(HalfTorus),
    Link(Link),
    Quadric(Quadric),
    Superhyperboloid(Superhyperboloid),
    Potential(PotentialBody),
    Mesh(Mesh),
    Loop(LoopSurface),
    CatmullClark(CatmullClarkSurface),
    Patches(PatchNet),
    Nurbs(NurbsSurface),
    SPatch(SPatchSurface)
);
