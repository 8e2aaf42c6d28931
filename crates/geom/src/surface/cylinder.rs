//! The cylinder with flat caps: radius r (`radius`, m), z from −l to l (`half_length`, m).
//!
//! Support: h = r s + l∣n_z∣ with s = √(n_x² + n_y²), e = (n_x, n_y, 0)/s, θ = z × e:
//!
//! | normal | farthest point ∇h | ∇²h | radii for ∣n∣ = 1 |
//! |---|---|---|---|
//! | any other | r e ± l z, on a rim | (r/s) θθᵀ | r/s along the rim, 0 across it: an edge |
//! | n_z = 0 | r e, the middle of a generator | (r/s) θθᵀ + ∞ zzᵀ | r, ∞ |
//! | s = 0 | ± l z, the middle of a cap | ∞ (1 − zzᵀ) | ∞, ∞ |
//!
//! A component counts as zero below [`super::ROUNDING`] of the length; [`super::FLAT`] (r + l) stands for ∞.
//!
//! The implicit view F = (x² + y²)/r² − 1 and the parametric view are the side alone; the caps cut it by
//! `beyond_bounds` = ∣z∣ − l. Curvature: (1/r, 0) on the side, (0, 0) on the caps, (∞, s/r) at a normal of the rim. A
//! point of the rim has many normals, hence no curvature of its own.

use super::{
    Domain, FLAT, Face, Implicit, Kink, ON_SEAM, Parametric, ParametricJet, ROUNDING, Revolution, Support,
    SupportBlock, SupportJet, Surface, TouchPoint,
};
use crate::curvature::BendingRate;
use crate::error::{GeomError, Result, direction, finite3, length, positive};
use crate::taylor::{Taylor, jet};
use crate::tessellate::sweep;
use crate::{Aabb, Curvature, Mat3, Moments, TriMesh, Vec3};
use std::f64::consts::{PI, TAU};

/// A normal of the rim this close to that of the side or of a cap, in rad, may be that: bounds on a distance that have
/// closed to 1e-12 leave the normal open by the root of it.
const ALONG_FACE: f64 = 1e-6;

/// A finite cylinder about the z axis, closed by flat caps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cylinder {
    radius: f64,
    half_length: f64,
}

/// Where on a cylinder a normal has its farthest point; e is the radial direction of the normal, s its length.
enum SupportFeature {
    Cap,
    Side { e: Vec3, s: f64 },
    Rim { e: Vec3, s: f64 },
}

impl Cylinder {
    /// A cylinder from its radius and half its length, in metres.
    pub fn new(radius: f64, half_length: f64) -> Result<Self> {
        Ok(Self { radius: length("radius", radius)?, half_length: length("half_length", half_length)? })
    }

    /// The radius in metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Half the length in metres.
    pub fn half_length(&self) -> f64 {
        self.half_length
    }

    fn size(&self) -> f64 {
        self.radius + self.half_length
    }

    /// How far a point of the surface is from the side and from the nearer cap.
    fn distances(&self, p: &Vec3) -> [f64; 2] {
        [(p.x.hypot(p.y) - self.radius).abs(), (p.z.abs() - self.half_length).abs()]
    }

    fn is_on_rim(&self, p: &Vec3) -> bool {
        self.distances(p).iter().all(|&d| d <= ON_SEAM * self.size())
    }

    fn side_curvature(&self, e: &Vec3) -> Curvature {
        Curvature { kappa: [1.0 / self.radius, 0.0], direction: [Vec3::z().cross(e), Vec3::z()] }
    }
}

/// √(n_x² + n_y²), for normals of any length.
#[inline]
fn ring_length(n: &Vec3) -> f64 {
    let square = n.x * n.x + n.y * n.y;
    if square > 1e-280 && square < 1e280 { square.sqrt() } else { n.x.hypot(n.y) }
}

fn spot(n: &Vec3) -> SupportFeature {
    let (length, s) = (n.norm(), ring_length(n));
    if s <= ROUNDING * length {
        return SupportFeature::Cap;
    }
    let e = Vec3::new(n.x / s, n.y / s, 0.0);
    if n.z.abs() <= ROUNDING * length { SupportFeature::Side { e, s } } else { SupportFeature::Rim { e, s } }
}

