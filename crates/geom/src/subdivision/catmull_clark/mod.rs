//! Catmull and Clark's subdivision surface over a closed mesh of polygons, evaluated exactly (J. Stam, Exact evaluation
//! of Catmull–Clark subdivision surfaces at arbitrary parameter values, SIGGRAPH 98).
//!
//! Every quadrilateral of the control mesh is a face with the parameters u, v from 0 to 1; its corners are at (0, 0),
//! (1, 0), (1, 1) and (0, 1). A mesh with any other polygon is refined once first: then a face belongs to every corner
//! of every polygon, in their order, and begins at that corner.
//!
//! One more refinement leaves at most one extraordinary vertex (of a valence other than four) per quadrilateral, at its
//! first corner. A quadrilateral without one is a bicubic (`bicubic`). In one with it the point (s, t) lies after n − 1
//! steps towards the vertex, 2⁻ⁿ < max(s, t) ≤ 2¹⁻ⁿ, in one of three regular quadrilaterals. Where Stam raises the
//! matrix A to its power through its eigenvectors, here the steps are taken one by one on control points relative to
//! the vertex's limit point, magnified by two each time: the weights are positive and sum to one, so that rounding does
//! not grow, and no valence needs a decomposition of its own.
//!
//! Derivatives at depth n are those of the bicubic times 2 to the power of their order times n, so that first
//! derivatives tend to zero (valence three) or infinity (above four) at an extraordinary vertex, where only the point
//! and the tangent plane exist: see [`CatmullClarkSurface::limit`]. Across every side, vertices apart, the surface is
//! twice continuously differentiable in the parameters of one face continued over its neighbour by
//! [`QuadCrossing::map`].
//!
//! Meshes with a border are refused: a body that rolls has none.

use super::bicubic;
use super::catmull_clark_atlas::cut;
use super::catmull_clark_matrix::{count, descend, grid, limit_point, limit_tangents, refine, refined_count};
use super::loop_surface::{Limit, reparametrised};
use super::polygon_net::PolygonNet;
use super::quad::{GRADIENTS, QuadCrossing, seen_from};
use super::vertex::Fan;
use crate::error::{GeomError, Result, places, within};
use crate::mesh::PolygonMesh;
use crate::surface::{ParametricJet, faces};
use crate::{Aabb, Vec3};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Steps towards an extraordinary vertex beyond which a point counts as the vertex: third derivatives grow up to 5.3
/// per step and must stay finite.
const DEEPEST: i32 = 256;

/// The highest valence at which nothing is allocated.
const USUAL: usize = 12;

/// Catmull and Clark's subdivision surface.
#[derive(Debug, Clone)]
pub struct CatmullClarkSurface {
    /// The control net after one refinement of quadrilaterals.
    net: PolygonNet,
    /// The control points of quadrilateral q are `governing[ranges[q]..ranges[q + 1]]`.
    governing: Vec<u32>,
    ranges: Vec<u32>,
    /// Per face and corner how far from an extraordinary vertex the face ends as a chart; zero where it is regular.
    pub(super) cuts: Vec<f64>,
    bounds: Aabb,
    /// What is proved about extraordinary corners, by their quadrilaterals, once it is asked for.
    pub(super) fans: OnceLock<BTreeMap<usize, Fan>>,
}

/// The quadrilateral of the refined net at a point or nearest to it, and the point seen from its first corner.
struct QuadParameters {
    quad: usize,
    st: [f64; 2],
    /// Parameters within the quadrilateral that choose the bicubic.
    choice: [f64; 2],
}

impl CatmullClarkSurface {
    /// The surface of a control mesh, which must be closed and have three faces or more at every vertex.
    pub fn new(control: &PolygonMesh) -> Result<Self> {
        places("vertices", control.vertices())?;
        let net = PolygonNet::new(control)?.refined();
        let all_quads = control.faces().all(|f| f.len() == 4);
        Self::of_net(if all_quads { net } else { net.refined() })
    }

