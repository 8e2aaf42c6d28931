//! Principal curvatures at the vertices of a mesh: an estimate, of second order in the length of the edges.
//!
//! Cazals, Pouget, "Estimating differential quantities using polynomial fitting of osculating jets", CAGD 22 (2005).
//! Over the tangent plane at a vertex, with the axes t, b and the height along its normal n, the surface is the graph
//! z = h_x x + h_y y + ½h_xx x² + h_xy xy + ½h_yy y² + c₁x³ + c₂x²y + c₃xy² + c₄y³ + O(r⁴). The nine coefficients are
//! fitted to the vertices of the rings around it, weighted by 1/r², and the curvatures are those of the graph at the
//! origin. A jet of degree d errs by O(r^{d−1}) in the second derivatives: cubic O(r²), and O(r) where the mesh has
//! too few vertices for a cubic and a quadric is fitted instead.
//!
//! The orders hold for vertices that lie on a smooth surface, whatever the shape of the triangles; tensors per triangle
//! from averaged normals (Rusinkiewicz, 2004) have no such bound where the rings are irregular. Across a sharp edge the
//! estimate is that of a smooth surface through the vertices: finite, and of the order of one over the edges' length.

use super::{Closest, TriMesh};
use crate::curvature::tangents;
use crate::{Curvature, Mat3, Vec3};
use nalgebra::{SMatrix, SVector};

/// Unknowns of a cubic jet through the vertex.
const TERMS: usize = 9;

/// So many vertices at least for a cubic: a third more than unknowns, for the fit to average.
const ENOUGH: usize = 12;

/// Rings are added up to this number until there are enough vertices; two are always used.
const RINGS: usize = 4;

/// At most so many neighbours of one vertex are followed: the pole of a globe may have thousands.
const FOLLOWED: usize = 32;

/// Relative weight of "all coefficients vanish": far above rounding, far below the error of any mesh that is fine
/// enough to speak of curvature. It makes the fit unique where vertices are too few or lie on a conic.
const RIDGE: f64 = 1e-11;

/// Normals and principal curvatures at the vertices of a mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct VertexCurvature {
    normals: Vec<Vec3>,
    curvatures: Vec<Option<Curvature>>,
}

impl VertexCurvature {
    /// The estimate for every vertex of a mesh.
    pub fn new(mesh: &TriMesh) -> Self {
        let adjacency = Adjacency::new(mesh);
        let mut normals = mesh.vertex_normals();
        let frames = normals.clone();
        let mut curvatures = vec![None; normals.len()];
        let mut ring = Ring { stamp: vec![0; normals.len()], members: Vec::new() };
        for v in 0..normals.len() {
            if frames[v] == Vec3::zeros() {
                continue;
            }
            ring.gather(v, &adjacency, &frames);
            let (normal, curvature) = jet(mesh, v, &frames[v], &ring.members);
            normals[v] = normal;
            curvatures[v] = Some(curvature);
        }
        Self { normals, curvatures }
    }

    /// Normals of the fitted surfaces; zero at vertices of no triangle.
    pub fn normals(&self) -> &[Vec3] {
        &self.normals
    }

    /// Curvatures at a vertex; none where there is no such vertex, where it belongs to no triangle or the normals of
    /// its triangles cancel.
    pub fn at_vertex(&self, vertex: usize) -> Option<&Curvature> {
        self.curvatures.get(vertex)?.as_ref()
    }

    /// Curvatures at a point of a triangle: those of the shape operators at its corners, interpolated.
    pub(crate) fn at(&self, mesh: &TriMesh, place: &Closest) -> Curvature {
        let (mut normal, mut shape) = (Vec3::zeros(), Mat3::zeros());
        for (vertex, weight) in mesh.triangles()[place.triangle].into_iter().zip(place.weights) {
            normal += self.normals[vertex as usize] * weight;
            if let Some(c) = &self.curvatures[vertex as usize] {
                shape += c.shape_operator() * weight;
            }
        }
        let normal = normal.try_normalize(f64::EPSILON).unwrap_or_else(|| mesh.normal(place.triangle));
        Curvature::from_implicit(&normal, &shape)
    }

    /// The least and the greatest principal curvature over the vertices, in 1/m.
    pub fn range(&self) -> [f64; 2] {
        self.curvatures.iter().flatten().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], c| {
            [low.min(c.kappa[1]), high.max(c.kappa[0])]
        })
    }
}

