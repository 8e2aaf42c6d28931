//! The frustum of a circular cone, and the cone: radii r₀ at z = −l and r₁ at z = l (`radii`, m), 2l the height.
//!
//! The origin is in the middle of the height, on the axis; the mass centre is a b l³·(4/3)π/V above it, with a, b
//! below. A radius of zero makes a cone: that end is an apex. Equal radii make a cylinder.
//!
//! With the slope b = (r₁ − r₀)/2l and the mean radius a = (r₀ + r₁)/2 the side is ρ(z) = a + b z. Its normals have the
//! height c = −b/√(1 + b²) over the plane across the axis. Support: h = max over both ends of rᵢ s + zᵢ n_z, with
//! s = √(n_x² + n_y²), e = (n_x, n_y, 0)/s, θ = z × e:
//!
//! | normal | farthest point ∇h | ∇²h | radii for ∣n∣ = 1 |
//! |---|---|---|---|
//! | n_z < c∣n∣ or n_z > c∣n∣ | rᵢ e + zᵢ z, on a rim or the apex | (rᵢ/s) θθᵀ | rᵢ/s along the rim, 0 across it |
//! | n_z = c∣n∣ | a e, the middle of a generator | (a/s) θθᵀ + ∞ vvᵀ, v along it | a/s, ∞ |
//! | s = 0 | zᵢ z, the middle of an end | ∞ (1 − zzᵀ), nothing at an apex | ∞, ∞, at an apex 0, 0 |
//!
//! A normal counts as that of the side or of an end within [`super::ROUNDING`]; [`super::FLAT`] times the size stands
//! for ∞. Curvature: (√(1 − c²)/ρ, 0) on the side, (0, 0) on the ends, (∞, s/rᵢ) at a normal of a rim, (∞, ∞) at an
//! apex.
//!
//! The implicit view F = (x² + y² − ρ²)/a² and the parametric view are the side alone, cut by `beyond_bounds` = ∣z∣ −
//! l. A cone has no implicit view: ∇F vanishes at its apex.

use super::{
    Domain, FLAT, Face, Implicit, Kink, ON_SEAM, Parametric, ParametricJet, ROUNDING, Revolution, Support,
    SupportJet, Surface, TouchPoint,
};
use crate::curvature::BendingRate;
use crate::error::{GeomError, Result, direction, finite3, length, positive};
use crate::taylor::{Taylor, jet};
use crate::tessellate::sweep;
use crate::{Aabb, Curvature, Mat3, Moments, TriMesh, Vec3};
use std::f64::consts::{PI, TAU};

/// A normal of a rim this close to that of the side or of an end, in rad, may be that: bounds on a distance that have
/// closed to 1e-12 leave the normal open by the root of it.
const ALONG_FACE: f64 = 1e-6;

/// A frustum about the z axis, its ends flat; a cone where one of its radii is zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frustum {
    radii: [f64; 2],
    half_height: f64,
    /// s and n_z of the unit normals of the side.
    side: [f64; 2],
    kinks: [Kink; 2],
}

/// Where a normal has its farthest point; e is the radial direction of the normal, s its length, the end 0 or 1.
enum SupportFeature {
    End(usize),
    Side { e: Vec3, s: f64 },
    Rim { end: usize, e: Vec3, s: f64 },
}

impl Frustum {
    /// A frustum from its radii at the lower and the upper end and its height, in metres; one of the radii may be zero.
    pub fn new(radii: [f64; 2], height: f64) -> Result<Self> {
        for (i, radius) in radii.into_iter().enumerate() {
            if radius != 0.0 || radii[1 - i] == 0.0 {
                length(&format!("radii[{i}]"), radius)?;
            }
        }
        Self::built(radii, length("height", height)?)
    }

    /// A cone that stands on its base and has its apex on top, from the radius of the base and the height in metres.
    pub fn cone(radius: f64, height: f64) -> Result<Self> {
        Self::built([length("radius", radius)?, 0.0], length("height", height)?)
    }

    fn built(radii: [f64; 2], height: f64) -> Result<Self> {
        let slant = height.hypot(radii[0] - radii[1]);
        let side = [height / slant, (radii[0] - radii[1]) / slant];
        let axis = Vec3::z();
        let kinks = [Kink::Normal(axis), Kink::Circle { axis, height: side[1] }];
        Ok(Self { radii, half_height: 0.5 * height, side, kinks })
    }

