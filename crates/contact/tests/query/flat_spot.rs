//! Superellipsoids and superquadrics that lie on a half-space with an all but flat face.

use super::differences::compare_with_differences;
use super::random::Random;
use rattleback_contact::geom::surface::{Plane, Shape, Superellipsoid, Superquadric};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::{Collider, ContactQuery, Start, collide, contact, feature_count};
use std::f64::consts::FRAC_PI_2;

fn floor() -> Collider {
    Collider::new(Plane::ground(), Pose::identity())
}

fn pillow(exponent: f64) -> Shape {
    Superellipsoid::new([0.06, 0.05, 0.04], [exponent; 2]).unwrap().into()
}

/// The body on its face across z, `depth` deep at its pole and tilted about an axis of the face.
fn lying(shape: Shape, depth: f64, tilt: f64, about: f64) -> Collider {
    let axis = Vec3::new(about.cos(), about.sin(), 0.0);
    Collider { shape, pose: Pose::from_position(0.01, 0.02, 0.04 - depth).rotated(axis, tilt).unwrap() }
}

fn queries([a, b]: &[Collider; 2]) -> impl Iterator<Item = ContactQuery<'_>> {
    let count = feature_count(&a.shape, &b.shape, false);
    (0..count).map(move |place| ContactQuery { a, b, feature: Some(place), faces: None })
}

#[test]
fn a_body_on_its_face_is_borne_at_four_points_that_count_for_one() {
    let disc = Superellipsoid::new([0.06, 0.06, 0.04], [2.0, 20.0]).unwrap();
    let other = Superquadric::new([0.06, 0.05, 0.04], [30.0, 8.0, 4.0]).unwrap();
    let bodies: [(Shape, usize); 6] = [
        (pillow(8.0), 25),
        (pillow(20.0), 25),
        (pillow(50.0), 25),
        (disc.into(), 9),
        (other.into(), 9),
        (pillow(6.0), 1),
    ];
    for (shape, count) in bodies {
        let name = format!("{shape:?}");
        assert_eq!(feature_count(&floor().shape, &shape, false), count, "{name}");
        assert_eq!(feature_count(&floor().shape, &shape, true), 1, "{name}");
        for upside in [0.0, std::f64::consts::PI] {
            let body = lying(shape.clone(), 1e-3, upside, 0.3);
            let found = collide(&floor(), &body, 0.0).unwrap();
            assert_eq!(found.len(), if count == 1 { 1 } else { 4 }, "{name}");
            let sum: f64 = found.iter().map(|contact| contact.weight).sum();
            assert!((sum - 1.0).abs() < 1e-15, "{name}: {sum}");
            let middle = found.iter().map(|contact| contact.touch.point_b).sum::<Vec3>() / found.len() as f64;
            // One point is as far from the pole as rounding tilts the body.
            let aside = (middle.xy() - body.pose.position.xy()).norm();
            assert!(count == 1 || aside < 1e-12, "{name}: {middle}");
            for contact in &found {
                assert!((contact.touch.gap + 1e-3).abs() < 1e-12, "{name}: {}", contact.touch.gap);
                assert!((contact.touch.normal - Vec3::z()).norm() < 1e-14, "{name}");
            }
        }
    }
}

#[test]
fn every_face_bears_and_the_first_place_has_the_gap_of_the_bodies() {
    let turns = [(Vec3::x(), FRAC_PI_2, 0.05), (Vec3::x(), -FRAC_PI_2, 0.05), (Vec3::y(), FRAC_PI_2, 0.06)];
    for (axis, angle, height) in turns {
        let pose = Pose::from_position(0.0, 0.0, height - 1e-3).rotated(axis, angle).unwrap();
        let body = Collider { shape: pillow(20.0), pose };
        assert_eq!(collide(&floor(), &body, 0.0).unwrap().len(), 4, "{axis}");
    }
    let mut random = Random(5);
    for _ in 0..200 {
        let axis = Vec3::new(random.within(-1.0, 1.0), random.within(-1.0, 1.0), random.within(-1.0, 1.0));
        let pose = Pose::from_position(0.0, 0.0, 0.05).rotated(axis, random.within(-3.0, 3.0)).unwrap();
        let pair = [floor(), Collider { shape: pillow(12.0), pose }];
        let whole = contact(&pair[0], &pair[1]).unwrap().touch.gap;
        let gaps: Vec<f64> = queries(&pair).map(|query| query.touch(Start::Cold).unwrap().gap).collect();
        assert!((gaps[0] - whole).abs() < 1e-12, "{gaps:?} {whole}");
        // The others are outside of the body by no more than their normals' tilt times their way.
        assert!(gaps.iter().all(|gap| *gap > whole - 0.01 * 0.06), "{gaps:?} {whole}");
        let sum: f64 = queries(&pair).map(|query| query.weight().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    }
}

#[test]
fn derivatives_agree_with_differences_lying_tilted_and_between() {
    let mut compared = [0, 0];
    for tilt in [0.0, 0.003, 0.012, 0.02, 0.027, 0.1] {
        for about in [0.4, 1.9] {
            let body = lying(pillow(10.0), 1e-3, tilt, about);
            for pair in [[floor(), body.clone()], [body, floor()]] {
                for query in queries(&pair) {
                    let touch = query.touch(Start::Cold).unwrap();
                    let found = query.contact_without_curvature(touch).unwrap();
                    let exact = query.derivatives(&found).unwrap();
                    assert!(exact.point_a.iter().chain(&exact.point_b).all(|x| x.is_finite()), "{tilt}");
                    if found.weight > 0.0 {
                        let [all, weights] = compare_with_differences(&query, &found, 1e-6);
                        compared = [compared[0] + all, compared[1] + weights];
                    }
                }
            }
        }
    }
    assert!(compared[0] > 5000 && compared[1] > 100, "{compared:?}");
}
