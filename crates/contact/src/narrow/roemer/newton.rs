//! The Newton steps of algorithms I and II, in the angles φ, θ of the normal.
//!
//! With e_φ, e_θ, n of (14), s = sin φ, c = cos φ and W = ∇²h_A(n) + R∇²h_B(−Rᵀn)Rᵀ, for which W n = 0,
//!
//!   ∂_φ n = e_φ,  ∂_θ n = s e_θ,  ∂_φ e_φ = −n,  ∂_φ e_θ = 0,  ∂_θ e_φ = c e_θ,  ∂_θ e_θ = −(s n + c e_φ)
//!   ∂_a d = −W ∂_a n
//!
//! The paper does not print the derivatives. Derived, for Φ_II = (d·e_φ, d·e_θ) of (84):
//!
//!   ∂_φ Φ_II = (−e_φ·W e_φ − d·n,  −e_θ·W e_φ)
//!   ∂_θ Φ_II = (−s e_φ·W e_θ + c d·e_θ,  −s e_θ·W e_θ − s d·n − c d·e_φ)
//!
//! and for Φ_I = ½ d·d of (81), with w = W d and W_b the derivative of W along ∂_b n (third derivatives of h):
//!
//!   ∂_φ Φ_I = −w·e_φ,   ∂_θ Φ_I = −s w·e_θ
//!   ∂_a∂_b Φ_I = (W ∂_a n)·(W ∂_b n) − d·W_b ∂_a n − w·∂_a∂_b n
//!   w·∂²_φ n = −w·n = 0,   w·∂_φ∂_θ n = c w·e_θ,   w·∂²_θ n = −s c w·e_φ

use super::{Algorithm, PairInA, Reading, Reason};
use rattleback_geom::nalgebra::{Matrix2, Vector2};
use rattleback_geom::spherical::Angles;
use rattleback_geom::{Mat3, Vec3};

/// The next normal by (83) for algorithm I, by (85) for any other.
pub(super) fn step(
    algorithm: Algorithm,
    pair: &PairInA,
    at: &Reading,
    angles: &Angles,
) -> Result<Vec3, Reason> {
    let (matrix, right) = match algorithm {
        Algorithm::I => closest_points(pair, at, angles),
        _ => common_normal(pair, at, angles),
    };
    if !(matrix.iter().chain(right.iter()).all(|x| x.is_finite())) {
        return Err(Reason::NotFinite);
    }
    let delta = matrix.try_inverse().ok_or(Reason::Singular)? * right;
    let (sp, cp) = (angles.polar() - delta.x).sin_cos();
    let (st, ct) = (angles.azimuth() - delta.y).sin_cos();
    let n = Vec3::new(sp * ct, sp * st, cp);
    if n.iter().all(|x| x.is_finite()) { Ok(n) } else { Err(Reason::NotFinite) }
}

/// W.
fn radii(pair: &PairInA, n: &Vec3) -> Mat3 {
    let m = -pair.rotation.tr_mul(n);
    let slave = pair.rotation * pair.b.support_jet(&m).hessian * pair.rotation.transpose();
    pair.a.support_jet(n).hessian + slave
}

/// The derivative of W along `v`.
fn radii_along(pair: &PairInA, n: &Vec3, v: &Vec3) -> Mat3 {
    let (m, u) = (-pair.rotation.tr_mul(n), -pair.rotation.tr_mul(v));
    let slave = pair.rotation * pair.b.support_third(&m, &u) * pair.rotation.transpose();
    pair.a.support_third(n, v) + slave
}

/// Jacobian and value of Φ_II.
fn common_normal(pair: &PairInA, at: &Reading, angles: &Angles) -> (Matrix2<f64>, Vector2<f64>) {
    let [e_phi, e_theta, n] = angles.frame();
    let (s, c) = angles.polar().sin_cos();
    let (d, w) = (at.d(), radii(pair, &n));
    let (along, across) = (w * e_phi, w * e_theta);
    let (d_phi, d_theta, d_n) = (d.dot(&e_phi), d.dot(&e_theta), d.dot(&n));
    let jacobian = Matrix2::new(
        -e_phi.dot(&along) - d_n,
        -s * e_phi.dot(&across) + c * d_theta,
        -e_theta.dot(&along),
        -s * e_theta.dot(&across) - s * d_n - c * d_phi,
    );
    (jacobian, Vector2::new(d_phi, d_theta))
}

