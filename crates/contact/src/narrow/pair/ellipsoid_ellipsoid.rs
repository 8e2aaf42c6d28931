//! Two ellipsoids: Newton on the sphere of normals, in A's frame.
//!
//! With M = diag(a²) of A, L = R diag(b) and N = LLᵀ of B, and r from A's centre to B's, every direction d gives
//!
//!   h_A = √(dᵀMd),  p = Md/h_A,   h_B = ∣Lᵀd∣,  q = r − LLᵀd/h_B,   g = q − p,   φ = g·d/d²,   f = φ∣d∣ ≤ gap
//!
//! and f is greatest where g is along d. The tangent part g − φd is the gradient of f on the sphere, and with S = (M −
//! ppᵀ)/h_A + (N − (r−q)(r−q)ᵀ)/h_B, which has d in its null space, the Newton step solves (S + φ·1) δ = g − φd in the
//! tangent plane. There S + φ·1 has the trace tr S + 2φ and the determinant w = S₂ + φ(tr S + φ), S₂ the sum of the
//! principal minors of S, and a matrix of two rows is inverted by its own trace:
//!
//!   w δ = (tr S + φ)(g − φd) − S g,   d ← w d + w δ
//!
//! Nothing here asks for ∣d∣ = 1: p, q and g do not depend on the length, S and φ go as its inverse, δ as itself. So no
//! step waits for a root of d² or for a division by w. Lengths stay: w goes as ∣d∣⁻², so that ∣d∣ swings about the
//! bodies' size.
//!
//! At the maximum (M/h_A + N/h_B + f·1) n = r, which solved with the h and f of n = r/∣r∣ is the start.
//!
//! Certificates. Separate bodies: f ≤ gap ≤ ∣g∣. Overlap: a ball of radius t ≤ c²/h inside an ellipsoid touches its
//! surface at the point of support h, c the least semi-axis. (Cauchy–Schwarz with M − th·1 ⪰ 0: for every unit m,
//! m·(Mn/h − tn) + t ≤ √((h_m² − th)(h² − th))/h + t ≤ h_m, the last because h_m² h² + … leaves th(h_m − h)² ≥ 0.) Two
//! such balls, one in A and one in B, add up to one of radius t_A + t_B in the difference of the bodies; so if the
//! depth −f is at most c_A²/h_A + c_B²/h_B, no other direction parts the bodies by less: the branch is the global one.
//!
//! Everything here is plain numbers in fixed places, so that lanes of a vector unit can take the same steps.

use super::ellipsoid_depth::least_depth;
use crate::narrow::climb::saddle_free_step;
use crate::narrow::relative::{Frame, Relative};
use crate::narrow::touch::{Branch, Evidence, Points, Touch};
use crate::narrow::{Start, around};
use rattleback_geom::curvature::{tangent_block, tangents};
use rattleback_geom::elementary::fma;
use rattleback_geom::{Mat3, Pose, Vec3};

/// The touch of two ellipsoids given by their semi-axes.
#[inline(always)]
pub(crate) fn solve(a: &Vec3, pose_a: &Pose, b: &Vec3, pose_b: &Pose, start: Start) -> Touch {
    let frame = Frame::new(pose_a);
    let rel = Relative::seen_from(&frame, pose_b);
    let t = &rel.rotation;
    // nalgebra stores columns; the pair needs rows.
    let rows = [t[0], t[3], t[6], t[1], t[4], t[7], t[2], t[5], t[8]];
    let pair = EllipsoidPair::new(&(*a).into(), &(*b).into(), &rows, &rel.r.into());
    let first = match start {
        Start::Cold | Start::Search => pair.start(),
        Start::Warm(n) => pose_a.vector_to_local(&n).into(),
    };
    let mut top = pair.climb(&first);
    let (mut branch, mut margin) = (Branch::Followed, 0.0);
    if top.at.f <= 0.0 {
        if pair.is_global(&top.at) {
            branch = Branch::Global;
        } else if start == Start::Cold {
            (top, branch) = least_depth(&pair, [a, b], &rel, top);
        } else if start == Start::Search {
            (top, branch) = pair.look_around(t, top);
        }
        margin = pair.margin(&top.at);
    }
    let at = &top.at;
    let (n, p, q) = (Vec3::from(at.normal), Vec3::from(at.p), rel.r + Vec3::from(at.q));
    let points = Points { n, p, q, gap: at.f, residual: at.slope2.sqrt() };
    let size = pair.size + at.f.abs();
    Touch::of(&frame, &points, top.iterations, size, Evidence::Climbed { margin, branch })
}

