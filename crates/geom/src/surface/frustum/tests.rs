use super::*;
use crate::surface::Cylinder;

#[test]
fn equal_radii_make_a_cylinder() {
    let (frustum, cylinder) = (Frustum::new([0.3, 0.3], 1.4).unwrap(), Cylinder::new(0.3, 0.7).unwrap());
    for n in [Vec3::z(), -Vec3::x(), Vec3::new(0.3, -0.2, 0.8), Vec3::new(-0.1, 0.7, -1e-9)] {
        assert!((frustum.support(&n) - cylinder.support(&n)).abs() < 1e-15);
        assert!((frustum.support_point(&n) - cylinder.support_point(&n)).norm() < 1e-15);
        assert!((frustum.support_jet(&n).hessian - cylinder.support_jet(&n).hessian).norm() < 1e-8);
    }
    let (own, other) = (frustum.moments().unwrap(), cylinder.moments().unwrap());
    assert!((own.volume - other.volume).abs() < 1e-15 && own.first == other.first);
    assert!((own.second - other.second).norm() < 1e-15);
    assert!((frustum.area().unwrap() - cylinder.area().unwrap()).abs() < 1e-14);
}

#[test]
fn a_cone_has_the_textbook_moments() {
    let (r, h) = (0.4, 0.9);
    let mass = Frustum::cone(r, h).unwrap().moments().unwrap().with_density(1000.0).unwrap();
    assert!((mass.volume - PI * r * r * h / 3.0).abs() < 1e-15);
    // A quarter of the height above the base, I_z = 3/10 m r², I_x = 3/80 m (4r² + h²).
    assert!((mass.centroid - Vec3::new(0.0, 0.0, h / 4.0 - h / 2.0)).norm() < 1e-15);
    assert!((mass.inertia[(2, 2)] / (0.3 * mass.mass * r * r) - 1.0).abs() < 1e-14);
    let across = 3.0 / 80.0 * mass.mass * (4.0 * r * r + h * h);
    assert!((mass.inertia[(0, 0)] / across - 1.0).abs() < 1e-14);
    let turned = Frustum::new([0.0, r], h).unwrap().moments().unwrap();
    assert_eq!(turned.first.z, -Frustum::cone(r, h).unwrap().moments().unwrap().first.z);
}

#[test]
fn faces_are_the_ends_the_generators_and_the_apex() {
    let cone = Frustum::cone(0.3, 0.8).unwrap();
    assert_eq!(cone.face(&Vec3::z()), Face::Point(Vec3::new(0.0, 0.0, 0.4)));
    let base = Face::Disc { centre: Vec3::new(0.0, 0.0, -0.4), axis: Vec3::z(), radius: 0.3 };
    assert_eq!(cone.face(&-Vec3::z()), base);
    let [s, c] = cone.side_normal();
    let Face::Segment { centre, half } = cone.face(&Vec3::new(s, 0.0, c)) else { panic!("no generator") };
    assert!((centre - Vec3::new(0.15, 0.0, 0.0)).norm() < 1e-16);
    assert!((centre + half - Vec3::new(0.0, 0.0, 0.4)).norm() < 1e-16);
    assert_eq!(cone.support_point(&Vec3::new(s, 0.0, c + 1e-9)), Vec3::new(0.0, 0.0, 0.4));
    assert_eq!(cone.support_point(&Vec3::new(s, 0.0, c - 1e-9)), Vec3::new(0.3, 0.0, -0.4));
    assert_eq!((cone.kind(), cone.as_implicit().is_none()), ("cone", true));
}

#[test]
fn curvature_tells_side_ends_rims_and_apex_apart() {
    let frustum = Frustum::new([0.5, 0.2], 0.4).unwrap();
    let [s, c] = frustum.side_normal();
    assert!((s - 0.8).abs() < 1e-15 && (c - 0.6).abs() < 1e-15);
    let at = |n: [f64; 3]| frustum.curvature_at_normal(&Vec3::from(n)).unwrap().kappa;
    assert_eq!((at([0.0, 0.0, 1.0]), at([0.0, 0.0, -1.0])), ([0.0; 2], [0.0; 2]));
    assert!(at([0.6, 0.0, 0.8])[0].is_infinite() && (at([0.6, 0.0, 0.8])[1] - 0.6 / 0.2).abs() < 1e-15);
    assert!((at([1.0, 0.0, 0.0])[1] - 1.0 / 0.5).abs() < 1e-15);
    assert!((at([0.0, s, c])[0] - 0.8 / 0.35).abs() < 1e-14);
    // On the side by the point: a quarter of the height above the lower rim.
    let p = Vec3::new(0.0, -0.425, -0.1);
    assert!((frustum.curvature_at(&p).unwrap().kappa[0] - 0.8 / 0.425).abs() < 1e-14);
    assert!(frustum.curvature_at(&Vec3::new(0.5, 0.0, -0.2)).is_err());
    let cone = Frustum::cone(0.3, 0.8).unwrap();
    assert_eq!(cone.curvature_at_normal(&Vec3::new(0.1, 0.0, 1.0)).unwrap().kappa, [f64::INFINITY; 2]);
}

#[test]
fn lengths_that_are_none_are_refused_by_name() {
    let said = |made: Result<Frustum>| made.unwrap_err().to_string();
    assert!(said(Frustum::new([0.0, 0.0], 1.0)).starts_with("radii[0] = 0"));
    assert!(said(Frustum::new([1.0, -1.0], 1.0)).starts_with("radii[1] = -1"));
    assert!(said(Frustum::new([f64::NAN, 1.0], 1.0)).starts_with("radii[0] = NaN"));
    assert!(said(Frustum::new([1.0, 0.5], 0.0)).starts_with("height = 0"));
    assert!(said(Frustum::cone(0.0, 1.0)).starts_with("radius = 0"));
}
