//! One step of Catmull and Clark's rules about a vertex of valence N, and the eigenvectors of that step.
//!
//! A quadrilateral (a, b, c, d) with a of any valence N ≥ 3 and the others of valence four is governed by 2N + 8
//! control points, in the order a, its ring counter-clockwise (e₀ = b, f₀ = c, e₁ = d, f₁, … f₍N−1₎: the ends of the
//! edges and the corners opposite), and x₀ … x₆. On the lattice, with a at (0, 0) and b at (1, 0):
//!
//! ```text
//!   x6 — x5 — x4 — x3
//!   |    |    |    |
//!   f1 — d  — c  — x2
//!   |    |    |    |
//!   e2 — a  — b  — x1
//!        |    |    |
//!     e₍N−1₎— f₍N−1₎— x0
//! ```
//!
//! The rules of `polygon_net` for quadrilaterals give the 2N + 17 points of the next level: an edge pq between the
//! pairs l and r goes to 3/8 (p + q) + 1/16 (l + l′ + r + r′), a vertex to (1 − 7/4N) a + 3/2N² Σe + 1/4N² Σf. Their
//! first 2N + 8 points govern the quadrilateral at a of half the size, which is Stam's matrix A (J. Stam, Exact
//! evaluation of Catmull–Clark subdivision surfaces at arbitrary parameter values, SIGGRAPH 98); the regular ones
//! beside it take sixteen of all of them, his Ā with P₁, P₂, P₃.
//!
//! Left eigenvectors of A (M. Halstead, M. Kass, T. DeRose, Efficient, fair interpolation using Catmull–Clark surfaces,
//! SIGGRAPH 93): for the eigenvalue 1 the weights N² of a, 4 of each e and 1 of each f, over N(N + 5); for the double
//! subdominant eigenvalue λ = (5 + c + √((c + 9)(c + 1)))/16 with c = cos(2π/N) the weights α cos(2πi/N) of eᵢ and
//! cos(2πi/N) + cos(2π(i + 1)/N) of fᵢ, α = 1 + c + cos(π/N)√(2(9 + c)), and the same with sines. They give the limit
//! point and the tangent plane.

use super::bicubic::{Grid, ORDER};
use crate::Vec3;
use std::f64::consts::{PI, TAU};

/// Points of the ring about a vertex in pairs (e, f).
fn pairs(ring: &[Vec3]) -> impl Iterator<Item = (&Vec3, &Vec3)> {
    ring.chunks_exact(2).map(|pair| (&pair[0], &pair[1]))
}

/// The vertex rule.
fn vertex_point(p: &Vec3, ring: &[Vec3]) -> Vec3 {
    let n = (ring.len() / 2) as f64;
    let pull: Vec3 = pairs(ring).map(|(e, f)| (e - p) * 6.0 + (f - p)).sum();
    p + pull / (4.0 * n * n)
}

/// The edge rule for the edge `p`–`q` between the pairs of opposite corners.
fn edge_point(p: &Vec3, q: &Vec3, l: [&Vec3; 2], r: [&Vec3; 2]) -> Vec3 {
    (p + q) * 0.375 + (l[0] + l[1] + r[0] + r[1]) * 0.0625
}

fn face_point(p: &Vec3, q: &Vec3, r: &Vec3, s: &Vec3) -> Vec3 {
    (p + q + r + s) * 0.25
}

/// The larger eigenvalue of the frequency `k` about a vertex of valence `n`; the subdominant one, λ, has the frequency
/// one.
pub(super) fn eigenvalue(n: usize, k: usize) -> f64 {
    let c = (TAU * k as f64 / n as f64).cos();
    (5.0 + c + ((c + 9.0) * (c + 1.0)).sqrt()) / 16.0
}

/// Where the vertex goes in the limit.
pub(super) fn limit_point(p: &Vec3, ring: &[Vec3]) -> Vec3 {
    let n = (ring.len() / 2) as f64;
    // Relative to p: a vertex far away loses no digits of its surroundings.
    let pull: Vec3 = pairs(ring).map(|(e, f)| (e - p) * 4.0 + (f - p)).sum();
    p + pull / (n * (n + 5.0))
}

/// Two tangents of the limit at a vertex; their cross product points outwards.
pub(super) fn limit_tangents(p: &Vec3, ring: &[Vec3]) -> [Vec3; 2] {
    let n = (ring.len() / 2) as f64;
    let c = (TAU / n).cos();
    let alpha = 1.0 + c + (PI / n).cos() * (2.0 * (9.0 + c)).sqrt();
    let mut tangents = [Vec3::zeros(); 2];
    for (i, (e, f)) in pairs(ring).enumerate() {
        let (e, f) = (e - p, f - p);
        let (sin, cos) = (TAU * i as f64 / n).sin_cos();
        let (next_sin, next_cos) = (TAU * (i as f64 + 1.0) / n).sin_cos();
        tangents[0] += e * (alpha * cos) + f * (cos + next_cos);
        tangents[1] += e * (alpha * sin) + f * (sin + next_sin);
    }
    tangents
}

