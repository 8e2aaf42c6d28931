use super::*;
use crate::surface::open::testing;
use crate::surface::{Implicit, Parametric, Surface};
use std::f64::consts::PI;

fn all() -> Vec<Quadric> {
    let axes = [0.7, 1.1, 0.9];
    vec![
        Quadric::ellipsoid(axes).unwrap(),
        Quadric::hyperboloid_one_sheet(axes, 1.3).unwrap(),
        Quadric::hyperboloid_two_sheets(axes, Sheet::Upper, 2.1).unwrap(),
        Quadric::hyperboloid_two_sheets(axes, Sheet::Lower, 1.4).unwrap(),
        Quadric::elliptic_paraboloid(axes, 0.8).unwrap(),
        Quadric::hyperbolic_paraboloid(axes, [0.9, 1.2], 1.5).unwrap(),
        cut([1.0, 2.0, -0.5], 0.0, [0.3, 1.7]),
        cut([-1.0, -2.0, 0.8], 0.0, [1.5, 2.5]),
        cut([1.0, 2.0, 0.0], -0.6, [-0.4, 1.0]),
    ]
}

/// A canonical quadric between two planes across z.
fn cut(square: [f64; 3], a3: f64, [low, high]: [f64; 2]) -> Quadric {
    let planes = [BoundingPlane::new(Vec3::z() * 3.0, high), BoundingPlane::new(-Vec3::z(), -low)];
    Quadric::canonical(square, [0.0, 0.0, a3], &planes.map(|p| p.unwrap())).unwrap()
}

#[test]
fn gradient_and_hessian_match_differences() {
    let points = [Vec3::new(0.3, -0.4, 1.2), Vec3::new(-1.0, 0.2, -0.7), Vec3::new(0.0, 0.0, 0.5)];
    for q in all() {
        testing::derivatives_match(&q, &points, 1e-2, 1e-11);
    }
}

#[test]
fn chart_and_implicit_view_agree_in_point_normal_and_curvature() {
    for q in all() {
        testing::chart_agrees(&q, 1e-9);
    }
}

#[test]
fn angle_centre_points_lie_on_every_kind() {
    for q in all() {
        let mut hits = 0;
        for i in 0..40 {
            for j in 0..=20 {
                let (phi, theta) = (0.157 * f64::from(i), PI * f64::from(j) / 20.0);
                let Some(p) = q.angle_centre(phi, theta) else { continue };
                hits += 1;
                let scale = 1.0 + p.norm_squared() * q.square.amax();
                assert!(q.value(&p).abs() < 1e-13 * scale, "{} {phi} {theta}: {}", q.kind(), q.value(&p));
            }
        }
        assert!(hits > 100, "{}: {hits}", q.kind());
    }
    // Up its axis a paraboloid is never met, beside a hyperboloid of two sheets neither.
    assert_eq!(all()[4].angle_centre(0.3, 0.0), None);
    assert_eq!(all()[2].angle_centre(0.3, 1.5), None);
}

#[test]
fn solids_lie_where_the_table_says() {
    let inside = [
        Vec3::zeros(),
        Vec3::zeros(),
        Vec3::new(0.0, 0.0, 1.5),
        Vec3::new(0.0, 0.0, -1.2),
        Vec3::zeros(),
        Vec3::zeros(),
    ];
    for (q, p) in all().iter().zip(inside) {
        assert!(q.value(&p) < 0.0 && q.beyond_bounds(&p) < 0.0, "{}", q.kind());
    }
    let upper = &all()[2];
    let mirror = Vec3::new(0.0, 0.0, -1.5);
    assert!(upper.value(&mirror) < 0.0, "F alone does not tell the sheets apart");
    assert_eq!(upper.beyond_bounds(&mirror), 1.5);
    assert!((all()[1].beyond_bounds(&Vec3::new(9.0, 9.0, 1.5)) - 0.2).abs() < 1e-15);
    assert_eq!(all()[0].beyond_bounds(&mirror), f64::NEG_INFINITY);
}

