//! Contacts along lines and circles: the points of features, their rates, and all contacts of a pair.

use super::differences::moved;
use super::random::Random;
use rattleback_contact::geom::surface::{
    Capsule, ConvexHull, Cuboid, Cylinder, Ellipsoid, Frustum, Mesh, Plane, Shape, Sphere, Torus,
};
use rattleback_contact::geom::{Pose, TriMesh, Vec3};
use rattleback_contact::{Collider, ContactQuery, Start, collide, contact, feature_count};

fn bodies() -> [Shape; 8] {
    [
        Capsule::new(0.3, 0.8).unwrap().into(),
        Cylinder::new(0.5, 0.7).unwrap().into(),
        Torus::new(0.6, 0.2).unwrap().into(),
        Cuboid::new([0.8, 1.1, 0.6], 0.0).unwrap().into(),
        Cuboid::new([0.8, 1.1, 0.6], 0.1).unwrap().into(),
        Frustum::new([0.5, 0.2], 0.8).unwrap().into(),
        Frustum::new([0.0, 0.4], 0.9).unwrap().into(),
        ConvexHull::new(
            &[[0.5, 0.4, 0.3], [0.5, -0.4, -0.3], [-0.4, 0.3, -0.2], [-0.5, -0.4, 0.2]].map(Vec3::from),
            0.1,
        )
        .unwrap()
        .into(),
    ]
}

fn pose(random: &mut Random) -> Pose {
    Pose::new(random.vector(), random.rotation())
}

/// A half-space and a body, in both orders.
fn pairs(random: &mut Random, shape: &Shape) -> [[Collider; 2]; 2] {
    let normal = random.vector().into();
    let plane = Collider::new(Plane::new(normal, random.within(-0.5, 0.5)).unwrap(), pose(random));
    let body = Collider { shape: shape.clone(), pose: pose(random) };
    [[plane.clone(), body.clone()], [body, plane]]
}

fn queries([a, b]: &[Collider; 2]) -> impl Iterator<Item = ContactQuery<'_>> {
    (0..feature_count(&a.shape, &b.shape, false)).map(move |place| ContactQuery {
        a,
        b,
        feature: Some(place),
        faces: None,
    })
}

#[test]
fn the_least_gap_of_all_features_is_the_gap_of_the_bodies() {
    let mut random = Random(11);
    for shape in bodies() {
        for _ in 0..500 {
            for pair in pairs(&mut random, &shape) {
                let whole = contact(&pair[0], &pair[1]).unwrap().touch;
                let touches: Vec<_> = queries(&pair).map(|query| query.touch(Start::Cold).unwrap()).collect();
                let least = touches.iter().map(|touch| touch.gap).fold(f64::INFINITY, f64::min);
                assert!(
                    (least - whole.gap).abs() < 1e-13,
                    "{}: {least} {}",
                    shape.surface().kind(),
                    whole.gap
                );
                for touch in touches {
                    assert!((touch.normal - whole.normal).norm() < 1e-15 && !touch.certified);
                    let apart = touch.point_b - touch.point_a - touch.normal * touch.gap;
                    assert!(apart.norm() < 1e-14);
                }
            }
        }
    }
}

#[test]
fn derivatives_of_features_agree_with_differences() {
    let mut random = Random(12);
    let pack = |query: &ContactQuery<'_>| {
        let touch = query.touch(Start::Cold).unwrap();
        let vectors = [touch.normal, touch.point_a, touch.point_b];
        std::iter::once(touch.gap).chain(vectors.iter().flat_map(|v| [v.x, v.y, v.z])).collect::<Vec<f64>>()
    };
    let mut worst = 0.0_f64;
    for shape in bodies() {
        for _ in 0..40 {
            for pair in pairs(&mut random, &shape) {
                // Where the axis is along the normal a circle has no lowest direction.
                let body = if matches!(pair[0].shape, Shape::Plane(_)) { &pair[1] } else { &pair[0] };
                let normal = contact(&pair[0], &pair[1]).unwrap().touch.normal;
                if body.pose.vector_to_local(&normal).xy().norm() < 0.1 {
                    continue;
                }
                for query in queries(&pair) {
                    let touch = query.touch(Start::Cold).unwrap();
                    let exact = query.derivatives(&touch.into()).unwrap();
                    for column in 0..12 {
                        let mut unit = [0.0; 12];
                        unit[column] = 1.0;
                        let at = |s: f64| {
                            let (a, b) = (moved(query.a, &unit[..6], s), moved(query.b, &unit[6..], s));
                            pack(&ContactQuery { a: &a, b: &b, ..query })
                        };
                        let h = 1e-4;
                        let [one, two] = [h, 2.0 * h].map(|h| (at(h), at(-h), h));
                        let slope = |k: usize| {
                            let of =
                                |(up, down, h): &(Vec<f64>, Vec<f64>, f64)| (up[k] - down[k]) / (2.0 * h);
                            (4.0 * of(&one) - of(&two)) / 3.0
                        };
                        let vectors = [&exact.normal, &exact.point_a, &exact.point_b];
                        let rows = vectors.iter().flat_map(|m| (0..3).map(move |row| m[(row, column)]));
                        for (k, value) in std::iter::once(exact.gap[column]).chain(rows).enumerate() {
                            worst = worst.max((value - slope(k)).abs());
                        }
                    }
                }
            }
        }
    }
    assert!(worst < 1e-7, "{worst:e}");
}

