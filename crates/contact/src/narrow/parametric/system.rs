//! Four equations for the parameters (u₁, v₁) of p on A and (u₂, v₂) of q on B.
//!
//! Lopes (6a) for A's tangents and (6b) for B's, in lengths: with d = q − p, A's unit normal n, unit tangents a_j of
//! A and b_j of B along the parameter lines, and a length L,
//!
//!   Φ_j = d·a_j,   Φ_{2+j} = L n·b_j   (j = u, v)
//!
//! | | ∂/∂A's k | ∂/∂B's k |
//! |---|---|---|
//! | Φ_j | −p_k·a_j + d·∂_k a_j | q_k·a_j |
//! | Φ_{2+j} | L ∂_k n·b_j | L n·∂_k b_j |
//!
//! Why (6b) and not d·b_j = 0: those four equations are the derivatives of ½ d·d, whose Hessian at d = 0 is MᵀM with
//! the 3×4 matrix M = (−p_u, −p_v, q_u, q_v): singular at every contact. With (6b), tangent displacements s of A and
//! t of B change Φ at d = 0 by (t − s, −L(S_A s + S_B t)) in common axes, up to signs: regular if and only if S_A +
//! S_B is, at zero gap as elsewhere.
//!
//! The equations also hold on averted sides; those solutions are left out afterwards.

use super::patch::Patch;
use rattleback_geom::nalgebra::{Matrix4, Vector4};

/// Φ and its Jacobian.
pub(super) fn linearise(a: &Patch, b: &Patch, length: f64) -> (Vector4<f64>, Matrix4<f64>) {
    let d = b.x - a.x;
    let mut phi = Vector4::zeros();
    let mut jacobian = Matrix4::zeros();
    for j in 0..2 {
        phi[j] = d.dot(&a.tangent[j]);
        phi[2 + j] = length * a.n.dot(&b.tangent[j]);
        for k in 0..2 {
            jacobian[(j, k)] = d.dot(&a.d_tangent[j][k]) - a.partial[k].dot(&a.tangent[j]);
            jacobian[(j, 2 + k)] = b.partial[k].dot(&a.tangent[j]);
            jacobian[(2 + j, k)] = length * a.dn[k].dot(&b.tangent[j]);
            jacobian[(2 + j, 2 + k)] = length * a.n.dot(&b.d_tangent[j][k]);
        }
    }
    (phi, jacobian)
}

#[cfg(test)]
mod tests {
    use super::super::ParametricBody;
    use super::*;
    use rattleback_geom::surface::{Superellipsoid, Torus};
    use rattleback_geom::{Pose, Vec3};

    fn at(x: &Vector4<f64>) -> (Vector4<f64>, Matrix4<f64>) {
        let (t, s) =
            (Torus::new(1.0, 0.3).unwrap(), Superellipsoid::new([0.8, 0.5, 0.6], [2.5, 3.0]).unwrap());
        let a = ParametricBody::of(&t, Pose::identity().rotated(Vec3::x(), 0.4).unwrap()).unwrap();
        let b = ParametricBody::of(&s, Pose::from_position(1.7, 0.3, 0.4).rotated(Vec3::y(), 0.9).unwrap())
            .unwrap();
        linearise(&a.at([x[0], x[1]]), &b.at([x[2], x[3]]), 0.7)
    }

    #[test]
    fn the_jacobian_agrees_with_differences() {
        let x = Vector4::new(0.3, 2.1, 0.8, 0.5);
        let (_, jacobian) = at(&x);
        for k in 0..4 {
            let mut step = Vector4::zeros();
            step[k] = 1e-6;
            let difference = (at(&(x + step)).0 - at(&(x - step)).0) / 2e-6;
            assert!((difference - jacobian.column(k)).norm() < 1e-8, "column {k}");
        }
    }
}
