//! Superellipsoids and superquadrics where doubles are pressed hardest: exponents 1.05 and 50, aspect ratios of a
//! thousand, normals with vanishing and nearly vanishing components.

use rattleback_geom::Vec3;
use rattleback_geom::surface::{Ellipsoid, Implicit, Superellipsoid, Superquadric, Support, Surface};

const EXPONENTS: [f64; 7] = [1.05, 1.3, 2.0, 3.0, 8.0, 20.0, 50.0];

fn normals() -> Vec<Vec3> {
    let mut list = Vec::new();
    let values = [0.0f64, 1e-300, 1e-17, 1e-8, 1e-3, 0.5, 1.0];
    for x in values {
        for y in values {
            for z in values {
                for sign in [1.0, -1.0] {
                    if x.max(y).max(z) > 0.1 {
                        list.push(Vec3::new(sign * x, y, -sign * z).normalize());
                    }
                }
            }
        }
    }
    list
}

/// h, its point and its Hessian at every hard normal: finite, on the surface, in line with each other.
fn check(shape: &(impl Surface + Support + Implicit), label: &str) {
    let size = shape.bounds().diagonal();
    for n in normals() {
        let jet = shape.support_jet(&n);
        assert!(jet.value > 0.0 && jet.point.iter().all(|x| x.is_finite()), "{label} at {n:?}: {jet:?}");
        assert!(jet.hessian.iter().all(|x| x.is_finite()), "{label} at {n:?}: {jet:?}");
        assert!((n.dot(&jet.point) - jet.value).abs() < 1e-13 * size, "{label} at {n:?}");
        // The point is on the surface: the gauge-like F changes sign within a few roundings of it.
        let (inner, outer) =
            (shape.value(&(jet.point * (1.0 - 1e-13))), shape.value(&(jet.point * (1.0 + 1e-13))));
        assert!(inner <= 1e-12 && outer >= -1e-12, "{label} at {n:?}: F = {inner} … {outer}");
        let k = shape.curvature_at_normal(&n).unwrap();
        assert!(k.kappa[0] >= k.kappa[1] && k.kappa[1] >= 0.0, "{label} at {n:?}: {k:?}");
        assert!(
            shape.support_third(&n, &Vec3::new(0.3, -0.5, 0.8)).iter().all(|x| !x.is_nan()),
            "{label} at {n:?}"
        );
    }
}

#[test]
fn every_pair_of_exponents_is_right_at_vanishing_normal_components() {
    for delta in EXPONENTS {
        for epsilon in EXPONENTS {
            for axes in [[1.0, 1.0, 1.0], [1.0, 0.001, 0.03], [0.02, 1e-3, 1.0]] {
                let shape = Superellipsoid::new(axes, [delta, epsilon]).unwrap();
                check(&shape, &format!("superellipsoid {axes:?} {delta} {epsilon}"));
            }
        }
    }
}

#[test]
fn every_triple_of_exponents_is_right_at_vanishing_normal_components() {
    for a in EXPONENTS {
        for b in EXPONENTS {
            for c in [1.05, 2.0, 7.0, 50.0] {
                let shape = Superquadric::new([1.0, 1e-3, 0.2], [a, b, c]).unwrap();
                check(&shape, &format!("superquadric {a} {b} {c}"));
            }
        }
    }
}

#[test]
fn equal_exponents_make_the_two_families_one() {
    for n in normals() {
        for e in EXPONENTS {
            let axes = [0.7, 0.2, 1.1];
            let a = Superellipsoid::new(axes, [e, e]).unwrap();
            let b = Superquadric::new(axes, [e, e, e]).unwrap();
            let (ja, jb) = (a.support_jet(&n), b.support_jet(&n));
            assert!((ja.value - jb.value).abs() < 4e-15, "{e} at {n:?}: {} {}", ja.value, jb.value);
            assert!((ja.point - jb.point).norm() < 2e-13, "{e} at {n:?}: {:?} {:?}", ja.point, jb.point);
        }
    }
}

#[test]
fn exponent_two_is_the_ellipsoid() {
    let axes = [0.7, 0.2, 1.1];
    let ellipsoid = Ellipsoid::new(axes).unwrap();
    let a = Superellipsoid::new(axes, [2.0, 2.0]).unwrap();
    let b = Superquadric::new(axes, [2.0; 3]).unwrap();
    for n in normals() {
        let reference = ellipsoid.support_jet(&n);
        for jet in [a.support_jet(&n), b.support_jet(&n)] {
            assert!((jet.value - reference.value).abs() < 2e-15);
            assert!(
                (jet.point - reference.point).norm() < 4e-15,
                "{n:?}: {:?} {:?}",
                jet.point,
                reference.point
            );
            assert!((jet.hessian - reference.hessian).norm() < 1e-13, "{n:?}");
        }
        let k = ellipsoid.curvature_at_normal(&n).unwrap();
        for other in [a.curvature_at_normal(&n).unwrap(), b.curvature_at_normal(&n).unwrap()] {
            for i in 0..2 {
                assert!((k.kappa[i] - other.kappa[i]).abs() < 1e-12 * k.kappa[i], "{n:?}: {k:?} {other:?}");
            }
        }
    }
    assert!((ellipsoid.area().unwrap() / a.area().unwrap() - 1.0).abs() < 1e-9);
    assert!((ellipsoid.area().unwrap() / b.area().unwrap() - 1.0).abs() < 1e-9);
    assert!((ellipsoid.moments().unwrap().volume / a.moments().unwrap().volume - 1.0).abs() < 1e-13);
    assert!((ellipsoid.moments().unwrap().second - b.moments().unwrap().second).norm() < 1e-14);
    let (r, s) = (ellipsoid.curvature_range().unwrap(), a.curvature_range().unwrap());
    assert!((r[0] / s[0] - 1.0).abs() < 1e-6 && (r[1] / s[1] - 1.0).abs() < 1e-6, "{r:?} {s:?}");
}

