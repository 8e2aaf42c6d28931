//! The lines in which surfaces cut each other.

use super::samples::{Random, body, bumpy, cuboid};
use rattleback_contact::geom::surface::{
    Capsule, ConvexHull, Cuboid, Cylinder, Ellipsoid, Frustum, Link, Mesh, Plane, Shape, Sphere,
    Superellipsoid, Torus,
};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::region::contours;
use rattleback_contact::{Collider, contact};
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// The radius of a ball that stands for a point, in m.
const DOT: f64 = 1e-6;

fn length(line: &[Vec3]) -> f64 {
    line.windows(2).map(|ends| (ends[1] - ends[0]).norm()).sum()
}

/// How far a point is from the surface of a mesh at the origin.
fn off_mesh(mesh: &Mesh, p: &Vec3) -> f64 {
    (mesh.project(p).unwrap().closest.point - p).norm()
}

/// Whether lines go on where others end: every end that is not its line's own beginning is met by another one.
fn are_closed(lines: &[Vec<Vec3>], close: f64) -> bool {
    let open = lines.iter().filter(|line| (line[0] - line[line.len() - 1]).norm() > close);
    let ends: Vec<Vec3> = open.flat_map(|line| [line[0], line[line.len() - 1]]).collect();
    let met = |k: usize| ends.iter().enumerate().any(|(i, p)| i != k && (p - ends[k]).norm() <= close);
    (0..ends.len()).all(met)
}

#[test]
fn a_ball_in_a_face_has_a_circle_however_the_face_is_divided() {
    let ball: Shape = Sphere::new(0.3).unwrap().into();
    let radius = (0.3f64.powi(2) - 0.2f64.powi(2)).sqrt();
    for cells in [1, 2, 7, 40] {
        let block: Shape = Shape::Mesh(body(cuboid([1.0, 1.0, 0.5], [cells; 3])));
        // Level, aside of the middle and of all edges of the mesh.
        let pose = Pose::from_position(0.11, -0.07, 0.7);
        for exchanged in [false, true] {
            let at = Pose::identity();
            let lines = if exchanged {
                contours(&ball, &pose, &block, &at).unwrap()
            } else {
                contours(&block, &at, &ball, &pose).unwrap()
            };
            for p in lines.iter().flatten() {
                assert!(
                    (p.z - 0.5).abs() < 1e-12 && ((p - pose.position).norm() - 0.3).abs() < 1e-11,
                    "{p:?}"
                );
            }
            let around: f64 = lines.iter().map(|line| length(line)).sum();
            assert!(around < TAU * radius && around > 0.999 * TAU * radius, "{cells}: {around}");
            assert!(are_closed(&lines, 1e-10), "{cells}");
        }
    }
}

#[test]
fn lines_of_convex_bodies_lie_on_both_surfaces_and_close() {
    let corners = [[0.4, 0.0, -0.3], [-0.3, 0.4, -0.2], [-0.2, -0.4, -0.3], [0.0, 0.1, 0.5]].map(Vec3::from);
    let shapes: Vec<Shape> = vec![
        Sphere::new(0.4).unwrap().into(),
        Ellipsoid::new([0.5, 0.3, 0.02]).unwrap().into(),
        Superellipsoid::new([0.4, 0.3, 0.35], [5.0, 3.0]).unwrap().into(),
        Capsule::new(0.2, 0.3).unwrap().into(),
        Cylinder::new(0.3, 0.3).unwrap().into(),
        Frustum::cone(0.4, 0.5).unwrap().into(),
        Cuboid::new([0.3, 0.4, 0.2], 0.05).unwrap().into(),
        ConvexHull::new(&corners, 0.02).unwrap().into(),
    ];
    let meshes =
        [body(cuboid([0.8, 0.7, 0.6], [1; 3])), body(cuboid([0.8, 0.7, 0.6], [9; 3])), body(bumpy(3))];
    let mut random = Random(29);
    let mut found = 0;
    for mesh in &meshes {
        for shape in &shapes {
            let size = shape.surface().bounds().diagonal();
            for _ in 0..6 {
                let pose = random.pose(0.9);
                let a = Shape::Mesh(Arc::clone(mesh));
                let lines = contours(&a, &Pose::identity(), shape, &pose).unwrap();
                found += usize::from(!lines.is_empty());
                for line in &lines {
                    assert!(line.len() > 1);
                    for p in line {
                        assert!(off_mesh(mesh, p) < 1e-9 * size, "{shape:?} {p:?}");
                        let dot = Collider::new(Sphere::new(DOT).unwrap(), Pose::new(*p, Default::default()));
                        let other = Collider::new(shape.clone(), pose);
                        let off = contact(&dot, &other).unwrap().touch.gap + DOT;
                        assert!(off.abs() < 1e-7 * size, "{shape:?} {p:?}: {off}");
                    }
                }
                assert!(are_closed(&lines, 1e-8 * size), "{shape:?} at {pose:?}");
            }
        }
    }
    assert!(found > 60, "{found}");
}

