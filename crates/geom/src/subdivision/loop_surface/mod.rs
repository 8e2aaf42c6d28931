//! Loop's subdivision surface over a closed triangle mesh, evaluated exactly (J. Stam, Evaluation of Loop Subdivision
//! Surfaces, SIGGRAPH 98 course notes).
//!
//! Every triangle of the control mesh is a face with the parameters u, v ≥ 0, u + v ≤ 1: its corners are at (0, 0),
//! (1, 0) and (0, 1), its barycentric coordinates are (1 − u − v, u, v). One refinement leaves at most one
//! extraordinary vertex (of a valence other than six) per triangle, at its first corner. A triangle without one is a
//! quartic (`box_spline`). In a triangle with one, the point (s, t) lies after n − 1 steps towards the vertex, 2⁻ⁿ <
//! s + t ≤ 2¹⁻ⁿ, in one of three regular triangles (eq. 4). Where Stam raises the matrix A to its power through its
//! eigenvectors, here the steps are taken one by one on control points relative to the vertex's limit point, magnified
//! by two each time: the weights are positive and sum to one, so that rounding does not grow, and no valence needs a
//! decomposition of its own.
//!
//! Derivatives of x(s, t) at depth n are those of the quartic times ±2 to the power of their order times n, so that
//! first derivatives tend to zero (valence below six) or infinity (above) at an extraordinary vertex, where only the
//! point and the tangent plane exist: see [`LoopSurface::limit`]. At the distance r = s + t from it a derivative of
//! order m carries a rounding error of some 1e-16 |∂x|/r^(m−1), |∂x| the size of the first derivatives there; that is
//! small against the derivative itself but where the leading term has none, as the third ones at valence three.
//!
//! Across every side, vertices apart, the surface is twice continuously differentiable in the parameters of one face
//! continued over its neighbour by [`Crossing::map`].
//!
//! Meshes with a border are refused: a body that rolls has none.

use super::loop_atlas::cut;
use super::loop_matrix::{limit_point, limit_tangents};
use super::loop_pieces::{Pieces, TriangleParameters};
use super::mesh::ControlNet;
use super::vertex::Fan;
use crate::error::{GeomError, Result, places, within};
use crate::surface::{ParametricJet, faces};
use crate::{Aabb, TriMesh, Vec3};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Steps towards an extraordinary vertex beyond which a point counts as the vertex: third derivatives grow up to 4 per
/// step and must stay finite.
const DEEPEST: usize = 256;

/// How far u + v may exceed one: what rounding leaves of points on the side between the corners 1 and 2.
const SLACK: f64 = 4.0 * f64::EPSILON;

/// Derivatives of the barycentric coordinates along u and v.
pub(super) const GRADIENTS: [[f64; 2]; 3] = [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]];

/// Loop's subdivision surface.
#[derive(Debug, Clone)]
pub struct LoopSurface {
    /// The control net after one refinement.
    pub(super) net: ControlNet,
    pub(super) pieces: Pieces,
    /// Per face and corner how far from an extraordinary vertex the face ends as a chart; zero where it is regular.
    pub(super) cuts: Vec<[f64; 3]>,
    bounds: Aabb,
    /// What is proved about extraordinary corners, by their triangles, once it is asked for.
    pub(super) fans: OnceLock<BTreeMap<usize, Fan>>,
}

/// What the surface has at a control vertex, of whatever valence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit {
    /// The point of the surface.
    pub point: Vec3,
    /// Two tangents, not normalised, whose cross product points outwards; the first one lies along the side that begins
    /// here.
    pub tangents: [Vec3; 2],
    /// How many faces meet.
    pub valence: usize,
}

impl Limit {
    /// The outer unit normal; NaN where the control points around make no tangent plane.
    pub fn normal(&self) -> Vec3 {
        self.tangents[0].cross(&self.tangents[1]).normalize()
    }
}

/// The way over a side of a face into its neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crossing {
    /// The side that is left.
    pub from: usize,
    /// The neighbour.
    pub face: usize,
    /// The neighbour's side that is entered; it runs against the side that is left.
    pub side: usize,
}

