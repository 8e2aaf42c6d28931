//! The contact plane, centroid and indentation of Dopico et al., as the force of a region, against closed forms.

use super::samples::{Random, body, cuboid, sphere, torus};
use rattleback_contact::geom::surface::{Mesh, Plane, Shape};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::region::{Region, RegionFinder};
use std::f64::consts::FRAC_PI_4;
use std::sync::Arc;

/// The regions of A and B, the same in another place of the world and with the bodies exchanged.
fn regions(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Vec<Region> {
    let (mut found, mut moved, mut swapped) = (Vec::new(), Vec::new(), Vec::new());
    let world = Random(3).pose(3.0);
    let mut finder = RegionFinder::on_contact_planes();
    finder.find(a, pose_a, b, pose_b, 0.0, &mut found).unwrap();
    finder.find(a, &world.compose(pose_a), b, &world.compose(pose_b), 0.0, &mut moved).unwrap();
    RegionFinder::on_contact_planes().find(b, pose_b, a, pose_a, 0.0, &mut swapped).unwrap();
    assert_eq!((found.len(), found.len()), (moved.len(), swapped.len()));
    for ((x, y), z) in found.iter().zip(&moved).zip(swapped.into_iter().map(Region::swapped)) {
        assert!(x.potential.is_none());
        assert!((world.point_to_world(&x.point) - y.point).norm() < 1e-9, "{x:?} {y:?}");
        assert!((world.vector_to_world(&x.normal) - y.normal).norm() < 1e-9, "{x:?} {y:?}");
        assert!((x.depth - y.depth).abs() < 1e-9);
        assert!((x.point - z.point).norm() < 1e-9 && (x.normal - z.normal).norm() < 1e-9, "{x:?} {z:?}");
        assert!((x.depth - z.depth).abs() < 1e-9);
    }
    found
}

fn block(half: [f64; 3], cells: usize) -> Shape {
    Shape::Mesh(body(cuboid(half, [cells; 3])))
}

/// Floors whose face is z = 0.
fn floors() -> [(Shape, Pose); 3] {
    [
        (Shape::from(Plane::new([0.0, 0.0, 1.0], 0.2).unwrap()), Pose::from_position(0.0, 0.0, -0.2)),
        (block([3.0, 3.0, 0.5], 1), Pose::from_position(0.1, 0.3, -0.5)),
        (block([3.0, 3.0, 0.5], 4), Pose::from_position(-0.2, 0.1, -0.5)),
    ]
}

#[test]
fn a_cube_on_its_face_edge_or_corner_has_the_face_for_its_plane_and_its_whole_depth() {
    let depth = 0.04;
    for cells in [1, 5] {
        let cube = block([0.5; 3], cells);
        let corner = Vec3::new(1.0, 1.0, 1.0);
        let corner = Pose::from_position(0.1, 0.2, 0.75f64.sqrt() - depth)
            .rotated(corner.cross(&-Vec3::z()), corner.angle(&-Vec3::z()))
            .unwrap();
        let edge =
            Pose::from_position(0.1, 0.2, 0.5f64.sqrt() - depth).rotated(Vec3::y(), FRAC_PI_4).unwrap();
        let face = Pose::from_position(0.1, 0.2, 0.5 - depth).rotated(Vec3::z(), 0.4).unwrap();
        for pose in [corner, edge, face] {
            for (floor, at) in floors() {
                let found = regions(&cube, &pose, &floor, &at);
                let [region] = found[..] else { panic!("{found:?}") };
                assert!((region.normal + Vec3::z()).norm() < 1e-9, "{region:?}");
                assert!((region.point - Vec3::new(0.1, 0.2, 0.0)).norm() < 1e-9, "{region:?}");
                assert!((region.depth - depth).abs() < 1e-12, "{region:?}");
            }
        }
    }
}

#[test]
fn a_sphere_in_a_face_converges_at_second_order_and_two_equal_ones_have_half_of_their_overlap() {
    let (radius, depth) = (0.5, 0.1);
    let mut errors = Vec::new();
    for level in [3, 4, 5] {
        let ball = Shape::Mesh(sphere(level, radius));
        let pose = Pose::new(Vec3::new(0.13, -0.07, radius - depth), Random(9).turn());
        let mut worst: f64 = 0.0;
        for (floor, at) in floors() {
            let found = regions(&ball, &pose, &floor, &at);
            let [region] = found[..] else { panic!("{found:?}") };
            worst = worst.max((region.point - Vec3::new(0.13, -0.07, 0.0)).norm());
            worst = worst.max((region.depth - depth).abs()).max((region.normal + Vec3::z()).norm());
        }
        let along = Vec3::new(0.2, 0.3, -0.9).normalize();
        let other = Pose::new(pose.position + along * (2.0 * radius - depth), Random(4).turn());
        let found = regions(&ball, &pose, &ball, &other);
        let [region] = found[..] else { panic!("{found:?}") };
        let middle = pose.position + along * (radius - 0.5 * depth);
        worst = worst.max((region.point - middle).norm()).max((region.depth - 0.5 * depth).abs());
        errors.push(worst);
    }
    assert!(errors[2] < 2e-3 && errors[0] / errors[2] > 8.0, "{errors:?}");
}

#[test]
fn edges_that_cross_each_other_without_a_vertex_inside_press_by_half_of_their_overlap() {
    let (long, depth) = (block([1.0, 0.1, 0.1], 1), 0.02);
    let half = 0.1 * 2f64.sqrt();
    let below = Pose::from_position(0.0, 0.0, 0.0).rotated(Vec3::x(), FRAC_PI_4).unwrap();
    let across = Pose::from_position(0.3, 0.2, 2.0 * half - depth)
        .rotated(Vec3::x(), FRAC_PI_4)
        .unwrap()
        .rotated(Vec3::z(), 2.0 * FRAC_PI_4)
        .unwrap();
    let found = regions(&long, &below, &long, &across);
    let [region] = found[..] else { panic!("{found:?}") };
    assert!((region.normal - Vec3::z()).norm() < 1e-9, "{region:?}");
    assert!((region.point - Vec3::new(0.3, 0.0, half - 0.5 * depth)).norm() < 1e-9, "{region:?}");
    assert!((region.depth - 0.5 * depth).abs() < 1e-12, "{region:?}");
}

#[test]
fn a_ring_is_one_region_about_its_middle() {
    let ring = Shape::Mesh(body(torus(0.5, 0.1, 90, 45)));
    let pose = Pose::from_position(0.1, 0.2, 0.1 - 0.02);
    for (floor, at) in floors() {
        let found = regions(&ring, &pose, &floor, &at);
        let [region] = found[..] else { panic!("{found:?}") };
        assert!((region.point - Vec3::new(0.1, 0.2, 0.0)).norm() < 1e-6, "{region:?}");
        assert!((region.depth - 0.02).abs() < 1e-3, "{region:?}");
    }
}

#[test]
fn random_overlaps_have_finite_numbers_within_both_bodies() {
    let shapes: [Arc<Mesh>; 3] =
        [body(cuboid([0.3, 0.2, 0.1], [1; 3])), body(cuboid([0.2; 3], [2; 3])), sphere(1, 0.25)];
    let mut random = Random(77);
    let mut seen = 0;
    for round in 0..3000 {
        let [a, b] = [round % 3, (round / 3) % 3].map(|k| Shape::Mesh(shapes[k].clone()));
        let [pose_a, pose_b] = [random.pose(0.2), random.pose(0.2)];
        let mut found = Vec::new();
        RegionFinder::on_contact_planes().find(&a, &pose_a, &b, &pose_b, 0.0, &mut found).unwrap();
        for region in found {
            seen += 1;
            assert!((region.normal.norm() - 1.0).abs() < 1e-12, "{round}: {region:?}");
            assert!(region.depth >= 0.0 && region.depth < 0.8, "{round}: {region:?}");
            for pose in [&pose_a, &pose_b] {
                assert!((region.point - pose.position).norm() < 0.6, "{round}: {region:?}");
            }
        }
    }
    assert!(seen > 1000, "{seen}");
}
