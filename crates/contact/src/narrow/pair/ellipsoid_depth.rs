//! The least depth of overlapping ellipsoids where the balls inside them do not prove it: the
//! proof on the sphere of normals, which finds the other tops on its way.
//!
//! About a top n the proof needs no cones. Along a great circle from n, H″ + H = ρ, the sum of the bodies' radii of
//! curvature along it; so H ≥ d in every cap about n in which ρ ≥ d. A great circle from n along the tangent t lies in
//! one plane, and the shadow of an ellipsoid on it is an ellipse with the radius (det Q)/h³, Q the part of M in the
//! plane: along the circle it goes as h⁻³. With λ the least eigenvalue of S at n, ρ ≥ λ/κ³ as long as both h have
//! grown by no more than κ, and κ = (λ/d)^⅓ is allowed. At the angle α with T = tan α, p_t the part of p across n and
//! a the longest semi-axis
//!
//!   h(α)²(1 + T²) ≤ h² + 2h∣p_t∣T + a²T²,  so that (a² − κ²h²)T² + 2h∣p_t∣T ≤ (κ² − 1)h² is enough.

use super::ellipsoid_ellipsoid::{Climb, EllipsoidPair, Top};
use crate::narrow::balls::{farthest, in_ellipsoid};
use crate::narrow::least_depth::{Overlap, Rise, Tops};
use crate::narrow::prove::Claim;
use crate::narrow::relative::Relative;
use crate::narrow::touch::{Branch, ROUNDING, TOLERANCE};
use rattleback_geom::Vec3;
use rattleback_geom::surface::Revolution;

/// The highest top and what is known of it; `axes` are the semi-axes of A and B.
#[cold]
#[inline(never)]
pub(super) fn least_depth(
    pair: &EllipsoidPair,
    axes: [&Vec3; 2],
    rel: &Relative,
    top: Climb,
) -> (Climb, Branch) {
    let balls = axes.map(in_ellipsoid);
    let overlap = Overlap {
        rel,
        points: |n: [&Vec3; 2]| [farthest(axes[0], n[0]), farthest(axes[1], n[1])],
        difference: |n: &Vec3| pair.difference(n),
        of: axes.map(Revolution::of_axes),
        balls,
        halves: axes.map(|a| *a),
        has_centres: true,
        size: pair.size,
    };
    let mut tops = EllipsoidTops { pair, ball: balls[0] + balls[1], top };
    let (branch, spent) = overlap.prove(&mut tops);
    let Climb { iterations, .. } = tops.top;
    (Climb { iterations: iterations + spent, ..tops.top }, branch)
}

/// The tangent of the angle of the widest cap that is made use of.
const WIDEST: f64 = 10.0;

struct EllipsoidTops<'a> {
    pair: &'a EllipsoidPair,
    /// The radius of a ball that rolls inside the difference of the bodies.
    ball: f64,
    /// The highest one.
    top: Climb,
}

impl Tops for EllipsoidTops<'_> {
    fn claim(&self) -> Claim {
        let (pair, at) = (self.pair, &self.top.at);
        let size = pair.size + at.f.abs();
        let tolerance = 0.5 * TOLERANCE * size;
        let normal = Vec3::from(at.normal);
        Claim {
            depth: -at.f,
            tolerance,
            slack: ROUNDING * size,
            point: Vec3::from(at.p) - Vec3::from(pair.r) - Vec3::from(at.q),
            normal,
            ball: self.ball,
            cap: (normal, cap(pair, at, tolerance)),
        }
    }

    fn rise(&mut self, n: &Vec3, _claim: &Claim) -> Rise {
        let other = self.pair.climb(&(*n).into());
        let higher = other.at.f > self.top.at.f;
        let iterations = self.top.iterations + other.iterations;
        self.top = Climb { iterations, ..if higher { other } else { self.top } };
        match higher {
            _ if self.top.at.f > 0.0 => Rise::Apart,
            true => Rise::Higher,
            false => Rise::Nowhere,
        }
    }
}

/// The cosine of the angle of the cap about a top in which no depth is less; above one where none is proved. `small` is
/// what the slope at the top may come to.
fn cap(pair: &EllipsoidPair, at: &Top, small: f64) -> f64 {
    let depth = -at.f;
    if !(at.slope2 <= small * small && depth > 0.0) {
        return 2.0;
    }
    let (m, b) = (Vec3::from(pair.m).max(), Vec3::from(pair.b).max());
    // S is a difference of terms up to those, and rounded as a share of them.
    let rounded = 1e-13 * (m * at.inverse_h[0] + b * b * at.inverse_h[1]);
    let kappa = ((1.0 + (pair.margin(at) - rounded) / depth) * (1.0 - 1e-9)).cbrt();
    if !(kappa > 1.0) {
        return 2.0;
    }
    let tangent = |p: &[f64; 3], inverse_h: f64, longest2: f64| {
        let (p2, h2) = (Vec3::from(*p).norm_squared(), 1.0 / (inverse_h * inverse_h));
        let (across, gain) = ((h2 * (p2 - h2).max(0.0)).sqrt(), (kappa * kappa - 1.0) * h2);
        let discriminant = across * across + (longest2 - kappa * kappa * h2) * gain;
        if discriminant > 0.0 { gain / (across + discriminant.sqrt()) } else { f64::INFINITY }
    };
    let t = tangent(&at.p, at.inverse_h[0], m).min(tangent(&at.q, at.inverse_h[1], b * b)).min(WIDEST);
    // Rounded towards the middle.
    (1.0 / t.hypot(1.0)) * (1.0 + 1e-12)
}
