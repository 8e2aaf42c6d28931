//! Support functions against their points, implicit functions and closed forms.

use crate::body::{Body, norm2};
use crate::harmonics::Harmonics;
use crate::kind::{KINDS, Kind};
use crate::vector::{Random, Rotation, Vector, dot, length, minus, times, turn, unit};
use std::f64::consts::{FRAC_PI_2, PI};

/// Bodies of all bounded kinds with normals: random ones, and along and across axes.
fn each(mut test: impl FnMut(&Body, &Vector, &mut Random)) {
    let mut random = Random::new(5, 0);
    for kind in KINDS.into_iter().filter(|kind| *kind != Kind::Plane) {
        for k in 0..300 {
            let size = random.power(-2.0, 2.0);
            let body = kind.body(&mut random, size);
            let mut n = random.direction();
            if k % 3 == 0 {
                n[random.below(3)] = 0.0;
            }
            if let Some(n) = unit(&n) {
                test(&body, &n, &mut random);
            }
        }
    }
}

#[test]
fn the_support_value_is_the_height_of_the_point_and_of_no_other() {
    each(|body, n, random| {
        let (h, reach) = (body.support(n), body.reach());
        let height = dot(n, &body.point(n));
        assert!((h - height).abs() <= 2e-14 * reach, "{body:?} {n:?}: {h} {height}");
        for _ in 0..20 {
            let other = body.point(&random.direction());
            assert!(dot(n, &other) <= h + 2e-14 * reach, "{body:?} {n:?}");
            assert!(length(&other) <= reach * (1.0 + 1e-14), "{body:?}");
        }
    });
}

#[test]
fn a_support_function_is_homogeneous() {
    each(|body, n, random| {
        let s = random.power(-3.0, 3.0);
        let (h, scaled) = (body.support(n), body.support(&times(s, n)));
        assert!((scaled - s * h).abs() <= 1e-13 * s * body.reach(), "{body:?} {n:?}");
        assert!(length(&minus(&body.point(n), &body.point(&times(s, n)))) <= 1e-7 * body.reach());
    });
}

/// The implicit function of a body that has one: one on the surface.
fn gauge(body: &Body, x: &Vector) -> Option<f64> {
    let share = |axes: &Vector, i: usize| (x[i] / axes[i]).abs();
    match body {
        Body::Sphere { radius } => Some(length(x) / radius),
        Body::Ellipsoid { axes } => Some(length(&[share(axes, 0), share(axes, 1), share(axes, 2)])),
        Body::Superellipsoid { axes, exponents: [delta, epsilon] } => {
            Some(norm2(norm2(share(axes, 0), share(axes, 1), *delta), share(axes, 2), *epsilon))
        }
        Body::Superquadric { axes, exponents } => {
            Some((0..3).map(|i| share(axes, i).powf(exponents[i])).sum())
        }
        Body::Cuboid { half, rounding: 0.0 } => Some((0..3).map(|i| share(half, i)).fold(0.0, f64::max)),
        Body::Cuboid { half, rounding } => {
            let core = half.map(|a| a - rounding);
            let arm = [0, 1, 2].map(|i| x[i] - x[i].clamp(-core[i], core[i]));
            Some(1.0 + (length(&arm) - rounding) / length(half))
        }
        Body::Cylinder { radius, half_length } => {
            Some((x[0].hypot(x[1]) / radius).max(x[2].abs() / half_length))
        }
        Body::Frustum { radii: [lower, upper], half_height } => {
            let radius = 0.5 * (lower + upper + (upper - lower) * x[2] / half_height);
            // One plus how far off the side, in units of the greater radius: the side of a cone has none at its apex.
            let side = 1.0 + (x[0].hypot(x[1]) - radius) / lower.max(*upper);
            Some(side.max(x[2].abs() / half_height))
        }
        Body::Capsule { radius, half_length } => {
            Some(length(&[x[0], x[1], x[2] - x[2].clamp(-half_length, *half_length)]) / radius)
        }
        Body::Plane { .. } | Body::Hull { .. } | Body::Sum { .. } | Body::Harmonics(_) => None,
    }
}

#[test]
fn points_of_support_satisfy_the_implicit_equation() {
    let mut seen = 0;
    each(|body, n, _| {
        if let Some(value) = gauge(body, &body.point(n)) {
            // The capsule's arm is a difference of numbers up to a thousand radii.
            assert!((value - 1.0).abs() <= 1e-12, "{body:?} {n:?}: {value}");
            seen += 1;
        }
    });
    assert!(seen > 1500);
}

#[test]
fn harmonics_of_degree_two_are_those_of_the_tables() {
    let e = [0.36, 0.48, 0.8];
    let [x, y, z] = e;
    let known = [
        (4, 0.5 * (15.0 / PI).sqrt() * x * y),
        (5, 0.5 * (15.0 / PI).sqrt() * y * z),
        (6, 0.25 * (5.0 / PI).sqrt() * (3.0 * z * z - 1.0)),
        (7, 0.5 * (15.0 / PI).sqrt() * x * z),
        (8, 0.25 * (15.0 / PI).sqrt() * (x * x - y * y)),
        (0, 0.5 / PI.sqrt()),
        (1, (0.75 / PI).sqrt() * y),
        (2, (0.75 / PI).sqrt() * z),
        (3, (0.75 / PI).sqrt() * x),
    ];
    for (k, value) in known {
        let mut coefficients = vec![0.0; 9];
        coefficients[k] = 1.0;
        let found = Harmonics::new(2, coefficients).support(&e);
        assert!((found - value).abs() < 1e-15, "{k}: {found} {value}");
    }
}

#[test]
fn the_point_of_harmonics_is_the_gradient_of_their_support_function() {
    let mut random = Random::new(11, 0);
    for _ in 0..20 {
        let body = Kind::Harmonics.body(&mut random, 1.0);
        let (n, step) = (random.direction(), 1e-5);
        let point = body.point(&n);
        for i in 0..3 {
            let at = |s: f64| {
                let mut m = n;
                m[i] += s;
                body.support(&m)
            };
            let slope = (at(step) - at(-step)) / (2.0 * step);
            assert!((slope - point[i]).abs() < 1e-8, "{slope} {point:?}");
        }
    }
}

#[test]
fn a_quarter_turn_about_z_takes_x_to_y() {
    let rotation = Rotation::new(&turn(&[0.0, 0.0, 1.0], FRAC_PI_2));
    assert!(length(&minus(&rotation.out(&[1.0, 0.0, 0.0]), &[0.0, 1.0, 0.0])) < 1e-15);
    let v = [0.3, -0.2, 0.7];
    assert!(length(&minus(&rotation.back(&rotation.out(&v)), &v)) < 1e-15);
    assert_eq!(Rotation::new(&[3.0, 0.0, 4.0, 0.0]).axis(1), [0.0, 1.0, 0.0]);
}
