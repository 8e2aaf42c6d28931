//! Two ellipsoids: Newton on the sphere of normals, in A's frame.
//!
//! With M = diag(a²) of A, N = R diag(b²) Rᵀ of B and r from A's centre to B's, every unit n gives
//!
//!   h_A = √(nᵀMn),  p = Mn/h_A,   h_B = √(nᵀNn),  q = r − Nn/h_B,   g = q − p,   f = n·g ≤ gap
//!
//! and f is greatest where g is along n. The tangent part of g is the gradient of f on the sphere, and with
//! S = (M − ppᵀ)/h_A + (N − (r−q)(r−q)ᵀ)/h_B, which has n in its null space, the Newton step is
//!
//!   (S + f·1 + γ nnᵀ) δ = g − f n,   n ← n + δ   (any γ > −f leaves δ the same)
//!
//! At the maximum (M/h_A + N/h_B + f·1) n = r, which solved with the h and f of n = r/∣r∣ is the start.
//!
//! Certificates. Separate bodies: f ≤ gap ≤ ∣g∣. Overlap: a ball of radius t ≤ c²/h inside an ellipsoid touches its
//! surface at the point of support h, c the least semi-axis. (Cauchy–Schwarz with M − th·1 ⪰ 0: for every unit m,
//! m·(Mn/h − tn) + t ≤ √((h_m² − th)(h² − th))/h + t ≤ h_m, the last because h_m² h² + … leaves th(h_m − h)² ≥ 0.) Two such
//! balls, one in A and one in B, add up to one of radius t_A + t_B in the difference of the bodies; so if the depth
//! −f is at most c_A²/h_A + c_B²/h_B, no other direction parts the bodies by less: the branch is the global one.
//!
//! Everything here is plain numbers in fixed places, so that lanes of a vector unit can take the same steps.

use crate::narrow::climb::saddle_free_step;
use crate::narrow::touch::{Branch, Evidence, Touch};
use crate::narrow::{Start, around};
use rattleback_geom::curvature::{eigen2, tangent_block, tangents};
use rattleback_geom::elementary::fma;
use rattleback_geom::{Mat3, Pose, Vec3};

/// The touch of two ellipsoids given by their semi-axes.
#[inline]
pub(crate) fn solve(a: &Vec3, pose_a: &Pose, b: &Vec3, pose_b: &Pose, start: Start) -> Touch {
    let rel = crate::narrow::relative::Relative::new(pose_a, pose_b);
    let t = &rel.rotation;
    // nalgebra keeps columns; the pair wants rows.
    let rows = [t[0], t[3], t[6], t[1], t[4], t[7], t[2], t[5], t[8]];
    let pair = EllipsoidPair::new(&(*a).into(), &(*b).into(), &rows, &rel.r.into());
    let first = match start {
        Start::Cold => pair.start(),
        Start::Warm(n) => pose_a.vector_to_local(&n).into(),
    };
    let mut top = pair.climb(&first);
    let mut branch = Branch::Followed;
    if top.at.f <= 0.0 {
        if pair.is_global(&top.at) {
            branch = Branch::Global;
        } else if start == Start::Cold {
            (top, branch) = pair.look_around(t, top);
        }
    }
    let at = &top.at;
    let (n, p, q) = (Vec3::from(at.normal), Vec3::from(at.p), rel.r + Vec3::from(at.q));
    let margin = if at.f > 0.0 { at.f } else { pair.margin(at) };
    let size = pair.size + at.f.abs();
    Touch::new(pose_a, &n, &p, &q, top.iterations, size, Evidence::Climbed { margin, branch })
}

/// The pair in A's frame, ready for the iteration.
#[derive(Debug, Clone, Copy)]
pub struct EllipsoidPair {
    /// Squared semi-axes of A.
    pub m: [f64; 3],
    /// Squared semi-axes of B, and the rotation from B's to A's axes by rows.
    pub b2: [f64; 3],
    /// The rotation.
    pub rotation: [f64; 9],
    /// N as (xx, yy, zz, xy, yz, zx). Good for steps, not for values: nᵀNn cancels where B is thin along n.
    pub n: [f64; 6],
    /// From A's centre to B's.
    pub r: [f64; 3],
    /// The least squared semi-axis of A and of B.
    pub least: [f64; 2],
    /// The diagonal of the semi-axes of both: the length that roundings are shares of.
    pub size: f64,
}

