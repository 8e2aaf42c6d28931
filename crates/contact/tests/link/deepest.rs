//! The deepest place against brute force over all triangles and samples of the curve.

use super::meshes::{closed_grid, cuboid, link, regions, shape, torus};
use super::reference::closest;
use crate::near::random::Random;
use rattleback_contact::geom::surface::{Mesh, Shape};
use rattleback_contact::geom::{Pose, TriMesh, Vec3};
use rattleback_contact::region::RegionFinder;
use rattleback_contact::region::link::pieces;
use std::f64::consts::TAU;

/// A ring with bumps all over.
fn bumpy() -> TriMesh {
    closed_grid(48, 32, |u, v| {
        let (a, b) = (TAU * u, TAU * v);
        let tube = 0.35 + 0.05 * (5.0 * a).sin() * (4.0 * b).cos() + 0.02 * (11.0 * a + 7.0 * b).sin();
        let ring = 0.8 + tube * b.cos();
        Vec3::new(ring * a.cos(), ring * a.sin(), tube * b.sin())
    })
}

/// The least distance of the centre curve from a mesh, by samples and golden sections; the curve must be outside.
fn least(mesh: &TriMesh, pose: &Pose) -> f64 {
    // Those beyond the link's ends and the depths of interest are left out.
    let all = (0..mesh.triangles().len()).map(|t| mesh.corners(t));
    let near: Vec<_> =
        all.filter(|corners| (pose.position - closest(&pose.position, corners)).norm() < 0.25).collect();
    let far = |p: &Vec3| {
        let squares = near.iter().map(|corners| (p - closest(p, corners)).norm_squared());
        squares.fold(f64::INFINITY, f64::min).sqrt()
    };
    let curve = pieces(&link(), pose);
    let samples =
        curve.iter().map(|piece| super::reference::least(piece.length(), 24, |s| far(&piece.point(s))));
    samples.fold(f64::INFINITY, f64::min)
}

/// Whether all of the curve is outside, by samples.
fn is_outside(mesh: &Mesh, pose: &Pose) -> bool {
    let curve = pieces(&link(), pose);
    curve.iter().all(|piece| {
        (0..20)
            .all(|k| mesh.signed_distance(&piece.point(piece.length() * f64::from(k) / 20.0)).unwrap() > 0.0)
    })
}

#[test]
fn the_deepest_place_is_that_of_brute_force_on_a_bumpy_ring() {
    let body = shape(bumpy());
    let Shape::Mesh(mesh) = &body else { unreachable!() };
    let mut random = Random(5);
    let mut seen = 0;
    while seen < 60 {
        let mut pose = random.pose(1.3);
        // Nearer, until the bar touches; then within.
        let far = mesh.signed_distance(&pose.position).unwrap();
        pose.position.z *= if far > 0.3 { 0.3 } else { 1.0 };
        let expected = 0.03 - least(mesh.mesh(), &pose);
        if !(-0.02..0.0299).contains(&expected) || !is_outside(mesh, &pose) {
            continue;
        }
        seen += 1;
        let found = regions(&body, &pose, 0.02);
        let deepest = found.iter().map(|region| region.depth).fold(f64::NEG_INFINITY, f64::max);
        // Sampling finds no depth that is not there, and may miss some of it.
        assert!(deepest >= expected - 1e-9 && deepest < expected + 1e-6, "{deepest} {expected} {pose:?}");
    }
}

#[test]
fn a_finder_that_is_used_again_tells_the_same() {
    let bodies = [shape(torus(0.5, 0.2, 40, 24)), shape(cuboid([0.4, 0.3, 0.2]))];
    let link = Shape::Link(link());
    let mut random = Random(6);
    let mut finder = RegionFinder::new();
    let (mut again, mut fresh) = (Vec::new(), Vec::new());
    let mut some = 0;
    for step in 0..2000 {
        let body = &bodies[step / 100 % 2];
        let (pose, at) = (random.pose(1.0), Pose::identity());
        finder.find(&link, &pose, body, &at, 0.01, &mut again).unwrap();
        RegionFinder::new().find(&link, &pose, body, &at, 0.01, &mut fresh).unwrap();
        assert_eq!(again, fresh);
        some += usize::from(!fresh.is_empty());
    }
    assert!(some > 200, "{some}");
}
