//! How gap, points, normal and curvatures change with both poses, by the implicit function theorem.
//!
//! A pose moves by dx of its origin and a small rotation ω in world axes (R ← exp(ω×)R). With p, q the touching
//! points, x_A, x_B the origins, n the normal, H_A, H_B the support functions' Hessians in world axes and f the gap:
//!
//!   dp = dx_A + ω_A × (p − x_A) + H_A (dn − ω_A × n)
//!   dq = dx_B + ω_B × (q − x_B) − H_B (dn − ω_B × n)
//!   df = n·(dx_B + ω_B × (q − x_B) − dx_A − ω_A × (p − x_A))
//!
//! and since q − p = f n stays true, the tangent part of d(q − p) is f dn:
//!
//!   (H_A + H_B + f·1) dn = P [dx_B + ω_B × (q − x_B) − dx_A − ω_A × (p − x_A) + H_A (ω_A × n) + H_B (ω_B × n)]
//!
//! Nothing happens at f = 0. A half-space turns its normal with itself, dn = ω × n. Curvature: with the third
//! derivatives of h, dH = ω×H − Hω× + R ∇³h[Rᵀ(dn − ω × n)] Rᵀ; a principal radius ρ with direction d changes by
//! d·dH d, a principal curvature by −κ² d·dH d. At an umbilic the two curvatures are not differentiable one by one;
//! their sum is, and so are the relative ones where they differ.

use crate::contact::{Collider, Contact};
use crate::error::{ContactError, Result};
use rattleback_geom::curvature::{tangent_block, tangents};
use rattleback_geom::nalgebra::{SMatrix, SVector};
use rattleback_geom::surface::{Shape, Support};
use rattleback_geom::{Curvature, Mat3, Vec3};

/// Derivatives with respect to (dx_A, ω_A, dx_B, ω_B): twelve columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Derivatives {
    /// Of the gap.
    pub gap: SVector<f64, 12>,
    /// Of the normal.
    pub normal: SMatrix<f64, 3, 12>,
    /// Of A's point.
    pub point_a: SMatrix<f64, 3, 12>,
    /// Of B's point.
    pub point_b: SMatrix<f64, 3, 12>,
    /// Of A's two principal curvatures.
    pub curvature_a: SMatrix<f64, 2, 12>,
    /// Of B's two principal curvatures.
    pub curvature_b: SMatrix<f64, 2, 12>,
    /// Of the two relative principal curvatures.
    pub relative: SMatrix<f64, 2, 12>,
}

/// A body as seen from its touching point.
struct Side<'a> {
    /// None for a half-space.
    support: Option<&'a dyn Support>,
    collider: &'a Collider,
    /// The body's own outer normal in its frame.
    n_l: Vec3,
    /// From the body's origin to its touching point, world axes.
    arm: Vec3,
    /// ∇²h in world axes.
    radii: Mat3,
}

impl<'a> Side<'a> {
    fn new(collider: &'a Collider, n: &Vec3, point: &Vec3) -> Result<Self> {
        let n_l = collider.pose.vector_to_local(n);
        let arm = point - collider.pose.position;
        if let Shape::Plane(_) = collider.shape {
            return Ok(Self { support: None, collider, n_l, arm, radii: Mat3::zeros() });
        }
        let support = collider.shape.surface().as_support().ok_or(ContactError::Unsupported {
            a: collider.shape.surface().kind(),
            b: "any body",
            reason: "derivatives need a support function or a half-space",
        })?;
        let r = collider.pose.rotation();
        let radii = r * support.support_jet(&n_l).hessian * r.transpose();
        Ok(Self { support: Some(support), collider, n_l, arm, radii })
    }

    /// d∇²h in world axes for a change `dm` of the body's own normal and a rotation `omega`.
    fn radii_rate(&self, n: &Vec3, dm: &Vec3, omega: &Vec3) -> Mat3 {
        let Some(support) = self.support else { return Mat3::zeros() };
        let r = self.collider.pose.rotation();
        let d_l = r.tr_mul(&(dm - omega.cross(n)));
        let turn = omega.cross_matrix() * self.radii;
        turn + turn.transpose() + r * support.support_third(&self.n_l, &d_l) * r.transpose()
    }

