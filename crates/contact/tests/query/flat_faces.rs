//! Derivatives of contacts on flat faces, ruled walls and edges, where closed forms are known.

use rattleback_contact::geom::nalgebra::UnitQuaternion;
use rattleback_contact::geom::surface::{
    Capsule, Cylinder, Plane, Shape, Sphere, Superellipsoid, Superquadric,
};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::{Collider, Derivatives, Regularity, Twist, contact, derivatives, rates};

fn at(shape: impl Into<Shape>, x: f64, y: f64, z: f64) -> Collider {
    Collider::new(shape, Pose::from_position(x, y, z))
}

fn turned(shape: impl Into<Shape>, position: [f64; 3], axis: Vec3, angle: f64) -> Collider {
    let orientation = UnitQuaternion::from_scaled_axis(axis * angle);
    Collider::new(shape, Pose::new(position.into(), orientation))
}

fn found(a: &Collider, b: &Collider) -> Derivatives {
    let d = derivatives(a, b, &contact(a, b).unwrap()).unwrap();
    let numbers = [d.gap.amax(), d.normal.amax(), d.point_a.amax(), d.point_b.amax()];
    let curvatures = [d.curvature_a.amax(), d.curvature_b.amax(), d.relative.amax()];
    assert!(numbers.iter().chain(&curvatures).all(|x| x.is_finite()), "{d:?}");
    d
}

fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-13 * (1.0 + expected.abs()), "{found} against {expected}");
}

#[test]
fn the_point_on_a_capsules_wall_follows_the_ball_along_the_axis() {
    let capsule = at(Capsule::new(0.3, 0.4).unwrap(), 0.0, 0.0, 0.0);
    let ball = at(Sphere::new(0.2).unwrap(), 0.6, 0.8, 0.1);
    let d = found(&capsule, &ball);
    // p = (c·z) z + r e about the capsule's axis z, with c the ball's centre: c·z changes by ω·(c × z) = 0.6 per ω_y of
    // the ball's motion against the axis, and e turns; the foot on the axis at 0.1 lies 0.3 (0.6, 0.8) from the point.
    close(d.point_a[(2, 4)], 0.42);
    close(d.point_a[(2, 8)], 1.0);
    close(d.point_b[(2, 8)], 1.0);
    // The ball slides along the wall: the normal stays.
    close(d.normal.column(8).norm(), 0.0);
}

#[test]
fn the_nearest_point_of_a_cylinders_cap_follows_the_ball() {
    let cylinder = at(Cylinder::new(0.5, 0.3).unwrap(), 0.0, 0.0, 0.0);
    let ball = at(Sphere::new(0.2).unwrap(), 0.1, -0.2, 0.7);
    let d = found(&cylinder, &ball);
    for (column, axis) in [(6, Vec3::x()), (7, Vec3::y()), (8, Vec3::zeros())] {
        assert!((d.point_a.column(column) - axis).norm() < 1e-13);
        assert!(d.normal.column(column).norm() < 1e-13);
    }
    // The cap turns with its body: dn = ω × z.
    assert!((d.normal.column(3) + Vec3::y()).norm() < 1e-13);
    assert!((d.normal.column(4) - Vec3::x()).norm() < 1e-13);
}

#[test]
fn a_rim_under_a_ball_keeps_its_point_across_and_moves_it_along() {
    let cylinder = at(Cylinder::new(0.5, 0.3).unwrap(), 0.0, 0.0, 0.0);
    let ball = at(Sphere::new(0.2).unwrap(), 0.8, 0.0, 0.7);
    let d = found(&cylinder, &ball);
    // The rim's point nearest to (x, y, z) is 0.5 (x, y)/√(x² + y²): it turns with the angle, by 0.5/0.8 per y.
    assert!((d.point_a.column(7) - Vec3::y() * (0.5 / 0.8)).norm() < 1e-13);
    assert!(d.point_a.column(6).norm() < 1e-13 && d.point_a.column(8).norm() < 1e-13);
}