/// How many points govern a quadrilateral at a vertex of valence `n`.
pub(super) const fn count(n: usize) -> usize {
    2 * n + 8
}

/// How many points the next level has.
pub(super) const fn refined_count(n: usize) -> usize {
    2 * n + 17
}

/// Where the point at (i − 1, j − 1) of the lattice is kept; (−1, −1) is there at valence four only.
#[inline]
fn index(n: usize, i: usize, j: usize) -> usize {
    let (x, y) = (2 * n + 1, 2 * n + 8);
    match (i, j) {
        (0, 0) => 6,
        (1, 1) => 0,
        (2, 1) => 1,
        (2, 2) => 2,
        (1, 2) => 3,
        (0, 2) => 4,
        (0, 1) => 5,
        (1, 0) => 2 * n - 1,
        (2, 0) => 2 * n,
        (4, j) => y + j,
        (3, j) if j <= 3 => x + j,
        (i, 3) => x + 6 - i,
        (i, _) => y + 8 - i,
    }
}

/// The sixteen control points of the lattice's square whose lower corner is at (`i`, `j`), 0 or 1 each.
#[inline]
pub(super) fn grid(n: usize, i: usize, j: usize, point: impl Fn(usize) -> Vec3) -> Grid {
    let mut out = [[Vec3::zeros(); ORDER]; ORDER];
    for (dj, row) in out.iter_mut().enumerate() {
        for (di, slot) in row.iter_mut().enumerate() {
            *slot = point(index(n, i + di, j + dj));
        }
    }
    out
}

/// The points of the next level from the 2N + 8 of this one; `out` has room for 2N + 17.
pub(super) fn refine(n: usize, points: &[Vec3], out: &mut [Vec3]) {
    let (a, ring) = (&points[0], &points[1..=2 * n]);
    let e = |i: usize| &ring[2 * (i % n)];
    let f = |i: usize| &ring[2 * (i % n) + 1];
    let [x0, x1, x2, x3, x4, x5, x6] = std::array::from_fn(|k| &points[2 * n + 1 + k]);
    out[0] = vertex_point(a, ring);
    for i in 0..n {
        let before = i + n - 1;
        out[1 + 2 * i] = edge_point(a, e(i), [e(before), f(before)], [f(i), e(i + 1)]);
        out[2 + 2 * i] = face_point(a, e(i), f(i), e(i + 1));
    }
    let (b, c, d, f1, e2) = (e(0), f(0), e(1), f(1), e(2));
    let (el, fl) = (e(n - 1), f(n - 1));
    let others = [
        edge_point(b, fl, [a, el], [x0, x1]),
        vertex_point(b, &[*c, *d, *a, *el, *fl, *x0, *x1, *x2]),
        edge_point(b, c, [a, d], [x1, x2]),
        vertex_point(c, &[*d, *a, *b, *x1, *x2, *x3, *x4, *x5]),
        edge_point(c, d, [a, b], [x4, x5]),
        vertex_point(d, &[*a, *b, *c, *x4, *x5, *x6, *f1, *e2]),
        edge_point(d, f1, [a, e2], [x5, x6]),
        face_point(b, fl, x0, x1),
        edge_point(b, x1, [fl, x0], [c, x2]),
        face_point(b, x1, x2, c),
        edge_point(c, x2, [b, x1], [x3, x4]),
        face_point(c, x2, x3, x4),
        edge_point(c, x4, [x2, x3], [d, x5]),
        face_point(d, c, x4, x5),
        edge_point(d, x5, [c, x4], [f1, x6]),
        face_point(f1, d, x5, x6),
    ];
    out[2 * n + 1..refined_count(n)].copy_from_slice(&others);
}

/// One step towards the vertex, seen through a glass of power two, so that first derivatives keep their size. The
/// points are relative to the vertex's limit point, before and after.
pub(super) fn descend(n: usize, points: &mut [Vec3], scratch: &mut [Vec3]) {
    refine(n, points, scratch);
    // In exact arithmetic the limit stays at the origin; its rounding would be magnified from step to step.
    let drift = limit_point(&scratch[0], &scratch[1..=2 * n]);
    for (p, q) in points[..count(n)].iter_mut().zip(&*scratch) {
        *p = (q - drift) * 2.0;
    }
}
