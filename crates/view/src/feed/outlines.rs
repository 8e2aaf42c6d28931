//! Lines on bodies: the borders of charts and patches, and the contours of regions in which meshes press.
//!
//! As bytes, little-endian: u32 lines; per line u32 body (2³² − 1 for the world's frame), u32 points; then 3 × f32 per
//! point, line after line, in the frame of the body. Those in the world's frame are relative to the origin that
//! `about.rs` tells.

use super::Feed;
use super::frames::Frame;
use crate::error::Result;
use rattleback_contact::region::MeshMesh;
use rattleback_geom::chart::{Atlas, Place};
use rattleback_geom::surface::{Plane, Shape};
use rattleback_geom::{Pose, TriMesh, Vec2, Vec3};
use std::collections::{BTreeSet, HashMap};

/// Steps along a side of a cell.
const STEPS: usize = 8;
/// Lines of an answer at most.
const LINES: usize = 20_000;
/// Stands for the world's frame.
const WORLD: u32 = u32::MAX;

type Line = (u32, Vec<Vec3>);
/// The side of a cell: its chart and the bits of both ends, in order.
type SideKey = (usize, [[u64; 2]; 2]);

impl Feed {
    /// The borders of the charts of all surfaces that have any, in the frames of their bodies.
    pub fn chart_bytes(&self) -> Vec<u8> {
        let mut lines: Vec<Line> = Vec::new();
        for (k, body) in self.scene.model.bodies().iter().enumerate() {
            for part in &body.parts {
                let Some(atlas) = part.shape.surface().as_atlas() else { continue };
                for line in borders(atlas) {
                    let placed = line.iter().map(|p| part.pose.point_to_world(p)).collect();
                    lines.push((k as u32, placed));
                }
            }
        }
        packed(&lines)
    }

    /// The contours of all regions in which meshes press at a frame, in the world's frame.
    pub fn contour_bytes(&self, number: u64) -> Result<Vec<u8>> {
        let lines = self.frame(number, true)?.map(|frame| self.contours(&frame)).unwrap_or_default();
        Ok(packed(&lines))
    }

    fn contours(&self, frame: &Frame) -> Vec<Line> {
        let pairs: BTreeSet<[usize; 4]> = frame
            .contacts
            .iter()
            .map(|contact| {
                let ([a, b], [i, j]) = (contact.bodies, contact.parts.map(|part| part as usize));
                [a, i, b, j]
            })
            .collect();
        let mut lines = Vec::new();
        for [a, i, b, j] in pairs {
            let part = |body: usize, part: usize| {
                let own = self.scene.model.bodies().get(body)?.parts.get(part)?;
                Some((&own.shape, frame.poses[body].compose(&own.pose)))
            };
            if let (Some((a, pose_a)), Some((b, pose_b))) = (part(a, i), part(b, j)) {
                lines.extend(contours_of(a, &pose_a, b, &pose_b));
            }
        }
        for point in lines.iter_mut().flatten() {
            *point -= self.origin;
        }
        lines.into_iter().map(|line| (WORLD, line)).collect()
    }
}

/// The contours of two shapes that press in regions: closed lines where meshes cut each other, segments where a mesh cuts
/// a plane, none otherwise.
fn contours_of(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Vec<Vec<Vec3>> {
    match (a, b) {
        (Shape::Plane(plane), other) => {
            other.mesh().map_or_else(Vec::new, |mesh| cut(mesh.mesh(), pose_b, plane, pose_a))
        }
        (other, Shape::Plane(plane)) => {
            other.mesh().map_or_else(Vec::new, |mesh| cut(mesh.mesh(), pose_a, plane, pose_b))
        }
        _ => {
            let (Some(a), Some(b)) = (a.mesh(), b.mesh()) else { return Vec::new() };
            let mut finder = MeshMesh::new();
            let Ok(regions) = finder.find(a, pose_a, b, pose_b).map(<[_]>::to_vec) else { return Vec::new() };
            let mut lines = Vec::new();
            for contour in regions.iter().flat_map(|region| finder.contours(region)) {
                let closed = contour.iter().chain(contour.first());
                lines.push(closed.map(|place| place.point).collect());
            }
            lines
        }
    }
}

/// The segments in which the triangles of a mesh cut a plane, in the world's frame.
fn cut(mesh: &TriMesh, pose: &Pose, plane: &Plane, plane_pose: &Pose) -> Vec<Vec<Vec3>> {
    let normal = plane_pose.vector_to_world(plane.normal());
    let offset = plane.offset() + normal.dot(&plane_pose.position);
    let points: Vec<Vec3> = mesh.vertices().iter().map(|p| pose.point_to_world(p)).collect();
    let heights: Vec<f64> = points.iter().map(|p| normal.dot(p) - offset).collect();
    let mut segments = Vec::new();
    for triangle in mesh.triangles() {
        let corners = triangle.map(|v| v as usize);
        let mut ends = Vec::with_capacity(2);
        for k in 0..3 {
            let (i, j) = (corners[k], corners[(k + 1) % 3]);
            if (heights[i] < 0.0) != (heights[j] < 0.0) {
                ends.push(points[i].lerp(&points[j], heights[i] / (heights[i] - heights[j])));
            }
        }
        if ends.len() == 2 {
            segments.push(ends);
        }
    }
    segments
}

/// The sides of cells that bound their chart: those that no other cell of the chart shares.
fn borders(atlas: &dyn Atlas) -> Vec<Vec<Vec3>> {
    let bits = |w: &Vec2| [w.x.to_bits(), w.y.to_bits()];
    let mut sides: HashMap<SideKey, (usize, [Vec2; 2])> = HashMap::new();
    for cell in atlas.cells() {
        for k in 0..3 {
            let ends = [cell.corners[k], cell.corners[(k + 1) % 3]];
            let mut key = ends.each_ref().map(bits);
            key.sort_unstable();
            sides.entry((cell.chart, key)).or_insert((0, ends)).0 += 1;
        }
    }
    let mut single: Vec<_> = sides.into_iter().filter(|(_, (count, _))| *count == 1).collect();
    single.sort_unstable_by_key(|(key, _)| *key);
    let line = |chart: usize, [a, b]: [Vec2; 2]| -> Vec<Vec3> {
        let place = |k: usize| {
            let w = a.lerp(&b, k as f64 / STEPS as f64);
            atlas.jet(&Place { chart, u: w.x, v: w.y }).ok().map(|jet| jet.p)
        };
        (0..=STEPS).filter_map(place).collect()
    };
    single
        .into_iter()
        .map(|((chart, _), (_, ends))| line(chart, ends))
        .filter(|line| line.len() > 1)
        .collect()
}

fn packed(lines: &[Line]) -> Vec<u8> {
    let lines = &lines[..lines.len().min(LINES)];
    let mut bytes = (lines.len() as u32).to_le_bytes().to_vec();
    for (body, points) in lines {
        bytes.extend_from_slice(&body.to_le_bytes());
        bytes.extend_from_slice(&(points.len() as u32).to_le_bytes());
    }
    for point in lines.iter().flat_map(|(_, points)| points) {
        point.iter().for_each(|x| bytes.extend_from_slice(&(*x as f32).to_le_bytes()));
    }
    bytes
}
