//! Bodies inside hollow spheres and cylinders.

use super::random::Random;
use rattleback_contact::geom::surface::{
    Capsule, Cavity, ConvexHull, Cuboid, Ellipsoid, Plane, Shape, Sphere, Support,
};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::{
    Collider, ContactQuery, Start, Twist, collide, contact_at, feature_count, narrow, rates,
};

fn cavities() -> [Shape; 3] {
    [
        Cavity::sphere(2.0).unwrap().into(),
        Cavity::cylinder(2.0, None).unwrap().into(),
        Cavity::cylinder(2.0, Some(1.8)).unwrap().into(),
    ]
}

fn bodies() -> [Shape; 4] {
    let corners = [[0.5, 0.4, 0.3], [0.5, -0.4, -0.3], [-0.4, 0.3, -0.2], [-0.5, -0.4, 0.2]];
    [
        Sphere::new(0.3).unwrap().into(),
        Capsule::new(0.3, 0.6).unwrap().into(),
        Cuboid::new([0.8, 0.5, 0.6], 0.1).unwrap().into(),
        ConvexHull::new(&corners.map(Vec3::from), 0.1).unwrap().into(),
    ]
}

/// How far a point of the room is from the walls, written anew.
fn room(cavity: usize, x: &Vec3) -> f64 {
    let ring = x.x.hypot(x.y);
    match cavity {
        0 => 2.0 - x.norm(),
        1 => 2.0 - ring,
        _ => (2.0 - ring).min(1.8 - x.z.abs()),
    }
}

#[test]
fn the_gap_is_the_least_distance_of_all_points_of_the_body_from_the_walls() {
    let mut random = Random(3);
    for (k, cavity) in cavities().iter().enumerate() {
        for body in &bodies() {
            let support: &dyn Support = body.surface().as_support().unwrap();
            for round in 0..60 {
                let about = Vec3::new(1e6, -2e5, 3e5) * f64::from(round % 2);
                let (pose_a, local) = (Pose::new(about, random.rotation()), random.vector() * 1.2);
                let pose_b = Pose::new(about + pose_a.vector_to_world(&local), random.rotation());
                let found = narrow::touch(cavity, &pose_a, body, &pose_b, Start::Cold).unwrap();
                let mut least = f64::INFINITY;
                for _ in 0..2000 {
                    let p = pose_b.vector_to_world(&support.support_point(&random.vector()));
                    least =
                        least.min(room(k, &pose_a.vector_to_local(&(pose_b.position - pose_a.position + p))));
                }
                // What is sampled comes near the least from above.
                assert!(
                    found.gap <= least + 1e-9 && found.gap > least - 0.05,
                    "{k} {body:?}: {} {least}",
                    found.gap
                );
                let off = pose_a.point_to_local(&found.point_a);
                assert!(room(k, &off).abs() < 1e-8, "{off:?}");
                assert!(((found.point_b - found.point_a).dot(&found.normal) - found.gap).abs() < 1e-8);
                let swapped = narrow::touch(body, &pose_b, cavity, &pose_a, Start::Cold).unwrap();
                assert!(
                    (swapped.gap - found.gap).abs() < 1e-15 && (swapped.normal + found.normal).norm() < 1e-15
                );
                assert!(found.certified == (found.gap > 0.0 || k < 2 && matches!(body, Shape::Sphere(_))));
            }
        }
    }
}

fn moved(pose: &Pose, twist: &Twist, time: f64) -> Pose {
    let turn =
        rattleback_contact::geom::nalgebra::UnitQuaternion::from_scaled_axis(twist.angular_velocity * time);
    Pose::new(pose.position + twist.velocity * time, turn * pose.orientation)
}

#[test]
fn rates_agree_with_differences_at_every_ball_and_wall_and_for_balls_by_curvature_too() {
    let mut random = Random(8);
    for cavity in &cavities() {
        for body in &bodies() {
            let count = feature_count(cavity, body, true);
            for _ in 0..10 {
                let a = Collider::new(cavity.clone(), Pose::new(random.vector() * 0.3, random.rotation()));
                let b = Collider::new(body.clone(), Pose::new(random.vector(), random.rotation()));
                let mut twist = || Twist { velocity: random.vector(), angular_velocity: random.vector() };
                let motion = [twist(), twist()];
                for place in 0..count {
                    let feature = (count > 1).then_some(place);
                    let at = |time: f64| {
                        let a = Collider { pose: moved(&a.pose, &motion[0], time), ..a.clone() };
                        let b = Collider { pose: moved(&b.pose, &motion[1], time), ..b.clone() };
                        ContactQuery { a: &a, b: &b, feature, faces: None }.touch(Start::Cold).unwrap()
                    };
                    let h = 1e-5;
                    let query = ContactQuery { a: &a, b: &b, feature, faces: None };
                    let contact = query.contact(query.touch(Start::Cold).unwrap()).unwrap();
                    let rates = query.rates(&contact, [&motion[0], &motion[1]]).unwrap();
                    let (before, after) = (at(-h), at(h));
                    let rate = |f: &dyn Fn(&narrow::Touch) -> Vec3| (f(&after) - f(&before)) / (2.0 * h);
                    assert!((rates.gap - (after.gap - before.gap) / (2.0 * h)).abs() < 1e-7);
                    for (own, differences) in [
                        (rates.normal, rate(&|t| t.normal)),
                        (rates.point_a, rate(&|t| t.point_a)),
                        (rates.point_b, rate(&|t| t.point_b)),
                    ] {
                        assert!(
                            (own - differences).norm() < 1e-6 * (1.0 + own.norm()),
                            "{own} {differences}"
                        );
                    }
                    let derived = query.derivatives(&contact).unwrap();
                    assert!(derived.gap.iter().all(|x| x.is_finite()));
                }
            }
        }
    }
}

