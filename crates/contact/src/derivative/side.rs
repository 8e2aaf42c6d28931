//! One body of a contact: how its point and its normal move together, and how it bends on.
//!
//! Over a body, in its own frame, the point moves by δp and the outer normal by δm = S δp. With principal directions
//! dᵢ, curvatures κᵢ and a length L, both follow from numbers aᵢ without a quotient,
//!
//!   δp = L Σ cᵢ aᵢ dᵢ,   δm = Σ sᵢ aᵢ dᵢ,   sᵢ/cᵢ = κᵢL,   cᵢ² + sᵢ² = 1
//!
//! so that a flat (c, s) = (1, 0), where the point moves and the normal stays, and an edge (0, 1), where the normal
//! moves and the point stays, are places like any other. So are hollows, where s is negative. Which view of a surface
//! its curvature comes from, and how it bends on, is the surface's own affair.

use crate::contact::{Collider, SHARPEST};
use rattleback_geom::curvature::BendingRate;
use rattleback_geom::surface::{Shape, TouchPoint};
use rattleback_geom::{Curvature, Vec3};

/// A body as seen from its touching point.
pub(super) struct Side<'a> {
    pub collider: &'a Collider,
    /// From the body's origin to its touching point, world axes.
    pub arm: Vec3,
    /// In world axes.
    pub curvature: Curvature,
    /// cᵢ and sᵢ.
    pub cos: [f64; 2],
    pub sin: [f64; 2],
    /// The touch in the body's frame.
    at: TouchPoint,
}

/// How the shape operator changes: the rates of the principal curvatures, and of the entry between their directions.
/// Across an edge the curvature stays infinite, its rate is zero, and `cross` is the rate at which d₁ turns towards d₂,
/// in rad.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Bend {
    pub kappa: [f64; 2],
    pub cross: f64,
}

impl Bend {
    pub fn combined([one, other]: [Self; 2], [a, b]: [f64; 2]) -> Self {
        let add = |x: f64, y: f64| a * x + b * y;
        Self {
            kappa: [add(one.kappa[0], other.kappa[0]), add(one.kappa[1], other.kappa[1])],
            cross: add(one.cross, other.cross),
        }
    }

    fn of(rate: BendingRate, [k1, k2]: [f64; 2]) -> Self {
        match rate {
            BendingRate::Curvatures([s11, s12, s22]) => Self { kappa: [s11, s22], cross: s12 },
            BendingRate::Radii(_) if is_sharp(k2) => Self::default(),
            // dS₁₂ = −κ₁κ₂ dH₁₂ = (κ₁ − κ₂) times the turn, in the limit of an infinite κ₁.
            BendingRate::Radii([_, h12, h22]) if is_sharp(k1) => {
                Self { kappa: [0.0, -k2 * k2 * h22], cross: -k2 * h12 }
            }
            BendingRate::Radii([h11, h12, h22]) => {
                Self { kappa: [-k1 * k1 * h11, -k2 * k2 * h22], cross: -k1 * k2 * h12 }
            }
            BendingRate::Edge { turn, along } => Self { kappa: [0.0, along], cross: turn },
        }
    }
}

pub(super) fn is_sharp(kappa: f64) -> bool {
    kappa >= SHARPEST
}

impl<'a> Side<'a> {
    pub fn new(collider: &'a Collider, n: &Vec3, point: &Vec3, curvature: Curvature) -> Self {
        let pose = &collider.pose;
        let at = TouchPoint {
            point: pose.point_to_local(point),
            normal: pose.vector_to_local(n),
            curvature: curvature.map(|d| pose.vector_to_local(d)),
        };
        let arm = point - pose.position;
        Self { collider, arm, curvature, cos: [1.0; 2], sin: [0.0; 2], at }
    }

    /// Measures curvatures against the length L.
    pub fn measure(&mut self, size: f64) {
        for k in 0..2 {
            let x = self.curvature.kappa[k] * size;
            (self.cos[k], self.sin[k]) = if x.is_finite() {
                let length = 1f64.hypot(x);
                (1.0 / length, x / length)
            } else {
                (0.0, 1f64.copysign(x))
            };
        }
    }

    pub fn is_half_space(&self) -> bool {
        matches!(self.collider.shape, Shape::Plane(_))
    }

    /// Half the diagonal of the body's box; infinite for a half-space.
    pub fn size(&self) -> f64 {
        if self.is_half_space() {
            return f64::INFINITY;
        }
        0.5 * self.collider.shape.surface().bounds().diagonal()
    }

    pub fn has_edge(&self) -> bool {
        is_sharp(self.curvature.kappa[0])
    }

    pub fn has_seam(&self) -> bool {
        self.collider.shape.surface().has_seam_at(&self.at.point, &self.at.normal)
    }

    /// Σ weightᵢ aᵢ dᵢ in world axes.
    pub fn along(&self, weight: &[f64; 2], a: [f64; 2]) -> Vec3 {
        let [d1, d2] = &self.curvature.direction;
        d1 * (weight[0] * a[0]) + d2 * (weight[1] * a[1])
    }

    /// How the body bends on along a, `None` where that has no derivative.
    pub fn bend(&self, size: f64, a: [f64; 2]) -> Option<Bend> {
        let [d1, d2] = &self.at.curvature.direction;
        let dp = d1 * (size * self.cos[0] * a[0]) + d2 * (size * self.cos[1] * a[1]);
        let dn = d1 * (self.sin[0] * a[0]) + d2 * (self.sin[1] * a[1]);
        let rate = self.collider.shape.surface().bending_rate(&self.at, &dp, &dn)?;
        let bend = Bend::of(rate, self.curvature.kappa);
        (bend.kappa[0] + bend.kappa[1] + bend.cross).is_finite().then_some(bend)
    }

    /// The entries (11, 12, 22) of the shape operator and of its change in a frame of the tangent plane; no edge here.
    pub fn in_frame(&self, [e1, e2]: &[Vec3; 2], bend: &Bend) -> [[f64; 3]; 2] {
        let d = &self.curvature.direction;
        let (x, y) = ([d[0].dot(e1), d[1].dot(e1)], [d[0].dot(e2), d[1].dot(e2)]);
        let entry = |u: &[f64; 2], v: &[f64; 2], m: &[f64; 2], cross: f64| {
            m[0] * u[0] * v[0] + m[1] * u[1] * v[1] + cross * (u[0] * v[1] + u[1] * v[0])
        };
        let all = |m: &[f64; 2], cross: f64| {
            [entry(&x, &x, m, cross), entry(&x, &y, m, cross), entry(&y, &y, m, cross)]
        };
        [all(&self.curvature.kappa, 0.0), all(&bend.kappa, bend.cross)]
    }
}
