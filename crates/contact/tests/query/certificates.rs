//! Inputs on which a certificate was once false, or missing where it can be had.

use rattleback_contact::geom::surface::{
    Capsule, Cylinder, Ellipsoid, Implicit, Plane, Shape, Sphere, Superellipsoid, Superquadric,
};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::{Branch, Certificate, Collider, Touch, contact};

fn at(shape: impl Into<Shape>, position: [f64; 3], wxyz: [f64; 4]) -> Collider {
    Collider::new(shape, Pose::from_parts(position, wxyz).unwrap())
}

fn found(a: &Collider, b: &Collider) -> Touch {
    contact(a, b).unwrap().touch
}

fn is_global(touch: &Touch) -> bool {
    matches!(touch.certificate, Certificate::Overlap { branch: Branch::Global, .. }) && touch.certified
}

#[test]
fn a_kink_at_a_cap_does_not_replace_the_gap_of_separate_bodies() {
    let a = at(Cylinder::new(0.5, 0.5).unwrap(), [0.0; 3], [1.0, 0.0, 0.0, 0.0]);
    let box_like = Superellipsoid::new([0.3, 0.6, 0.4], [1.1, 50.0]).unwrap();
    let b = at(box_like, [0.5, 0.3, 1.0], [0.6, 0.0, 0.8, 0.0]);
    let (one, other) = (found(&a, &b), found(&b, &a));
    assert!(one.certified && other.certified, "{one:?} {other:?}");
    assert!((one.gap - 0.204).abs() < 1e-3 && (one.gap - other.gap).abs() < 1e-12, "{one:?} {other:?}");
}

#[test]
fn points_of_certified_answers_are_on_their_bodies_however_unequal_the_exponents() {
    let thin = Superquadric::new([0.0087, 0.018, 0.058], [1.1, 42.0, 6.9]).unwrap();
    let capsule = Capsule::new(0.02, 0.05).unwrap();
    for k in 0..400 {
        // Turns and places that repeat nothing: multiples of irrational numbers.
        let unit = |c: f64| (c * k as f64).fract() - 0.5;
        let q = [unit(0.414_213), unit(0.732_050), unit(0.236_067), unit(0.645_751) + 1e-3];
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        let place = [0.15 * unit(0.316_624), 0.15 * unit(0.605_551), 0.3 * unit(0.123_105)];
        let a = at(thin, [0.0; 3], q.map(|x| x / length));
        let b = at(capsule, place, [1.0, 0.0, 0.0, 0.0]);
        let touch = found(&a, &b);
        assert!(touch.certified, "{k}: {touch:?}");
        let p = a.pose.point_to_local(&touch.point_a);
        // Within 1e-12 of the surface along the ray from the centre.
        let outside = thin.value(&(p * (1.0 - 1e-10)));
        let inside = thin.value(&(p * (1.0 + 1e-10)));
        assert!(outside <= 0.0 && inside >= 0.0, "{k}: {outside} {inside} {touch:?}");
    }
}

#[test]
fn crossing_cylinders_part_along_the_least_of_all_translations() {
    // Two long cylinders at right angles whose axes pass at 38 mm: 2 mm are missing from the sum of the radii.
    let cylinder = Cylinder::new(0.02, 0.5).unwrap();
    let a = at(cylinder, [0.0; 3], [1.0, 0.0, 0.0, 0.0]);
    let (s, c) = (std::f64::consts::FRAC_1_SQRT_2, std::f64::consts::FRAC_1_SQRT_2);
    let b = at(cylinder, [0.038, 0.01, 0.02], [c, s, 0.0, 0.0]);
    let touch = found(&a, &b);
    assert!(is_global(&touch) && (touch.gap + 0.002).abs() < 1e-14, "{touch:?}");
    assert!((touch.normal - Vec3::x()).norm() < 1e-12 && touch.residual < 1e-14, "{touch:?}");
}

