//! Single cases with known answers, the degenerate ones first.

use rattleback_contact::geom::surface::{
    Capsule, Cylinder, Ellipsoid, HalfTorus, Plane, Quadric, Shape, Sheet, Sphere, Superhyperboloid, Torus,
};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::{Certificate, Collider, Contact, contact};
use std::f64::consts::FRAC_PI_2;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_position(x, y, z)
}

fn ask(a: impl Into<Shape>, pose_a: Pose, b: impl Into<Shape>, pose_b: Pose) -> Contact {
    let (a, b) = (Collider::new(a, pose_a), Collider::new(b, pose_b));
    let (found, other) = (contact(&a, &b).expect("an answer"), contact(&b, &a).expect("an answer"));
    assert_eq!(found.touch.gap, other.touch.gap, "the order of A and B changes the gap");
    assert_eq!(found.touch.normal, -other.touch.normal, "the order of A and B changes the normal");
    assert_eq!(found.touch.point_a, other.touch.point_b, "the order of A and B changes the points");
    found
}

fn holds(found: &Contact, gap: f64, normal: Vec3) {
    assert!((found.touch.gap - gap).abs() < 1e-13, "{:?} for {gap}", found.touch);
    assert!((found.touch.normal - normal).norm() < 1e-7, "{:?} for {normal}", found.touch);
    assert!(found.touch.certified, "{:?}", found.touch);
}

#[test]
fn thin_rings_three_millimetres_apart_are_three_millimetres_apart() {
    let ring = Torus::new(1.0, 0.01).unwrap();
    let upright = |x: f64| at(x, 0.0, 0.0).rotated(Vec3::x(), FRAC_PI_2).unwrap();
    holds(&ask(ring, Pose::identity(), ring, upright(2.023)), 0.003, Vec3::x());
    // One hangs in the other, out of its middle.
    holds(&ask(ring, Pose::identity(), ring, upright(0.023)), 0.003, Vec3::x());
    let thin = Torus::new(0.8, 0.001).unwrap();
    let crossed = at(0.0, 0.0, 0.005).rotated(Vec3::z(), 0.3).unwrap();
    holds(&ask(thin, Pose::identity(), thin, crossed), 0.003, Vec3::z());
}

/// Every place round the axis is as near: the gap is certified all the same, with one of the places.
#[test]
fn rings_about_the_axis_of_a_round_body_are_certified() {
    let (ring, half) = (Torus::new(1.0, 0.25).unwrap(), HalfTorus::new(1.0, 0.25).unwrap());
    let waist = Quadric::hyperboloid_one_sheet([0.4, 0.4, 0.8], 0.6).unwrap();
    let bowl = Quadric::elliptic_paraboloid([0.3, 0.3, 0.8], 0.0).unwrap();
    let round: [(Shape, f64, f64); 7] = [
        (Capsule::new(0.3, 2.0).unwrap().into(), 0.1, 0.45),
        (Cylinder::new(0.2, 0.7).unwrap().into(), 0.2, 0.55),
        (Sphere::new(0.5).unwrap().into(), 0.0, 0.25),
        (Sphere::new(0.5).unwrap().into(), 2.0, 5f64.sqrt() - 0.75),
        (Ellipsoid::new([0.5, 0.5, 0.9]).unwrap().into(), 0.0, 0.25),
        (Torus::new(0.5, 0.1).unwrap().into(), 0.0, 0.15),
        (waist.into(), 0.0, 0.35),
    ];
    let tilt = Pose::identity().rotated(Vec3::new(1.0, -2.0, 0.5).normalize(), 0.7).unwrap();
    for (shape, height, gap) in round {
        for ring in [Shape::from(ring), half.into()] {
            for frame in [Pose::identity(), tilt] {
                let found = ask(ring.clone(), frame, shape.clone(), frame.compose(&at(0.0, 0.0, height)));
                assert!((found.touch.gap - gap).abs() < 1e-13, "{:?} for {gap}", found.touch);
                assert!(found.touch.certified, "{shape:?}: {:?}", found.touch);
            }
        }
    }
    // Beside the axis by more than rounding the bound may stay open, but it is never above the gap.
    for beside in [1e-12, 1e-9, 1e-6, 1e-3] {
        let found = ask(ring, Pose::identity(), Sphere::new(0.5).unwrap(), at(beside, 0.0, 0.0)).touch;
        let Certificate::Separate { lower, .. } = found.certificate else { panic!("{found:?}") };
        assert!(lower <= 0.25 - beside && (found.gap - (0.25 - beside)).abs() < 1e-12, "{found:?}");
    }
    let ball = ask(bowl, Pose::identity(), Sphere::new(0.2).unwrap(), at(0.0, 0.0, -1.5));
    holds(&ball, 0.5, -Vec3::z());
}

