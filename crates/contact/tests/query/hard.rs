use super::random::Random;
use rattleback_contact::geom::surface::{Capsule, Cylinder, Ellipsoid, Mesh, Sphere, Surface};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::{Certificate, Collider, Start, contact, contact_from};

/// Asserts that every pair is certified, and returns how many overlap.
fn all_certified(count: usize, mut pair: impl FnMut() -> (Collider, Collider)) -> usize {
    let mut overlaps = 0;
    for k in 0..count {
        let (a, b) = pair();
        let t = contact(&a, &b).unwrap().touch;
        assert!(t.certified, "{k}: {t:?}\n{a:?}\n{b:?}");
        overlaps += usize::from(t.gap < 0.0);
    }
    overlaps
}

#[test]
fn every_pair_of_thin_ellipsoids_is_certified() {
    let mut random = Random(51);
    for closeness in [1.0, 0.3] {
        let overlaps = all_certified(20_000, || random.pair(closeness, |r| r.ellipsoid(1e-3)));
        assert!(overlaps > 0);
    }
}

#[test]
fn every_pair_of_superellipsoids_is_certified_whatever_the_exponents() {
    let mut random = Random(52);
    for closeness in [1.0, 0.6] {
        all_certified(600, || random.pair(closeness, |r| r.superellipsoid(1.05, 2.0)));
        all_certified(600, || random.pair(closeness, |r| r.superellipsoid(1.3, 8.0)));
        all_certified(600, || random.pair(closeness, |r| r.superellipsoid(1.05, 50.0)));
        all_certified(400, || random.pair(closeness, |r| r.superellipsoid(10.0, 50.0)));
        all_certified(300, || random.pair(closeness, |r| r.superquadric(1.3, 6.0)));
    }
}

#[test]
fn every_smooth_body_is_certified_against_a_cylinder_and_a_capsule() {
    let mut random = Random(54);
    for closeness in [1.0, 0.6] {
        all_certified(500, || {
            let (mut a, b) = random.pair(closeness, |r| r.ellipsoid(0.2));
            let [radius, half_length, _] = random.axes(0.2);
            a.shape = if random.unit() < 0.5 {
                Cylinder::new(radius, half_length).unwrap().into()
            } else {
                Capsule::new(radius, half_length).unwrap().into()
            };
            (a, b)
        });
    }
}

#[test]
fn bodies_that_just_touch_are_certified_from_both_sides() {
    let mut random = Random(53);
    for _ in 0..300 {
        let (a, mut b) = random.pair(1.0, |r| r.ellipsoid(0.05));
        let first = contact(&a, &b).unwrap().touch;
        for gap in [1e-6, 1e-12, 0.0, -1e-12, -1e-6] {
            b.pose.position += first.normal * (gap - contact(&a, &b).unwrap().touch.gap);
            let t = contact(&a, &b).unwrap().touch;
            assert!(t.certified && (t.gap - gap).abs() < 1e-14, "{gap}: {t:?}");
        }
    }
}

#[test]
fn a_warm_start_stays_on_its_branch() {
    // Two plates crossing at right angles: the least translation is along z, another local one along x.
    let a = Collider::new(Ellipsoid::new([1.0, 1.0, 0.2]).unwrap(), Pose::identity());
    let b = Collider::new(Ellipsoid::new([0.3, 1.0, 1.0]).unwrap(), Pose::from_position(0.05, 0.0, 0.05));
    let cold = contact(&a, &b).unwrap().touch;
    let warm = contact_from(&a, &b, Start::Warm(Vec3::x())).unwrap().touch;
    assert!(cold.gap > warm.gap + 1e-3, "{cold:?} {warm:?}");
    let Certificate::Overlap { margin, .. } = warm.certificate else { panic!("{warm:?}") };
    assert!(warm.certified && margin > 0.0);
    assert!(cold.normal.dot(&warm.normal) < 0.9);
}

#[test]
fn numbers_that_are_not_finite_are_refused_by_name() {
    let ball = |x: f64| Collider::new(Sphere::new(1.0).unwrap(), Pose::from_position(x, 0.0, 0.0));
    let error = contact(&ball(f64::NAN), &ball(0.0)).unwrap_err();
    assert_eq!(error.to_string(), "pose_a = NaN: must be a pose of finite numbers");
    let error = contact(&ball(0.0), &ball(f64::INFINITY)).unwrap_err();
    assert_eq!(error.to_string(), "pose_b = inf: must be a pose of finite numbers");
    let error = contact_from(&ball(0.0), &ball(1.0), Start::Warm(Vec3::zeros())).unwrap_err();
    assert!(error.to_string().starts_with("warm normal = 0"), "{error}");
}

#[test]
fn a_pair_without_a_solver_is_refused_with_the_reason() {
    let mesh = Sphere::new(1.0).unwrap().tessellate(0.1).unwrap();
    let mesh = Collider::new(Mesh::new(mesh).unwrap(), Pose::identity());
    let ball = Collider::new(Sphere::new(1.0).unwrap(), Pose::from_position(3.0, 0.0, 0.0));
    let error = contact(&mesh, &ball).unwrap_err();
    assert!(error.to_string().starts_with("no solver for mesh against sphere: "), "{error}");
}

#[test]
fn a_query_about_a_needle_of_a_million_to_one_ends_within_its_bounds() {
    let a = Collider::new(Ellipsoid::new([0.3, 0.2, 0.1]).unwrap(), Pose::identity());
    let pose = Pose::from_parts([0.15, 0.1, 0.1], [0.6, 0.0, 0.8, 0.0]).unwrap();
    let b = Collider::new(Ellipsoid::new([1e5, 0.15, 0.2]).unwrap(), pose);
    let touch = contact(&a, &b).unwrap().touch;
    assert!(touch.iterations < 100_000, "{touch:?}");
    assert!((touch.gap + 0.234).abs() < 1e-3, "{touch:?}");
}
