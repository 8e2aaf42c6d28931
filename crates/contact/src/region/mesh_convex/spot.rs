//! The least signed distance on an edge and inside a triangle, and the normal that belongs to it.

use super::field::{Field, Reading};
use crate::error::Result;
use rattleback_geom::surface::Mesh;
use rattleback_geom::{Mat3, Vec3};

/// Readings on an edge at most; the secant needs five to ten.
const READINGS: usize = 60;

/// What a spot lies on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum On {
    /// A vertex.
    Vertex(u32),
    /// The edge between two vertices.
    Edge(u32, u32),
    /// The inside of a triangle.
    Face,
}

/// A point of the mesh in the body's frame, with f there.
#[derive(Debug, Clone, Copy)]
pub(super) struct FieldPoint {
    pub x: Vec3,
    pub at: Reading,
    pub on: On,
}

impl FieldPoint {
    /// The tangent of f at another point: a lower bound of f there.
    pub fn bound(&self, x: &Vec3) -> f64 {
        self.at.f + self.at.n.dot(&(x - self.x))
    }
}

/// The mesh and the body, in the body's frame.
pub(super) struct MeshConvexPair<'a> {
    pub mesh: &'a Mesh,
    pub field: Field<'a>,
    /// From the mesh's axes to the body's.
    pub rotation: Mat3,
    /// The mesh's origin in the body's frame.
    pub shift: Vec3,
    pub reach: f64,
}

impl MeshConvexPair<'_> {
    pub fn place(&self, p: &Vec3) -> Vec3 {
        self.rotation * p + self.shift
    }

    pub fn back(&self, p: &Vec3) -> Vec3 {
        self.rotation.tr_mul(&(p - self.shift))
    }

    pub fn spot(&self, x: Vec3, on: On) -> FieldPoint {
        FieldPoint { x, at: self.field.read(&x), on }
    }

    /// The least f on an edge.
    pub fn on_edge(&self, [v, w]: [u32; 2], p: &FieldPoint, q: &FieldPoint) -> FieldPoint {
        let along = q.x - p.x;
        let mut best = if p.at.f <= q.at.f { *p } else { *q };
        let (mut low, mut high) = ((0.0, p.at.n.dot(&along)), (1.0, q.at.n.dot(&along)));
        if low.1 >= 0.0 || high.1 <= 0.0 {
            return best;
        }
        let flat = self.field.noise() * along.norm();
        for step in 0..READINGS {
            // The secant of the slopes, and the middle every third time, since slopes may be kinked.
            let secant = low.0 - low.1 * (high.0 - low.0) / (high.1 - low.1);
            let middle = step % 3 == 2 || !(secant > low.0 && secant < high.0);
            let s = if middle { 0.5 * (low.0 + high.0) } else { secant };
            let spot = self.spot(p.x + along * s, On::Edge(v, w));
            let slope = spot.at.n.dot(&along);
            // f has few digits where it is flat: the slope tells the place, as long as f does not contradict it.
            if spot.at.f <= best.at.f + 8.0 * f64::EPSILON * self.field.size {
                best = spot;
            }
            if slope.abs() <= flat || high.0 - low.0 <= 4.0 * f64::EPSILON {
                break;
            }
            if slope < 0.0 {
                low = (s, slope);
            } else {
                high = (s, slope);
            }
        }
        best
    }

    /// The least f inside a triangle, where it is less than `least`, that on its sides.
    pub fn inside(&self, corners: &[Vec3; 3], least: &FieldPoint) -> Option<FieldPoint> {
        // f does not fall from its least place on the sides into the triangle.
        if corners.iter().all(|c| least.at.n.dot(&(c - least.x)) >= 0.0) {
            return None;
        }
        let [a, b, c] = corners;
        let normal = (b - a).cross(&(c - a)).try_normalize(f64::MIN_POSITIVE)?;
        let middle = (a + b + c) / 3.0;
        let mut best: Option<FieldPoint> = None;
        for n in [normal, -normal] {
            let q = self.field.support.face_point(&n, &middle);
            let x = q + normal * normal.dot(&(a - q));
            let is_within = (0..3).all(|k| {
                let (v, w) = (corners[k], corners[(k + 1) % 3]);
                (w - v).cross(&(x - v)).dot(&normal) >= 0.0
            });
            if is_within {
                let spot = self.spot(x, On::Face);
                if spot.at.f < best.map_or(least.at.f, |b| b.at.f) {
                    best = Some(spot);
                }
            }
        }
        best
    }

    /// The normal of the mesh at a spot of a triangle that looks most to the body, and whether the body lies in front
    /// of it.
    ///
    /// That is ∓∇f, which on a smooth body is among the normals of the face, the edge or the vertex. A body with edges
    /// has several gradients at one place: the one that is found is taken to the nearest normal of the face or the
    /// edge.
    pub fn normal(&self, spot: &FieldPoint, triangle: u32) -> Result<(Vec3, bool)> {
        let face = |t: usize| self.rotation * self.mesh.mesh().normal(t);
        let own = face(triangle as usize);
        let turned = |outer: &Vec3| {
            let in_front = outer.dot(&spot.at.n) <= 0.0;
            (if in_front { -spot.at.n } else { spot.at.n }, in_front)
        };
        match spot.on {
            On::Face => Ok((own, turned(&own).1)),
            On::Vertex(v) => Ok(turned(
                &(self.rotation * self.mesh.project(&self.mesh.mesh().vertices()[v as usize])?.normal),
            )),
            On::Edge(v, w) => {
                let corners = self.mesh.mesh().triangles()[triangle as usize];
                let is_side = |k: &usize| {
                    let (p, q) = (corners[*k], corners[(k + 1) % 3]);
                    (p, q) == (v, w) || (q, p) == (v, w)
                };
                let side = (0..3).find(is_side).unwrap_or(0);
                let across = self.mesh.topology().neighbours(triangle as usize)[side];
                let other = across.map_or(own, face);
                let vertices = self.mesh.mesh().vertices();
                let [from, to] = [side, (side + 1) % 3].map(|k| vertices[corners[k] as usize]);
                let (wanted, in_front) = turned(&(own + other));
                Ok((within_wedge(&wanted, &own, &other, &(self.rotation * (to - from))), in_front))
            }
        }
    }
}

/// The unit vector nearest to `wanted` between the normals of the faces on the left (`own`) and the right of an edge.
fn within_wedge(wanted: &Vec3, own: &Vec3, other: &Vec3, edge: &Vec3) -> Vec3 {
    let cosine = own.dot(other);
    let sine2 = own.cross(other).norm_squared();
    let is_convex = own.cross(other).dot(edge) > 0.0;
    let (a, b) = (wanted.dot(own), wanted.dot(other));
    let nearer = if a >= b { own } else { other };
    // Faces in one plane, and a wedge that opens inwards, leave the two normals alone.
    if !is_convex || sine2 < 1e-20 {
        return *nearer;
    }
    let (x, y) = ((a - cosine * b) / sine2, (b - cosine * a) / sine2);
    if x < 0.0 || y < 0.0 {
        return *nearer;
    }
    (own * x + other * y).try_normalize(f64::MIN_POSITIVE).unwrap_or(*nearer)
}
