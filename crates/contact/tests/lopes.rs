//! The common normal of implicit surfaces: Jacobians, known answers, bounds.

use rattleback_contact::ContactError;
use rattleback_contact::narrow::lopes::globalised::{SearchOutcome, SearchSettings, refine, search};
use rattleback_contact::narrow::lopes::{
    CommonNormal, ContactState, ImplicitBody, Settings, Start, System, TangentFrame, Unknowns, mirrors, solve,
};
use rattleback_geom::surface::{Ellipsoid, Implicit, Sphere, Superellipsoid, Superquadric, Surface, Torus};
use rattleback_geom::{Aabb, Mat3, Pose, Vec3};

const FRAMES: [TangentFrame; 2] = [TangentFrame::Householder, TangentFrame::Auxiliary];

fn turned(x: f64, y: f64, z: f64, axis: [f64; 3], angle: f64) -> Pose {
    Pose::from_position(x, y, z).rotated(axis.into(), angle).expect("an axis with a direction")
}

fn precise(frame: TangentFrame) -> Settings {
    Settings { frame, tolerance: 1e-11, max_iterations: 60 }
}

#[test]
fn the_jacobian_agrees_with_differences_for_every_surface_and_both_frames() {
    let surfaces: [&dyn Implicit; 4] = [
        &Ellipsoid::new([1.0, 0.6, 0.4]).unwrap(),
        &Superellipsoid::new([0.9, 0.7, 1.1], [2.6, 3.4]).unwrap(),
        &Superquadric::new([0.8, 1.2, 0.5], [2.4, 3.0, 3.6]).unwrap(),
        &Torus::new(1.0, 0.3).unwrap(),
    ];
    let poses = [turned(0.1, 0.2, -0.3, [1.0, 2.0, 0.5], 0.8), turned(1.9, 0.4, 0.6, [0.2, -1.0, 0.7], 2.1)];
    let q = Unknowns::new(0.55, 0.35, -0.25, -0.45, 0.3, 0.25);
    for a in surfaces {
        for b in surfaces {
            for frame in FRAMES {
                let (a, b) = (ImplicitBody::new(a, poses[0]), ImplicitBody::new(b, poses[1]));
                let system = System { a, b, frame };
                let (phi, jacobian) = system.linearise(&q);
                assert!((phi - system.residual(&q)).norm() < 1e-13 * (1.0 + phi.norm()));
                for k in 0..6 {
                    let mut step = Unknowns::zeros();
                    step[k] = 1e-6;
                    let difference = (system.residual(&(q + step)) - system.residual(&(q - step))) / 2e-6;
                    let error = (difference - jacobian.column(k)).norm();
                    assert!(error < 1e-6 * (1.0 + jacobian.amax()), "{frame:?}, column {k}: {error:e}");
                }
            }
        }
    }
}

#[test]
fn spheres_have_the_gap_of_their_centres_less_the_radii() {
    let (big, small) = (Sphere::new(1.0).unwrap(), Sphere::new(0.5).unwrap());
    let r = Vec3::new(2.0, 1.0, -2.0);
    let a = ImplicitBody::new(&big, turned(0.5, 0.0, 0.0, [0.0, 1.0, 0.0], 0.3));
    let b = ImplicitBody::new(
        &small,
        Pose::new(a.pose.position + r, turned(0.0, 0.0, 0.0, [1.0, 1.0, 0.0], 1.0).orientation),
    );
    for frame in FRAMES {
        // From half way, as in the paper, and from points near by.
        let near = Start::Points { a: a.pose.position + r * 0.4, b: b.pose.position - r * 0.1 };
        for start in [Start::Centres, near] {
            let CommonNormal { solution, facing, .. } = solve(&a, &b, start, &precise(frame)).unwrap();
            assert!(facing);
            assert!((solution.gap - 1.5).abs() < 1e-12, "{solution:?}");
            assert!((solution.normal - r / 3.0).norm() < 1e-12);
            assert!(solution.residual < 1e-12);
        }
    }
}