impl Crossing {
    /// The neighbour's parameters of a point of the left face, or of its continuation beyond the side.
    pub fn map(&self, u: f64, v: f64) -> [f64; 2] {
        let b = [1.0 - u - v, u, v];
        let mut out = [0.0; 3];
        let (start, end, apex) = (b[self.from], b[(self.from + 1) % 3], b[(self.from + 2) % 3]);
        out[self.side] = end + apex;
        out[(self.side + 1) % 3] = start + apex;
        out[(self.side + 2) % 3] = -apex;
        [out[1], out[2]]
    }

    /// The constant derivative of [`Self::map`]: rows are the neighbour's u and v, columns the left face's.
    pub fn derivative(&self) -> [[f64; 2]; 2] {
        let origin = self.map(0.0, 0.0);
        let (u, v) = (self.map(1.0, 0.0), self.map(0.0, 1.0));
        [[u[0] - origin[0], v[0] - origin[0]], [u[1] - origin[1], v[1] - origin[1]]]
    }
}

impl LoopSurface {
    /// The surface of a control mesh, which must be closed and have three triangles or more at every vertex.
    pub fn new(control: &TriMesh) -> Result<Self> {
        places("vertices", control.vertices())?;
        Self::of_refined(ControlNet::new(control)?.refined())
    }

    fn of_refined(net: ControlNet) -> Result<Self> {
        let pieces = Pieces::new(&net);
        let cuts = (0..net.triangles.len() / 4)
            .map(|face| [0, 1, 2].map(|k| pieces.extraordinary(4 * face + k).map_or(0.0, cut)))
            .collect();
        let mut surface = Self { net, pieces, cuts, bounds: Aabb::EMPTY, fans: OnceLock::new() };
        surface.bounds = faces::bounds(&surface)?;
        Ok(surface)
    }

    /// How many faces there are: the triangles of the control mesh, in their order.
    pub fn face_count(&self) -> usize {
        self.net.triangles.len() / 4
    }

    /// The box around the surface.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The point at (u, v) of a face.
    pub fn point(&self, face: usize, u: f64, v: f64) -> Result<Vec3> {
        self.within_face(face, u, v)?;
        let (spot, _) = spot(face, u, v);
        if self.is_vertex(&spot) {
            return Ok(self.limit_of(spot.triangle).point);
        }
        Ok(self.pieces.jet(&spot).p + self.pieces.origin(spot.triangle))
    }

    /// The point at (u, v) of a face and its derivatives to third order. At an extraordinary vertex there are none,
    /// which is an error.
    pub fn jet(&self, face: usize, u: f64, v: f64) -> Result<ParametricJet> {
        self.within_face(face, u, v)?;
        let (mut jet, origin) = self.relative_jet(face, u, v)?;
        jet.p += origin;
        Ok(jet)
    }

    /// The jet at (u, v) of a face or beyond its sides, and the point to which it is relative: the limit point of an
    /// extraordinary vertex close by.
    pub(super) fn relative_jet(&self, face: usize, u: f64, v: f64) -> Result<(ParametricJet, Vec3)> {
        let (spot, gradient) = spot(face, u, v);
        if self.is_vertex(&spot) {
            let valence = self.net.valence(3 * spot.triangle);
            return Err(GeomError::Undefined {
                surface: "Loop surface",
                quantity: "derivative",
                reason: format!(
                    "(u, v) = ({u}, {v}) of face {face} is a vertex of valence {valence}; ask for its limit"
                ),
            });
        }
        Ok((reparametrised(&self.pieces.jet(&spot), &gradient), self.pieces.origin(spot.triangle)))
    }

    /// Point and tangents at a corner (0, 1 or 2) of a face.
    pub fn limit(&self, face: usize, corner: usize) -> Result<Limit> {
        self.known("face", face, self.face_count())?;
        self.known("corner", corner, 3)?;
        Ok(self.limit_of(4 * face + corner))
    }

    /// The neighbour across a side of a face; side k runs from corner k to corner k + 1.
    pub fn across(&self, face: usize, side: usize) -> Result<Crossing> {
        self.known("face", face, self.face_count())?;
        self.known("side", side, 3)?;
        // The first half of the side belongs to the triangle at its start; the twin ends the neighbour's side.
        let twin = self.net.twin(3 * (4 * face + side)) / 3;
        Ok(Crossing { from: side, face: twin / 4, side: (twin % 4 + 2) % 3 })
    }

    fn known(&self, field: &str, index: usize, count: usize) -> Result<()> {
        if index < count {
            return Ok(());
        }
        let (field, allowed) = (field.to_owned(), format!("a whole number below {count}"));
        Err(GeomError::OutOfRange { field, value: index as f64, allowed })
    }

