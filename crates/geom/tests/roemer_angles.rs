//! The paper's angle form against the angle-free one.
//!
//! Römer (21, 26, 27, 50) with the derivatives of (51), g_B² = s²A(θ) + c²c_z² and A = a²cos²θ + b²sin²θ, taken in the
//! angles by the chain rule; the curvatures of `Ellipsoid` come from the Hessian of its support function.

use rattleback_geom::spherical::{Angles, Fundamental, Pole, PotentialJet};
use rattleback_geom::surface::{Ellipsoid, Support, Surface};
use rattleback_geom::{Curvature, GeomError, Mat3, Vec3};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

/// A sequence of numbers in [0, 1): the fractional parts of multiples of the powers of 1/x, x⁶ = x + 1 (Roberts).
fn draw(i: usize, k: i32) -> f64 {
    (0.5 + i as f64 * 1.1347241384015194f64.powi(-k)).fract()
}

/// g_B of (51) and its derivatives in the angles.
fn ellipsoid_potential([a, b, c]: [f64; 3], polar: f64, azimuth: f64) -> PotentialJet {
    let (s, co) = polar.sin_cos();
    let (a2, b2, c2) = (a * a, b * b, c * c);
    let section = a2 * azimuth.cos().powi(2) + b2 * azimuth.sin().powi(2);
    let section_1 = (b2 - a2) * (2.0 * azimuth).sin();
    let section_2 = 2.0 * (b2 - a2) * (2.0 * azimuth).cos();
    let value = (s * s * section + co * co * c2).sqrt();
    // With G = g², g_i = G_i/(2g) and g_ij = (G_ij/2 − g_i g_j)/g.
    let d_polar = s * co * (section - c2) / value;
    let d_azimuth = 0.5 * s * s * section_1 / value;
    PotentialJet {
        value,
        d_polar,
        d_azimuth,
        d_polar_polar: ((2.0 * polar).cos() * (section - c2) - d_polar * d_polar) / value,
        d_polar_azimuth: (s * co * section_1 - d_polar * d_azimuth) / value,
        d_azimuth_azimuth: (0.5 * s * s * section_2 - d_azimuth * d_azimuth) / value,
    }
}

fn assert_same(angle_form: &Curvature, free: &Curvature, n: &Vec3, tolerance: f64) {
    for k in 0..2 {
        let error = (angle_form.kappa[k] / free.kappa[k] - 1.0).abs();
        assert!(error < tolerance, "κ{k} {} {} at {n}", angle_form.kappa[k], free.kappa[k]);
        // Directions mean nothing where the curvatures are equal, and lose digits with their difference.
        let separation = 1.0 - free.kappa[1] / free.kappa[0];
        let parallel = angle_form.direction[k].cross(&free.direction[k]).norm();
        assert!(parallel * separation < tolerance, "direction {k}: {parallel} at {n}");
        assert!((angle_form.direction[k].norm() - 1.0).abs() < 1e-14);
    }
    let [d1, d2] = angle_form.direction;
    assert!((d1.cross(&d2) - n).norm() < 1e-12, "the frame is not right-handed at {n}");
}

#[test]
fn angles_and_normals_convert_into_each_other() {
    for i in 1..500 {
        let n = Vec3::new(draw(i, 1) - 0.5, draw(i, 2) - 0.5, draw(i, 3) - 0.5);
        let angles = Angles::from_normal(&n).unwrap();
        let [e_phi, e_theta, e_n] = angles.frame();
        assert!((e_n - n.normalize()).norm() < 1e-15 && (e_phi.cross(&e_theta) - e_n).norm() < 1e-15);
        let again = Angles::from_normal(&e_n).unwrap();
        assert!((again.polar() - angles.polar()).abs() < 1e-15);
    }
    for (n, polar) in [(Vec3::z() * 3.0, 0.0), (-Vec3::z(), PI)] {
        let angles = Angles::from_normal(&n).unwrap();
        assert_eq!((angles.polar(), angles.azimuth()), (polar, 0.0));
        assert_eq!(angles.frame()[2], n.normalize());
    }
    let near = Angles::from_normal(&Vec3::new(0.0, 1e-12, 1.0)).unwrap();
    assert!((near.polar() - 1e-12).abs() < 1e-27 && near.azimuth() == FRAC_PI_2);
}