impl Surface for Cylinder {
    fn kind(&self) -> &'static str {
        "cylinder"
    }

    fn as_implicit(&self) -> Option<&dyn Implicit> {
        Some(self)
    }

    fn as_support(&self) -> Option<&dyn Support> {
        Some(self)
    }

    fn as_parametric(&self) -> Option<&dyn Parametric> {
        Some(self)
    }

    fn bounds(&self) -> Aabb {
        Aabb::centred(Vec3::new(self.radius, self.radius, self.half_length))
    }

    fn curvature_at(&self, p: &Vec3) -> Result<Curvature> {
        finite3("point", p)?;
        let [side, cap] = self.distances(p);
        if self.is_on_rim(p) {
            return Err(GeomError::Undefined {
                surface: "cylinder",
                quantity: "curvature at a point of its rim",
                reason: "the rim has many normals; ask at a normal".to_owned(),
            });
        }
        if cap <= side {
            return Ok(Curvature::flat(&Vec3::new(0.0, 0.0, 1f64.copysign(p.z))));
        }
        Ok(self.side_curvature(&direction("point", &Vec3::new(p.x, p.y, 0.0))?))
    }

    fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature> {
        let n = direction("normal", n)?;
        Ok(match spot(&n) {
            SupportFeature::Cap => Curvature::flat(&n),
            SupportFeature::Side { e, .. } => self.side_curvature(&e),
            SupportFeature::Rim { e, s } => {
                let along = Vec3::z().cross(&e);
                Curvature { kappa: [f64::INFINITY, s / self.radius], direction: [along.cross(&n), along] }
            }
        })
    }

    /// By the point, but on the rim, whose points have many normals, by the normal.
    fn curvature_at_touch(&self, p: &Vec3, n: &Vec3) -> Result<Curvature> {
        if self.is_on_rim(p) { self.curvature_at_normal(n) } else { self.curvature_at(p) }
    }

    /// On the rim at the normals of the side and of the caps.
    fn has_seam_at(&self, p: &Vec3, n: &Vec3) -> bool {
        self.is_on_rim(p) && n.z.abs().min(n.x.hypot(n.y)) <= ALONG_FACE
    }

    fn bending_rate(&self, at: &TouchPoint, _dp: &Vec3, dn: &Vec3) -> Option<BendingRate> {
        let sharp = at.curvature.kappa[0].is_infinite();
        Some(if sharp { at.radii_rate(self, dn) } else { BendingRate::NONE })
    }

    fn curvature_range(&self) -> Result<[f64; 2]> {
        Ok([0.0, 1.0 / self.radius])
    }

    fn tessellate(&self, chord: f64) -> Result<TriMesh> {
        let chord = positive("chord", chord)?;
        let steps = sweep::divisions(chord, TAU, sweep::circle_step(chord, self.radius), 4)?;
        let (r, l) = (self.radius, self.half_length);
        sweep::full_turn(chord, &[[0.0, -l], [r, -l], [r, l], [0.0, l]], steps)
    }

    /// Side and caps.
    fn area(&self) -> Result<f64> {
        Ok(TAU * self.radius * (2.0 * self.half_length + self.radius))
    }

    fn moments(&self) -> Result<Moments> {
        let (rr, l) = (self.radius * self.radius, self.half_length);
        let volume = PI * rr * 2.0 * l;
        Ok(Moments::symmetric(volume, Vec3::new(rr / 4.0, rr / 4.0, l * l / 3.0) * volume))
    }
}

/// The side, without the caps.
impl Implicit for Cylinder {
    fn value(&self, p: &Vec3) -> f64 {
        (p.xy() / self.radius).norm_squared() - 1.0
    }

    fn gradient(&self, p: &Vec3) -> Vec3 {
        Vec3::new(p.x, p.y, 0.0) * (2.0 / (self.radius * self.radius))
    }

    fn hessian(&self, _p: &Vec3) -> Mat3 {
        Mat3::from_diagonal(&(Vec3::new(2.0, 2.0, 0.0) / (self.radius * self.radius)))
    }

