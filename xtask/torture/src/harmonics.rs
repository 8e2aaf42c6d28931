//! h(n) = ∣n∣ Σ c_lm Y_lm(n/∣n∣) with real orthonormal harmonics, c_lm at l² + l + m.
//!
//! Y_{l,±m} = N_lm Q_lm(z) {Re, Im}(x + iy)^m, Q_lm = d^m P_l/dz^m, by Q_mm = (2m−1)!!, (l−m) Q_lm = (2l−1) z Q_{l−1,m}
//! − (l+m−1) Q_{l−2,m} and its derivative Q′_lm = Q_{l,m+1}. On the unit sphere that is a polynomial p of x, y, z, and
//! ∇h = p e + (1 − eeᵀ)∇p there.

use crate::vector::{Vector, along, dot, length, times};
use std::f64::consts::PI;

/// The highest degree.
pub const DEGREE: usize = 6;

/// A series of spherical harmonics.
#[derive(Debug, Clone)]
pub struct Harmonics {
    degree: usize,
    coefficients: Vec<f64>,
    /// c_lm N_lm.
    factors: Vec<f64>,
}

impl Harmonics {
    /// A series of (degree + 1)² coefficients, the degree at most [`DEGREE`].
    pub fn new(degree: usize, coefficients: Vec<f64>) -> Self {
        let mut factors = coefficients.clone();
        for l in 0..=degree {
            for m in 0..=l {
                let ratio: f64 = (l - m + 1..=l + m).map(|k| k as f64).product();
                let double = if m == 0 { 1.0 } else { 2.0 };
                let norm = (double * (2 * l + 1) as f64 / (4.0 * PI) / ratio).sqrt();
                factors[l * l + l + m] *= norm;
                if m > 0 {
                    factors[l * l + l - m] *= norm;
                }
            }
        }
        Self { degree, coefficients, factors }
    }

    /// The coefficients.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// The degree.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Σ_l sup ∣f_l∣ by the addition theorem.
    pub fn reach(&self) -> f64 {
        let sup = |l: usize| {
            let squares: f64 = self.coefficients[l * l..(l + 1) * (l + 1)].iter().map(|c| c * c).sum();
            (squares * (2 * l + 1) as f64 / (4.0 * PI)).sqrt()
        };
        (0..=self.degree).map(sup).sum()
    }

    /// h(n).
    pub fn support(&self, n: &Vector) -> f64 {
        let size = length(n);
        size * self.polynomial(&times(1.0 / size, n)).0
    }

    /// ∇h(n).
    pub fn point(&self, n: &Vector) -> Vector {
        let e = times(1.0 / length(n), n);
        let (p, gradient) = self.polynomial(&e);
        along(&gradient, p - dot(&e, &gradient), &e)
    }

    /// p and ∇p.
    fn polynomial(&self, e: &Vector) -> (f64, Vector) {
        let [x, y, z] = *e;
        let q = legendre(self.degree, z);
        let (mut p, mut gradient) = (0.0, [0.0; 3]);
        // (x + iy)^m and m (x + iy)^{m−1}.
        let ([mut re, mut im], mut slope) = ([1.0, 0.0], [0.0, 0.0]);
        for m in 0..=self.degree {
            for l in m..=self.degree {
                let (c, s) = (self.factors[l * l + l + m], self.factors[l * l + l - m]);
                let s = if m == 0 { 0.0 } else { s };
                let ring = c * re + s * im;
                p += q[l][m] * ring;
                gradient[0] += q[l][m] * (c * slope[0] + s * slope[1]);
                gradient[1] += q[l][m] * (-c * slope[1] + s * slope[0]);
                gradient[2] += q[l][m + 1] * ring;
            }
            slope = [(m + 1) as f64 * re, (m + 1) as f64 * im];
            [re, im] = [re * x - im * y, re * y + im * x];
        }
        (p, gradient)
    }
}

/// Q_lm(z) for m ≤ l + 1.
fn legendre(degree: usize, z: f64) -> [[f64; DEGREE + 2]; DEGREE + 1] {
    let mut q = [[0.0; DEGREE + 2]; DEGREE + 1];
    let mut diagonal = 1.0;
    for m in 0..=degree {
        if m > 0 {
            diagonal *= (2 * m - 1) as f64;
        }
        q[m][m] = diagonal;
        for l in m + 1..=degree {
            let before = if l >= m + 2 { q[l - 2][m] } else { 0.0 };
            q[l][m] = ((2 * l - 1) as f64 * z * q[l - 1][m] - (l + m - 1) as f64 * before) / (l - m) as f64;
        }
    }
    q
}
