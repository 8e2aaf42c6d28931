//! The algebra and the derivatives of potentials.

mod body;
mod convexity;

use super::*;
use crate::surface::{PotentialBody, Surface};
use crate::taylor::Taylor;
use std::f64::consts::{FRAC_PI_2, PI};

/// Numbers in [−1, 1) that are the same in every run.
pub(super) fn noise(seed: u64) -> impl Iterator<Item = f64> {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    })
}

/// Vectors of lengths between one half and two, the poles first.
pub(super) fn normals(count: usize) -> Vec<Vec3> {
    let mut noise = noise(7);
    let mut next = move || noise.next().unwrap();
    let random = std::iter::repeat_with(move || {
        Vec3::new(next(), next(), next()).normalize() * 4f64.powf(0.5 * next())
    });
    [Vec3::z(), -Vec3::z() * 2.0, Vec3::x(), -Vec3::y()].into_iter().chain(random).take(count).collect()
}

/// A body of degree `degree` around a ball of radius one, its parts falling like l⁻⁴.
pub(super) fn bumpy(degree: usize, size: f64, seed: u64) -> Harmonics {
    let mut noise = noise(seed);
    let mut c = vec![(4.0 * PI).sqrt()];
    for l in 1..=degree {
        c.extend((0..2 * l + 1).map(|_| size * noise.next().unwrap() / (l as f64).powi(4)));
    }
    Harmonics::new(degree, &c).unwrap()
}

fn turn() -> UnitQuaternion<f64> {
    UnitQuaternion::from_euler_angles(0.3, -1.1, 2.0)
}

fn shear() -> Mat3 {
    Mat3::new(1.2, 0.3, -0.1, 0.0, 0.8, 0.25, 0.15, -0.2, 0.9)
}

/// One potential of every kind, and one of all kinds together.
fn zoo() -> Vec<(&'static str, Potential)> {
    let ellipsoid = Potential::ellipsoid([1.5, 1.0, 0.7]).unwrap();
    let bumpy = |l, s| Potential::harmonics(bumpy(l, 0.2, s));
    let all = bumpy(5, 3)
        .sum(&ellipsoid.rotated(&turn()).unwrap())
        .transformed(&shear())
        .unwrap()
        .offset(0.2)
        .unwrap()
        .translated(&Vec3::new(0.4, -0.3, 0.9))
        .unwrap()
        .scaled(0.7)
        .unwrap();
    vec![
        ("ball", Potential::ball(1.3).unwrap()),
        ("ellipsoid", ellipsoid.clone()),
        ("harmonics 2", bumpy(2, 1)),
        ("harmonics 16", bumpy(16, 2)),
        ("opaque", Potential::from_support(Arc::new(Ellipsoid::new([1.0, 2.0, 3.0]).unwrap()), 0.0).unwrap()),
        ("rotated", bumpy(4, 4).rotated(&turn()).unwrap()),
        ("sheared", ellipsoid.transformed(&shear()).unwrap()),
        ("all", all),
    ]
}

/// Sixth-order central difference of `f` at zero.
fn difference<T>(f: impl Fn(f64) -> T) -> T
where
    T: std::ops::Sub<Output = T> + std::ops::Add<Output = T> + std::ops::Mul<f64, Output = T>,
{
    let h = 2e-3;
    let pair = |k: f64| f(k * h) - f(-k * h);
    (pair(1.0) * 45.0 - pair(2.0) * 9.0 + pair(3.0)) * (1.0 / (60.0 * h))
}

#[test]
fn derivatives_agree_with_sixth_order_differences_everywhere_and_at_the_poles() {
    for (name, h) in zoo() {
        for (n, d) in normals(24).into_iter().zip(normals(25).into_iter().skip(1)) {
            let jet = h.support_jet(&n);
            assert!((h.support(&n) - jet.value).abs() < 1e-13, "{name}");
            assert!((h.support_point(&n) - jet.point).norm() < 1e-13, "{name}");
            let slope = difference(|s| h.support(&(n + d * s)));
            assert!((slope - jet.point.dot(&d)).abs() < 2e-9, "{name}: ∇h at {n:?}");
            let moved = difference(|s| h.support_point(&(n + d * s)));
            assert!((moved - jet.hessian * d).norm() < 2e-9, "{name}: ∇²h at {n:?}");
            let bent = difference(|s| h.support_jet(&(n + d * s)).hessian);
            let third = h.support_third(&n, &d);
            assert!((bent - third).norm() < 1e-8 * third.norm().max(1.0), "{name}: ∇³h at {n:?}");
        }
    }
}