#[test]
fn aligned_ellipsoids_touch_overlap_and_part_along_their_axis() {
    let (e, f) = (Ellipsoid::new([1.0, 0.8, 0.6]).unwrap(), Ellipsoid::new([0.5, 0.9, 0.7]).unwrap());
    for (x, gap, state) in [
        (1.8, 0.3, ContactState::Apart),
        (1.5, 0.0, ContactState::Touching),
        (1.4, -0.1, ContactState::Overlapping),
    ] {
        let (a, b) = (
            ImplicitBody::new(&e, Pose::identity()),
            ImplicitBody::new(&f, Pose::from_position(x, 0.0, 0.0)),
        );
        let start = Start::Points { a: Vec3::new(0.97, 0.1, 0.05), b: Vec3::new(x - 0.45, -0.05, 0.1) };
        for frame in FRAMES {
            let found = solve(&a, &b, start, &precise(frame)).unwrap().solution;
            assert!((found.gap - gap).abs() < 1e-12, "{found:?}");
            assert_eq!(ContactState::of(found.gap, 1e-9), Some(state));
        }
    }
    assert_eq!(ContactState::of(f64::NAN, 1e-9), None);
}

#[test]
fn mirrors_restore_the_near_points_of_spheres_and_report_overlap_from_the_far_side() {
    let (big, small) = (Sphere::new(1.0).unwrap(), Sphere::new(0.5).unwrap());
    let a = ImplicitBody::new(&big, Pose::identity());
    let b = ImplicitBody::new(&small, Pose::from_position(3.0, 0.0, 0.0));
    let from = |p: f64, q: f64| {
        let start = Start::Points { a: Vec3::new(p, 0.02, 0.01), b: Vec3::new(q, 0.01, -0.02) };
        solve(&a, &b, start, &precise(TangentFrame::Householder)).unwrap()
    };
    // The near point of A and the far one of B: a solution of the six equations, not facing.
    let found = from(1.0, 3.5);
    assert!(!found.facing && (found.solution.gap - 2.5).abs() < 1e-12);
    let all = mirrors(&found, &a.pose, &b.pose);
    assert!((all.distances[all.least] - 1.5).abs() < 1e-12);
    assert!((all.pairs[all.least][1] - Vec3::new(2.5, 0.0, 0.0)).norm() < 1e-12);
    // The far point of A: every distance is negative although the spheres are apart.
    let all = mirrors(&from(-1.0, 2.5), &a.pose, &b.pose);
    assert!(all.distances[all.least] < -4.0);
}

#[test]
fn rank_loss_on_a_flat_face_is_survived_by_the_pseudo_inverse() {
    // Two flat poles against each other: the Hessians vanish on the tangent plane.
    let s = Superquadric::new([1.0, 1.0, 1.0], [4.0; 3]).unwrap();
    let (a, b) =
        (ImplicitBody::new(&s, Pose::identity()), ImplicitBody::new(&s, Pose::from_position(0.0, 0.0, 2.5)));
    let start = Start::Points { a: Vec3::new(0.0, 0.0, 0.9), b: Vec3::new(0.0, 0.0, 1.6) };
    let found = solve(&a, &b, start, &precise(TangentFrame::Householder)).unwrap();
    assert!(found.rank_losses > 0);
    assert!((found.solution.gap - 0.5).abs() < 1e-12);
}

#[test]
fn the_bound_on_iterations_is_reported_and_nan_is_refused_by_name() {
    let e = Ellipsoid::new([1.0, 0.1, 0.4]).unwrap();
    let a = ImplicitBody::new(&e, Pose::identity());
    let b = ImplicitBody::new(&e, turned(1.0, 1.0, 1.0, [1.0, 0.0, 1.0], 0.5));
    let short = Settings { max_iterations: 1, ..precise(TangentFrame::Householder) };
    let error = solve(&a, &b, Start::Centres, &short).unwrap_err();
    assert!(matches!(error, ContactError::NotConverged { iterations: 1, .. }), "{error}");
    let lost = ImplicitBody::new(&e, Pose::from_position(0.0, f64::NAN, 0.0));
    let error = solve(&a, &lost, Start::Centres, &short).unwrap_err().to_string();
    assert!(error.starts_with("b.pose.position[1] = NaN"), "{error}");
}

