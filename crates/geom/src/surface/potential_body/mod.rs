//! The body of a generating potential h: x(n) = ∇h(n), n the outer normal; radii of curvature = ∇²h on n⊥.
//!
//! Römer (16, 26) without angles. dA = det(∇²h on n⊥) dω and n·x = h, so that with the divergences of x, xxᵢ, xxᵢxⱼ
//! (3, 4 and 5 times their argument)
//!
//! > A = ∫det dω, V = ⅓∫h det dω, ∫x dV = ¼∫x h det dω, ∫xxᵀ dV = ⅕∫xxᵀ h det dω
//!
//! by the Gauss–Legendre × trapezoidal rule, its order doubled until nothing changes. About the middle of the bounds,
//! whence they are moved: a distant origin costs no digits.

mod touch;

use super::{
    Domain, Face, Kink, Parametric, ParametricJet, Revolution, Support, SupportJet, Surface, TouchPoint,
};
use crate::chart::Atlas;
use crate::curvature::{BendingRate, tangent_block, tangents};
use crate::error::{GeomError, Result, direction, finite3, length, within};
use crate::potential::{Convexity, Potential, extreme, gauss_sphere, octahedral, radii};
use crate::taylor::{Taylor, jet};
use crate::{Aabb, Curvature, Mat3, Moments, Pose, TriMesh, Vec3, tessellate};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Relative change at which an integral over the sphere counts as settled; the next doubling would be at rounding.
const SETTLED: f64 = 1e-11;

/// The highest order of the rule: 295 000 normals.
const MAX_LATITUDES: usize = 384;

/// How many widths a body may lie from its origin: then a point is known to 2e-10 of the width.
const FARTHEST: f64 = 1e6;

/// A strictly convex body given by its generating potential.
#[derive(Debug, Clone)]
pub struct PotentialBody {
    potential: Potential,
    convexity: Convexity,
    kinks: Vec<Kink>,
    chart: Option<NormalChart>,
}

/// Longitude and latitude of the outer normal as parameters.
#[derive(Debug, Clone)]
struct NormalChart {
    potential: Potential,
}

