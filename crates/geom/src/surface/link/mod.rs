//! The link of a chain: all points within r of a stadium curve in the plane x = 0, its long axis along z.
//!
//! r (`bar_radius`, m) is the radius of the bar, R (`bend_radius`, m) that of the half circles about (0, 0, ±h), r <
//! R, and h (`half_straight`, m, ≥ 0) half the length of the straight parts at (0, ±R, z). With ζ = z − clamp(z, −h,
//! h), ρ = √(y² + ζ²), e = (0, y, ζ)/ρ the nearest point of the curve is (0, 0, z − ζ) + R e, for ∣z∣ ≤ h and beyond
//! alike:
//!
//! F = ((ρ − R)² + x² − r²)/r², ∇F = 2((ρ − R) e + x x)/r², ∇²F = 2(1 − t tᵀ(R/ρ or 1))/r², t = x × e along the curve,
//! its derivative that of a torus or zero; κ₁ = 1/r around the bar, κ₂ = cos v/(R + r cos v) along a bend with cos v =
//! n·e, 0 along a straight part. ∇²F and κ₂ jump at ∣z∣ = h, where those of the straight part are returned. With the
//! length L = 4h + 2πR of the curve the area is 2πrL and V = πr²L (Pappus). Second moments are those of two cylinders
//! and of two half tori, of first moment 2πr²(R² + r²/4) each:
//!
//! ∫x² = V r²/4, ∫y² = 4πr²h(R² + r²/4) + T(R²/2 + 3r²/8), T = 2π²Rr²,
//! ∫z² = 4πr²h³/3 + T(h² + R²/2 + 3r²/8) + 8πr²h(R² + r²/4).
//!
//! Not convex, hence no support view; [`Link::farthest`] is the point that one would have. On the segment y = 0, ∣z∣ ≤
//! h F has a kink: there its derivatives in the plane are given as zero.

use super::sliced::hypotenuse;
use super::torus::bend_rate;
use super::{Domain, Implicit, ON_SEAM, Parametric, ParametricJet, ROUNDING, Sliced, Surface};
use crate::error::{GeomError, Result, direction, finite3, length, positive, within};
use crate::taylor::{Taylor, jet};
use crate::tessellate::sweep;
use crate::{Aabb, Curvature, Mat3, Moments, TriMesh, Vec3};
use std::f64::consts::{PI, TAU};

/// A bar of circular section, bent to a closed link with straight sides along z, flat in the plane x = 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    bar_radius: f64,
    bend_radius: f64,
    half_straight: f64,
}

/// Where a point or a normal belongs: the outward unit vector in the plane of the link, and whether to a bend.
struct Section {
    e: Vec3,
    bent: bool,
}

impl Link {
    /// A link from the radius of its bar, the radius of its bends to the middle of the bar, and half the length of its
    /// straight parts, in metres.
    pub fn new(bar_radius: f64, bend_radius: f64, half_straight: f64) -> Result<Self> {
        length("bar_radius", bar_radius)?;
        length("bend_radius", bend_radius)?;
        let allowed = format!("below bend_radius = {bend_radius}");
        within("bar_radius", bar_radius, 0.0, bend_radius.next_down(), &allowed)?;
        within("half_straight", half_straight, 0.0, f64::MAX, "a finite number, zero or above")?;
        Ok(Self { bar_radius, bend_radius, half_straight })
    }

    /// A link from the diameter of its bar and its length and width over all, in metres.
    pub fn from_outer(bar_diameter: f64, length: f64, width: f64) -> Result<Self> {
        crate::error::length("bar_diameter", bar_diameter)?;
        crate::error::length("length", length)?;
        crate::error::length("width", width)?;
        let allowed = format!("above twice bar_diameter = {bar_diameter}");
        within("width", width, (2.0 * bar_diameter).next_up(), f64::MAX, &allowed)?;
        within("length", length, width, f64::MAX, &format!("width = {width} or above"))?;
        Self::new(0.5 * bar_diameter, 0.5 * (width - bar_diameter), 0.5 * (length - width))
    }

    /// The radius of the bar in metres.
    pub fn bar_radius(&self) -> f64 {
        self.bar_radius
    }

    /// The radius of the bends, to the middle of the bar, in metres.
    pub fn bend_radius(&self) -> f64 {
        self.bend_radius
    }

    /// Half the length of the straight parts in metres.
    pub fn half_straight(&self) -> f64 {
        self.half_straight
    }

    /// The length over all in metres.
    pub fn length(&self) -> f64 {
        2.0 * (self.half_straight + self.bend_radius + self.bar_radius)
    }

