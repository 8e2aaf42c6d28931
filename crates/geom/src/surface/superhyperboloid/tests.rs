use super::*;
use crate::error::GeomError;
use crate::surface::Quadric;
use crate::surface::open::testing;
use std::f64::consts::PI;

const AXES: [f64; 3] = [0.7, 1.1, 0.9];

fn solids() -> Vec<Superhyperboloid> {
    vec![
        Superhyperboloid::one_sheet(AXES, [2.0, 2.0], 1.3).unwrap(),
        Superhyperboloid::one_sheet(AXES, [3.5, 5.0], 1.3).unwrap(),
        Superhyperboloid::one_sheet(AXES, [2.5, 1.6], 0.8).unwrap(),
        Superhyperboloid::two_sheets(AXES, [2.0, 2.0], Sheet::Lower, 1.7).unwrap(),
        Superhyperboloid::two_sheets(AXES, [4.0, 3.0], Sheet::Upper, 1.7).unwrap(),
        Superhyperboloid::two_sheets(AXES, [1.5, 6.0], Sheet::Lower, 2.0).unwrap(),
        banded(),
    ]
}

/// A bowl cut above and below.
fn banded() -> Superhyperboloid {
    let planes = [BoundingPlane::new(Vec3::z(), 2.2), BoundingPlane::new(-Vec3::z(), -1.2)];
    Superhyperboloid::bounded(AXES, [3.0, 2.5], true, &planes.map(|p| p.unwrap())).unwrap()
}

#[test]
fn gradient_and_hessian_match_differences() {
    let points = [Vec3::new(0.3, -0.4, 1.2), Vec3::new(-1.0, 0.2, -0.7), Vec3::new(0.5, 0.9, 0.4)];
    for s in solids() {
        testing::derivatives_match(&s, &points, 2e-3, 1e-8);
    }
}

#[test]
fn all_derivatives_at_once_are_those_one_by_one() {
    let grid = [-1.3, -0.4, -1e-4, 0.0, 1e-9, 0.2, 0.9];
    for s in solids() {
        for p in grid.iter().flat_map(|x| grid.iter().flat_map(|y| grid.map(|z| Vec3::new(*x, *y, z)))) {
            let (value, gradient, hessian) = s.second_order(&p);
            assert!((value - s.value(&p)).abs() <= 1e-13 * (1.0 + value.abs()), "{s:?} {p:?}");
            assert!((gradient - s.gradient(&p)).norm() <= 1e-13 * gradient.norm(), "{s:?} {p:?}");
            assert!((hessian - s.hessian(&p)).norm() <= 1e-13 * hessian.norm(), "{s:?} {p:?}");
        }
    }
}

#[test]
fn chart_and_implicit_view_agree_in_point_normal_and_curvature() {
    for s in solids() {
        testing::chart_agrees(&s, 1e-9);
    }
}

#[test]
fn exponents_two_give_the_quadric() {
    let pairs = [
        (
            Superhyperboloid::one_sheet(AXES, [2.0, 2.0], 1.3).unwrap(),
            Quadric::hyperboloid_one_sheet(AXES, 1.3).unwrap(),
        ),
        (
            Superhyperboloid::two_sheets(AXES, [2.0, 2.0], Sheet::Lower, 1.6).unwrap(),
            Quadric::hyperboloid_two_sheets(AXES, Sheet::Lower, 1.6).unwrap(),
        ),
    ];
    for (s, q) in pairs {
        for p in
            [Vec3::new(0.3, -0.4, 1.2), Vec3::new(-1.0, 0.0, -0.7), Vec3::zeros(), Vec3::new(0.0, 0.0, 2.0)]
        {
            assert!((s.value(&p) - q.value(&p)).abs() < 1e-12);
            assert!((s.gradient(&p) - q.gradient(&p)).norm() < 1e-12);
            assert!((s.hessian(&p) - q.hessian(&p)).norm() < 1e-12, "{p:?} {}", s.hessian(&p));
            assert_eq!(s.beyond_bounds(&p), q.beyond_bounds(&p));
        }
        for (phi, theta) in [(0.3, 1.2), (2.0, 0.5), (-1.0, 2.4)] {
            let (a, b) = (s.angle_centre(phi, theta), q.angle_centre(phi, theta));
            assert_eq!(a.is_some(), b.is_some());
            assert!((a.unwrap_or_default() - b.unwrap_or_default()).norm() < 1e-12);
        }
        assert!((s.area().unwrap() / q.area().unwrap() - 1.0).abs() < 1e-12);
        let (m, k) = (s.moments().unwrap(), q.moments().unwrap());
        assert!((m.volume / k.volume - 1.0).abs() < 1e-12 && (m.second - k.second).norm() < 1e-12);
        assert_eq!(s.bounds(), q.bounds());
    }
}