#[test]
fn the_search_finds_the_least_gap_of_a_ring_and_a_ball() {
    let (ring, ball) = (Torus::new(1.0, 0.25).unwrap(), Sphere::new(0.3).unwrap());
    let boxes = [ring.bounds(), ball.bounds()];
    let pose = turned(0.3, -0.2, 0.5, [1.0, 0.4, 0.2], 1.1);
    for c in [
        Vec3::new(0.2, 0.1, 0.3),
        Vec3::new(2.0, 0.4, -0.5),
        Vec3::new(0.9, 0.3, 0.35),
        Vec3::new(0.8, 0.6, 0.1),
    ] {
        let (a, b) = (
            ImplicitBody::new(&ring, pose),
            ImplicitBody::new(&ball, Pose::new(pose.point_to_world(&c), pose.orientation)),
        );
        let gap = (c.x.hypot(c.y) - 1.0).hypot(c.z) - 0.25 - 0.3;
        let SearchOutcome::Found(found) =
            search(&a, &b, [&boxes[0], &boxes[1]], &SearchSettings::default()).unwrap()
        else {
            panic!("nothing found at {c}")
        };
        assert!((found.gap - gap).abs() < 1e-12, "{c}: {} against {gap}", found.gap);
    }
}

/// z = (x² + y²)/2 with the solid above it, cut at z = 1: a stand-in for an open quadric.
struct Bowl;

impl Implicit for Bowl {
    fn value(&self, p: &Vec3) -> f64 {
        0.5 * (p.x * p.x + p.y * p.y) - p.z
    }

    fn gradient(&self, p: &Vec3) -> Vec3 {
        Vec3::new(p.x, p.y, -1.0)
    }

    fn hessian(&self, _p: &Vec3) -> Mat3 {
        Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.0))
    }

    fn beyond_bounds(&self, p: &Vec3) -> f64 {
        p.z - 1.0
    }
}

#[test]
fn an_open_surface_touches_within_its_bounds_and_nowhere_else() {
    let ball = Sphere::new(0.2).unwrap();
    let open = Aabb { min: Vec3::new(-1.5, -1.5, 0.0), max: Vec3::new(1.5, 1.5, 1.0) };
    let boxes = [&open, &ball.bounds()];
    let a = ImplicitBody::new(&Bowl, Pose::identity());
    let at = |x: &Vec3| ImplicitBody::new(&ball, Pose::new(*x, Pose::identity().orientation));
    // The centre sits 0.5 outside the foot (1, 0, ½) along the normal (1, 0, −1)/√2.
    let n = Vec3::new(1.0, 0.0, -1.0) / 2f64.sqrt();
    let foot = Vec3::new(1.0, 0.0, 0.5);
    let b = at(&(foot + n * 0.5));
    let SearchOutcome::Found(found) = search(&a, &b, boxes, &SearchSettings::default()).unwrap() else {
        panic!()
    };
    assert!((found.gap - 0.3).abs() < 1e-12 && (found.point_a - foot).norm() < 1e-10, "{found:?}");
    let moved = at(&(foot + n * 0.45));
    let points = [&found.point_a, &found.point_b];
    let SearchOutcome::Found(near) = refine(&a, &moved, boxes, points, &SearchSettings::default()).unwrap()
    else {
        panic!()
    };
    assert!((near.gap - 0.25).abs() < 1e-12 && near.iterations < found.iterations);
    // Above the rim, the foot at (2, 0, 2).
    let high = at(&(Vec3::new(2.0, 0.0, 2.0) + Vec3::new(2.0, 0.0, -1.0).normalize() * 0.3));
    let outcome = search(&a, &high, boxes, &SearchSettings::default()).unwrap();
    assert!(matches!(outcome, SearchOutcome::NoneWithinBounds { beyond } if beyond > 0), "{outcome:?}");
    // Without finite boxes there is nowhere to look.
    let error = search(&a, &b, [&Aabb::ALL, boxes[1]], &SearchSettings::default()).unwrap_err().to_string();
    assert!(error.starts_with("boxes[0].diagonal = inf"), "{error}");
}