/// Hessian and gradient of Φ_I.
fn closest_points(pair: &PairInA, at: &Reading, angles: &Angles) -> (Matrix2<f64>, Vector2<f64>) {
    let [e_phi, e_theta, n] = angles.frame();
    let (s, c) = angles.polar().sin_cos();
    let (d, matrix) = (at.d(), radii(pair, &n));
    let w = matrix * d;
    let moves = [e_phi, e_theta * s];
    let bends = moves.map(|v| radii_along(pair, &n, &v) * d);
    let drift = moves.map(|v| matrix * v);
    let curved = [[0.0, c * w.dot(&e_theta)], [c * w.dot(&e_theta), -s * c * w.dot(&e_phi)]];
    let hessian = Matrix2::from_fn(|i, j| drift[i].dot(&drift[j]) - bends[j].dot(&moves[i]) - curved[i][j]);
    (hessian, Vector2::new(-w.dot(&moves[0]), -w.dot(&moves[1])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_geom::Pose;
    use rattleback_geom::surface::{Ellipsoid, Superellipsoid};

    fn check(
        read: impl Fn(&PairInA, &Reading, &Angles) -> (Matrix2<f64>, Vector2<f64>),
        value: impl Fn(&PairInA, &Angles) -> Vector2<f64>,
    ) {
        let (a, b) = (
            Ellipsoid::new([0.9, 0.5, 0.7]).unwrap(),
            Superellipsoid::new([0.4, 0.6, 0.8], [2.5, 3.0]).unwrap(),
        );
        let rotation = Pose::identity().rotated(Vec3::new(1.0, 2.0, 0.5), 0.9).unwrap().rotation();
        let pair = PairInA { a: &a, b: &b, r: Vec3::new(1.1, 0.7, 1.3), rotation };
        for (phi, theta) in [(0.7, 0.4), (1.9, -2.0), (2.6, 1.2)] {
            let at = |dp: f64, dt: f64| Angles::new(phi + dp, theta + dt).unwrap();
            let centre = at(0.0, 0.0);
            let (matrix, right) = read(&pair, &pair.read(centre.frame()[2]), &centre);
            assert!((right - value(&pair, &centre)).norm() < 1e-14);
            let h = 1e-6;
            for (k, [up, down]) in
                [[at(h, 0.0), at(-h, 0.0)], [at(0.0, h), at(0.0, -h)]].into_iter().enumerate()
            {
                let difference = (value(&pair, &up) - value(&pair, &down)) / (2.0 * h);
                let error = (difference - matrix.column(k)).norm();
                assert!(
                    error < 1e-8 * (1.0 + matrix.amax()),
                    "column {k} at {phi}, {theta}: {error:e} of {matrix}"
                );
            }
        }
    }

    #[test]
    fn the_jacobian_of_algorithm_ii_agrees_with_differences() {
        check(common_normal, |pair, angles| {
            let [e_phi, e_theta, n] = angles.frame();
            let d = pair.read(n).d();
            Vector2::new(d.dot(&e_phi), d.dot(&e_theta))
        });
    }

    #[test]
    fn gradient_and_hessian_of_algorithm_i_agree_with_differences() {
        let half = |pair: &PairInA, phi: f64, theta: f64| {
            let n = Angles::new(phi, theta).unwrap().frame()[2];
            0.5 * pair.read(n).d().norm_squared()
        };
        check(closest_points, |pair, angles| {
            let exact = closest_points(pair, &pair.read(angles.frame()[2]), angles).1;
            let (p, t, h) = (angles.polar(), angles.azimuth(), 1e-5);
            let difference = Vector2::new(
                half(pair, p + h, t) - half(pair, p - h, t),
                half(pair, p, t + h) - half(pair, p, t - h),
            ) / (2.0 * h);
            assert!((difference - exact).norm() < 1e-8);
            exact
        });
    }
}
