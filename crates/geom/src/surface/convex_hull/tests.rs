#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::surface::{Cuboid, Face};

fn points(list: &[[f64; 3]]) -> Vec<Vec3> {
    list.iter().map(|p| Vec3::from(*p)).collect()
}

fn share(state: &mut u64) -> f64 {
    2.0 * rattleback_random::unit(state) - 1.0
}

/// Corners of random position about a point off the origin.
fn stone(count: usize, seed: u64) -> ConvexHull {
    let mut state = seed;
    let list: Vec<Vec3> =
        (0..count).map(|_| Vec3::from_fn(|i, _| share(&mut state) + [0.3, -0.2, 0.5][i])).collect();
    ConvexHull::new(&list, 0.2).unwrap()
}

#[test]
fn the_hull_of_a_boxes_corners_is_the_rounded_box() {
    let cuboid = Cuboid::new([0.6, 0.8, 1.0], 0.1).unwrap();
    let corners: Vec<Vec3> = (0..8).map(|place| cuboid.corner(place)).collect();
    let hull = ConvexHull::new(&corners, 0.1).unwrap();
    assert_eq!((hull.facets.len(), hull.edges.len(), hull.kinks.len()), (6, 12, 6));
    let (own, its) = (hull.moments().unwrap(), cuboid.moments().unwrap());
    assert!((own.volume - its.volume).abs() < 1e-15 && own.first.norm() < 1e-15);
    assert!((own.second - its.second).norm() < 1e-15, "{} {}", own.second, its.second);
    assert!((hull.area().unwrap() - cuboid.area().unwrap()).abs() < 1e-14);
    assert!((hull.bounds().max - cuboid.bounds().max).norm() < 1e-15);
    for n in [[1.0, 0.0, 0.0], [0.0, 0.6, 0.8], [0.1, -0.7, 0.3]].map(Vec3::from) {
        assert!((hull.support(&n) - cuboid.support(&n)).abs() < 1e-15);
        assert!((hull.support_point(&n) - cuboid.support_point(&n)).norm() < 1e-15);
        let (a, b) = (hull.curvature_at_normal(&n).unwrap(), cuboid.curvature_at_normal(&n).unwrap());
        assert_eq!(a.kappa, b.kappa);
    }
}

#[test]
fn moments_are_those_of_a_fine_mesh_of_the_body() {
    for body in [stone(5, 1), stone(12, 2), stone(40, 3)] {
        let moments = |chord: f64| {
            let mesh = body.tessellate(chord).unwrap();
            (mesh.moments(), mesh.area())
        };
        let (own, area) = (body.moments().unwrap(), body.area().unwrap());
        let [(coarse, _), (fine, its_area)] = [4e-3, 1e-3].map(moments);
        let [first, second] = [&coarse, &fine].map(|m| own.volume - m.volume);
        // Inscribed, and four times as near with a quarter of the chord.
        assert!(second > 0.0 && second < 0.4 * first, "{first:e} {second:e}");
        assert!(second < 1e-3 * area, "{second:e}");
        let small = 2e-3 * own.volume;
        assert!((own.first - fine.first).norm() < small, "{:?} {:?}", own.first, fine.first);
        assert!((own.second - fine.second).norm() < small, "{} {}", own.second, fine.second);
        assert!((area - its_area).abs() < 2e-3 * area);
        // Richardson's step removes what the chords leave.
        let better = fine.second + (fine.second - coarse.second) / 3.0;
        assert!((own.second - better).norm() < 0.5 * (own.second - fine.second).norm());
    }
}

#[test]
fn no_point_of_the_surface_is_farther_from_the_mesh_than_the_chord() {
    let body = stone(9, 7);
    for chord in [0.05, 0.01, 2e-3] {
        let mesh = body.tessellate(chord).unwrap();
        let mut state = 5;
        for _ in 0..300 {
            let Some(n) = Vec3::from_fn(|_, _| share(&mut state)).try_normalize(0.1) else { continue };
            let inner = mesh.vertices().iter().map(|v| n.dot(v)).fold(f64::NEG_INFINITY, f64::max);
            let off = body.support(&n) - inner;
            assert!(off > -1e-14 && off <= chord, "{chord}: {off}");
        }
    }
    assert!(body.tessellate(1e-9).unwrap_err().to_string().starts_with("chord = 1e-9: must be at least"));
}

#[test]
fn distances_are_the_greatest_over_all_normals() {
    let body = stone(14, 9);
    let mut state = 3;
    for _ in 0..200 {
        let x = Vec3::from_fn(|_, _| 1.5 * share(&mut state));
        let (distance, n) = body.distance(&x).unwrap();
        assert!((n.dot(&x) - body.support(&n) - distance).abs() < 1e-12);
        for _ in 0..200 {
            let Some(other) = Vec3::from_fn(|_, _| share(&mut state)).try_normalize(0.1) else { continue };
            assert!(other.dot(&x) - body.support(&other) <= distance + 1e-12);
        }
    }
}