#[test]
fn volumes_and_moments_take_their_closed_forms() {
    let near = |x: f64, y: f64| assert!((x / y - 1.0).abs() < 1e-14, "{x} {y}");
    let (a, b, c, h): (f64, f64, f64, f64) = (0.7, 1.1, 0.9, 1.3);
    let m = Quadric::hyperboloid_one_sheet([a, a, c], h).unwrap().moments().unwrap();
    near(m.volume, PI * a * a * 2.0 * h * (1.0 + h * h / (3.0 * c * c)));
    let d = h / c;
    near(m.second[(0, 0)], PI / 4.0 * a.powi(4) * c * 2.0 * (d + 2.0 * d.powi(3) / 3.0 + d.powi(5) / 5.0));
    near(m.second[(2, 2)], PI * a * a * c.powi(3) * 2.0 * (d.powi(3) / 3.0 + d.powi(5) / 5.0));
    assert!(m.first.z.abs() < 1e-14);

    // With d = h/c − 1: ρ² = d² + 2d.
    let m = Quadric::hyperboloid_two_sheets([a, b, c], Sheet::Lower, h).unwrap().moments().unwrap();
    let d = h / c - 1.0;
    near(m.volume, PI * a * b * c * (d * d + d.powi(3) / 3.0));
    near(m.first.z, -PI * a * b * c * c * (d * d + d.powi(3) + d.powi(4) / 4.0));
    near(
        m.second[(1, 1)],
        PI / 4.0 * a * b.powi(3) * c * (4.0 * d.powi(3) / 3.0 + d.powi(4) + d.powi(5) / 5.0),
    );

    let m = Quadric::elliptic_paraboloid([a, b, c], h).unwrap().moments().unwrap();
    let d = h / c + 1.0;
    near(m.volume, PI * a * b * c * d * d / 2.0);
    near(m.first.z, PI * a * b * c * c * (d.powi(3) / 3.0 - d * d / 2.0));

    let (x, y, top) = (0.9, 1.2, 1.5);
    let m = Quadric::hyperbolic_paraboloid([a, b, c], [x, y], top).unwrap().moments().unwrap();
    near(m.volume, 4.0 * x * y * (top + c - c * x * x / (3.0 * a * a) + c * y * y / (3.0 * b * b)));
    assert!(m.first.x.abs() < 1e-15 && m.first.y.abs() < 1e-15);
}

#[test]
fn areas_take_their_closed_forms() {
    let near = |x: f64, y: f64| assert!((x / y - 1.0).abs() < 1e-10, "{x} {y}");
    // Paraboloid of revolution z = r²/(4f): A = (8π/3) f² [(1 + R²/(4f²))^1.5 − 1].
    let (a, c, h): (f64, f64, f64) = (0.7, 0.9, 1.3);
    let q = Quadric::elliptic_paraboloid([a, a, c], h).unwrap();
    let (f, r2) = (a * a / (4.0 * c), a * a * (h / c + 1.0));
    let curved = 8.0 * PI / 3.0 * f * f * ((1.0 + r2 / (4.0 * f * f)).powf(1.5) - 1.0);
    near(q.curved_area().unwrap(), curved);
    near(q.area().unwrap(), curved + PI * r2);
    // Hyperboloid of revolution: 2πa ∫√(1 + k²z²) dz, k² = (a² + c²)/c⁴.
    let q = Quadric::hyperboloid_one_sheet([a, a, c], h).unwrap();
    let k = (a * a + c * c).sqrt() / (c * c);
    let curved = 2.0 * PI * a * (h * (1.0 + k * k * h * h).sqrt() + (k * h).asinh() / k);
    near(q.curved_area().unwrap(), curved);
    near(q.area().unwrap(), curved + 2.0 * PI * a * a * (1.0 + h * h / (c * c)));
}