    /// The radii at the lower and the upper end in metres.
    pub fn radii(&self) -> [f64; 2] {
        self.radii
    }

    /// Half the height in metres.
    pub fn half_height(&self) -> f64 {
        self.half_height
    }

    /// The outer unit normal of the side: its part across the axis and that along it.
    pub fn side_normal(&self) -> [f64; 2] {
        self.side
    }

    fn is_cone(&self) -> bool {
        self.radii.contains(&0.0)
    }

    fn size(&self) -> f64 {
        self.radii[0].max(self.radii[1]) + self.half_height
    }

    /// Of the lower and the upper end.
    fn height_of(&self, end: usize) -> f64 {
        if end == 0 { -self.half_height } else { self.half_height }
    }

    fn mean_radius(&self) -> f64 {
        0.5 * (self.radii[0] + self.radii[1])
    }

    fn slope(&self) -> f64 {
        (self.radii[1] - self.radii[0]) / (2.0 * self.half_height)
    }

    fn radius_at(&self, z: f64) -> f64 {
        self.mean_radius() + self.slope() * z
    }

    /// The unit vector along the generator at the radial direction e, upwards.
    fn generator(&self, e: &Vec3) -> Vec3 {
        Vec3::z() * self.side[0] - e * self.side[1]
    }

    /// How far a point of the surface is from the side and from the nearer end.
    fn distances(&self, p: &Vec3) -> [f64; 2] {
        let beside = (p.x.hypot(p.y) - self.radius_at(p.z)) * self.side[0];
        [beside.abs(), (p.z.abs() - self.half_height).abs()]
    }

    fn is_on_rim(&self, p: &Vec3) -> bool {
        self.distances(p).iter().all(|&d| d <= ON_SEAM * self.size())
    }

    fn side_curvature(&self, e: &Vec3, radius: f64) -> Curvature {
        let along = self.generator(e);
        Curvature { kappa: [self.side[0] / radius, 0.0], direction: [Vec3::z().cross(e), along] }
    }

    fn spot(&self, n: &Vec3) -> SupportFeature {
        let (length, s) = (n.norm(), n.x.hypot(n.y));
        if s <= ROUNDING * length {
            return SupportFeature::End(usize::from(n.z > 0.0));
        }
        let e = Vec3::new(n.x / s, n.y / s, 0.0);
        let above = n.z * self.side[0] - s * self.side[1];
        if above.abs() <= ROUNDING * length {
            return SupportFeature::Side { e, s };
        }
        SupportFeature::Rim { end: usize::from(above > 0.0), e, s }
    }
}