#[test]
fn faces_edges_and_corners_are_told_apart() {
    let body = ConvexHull::new(&points(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), 0.1)
        .unwrap();
    let Face::Polygon { centre, corners, .. } = body.face(&-Vec3::z()) else { panic!("no polygon") };
    assert!((centre - Vec3::new(1.0 / 3.0, 1.0 / 3.0, -0.1)).norm() < 1e-15 && corners.len() == 3);
    let Face::Segment { centre, half } = body.face(&Vec3::new(0.0, -0.6, -0.8)) else { panic!("no segment") };
    assert!((centre - Vec3::new(0.5, -0.06, -0.08)).norm() < 1e-15 && half.cross(&Vec3::x()).norm() < 1e-15);
    let kappa = |p: [f64; 3]| body.curvature_at(&Vec3::from(p)).unwrap().kappa;
    assert_eq!(kappa([0.2, 0.3, -0.1]), [0.0, 0.0]);
    assert_eq!(kappa([0.5, -0.06, -0.08]), [10.0, 0.0]);
    assert_eq!(kappa([0.0, 0.0, 1.1]), [10.0, 10.0]);
    assert!(body.has_seam_at(&Vec3::new(0.5, 0.0, -0.1), &-Vec3::z()));
    assert!(!body.has_seam_at(&Vec3::new(0.2, 0.2, -0.1), &-Vec3::z()));
    assert!(body.has_seam_at(&Vec3::new(0.0, -0.06, -0.08), &Vec3::new(0.0, -0.6, -0.8)));
    assert!(!body.has_seam_at(&Vec3::new(0.5, -0.06, -0.08), &Vec3::new(0.0, -0.6, -0.8)));
}

#[test]
fn roundings_and_hulls_that_are_none_are_refused() {
    let corners = points(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    let refusal = |points: &[Vec3], rounding: f64| ConvexHull::new(points, rounding).unwrap_err().to_string();
    assert!(refusal(&corners, -0.1).starts_with("rounding = -0.1: must be"));
    assert!(refusal(&corners, f64::NAN).starts_with("rounding = NaN: must be"));
    assert!(refusal(&corners[..3], 0.1).starts_with("points = 3 points"));
    let mut state = 5;
    let ball: Vec<Vec3> =
        (0..400).filter_map(|_| Vec3::from_fn(|_, _| share(&mut state)).try_normalize(0.1)).collect();
    let said = refusal(&ball, 0.1);
    assert!(
        said.starts_with("rounding = that of a hull of ") && said.ends_with("at most 256 corners"),
        "{said}"
    );
}

#[test]
fn a_hull_with_true_edges_is_the_box_of_its_corners_and_its_mesh() {
    let cuboid = Cuboid::new([0.6, 0.8, 1.0], 0.0).unwrap();
    let corners: Vec<Vec3> = (0..8).map(|place| cuboid.corner(place)).collect();
    let hull = ConvexHull::new(&corners, 0.0).unwrap();
    let (own, its) = (hull.moments().unwrap(), cuboid.moments().unwrap());
    assert!((own.volume - its.volume).abs() < 1e-15 && (own.second - its.second).norm() < 1e-15);
    assert!((hull.area().unwrap() - cuboid.area().unwrap()).abs() < 1e-14);
    assert_eq!(hull.tessellate(0.1).unwrap().triangles().len(), 12);
    assert!(hull.mesh().is_some() && ConvexHull::new(&corners, 0.1).unwrap().mesh().is_none());
    for n in [[1.0, 0.0, 0.0], [0.0, 0.6, 0.8], [0.1, -0.7, 0.3]].map(Vec3::from) {
        assert!((hull.support_point(&n) - cuboid.support_point(&n)).norm() < 1e-15);
        let (a, b) = (hull.curvature_at_normal(&n).unwrap(), cuboid.curvature_at_normal(&n).unwrap());
        assert_eq!(a.kappa, b.kappa);
    }
    // Points of faces, of an edge and of a corner, with normals of the face, across the edge and of the corner.
    for (p, n) in [
        ([0.3, 0.1, 0.2], [1.0, 0.0, 0.0]),
        ([0.3, 0.1, 0.2], [1.0, 1e-3, 0.0]),
        ([0.3, 0.4, 0.2], [0.6, 0.8, 0.0]),
        ([0.3, 0.4, 0.2], [1.0, 0.0, 0.0]),
        ([0.3, 0.4, 0.5], [0.6, 0.6, 0.5]),
        ([0.3, 0.4, 0.5], [0.6, 0.8, 0.0]),
    ] {
        let (p, n) = (Vec3::from(p), Vec3::from(n));
        let (a, b) = (hull.curvature_at_touch(&p, &n).unwrap(), cuboid.curvature_at_touch(&p, &n).unwrap());
        assert_eq!(a.kappa, b.kappa, "{p} {n}");
        assert_eq!(hull.has_seam_at(&p, &n), cuboid.has_seam_at(&p, &n), "{p} {n}");
    }
    assert_eq!(hull.curvature_at(&Vec3::new(0.3, 0.1, 0.2)).unwrap().kappa, [0.0, 0.0]);
    assert!(hull.curvature_at(&Vec3::new(0.3, 0.4, 0.2)).is_err());
}