#[test]
fn coaxial_and_concentric_bodies_have_the_depth_of_a_whole_circle_proved() {
    let turned = [0.8, 0.6, 0.0, 0.0];
    let place = |z: f64| Pose::from_parts([0.0; 3], turned).unwrap().point_to_world(&Vec3::new(0.0, 0.0, z));
    let pairs: [(Shape, Shape, f64, f64); 6] = [
        (Cylinder::new(0.1, 0.5).unwrap().into(), Cylinder::new(0.05, 0.4).unwrap().into(), 0.1, 0.15),
        (Cylinder::new(0.1, 0.5).unwrap().into(), Sphere::new(0.05).unwrap().into(), 0.1, 0.15),
        (Capsule::new(0.1, 0.5).unwrap().into(), Cylinder::new(0.05, 0.4).unwrap().into(), 0.2, 0.15),
        (Capsule::new(0.1, 0.5).unwrap().into(), Capsule::new(0.05, 0.4).unwrap().into(), 0.0, 0.15),
        (Ellipsoid::new([0.1, 0.1, 0.5]).unwrap().into(), Sphere::new(0.05).unwrap().into(), 0.0, 0.15),
        (
            Ellipsoid::new([0.1, 0.1, 0.5]).unwrap().into(),
            Ellipsoid::new([0.05, 0.05, 0.7]).unwrap().into(),
            0.0,
            0.15,
        ),
    ];
    for (a, b, z, depth) in pairs {
        let (a, b) = (at(a, [0.0; 3], turned), at(b, place(z).into(), turned));
        for touch in [found(&a, &b), found(&b, &a)] {
            assert!(is_global(&touch) && (touch.gap + depth).abs() < 1e-13, "{a:?} {b:?}: {touch:?}");
        }
    }
}

#[test]
fn lengths_beyond_the_range_of_products_are_refused_and_those_within_are_right() {
    for length in [1e-170, 1e-21, 1e21, 1e170] {
        let error = Sphere::new(length).unwrap_err().to_string();
        assert!(error.ends_with("must be a length between 1e-20 and 1e20 m"), "{error}");
    }
    for unit in [1e-19, 1e-9, 1.0, 1e9, 1e18] {
        let body = |x: f64| {
            at(Ellipsoid::new([unit, 2.0 * unit, unit]).unwrap(), [x * unit, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0])
        };
        for x in [1.0, 2.0, 3.0] {
            let touch = found(&body(0.0), &body(x));
            assert!(
                touch.certified && (touch.gap - (x - 2.0) * unit).abs() <= 1e-12 * unit,
                "{unit}: {touch:?}"
            );
        }
    }
    let far = at(Sphere::new(1.0).unwrap(), [1e30, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]);
    let error = contact(&far, &at(Sphere::new(1.0).unwrap(), [0.0; 3], [1.0, 0.0, 0.0, 0.0])).unwrap_err();
    assert_eq!(error.to_string(), "pose_a = 1e30: must be a position within 1e20 m of the origin");
}

#[test]
fn a_plane_far_from_the_origin_is_as_good_as_one_near_it() {
    let plane = Plane::new([0.48, 0.6, 0.64], 0.0).unwrap();
    let ball = Sphere::new(0.5).unwrap();
    let turned = [0.5, 0.5, 0.5, 0.5];
    for shift in [0.0, 1e3, 1e12] {
        // Both moved alike: the difference of their places is exact.
        let a = at(plane, [shift, shift, -shift], turned);
        let b = at(ball, [shift + 2.0, shift + 1.0, -shift], turned);
        let touch = found(&a, &b);
        let n = a.pose.vector_to_world(&Vec3::new(0.48, 0.6, 0.64));
        let gap = n.dot(&Vec3::new(2.0, 1.0, 0.0)) - 0.5;
        assert!(touch.certified && (touch.gap - gap).abs() < 1e-14, "{shift}: {touch:?} {gap}");
    }
    // Far along the plane, and the plane far from its own origin: from the numbers as they are given, by decimal
    // arithmetic with sixty digits.
    let a = at(Plane::new([0.48, 0.6, 0.64], 103463203463.20346).unwrap(), [0.0; 3], turned);
    let b = at(ball, [1e12 / 3.0, -2e12 / 7.0, 5e11 / 11.0], turned);
    let touch = found(&a, &b);
    assert!(touch.certified && (touch.gap + 0.499_995_607_853_599_1).abs() < 1e-15, "{touch:?}");
}

