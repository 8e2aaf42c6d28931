//! The torus about the z axis: F = ((ρ − R)² + z² − r²)/r², ρ = √(x² + y²).
//!
//! R (`major_radius`, m) is the distance of the tube's centre line from the axis, r (`minor_radius`, m) the radius of
//! the tube, R > r. With e = (x, y, 0)/ρ, θ = z × e and the angle v about the tube, n = e cos v + z sin v:
//!
//! x = (R + r cos v) e + r sin v z, κ₁ = 1/r across the tube's circle, κ₂ = cos v/(R + r cos v) around the axis along
//! θ; ∇F = 2((ρ − R) e + z z)/r², ∇²F = 2(1 − (R/ρ) θθᵀ)/r², and along d, where ρ changes by e·d and θ by −e θ·d/ρ,
//! d∇²F = 2(R/ρ²)[e·d θθᵀ + θ·d (eθᵀ + θeᵀ)]/r²; area 4π²Rr, V = 2π²Rr² (Pappus), ∫x² = V(R²/2 + 3r²/8), ∫z² = V r²/4.
//!
//! Not convex, hence no support view. The point farthest along n is R e + r n, on the outer half; for n = ±z it is one
//! of a circle of points, the one at e = x. On the axis F has a cusp: there its radial derivatives are given as zero.

use super::sliced::hypotenuse;
use super::{Domain, Implicit, Parametric, ParametricJet, ROUNDING, Sliced, Surface};
use crate::chart::Atlas;
use crate::error::{GeomError, Result, direction, finite3, length, positive, within};
use crate::taylor::{Taylor, jet};
use crate::tessellate::sweep;
use crate::{Aabb, Curvature, Mat3, Moments, TriMesh, Vec3};
use std::f64::consts::{PI, TAU};

/// A ring of circular section about the z axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Torus {
    major_radius: f64,
    minor_radius: f64,
}

impl Torus {
    /// A torus from the radius of its centre line and the smaller one of its tube, in metres.
    pub fn new(major_radius: f64, minor_radius: f64) -> Result<Self> {
        length("major_radius", major_radius)?;
        length("minor_radius", minor_radius)?;
        let allowed = format!("below major_radius = {major_radius}");
        within("minor_radius", minor_radius, 0.0, major_radius.next_down(), &allowed)?;
        Ok(Self { major_radius, minor_radius })
    }

    /// The radius of the tube's centre line in metres.
    pub fn major_radius(&self) -> f64 {
        self.major_radius
    }

    /// The radius of the tube in metres.
    pub fn minor_radius(&self) -> f64 {
        self.minor_radius
    }

    /// The distance of a point from the tube's centre line, in metres.
    pub(super) fn off_centre_line(&self, p: &Vec3) -> f64 {
        hypotenuse(hypotenuse(p.x, p.y) - self.major_radius, p.z)
    }

    /// Curvature where the section along the unit vector `e` has the normal `n`.
    pub(super) fn curvature_of_section(&self, e: &Vec3, n: &Vec3) -> Curvature {
        let cos = n.dot(e);
        let around = Vec3::z().cross(e);
        let kappa = [1.0 / self.minor_radius, cos / (self.major_radius + self.minor_radius * cos)];
        Curvature { kappa, direction: [around.cross(n), around] }
    }

    /// Steps of the angles u over `turn` and v over 2π for a chord error.
    pub(super) fn steps(&self, chord: f64, turn: f64) -> Result<[usize; 2]> {
        let (outer, r) = (self.major_radius + self.minor_radius, self.minor_radius);
        // ∣x_uu∣ = ρ, ∣x_uv∣ = r∣sin v∣, ∣x_vv∣ = r.
        let [u, v] = sweep::patch_steps(chord, outer, r, r);
        Ok([sweep::divisions(chord, turn, u, 4)?, sweep::divisions(chord, TAU, v, 4)?])
    }

    /// The section of the tube as points (ρ, z).
    pub(super) fn profile(&self, steps: usize) -> Vec<[f64; 2]> {
        let (major, r) = (self.major_radius, self.minor_radius);
        let angle = TAU / steps as f64;
        (0..steps)
            .map(|i| (angle * i as f64).sin_cos())
            .map(|(sin, cos)| [major + r * cos, r * sin])
            .collect()
    }
}

/// The change of −(R/ρ)θθᵀ along d, on a ring of radius R about `axis`: in units of 1 per length, with the radial unit
/// vector e at the distance ρ from the axis and θ = axis × e.
pub(super) fn bend_rate(axis: &Vec3, e: &Vec3, rho: f64, radius: f64, d: &Vec3) -> Mat3 {
    let around = axis.cross(e);
    let mixed = e * around.transpose();
    (around * around.transpose() * e.dot(d) + (mixed + mixed.transpose()) * around.dot(d))
        * (radius / (rho * rho))
}

/// The radial unit vector of the section in which a point or a normal of the given size lies; none on the axis.
fn radial(x: &Vec3, size: f64) -> Option<Vec3> {
    let rho = hypotenuse(x.x, x.y);
    (rho > ROUNDING * size).then(|| Vec3::new(x.x / rho, x.y / rho, 0.0))
}