/// What the iteration knows at a normal.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    /// The unit normal, from A to B.
    pub normal: [f64; 3],
    /// p, the point of A, and q − r, the point of B from B's centre.
    pub p: [f64; 3],
    /// The point of B from B's centre.
    pub q: [f64; 3],
    /// 1/h_A and 1/h_B.
    pub inverse_h: [f64; 2],
    /// f, the lower bound.
    pub f: f64,
    /// g − f n.
    pub gradient: [f64; 3],
    /// Its squared length.
    pub slope2: f64,
}

/// How the iteration ended.
#[derive(Debug, Clone, Copy)]
pub struct Climb {
    /// The last reading.
    pub at: Reading,
    /// Evaluations of the support functions.
    pub iterations: u32,
    /// Whether the gradient vanished to rounding.
    pub converged: bool,
}

/// Most evaluations of one climb. Study data take 4 to 7; thin bodies of ratio 1000 were seen to take 40.
const MOST_ITERATIONS: u32 = 200;

/// The gradient counts as zero below this share of the size: a tenth of what a certificate asks for.
const TOLERANCE: f64 = 1e-13;
/// What it may stall at: a thin body's radius of curvature, up to a thousand sizes, times the rounding of the normal.
const STALLED: f64 = 3e-13;
/// Differences of f below this share of the size are rounding.
const FLAT_TOP: f64 = 2e-15;

impl EllipsoidPair {
    /// `rotation` is row-major, from B's to A's axes.
    #[inline(always)]
    pub fn new(a: &[f64; 3], b: &[f64; 3], rotation: &[f64; 9], r: &[f64; 3]) -> Self {
        let m = [a[0] * a[0], a[1] * a[1], a[2] * a[2]];
        let b2 = [b[0] * b[0], b[1] * b[1], b[2] * b[2]];
        let t = rotation;
        let s = |i: usize, j: usize| {
            b2[0] * t[3 * i] * t[3 * j]
                + b2[1] * t[3 * i + 1] * t[3 * j + 1]
                + b2[2] * t[3 * i + 2] * t[3 * j + 2]
        };
        let n = [s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(1, 2), s(2, 0)];
        let least = [m[0].min(m[1]).min(m[2]), b2[0].min(b2[1]).min(b2[2])];
        let size = (m[0] + m[1] + m[2] + b2[0] + b2[1] + b2[2]).sqrt();
        Self { m, b2, rotation: *rotation, n, r: *r, least, size }
    }

    /// Everything at the direction `d`, which need not have length one.
    #[inline(always)]
    pub fn read(&self, d: &[f64; 3]) -> Reading {
        let [x, y, z] = *d;
        let (m, b2, t, r) = (&self.m, &self.b2, &self.rotation, &self.r);
        let ma = [m[0] * x, m[1] * y, m[2] * z];
        // B in its own axes, where its support value is a sum of squares.
        let e = [dot(&[t[0], t[3], t[6]], d), dot(&[t[1], t[4], t[7]], d), dot(&[t[2], t[5], t[8]], d)];
        let be = [b2[0] * e[0], b2[1] * e[1], b2[2] * e[2]];
        let nb =
            [dot(&[t[0], t[1], t[2]], &be), dot(&[t[3], t[4], t[5]], &be), dot(&[t[6], t[7], t[8]], &be)];
        // Three roots side by side: homogeneity spares a chain of two.
        let length = dot(d, d).sqrt();
        let ha = dot(&ma, d).sqrt();
        let hb = dot(&be, &e).sqrt();
        let (ia, ib, il) = (1.0 / ha, 1.0 / hb, 1.0 / length);
        let normal = [x * il, y * il, z * il];
        let p = [ma[0] * ia, ma[1] * ia, ma[2] * ia];
        let q = [-nb[0] * ib, -nb[1] * ib, -nb[2] * ib];
        let g = [r[0] + q[0] - p[0], r[1] + q[1] - p[1], r[2] + q[2] - p[2]];
        let f = dot(&g, &normal);
        let gradient = [fma(-f, normal[0], g[0]), fma(-f, normal[1], g[1]), fma(-f, normal[2], g[2])];
        let slope2 = dot(&gradient, &gradient);
        Reading { normal, p, q, inverse_h: [ia * length, ib * length], f, gradient, slope2 }
    }

