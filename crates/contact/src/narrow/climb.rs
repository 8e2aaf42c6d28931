//! Any two bodies with support functions: Newton on the sphere of normals.
//!
//! In A's frame, with r from A's origin to B's and R from B's to A's axes, every unit n gives the support points
//!
//!   p = ∇h_A(n),   q = r + R ∇h_B(−Rᵀn),   g = q − p,   f = n·g ≤ gap
//!
//! and the signed distance is the maximum of f. On the tangent plane its gradient is g and its Hessian −(S + f·1),
//! S = ∇²h_A(n) + R ∇²h_B(−Rᵀn) Rᵀ. Where f > 0 the maximum is unique.
//!
//! A flat face squeezes all its points into nearly one normal, and a step of n that is right to first order overshoots
//! the face. So three updates compete when the plain one disappoints: the normal n + δ; the normal of A at its point
//! moved by ∇²h_A δ; the normal of B likewise. The one with the largest f is taken; if none gains, δ is cut.

use super::relative::Relative;
use rattleback_geom::Vec3;
use rattleback_geom::curvature::{eigen2, tangent_block, tangents};
use rattleback_geom::surface::{Implicit, Support};

/// A body as the climb sees it.
pub(crate) struct Body<'a, S: Support + ?Sized> {
    pub support: &'a S,
    /// The implicit view where its zero set is the whole surface.
    pub implicit: Option<&'a dyn Implicit>,
}

/// Everything at one normal, in A's frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading {
    pub n: Vec3,
    pub p: Vec3,
    /// From A's origin.
    pub q: Vec3,
    pub f: f64,
    /// Support values of A and B.
    pub h: [f64; 2],
    /// Tangent basis, the gradient in it and its length.
    pub basis: (Vec3, Vec3),
    pub gradient: [f64; 2],
    pub slope: f64,
    /// Tangent blocks of ∇²h_A and of B's.
    pub radii: [[f64; 3]; 2],
}

impl Reading {
    /// The lengths that g is the difference of.
    pub fn size(&self) -> f64 {
        self.h[0].abs() + self.h[1].abs() + self.f.abs()
    }

    /// The least eigenvalue of S + f·1.
    pub fn margin(&self) -> f64 {
        let block: [f64; 3] = std::array::from_fn(|k| self.radii[0][k] + self.radii[1][k]);
        eigen2(block, None)[1] + self.f
    }
}

/// How a climb ended.
pub(crate) struct Climb {
    pub at: Reading,
    pub iterations: u32,
    /// Whether the gradient vanished.
    pub converged: bool,
}

/// Gradients below this share of the size are rounding.
const TOLERANCE: f64 = 1e-14;
/// What still counts as converged where nothing gains any more.
const STALLED: f64 = 1e-13;
/// Most evaluations of a climb; exponents from 1.3 to 8 take 4 in the median and 20 at worst.
const MOST_ITERATIONS: u32 = 150;

pub(crate) fn read<A: Support + ?Sized, B: Support + ?Sized>(
    a: &A,
    b: &B,
    rel: &Relative,
    d: &Vec3,
) -> Reading {
    let n = d.normalize();
    let ja = a.support_jet(&n);
    let jb = b.support_jet(&-rel.rotation.tr_mul(&n));
    let q = rel.r + rel.rotation * jb.point;
    let g = q - ja.point;
    let (t, u) = tangents(&n);
    let (tb, ub) = (rel.rotation.tr_mul(&t), rel.rotation.tr_mul(&u));
    let gradient = [t.dot(&g), u.dot(&g)];
    Reading {
        n,
        p: ja.point,
        q,
        f: n.dot(&g),
        h: [ja.value, jb.value],
        basis: (t, u),
        gradient,
        slope: gradient[0].hypot(gradient[1]),
        radii: [tangent_block(&ja.hessian, &t, &u), tangent_block(&jb.hessian, &tb, &ub)],
    }
}

/// The Newton step in the tangent basis; where the Hessian is not negative definite, the one that leaves saddles.
fn step(at: &Reading) -> [f64; 2] {
    let [a, b, c]: [f64; 3] = std::array::from_fn(|k| at.radii[0][k] + at.radii[1][k]);
    let solve = |shift: f64| {
        let (a, c) = (a + shift, c + shift);
        let det = a * c - b * b;
        let [x, y] = at.gradient;
        (a > 0.0 && det > 1e-14 * a * c, [(c * x - b * y) / det, (a * y - b * x) / det])
    };
    let (definite, d) = solve(at.f);
    if definite { d } else { saddle_free_step([a, b, c], at.f, at.gradient) }
}

