//! The superhyperboloid, Lopes (33) after Barr, with every power of an absolute value:
//!
//! ```text
//! F = (∣x/a∣^γ₂ + ∣y/b∣^γ₂)^(γ₁/γ₂) − ∣z/c∣^γ₁ ∓ 1,   − for one sheet, + for two.
//! ```
//!
//! a, b, c in metres as in (34). With ξ = x/a, η = y/b, the gauge ρ = (∣ξ∣^γ₂ + ∣η∣^γ₂)^(1/γ₂), t = ∣ξ∣/ρ and
//! s = ∣η∣/ρ (so that t^γ₂ + s^γ₂ = 1) the planar part P = ρ^γ₁ has
//!
//! ```text
//! P_ξ  = γ₁ρ^(γ₁−1) t^(γ₂−1),
//! P_ξξ = γ₁ρ^(γ₁−2) [(γ₁−1) t^(2γ₂−2) + (γ₂−1) t^(γ₂−2) s^γ₂],
//! P_ξη = γ₁ρ^(γ₁−2) (γ₁ − γ₂) (ts)^(γ₂−1),
//! ```
//!
//! up to the signs of ξ and η, η likewise. No power has the exponent γ₁/γ₂ − 2 for which the paper gives (33) up.
//!
//! The solid is {F ≤ 0} between bounding planes across z: the core about the z axis for one sheet, the inside of one
//! bowl for two. `area` is that of its whole boundary, caps included. Moments come from one-dimensional integrals
//! (`open/measure.rs`).
//!
//! Departures. Table 4 lists a₁₁ > 0 > a₂₂, a₃₃ for two sheets, which makes the bracket of (33) negative beyond an
//! angle of φ and its power undefined; here the sheets lie along z, as Table 3 has them for quadrics, with F changed in
//! sign so that it is negative inside, and a pose turns them to any other axis. Each bowl is a body of its own. (36)
//! has its bracket raised to γ₁/γ₂.
//!
//! Where an exponent is below two the surface is infinitely curved on ξ = 0 and η = 0 (γ₂), on z = 0 or at the
//! vertex (γ₁): the Hessian holds 1e100 there in place of infinity, powers of F stop at 1e100 too, curvature is ±∞,
//! and derivatives of the chart of second order and above may be infinite. At ρ = 0 itself, where the Hessian for
//! γ₁ = 2 ≠ γ₂ depends on the direction, that of t = s is taken with its mixed terms averaged out.

use super::open::layers::{self, STEEP};
use super::open::profile::Profile;
use super::open::{Layers, edge, plane};
use super::{
    BoundingPlane, Cap, Domain, Implicit, ON_SEAM, Parametric, ParametricJet, Sheet, Sliced, Surface,
    TouchPoint,
};
use crate::curvature::BendingRate;
use crate::error::{Result, direction, finite3, length, length3, within};
use crate::{Aabb, Curvature, Mat3, Moments, TriMesh, Vec3};

mod second;
#[cfg(test)]
mod tests;
mod third;

/// Exponents below make edges rather than surfaces, above double precision sees a box.
const EXPONENTS: [f64; 2] = [1.05, 50.0];

/// A superhyperboloid about the z axis with the planes that bound it.
#[derive(Debug, Clone, PartialEq)]
pub struct Superhyperboloid {
    axes: [f64; 3],
    exponents: [f64; 2],
    layers: Layers,
    planes: Vec<BoundingPlane>,
}

impl Superhyperboloid {
    /// The core of (∣x/a∣^γ₂ + ∣y/b∣^γ₂)^(γ₁/γ₂) − ∣z/c∣^γ₁ = 1 between z = ±`half_height`; `exponents` are γ₁, γ₂,
    /// each from 1.05 to 50.
    pub fn one_sheet(axes: [f64; 3], exponents: [f64; 2], half_height: f64) -> Result<Self> {
        let h = length("half_height", half_height)?;
        Self::build(axes, exponents, [-h, h], false)
    }

    /// One bowl of ∣z/c∣^γ₁ − (∣x/a∣^γ₂ + ∣y/b∣^γ₂)^(γ₁/γ₂) = 1, from its vertex at ∣z∣ = c to ∣z∣ = `height`.
    pub fn two_sheets(axes: [f64; 3], exponents: [f64; 2], sheet: Sheet, height: f64) -> Result<Self> {
        let h = length("height", height)?;
        let z = match sheet {
            Sheet::Upper => [0.0, h],
            Sheet::Lower => [-h, 0.0],
        };
        Self::build(axes, exponents, z, true)
    }

    /// Either, as `two_sheets` says, within given planes across z.
    pub fn bounded(
        axes: [f64; 3],
        exponents: [f64; 2],
        two_sheets: bool,
        planes: &[BoundingPlane],
    ) -> Result<Self> {
        let [x, y, z] = plane::ranges(planes)?;
        if [x, y].iter().flatten().any(|bound| bound.is_finite()) {
            return Err(plane::unfit(format!("x in {x:?}, y in {y:?}"), "planes across z only"));
        }
        Self::build(axes, exponents, z, two_sheets)
    }

