//! Principal curvatures and directions, from whichever view a surface offers.
//!
//! With the outer unit normal n and a tangent t, the normal curvature is κ(t) = t·(dn/dp)t, so that a sphere of
//! radius R has κ = +1/R and a saddle has one of each sign.
//!
//! | view | matrix on the tangent plane | its eigenvalues |
//! |---|---|---|
//! | implicit F, outer gradient g | P ∇²F P / ∣g∣ | κ |
//! | support h | P ∇²h P | radii 1/κ |
//! | parametric | second form II against first form I | κ (sign from the outer normal) |
//!
//! The eigenvalue of larger magnitude comes from the half trace plus the root; the other one from the determinant,
//! λ₂ = det/λ₁, which keeps its digits where the two differ by many orders of magnitude.

use crate::surface::ParametricJet;
use crate::{Mat3, Vec3};
use nalgebra::Matrix2;

/// Principal curvatures of a surface at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curvature {
    /// The two principal curvatures in 1/m, the larger one first; `+∞` on an edge or a vertex.
    pub kappa: [f64; 2],
    /// Unit principal directions that belong to them; with the outer normal n they form a right-handed
    /// frame (d₁, d₂, n).
    pub direction: [Vec3; 2],
}

/// How a surface bends on as a place moves over it: the rate of a symmetric matrix on the tangent plane, its entries
/// (11, 12, 22) in the frame of the principal directions carried along without turning about the normal.
///
/// With radii ρᵢ = 1/κᵢ the two are dSᵢⱼ = −κᵢκⱼ dHᵢⱼ; on a flat face only dS is finite, on an edge only dH.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BendingRate {
    /// dS of the shape operator, whose eigenvalues are the curvatures.
    Curvatures([f64; 3]),
    /// dH of its inverse, whose eigenvalues are the radii.
    Radii([f64; 3]),
    /// Of an edge whose curvature κ₁ is infinite and stays so: both kinds of numbers may vanish along it.
    Edge {
        /// The turn of d₁ towards d₂ about the normal, in rad.
        turn: f64,
        /// dκ₂ along the edge, in 1/m.
        along: f64,
    },
}

impl BendingRate {
    /// Nothing changes.
    pub const NONE: Self = Self::Curvatures([0.0; 3]);

    /// Whether all of it are numbers.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Curvatures(m) | Self::Radii(m) => m.iter().all(|x| x.is_finite()),
            Self::Edge { turn, along } => turn.is_finite() && along.is_finite(),
        }
    }
}

impl Curvature {
    /// Both curvatures zero.
    pub fn flat(n: &Vec3) -> Self {
        Self::umbilic(n, 0.0)
    }

    /// Both curvatures equal to `kappa`; the directions are any tangent pair.
    pub fn umbilic(n: &Vec3, kappa: f64) -> Self {
        let (t, b) = tangents(n);
        Self { kappa: [kappa; 2], direction: [t, b] }
    }

    /// Mean curvature (κ₁ + κ₂)/2.
    pub fn mean(&self) -> f64 {
        0.5 * (self.kappa[0] + self.kappa[1])
    }

    /// Gaussian curvature κ₁κ₂.
    pub fn gaussian(&self) -> f64 {
        self.kappa[0] * self.kappa[1]
    }

    /// The shape operator κ₁d₁d₁ᵀ + κ₂d₂d₂ᵀ, which takes a tangent displacement to the change of the normal.
    pub fn shape_operator(&self) -> Mat3 {
        let [d1, d2] = &self.direction;
        self.kappa[0] * d1 * d1.transpose() + self.kappa[1] * d2 * d2.transpose()
    }

    /// Directions turned by `rotate`, for example from body to world axes.
    pub fn map(&self, rotate: impl Fn(&Vec3) -> Vec3) -> Self {
        Self { kappa: self.kappa, direction: [rotate(&self.direction[0]), rotate(&self.direction[1])] }
    }

