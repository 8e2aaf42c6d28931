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

mod extremes;
mod measure;
mod subdivision;
mod tessellation;

pub(crate) use extremes::bounds;

use crate::chart::polygon::{Faces, Polygon};
use crate::chart::{Atlas, Place};
use crate::error::{GeomError, Result};
use crate::{Curvature, Vec2, Vec3};

/// Faces with points everywhere, also where there are no derivatives.
pub(crate) trait Faced: Faces + Atlas {
    /// The kind of surface, as scene files spell it.
    const KIND: &'static str;

    /// The point at (u, v) of a face.
    fn point_at(&self, face: usize, at: &Vec2) -> Result<Vec3>;

    /// How much finer than in parameters a net of triangles must be towards a corner: at the share r of the way to the middle
    /// its nodes lie at the share r^p.
    fn grading(&self, _face: usize, _corner: usize) -> f64 {
        1.0
    }

    /// Whether a side is a single point.
    fn is_pole(&self, _face: usize, _side: usize) -> bool {
        false
    }
}

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

/// p for a vertex of valence N whose third eigenvalue is μ: the surface leaves its tangent plane by μ per halving of the
/// parameters, and with p = ln 4/ln(1/μ) by a quarter per halving of r, as at a regular vertex with μ = 1/4.
pub(crate) fn grading(mu: f64) -> f64 {
    (0.25f64.ln() / mu.ln()).max(1.0)
}

#[cfg(test)]
mod tests;