#[test]
fn nearly_two_is_nearly_the_quadric() {
    // Through the adaptive rules rather than the exact ones.
    let e = 1e-9;
    let s = Superhyperboloid::one_sheet(AXES, [2.0 + e, 2.0 + e], 1.3).unwrap();
    let q = Quadric::hyperboloid_one_sheet(AXES, 1.3).unwrap();
    let (m, k) = (s.moments().unwrap(), q.moments().unwrap());
    assert!((m.volume / k.volume - 1.0).abs() < 1e-8 && (m.second - k.second).norm() < 1e-8);
    assert!((s.area().unwrap() / q.area().unwrap() - 1.0).abs() < 1e-8);
}

#[test]
fn angle_centre_points_lie_on_the_surface() {
    for s in solids() {
        let mut hits = 0;
        for i in 0..40 {
            for j in 0..=20 {
                let (phi, theta) = (0.157 * f64::from(i), PI * f64::from(j) / 20.0);
                let Some(p) = s.angle_centre(phi, theta) else { continue };
                hits += 1;
                let scale = 1.0 + s.gradient(&p).norm() * p.norm();
                assert!(s.value(&p).abs() < 1e-12 * scale, "{} {phi} {theta}", s.kind());
            }
        }
        assert!(hits > 100, "{hits}");
    }
}

#[test]
fn nothing_is_nan_where_coordinates_vanish() {
    let points = [
        Vec3::zeros(),
        Vec3::x(),
        Vec3::y(),
        Vec3::z(),
        Vec3::new(0.0, 1.0, 1.0),
        Vec3::new(1e-200, 1.0, 1e-200),
    ];
    for exponents in [[1.05, 1.05], [1.5, 50.0], [50.0, 1.5], [2.0, 3.0], [50.0, 50.0]] {
        for s in [
            Superhyperboloid::one_sheet(AXES, exponents, 1.0).unwrap(),
            Superhyperboloid::two_sheets(AXES, exponents, Sheet::Upper, 1.5).unwrap(),
        ] {
            for p in points.iter().chain([&Vec3::repeat(1e200)]) {
                assert!(!s.value(p).is_nan(), "{exponents:?} {p:?}");
                assert!(s.gradient(p).iter().all(|x| x.is_finite()), "{exponents:?} {p:?}");
                assert!(s.hessian(p).iter().all(|x| x.is_finite()), "{exponents:?} {p:?}");
            }
            let [low, high] = s.curvature_range().unwrap();
            assert!(low <= high, "{exponents:?} {low} {high}");
        }
    }
}

#[test]
fn infinite_curvature_leaves_the_other_one_its_digits() {
    // On y = 0, γ₂ = 1.5: the section is infinitely curved, the meridian is that of the hyperbola x²/a² − z²/c² = 1.
    let s = Superhyperboloid::one_sheet(AXES, [2.0, 1.5], 1.0).unwrap();
    let q = Quadric::hyperboloid_one_sheet(AXES, 1.0).unwrap();
    let p = q.point(0.0, 0.6);
    let [k1, k2] = s.curvature_at(&p).unwrap().kappa;
    assert_eq!(k1, f64::INFINITY);
    assert!((k2 / q.curvature_at(&p).unwrap().kappa[1] - 1.0).abs() < 1e-12, "{k2}");
    assert_eq!(s.curvature_range().unwrap()[1], f64::INFINITY);
}

#[test]
fn volume_of_a_square_section_tends_to_that_of_a_box_in_the_limit() {
    // γ₂ = 50 is nearly the square: A₀ = 4 Γ(1.02)²/Γ(1.04).
    let s = Superhyperboloid::one_sheet([1.0; 3], [2.0, 50.0], 1.0).unwrap();
    let section = 4.0 * libm::tgamma(1.02).powi(2) / libm::tgamma(1.04);
    assert!((s.moments().unwrap().volume / (section * 2.0 * (1.0 + 1.0 / 3.0)) - 1.0).abs() < 1e-13);
    // γ₁ = 1.05 .. 50 at the ends of the range all converge.
    for exponents in [[1.05, 1.05], [1.05, 50.0], [50.0, 1.05], [50.0, 50.0], [3.0, 7.0]] {
        let s = Superhyperboloid::one_sheet(AXES, exponents, 1.5).unwrap();
        let t = Superhyperboloid::two_sheets(AXES, exponents, Sheet::Upper, 1.5).unwrap();
        let box_area = 2.0 * s.bounds().half_area();
        assert!(s.area().unwrap() < box_area && s.moments().unwrap().volume > 0.0);
        assert!(t.area().unwrap() < 2.0 * t.bounds().half_area() && t.moments().unwrap().volume > 0.0);
    }
}

