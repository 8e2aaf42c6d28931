//! What constructors and questions refuse, and how they say it.

use super::samples::all;
use rattleback_geom::Vec3;
use rattleback_geom::surface::{Capsule, Cylinder, HalfTorus, Plane, Torus};

const BAD: [f64; 5] = [0.0, -0.1, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

#[test]
fn lengths_that_are_none_are_refused_by_field_and_value() {
    for bad in BAD {
        let says = |error: rattleback_geom::GeomError, field: &str| {
            let text = error.to_string();
            assert_eq!(text, format!("{field} = {bad}: must be a length between 1e-20 and 1e20 m"));
        };
        says(Cylinder::new(bad, 1.0).unwrap_err(), "radius");
        says(Cylinder::new(1.0, bad).unwrap_err(), "half_length");
        says(Capsule::new(bad, 1.0).unwrap_err(), "radius");
        says(Capsule::new(1.0, bad).unwrap_err(), "half_length");
        says(Torus::new(bad, 1.0).unwrap_err(), "major_radius");
        says(Torus::new(1.0, bad).unwrap_err(), "minor_radius");
        says(HalfTorus::new(bad, 1.0).unwrap_err(), "major_radius");
        says(HalfTorus::new(1.0, bad).unwrap_err(), "minor_radius");
    }
}

#[test]
fn a_tube_wider_than_its_ring_is_refused() {
    for (major, minor) in [(1.0, 1.0), (1.0, 2.0)] {
        let expected = format!("minor_radius = {minor}: must be below major_radius = {major}");
        assert_eq!(Torus::new(major, minor).unwrap_err().to_string(), expected);
        assert_eq!(HalfTorus::new(major, minor).unwrap_err().to_string(), expected);
    }
}

#[test]
fn a_plane_needs_a_normal_and_a_finite_offset() {
    let text = |n: [f64; 3], d: f64| Plane::new(n, d).unwrap_err().to_string();
    assert_eq!(text([0.0; 3], 1.0), "normal = 0: must be a vector of non-zero length");
    assert!(text([0.0, f64::NAN, 1.0], 1.0).starts_with("normal[1] = NaN"));
    assert!(text([0.0, 0.0, f64::INFINITY], 1.0).starts_with("normal[2] = inf"));
    assert!(text([0.0, 0.0, 1.0], f64::NAN).starts_with("offset = NaN"));
    let plane = Plane::new([0.0, 3.0, 4.0], 2.0).unwrap();
    assert!((plane.normal() - Vec3::new(0.0, 0.6, 0.8)).norm() < 1e-16 && plane.offset() == 2.0);
}

#[test]
fn curvature_refuses_points_and_normals_that_are_none() {
    for body in all() {
        for bad in [f64::NAN, f64::INFINITY] {
            let at = body.curvature_at(&Vec3::new(0.0, bad, 0.0)).unwrap_err().to_string();
            assert!(at.starts_with("point[1] = "), "{body:?} {at}");
            let along = body.curvature_at_normal(&Vec3::new(0.0, bad, 0.0)).unwrap_err().to_string();
            assert!(along.starts_with("normal[1] = "), "{body:?} {along}");
        }
        let zero = body.curvature_at_normal(&Vec3::zeros()).unwrap_err().to_string();
        assert!(zero.starts_with("normal = 0"), "{body:?} {zero}");
    }
}

#[test]
fn kinds_are_spelled_as_in_scene_files_and_only_convex_bodies_have_support() {
    let kinds: Vec<_> = all().iter().map(|b| (b.kind(), b.as_support().is_some())).collect();
    for expected in
        [("plane", false), ("cylinder", true), ("capsule", true), ("torus", false), ("half_torus", false)]
    {
        assert!(kinds.contains(&expected), "{expected:?}");
    }
}