#[test]
fn every_potential_is_homogeneous_of_degree_one() {
    for (name, h) in zoo() {
        for n in normals(24) {
            let jet = h.support_jet(&n);
            assert!((jet.point.dot(&n) - jet.value).abs() < 1e-14 * (1.0 + jet.value.abs()), "{name}");
            assert!((jet.hessian * n).norm() < 1e-13, "{name}");
            assert!((h.support_third(&n, &n) + jet.hessian).norm() < 1e-12, "{name}");
            assert!((h.support_jet(&(n * 3.0)).hessian * 3.0 - jet.hessian).norm() < 1e-13, "{name}");
        }
    }
}

#[test]
fn series_in_two_parameters_carry_the_same_point_and_the_same_derivatives() {
    for (name, h) in zoo() {
        for [u0, v0] in [[0.3, 0.4], [2.0, -1.2], [4.0, FRAC_PI_2], [1.0, -FRAC_PI_2]] {
            let (u, v) = (Taylor::u(u0), Taylor::v(v0));
            // Not of length one on purpose.
            let n = [v.cos() * u.cos() * 2.0, v.cos() * u.sin() * 2.0, v.sin() * 2.0];
            let Some(series) = h.gradient_taylor(&n) else {
                assert_eq!(name, "opaque");
                continue;
            };
            let [p, du, dv] = [(0, 0), (1, 0), (0, 1)].map(|(i, j)| {
                Vec3::new(series[0].derivative(i, j), series[1].derivative(i, j), series[2].derivative(i, j))
            });
            let value = |i, j| Vec3::new(n[0].derivative(i, j), n[1].derivative(i, j), n[2].derivative(i, j));
            let jet = h.support_jet(&value(0, 0));
            assert!((p - jet.point).norm() < 1e-13, "{name}");
            assert!((du - jet.hessian * value(1, 0)).norm() < 1e-12, "{name}");
            assert!((dv - jet.hessian * value(0, 1)).norm() < 1e-12, "{name}");
        }
    }
}

#[test]
fn low_degrees_are_the_ball_the_translation_and_the_known_body_of_revolution() {
    let (ball, move_by) = ((4.0 * PI).sqrt(), (4.0 * PI / 3.0).sqrt());
    let mut c = [0.0; 9];
    c[0] = 2.0 * ball;
    // x is at m = 1, y at m = −1, z at m = 0.
    for (m, v) in [(1, 0.3), (-1, -0.2), (0, 0.5)] {
        c[Harmonics::index(1, m)] = v * move_by;
    }
    let moved = Harmonics::new(2, &c).unwrap();
    let q = 0.1;
    let mut c = [0.0; 9];
    (c[0], c[Harmonics::index(2, 0)]) = (ball, q);
    let waist = Harmonics::new(2, &c).unwrap();
    for n in normals(30) {
        let n = n.normalize();
        assert!((moved.support_point(&n) - (n * 2.0 + Vec3::new(0.3, -0.2, 0.5))).norm() < 1e-14);
        assert!(
            (moved.support_jet(&n).hessian - (Mat3::identity() - n * n.transpose()) * 2.0).norm() < 1e-14
        );
        // g = 1 + k(3z² − 1)/2, k = q√(5/4π); with z = sin v: along the meridian g + g_vv, along the parallel
        // g − tan(v) g_v.
        let k = q * (5.0 / (4.0 * PI)).sqrt();
        let z2 = n.z * n.z;
        let g = 1.0 + 0.5 * k * (3.0 * z2 - 1.0);
        let (meridian, parallel) = (g + 3.0 * k * (1.0 - 2.0 * z2), g - 3.0 * k * z2);
        let [r1, r2] = radii(&waist, &n);
        assert!((waist.support(&n) - g).abs() < 1e-15);
        assert!((r1 - meridian.max(parallel)).abs() < 1e-14 && (r2 - meridian.min(parallel)).abs() < 1e-14);
    }
}