    fn beyond_bounds(&self, p: &Vec3) -> f64 {
        p.z.abs() - self.half_length
    }
}

impl Support for Cylinder {
    fn revolution(&self) -> Option<Revolution> {
        Some(Revolution::About(Vec3::z()))
    }

    fn support(&self, n: &Vec3) -> f64 {
        self.radius * ring_length(n) + self.half_length * n.z.abs()
    }

    fn support_point(&self, n: &Vec3) -> Vec3 {
        let end = Vec3::new(0.0, 0.0, self.half_length.copysign(n.z));
        match spot(n) {
            SupportFeature::Cap => end,
            SupportFeature::Side { e, .. } => e * self.radius,
            SupportFeature::Rim { e, .. } => e * self.radius + end,
        }
    }

    fn face(&self, n: &Vec3) -> Face {
        let point = self.support_point(n);
        match spot(n) {
            SupportFeature::Cap => Face::Disc { centre: point, axis: Vec3::z(), radius: self.radius },
            SupportFeature::Side { .. } => {
                Face::Segment { centre: point, half: Vec3::new(0.0, 0.0, self.half_length) }
            }
            SupportFeature::Rim { .. } => Face::Point(point),
        }
    }

    fn kinks(&self) -> &[Kink] {
        const {
            &[
                Kink::Normal(Vec3::new(0.0, 0.0, 1.0)),
                Kink::Circle { axis: Vec3::new(0.0, 0.0, 1.0), height: 0.0 },
            ]
        }
    }

    fn support_jet(&self, n: &Vec3) -> SupportJet {
        let flat = FLAT * self.size() / n.norm();
        let rim = |e: &Vec3, s: f64| {
            let along = Vec3::z().cross(e);
            along * along.transpose() * (self.radius / s)
        };
        let hessian = match spot(n) {
            SupportFeature::Cap => Mat3::from_diagonal(&Vec3::new(flat, flat, 0.0)),
            SupportFeature::Side { e, s } => rim(&e, s) + Mat3::from_diagonal(&Vec3::new(0.0, 0.0, flat)),
            SupportFeature::Rim { e, s } => rim(&e, s),
        };
        SupportJet { value: self.support(n), point: self.support_point(n), hessian }
    }

    /// The jet without its matrix: θ·t and θ·u are all there is of a rim.
    fn support_block(&self, n: &Vec3, t: &Vec3, u: &Vec3) -> SupportBlock {
        let (r, l) = (self.radius, self.half_length.copysign(n.z));
        let (length, s) = (n.norm(), ring_length(n));
        let value = r * s + self.half_length * n.z.abs();
        let flat = FLAT * self.size() / length;
        if s <= ROUNDING * length {
            let [tt, tu, uu] = [t.x * t.x + t.y * t.y, t.x * u.x + t.y * u.y, u.x * u.x + u.y * u.y];
            let radii = [flat * tt, flat * tu, flat * uu];
            return SupportBlock { value, point: Vec3::new(0.0, 0.0, l), radii, determinant: None };
        }
        let (x, y, k) = (n.x / s, n.y / s, r / s);
        let (a, b) = (x * t.y - y * t.x, x * u.y - y * u.x);
        let mut radii = [k * a * a, k * a * b, k * b * b];
        let mut point = Vec3::new(r * x, r * y, l);
        if n.z.abs() <= ROUNDING * length {
            point.z = 0.0;
            let along = [flat * t.z * t.z, flat * t.z * u.z, flat * u.z * u.z];
            radii = std::array::from_fn(|i| radii[i] + along[i]);
        }
        SupportBlock { value, point, radii, determinant: None }
    }

    /// The flat parts, at normals of the side and the caps, are held constant.
    fn support_third(&self, n: &Vec3, d: &Vec3) -> Mat3 {
        let (SupportFeature::Side { e, s } | SupportFeature::Rim { e, s }) = spot(n) else {
            return Mat3::zeros();
        };
        // d/dn of (r/s) θθᵀ along d: ṡ = e·d, θ̇ = −e (θ·d)/s.
        let along = Vec3::z().cross(&e);
        let turn = e * along.transpose() * (-along.dot(d) / s);
        (turn + turn.transpose() - along * along.transpose() * (e.dot(d) / s)) * (self.radius / s)
    }
}

