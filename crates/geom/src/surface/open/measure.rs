//! Area and moments of a solid in layers.
//!
//! Section of unit scale, γ = γ₂: area A₀ = ∫dξdη = (4/γ) B(1/γ, 1 + 1/γ) = 4 Γ(1+1/γ)²/Γ(1+2/γ), second moment
//! J₀ = ∫ξ²dξdη = (4/γ) B(3/γ, 1 + 1/γ); π and π/4 for the ellipse. Then
//!
//! ```text
//! V = abc A₀ ∫ρ²dw,   ∫z = abc² A₀ ∫wρ²dw,   ∫z² = abc³ A₀ ∫w²ρ²dw,   ∫x² = a³bc J₀ ∫ρ⁴dw,   ∫y² likewise.
//! ```
//!
//! Where ρ² is a polynomial of w (all quadrics) the integrands have degree four and three Gauss points are exact.
//! Elsewhere they are integrated adaptively over the profile's parameter.
//!
//! Curved area: on the octant 0 ≤ t = η/ξ ≤ 1 with D = (1 + t^γ)^(−1/γ−1) and ξ² = (1 + t^γ)^(−2/γ),
//!
//! ```text
//! dA = ρ √(c²w′²D²(b² + a²t^(2γ−2)) + (abρ′ξ²)²) dt dv;
//! ```
//!
//! the other octant exchanges a and b. Variables t = s^p, v = ±s^p soften the powers ∣t∣^γ and ∣v∣^γ at zero.

use super::layers::{Layers, pieces};
use crate::error::Result;
use crate::quadrature::{adaptive, gauss_legendre};
use crate::special::beta;
use crate::{Mat3, Moments, Vec3};

/// Relative tolerance of areas, and the cells granted for it.
const AREA: (f64, usize) = (1e-10, 40_000);

/// Relative tolerance of moments, and the cells granted for it.
const MOMENTS: (f64, usize) = (1e-12, 40_000);

/// p of t = s^p: s^(pγ) has three continuous derivatives at least, which Gauss rules of order ten need to be of use.
fn grading(exponent: f64) -> i32 {
    if exponent == 2.0 || exponent >= 4.0 { 1 } else { 4 }
}

impl Layers {
    /// [A₀, J₀].
    fn section_moments(&self) -> [f64; 2] {
        let g = self.section;
        [1.0, 3.0].map(|k| 4.0 / g * beta(k / g, 1.0 + 1.0 / g))
    }

    /// Area of the flat caps.
    pub(crate) fn cap_area(&self) -> f64 {
        let [a, b, _] = self.axes;
        self.end_radii().iter().map(|rho| a * b * self.section_moments()[0] * rho * rho).sum()
    }

    /// Area of the curved part.
    pub(crate) fn curved_area(&self) -> Result<f64> {
        let [a, b, c] = self.axes;
        let g = self.section;
        let (pt, pv) = (grading(g), grading(self.profile.exponent()));
        let mut area = 0.0;
        for (a, b) in [(a, b), (b, a)] {
            for [low, high] in pieces(self.v) {
                let side = if high > 0.0 { 1.0 } else { -1.0 };
                let root = |v: f64| v.abs().powf(1.0 / f64::from(pv));
                let range = [root(low).min(root(high)), root(low).max(root(high))];
                let [octant] = adaptive([0.0, 1.0], range, AREA.0, AREA.1, |s, r| {
                    let (t, v) = (s.powi(pt), side * r.powi(pv));
                    let jacobian = f64::from(pt * pv) * s.powi(pt - 1) * r.powi(pv - 1);
                    let ([rho, _], [drho, dw]) = (self.profile.at(v), self.profile.slopes(v));
                    let base = 1.0 + t.powf(g);
                    let wall = c * dw * base.powf(-1.0 / g - 1.0) * b.hypot(a * t.powf(g - 1.0));
                    [jacobian * rho * wall.hypot(a * b * drho * base.powf(-2.0 / g))]
                })?;
                area += 4.0 * octant;
            }
        }
        Ok(area)
    }

    pub(crate) fn moments(&self) -> Result<Moments> {
        let [a, b, c] = self.axes;
        let [r2, wr2, w2r2, r4] = self.integrals()?;
        let [area, second] = self.section_moments();
        let (layer, across) = (a * b * c * area, a * b * c * second * r4);
        Ok(Moments {
            volume: layer * r2,
            first: Vec3::new(0.0, 0.0, layer * c * wr2),
            second: Mat3::from_diagonal(&Vec3::new(a * a * across, b * b * across, layer * c * c * w2r2)),
        })
    }

    /// ∫ρ²dw, ∫wρ²dw, ∫w²ρ²dw, ∫ρ⁴dw.
    fn integrals(&self) -> Result<[f64; 4]> {
        if let Some(square) = self.profile.polynomial() {
            let [low, high] = self.z.map(|z| z / self.axes[2]);
            let half = 0.5 * (high - low);
            let mut sum = [0.0; 4];
            for (x, weight) in gauss_legendre(3) {
                let w = low + half * (1.0 + x);
                let r = square(w);
                for (s, f) in sum.iter_mut().zip([r, w * r, w * w * r, r * r]) {
                    *s += half * weight * f;
                }
            }
            return Ok(sum);
        }
        // Scaled to order one, so that the common tolerance serves all four.
        let radius = self.end_radii().into_iter().fold(0.0, f64::max);
        let height = self.z.iter().fold(0.0f64, |m, z| m.max(z.abs() / self.axes[2]));
        let scale = [1.0, height, height * height, radius * radius].map(|x| x * radius * radius);
        let p = grading(self.profile.exponent());
        let mut total = [0.0; 4];
        for [low, high] in pieces(self.v) {
            let side = if high > 0.0 { 1.0 } else { -1.0 };
            let root = |v: f64| v.abs().powf(1.0 / f64::from(p));
            let range = [root(low).min(root(high)), root(low).max(root(high))];
            let part = adaptive(range, [0.0, 1.0], MOMENTS.0, MOMENTS.1, |s, _| {
                let v = side * s.powi(p);
                let ([rho, w], [_, dw]) = (self.profile.at(v), self.profile.slopes(v));
                let dw = dw * f64::from(p) * s.powi(p - 1);
                let (r, h) = ((rho / radius).powi(2), w / height);
                [r * dw, h * r * dw, h * h * r * dw, r * r * dw]
            })?;
            for k in 0..4 {
                total[k] += scale[k] * part[k];
            }
        }
        Ok(total)
    }
}
