//! The contours of regions: the lines in which the surfaces of two bodies cut each other.
//!
//! | pair | lines |
//! |---|---|
//! | mesh, mesh; boxes with true edges | closed, in order (`super::mesh_mesh`) |
//! | mesh, half-space | a segment per triangle that the plane cuts |
//! | mesh, convex body | an arc per triangle, closed where it lies inside one (`section`) |
//! | mesh, other bodies with an implicit function; chain link, half-space | segments of triangles that are divided until they are small beside the body (`level`) |
//!
//! They are for pictures: ends of arcs that meet at an edge of the mesh agree to rounding, and between its ends an arc
//! is in chords.

mod level;
mod section;

use super::mesh_mesh::MeshMesh;
use crate::error::Result;
use rattleback_geom::curvature::tangents;
use rattleback_geom::surface::{Mesh, Plane, Shape};
use rattleback_geom::{Aabb, Pose, TriMesh, Vec3};

/// Points in order, in m.
pub type Line = Vec<Vec3>;

/// The lines in which the surfaces of two bodies cut each other, in world axes; none for pairs that press in points.
pub fn contours(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Result<Vec<Line>> {
    super::finite_pose("pose_a", pose_a)?;
    super::finite_pose("pose_b", pose_b)?;
    match (a, b) {
        (Shape::Plane(plane), other) => Ok(against_plane(other, pose_b, plane, pose_a)),
        (other, Shape::Plane(plane)) => Ok(against_plane(other, pose_a, plane, pose_b)),
        (Shape::Mesh(mesh), other) if other.mesh().is_none() => Ok(against_mesh(mesh, pose_a, other, pose_b)),
        (other, Shape::Mesh(mesh)) if other.mesh().is_none() => Ok(against_mesh(mesh, pose_b, other, pose_a)),
        _ => {
            let (Some(a), Some(b)) = (a.mesh(), b.mesh()) else { return Ok(Vec::new()) };
            let mut finder = MeshMesh::new();
            let regions = finder.find(a, pose_a, b, pose_b)?.to_vec();
            let closed = |region| {
                let line = |contour: &[super::ContourPoint]| {
                    contour.iter().chain(contour.first()).map(|place| place.point).collect()
                };
                finder.contours(region).map(line).collect::<Vec<Line>>()
            };
            Ok(regions.iter().flat_map(closed).collect())
        }
    }
}

fn against_plane(other: &Shape, pose: &Pose, plane: &Plane, pose_plane: &Pose) -> Vec<Line> {
    let normal = pose.vector_to_local(&pose_plane.vector_to_world(plane.normal()));
    let foot = pose.point_to_local(&pose_plane.point_to_world(&(plane.normal() * plane.offset())));
    let mut lines = if let Some(mesh) = other.mesh() {
        cut(mesh.mesh(), &normal, normal.dot(&foot))
    } else if let (Shape::Link(link), Some(body)) = (other, other.surface().as_implicit()) {
        // Two triangles of the plane that reach beyond the link.
        let (t, u) = tangents(&normal);
        let middle = normal * normal.dot(&foot);
        let (t, u) = (t * (2.0 * link.length()), u * (2.0 * link.length()));
        let corners = [middle - t - u, middle + t - u, middle + t + u, middle - t + u];
        let bounds = other.surface().bounds();
        let mut lines = Vec::new();
        for k in [[0, 1, 2], [0, 2, 3]] {
            level::add(body, &bounds, k.map(|i| corners[i]), &mut lines);
        }
        lines
    } else {
        Vec::new()
    };
    place(&mut lines, pose);
    lines
}

fn against_mesh(mesh: &Mesh, pose: &Pose, other: &Shape, pose_other: &Pose) -> Vec<Line> {
    let surface = other.surface();
    let turn = pose_other.orientation.inverse() * pose.orientation;
    let (rotation, shift) =
        (turn.to_rotation_matrix().into_inner(), pose_other.point_to_local(&pose.position));
    let corners =
        |triangle: &[u32; 3]| triangle.map(|v| rotation * mesh.mesh().vertices()[v as usize] + shift);
    let bounds = surface.bounds();
    let near = mesh
        .mesh()
        .triangles()
        .iter()
        .map(corners)
        .filter(|corners| bounds.overlaps(&Aabb::of_points(corners)));
    let mut lines = Vec::new();
    if let Some(body) = section::Body::new(other) {
        near.for_each(|corners| section::add(&body, &corners, &mut lines));
    } else if let Some(body) = surface.as_implicit() {
        // Of an open surface as much as the mesh can meet.
        let all: Vec<Vec3> = mesh.mesh().vertices().iter().map(|p| rotation * p + shift).collect();
        let reach = Aabb::of_points(&all);
        let common = Aabb { min: bounds.min.sup(&reach.min), max: bounds.max.inf(&reach.max) };
        near.for_each(|corners| level::add(body, &common, corners, &mut lines));
    }
    place(&mut lines, pose_other);
    lines
}

fn place(lines: &mut [Line], pose: &Pose) {
    for point in lines.iter_mut().flatten() {
        *point = pose.point_to_world(point);
    }
}

/// The segments in which the triangles of a mesh cut the plane normal·x = offset, in the mesh's frame.
fn cut(mesh: &TriMesh, normal: &Vec3, offset: f64) -> Vec<Line> {
    let points = mesh.vertices();
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
