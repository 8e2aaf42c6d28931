//! Depths about an axis against a fine grid of normals, and in closed form.

use super::*;
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::{Cylinder, Ellipsoid, Support};

/// How a claim of `depth` about A's axis ends; nothing but the points of the corners is used.
fn ask(a: &dyn Support, b: &dyn Support, of: [Option<Revolution>; 2], rel: &Relative, depth: f64) -> Proof {
    let axial = Axial::all(of, rel).next().unwrap();
    let claim = Claim::of_depth(depth, Vec3::zeros(), Vec3::z());
    AxialProver::new(axial, rel, [0.0; 2], |n| [a.support_point(n[0]), b.support_point(n[1])]).advance(&claim)
}

/// The least H over a fine grid of normals about the axis, polished.
fn least(a: &dyn Support, b: &dyn Support, rel: &Relative) -> f64 {
    let height = |phi: f64, theta: f64| {
        let n = Vec3::new(theta.sin() * phi.cos(), theta.sin() * phi.sin(), theta.cos());
        a.support(&n) + b.support(&-rel.in_b(&n)) - n.dot(&rel.r)
    };
    let mut best = (f64::INFINITY, 0.0, 0.0);
    for i in 0..400 {
        for j in 0..=200 {
            let (phi, theta) = (f64::from(i) * 0.015_707_963, f64::from(j) * 0.015_707_963);
            let h = height(phi, theta);
            best = if h < best.0 { (h, phi, theta) } else { best };
        }
    }
    let mut step = 0.01;
    while step > 1e-13 {
        let around = [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)].map(|(p, t)| {
            let (phi, theta) = (best.1 + p, best.2 + t);
            (height(phi, theta), phi, theta)
        });
        match around.into_iter().min_by(|x, y| x.0.total_cmp(&y.0)) {
            Some(better) if better.0 < best.0 => best = better,
            _ => step *= 0.5,
        }
    }
    best.0
}

#[test]
fn a_speck_in_a_cylinder_is_as_deep_as_it_is_and_no_deeper() {
    let (a, b) = (Cylinder::new(0.8, 1.1).unwrap(), Ellipsoid::new([3e-9, 1e-9, 2e-9]).unwrap());
    let of = [Some(Revolution::About(Vec3::z())), None];
    let turn = UnitQuaternion::from_scaled_axis(Vec3::new(0.3, 1.0, -0.4));
    let rel = Relative { rotation: turn.to_rotation_matrix().into_inner(), r: Vec3::new(1e-9, -2e-9, 0.1) };
    let depth = least(&a, &b, &rel);
    assert_eq!(ask(&a, &b, of, &rel, depth - 1e-13), Proof::Holds);
    assert_ne!(ask(&a, &b, of, &rel, depth + 1e-10), Proof::Holds);
}

#[test]
fn two_cylinders_about_almost_one_axis_are_as_deep_as_they_are_and_no_deeper() {
    let (a, b) = (Cylinder::new(0.8, 1.1).unwrap(), Cylinder::new(0.2, 0.5).unwrap());
    let of = [Some(Revolution::About(Vec3::z())); 2];
    for tilt in [1e-12, 1e-8, 1e-5] {
        for r in [Vec3::zeros(), Vec3::new(0.0, 0.0, 0.2)] {
            let turn = UnitQuaternion::from_scaled_axis(Vec3::new(0.6 * tilt, -0.8 * tilt, 0.3));
            let rel = Relative { rotation: turn.to_rotation_matrix().into_inner(), r };
            // Across both axes it is the sum of the radii.
            assert_eq!(ask(&a, &b, of, &rel, 1.0), Proof::Holds, "{tilt} {r}");
            assert_ne!(ask(&a, &b, of, &rel, 1.0 + 5e-12), Proof::Holds, "{tilt} {r}");
        }
    }
}

#[test]
fn a_thing_beside_the_axis_is_refuted_where_it_is_less_deep() {
    let (a, b) = (Ellipsoid::new([0.5, 0.5, 0.9]).unwrap(), Ellipsoid::new([0.2, 0.1, 0.3]).unwrap());
    let of = [Some(Revolution::About(Vec3::z())), None];
    let turn = UnitQuaternion::from_scaled_axis(Vec3::new(0.9, -0.2, 0.5));
    let rel = Relative { rotation: turn.to_rotation_matrix().into_inner(), r: Vec3::new(0.2, 0.1, -0.1) };
    let depth = least(&a, &b, &rel);
    assert!(matches!(ask(&a, &b, of, &rel, depth + 1e-6), Proof::Better(_) | Proof::Open));
    assert_eq!(ask(&a, &b, of, &rel, depth - 1e-6), Proof::Holds);
}