#[test]
fn a_large_exponent_approaches_the_box_and_a_small_one_the_octahedron() {
    let volume = |e: f64| Superellipsoid::new([0.5, 0.5, 0.5], [e, e]).unwrap().moments().unwrap().volume;
    assert!((volume(50.0) - 1.0).abs() < 0.01 && volume(50.0) < 1.0);
    assert!((volume(1.05) * 6.0 - 1.0).abs() < 0.2 && volume(1.05) * 6.0 > 1.0);
    let area = |e: f64| Superellipsoid::new([0.5, 0.5, 0.5], [e, e]).unwrap().area().unwrap();
    assert!(area(50.0) < 6.0 && area(50.0) > 5.8, "{}", area(50.0));
    assert!(area(1.05) > 3f64.sqrt() && area(1.05) < 1.1 * 3f64.sqrt(), "{}", area(1.05));
}

#[test]
fn curvature_at_flat_spots_and_edges_takes_its_limit() {
    let boxy = Superellipsoid::new([1.0, 1.0, 1.0], [8.0, 8.0]).unwrap();
    let k = boxy.curvature_at_normal(&Vec3::z()).unwrap();
    assert!(k.kappa[0] < 1e-40, "{k:?}");
    assert_eq!(boxy.curvature_range().unwrap()[0], 0.0);
    let sharp = Superellipsoid::new([1.0, 1.0, 1.0], [1.3, 1.3]).unwrap();
    let k = sharp.curvature_at_normal(&Vec3::new(0.0, 0.6, 0.8)).unwrap();
    assert!(k.kappa[0] > 1e40 && k.kappa[1].is_finite(), "{k:?}");
    assert_eq!(sharp.curvature_range().unwrap()[1], f64::INFINITY);
}

#[test]
fn bad_exponents_and_axes_are_refused_by_name() {
    let message = |r: Result<Superellipsoid, rattleback_geom::GeomError>| r.unwrap_err().to_string();
    assert_eq!(
        message(Superellipsoid::new([1.0, 0.0, 1.0], [2.0, 2.0])),
        "semi_axes[1] = 0: must be a length between 1e-20 and 1e20 m"
    );
    assert_eq!(
        message(Superellipsoid::new([1.0; 3], [2.0, 51.0])),
        "exponents[1] = 51: must be between 1.05 and 50"
    );
    assert_eq!(
        message(Superellipsoid::new([1.0; 3], [f64::NAN, 2.0])),
        "exponents[0] = NaN: must be between 1.05 and 50"
    );
    let error = Superquadric::new([1.0, -1.0, 1.0], [2.0; 3]).unwrap_err().to_string();
    assert_eq!(error, "semi_axes[1] = -1: must be a length between 1e-20 and 1e20 m");
}

/// The principal curvatures without directions are those with them: at the ends of the axes, beside them, at umbilics
/// and on needles and discs.
#[test]
fn curvatures_of_an_ellipsoid_without_directions_are_those_with_them() {
    for axes in [[0.3, 0.2, 0.1], [1.0, 1.0, 1.0], [2.0, 2.0, 1e-3], [1e-4, 1.0, 1e-4], [3e4, 2e4, 1e-2]] {
        let ellipsoid = Ellipsoid::new(axes).unwrap();
        let umbilic = Vec3::new((axes[0] - axes[1]).abs().sqrt(), 0.0, (axes[1] - axes[2]).abs().sqrt());
        for n in [
            Vec3::x(),
            -Vec3::y(),
            Vec3::z(),
            Vec3::new(1.0, 1e-9, -1e-5),
            Vec3::new(0.6, -0.3, 0.2),
            Vec3::new(-1e-3, 1e-3, 1.0),
            umbilic + Vec3::new(1e-12, 1e-12, 0.0),
        ] {
            let n = n.normalize();
            let (found, expected) =
                (ellipsoid.principal_curvatures(&n), ellipsoid.curvature_at_normal(&n).unwrap().kappa);
            for k in 0..2 {
                assert!(
                    (found[k] / expected[k] - 1.0).abs() < 1e-13,
                    "{axes:?} {n:?} {found:?} {expected:?}"
                );
            }
        }
    }
    let nothing = Ellipsoid::new([1.0; 3]).unwrap().principal_curvatures(&Vec3::zeros());
    assert!(nothing.iter().all(|kappa| !kappa.is_finite()), "{nothing:?}");
}
