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

/// The pair in A's frame, ready for the iteration.
#[derive(Debug, Clone, Copy)]
pub struct EllipsoidPair {
    /// Squared semi-axes of A.
    pub m: [f64; 3],
    /// N as (xx, yy, zz, xy, yz, zx).
    pub n: [f64; 6],
    /// From A's centre to B's.
    pub r: [f64; 3],
    /// The least squared semi-axis of A and of B.
    pub least: [f64; 2],
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
    /// h_A and h_B.
    pub h: [f64; 2],
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
    pub at: Reading,
    /// Evaluations of the support functions.
    pub iterations: u32,
    pub converged: bool,
}

/// Most evaluations of one climb. Study data take 4 to 7; thin bodies of ratio 1000 were seen to take 40.
const MOST_ITERATIONS: u32 = 200;

/// The gradient counts as zero below this share of the lengths it is the difference of: some ten roundings.
const TOLERANCE: f64 = 1e-14;

impl EllipsoidPair {
    /// `rotation` is row-major, from B's to A's axes.
    #[inline(always)]
    pub fn new(a: &[f64; 3], b: &[f64; 3], rotation: &[f64; 9], r: &[f64; 3]) -> Self {
        let m = [a[0] * a[0], a[1] * a[1], a[2] * a[2]];
        let b2 = [b[0] * b[0], b[1] * b[1], b[2] * b[2]];
        let t = rotation;
        let s = |i: usize, j: usize| {
            b2[0] * t[3 * i] * t[3 * j] + b2[1] * t[3 * i + 1] * t[3 * j + 1] + b2[2] * t[3 * i + 2] * t[3 * j + 2]
        };
        let n = [s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(1, 2), s(2, 0)];
        let least = [m[0].min(m[1]).min(m[2]), b2[0].min(b2[1]).min(b2[2])];
        Self { m, n, r: *r, least }
    }

    /// Everything at the direction `d`, which need not have length one.
    #[inline(always)]
    pub fn read(&self, d: &[f64; 3]) -> Reading {
        let [x, y, z] = *d;
        let (m, n, r) = (&self.m, &self.n, &self.r);
        let ma = [m[0] * x, m[1] * y, m[2] * z];
        let nb = [n[0] * x + n[3] * y + n[5] * z, n[3] * x + n[1] * y + n[4] * z, n[5] * x + n[4] * y + n[2] * z];
        // Three roots side by side: homogeneity spares a chain of two.
        let length = (x * x + y * y + z * z).sqrt();
        let ha = (ma[0] * x + ma[1] * y + ma[2] * z).sqrt();
        let hb = (nb[0] * x + nb[1] * y + nb[2] * z).sqrt();
        let (ia, ib, il) = (1.0 / ha, 1.0 / hb, 1.0 / length);
        let normal = [x * il, y * il, z * il];
        let p = [ma[0] * ia, ma[1] * ia, ma[2] * ia];
        let q = [-nb[0] * ib, -nb[1] * ib, -nb[2] * ib];
        let g = [r[0] + q[0] - p[0], r[1] + q[1] - p[1], r[2] + q[2] - p[2]];
        let f = g[0] * normal[0] + g[1] * normal[1] + g[2] * normal[2];
        let gradient = [g[0] - f * normal[0], g[1] - f * normal[1], g[2] - f * normal[2]];
        let slope2 = gradient[0] * gradient[0] + gradient[1] * gradient[1] + gradient[2] * gradient[2];
        Reading { normal, p, q, h: [ha * il, hb * il], f, gradient, slope2 }
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
        let (m, n) = (&self.m, &self.n);
        let nr =
            [n[0] * r[0] + n[3] * r[1] + n[5] * r[2], n[3] * r[0] + n[1] * r[1] + n[4] * r[2], n[5] * r[0] + n[4] * r[1] + n[2] * r[2]];
        let ha2 = m[0] * r[0] * r[0] + m[1] * r[1] * r[1] + m[2] * r[2] * r[2];
        let hb2 = nr[0] * r[0] + nr[1] * r[1] + nr[2] * r[2];
        let (length, ha, hb) = (rr.sqrt(), ha2.sqrt(), hb2.sqrt());
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
        let _ = length;
        if det > 0.0 { x } else { *r }
    }

