//! A mesh against a smooth convex body: in every connected patch of the surface near the body, the point that is
//! deepest in it.
//!
//! With the body's signed distance f ([`field`]), the patches are the connected parts of the mesh's surface where f ≤
//! `reach` (or ≤ 0): triangles in which f falls that low, joined across edges on which it does. f is convex, so that
//! its least value on an edge or a triangle is found for certain: at a corner or on a side from which f rises into the
//! triangle, otherwise inside, where its gradient is ± the triangle's normal N and the body's point nearest to the
//! plane, that of normal ±N, lies over the triangle. Exact up to rounding for spheres, capsules and cylinders; for
//! bodies read by climbing as exact as the climb.
//!
//! The normal n at the deepest point x of a patch is the mesh's own that looks most along ∓∇f (see `spot`), and the
//! depth is n·x + h(−n), by which the body must move along n to leave the face, the edge or the vertex behind. Where
//! the body lies behind the surface, since it has passed through it by more than it is thick, the patch is told only if
//! there is none that the body lies in front of, and then the one of least depth: the far side of a plate must not
//! push. A body inside the mesh beyond `reach` of its surface gets the way out of its middle, as for nested meshes.
//!
//! The point is halfway from the body's point of normal −n, the one nearest to x, to the mesh. One region per patch: a
//! body that lies in a groove touches both walls in one region each as long as it does not reach into the edge between
//! them. The area is zero. Bodies that lie along a line or a face on a flat place have a region for each of their
//! points there (`feet.rs`).

mod feet;
mod field;
mod spot;

use super::Region;
use super::mesh_mesh::classes::Classes;
use crate::error::Result;
pub(super) use field::Field;
use rattleback_geom::mesh::tree::MAX_DEPTH;
use rattleback_geom::surface::{Mesh, Shape};
use rattleback_geom::{Aabb, Pose, Vec3};
use spot::{FieldPoint, MeshConvexPair, On};

/// How well f is known, in sizes of the body: climbs end at 1e-12 of it.
const ROUNDING: f64 = 1e-9;

/// Spots that differ by less than this share of the body's size are equally deep: two faces that lie on each other are
/// parallel to rounding.
const LEVEL: f64 = 1e-12;

/// Finds the regions of meshes against convex bodies; holds nothing but buffers.
#[derive(Debug, Clone, Default)]
pub(super) struct MeshConvex {
    triangles: Vec<u32>,
    vertices: Vec<u32>,
    spots: Vec<FieldPoint>,
    /// Edges by their vertices, with a triangle of `triangles` each.
    edges: Vec<([u32; 2], u32)>,
    least: Vec<Option<FieldPoint>>,
    classes: Classes,
    /// The root of a patch, a triangle and the least f in it.
    patches: Vec<(u32, u32, FieldPoint)>,
    /// The points of the body's features, and their regions.
    points: Vec<Vec3>,
    feet: Vec<Region>,
}

/// Whether a shape can be the convex body.
pub(super) fn is_convex(shape: &Shape) -> bool {
    !matches!(shape, Shape::Mesh(_)) && shape.surface().as_support().is_some()
}

impl MeshConvex {
    /// Adds the regions of a mesh (A) against a convex body (B).
    pub fn find(
        &mut self,
        mesh: &Mesh,
        pose: &Pose,
        shape: &Shape,
        pose_shape: &Pose,
        reach: f64,
        out: &mut Vec<Region>,
    ) -> Result<()> {
        let Some(field) = Field::new(shape) else { return Ok(()) };
        let turn = pose_shape.orientation.inverse() * pose.orientation;
        let (rotation, shift) =
            (turn.to_rotation_matrix().into_inner(), pose_shape.point_to_local(&pose.position));
        let pair = MeshConvexPair { mesh, field, rotation, shift, reach: reach.max(0.0) };
        let bounds = shape.surface().bounds();
        let half = rotation.abs().tr_mul(&(bounds.extents() * 0.5)).add_scalar(pair.reach);
        let centre = pair.back(&bounds.centre());
        self.gather(&pair, &Aabb { min: centre - half, max: centre + half });
        self.read_vertices(&pair);
        self.connect(&pair);
        let first = out.len();
        self.tell(&pair, shape, pose_shape, out)?;
        if out.len() == first
            && mesh.tree().bounds().contains(&centre)
            && mesh.tree().contains(mesh.mesh(), &centre)?
        {
            out.push(placed(way_out(&pair, &centre)?, pose_shape));
        }
        Ok(())
    }

