//! Bodies of potentials: integrals, curvature, chart and mesh.

use super::*;
use crate::Pose;

const AXES: [f64; 3] = [1.5, 1.0, 0.7];

fn body(potential: Potential) -> PotentialBody {
    PotentialBody::new(potential).unwrap()
}

fn egg() -> Potential {
    let mut c = [0.0; 16];
    c[0] = (4.0 * PI).sqrt();
    for (l, m, value) in [(1, 0, 0.7), (2, 1, 0.12), (2, -2, -0.1), (3, 0, 0.09), (3, 3, 0.03)] {
        c[Harmonics::index(l, m)] = value;
    }
    Harmonics::new(3, &c).unwrap().into()
}

#[test]
fn an_ellipsoid_has_the_same_area_moments_bounds_and_curvatures_as_its_potential() {
    let shape = Ellipsoid::new(AXES).unwrap();
    let same = body(shape.into());
    assert!((same.area().unwrap() / shape.area().unwrap() - 1.0).abs() < 1e-12);
    let (a, b) = (same.moments().unwrap(), shape.moments().unwrap());
    assert!((a.volume / b.volume - 1.0).abs() < 1e-12 && a.first.norm() < 1e-13);
    assert!((a.second - b.second).norm() < 1e-12);
    assert_eq!(same.bounds(), shape.bounds());
    let (a, b) = (same.curvature_range().unwrap(), shape.curvature_range().unwrap());
    assert!((a[0] / b[0] - 1.0).abs() < 1e-12 && (a[1] / b[1] - 1.0).abs() < 1e-12, "{a:?} {b:?}");
}

#[test]
fn parallel_bodies_obey_steiners_formula_outside_and_inside() {
    // V(K + rB) = V + Ar + Mr² + 4πr³/3, A(K + rB) = A + 2Mr + 4πr², M = ∫(r₁ + r₂)/2 dω.
    let shape = body(egg());
    let (v, a) = (shape.moments().unwrap().volume, shape.area().unwrap());
    let mean: f64 = gauss_sphere(24).map(|(n, w)| w * 0.5 * egg().support_jet(&n).hessian.trace()).sum();
    for r in [1.0, 0.3, -0.1, -0.3] {
        let parallel = body(egg().offset(r).unwrap());
        let volume = v + a * r + mean * r * r + 4.0 / 3.0 * PI * r.powi(3);
        assert!((parallel.moments().unwrap().volume / volume - 1.0).abs() < 1e-12);
        let area = a + 2.0 * mean * r + 4.0 * PI * r * r;
        assert!((parallel.area().unwrap() / area - 1.0).abs() < 1e-12);
    }
}

#[test]
fn moving_turning_and_stretching_a_body_moves_its_moments() {
    let before = body(egg()).moments().unwrap();
    let turn = UnitQuaternion::from_euler_angles(0.4, 1.0, -2.0);
    let away = Vec3::new(100.0, -50.0, 20.0);
    let after = body(egg().rotated(&turn).unwrap().translated(&away).unwrap()).moments().unwrap();
    let expected = before.moved(&Pose::new(away, turn));
    assert!((after.volume / expected.volume - 1.0).abs() < 1e-12);
    assert!((after.first - expected.first).norm() < 1e-12 * expected.first.norm());
    assert!((after.second - expected.second).norm() < 1e-12 * expected.second.norm());
    // Sheared, and sheared and mirrored.
    for side in [1.3, -1.3] {
        let m = Mat3::new(1.1, 0.2, 0.0, 0.0, 0.9, -0.3, 0.1, 0.0, side);
        let after = body(egg().transformed(&m).unwrap()).moments().unwrap();
        let ratio = m.determinant().abs();
        assert!((after.volume / (ratio * before.volume) - 1.0).abs() < 1e-11);
        assert!((after.first - m * before.first * ratio).norm() < 1e-11);
        assert!((after.second - m * before.second * m.transpose() * ratio).norm() < 1e-11);
    }
}

#[test]
fn a_tessellation_approaches_the_volume_the_area_and_the_bounds() {
    let shape = body(egg());
    let mesh = shape.tessellate(1e-3).unwrap();
    let (exact, m) = (shape.moments().unwrap(), mesh.moments());
    assert!(m.volume < exact.volume && (m.volume / exact.volume - 1.0).abs() < 3e-3);
    assert!((mesh.area() / shape.area().unwrap() - 1.0).abs() < 3e-3);
    assert!((m.first / m.volume - exact.first / exact.volume).norm() < 1e-3);
    assert!(shape.bounds().fattened(1e-12).encloses(&mesh.bounds()));
    assert!((shape.bounds().extents() - mesh.bounds().extents()).amax() < 2e-3);
}