#[test]
fn what_lies_flat_is_borne_alike_in_whatever_direction_it_tilts() {
    // The elastic energy of the rim of a cylinder that stands 1 mm deep, tilted by 0.1 mrad towards φ.
    let floor = Collider::new(Plane::ground(), Pose::identity());
    let energy = |phi: f64, tilt: f64| {
        let axis = Vec3::new(-phi.sin(), phi.cos(), 0.0);
        let pose = Pose::from_position(0.0, 0.0, 0.699).rotated(axis, tilt).unwrap();
        let pair = [floor.clone(), Collider { shape: bodies()[1].clone(), pose }];
        let depths = queries(&pair).map(|query| -query.touch(Start::Cold).unwrap().gap);
        depths.filter(|depth| *depth > 0.0).map(|depth| depth.powf(2.5)).sum::<f64>()
    };
    let flat = energy(0.0, 0.0);
    for k in 0..24 {
        let (here, there) = (energy(0.3 * f64::from(k), 1e-4), energy(0.0, 1e-4));
        assert!((here / there - 1.0).abs() < 1e-9, "{here} {there}");
        assert!(here > flat);
    }
}

fn block(half: f64) -> Shape {
    let vertex = |k: usize| Vec3::from_fn(|i, _| if k >> i & 1 == 1 { half } else { -half });
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.iter().flat_map(|f| [[f[0], f[1], f[2]], [f[0], f[2], f[3]]]).collect();
    Mesh::new(TriMesh::new((0..8).map(vertex).collect(), triangles).unwrap()).unwrap().into()
}

#[test]
fn a_pair_has_no_contact_one_or_many() {
    let floor = Collider::new(Plane::ground(), Pose::identity());
    let on_side = |shape: &Shape, z: f64| {
        let pose = Pose::from_position(0.0, 0.0, z).rotated(Vec3::y(), std::f64::consts::FRAC_PI_2).unwrap();
        Collider { shape: shape.clone(), pose }
    };
    let upright =
        |shape: &Shape, z: f64| Collider { shape: shape.clone(), pose: Pose::from_position(0.0, 0.0, z) };
    let [capsule, cylinder, torus, cuboid, _, frustum, cone, _] = bodies();
    let ball = Sphere::new(0.1).unwrap().into();
    for (body, expected) in [
        (on_side(&capsule, 0.29), 2),
        (upright(&capsule, 1.09), 1),
        (on_side(&cylinder, 0.49), 2),
        (upright(&cylinder, 0.69), 3),
        (upright(&frustum, 0.39), 3),
        (upright(&cone, 0.44), 1),
        (upright(&torus, 0.19), 3),
        (on_side(&torus, 0.79), 1),
        (upright(&cuboid, 0.29), 4),
        (on_side(&cuboid, 0.39), 4),
        (upright(&ball, 0.09), 1),
        (upright(&ball, 0.11), 0),
        (upright(&block(0.1), 0.09), 4),
        (upright(&block(0.1), 0.11), 0),
    ] {
        let found = collide(&floor, &body, 0.0).unwrap();
        assert_eq!(found.len(), expected, "{body:?}");
        for one in &found {
            assert!((one.touch.gap + 0.01).abs() < 1e-12, "{one:?}");
            let face = matches!(body.shape, Shape::Mesh(_));
            assert_eq!(one.area.is_some_and(|area| (area - 0.01).abs() < 1e-12), face, "{one:?}");
        }
        // The first of A and B does not matter but for the sign.
        let swapped = collide(&body, &floor, 0.0).unwrap();
        assert_eq!(swapped.len(), expected);
        for (one, other) in found.iter().zip(&swapped) {
            assert!((one.touch.normal + other.touch.normal).norm() < 1e-15);
        }
    }
    // Curvatures where there are some: those of a ball at a capsule's end, none on a rim.
    let ends = collide(&floor, &on_side(&capsule, 0.29), 0.0).unwrap();
    assert!(ends.iter().all(|end| end.curvature.unwrap().relative.kappa == [1.0 / 0.3; 2]));
    assert!(
        collide(&floor, &upright(&cylinder, 0.69), 0.0).unwrap().iter().all(|one| one.curvature.is_none())
    );
    let egg = Collider::new(Ellipsoid::new([0.2, 0.1, 0.1]).unwrap(), Pose::from_position(0.0, 0.0, 0.3));
    let near = collide(&floor, &egg, 0.5).unwrap();
    assert!(near.len() == 1 && near[0].touch.certified && (near[0].touch.gap - 0.2).abs() < 1e-15);
}
