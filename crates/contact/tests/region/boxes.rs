//! Boxes on boxes: corners, edges and faces with closed forms.

use super::samples::{Random, body, cube, cuboid};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::region::{MeshMesh, MeshRegion};
use std::f64::consts::{FRAC_PI_4, PI};

/// The one region of a cube of side one at `pose` and a slab whose top is at z = 0, in several places of the world.
fn on_slab(pose: Pose, cells: usize) -> MeshRegion {
    let slab = body(cuboid([2.0, 2.0, 0.5], [3, 4, 1]));
    let cube = body(cuboid([0.5; 3], [cells; 3]));
    let under = Pose::from_position(0.0, 0.0, -0.5);
    let first = MeshMesh::new().find(&cube, &pose, &slab, &under).unwrap().to_vec();
    assert_eq!(first.len(), 1, "{first:?}");
    let world = Random(77).pose(5.0);
    let again =
        MeshMesh::new().find(&cube, &world.compose(&pose), &slab, &world.compose(&under)).unwrap().to_vec();
    assert!((world.vector_to_world(&first[0].normal) - again[0].normal).norm() < 1e-9);
    assert!((first[0].depth - again[0].depth).abs() < 1e-12);
    // And from the other side.
    let swapped = MeshMesh::new().find(&slab, &under, &cube, &pose).unwrap().to_vec();
    assert!((swapped[0].normal + first[0].normal).norm() < 1e-9);
    assert!((swapped[0].centroid - first[0].centroid).norm() < 1e-9);
    assert!((swapped[0].depth - first[0].depth).abs() < 1e-12);
    first[0].clone()
}

#[test]
fn a_corner_leaves_an_equilateral_triangle() {
    let depth = 0.07;
    for cells in [1, 5] {
        let axis = Vec3::new(1.0, 1.0, 1.0).cross(&Vec3::z());
        let turn = Vec3::new(1.0, 1.0, 1.0).angle(&-Vec3::z());
        let height = 0.75f64.sqrt() - depth;
        let pose = Pose::from_position(0.13, -0.21, height).rotated(-axis, -turn).unwrap();
        let region = on_slab(pose, cells);
        assert!((region.normal + Vec3::z()).norm() < 1e-12, "{region:?}");
        assert!((region.depth - depth).abs() < 1e-12);
        assert!((region.area - 1.5 * 3f64.sqrt() * depth * depth).abs() < 1e-12);
        assert!((region.centroid - Vec3::new(0.13, -0.21, 0.0)).norm() < 1e-12);
        assert!((region.region().point - Vec3::new(0.13, -0.21, -depth / 2.0)).norm() < 1e-12);
    }
}

#[test]
fn an_edge_leaves_a_rectangle() {
    let depth = 0.03;
    for cells in [1, 4] {
        let pose =
            Pose::from_position(0.3, 0.1, 0.5f64.sqrt() - depth).rotated(Vec3::y(), FRAC_PI_4).unwrap();
        let region = on_slab(pose, cells);
        assert!((region.normal + Vec3::z()).norm() < 1e-12);
        assert!((region.depth - depth).abs() < 1e-12 && (region.area - 2.0 * depth).abs() < 1e-12);
        assert!((region.centroid - Vec3::new(0.3, 0.1, 0.0)).norm() < 1e-12);
    }
}

#[test]
fn a_face_leaves_its_own_outline() {
    for (depth, cells) in [(0.01, 1), (1e-6, 1), (0.01, 6)] {
        let region =
            on_slab(Pose::from_position(0.3, 0.1, 0.5 - depth).rotated(Vec3::z(), 0.3).unwrap(), cells);
        assert!((region.normal + Vec3::z()).norm() < 1e-9);
        assert!((region.depth - depth).abs() < 1e-12 && (region.area - 1.0).abs() < 1e-9);
        assert!((region.centroid - Vec3::new(0.3, 0.1, 0.0)).norm() < 1e-9);
    }
}

#[test]
fn crossed_edges_overlap_by_their_distance() {
    let depth = 0.02;
    let (a, b) = (cube(0.5), cube(0.5));
    let upper = Pose::from_position(0.1, 0.2, 2f64.sqrt() - depth).rotated(Vec3::x(), FRAC_PI_4).unwrap();
    let lower = Pose::identity().rotated(Vec3::y(), FRAC_PI_4).unwrap();
    let found = MeshMesh::new().find(&a, &upper, &b, &lower).unwrap().to_vec();
    let [region] = &found[..] else { panic!("{found:?}") };
    assert!((region.normal + Vec3::z()).norm() < 1e-12, "{region:?}");
    assert!((region.depth - depth).abs() < 1e-12);
    // The corners of the contour are `depth` away from the crossing on either edge.
    assert!((region.area - 2.0 * depth * depth).abs() < 1e-12);
    assert!(
        (region.centroid - Vec3::new(0.0, 0.2, 0.5f64.sqrt() - depth / 2.0)).norm() < 1e-12
            || (region.centroid - Vec3::new(0.1, 0.0, 0.5f64.sqrt() - depth / 2.0)).norm() < 1e-12
    );
}

#[test]
fn a_box_on_the_rim_of_another_is_as_deep_as_its_face() {
    let (a, depth) = (cube(0.5), 1e-3);
    for shift in [[0.5, 0.2, 0.0], [0.5, 0.0, 0.0], [0.0, 0.0, 0.0], [0.3, -0.4, 0.0]] {
        let pose = Pose::new(Vec3::from(shift) + Vec3::z() * (1.0 - depth), Default::default());
        let found = MeshMesh::new().find(&a, &pose, &a, &Pose::identity()).unwrap().to_vec();
        let [region] = &found[..] else { panic!("{found:?}") };
        assert!((region.depth - depth).abs() < 1e-12, "{shift:?} {region:?}");
        assert!((region.normal + Vec3::z()).norm() < 1e-12, "{shift:?} {region:?}");
        let area = (1.0 - f64::abs(shift[0])) * (1.0 - f64::abs(shift[1]));
        assert!((region.area - area).abs() < 5.0 * depth, "{} {area}", region.area);
    }
}

#[test]
fn needles_of_aspect_one_to_a_thousand_are_no_harder() {
    let needle = body(cuboid([1.0, 1e-3, 1e-3], [1; 3]));
    let other = Pose::from_position(0.2, 0.1, 1.5e-3).rotated(Vec3::z(), PI / 3.0).unwrap();
    let found = MeshMesh::new().find(&needle, &other, &needle, &Pose::identity()).unwrap().to_vec();
    let [region] = &found[..] else { panic!("{found:?}") };
    assert!((region.depth - 0.5e-3).abs() < 1e-15 && (region.normal + Vec3::z()).norm() < 1.0);
    assert!((region.area - 4e-6 / (PI / 3.0).sin()).abs() < 2e-6, "{}", region.area);
}
