//! Table I of Kry and Pai (2002): what a point of a surface costs with all its derivatives to third order.
//!
//! As in the paper, the mean of many evaluations one after the other, here at parameters spread at random over the
//! patch.
//!
//! - The patch of a Loop surface has one extraordinary vertex, or none. It is a face of a control mesh whose
//!   triangles are cut into four: a torus without, two fans of n triangles with vertices of valence n.
//! - The paper does not say of which depth its S-patches are. Its times grow from three sides to five as 1 : 6.7 and
//!   from five to ten as 1 : 18; the numbers of control points do so as 1 : 6 and 1 : 16 at depth five, as 1 : 4.7
//!   and 1 : 10 at depth four, as 1 : 7.5 and 1 : 24 at depth six. Depth five it is.
//! - The bicubic patch is the paper's rattleback.

use super::stone;
use crate::error::{Result, positive};
use rattleback_geom::patch::SPatch;
use rattleback_geom::subdivision::LoopSurface;
use rattleback_geom::surface::{Parametric, ParametricJet};
use rattleback_geom::{TriMesh, Vec2, Vec3};
use std::collections::HashMap;
use std::f64::consts::{PI, TAU};
use std::hint::black_box;
use std::time::Instant;

/// Evaluations of which the paper takes the mean.
pub const EVALUATIONS: usize = 10_000;
/// Depth of the S-patches.
pub const DEPTH: usize = 5;
/// From so many sides on an S-patch is evaluated only so many times fewer: its mean needs no more, and it takes its
/// time.
const SLOW: (usize, usize) = (10, 20);

/// Valences and the paper's times in ms on a Pentium II of 350 MHz; six is the regular patch.
const LOOP: [(usize, &str, f64); 5] = [
    (6, "Loop regular", 0.2413),
    (3, "Loop extraordinary, valence 3", 0.1683),
    (5, "Loop extraordinary, valence 5", 0.1933),
    (7, "Loop extraordinary, valence 7", 0.2223),
    (10, "Loop extraordinary, valence 10", 0.2654),
];
/// Numbers of sides and the paper's times in ms.
const SPATCH: [(usize, &str, f64); 4] = [
    (3, "S-patch, 3 sides", 0.1632),
    (4, "S-patch, 4 sides", 0.4466),
    (5, "S-patch, 5 sides", 1.1006),
    (10, "S-patch, 10 sides", 20.0248),
];
/// The paper's time in ms.
const BEZIER: (&str, f64) = ("bicubic Bézier", 0.0801);

/// A line of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// The surface.
    pub name: &'static str,
    /// Mean time of an evaluation here, in ns.
    pub nanoseconds: f64,
    /// The paper's, in ms.
    pub paper_milliseconds: f64,
}

/// Measures all lines of the table, in the paper's order, with the mean of so many evaluations each, fewer of the
/// slowest.
pub fn rows(evaluations: usize) -> Result<Vec<Row>> {
    positive("evaluations", evaluations as f64)?;
    let mut rows = Vec::new();
    for (valence, name, paper_milliseconds) in LOOP {
        let surface = LoopSurface::new(&loop_mesh(valence)?)?;
        let places = triangle(evaluations);
        let nanoseconds = mean(&places, |p| Ok(surface.jet(0, p.x, p.y)?))?;
        rows.push(Row { name, nanoseconds, paper_milliseconds });
    }
    for (sides, name, paper_milliseconds) in SPATCH {
        let patch = spatch(sides)?;
        let count = if sides < SLOW.0 { evaluations } else { evaluations.div_ceil(SLOW.1) };
        let places = disc(count, (PI / sides as f64).cos());
        let nanoseconds = mean(&places, |p| Ok(patch.jet(p.x, p.y)))?;
        rows.push(Row { name, nanoseconds, paper_milliseconds });
    }
    let patch = stone::patch()?;
    let nanoseconds = mean(&square(evaluations), |p| Ok(patch.jet(p.x, p.y)))?;
    rows.push(Row { name: BEZIER.0, nanoseconds, paper_milliseconds: BEZIER.1 });
    Ok(rows)
}

/// The mean time of an evaluation in ns.
fn mean(places: &[Vec2], evaluate: impl Fn(&Vec2) -> Result<ParametricJet>) -> Result<f64> {
    let begin = Instant::now();
    for place in places {
        black_box(evaluate(black_box(place))?);
    }
    Ok(begin.elapsed().as_secs_f64() * 1e9 / places.len() as f64)
}

/// Points of the unit square, the same in every run.
fn square(count: usize) -> Vec<Vec2> {
    let mut state = 0;
    let mut number = move || rattleback_random::unit(&mut state);
    (0..count).map(|_| Vec2::new(number(), number())).collect()
}

/// Points of the triangle u + v ≤ 1: the square folded over.
fn triangle(count: usize) -> Vec<Vec2> {
    let fold = |p: Vec2| if p.x + p.y > 1.0 { Vec2::new(1.0 - p.x, 1.0 - p.y) } else { p };
    square(count).into_iter().map(fold).collect()
}