#[test]
fn a_link_and_a_ring_have_theirs() {
    // A link lying flat, a little in the floor: along the outer and the inner side of its bar.
    let link = Link::new(0.01, 0.02, 0.015).unwrap();
    let (sunk, pose) = (0.004, Pose::identity().rotated(Vec3::y(), PI / 2.0).unwrap());
    let floor: Shape = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap().into();
    let at = Pose { position: Vec3::new(3.0, -2.0, 0.01 - sunk), ..pose };
    let block: Shape = Shape::Mesh(body(cuboid([0.5, 0.5, 0.5], [3; 3])));
    for (other, pose_other) in [(&floor, Pose::identity()), (&block, Pose::from_position(3.0, -2.0, -0.5))] {
        let lines = contours(&link.into(), &at, other, &pose_other).unwrap();
        let implicit = link;
        for p in lines.iter().flatten() {
            let q = at.point_to_local(p);
            let off = Shape::from(implicit).surface().as_implicit().unwrap().value(&q);
            assert!(off.abs() < 1e-9 && p.z.abs() < 1e-12, "{p:?} {off}");
        }
        let around: f64 = lines.iter().map(|line| length(line)).sum();
        let expected = 2.0 * (TAU * 0.02 + 4.0 * 0.015);
        assert!((around / expected - 1.0).abs() < 0.002, "{around} {expected}");
    }
    let ring: Shape = Torus::new(0.3, 0.1).unwrap().into();
    let at = Pose::from_position(3.0, -2.0, 0.06);
    let lines = contours(&block, &Pose::from_position(3.0, -2.0, -0.5), &ring, &at).unwrap();
    let around: f64 = lines.iter().map(|line| length(line)).sum();
    assert!((around / (2.0 * TAU * 0.3) - 1.0).abs() < 0.002, "{around}");
}

#[test]
fn bodies_apart_inside_or_just_touching_have_none_and_poses_without_numbers_are_refused() {
    let block: Shape = Shape::Mesh(body(cuboid([1.0, 1.0, 0.5], [4; 3])));
    let ball: Shape = Sphere::new(0.3).unwrap().into();
    let cube: Shape = Cuboid::new([0.2; 3], 0.0).unwrap().into();
    for (shape, z) in [(&ball, 0.9), (&ball, 0.8), (&ball, 0.0), (&ball, 1e9), (&cube, 0.0)] {
        let lines = contours(&block, &Pose::identity(), shape, &Pose::from_position(0.1, 0.1, z)).unwrap();
        assert!(lines.is_empty(), "{z}: {lines:?}");
    }
    let bad = Pose::from_position(0.0, f64::NAN, 0.0);
    assert!(contours(&block, &Pose::identity(), &ball, &bad).is_err());
    // Balls that press in a point have no region.
    assert!(
        contours(&ball, &Pose::identity(), &ball, &Pose::from_position(0.5, 0.0, 0.0)).unwrap().is_empty()
    );
}
