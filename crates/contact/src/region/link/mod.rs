//! Chain links against meshes and half-spaces.
//!
//! A link is the tube of radius r about its centre curve, so where it touches a body follows from the distance of that
//! curve from the body: D. Dopico, F. Michaud, A. Luaces, J. Cuadrado, "Simulation of the anchor lifting maneuver of a
//! ship using contact detection techniques and continuous force models", eqs. (29–64), where a link is two cylinders
//! and two half tori.
//!
//! | file | holds |
//! |---|---|
//! | `piece` | the centre curve in pieces: two bars and four quarters of circles, with six nodes between them |
//! | `distance` | a piece and a triangle |
//! | `side` | a piece and a side of a triangle |
//! | `feature` | which directions stand out of a mesh |
//! | `gather` | the triangles near a link |
//! | `mesh`, `node`, `plane` | the places where a link comes near a mesh or a half-space |
//! | `choice` | which of them are contacts of their own |
//! | [`dopico`] | the programs of the paper, to be compared with |

mod choice;
mod distance;
pub mod dopico;
mod feature;
mod gather;
mod mesh;
mod node;
mod piece;
mod plane;
mod side;

pub use distance::{Nearest, piece_triangle};
pub use piece::Piece;

use super::Region;
use crate::error::{Result, check, not_negative};
use choice::{Candidate, Limits, choose};
use gather::Hit;
use piece::Spine;
use rattleback_geom::surface::{Link, Mesh, Plane};
use rattleback_geom::{Pose, Vec3};
use std::sync::Arc;

/// The pieces of the centre curve of a link at a pose: the nodes are where they start.
pub fn pieces(link: &Link, pose: &Pose) -> Vec<Piece> {
    Spine::new(link, pose).pieces().to_vec()
}

/// Finds the regions of a link: scratch, and how far its nodes were from the mesh when last that was asked.
#[derive(Debug, Clone, Default)]
pub(super) struct LinkFinder {
    hits: Vec<Hit>,
    found: Vec<Candidate>,
    known: Known,
}

/// Signed distances of nodes from a mesh that were found once: each changes by no more than its node moves.
#[derive(Debug, Clone, Default)]
struct Known {
    mesh: Option<Arc<Mesh>>,
    /// Where node i was, in the frame of the mesh, and its distance in m, negative inside.
    nodes: [Option<(Vec3, f64)>; 6],
}

impl Known {
    /// Forgets what is known of another mesh.
    fn turn_to(&mut self, mesh: &Arc<Mesh>) {
        if !self.mesh.as_ref().is_some_and(|own| Arc::ptr_eq(own, mesh)) {
            *self = Self { mesh: Some(Arc::clone(mesh)), nodes: [None; 6] };
        }
    }

    /// A lower bound on the signed distance of node i at `p`.
    fn at_least(&self, i: usize, p: &Vec3) -> f64 {
        self.nodes[i].map_or(f64::NEG_INFINITY, |(point, distance)| distance - (p - point).norm())
    }

    /// Whether node i, which is at `p`, lies outside the solid or on its surface.
    fn is_outside(&mut self, mesh: &Mesh, i: usize, p: &Vec3) -> Result<bool> {
        if self.at_least(i, p) > 0.0 {
            return Ok(true);
        }
        let distance = mesh.signed_distance(p)?;
        self.nodes[i] = Some((*p, distance));
        Ok(distance >= 0.0)
    }
}

impl LinkFinder {
    /// Adds the regions of the link A and the half-space B to `out`, in world axes.
    pub(super) fn plane(
        &mut self,
        link: &Link,
        pose: &Pose,
        plane: &Plane,
        pose_plane: &Pose,
        reach: f64,
        out: &mut Vec<Region>,
    ) -> Result<()> {
        let pose = relative(pose, pose_plane, reach)?;
        self.found.clear();
        let start = out.len();
        plane::find(link, &pose, plane, reach, &mut self.found, out);
        to_world(&mut out[start..], pose_plane);
        Ok(())
    }

    /// Adds the regions of the link A and the mesh B to `out`, in world axes.
    pub(super) fn mesh(
        &mut self,
        link: &Link,
        pose: &Pose,
        mesh: &Arc<Mesh>,
        pose_mesh: &Pose,
        reach: f64,
        out: &mut Vec<Region>,
    ) -> Result<()> {
        let pose = relative(pose, pose_mesh, reach)?;
        let extent = 0.5 * link.length() + reach;
        if !mesh.tree().bounds().fattened(extent).contains(&pose.position) {
            return Ok(());
        }
        let spine = Spine::new(link, &pose);
        let limits = Limits::new(link.bar_radius(), reach, &spine);
        self.known.turn_to(mesh);
        // All of the link lies within its length of its first node.
        if self.known.at_least(0, &spine.node(0)) > link.length() + reach {
            return Ok(());
        }
        let boxes = spine.boxes(limits.most());
        gather::gather(mesh, &boxes[..spine.nodes()], &mut self.hits);
        if self.hits.is_empty() && self.known.is_outside(mesh, 0, &spine.node(0))? {
            return Ok(());
        }
        self.found.clear();
        let question = mesh::LinkMeshQuery { mesh, spine: &spine, limits: &limits, boxes: &boxes };
        question.ask(&self.hits, &mut self.known, &mut self.found)?;
        let start = out.len();
        choose(&mut self.found, &limits, out);
        to_world(&mut out[start..], pose_mesh);
        Ok(())
    }
}

/// The pose of the link in the frame of the other body; refuses numbers that are none.
fn relative(pose: &Pose, other: &Pose, reach: f64) -> Result<Pose> {
    not_negative("reach", reach)?;
    let relative = other.inverse().compose(pose);
    let sum = relative.position.sum() + relative.orientation.coords.sum();
    check("pose", sum, "a pose of finite numbers", true)?;
    Ok(relative)
}

fn to_world(regions: &mut [Region], pose: &Pose) {
    for region in regions {
        region.point = pose.point_to_world(&region.point);
        region.normal = pose.vector_to_world(&region.normal);
    }
}
