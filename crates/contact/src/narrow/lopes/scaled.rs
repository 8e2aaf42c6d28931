//! The common normal as eight residuals in lengths, and their Jacobian.
//!
//! With the outer unit normals n_A, n_B in world axes, d = x_B − x_A, P = 1 − n_B n_Bᵀ and a length L,
//!
//!   r = ( L (n_A + n_B),  P d,  F_A/∣g_A∣,  F_B/∣g_B∣ )
//!
//! vanishes exactly at the common normals of facing sides. With N = ∂n/∂s = R (1 − ĝĝᵀ) H/∣g∣:
//!
//!   ∂(Pd)/∂s_A = −P R_A,   ∂(Pd)/∂s_B = P R_B − (n_B·d) N_B − n_B dᵀN_B,   ∂(F/∣g∣)/∂s = ĝᵀ − (F/∣g∣²) ĝᵀH
//!
//! Departures from Lopes (9): no tangent vectors, hence no jump of a frame; every row is a length, so that a sum of
//! squares means something; averted sides are no solutions. Two rows are redundant, and at a solution Gauss–Newton
//! steps are Newton steps.

use super::ImplicitBody;
use super::system::{Unknowns, halves};
use rattleback_geom::nalgebra::{SMatrix, SVector};
use rattleback_geom::{Mat3, Vec3};

pub(super) type Residual = SVector<f64, 8>;
pub(super) type Jacobian = SMatrix<f64, 8, 6>;

/// One body at a point of its own frame.
struct Side {
    x: Vec3,
    n: Vec3,
    /// ∂n/∂s, world by own axes.
    turn: Mat3,
    rotation: Mat3,
    offset: f64,
    d_offset: Vec3,
}

fn side(body: &ImplicitBody, s: &Vec3) -> Side {
    let (f, g, h) = (body.surface.value(s), body.surface.gradient(s), body.surface.hessian(s));
    let norm = g.norm();
    let unit = g / norm;
    let rotation = body.pose.rotation();
    let bent = h / norm;
    let turn = rotation * (bent - unit * (unit.transpose() * bent));
    let offset = f / norm;
    Side {
        x: body.pose.point_to_world(s),
        n: rotation * unit,
        turn,
        rotation,
        offset,
        d_offset: unit - bent * unit * offset,
    }
}

/// r at the unknowns, by the way that needs no Hessian.
#[cfg(test)]
fn residual(a: &ImplicitBody, b: &ImplicitBody, length: f64, q: &Unknowns) -> Residual {
    let (s_a, s_b) = halves(q);
    let (n_a, n_b) = (a.normal_w(&s_a), b.normal_w(&s_b));
    let d = b.pose.point_to_world(&s_b) - a.pose.point_to_world(&s_a);
    assemble(&n_a, &n_b, &d, length, [a.offset(&s_a), b.offset(&s_b)])
}

fn assemble(n_a: &Vec3, n_b: &Vec3, d: &Vec3, length: f64, offsets: [f64; 2]) -> Residual {
    let (turn, across) = ((n_a + n_b) * length, d - n_b * n_b.dot(d));
    Residual::from([turn.x, turn.y, turn.z, across.x, across.y, across.z, offsets[0], offsets[1]])
}

/// r and ∂r/∂q.
pub(super) fn linearise(
    a: &ImplicitBody,
    b: &ImplicitBody,
    length: f64,
    q: &Unknowns,
) -> (Residual, Jacobian) {
    let (s_a, s_b) = halves(q);
    let (a, b) = (side(a, &s_a), side(b, &s_b));
    let d = b.x - a.x;
    let project = Mat3::identity() - b.n * b.n.transpose();
    let mut jacobian = Jacobian::zeros();
    jacobian.fixed_view_mut::<3, 3>(0, 0).copy_from(&(a.turn * length));
    jacobian.fixed_view_mut::<3, 3>(0, 3).copy_from(&(b.turn * length));
    jacobian.fixed_view_mut::<3, 3>(3, 0).copy_from(&-(project * a.rotation));
    let slide = project * b.rotation - b.turn * b.n.dot(&d) - b.n * b.turn.tr_mul(&d).transpose();
    jacobian.fixed_view_mut::<3, 3>(3, 3).copy_from(&slide);
    jacobian.fixed_view_mut::<1, 3>(6, 0).copy_from(&a.d_offset.transpose());
    jacobian.fixed_view_mut::<1, 3>(7, 3).copy_from(&b.d_offset.transpose());
    (assemble(&a.n, &b.n, &d, length, [a.offset, b.offset]), jacobian)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_geom::Pose;
    use rattleback_geom::surface::{Ellipsoid, Torus};

    #[test]
    fn the_jacobian_agrees_with_differences() {
        let (e, t) = (Ellipsoid::new([1.0, 0.6, 0.4]).unwrap(), Torus::new(1.0, 0.3).unwrap());
        let a = ImplicitBody::new(&e, Pose::from_position(0.1, 0.2, 0.3).rotated(Vec3::y(), 0.7).unwrap());
        let b = ImplicitBody::new(&t, Pose::from_position(2.0, 0.4, 0.1).rotated(Vec3::x(), 0.4).unwrap());
        let q = Unknowns::new(0.5, 0.3, -0.2, -0.8, 0.5, 0.1);
        let (r, jacobian) = linearise(&a, &b, 0.7, &q);
        assert!((r - residual(&a, &b, 0.7, &q)).norm() < 1e-15);
        for k in 0..6 {
            let mut step = Unknowns::zeros();
            step[k] = 1e-6;
            let difference = (residual(&a, &b, 0.7, &(q + step)) - residual(&a, &b, 0.7, &(q - step))) / 2e-6;
            assert!((difference - jacobian.column(k)).norm() < 1e-8, "column {k}");
        }
    }
}
