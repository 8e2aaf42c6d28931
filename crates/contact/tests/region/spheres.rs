//! Two spheres as meshes: everything converges at second order to the closed forms.

use super::samples::{Random, sphere};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::region::MeshMesh;
use std::f64::consts::PI;

/// The order at which errors fall when edges are halved, over the whole series.
fn order(errors: &[f64]) -> f64 {
    (errors[0] / errors[errors.len() - 1]).log2() / (errors.len() - 1) as f64
}

#[test]
fn radius_plane_centroid_area_and_depth_converge_at_second_order() {
    let (r1, r2, apart) = (1.0, 0.7, 1.35);
    let along = (apart * apart + r1 * r1 - r2 * r2) / (2.0 * apart);
    let ring = f64::sqrt(r1 * r1 - along * along);
    let mut errors = vec![Vec::new(); 5];
    for level in 2..=6 {
        let (a, b) = (sphere(level, r1), sphere(level, r2));
        let mut random = Random(11);
        let mut sums = [0.0; 5];
        let mut finder = MeshMesh::new();
        const TURNS: usize = 24;
        for _ in 0..TURNS {
            let pose_a = random.pose(3.0);
            let way = random.point(1.0).normalize();
            let pose_b = Pose::new(pose_a.position + way * apart, random.turn());
            let found = finder.find(&a, &pose_a, &b, &pose_b).unwrap().to_vec();
            let [region] = &found[..] else { panic!("{found:?}") };
            let centre = pose_a.position + way * along;
            let contours: Vec<_> = finder.contours(region).collect();
            assert_eq!(contours.len(), 1);
            let radius = |p: &Vec3| (p - pose_a.position).cross(&way).norm();
            let mean = contours[0].iter().map(|p| radius(&p.point)).sum::<f64>() / contours[0].len() as f64;
            sums[0] += ring - mean;
            sums[1] += (region.centroid - centre).norm();
            sums[2] += PI * ring * ring - region.area;
            sums[3] += r1 + r2 - apart - region.depth;
            sums[4] += 1.0 - region.normal.dot(&way);
            let middle = 0.5 * (r1 + apart - r2);
            let point = region.region().point;
            assert!((point - pose_a.position - way * middle).norm() < 0.7 / 4f64.powi(level as i32));
        }
        for (k, sum) in sums.iter().enumerate() {
            errors[k].push(sum / TURNS as f64);
        }
    }
    for (k, name) in ["radius", "centroid", "area", "depth"].into_iter().enumerate() {
        let order = order(&errors[k]);
        assert!((1.8..2.2).contains(&order), "{name}: order {order}, {:?}", errors[k]);
    }
    // The tilt itself is of second order at least: its cosine of fourth.
    let tilt = order(&errors[4]);
    assert!(tilt > 3.5, "normal: {tilt}, {:?}", errors[4]);
}

#[test]
fn spheres_that_barely_touch_and_spheres_apart_are_told_from_each_other() {
    let a = sphere(4, 1.0);
    let mut finder = MeshMesh::new();
    // Vertex against vertex: both meshes have one at the same place of their frames.
    let top = a.mesh().vertices()[0];
    for (gap, count) in [(-1e-9, 1), (1e-9, 0), (-1e-13, 1), (1e-13, 0)] {
        let pose =
            Pose::new(top * (2.0 + gap), Default::default()).rotated(top.cross(&Vec3::z()), PI).unwrap();
        // Turned by half a circle about an axis across `top`, the other's vertex looks back.
        let found = finder.find(&a, &Pose::identity(), &a, &pose).unwrap();
        assert_eq!(found.len(), count, "{gap}");
        for region in found {
            assert!((region.depth + gap).abs() < 2e-15, "{gap}: {region:?}");
            assert!(region.normal.dot(&top) > 0.99);
        }
    }
}

#[test]
fn a_million_triangles_against_a_million() {
    let a = sphere(8, 1.0);
    assert_eq!(a.mesh().triangles().len(), 1_310_720);
    let mut finder = MeshMesh::new();
    let pose = Pose::from_position(0.9, 1.1, 1.3);
    let apart = pose.position.norm();
    let found = finder.find(&a, &Pose::identity(), &a, &pose).unwrap();
    assert_eq!(found.len(), 1);
    assert!((found[0].depth - (2.0 - apart)).abs() < 1e-4, "{}", found[0].depth);
    assert!((found[0].normal - pose.position / apart).norm() < 1e-5);
    assert_eq!(finder.find(&a, &Pose::identity(), &a, &Pose::from_position(3.0, 0.0, 0.0)).unwrap().len(), 0);
}
