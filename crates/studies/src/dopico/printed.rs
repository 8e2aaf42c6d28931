//! The contact plane, centroid and indentation as the paper prints them, (20) to (28) and section 4.6, beside ours and
//! closed forms.
//!
//! The equations are those of `rattleback_contact::region::ContactPlane`, which scenes choose by `regions =
//! "contact_plane"`. The paper's indentation is that of one body: where both yield, as two equal spheres do, it is
//! half of the overlap.
//!
//! Two spheres of radii R₁, R₂ with their centres D apart cut each other in a circle in the plane at the distance
//! x = (D² + R₁² − R₂²)/2D from the first centre; they overlap by δ = R₁ + R₂ − D.

use crate::Result;
use rattleback_contact::region::{ContactPlane, MeshMesh};
use rattleback_geom::nalgebra::{Unit, UnitQuaternion};
use rattleback_geom::surface::{Cuboid, Mesh, Sphere, Surface};
use rattleback_geom::{Pose, Vec3};
use rattleback_record::Table;
use std::sync::Arc;

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
        let mut finder = MeshMesh::on_contact_planes();
        let Some(region) = finder.find(&a, &poses[0], &b, &poses[1])?.first() else { continue };
        let Some(printed) = region.contact_plane else { continue };
        let ours = ContactPlane { normal: region.normal, centroid: region.centroid, depth: region.depth };
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
            let mut finder = MeshMesh::on_contact_planes();
            let region = finder.find(&a, &poses[0], &b, &poses[1]).unwrap()[0].clone();
            let found = region.contact_plane.unwrap();
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
