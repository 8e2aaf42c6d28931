//! The convex hull of points, swept by a ball of radius r (`rounding`, m): the hull of equal balls about the points.
//! With r = 0 it has true edges, and is the same body as its mesh.
//!
//! With the corners v of the hull of the points, the core, h = max n·v + r∣n∣:
//!
//! | normal | farthest point ∇h | ∇²h for ∣n∣ = 1 |
//! |---|---|---|
//! | between those of the faces at a corner v | v + r n | r (1 − nnᵀ) |
//! | across an edge, between those of its faces | middle of the edge + r n | the same, plus ∞ along the edge |
//! | of a face | middle of the face + r n | ∞ across n |
//!
//! A normal is across an edge, and that of a face, to [`super::ROUNDING`]; [`super::FLAT`] times the size stands for ∞.
//! Faces are flat to [`FLAT_FACE`] of the size: the corners of one face that rounding has moved off its plane make no
//! faces of their own.

mod moments;
mod parts;
mod support;
mod tessellation;
#[cfg(test)]
mod tests;

use super::{Kink, Mesh, ON_SEAM, ROUNDING, Support, Surface, TouchPoint};
use crate::curvature::{BendingRate, tangents};
use crate::error::{GeomError, Result, direction, finite3, length};
use crate::mesh::{Feature, Hull};
use crate::{Aabb, Curvature, Moments, TriMesh, Vec3};
use parts::{edges, facet, kinks};
use std::sync::Arc;

/// Most corners: every one is a contact point on a half-space, and a support function asks all of them.
const MOST: usize = 256;

/// Corners this share of the size off the plane of a face are in it.
const FLAT_FACE: f64 = 1e-12;

/// Points nearer to an edge or a corner than this share of the size have no direction from it.
const TOUCHING: f64 = 1e-12;

/// A convex polyhedron with true or rounded edges.
#[derive(Debug, Clone)]
pub struct ConvexHull {
    rounding: f64,
    core: Arc<Mesh>,
    /// Of which facet each triangle of the core is.
    facet_of: Vec<u32>,
    facets: Vec<Facet>,
    edges: Vec<Edge>,
    /// The edges and the facets at each corner.
    at: Vec<Corner>,
    kinks: Vec<Kink>,
    least_turn: f64,
    size: f64,
    moments: Moments,
}

#[derive(Debug, Clone)]
struct Facet {
    normal: Vec3,
    corners: Vec<u32>,
    face: Arc<[Vec3]>,
    middle: Vec3,
}

/// From the first end to the second the first facet runs counter-clockwise.
#[derive(Debug, Clone, Copy)]
struct Edge {
    ends: [u32; 2],
    facets: [u32; 2],
    along: Vec3,
}

#[derive(Debug, Clone, Default)]
struct Corner {
    edges: Vec<u32>,
    facets: Vec<u32>,
}

/// What of a core is nearest to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CorePart {
    /// A face.
    Face,
    /// An edge of that direction.
    Edge(Vec3),
    /// A corner.
    Corner,
}

/// An edge of a core, in the body's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoreEdge {
    /// Where it begins.
    pub start: Vec3,
    /// Its unit direction.
    pub along: Vec3,
    /// Its length in metres.
    pub length: f64,
    /// The unit mean of the outer normals of its two faces; zero where every normal across it is one.
    pub outward: Vec3,
    /// Those normals; zero where there are no faces.
    pub faces: [Vec3; 2],
}

/// What has the points farthest along a normal.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Farthest {
    Corner(usize),
    Edge(usize),
    Facet(usize),
}

impl PartialEq for ConvexHull {
    fn eq(&self, other: &Self) -> bool {
        self.rounding == other.rounding && self.vertices() == other.vertices()
    }
}