#[test]
fn caps_rims_walls_edges_and_corners_answer() {
    let ball = Sphere::new(0.2).unwrap();
    let waist = Quadric::hyperboloid_one_sheet([0.5, 0.5, 0.8], 1.0).unwrap();
    let rim = 0.5 * (1.0f64 + 1.0 / 0.64).sqrt();
    holds(&ask(waist.clone(), Pose::identity(), ball, at(0.1, 0.2, 1.5)), 0.3, Vec3::z());
    let beyond = Vec3::new(2.5 - rim, 0.0, 1.5);
    let found = ask(waist, Pose::identity(), ball, at(2.5, 0.0, 2.5));
    holds(&found, beyond.norm() - 0.2, beyond.normalize());
    // The rim is a circle: ∞ across it, and along it the part of 1/ρ that faces the ball.
    assert_eq!(found.curvature.unwrap().a.kappa[0], f64::INFINITY);
    assert!(
        (found.curvature.unwrap().a.kappa[1] - beyond.normalize().x / rim).abs() < 1e-9,
        "{:?}",
        found.curvature.unwrap().a
    );
    let saddle = Quadric::hyperbolic_paraboloid([1.0, 1.1, 1.0], [0.8, 0.7], 0.5).unwrap();
    let over = ask(saddle.clone(), Pose::identity(), ball, at(0.3, -0.2, 1.0));
    holds(&over, 0.3, Vec3::z());
    assert_eq!(over.curvature.unwrap().a.kappa, [0.0, 0.0]);
    holds(&ask(saddle.clone(), Pose::identity(), ball, at(1.4, 0.1, 0.0)), 0.4, Vec3::x());
    let edge = Vec3::new(0.3, 0.0, 0.4);
    let found = ask(saddle.clone(), Pose::identity(), ball, at(1.1, 0.1, 0.9));
    holds(&found, 0.3, edge.normalize());
    assert_eq!(found.curvature.unwrap().a.kappa, [f64::INFINITY, 0.0]);
    let corner = Vec3::new(0.2, 0.3, 0.6);
    let found = ask(saddle.clone(), Pose::identity(), ball, at(1.0, 1.0, 1.1));
    holds(&found, corner.norm() - 0.2, corner.normalize());
    assert_eq!(found.curvature.unwrap().a.kappa, [f64::INFINITY; 2]);
    // Below its centre a saddle falls off to both sides, where it is nearer than straight above.
    let found = ask(saddle, Pose::identity(), ball, at(0.0, 0.0, -1.63)).touch;
    assert!(found.gap < 0.43 && found.gap > 0.42 && found.certified, "{found:?}");
    let half = HalfTorus::new(1.0, 0.3).unwrap();
    holds(&ask(half, Pose::identity(), ball, at(1.1, -0.6, 0.1)), 0.4, -Vec3::y());
    let found = ask(half, Pose::identity(), ball, at(1.7, -0.3, 0.0));
    holds(&found, 0.5 - 0.2, Vec3::new(0.8, -0.6, 0.0));
    assert!(found.curvature.unwrap().a.kappa[0].is_infinite());
    assert!(
        (found.curvature.unwrap().a.kappa[1] - 0.8 / 0.3).abs() < 1e-9,
        "{:?}",
        found.curvature.unwrap().a
    );
}

#[test]
fn bodies_of_every_scale_answer_alike() {
    for scale in [1e-9, 1e-3, 1.0, 1e5, 1e9] {
        let ring = Torus::new(scale, 0.1 * scale).unwrap();
        let can = Cylinder::new(0.3 * scale, 0.2 * scale).unwrap();
        let pose = at(0.0, 0.0, 1.5 * scale);
        let found = ask(ring, at(0.0, 0.0, 0.0).rotated(Vec3::x(), FRAC_PI_2).unwrap(), can, pose).touch;
        assert!((found.gap / scale - 0.2).abs() < 1e-13 && found.certified, "{scale}: {found:?}");
    }
}

#[test]
fn a_ball_that_touches_a_ring_exactly_has_no_gap() {
    let ring = Torus::new(1.0, 0.25).unwrap();
    let ball = Sphere::new(0.25).unwrap();
    for (pose, n) in
        [(at(1.5, 0.0, 0.0), Vec3::x()), (at(0.0, 1.0, 0.5), Vec3::z()), (at(0.0, -0.5, 0.0), Vec3::y())]
    {
        let found = ask(ring, Pose::identity(), ball, pose).touch;
        assert!(found.gap.abs() < 1e-14 && (found.normal - n).norm() < 1e-7, "{found:?}");
    }
}

