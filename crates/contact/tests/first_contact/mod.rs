//! The time of first contact against closed forms, roots found another way, and the query along the motion.

use rattleback_contact::first_contact::{FirstContact, MovingCollider, Search, first_contact};
use rattleback_contact::geom::nalgebra::UnitQuaternion;
use rattleback_contact::geom::surface::{
    Capsule, Cuboid, Ellipsoid, Plane, Shape, Sphere, Superellipsoid, Torus,
};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::{Collider, ContactError, Twist, contact};

fn moving(shape: impl Into<Shape>, position: [f64; 3], velocity: [f64; 3], turn: [f64; 3]) -> MovingCollider {
    let [x, y, z] = position;
    MovingCollider {
        collider: Collider::new(shape, Pose::from_position(x, y, z)),
        twist: Twist { velocity: velocity.into(), angular_velocity: turn.into() },
    }
}

fn sphere(radius: f64) -> Sphere {
    Sphere::new(radius).unwrap()
}

const STILL: [f64; 3] = [0.0; 3];

/// The interval must hold the truth and be as narrow as asked.
fn assert_within(found: FirstContact, truth: f64, width: f64) {
    let FirstContact::Within { earliest, latest, .. } = found else { panic!("{found:?} at {truth}") };
    assert!(earliest <= truth && truth <= latest, "{truth} is not within {earliest}..{latest}");
    assert!(latest - earliest <= width, "{} is wider than {width}", latest - earliest);
}

fn find(a: &MovingCollider, b: &MovingCollider, duration: f64) -> FirstContact {
    first_contact(a, b, duration, &Search::default()).unwrap()
}

#[test]
fn spheres_meet_when_their_centres_are_two_radii_apart() {
    // ∣r + v t∣ = R: the first root of a quadratic.
    for (offset, speed) in [(0.0, 1.0), (0.2, 3.0), (0.29, 1000.0), (0.1, 1e-3)] {
        let (a, b) = (
            moving(sphere(0.1), STILL, STILL, [0.0, 0.0, 0.0]),
            moving(sphere(0.2), [2.0, offset, 0.0], [-speed, 0.0, 0.0], STILL),
        );
        let truth = (2.0 - (0.09f64 - offset * offset).sqrt()) / speed;
        let search = Search { accuracy: 1e-9 / speed.min(1.0), ..Search::default() };
        assert_within(first_contact(&a, &b, 10.0 / speed, &search).unwrap(), truth, search.accuracy);
        // It is the relative motion that counts, and too short a time has no contact.
        let [a, b] = [a, b].map(|body| MovingCollider {
            twist: Twist { velocity: body.twist.velocity + Vec3::new(5.0, -3.0, 2.0), ..body.twist },
            ..body
        });
        assert_within(first_contact(&a, &b, 10.0 / speed, &search).unwrap(), truth, search.accuracy);
        assert_eq!(first_contact(&a, &b, 0.999 * truth, &search).unwrap(), FirstContact::Never);
    }
}