#[test]
fn a_boxy_superellipsoid_under_a_ball_has_the_derivatives_of_a_face() {
    let exponents = [20.0, 20.0];
    let shape = Superellipsoid::new([1.0; 3], exponents).unwrap();
    for axis in [Vec3::x(), Vec3::y(), Vec3::new(0.6, 0.8, 0.0)] {
        for gap in [0.05, 1e-9, 0.0, -1e-4] {
            let angle = 20f64.to_radians();
            let body = turned(shape, [0.0; 3], axis, angle);
            let normal = body.pose.vector_to_world(&Vec3::z());
            let place = body.pose.point_to_world(&Vec3::new(0.03, -0.05, 1.0)) + normal * (0.1 + gap);
            let ball = at(Sphere::new(0.1).unwrap(), place.x, place.y, place.z);
            for (a, b, sign) in [(&body, &ball, 1.0), (&ball, &body, -1.0)] {
                let d = found(a, b);
                // On a plane the normal turns with the body and not with the ball, and the ball's place moves the
                // point.
                let (own, other) = if sign > 0.0 { (0, 6) } else { (6, 0) };
                for k in 0..3 {
                    let turn = Vec3::ith(k, 1.0).cross(&(normal * sign));
                    assert!((d.normal.column(own + 3 + k) - turn).norm() < 1e-9);
                    assert!(d.normal.column(other + k).norm() < 1e-9);
                    let along = Vec3::ith(k, 1.0) - normal * normal[k];
                    assert!((d.point_a.column(other + k) - along).norm() < 1e-9 || sign < 0.0);
                }
            }
        }
    }
}

#[test]
fn a_ball_on_a_floor_and_a_floor_on_a_ball_are_the_same() {
    let floor = at(Plane::new([0.0, 0.0, 1.0], 0.0).unwrap(), 0.0, 0.0, 0.0);
    let ball = at(Sphere::new(0.2).unwrap(), 0.3, 0.1, 0.15);
    let (one, other) = (found(&floor, &ball), found(&ball, &floor));
    for column in 0..12 {
        let swapped = (column + 6) % 12;
        close(one.gap[column], other.gap[swapped]);
        assert!((one.normal.column(column) + other.normal.column(swapped)).norm() < 1e-14);
        assert!((one.point_a.column(column) - other.point_b.column(swapped)).norm() < 1e-14);
    }
}

fn regularity(a: &Collider, b: &Collider) -> Regularity {
    let d = found(a, b);
    let twist = Twist { velocity: Vec3::new(0.3, -0.2, 0.5), angular_velocity: Vec3::new(-0.7, 0.4, 0.9) };
    let still = Twist { velocity: Vec3::zeros(), angular_velocity: Vec3::zeros() };
    let rates = rates(a, b, &contact(a, b).unwrap(), [&twist, &still]).unwrap();
    assert!(rates.regularity <= d.regularity && (rates.point_a + rates.point_b).norm().is_finite());
    d.regularity
}

/// The answer is the same in both orders.
fn expect(a: &Collider, b: &Collider, expected: Regularity) {
    for (a, b) in [(a, b), (b, a)] {
        assert_eq!(regularity(a, b), expected, "{a:?} {b:?} {:?}", contact(a, b));
    }
}

#[test]
fn parallel_flats_and_generators_have_no_unique_points() {
    let floor = at(Plane::new([0.0, 0.0, 1.0], 0.0).unwrap(), 0.0, 0.0, 0.0);
    let cylinder = Cylinder::new(0.5, 0.3).unwrap();
    let lying = |shape: Shape, z: f64| turned(shape, [0.2, 0.1, z], Vec3::x(), std::f64::consts::FRAC_PI_2);
    for gap in [0.1, 0.0, -1e-3] {
        expect(&floor, &at(cylinder, 0.0, 0.0, 0.3 + gap), Regularity::Parallel);
        expect(&floor, &lying(cylinder.into(), 0.5 + gap), Regularity::Parallel);
        expect(&floor, &lying(Capsule::new(0.5, 0.3).unwrap().into(), 0.5 + gap), Regularity::Parallel);
    }
    let capsule = Capsule::new(0.2, 0.5).unwrap();
    expect(&at(capsule, 0.0, 0.0, 0.0), &at(capsule, 0.5, 0.0, 0.1), Regularity::Parallel);
    expect(&at(cylinder, 0.0, 0.0, 0.0), &at(cylinder, 0.1, 0.0, 0.7), Regularity::Parallel);
    let block = Superellipsoid::new([1.0; 3], [50.0, 50.0]).unwrap();
    expect(&at(block, 0.0, 0.0, 0.0), &at(block, 0.1, 0.05, 2.1), Regularity::Parallel);
}

