//! Derivatives of contacts on flat faces, ruled walls and edges, where closed forms are known.

use rattleback_contact::geom::nalgebra::UnitQuaternion;
use rattleback_contact::geom::surface::{Capsule, Cylinder, Plane, Shape, Sphere, Superellipsoid};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::{Collider, Derivatives, contact, derivatives};

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
                // On a plane the normal turns with the body and not with the ball, and the ball's place moves the point.
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