    /// Rates of the principal curvatures.
    fn kappa_rate(&self, curvature: &Curvature, rate: &Mat3) -> [f64; 2] {
        std::array::from_fn(|k| {
            let d = &curvature.direction[k];
            -curvature.kappa[k] * curvature.kappa[k] * d.dot(&(rate * d))
        })
    }
}

/// The derivatives of a contact of `a` and `b`.
pub fn derivatives(a: &Collider, b: &Collider, contact: &Contact) -> Result<Derivatives> {
    let touch = &contact.touch;
    let n = touch.normal;
    let side_a = Side::new(a, &n, &touch.point_a)?;
    let side_b = Side::new(b, &-n, &touch.point_b)?;
    let (t, u) = tangents(&n);
    let [xx, xy, yy] = tangent_block(&(side_a.radii + side_b.radii), &t, &u);
    let (xx, yy) = (xx + touch.gap, yy + touch.gap);
    let det = xx * yy - xy * xy;
    let mut out = Derivatives {
        gap: SVector::zeros(),
        normal: SMatrix::zeros(),
        point_a: SMatrix::zeros(),
        point_b: SMatrix::zeros(),
        curvature_a: SMatrix::zeros(),
        curvature_b: SMatrix::zeros(),
        relative: SMatrix::zeros(),
    };
    for column in 0..12 {
        let unit = |first: usize| {
            if (first..first + 3).contains(&column) { Vec3::ith(column - first, 1.0) } else { Vec3::zeros() }
        };
        let [dx_a, w_a, dx_b, w_b] = [0, 3, 6, 9].map(unit);
        // How the material points of both bodies move at the touching points.
        let (move_a, move_b) = (dx_a + w_a.cross(&side_a.arm), dx_b + w_b.cross(&side_b.arm));
        let apart = move_b - move_a;
        let dn = match (side_a.support, side_b.support) {
            (None, _) => w_a.cross(&n),
            (_, None) => w_b.cross(&n),
            _ => {
                let v = apart + side_a.radii * w_a.cross(&n) + side_b.radii * w_b.cross(&n);
                let (x, y) = (t.dot(&v), u.dot(&v));
                t * ((yy * x - xy * y) / det) + u * ((xx * y - xy * x) / det)
            }
        };
        let gap = n.dot(&apart);
        let mut dp = move_a + side_a.radii * (dn - w_a.cross(&n));
        let mut dq = move_b - side_b.radii * (dn - w_b.cross(&n));
        // The foot on a half-space follows the other body's point.
        if side_a.support.is_none() {
            dp = dq - n * gap - dn * touch.gap;
        } else if side_b.support.is_none() {
            dq = dp + n * gap + dn * touch.gap;
        }
        let rate_a = side_a.radii_rate(&n, &dn, &w_a);
        let rate_b = side_b.radii_rate(&-n, &-dn, &w_b);
        out.gap[column] = gap;
        out.normal.set_column(column, &dn);
        out.point_a.set_column(column, &dp);
        out.point_b.set_column(column, &dq);
        let (ka, kb) = (
            side_a.kappa_rate(&contact.curvature_a, &rate_a),
            side_b.kappa_rate(&contact.curvature_b, &rate_b),
        );
        let relative = relative_rate(contact, &rate_a, &rate_b);
        for k in 0..2 {
            out.curvature_a[(k, column)] = ka[k];
            out.curvature_b[(k, column)] = kb[k];
            out.relative[(k, column)] = relative[k];
        }
    }
    Ok(out)
}

/// Rates of the relative curvatures: d·(dS_A + dS_B) d with dS = −S dH S on the tangent plane.
fn relative_rate(contact: &Contact, rate_a: &Mat3, rate_b: &Mat3) -> [f64; 2] {
    let (sa, sb) = (contact.curvature_a.shape_operator(), contact.curvature_b.shape_operator());
    let change = -(sa * rate_a * sa) - sb * rate_b * sb;
    std::array::from_fn(|k| {
        let d = &contact.relative.direction[k];
        d.dot(&(change * d))
    })
}