    /// The length of the bar's centre curve in metres.
    pub fn centre_length(&self) -> f64 {
        4.0 * self.half_straight + TAU * self.bend_radius
    }

    /// The point farthest along a direction that does not vanish; of many the one nearest the middle of a straight
    /// part.
    pub fn farthest(&self, d: &Vec3) -> Vec3 {
        let ring = d.y.hypot(d.z);
        let out = if ring > 0.0 { Vec3::new(0.0, d.y / ring, d.z / ring) } else { Vec3::y() };
        let end = if d.z == 0.0 { 0.0 } else { self.half_straight.copysign(d.z) };
        out * self.bend_radius + Vec3::new(0.0, 0.0, end) + d * (self.bar_radius / d.norm())
    }

    /// y, ζ and ρ of a point.
    fn plane_coordinates(&self, p: &Vec3) -> [f64; 3] {
        let zeta = p.z - p.z.clamp(-self.half_straight, self.half_straight);
        [p.y, zeta, hypotenuse(p.y, zeta)]
    }

    /// The section of a point; none on the segment y = 0 between the bends, to rounding.
    fn section(&self, p: &Vec3) -> Option<Section> {
        let [y, zeta, rho] = self.plane_coordinates(p);
        let bent = zeta != 0.0 || self.half_straight == 0.0;
        (rho > ROUNDING * self.bend_radius).then(|| Section { e: Vec3::new(0.0, y / rho, zeta / rho), bent })
    }

    /// From the nearest point of the centre curve to `p`, where the section is known.
    fn arm(&self, p: &Vec3, section: &Section) -> Vec3 {
        let [_, _, rho] = self.plane_coordinates(p);
        Vec3::x() * p.x + section.e * (rho - self.bend_radius)
    }

    fn curvature_of_section(&self, section: &Section, n: &Vec3) -> Curvature {
        let cos = n.dot(&section.e);
        let along = Vec3::x().cross(&section.e);
        let bend = if section.bent { cos / (self.bend_radius + self.bar_radius * cos) } else { 0.0 };
        Curvature { kappa: [1.0 / self.bar_radius, bend], direction: [along.cross(n), along] }
    }

    /// The sections of a mesh along the centre curve: their middles and outward unit vectors.
    fn stations(&self, steps: usize) -> Vec<[Vec3; 2]> {
        let (radius, h) = (self.bend_radius, self.half_straight);
        let mut list = Vec::with_capacity(2 * steps + 2);
        for (z, turn) in [(h, 0.0), (-h, PI)] {
            // Without straight parts the end of one bend is the start of the other.
            for i in 0..if h > 0.0 { steps + 1 } else { steps } {
                let (sin, cos) = (turn + PI * i as f64 / steps as f64).sin_cos();
                let e = Vec3::new(0.0, cos, sin);
                list.push([e * radius + Vec3::new(0.0, 0.0, z), e]);
            }
        }
        list
    }
}

impl Surface for Link {
    fn kind(&self) -> &'static str {
        "link"
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

    fn bounds(&self) -> Aabb {
        let outer = self.bend_radius + self.bar_radius;
        Aabb::centred(Vec3::new(self.bar_radius, outer, self.half_straight + outer))
    }

    fn curvature_at(&self, p: &Vec3) -> Result<Curvature> {
        finite3("point", p)?;
        if let Some(section) = self.section(p)
            && let Some(n) = self.arm(p, &section).try_normalize(0.0)
        {
            return Ok(self.curvature_of_section(&section, &n));
        }
        Err(GeomError::Inconsistent {
            field: "point".to_owned(),
            found: format!("{:?}", p.as_slice()),
            allowed: "a point of the surface, off the plane y = 0 and off the bar's centre curve".to_owned(),
        })
    }

    /// Where the bends begin.
    fn has_seam_at(&self, p: &Vec3, _n: &Vec3) -> bool {
        self.half_straight > 0.0 && (p.z.abs() - self.half_straight).abs() <= ON_SEAM * self.length()
    }

    fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature> {
        let n = direction("normal", n)?;
        let ring = n.y.hypot(n.z);
        let bent = n.z.abs() > ROUNDING || self.half_straight == 0.0;
        let e = if ring <= ROUNDING {
            Vec3::y()
        } else if bent {
            Vec3::new(0.0, n.y / ring, n.z / ring)
        } else {
            Vec3::new(0.0, 1f64.copysign(n.y), 0.0)
        };
        Ok(self.curvature_of_section(&Section { e, bent }, &n))
    }

