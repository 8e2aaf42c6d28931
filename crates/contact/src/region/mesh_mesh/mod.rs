//! Mesh against mesh: every connected overlap of two solids is a region.
//!
//! | file | says |
//! |---|---|
//! | `boxes`, `front` | which leaves of the two trees may meet |
//! | `pair`, with [`rattleback_geom::exact`] | which triangles meet, and that contours close, without error |
//! | `contour` | the contours in order |
//! | `inside`, `enclosed` | which triangles and vertices lie inside the other, and which contours bound the same overlap |
//! | `surface` | what bounds each overlap, for its potential ([`super::potential`]) |
//! | `gap` | how far bodies are apart that do not overlap |
//! | `nested` | bodies inside others as a whole |
//! | `contact_plane` | plane, centroid and indentation as the paper prints them |
//! | [`super::measure`] | the contact plane, the centroid and the area |
//!
//! Everything is worked out in B's frame. The depth of a region is how far the part of A inside B rises above the
//! contact plane, plus how far the part of B inside A sinks below it, over vertices inside and points of the contours;
//! or that along a face of either body, where it is less (`width`). The point is the centroid of the projected area,
//! moved along the normal to the middle between the two.
//!
//! Source: Dopico, Luaces, Saura, Cuadrado, Vilela, "Simulating the anchor lifting maneuver of ships using contact
//! detection techniques and continuous contact force models", section 3. Departures: decisions are exact, so that
//! touching meshes need no tolerance; contours are weighted by length; parts that several contours bound are one
//! region.
//!
//! The solids must not cut themselves (see [`Mesh`]). A pair of bodies that touch without overlapping, in a face
//! say, is seen as if A were moved by an infinitesimal step: as an overlap of depth zero or as none.

pub(super) mod classes;

mod boxes;
mod contact_plane;
mod contour;
mod enclosed;
mod facing;
mod front;
mod gap;
mod inside;
mod nested;
mod pair;
mod regions;
mod surface;
mod width;

pub use contact_plane::ContactPlane;
pub use regions::{ContourPoint, MeshRegion};

use crate::error::Result;
use boxes::Placement;
use classes::Classes;
use contour::Contours;
use enclosed::{Enclosed, EnclosureQuery};
use front::Front;
use gap::GapFinder;
use nested::Component;
use pair::{Corners, segment};
use rattleback_geom::surface::Mesh;
use rattleback_geom::{Aabb, Pose, Vec3};
use regions::Regions;
use std::sync::Arc;

/// Finds the overlaps of two meshes, again and again as they move.
#[derive(Debug, Clone, Default)]
pub struct MeshMesh {
    bodies: Option<[Arc<Mesh>; 2]>,
    components: [Vec<Component>; 2],
    front: Front,
    contours: Contours,
    enclosed: [Enclosed; 2],
    elements: Classes,
    regions: Regions,
    gap: GapFinder,
}

/// The nearest points of two meshes that do not overlap, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeshGap {
    /// How far they are apart, in m.
    pub distance: f64,
    /// No two points of them are nearer than this, in m.
    pub lower: f64,
    /// The point of A.
    pub point_a: Vec3,
    /// The point of B.
    pub point_b: Vec3,
    /// The unit normal from A to B; of the face of A where the points are one.
    pub normal: Vec3,
}

impl MeshMesh {
    /// Nothing known of the pair yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Nothing known of the pair yet; regions are told by their contact planes, and have no potentials.
    pub fn on_contact_planes() -> Self {
        let mut finder = Self::default();
        finder.regions.on_contact_planes = true;
        finder
    }

    /// All regions of two meshes, in an order that depends on meshes and poses alone.
    pub fn find(
        &mut self,
        a: &Arc<Mesh>,
        pose_a: &Pose,
        b: &Arc<Mesh>,
        pose_b: &Pose,
    ) -> Result<&[MeshRegion]> {
        super::finite_pose("pose_a", pose_a)?;
        super::finite_pose("pose_b", pose_b)?;
        self.know([a, b]);
        self.regions.clear();
        self.contours.clear();
        let meshes = [a.as_ref(), b.as_ref()];
        let placement = placement(meshes, pose_a, pose_b);
        if !self.collide(meshes, &placement) {
            return Ok(self.regions.all());
        }
        self.contours.link(meshes, &placement);
        self.enclose(meshes, &placement);
        for body in 0..2 {
            let cut = &self.enclosed[body].cut;
            let regions = &mut self.regions;
            let tell = |region| regions.add_nested(region);
            nested::find(body, meshes, &self.components[body], cut, &placement, tell)?;
        }
        self.regions.place(pose_b);
        Ok(self.regions.all())
    }

