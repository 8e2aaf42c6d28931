//! Curvature of a sum where it touches another body, by point and normal.
//!
//! Radii of curvature add up, H = Σ Hₖ, curvatures are their inverse. At a normal n where a summand has a straight generator along
//! v its radius there is infinite: with H the sum of the finite radii and w = v × n
//!
//!   S = lim (H + t vvᵀ)⁻¹ = wwᵀ/(w·Hw)   for t → ∞
//!
//! whatever the radii of the other summands are, and S = 0 at the normal of a cap. Where n is theirs to rounding summands say t = 2²⁶
//! sizes, whose rounding drowns H: w·Hw is taken a little beside it, where it is the same. Whether a body touches on the straight part or beyond its ends, with nearly the
//! same normal, the point alone knows. Along a straight part nothing changes; across it dS_ww = −S_ww² w·dH w.

use super::super::{Face, Kink, ON_SEAM, Support, Surface, Touched};
use super::PotentialBody;
use crate::curvature::BendingRate;
use crate::error::{Result, direction, finite3};
use crate::{Curvature, Vec3};

/// A normal this close to that of a face or a generator, in rad, may be that: bounds on a distance that have closed to 1e-12 leave
/// the normal open by the root of it.
const ALONG_FACE: f64 = 1e-6;

/// So far beside the normals of a face a summand no longer answers for the face.
const BESIDE_FACE: f64 = 1e-13;

/// The part of the surface that a point and a normal belong to, with the normal that is meant.
enum Part {
    Round(Vec3),
    /// Straight along the unit vector `v`.
    Straight {
        n: Vec3,
        v: Vec3,
    },
    Flat(Vec3),
}

impl PotentialBody {
    /// The normal of a face or a generator that `n` may be.
    fn face_normal(&self, n: &Vec3) -> Option<Vec3> {
        let caps = self.kinks.iter().find_map(|kink| match kink {
            Kink::Normal(k) if n.cross(k).norm() <= ALONG_FACE => Some(k * n.dot(k).signum()),
            _ => None,
        });
        caps.or_else(|| {
            self.kinks.iter().find_map(|kink| match kink {
                Kink::Circle { axis } if n.dot(axis).abs() <= ALONG_FACE => {
                    Some((n - axis * axis.dot(n)).normalize())
                }
                _ => None,
            })
        })
    }

    /// The part, and how far inside its border the point is, in m.
    fn part(&self, p: &Vec3, n: &Vec3) -> (Part, f64) {
        let Some(on) = self.face_normal(n) else { return (Part::Round(*n), f64::INFINITY) };
        let (part, out, inside) = match self.face(&on) {
            Face::Segment { centre, half } => {
                let length = half.norm();
                let v = half / length;
                let s = v.dot(&(p - centre));
                (Part::Straight { n: on, v }, v * s, length - s.abs())
            }
            Face::Disc { centre, axis, radius } => {
                let arm = p - centre;
                let arm = arm - axis * axis.dot(&arm);
                (Part::Flat(on), arm, radius - arm.norm())
            }
            Face::Point(_) => return (Part::Round(*n), f64::INFINITY),
        };
        if inside >= 0.0 {
            return (part, inside);
        }
        (Part::Round((n + out.normalize() * BESIDE_FACE).normalize()), inside)
    }

    pub(super) fn curvature_by_both(&self, p: &Vec3, n: &Vec3) -> Result<Curvature> {
        let (p, n) = (finite3("point", p)?, direction("normal", n)?);
        match self.part(&p, &n).0 {
            Part::Round(n) => self.curvature_at_normal(&n),
            Part::Flat(n) => Ok(Curvature::flat(&n)),
            Part::Straight { n, v } => {
                let w = v.cross(&n).normalize();
                let beside = (n + v * BESIDE_FACE).normalize();
                let radius = w.dot(&(self.potential.support_jet(&beside).hessian * w)).max(0.0);
                Ok(Curvature { kappa: [1.0 / radius, 0.0], direction: [w, n.cross(&w)] })
            }
        }
    }

    /// At the end of a straight part and at the border of a cap.
    pub(super) fn has_seam_by_both(&self, p: &Vec3, n: &Vec3) -> bool {
        // Half of the bounds' diagonal costs six support values: only sums with faces are asked.
        !self.kinks.is_empty() && self.part(p, n).1.abs() <= ON_SEAM * 0.5 * self.bounds().diagonal()
    }

    pub(super) fn rate_by_both(&self, at: &Touched, dn: &Vec3) -> BendingRate {
        match self.part(&at.point, &at.normal).0 {
            Part::Round(normal) => Touched { normal, ..*at }.radii_rate(self, dn),
            Part::Flat(_) => BendingRate::NONE,
            Part::Straight { n, v } => {
                let (w, kappa) = (v.cross(&n).normalize(), at.curvature.kappa[0]);
                let change = self.potential.support_third(&n, &(w * w.dot(dn)));
                BendingRate::Curvatures([-kappa * kappa * w.dot(&(change * w)), 0.0, 0.0])
            }
        }
    }
}