/// The step of S + f·1 with its eigenvalues made positive: upwards along every principal direction, and away from a
/// saddle as fast as Newton approaches a maximum.
pub(crate) fn saddle_free_step(radii: [f64; 3], f: f64, [x, y]: [f64; 2]) -> [f64; 2] {
    let [l1, l2, c, s] = eigen2(radii, None);
    // A floor of a thousandth of the radii: a step of more than a radian is cut anyway.
    let floor = 1e-3 * (l1.abs() + l2.abs() + f.abs());
    let positive = |l: f64| (l + f).abs().max(floor);
    let (along, across) = ((c * x + s * y) / positive(l1), (c * y - s * x) / positive(l2));
    [c * along - s * across, s * along + c * across]
}

/// The normal of a body at its point moved by what the step asks of it.
fn moved(implicit: &dyn Implicit, point: &Vec3, by: &Vec3) -> Option<Vec3> {
    let normal = implicit.gradient(&(point + by));
    let length = normal.norm();
    (length > 0.0 && length.is_finite()).then(|| normal / length)
}

/// ∇²h δ for a tangent block, in the tangent basis.
fn displacement([a, b, c]: &[f64; 3], d: &[f64; 2], (t, u): &(Vec3, Vec3)) -> Vec3 {
    t * (a * d[0] + b * d[1]) + u * (b * d[0] + c * d[1])
}

/// Climbs from `start` to a maximum of f.
pub(crate) fn climb<A: Support + ?Sized, B: Support + ?Sized>(
    a: &Body<'_, A>,
    b: &Body<'_, B>,
    rel: &Relative,
    start: &Vec3,
) -> Climb {
    let mut at = read(a.support, b.support, rel, start);
    let mut iterations = 1;
    loop {
        let size = at.size();
        if at.slope <= TOLERANCE * size || !at.f.is_finite() {
            return Climb { at, iterations, converged: at.f.is_finite() };
        }
        let d = step(&at);
        let (t, u) = at.basis;
        let delta = t * d[0] + u * d[1];
        let mut best = read(a.support, b.support, rel, &(at.n + delta));
        iterations += 1;
        let rounding = 1e-15 * size;
        let gains =
            |next: &Reading| next.f > at.f + rounding || (next.f >= at.f - rounding && next.slope < at.slope);
        if !(gains(&best) && best.slope < 0.3 * at.slope) {
            let side_a = a.implicit.and_then(|i| moved(i, &at.p, &displacement(&at.radii[0], &d, &at.basis)));
            let side_b = b.implicit.and_then(|i| {
                let by = rel.rotation.tr_mul(&displacement(&at.radii[1], &d, &at.basis));
                // B's own point moves against the step, because its normal is −n.
                let point = rel.rotation.tr_mul(&(at.q - rel.r));
                moved(i, &point, &-by).map(|n| -(rel.rotation * n))
            });
            for n in [side_a, side_b].into_iter().flatten() {
                let next = read(a.support, b.support, rel, &n);
                iterations += 1;
                if next.f > best.f || !best.f.is_finite() {
                    best = next;
                }
            }
        }
        let mut cut = 0.25;
        // Cut until the step is rounding: 4^-26 of a radian.
        while !gains(&best) && cut > 2e-16 {
            best = read(a.support, b.support, rel, &(at.n + delta * cut));
            iterations += 1;
            cut *= 0.25;
        }
        if !gains(&best) || iterations > MOST_ITERATIONS {
            if gains(&best) {
                at = best;
            }
            return Climb { at, iterations, converged: at.slope <= STALLED * size };
        }
        at = best;
    }
}

/// f alone, for looking around.
pub(crate) fn height<A: Support + ?Sized, B: Support + ?Sized>(
    a: &A,
    b: &B,
    rel: &Relative,
    n: &Vec3,
) -> f64 {
    n.dot(&rel.r) - a.support(n) - b.support(&-rel.rotation.tr_mul(n))
}
