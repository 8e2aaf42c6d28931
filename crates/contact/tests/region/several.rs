//! Several regions, rings, cavities, bodies inside others.

use super::samples::{body, cube, cuboid, icosphere, inverted, joined, mapped, sphere, torus};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::region::MeshMesh;
use std::f64::consts::PI;

#[test]
fn every_foot_of_a_table_is_a_region() {
    let foot = cuboid([0.1, 0.1, 0.5], [2, 2, 3]);
    let spots = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
    let table = body(joined(&spots.map(|[x, y]| mapped(&foot, |v| v + Vec3::new(x, y, 0.0)))));
    let floor = body(cuboid([3.0, 3.0, 0.1], [1; 3]));
    let mut finder = MeshMesh::new();
    let pose = Pose::from_position(0.03, 0.02, 0.6 - 1e-3);
    let found = finder.find(&table, &pose, &floor, &Pose::identity()).unwrap();
    assert_eq!(found.len(), 4);
    for (region, [x, y]) in found.iter().zip(spots) {
        assert!((region.centroid - Vec3::new(x + 0.03, y + 0.02, 0.1)).norm() < 1e-12, "{region:?}");
        assert!((region.depth - 1e-3).abs() < 1e-12 && (region.area - 0.04).abs() < 1e-12);
    }
}

#[test]
fn a_torus_pressed_into_a_slab_leaves_one_ring() {
    let (big, small, depth) = (1.0, 0.3, 0.1);
    let ring = body(torus(big, small, 96, 48));
    let slab = body(cuboid([2.0, 2.0, 0.5], [1; 3]));
    let mut finder = MeshMesh::new();
    let pose = Pose::from_position(0.1, 0.2, 0.5 + small - depth);
    let found = finder.find(&ring, &pose, &slab, &Pose::identity()).unwrap().to_vec();
    let [region] = &found[..] else { panic!("{found:?}") };
    assert_eq!(finder.contours(region).count(), 2);
    let half = f64::sqrt(small * small - (small - depth) * (small - depth));
    let area = PI * ((big + half).powi(2) - (big - half).powi(2));
    assert!((region.area / area - 1.0).abs() < 0.01, "{} {area}", region.area);
    assert!((region.centroid - Vec3::new(0.1, 0.2, 0.5)).norm() < 1e-9);
    assert!((region.depth - depth).abs() < 1e-12 && (region.normal + Vec3::z()).norm() < 1e-9);
}

#[test]
fn a_cavity_that_a_face_cuts_is_taken_off_the_area() {
    // The hole lies within one triangle of the slab: nothing but the face itself joins it to the outer contour.
    let bubble = inverted(&icosphere(3, |v| v * 0.2 + Vec3::new(0.1, 0.15, -0.3)));
    let block = body(joined(&[cuboid([0.5; 3], [1; 3]), bubble]));
    let slab = body(cuboid([4.0, 6.0, 0.5], [1; 3]));
    let pose = Pose::from_position(0.9, -1.2, 0.5 + 0.3);
    let mut finder = MeshMesh::new();
    for swap in [false, true] {
        let found = if swap {
            finder.find(&slab, &Pose::identity(), &block, &pose).unwrap().to_vec()
        } else {
            finder.find(&block, &pose, &slab, &Pose::identity()).unwrap().to_vec()
        };
        let [region] = &found[..] else { panic!("{swap}: {found:?}") };
        assert_eq!(finder.contours(region).count(), 2);
        assert!((region.area - (1.0 - PI * 0.04)).abs() < 2e-3, "{}", region.area);
        assert!((region.depth - 0.2).abs() < 1e-12);
    }
}

#[test]
fn a_rod_through_a_plate_is_one_region_of_two_contours() {
    let rod = body(cuboid([0.1, 0.1, 1.0], [1; 3]));
    let plate = body(cuboid([1.0, 1.0, 0.05], [3, 3, 1]));
    let mut finder = MeshMesh::new();
    let found =
        finder.find(&rod, &Pose::from_position(0.02, 0.03, 0.3), &plate, &Pose::identity()).unwrap().to_vec();
    let [region] = &found[..] else { panic!("{found:?}") };
    assert_eq!(finder.contours(region).count(), 2);
    // The contours' areas cancel: from the rod's middle to the plate's, by the thickness of the plate.
    assert!(region.normal.z < -0.9 && region.area < 1e-12, "{region:?}");
    assert!((region.depth - 0.1).abs() < 1e-12);
}

#[test]
fn a_ball_inside_a_box_is_told_the_nearest_way_out() {
    let (ball, block) = (sphere(4, 0.2), cube(1.0));
    let mut finder = MeshMesh::new();
    let inside = Pose::from_position(0.1, 0.7, -0.2);
    let a = finder.find(&ball, &inside, &block, &Pose::identity()).unwrap().to_vec();
    let [region] = &a[..] else { panic!("{a:?}") };
    assert!(region.is_nested && region.area == 0.0);
    // 0.3 to the face, and the ball's own radius.
    assert!((region.depth - 0.5).abs() < 1e-3 && (region.normal + Vec3::y()).norm() < 1e-9, "{region:?}");
    assert!((region.region().point - Vec3::new(0.1, 0.75, -0.2)).norm() < 1e-3);
    let b = finder.find(&block, &Pose::identity(), &ball, &inside).unwrap().to_vec();
    assert!((b[0].normal - Vec3::y()).norm() < 1e-9 && (b[0].depth - region.depth).abs() < 1e-12);
    assert!((b[0].region().point - region.region().point).norm() < 1e-12);
}

#[test]
fn a_sinking_ball_is_as_deep_before_its_contour_closes_as_after() {
    let (ball, block) = (sphere(4, 0.2), cube(1.0));
    let mut finder = MeshMesh::new();
    let mut depth = |z: f64| {
        let pose = Pose::from_position(0.05, 0.02, z);
        let found = finder.find(&ball, &pose, &block, &Pose::identity()).unwrap();
        assert_eq!(found.len(), 1);
        assert!((found[0].normal + Vec3::z()).norm() < 1e-6, "{found:?}");
        (found[0].depth, found[0].is_nested)
    };
    let top = ball_top(&ball);
    let ((before, open), (after, closed)) = (depth(1.0 - top + 1e-9), depth(1.0 - top - 1e-9));
    assert!(!open && closed && (before / after - 1.0).abs() < 2e-3, "{before} {after}");
}

fn ball_top(ball: &rattleback_contact::geom::surface::Mesh) -> f64 {
    ball.mesh().vertices().iter().map(|v| v.z).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn a_ball_in_a_cavity_touches_nothing() {
    let shell = body(joined(&[icosphere(3, |v| *v), inverted(&icosphere(3, |v| v * 0.8))]));
    let ball = sphere(3, 0.3);
    let mut finder = MeshMesh::new();
    for (x, count) in [(0.0, 0), (0.45, 0), (0.52, 1), (0.9, 1), (1.5, 0)] {
        for swap in [false, true] {
            let pose = Pose::from_position(x, 0.01, 0.02);
            let found = if swap {
                finder.find(&ball, &pose, &shell, &Pose::identity()).unwrap().to_vec()
            } else {
                finder.find(&shell, &Pose::identity(), &ball, &pose).unwrap().to_vec()
            };
            assert_eq!(found.len(), count, "{x} {swap}");
            if x == 0.52 {
                // The wall of the cavity pushes inwards.
                let into = if swap { found[0].normal.x } else { -found[0].normal.x };
                assert!(into > 0.9, "{:?}", found[0].normal);
            }
        }
    }
}