impl Surface for Torus {
    fn kind(&self) -> &'static str {
        "torus"
    }

    fn as_implicit(&self) -> Option<&dyn Implicit> {
        Some(self)
    }

    fn as_parametric(&self) -> Option<&dyn Parametric> {
        Some(self)
    }

    fn as_sliced(&self) -> Option<&dyn Sliced> {
        Some(self)
    }

    fn as_atlas(&self) -> Option<&dyn Atlas> {
        Some(self)
    }

    fn bounds(&self) -> Aabb {
        let outer = self.major_radius + self.minor_radius;
        Aabb::centred(Vec3::new(outer, outer, self.minor_radius))
    }

    fn curvature_at(&self, p: &Vec3) -> Result<Curvature> {
        finite3("point", p)?;
        if let Some(e) = radial(p, self.major_radius)
            && self.off_centre_line(p) > 0.0
        {
            let n = (p - e * self.major_radius).normalize();
            return Ok(self.curvature_of_section(&e, &n));
        }
        Err(GeomError::Inconsistent {
            field: "point".to_owned(),
            found: format!("{:?}", p.as_slice()),
            allowed: "a point of the surface, off the axis and off the tube's centre line".to_owned(),
        })
    }

    fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature> {
        let n = direction("normal", n)?;
        Ok(self.curvature_of_section(&radial(&n, 1.0).unwrap_or_else(Vec3::x), &n))
    }

    fn curvature_range(&self) -> Result<[f64; 2]> {
        Ok([-1.0 / (self.major_radius - self.minor_radius), 1.0 / self.minor_radius])
    }

    fn tessellate(&self, chord: f64) -> Result<TriMesh> {
        let chord = positive("chord", chord)?;
        let [u, v] = self.steps(chord, TAU)?;
        sweep::full_turn(chord, &self.profile(v), u)
    }

    fn area(&self) -> Result<f64> {
        Ok(TAU * self.major_radius * TAU * self.minor_radius)
    }

    fn moments(&self) -> Result<Moments> {
        let (major, r) = (self.major_radius, self.minor_radius);
        let volume = TAU * major * PI * r * r;
        let across = volume * (major * major / 2.0 + 3.0 * r * r / 8.0);
        Ok(Moments::symmetric(volume, Vec3::new(across, across, volume * r * r / 4.0)))
    }
}

impl Implicit for Torus {
    #[inline]
    fn value(&self, p: &Vec3) -> f64 {
        let (q, r) = (self.off_centre_line(p), self.minor_radius);
        // As a product of differences: no cancellation near the surface.
        (q - r) / r * (q / r + 1.0)
    }

    #[inline]
    fn gradient(&self, p: &Vec3) -> Vec3 {
        let arm = match radial(p, self.major_radius) {
            Some(e) => p - e * self.major_radius,
            None => Vec3::new(0.0, 0.0, p.z),
        };
        arm * (2.0 / (self.minor_radius * self.minor_radius))
    }

    #[inline]
    fn hessian(&self, p: &Vec3) -> Mat3 {
        let bend = match radial(p, self.major_radius) {
            Some(e) => {
                let around = Vec3::z().cross(&e);
                Mat3::identity() - around * around.transpose() * (self.major_radius / p.x.hypot(p.y))
            }
            None => Mat3::from_diagonal(&Vec3::z()),
        };
        bend * (2.0 / (self.minor_radius * self.minor_radius))
    }

    fn hessian_rate(&self, p: &Vec3, d: &Vec3) -> Option<Mat3> {
        let e = radial(p, self.major_radius)?;
        let bend = bend_rate(&Vec3::z(), &e, p.x.hypot(p.y), self.major_radius, d);
        Some(bend * (2.0 / (self.minor_radius * self.minor_radius)))
    }
}

impl Parametric for Torus {
    /// u is the angle about the axis, v the one about the tube, from the outer equator upwards; both in rad.
    fn domain(&self) -> Domain {
        Domain { u: [0.0, TAU], v: [0.0, TAU], periodic: [true, true] }
    }

    fn jet(&self, u: f64, v: f64) -> ParametricJet {
        let (u, v) = (Taylor::u(u), Taylor::v(v));
        let rho = v.cos() * self.minor_radius + self.major_radius;
        jet([rho * u.cos(), rho * u.sin(), v.sin() * self.minor_radius])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curvature_is_known_on_the_equators_and_on_top() {
        let t = Torus::new(3.0, 1.0).unwrap();
        let at = |x: f64, z: f64| t.curvature_at(&Vec3::new(x, 0.0, z)).unwrap().kappa;
        assert_eq!(at(4.0, 0.0), [1.0, 0.25]);
        assert_eq!(at(-2.0, 0.0), [1.0, -0.5]);
        assert_eq!(at(3.0, 1.0), [1.0, 0.0]);
        assert_eq!(t.curvature_at_normal(&Vec3::y()).unwrap().kappa, [1.0, 0.25]);
        assert_eq!(t.curvature_at_normal(&-Vec3::z()).unwrap().kappa, [1.0, 0.0]);
        assert_eq!(t.curvature_range().unwrap(), [-0.5, 1.0]);
    }

    #[test]
    fn points_without_a_normal_are_refused_and_the_axis_yields_no_nan() {
        let t = Torus::new(3.0, 1.0).unwrap();
        for p in [Vec3::new(0.0, 0.0, 0.4), Vec3::new(3.0, 0.0, 0.0)] {
            let error = t.curvature_at(&p).unwrap_err().to_string();
            assert!(error.starts_with("point = ["), "{error}");
        }
        assert_eq!(t.gradient(&Vec3::zeros()), Vec3::zeros());
        assert!(t.hessian(&Vec3::new(0.0, 0.0, 0.4)).iter().all(|x| x.is_finite()));
    }

    #[test]
    fn a_tube_as_wide_as_its_ring_is_refused_by_name() {
        let error = Torus::new(0.5, 0.5).unwrap_err().to_string();
        assert_eq!(error, "minor_radius = 0.5: must be below major_radius = 0.5");
    }
}
