//! Surfaces of faces that share their sides: subdivision surfaces, nets of patches. What every surface is asked is
//! answered here once, from the points and derivatives of the faces.
//!
//! | file | holds |
//! |---|---|
//! | `extremes` | the box around a surface, the range of its curvature |
//! | `measure` | area and moments |
//! | `tessellation` | triangles within a chord error |
//! | `subdivision` | the surfaces of Loop and of Catmull and Clark |
//! | `patches` | nets of Bézier patches, NURBS |
//! | `spatch` | S-patches |

mod extremes;
mod measure;
mod patches;
mod spatch;
mod subdivision;
mod tessellation;

pub(crate) use extremes::bounds;
pub(crate) use spatch::bounds as spatch_bounds;

use crate::chart::polygon::Polygon;
use crate::chart::{Atlas, Place};
use crate::error::{GeomError, Result};
use crate::{Curvature, Vec2, Vec3};

/// Faces with points everywhere, also where there are no derivatives.
pub(crate) trait Faced: Atlas {
    /// The kind of surface, as scene files spell it.
    const KIND: &'static str;

    /// The parameters of every face.
    fn polygon(&self) -> Polygon;

    /// The neighbour across a side and its side, which runs the other way.
    fn across(&self, face: usize, side: usize) -> Option<[usize; 2]>;

    /// How far from a corner the face ends as a chart, see [`crate::chart::polygon`].
    fn cut(&self, _face: usize, _corner: usize) -> f64 {
        0.0
    }

    /// The point at (u, v) of a face.
    fn point_at(&self, face: usize, at: &Vec2) -> Result<Vec3>;

    /// How much finer than in parameters a net of triangles must be towards a corner: at the share r of the way to the
    /// middle its nodes lie at the share r^p.
    fn grading(&self, _face: usize, _corner: usize) -> f64 {
        1.0
    }

    /// Refuses faces that do not lie on the same side of the surface.
    fn check_sides(&self) -> Result<()> {
        Ok(())
    }

    /// Whether a side is a single point.
    fn is_pole(&self, _face: usize, _side: usize) -> bool {
        false
    }
}

/// What every surface can be asked, for surfaces of faces with a box of their own.
macro_rules! surface {
    ($($name:ty),*) => {
        $(impl $crate::surface::Surface for $name {
            fn kind(&self) -> &'static str {
                <Self as super::Faced>::KIND
            }

            fn as_atlas(&self) -> Option<&dyn $crate::chart::Atlas> {
                Some(self)
            }

            fn bounds(&self) -> $crate::Aabb {
                <$name>::bounds(self)
            }

            fn curvature_at(&self, p: &$crate::Vec3) -> $crate::error::Result<$crate::Curvature> {
                super::curvature_at(self, p)
            }

            fn curvature_at_normal(&self, n: &$crate::Vec3) -> $crate::error::Result<$crate::Curvature> {
                $crate::error::direction("normal", n)?;
                Err(super::no_normals(self))
            }

            fn has_seam_at(&self, p: &$crate::Vec3, _n: &$crate::Vec3) -> bool {
                $crate::surface::touch_point::has_chart_seam(self, p)
            }

            fn curvature_range(&self) -> $crate::error::Result<[f64; 2]> {
                super::extremes::curvature_range(self)
            }

            fn tessellate(&self, chord: f64) -> $crate::error::Result<$crate::TriMesh> {
                super::Faced::check_sides(self)?;
                super::tessellation::mesh(self, chord)
            }

            fn area(&self) -> $crate::error::Result<f64> {
                super::measure::area(self)
            }

            fn moments(&self) -> $crate::error::Result<$crate::Moments> {
                super::Faced::check_sides(self)?;
                super::measure::moments(self, &<$name>::bounds(self))
            }
        })*
    };
}
use surface;

/// Curvature at the place nearest to a point.
fn curvature_at(surface: &impl Faced, p: &Vec3) -> Result<Curvature> {
    let place = surface.locate(p)?;
    let curvature = surface.jet(&place)?.curvature();
    if curvature.kappa.iter().all(|k| k.is_finite()) {
        return Ok(curvature);
    }
    let Place { chart, u, v } = place;
    let reason = format!("the parametrisation is singular at (u, v) = ({u}, {v}) of face {chart}");
    Err(undefined(surface, "curvature there", reason))
}

fn undefined<F: Faced>(_: &F, quantity: &'static str, reason: String) -> GeomError {
    GeomError::Undefined { surface: F::KIND, quantity, reason }
}

/// The refusal to look for the point with a given normal.
fn no_normals<F: Faced>(surface: &F) -> GeomError {
    let reason = "it need not be convex, so that several points may have the normal; ask at a point";
    undefined(surface, "curvature by normal", reason.to_owned())
}

/// A face as one or two triangles of parameters.
fn halves(polygon: Polygon) -> &'static [[usize; 3]] {
    match polygon {
        Polygon::Triangle => &[[0, 1, 2]],
        Polygon::Square => &[[0, 1, 2], [0, 2, 3]],
    }
}

/// p for a vertex of valence N whose third eigenvalue is μ: the surface leaves its tangent plane by μ per halving of
/// the parameters, and with p = ln 4/ln(1/μ) by a quarter per halving of r, as at a regular vertex with μ = 1/4.
pub(crate) fn grading(mu: f64) -> f64 {
    (0.25f64.ln() / mu.ln()).max(1.0)
}

#[cfg(test)]
mod tests;
