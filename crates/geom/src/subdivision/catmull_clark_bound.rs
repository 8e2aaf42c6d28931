//! What is proved of Catmull and Clark's surface: third derivatives of its bicubics, and its step about a vertex for
//! `vertex`.
//!
//! Derivatives of uniform B-splines are B-splines of the differences of their control points, within whose hull they
//! lie: ∣∂ᵏ⁺ˡx∣ ≤ max ∣ΔᵏΔˡP∣.

use super::CatmullClarkSurface;
use super::bicubic::{self, Grid, ORDER};
use super::catmull_clark_matrix::{self as matrix, count, descend, eigenvalue, grid, refine, refined_count};
use super::enclosure::Pieces;
use super::loop_bound::ends;
use super::quad::seen_from;
use super::vertex::{self, Fan, Scheme, Vertex};
use crate::Vec3;
use crate::chart::Cell;
use std::collections::BTreeMap;

/// Levels about a vertex that a cell may reach over.
const LEVELS: usize = 6;

/// The deepest level about a vertex at which bicubics are asked for.
const DEEPEST: f64 = 48.0;

/// Roundings of differences, in units of 2⁻⁵² of the greatest control point.
const ROUNDINGS: f64 = 256.0;

/// The quadrilaterals beside the one at the vertex.
const PARTS: [[usize; 2]; 3] = [[1, 0], [1, 1], [0, 1]];

/// Bounds of ∂³x/∂s³, ∂³x/∂s²∂t, ∂³x/∂s∂t², ∂³x/∂t³ over the unit square.
fn third_of(control: &Grid) -> [f64; 4] {
    let most = control.iter().flatten().map(|p| p.norm()).fold(0.0, f64::max);
    [0, 1, 2, 3].map(|l| {
        let mut net = *control;
        let (mut columns, mut rows) = (ORDER, ORDER);
        for step in 0..3 {
            if step < 3 - l {
                columns -= 1;
                (0..rows).for_each(|j| (0..columns).for_each(|i| net[j][i] = net[j][i + 1] - net[j][i]));
            } else {
                rows -= 1;
                (0..rows).for_each(|j| (0..columns).for_each(|i| net[j][i] = net[j + 1][i] - net[j][i]));
            }
        }
        let differences = net.iter().take(rows).flat_map(|row| row.iter().take(columns));
        differences.map(|p| p.norm()).fold(0.0, f64::max) + ROUNDINGS * f64::EPSILON * most
    })
}

impl CatmullClarkSurface {
    /// Bounds along s and t about an extraordinary vertex over a cell with the corners `at`; none where it reaches over
    /// too many levels.
    fn third_about(&self, quad: usize, at: &[[f64; 2]; 3]) -> Option<[f64; 4]> {
        let n = self.valence(quad);
        let (s, t) = (ends(at.map(|x| x[0])), ends(at.map(|x| x[1])));
        let farthest = s[1].max(t[1]).min(1.0);
        // max(s, t) ≥ (s + t)/2, which is linear.
        let nearest = (0.5 * ends(at.map(|x| x[0] + x[1]))[0]).max(s[0]).max(t[0]).min(1.0);
        let [from, to] = [farthest, nearest].map(|r| (-r.log2()).floor());
        if !(to <= DEEPEST && to - from < LEVELS as f64) {
            return None;
        }
        let mut points = self.points_of(quad);
        let limit = matrix::limit_point(&points[0], &points[1..=2 * n]);
        points.iter_mut().for_each(|p| *p -= limit);
        let mut scratch = vec![Vec3::zeros(); refined_count(n)];
        let mut most = [0.0f64; 4];
        // One level more than the nearest point has: it may lie on the border to it.
        for level in 0..=to as i32 + 1 {
            let h = 0.5f64.powi(level);
            if level >= from as i32 {
                refine(n, &points, &mut scratch);
                // Points are magnified by two per step; s and t are halved by one step more.
                let factor = 8.0 * 4f64.powi(level);
                for [i, j] in PARTS {
                    let overlaps = |x: [f64; 2], part: usize| {
                        if part == 1 { x[1] >= 0.5 * h && x[0] <= h } else { x[0] <= 0.5 * h }
                    };
                    if overlaps(s, i) && overlaps(t, j) {
                        let part = third_of(&grid(n, i, j, |i| scratch[i]));
                        (0..4).for_each(|k| most[k] = most[k].max(part[k] * factor));
                    }
                }
            }
            descend(n, &mut points, &mut scratch);
        }
        Some(most)
    }

    /// The fans of all extraordinary corners.
    fn fans(&self) -> &BTreeMap<usize, Fan> {
        self.fans.get_or_init(|| {
            let mut vertices = BTreeMap::new();
            let quads = (0..4 * self.face_count()).filter(|quad| self.valence(*quad) != 4);
            let fan = |quad: usize| {
                let n = self.valence(quad);
                let vertex = vertices.entry(n).or_insert_with(|| Vertex::new::<CatmullClark>(n)).as_ref()?;
                Some((quad, vertex::fan::<CatmullClark>(n, vertex, &self.points_of(quad))?))
            };
            quads.filter_map(fan).collect()
        })
    }
}

impl Pieces for CatmullClarkSurface {
    fn third(&self, cell: &Cell) -> Option<[f64; 4]> {
        let mut most = [0.0f64; 4];
        for corner in 0..4 {
            let at = cell.corners.map(|w| seen_from(corner, [w.x, w.y]).map(|x| 2.0 * x));
            if (0..2).any(|k| ends(at.map(|x| x[k]))[0] > 1.0) {
                continue;
            }
            let quad = 4 * cell.chart + corner;
            let mut part = if self.valence(quad) == 4 {
                let points = self.points_of(quad);
                third_of(&grid(4, 0, 0, |i| points[i]))
            } else {
                self.third_about(quad, &at)?
            };
            // Seen from the corners one and three s runs along v.
            if corner % 2 == 1 {
                part.reverse();
            }
            (0..4).for_each(|k| most[k] = most[k].max(8.0 * part[k]));
        }
        Some(most)
    }

    fn fan(&self, face: usize, corner: usize) -> Option<&Fan> {
        self.fans().get(&(4 * face + corner))
    }
}

/// Catmull and Clark's scheme about a vertex.
pub(super) struct CatmullClark;

impl Scheme for CatmullClark {
    /// A derivative is a mean of differences of control points.
    const SLOPE: f64 = 2.0;

    fn counts(n: usize) -> [usize; 2] {
        [count(n), refined_count(n)]
    }

    fn ring(n: usize) -> usize {
        2 * n
    }

    fn refine(n: usize, points: &[Vec3], out: &mut [Vec3]) {
        refine(n, points, out);
    }

    fn limit_point(p: &Vec3, ring: &[Vec3]) -> Vec3 {
        matrix::limit_point(p, ring)
    }

    fn limit_tangents(p: &Vec3, ring: &[Vec3]) -> [Vec3; 2] {
        matrix::limit_tangents(p, ring)
    }

    fn lambda(n: usize) -> f64 {
        eigenvalue(n, 1)
    }

    fn normals(n: usize, refined: &[Vec3], tell: &mut dyn FnMut(&Vec3)) {
        for [i, j] in PARTS {
            bicubic::normals(&grid(n, i, j, |i| refined[i])).iter().flatten().for_each(&mut *tell);
        }
    }
}
