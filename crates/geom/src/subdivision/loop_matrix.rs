//! One step of Loop's rules about a vertex of valence N, and the eigenvectors of that step.
//!
//! A triangle (a, b, c) with a of any valence N ≥ 3 and b, c of valence six is governed by N + 6 control points, in the
//! order a, its ring r₀ = b, r₁ = c, … r_{N−1} counter-clockwise, and x₀ … x₄ as in `box_spline`. Loop's rules (C.
//! Loop, Smooth subdivision surfaces based on triangles, 1987) give the N + 12 points of the next level
//!
//! - a′ = (1 − Nβ) a + β Σ r, with β = (5/8 − (3/8 + cos(2π/N)/4)²)/N (the same rule with β = 1/16 for b′ and c′),
//! - for an edge pq between the triangles pql and qpr: 3/8 (p + q) + 1/8 (l + r).
//!
//! Their first N + 6 points govern the triangle at a of half the size, which is Stam's matrix A (Evaluation of Loop
//! Subdivision Surfaces, eq. 1); the regular triangles beside it take twelve of all of them, his Ā with P₁, P₂, P₃ (eq.
//! 3).
//!
//! Left eigenvectors of A: for the eigenvalue 1 the weights 1 of a and ω = 8β/3 of each r, over 1 + Nω; for the double
//! subdominant eigenvalue 3/8 + cos(2π/N)/4 the weights cos(2πi/N) and sin(2πi/N) of r_i. They give the limit point and
//! the tangent plane.

use super::box_spline::POINTS;
use crate::Vec3;
use std::f64::consts::TAU;

/// Loop's β for a vertex of valence `n`: how much of each neighbour goes into the vertex.
pub(super) fn beta(n: usize) -> f64 {
    if n == 6 {
        return 1.0 / 16.0;
    }
    let root = 0.375 + 0.25 * (TAU / n as f64).cos();
    (0.625 - root * root) / n as f64
}

/// The vertex rule.
pub(super) fn vertex_point(p: &Vec3, ring: &[Vec3]) -> Vec3 {
    let beta = beta(ring.len());
    p * (1.0 - beta * ring.len() as f64) + ring.iter().sum::<Vec3>() * beta
}

/// The edge rule for the edge `p`–`q` between the opposite corners `l` and `r`.
pub(super) fn edge_point(p: &Vec3, q: &Vec3, l: &Vec3, r: &Vec3) -> Vec3 {
    (p + q) * 0.375 + (l + r) * 0.125
}

/// Where the vertex goes in the limit.
pub(super) fn limit_point(p: &Vec3, ring: &[Vec3]) -> Vec3 {
    let omega = beta(ring.len()) * 8.0 / 3.0;
    // Relative to p: a vertex far away loses no digits of its surroundings.
    let pull: Vec3 = ring.iter().map(|r| r - p).sum();
    p + pull * (omega / (1.0 + omega * ring.len() as f64))
}

/// Two tangents of the limit at a vertex; their cross product points outwards.
pub(super) fn limit_tangents(p: &Vec3, ring: &[Vec3]) -> [Vec3; 2] {
    let mut tangents = [Vec3::zeros(); 2];
    for (i, r) in ring.iter().enumerate() {
        let (sin, cos) = (TAU * i as f64 / ring.len() as f64).sin_cos();
        tangents[0] += (r - p) * cos;
        tangents[1] += (r - p) * sin;
    }
    tangents
}

/// Valences up to which nothing is allocated where points are asked for.
const SMALL: usize = 20;

/// The control points of a triangle at a vertex of any valence, relative to that vertex's limit point.
#[derive(Debug, Clone)]
pub(super) struct Corner {
    valence: usize,
    points: Vec<Vec3>,
    limit: Vec3,
}

/// The regular triangles beside the one at the vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// At b: (s, t) ↦ (2s − 1, 2t).
    AtB,
    /// At c: (s, t) ↦ (2s, 2t − 1).
    AtC,
    /// In the middle: (s, t) ↦ (1 − 2s, 1 − 2t).
    Middle,
}

impl Part {
    /// All three.
    pub(super) const ALL: [Self; 3] = [Self::AtB, Self::AtC, Self::Middle];

