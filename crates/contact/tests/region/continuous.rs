//! Regions vary with the pose as little as it does.

use super::samples::{Random, body, cube, cuboid, sphere};
use rattleback_contact::geom::surface::{Capsule, Mesh, Plane, Shape};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::region::{Region, RegionFinder};
use std::sync::Arc;

/// The greatest change of depth, normal and point from one step to the next along a motion of the first body.
fn changes(a: &Shape, b: &Shape, motion: impl Fn(f64) -> Pose, steps: usize) -> [f64; 3] {
    let mut finder = RegionFinder::new();
    let mut last: Option<Region> = None;
    let mut most = [0.0; 3];
    for k in 0..=steps {
        let mut found = Vec::new();
        let pose = motion(k as f64 / steps as f64);
        finder.find(a, &pose, b, &Pose::identity(), 0.0, &mut found).unwrap();
        let [region] = found[..] else { panic!("{k}: {found:?}") };
        if let Some(last) = last {
            let change = [
                (region.depth - last.depth).abs(),
                (region.normal - last.normal).norm(),
                (region.point - last.point).norm(),
            ];
            most = [0, 1, 2].map(|i| f64::max(most[i], change[i]));
        }
        last = Some(region);
    }
    most
}

fn shape(mesh: Arc<Mesh>) -> Shape {
    Shape::Mesh(mesh)
}

#[test]
fn a_sphere_rolls_over_another_without_jumps() {
    // A thousand steps of 1e-4: the facets are ten times as long as the way.
    let (a, b) = (shape(sphere(3, 1.0)), shape(sphere(3, 0.8)));
    let mut random = Random(3);
    let turn = random.turn();
    let motion = |s: f64| {
        let way = Vec3::new(0.1 * s, 0.05, 1.0).normalize();
        Pose::new(way * 1.75, turn).rotated(Vec3::new(1.0, 2.0, 0.5), 0.1 * s).unwrap()
    };
    let [depth, normal, point] = changes(&a, &b, motion, 1000);
    assert!(depth < 1e-4 && normal < 2e-3 && point < 2e-3, "{depth} {normal} {point}");
}

#[test]
fn a_box_slides_and_turns_on_a_slab_without_jumps() {
    let (a, b) = (shape(cube(0.5)), shape(body(cuboid([2.0, 2.0, 0.5], [3, 4, 1]))));
    let motion =
        |s: f64| Pose::from_position(0.3 * s, 0.1 - 0.2 * s, 1.0 - 1e-3).rotated(Vec3::z(), 0.7 * s).unwrap();
    let [depth, normal, point] = changes(&a, &b, motion, 500);
    assert!(depth < 1e-12 && normal < 1e-9 && point < 1e-3, "{depth} {normal} {point}");
}

#[test]
fn a_box_slides_over_the_rim_of_another_without_jumps_of_depth_or_normal() {
    let a = shape(cube(0.5));
    let motion = |s: f64| Pose::from_position(-0.4 + 1.2 * s, 0.1, 1.0 - 1e-3);
    let [depth, normal, point] = changes(&a, &a, motion, 1200);
    assert!(depth < 1e-12 && normal < 1e-4 && point < 2e-3, "{depth} {normal} {point}");
}

#[test]
fn a_box_tilts_on_a_plane_from_face_to_edge_without_jumps() {
    let (a, b) = (shape(cube(0.5)), Shape::from(Plane::new([0.0, 0.0, 1.0], 0.0).unwrap()));
    // The lower edge stays 1e-3 below the plane.
    let motion = |s: f64| {
        let angle: f64 = 0.05 * s;
        Pose::from_position(0.0, 0.0, 0.5 * (angle.cos() + angle.sin()) - 1e-3)
            .rotated(Vec3::y(), angle)
            .unwrap()
    };
    let [depth, normal, point] = changes(&a, &b, motion, 2000);
    assert!(depth < 1e-12 && normal < 1e-12 && point < 0.02, "{depth} {normal} {point}");
}

#[test]
fn a_capsule_passes_over_a_ridge_without_jumps() {
    let (a, b) =
        (shape(body(cuboid([0.5, 2.0, 0.5], [1, 4, 1]))), Shape::from(Capsule::new(0.1, 0.05).unwrap()));
    // The mesh moves below a capsule at rest, from its face to its edge.
    let motion = |s: f64| Pose::from_position(-0.42 - 0.1 * s, 0.1, -0.5 - 0.15 + 5e-3);
    let [depth, normal, point] = changes(&a, &b, motion, 1000);
    assert!(depth < 3e-4 && normal < 5e-3 && point < 5e-3, "{depth} {normal} {point}");
}