    /// f alone at the unit direction `d`.
    fn height(&self, d: &[f64; 3]) -> f64 {
        let (m, b2, t) = (&self.m, &self.b2, &self.rotation);
        let e = [dot(&[t[0], t[3], t[6]], d), dot(&[t[1], t[4], t[7]], d), dot(&[t[2], t[5], t[8]], d)];
        let ha = dot(&[m[0] * d[0], m[1] * d[1], m[2] * d[2]], d).sqrt();
        let hb = dot(&[b2[0] * e[0], b2[1] * e[1], b2[2] * e[2]], &e).sqrt();
        dot(&self.r, d) - ha - hb
    }

    /// The start for a pair of which nothing is known: the fixed point's equation solved once from n = r/∣r∣.
    #[inline(always)]
    pub fn start(&self) -> [f64; 3] {
        let r = &self.r;
        let rr = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
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
        let (m, n, t, b2) = (&self.m, &self.n, &self.rotation, &self.b2);
        let e = [dot(&[t[0], t[3], t[6]], r), dot(&[t[1], t[4], t[7]], r), dot(&[t[2], t[5], t[8]], r)];
        let ha2 = dot(&[m[0] * r[0], m[1] * r[1], m[2] * r[2]], r);
        let hb2 = dot(&[b2[0] * e[0], b2[1] * e[1], b2[2] * e[2]], &e);
        let (ha, hb) = (ha2.sqrt(), hb2.sqrt());
        // h at the unit normal is h(r)/∣r∣; f = ∣r∣ − h_A − h_B there. All scaled by ∣r∣.
        let (ia, ib) = (rr / ha, rr / hb);
        let f = (rr - ha - hb).max(0.0);
        let k = [
            m[0] * ia + n[0] * ib + f,
            m[1] * ia + n[1] * ib + f,
            m[2] * ia + n[2] * ib + f,
            n[3] * ib,
            n[4] * ib,
            n[5] * ib,
        ];
        let (x, det) = adjugate_times(&k, r);
        if det > 0.0 { x } else { *r }
    }

    /// The Newton step δ at a reading as (x, w) with δ = x/w, w > 0, which spares a division: the normal n + δ is the
    /// direction of w n + x. Where the Hessian is not negative definite, the step that leads away from saddles.
    #[inline(always)]
    fn step(&self, at: &Reading) -> ([f64; 3], f64) {
        let e = &at.normal;
        let s = self.radii(at);
        let gamma = s[0] + s[1] + s[2] + 2.0 * at.f.abs();
        let ge = [gamma * e[0], gamma * e[1], gamma * e[2]];
        let k = [
            fma(ge[0], e[0], s[0] + at.f),
            fma(ge[1], e[1], s[1] + at.f),
            fma(ge[2], e[2], s[2] + at.f),
            fma(ge[0], e[1], s[3]),
            fma(ge[1], e[2], s[4]),
            fma(ge[2], e[0], s[5]),
        ];
        let (x, det) = adjugate_times(&k, &at.gradient);
        if k[0] > 0.0 && k[0] * k[1] > k[3] * k[3] && det > 0.0 {
            return (x, det);
        }
        (saddle_free(&s, at).into(), 1.0)
    }

