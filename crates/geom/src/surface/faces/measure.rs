//! Area and moments by the divergence theorem: with dS = ∂x/∂u × ∂x/∂v du dv and x from the middle of the box around
//! the surface,
//!
//!   A = ∫ ∣dS∣,   V = ⅓ ∫ x·dS,   ∫ x dV = ¼ ∫ x (x·dS),   ∫ xxᵀ dV = ⅕ ∫ xxᵀ (x·dS)
//!
//! Faces are integrated as triangles or quarters of squares that are cut in four where the rule errs: cuts at the
//! middles of sides fall upon the borders between the polynomials of a subdivision surface and lead to its
//! extraordinary vertices. On a bicubic the integrands of moments have the degree 14 in either parameter, for which a
//! square's rule of 8 × 8 nodes is exact.

use super::{Faced, undefined};
use crate::chart::Place;
use crate::chart::polygon::Polygon;
use crate::error::Result;
use crate::quadrature::{Piece, adaptive_pieces};
use crate::{Mat3, Moments, Pose, Vec2, Vec3};

/// The relative accuracy of areas and moments.
const TOLERANCE: f64 = 1e-8;

/// Pieces that a face may be cut into on average; one extraordinary vertex of it takes about a hundred.
const CELLS: usize = 2_000;

fn integrate<const N: usize, F: Faced>(
    surface: &F,
    f: impl Fn(&Vec3, &Vec3) -> [f64; N],
) -> Result<[f64; N]> {
    let polygon = surface.polygon();
    let pieces: Vec<Piece> = match polygon {
        Polygon::Triangle => vec![Piece::Triangle([0, 1, 2].map(|k| polygon.corner(k)))],
        Polygon::Square => {
            let quarter = |k| Piece::Rectangle([0.5 * polygon.corner(k), Vec2::new(0.5, 0.5)]);
            (0..4).map(quarter).collect()
        }
    };
    let roots: Vec<(usize, Piece)> =
        (0..surface.chart_count()).flat_map(|face| pieces.iter().map(move |piece| (face, *piece))).collect();
    let most = CELLS * roots.len();
    adaptive_pieces(&roots, TOLERANCE, most, |chart, at| {
        let jet = surface.jet(&Place { chart, u: at.x, v: at.y })?;
        Ok(f(&jet.p, &jet.normal()))
    })
}

pub(super) fn area(surface: &impl Faced) -> Result<f64> {
    Ok(integrate(surface, |_, ds| [ds.norm()])?[0])
}

/// The moments of the solid that a surface without borders encloses.
pub(super) fn moments<F: Faced>(surface: &F, bounds: &crate::Aabb) -> Result<Moments> {
    let polygon = surface.polygon();
    for face in 0..surface.chart_count() {
        let open = |&side: &usize| surface.across(face, side).is_none() && !surface.is_pole(face, side);
        if let Some(side) = (0..polygon.sides()).find(open) {
            let reason = format!("it encloses no solid, side {side} of face {face} is a border");
            return Err(undefined(surface, "volume", reason));
        }
    }
    let (middle, size) = (bounds.centre(), bounds.diagonal());
    // In sizes of the body all moments are of the same order.
    let m = integrate(surface, |p, ds| {
        let x = (p - middle) / size;
        let flux = x.dot(ds) / (size * size);
        let [third, fourth, fifth] = [flux / 3.0, flux / 4.0, flux / 5.0];
        [
            third,
            x.x * fourth,
            x.y * fourth,
            x.z * fourth,
            x.x * x.x * fifth,
            x.y * x.y * fifth,
            x.z * x.z * fifth,
            x.x * x.y * fifth,
            x.y * x.z * fifth,
            x.z * x.x * fifth,
        ]
    })?;
    let second = Mat3::new(m[4], m[7], m[9], m[7], m[5], m[8], m[9], m[8], m[6]);
    let scaled = Moments {
        volume: m[0] * size.powi(3),
        first: Vec3::new(m[1], m[2], m[3]) * size.powi(4),
        second: second * size.powi(5),
    };
    Ok(scaled.moved(&Pose::new(middle, nalgebra::UnitQuaternion::identity())))
}
