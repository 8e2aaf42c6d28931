//! What every curve must satisfy: derivatives against differences, support = max n·x, ranges, integrals.

use super::*;
use std::f64::consts::FRAC_PI_4;
use std::sync::Arc;

fn family() -> Vec<Arc<dyn Curve>> {
    let ellipse: Arc<dyn Curve> = Arc::new(Ellipse::new([1.7, 0.9]).unwrap());
    let cushion: Arc<dyn Curve> = Arc::new(Superellipse::new([1.0, 0.6], 3.5).unwrap());
    let diamond: Arc<dyn Curve> = Arc::new(Superellipse::new([0.8, 1.3], 1.4).unwrap());
    let pose = Pose2::new(0.8, Vec2::new(3.0, -2.0)).unwrap();
    let placed: Arc<dyn Curve> = Arc::new(Placed::new(cushion.clone(), pose));
    let angles: Vec<f64> = (0..24).map(|i| f64::from(i) * TAU / 24.0 - 0.3).collect();
    let values: Vec<f64> =
        angles.iter().map(|a| 1.0 + 0.05 * (2.0 * a).cos() + 0.02 * (3.0 * a).sin()).collect();
    vec![
        Arc::new(Offset::new(ellipse.clone(), 0.4).unwrap()),
        Arc::new(Offset::new(ellipse.clone(), -0.3).unwrap()),
        Arc::new(Sum::new(ellipse.clone(), placed.clone())),
        Arc::new(
            SplinePotential::interpolate(&angles, &values).unwrap().with_centre(Vec2::new(0.3, 0.1)).unwrap(),
        ),
        ellipse,
        cushion,
        diamond,
        placed,
    ]
}

/// Normals away from the axes, where the superellipses have their roots.
fn angles() -> impl Iterator<Item = f64> {
    (0..60).map(|i| 0.05 + f64::from(i) * 0.1049)
}

#[test]
fn the_gradient_is_the_point_and_its_derivative_the_hessian() {
    for curve in family() {
        for phi in angles() {
            let n = unit_normal(phi) * 1.3;
            let (jet, hessian) = (curve.jet(&n).unwrap(), curve.hessian(&n).unwrap());
            let step = 1e-5;
            for k in 0..2 {
                let mut d = Vec2::zeros();
                d[k] = step;
                let (up, down) = (curve.jet(&(n + d)).unwrap(), curve.jet(&(n - d)).unwrap());
                let slope = (up.value - down.value) / (2.0 * step);
                assert!((slope - jet.point[k]).abs() < 1e-8, "{} at {phi}", curve.kind());
                let column = (up.point - down.point) / (2.0 * step);
                let scale = 1.0 + jet.radius;
                assert!((column - hessian.column(k)).norm() < 1e-5 * scale, "{} at {phi}", curve.kind());
            }
        }
    }
}

#[test]
fn the_potential_is_homogeneous_of_degree_one() {
    for curve in family() {
        for phi in angles() {
            let n = unit_normal(phi);
            let (a, b) = (curve.jet(&n).unwrap(), curve.jet(&(n * 1e-200)).unwrap());
            assert!((b.value * 1e200 / a.value - 1.0).abs() < 1e-12);
            assert!((a.point - b.point).norm() < 1e-12 && (a.radius / b.radius - 1.0).abs() < 1e-10);
            assert!((n.dot(&a.point) - a.value).abs() < 1e-13);
        }
    }
}

#[test]
fn the_support_is_the_greatest_product_with_a_point() {
    for curve in family() {
        let points: Vec<Vec2> =
            (0..5000).map(|i| curve.at_angle(f64::from(i) * TAU / 5e3).unwrap().point).collect();
        for phi in angles() {
            let value = curve.at_angle(phi).unwrap().value;
            let most = points.iter().map(|p| p.dot(&unit_normal(phi))).fold(f64::NEG_INFINITY, f64::max);
            assert!(
                most <= value + 1e-13 && most > value - 1e-4,
                "{} at {phi}: {most} {value}",
                curve.kind()
            );
        }
    }
}

#[test]
fn the_radius_stays_within_its_range() {
    for curve in family() {
        let [low, high] = curve.radius_range().unwrap();
        assert!(low >= 0.0);
        for i in 0..3000 {
            let radius = curve.at_angle(f64::from(i) * 0.0021).unwrap().radius;
            assert!(radius >= low * (1.0 - 1e-12) && radius <= high * (1.0 + 1e-12), "{}", curve.kind());
        }
    }
}

#[test]
fn length_and_area_are_those_of_an_inscribed_polygon() {
    for curve in family() {
        let count = 40_000;
        let points: Vec<Vec2> = (0..count)
            .map(|i| curve.at_angle(f64::from(i) / f64::from(count) * TAU).unwrap().point)
            .collect();
        let (mut length, mut area) = (0.0, 0.0);
        for (i, p) in points.iter().enumerate() {
            let q = points[(i + 1) % points.len()];
            length += (q - p).norm();
            area += 0.5 * p.perp(&q);
        }
        assert!((length / curve.length().unwrap() - 1.0).abs() < 1e-4, "{}", curve.kind());
        assert!((area / curve.area().unwrap() - 1.0).abs() < 1e-4, "{}", curve.kind());
    }
}

#[test]
fn the_curvature_is_the_inverse_radius() {
    for curve in family() {
        let jet = curve.at_angle(FRAC_PI_4).unwrap();
        assert!((jet.curvature() * jet.radius - 1.0).abs() < 1e-15);
    }
}