#[test]
fn bad_angles_and_normals_are_refused_by_name() {
    assert_eq!(Angles::new(-0.1, 0.0).unwrap_err().to_string(), "polar = -0.1: must be from 0 to π");
    assert_eq!(Angles::new(1.0, f64::NAN).unwrap_err().to_string(), "azimuth = NaN: must be a finite number");
    assert!(matches!(Angles::from_normal(&Vec3::zeros()), Err(GeomError::OutOfRange { .. })));
    let pole = Angles::new(PI, 0.3).unwrap();
    let at_pole = Fundamental::from_hessian(pole, &Mat3::identity()).unwrap().curvature();
    assert!(at_pole.unwrap_err().to_string().contains("between the poles"));
    let angles = Angles::new(1.0, 0.3).unwrap();
    assert!(matches!(
        Fundamental::from_hessian(angles, &Mat3::repeat(f64::NAN)),
        Err(GeomError::OutOfRange { .. })
    ));
    let saddle = Fundamental::from_hessian(angles, &Mat3::from_diagonal(&Vec3::new(1.0, -2.0, 1.0))).unwrap();
    assert!(matches!(saddle.curvature(), Err(GeomError::NotConvex { radius, .. }) if radius < 0.0));
    assert!(
        matches!(Pole::new(true, [1.0, -3.0, 1.0]), Err(GeomError::NotConvex { radius, .. }) if radius == -3.0)
    );
}

#[test]
fn the_quantities_of_equation_21_are_those_of_the_hessian_and_of_differences() {
    let axes = [1.3, 0.8, 0.5];
    let support = Ellipsoid::new(axes).unwrap();
    let potential =
        |polar: f64, azimuth: f64| support.support(&Angles::new(polar, azimuth).unwrap().frame()[2]);
    for i in 0..200 {
        let (polar, azimuth) = (0.2 + 2.7 * draw(i, 1), TAU * draw(i, 2));
        let angles = Angles::new(polar, azimuth).unwrap();
        let jet = ellipsoid_potential(axes, polar, azimuth);
        let from_angles = Fundamental::from_potential(angles, &jet).unwrap();
        let hessian = support.support_jet(&angles.frame()[2]).hessian;
        let free = Fundamental::from_hessian(angles, &hessian).unwrap();
        for (x, y) in [(from_angles.e, free.e), (from_angles.f, free.f), (from_angles.g, free.g)] {
            assert!((x - y).abs() < 1e-13, "{from_angles:?} {free:?}");
        }
        // Second differences of g_B itself; the step balances its square against rounding over it.
        let h = 1e-4;
        let (p, t) = (|k: f64| polar + k * h, |k: f64| azimuth + k * h);
        let here = potential(polar, azimuth);
        let d_polar = (potential(p(1.0), azimuth) - potential(p(-1.0), azimuth)) / (2.0 * h);
        let d_azimuth = (potential(polar, t(1.0)) - potential(polar, t(-1.0))) / (2.0 * h);
        let mixed = potential(p(1.0), t(1.0)) - potential(p(1.0), t(-1.0)) - potential(p(-1.0), t(1.0))
            + potential(p(-1.0), t(-1.0));
        let differences = PotentialJet {
            value: here,
            d_polar,
            d_azimuth,
            d_polar_polar: (potential(p(1.0), azimuth) - 2.0 * here + potential(p(-1.0), azimuth)) / (h * h),
            d_polar_azimuth: mixed / (4.0 * h * h),
            d_azimuth_azimuth: (potential(polar, t(1.0)) - 2.0 * here + potential(polar, t(-1.0))) / (h * h),
        };
        let rough = Fundamental::from_potential(angles, &differences).unwrap();
        for (x, y) in [(rough.e, free.e), (rough.f, free.f), (rough.g, free.g)] {
            assert!((x - y).abs() < 2e-6, "{rough:?} {free:?}");
        }
    }
}

