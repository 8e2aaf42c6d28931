//! Curvature of a sum where it touches another body, by point and normal.
//!
//! Radii of curvature add up, H = Σ Hₖ, curvatures are their inverse. At a normal n where a summand has a straight
//! generator along v its radius there is infinite: with H the sum of the finite radii and w = v × n
//!
//!   S = lim (H + t vvᵀ)⁻¹ = wwᵀ/(w·Hw)   for t → ∞
//!
//! whatever the radii of the other summands are, and S = 0 at the normal of a cap. Where n is theirs to rounding
//! summands say t = 2²⁶ sizes, whose rounding drowns H: w·Hw is taken a little beside it, where it is the same. Whether
//! a body touches on the straight part or beyond its ends, with nearly the same normal, the point alone knows. Along a
//! straight part nothing changes; across it dS_ww = −S_ww² w·dH w.

use super::super::{Face, Kink, ON_SEAM, Support, Surface, TouchPoint};
use super::PotentialBody;
use crate::curvature::BendingRate;
use crate::error::{Result, direction, finite3};
use crate::{Curvature, Vec3};

/// A normal this close to that of a face or a generator, in rad, may be that: bounds on a distance that have closed to
/// 1e-12 leave the normal open by the root of it.
const ALONG_FACE: f64 = 1e-6;

/// So far beside the normals of a face a summand no longer answers for the face.
const BESIDE_FACE: f64 = 1e-13;

/// The part of the surface that a point and a normal belong to, with the normal that is meant.
enum Part {
    Round(Vec3),
    /// Straight along the unit vector `v`, at this share of the way from the middle to the end.
    Straight {
        n: Vec3,
        v: Vec3,
        share: f64,
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
                Kink::Circle { axis, height } if (n.dot(axis) - height).abs() <= ALONG_FACE => {
                    let across = (n - axis * axis.dot(n)).normalize();
                    Some(if *height == 0.0 {
                        across
                    } else {
                        across * (1.0 - height * height).sqrt() + axis * *height
                    })
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
                (Part::Straight { n: on, v, share: s / length }, v * s, length - s.abs())
            }
            Face::Disc { centre, axis, radius } => {
                let arm = p - centre;
                let arm = arm - axis * axis.dot(&arm);
                (Part::Flat(on), arm, radius - arm.norm())
            }
            Face::Rectangle { centre, half } => {
                let arm = p - centre;
                let [over, beside] = half.map(|h| h.norm() - arm.dot(&h).abs() / h.norm());
                let side = if over <= beside { half[0] } else { half[1] };
                (Part::Flat(on), side * arm.dot(&side).signum(), over.min(beside))
            }
            // Polygons are faces of hulls, whose sums have no curvature but that of their balls.
            Face::Polygon { ref corners, centre, .. } => {
                let inside = corners.iter().enumerate().map(|(k, a)| {
                    let side = corners[(k + 1) % corners.len()] - a;
                    on.cross(&side).normalize().dot(&(p - a))
                });
                (Part::Flat(on), p - centre, inside.fold(f64::INFINITY, f64::min))
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
            Part::Straight { n, v, share } => {
                let w = v.cross(&n).normalize();
                // Along a generator the radius changes evenly from end to end.
                let [upper, lower] = [BESIDE_FACE, -BESIDE_FACE].map(|tilt| {
                    let beside = (n + v * tilt).normalize();
                    w.dot(&(self.potential.support_jet(&beside).hessian * w)).max(0.0)
                });
                let is_even = (upper - lower).abs() <= ON_SEAM * upper;
                let radius =
                    if is_even { upper } else { 0.5 * ((1.0 + share) * upper + (1.0 - share) * lower) };
                Ok(Curvature { kappa: [1.0 / radius, 0.0], direction: [w, n.cross(&w)] })
            }
        }
    }

    /// At the end of a straight part and at the border of a cap.
    pub(super) fn has_seam_by_both(&self, p: &Vec3, n: &Vec3) -> bool {
        // Half of the bounds' diagonal costs six support values: only sums with faces are asked.
        !self.kinks.is_empty() && self.part(p, n).1.abs() <= ON_SEAM * 0.5 * self.bounds().diagonal()
    }