/// The pair in A's frame, ready for the iteration.
#[derive(Debug, Clone, Copy)]
pub struct EllipsoidPair {
    /// Squared semi-axes of A.
    pub m: [f64; 3],
    /// L by rows: B's semi-axes as vectors are its columns. Lᵀd gives support values as sums of squares.
    pub l: [[f64; 3]; 3],
    /// N as (xx, yy, zz, xy, yz, zx). Good for steps, not for values: dᵀNd cancels where B is thin along d.
    pub n: [f64; 6],
    /// From A's centre to B's.
    pub r: [f64; 3],
    /// Semi-axes of B.
    pub b: [f64; 3],
    /// The diagonal of the semi-axes of both.
    pub size: f64,
    /// That and ∣r∣: the length that roundings are shares of.
    pub reach: f64,
}

/// What the iteration knows at a direction d of any length.
#[derive(Debug, Clone, Copy)]
struct Reading {
    d: [f64; 3],
    length: f64,
    /// p, the point of A, and q − r, the point of B from B's centre.
    p: [f64; 3],
    q: [f64; 3],
    /// 1/h_A and 1/h_B.
    inverse_h: [f64; 2],
    g: [f64; 3],
    phi: f64,
    /// g − φ d.
    gradient: [f64; 3],
    slope2: f64,
    f: f64,
}

/// What is known at the end of a climb.
#[derive(Debug, Clone, Copy)]
pub struct Top {
    /// The unit normal, from A to B.
    pub normal: [f64; 3],
    /// The point of A.
    pub p: [f64; 3],
    /// The point of B from B's centre.
    pub q: [f64; 3],
    /// 1/h_A and 1/h_B at the normal.
    pub inverse_h: [f64; 2],
    /// f, the lower bound.
    pub f: f64,
    /// The squared length of the gradient of f on the sphere.
    pub slope2: f64,
}

/// How the iteration ended.
#[derive(Debug, Clone, Copy)]
pub struct Climb {
    /// The last reading.
    pub at: Top,
    /// Evaluations of the support functions.
    pub iterations: u32,
    /// Whether the gradient vanished to rounding.
    pub converged: bool,
}

/// Most evaluations of one climb. Study data take 4 to 7; thin bodies of ratio 1000 were seen to take 40.
const MAX_ITERATIONS: u32 = 200;

/// Most whole Newton steps before care is taken: twice what study data take.
const MAX_WHOLE_STEPS: u32 = 12;

/// The gradient counts as zero below this share of the reach: at most a tenth of what a certificate asks for, because
/// ∣r∣ ≤ f + h_A + h_B keeps the reach below thrice the certificate's size + ∣f∣.
const TOLERANCE: f64 = 4e-14;
/// What it may stall at: a thin body's radius of curvature, up to a thousand sizes, times the rounding of the normal.
const STALLED: f64 = 3e-13;
/// Differences of f below this share of the reach are rounding.
const FLAT_TOP: f64 = 2e-15;
/// The cosine of 18°: a start closer to a top than that climbs to it again.
const BESIDE: f64 = 0.95;

impl EllipsoidPair {
    /// `rotation` is row-major, from B's to A's axes.
    #[inline(always)]
    pub fn new(a: &[f64; 3], b: &[f64; 3], rotation: &[f64; 9], r: &[f64; 3]) -> Self {
        let m = [a[0] * a[0], a[1] * a[1], a[2] * a[2]];
        let t = rotation;
        let row = |i: usize| [t[3 * i] * b[0], t[3 * i + 1] * b[1], t[3 * i + 2] * b[2]];
        let l = [row(0), row(1), row(2)];
        let s = |i: usize, j: usize| dot(&l[i], &l[j]);
        let n = [s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(1, 2), s(2, 0)];
        let size = ((m[0] + m[1] + m[2]) + (n[0] + n[1] + n[2])).sqrt();
        Self { m, l, n, r: *r, b: *b, size, reach: size + dot(r, r).sqrt() }
    }

    /// Lᵀd.
    #[inline(always)]
    fn along_axes(&self, d: &[f64; 3]) -> [f64; 3] {
        let l = &self.l;
        let column = |j: usize| dot(&[l[0][j], l[1][j], l[2][j]], d);
        [column(0), column(1), column(2)]
    }