    /// The nearest points of two meshes, if they are no farther apart than `reach` metres. Meshes that overlap are not
    /// told apart from others here: ask [`find`](Self::find) first.
    pub fn gap(
        &mut self,
        a: &Arc<Mesh>,
        pose_a: &Pose,
        b: &Arc<Mesh>,
        pose_b: &Pose,
        reach: f64,
    ) -> Result<Option<MeshGap>> {
        super::finite_pose("pose_a", pose_a)?;
        super::finite_pose("pose_b", pose_b)?;
        self.know([a, b]);
        let meshes = [a.as_ref(), b.as_ref()];
        let placement = placement(meshes, pose_a, pose_b);
        let Some(found) = self.gap.find(meshes, &placement, reach) else { return Ok(None) };
        let [p, q] = found.points;
        let apart = (q - p).try_normalize(f64::MIN_POSITIVE);
        let normal = match apart {
            Some(apart) => pose_b.vector_to_world(&apart),
            None => pose_a.vector_to_world(&a.mesh().normal(found.triangles[0] as usize)),
        };
        let [point_a, point_b] = [p, q].map(|p| pose_b.point_to_world(&p));
        let lower = (found.lower - placement.margin).max(0.0);
        Ok(Some(MeshGap { distance: found.distance, lower, point_a, point_b, normal }))
    }

    /// The contours of a region of the last answer: closed lists of points in order, with the part of A inside B on the
    /// left seen from outside A.
    pub fn contours<'a>(&'a self, region: &MeshRegion) -> impl Iterator<Item = &'a [ContourPoint]> {
        self.regions.contours(region)
    }

    /// The triangles of A (`body` 0) or B (1) that lie inside the other as a whole, for a region of the last answer.
    pub fn enclosed(&self, region: &MeshRegion, body: usize) -> &[u32] {
        self.regions.enclosed(region, body)
    }

    /// All pairs of triangles that cut each other in the last answer, one of A and one of B, in rising order.
    pub fn pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        self.contours.segments.iter().map(|s| s.triangles)
    }

    /// Forgets what belongs to other meshes.
    fn know(&mut self, bodies: [&Arc<Mesh>; 2]) {
        let known = self.bodies.as_ref().is_some_and(|old| (0..2).all(|k| Arc::ptr_eq(&old[k], bodies[k])));
        if !known {
            let on_contact_planes = self.regions.on_contact_planes;
            *self = Self { bodies: Some(bodies.map(Arc::clone)), ..Self::default() };
            self.regions.on_contact_planes = on_contact_planes;
            self.components = bodies.map(|mesh| nested::components(mesh));
        }
    }

    /// Collects the segments of all pairs of triangles; false where the bodies' boxes are apart.
    fn collide(&mut self, meshes: [&Mesh; 2], placement: &Placement) -> bool {
        let trees = meshes.map(Mesh::tree);
        let contours = &mut self.contours;
        let (vertices, triangles) =
            (meshes.map(|m| m.mesh().vertices()), meshes.map(|m| m.mesh().triangles()));
        let corners = |body: usize, t: u32| triangles[body][t as usize].map(|v| vertices[body][v as usize]);
        self.front.traverse(placement, trees, |i, j| {
            let (leaf_a, leaf_b) = (&trees[0].nodes()[i], &trees[1].nodes()[j]);
            for &t in &trees[0].order()[leaf_a.range()] {
                let a: Corners = corners(0, t).map(|v| placement.point(&v));
                let bounds = box_of(&a);
                if !overlap(&bounds, leaf_b.bounds()) {
                    continue;
                }
                for &u in &trees[1].order()[leaf_b.range()] {
                    let b = corners(1, u);
                    if overlap(&bounds, &box_of(&b))
                        && let Some(ends) = segment(&a, &b)
                    {
                        contours.add([t, u], ends);
                    }
                }
            }
        })
    }

    /// Finds what lies inside and measures the regions.
    fn enclose(&mut self, meshes: [&Mesh; 2], placement: &Placement) {
        let contours = &self.contours;
        let questions = [0, 1].map(|body| EnclosureQuery { body, meshes, placement, contours });
        for (enclosed, question) in self.enclosed.iter_mut().zip(&questions) {
            enclosed.gather(question);
        }
        if contours.loops.is_empty() {
            return;
        }
        let counts = [contours.loops.len(), self.enclosed[0].corners.len(), self.enclosed[1].corners.len()];
        self.elements.reset(counts.iter().sum());
        let bases = [counts[0], counts[0] + counts[1]].map(|n| n as u32);
        for (body, enclosed) in self.enclosed.iter_mut().enumerate() {
            enclosed.wind(&questions[body]);
            enclosed.unite(&questions[body], bases[body], &mut self.elements);
        }
        self.regions.measure(&questions, &self.enclosed, bases, &mut self.elements);
    }
}

/// A's frame in B's.
fn placement(meshes: [&Mesh; 2], pose_a: &Pose, pose_b: &Pose) -> Placement {
    let turn = pose_b.orientation.inverse() * pose_a.orientation;
    let shift = pose_b.point_to_local(&pose_a.position);
    let [a, b] = meshes.map(|mesh| mesh.tree().bounds());
    Placement::new(turn.to_rotation_matrix().into_inner(), shift, a, b)
}

/// The box of three points, inlined: it is asked for thousands of times per question.
#[inline(always)]
fn box_of([a, b, c]: &Corners) -> Aabb {
    Aabb { min: a.inf(b).inf(c), max: a.sup(b).sup(c) }
}

#[inline(always)]
fn overlap(a: &Aabb, b: &Aabb) -> bool {
    (0..3).all(|i| a.min[i] <= b.max[i] && b.min[i] <= a.max[i])
}
