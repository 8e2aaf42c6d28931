//! Meshes against smooth convex bodies.

use super::samples::{Random, body, bumpy, cube, cuboid};
use rattleback_contact::geom::surface::{
    Capsule, Cylinder, Ellipsoid, Mesh, Shape, Sphere, Superellipsoid, Torus,
};
use rattleback_contact::geom::{Pose, TriMesh, Vec3};
use rattleback_contact::region::{Region, RegionFinder, has_regions};
use rattleback_contact::{Collider, contact};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
use std::sync::Arc;

/// The regions of a mesh at the origin as A, the same with the bodies exchanged.
fn find(mesh: &Arc<Mesh>, shape: &Shape, pose: &Pose, reach: f64) -> Vec<Region> {
    let a = Shape::Mesh(mesh.clone());
    assert!(has_regions(&a, shape) && has_regions(shape, &a));
    let (mut finder, mut found, mut again) = (RegionFinder::new(), Vec::new(), Vec::new());
    finder.find(shape, pose, &a, &Pose::identity(), reach, &mut again).unwrap();
    finder.find(&a, &Pose::identity(), shape, pose, reach, &mut found).unwrap();
    assert!(found.iter().zip(&again).all(|(x, y)| *x == y.swapped()) && found.len() == again.len());
    found
}

#[test]
fn a_ball_touches_faces_edges_and_corners_of_a_box_where_it_is_nearest() {
    let ball: Shape = Sphere::new(0.3).unwrap().into();
    let mut random = Random(4);
    for cells in [1, 4] {
        let block = body(cuboid([1.0, 0.8, 0.5], [cells; 3]));
        for _ in 0..300 {
            let half = Vec3::new(1.0, 0.8, 0.5);
            let c = random.point(1.4);
            let nearest = c.zip_map(&half, |x, h| x.clamp(-h, h));
            let apart = (c - nearest).norm();
            let found = find(&block, &ball, &Pose::new(c, random.turn()), 0.05);
            if apart > 0.35 {
                assert!(found.is_empty());
            } else if apart > 1e-3 {
                let [region] = found[..] else { panic!("{c:?} {found:?}") };
                assert!((region.depth - (0.3 - apart)).abs() < 1e-12, "{c:?} {region:?}");
                let wanted = (c - nearest) / apart;
                assert!((region.normal - wanted).norm() < 1e-9, "{c:?} {wanted:?} {region:?}");
                let middle = nearest - region.normal * (region.depth / 2.0);
                assert!((region.point - middle).norm() < 1e-9);
            } else {
                // The middle is inside: out through the nearest face.
                let [region] = found[..] else { panic!("{c:?} {found:?}") };
                let out = (half - c.abs()).min();
                assert!((region.depth - (0.3 + out)).abs() < 1e-9, "{c:?} {region:?}");
                assert!(region.normal.dot(&c) > 0.0);
            }
        }
    }
}

#[test]
fn a_ball_in_a_groove_touches_both_walls() {
    // Two boxes turned by 45 degrees make a groove of 90 degrees along y, its bottom at the origin.
    let wall = |sign: f64| {
        let turn = Pose::identity().rotated(Vec3::y(), -sign * FRAC_PI_4).unwrap();
        let mesh = cuboid([1.0, 1.0, 0.1], [3, 3, 1]);
        let at = turn.vector_to_world(&Vec3::new(sign, 0.0, -0.1 - 1e-9));
        TriMesh::new(
            mesh.vertices().iter().map(|v| turn.vector_to_world(v) + at).collect(),
            mesh.triangles().to_vec(),
        )
        .unwrap()
    };
    // They overlap below the groove, which the ball does not see.
    let groove = body(super::samples::joined(&[wall(1.0), wall(-1.0)]));
    let ball: Shape = Sphere::new(0.2).unwrap().into();
    let found = find(&groove, &ball, &Pose::from_position(0.0, 0.05, 0.2 * 2f64.sqrt() - 0.01), 0.0);
    assert_eq!(found.len(), 2, "{found:?}");
    for region in &found {
        assert!((region.depth - 0.01 / 2f64.sqrt()).abs() < 1e-8);
        assert!((region.normal.z - 0.5f64.sqrt()).abs() < 1e-6);
    }
    assert!((found[0].normal.x + found[1].normal.x).abs() < 1e-6);
}