#[test]
fn on_parallel_flats_the_points_go_along_with_the_bodies() {
    let floor = at(Plane::new([0.0, 0.0, 1.0], 0.0).unwrap(), 0.0, 0.0, 0.0);
    let cylinder = at(Cylinder::new(0.5, 0.3).unwrap(), 0.0, 0.0, 0.3);
    let d = found(&floor, &cylinder);
    // Translations of the gap are right, the normal is the floor's.
    for k in 0..3 {
        close(d.gap[6 + k], if k == 2 { 1.0 } else { 0.0 });
        close(d.normal.column(9 + k).norm(), 0.0);
        assert!((d.normal.column(3 + k) - Vec3::ith(k, 1.0).cross(&Vec3::z())).norm() < 1e-15);
    }
}

#[test]
fn places_where_curvature_jumps_are_one_sided() {
    let ball = |x: f64, z: f64| at(Sphere::new(0.2).unwrap(), x, 0.0, z);
    let capsule = at(Capsule::new(0.3, 0.4).unwrap(), 0.0, 0.0, 0.0);
    expect(&capsule, &ball(0.6, 0.4), Regularity::Seam);
    expect(&capsule, &ball(0.6, 0.39), Regularity::Smooth);
    expect(&capsule, &ball(0.6, 0.41), Regularity::Smooth);
    let cylinder = at(Cylinder::new(0.5, 0.3).unwrap(), 0.0, 0.0, 0.0);
    expect(&cylinder, &ball(0.8, 0.3), Regularity::Seam);
    expect(&cylinder, &ball(0.5, 0.7), Regularity::Seam);
    expect(&cylinder, &ball(0.49, 0.7), Regularity::Smooth);
    expect(&cylinder, &ball(0.8, 0.29), Regularity::Smooth);
    expect(&cylinder, &ball(0.8, 0.31), Regularity::Edge);
    expect(
        &at(Superellipsoid::new([1.0; 3], [4.0, 2.0]).unwrap(), 0.0, 0.0, 0.0),
        &ball(0.0, 1.3),
        Regularity::Seam,
    );
}

#[test]
fn concentric_spheres_have_no_normal() {
    let (a, b) = (at(Sphere::new(0.3).unwrap(), 0.1, 0.2, 0.3), at(Sphere::new(0.2).unwrap(), 0.1, 0.2, 0.3));
    expect(&a, &b, Regularity::Focal);
}

#[test]
fn planes_of_symmetry_are_flat_or_sharp_by_the_exponent() {
    let ball = at(Sphere::new(0.2).unwrap(), 0.0, 0.0, 1.25);
    for (exponent, expected) in [
        (1.05, Regularity::Edge),
        (1.5, Regularity::Edge),
        (2.0, Regularity::Smooth),
        (2.5, Regularity::Kink),
        (4.0, Regularity::Smooth),
        (20.0, Regularity::Smooth),
        (50.0, Regularity::Smooth),
    ] {
        let shapes: [Shape; 2] = [
            Superellipsoid::new([1.0, 0.7, 1.0], [exponent; 2]).unwrap().into(),
            Superquadric::new([1.0, 0.7, 1.0], [exponent; 3]).unwrap().into(),
        ];
        for shape in shapes {
            let body = at(shape, 0.0, 0.0, 0.0);
            expect(&body, &ball, expected);
            let d = found(&body, &ball);
            // How the ball's place along x moves point and normal: on a flat all of it moves the point, at a tip the
            // normal.
            let (moved, turned) = match exponent {
                e if e < 2.0 => (0.0, 1.0 / 0.25),
                e if e > 2.0 => (1.0, 0.0),
                // On the ellipsoid's end with ρ = 1 below the ball's centre at 0.25: 1/(1 + 0.25) of it.
                _ => (1.0 / 1.25, 1.0 / 1.25),
            };
            close(d.point_a[(0, 6)], moved);
            close(d.normal[(0, 6)], turned);
        }
    }
}
