//! F, ∇F and ∇²F at once: of the powers of ρ, w, t and s that they need, those with exponents two apart differ by
//! products.

use super::Superhyperboloid;
use crate::{Mat3, Vec3};

/// Gauges and shares below this have powers of their own.
const LEAST: f64 = 1e-3;

impl Superhyperboloid {
    /// None where a gauge or a share is so small that its lower powers are steep.
    pub(super) fn at_once(&self, p: &Vec3) -> Option<(f64, Vec3, Mat3)> {
        let [g1, g2] = self.exponents;
        let [a, b, c] = self.axes;
        let ([log, rest], w) = (self.log_gauge(p), (p.z / c).abs());
        let (sum, rho) = (1.0 + rest, log.exp());
        let (t, s) = (p.x / a / rho, p.y / b / rho);
        let (ta, sa) = (t.abs(), s.abs());
        if !(rho.min(w).min(ta).min(sa) > LEAST) {
            return None;
        }
        let (planar, upright) = (((g1 - 2.0) * log).exp(), ((g1 - 2.0) * w.ln()).exp());
        // t^γ₂ + s^γ₂ = 1, the greater one 1/(1 + rest).
        let (tg, sg) = if ta >= sa { (1.0 / sum, rest / sum) } else { (rest / sum, 1.0 / sum) };
        let (tp, sp) = (tg / (ta * ta), sg / (sa * sa));
        let side = if self.is_bowl() { 1.0 } else { -1.0 };
        let value = planar * rho * rho - upright * w * w + side;
        let slope = g1 * planar * rho;
        let gradient =
            Vec3::new(slope * tp * t / a, slope * sp * s / b, -(g1 * upright * w).copysign(p.z) / c);
        let bend = g1 * planar;
        let square =
            |x: f64, xp: f64, y: f64, yp: f64| (g1 - 1.0) * (xp * x).powi(2) + (g2 - 1.0) * xp * yp * y * y;
        let mixed = bend * (g1 - g2) * (tp * t) * (sp * s) / (a * b);
        let mut h = Mat3::zeros();
        h[(0, 0)] = bend * square(ta, tp, sa, sp) / (a * a);
        h[(1, 1)] = bend * square(sa, sp, ta, tp) / (b * b);
        (h[(0, 1)], h[(1, 0)]) = (mixed, mixed);
        h[(2, 2)] = -g1 * (g1 - 1.0) * upright / (c * c);
        Some((value, gradient, h))
    }
}