    pub(super) fn limit_of(&self, triangle: usize) -> Limit {
        let (p, ring) = self.net.ring(3 * triangle);
        Limit { point: limit_point(&p, &ring), tangents: limit_tangents(&p, &ring), valence: ring.len() }
    }

    fn within_face(&self, face: usize, u: f64, v: f64) -> Result<()> {
        self.known("face", face, self.face_count())?;
        within("u", u, 0.0, 1.0, "from 0 to 1")?;
        within("v", v, 0.0, 1.0, "from 0 to 1")?;
        within("u + v", u + v, 0.0, 1.0 + SLACK, "from 0 to 1")?;
        Ok(())
    }

    /// Whether a spot is an extraordinary vertex, as far as numbers can tell.
    fn is_vertex(&self, spot: &TriangleParameters) -> bool {
        spot.choice[0] + spot.choice[1] <= 0.5f64.powi(DEEPEST as i32)
            && self.pieces.extraordinary(spot.triangle).is_some()
    }
}

/// The triangle of the refined net at a point, or at the point of the face nearest to it, the point's parameters there
/// and their derivatives along u and v.
fn spot(face: usize, u: f64, v: f64) -> (TriangleParameters, [[f64; 2]; 2]) {
    let b = [1.0 - u - v, u, v];
    let beyond = -b[0].min(b[1]).min(b[2]).min(0.0);
    let near = if beyond > 0.0 {
        let cut = b.map(|x| x.max(0.0));
        cut.map(|x| x / (cut[0] + cut[1] + cut[2]))
    } else {
        b
    };
    let double = |k: usize, sign: f64| GRADIENTS[k % 3].map(|x| sign * 2.0 * x);
    let Some(k) = (0..3).find(|&k| near[k] >= 0.5) else {
        let [s, t] = [1.0 - 2.0 * b[0], 1.0 - 2.0 * b[1]];
        let choice = [1.0 - 2.0 * near[0], 1.0 - 2.0 * near[1]];
        return (
            TriangleParameters { triangle: 4 * face + 3, s, t, choice },
            [double(0, -1.0), double(1, -1.0)],
        );
    };
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    let mut choice = [2.0 * near[i], 2.0 * near[j]];
    let distance = choice[0] + choice[1];
    if distance < beyond && beyond > SLACK {
        // The quartics at the vertex are too small to be continued so far.
        choice = if distance > 0.0 { choice.map(|x| x * (beyond / distance)) } else { [0.5 * beyond; 2] };
    }
    let spot = TriangleParameters { triangle: 4 * face + k, s: 2.0 * b[i], t: 2.0 * b[j], choice };
    (spot, [double(k + 1, 1.0), double(k + 2, 1.0)])
}

/// The derivatives along (u, v) from those along (s, t), where (s, t) is affine in (u, v) with the given gradients.
pub(crate) fn reparametrised(jet: &ParametricJet, [s, t]: &[[f64; 2]; 2]) -> ParametricJet {
    let (u, v) = ([s[0], t[0]], [s[1], t[1]]);
    let first = |a: [f64; 2]| jet.du * a[0] + jet.dv * a[1];
    let second = |a: [f64; 2], b: [f64; 2]| {
        jet.duu * (a[0] * b[0]) + jet.duv * (a[0] * b[1] + a[1] * b[0]) + jet.dvv * (a[1] * b[1])
    };
    let third = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
        let uuv = a[0] * b[0] * c[1] + a[0] * b[1] * c[0] + a[1] * b[0] * c[0];
        let uvv = a[0] * b[1] * c[1] + a[1] * b[0] * c[1] + a[1] * b[1] * c[0];
        let (uuu, vvv) = (a[0] * b[0] * c[0], a[1] * b[1] * c[1]);
        jet.duuu * uuu + jet.duuv * uuv + jet.duvv * uvv + jet.dvvv * vvv
    };
    ParametricJet {
        p: jet.p,
        du: first(u),
        dv: first(v),
        duu: second(u, u),
        duv: second(u, v),
        dvv: second(v, v),
        duuu: third(u, u, u),
        duuv: third(u, u, v),
        duvv: third(u, v, v),
        dvvv: third(v, v, v),
    }
}

#[cfg(test)]
mod tests;