    /// The entries (11, 12, 22) of a symmetric matrix in the principal directions.
    pub fn entries(&self, m: &Mat3) -> [f64; 3] {
        tangent_block(m, &self.direction[0], &self.direction[1])
    }

    /// The rate of the shape operator of an implicit surface of this curvature, from the gradient g and the Hessian M
    /// of F and the derivative of the Hessian along `dp`, while the normal changes by `dn`. With S = PMP/∣g∣ and the
    /// tangents dᵢ
    ///
    /// > dSᵢⱼ = [dMᵢⱼ − Sᵢⱼ n·M dp − (dᵢ·dn)(n·M dⱼ) − (dⱼ·dn)(n·M dᵢ)]/∣g∣
    pub fn implicit_rate(&self, [gradient, dp, dn]: [&Vec3; 3], [hessian, along]: [&Mat3; 2]) -> BendingRate {
        let norm = gradient.norm();
        let bent = hessian * (gradient / norm);
        let [m11, m12, m22] = self.entries(along);
        let (x, turn) = (self.direction.map(|d| d.dot(&bent)), self.direction.map(|d| d.dot(dn)));
        let growth = bent.dot(dp);
        BendingRate::Curvatures([
            (m11 - self.kappa[0] * growth - 2.0 * turn[0] * x[0]) / norm,
            (m12 - turn[0] * x[1] - turn[1] * x[0]) / norm,
            (m22 - self.kappa[1] * growth - 2.0 * turn[1] * x[1]) / norm,
        ])
    }

    /// The rate of the shape operator of a parametric surface of this curvature with the outer unit normal n, while the
    /// place moves by `dp` and the normal changes by `dn`. With J the entries dᵢ·xⱼ, Q = n·xᵢⱼ, S = −J⁻ᵀQJ⁻¹ and the
    /// parameters moving by J⁻¹dp, from first, second and third derivatives
    ///
    /// > dS = −J⁻ᵀ dQ J⁻¹ − (dJ J⁻¹)ᵀS − S dJ J⁻¹,   dJᵢⱼ = dᵢ·dxⱼ,   dQᵢⱼ = n·dxᵢⱼ + dn·xᵢⱼ
    pub fn parametric_rate(&self, jet: &ParametricJet, [n, dp, dn]: [&Vec3; 3]) -> BendingRate {
        let d = &self.direction;
        let j = Matrix2::new(d[0].dot(&jet.du), d[0].dot(&jet.dv), d[1].dot(&jet.du), d[1].dot(&jet.dv));
        let inverse = Matrix2::new(j[(1, 1)], -j[(0, 1)], -j[(1, 0)], j[(0, 0)]) / j.determinant();
        let way = inverse * nalgebra::Vector2::new(d[0].dot(dp), d[1].dot(dp));
        let (du, dv) = (jet.duu * way.x + jet.duv * way.y, jet.duv * way.x + jet.dvv * way.y);
        let duu = jet.duuu * way.x + jet.duuv * way.y;
        let duv = jet.duuv * way.x + jet.duvv * way.y;
        let dvv = jet.duvv * way.x + jet.dvvv * way.y;
        let dj = Matrix2::new(d[0].dot(&du), d[0].dot(&dv), d[1].dot(&du), d[1].dot(&dv));
        let dq = |x: &Vec3, second: &Vec3| n.dot(x) + dn.dot(second);
        let (uu, uv, vv) = (dq(&duu, &jet.duu), dq(&duv, &jet.duv), dq(&dvv, &jet.dvv));
        let s = Matrix2::new(self.kappa[0], 0.0, 0.0, self.kappa[1]);
        let stretch = s * dj * inverse;
        let rate =
            -(inverse.transpose() * Matrix2::new(uu, uv, uv, vv) * inverse) - stretch - stretch.transpose();
        BendingRate::Curvatures([rate[(0, 0)], 0.5 * (rate[(0, 1)] + rate[(1, 0)]), rate[(1, 1)]])
    }

