use super::catalog::all;
use super::difference::difference;
use super::sample::Random;
use rattleback_geom::Vec3;
use rattleback_geom::surface::Kink;

/// The farthest step from n along which differences of h are taken: a part of the distance to where a component of
/// the normal vanishes.
fn step(margin: f64, n: &Vec3) -> f64 {
    if margin > 0.0 { 0.02 * n.amin() } else { 5e-4 }
}

#[test]
fn points_and_radii_agree_with_differences_of_the_support_function() {
    for entry in all() {
        let Some(s) = entry.surface.as_support() else { continue };
        let size = entry.surface.bounds().diagonal();
        let mut random = Random(3);
        let mut count = 0;
        while count < 60 {
            let n = random.direction();
            if entry.margin > 0.0 && n.amin() < 0.1 {
                continue;
            }
            // Across the normals of generators the farthest point jumps.
            let is_beside = |kink: &Kink| match kink {
                Kink::Circle { axis, height } => (axis.dot(&n) - height).abs() < 2e-3,
                Kink::Normal(_) => false,
            };
            if s.kinks().iter().any(is_beside) {
                continue;
            }
            count += 1;
            let jet = s.support_jet(&n);
            assert!((jet.value - s.support(&n)).abs() < 1e-14 * size, "{}", entry.name);
            assert!((jet.point - s.support_point(&n)).norm() < 1e-14 * size, "{}", entry.name);
            let h = step(entry.margin, &n);
            for d in [random.direction(), Vec3::x(), Vec3::y(), Vec3::z()] {
                let slope = difference(h, |t| s.support(&(n + d * t)));
                assert!((slope - jet.point.dot(&d)).abs() < 2e-9 * size, "{}: ∇h at {n:?}", entry.name);
                let turn = difference(h, |t| s.support_point(&(n + d * t)));
                let scale = size.max(jet.hessian.norm());
                assert!((turn - jet.hessian * d).norm() < 2e-8 * scale, "{}: ∇²h at {n:?}", entry.name);
                let third = difference(h, |t| s.support_jet(&(n + d * t)).hessian);
                let exact = s.support_third(&n, &d);
                let scale = size.max(exact.norm());
                assert!(
                    (third - exact).norm() < 1e-6 * scale,
                    "{}: ∇³h at {n:?}: {third} {exact}",
                    entry.name
                );
            }
        }
    }
}

#[test]
fn support_functions_are_homogeneous_of_degree_one() {
    for entry in all() {
        let Some(s) = entry.surface.as_support() else { continue };
        let size = entry.surface.bounds().diagonal();
        let mut random = Random(4);
        for k in 0..60 {
            // Every third normal has a vanishing component, every sixth two.
            let mut n = random.direction();
            if k % 3 == 0 {
                n[k % 2] = 0.0;
            }
            if k % 6 == 0 {
                n[2] = 0.0;
            }
            let n = n.normalize();
            let jet = s.support_jet(&n);
            assert!((jet.point.dot(&n) - jet.value).abs() < 1e-14 * size, "{} at {n:?}", entry.name);
            let scale = size + jet.hessian.norm();
            assert!((jet.hessian * n).norm() < 1e-13 * scale, "{} at {n:?}", entry.name);
            let twice = s.support_jet(&(n * 2.0));
            assert!((twice.value - 2.0 * jet.value).abs() < 1e-14 * size, "{}", entry.name);
            assert!((twice.point - jet.point).norm() < 1e-14 * size, "{}", entry.name);
            assert!((twice.hessian * 2.0 - jet.hessian).norm() < 1e-12 * scale, "{}", entry.name);
        }
    }
}

#[test]
fn support_is_the_greatest_extent_over_the_surface() {
    for entry in all() {
        let Some(s) = entry.surface.as_support() else { continue };
        let size = entry.surface.bounds().diagonal();
        let chord = 2e-4 * size;
        let mesh = entry.surface.tessellate(chord).unwrap();
        let mut random = Random(5);
        for n in (0..50).map(|_| random.direction()).chain([Vec3::x(), -Vec3::y(), Vec3::z()]) {
            let reach = mesh.vertices().iter().map(|v| v.dot(&n)).fold(f64::NEG_INFINITY, f64::max);
            let h = s.support(&n);
            assert!(reach <= h + 1e-12 * size, "{} at {n:?}: {reach} > {h}", entry.name);
            assert!(reach >= h - chord, "{} at {n:?}: {reach} far below {h}", entry.name);
        }
    }
}

#[test]
fn the_support_point_lies_on_the_surface_with_the_given_normal() {
    for entry in all() {
        let (Some(s), Some(f)) = (entry.surface.as_support(), entry.surface.as_implicit()) else { continue };
        let mut random = Random(6);
        for _ in 0..200 {
            let n = random.direction();
            let p = s.support_point(&n);
            if !entry.is_regular(&p) {
                continue;
            }
            let g = f.gradient(&p);
            assert!(f.value(&p).abs() < 1e-13 * (1.0 + g.norm() * p.norm()), "{} at {n:?}", entry.name);
            assert!((g.normalize() - n).norm() < 1e-11, "{} at {n:?}: {g:?}", entry.name);
        }
    }
}

#[test]
fn curvature_by_normal_and_by_point_agree() {
    for entry in all() {
        let Some(s) = entry.surface.as_support() else { continue };
        let mut random = Random(7);
        for _ in 0..200 {
            let n = random.direction();
            let p = s.support_point(&n);
            if !entry.is_regular(&p) {
                continue;
            }
            let by_normal = entry.surface.curvature_at_normal(&n).unwrap();
            // A true edge has many normals.
            if by_normal.kappa[0].is_infinite() {
                assert!(entry.surface.curvature_at(&p).is_err(), "{} at {n:?}", entry.name);
                continue;
            }
            let by_point = entry.surface.curvature_at(&p).unwrap();
            for k in 0..2 {
                let (a, b) = (by_normal.kappa[k], by_point.kappa[k]);
                assert!((a - b).abs() < 1e-9 * a.abs(), "{} at {n:?}: {a} {b}", entry.name);
            }
            let operators = (by_normal.shape_operator() - by_point.shape_operator()).norm();
            assert!(operators < 1e-8 * by_normal.kappa[0], "{} at {n:?}", entry.name);
            assert!(
                (by_normal.direction[0].cross(&by_normal.direction[1]) - n).norm() < 1e-13,
                "{}",
                entry.name
            );
        }
    }
}