#[test]
fn the_normal_is_found_again_from_every_point_of_the_surface() {
    let long = Potential::ellipsoid([5.0, 1.0, 0.6]).unwrap().translated(&Vec3::new(9.0, 0.0, 1.0)).unwrap();
    for potential in [egg(), long, Potential::ball(2.0).unwrap()] {
        let shape = body(potential);
        for n in octahedral(7) {
            let p = shape.support_point(&n);
            let found = shape.normal_at(&p).unwrap();
            assert!((found - n).norm() < 1e-9, "{n:?}");
            let (a, b) = (shape.curvature_at(&p).unwrap(), shape.curvature_at_normal(&n).unwrap());
            assert!((a.kappa[0] / b.kappa[0] - 1.0).abs() < 1e-7, "{n:?}");
        }
    }
    assert!(body(egg()).curvature_at(&Vec3::repeat(f64::NAN)).is_err());
    assert!(body(egg()).curvature_at_normal(&Vec3::zeros()).is_err());
}

#[test]
fn the_normal_chart_agrees_with_the_support_view_to_third_order() {
    let shape = body(egg().sum(&Potential::ellipsoid(AXES).unwrap()));
    let chart = shape.as_parametric().unwrap();
    let h = 1e-3;
    for [u, v] in [[0.4, 0.2], [3.0, -1.0], [5.5, 1.3]] {
        let jet = chart.jet(u, v);
        let n = Vec3::new(v.cos() * u.cos(), v.cos() * u.sin(), v.sin());
        assert!((jet.p - shape.support_point(&n)).norm() < 1e-14);
        assert!((jet.normal().normalize() - n).norm() < 1e-12);
        let (a, b) = (jet.curvature(), shape.curvature_at_normal(&n).unwrap());
        assert!((a.kappa[0] - b.kappa[0]).abs() < 1e-11 && (a.kappa[1] - b.kappa[1]).abs() < 1e-11);
        let fourth = |f: &dyn Fn(f64) -> Vec3| {
            ((f(h) - f(-h)) * 8.0 - (f(2.0 * h) - f(-2.0 * h))) * (1.0 / (12.0 * h))
        };
        for (along_u, along_v, exact) in [
            (fourth(&|s| chart.jet(u + s, v).p), fourth(&|s| chart.jet(u, v + s).p), [jet.du, jet.dv]),
            (
                fourth(&|s| chart.jet(u + s, v).duu),
                fourth(&|s| chart.jet(u, v + s).duu),
                [jet.duuu, jet.duuv],
            ),
            (
                fourth(&|s| chart.jet(u + s, v).dvv),
                fourth(&|s| chart.jet(u, v + s).dvv),
                [jet.duvv, jet.dvvv],
            ),
        ] {
            assert!((along_u - exact[0]).norm() < 1e-8 && (along_v - exact[1]).norm() < 1e-8);
        }
    }
}

#[test]
fn an_opaque_body_offers_support_and_no_chart() {
    let inner = Arc::new(Ellipsoid::new(AXES).unwrap());
    let shape = body(Potential::from_support(inner.clone(), 0.3).unwrap());
    assert!(shape.as_parametric().is_none() && shape.as_implicit().is_none());
    assert!((shape.moments().unwrap().volume / inner.moments().unwrap().volume - 1.0).abs() < 1e-12);
    let n = Vec3::new(1.0, -2.0, 0.5);
    assert_eq!(shape.as_support().unwrap().support_point(&n), inner.support_point(&n));
}

#[test]
fn radii_know_nothing_of_the_translation_and_a_body_lost_in_rounding_is_refused() {
    let mut coefficients = [
        0.07, 0.001, -0.01, -1e-3, 0.001, -0.001, -0.0045, 0.0005, 0.003, 0.0002, -0.0001, 0.0002, 0.0, 0.0,
        0.0, 0.0,
    ];
    let at_home = Harmonics::new(3, &coefficients).unwrap();
    coefficients[2] = -2e13;
    let far = Harmonics::new(3, &coefficients).unwrap();
    for n in [Vec3::z(), Vec3::new(0.6, 0.0, 0.8), Vec3::new(-0.48, 0.6, 0.64)] {
        let [a, b] = [&at_home, &far].map(|h| h.support_jet(&n).hessian);
        assert!((a - b).amax() < 1e-15, "{a} {b}");
    }
    let error = PotentialBody::new(far.into()).unwrap_err().to_string();
    assert!(error.contains("distance of the body from its origin"), "{error}");
    coefficients[2] = -2e21;
    let error = Harmonics::new(3, &coefficients).unwrap_err().to_string();
    assert!(error.starts_with("coefficients[2] = -2e21: must be at most 1e20 m"), "{error}");
}