#[test]
fn curvatures_in_angles_are_the_angle_free_ones_over_random_ellipsoids() {
    for i in 0..4000 {
        let axes = [0.3 + 2.0 * draw(i, 1), 0.3 + 2.0 * draw(i, 2), 0.3 + 2.0 * draw(i, 3)];
        let (polar, azimuth) = (0.02 + (PI - 0.04) * draw(i, 4), TAU * draw(i, 5));
        let angles = Angles::new(polar, azimuth).unwrap();
        let n = angles.frame()[2];
        let jet = ellipsoid_potential(axes, polar, azimuth);
        let angle_form = Fundamental::from_potential(angles, &jet).unwrap().curvature().unwrap();
        let free = Ellipsoid::new(axes).unwrap().curvature_at_normal(&n).unwrap();
        assert_same(&angle_form, &free, &n, 1e-9);
    }
}

#[test]
fn parametric_lines_of_curvature_need_no_case_of_their_own() {
    // f = 0 in the planes of symmetry, with either order of 1/e and s²/g.
    for axes in [[2.0, 1.0, 0.5], [0.5, 1.0, 2.0], [1.0, 1.0, 3.0]] {
        for azimuth in [0.0, FRAC_PI_2, PI] {
            let angles = Angles::new(1.1, azimuth).unwrap();
            let jet = ellipsoid_potential(axes, 1.1, azimuth);
            let fundamental = Fundamental::from_potential(angles, &jet).unwrap();
            assert!(fundamental.f.abs() < 1e-15);
            let curvature = fundamental.curvature().unwrap();
            let mut expected = [1.0 / fundamental.e, 1.1f64.sin().powi(2) / fundamental.g];
            expected.sort_by(|x, y| y.total_cmp(x));
            assert!(
                (curvature.kappa[0] - expected[0]).abs() < 1e-13
                    && (curvature.kappa[1] - expected[1]).abs() < 1e-13
            );
            let n = angles.frame()[2];
            assert_same(
                &curvature,
                &Ellipsoid::new(axes).unwrap().curvature_at_normal(&n).unwrap(),
                &n,
                1e-12,
            );
        }
    }
}

#[test]
fn the_poles_follow_equation_18_with_the_corrected_direction() {
    for i in 0..200 {
        // An ellipsoid turned about z, so that θ₀ is not a multiple of a quarter turn.
        let axes = [0.3 + 2.0 * draw(i, 1), 0.3 + 2.0 * draw(i, 2), 0.3 + 2.0 * draw(i, 3)];
        let turn = TAU * draw(i, 4);
        let rotate = about_z(turn);
        let free = Ellipsoid::new(axes).unwrap();
        for (south, polar) in [(false, 0.0), (true, PI)] {
            // At the south pole e_φ is reversed, which e₀, even in it, does not see.
            let e = |azimuth: f64| {
                let jet = ellipsoid_potential(axes, polar, azimuth - turn);
                jet.value + jet.d_polar_polar
            };
            let pole = Pole::new(south, [e(0.0), e(FRAC_PI_4), e(FRAC_PI_2)]).unwrap();
            let n = if south { -Vec3::z() } else { Vec3::z() };
            let expected = free.curvature_at_normal(&n).unwrap().map(|v| rotate * v);
            assert_same(&pole.curvature(), &expected, &n, 1e-9);
            for k in 0..8 {
                let azimuth = f64::from(k) * 0.9;
                let (c, s) = ((azimuth + pole.shift()).cos(), (azimuth + pole.shift()).sin());
                let predicted = c * c / pole.kappa()[0] + s * s / pole.kappa()[1];
                assert!((predicted - e(azimuth)).abs() < 1e-12);
            }
            let turned = rotate * free.support_jet(&n).hessian * rotate.transpose();
            assert_same(&Pole::from_hessian(south, &turned).unwrap().curvature(), &expected, &n, 1e-9);
        }
    }
}

fn about_z(angle: f64) -> Mat3 {
    let (s, c) = angle.sin_cos();
    Mat3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0)
}

