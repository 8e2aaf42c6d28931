//! The contact plane, centroid and indentation as the paper prints them, (20) to (28) and section 4.6, beside ours and
//! closed forms.
//!
//! - Plane: the rows (rᵀ 1) of all points of the contour, each with the weight one, AᵀA x = 0; with the symmetric matrix
//!   eliminated by its greatest pivots, the unknown of the least pivot is set to one, and x is scaled to ∣n∣ = 1.
//! - Centroid: that of the projected polygon, (24), in any axes of the plane: (26) need not be followed.
//! - Indentation: the greatest distance from the plane of a vertex of the triangles that cut or are enclosed, of either
//!   body on the other's side, whose projection lies inside the projected contour. It is that of one body: where both
//!   yield, as two equal spheres do, it is half of the overlap.
//!
//! One force per region acts at the centroid along the normal, k δⁿ of that δ.
//!
//! Two spheres of radii R₁, R₂ with their centres D apart cut each other in a circle in the plane at the distance
//! x = (D² + R₁² − R₂²)/2D from the first centre; they overlap by δ = R₁ + R₂ − D.

use crate::Result;
use rattleback_contact::region::{ContourPoint, MeshMesh, MeshRegion};
use rattleback_geom::nalgebra::{Matrix4, Unit, UnitQuaternion, Vector4};
use rattleback_geom::surface::{Cuboid, Mesh, Sphere, Surface};
use rattleback_geom::{Pose, Vec3};
use rattleback_record::Table;
use std::sync::Arc;

/// A region as the paper has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrintedRegion {
    /// Unit normal, turned to ours.
    pub normal: Vec3,
    /// Centroid of the projected contour.
    pub centroid: Vec3,
    /// Indentation in m.
    pub depth: f64,
}

/// x of (21), by elimination with the greatest pivots of the diagonal.
fn null_vector(mut m: Matrix4<f64>) -> Vector4<f64> {
    let mut order = [0, 1, 2, 3];
    for k in 0..3 {
        let best = (k..4).max_by(|&i, &j| m[(order[i], order[i])].total_cmp(&m[(order[j], order[j])]));
        order.swap(k, best.unwrap_or(k));
        let pivot = order[k];
        for &row in &order[k + 1..] {
            let factor = m[(row, pivot)] / m[(pivot, pivot)];
            for &column in &order[k..] {
                m[(row, column)] -= factor * m[(pivot, column)];
            }
        }
    }
    let mut x = Vector4::zeros();
    x[order[3]] = 1.0;
    for k in (0..3).rev() {
        let row = order[k];
        let sum: f64 = order[k + 1..].iter().map(|&column| m[(row, column)] * x[column]).sum();
        x[row] = -sum / m[(row, row)];
    }
    x
}

/// Whether a point lies inside a polygon: a ray along the first axis meets it an odd number of times.
fn encloses(polygon: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let mut inside = false;
    for (k, &[x0, y0]) in polygon.iter().enumerate() {
        let [x1, y1] = polygon[(k + 1) % polygon.len()];
        if (y0 > y) != (y1 > y) && x < x0 + (y - y0) / (y1 - y0) * (x1 - x0) {
            inside = !inside;
        }
    }
    inside
}

/// The paper's region of one that was found; none where its contour has no area.
pub fn printed(
    finder: &MeshMesh,
    region: &MeshRegion,
    meshes: [&Arc<Mesh>; 2],
    poses: [&Pose; 2],
) -> Option<PrintedRegion> {
    let contour: Vec<ContourPoint> = finder.contours(region).next()?.to_vec();
    // About the first point: (20) as it stands, without the rounding of a far origin.
    let origin = contour.first()?.point;
    let mut m = Matrix4::zeros();
    for at in &contour {
        let r = at.point - origin;
        let row = Vector4::new(r.x, r.y, r.z, 1.0);
        m += row * row.transpose();
    }
    let x = null_vector(m);
    let size = x.xyz().norm();
    let turn = x.xyz().dot(&region.normal).signum() / size;
    let (normal, d) = (x.xyz() * turn, x.w * turn);
    let v = normal.cross(&[Vec3::x(), Vec3::y(), Vec3::z()][normal.iamin()]).normalize();
    let w = normal.cross(&v);
    let plan = |p: &Vec3| [v.dot(&(p - origin)), w.dot(&(p - origin))];
    let polygon: Vec<[f64; 2]> = contour.iter().map(|at| plan(&at.point)).collect();
    let (mut area, mut first) = (0.0, [0.0; 2]);
    for (k, a) in polygon.iter().enumerate() {
        let b = polygon[(k + 1) % polygon.len()];
        let cross = a[0] * b[1] - b[0] * a[1];
        area += 0.5 * cross;
        (0..2).for_each(|i| first[i] += (a[i] + b[i]) * cross / 6.0);
    }
    if area == 0.0 {
        return None;
    }
    let centroid = origin + v * (first[0] / area) + w * (first[1] / area) - normal * d;
    let mut depth: f64 = 0.0;
    for body in 0..2 {
        let mesh = meshes[body].mesh();
        let cut = contour.iter().map(|at| at.triangles[body]);
        // A lies beyond the plane on B's side, towards which the normal points, and B on A's.
        let side = if body == 0 { 1.0 } else { -1.0 };
        for triangle in cut.chain(finder.enclosed(region, body).iter().copied()) {
            for corner in mesh.corners(triangle as usize) {
                let p = poses[body].point_to_world(&corner);
                let beyond = side * (normal.dot(&(p - origin)) + d);
                if beyond > depth && encloses(&polygon, plan(&p)) {
                    depth = beyond;
                }
            }
        }
    }
    Some(PrintedRegion { normal, centroid, depth })
}

