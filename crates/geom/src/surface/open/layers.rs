//! Solids in layers: every section across z is the superellipse ∣x/a∣^γ₂ + ∣y/b∣^γ₂ ≤ ρ^γ₂, with ρ a function of z.
//!
//! Quadrics have γ₂ = 2. The chart is x = aρ(v)ξ(u), y = bρ(v)η(u), z = c w(v) with the profile's ρ and w, and with
//! (ξ, η) = (cos u, sin u)/(∣cos u∣^γ₂ + ∣sin u∣^γ₂)^(1/γ₂), the angle-centre form of the section (Lopes 36). Where
//! ρ = 0, at the vertex of a bowl, ∂x/∂u vanishes.
//!
//! The point of a bowl farthest along n lies where the section's support direction and the meridian's slope agree:
//! with m = (a n_x, b n_y) and its dual norm M = max m·(ξ, η), dw/dρ = M/(c∣n_z∣).

use super::plane::{unfit, within_reach};
use super::profile::{Profile, Sheet};
use crate::curvature::{eigen2, tangent_block};
use crate::error::{GeomError, Result, direction, finite3};
use crate::surface::{Domain, Implicit, ParametricJet};
use crate::taylor::{Taylor, jet};
use crate::{Aabb, Curvature, Mat3, Vec3};
use std::f64::consts::{FRAC_PI_2, TAU};

/// What stands in a Hessian for an infinite second derivative: its square is finite, so that no NaN arises from it.
pub(crate) const STEEP: f64 = 1e100;

/// A curvature above this, in 1/m, came from [`STEEP`] and is reported as infinite.
const INFINITE_CURVATURE: f64 = 1e80;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Layers {
    pub(crate) axes: [f64; 3],
    pub(crate) section: f64,
    pub(crate) profile: Profile,
    /// Parameters of the lower and the upper end.
    pub(crate) v: [f64; 2],
    /// Heights of the lower and the upper end, in metres.
    pub(crate) z: [f64; 2],
}

impl Layers {
    /// The part of the solid between the heights `low` and `high`, of which a bowl needs one only.
    pub(crate) fn new(axes: [f64; 3], section: f64, profile: Profile, [low, high]: [f64; 2]) -> Result<Self> {
        let c = axes[2];
        let found = format!("{low} <= z <= {high}");
        let allowed = match profile {
            Profile::Waist { .. } => "one plane below and one above that leave a slab",
            Profile::Bowl { sheet: Sheet::Upper, .. } => {
                "a plane above that leaves a part of the upper sheet, z > c"
            }
            Profile::Bowl { sheet: Sheet::Lower, .. } => {
                "a plane below that leaves a part of the lower sheet, z < -c"
            }
            Profile::Parabola => "a plane above that leaves a part of the bowl, z > -c",
        };
        let [low, high] = match profile {
            Profile::Waist { .. } => [low, high],
            Profile::Bowl { sheet: Sheet::Upper, .. } => [low.max(c), high],
            Profile::Bowl { sheet: Sheet::Lower, .. } => [low, high.min(-c)],
            Profile::Parabola => [low.max(-c), high],
        };
        let v = [profile.parameter(low / c), profile.parameter(high / c)];
        if !(low < high && (high - low).is_finite() && v[0] < v[1] && (v[1] - v[0]).is_finite()) {
            return Err(unfit(found, allowed));
        }
        let layers = Self { axes, section, profile, v, z: [low, high] };
        within_reach(&layers.bounds())?;
        Ok(layers)
    }

    /// ρ at the lower and the upper end; zero at a vertex.
    pub(crate) fn end_radii(&self) -> [f64; 2] {
        self.v.map(|v| self.profile.at(v)[0])
    }

    pub(crate) fn bounds(&self) -> Aabb {
        // ρ is convex in v for the waist and monotone otherwise: it is largest at an end.
        let [low, high] = self.end_radii();
        let rho = low.max(high);
        let [a, b, _] = self.axes;
        Aabb { min: Vec3::new(-a * rho, -b * rho, self.z[0]), max: Vec3::new(a * rho, b * rho, self.z[1]) }
    }

    pub(crate) fn domain(&self) -> Domain {
        Domain { u: [0.0, TAU], v: self.v, periodic: [true, false] }
    }

    pub(crate) fn jet(&self, u: f64, v: f64) -> ParametricJet {
        let [a, b, c] = self.axes;
        let [rho, w] = self.profile.series(Taylor::v(v));
        let (cos, sin) = (Taylor::u(u).cos(), Taylor::u(u).sin());
        if self.section == 2.0 {
            return jet([rho * cos * a, rho * sin * b, w * c]);
        }
        let gauge = (cos.abs_powf(self.section) + sin.abs_powf(self.section)).powf(-1.0 / self.section);
        jet([rho * gauge * cos * a, rho * gauge * sin * b, w * c])
    }

    /// (ξ, η) at the angle u.
    pub(crate) fn section_point(&self, u: f64) -> [f64; 2] {
        let (s, c) = u.sin_cos();
        if self.section == 2.0 {
            return [c, s];
        }
        let r = (c.abs().powf(self.section) + s.abs().powf(self.section)).powf(-1.0 / self.section);
        [c * r, s * r]
    }