impl Surface for Frustum {
    fn kind(&self) -> &'static str {
        if self.is_cone() { "cone" } else { "frustum" }
    }

    fn as_implicit(&self) -> Option<&dyn Implicit> {
        if self.is_cone() { None } else { Some(self) }
    }

    fn as_support(&self) -> Option<&dyn Support> {
        Some(self)
    }

    fn as_parametric(&self) -> Option<&dyn Parametric> {
        Some(self)
    }

    fn bounds(&self) -> Aabb {
        let r = self.radii[0].max(self.radii[1]);
        Aabb::centred(Vec3::new(r, r, self.half_height))
    }

    fn curvature_at(&self, p: &Vec3) -> Result<Curvature> {
        finite3("point", p)?;
        let [side, end] = self.distances(p);
        if self.is_on_rim(p) {
            return Err(GeomError::Undefined {
                surface: self.kind(),
                quantity: "curvature at a point of its rims",
                reason: "a rim and an apex have many normals; ask at a normal".to_owned(),
            });
        }
        if end <= side {
            return Ok(Curvature::flat(&Vec3::new(0.0, 0.0, 1f64.copysign(p.z))));
        }
        let e = direction("point", &Vec3::new(p.x, p.y, 0.0))?;
        Ok(self.side_curvature(&e, self.radius_at(p.z)))
    }

    fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature> {
        let n = direction("normal", n)?;
        let pointed = Curvature::umbilic(&n, f64::INFINITY);
        Ok(match self.spot(&n) {
            SupportFeature::End(end) | SupportFeature::Rim { end, .. } if self.radii[end] == 0.0 => pointed,
            SupportFeature::End(_) => Curvature::flat(&n),
            SupportFeature::Side { e, .. } => self.side_curvature(&e, self.mean_radius()),
            SupportFeature::Rim { end, e, s } => {
                let along = Vec3::z().cross(&e);
                let kappa = [f64::INFINITY, s / self.radii[end]];
                Curvature { kappa, direction: [along.cross(&n), along] }
            }
        })
    }

    /// By the point, but on the rims, whose points have many normals, by the normal.
    fn curvature_at_touch(&self, p: &Vec3, n: &Vec3) -> Result<Curvature> {
        if self.is_on_rim(p) { self.curvature_at_normal(n) } else { self.curvature_at(p) }
    }

    /// On the rims at the normals of the side and of the ends.
    fn has_seam_at(&self, p: &Vec3, n: &Vec3) -> bool {
        let s = n.x.hypot(n.y);
        self.is_on_rim(p) && s.min((n.z * self.side[0] - s * self.side[1]).abs()) <= ALONG_FACE
    }

    fn bending_rate(&self, at: &TouchPoint, dp: &Vec3, dn: &Vec3) -> Option<BendingRate> {
        let [most, _] = at.curvature.kappa;
        if most.is_infinite() {
            return Some(at.radii_rate(self, dn));
        }
        if most == 0.0 { Some(BendingRate::NONE) } else { at.implicit_rate(self, dp, dn) }
    }

    /// Of the side; towards an apex it grows without end.
    fn curvature_range(&self) -> Result<[f64; 2]> {
        Ok([0.0, self.side[0] / self.radii[0].min(self.radii[1])])
    }

    fn tessellate(&self, chord: f64) -> Result<TriMesh> {
        let chord = positive("chord", chord)?;
        let ([r0, r1], l) = (self.radii, self.half_height);
        let steps = sweep::divisions(chord, TAU, sweep::circle_step(chord, r0.max(r1)), 4)?;
        let mut profile = vec![[0.0, -l], [r0, -l], [r1, l], [0.0, l]];
        profile.dedup();
        sweep::full_turn(chord, &profile, steps)
    }

    /// Side and ends.
    fn area(&self) -> Result<f64> {
        let [r0, r1] = self.radii;
        let slant = (2.0 * self.half_height).hypot(r0 - r1);
        Ok(PI * ((r0 + r1) * slant + r0 * r0 + r1 * r1))
    }

    /// Integrals of powers of ρ = a + b z over the height, of which only sums of squares are left:
    /// V = 2πl(a² + b²l²/3), ∫z = (4/3)π a b l³, ∫z² = 2πl³(a²/3 + b²l²/5), ∫x² = ½πl(a⁴ + 2a²b²l² + b⁴l⁴/5).
    fn moments(&self) -> Result<Moments> {
        let (a, l) = (self.mean_radius(), self.half_height);
        // b l, which is a length.
        let d = self.slope() * l;
        let (aa, dd) = (a * a, d * d);
        let mut moments = Moments::zero();
        moments.volume = TAU * l * (aa + dd / 3.0);
        moments.first = Vec3::z() * (4.0 / 3.0 * PI * a * d * l * l);
        let across = 0.5 * PI * l * (aa * aa + 2.0 * aa * dd + dd * dd / 5.0);
        let along = TAU * l * l * l * (aa / 3.0 + dd / 5.0);
        moments.second = Mat3::from_diagonal(&Vec3::new(across, across, along));
        Ok(moments)
    }
}

/// The side, without the ends.
impl Implicit for Frustum {
    fn value(&self, p: &Vec3) -> f64 {
        let a = self.mean_radius();
        (p.x / a).powi(2) + (p.y / a).powi(2) - (self.radius_at(p.z) / a).powi(2)
    }

    fn gradient(&self, p: &Vec3) -> Vec3 {
        let a = self.mean_radius();
        Vec3::new(p.x, p.y, -self.slope() * self.radius_at(p.z)) * (2.0 / (a * a))
    }