    /// The Newton step at a reading, or the step of the concave model where the Hessian is not negative definite.
    #[inline(always)]
    fn step(&self, at: &Reading) -> [f64; 3] {
        let (m, n, p, q, e) = (&self.m, &self.n, &at.p, &at.q, &at.normal);
        let (ia, ib) = (1.0 / at.h[0], 1.0 / at.h[1]);
        let s = [
            (m[0] - p[0] * p[0]) * ia + (n[0] - q[0] * q[0]) * ib,
            (m[1] - p[1] * p[1]) * ia + (n[1] - q[1] * q[1]) * ib,
            (m[2] - p[2] * p[2]) * ia + (n[2] - q[2] * q[2]) * ib,
            (n[3] - q[0] * q[1]) * ib - p[0] * p[1] * ia,
            (n[4] - q[1] * q[2]) * ib - p[1] * p[2] * ia,
            (n[5] - q[2] * q[0]) * ib - p[2] * p[0] * ia,
        ];
        let gamma = s[0] + s[1] + s[2] + 2.0 * at.f.abs();
        let solve = |shift: f64| {
            let k = [
                s[0] + shift + gamma * e[0] * e[0],
                s[1] + shift + gamma * e[1] * e[1],
                s[2] + shift + gamma * e[2] * e[2],
                s[3] + gamma * e[0] * e[1],
                s[4] + gamma * e[1] * e[2],
                s[5] + gamma * e[2] * e[0],
            ];
            let (x, det) = adjugate_times(&k, &at.gradient);
            let minor = k[0] * k[1] - k[3] * k[3];
            (x, det, k[0] > 0.0 && minor > 0.0 && det > 0.0)
        };
        let (x, det, definite) = solve(at.f);
        if definite {
            let i = 1.0 / det;
            return [x[0] * i, x[1] * i, x[2] * i];
        }
        let (x, det, _) = solve(at.f.max(0.0) + 1e-9 * gamma);
        let i = 1.0 / det;
        [x[0] * i, x[1] * i, x[2] * i]
    }

    /// Climbs from `start` to a maximum of f.
    #[inline(always)]
    pub fn climb(&self, start: &[f64; 3]) -> Climb {
        let mut at = self.read(start);
        let mut iterations = 1;
        loop {
            // Lengths that g is the difference of.
            let size = at.h[0] + at.h[1] + at.f.abs();
            if at.slope2 <= (TOLERANCE * size) * (TOLERANCE * size) {
                return Climb { at, iterations, converged: true };
            }
            let mut d = self.step(&at);
            let mut next;
            let mut tries = 0;
            loop {
                let e = &at.normal;
                next = self.read(&[e[0] + d[0], e[1] + d[1], e[2] + d[2]]);
                iterations += 1;
                // At the top f no longer tells up from down; there the gradient must shrink instead.
                if next.f > at.f || next.slope2 < 0.25 * at.slope2 && next.f >= at.f - 1e-14 * size {
                    break;
                }
                tries += 1;
                if tries > 40 || iterations > MOST_ITERATIONS || !next.f.is_finite() {
                    let converged = at.slope2 <= (1e-13 * size) * (1e-13 * size);
                    return Climb { at, iterations, converged };
                }
                d = [0.25 * d[0], 0.25 * d[1], 0.25 * d[2]];
            }
            // Two readings at the level of rounding: the better one is the answer.
            if at.slope2 <= (1e-13 * size) * (1e-13 * size) && next.slope2 >= 0.25 * at.slope2 {
                let best = if next.slope2 < at.slope2 { next } else { at };
                return Climb { at: best, iterations, converged: true };
            }
            at = next;
            if iterations > MOST_ITERATIONS {
                return Climb { at, iterations, converged: false };
            }
        }
    }

    /// Whether the depth at a reading is certainly the least over all directions.
    #[inline(always)]
    pub fn is_global(&self, at: &Reading) -> bool {
        -at.f <= self.least[0] / at.h[0] + self.least[1] / at.h[1]
    }
}

/// adj(K) v and det K of the symmetric K = (xx, yy, zz, xy, yz, zx).
#[inline(always)]
fn adjugate_times(k: &[f64; 6], v: &[f64; 3]) -> ([f64; 3], f64) {
    let [a, b, c, d, e, f] = *k;
    let (xx, xy, xz) = (b * c - e * e, e * f - d * c, d * e - b * f);
    let (yy, yz, zz) = (a * c - f * f, d * f - a * e, a * b - d * d);
    let det = a * xx + d * xy + f * xz;
    (
        [
            xx * v[0] + xy * v[1] + xz * v[2],
            xy * v[0] + yy * v[1] + yz * v[2],
            xz * v[0] + yz * v[1] + zz * v[2],
        ],
        det,
    )
}
