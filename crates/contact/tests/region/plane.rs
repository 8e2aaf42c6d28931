//! Meshes on half-spaces, with closed forms.

use super::samples::{Random, body, cube, cuboid, icosphere, inverted, joined, mapped, sphere, torus};
use rattleback_contact::geom::surface::{Mesh, Plane, Shape};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::region::{Region, RegionFinder, has_regions};
use std::f64::consts::{FRAC_PI_4, PI};
use std::sync::Arc;

/// The regions of a mesh on the plane z = 0, the same in another place of the world and with the bodies exchanged.
fn on_floor(mesh: &Arc<Mesh>, pose: &Pose, reach: f64) -> Vec<Region> {
    let (a, b) = (Shape::Mesh(mesh.clone()), Shape::from(Plane::new([0.0, 0.0, 1.0], 0.2).unwrap()));
    let floor = Pose::from_position(0.0, 0.0, -0.2);
    assert!(has_regions(&a, &b) && has_regions(&b, &a));
    let (mut finder, mut found, mut again) = (RegionFinder::new(), Vec::new(), Vec::new());
    let world = Random(5).pose(3.0);
    finder.find(&a, &world.compose(pose), &b, &world.compose(&floor), reach, &mut again).unwrap();
    finder.find(&b, &floor, &a, pose, reach, &mut found).unwrap();
    assert_eq!(found.len(), again.len());
    for (x, y) in found.iter_mut().zip(&again) {
        *x = x.swapped();
        assert!((world.point_to_world(&x.point) - y.point).norm() < 1e-9, "{x:?} {y:?}");
        assert!((world.vector_to_world(&x.normal) - y.normal).norm() < 1e-9);
        assert!((x.depth - y.depth).abs() < 1e-12 && (x.area - y.area).abs() < 1e-9);
        assert!((x.normal + Vec3::z()).norm() < 1e-12);
    }
    found
}

#[test]
fn a_corner_an_edge_and_a_face_leave_their_sections() {
    let depth = 0.04;
    for cells in [1, 5] {
        let block = body(cuboid([0.5; 3], [cells; 3]));
        let axis = Vec3::new(1.0, 1.0, 1.0).cross(&-Vec3::z());
        let turn = Vec3::new(1.0, 1.0, 1.0).angle(&-Vec3::z());
        let corner = Pose::from_position(0.1, 0.2, 0.75f64.sqrt() - depth).rotated(axis, turn).unwrap();
        let edge =
            Pose::from_position(0.1, 0.2, 0.5f64.sqrt() - depth).rotated(Vec3::y(), FRAC_PI_4).unwrap();
        let face = Pose::from_position(0.1, 0.2, 0.5 - depth).rotated(Vec3::z(), 0.4).unwrap();
        for (pose, area) in [(corner, 1.5 * 3f64.sqrt() * depth * depth), (edge, 2.0 * depth), (face, 1.0)] {
            let found = on_floor(&block, &pose, 0.0);
            let [region] = found[..] else { panic!("{found:?}") };
            assert!((region.depth - depth).abs() < 1e-12 && (region.area - area).abs() < 1e-12, "{region:?}");
            assert!((region.point - Vec3::new(0.1, 0.2, -depth / 2.0)).norm() < 1e-9, "{region:?}");
        }
    }
}

#[test]
fn a_face_that_lies_in_the_plane_touches_it() {
    let (mesh, floor) = (Shape::Mesh(cube(0.5)), Shape::from(Plane::new([0.0, 0.0, 1.0], 0.0).unwrap()));
    let (mut finder, mut found) = (RegionFinder::new(), Vec::new());
    finder
        .find(&mesh, &Pose::from_position(0.0, 0.0, 0.5), &floor, &Pose::identity(), 0.0, &mut found)
        .unwrap();
    assert!(found.len() == 1 && found[0].depth == 0.0, "{found:?}");
}

#[test]
fn every_foot_is_a_region_and_a_lifted_one_is_none() {
    let foot = cuboid([0.1, 0.1, 0.5], [2, 2, 3]);
    let spots = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
    let table = body(joined(&spots.map(|[x, y]| mapped(&foot, |v| v + Vec3::new(x, y, 0.0)))));
    let mut found = on_floor(&table, &Pose::from_position(0.0, 0.0, 0.499), 0.0);
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|r| (r.depth - 1e-3).abs() < 1e-12 && (r.area - 0.04).abs() < 1e-12));
    found.sort_by(|a, b| a.point.x.total_cmp(&b.point.x));
    assert!((found[0].point.x + 1.0).abs() < 1e-9 && (found[3].point.x - 1.0).abs() < 1e-9);
    let tilted = Pose::from_position(0.0, 0.0, 0.51).rotated(Vec3::y(), 0.02).unwrap();
    assert_eq!(on_floor(&table, &tilted, 0.0).len(), 2);
}

#[test]
fn a_ring_and_a_cavity_are_taken_off_the_area() {
    let ring = body(torus(1.0, 0.3, 96, 48));
    let found = on_floor(&ring, &Pose::from_position(0.0, 0.0, 0.2), 0.0);
    let half = f64::sqrt(0.3 * 0.3 - 0.2 * 0.2);
    let area = PI * ((1.0 + half).powi(2) - (1.0 - half).powi(2));
    assert!(found.len() == 1 && (found[0].area / area - 1.0).abs() < 0.01, "{found:?}");
    let bubble = inverted(&icosphere(3, |v| v * 0.2 + Vec3::new(0.1, 0.15, -0.3)));
    let block = body(joined(&[cuboid([0.5; 3], [1; 3]), bubble]));
    let found = on_floor(&block, &Pose::from_position(0.0, 0.0, 0.3), 0.0);
    assert!(found.len() == 1 && (found[0].area - (1.0 - PI * 0.04)).abs() < 2e-3, "{found:?}");
    // Below as a whole: the wall of the cavity is no body.
    let found = on_floor(&block, &Pose::from_position(0.0, 0.0, -2.0), 0.0);
    assert!(found.len() == 1 && (found[0].depth - 2.5).abs() < 1e-12 && found[0].area == 0.0);
}

#[test]
fn the_cap_of_a_sphere_converges_at_second_order() {
    let mut errors = Vec::new();
    for level in 2..=6 {
        let ball = sphere(level, 1.0);
        let mut random = Random(2);
        let mut sum = 0.0;
        for _ in 0..20 {
            let pose = Pose::new(Vec3::new(0.3, 0.1, 0.8), random.turn());
            let found = on_floor(&ball, &pose, 0.0);
            sum += PI * 0.36 - found[0].area;
        }
        errors.push(sum / 20.0);
    }
    let order = (errors[0] / errors[4]).log2() / 4.0;
    assert!((1.8..2.2).contains(&order), "{order} {errors:?}");
}

#[test]
fn the_lowest_vertex_is_told_within_reach() {
    let pose = Pose::from_position(0.0, 0.0, 0.9).rotated(Vec3::new(1.0, 0.5, 0.2), 0.9).unwrap();
    let lowest = cube(0.5)
        .mesh()
        .vertices()
        .iter()
        .map(|v| pose.point_to_world(v))
        .min_by(|a, b| a.z.total_cmp(&b.z))
        .unwrap();
    assert!(on_floor(&cube(0.5), &pose, 0.9 * lowest.z).is_empty());
    let found = on_floor(&cube(0.5), &pose, 1.1 * lowest.z);
    assert!((found[0].depth + lowest.z).abs() < 1e-12 && found[0].area == 0.0);
    assert!((found[0].point - (lowest - Vec3::z() * (lowest.z / 2.0))).norm() < 1e-12);
}
