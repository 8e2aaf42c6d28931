//! The flat faces that planes cut from solids, and where they bear a body that lies on them.
//!
//! | solid | faces | corners |
//! |---|---|---|
//! | layers | ends of ρ > 0 | (±aρ, ±bρ) 2^(−1/γ₂) of the end, on its outline halfway between the axes |
//! | saddle | ceiling | its corners |
//! | saddle | walls across x | their corners |
//! | saddle | walls across y | those of the ceiling, and of the parabola that bounds them at the middles of both halves |

use super::{Layers, Saddle};
use crate::Vec3;

/// A flat face: its outer unit normal, and four points of its outline, in their order around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cap {
    /// The outer unit normal.
    pub normal: Vec3,
    /// Points of the face, in metres.
    pub corners: [Vec3; 4],
}

impl Layers {
    fn has_cap(&self, end: usize) -> bool {
        self.end_radii()[end] > 0.0
    }

    pub(crate) fn cap_count(&self) -> usize {
        (0..2).filter(|end| self.has_cap(*end)).count()
    }

    pub(crate) fn cap(&self, place: usize) -> Option<Cap> {
        let end = (0..2).filter(|end| self.has_cap(*end)).nth(place)?;
        let [a, b, _] = self.axes;
        let rho = self.end_radii()[end] * 2f64.powf(-1.0 / self.section);
        let corner = |x: f64, y: f64| Vec3::new(x * a * rho, y * b * rho, self.z[end]);
        let corners = [corner(1.0, 1.0), corner(-1.0, 1.0), corner(-1.0, -1.0), corner(1.0, -1.0)];
        Some(Cap { normal: Vec3::z() * if end == 0 { -1.0 } else { 1.0 }, corners })
    }
}

impl Saddle {
    pub(crate) const CAPS: usize = 5;

    pub(crate) fn cap(&self, place: usize) -> Option<Cap> {
        let ([x0, x1], [y0, y1], top) = (self.x, self.y, self.ceiling);
        let side = place % 2;
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let cap = |normal: Vec3, corners: [[f64; 3]; 4]| Cap { normal, corners: corners.map(Vec3::from) };
        Some(match place {
            0 | 1 => {
                let (x, low) = (self.x[side], |y: f64| self.height(self.x[side], y));
                cap(Vec3::x() * sign, [[x, y0, top], [x, y1, top], [x, y1, low(y1)], [x, y0, low(y0)]])
            }
            2 | 3 => {
                let (y, middle) = (self.y[side], 0.5 * (x0 + x1));
                let [p, q] = [0.5 * (x0 + middle), 0.5 * (x1 + middle)];
                let low = |x: f64| self.height(x, y);
                cap(Vec3::y() * sign, [[x0, y, top], [x1, y, top], [q, y, low(q)], [p, y, low(p)]])
            }
            4 => cap(Vec3::z(), [[x1, y1, top], [x0, y1, top], [x0, y0, top], [x1, y0, top]]),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::surface::{Quadric, Sheet, Sliced, Superhyperboloid, Surface};

    /// Every corner is the farthest point along the normal, and one of the solid.
    fn hold(sliced: &dyn Sliced, surface: &dyn Surface, caps: &[Cap]) {
        let whole = sliced.part(sliced.range());
        for Cap { normal, corners } in caps {
            let far = normal.dot(&sliced.farthest(&whole, normal));
            for corner in corners {
                let name = format!("{} {normal} {corner}", surface.kind());
                assert!((normal.dot(corner) - far).abs() < 1e-14, "{name}");
                assert!((sliced.retract(corner) - corner).norm() < 1e-14, "{name}");
            }
            let around: Vec3 = (0..4).map(|k| corners[k].cross(&corners[(k + 1) % 4])).sum::<Vec3>() * 0.5;
            assert!(around.dot(normal).abs() > 1e-3, "{} {normal}", surface.kind());
        }
    }

    #[test]
    fn corners_of_caps_lie_on_the_solid_and_are_the_farthest_along_their_normals() {
        let quadrics = [
            (Quadric::hyperboloid_one_sheet([0.5, 0.7, 0.6], 0.9).unwrap(), 2),
            (Quadric::hyperboloid_two_sheets([0.5, 0.7, 0.6], Sheet::Lower, 1.4).unwrap(), 1),
            (Quadric::hyperboloid_two_sheets([0.5, 0.7, 0.6], Sheet::Upper, 1.4).unwrap(), 1),
            (Quadric::elliptic_paraboloid([0.5, 0.7, 0.6], 0.8).unwrap(), 1),
            (Quadric::hyperbolic_paraboloid([0.5, 0.7, 0.6], [0.4, 0.3], 2.0).unwrap(), 5),
            (Quadric::ellipsoid([0.5, 0.7, 0.6]).unwrap(), 0),
        ];
        for (body, count) in quadrics {
            assert_eq!(body.cap_count(), count, "{}", body.kind());
            let caps: Vec<Cap> = (0..count).map(|k| body.cap(k).unwrap()).collect();
            assert!(body.cap(count).is_none());
            if count > 0 {
                hold(body.as_sliced().unwrap(), &body, &caps);
            }
        }
        let body = Superhyperboloid::one_sheet([0.5, 0.7, 0.6], [2.5, 4.0], 0.9).unwrap();
        hold(body.as_sliced().unwrap(), &body, &[body.cap(0).unwrap(), body.cap(1).unwrap()]);
    }
}
