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
use crate::kinematics::Twist;
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

/// How a contact changes along one motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// Of the gap.
    pub gap: f64,
    /// Of the normal.
    pub normal: Vec3,
    /// Of A's touching point, which wanders over A.
    pub point_a: Vec3,
    /// Of B's touching point.
    pub point_b: Vec3,
    /// Of A's principal curvatures.
    pub curvature_a: [f64; 2],
    /// Of B's principal curvatures.
    pub curvature_b: [f64; 2],
    /// Of the relative principal curvatures.
    pub relative: [f64; 2],
}

impl Rates {
    /// The rate of the gap alone; nothing else changes, or nobody asks.
    pub fn of_gap(gap: f64) -> Self {
        let none = Vec3::zeros();
        Self {
            gap,
            normal: none,
            point_a: none,
            point_b: none,
            curvature_a: [0.0; 2],
            curvature_b: [0.0; 2],
            relative: [0.0; 2],
        }
    }
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

/// The rates of a contact of `a` and `b` while they move; a small change of pose is a motion too.
pub fn rates(a: &Collider, b: &Collider, contact: &Contact, motion: [&Twist; 2]) -> Result<Rates> {
    Ok(Both::new(a, b, contact)?.along(motion))
}

/// The derivatives of a contact of `a` and `b`.
pub fn derivatives(a: &Collider, b: &Collider, contact: &Contact) -> Result<Derivatives> {
    let both = Both::new(a, b, contact)?;
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
        let motion_a = Twist { velocity: unit(0), spin: unit(3) };
        let motion_b = Twist { velocity: unit(6), spin: unit(9) };
        let rates = both.along([&motion_a, &motion_b]);
        out.gap[column] = rates.gap;
        out.normal.set_column(column, &rates.normal);
        out.point_a.set_column(column, &rates.point_a);
        out.point_b.set_column(column, &rates.point_b);
        for k in 0..2 {
            out.curvature_a[(k, column)] = rates.curvature_a[k];
            out.curvature_b[(k, column)] = rates.curvature_b[k];
            out.relative[(k, column)] = rates.relative[k];
        }
    }
    Ok(out)
}

/// Both bodies at their contact, with what every direction of motion shares.
struct Both<'a> {
    contact: &'a Contact,
    a: Side<'a>,
    b: Side<'a>,
    /// Two tangents, and H_A + H_B + f·1 on them: entries xx, xy, yy.
    tangents: (Vec3, Vec3),
    block: [f64; 3],
}

impl<'a> Both<'a> {
    fn new(a: &'a Collider, b: &'a Collider, contact: &'a Contact) -> Result<Self> {
        let touch = &contact.touch;
        let a = Side::new(a, &touch.normal, &touch.point_a)?;
        let b = Side::new(b, &-touch.normal, &touch.point_b)?;
        let (t, u) = tangents(&touch.normal);
        let [xx, xy, yy] = tangent_block(&(a.radii + b.radii), &t, &u);
        Ok(Self { contact, a, b, tangents: (t, u), block: [xx + touch.gap, xy, yy + touch.gap] })
    }

    fn along(&self, [motion_a, motion_b]: [&Twist; 2]) -> Rates {
        let touch = &self.contact.touch;
        let n = touch.normal;
        let (w_a, w_b) = (&motion_a.spin, &motion_b.spin);
        // How the material points of both bodies move at the touching points.
        let move_a = motion_a.velocity + w_a.cross(&self.a.arm);
        let move_b = motion_b.velocity + w_b.cross(&self.b.arm);
        let apart = move_b - move_a;
        let dn = match (self.a.support, self.b.support) {
            (None, _) => w_a.cross(&n),
            (_, None) => w_b.cross(&n),
            _ => self.solve(&(apart + self.a.radii * w_a.cross(&n) + self.b.radii * w_b.cross(&n))),
        };
        let gap = n.dot(&apart);
        let mut dp = move_a + self.a.radii * (dn - w_a.cross(&n));
        let mut dq = move_b - self.b.radii * (dn - w_b.cross(&n));
        // The foot on a half-space follows the other body's point.
        if self.a.support.is_none() {
            dp = dq - n * gap - dn * touch.gap;
        } else if self.b.support.is_none() {
            dq = dp + n * gap + dn * touch.gap;
        }
        let rate_a = self.a.radii_rate(&n, &dn, w_a);
        let rate_b = self.b.radii_rate(&-n, &-dn, w_b);
        Rates {
            gap,
            normal: dn,
            point_a: dp,
            point_b: dq,
            curvature_a: self.a.kappa_rate(&self.contact.curvature_a, &rate_a),
            curvature_b: self.b.kappa_rate(&self.contact.curvature_b, &rate_b),
            relative: relative_rate(self.contact, &rate_a, &rate_b),
        }
    }

    /// (H_A + H_B + f·1)⁻¹ on the tangent plane.
    fn solve(&self, v: &Vec3) -> Vec3 {
        let ((t, u), [xx, xy, yy]) = (&self.tangents, self.block);
        let det = xx * yy - xy * xy;
        let (x, y) = (t.dot(v), u.dot(v));
        t * ((yy * x - xy * y) / det) + u * ((xx * y - xy * x) / det)
    }
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