/// A pair of meshes with what its bodies are.
struct Trial {
    name: &'static str,
    meshes: [Mesh; 2],
    poses: [Pose; 2],
    /// δ, the middle of the circle, the normal from A to B.
    depth: f64,
    centre: Vec3,
    normal: Vec3,
}

fn trials(chord: f64) -> Result<Vec<Trial>> {
    let turn = UnitQuaternion::from_axis_angle(&Unit::new_normalize(Vec3::new(0.3, 0.5, 0.2)), 0.4);
    let ball =
        |radius: f64| -> Result<Mesh> { Ok(Mesh::new(Sphere::new(radius)?.tessellate(chord * radius)?)?) };
    let (depth, radius) = (0.1, 0.5);
    let slab = Mesh::new(Cuboid::new([1.6, 1.6, 0.4], 0.0)?.tessellate(1.0)?)?;
    let mut list = vec![Trial {
        name: "a sphere in the face of a box",
        meshes: [ball(radius)?, slab],
        poses: [Pose::new(Vec3::new(0.13, -0.07, radius - depth), turn), Pose::from_position(0.0, 0.0, -0.2)],
        depth,
        centre: Vec3::new(0.13, -0.07, 0.0),
        normal: -Vec3::z(),
    }];
    for (name, other) in [("two equal spheres", 0.5), ("a sphere in one of twice its radius", 1.0)] {
        let apart = radius + other - depth;
        let along = Vec3::new(0.2, 0.3, -0.9).normalize();
        let x = (apart * apart + radius * radius - other * other) / (2.0 * apart);
        let middle = Vec3::new(0.05, 0.02, 0.6);
        list.push(Trial {
            name,
            meshes: [ball(radius)?, ball(other)?],
            poses: [Pose::new(middle, turn), Pose::new(middle + along * apart, turn.inverse())],
            depth,
            centre: middle + along * x,
            normal: along,
        });
    }
    Ok(list)
}

/// The paper's and ours beside closed forms, for meshes of a chord in radii.
pub(super) fn table(chord: f64) -> Result<Table> {
    let columns = [
        "bodies",
        "by",
        "indentation over δ",
        "plane tilted by, rad",
        "centroid off by, m",
        "force at k δ^1.5, share",
    ];
    let mut table = Table::new(columns);
    for trial in trials(chord)? {
        let Trial { name, meshes, poses, depth, centre, normal } = trial;
        let [a, b] = meshes.map(Arc::new);
        let mut finder = MeshMesh::new();
        let regions = finder.find(&a, &poses[0], &b, &poses[1])?.to_vec();
        let Some(region) = regions.first() else { continue };
        let Some(printed) = printed(&finder, region, [&a, &b], [&poses[0], &poses[1]]) else { continue };
        let ours = PrintedRegion { normal: region.normal, centroid: region.centroid, depth: region.depth };
        for (by, found) in [("ours", ours), ("the paper's equations", printed)] {
            table.push([
                name.to_owned(),
                by.to_owned(),
                format!("{:.4}", found.depth / depth),
                format!("{:.1e}", found.normal.cross(&normal).norm().asin()),
                format!("{:.1e}", (found.centroid - centre).norm()),
                format!("{:.3}", (found.depth / depth).powf(1.5)),
            ]);
        }
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn the_papers_plane_is_that_of_the_circle_and_its_depth_is_that_of_one_body() {
        for trial in trials(1e-3).unwrap() {
            let Trial { name, meshes, poses, depth, centre, normal } = trial;
            let [a, b] = meshes.map(Arc::new);
            let mut finder = MeshMesh::new();
            let region = finder.find(&a, &poses[0], &b, &poses[1]).unwrap()[0].clone();
            let found = printed(&finder, &region, [&a, &b], [&poses[0], &poses[1]]).unwrap();
            assert!(found.normal.cross(&normal).norm() < 2e-3, "{name}: {}", found.normal);
            assert!((found.centroid - centre).norm() < 2e-3, "{name}: {}", found.centroid);
            // The part of the sphere beyond the plane: R − x; all of δ where the other face is flat.
            let share = match name {
                "two equal spheres" => 0.5,
                "a sphere in one of twice its radius" => {
                    let apart: f64 = 1.4;
                    (0.5 - (apart * apart + 0.25 - 1.0) / (2.0 * apart)) / depth
                }
                _ => 1.0,
            };
            assert!((found.depth / depth - share).abs() < 0.02, "{name}: {} {share}", found.depth / depth);
            assert!((region.depth / depth - 1.0).abs() < 0.02, "{name}: {}", region.depth);
        }
    }
}