    /// From the gradient and the Hessian of an implicit function that grows outwards.
    pub fn from_implicit(gradient: &Vec3, hessian: &Mat3) -> Self {
        let norm = gradient.norm();
        let n = gradient / norm;
        let (t, b) = tangents(&n);
        let m = tangent_block(hessian, &t, &b);
        let [l1, l2, c, s] = eigen2(m.map(|x| x / norm), None);
        Self::oriented(l1, l2, t * c + b * s, &n)
    }

    /// From the Hessian of the support function at the unit normal `n`.
    pub fn from_support(hessian: &Mat3, n: &Vec3) -> Self {
        let (t, b) = tangents(n);
        Self::from_radii(tangent_block(hessian, &t, &b), None, &t, &b, n)
    }

    /// From the tangent block (tt, tb, bb) of the support function's Hessian, with its determinant where that is
    /// known without cancellation.
    pub fn from_radii(block: [f64; 3], determinant: Option<f64>, t: &Vec3, b: &Vec3, n: &Vec3) -> Self {
        let [r1, r2, c, s] = eigen2(block, determinant);
        // r1 >= r2, so the direction of r2 carries the larger curvature.
        let d_large_radius = t * c + b * s;
        let direction = [d_large_radius.cross(n), d_large_radius];
        // d₁ × d₂ = (d × n) × d = n − d(d·n) = n: right-handed.
        Self { kappa: of_radii([r1, r2]), direction }
    }

    /// From first and second derivatives of a parametrisation and the outer unit normal.
    pub fn from_parametric([du, dv]: [&Vec3; 2], [duu, duv, dvv]: [&Vec3; 3], n: &Vec3) -> Self {
        // The second form in an orthonormal tangent basis: with J = [du dv] in (t, b), S = −J⁻ᵀ II J⁻¹.
        let (t, b) = tangents(n);
        let j = Matrix2::new(t.dot(du), t.dot(dv), b.dot(du), b.dot(dv));
        let det = j.determinant();
        let inverse = Matrix2::new(j[(1, 1)], -j[(0, 1)], -j[(1, 0)], j[(0, 0)]) / det;
        let second = Matrix2::new(n.dot(duu), n.dot(duv), n.dot(duv), n.dot(dvv));
        let s = -(inverse.transpose() * second * inverse);
        let [l1, l2, c, sn] = eigen2([s[(0, 0)], 0.5 * (s[(0, 1)] + s[(1, 0)]), s[(1, 1)]], None);
        Self::oriented(l1, l2, t * c + b * sn, n)
    }

    fn oriented(k1: f64, k2: f64, d1: Vec3, n: &Vec3) -> Self {
        Self { kappa: [k1, k2], direction: [d1, n.cross(&d1)] }
    }
}

/// The principal curvatures of [`Curvature::from_radii`] without their directions, to rounding.
#[inline]
pub(crate) fn curvatures_from_radii([a, b, c]: [f64; 3], determinant: f64) -> [f64; 2] {
    let half = 0.5 * a - 0.5 * c;
    let square = half * half + b * b;
    // Squares of other numbers may be none or infinite.
    let root = if (1e-250..1e250).contains(&square) { square.sqrt() } else { half.hypot(b) };
    of_radii(eigenvalues2([a, b, c], root, Some(determinant)))
}

/// The curvatures of radii r₁ ≥ r₂, the larger one first.
#[inline]
fn of_radii([r1, r2]: [f64; 2]) -> [f64; 2] {
    [1.0 / r2.max(0.0), 1.0 / r1.max(0.0)]
}

/// Two unit tangents that complete the unit vector `n` to a right-handed frame (t, b, n).
///
/// Duff et al., "Building an orthonormal basis, revisited", JCGT 6 (2017): no branch, no singular direction.
#[inline]
pub fn tangents(n: &Vec3) -> (Vec3, Vec3) {
    let sign = 1f64.copysign(n.z);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    (Vec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x), Vec3::new(b, sign + n.y * n.y * a, -n.y))
}