    /// Collects the triangles of leaves that may come within reach: f changes no faster than its point moves.
    fn gather(&mut self, pair: &MeshConvexPair<'_>, around: &Aabb) {
        let tree = pair.mesh.tree();
        self.triangles.clear();
        let mut stack = [0u32; MAX_DEPTH + 1];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let node = &tree.nodes()[stack[height] as usize];
            let bounds = node.bounds();
            if !bounds.overlaps(around) {
                continue;
            }
            let from_middle = pair.field.read(&pair.place(&bounds.centre())).f;
            if from_middle - 0.5 * bounds.diagonal() > pair.reach + ROUNDING * pair.field.size {
                continue;
            }
            match node.children() {
                Some(children) => {
                    for child in children {
                        stack[height] = child as u32;
                        height += 1;
                    }
                }
                None => self.triangles.extend(&tree.order()[node.range()]),
            }
        }
        self.triangles.sort_unstable();
    }

    /// Reads f at the vertices of all triangles.
    fn read_vertices(&mut self, pair: &MeshConvexPair<'_>) {
        self.vertices.clear();
        let all = pair.mesh.mesh().triangles();
        self.vertices.extend(self.triangles.iter().flat_map(|&t| all[t as usize]));
        self.vertices.sort_unstable();
        self.vertices.dedup();
        self.spots.clear();
        let vertices = pair.mesh.mesh().vertices();
        self.spots.extend(
            self.vertices.iter().map(|&v| pair.spot(pair.place(&vertices[v as usize]), On::Vertex(v))),
        );
    }

    fn at_vertex(&self, v: u32) -> FieldPoint {
        self.spots[self.vertices.partition_point(|&w| w < v)]
    }

    /// Finds the least f of every triangle and joins triangles across edges that are within reach.
    fn connect(&mut self, pair: &MeshConvexPair<'_>) {
        let all = pair.mesh.mesh().triangles();
        self.edges.clear();
        self.least.clear();
        for (k, &t) in (0u32..).zip(&self.triangles) {
            let corners = all[t as usize].map(|v| self.at_vertex(v));
            // What a corner's own tangent keeps beyond reach is beyond reach.
            let beyond = corners.iter().any(|c| corners.iter().all(|d| c.bound(&d.x) > pair.reach));
            self.least.push((!beyond).then(|| corners[0]));
            if !beyond {
                for (i, j) in [(0, 1), (1, 2), (2, 0)] {
                    let (v, w) = (all[t as usize][i], all[t as usize][j]);
                    self.edges.push(([v.min(w), v.max(w)], k));
                }
            }
        }
        self.edges.sort_unstable();
        self.classes.reset(self.triangles.len());
        // The least on the sides of each triangle first, then inside.
        for k in 0..self.edges.len() {
            let ([v, w], triangle) = self.edges[k];
            let is_second = k > 0 && self.edges[k - 1].0 == [v, w];
            if is_second {
                continue;
            }
            let spot = pair.on_edge([v, w], &self.at_vertex(v), &self.at_vertex(w));
            let twin = self.edges.get(k + 1).filter(|(edge, _)| *edge == [v, w]).map(|(_, t)| *t);
            for t in std::iter::once(triangle).chain(twin) {
                let least = &mut self.least[t as usize];
                *least = Some(least.filter(|l| l.at.f <= spot.at.f).unwrap_or(spot));
            }
            if let Some(twin) = twin.filter(|_| spot.at.f <= pair.reach) {
                self.classes.unite(triangle, twin);
            }
        }
        for (k, &t) in self.triangles.iter().enumerate() {
            if let Some(least) = &mut self.least[k] {
                let corners =
                    all[t as usize].map(|v| self.spots[self.vertices.partition_point(|&w| w < v)].x);
                if let Some(inner) = pair.inside(&corners, least) {
                    *least = inner;
                }
            }
        }
    }

    /// Makes a region of every patch.
    fn tell(
        &mut self,
        pair: &MeshConvexPair<'_>,
        shape: &Shape,
        pose: &Pose,
        out: &mut Vec<Region>,
    ) -> Result<()> {
        self.patches.clear();
        for (k, &t) in self.triangles.iter().enumerate() {
            if let Some(spot) = self.least[k].filter(|s| s.at.f <= pair.reach) {
                self.patches.push((self.classes.root(k as u32), t, spot));
            }
        }
        let by_depth = |a: &FieldPoint, b: &FieldPoint| a.at.f.total_cmp(&b.at.f);
        self.patches.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(by_depth(&a.2, &b.2)).then(a.1.cmp(&b.1)));
        let mut behind: Option<Region> = None;
        let first = out.len();
        for patch in self.patches.chunk_by(|a, b| a.0 == b.0) {
            let (_, triangle, spot) = &patch[0];
            let (n, in_front) = pair.normal(spot, *triangle)?;
            let depth = n.dot(&spot.x) + pair.field.support.support(&-n);
            let point = pair.field.support.face_point(&-n, &middle(pair, patch)) + n * (0.5 * depth);
            let region = Region::at_point(point, n, depth);
            if in_front {
                self.feet.clear();
                let has_deepest = feet::add(pair, shape, &region, &mut self.points, &mut self.feet)?;
                out.extend((!has_deepest).then(|| placed(region, pose)));
                for foot in self.feet.iter().map(|foot| placed(*foot, pose)) {
                    // Patches of one plane see the same feet.
                    let is_known =
                        |other: &Region| (other.point - foot.point).norm() <= feet::ON_MESH * pair.field.size;
                    if !out[first..].iter().any(is_known) {
                        out.push(foot);
                    }
                }
            } else if behind.is_none_or(|r| depth < r.depth) {
                behind = Some(region);
            }
        }
        if out.len() == first {
            out.extend(behind.map(|r| placed(r, pose)));
        }
        Ok(())
    }
}