#[test]
fn spheres_that_pass_never_meet_and_those_that_graze_are_not_decided() {
    let pass = |offset: f64| {
        let (a, b) = (moving(sphere(0.1), STILL, STILL, STILL), sphere(0.2));
        find(&a, &moving(b, [1.0, offset, 0.0], [-1.0, 0.0, 0.0], STILL), 5.0)
    };
    assert_eq!(pass(0.301), FirstContact::Never);
    assert_eq!(pass(0.300_001), FirstContact::Never);
    // At 0.3 to rounding they touch at one instant at most: no overlap can be proved, nor its absence.
    match pass(0.1 + 0.2) {
        FirstContact::Undecided { apart_until } => assert!(apart_until <= 1.0 && apart_until > 0.99),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_turning_rod_hits_a_ball_when_the_angle_is_right() {
    // A capsule along x turns about z; a ball at the distance d and the angle φ from it is hit at
    // d sin(φ − ω t) = r_c + r_b.
    let (half, rod, ball, d, phi, omega) = (1.0f64, 0.05, 0.1, 0.7f64, 1.2f64, 2.0);
    let along_x = UnitQuaternion::rotation_between(&Vec3::z(), &Vec3::x()).unwrap();
    let capsule = MovingCollider {
        collider: Collider::new(Capsule::new(rod, half).unwrap(), Pose::new(Vec3::zeros(), along_x)),
        twist: Twist { velocity: Vec3::zeros(), angular_velocity: Vec3::new(0.0, 0.0, omega) },
    };
    let b = moving(sphere(ball), [d * phi.cos(), d * phi.sin(), 0.0], STILL, STILL);
    let truth = (phi - ((rod + ball) / d).asin()) / omega;
    assert_within(find(&capsule, &b, 2.0), truth, 1e-9);
    // The other way about, too.
    let FirstContact::Within { earliest, latest, normal } = find(&b, &capsule, 2.0) else { panic!() };
    assert!(earliest <= truth && truth <= latest);
    let rod_at = Vec3::new((omega * truth).cos(), (omega * truth).sin(), 0.0);
    assert!(normal.dot(&rod_at).abs() < 1e-6, "{normal}");
}

#[test]
fn an_ellipsoid_that_falls_and_spins_lands_when_its_support_says() {
    // The lowest point of the body over the floor is z − v t − √(nᵀ R A Rᵀ n): its first root by small steps and
    // halving.
    let (axes, z, v) = (Vec3::new(0.5, 0.2, 0.1), 3.0, 2.0);
    let turn = Vec3::new(3.0, -5.0, 1.0);
    let floor = moving(Plane::ground(), STILL, STILL, STILL);
    let body = moving(Ellipsoid::new(axes.into()).unwrap(), [0.3, 0.1, z], [0.4, 0.0, -v], turn.into());
    let height = |t: f64| {
        let down = UnitQuaternion::from_scaled_axis(turn * t).inverse() * Vec3::z();
        z - v * t - axes.component_mul(&down).norm()
    };
    let mut t = 0.0;
    while height(t) > 0.0 {
        t += 1e-5;
    }
    let (mut low, mut high) = (t - 1e-5, t);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if height(middle) > 0.0 { low = middle } else { high = middle }
    }
    assert_within(find(&floor, &body, 3.0), 0.5 * (low + high), 1e-9);
    assert_within(find(&body, &floor, 3.0), 0.5 * (low + high), 1e-9);
}

#[test]
fn a_body_that_has_turned_a_billion_times_is_enclosed_all_the_same() {
    // A spheroid turns about its own axis, along which it comes: the turns change nothing but the rounding.
    let spheroid = Ellipsoid::new([0.2, 0.5, 0.5]).unwrap();
    let wall = moving(Plane::new([1.0, 0.0, 0.0], 0.0).unwrap(), STILL, STILL, STILL);
    for turn in [1.0, 1e3, 1e7] {
        let body = moving(spheroid, [1000.2, 0.0, 0.0], [-1.0, 0.0, 0.0], [turn, 0.0, 0.0]);
        let search = Search { accuracy: 1e-3, ..Search::default() };
        assert_within(first_contact(&wall, &body, 2000.0, &search).unwrap(), 1000.0, 1e-3);
    }
}

#[test]
fn a_bullet_does_not_tunnel_through_a_plate() {
    let plate = moving(Cuboid::new([2.0, 2.0, 1e-4], 0.0).unwrap(), STILL, STILL, [0.0, 0.0, 3.0]);
    let bullet = moving(sphere(1e-3), [0.1, 0.2, 50.0], [0.0, 0.0, -2e4], STILL);
    let truth = (50.0 - 5e-5 - 1e-3) / 2e4;
    let search = Search { accuracy: 1e-12, ..Search::default() };
    assert_within(first_contact(&plate, &bullet, 1.0, &search).unwrap(), truth, 1e-12);
}

#[test]
fn along_random_motions_the_query_agrees() {
    let mut state = 7;
    let mut unit = || rattleback_random::unit(&mut state);
    let (mut met, mut passed) = (0, 0);
    for _ in 0..60 {
        let mut three = |low: f64, high: f64| std::array::from_fn(|_| low + (high - low) * unit());
        let a = Ellipsoid::new(three(0.1, 0.6)).unwrap();
        let b = Superellipsoid::new(three(0.1, 0.6), [3.0, 2.5]).unwrap();
        let far: [f64; 3] = three(1.0, 1.5);
        let a = moving(a, STILL, three(-0.3, 0.3), three(-4.0, 4.0));
        let b = moving(b, far, three(-1.4, -0.3), three(-4.0, 4.0));
        let gap = |t: f64| {
            let at = |body: &MovingCollider| {
                let pose = &body.collider.pose;
                let turn = UnitQuaternion::from_scaled_axis(body.twist.angular_velocity * t);
                let pose = Pose::new(pose.position + body.twist.velocity * t, turn * pose.orientation);
                Collider::new(body.collider.shape.clone(), pose)
            };
            contact(&at(&a), &at(&b)).unwrap().touch.gap
        };
        let apart_before = |end: f64| (0..200).all(|k| gap(end * f64::from(k) / 200.0) > 0.0);
        match find(&a, &b, 3.0) {
            FirstContact::Within { earliest, latest, .. } => {
                assert!(apart_before(earliest) && gap(latest) < 0.0 && latest - earliest < 1e-8);
                met += 1;
            }
            FirstContact::Never => {
                assert!(apart_before(3.0));
                passed += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(met > 10 && passed > 5, "{met} {passed}");
}

#[test]
fn bodies_at_rest_at_the_same_place_and_far_away_have_their_answers() {
    let (a, b) =
        (moving(sphere(1.0), STILL, STILL, STILL), moving(sphere(1.0), [0.5, 0.0, 0.0], STILL, STILL));
    assert_eq!(find(&a, &b, 1.0), FirstContact::AtStart);
    let apart = moving(sphere(1.0), [2.5, 0.0, 0.0], STILL, STILL);
    assert_eq!(find(&a, &apart, 1e9), FirstContact::Never);
    // Exactly touching, and moving in or out.
    let touching = |velocity: f64| moving(sphere(1.0), [2.0, 0.0, 0.0], [velocity, 0.0, 0.0], STILL);
    assert!(
        matches!(find(&a, &touching(1.0), 1.0), FirstContact::Undecided { apart_until } if apart_until == 0.0)
    );
    assert_within(find(&a, &touching(-1.0), 1.0), 0.0, 1e-7);
    // Far from the origin of the world, tiny and huge: the relative motion is what counts.
    let shifted = |x: f64| moving(sphere(0.5), [1e9 + x, 1e9, -1e9], [-f64::from(x > 0.0), 0.0, 0.0], STILL);
    assert_within(find(&shifted(0.0), &shifted(3.0), 5.0), 2.0, 1e-9);
    for scale in [1e-9, 1e9] {
        let (a, b) = (
            moving(sphere(scale), STILL, STILL, STILL),
            moving(sphere(scale), [4.0 * scale, 0.0, 0.0], [-scale, 0.0, 0.0], STILL),
        );
        assert_within(find(&a, &b, 5.0), 2.0, 1e-9);
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let (a, b) =
        (moving(sphere(1.0), STILL, STILL, STILL), moving(sphere(1.0), [3.0, 0.0, 0.0], STILL, STILL));
    for duration in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            first_contact(&a, &b, duration, &Search::default()),
            Err(ContactError::OutOfRange { .. })
        ));
    }
    let lost = moving(sphere(1.0), [3.0, 0.0, 0.0], [f64::NAN, 0.0, 0.0], STILL);
    assert!(matches!(
        first_contact(&a, &lost, 1.0, &Search::default()),
        Err(ContactError::OutOfRange { .. })
    ));
    let turning = moving(Plane::ground(), STILL, STILL, [0.0, 1.0, 0.0]);
    let above = moving(sphere(1.0), [0.0, 0.0, 3.0], STILL, STILL);
    let refused = first_contact(&turning, &above, 1.0, &Search::default());
    assert!(matches!(refused, Err(ContactError::Unsupported { .. })), "{refused:?}");
    // A ring is not convex, and two half-spaces have no least distance.
    let ring = moving(Torus::new(1.0, 0.2).unwrap(), STILL, STILL, STILL);
    let floor = moving(Plane::ground(), STILL, STILL, STILL);
    for [a, b] in [[&ring, &above], [&above, &ring], [&floor, &floor]] {
        let refused = first_contact(a, b, 1.0, &Search::default());
        assert!(matches!(refused, Err(ContactError::Unsupported { .. })), "{refused:?}");
    }
}

#[test]
fn a_half_space_that_moves_on_meets_what_stands_before_it() {
    // A wall x ≤ 0.2 of its own frame, turned by 30 degrees about z, comes along its normal at 2 m/s.
    let turn = UnitQuaternion::from_axis_angle(&Vec3::z_axis(), 0.5);
    let normal = turn * Vec3::x();
    let wall = MovingCollider {
        collider: Collider::new(
            Plane::new([1.0, 0.0, 0.0], 0.2).unwrap(),
            Pose::new(Vec3::new(1.0, 2.0, 3.0), turn),
        ),
        twist: Twist { velocity: normal * 2.0, angular_velocity: Vec3::zeros() },
    };
    let place = Vec3::new(1.0, 2.0, 3.0) + normal * 4.2 + normal.cross(&Vec3::z()) * 5.0;
    let ball = moving(sphere(0.5), place.into(), STILL, [1.0, 2.0, 3.0]);
    assert_within(find(&wall, &ball, 3.0), 1.75, 1e-9);
    assert_within(find(&ball, &wall, 3.0), 1.75, 1e-9);
    assert_eq!(find(&wall, &ball, 1.7), FirstContact::Never);
}