impl ConvexHull {
    /// The hull of balls of the radius `rounding` about points that lie in no plane; true edges where it is zero.
    pub fn new(points: &[Vec3], rounding: f64) -> Result<Self> {
        let rounding = if rounding == 0.0 { 0.0 } else { length("rounding", rounding)? };
        let extent = Aabb::of_points(points).diagonal();
        let hull = Hull::with_flat(points, FLAT_FACE * extent)?;
        if hull.vertices().len() > MOST {
            return Err(GeomError::Inconsistent {
                field: "rounding".to_owned(),
                found: format!("that of a hull of {} corners", hull.vertices().len()),
                allowed: format!("left out, or of a hull of at most {MOST} corners"),
            });
        }
        let (triangles, facet_of) = hull.triangles()?;
        let core = Arc::new(Mesh::new(triangles)?);
        let facets: Vec<Facet> = hull.faces().iter().map(|corners| facet(hull.vertices(), corners)).collect();
        let edges = edges(hull.vertices(), &facets);
        let mut at = vec![Corner::default(); hull.vertices().len()];
        for (e, edge) in edges.iter().enumerate() {
            edge.ends.iter().for_each(|&end| at[end as usize].edges.push(e as u32));
        }
        for (f, facet) in facets.iter().enumerate() {
            facet.corners.iter().for_each(|&corner| at[corner as usize].facets.push(f as u32));
        }
        let kinks = kinks(&facets, &edges);
        let turn = |edge: &Edge| {
            let [one, other] = edge.facets.map(|f| facets[f as usize].normal);
            one.cross(&other).norm().atan2(one.dot(&other))
        };
        let least_turn = edges.iter().map(turn).fold(std::f64::consts::PI, f64::min);
        let size = extent + 2.0 * rounding;
        let mut made = Self {
            rounding,
            core,
            facet_of,
            facets,
            edges,
            at,
            kinks,
            least_turn,
            size,
            moments: Moments::zero(),
        };
        made.moments = made.sum_of_parts();
        Ok(made)
    }

    /// The corners of the core, in metres.
    pub fn vertices(&self) -> &[Vec3] {
        self.core.mesh().vertices()
    }

    /// The radius of the edges, in metres.
    pub fn rounding(&self) -> f64 {
        self.rounding
    }

    /// The polyhedron that the ball sweeps.
    pub fn core(&self) -> &Mesh {
        &self.core
    }

    /// The faces of a hull with true edges: the same body, not an approximation of it.
    pub fn mesh(&self) -> Option<&Arc<Mesh>> {
        (self.rounding == 0.0).then_some(&self.core)
    }

    /// The edges of the core: where each begins, its unit direction, its length in metres, and the unit mean of the
    /// outer normals of its two faces.
    pub fn edge(&self, place: usize) -> Option<CoreEdge> {
        let edge = self.edges.get(place)?;
        let [start, end] = edge.ends.map(|k| self.corner(k));
        let faces = edge.facets.map(|f| self.facets[f as usize].normal);
        let outward = (faces[0] + faces[1]).normalize();
        Some(CoreEdge {
            start,
            along: (end - start).normalize(),
            length: (end - start).norm(),
            outward,
            faces,
        })
    }

    /// How many edges the core has.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// How many facets the core has.
    pub fn facet_count(&self) -> usize {
        self.facets.len()
    }

    /// A facet of the core: its outer unit normal, a point in its middle and its corners, counter-clockwise about the
    /// normal.
    pub fn facet(&self, place: usize) -> Option<(Vec3, Vec3, &[Vec3])> {
        let Facet { normal, middle, face, .. } = self.facets.get(place)?;
        Some((*normal, *middle, face))
    }

    /// The least angle between the normals of neighbouring facets, in rad.
    pub fn least_turn(&self) -> f64 {
        self.least_turn
    }

    /// The distance of a point in metres, negative inside, and the outer unit normal that belongs to it: outside of the
    /// core from its nearest point, inside of it from the nearest face.
    pub fn distance(&self, x: &Vec3) -> Result<(f64, Vec3)> {
        self.distance_to_part(x).map(|(distance, n, _)| (distance, n))
    }