#[test]
fn area_and_moments_are_the_limits_of_the_meshes() {
    for s in solids() {
        testing::measures_converge(&s, 4e-3, 6e-3);
    }
}

#[test]
fn meshes_are_closed_and_within_their_chord() {
    for s in solids() {
        testing::mesh_obeys(&s, 0.02);
        testing::mesh_obeys(&s, 8e-3);
    }
    for exponents in [[20.0, 50.0], [1.05, 1.05], [1.05, 50.0], [50.0, 1.05]] {
        let s = Superhyperboloid::one_sheet(AXES, exponents, 1.5).unwrap();
        assert!(testing::is_closed(&s.tessellate(0.02).unwrap()), "{exponents:?}");
    }
}

/// Edges that cross the corner of the section near one end had their middles on the flat side: slivers beside them
/// were split without end.
#[test]
fn a_blunt_corner_is_resolved_in_few_rounds() {
    let s = Superhyperboloid::one_sheet(AXES, [2.0, 50.0], 1.5).unwrap();
    assert!(s.tessellate(0.01).unwrap().triangles().len() < 20_000);
    testing::mesh_obeys(&s, 0.01);
}

#[test]
fn curvature_ranges_hold_all_curvatures_and_are_reached() {
    for s in &solids()[..5] {
        if s.exponents()[1] >= 2.0 {
            testing::range_holds(s, 3e-2);
        }
    }
}

#[test]
fn curvature_at_a_normal_is_that_of_the_farthest_point_or_undefined() {
    for s in &solids()[3..] {
        let mesh = s.tessellate(0.02).unwrap();
        for [u, v] in testing::samples(s) {
            let p = s.point(u, v);
            let n = s.gradient(&p);
            assert!(
                mesh.vertices().iter().all(|x| n.dot(&(x - p)) < 1e-12 * n.norm()),
                "{s:?} is not convex"
            );
            let (at, by) = (s.curvature_at(&p).unwrap(), s.curvature_at_normal(&n).unwrap());
            assert!((at.kappa[0] / by.kappa[0] - 1.0).abs() < 1e-8, "{u} {v} {at:?} {by:?}");
        }
        let up = if s.bounds().max.z > 0.0 { Vec3::z() } else { -Vec3::z() };
        assert!(matches!(s.curvature_at_normal(&up), Err(GeomError::Undefined { .. })));
    }
    assert!(matches!(solids()[1].curvature_at_normal(&Vec3::x()), Err(GeomError::Undefined { .. })));
    let banded = banded().curvature_at_normal(&-Vec3::z()).unwrap_err().to_string();
    assert!(banded.contains("flat cap"), "{banded}");
}

#[test]
fn bad_input_is_refused_by_name() {
    let message = |r: Result<Superhyperboloid>| r.unwrap_err().to_string();
    assert!(
        message(Superhyperboloid::one_sheet([1.0, -1.0, 1.0], [2.0; 2], 1.0)).starts_with("axes[1] = -1")
    );
    assert!(message(Superhyperboloid::one_sheet(AXES, [1.0, 2.0], 1.0)).starts_with("exponents[0] = 1"));
    assert!(
        message(Superhyperboloid::one_sheet(AXES, [2.0, f64::NAN], 1.0)).starts_with("exponents[1] = NaN")
    );
    assert!(message(Superhyperboloid::one_sheet(AXES, [2.0; 2], 0.0)).starts_with("half_height = 0"));
    assert!(
        message(Superhyperboloid::two_sheets(AXES, [2.0; 2], Sheet::Upper, 0.9)).starts_with("planes = ")
    );
    let side = [BoundingPlane::new(Vec3::x(), 1.0).unwrap()];
    assert!(message(Superhyperboloid::bounded(AXES, [2.0; 2], false, &side)).contains("across z only"));
    assert!(message(Superhyperboloid::bounded(AXES, [2.0; 2], false, &[])).contains("leave a slab"));
}