/// The side, without the caps.
impl Parametric for Cylinder {
    /// u is the angle about the axis in rad, v the height z in metres.
    fn domain(&self) -> Domain {
        Domain { u: [0.0, TAU], v: [-self.half_length, self.half_length], periodic: [true, false] }
    }

    fn jet(&self, u: f64, v: f64) -> ParametricJet {
        let u = Taylor::u(u);
        jet([u.cos() * self.radius, u.sin() * self.radius, Taylor::v(v)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn face_points_are_the_nearest_of_their_face() {
        let c = Cylinder::new(0.5, 1.0).unwrap();
        let on_cap = c.face_point(&Vec3::z(), &Vec3::new(0.3, -0.1, 7.0));
        assert_eq!(on_cap, Vec3::new(0.3, -0.1, 1.0));
        let on_edge_of_cap = c.face_point(&-Vec3::z(), &Vec3::new(0.0, 2.0, 0.0));
        assert_eq!(on_edge_of_cap, Vec3::new(0.0, 0.5, -1.0));
        let on_side = c.face_point(&Vec3::x(), &Vec3::new(9.0, 9.0, 0.4));
        assert_eq!(on_side, Vec3::new(0.5, 0.0, 0.4));
        assert_eq!(c.face_point(&Vec3::x(), &Vec3::new(9.0, 9.0, 3.0)).z, 1.0);
    }

    #[test]
    fn normals_of_faces_and_generators_have_their_middles_as_farthest_points() {
        let c = Cylinder::new(0.3, 0.7).unwrap();
        assert_eq!(c.support_point(&Vec3::new(0.0, 0.0, -2.0)), Vec3::new(0.0, 0.0, -0.7));
        assert_eq!(c.support_point(&Vec3::new(-4.0, 0.0, 0.0)), Vec3::new(-0.3, 0.0, 0.0));
        assert_eq!(c.support_point(&Vec3::new(0.0, 1.0, 1e-16)), Vec3::new(0.0, 0.3, 0.0));
        assert_eq!(c.support_point(&Vec3::new(0.0, 1.0, 1e-9)), Vec3::new(0.0, 0.3, 0.7));
    }

    #[test]
    fn curvature_tells_side_cap_and_rim_apart() {
        let c = Cylinder::new(0.5, 2.0).unwrap();
        let n = Vec3::new(0.6, 0.0, 0.8);
        let at = |n: &Vec3| c.curvature_at_normal(n).unwrap().kappa;
        assert!(at(&n)[0] == f64::INFINITY && (at(&n)[1] - 0.6 / 0.5).abs() < 1e-15);
        assert_eq!(at(&Vec3::y()), [2.0, 0.0]);
        assert_eq!(at(&-Vec3::z()), [0.0, 0.0]);
        assert_eq!(c.curvature_at(&Vec3::new(0.0, -0.5, 1.9)).unwrap().kappa, [2.0, 0.0]);
        assert_eq!(c.curvature_at(&Vec3::new(0.1, 0.2, -2.0)).unwrap().kappa, [0.0, 0.0]);
        let error = c.curvature_at(&Vec3::new(0.3, 0.4, 2.0)).unwrap_err().to_string();
        assert!(error.starts_with("a cylinder has no curvature at a point of its rim"), "{error}");
    }

    #[test]
    fn the_hessian_of_the_support_function_says_the_same_as_the_curvature() {
        let c = Cylinder::new(0.5, 2.0).unwrap();
        for n in [Vec3::y(), Vec3::z(), Vec3::new(0.36, 0.48, -0.8)] {
            let jet = Curvature::from_support(&c.support_jet(&n).hessian, &n);
            let own = c.curvature_at_normal(&n).unwrap();
            for i in 0..2 {
                let same = jet.kappa[i] == own.kappa[i] || (jet.kappa[i] - own.kappa[i]).abs() < 1e-7;
                assert!(same || (own.kappa[i].is_infinite() && jet.kappa[i] > 1e12), "{n} {jet:?} {own:?}");
            }
        }
    }
}