    pub(super) fn rate_by_both(&self, at: &TouchPoint, dn: &Vec3) -> BendingRate {
        match self.part(&at.point, &at.normal).0 {
            Part::Round(normal) => TouchPoint { normal, ..*at }.radii_rate(self, dn),
            Part::Flat(_) => BendingRate::NONE,
            Part::Straight { n, v, .. } => {
                let (w, kappa) = (v.cross(&n).normalize(), at.curvature.kappa[0]);
                let change = self.potential.support_third(&n, &(w * w.dot(dn)));
                BendingRate::Curvatures([-kappa * kappa * w.dot(&(change * w)), 0.0, 0.0])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::potential::Potential;
    use crate::surface::{Capsule, Cylinder};
    use std::sync::Arc;

    #[test]
    fn a_capsule_and_a_ball_make_a_capsule_that_is_straight_between_its_ends_only() {
        let capsule = Arc::new(Capsule::new(0.3, 0.4).unwrap());
        let sum = Potential::from_support(capsule, 0.3).unwrap().offset(0.2).unwrap();
        let sum = sum.transformed(&crate::Mat3::from_diagonal_element(2.0)).unwrap();
        let body = PotentialBody::new(sum).unwrap();
        // The normal is known to rounding only.
        let n = Vec3::new(0.6, 0.8, -3e-16);
        let wall = body.curvature_at_touch(&Vec3::new(0.6, 0.8, 0.7), &n).unwrap();
        assert!((wall.kappa[0] - 1.0).abs() < 1e-12 && wall.kappa[1] == 0.0, "{wall:?}");
        assert!(wall.direction[1].z.abs() == 1.0, "{wall:?}");
        let ball = body.curvature_at_touch(&Vec3::new(0.6, 0.8, -0.9), &n).unwrap();
        assert!(ball.kappa.iter().all(|k| (k - 1.0).abs() < 1e-12), "{ball:?}");
        assert!(body.has_seam_at(&Vec3::new(0.6, 0.8, 0.8), &n));
        assert!(!body.has_seam_at(&Vec3::new(0.6, 0.8, 0.7), &n));
    }

    #[test]
    fn a_cylinder_and_a_ball_make_a_cap_that_is_flat_within_the_rim_and_round_beyond() {
        let cylinder = Arc::new(Cylinder::new(0.3, 0.4).unwrap());
        let sum = Potential::from_support(cylinder, 0.0).unwrap().offset(0.2).unwrap();
        let body = PotentialBody::new(sum).unwrap();
        let n = Vec3::new(1e-16, 0.0, 1.0);
        let cap = body.curvature_at_touch(&Vec3::new(0.1, 0.2, 0.6), &n).unwrap();
        assert_eq!(cap.kappa, [0.0; 2]);
        assert!(body.has_seam_at(&Vec3::new(0.3, 0.0, 0.6), &n));
        // A torus of radii 0.3 and 0.2: at an angle α from the cap 1/0.2, and sin α/(0.3 + 0.2 sin α) around the axis.
        let (sin, cos) = 0.5f64.sin_cos();
        let rim = body
            .curvature_at_touch(&Vec3::new(0.3 + 0.2 * sin, 0.0, 0.4 + 0.2 * cos), &Vec3::new(sin, 0.0, cos));
        let [k1, k2] = rim.unwrap().kappa;
        assert!((k1 - 5.0).abs() < 1e-12 && (k2 - sin / (0.3 + 0.2 * sin)).abs() < 1e-12, "{k1} {k2}");
    }

    #[test]
    fn generators_along_each_other_make_one_as_long_as_both() {
        let capsule =
            |length: f64| Potential::from_support(Arc::new(Capsule::new(0.3, length).unwrap()), 0.3).unwrap();
        let body = PotentialBody::new(capsule(0.4).sum(&capsule(0.5))).unwrap();
        let at = |z: f64| body.curvature_at_touch(&Vec3::new(0.6, 0.0, z), &Vec3::x()).unwrap().kappa;
        assert!(at(0.89)[1] == 0.0 && (at(0.89)[0] - 1.0 / 0.6).abs() < 1e-12, "{:?}", at(0.89));
        assert!((at(0.91)[1] - 1.0 / 0.6).abs() < 1e-12, "{:?}", at(0.91));
    }
}