    /// Climbs from `start` to a maximum of f.
    #[inline(always)]
    pub fn climb(&self, start: &[f64; 3]) -> Climb {
        let mut at = self.read(start);
        let mut iterations = 1;
        loop {
            let size = self.size + at.f.abs();
            if at.slope2 <= (TOLERANCE * size) * (TOLERANCE * size) {
                return Climb { at, iterations, converged: true };
            }
            let (x, w) = self.step(&at);
            let e = &at.normal;
            let mut next = self.read(&[fma(w, e[0], x[0]), fma(w, e[1], x[1]), fma(w, e[2], x[2])]);
            iterations += 1;
            // Near the top f is rounding; there the gradient must shrink instead.
            let gains = |next: &Reading| {
                next.f > at.f + FLAT_TOP * size
                    || (next.slope2 < 0.5 * at.slope2 && next.f >= at.f - FLAT_TOP * size)
            };
            let mut cut = 1.0;
            while !gains(&next) {
                // A gradient of a few roundings that a whole Newton step did not lessen is as small as it gets.
                let stalled = at.slope2 <= (STALLED * size) * (STALLED * size);
                if stalled || cut < 1e-14 || iterations > MOST_ITERATIONS {
                    return Climb { at, iterations, converged: stalled };
                }
                cut *= 0.25;
                let shorter = cut / w;
                next = self.read(&[
                    fma(shorter, x[0], e[0]),
                    fma(shorter, x[1], e[1]),
                    fma(shorter, x[2], e[2]),
                ]);
                iterations += 1;
            }
            at = next;
        }
    }

    /// Climbs from the best directions around as well and keeps the highest top.
    #[cold]
    #[inline(never)]
    fn look_around(&self, rotation: &Mat3, mut top: Climb) -> (Climb, Branch) {
        let (starts, count) = around::starts(rotation, Some(&self.r.into()), |n| self.height(&(*n).into()));
        for n in &starts[..count] {
            // A start beside a top leads to it again.
            if n.dot(&Vec3::from(top.at.normal)) > 0.95 {
                continue;
            }
            let other = self.climb(&(*n).into());
            let iterations = top.iterations + other.iterations;
            top = Climb { iterations, ..if other.at.f > top.at.f { other } else { top } };
        }
        (top, if self.is_global(&top.at) { Branch::Global } else { Branch::Compared })
    }

    /// S at a reading, as (xx, yy, zz, xy, yz, zx).
    #[inline(always)]
    fn radii(&self, at: &Reading) -> [f64; 6] {
        let (m, n, p, q) = (&self.m, &self.n, &at.p, &at.q);
        let [ia, ib] = at.inverse_h;
        let a = |i: usize, j: usize, m: f64| fma(-p[i], p[j], m) * ia;
        let both = |i: usize, j: usize, m: f64, n: f64| fma(fma(-q[i], q[j], n), ib, a(i, j, m));
        [
            both(0, 0, m[0], n[0]),
            both(1, 1, m[1], n[1]),
            both(2, 2, m[2], n[2]),
            both(0, 1, 0.0, n[3]),
            both(1, 2, 0.0, n[4]),
            both(2, 0, 0.0, n[5]),
        ]
    }

    /// The least eigenvalue of S + f·1 on the tangent plane.
    #[inline(never)]
    fn margin(&self, at: &Reading) -> f64 {
        let [xx, yy, zz, xy, yz, zx] = self.radii(at);
        let s = Mat3::new(xx, xy, zx, xy, yy, yz, zx, yz, zz);
        let (t, u) = tangents(&Vec3::from(at.normal));
        let block = tangent_block(&s, &t, &u);
        eigen2(block, None)[1] + at.f
    }

    /// Whether the depth at a reading is certainly the least over all directions.
    #[inline(always)]
    pub fn is_global(&self, at: &Reading) -> bool {
        -at.f <= self.least[0] * at.inverse_h[0] + self.least[1] * at.inverse_h[1]
    }
}

/// The step of the Hessian with its eigenvalues made positive: upwards along every principal direction, and away from a
/// saddle as fast as Newton approaches a maximum.
#[cold]
fn saddle_free(s: &[f64; 6], at: &Reading) -> Vec3 {
    let n = Vec3::from(at.normal);
    let (t, u) = tangents(&n);
    let [xx, yy, zz, xy, yz, zx] = *s;
    let block = tangent_block(&Mat3::new(xx, xy, zx, xy, yy, yz, zx, yz, zz), &t, &u);
    let g = Vec3::from(at.gradient);
    let [x, y] = saddle_free_step(block, at.f, [t.dot(&g), u.dot(&g)]);
    t * x + u * y
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
