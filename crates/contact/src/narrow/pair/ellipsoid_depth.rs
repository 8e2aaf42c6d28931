//! The least depth of overlapping ellipsoids where the balls inside them do not prove it: the
//! proof on the sphere of normals, which finds the other tops on its way.
//!
//! About a top n the proof needs no cones. Along a great circle from n, H″ + H = ρ, the sum of the radii of curvature
//! along it; so H ≥ d in every cap about n in which ρ ≥ d. With A = diag(a), C its cofactors and w = t × m across the
//! normal m and the tangent t, the radius of an ellipsoid along t is (h²∣At∣² − (At·Am)²)/h³ = ∣At × Am∣²/h³ =
//! ∣Cw∣²/h(m)³. Within an angle α of n, h grows by α a at most, a the longest semi-axis, and ∣Cw∣ falls by α c, c the
//! greatest cofactor, below σ, its least value across n: ρ ≥ Σ (σ − αc)²/(h + αa)³.

use super::ellipsoid_ellipsoid::{Climb, EllipsoidPair, Top};
use crate::narrow::balls::{farthest, in_ellipsoid};
use crate::narrow::least_depth::{Overlap, Rise, Tops};
use crate::narrow::prove::Claim;
use crate::narrow::relative::Relative;
use crate::narrow::touch::{Branch, ROUNDING, TOLERANCE};
use rattleback_geom::Vec3;
use rattleback_geom::curvature::{eigen2, tangents};
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
    if !(at.slope2 <= small * small) {
        return 2.0;
    }
    let n = Vec3::from(at.normal);
    let (t, u) = tangents(&n);
    // C across n, in the axes of each body: for B the tangents are turned into them by L = R diag(b), Lᵀv = diag(b)
    // Rᵀv.
    let side = |axes: &Vec3, h: f64, across: [Vec3; 2]| {
        let cofactors = Vec3::new(axes.y * axes.z, axes.z * axes.x, axes.x * axes.y);
        let [x, y] = across.map(|v| cofactors.component_mul(&v));
        let [_, least, ..] = eigen2([x.dot(&x), x.dot(&y), y.dot(&y)], None);
        (least.max(0.0).sqrt(), cofactors.max(), h, axes.max())
    };
    let (a, b) = (Vec3::from(pair.m).map(f64::sqrt), Vec3::from(pair.b));
    let to_b = |v: &Vec3| {
        let l = &pair.l;
        Vec3::from_fn(|j, _| (l[0][j] * v.x + l[1][j] * v.y + l[2][j] * v.z) / b[j])
    };
    let sides =
        [side(&a, 1.0 / at.inverse_h[0], [t, u]), side(&b, 1.0 / at.inverse_h[1], [to_b(&t), to_b(&u)])];
    let radii = |alpha: f64| -> f64 {
        sides.iter().map(|(s, c, h, a)| (s - alpha * c).max(0.0).powi(2) / (h + alpha * a).powi(3)).sum()
    };
    // Halved until it holds; a cap of a thousandth is not worth its while.
    let mut alpha = 0.5;
    while radii(alpha) < -at.f {
        alpha *= 0.5;
        if alpha < 1e-3 {
            return 2.0;
        }
    }
    alpha.cos()
}
