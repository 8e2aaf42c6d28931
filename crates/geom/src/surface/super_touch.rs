//! Where superellipsoids and superquadrics touch other bodies: what is taken from the point, what from the normal.
//!
//! Across a plane where a coordinate vanishes the normal goes as the power e − 1 of the coordinate's share ξ. With an
//! exponent e of 50 the normal stays zero to rounding over most of a face, and the point alone knows where on the face
//! it is. With e = 1.05 a normal 0.1 off that plane belongs to ξ = 1e-20, and the normal alone knows. Hence a share
//! comes from the point where e ≥ 2 and from the normal, ξ ∝ m^{1/(e−1)}, where e < 2. A ring with e < 2 about a flat
//! pole is the exception: all its normals are the pole's to rounding.
//!
//! The curvature across goes as ξ^{e−2}. At ξ = 0 it is exactly zero for e > 2 and exactly infinite for e < 2, and its
//! rate goes as ξ^{e−3}: zero for e > 3, none for 2 < e ≤ 3.

use super::{Surface, TouchPoint};
use crate::curvature::BendingRate;
use crate::{Curvature, Vec3};

/// Shares from here on down are none: coefficients beside them would leave the range of doubles.
pub(super) const LEAST_SHARE: f64 = 1e-50;

/// A share of the point that rounding alone can make.
const NOTHING: f64 = 1e-14;

/// A curvature above this, in 1/m, is that of an edge.
const SHARPEST: f64 = 1e100;

/// What becomes of ξ^{e−2}.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Power {
    Zero,
    Finite,
    Infinite,
}

impl Power {
    pub fn of(share: f64, exponent: f64) -> Self {
        if share > LEAST_SHARE || exponent == 2.0 {
            Self::Finite
        } else if exponent > 2.0 {
            Self::Zero
        } else {
            Self::Infinite
        }
    }

    /// Whether ξ^{e−2} has no rate.
    pub fn has_kink(share: f64, exponent: f64) -> bool {
        share <= LEAST_SHARE && exponent <= 3.0 && exponent != 2.0
    }

    /// Of a product, of which one factor at most vanishes.
    pub fn times(self, other: Self) -> Self {
        if self == Self::Finite { other } else { self }
    }
}

/// Two shares in proportion: those of the point where the exponent is two or above, otherwise those that belong to the
/// normal's m, of which the body's largest is one. Rounding ε changes ξ by the share ε/ξ of itself through the point,
/// by ε/((e − 1)m) through the normal: below two the normal knows better, but for a smaller m, or where the point knows
/// nothing.
pub(super) fn shares(point: [f64; 2], normal: [f64; 2], exponent: f64) -> [f64; 2] {
    let largest = normal[0].max(normal[1]);
    if exponent >= 2.0 || !(largest > 0.0) {
        return point;
    }
    let known = point[0].min(point[1]);
    if known > NOTHING && known > (exponent - 1.0) * normal[0].min(normal[1]) {
        return point;
    }
    normal.map(|m| (m / largest).powf(1.0 / (exponent - 1.0)))
}

/// A shape operator Σ kᵢ uᵢuᵢᵀ of two dyads with tangent vectors uᵢ, where some kᵢ is zero or infinite.
pub(super) fn of_dyads(n: &Vec3, k: [f64; 2], u: [Vec3; 2], power: [Power; 2]) -> Curvature {
    let oriented = |kappa: [f64; 2], d1: Vec3| Curvature { kappa, direction: [d1, n.cross(&d1)] };
    match power {
        [Power::Infinite, Power::Infinite] => Curvature::umbilic(n, f64::INFINITY),
        [Power::Zero, Power::Zero] => Curvature::flat(n),
        [Power::Infinite, other] => edge(n, &u[0], if other == Power::Zero { 0.0 } else { k[1] }, &u[1]),
        [other, Power::Infinite] => edge(n, &u[1], if other == Power::Zero { 0.0 } else { k[0] }, &u[0]),
        [Power::Zero, _] => oriented([k[1] * u[1].norm_squared(), 0.0], u[1].normalize()),
        [_, _] => oriented([k[0] * u[0].norm_squared(), 0.0], u[0].normalize()),
    }
}

/// Infinite along `across`; along the edge the curvature is what `k` u uᵀ leaves.
fn edge(n: &Vec3, across: &Vec3, k: f64, u: &Vec3) -> Curvature {
    let d1 = across.normalize();
    let d2 = n.cross(&d1);
    Curvature { kappa: [f64::INFINITY, k * d2.dot(u).powi(2)], direction: [d1, d2] }
}

/// The rate from the support function where the surface is sharper than it is flat, otherwise from `implicit`; `size`
/// in m.
pub(super) fn rate(
    surface: &dyn Surface,
    at: &TouchPoint,
    dn: &Vec3,
    size: f64,
    implicit: impl FnOnce() -> Option<BendingRate>,
) -> Option<BendingRate> {
    let [k1, k2] = at.curvature.kappa;
    let found = if k1 >= SHARPEST || k1 * k2 * size * size > 1.0 {
        surface.as_support().map(|support| at.radii_rate(support, dn))
    } else {
        implicit()
    }?;
    found.is_finite().then_some(found)
}