#[test]
fn the_far_side_of_a_thin_plate_does_not_push() {
    let plate = body(cuboid([1.0, 1.0, 0.01], [3, 3, 1]));
    let ball: Shape = Sphere::new(0.2).unwrap().into();
    for z in [0.2, 0.1, 0.02] {
        let found = find(&plate, &ball, &Pose::from_position(0.1, 0.05, z), 0.0);
        let [region] = found[..] else { panic!("{found:?}") };
        assert!((region.normal - Vec3::z()).norm() < 1e-12 && (region.depth - (0.21 - z)).abs() < 1e-12);
    }
    let found = find(&plate, &ball, &Pose::from_position(0.1, 0.05, 0.004), 0.0);
    assert!((found[0].depth - 0.206).abs() < 1e-12 && found[0].normal.z > 0.99, "{found:?}");
}

#[test]
fn bodies_that_lie_on_a_face_are_as_deep_as_their_support() {
    let block = cube(1.0);
    let bodies: [Shape; 5] = [
        Ellipsoid::new([0.5, 0.3, 0.2]).unwrap().into(),
        Superellipsoid::new([0.5, 0.3, 0.2], [3.0, 2.5]).unwrap().into(),
        Capsule::new(0.1, 0.3).unwrap().into(),
        Cylinder::new(0.1, 0.3).unwrap().into(),
        Sphere::new(0.2).unwrap().into(),
    ];
    let mut random = Random(6);
    for shape in &bodies {
        for _ in 0..40 {
            let turn = random.turn();
            let down = turn.inverse_transform_vector(&-Vec3::z());
            let below = shape.surface().as_support().unwrap().support(&down);
            let depth = 0.03 * random.unit() - 0.01;
            let pose = Pose::new(Vec3::new(0.1, 0.2, 1.0 + below - depth), turn);
            let found = find(&block, shape, &pose, 0.02);
            // Capsules and cylinders have points besides, which are not as deep.
            let has_features = matches!(shape, Shape::Capsule(_) | Shape::Cylinder(_));
            assert!(found.len() == 1 || has_features && found.len() <= 4, "{shape:?} {found:?}");
            let region = found.iter().max_by(|a, b| a.depth.total_cmp(&b.depth)).unwrap();
            assert!((region.depth - depth).abs() < 1e-9, "{shape:?} {depth} {region:?}");
            assert!((region.normal - Vec3::z()).norm() < 1e-5, "{shape:?} {region:?}");
            let lowest = pose.point_to_world(&shape.surface().as_support().unwrap().support_point(&down));
            assert!((region.point - (lowest + Vec3::z() * (depth / 2.0))).norm() < 1e-4, "{shape:?}");
        }
    }
}

#[test]
fn a_capsule_and_a_cylinder_that_lie_flat_have_a_region_at_either_end_that_is_above_the_mesh() {
    let block = cube(1.0);
    for shape in [Shape::from(Capsule::new(0.1, 0.3).unwrap()), Cylinder::new(0.1, 0.3).unwrap().into()] {
        let lying = |x: f64| Pose::from_position(x, 0.0, 1.09).rotated(Vec3::y(), FRAC_PI_2).unwrap();
        let mut found = find(&block, &shape, &lying(0.2), 0.0);
        found.sort_by(|a, b| a.point.x.total_cmp(&b.point.x));
        let [one, other] = found[..] else { panic!("{shape:?} {found:?}") };
        for (region, x) in [(one, -0.1), (other, 0.5)] {
            assert!((region.depth - 0.01).abs() < 1e-9 && (region.normal - Vec3::z()).norm() < 1e-9);
            assert!((region.point - Vec3::new(x, 0.0, 0.995)).norm() < 1e-9, "{region:?}");
        }
        // One end beyond the edge: the middle of what lies on the face is told.
        let found = find(&block, &shape, &lying(0.9), 0.0);
        let [region] = found[..] else { panic!("{shape:?} {found:?}") };
        assert!((region.depth - 0.01).abs() < 1e-9 && region.point.y.abs() < 1e-9, "{region:?}");
    }
}