#[test]
fn harmonics_are_orthonormal_under_the_rule_that_is_exact_for_them() {
    let degree = 9;
    let norms = harmonics::norms(degree);
    let count = norms.len();
    let mut values = vec![0.0; count];
    let mut gram = vec![0.0; count * count];
    for (n, w) in gauss_sphere(degree + 1) {
        harmonics::basis(degree, &norms, &n, &mut values);
        for i in 0..count {
            for j in 0..count {
                gram[i * count + j] += w * values[i] * values[j];
            }
        }
    }
    for i in 0..count {
        for j in 0..count {
            let expected = if i == j { 1.0 } else { 0.0 };
            assert!((gram[i * count + j] - expected).abs() < 1e-13, "{i} {j}");
        }
    }
}

#[test]
fn combinations_agree_with_what_they_combine() {
    let two = Potential::ball(1.0).unwrap().sum(&Potential::ball(0.5).unwrap());
    let image = Potential::ball(1.0).unwrap().transformed(&Mat3::from_diagonal(&Vec3::new(3.0, 2.0, 1.0)));
    let image = image.unwrap().rotated(&turn()).unwrap();
    let same = Potential::ellipsoid([3.0, 2.0, 1.0]).unwrap().rotated(&turn()).unwrap();
    let inner = Potential::ball(2.0).unwrap().offset(-0.5).unwrap();
    for n in normals(30) {
        let length = n.norm();
        assert!((two.support(&n) - 1.5 * length).abs() < 1e-15 * length);
        assert!((two.support_point(&n) - n * (1.5 / length)).norm() < 1e-15);
        assert!((inner.support_point(&n) - n * (1.5 / length)).norm() < 1e-15);
        let (a, b) = (image.support_jet(&n), same.support_jet(&n));
        assert!((a.value - b.value).abs() < 1e-14 * a.value);
        assert!((a.point - b.point).norm() < 1e-14 * 3.0);
        assert!((a.hessian - b.hessian).norm() < 1e-14 * 9.0 / length.min(1.0));
    }
    assert!((same.at_angles(0.4, 1.3) - image.at_angles(0.4, 1.3)).abs() < 1e-14);
}

#[test]
fn bad_arguments_are_refused_by_name() {
    let ball = Potential::ball(1.0).unwrap();
    let messages = [
        Potential::ball(-1.0).unwrap_err(),
        ball.offset(f64::NAN).unwrap_err(),
        ball.scaled(0.0).unwrap_err(),
        ball.translated(&Vec3::new(0.0, f64::NAN, 0.0)).unwrap_err(),
        ball.transformed(&Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.0))).unwrap_err(),
        ball.transformed(&Mat3::new(1.0, f64::NAN, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)).unwrap_err(),
        Harmonics::new(33, &[]).unwrap_err(),
        Harmonics::new(1, &[1.0; 3]).unwrap_err(),
        Harmonics::new(1, &[1.0, 0.0, f64::INFINITY, 0.0]).unwrap_err(),
    ]
    .map(|e| e.to_string());
    let starts = [
        "radius = -1",
        "offset = NaN",
        "scale = 0",
        "translation[1] = NaN",
        "linear: ratio",
        "linear[0][1] = NaN",
        "degree = 33: must be at most 32",
        "coefficients = 3 numbers for degree 1: must be 4",
        "coefficients[2] = inf",
    ];
    for (message, start) in messages.iter().zip(starts) {
        assert!(message.starts_with(start), "{message}");
    }
}

#[test]
fn a_body_is_refused_where_its_potential_is_not_convex() {
    let mut c = [0.0; 9];
    (c[0], c[Harmonics::index(2, 0)]) = ((4.0 * PI).sqrt(), 1.0);
    // k = √(5/4π): both radii are 1 − 2k at the poles, the smallest anywhere.
    let k = (5.0 / (4.0 * PI)).sqrt();
    match PotentialBody::new(Harmonics::new(2, &c).unwrap().into()).unwrap_err() {
        GeomError::NotConvex { radius, normal, required } => {
            assert!((radius - (1.0 - 2.0 * k)).abs() < 1e-12, "{radius}");
            assert!(normal[2].abs() > 1.0 - 1e-9 && required == 0.0);
        }
        other => panic!("{other}"),
    }
    let body = PotentialBody::new(Potential::harmonics(bumpy(8, 0.2, 1))).unwrap();
    assert!(body.convexity().lower_bound > 0.0 && body.as_parametric().is_some());
}