    fn hessian(&self, _p: &Vec3) -> Mat3 {
        let (a, b) = (self.mean_radius(), self.slope());
        Mat3::from_diagonal(&(Vec3::new(1.0, 1.0, -b * b) * (2.0 / (a * a))))
    }

    fn hessian_rate(&self, _p: &Vec3, _d: &Vec3) -> Option<Mat3> {
        Some(Mat3::zeros())
    }

    fn beyond_bounds(&self, p: &Vec3) -> f64 {
        p.z.abs() - self.half_height
    }
}

impl Support for Frustum {
    fn revolution(&self) -> Option<Revolution> {
        Some(Revolution::About(Vec3::z()))
    }

    fn support(&self, n: &Vec3) -> f64 {
        let (s, l) = (n.x.hypot(n.y), self.half_height * n.z);
        (self.radii[0] * s - l).max(self.radii[1] * s + l)
    }

    fn support_point(&self, n: &Vec3) -> Vec3 {
        match self.spot(n) {
            SupportFeature::End(end) => Vec3::z() * self.height_of(end),
            SupportFeature::Side { e, .. } => e * self.mean_radius(),
            SupportFeature::Rim { end, e, .. } => e * self.radii[end] + Vec3::z() * self.height_of(end),
        }
    }

    fn face(&self, n: &Vec3) -> Face {
        let point = self.support_point(n);
        match self.spot(n) {
            SupportFeature::End(end) if self.radii[end] > 0.0 => {
                Face::Disc { centre: point, axis: Vec3::z(), radius: self.radii[end] }
            }
            SupportFeature::Side { e, .. } => Face::Segment {
                centre: point,
                half: e * (0.5 * (self.radii[1] - self.radii[0])) + Vec3::z() * self.half_height,
            },
            _ => Face::Point(point),
        }
    }

    fn kinks(&self) -> &[Kink] {
        &self.kinks
    }

    fn support_jet(&self, n: &Vec3) -> SupportJet {
        let flat = FLAT * self.size() / n.norm();
        let rim = |e: &Vec3, radius: f64, s: f64| {
            let along = Vec3::z().cross(e);
            along * along.transpose() * (radius / s)
        };
        let hessian = match self.spot(n) {
            SupportFeature::End(end) | SupportFeature::Rim { end, .. } if self.radii[end] == 0.0 => {
                Mat3::zeros()
            }
            SupportFeature::End(_) => Mat3::from_diagonal(&Vec3::new(flat, flat, 0.0)),
            SupportFeature::Side { e, s } => {
                let v = self.generator(&e);
                rim(&e, self.mean_radius(), s) + v * v.transpose() * flat
            }
            SupportFeature::Rim { end, e, s } => rim(&e, self.radii[end], s),
        };
        SupportJet { value: self.support(n), point: self.support_point(n), hessian }
    }

    /// The flat parts, at normals of the side and the ends, are held constant.
    fn support_third(&self, n: &Vec3, d: &Vec3) -> Mat3 {
        let (e, s, radius) = match self.spot(n) {
            SupportFeature::End(_) => return Mat3::zeros(),
            SupportFeature::Side { e, s } => (e, s, self.mean_radius()),
            SupportFeature::Rim { end, e, s } => (e, s, self.radii[end]),
        };
        // d/dn of (r/s) θθᵀ along d: ṡ = e·d, θ̇ = −e (θ·d)/s.
        let along = Vec3::z().cross(&e);
        let turn = e * along.transpose() * (-along.dot(d) / s);
        (turn + turn.transpose() - along * along.transpose() * (e.dot(d) / s)) * (radius / s)
    }
}

/// The side, without the ends.
impl Parametric for Frustum {
    /// u is the angle about the axis in rad, v the height z in metres.
    fn domain(&self) -> Domain {
        Domain { u: [0.0, TAU], v: [-self.half_height, self.half_height], periodic: [true, false] }
    }

    fn jet(&self, u: f64, v: f64) -> ParametricJet {
        let (u, v) = (Taylor::u(u), Taylor::v(v));
        let radius = v * self.slope() + self.mean_radius();
        jet([u.cos() * radius, u.sin() * radius, v])
    }
}

#[cfg(test)]
mod tests;
