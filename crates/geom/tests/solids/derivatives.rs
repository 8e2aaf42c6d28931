//! Every derivative against sixth-order differences of the one below it.

use super::samples::{all, bounded, cube, difference, directions, parameters};
use rattleback_geom::surface::ParametricJet;
use rattleback_geom::{Mat3, Vec3};

#[test]
fn implicit_gradients_and_hessians_are_those_of_the_value() {
    for body in all() {
        let f = body.as_implicit().unwrap();
        let size = if body.bounds().is_bounded() { body.bounds().diagonal() } else { 2.0 };
        for n in 0..200 {
            let p = Vec3::from(cube(n).map(|x| (x - 0.5) * size));
            let step = 1e-3 * size;
            // Away from the axis of the tori and from the jump of the capsule's second derivative.
            let kink = body.kind() == "capsule" && {
                let far = |dz: f64| f.hessian(&(p + Vec3::z() * dz));
                far(4.0 * step) != far(-4.0 * step)
            };
            if kink || p.x.hypot(p.y) < 0.15 * size {
                continue;
            }
            let (gradient, hessian) = (f.gradient(&p), f.hessian(&p));
            for i in 0..3 {
                let e = Vec3::ith(i, 1.0);
                let slope = difference(step, |h| f.value(&(p + e * h)));
                assert!((slope - gradient[i]).abs() < 1e-9 * (1.0 + gradient.norm()), "{body:?} {p}");
                let column = difference(step, |h| f.gradient(&(p + e * h)));
                let bound = 1e-9 * (1.0 + hessian.norm());
                assert!((column - hessian.column(i)).norm() < bound, "{body:?} {p}");
            }
        }
    }
}

#[test]
fn parametric_jets_are_derivatives_of_one_another_and_turn_outwards() {
    for body in all() {
        let (x, f) = (body.as_parametric().unwrap(), body.as_implicit().unwrap());
        for [u, v] in parameters(x, 100) {
            let jet = x.jet(u, v);
            let dv = 1e-3 * jet.p.norm().min(1.0);
            let flat = |v: f64| x.jet(u, v).dvv == Vec3::zeros();
            // Not astride the capsule's jump of second derivatives.
            if body.kind() == "capsule" && flat(v - 4.0 * dv) != flat(v + 4.0 * dv) {
                continue;
            }
            let along_u = |part: fn(&ParametricJet) -> Vec3| difference(1e-3, |h| part(&x.jet(u + h, v)));
            let along_v = |part: fn(&ParametricJet) -> Vec3| difference(dv, |h| part(&x.jet(u, v + h)));
            for (name, found, exact) in [
                ("du", along_u(|j| j.p), jet.du),
                ("dv", along_v(|j| j.p), jet.dv),
                ("duu", along_u(|j| j.du), jet.duu),
                ("duv", along_u(|j| j.dv), jet.duv),
                ("dvv", along_v(|j| j.dv), jet.dvv),
                ("duuu", along_u(|j| j.duu), jet.duuu),
                ("duuv", along_u(|j| j.duv), jet.duuv),
                ("duvv", along_u(|j| j.dvv), jet.duvv),
                ("dvvv", along_v(|j| j.dvv), jet.dvvv),
            ] {
                assert!((found - exact).norm() < 1e-8 * (1.0 + exact.norm()), "{body:?} {name} {u} {v}");
            }
            assert!(jet.normal().dot(&f.gradient(&jet.p)) > 0.0, "{body:?} {u} {v}");
        }
    }
}

#[test]
fn support_jets_are_derivatives_of_one_another_and_homogeneous() {
    for body in bounded() {
        let Some(h) = body.as_support() else { continue };
        let size = body.bounds().diagonal();
        // Away from the planes and the axis where the maximiser jumps.
        let generic = |n: &Vec3| n.z.abs() > 0.05 && n.x.hypot(n.y) > 0.1;
        for n in directions(300).into_iter().filter(generic).map(|n| n * 1.7) {
            let jet = h.support_jet(&n);
            assert_eq!((jet.value, jet.point), (h.support(&n), h.support_point(&n)));
            assert!((jet.point.dot(&n) - jet.value).abs() < 1e-14 * size);
            assert!((jet.hessian * n).norm() < 1e-13 * size && jet.hessian == jet.hessian.transpose());
            let columns: [Vec3; 3] =
                std::array::from_fn(|i| difference(2e-3, |s| h.support_point(&(n + Vec3::ith(i, s)))));
            let scale = 1e-9 * (size + jet.hessian.norm());
            assert!((Mat3::from_columns(&columns) - jet.hessian).norm() < scale, "{body:?} {n}");
            let slope = Vec3::from_fn(|i, _| difference(2e-3, |s| h.support(&(n + Vec3::ith(i, s)))));
            assert!((slope - jet.point).norm() < 1e-9 * size, "{body:?} {n}");
            let d = Vec3::new(0.3, -0.8, 0.5);
            let third = difference(1e-3, |s| h.support_jet(&(n + d * s)).hessian);
            let exact = h.support_third(&n, &d);
            assert!((third - exact).norm() < 1e-8 * (size + exact.norm()), "{body:?} {n}");
            assert!((h.support_third(&n, &n) + jet.hessian).norm() < 1e-12 * jet.hessian.norm());
        }
    }
}

#[test]
fn flat_normals_have_huge_finite_radii_that_keep_the_identities() {
    for body in bounded() {
        let Some(h) = body.as_support() else { continue };
        let size = body.bounds().diagonal();
        for n in [Vec3::new(0.6, 0.8, 0.0) * 3.0, -Vec3::x(), Vec3::z() * 0.2, -Vec3::z()] {
            let jet = h.support_jet(&n);
            assert!(jet.hessian.iter().all(|x| x.is_finite()));
            assert!((jet.hessian * n).norm() < 1e-12 * size, "{body:?} {n}");
            assert!((jet.point.dot(&n) - jet.value).abs() < 1e-14 * size);
            assert!(h.support_third(&n, &Vec3::new(1.0, 2.0, 3.0)).iter().all(|x| x.is_finite()));
            let double = h.support_jet(&(n * 2.0));
            assert!((double.hessian * 2.0 - jet.hessian).norm() < 1e-12 * jet.hessian.norm());
        }
    }
}