impl PotentialBody {
    /// A body from a potential, which is refused unless it is proved strictly convex.
    pub fn new(potential: Potential) -> Result<Self> {
        let convexity = potential.convexity()?;
        for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
            let ends = [potential.support(&axis), potential.support(&-axis)];
            let width = length("width of the body", ends[0] + ends[1])?;
            let farthest = FARTHEST * width;
            let allowed =
                "within a million times the body's width: farther off its shape is lost in rounding";
            within("distance of the body from its origin", ends[0].abs(), 0.0, farthest, allowed)?;
        }
        let smooth = potential.gradient_taylor(&normal_series(0.0, 0.0)).is_some();
        let chart = smooth.then(|| NormalChart { potential: potential.clone() });
        let kinks = potential.collect_kinks();
        Ok(Self { potential, convexity, kinks, chart })
    }

    /// The potential.
    pub fn potential(&self) -> &Potential {
        &self.potential
    }

    /// The proof of its convexity.
    pub fn convexity(&self) -> &Convexity {
        &self.convexity
    }

    /// The outer normal at a point `p` of the surface: the maximiser of f(n) = n·p − h(n), where f = 0.
    pub fn normal_at(&self, p: &Vec3) -> Result<Vec3> {
        let p = finite3("point", p)?;
        let size = 0.5 * self.bounds().diagonal();
        let height = |n: &Vec3| n.dot(&p) - self.potential.support(n);
        let mut starts: Vec<(f64, Vec3)> = octahedral(6).map(|n| (height(&n), n)).collect();
        starts.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut best: Option<Climb> = None;
        // f can have lower maxima elsewhere on an elongated body: the best of several ascents is taken.
        for (_, n) in starts.iter().take(6) {
            let end = self.climb(&p, *n, size);
            if best.as_ref().is_none_or(|b| end.height > b.height) {
                best = Some(end);
            }
        }
        match best {
            // Newton's steps square the residual: what has not reached 1e-8 has not converged.
            Some(b) if b.residual <= 1e-8 * size => Ok(b.normal),
            b => Err(GeomError::NotConverged {
                procedure: "normal at a point of a potential body",
                reached: b.map_or(f64::NAN, |b| b.residual / size),
                wanted: 1e-8,
                iterations: 50,
            }),
        }
    }

    /// Newton's ascent of f on the sphere: δ = (∇²h + max(f, 0))⁻¹ (p − ∇h) in the tangent plane, which climbs because
    /// the radii are positive.
    fn climb(&self, p: &Vec3, start: Vec3, size: f64) -> Climb {
        let look = |n: Vec3| {
            let jet = self.potential.support_jet(&n);
            let (t, b) = tangents(&n);
            let (away, height) = (p - jet.point, n.dot(p) - jet.value);
            let r = [t.dot(&away), b.dot(&away)];
            let [tt, tb, bb] = tangent_block(&jet.hessian, &t, &b);
            let (tt, bb) = (tt + height.max(0.0), bb + height.max(0.0));
            let det = tt * bb - tb * tb;
            let step = t * ((bb * r[0] - tb * r[1]) / det) + b * ((tt * r[1] - tb * r[0]) / det);
            (Climb { normal: n, height, residual: r[0].hypot(r[1]) }, step)
        };
        let (mut here, mut step) = look(start);
        for _ in 0..50 {
            if here.residual <= 1e-15 * size || !here.residual.is_finite() {
                break;
            }
            let mut share = (0.5 / step.norm()).min(1.0);
            let mut moved = None;
            for _ in 0..30 {
                let (next, next_step) = look((here.normal + step * share).normalize());
                // Close by, f is flat to rounding and the residual tells better.
                let closer = next.residual < 0.5 * here.residual && next.height > here.height - 1e-12 * size;
                if next.height > here.height || closer {
                    moved = Some((next, next_step));
                    break;
                }
                share *= 0.5;
            }
            let Some(next) = moved else { break };
            (here, step) = next;
        }
        here
    }

    /// Area, volume, first and second moments about `middle`.
    fn integrals(&self, middle: &Vec3) -> Result<(f64, Moments)> {
        let size = 0.5 * self.bounds().diagonal();
        let mut before: Option<(f64, Moments)> = None;
        let mut order = 12;
        let mut change = f64::INFINITY;
        while order <= MAX_LATITUDES {
            let (mut area, mut m) = (0.0, Moments::zero());
            for (n, weight) in gauss_sphere(order) {
                let SupportJet { value, point, hessian } = self.potential.support_jet(&n);
                let (t, b) = tangents(&n);
                let [tt, tb, bb] = tangent_block(&hessian, &t, &b);
                let patch = weight * (tt * bb - tb * tb);
                let (h, x) = (value - n.dot(middle), point - middle);
                area += patch;
                m.volume += patch * h / 3.0;
                m.first += x * (patch * h / 4.0);
                m.second += x * x.transpose() * (patch * h / 5.0);
            }
            if let Some((a, o)) = before {
                let parts = [
                    (m.volume - o.volume).abs() / m.volume,
                    (m.first - o.first).amax() / (m.volume * size),
                    (m.second - o.second).amax() / (m.volume * size * size),
                    (area - a).abs() / area,
                ];
                change = parts.into_iter().fold(0.0, f64::max);
                if change <= SETTLED {
                    return Ok((area, m));
                }
            }
            before = Some((area, m));
            order *= 2;
        }
        Err(GeomError::NotConverged {
            procedure: "integrals over the normals of a potential body",
            reached: change,
            wanted: SETTLED,
            iterations: order / 2,
        })
    }
}

/// Where an ascent ended.
struct Climb {
    normal: Vec3,
    height: f64,
    residual: f64,
}