    fn of_net(net: PolygonNet) -> Result<Self> {
        let (mut governing, mut ranges) = (Vec::new(), vec![0]);
        for quad in 0..net.half_edge_count() / 4 {
            governing.extend(net.surroundings(quad));
            if governing.len() > u32::MAX as usize {
                let (field, value) = ("control points".to_owned(), governing.len() as f64);
                let allowed = format!("at most {} over all faces", u32::MAX);
                return Err(GeomError::OutOfRange { field, value, allowed });
            }
            ranges.push(governing.len() as u32);
        }
        let mut surface =
            Self { net, governing, ranges, cuts: Vec::new(), bounds: Aabb::EMPTY, fans: OnceLock::new() };
        surface.cuts =
            (0..surface.net.half_edge_count() / 4).map(|quad| cut(surface.valence(quad))).collect();
        surface.bounds = faces::bounds(&surface)?;
        Ok(surface)
    }

    /// How many faces there are.
    pub fn face_count(&self) -> usize {
        self.net.half_edge_count() / 16
    }

    /// The box around the surface.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The point at (u, v) of a face.
    pub fn point(&self, face: usize, u: f64, v: f64) -> Result<Vec3> {
        self.within_face(face, u, v)?;
        let spot = spot(face, u, v);
        if self.is_vertex(&spot) {
            return Ok(self.limit_of(spot.quad).point);
        }
        let (jet, origin) = self.local_jet(&spot);
        Ok(jet.p + origin)
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
        let spot = spot(face, u, v);
        if self.is_vertex(&spot) {
            let valence = self.valence(spot.quad);
            return Err(GeomError::Undefined {
                surface: "Catmull–Clark surface",
                quantity: "derivative",
                reason: format!(
                    "(u, v) = ({u}, {v}) of face {face} is a vertex of valence {valence}; ask for its limit"
                ),
            });
        }
        let gradient = GRADIENTS[spot.quad % 4].map(|row| row.map(|x| 2.0 * x));
        let (jet, origin) = self.local_jet(&spot);
        Ok((reparametrised(&jet, &gradient), origin))
    }

    /// Point and tangents at a corner (0 to 3) of a face.
    pub fn limit(&self, face: usize, corner: usize) -> Result<Limit> {
        known("face", face, self.face_count())?;
        known("corner", corner, 4)?;
        Ok(self.limit_of(4 * face + corner))
    }

    /// The neighbour across a side of a face; side k runs from corner k to corner k + 1.
    pub fn across(&self, face: usize, side: usize) -> Result<QuadCrossing> {
        known("face", face, self.face_count())?;
        known("side", side, 4)?;
        // The first half of the side belongs to the quadrilateral at its start; the twin ends the neighbour's side.
        let twin = self.net.twin(4 * (4 * face + side)) / 4;
        Ok(QuadCrossing { from: side, face: twin / 4, side: (twin % 4 + 3) % 4 })
    }

    /// How many faces meet at the first corner of a quadrilateral.
    pub(super) fn valence(&self, quad: usize) -> usize {
        (self.ranges[quad + 1] - self.ranges[quad]) as usize / 2 - 4
    }

    fn governing(&self, quad: usize) -> &[u32] {
        &self.governing[self.ranges[quad] as usize..self.ranges[quad + 1] as usize]
    }

    /// The control points of a quadrilateral.
    pub(super) fn points_of(&self, quad: usize) -> Vec<Vec3> {
        self.governing(quad).iter().map(|&i| self.net.points[i as usize]).collect()
    }

    pub(super) fn limit_of(&self, quad: usize) -> Limit {
        let valence = self.valence(quad);
        let points: Vec<Vec3> = self.net.ring(4 * quad).map(|i| self.net.points[i as usize]).collect();
        let (p, ring) = (&points[0], &points[1..]);
        Limit { point: limit_point(p, ring), tangents: limit_tangents(p, ring), valence }
    }

    fn within_face(&self, face: usize, u: f64, v: f64) -> Result<()> {
        known("face", face, self.face_count())?;
        within("u", u, 0.0, 1.0, "from 0 to 1")?;
        within("v", v, 0.0, 1.0, "from 0 to 1")?;
        Ok(())
    }

    /// Whether a spot is an extraordinary vertex, as far as numbers can tell.
    fn is_vertex(&self, spot: &QuadParameters) -> bool {
        spot.choice[0].max(spot.choice[1]) <= 0.5f64.powi(DEEPEST) && self.valence(spot.quad) != 4
    }