#[test]
fn area_and_moments_are_the_limits_of_the_meshes() {
    for q in all() {
        testing::measures_converge(&q, 1e-3, 2e-3);
    }
}

#[test]
fn meshes_are_closed_and_within_their_chord() {
    for q in all() {
        testing::mesh_obeys(&q, 0.02);
        testing::mesh_obeys(&q, 2e-3);
    }
}

#[test]
fn curvature_ranges_hold_all_curvatures_and_are_reached() {
    for q in all() {
        testing::range_holds(&q, 4e-3);
    }
    // A one-sheet hyperboloid of revolution: +1/a and −a/c² at the waist.
    let [low, high] =
        Quadric::hyperboloid_one_sheet([0.5, 0.5, 0.8], 1.0).unwrap().curvature_range().unwrap();
    assert!((high - 2.0).abs() < 1e-14 && (low + 0.5 / 0.64).abs() < 1e-14, "{low} {high}");
    let [_, high] = Quadric::elliptic_paraboloid([0.5, 0.8, 0.3], 1.0).unwrap().curvature_range().unwrap();
    assert!((high - 0.6 / 0.25).abs() < 1e-14, "{high}");
}

#[test]
fn curvature_at_a_normal_is_that_of_the_farthest_point_or_undefined() {
    for q in &all()[2..5] {
        let (d, mesh) = (q.domain(), q.tessellate(0.01).unwrap());
        for [u, v] in testing::samples(q) {
            let p = q.point(u, v);
            let n = q.gradient(&p);
            assert!(mesh.vertices().iter().all(|x| n.dot(&(x - p)) < 1e-12), "{} is not convex", q.kind());
            let (at, by) = (q.curvature_at(&p).unwrap(), q.curvature_at_normal(&n).unwrap());
            assert!((at.kappa[0] / by.kappa[0] - 1.0).abs() < 1e-10, "{} {at:?} {by:?}", q.kind());
        }
        let rim = if d.v[0] < 0.0 { d.v[0] } else { d.v[1] };
        let beyond = Quadric { planes: vec![], ..q.clone() }.gradient(&q.point(0.4, rim * 1.01));
        let error = q.curvature_at_normal(&beyond).unwrap_err().to_string();
        assert!(error.contains("rim or a flat cap"), "{error}");
        let vertex = if d.v[0] < 0.0 { Vec3::z() } else { -Vec3::z() };
        let k = q.curvature_at_normal(&vertex).unwrap().kappa;
        let c = if q.kind() == "elliptic_paraboloid" { 2.0 * 0.9 } else { 0.9 };
        assert!((k[0] - c / 0.49).abs() < 1e-14 && (k[1] - c / 1.21).abs() < 1e-14, "{k:?}");
    }
    for q in [&all()[1], &all()[5]] {
        let error = q.curvature_at_normal(&Vec3::new(1.0, 0.2, -0.1)).unwrap_err();
        assert!(matches!(error, GeomError::Undefined { .. }), "{error}");
    }
    assert!(all()[0].as_support().is_some() && all()[1].as_support().is_none());
    let e = &all()[0];
    assert_eq!(e.as_support().unwrap().support(&Vec3::z()), 0.9);
}