/// Points of a disc about the origin.
fn disc(count: usize, radius: f64) -> Vec<Vec2> {
    let polar = |p: Vec2| {
        let (sin, cos) = (TAU * p.y).sin_cos();
        Vec2::new(cos, sin) * (radius * p.x.sqrt())
    };
    square(count).into_iter().map(polar).collect()
}

/// A control mesh whose first face begins at a vertex of the given valence and has no other extraordinary one.
fn loop_mesh(valence: usize) -> Result<TriMesh> {
    let coarse = if valence == 6 { torus()? } else { fans(valence)? };
    let mut points = coarse.vertices().to_vec();
    let mut middles = HashMap::new();
    let mut triangles = Vec::new();
    for &corners in coarse.triangles() {
        let m = [0, 1, 2].map(|k| {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                points.push(0.5 * (points[a as usize] + points[b as usize]));
                points.len() as u32 - 1
            })
        });
        triangles.extend([0, 1, 2].map(|k| [corners[k], m[k], m[(k + 2) % 3]]));
        triangles.push(m);
    }
    Ok(TriMesh::new(points, triangles)?)
}

/// Two apices over a ring of n points.
fn fans(n: usize) -> Result<TriMesh> {
    let mut points = vec![Vec3::z(), -Vec3::z()];
    points.extend((0..n).map(|i| {
        let (sin, cos) = (TAU * i as f64 / n as f64).sin_cos();
        Vec3::new(cos, sin, 0.0)
    }));
    let ring = |i: usize| (2 + i % n) as u32;
    let triangles = (0..n).flat_map(|i| [[0, ring(i), ring(i + 1)], [1, ring(i + 1), ring(i)]]).collect();
    Ok(TriMesh::new(points, triangles)?)
}

/// A torus of 6 × 6 squares, cut along their diagonals: all valences are six.
fn torus() -> Result<TriMesh> {
    const N: usize = 6;
    let angle = |k: usize| TAU * k as f64 / N as f64;
    let point = |k: usize| {
        let (around, tube) = (angle(k / N), angle(k % N));
        let radius = 1.0 + 0.4 * tube.cos();
        Vec3::new(radius * around.cos(), radius * around.sin(), 0.4 * tube.sin())
    };
    let at = |i: usize, j: usize| (i % N * N + j % N) as u32;
    let cut = |k: usize| {
        let (i, j) = (k / N, k % N);
        let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
        [[a, b, c], [a, c, d]]
    };
    Ok(TriMesh::new((0..N * N).map(point).collect(), (0..N * N).flat_map(cut).collect())?)
}

/// A shallow cap: control points over the means of the polygon's corners.
fn spatch(sides: usize) -> Result<SPatch> {
    let patch = SPatch::from_fn(sides, DEPTH, |index| {
        let corner = |k: usize| {
            let (sin, cos) = (TAU * k as f64 / sides as f64).sin_cos();
            Vec2::new(cos, sin)
        };
        let sum: Vec2 = index.iter().enumerate().map(|(k, &i)| corner(k) * i as f64).sum();
        let mean = sum / DEPTH as f64;
        Vec3::new(mean.x, mean.y, 0.3 * (1.0 - mean.norm_squared()))
    })?;
    Ok(patch)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn the_table_has_the_lines_of_the_paper() {
        let rows = rows(20).unwrap();
        assert_eq!(rows.len(), 10);
        assert!(rows.iter().all(|row| row.nanoseconds > 0.0 && row.nanoseconds.is_finite()));
        let sum: f64 = rows.iter().map(|row| row.paper_milliseconds).sum();
        assert!((sum - 22.9059).abs() < 1e-12);
        assert!(super::rows(0).unwrap_err().to_string().starts_with("evaluations = 0"));
    }

    #[test]
    fn the_first_face_has_one_extraordinary_vertex_or_none() {
        for (valence, ..) in LOOP {
            let surface = LoopSurface::new(&loop_mesh(valence).unwrap()).unwrap();
            let found = [0, 1, 2].map(|corner| surface.limit(0, corner).unwrap().valence);
            assert_eq!(found, [valence, 6, 6]);
        }
    }

    #[test]
    fn parameters_stay_in_their_patches_and_reach_everywhere() {
        let places = triangle(1000);
        assert!(places.iter().all(|p| p.x >= 0.0 && p.y >= 0.0 && p.x + p.y <= 1.0));
        let mean: Vec2 = places.iter().sum::<Vec2>() / 1000.0;
        assert!((mean - Vec2::repeat(1.0 / 3.0)).norm() < 0.02);
        let places = disc(1000, 0.5);
        assert!(places.iter().all(|p| p.norm() <= 0.5) && places.iter().sum::<Vec2>().norm() < 20.0);
        assert_eq!(spatch(5).unwrap().control().len(), 126);
    }
}