#[test]
fn conforming_balls_have_the_difference_of_the_curvatures() {
    let pose = Pose::from_position(1.7, 0.0, 0.0);
    let ball: Shape = Sphere::new(0.3).unwrap().into();
    for (cavity, expected) in cavities().iter().zip([
        [1.0 / 0.3 - 0.5; 2],
        [1.0 / 0.3, 1.0 / 0.3 - 0.5],
        [1.0 / 0.3, 1.0 / 0.3 - 0.5],
    ]) {
        let (a, b) = (Collider::new(cavity.clone(), Pose::identity()), Collider::new(ball.clone(), pose));
        let touch = narrow::touch(cavity, &a.pose, &ball, &b.pose, Start::Cold).unwrap();
        let relative = contact_at(&a, &b, touch).unwrap().curvature.unwrap().relative;
        assert!((0..2).all(|k| (relative.kappa[k] - expected[k]).abs() < 1e-14), "{relative:?}");
        let all = collide(&a, &b, 1e-9).unwrap();
        assert_eq!(all.len(), 1);
        let own = all[0].curvature.unwrap().relative;
        assert!((0..2).all(|k| (own.kappa[k] - expected[k]).abs() < 1e-14), "{own:?}");
        let still = Twist::zero();
        assert_eq!(rates(&a, &b, &all[0], [&still, &still]).unwrap().gap, 0.0);
    }
}

#[test]
fn what_lies_in_the_corner_of_a_cylinder_touches_its_side_and_its_end() {
    let [.., tube] = cavities();
    let a = Collider::new(tube, Pose::identity());
    let b = Collider::new(Sphere::new(0.3).unwrap(), Pose::from_position(0.0, 1.7, -1.5));
    let found = collide(&a, &b, 1e-12).unwrap();
    let normals: Vec<Vec3> = found.iter().map(|contact| contact.touch.normal).collect();
    assert_eq!(normals, [-Vec3::y(), Vec3::z()]);
    assert!(found.iter().all(|contact| contact.touch.gap.abs() < 1e-15));
}

#[test]
fn a_body_in_the_middle_is_as_far_from_the_wall_as_it_can_be() {
    for cavity in &cavities()[..2] {
        let found =
            narrow::touch(cavity, &Pose::identity(), &bodies()[0], &Pose::identity(), Start::Cold).unwrap();
        assert!((found.gap - 1.7).abs() < 1e-15 && (found.normal.norm() - 1.0).abs() < 1e-15);
    }
}

#[test]
fn bodies_that_are_no_hulls_of_balls_are_refused_with_those_that_are() {
    let [sphere, tube, _] = cavities();
    let others: [Shape; 3] = [Ellipsoid::new([0.3, 0.2, 0.1]).unwrap().into(), Plane::ground().into(), tube];
    for other in &others {
        let error =
            narrow::touch(&sphere, &Pose::identity(), other, &Pose::identity(), Start::Cold).unwrap_err();
        assert!(error.to_string().contains("go spheres, capsules, boxes and hulls"), "{error}");
    }
}

#[test]
fn a_body_larger_than_the_room_is_refused_and_one_that_just_fits_is_not() {
    let rooms = [
        (Cavity::sphere(0.05).unwrap(), 0.05),
        (Cavity::cylinder(0.05, None).unwrap(), 0.05),
        (Cavity::cylinder(0.05, Some(0.02)).unwrap(), 0.02),
    ];
    for (room, fits) in rooms {
        let ask = |radius: f64| {
            let ball = Sphere::new(radius).unwrap().into();
            let at = Pose::from_position(0.01, 0.0, 0.0);
            narrow::touch(&Shape::from(room), &Pose::identity(), &ball, &at, Start::Cold)
        };
        let message = ask(fits + 0.01).unwrap_err().to_string();
        assert!(message.contains("larger than the room"), "{message}");
        let found = ask(fits).unwrap();
        assert!(found.gap <= 0.0 && found.gap >= -0.01 - 1e-15, "{found:?}");
    }
}