    fn curvature_range(&self) -> Result<[f64; 2]> {
        Ok([-1.0 / (self.bend_radius - self.bar_radius), 1.0 / self.bar_radius])
    }

    fn tessellate(&self, chord: f64) -> Result<TriMesh> {
        let chord = positive("chord", chord)?;
        let (outer, r) = (self.bend_radius + self.bar_radius, self.bar_radius);
        // As on a torus: ∣x_uu∣ = ρ, ∣x_uv∣ = r∣sin v∣, ∣x_vv∣ = r.
        let [u, v] = sweep::patch_steps(chord, outer, r, r);
        let along = sweep::divisions(chord, PI, u, 2)?;
        let around = sweep::divisions(chord, TAU, v, 4)?;
        sweep::closed_tube(chord, &self.stations(along), &Vec3::x(), r, around)
    }

    fn area(&self) -> Result<f64> {
        Ok(TAU * self.bar_radius * self.centre_length())
    }

    fn moments(&self) -> Result<Moments> {
        let (radius, h) = (self.bend_radius, self.half_straight);
        let (rr, square) = (self.bar_radius * self.bar_radius, radius * radius);
        let (bars, bends) = (4.0 * PI * rr * h, TAU * PI * radius * rr);
        let volume = bars + bends;
        let across = square / 2.0 + 3.0 * rr / 8.0;
        let yy = bars * (square + rr / 4.0) + bends * across;
        let zz = bars * h * h / 3.0 + bends * (h * h + across) + 2.0 * bars * (square + rr / 4.0);
        Ok(Moments::symmetric(volume, Vec3::new(volume * rr / 4.0, yy, zz)))
    }
}

impl Implicit for Link {
    #[inline]
    fn value(&self, p: &Vec3) -> f64 {
        let [_, _, rho] = self.plane_coordinates(p);
        let (q, r) = (hypotenuse(rho - self.bend_radius, p.x), self.bar_radius);
        // As a product of differences: no cancellation near the surface.
        (q - r) / r * (q / r + 1.0)
    }

    #[inline]
    fn gradient(&self, p: &Vec3) -> Vec3 {
        let arm = match self.section(p) {
            Some(section) => self.arm(p, &section),
            None => Vec3::x() * p.x,
        };
        arm * (2.0 / (self.bar_radius * self.bar_radius))
    }

    #[inline]
    fn hessian(&self, p: &Vec3) -> Mat3 {
        let bend = match self.section(p) {
            Some(Section { e, bent }) => {
                let along = Vec3::x().cross(&e);
                let share = if bent { self.bend_radius / self.plane_coordinates(p)[2] } else { 1.0 };
                Mat3::identity() - along * along.transpose() * share
            }
            None => Mat3::from_diagonal(&Vec3::x()),
        };
        bend * (2.0 / (self.bar_radius * self.bar_radius))
    }

    fn hessian_rate(&self, p: &Vec3, d: &Vec3) -> Option<Mat3> {
        let Section { e, bent } = self.section(p)?;
        if !bent {
            return Some(Mat3::zeros());
        }
        let bend = bend_rate(&Vec3::x(), &e, self.plane_coordinates(p)[2], self.bend_radius, d);
        Some(bend * (2.0 / (self.bar_radius * self.bar_radius)))
    }
}

impl Parametric for Link {
    /// u is the length along the centre curve in metres, from the middle of the straight part at y > 0 upwards; v the
    /// angle about the bar in rad, from the outer side towards +x. Second derivatives in u jump where the bends begin.
    fn domain(&self) -> Domain {
        Domain { u: [0.0, self.centre_length()], v: [0.0, TAU], periodic: [true, true] }
    }

    fn jet(&self, u: f64, v: f64) -> ParametricJet {
        let (r, radius, h) = (self.bar_radius, self.bend_radius, self.half_straight);
        let half = 0.5 * self.centre_length();
        // The lower half of the way is the upper one turned about x by half a turn.
        let on = u.rem_euclid(2.0 * half);
        let (side, on) = if on < half { (1.0, on) } else { (-1.0, on - half) };
        let (along, v) = (Taylor::u(on), Taylor::v(v));
        let (out, x) = (v.cos() * r + radius, v.sin() * r);
        if on <= h {
            return jet([x, out * side, along * side]);
        }
        if on >= half - h {
            return jet([x, out * -side, (along + -half) * -side]);
        }
        let angle = (along + -h) * (1.0 / radius);
        jet([x, out * angle.cos() * side, (out * angle.sin() + h) * side])
    }
}

#[cfg(test)]
mod tests;
