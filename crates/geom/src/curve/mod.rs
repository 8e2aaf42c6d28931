//! Strictly convex curves in the plane, given by their generating potential.
//!
//! Römer, section 2. The potential g(φ) is the distance of the tangent with the outer normal n = (cos φ, sin φ) from
//! the reference point: the support function. Here it is a function of the vector, h(n) = ∣n∣ g(n/∣n∣), homogeneous
//! of degree one, with t = (−n_y, n_x) for a unit n:
//!
//! | quantity | angle form | here |
//! |---|---|---|
//! | point of the curve | g n + g′ t (2) | ∇h(n) |
//! | radius of curvature R, in m | g + g″ (7) | t·∇²h t, ∇²h = R t tᵀ/∣n∣ |
//! | curvature, in 1/m | 1/(g + g″) (6) | 1/R |
//! | length | ∮ R dφ | ∮ h dφ |
//! | area | ½ ∮ g R dφ | ½ ∮ (h² − (t·∇h)²) dφ |
//!
//! The integrals are those of the angle form by parts; R may be infinite at a normal, h and ∇h are not. A curve is
//! convex while R ≥ 0; with R > 0 (3) it has a tangent everywhere, and a continuous g″ makes its curvature
//! continuous (Proposition 1).
//!
//! A new curve is one file here plus its line below, and an entry in the conformance tests.
//!
//! A new curve is a file here and a table in `crates/scene/src/curve.rs`; `conformance.rs` and
//! `crates/cli/tests/curve.rs` hold it.

mod ellipse;
mod fit;
mod integral;
mod line;
mod offset;
mod periodic;
mod placed;
mod pose2;
mod spline;
mod sum;
mod superellipse;

#[cfg(test)]
mod conformance;

pub use ellipse::Ellipse;
pub use fit::SplineFit;
pub use line::{Line, LineContact, line_contact};
pub use offset::Offset;
pub use placed::Placed;
pub use pose2::Pose2;
pub use spline::SplinePotential;
pub use sum::Sum;
pub use superellipse::Superellipse;

use crate::Vec2;
use crate::error::{GeomError, Result, finite};
use nalgebra::Matrix2;
use std::f64::consts::TAU;
use std::fmt::Debug;

/// Relative error asked of a length or an area that has no closed form.
const INTEGRAL_TOLERANCE: f64 = 1e-11;

/// What every curve can be asked; in its own frame, in SI units.
pub trait Curve: Debug + Send + Sync {
    /// The kind of curve, as scene files spell it.
    fn kind(&self) -> &'static str;

    /// h, ∇h and R at a normal of length one.
    ///
    /// The length is the caller's care, and NaN in gives NaN out; [`Curve::jet`] checks.
    fn unit_jet(&self, n: &Vec2) -> CurveJet;

    /// The least and the greatest radius of curvature in m; the latter is `+∞` where the curve has a flat point.
    fn radius_range(&self) -> Result<[f64; 2]>;

    /// h, ∇h and R at a normal of any length but zero: h(sn) = s h(n), while ∇h and R do not depend on s.
    fn jet(&self, n: &Vec2) -> Result<CurveJet> {
        let (unit, length) = split("normal", n)?;
        let jet = self.unit_jet(&unit);
        Ok(CurveJet { value: jet.value * length, ..jet })
    }

    /// ∇²h(n) = R t tᵀ/∣n∣ in m.
    ///
    /// Where R is infinite the largest finite number stands in its place, so that no NaN arises from it.
    fn hessian(&self, n: &Vec2) -> Result<Matrix2<f64>> {
        let (unit, length) = split("normal", n)?;
        let t = perpendicular(&unit);
        Ok(t * t.transpose() * (self.unit_jet(&unit).radius / length).min(f64::MAX))
    }

    /// The normal parameterisation (2): g, the point and R at the outer normal (cos φ, sin φ).
    fn at_angle(&self, phi: f64) -> Result<CurveJet> {
        finite("phi", phi)?;
        Ok(self.unit_jet(&unit_normal(phi)))
    }

    /// Length in m.
    fn length(&self) -> Result<f64> {
        integral::adaptive([0.0, TAU], INTEGRAL_TOLERANCE, |phi| self.unit_jet(&unit_normal(phi)).value)
    }

    /// Enclosed area in m².
    fn area(&self) -> Result<f64> {
        integral::adaptive([0.0, TAU], INTEGRAL_TOLERANCE, |phi| {
            let n = unit_normal(phi);
            let jet = self.unit_jet(&n);
            let slope = perpendicular(&n).dot(&jet.point);
            0.5 * (jet.value - slope) * (jet.value + slope)
        })
    }
}

/// What [`Curve::jet`] returns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurveJet {
    /// h(n) in m.
    pub value: f64,
    /// ∇h(n) in m: the point of the curve whose outer normal is n.
    pub point: Vec2,
    /// R in m: zero at a kink, `+∞` at a flat point.
    pub radius: f64,
}

impl CurveJet {
    /// The curvature 1/R (6) in 1/m: `+∞` at a kink, zero at a flat point.
    pub fn curvature(&self) -> f64 {
        1.0 / self.radius
    }
}

/// (cos φ, sin φ).
pub(crate) fn unit_normal(phi: f64) -> Vec2 {
    let (sin, cos) = phi.sin_cos();
    Vec2::new(cos, sin)
}

/// The vector turned by a quarter counter-clockwise.
pub(crate) fn perpendicular(v: &Vec2) -> Vec2 {
    Vec2::new(-v.y, v.x)
}

/// Accepts two finite components.
fn finite2(field: &str, v: &Vec2) -> Result<Vec2> {
    for (i, value) in v.iter().enumerate() {
        finite(&format!("{field}[{i}]"), *value)?;
    }
    Ok(*v)
}

/// Accepts a vector with a direction; returns the direction with length one, and the length.
fn split(field: &str, v: &Vec2) -> Result<(Vec2, f64)> {
    finite2(field, v)?;
    // Scaled first, so that neither tiny nor huge vectors lose their direction.
    let scale = v.amax();
    if scale == 0.0 {
        return Err(GeomError::OutOfRange {
            field: field.to_owned(),
            value: 0.0,
            allowed: "a vector of non-zero length".to_owned(),
        });
    }
    let scaled = v / scale;
    let norm = scaled.norm();
    Ok((scaled / norm, norm * scale))
}
