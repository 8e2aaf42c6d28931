//! The views of one body must agree: points, normals, curvature, support, bounds.

use super::samples::{all, bounded, cube, directions, parameters};
use rattleback_geom::{Curvature, Vec3};

fn same_curvature(a: &Curvature, b: &Curvature, tolerance: f64, context: &str) {
    for i in 0..2 {
        assert!((a.kappa[i] - b.kappa[i]).abs() < tolerance, "{context}: {a:?} {b:?}");
    }
    let spread = (a.shape_operator() - b.shape_operator()).norm();
    assert!(spread < 10.0 * tolerance, "{context}: {a:?} {b:?}");
}

#[test]
fn parametric_points_lie_on_the_implicit_surface_and_share_its_normal_and_curvature() {
    for body in all() {
        let (x, f) = (body.as_parametric().unwrap(), body.as_implicit().unwrap());
        let [low, high] = body.curvature_range().unwrap();
        let scale = 1.0 + low.abs().max(high.abs());
        for [u, v] in parameters(x, 500) {
            let jet = x.jet(u, v);
            assert!(f.value(&jet.p).abs() < 1e-12, "{body:?} {u} {v}");
            assert!(f.beyond_bounds(&jet.p) <= 1e-15, "{body:?} {u} {v}");
            let (n, g) = (jet.normal().normalize(), f.gradient(&jet.p).normalize());
            assert!((n - g).norm() < 1e-12, "{body:?} {u} {v}");
            let own = body.curvature_at(&jet.p).unwrap();
            let implicit = Curvature::from_implicit(&f.gradient(&jet.p), &f.hessian(&jet.p));
            let context = format!("{body:?} {u} {v}");
            same_curvature(&own, &implicit, 1e-9 * scale, &context);
            same_curvature(&own, &jet.curvature(), 1e-9 * scale, &context);
            assert!(own.kappa[0] >= own.kappa[1] && own.kappa[0] <= high * (1.0 + 1e-12));
            assert!(own.kappa[1] >= low - 1e-12 * scale, "{context}");
            let frame = own.direction[0].cross(&own.direction[1]);
            assert!((frame - n).norm() < 1e-12, "{context}");
        }
    }
}

#[test]
fn curvature_at_a_normal_is_that_of_the_farthest_point() {
    for body in bounded() {
        let x = body.as_parametric().unwrap();
        let [low, high] = body.curvature_range().unwrap();
        for n in directions(200) {
            let own = body.curvature_at_normal(&(n * 0.3)).unwrap();
            let frame = own.direction[0].cross(&own.direction[1]);
            assert!((frame - n).norm() < 1e-12, "{body:?} {n}");
            // The farthest point, where it is on a smooth part: by the closed forms of support and ring.
            let b = body.bounds();
            let p = match body.as_support() {
                Some(h) => h.support_point(&n),
                None if body.kind() == "half_torus" && n.y < 0.0 => continue,
                None => Vec3::new(n.x, n.y, 0.0).normalize() * (b.max.x - b.max.z) + n * b.max.z,
            };
            for [u, v] in parameters(x, 300) {
                assert!(n.dot(&x.point(u, v)) <= n.dot(&p) + 1e-12, "{body:?} {n}");
            }
            if body.kind() != "cylinder" {
                let at = body.curvature_at(&p).unwrap();
                same_curvature(&own, &at, 1e-9 * (1.0 + high - low), &format!("{body:?} {n}"));
            }
        }
    }
}

#[test]
fn the_support_function_is_the_maximum_over_the_body() {
    for body in bounded() {
        let Some(h) = body.as_support() else { continue };
        let f = body.as_implicit().unwrap();
        let size = body.bounds().diagonal();
        let chord = 1e-4 * size;
        let mesh = body.tessellate(chord).unwrap();
        let mut normals = directions(100);
        normals.extend([Vec3::x(), -Vec3::y(), Vec3::z(), -Vec3::z(), Vec3::new(0.6, 0.0, 0.8)]);
        for n in normals {
            let greatest = mesh.vertices().iter().map(|x| n.dot(x)).fold(f64::NEG_INFINITY, f64::max);
            let value = h.support(&n);
            assert!(greatest <= value + 1e-13 * size, "{body:?} {n}");
            assert!(greatest >= value - 4.0 * chord, "{body:?} {n} {greatest} {value}");
            let p = h.support_point(&n);
            assert!(f.value(&p) < 1e-12 && f.beyond_bounds(&p) <= 1e-14, "{body:?} {n}");
        }
    }
}

#[test]
fn bounds_contain_the_body_and_touch_it_on_every_side() {
    for body in bounded() {
        let bounds = body.bounds();
        let size = bounds.diagonal();
        let mesh = body.tessellate(1e-2 * size).unwrap();
        let roomy = bounds.fattened(1e-15 * size);
        assert!(roomy.encloses(&mesh.bounds()), "{body:?}");
        assert!((mesh.bounds().min - bounds.min).norm() < 1e-14 * size, "{body:?}");
        assert!((mesh.bounds().max - bounds.max).norm() < 1e-14 * size, "{body:?}");
        let x = body.as_parametric().unwrap();
        for [u, v] in parameters(x, 500) {
            assert!(roomy.contains(&x.point(u, v)), "{body:?} {u} {v}");
        }
    }
}

#[test]
fn the_implicit_value_is_negative_inside_and_positive_outside() {
    for body in all() {
        let (x, f) = (body.as_parametric().unwrap(), body.as_implicit().unwrap());
        for [u, v] in parameters(x, 200) {
            let jet = x.jet(u, v);
            let step = 1e-4 * jet.normal().normalize() * (1e-2 + cube(7)[0]) * jet.p.norm();
            assert!(f.value(&(jet.p + step)) > 0.0 && f.value(&(jet.p - step)) < 0.0, "{body:?} {u} {v}");
        }
    }
}