#[test]
fn umbilics_have_the_curvature_of_their_one_radius() {
    // A sphere: f = 0 and g = s²e everywhere.
    for i in 0..100 {
        let (polar, azimuth) = (0.1 + 2.9 * draw(i, 1), TAU * draw(i, 2));
        let angles = Angles::new(polar, azimuth).unwrap();
        let exact = Fundamental::from_hessian(angles, &(Mat3::identity() * 0.7)).unwrap();
        let jet = ellipsoid_potential([0.7; 3], polar, azimuth);
        for fundamental in [exact, Fundamental::from_potential(angles, &jet).unwrap()] {
            let curvature = fundamental.curvature().unwrap();
            assert!(curvature.kappa.iter().all(|k| (k * 0.7 - 1.0).abs() < 1e-12), "{curvature:?}");
        }
    }
    // The pole of an ellipsoid of revolution: κ = c/a².
    let (a, c) = (1.4, 0.6);
    let jet = ellipsoid_potential([a, a, c], 0.0, 0.0);
    let pole = Pole::new(false, [jet.value + jet.d_polar_polar; 3]).unwrap();
    assert_eq!(pole.shift(), 0.0);
    assert_same(
        &pole.curvature(),
        &Ellipsoid::new([a, a, c]).unwrap().curvature_at_normal(&Vec3::z()).unwrap(),
        &Vec3::z(),
        1e-12,
    );
    assert!((pole.kappa()[0] * a * a / c - 1.0).abs() < 1e-14);
}

#[test]
fn the_four_umbilics_of_a_triaxial_ellipsoid_are_met_in_closed_form() {
    for [a, b, c] in [[2.0f64, 1.5, 1.0], [3.0, 1.0, 0.2], [1.1, 1.05, 1.0]] {
        let ellipsoid = Ellipsoid::new([a, b, c]).unwrap();
        let spread = a * a - c * c;
        let (x, z) = (a * ((a * a - b * b) / spread).sqrt(), c * ((b * b - c * c) / spread).sqrt());
        for (sx, sz) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            let n = Vec3::new(sx * x / (a * a), 0.0, sz * z / (c * c)).normalize();
            let angles = Angles::from_normal(&n).unwrap();
            let jet = ellipsoid_potential([a, b, c], angles.polar(), angles.azimuth());
            let angle_form = Fundamental::from_potential(angles, &jet).unwrap().curvature().unwrap();
            let free = ellipsoid.curvature_at_normal(&n).unwrap();
            let expected = a * c / b.powi(3);
            for k in 0..2 {
                assert!((angle_form.kappa[k] / expected - 1.0).abs() < 1e-9, "{angle_form:?} {expected}");
                assert!((free.kappa[k] / expected - 1.0).abs() < 1e-9, "{free:?} {expected}");
            }
        }
    }
}

#[test]
fn the_offset_limit_of_equation_50_is_the_least_radius() {
    let [a, b, c] = [2.0, 1.5, 1.0];
    let ellipsoid = Ellipsoid::new([a, b, c]).unwrap();
    let mut limit = f64::NEG_INFINITY;
    for i in 1..180 {
        for k in 0..90 {
            let angles = Angles::new(f64::from(i) * PI / 180.0, f64::from(k) * TAU / 90.0).unwrap();
            let n = angles.frame()[2];
            let fundamental = Fundamental::from_hessian(angles, &ellipsoid.support_jet(&n).hessian).unwrap();
            let here = fundamental.offset_limit().unwrap();
            assert!((here * ellipsoid.curvature_at_normal(&n).unwrap().kappa[0] + 1.0).abs() < 1e-9);
            // (49): the offset surface loses its definiteness there, ēḡ − f̄² = 0.
            let s2 = angles.polar().sin().powi(2);
            let shifted = (fundamental.e + here) * (fundamental.g + s2 * here) - fundamental.f.powi(2);
            assert!(shifted.abs() < 1e-12);
            limit = limit.max(here);
        }
    }
    for south in [false, true] {
        limit = limit.max(
            Pole::from_hessian(south, &ellipsoid.support_jet(&Vec3::z()).hessian).unwrap().offset_limit(),
        );
    }
    // The least radius of curvature is c²/a, at the ends of the longest axis.
    assert!((limit + c * c / a).abs() < 1e-12, "{limit}");
}
