//! The least depth of overlapping ellipsoids where the balls inside them do not prove it: the
//! proof on the sphere of normals, which finds the other tops on its way.
//!
//! About a top n the proof needs no cones. Along a great circle from n, H″ + H = ρ, the sum of the radii of curvature along it; so
//! H ≥ d in every cap about n in which ρ ≥ d. With A = diag(a), C its cofactors and w = t × m across the normal m and the
//! tangent t, the radius of an ellipsoid along t is (h²∣At∣² − (At·Am)²)/h³ = ∣At × Am∣²/h³ = ∣Cw∣²/h(m)³. Within an angle α of n,
//! h grows by α a at most, a the longest semi-axis, and ∣Cw∣ falls by α c, c the greatest cofactor, below σ, its least value
//! across n: ρ ≥ Σ (σ − αc)²/(h + αa)³.

use super::ellipsoid_ellipsoid::{Climb, EllipsoidPair, Top};
use crate::narrow::axial::{Axial, AxialProver};
use crate::narrow::prove::{BUDGET, Claim, Proof, Prover, SHORT};
use crate::narrow::relative::Relative;
use crate::narrow::touch::{Branch, ROUNDING, TOLERANCE};
use rattleback_geom::curvature::{eigen2, tangents};
use rattleback_geom::surface::Revolution;
use rattleback_geom::{Mat3, Vec3};

/// Centres within this share of the size of a common axis make a ridge: cones are not tried first.
const RIDGE: f64 = 1e-6;

/// What is left of a semi-axis without the rolling ball counts as no less than this share of the longest.
const THINNEST: f64 = 1e-6;

/// Most tops that a proof may be led to; ellipsoids have a handful.
const MOST_TOPS: u32 = 20;

/// The highest top and what is known of it; `axes` are the semi-axes of A and B.
#[cold]
#[inline(never)]
pub(super) fn least_depth(
    pair: &EllipsoidPair,
    axes: [&Vec3; 2],
    rel: &Relative,
    top: Climb,
) -> (Climb, Branch) {
    let mut top = top;
    let mut spent = 0;
    let mut about = |axial: Axial, top: &mut Climb| {
        let balls = axes.map(rolling_ball);
        let mut prover =
            AxialProver::new(axial, rel, balls, |n| [farthest(axes[0], n[0]), farthest(axes[1], n[1])]);
        let ended = prove(pair, axes, top, |claim| prover.advance(claim));
        spent += prover.spent;
        ended
    };
    let axials = || Axial::all(axes.map(Revolution::of_axes), rel);
    let near = RIDGE * pair.size;
    let mut ended = axials().filter(|a| a.is_ridge(rel, near)).find_map(|a| about(a, &mut top));
    if ended.is_none() {
        let [a, b] = axes.map(|a| {
            let core = a.map(|x| (x - rolling_ball(a)).max(THINNEST * a.max()));
            Mat3::from_diagonal(&core.component_mul(&core))
        });
        let metric = a + rel.rotation * b * rel.rotation.transpose();
        let mut cones = Prover::new(&metric, Some(&pair.r.into()), |n| pair.difference(n));
        cones.budget = SHORT;
        ended = prove(pair, axes, &mut top, |claim| cones.advance(claim))
            .or_else(|| axials().filter(|a| !a.is_ridge(rel, near)).find_map(|a| about(a, &mut top)))
            .or_else(|| {
                cones.budget = BUDGET;
                prove(pair, axes, &mut top, |claim| cones.advance(claim))
            });
        spent += cones.spent;
    }
    top.iterations += spent;
    (top, ended.unwrap_or(Branch::Compared))
}

/// The least radius of curvature.
fn rolling_ball(axes: &Vec3) -> f64 {
    axes.min().powi(2) / axes.max()
}

/// The point farthest along n.
fn farthest(axes: &Vec3, n: &Vec3) -> Vec3 {
    let scaled = axes.component_mul(n);
    axes.component_mul(&scaled) / scaled.norm()
}

/// How a proof ended; none where it is open.
fn prove(
    pair: &EllipsoidPair,
    axes: [&Vec3; 2],
    top: &mut Climb,
    mut advance: impl FnMut(&Claim) -> Proof,
) -> Option<Branch> {
    for _ in 0..MOST_TOPS {
        let (at, size) = (&top.at, pair.size + top.at.f.abs());
        let point = Vec3::from(at.p) - Vec3::from(pair.r) - Vec3::from(at.q);
        let tolerance = 0.5 * TOLERANCE * size;
        let cap = (Vec3::from(at.normal), cap(pair, at, tolerance));
        let ball = axes.map(rolling_ball).iter().sum();
        let normal = cap.0;
        let claim = Claim { depth: -at.f, tolerance, slack: ROUNDING * size, point, normal, ball, cap };
        match advance(&claim) {
            Proof::Holds => return Some(Branch::Global),
            Proof::Open => return None,
            Proof::Better(n) => {
                let other = pair.climb(&n.into());
                let higher = other.at.f > at.f;
                let iterations = top.iterations + other.iterations;
                *top = Climb { iterations, ..if higher { other } else { *top } };
                if top.at.f > 0.0 {
                    return Some(Branch::Compared);
                }
                if !higher {
                    return None;
                }
            }
        }
    }
    None
}

/// The cosine of the angle of the cap about a top in which no depth is less; above one where none is proved. `small` is what the
/// slope at the top may come to.
fn cap(pair: &EllipsoidPair, at: &Top, small: f64) -> f64 {
    if !(at.slope2 <= small * small) {
        return 2.0;
    }
    let n = Vec3::from(at.normal);
    let (t, u) = tangents(&n);
    // C across n, in the axes of each body: for B the tangents are turned into them by L = R diag(b), Lᵀv = diag(b) Rᵀv.
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