    /// Everything at the direction `d`.
    #[inline(always)]
    fn read(&self, d: &[f64; 3]) -> Reading {
        let (m, l, r) = (&self.m, &self.l, &self.r);
        let ma = [m[0] * d[0], m[1] * d[1], m[2] * d[2]];
        let e = self.along_axes(d);
        let nb = [dot(&l[0], &e), dot(&l[1], &e), dot(&l[2], &e)];
        let (ha2, hb2, d2) = (dot(&ma, d), dot(&e, &e), dot(d, d));
        // 1/√x as √x·(1/x): the root and the division side by side, not one after the other.
        let (ia, ib) = (ha2.sqrt() * (1.0 / ha2), hb2.sqrt() * (1.0 / hb2));
        let p = [ma[0] * ia, ma[1] * ia, ma[2] * ia];
        let q = [-nb[0] * ib, -nb[1] * ib, -nb[2] * ib];
        let g = [r[0] - p[0] + q[0], r[1] - p[1] + q[1], r[2] - p[2] + q[2]];
        let phi = dot(&g, d) * (1.0 / d2);
        let gradient = [fma(-phi, d[0], g[0]), fma(-phi, d[1], g[1]), fma(-phi, d[2], g[2])];
        let slope2 = dot(&gradient, &gradient);
        let length = d2.sqrt();
        Reading { d: *d, length, p, q, inverse_h: [ia, ib], g, phi, gradient, slope2, f: phi * length }
    }

    /// p − q at the unit direction `d`, from A's centre.
    pub(super) fn difference(&self, d: &Vec3) -> Vec3 {
        let at = self.read(&(*d).into());
        -Vec3::from(at.g)
    }

    /// The start for a pair of which nothing is known: the fixed point's equation solved once from n = r/∣r∣.
    #[inline(always)]
    pub fn start(&self) -> [f64; 3] {
        let r = &self.r;
        let rr = dot(r, r);
        if !(rr > 0.0) {
            // Coincident centres: the thinnest way out of A is as good as any.
            let m = &self.m;
            return if m[2] <= m[0] && m[2] <= m[1] {
                [0.0, 0.0, 1.0]
            } else if m[1] <= m[0] {
                [0.0, 1.0, 0.0]
            } else {
                [1.0, 0.0, 0.0]
            };
        }
        let (m, n, e) = (&self.m, &self.n, self.along_axes(r));
        let ha = dot(&[m[0] * r[0], m[1] * r[1], m[2] * r[2]], r).sqrt();
        let hb = dot(&e, &e).sqrt();
        // h at the unit normal is h(r)/∣r∣; f = ∣r∣ − h_A − h_B there. All scaled by ∣r∣.
        let (ia, ib) = (rr / ha, rr / hb);
        let f = (rr - ha - hb).max(0.0);
        let k = [
            fma(m[0], ia, fma(n[0], ib, f)),
            fma(m[1], ia, fma(n[1], ib, f)),
            fma(m[2], ia, fma(n[2], ib, f)),
            n[3] * ib,
            n[4] * ib,
            n[5] * ib,
        ];
        let (x, det) = adjugate_times(&k, r);
        if det > 0.0 { x } else { *r }
    }

    /// The Newton step δ at a reading as (w δ, w); none where S + φ·1 is not positive on the tangent plane.
    #[inline(always)]
    fn step(&self, at: &Reading) -> Option<([f64; 3], f64)> {
        let s = self.radii(&at.p, &at.q, &at.inverse_h);
        let Invariants { trace, determinant: w } = invariants(&s, at.phi);
        // S g, not S applied to the gradient: S d = 0, and g is known earlier.
        let (g, k) = (&at.g, trace - at.phi);
        let sg = [dot(&[s[0], s[3], s[5]], g), dot(&[s[3], s[1], s[4]], g), dot(&[s[5], s[4], s[2]], g)];
        let x = |i: usize| fma(k, at.gradient[i], -sg[i]);
        if (w > 0.0) & (trace > 0.0) { Some(([x(0), x(1), x(2)], w)) } else { None }
    }