/// The neighbours of every vertex, those of vertex v in `list[start[v]..start[v + 1]]`.
struct Adjacency {
    start: Vec<usize>,
    list: Vec<u32>,
}

impl Adjacency {
    fn new(mesh: &TriMesh) -> Self {
        let mut pairs: Vec<[u32; 2]> = Vec::with_capacity(6 * mesh.triangles().len());
        for &[a, b, c] in mesh.triangles() {
            pairs.extend([[a, b], [b, a], [b, c], [c, b], [c, a], [a, c]]);
        }
        pairs.sort_unstable();
        pairs.dedup();
        let start =
            (0..=mesh.vertices().len()).map(|v| pairs.partition_point(|p| (p[0] as usize) < v)).collect();
        Self { start, list: pairs.iter().map(|p| p[1]).collect() }
    }

    /// The neighbours of a vertex, or as many of them, evenly spread, as are followed.
    fn of(&self, vertex: usize) -> impl Iterator<Item = usize> {
        let all = &self.list[self.start[vertex]..self.start[vertex + 1]];
        all.iter().step_by(all.len().div_ceil(FOLLOWED).max(1)).map(|&v| v as usize)
    }
}

/// The vertices around one, gathered ring by ring.
struct Ring {
    /// The last vertex, from one, that each was gathered for.
    stamp: Vec<usize>,
    members: Vec<usize>,
}

impl Ring {
    fn gather(&mut self, vertex: usize, adjacency: &Adjacency, normals: &[Vec3]) {
        self.members.clear();
        self.stamp[vertex] = vertex + 1;
        let mut from = 0;
        for ring in 0..RINGS {
            if ring >= 2 && self.members.len() >= ENOUGH {
                break;
            }
            let until = self.members.len();
            if ring == 0 {
                self.add(vertex, vertex, adjacency, normals);
            }
            for k in from..until {
                self.add(vertex, self.members[k], adjacency, normals);
            }
            from = until;
        }
    }

    fn add(&mut self, vertex: usize, through: usize, adjacency: &Adjacency, normals: &[Vec3]) {
        for other in adjacency.of(through) {
            // A surface that has turned by a right angle is no longer a graph over the tangent plane.
            if self.stamp[other] != vertex + 1 && normals[other].dot(&normals[vertex]) > 0.0 {
                self.stamp[other] = vertex + 1;
                self.members.push(other);
            }
        }
    }
}

/// The normal and the curvatures of the fitted graph.
fn jet(mesh: &TriMesh, vertex: usize, n: &Vec3, ring: &[usize]) -> (Vec3, Curvature) {
    let (t, b) = tangents(n);
    let offsets = || ring.iter().map(|&v| mesh.vertices()[v] - mesh.vertices()[vertex]);
    // In units of the ring's size all terms are of order one.
    let size = offsets().map(|d| d.norm()).fold(0.0, f64::max);
    let mut matrix = SMatrix::<f64, TERMS, TERMS>::zeros();
    let mut right = SVector::<f64, TERMS>::zeros();
    for d in offsets() {
        let d = d / size;
        let (x, y, z) = (d.dot(&t), d.dot(&b), d.dot(n));
        let cubic = if ring.len() >= ENOUGH { 1.0 } else { 0.0 };
        let cubes = [x * x * x, x * x * y, x * y * y, y * y * y].map(|c| c * cubic);
        let terms = [x, y, 0.5 * x * x, x * y, 0.5 * y * y, cubes[0], cubes[1], cubes[2], cubes[3]];
        let terms = SVector::from(terms);
        let distance = d.norm_squared();
        if distance > 0.0 {
            matrix += terms * terms.transpose() * (1.0 / distance);
            right += terms * (z / distance);
        }
    }
    let ridge = RIDGE * matrix.trace();
    matrix += SMatrix::identity() * ridge;
    let Some(fit) = matrix.cholesky().map(|c| c.solve(&right)).filter(|f| f.iter().all(|x| x.is_finite()))
    else {
        return (*n, Curvature::flat(n));
    };
    let normal = (n - t * fit[0] - b * fit[1]).normalize();
    let second = [fit[2], fit[3], fit[4]].map(|c| n * (c / size));
    let curvature = Curvature::from_parametric(
        [&(t + n * fit[0]), &(b + n * fit[1])],
        [&second[0], &second[1], &second[2]],
        &normal,
    );
    (normal, curvature)
}

#[cfg(test)]
mod tests;