    /// The part's control points among the N + 12 of the next level.
    pub(super) fn pick(self, n: usize, refined: &[Vec3]) -> [Vec3; POINTS] {
        let x = |k: usize| n + 1 + k;
        let y = |k: usize| n + 6 + k;
        let picked = match self {
            Self::AtB => [1, x(1), x(2), 2, 0, n, x(0), y(0), y(1), y(2), y(3), x(3)],
            Self::AtC => [2, x(2), x(3), x(4), 3, 0, 1, x(1), y(2), y(3), y(4), y(5)],
            Self::Middle => [x(2), 2, 1, x(1), y(2), y(3), x(3), x(4), 3, 0, n, x(0)],
        };
        picked.map(|i| refined[i])
    }
}

impl Corner {
    /// From a, its ring and x₀ … x₄.
    pub(super) fn new(mut points: Vec<Vec3>) -> Self {
        let valence = points.len() - 6;
        let limit = limit_point(&points[0], &points[1..=valence]);
        for p in &mut points {
            *p -= limit;
        }
        Self { valence, points, limit }
    }

    /// The vertex's limit point.
    pub(super) fn limit(&self) -> Vec3 {
        self.limit
    }

    /// One step towards the vertex, seen through a glass of power two, so that first derivatives keep their size.
    pub(super) fn descend(&mut self) {
        let mut scratch = vec![Vec3::zeros(); self.valence + 12];
        descend(self.valence, &mut self.points, &mut scratch);
    }

    /// The twelve control points, one level finer, of a regular part some steps farther on.
    pub(super) fn part_after(&self, steps: usize, part: Part) -> [Vec3; POINTS] {
        // Valences of meshes are small: nothing is allocated for them.
        let (n, mut small) = (self.valence, [[Vec3::zeros(); SMALL + 12]; 2]);
        if n <= SMALL {
            let [points, scratch] = &mut small;
            return self.walk(steps, part, &mut points[..n + 6], &mut scratch[..n + 12]);
        }
        self.walk(steps, part, &mut vec![Vec3::zeros(); n + 6], &mut vec![Vec3::zeros(); n + 12])
    }

    fn walk(&self, steps: usize, part: Part, points: &mut [Vec3], scratch: &mut [Vec3]) -> [Vec3; POINTS] {
        points.copy_from_slice(&self.points);
        for _ in 0..steps {
            descend(self.valence, points, scratch);
        }
        refine(self.valence, points, scratch);
        part.pick(self.valence, scratch)
    }
}

/// One step towards the vertex, in place.
fn descend(n: usize, points: &mut [Vec3], scratch: &mut [Vec3]) {
    refine(n, points, scratch);
    // In exact arithmetic the limit stays at the origin; its rounding would be magnified from step to step.
    let drift = limit_point(&scratch[0], &scratch[1..=n]);
    for (p, q) in points.iter_mut().zip(scratch.iter()) {
        *p = (q - drift) * 2.0;
    }
}

/// The N + 12 points of the next level from the N + 6 points.
pub(super) fn refine(n: usize, points: &[Vec3], out: &mut [Vec3]) {
    let (a, ring, x) = (&points[0], &points[1..=n], &points[n + 1..]);
    let (b, c, before_b, after_c) = (&ring[0], &ring[1], &ring[n - 1], &ring[2]);
    out[0] = vertex_point(a, ring);
    for i in 0..n {
        out[i + 1] = edge_point(a, &ring[i], &ring[(i + n - 1) % n], &ring[(i + 1) % n]);
    }
    out[n + 1..n + 12].copy_from_slice(&[
        edge_point(b, before_b, a, &x[0]),
        vertex_point(b, &[*c, *a, *before_b, x[0], x[1], x[2]]),
        edge_point(b, c, a, &x[2]),
        vertex_point(c, &[*a, *b, x[2], x[3], x[4], *after_c]),
        edge_point(c, after_c, a, &x[4]),
        edge_point(b, &x[0], before_b, &x[1]),
        edge_point(b, &x[1], &x[0], &x[2]),
        edge_point(b, &x[2], &x[1], c),
        edge_point(c, &x[2], b, &x[3]),
        edge_point(c, &x[3], &x[2], &x[4]),
        edge_point(c, &x[4], &x[3], after_c),
    ]);
}
