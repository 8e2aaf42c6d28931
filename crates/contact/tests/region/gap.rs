//! How far meshes are apart: against boxes by another way, against brute force, and in the degenerate positions.

use super::samples::{Random, body, cuboid, torus};
use rattleback_contact::geom::surface::{Cuboid, Shape};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::region::{MeshMesh, RegionFinder};
use rattleback_contact::{Certificate, Collider, Start, collide, contact, narrow};

#[test]
fn meshes_of_boxes_are_as_far_apart_as_the_boxes() {
    let mut random = Random(61);
    let (mut apart, mut within) = (0, 0);
    for round in 0..300 {
        let half = [0.3, 0.2 + 0.1 * random.unit(), 0.4];
        let cells = [1 + round % 3, 2, 1];
        let mesh = Shape::Mesh(body(cuboid(half, cells)));
        let edges = Shape::Cuboid(Cuboid::new(half.map(|x| 2.0 * x), 0.0).unwrap());
        let (pose_a, pose_b) = (random.pose(0.5), random.pose(0.8));
        let want = narrow::touch(&edges, &pose_a, &edges, &pose_b, Start::Cold).unwrap();
        let found = narrow::touch(&mesh, &pose_a, &mesh, &pose_b, Start::Cold).unwrap();
        if want.gap <= 0.0 {
            assert!(found.gap <= 1e-12, "round {round}: {} {}", found.gap, want.gap);
            within += 1;
            continue;
        }
        apart += 1;
        assert!((found.gap - want.gap).abs() < 1e-12, "round {round}: {} {}", found.gap, want.gap);
        assert!((found.normal - want.normal).norm() < 1e-6, "round {round}");
        assert!(found.certified && (found.point_b - found.point_a - found.normal * found.gap).norm() < 1e-12);
        let Certificate::Separate { lower, upper } = found.certificate else { panic!("round {round}") };
        assert!(lower <= upper && upper - lower < 1e-12);
        let swapped = narrow::touch(&mesh, &pose_b, &mesh, &pose_a, Start::Cold).unwrap();
        assert!((swapped.gap - found.gap).abs() < 1e-13 && (swapped.normal + found.normal).norm() < 1e-6);
    }
    assert!(apart > 60 && within > 60, "{apart} {within}");
}

#[test]
fn concave_meshes_are_as_far_apart_as_brute_force_says() {
    let mut random = Random(62);
    let ring = body(torus(0.8, 0.2, 16, 8));
    let mut finder = MeshMesh::new();
    let mut count = 0;
    for round in 0..200 {
        // Linked or apart, a warm finder asked again and again.
        let (pose_a, pose_b) = (random.pose(0.4), random.pose(0.9));
        if !finder.find(&ring, &pose_a, &ring, &pose_b).unwrap().is_empty() {
            continue;
        }
        count += 1;
        let found = finder.gap(&ring, &pose_a, &ring, &pose_b, 10.0).unwrap().unwrap();
        assert!(found.lower <= found.distance && found.distance - found.lower < 1e-12, "round {round}");
        let mut least = f64::INFINITY;
        for (mesh, pose, other) in [(&ring, &pose_a, &pose_b), (&ring, &pose_b, &pose_a)] {
            for triangle in 0..mesh.mesh().triangles().len() {
                let [a, b, c] = mesh.mesh().corners(triangle);
                for (p, q) in [(a, b), (b, c), (c, a)] {
                    for k in 0..8 {
                        let p = pose.point_to_world(&(p + (q - p) * (k as f64 / 8.0)));
                        let seen = ring.tree().closest_point(ring.mesh(), &other.point_to_local(&p)).unwrap();
                        least = least.min(seen.distance);
                    }
                }
            }
        }
        assert!(found.distance <= least + 1e-12, "round {round}: {} {least}", found.distance);
        // The samples are an eighth of an edge of up to 0.4 m apart.
        assert!(found.distance > least - 0.025, "round {round}: {} {least}", found.distance);
        // Beyond reach nothing is told; a cold finder says the same.
        assert!(finder.gap(&ring, &pose_a, &ring, &pose_b, 0.99 * found.distance).unwrap().is_none());
        let cold = MeshMesh::new().gap(&ring, &pose_a, &ring, &pose_b, 10.0).unwrap().unwrap();
        assert!((cold.distance - found.distance).abs() < 1e-15);
    }
    assert!(count > 20, "{count}");
}

#[test]
fn a_gap_within_reach_is_a_region_and_a_contact() {
    let cube = Shape::Mesh(body(cuboid([0.5; 3], [1; 3])));
    let above = Pose::from_position(0.1, 0.2, 1.0 + 1e-3);
    let mut found = Vec::new();
    let mut finder = RegionFinder::new();
    finder.find(&cube, &Pose::identity(), &cube, &above, 2e-3, &mut found).unwrap();
    assert!(found.len() == 1 && (found[0].depth + 1e-3).abs() < 1e-15);
    assert!((found[0].normal - Vec3::z()).norm() < 1e-12);
    finder.find(&cube, &Pose::identity(), &cube, &above, 5e-4, &mut found).unwrap();
    assert!(found.is_empty());
    let (a, b) = (Collider::new(cube.clone(), Pose::identity()), Collider::new(cube.clone(), above));
    let contacts = collide(&a, &b, 2e-3).unwrap();
    assert!(contacts.len() == 1 && (contacts[0].touch.gap - 1e-3).abs() < 1e-15);
    assert!((contact(&a, &b).unwrap().touch.gap - 1e-3).abs() < 1e-15);
    // Corner on corner, edge across edge, a point in common.
    let corner = Collider::new(cube.clone(), Pose::from_position(1.3, 1.4, 1.2));
    assert!((contact(&a, &corner).unwrap().touch.gap - 0.29_f64.sqrt()).abs() < 1e-14);
    let touching = Collider::new(cube, Pose::from_position(0.0, 0.0, 1.0));
    assert!(contact(&a, &touching).unwrap().touch.gap.abs() < 1e-15);
}
