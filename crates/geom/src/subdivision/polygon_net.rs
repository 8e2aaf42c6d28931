//! The control net of Catmull and Clark's scheme and its refinement.
//!
//! Half-edges are those of [`PolygonMesh`]. Refinement makes one quadrilateral of every half-edge h: from the start of
//! h to the middle of its side, the middle of its face, the middle of the side before, and back. Its number is h, its
//! own half-edges are 4h … 4h + 3. So the face f of quadrilaterals becomes 4f … 4f + 3, each beginning at its old
//! vertex.
//!
//! Rules (E. Catmull and J. Clark, Recursively generated B-spline surfaces on arbitrary topological meshes, 1978): a
//! face goes to the mean F of its corners, an edge pq to (p + q + F + F′)/4, a vertex S of valence N with the
//! neighbours e to (N − 2)/N S + (Σe + ΣF)/N².

use crate::Vec3;
use crate::error::Result;
use crate::mesh::PolygonMesh;

/// Polygons around every edge and vertex.
#[derive(Debug, Clone)]
pub(super) struct PolygonNet {
    pub(super) points: Vec<Vec3>,
    /// The vertex at the start of each half-edge.
    starts: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    twins: Vec<u32>,
}

impl PolygonNet {
    /// A closed mesh as a control net; any other is refused.
    pub(super) fn new(mesh: &PolygonMesh) -> Result<Self> {
        let (twins, next) = (mesh.twins()?, mesh.next());
        let mut previous = vec![0; next.len()];
        for (h, &n) in next.iter().enumerate() {
            previous[n as usize] = h as u32;
        }
        Ok(Self { points: mesh.vertices().to_vec(), starts: mesh.corners().to_vec(), next, previous, twins })
    }

    /// How many half-edges there are.
    pub(super) fn half_edge_count(&self) -> usize {
        self.twins.len()
    }

    /// The half-edge along the other side of the edge.
    pub(super) fn twin(&self, h: usize) -> usize {
        self.twins[h] as usize
    }

    fn next(&self, h: usize) -> usize {
        self.next[h] as usize
    }

    fn previous(&self, h: usize) -> usize {
        self.previous[h] as usize
    }

    /// The index of the vertex from which a half-edge starts.
    pub(super) fn start(&self, h: usize) -> usize {
        self.starts[h] as usize
    }

    /// All half-edges from the start of `h`, counter-clockwise from `h`.
    fn spokes(&self, h: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(h), move |&g| Some(self.twin(self.previous(g))).filter(|&g| g != h))
    }

    /// The half-edges of the face of `h`, from `h`.
    fn around(&self, h: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(h), move |&g| Some(self.next(g)).filter(|&g| g != h))
    }

    /// Indices of the 2N + 1 points about the start of `h` in a net of quadrilaterals: itself, then the ends of the
    /// spokes and the corners opposite, counter-clockwise from the end of `h`.
    pub(super) fn ring(&self, h: usize) -> impl Iterator<Item = u32> {
        let pairs = self.spokes(h).flat_map(|g| {
            let next = self.next(g);
            [self.starts[next], self.starts[self.next(next)]]
        });
        std::iter::once(self.starts[h]).chain(pairs)
    }

    /// Indices of the 2N + 8 points that govern a quadrilateral whose corners but the first have valence four: those
    /// about its first corner, then x₀ … x₆ of `catmull_clark_matrix`.
    pub(super) fn surroundings(&self, quad: usize) -> impl Iterator<Item = u32> {
        let h = 4 * quad;
        // Counter-clockwise from the third spoke about each of the other corners, each of which shares two points with
        // the one before.
        let about = |k: usize, spoke: usize| {
            let g = (0..spoke).fold(h + k, |g, _| self.twin(self.previous(g)));
            let next = self.next(g);
            [self.starts[next], self.starts[self.next(next)]]
        };
        // At b: from f₍N−1₎ to x₀, then x₁ to x₂; at c: x₂ to x₃, x₄ to x₅; at d: x₅ to x₆.
        let ([_, x0], [x1, x2]) = (about(1, 2), about(1, 3));
        let ([_, x3], [x4, x5]) = (about(2, 2), about(2, 3));
        let [_, x6] = about(3, 2);
        self.ring(h).chain([x0, x1, x2, x3, x4, x5, x6])
    }

    /// The net of the next level, all of quadrilaterals.
    pub(super) fn refined(&self) -> Self {
        let halves = self.twins.len();
        let (middles, face_points) = self.face_points();
        let mut points = vec![Vec3::zeros(); self.points.len()];
        let mut seen = vec![false; self.points.len()];
        let mut edges = vec![0u32; halves];
        for h in 0..halves {
            let (v, g) = (self.start(h), self.twin(h));
            if !seen[v] {
                seen[v] = true;
                points[v] = self.vertex_point(h, &|h| face_points[middles[h] as usize]);
            }
            if h < g {
                edges[h] = points.len() as u32;
                edges[g] = edges[h];
                let ends = self.points[v] + self.points[self.start(g)];
                points.push(
                    (ends + face_points[middles[h] as usize] + face_points[middles[g] as usize]) * 0.25,
                );
            }
        }
        let first = points.len() as u32;
        points.extend(face_points);
        let mut starts = Vec::with_capacity(4 * halves);
        let mut twins = Vec::with_capacity(4 * halves);
        for h in 0..halves {
            let before = self.previous(h);
            starts.extend([self.starts[h], edges[h], first + middles[h], edges[before]]);
            let across = [
                4 * self.next(self.twin(h)) + 3,
                4 * self.next(h) + 2,
                4 * before + 1,
                4 * self.twin(before),
            ];
            twins.extend(across.map(|h| h as u32));
        }
        let turned = |by: u32| (0..4 * halves as u32).map(|h| h - h % 4 + (h + by) % 4).collect();
        Self { points, starts, next: turned(1), previous: turned(3), twins }
    }

    /// The number of the face of every half-edge, and the mean of every face's corners.
    fn face_points(&self) -> (Vec<u32>, Vec<Vec3>) {
        let mut face = vec![u32::MAX; self.twins.len()];
        let mut points = Vec::new();
        for h in 0..face.len() {
            if face[h] != u32::MAX {
                continue;
            }
            let (mut sum, mut count) = (Vec3::zeros(), 0.0);
            for g in self.around(h) {
                face[g] = points.len() as u32;
                sum += self.points[self.start(g)];
                count += 1.0;
            }
            points.push(sum / count);
        }
        (face, points)
    }

    fn vertex_point(&self, h: usize, face_point: &dyn Fn(usize) -> Vec3) -> Vec3 {
        let p = self.points[self.start(h)];
        let (mut sum, mut n) = (Vec3::zeros(), 0.0);
        // Relative to the vertex: far from the origin no digits of its surroundings are lost.
        for g in self.spokes(h) {
            sum += self.points[self.start(self.next(g))] - p;
            sum += face_point(g) - p;
            n += 1.0;
        }
        p + sum / (n * n)
    }
}