#[test]
fn canonical_coefficients_are_classified_as_in_table_3() {
    let z = |low: f64, high: f64| {
        vec![BoundingPlane::new(Vec3::z(), high).unwrap(), BoundingPlane::new(-Vec3::z(), -low).unwrap()]
    };
    let kind = |s, l, p: &[BoundingPlane]| Quadric::canonical(s, l, p).map(|q| q.member());
    assert_eq!(kind([1.0, 2.0, 3.0], [0.0; 3], &[]), Ok(QuadricKind::Ellipsoid));
    assert_eq!(kind([1.0, 2.0, -3.0], [0.0; 3], &z(-1.0, 1.0)), Ok(QuadricKind::HyperboloidOneSheet));
    assert_eq!(kind([-1.0, -2.0, 1.0], [0.0; 3], &z(0.0, 2.0)), Ok(QuadricKind::HyperboloidTwoSheets));
    assert_eq!(kind([1.0, 2.0, 0.0], [0.0, 0.0, -1.0], &z(-9.0, 1.0)), Ok(QuadricKind::EllipticParaboloid));
    let degenerate = [
        ([1.0, 1.0, 0.0], [0.0, 0.0, 0.0]),
        ([1.0, 0.0, 0.0], [0.0, 0.0, -1.0]),
        ([0.0, 0.0, 0.0], [0.0, 0.0, -1.0]),
        ([1.0, 1.0, 1.0], [0.0, 0.0, -1.0]),
        ([-1.0, 1.0, 1.0], [0.0, 0.0, 0.0]),
        ([-1.0, -1.0, -1.0], [0.0, 0.0, 0.0]),
        ([1.0, 1.0, 0.0], [0.0, 0.0, 1.0]),
    ];
    for (square, linear) in degenerate {
        let error = kind(square, linear, &z(-1.0, 1.0)).unwrap_err().to_string();
        assert!(error.starts_with("square, linear = ["), "{error}");
    }
}

#[test]
fn bad_input_is_refused_by_name() {
    let message = |r: Result<Quadric>| r.unwrap_err().to_string();
    assert!(message(Quadric::ellipsoid([1.0, 0.0, 1.0])).starts_with("axes[1] = 0"));
    assert!(message(Quadric::hyperboloid_one_sheet([1.0, 1.0, f64::NAN], 1.0)).starts_with("axes[2] = NaN"));
    assert!(message(Quadric::hyperboloid_one_sheet([1.0; 3], -1.0)).starts_with("half_height = -1"));
    assert!(message(Quadric::hyperboloid_two_sheets([1.0; 3], Sheet::Upper, 0.9)).starts_with("planes = "));
    assert!(message(Quadric::elliptic_paraboloid([1.0; 3], -1.0)).starts_with("planes = "));
    assert!(
        message(Quadric::hyperbolic_paraboloid([1.0; 3], [2.0, 1.0], 2.9)).contains("above the whole saddle")
    );
    assert!(message(Quadric::canonical([f64::NAN, 1.0, 1.0], [0.0; 3], &[])).starts_with("square[0] = NaN"));
    let plane = |n: [f64; 3], d| BoundingPlane::new(n.into(), d).unwrap();
    let up = plane([0.0, 0.0, 1.0], 2.0);
    let tilted = [plane([0.1, 0.0, 1.0], 1.0)];
    let hyperboloid = |p: &[BoundingPlane]| message(Quadric::canonical([1.0, 1.0, -1.0], [0.0; 3], p));
    assert!(hyperboloid(&tilted).starts_with("planes[0].normal = "));
    assert!(hyperboloid(&[up]).contains("one plane below and one above"));
    assert!(hyperboloid(&[up, plane([0.0, 0.0, -1.0], -2.0)]).contains("leave a slab"));
    assert!(hyperboloid(&[up, plane([1.0, 0.0, 0.0], 1.0)]).contains("across z only"));
    let both = [up, plane([0.0, 0.0, -1.0], 2.0)];
    assert!(message(Quadric::canonical([-1.0, -1.0, 1.0], [0.0; 3], &both)).contains("nothing of the other"));
    assert!(message(Quadric::canonical([1.0; 3], [0.0; 3], &both)).contains("bounded by itself"));
    assert!(
        BoundingPlane::new(Vec3::zeros(), 1.0).is_err() && BoundingPlane::new(Vec3::x(), f64::NAN).is_err()
    );
    let q = Quadric::elliptic_paraboloid([1.0; 3], 1.0).unwrap();
    assert!(q.tessellate(f64::NAN).is_err() && q.tessellate(0.0).is_err());
    assert!(q.curvature_at(&Vec3::new(f64::NAN, 0.0, 0.0)).is_err());
    assert!(q.curvature_at_normal(&Vec3::zeros()).is_err());
}