    /// The same, and to what of the core it is.
    pub fn distance_to_part(&self, x: &Vec3) -> Result<(f64, Vec3, CorePart)> {
        let heights = self.facets.iter().map(|facet| (facet.normal.dot(&(x - facet.middle)), facet.normal));
        let deepest = heights.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, Vec3::z()));
        if deepest.0 <= 0.0 {
            return Ok((deepest.0 - self.rounding, deepest.1, CorePart::Face));
        }
        let (part, on_core) = self.nearest(x)?;
        let (arm, far) = (x - on_core, (x - on_core).norm());
        let (distance, n) = match part {
            Farthest::Facet(f) => {
                let Facet { normal, middle, .. } = &self.facets[f];
                (normal.dot(&(x - middle)), *normal)
            }
            // On an edge or a corner, but for rounding, any normal of it will do.
            _ if far > TOUCHING * self.size => (far, arm / far),
            _ => (far, deepest.1),
        };
        let part = match part {
            Farthest::Facet(_) => CorePart::Face,
            Farthest::Edge(e) => CorePart::Edge(self.edges[e].along),
            Farthest::Corner(_) => CorePart::Corner,
        };
        Ok((distance - self.rounding, n, part))
    }

    fn corner(&self, k: u32) -> Vec3 {
        self.vertices()[k as usize]
    }

    fn angle(&self, edge: &Edge) -> f64 {
        let [a, b] = edge.facets.map(|f| self.facets[f as usize].normal);
        a.cross(&b).norm().atan2(a.dot(&b))
    }

    fn farthest(&self, n: &Vec3) -> Farthest {
        let (mut best, mut most) = (0, f64::NEG_INFINITY);
        for (k, v) in self.vertices().iter().enumerate() {
            let height = n.dot(v);
            if height > most {
                (best, most) = (k, height);
            }
        }
        let small = ROUNDING * n.norm();
        let is_of = |f: &&u32| {
            let own = &self.facets[**f as usize].normal;
            own.dot(n) > 0.0 && own.cross(n).norm() <= small
        };
        if let Some(f) = self.at[best].facets.iter().find(is_of) {
            return Farthest::Facet(*f as usize);
        }
        let is_across = |e: &&u32| self.edges[**e as usize].along.dot(n).abs() <= small;
        match self.at[best].edges.iter().find(is_across) {
            Some(e) => Farthest::Edge(*e as usize),
            None => Farthest::Corner(best),
        }
    }

    /// What of the core is nearest to a point.
    fn nearest(&self, p: &Vec3) -> Result<(Farthest, Vec3)> {
        let found = self.core.tree().closest_point(self.core.mesh(), p)?;
        let t = found.triangle;
        let facet = Farthest::Facet(self.facet_of[t] as usize);
        let corners = self.core.mesh().triangles()[t];
        let part = match found.feature {
            Feature::Face => facet,
            Feature::Corner(k) => Farthest::Corner(corners[k] as usize),
            Feature::Side(k) => {
                let ends = [corners[k], corners[(k + 1) % 3]];
                let is_it = |e: &&u32| {
                    let edge = &self.edges[**e as usize];
                    edge.ends == ends || edge.ends == [ends[1], ends[0]]
                };
                // A side that is no edge cuts a face.
                self.at[ends[0] as usize]
                    .edges
                    .iter()
                    .find(is_it)
                    .map_or(facet, |e| Farthest::Edge(*e as usize))
            }
        };
        Ok((part, found.point))
    }

    /// The normal of the face on which a point of a hull with true edges lies, farther from its edges than they are
    /// known.
    fn face_at(&self, nearest: Farthest, p: &Vec3) -> Option<Vec3> {
        let Farthest::Facet(f) = nearest else { return None };
        let Facet { normal, face, .. } = &self.facets[f];
        let within = |k: usize| {
            let (a, b) = (face[k], face[(k + 1) % face.len()]);
            normal.cross(&(b - a).normalize()).dot(&(p - a)) > ON_SEAM * self.size
        };
        (0..face.len()).all(within).then_some(*normal)
    }

    fn curvature_of(&self, part: Farthest, n: &Vec3) -> Curvature {
        let bend = 1.0 / self.rounding;
        match part {
            Farthest::Corner(_) => {
                let (t, u) = tangents(n);
                Curvature { kappa: [bend; 2], direction: [t, u] }
            }
            Farthest::Edge(e) => {
                let along = self.edges[e].along;
                let out = (n - along * along.dot(n)).normalize();
                Curvature { kappa: [bend, 0.0], direction: [along.cross(&out), along] }
            }
            Farthest::Facet(f) => Curvature::flat(&self.facets[f].normal),
        }
    }
}

