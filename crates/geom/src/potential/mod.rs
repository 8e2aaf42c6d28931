//! The generating potential of a strictly convex body, and how potentials combine.
//!
//! Römer's g is the support function on the unit sphere. Extended to all of space,
//!
//! > h(x) = |x| g(x/|x|), the point ∇h(n) (16), the radii of curvature = eigenvalues of ∇²h(n) on n⊥ (26)
//!
//! it needs no angles and has no poles. With K, L bodies, B the unit ball, M a matrix:
//!
//! | combination | support function | source |
//! |---|---|---|
//! | `translated(v)` | h + v·n | Römer (47), v = −r_BA |
//! | `offset(d)`, K + dB | h + d∣n∣, d above minus the smallest radius of curvature | Römer (48, 50) |
//! | `sum`, K + L (Minkowski) | h_K + h_L | Schneider, Convex Bodies, 1.7 |
//! | `scaled`, `rotated`, `transformed`: MK | h_K(Mᵀn) | Schneider, 1.7 |
//!
//! The discriminant in (50) must read (s²e + g)² − 4s²(eg − f²); here the bound is the smallest eigenvalue of ∇²h on
//! n⊥ over the sphere, which is the same number.
//!
//! A potential may be an intermediate term that bounds no body by itself (harmonics without a mean, say).
//! [`Potential::convexity`] decides that; a body is only made of a potential that passes.

mod bound;
mod convexity;
mod directions;
mod expression;
mod fit;
mod harmonics;
mod patch;
mod solid;
mod spline;
mod superovoid;

pub use convexity::Convexity;
pub use fit::{Fit, FitSettings};
pub use harmonics::{Harmonics, MAX_DEGREE};
pub use spline::{MOST_NORMALS, SphericalSpline};
pub use superovoid::Superovoid;

pub(crate) use directions::{extreme, gauss_sphere, octahedral, radii};

use crate::error::{GeomError, Result, coordinate, finite, finite3, positive, within};
use crate::surface::{Ellipsoid, Sphere, Support};
use crate::{Mat3, Vec3};
use expression::{Expression, Linear, Opaque};
use nalgebra::UnitQuaternion;
use std::sync::Arc;

/// A generating potential: a support function built from leaves and combinations, cheap to clone.
///
/// ```
/// use rattleback_geom::{Potential, Vec3, surface::Support};
/// let body = Potential::ellipsoid([3.0, 2.0, 1.0])?.offset(0.5)?.translated(&Vec3::new(0.0, 0.0, 4.0))?;
/// assert_eq!(body.support(&Vec3::z()), 5.5);
/// assert!(body.convexity()?.lower_bound > 0.83);
/// # Ok::<(), rattleback_geom::GeomError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Potential(Arc<Expression>);

impl Potential {
    /// A ball about the origin: g is its radius.
    pub fn ball(radius: f64) -> Result<Self> {
        Self::round(positive("radius", radius)?)
    }

    /// An ellipsoid about the origin, Römer (51).
    pub fn ellipsoid(semi_axes: [f64; 3]) -> Result<Self> {
        Ok(Self::of(Expression::Ellipsoid(Ellipsoid::new(semi_axes)?)))
    }

    /// A series of spherical harmonics.
    pub fn harmonics(harmonics: Harmonics) -> Self {
        Self::of(Expression::Harmonics(harmonics))
    }

    /// Polynomials about normals, plain or rational.
    pub fn spline(spline: SphericalSpline) -> Self {
        Self::of(Expression::Spline(spline))
    }

    /// Any support function.
    ///
    /// Nothing is known of it between samples, so `least_radius`, a lower bound on its radii of curvature in metres, is
    /// taken on the caller's word; 0 always holds for the support function of a convex body.
    pub fn from_support(support: Arc<dyn Support + Send + Sync>, least_radius: f64) -> Result<Self> {
        within("least_radius", least_radius, 0.0, f64::MAX, "a finite number, zero or above")?;
        Ok(Self::of(Expression::Opaque(Opaque { support, least_radius })))
    }

    /// The Minkowski sum.
    pub fn sum(&self, other: &Self) -> Self {
        Self::of(Expression::Sum(self.clone(), other.clone()))
    }