    /// The jet in the parameters of the quadrilateral, and the point to which it is relative.
    fn local_jet(&self, spot: &QuadParameters) -> (ParametricJet, Vec3) {
        let governing = self.governing(spot.quad);
        let point = |i: usize| self.net.points[governing[i] as usize];
        let n = self.valence(spot.quad);
        if n == 4 {
            return (bicubic::jet(&grid(4, 0, 0, point), spot.st[0], spot.st[1]), Vec3::zeros());
        }
        if n <= USUAL {
            let mut points = [Vec3::zeros(); count(USUAL)];
            let mut scratch = [Vec3::zeros(); refined_count(USUAL)];
            for i in 0..count(n) {
                points[i] = point(i);
            }
            return extraordinary_jet(n, &mut points[..count(n)], &mut scratch[..refined_count(n)], spot);
        }
        let mut points: Vec<Vec3> = (0..count(n)).map(point).collect();
        extraordinary_jet(n, &mut points, &mut vec![Vec3::zeros(); refined_count(n)], spot)
    }
}

/// The quadrilateral of the refined net at a point, or at the point of the face nearest to it.
fn spot(face: usize, u: f64, v: f64) -> QuadParameters {
    let corner = match (u <= 0.5, v <= 0.5) {
        (true, true) => 0,
        (false, true) => 1,
        (false, false) => 2,
        (true, false) => 3,
    };
    let st = seen_from(corner, [u, v]).map(|x| 2.0 * x);
    let mut choice = st.map(|x| x.clamp(0.0, 1.0));
    let beyond = -st[0].min(st[1]).min(0.0);
    let distance = choice[0].max(choice[1]);
    if distance < beyond {
        // The bicubics at the vertex are too small to be continued so far.
        let reach = beyond.min(1.0);
        choice = if distance > 0.0 { choice.map(|x| x * (reach / distance)) } else { [reach; 2] };
    }
    QuadParameters { quad: 4 * face + corner, st, choice }
}

fn known(field: &str, index: usize, count: usize) -> Result<()> {
    if index < count {
        return Ok(());
    }
    let (field, allowed) = (field.to_owned(), format!("a whole number below {count}"));
    Err(GeomError::OutOfRange { field, value: index as f64, allowed })
}

/// The jet of a quadrilateral whose first corner has the valence `n`, away from that corner.
fn extraordinary_jet(
    n: usize,
    points: &mut [Vec3],
    scratch: &mut [Vec3],
    spot: &QuadParameters,
) -> (ParametricJet, Vec3) {
    let limit = limit_point(&points[0], &points[1..=2 * n]);
    for p in points.iter_mut() {
        *p -= limit;
    }
    let (mut st, mut choice, mut depth) = (spot.st, spot.choice, 0);
    while choice[0].max(choice[1]) <= 0.5 {
        descend(n, points, scratch);
        st = st.map(|x| 2.0 * x);
        choice = choice.map(|x| 2.0 * x);
        depth += 1;
    }
    refine(n, points, scratch);
    let part = choice.map(|x| usize::from(x > 0.5));
    let control = grid(n, part[0], part[1], |i| scratch[i]);
    let [s, t] = [0, 1].map(|k| 2.0 * st[k] - part[k] as f64);
    let mut jet = bicubic::jet(&control, s, t);
    // A derivative of order m is scaled by 2^(depth + 1) m times; the points are magnified by 2 per step.
    let (shrink, scale) = (0.5f64.powi(depth), 2f64.powi(depth + 1));
    let (first, second) = (shrink * scale, shrink * scale * scale);
    let third = second * scale;
    jet.p *= shrink;
    for d in [&mut jet.du, &mut jet.dv] {
        *d *= first;
    }
    for d in [&mut jet.duu, &mut jet.duv, &mut jet.dvv] {
        *d *= second;
    }
    for d in [&mut jet.duuu, &mut jet.duuv, &mut jet.duvv, &mut jet.dvvv] {
        *d *= third;
    }
    (jet, limit)
}

#[cfg(test)]
mod tests;