/// The entries (tt, tb, bb) of a symmetric matrix in a tangent basis.
#[inline]
pub fn tangent_block(m: &Mat3, t: &Vec3, b: &Vec3) -> [f64; 3] {
    let (mt, mb) = (m * t, m * b);
    [t.dot(&mt), 0.5 * (t.dot(&mb) + b.dot(&mt)), b.dot(&mb)]
}

/// Eigenvalues λ₁ ≥ λ₂ of the symmetric matrix [a b; b c] and the unit eigenvector (cos, sin) of λ₁.
///
/// `determinant`, where given, replaces a·c − b², which may have cancelled. Either way λ of the smaller magnitude is
/// the determinant over the other one, which errs by a rounding of the smaller diagonal entry, not of the larger one.
pub fn eigen2([a, b, c]: [f64; 3], determinant: Option<f64>) -> [f64; 4] {
    let half = 0.5 * a - 0.5 * c;
    let root = half.hypot(b);
    // The eigenvector of λ₁ from the larger of its two expressions.
    let (x, y) = if half >= 0.0 { (half + root, b) } else { (b, root - half) };
    let length = x.hypot(y);
    let (cos, sin) = if length > 0.0 { (x / length, y / length) } else { (1.0, 0.0) };
    let [large, small] = eigenvalues2([a, b, c], root, determinant);
    [large, small, cos, sin]
}

/// The eigenvalues alone, where the root of ((a − c)/2)² + b² is known.
#[inline]
fn eigenvalues2([a, b, c]: [f64; 3], root: f64, determinant: Option<f64>) -> [f64; 2] {
    let mean = 0.5 * a + 0.5 * c;
    let far = if mean >= 0.0 { mean + root } else { mean - root };
    let det = determinant.unwrap_or(a * c - b * b);
    let near = if far != 0.0 && det.is_finite() { det / far } else { mean - root.copysign(mean) };
    if mean >= 0.0 { [far, near.min(far)] } else { [near.max(far), far] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangents_form_a_right_handed_frame_everywhere() {
        for n in [
            Vec3::z(),
            -Vec3::z(),
            Vec3::x(),
            Vec3::new(1e-300, 0.0, -1.0),
            Vec3::new(0.6, -0.48, -0.64),
            Vec3::new(-0.6, 0.48, 0.64),
        ] {
            let (t, b) = tangents(&n);
            assert!((t.cross(&b) - n).norm() < 1e-15);
            assert!((t.norm() - 1.0).abs() < 1e-15 && t.dot(&n).abs() < 1e-15);
        }
    }

    #[test]
    fn eigen2_reconstructs_its_matrix() {
        for [a, b, c] in [
            [2.0, 1.0, -3.0],
            [-5.0, 1e-9, -5.0],
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 1.0],
            [-1.0, -4.0, 2.0],
            [1e200, 0.0, 1e-200],
            [1e98, 0.0, 1.0],
        ] {
            let [l1, l2, x, y] = eigen2([a, b, c], None);
            let scale = a.abs().max(b.abs()).max(c.abs()).max(1e-300);
            assert!(l1 >= l2);
            assert!((l1 * x * x + l2 * y * y - a).abs() <= 1e-14 * scale);
            assert!(((l1 - l2) * x * y - b).abs() <= 1e-14 * scale);
            assert!((l1 * y * y + l2 * x * x - c).abs() <= 1e-14 * scale);
        }
    }

    #[test]
    fn eigen2_keeps_the_small_eigenvalue_when_the_determinant_is_given() {
        // [1e20, 1e10; 1e10, 2] has the determinant 1e20, hence λ₂ = 1 to twenty digits.
        let [_, small, ..] = eigen2([1e20, 1e10, 2.0], Some(1e20));
        assert!((small - 1.0).abs() < 1e-15);
    }
}