    fn build(axes: [f64; 3], exponents: [f64; 2], z: [f64; 2], two_sheets: bool) -> Result<Self> {
        let axes = length3("axes", axes)?;
        for (i, exponent) in exponents.into_iter().enumerate() {
            within(&format!("exponents[{i}]"), exponent, EXPONENTS[0], EXPONENTS[1], "from 1.05 to 50")?;
        }
        let [exponent, section] = exponents;
        let profile = if two_sheets {
            Profile::Bowl { exponent, sheet: Sheet::within(z, axes[2])? }
        } else {
            Profile::Waist { exponent }
        };
        let layers = Layers::new(axes, section, profile, z)?;
        let open = [f64::NEG_INFINITY, f64::INFINITY];
        Ok(Self { axes, exponents, layers, planes: plane::planes(&[open, open, z]) })
    }

    /// a, b, c in metres.
    pub fn axes(&self) -> [f64; 3] {
        self.axes
    }

    /// γ₁ and γ₂.
    pub fn exponents(&self) -> [f64; 2] {
        self.exponents
    }

    /// How many flat faces its planes leave.
    pub fn cap_count(&self) -> usize {
        self.layers.cap_count()
    }

    /// One of them.
    pub fn cap(&self, place: usize) -> Option<Cap> {
        self.layers.cap(place)
    }

    /// The bounding planes.
    pub fn planes(&self) -> &[BoundingPlane] {
        &self.planes
    }

    /// Area of the curved part, without caps, in m².
    pub fn curved_area(&self) -> Result<f64> {
        self.layers.curved_area()
    }

    /// The point of the surface in the direction of azimuth φ and zenith angle θ from the origin, (35, 36).
    ///
    /// None where the ray misses the surface. The bounding planes are not asked.
    pub fn angle_centre(&self, phi: f64, theta: f64) -> Option<Vec3> {
        let ((sf, cf), (st, ct)) = (phi.sin_cos(), theta.sin_cos());
        let ray = Vec3::new(st * cf, st * sf, ct);
        let ([g1, _], [rho, w]) = (self.exponents, self.gauges(&ray));
        // r^γ₁(ρ^γ₁ − w^γ₁) = ±1, with the larger power in front so that none vanishes.
        let (large, small) = if self.is_bowl() { (w, rho) } else { (rho, w) };
        let r = (1.0 - (small / large).powf(g1)).powf(-1.0 / g1) / large;
        (r > 0.0 && r.is_finite()).then(|| ray * r)
    }

    fn is_bowl(&self) -> bool {
        matches!(self.layers.profile, Profile::Bowl { .. })
    }

    /// ln ρ, and (less/more)^γ₂ of ∣ξ∣ and ∣η∣. Powers of ρ through its logarithm are off by as much as a rounding of ρ
    /// makes of them, times ∣ln ρ∣.
    fn log_gauge(&self, p: &Vec3) -> [f64; 2] {
        let (x, y) = ((p.x / self.axes[0]).abs(), (p.y / self.axes[1]).abs());
        let (m, g) = (x.max(y), self.exponents[1]);
        let rest = if m > 0.0 { (g * (x.min(y) / m).ln()).exp() } else { 0.0 };
        [m.ln() + (1.0 + rest).ln() / g, rest]
    }

    /// ρ and ∣z/c∣.
    fn gauges(&self, p: &Vec3) -> [f64; 2] {
        let (x, y) = ((p.x / self.axes[0]).abs(), (p.y / self.axes[1]).abs());
        let (m, g) = (x.max(y), self.exponents[1]);
        let rho = if m > 0.0 { m * (1.0 + (x.min(y) / m).powf(g)).powf(1.0 / g) } else { 0.0 };
        [rho, (p.z / self.axes[2]).abs()]
    }

    /// ρ, w and t, s with the signs of x and y.
    fn polar(&self, p: &Vec3) -> ([f64; 2], [f64; 2]) {
        let gauges = self.gauges(p);
        let rho = gauges[0];
        if rho == 0.0 {
            return (gauges, [0.5f64.powf(1.0 / self.exponents[1]); 2]);
        }
        (gauges, [p.x / self.axes[0] / rho, p.y / self.axes[1] / rho])
    }
}

/// x^e of a non-negative x, at most [`STEEP`].
fn power(x: f64, e: f64) -> f64 {
    if e == 0.0 { 1.0 } else { x.powf(e).min(STEEP) }
}

impl Implicit for Superhyperboloid {
    fn value(&self, p: &Vec3) -> f64 {
        let ([rho, _], g1) = (self.log_gauge(p), self.exponents[0]);
        let upright = (p.z / self.axes[2]).abs().ln();
        let side = if self.is_bowl() { 1.0 } else { -1.0 };
        (g1 * rho).exp().min(STEEP) - (g1 * upright).exp().min(STEEP) + side
    }

