//! Triangles within a chord error: every face is cut into the same number of steps along its sides, so that neighbours
//! share the points of their sides, and the number is doubled until no middle of an edge is too far off its chord.
//! Towards corners about which a surface bends without bound the steps shrink, see [`Faced::grading`].

use super::Faced;
use crate::chart::polygon::Polygon;
use crate::error::{GeomError, Result, positive};
use crate::mesh::topology::Classes;
use crate::tessellate::{MAX_TRIANGLES, SAFETY, above_rounding, distance_to_segment};
use crate::{TriMesh, Vec2, Vec3};

/// Steps along a side at first: an edge that bends to either side would be kept by its middle alone.
const FIRST: usize = 4;

/// Points of all faces at the nodes (i, j)/m of their parameters, j from row to row.
struct Lattice {
    polygon: Polygon,
    m: usize,
    points: Vec<Vec3>,
}

impl Lattice {
    fn new(surface: &impl Faced, m: usize) -> Result<Self> {
        let polygon = surface.polygon();
        let mut lattice = Self { polygon, m, points: Vec::new() };
        lattice.points.reserve(surface.chart_count() * lattice.per_face());
        for face in 0..surface.chart_count() {
            let powers: Vec<f64> = (0..polygon.sides()).map(|k| surface.grading(face, k)).collect();
            for j in 0..=m {
                for i in 0..=m {
                    let at = Vec2::new(i as f64 / m as f64, j as f64 / m as f64);
                    // Half of the square is no part of a triangle and never used.
                    lattice.points.push(if lattice.holds(i, j) {
                        surface.point_at(face, &graded(polygon, &powers, &at))?
                    } else {
                        Vec3::zeros()
                    });
                }
            }
        }
        Ok(lattice)
    }

    fn holds(&self, i: usize, j: usize) -> bool {
        match self.polygon {
            Polygon::Triangle => i + j <= self.m,
            Polygon::Square => true,
        }
    }

    fn per_face(&self) -> usize {
        (self.m + 1) * (self.m + 1)
    }

    fn id(&self, face: usize, [i, j]: [usize; 2]) -> usize {
        face * self.per_face() + j * (self.m + 1) + i
    }

    /// The node `step` steps from corner k along side k.
    fn on_side(&self, side: usize, step: usize) -> [usize; 2] {
        let m = self.m;
        match (self.polygon, side) {
            (_, 0) => [step, 0],
            (Polygon::Triangle, 1) => [m - step, step],
            (Polygon::Square, 1) => [m, step],
            (Polygon::Square, 2) => [m - step, m],
            _ => [0, m - step],
        }
    }

    /// The triangles of a face whose nodes are `stride` steps apart, cut along the shorter diagonals.
    fn triangles(&self, face: usize, stride: usize) -> Vec<[[usize; 2]; 3]> {
        let mut out = Vec::new();
        let length = |a: [usize; 2], b: [usize; 2]| {
            (self.points[self.id(face, a)] - self.points[self.id(face, b)]).norm_squared()
        };
        for j in (0..self.m).step_by(stride) {
            for i in (0..self.m).step_by(stride) {
                let [a, b, c, d] = [[i, j], [i + stride, j], [i + stride, j + stride], [i, j + stride]];
                match self.polygon {
                    Polygon::Triangle if self.holds(c[0], c[1]) => out.extend([[a, b, d], [b, c, d]]),
                    Polygon::Triangle if self.holds(b[0], b[1]) => out.push([a, b, d]),
                    Polygon::Triangle => {}
                    Polygon::Square if length(a, c) <= length(b, d) => out.extend([[a, b, c], [a, c, d]]),
                    Polygon::Square => out.extend([[a, b, d], [b, c, d]]),
                }
            }
        }
        out
    }

    /// How far the nodes between leave the triangles of every other node. An edge that bends within the surface leaves
    /// no triangle by that: what counts is the distance from the plane, or from the edge where that is less.
    fn deviation(&self, faces: usize) -> f64 {
        let mut worst = 0f64;
        for face in 0..faces {
            for triangle in self.triangles(face, 2) {
                let [a, b, c] = triangle.map(|node| self.points[self.id(face, node)]);
                let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Vec3::zeros);
                for k in 0..3 {
                    let (i, j) = (triangle[k], triangle[(k + 1) % 3]);
                    let middle = [(i[0] + j[0]) / 2, (i[1] + j[1]) / 2];
                    let [i, j, p] = [i, j, middle].map(|node| &self.points[self.id(face, node)]);
                    let off_plane = (p - a).dot(&normal).abs();
                    worst = worst.max(off_plane.min(distance_to_segment(p, i, j)));
                }
            }
        }
        worst
    }

    /// The mesh of every other node; nodes that are the same point are one vertex.
    fn mesh(&self, surface: &impl Faced) -> Result<TriMesh> {
        let mut same = Classes::new(self.points.len());
        let sides = self.polygon.sides();
        for face in 0..surface.chart_count() {
            for side in 0..sides {
                let here = |step: usize| self.id(face, self.on_side(side, step));
                if let Some([other, across]) = surface.across(face, side) {
                    for step in 0..=self.m {
                        same.unite(here(step), self.id(other, self.on_side(across, self.m - step)));
                    }
                }
                if surface.is_pole(face, side) {
                    (1..=self.m).for_each(|step| same.unite(here(0), here(step)));
                }
            }
        }
        let mut numbers = vec![u32::MAX; self.points.len()];
        let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
        for face in 0..surface.chart_count() {
            for triangle in self.triangles(face, 2) {
                let corners = triangle.map(|node| {
                    let root = same.root(self.id(face, node));
                    if numbers[root] == u32::MAX {
                        numbers[root] = vertices.len() as u32;
                        vertices.push(self.points[root]);
                    }
                    numbers[root]
                });
                // At a pole a side of the triangle is a point.
                if corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0] {
                    triangles.push(corners);
                }
            }
        }
        TriMesh::new(vertices, triangles)
    }
}

/// A node drawn to the corner in whose half of the face it lies; nodes on a side stay on it, whichever face is asked.
fn graded(polygon: Polygon, powers: &[f64], at: &Vec2) -> Vec2 {
    for (k, &power) in powers.iter().enumerate() {
        let local = polygon.local(k, at);
        let reach = 2.0 * if polygon == Polygon::Triangle { local.sum() } else { local.max() };
        if power > 1.0 && reach > 0.0 && reach < 1.0 {
            return polygon.global(k, &(local * reach.powf(power - 1.0)));
        }
    }
    *at
}

/// The mesh of a surface, closed where the surface is.
pub(super) fn mesh(surface: &impl Faced, chord: f64) -> Result<TriMesh> {
    let chord = positive("chord", chord)?;
    let halves = super::halves(surface.polygon()).len();
    let mut steps = FIRST;
    while surface.chart_count() * steps * steps * halves <= MAX_TRIANGLES {
        let lattice = Lattice::new(surface, 2 * steps)?;
        above_rounding(chord, &lattice.points)?;
        if lattice.deviation(surface.chart_count()) <= SAFETY * chord {
            return lattice.mesh(surface);
        }
        steps *= 2;
    }
    Err(GeomError::OutOfRange {
        field: "chord".to_owned(),
        value: chord,
        allowed: format!("large enough for at most {MAX_TRIANGLES} triangles"),
    })
}