#[test]
fn no_point_of_the_surface_is_deeper_than_the_regions_say() {
    let mesh = body(bumpy(1));
    let mut random = Random(12);
    let bodies: [Shape; 4] = [
        Sphere::new(0.4).unwrap().into(),
        Ellipsoid::new([0.6, 0.3, 0.2]).unwrap().into(),
        Capsule::new(0.15, 0.4).unwrap().into(),
        Superellipsoid::new([0.5, 0.3, 0.2], [3.0, 2.5]).unwrap().into(),
    ];
    let mut met = 0;
    for round in 0..40 {
        let shape = &bodies[round % 4];
        let pose = Pose::new(random.point(1.0).normalize() * (1.2 + 0.4 * random.unit()), random.turn());
        let reach = 0.1;
        let found = find(&mesh, shape, &pose, reach);
        // The gap of a point is that of a tiny ball around it.
        const TINY: f64 = 1e-7;
        let other = Collider { shape: shape.clone(), pose };
        let mut least = f64::INFINITY;
        for t in 0..mesh.mesh().triangles().len() {
            let [a, b, c] = mesh.mesh().corners(t);
            for i in 0..=12 {
                for j in 0..=12 - i {
                    let x = a + (b - a) * (i as f64 / 12.0) + (c - a) * (j as f64 / 12.0);
                    if (x - pose.position).norm() < 0.8 {
                        let ball =
                            Collider::new(Sphere::new(TINY).unwrap(), Pose::new(x, Default::default()));
                        least = least.min(contact(&ball, &other).unwrap().touch.gap + TINY);
                    }
                }
            }
        }
        let deepest = found.iter().map(|r| r.depth).fold(f64::NEG_INFINITY, f64::max);
        // Deeper than that the way back is no longer that to the nearest point of the body's own surface.
        if (-0.08..reach).contains(&least) {
            met += 1;
            assert!(-deepest <= least + 1e-6, "{shape:?} {least} {found:?}");
            assert!(-deepest > least - 0.02, "{shape:?} {least} {found:?}");
        } else if least > reach {
            assert!(found.iter().all(|r| -r.depth > least - 0.02));
        }
    }
    assert!(met > 6, "{met}");
}

#[test]
fn a_ball_deep_inside_a_mesh_is_told_the_way_out() {
    let ball: Shape = Sphere::new(0.1).unwrap().into();
    let found = find(&cube(1.0), &ball, &Pose::from_position(0.2, 0.6, 0.1), 0.0);
    let [region] = found[..] else { panic!("{found:?}") };
    assert!((region.depth - 0.5).abs() < 1e-12 && (region.normal - Vec3::y()).norm() < 1e-12);
}

#[test]
fn shapes_that_are_not_convex_are_refused() {
    let (mesh, torus) = (Shape::Mesh(cube(1.0)), Shape::from(Torus::new(1.0, 0.2).unwrap()));
    assert!(!has_regions(&mesh, &torus) && !has_regions(&torus, &torus));
    let (mut finder, mut out) = (RegionFinder::new(), Vec::new());
    let pose = Pose::identity();
    let error = finder.find(&mesh, &pose, &torus, &pose, 0.0, &mut out).unwrap_err().to_string();
    assert!(error.starts_with("no solver for mesh against torus"), "{error}");
}
