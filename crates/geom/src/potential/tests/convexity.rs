//! The proof of convexity against samples, closed forms and the limit of inner offsets.

use super::super::patch::Patch;
use super::*;

/// Potentials whose bounds come from every rule of `bound.rs`.
fn bodies() -> Vec<Potential> {
    let bumpy = |l, s| Potential::harmonics(super::bumpy(l, 0.3, s));
    let ellipsoid = Potential::ellipsoid([1.5, 1.0, 0.7]).unwrap();
    let shear = Mat3::new(1.2, 0.3, -0.1, 0.0, 0.8, 0.25, 0.15, -0.2, 0.9);
    vec![
        bumpy(2, 1),
        bumpy(6, 2),
        bumpy(12, 3),
        ellipsoid.clone(),
        ellipsoid.transformed(&shear).unwrap(),
        bumpy(4, 4).transformed(&shear).unwrap(),
        bumpy(5, 5).scaled(0.5).unwrap().sum(&ellipsoid),
    ]
}

#[test]
fn no_radius_inside_a_triangle_is_below_its_bound() {
    let mut noise = super::noise(11);
    let mut next = || noise.next().unwrap();
    for body in bodies() {
        for round in 0..200 {
            let middle = Vec3::new(next(), next(), next()).normalize();
            let size = 0.7f64.powi(round % 20);
            let corner = [(); 3].map(|_| (middle + Vec3::new(next(), next(), next()) * size).normalize());
            if corner.iter().any(|c| c.dot(&middle) < 0.3) {
                continue;
            }
            let (cell, ..) = body.cell(Patch::Triangle(corner));
            for _ in 0..20 {
                let [a, b] = [next().abs(), next().abs()];
                let n = (corner[0] * a + corner[1] * b + corner[2] * next().abs()).normalize();
                assert!(radii(&body, &n)[1] >= cell.bound - 1e-13, "{body:?} at size {size}");
            }
        }
    }
}

#[test]
fn composed_bounds_hold_at_every_sampled_normal() {
    for body in bodies() {
        let least = body.least();
        let (met, _) = extreme(|n| radii(&body, n)[1]);
        assert!(met >= least.bound - 1e-12, "{body:?}");
        if let Some(n) = least.witness {
            assert!((radii(&body, &n)[1] - least.bound).abs() < 1e-12, "{body:?}");
        }
    }
}

#[test]
fn the_smallest_radius_is_enclosed_to_nine_digits() {
    for body in bodies() {
        let c = body.least_radius(1e-9).unwrap();
        assert!(c.lower_bound <= c.upper_bound && c.upper_bound - c.lower_bound < 1e-8, "{c:?}");
        assert!((radii(&body, &c.normal)[1] - c.upper_bound).abs() < 1e-12);
    }
}

#[test]
fn the_smallest_radius_of_a_body_of_revolution_takes_its_closed_form() {
    // 1 + q Y₂₀, k = q√(5/4π): 1 − 2k at the poles for k > 0, 1 + 5k/2 along the whole equator for k < 0.
    for (q, tolerance) in [(0.1, 1e-12), (-0.1, 1e-12)] {
        let mut c = [0.0; 9];
        (c[0], c[6]) = ((4.0 * PI).sqrt(), q);
        let k = q * (5.0 / (4.0 * PI)).sqrt();
        let truth = if q > 0.0 { 1.0 - 2.0 * k } else { 1.0 + 2.5 * k };
        let body = Potential::harmonics(Harmonics::new(2, &c).unwrap());
        let turned = body.rotated(&nalgebra::UnitQuaternion::from_euler_angles(0.3, 0.2, 0.1)).unwrap();
        let disc = Potential::ellipsoid([2.0, 2.0, 1.0]).unwrap();
        // At the poles the disc has the radius 4, along its equator the smaller one is 1/2, across the equator.
        let sum = if q > 0.0 { None } else { Some(body.sum(&disc)) };
        for (shape, truth) in
            [(body, truth), (turned, truth)].into_iter().chain(sum.map(|s| (s, truth + 0.5)))
        {
            let c = shape.least_radius(tolerance).unwrap();
            assert!(c.cells < 2000, "{c:?}");
            assert!((c.upper_bound - truth).abs() < 1e-14);
            assert!((c.lower_bound - truth).abs() < 10.0 * tolerance);
        }
    }
}

#[test]
fn an_inner_offset_is_allowed_down_to_the_smallest_radius_and_refused_beyond() {
    let ellipsoid = Potential::ellipsoid([3.0, 2.0, 1.5]).unwrap();
    let turned = ellipsoid
        .rotated(&nalgebra::UnitQuaternion::from_euler_angles(0.3, 0.2, 0.1))
        .unwrap()
        .translated(&Vec3::new(1.0, 2.0, 3.0))
        .unwrap();
    let sheared = ellipsoid.transformed(&Mat3::new(1.0, 0.4, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)).unwrap();
    let bumps = Potential::harmonics(super::bumpy(6, 0.3, 2));
    let mixed = bumps.sum(&ellipsoid);
    for body in [ellipsoid, turned, sheared, bumps, mixed] {
        let least = body.least_radius(1e-12).unwrap().upper_bound;
        let inner = body.offset(-least * (1.0 - 1e-9)).unwrap();
        assert!(inner.convexity().unwrap().upper_bound < 1e-8);
        match body.offset(-least * (1.0 + 1e-9)).unwrap_err() {
            GeomError::OutOfRange { field, value, allowed } => {
                assert_eq!(field, "offset");
                assert!(value < -least && allowed.starts_with("above -"), "{allowed}");
            }
            other => panic!("{other}"),
        }
    }
    let error = Potential::ellipsoid([2.0, 1.0, 1.0]).unwrap().offset(-0.75).unwrap_err().to_string();
    assert!(error.starts_with("offset = -0.75: must be above -0.5, minus the smallest radius"), "{error}");
}

#[test]
fn an_opaque_support_function_is_believed_what_it_promises_and_no_more() {
    let ellipsoid = Arc::new(Ellipsoid::new([2.0, 1.0, 1.0]).unwrap());
    let silent = Potential::from_support(ellipsoid.clone(), 0.0).unwrap();
    let error = silent.convexity().unwrap_err().to_string();
    assert!(error.starts_with("lower bound on the radii of curvature stopped at 0e0"), "{error}");
    let padded = silent.offset(0.1).unwrap().convexity().unwrap();
    assert!(padded.lower_bound == 0.1 && (padded.upper_bound - 0.6).abs() < 1e-12, "{padded:?}");
    let promised = Potential::from_support(ellipsoid, 0.5).unwrap();
    assert_eq!(promised.convexity().unwrap().lower_bound, 0.5);
    assert!(promised.offset(-0.49).unwrap().convexity().unwrap().lower_bound > 0.0);
}