    /// Climbs from `start` to a maximum of f.
    #[inline(always)]
    pub fn climb(&self, start: &[f64; 3]) -> Climb {
        let mut at = self.read(start);
        let mut iterations = 1;
        let flat = (TOLERANCE * self.reach) * (TOLERANCE * self.reach);
        while !(at.slope2 <= flat) {
            let d = at.d;
            let Some((x, w)) = self.step(&at).filter(|_| iterations <= MAX_WHOLE_STEPS) else {
                return self.climb_with_care(d[0], d[1], d[2], iterations, false);
            };
            let next = self.read(&[fma(w, d[0], x[0]), fma(w, d[1], x[1]), fma(w, d[2], x[2])]);
            iterations += 1;
            // A gradient that shrinks as Newton's does needs no look at f, whose root would be waited for.
            let shrinks = next.slope2 < 0.25 * at.slope2;
            if !(shrinks || gains(&at, &next, self.reach)) {
                return self.climb_with_care(d[0], d[1], d[2], iterations, true);
            }
            at = next;
        }
        Climb { at: at.top(), iterations, converged: true }
    }

    /// The rest of a climb that a whole Newton step does not lead on: with steps that are cut and lead away from
    /// saddles. Apart from [`Self::climb`], and called with plain numbers, so that the latter keeps its own in
    /// registers.
    #[cold]
    #[inline(never)]
    fn climb_with_care(&self, x: f64, y: f64, z: f64, done: u32, mut whole_step_failed: bool) -> Climb {
        let mut at = self.read(&[x, y, z]);
        let mut iterations = done;
        let size = self.reach;
        let converged = 'climb: loop {
            if at.slope2 <= (TOLERANCE * size) * (TOLERANCE * size) {
                break true;
            }
            // Steps that gain next to nothing may continue without bound on bodies of extreme ratios.
            if iterations > MAX_ITERATIONS {
                break at.slope2 <= (STALLED * size) * (STALLED * size);
            }
            let (x, w) = self.step(&at).unwrap_or_else(|| (self.saddle_free_step(&at), 1.0));
            let d = &at.d;
            let mut cut = 1.0;
            loop {
                if !std::mem::take(&mut whole_step_failed) {
                    let part = cut / w;
                    let next =
                        self.read(&[fma(part, x[0], d[0]), fma(part, x[1], d[1]), fma(part, x[2], d[2])]);
                    iterations += 1;
                    if gains(&at, &next, size) {
                        at = next;
                        break;
                    }
                }
                // A gradient of a few roundings that a whole Newton step did not lessen is as small as it gets.
                let stalled = at.slope2 <= (STALLED * size) * (STALLED * size);
                if stalled || cut < 1e-14 || iterations > MAX_ITERATIONS {
                    break 'climb stalled;
                }
                cut *= 0.25;
            }
        };
        Climb { at: at.top(), iterations, converged }
    }

    /// The step of the Hessian with its eigenvalues made positive: upwards along every principal direction, and away
    /// from a saddle as fast as Newton approaches a maximum.
    fn saddle_free_step(&self, at: &Reading) -> [f64; 3] {
        let n = Vec3::from(at.d) / at.length;
        let (t, u) = tangents(&n);
        let [xx, yy, zz, xy, yz, zx] = self.radii(&at.p, &at.q, &at.inverse_h);
        let block = tangent_block(&Mat3::new(xx, xy, zx, xy, yy, yz, zx, yz, zz), &t, &u);
        let g = Vec3::from(at.gradient);
        let [x, y] = saddle_free_step(block, at.phi, [t.dot(&g), u.dot(&g)]);
        (t * x + u * y).into()
    }

    /// Climbs from the best directions around as well and keeps the highest top.
    #[cold]
    #[inline(never)]
    fn look_around(&self, rotation: &Mat3, mut top: Climb) -> (Climb, Branch) {
        let height = |n: &Vec3| self.read(&(*n).into()).f;
        let (starts, count) = around::starts(rotation, Some(&self.r.into()), |n| n.map(height));
        for n in &starts[..count] {
            // A start beside a top leads to it again.
            if n.dot(&Vec3::from(top.at.normal)) > BESIDE {
                continue;
            }
            let other = self.climb(&(*n).into());
            let iterations = top.iterations + other.iterations;
            top = Climb { iterations, ..if other.at.f > top.at.f { other } else { top } };
        }
        (top, if self.is_global(&top.at) { Branch::Global } else { Branch::Compared })
    }

    /// S as (xx, yy, zz, xy, yz, zx).
    #[inline(always)]
    fn radii(&self, p: &[f64; 3], q: &[f64; 3], &[ia, ib]: &[f64; 2]) -> [f64; 6] {
        let (m, n) = (&self.m, &self.n);
        let both = |i: usize, j: usize, a: f64, n: f64| fma(fma(-q[i], q[j], n), ib, a * ia);
        [
            both(0, 0, fma(-p[0], p[0], m[0]), n[0]),
            both(1, 1, fma(-p[1], p[1], m[1]), n[1]),
            both(2, 2, fma(-p[2], p[2], m[2]), n[2]),
            both(0, 1, -p[0] * p[1], n[3]),
            both(1, 2, -p[1] * p[2], n[4]),
            both(2, 0, -p[2] * p[0], n[5]),
        ]
    }

    /// The least eigenvalue of S + f·1 on the tangent plane: the determinant over the other one, which keeps its
    /// digits.
    #[inline(always)]
    pub(super) fn margin(&self, at: &Top) -> f64 {
        let Invariants { trace, determinant } = invariants(&self.radii(&at.p, &at.q, &at.inverse_h), at.f);
        let mean = 0.5 * trace;
        let root = fma(mean, mean, -determinant).max(0.0).sqrt();
        if mean > 0.0 { determinant / (mean + root) } else { mean - root }
    }

    /// Whether the depth at a top is certainly the least over all directions.
    #[inline(always)]
    pub fn is_global(&self, at: &Top) -> bool {
        let (m, b) = (&self.m, &self.b);
        let (least_m, least_b) = (m[0].min(m[1]).min(m[2]), b[0].min(b[1]).min(b[2]));
        // A depth that exceeds the balls by less than a tenth of the tolerance is the least one to it.
        -at.f <= fma(1e-13, self.size, least_m * at.inverse_h[0] + least_b * least_b * at.inverse_h[1])
    }
}