impl Surface for PotentialBody {
    fn kind(&self) -> &'static str {
        "potential"
    }

    fn as_support(&self) -> Option<&dyn Support> {
        Some(self)
    }

    /// There is none where a leaf of the potential is an opaque support function: the third derivatives of the point
    /// are the fourth ones of h.
    fn as_parametric(&self) -> Option<&dyn Parametric> {
        self.chart.as_ref().map(|chart| chart as &dyn Parametric)
    }

    /// There is none where there is no parametric view.
    fn as_atlas(&self) -> Option<&dyn Atlas> {
        self.chart.is_some().then_some(self as &dyn Atlas)
    }

    fn bounds(&self) -> Aabb {
        let h = |sign: f64| Vec3::from_fn(|i, _| sign * self.potential.support(&Vec3::ith(i, sign)));
        Aabb { min: h(-1.0), max: h(1.0) }
    }

    fn curvature_at(&self, p: &Vec3) -> Result<Curvature> {
        self.curvature_at_normal(&self.normal_at(p)?)
    }

    fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature> {
        let n = direction("normal", n)?;
        Ok(Curvature::from_support(&self.potential.support_jet(&n).hessian, &n))
    }

    fn curvature_at_touch(&self, p: &Vec3, n: &Vec3) -> Result<Curvature> {
        self.curvature_by_both(p, n)
    }

    fn has_seam_at(&self, p: &Vec3, n: &Vec3) -> bool {
        self.has_seam_by_both(p, n)
    }

    fn bending_rate(&self, at: &TouchPoint, _dp: &Vec3, dn: &Vec3) -> Option<BendingRate> {
        Some(self.rate_by_both(at, dn))
    }

    /// By a search over the sphere, to rounding where it finds the extremes.
    fn curvature_range(&self) -> Result<[f64; 2]> {
        let greatest = -extreme(|n| -radii(&self.potential, n)[0]).0;
        let least = extreme(|n| radii(&self.potential, n)[1]).0;
        Ok([1.0 / greatest, 1.0 / least])
    }

    fn tessellate(&self, chord: f64) -> Result<TriMesh> {
        tessellate::star(chord, |n| self.potential.support_point(n))
    }

    fn area(&self) -> Result<f64> {
        Ok(self.integrals(&self.bounds().centre())?.0)
    }

    fn moments(&self) -> Result<Moments> {
        let middle = self.bounds().centre();
        let (_, about_middle) = self.integrals(&middle)?;
        Ok(about_middle.moved(&Pose::from_position(middle.x, middle.y, middle.z)))
    }
}

impl Support for PotentialBody {
    fn revolution(&self) -> Option<Revolution> {
        self.potential.revolution()
    }

    fn support(&self, n: &Vec3) -> f64 {
        self.potential.support(n)
    }

    fn support_point(&self, n: &Vec3) -> Vec3 {
        self.potential.support_point(n)
    }

    fn face(&self, n: &Vec3) -> Face {
        self.potential.face(n)
    }

    fn kinks(&self) -> &[Kink] {
        &self.kinks
    }

    fn followed(&self, n: &Vec3, step: &Vec3, tell: &mut dyn FnMut(Vec3)) {
        self.potential.followed(n, step, tell);
    }

    fn support_jet(&self, n: &Vec3) -> SupportJet {
        self.potential.support_jet(n)
    }

    fn support_third(&self, n: &Vec3, d: &Vec3) -> Mat3 {
        self.potential.support_third(n, d)
    }
}

/// The normal at longitude u and latitude v.
fn normal_series(u: f64, v: f64) -> [Taylor; 3] {
    let (u, v) = (Taylor::u(u), Taylor::v(v));
    [v.cos() * u.cos(), v.cos() * u.sin(), v.sin()]
}

impl Parametric for NormalChart {
    /// u is the longitude, v the latitude of the outer normal.
    fn domain(&self) -> Domain {
        Domain { u: [0.0, TAU], v: [-FRAC_PI_2, FRAC_PI_2], periodic: [true, false] }
    }

    fn jet(&self, u: f64, v: f64) -> ParametricJet {
        // A chart is only made of potentials without opaque leaves, which always answer.
        let missing = [Taylor::constant(f64::NAN); 3];
        jet(self.potential.gradient_taylor(&normal_series(u, v)).unwrap_or(missing))
    }
}