impl Surface for ConvexHull {
    fn kind(&self) -> &'static str {
        if self.rounding > 0.0 { "rounded convex hull" } else { "convex hull" }
    }

    fn as_support(&self) -> Option<&dyn Support> {
        Some(self)
    }

    fn bounds(&self) -> Aabb {
        self.core.bounds().fattened(self.rounding)
    }

    fn curvature_at(&self, p: &Vec3) -> Result<Curvature> {
        let (part, on_core) = self.nearest(&finite3("point", p)?)?;
        if self.rounding > 0.0 {
            return Ok(self.curvature_of(part, &direction("point", &(p - on_core))?));
        }
        match self.face_at(part, p) {
            Some(normal) => Ok(Curvature::flat(&normal)),
            None => Err(GeomError::Undefined {
                surface: "convex hull",
                quantity: "curvature at a point of its edges",
                reason: "an edge has many normals; ask at a normal".to_owned(),
            }),
        }
    }

    fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature> {
        let n = direction("normal", n)?;
        Ok(self.curvature_of(self.farthest(&n), &n))
    }

    /// By the point, which tells the points of a face from those of its edges; on true edges by the normal.
    fn curvature_at_touch(&self, p: &Vec3, n: &Vec3) -> Result<Curvature> {
        let n = direction("normal", n)?;
        let part = self.nearest(p)?.0;
        if self.rounding > 0.0 || self.face_at(part, p).is_some() {
            return Ok(self.curvature_of(part, &n));
        }
        Ok(self.curvature_of(self.farthest(&n), &n))
    }

    /// Where faces, edges and corners meet.
    fn has_seam_at(&self, p: &Vec3, n: &Vec3) -> bool {
        let Ok((_, on_core)) = self.nearest(p) else { return false };
        let (near, turned) = (ON_SEAM * self.size, ON_SEAM.sqrt());
        self.edges.iter().any(|edge| {
            let [a, b] = edge.ends.map(|k| self.corner(k));
            let (arm, whole) = (on_core - a, (b - a).norm());
            let s = arm.dot(&edge.along);
            if s < -near || s > whole + near || (arm - edge.along * s).norm() > near {
                return false;
            }
            let at_end = s <= near || s >= whole - near;
            let on_face =
                edge.facets.iter().any(|f| self.facets[*f as usize].normal.cross(n).norm() <= turned);
            at_end && edge.along.dot(n).abs() <= turned || on_face
        })
    }

    fn bending_rate(&self, _at: &TouchPoint, _dp: &Vec3, _dn: &Vec3) -> Option<BendingRate> {
        Some(BendingRate::NONE)
    }

    fn curvature_range(&self) -> Result<[f64; 2]> {
        Ok([0.0, 1.0 / self.rounding])
    }

    fn tessellate(&self, chord: f64) -> Result<TriMesh> {
        self.inscribed(chord)
    }

    /// Of the faces, of parts of cylinders along the edges, and of one ball.
    fn area(&self) -> Result<f64> {
        let bent: f64 = self
            .edges
            .iter()
            .map(|edge| self.angle(edge) * (self.corner(edge.ends[1]) - self.corner(edge.ends[0])).norm())
            .sum();
        let r = self.rounding;
        Ok(self.core.mesh().area() + r * bent + 4.0 * std::f64::consts::PI * r * r)
    }

    fn moments(&self) -> Result<Moments> {
        Ok(self.moments)
    }
}
