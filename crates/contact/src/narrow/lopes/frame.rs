//! A tangent t and a binormal b from a normal n of any length, and their derivatives in n.
//!
//! Householder, Lopes (15–17): with h = n + σ∣n∣e₁ and η = h·h, t and b are the columns k = 2, 3 of
//! H = 1 − 2hhᵀ/η. With dh = (1 + σ e₁ n̂ᵀ) dn
//!
//!   ∂H_k/∂h = −2 (h_k 1 + h e_kᵀ − 2 h_k h hᵀ/η)/η,   ∂H_k/∂n = ∂H_k/∂h (1 + σ e₁ n̂ᵀ)
//!
//! Auxiliary vectors, Lopes (18–20): with v = n + ∣n∣w, w = (±1, ±1, 0), t = n × v and b = n × t,
//!
//!   ∂t/∂n = ñ (1 + w n̂ᵀ) − ṽ,   ∂b/∂n = ñ ∂t/∂n − t̃
//!
//! where x̃y = x × y. Their lengths grow as ∣n∣² and ∣n∣³.
//!
//! Departures from the paper:
//! - (16): σ is the sign of n_x, not +1; then ∣h∣ ≥ √2∣n∣, while the paper's h vanishes for n = −∣n∣e₁. Where n_x
//!   changes sign the frame jumps; its plane does not.
//! - the Jacobian of the Householder frame is not printed.
//! - (20): the tangent's second term has a minus.
//! - Table 1 lists cases twice. Here v₂ (w = (−1, 1, 0)) for n_x n_y ≥ 0 and v₁ (w = (1, 1, 0)) otherwise: n is
//!   never along w, hence never along v.

use rattleback_geom::{Mat3, Vec3};

/// How tangents are made from a normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TangentFrame {
    /// The Householder matrix (15–17): tangents of length one.
    #[default]
    Householder,
    /// Cross products with an auxiliary vector (18–20).
    Auxiliary,
}

/// What [`TangentFrame::at`] returns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tangents {
    /// The tangent.
    pub t: Vec3,
    /// The binormal.
    pub b: Vec3,
    /// ∂t/∂n.
    pub dt: Mat3,
    /// ∂b/∂n.
    pub db: Mat3,
}

impl TangentFrame {
    /// The tangents of a normal of any length but zero, for which they are NaN.
    pub fn at(self, n: &Vec3) -> Tangents {
        match self {
            Self::Householder => householder(n),
            Self::Auxiliary => auxiliary(n),
        }
    }
}

fn householder(n: &Vec3) -> Tangents {
    let length = n.norm();
    let sign = 1f64.copysign(n.x);
    let h = n + Vec3::x() * (sign * length);
    let eta = h.norm_squared();
    let dh = Mat3::identity() + Vec3::x() * n.transpose() * (sign / length);
    let column = |k: usize| {
        let mut e = Vec3::zeros();
        e[k] = 1.0;
        let d = Mat3::identity() * h[k] + h * e.transpose() - h * h.transpose() * (2.0 * h[k] / eta);
        (e - h * (2.0 * h[k] / eta), d * dh * (-2.0 / eta))
    };
    let ((t, dt), (b, db)) = (column(1), column(2));
    Tangents { t, b, dt, db }
}

fn auxiliary(n: &Vec3) -> Tangents {
    let length = n.norm();
    let w = if n.x * n.y >= 0.0 { Vec3::new(-1.0, 1.0, 0.0) } else { Vec3::new(1.0, 1.0, 0.0) };
    let v = n + w * length;
    let t = n.cross(&v);
    let n_cross = n.cross_matrix();
    let dt = n_cross * (Mat3::identity() + w * n.transpose() / length) - v.cross_matrix();
    Tangents { t, b: n.cross(&t), dt, db: n_cross * dt - t.cross_matrix() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NORMALS: [[f64; 3]; 8] = [
        [0.3, -0.7, 1.2],
        [-2.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [-1.0, -1e-3, 0.2],
        [0.1, 3.0, 0.0],
        [0.5, 0.5, 0.0],
        [-0.5, 0.5, 0.1],
        [1e-3, 2e-3, 5.0],
    ];

    #[test]
    fn both_frames_are_orthogonal_to_the_normal_and_to_themselves() {
        for n in NORMALS.map(Vec3::from) {
            for frame in [TangentFrame::Householder, TangentFrame::Auxiliary] {
                let at = frame.at(&n);
                let scale = n.norm() * at.t.norm();
                assert!(at.t.norm() > 0.1 && at.b.norm() > 0.1, "{n}");
                assert!(
                    n.dot(&at.t).abs() < 1e-14 * scale && at.t.dot(&at.b).abs() < 1e-13 * scale * at.b.norm()
                );
                assert!(n.dot(&at.b).abs() < 1e-14 * n.norm() * at.b.norm());
            }
        }
    }

    #[test]
    fn derivatives_of_both_frames_agree_with_differences() {
        for n in NORMALS.map(Vec3::from) {
            for frame in [TangentFrame::Householder, TangentFrame::Auxiliary] {
                let at = frame.at(&n);
                for k in 0..3 {
                    let mut step = Vec3::zeros();
                    step[k] = 1e-6;
                    let (up, down) = (frame.at(&(n + step)), frame.at(&(n - step)));
                    if n[k] == 0.0 && k < 2 {
                        continue;
                    }
                    let scale = 1.0 + at.b.norm() * n.norm();
                    assert!(
                        ((up.t - down.t) / 2e-6 - at.dt.column(k)).norm() < 1e-7 * scale,
                        "{frame:?} {n}"
                    );
                    assert!(
                        ((up.b - down.b) / 2e-6 - at.db.column(k)).norm() < 1e-7 * scale,
                        "{frame:?} {n}"
                    );
                }
            }
        }
    }
}