#[test]
fn what_lies_inside_or_on_the_same_place_overlaps() {
    let ring = Torus::new(1.0, 0.25).unwrap();
    let inside = ask(ring, Pose::identity(), Sphere::new(0.1).unwrap(), at(1.02, 0.0, 0.05)).touch;
    assert!(inside.gap < -0.2 && !inside.certified, "{inside:?}");
    let bowl = Quadric::hyperboloid_two_sheets([0.8, 0.7, 0.5], Sheet::Upper, 1.2).unwrap();
    let found = ask(bowl.clone(), Pose::identity(), Sphere::new(0.1).unwrap(), at(0.0, 0.0, 0.9)).touch;
    assert!(found.gap < -0.2, "{found:?}");
    for shape in [Shape::from(ring), bowl.into(), HalfTorus::new(1.0, 0.3).unwrap().into()] {
        let body = Collider::new(shape, Pose::identity());
        let found = contact(&body, &body).unwrap().touch;
        assert!(found.gap < -0.01 && found.normal.norm() > 0.999, "{found:?}");
    }
    // Linked rings do not overlap, a rod through a ring does not, one in its tube does.
    let rod = Capsule::new(0.1, 2.0).unwrap();
    let through = ask(ring, Pose::identity(), rod, at(0.2, 0.0, 0.0)).touch;
    assert!((through.gap - (0.75 - 0.3)).abs() < 1e-13 && through.certified, "{through:?}");
    assert!(ask(ring, Pose::identity(), rod, at(0.9, 0.0, 0.0)).touch.gap < 0.0);
}

/// A cap and a wall at right angles have no common normal: the equations contradict each other and leave nothing to
/// move.
#[test]
fn a_cap_and_a_wall_do_not_pass_for_a_common_normal() {
    let bowl = Shape::from(
        Superhyperboloid::two_sheets([0.35, 0.48, 0.23], [5.1, 4.1], Sheet::Upper, 0.67).unwrap(),
    );
    let saddle = Quadric::hyperbolic_paraboloid([0.42, 0.55, 0.72], [0.6, 0.23], 1.1).unwrap();
    let found = ask(bowl.clone(), Pose::identity(), saddle, at(-0.011, -1.01, 0.41)).touch;
    assert!(found.gap < 0.0 && !found.certified, "{found:?}");
    let (inside, out) = (bowl.surface().as_implicit().unwrap(), found.point_a + found.normal * 1e-5);
    assert!(inside.value(&out) > 0.0 || inside.beyond_bounds(&out) > 0.0, "{found:?}");
}

#[test]
fn a_shallow_overlap_has_the_depth_that_it_was_given() {
    let ring = Torus::new(1.0, 0.25).unwrap();
    let waist = Quadric::hyperboloid_one_sheet([0.5, 0.5, 0.8], 1.0).unwrap();
    for depth in [1e-3, 1e-6, 1e-9, 1e-12] {
        let found = ask(ring, Pose::identity(), Sphere::new(0.2).unwrap(), at(0.0, 0.55 + depth, 0.0)).touch;
        assert!((found.gap + depth).abs() < 1e-14, "{depth}: {found:?}");
        assert!((found.normal + Vec3::y()).norm() < 1e-9, "{depth}: {found:?}");
        let found =
            ask(waist.clone(), Pose::identity(), Sphere::new(0.2).unwrap(), at(0.7 - depth, 0.0, 0.0));
        assert!((found.touch.gap + depth).abs() < 1e-14, "{depth}: {:?}", found.touch);
    }
}

#[test]
fn half_spaces_meet_the_farthest_point_of_every_solid() {
    let floor = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    let waist = Quadric::hyperboloid_one_sheet([0.5, 0.6, 0.8], 1.0).unwrap();
    let found = ask(floor, Pose::identity(), waist, at(0.0, 0.0, 1.25));
    holds(&found, 0.25, Vec3::z());
    let saddle = Quadric::hyperbolic_paraboloid([1.0, 1.1, 1.0], [0.8, 0.7], 0.5).unwrap();
    let lowest = -1.0 - (0.7f64 / 1.1).powi(2);
    holds(&ask(floor, Pose::identity(), saddle, at(0.0, 0.0, 2.0)), 2.0 + lowest, Vec3::z());
    let half = HalfTorus::new(1.0, 0.3).unwrap();
    let down = at(0.0, 0.0, 0.1).rotated(Vec3::x(), FRAC_PI_2).unwrap();
    holds(&ask(floor, Pose::identity(), half, down), 0.1, Vec3::z());
    let bowl = Superhyperboloid::two_sheets([0.8, 0.7, 0.5], [2.5, 3.0], Sheet::Upper, 1.2).unwrap();
    holds(&ask(floor, Pose::identity(), bowl, at(0.0, 0.0, 0.0)), 0.5, Vec3::z());
}