    fn gradient(&self, p: &Vec3) -> Vec3 {
        let [g1, g2] = self.exponents;
        let ([rho, w], [t, s]) = self.polar(p);
        let [a, b, c] = self.axes;
        let planar = g1 * power(rho, g1 - 1.0);
        let along = |t: f64| planar * power(t.abs(), g2 - 1.0).copysign(t);
        Vec3::new(along(t) / a, along(s) / b, -(g1 * power(w, g1 - 1.0)).copysign(p.z) / c)
    }

    fn hessian(&self, p: &Vec3) -> Mat3 {
        let [g1, g2] = self.exponents;
        let ([rho, w], [t, s]) = self.polar(p);
        let [a, b, c] = self.axes;
        let planar = g1 * power(rho, g1 - 2.0);
        let (ta, sa) = (t.abs(), s.abs());
        let square = |t: f64, s: f64| {
            let around = (g2 - 1.0) * power(t, g2 - 2.0) * s.powf(g2);
            (planar * ((g1 - 1.0) * t.powf(2.0 * g2 - 2.0) + around)).min(STEEP)
        };
        // γ₁ρ^(γ₁−2) may be steep while its bracket vanishes; the averaged directions at ρ = 0 have no mixed term.
        let mixed = if rho == 0.0 { 0.0 } else { planar * (g1 - g2) * (ta * sa).powf(g2 - 1.0) };
        let mut h = Mat3::zeros();
        h[(0, 0)] = square(ta, sa) / (a * a);
        h[(1, 1)] = square(sa, ta) / (b * b);
        h[(0, 1)] = mixed * 1f64.copysign(t) * 1f64.copysign(s) / (a * b);
        h[(1, 0)] = h[(0, 1)];
        h[(2, 2)] = -g1 * (g1 - 1.0) * power(w, g1 - 2.0) / (c * c);
        h
    }

    fn second_order(&self, p: &Vec3) -> (f64, Vec3, Mat3) {
        self.at_once(p).unwrap_or_else(|| (self.value(p), self.gradient(p), self.hessian(p)))
    }

    fn hessian_rate(&self, p: &Vec3, d: &Vec3) -> Option<Mat3> {
        self.third(p, d)
    }

    fn beyond_bounds(&self, p: &Vec3) -> f64 {
        plane::beyond(&self.planes, p)
    }

    fn bounding_planes(&self) -> &[BoundingPlane] {
        &self.planes
    }
}

impl Surface for Superhyperboloid {
    fn kind(&self) -> &'static str {
        if self.is_bowl() { "superhyperboloid_two_sheets" } else { "superhyperboloid_one_sheet" }
    }

    fn as_implicit(&self) -> Option<&dyn Implicit> {
        Some(self)
    }

    fn as_parametric(&self) -> Option<&dyn Parametric> {
        Some(self)
    }

    fn as_sliced(&self) -> Option<&dyn Sliced> {
        Some(&self.layers)
    }

    fn bounds(&self) -> Aabb {
        self.layers.bounds()
    }

    fn curvature_at(&self, p: &Vec3) -> Result<Curvature> {
        let p = finite3("point", p)?;
        layers::curvature(self.kind(), &self.gradient(&p), &self.hessian(&p))
    }

    fn curvature_at_touch(&self, p: &Vec3, n: &Vec3) -> Result<Curvature> {
        let (p, n) = (finite3("point", p)?, direction("normal", n)?);
        edge::curvature(self, self.bounds().diagonal(), &p, &n, || self.curvature_at(&p))
    }

    /// On rims, and at the vertex of a bowl that is round along its meridians but not around them.
    fn has_seam_at(&self, p: &Vec3, n: &Vec3) -> bool {
        let [g1, g2] = self.exponents;
        let vertex = self.is_bowl() && g1 == 2.0 && g2 != 2.0 && self.gauges(p)[0] <= ON_SEAM;
        vertex || edge::is_seam(self, self.bounds().diagonal(), p, n)
    }

    fn bending_rate(&self, at: &TouchPoint, dp: &Vec3, dn: &Vec3) -> Option<BendingRate> {
        edge::bending_rate(self, self.bounds().diagonal(), at, dp, dn)
    }

    fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature> {
        self.curvature_at(&self.layers.farthest(self.kind(), n)?)
    }

    fn curvature_range(&self) -> Result<[f64; 2]> {
        self.layers.curvature_range(self.kind(), self)
    }

    fn tessellate(&self, chord: f64) -> Result<TriMesh> {
        self.layers.tessellate(chord)
    }

    fn area(&self) -> Result<f64> {
        Ok(self.layers.curved_area()? + self.layers.cap_area())
    }

    fn moments(&self) -> Result<Moments> {
        self.layers.moments()
    }
}

impl Parametric for Superhyperboloid {
    fn domain(&self) -> Domain {
        self.layers.domain()
    }

    fn jet(&self, u: f64, v: f64) -> ParametricJet {
        self.layers.jet(u, v)
    }
}