impl Reading {
    /// The same at the unit normal.
    #[inline(always)]
    fn top(&self) -> Top {
        let (d, length, inverse) = (&self.d, self.length, 1.0 / self.length);
        Top {
            normal: [d[0] * inverse, d[1] * inverse, d[2] * inverse],
            p: self.p,
            q: self.q,
            inverse_h: [self.inverse_h[0] * length, self.inverse_h[1] * length],
            f: self.f,
            slope2: self.slope2,
        }
    }
}

/// Of S + φ·1 on the tangent plane.
struct Invariants {
    trace: f64,
    determinant: f64,
}

#[inline(always)]
fn invariants(s: &[f64; 6], phi: f64) -> Invariants {
    let trace = s[0] + s[1] + s[2];
    let minors =
        fma(s[0], s[1], -s[3] * s[3]) + fma(s[1], s[2], -s[4] * s[4]) + fma(s[2], s[0], -s[5] * s[5]);
    Invariants { trace: trace + 2.0 * phi, determinant: fma(phi, trace + phi, minors) }
}

/// Whether `next` is higher than `at`; roundings are shares of `reach`. Near the top f is rounding; there the gradient
/// must shrink instead.
#[inline(always)]
fn gains(at: &Reading, next: &Reading, reach: f64) -> bool {
    let rounding = FLAT_TOP * reach;
    // Without short cuts: which of the two it is cannot be predicted, that it is one of them can.
    (next.f > at.f + rounding) | ((next.slope2 < 0.5 * at.slope2) & (next.f >= at.f - rounding))
}

/// adj(K) v and det K of the symmetric K = (xx, yy, zz, xy, yz, zx).
#[inline(always)]
fn adjugate_times(k: &[f64; 6], v: &[f64; 3]) -> ([f64; 3], f64) {
    let [a, b, c, d, e, f] = *k;
    let (xx, xy, xz) = (fma(b, c, -e * e), fma(e, f, -d * c), fma(d, e, -b * f));
    let (yy, yz, zz) = (fma(a, c, -f * f), fma(d, f, -a * e), fma(a, b, -d * d));
    let det = fma(a, xx, fma(d, xy, f * xz));
    ([dot(&[xx, xy, xz], v), dot(&[xy, yy, yz], v), dot(&[xz, yz, zz], v)], det)
}

#[inline(always)]
fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    fma(a[0], b[0], fma(a[1], b[1], a[2] * b[2]))
}