#[test]
fn a_point_that_slid_along_a_ridge_proves_nothing() {
    // The capsule's end lies beside the axis of the ellipsoid by 36 nm: depths differ by as much around a circle of
    // normals.
    let q = [0.6059363270836168, 0.17009650949941432, -0.7256896873995817, -0.2779978823272387];
    let a = at(
        Ellipsoid::new([0.3834659178954604, 0.0958664794738651, 0.0958664794738651]).unwrap(),
        [-4.058943636181635e8, 5.966740324347721e8, -4.4438987500747395e8],
        q,
    );
    let b = at(
        Capsule::new(0.08096560774786987, 0.38306625984529485).unwrap(),
        [-4.058943631775948e8, 5.966740325486647e8, -4.4438987521967274e8],
        q,
    );
    for touch in [found(&a, &b), found(&b, &a)] {
        // By brute force and small steps.
        let least = -0.127_509_334_554_779_56;
        assert!((touch.gap - least).abs() < 1e-12 || !touch.certified, "{touch:?}");
    }
}

/// Overlaps whose depth is almost the same around a circle or all over a sphere of normals, with depths in closed form.
#[test]
fn ridges_of_almost_equal_depths_are_proved() {
    let still = [1.0, 0.0, 0.0, 0.0];
    let ball = |r: f64| Shape::from(Sphere::new(r).unwrap());
    let cylinder = |r: f64, l: f64| Shape::from(Cylinder::new(r, l).unwrap());
    let capsule = |r: f64, l: f64| Shape::from(Capsule::new(r, l).unwrap());
    let boxy = |a: [f64; 3], e: [f64; 2]| Shape::from(Superellipsoid::new(a, e).unwrap());
    let beside = [1.5e-9, 2e-9, -1e-9];
    let tilted = [1.0, 3e-6, -2e-6, 0.0];
    let cases = [
        (ball(5e-9), cylinder(0.8, 1.2), beside, still, 0.8 + 5e-9 - 2.5e-9),
        (capsule(2e-9, 4e-9), cylinder(0.6, 0.9), [0.0; 3], still, 0.6 + 2e-9),
        (capsule(0.6, 0.7), capsule(0.3, 2.0), [0.0, 0.0, -0.2], still, 0.9),
        (capsule(0.1, 0.5), capsule(0.3, 0.4), [0.0; 3], tilted, 0.4),
        (cylinder(0.7, 0.9), cylinder(0.2, 0.5), [0.0; 3], tilted, 0.9),
        (ball(0.7), boxy([0.5, 0.5, 0.5], [3.06, 2.0]), [0.0; 3], still, 1.2),
        (ball(2.0), boxy([1e-7, 2e-7, 3e-7], [50.0, 30.0]), [0.0; 3], still, 2.0 + 1e-7),
        (ball(60.0), Ellipsoid::new([1.9, 1.6, 2.0]).unwrap().into(), [0.0; 3], still, 61.6),
        (capsule(0.13, 0.03), boxy([1.8, 0.46, 0.88], [22.4, 8.2]), [0.0; 3], still, 0.59),
    ];
    for (a, b, position, turn, depth) in cases {
        let names = (a.surface().kind(), b.surface().kind());
        let (a, b) = (at(a, [0.0; 3], still), at(b, position, turn));
        for (a, b) in [(&a, &b), (&b, &a)] {
            let touch = found(a, b);
            let size = touch.point_a.norm() + touch.point_b.norm() + depth;
            assert!(touch.certified && is_global(&touch), "{names:?}: {touch:?}");
            assert!((touch.gap + depth).abs() <= 2e-12 * size, "{names:?}: {} {depth}", touch.gap);
        }
    }
}

/// The ball in a rounded box touches it in the middle of its face, not where a normal with a tilt of 1e-14 has its
/// point of support.
#[test]
fn a_ball_inside_proves_nothing_beside_the_place_where_it_touches() {
    let turn = [0.5999999999999431, 1.4269636131740265e-14, 3.2289564295855325e-14, -0.8000000000000427];
    let a =
        at(Superellipsoid::new([1.691242378570686; 3], [4.506798317967793, 50.0]).unwrap(), [0.0; 3], turn);
    let place = [5.681776654040137e-2, -0.15957117025735756, 9.471910260704025e-2];
    let b = at(Sphere::new(11.18036613835131).unwrap(), place, [1.0, 0.0, 0.0, 0.0]);
    for (a, b) in [(&a, &b), (&b, &a)] {
        let touch = found(a, b);
        assert!(
            touch.certified && is_global(&touch) && (touch.gap + 12.734328109899478).abs() < 1e-10,
            "{touch:?}"
        );
    }
}
