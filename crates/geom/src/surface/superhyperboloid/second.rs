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
        let ([rho, w], [t, s]) = self.polar(p);
        let [a, b, c] = self.axes;
        let (ta, sa) = (t.abs(), s.abs());
        if !(rho.min(w).min(ta).min(sa) > LEAST) {
            return None;
        }
        let (planar, upright) = (rho.powf(g1 - 2.0), w.powf(g1 - 2.0));
        let (tp, sp) = (ta.powf(g2 - 2.0), sa.powf(g2 - 2.0));
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