/// The mean of the spots of a patch that are as deep as the first: there are several where faces lie on each other.
fn middle(pair: &MeshConvexPair<'_>, patch: &[(u32, u32, FieldPoint)]) -> Vec3 {
    let (_, _, least) = &patch[0];
    let level = least.at.f + LEVEL * pair.field.size;
    let mut sum = (Vec3::zeros(), 0.0);
    for (_, _, spot) in patch.iter().take_while(|(_, _, s)| s.at.f <= level) {
        sum = (sum.0 + (spot.x - least.x), sum.1 + 1.0);
    }
    least.x + sum.0 / sum.1
}

/// The region of a body around whose middle, given in the mesh's frame, the mesh closes.
fn way_out(pair: &MeshConvexPair<'_>, centre: &Vec3) -> Result<Region> {
    let seen = pair.mesh.project(centre)?;
    let n = (pair.rotation * (seen.closest.point - centre)).try_normalize(f64::MIN_POSITIVE);
    let n = n.unwrap_or_else(|| pair.rotation * seen.normal);
    let x = pair.place(&seen.closest.point);
    let depth = n.dot(&x) + pair.field.support.support(&-n);
    Ok(Region::at_point(x - n * (0.5 * depth), n, depth))
}

/// A region of the body's frame in the world.
fn placed(region: Region, pose: &Pose) -> Region {
    let normal = pose.vector_to_world(&region.normal).normalize();
    Region::at_point(pose.point_to_world(&region.point), normal, region.depth)
}