    pub(crate) fn point(&self, u: f64, v: f64) -> Vec3 {
        let [xi, eta] = self.section_point(u);
        let [rho, w] = self.profile.at(v);
        Vec3::new(self.axes[0] * rho * xi, self.axes[1] * rho * eta, self.axes[2] * w)
    }

    /// The smooth point of the curved part that lies farthest along `n`.
    pub(crate) fn farthest(&self, surface: &'static str, n: &Vec3) -> Result<Vec3> {
        let n = direction("normal", n)?;
        let undefined = |reason: &str| GeomError::Undefined {
            surface,
            quantity: "curvature at this normal",
            reason: reason.to_owned(),
        };
        let sign = match self.profile {
            Profile::Waist { .. } => {
                return Err(undefined(
                    "its curved part bends inwards along the axis, the farthest point lies on a rim",
                ));
            }
            Profile::Bowl { sheet: Sheet::Lower, .. } => -1.0,
            _ => 1.0,
        };
        let [a, b, c] = self.axes;
        let m = [a * n.x, b * n.y];
        let direction = self.section_support(m);
        let dual = m[0] * direction[0] + m[1] * direction[1];
        let down = -sign * n.z * c;
        let rho = if down > 0.0 { self.profile.radius_of_slope(dual / down) } else { None };
        let [least, most] = {
            let [r0, r1] = self.end_radii();
            [r0.min(r1), r0.max(r1)]
        };
        match rho {
            // A cut takes the vertex away; without one the vertex, ρ = 0, is a smooth point.
            Some(rho) if rho < most && (rho > least || least == 0.0) => {
                let w = self.profile.at(sign * rho)[1];
                Ok(Vec3::new(a * rho * direction[0], b * rho * direction[1], c * w))
            }
            _ => Err(undefined("the farthest point lies on a rim or a flat cap")),
        }
    }

    /// The point of the section that lies farthest along m: (ξ, η) ∝ sgn(m)∣m∣^(1/(γ₂−1)); zero for m = 0.
    pub(crate) fn section_support(&self, m: [f64; 2]) -> [f64; 2] {
        let scale = m[0].abs().max(m[1].abs());
        if scale == 0.0 {
            return [0.0; 2];
        }
        // With the ratio r ≤ 1 of both ∣m∣ and d = r^(1/(γ₂−1)): d^γ₂ = r d. Logarithms are off by roundings of their
        // own size x, which d = e^−x makes no more than one.
        let ratio = m[0].abs().min(m[1].abs()) / scale;
        let less = (ratio.ln() / (self.section - 1.0)).exp();
        let more = ((1.0 + ratio * less).ln() / -self.section).exp();
        let less = less * more;
        let [x, y] = if m[0].abs() >= m[1].abs() { [more, less] } else { [less, more] };
        [x.copysign(m[0]), y.copysign(m[1])]
    }

    /// Least and greatest principal curvature of the curved part, by its implicit view.
    pub(crate) fn curvature_range(&self, surface: &'static str, implicit: &dyn Implicit) -> Result<[f64; 2]> {
        // Symmetric about the planes x = 0 and y = 0. Parameters spread as sinh: they run over many decades.
        let value = |u: f64, s: f64| {
            let p = self.point(u, s.sinh());
            Ok(curvature(surface, &implicit.gradient(&p), &implicit.hessian(&p))?.kappa)
        };
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        for [low, high] in pieces(self.v) {
            let [least, most] =
                super::search::extremes([0.0, FRAC_PI_2], [low.asinh(), high.asinh()], value)?;
            range = [range[0].min(least), range[1].max(most)];
        }
        Ok(range)
    }
}

/// An interval, cut at zero if zero is inside: powers of ∣v∣ are smooth on either side only.
pub(crate) fn pieces([low, high]: [f64; 2]) -> Vec<[f64; 2]> {
    if low < 0.0 && high > 0.0 { vec![[low, 0.0], [0.0, high]] } else { vec![[low, high]] }
}

/// Principal curvatures from ∇F and ∇²F where single entries of the latter may be [`STEEP`].
///
/// In the basis of the horizontal tangent and its normal the block is diagonal on the planes of symmetry, so that
/// the determinant keeps the small curvature beside an infinite one.
pub(crate) fn curvature(surface: &'static str, gradient: &Vec3, hessian: &Mat3) -> Result<Curvature> {
    let gradient = finite3("gradient", gradient)?;
    let norm = gradient.norm();
    if norm == 0.0 {
        return Err(GeomError::Undefined {
            surface,
            quantity: "curvature",
            reason: "the gradient vanishes at this point, which is not on the surface".to_owned(),
        });
    }
    let n = gradient / norm;
    let flat = n.x.hypot(n.y);
    let t = if flat > 0.0 { Vec3::new(-n.y / flat, n.x / flat, 0.0) } else { Vec3::x() };
    let b = n.cross(&t);
    let [tt, tb, bb] = tangent_block(hessian, &t, &b).map(|x| x / norm);
    let [k1, k2, cos, sin] = eigen2([tt, tb, bb], Some(tt * bb - tb * tb));
    let open = |k: f64| if k.abs() > INFINITE_CURVATURE { f64::INFINITY.copysign(k) } else { k };
    let d1 = t * cos + b * sin;
    Ok(Curvature { kappa: [open(k1), open(k2)], direction: [d1, n.cross(&d1)] })
}