    /// The parallel body at `distance` metres, Römer (48): outside where positive, inside where negative.
    ///
    /// A negative distance must stay above minus the smallest radius of curvature, Römer (50).
    pub fn offset(&self, distance: f64) -> Result<Self> {
        coordinate("offset", distance)?;
        if distance < 0.0 {
            self.convexity_above(-distance).map_err(|error| match error {
                GeomError::NotConvex { radius, normal: [x, y, z], .. } => GeomError::OutOfRange {
                    field: "offset".to_owned(),
                    value: distance,
                    allowed: format!(
                        "above {}, minus the smallest radius of curvature, which is met at the normal ({x:.6}, {y:.6}, {z:.6})",
                        -radius
                    ),
                },
                other => other,
            })?;
        }
        Ok(self.sum(&Self::round(distance)?))
    }

    /// The body moved by `v` metres, Römer (47).
    pub fn translated(&self, v: &Vec3) -> Result<Self> {
        Ok(self.sum(&Self::of(Expression::Point(finite3("translation", v)?))))
    }

    /// The body turned about the origin.
    pub fn rotated(&self, rotation: &UnitQuaternion<f64>) -> Result<Self> {
        for (i, q) in rotation.coords.iter().enumerate() {
            finite(&format!("rotation[{i}]"), *q)?;
        }
        self.linear(*rotation.to_rotation_matrix().matrix(), Some(1.0))
    }

    /// The body enlarged about the origin by a factor above zero.
    pub fn scaled(&self, factor: f64) -> Result<Self> {
        self.linear(Mat3::from_diagonal_element(positive("scale", factor)?), Some(factor))
    }

    /// The image of the body under an invertible matrix: stretched, sheared, mirrored.
    pub fn transformed(&self, linear: &Mat3) -> Result<Self> {
        for (k, value) in linear.iter().enumerate() {
            finite(&format!("linear[{}][{}]", k % 3, k / 3), *value)?;
        }
        // Columns of equal lengths across each other: no rounding comes in where they are along the axes.
        let square = linear.tr_mul(linear);
        let factor = square[(0, 0)].sqrt();
        let similar = square == Mat3::from_diagonal_element(square[(0, 0)]);
        self.linear(*linear, similar.then_some(factor))
    }

    /// g in Römer's angles (14c): `phi` from +z, `theta` from +x about z, in radians.
    pub fn at_angles(&self, phi: f64, theta: f64) -> f64 {
        self.support(&Vec3::new(phi.sin() * theta.cos(), phi.sin() * theta.sin(), phi.cos()))
    }

    fn of(node: Expression) -> Self {
        Self(Arc::new(node))
    }

    fn round(radius: f64) -> Result<Self> {
        Ok(Self::of(Expression::Ball { unit: Sphere::new(1.0)?, radius }))
    }

    /// M applied to this potential, `similarity` its factor where M is a rotation times a factor.
    fn linear(&self, m: Mat3, similarity: Option<f64>) -> Result<Self> {
        let (inner, m, similarity) = match &*self.0 {
            Expression::Linear(l) => {
                (l.inner.clone(), m * l.m, l.similarity.zip(similarity).map(|(s, t)| s * t))
            }
            _ => (self.clone(), m, similarity),
        };
        // The image of an ellipsoid is an image of the ball, whose radii are known in closed form.
        if let (Expression::Ellipsoid(e), None) = (&*inner.0, similarity) {
            let m = m * Mat3::from_diagonal(e.semi_axes());
            return Ok(Self::of(Expression::Linear(Linear::new(Self::round(1.0)?, m, None)?)));
        }
        Ok(Self::of(Expression::Linear(Linear::new(inner, m, similarity)?)))
    }
}

impl From<Ellipsoid> for Potential {
    fn from(ellipsoid: Ellipsoid) -> Self {
        Self::of(Expression::Ellipsoid(ellipsoid))
    }
}

impl From<Harmonics> for Potential {
    fn from(harmonics: Harmonics) -> Self {
        Self::harmonics(harmonics)
    }
}

#[cfg(test)]
mod tests;
