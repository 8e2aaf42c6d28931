//! Bounded open quadrics against a ball: the gap is known where the ball sits on a normal of the surface.

use rattleback_contact::narrow::lopes::ImplicitBody;
use rattleback_contact::narrow::lopes::globalised::{SearchOutcome, SearchSettings, search};
use rattleback_contact::narrow::parametric::{self, ParametricBody};
use rattleback_geom::surface::{Implicit, Quadric, Sheet, Sphere, Surface};
use rattleback_geom::{Pose, Vec3};

fn quadrics() -> [Quadric; 4] {
    [
        Quadric::hyperboloid_one_sheet([0.5, 0.6, 0.8], 1.0),
        Quadric::hyperboloid_two_sheets([0.8, 0.7, 0.5], Sheet::Upper, 1.2),
        Quadric::elliptic_paraboloid([0.8, 0.9, 1.0], 0.5),
        Quadric::hyperbolic_paraboloid([1.0, 1.1, 1.0], [0.8, 0.8], 0.5),
    ]
    .map(|q| q.expect("axes and bounds in range"))
}

#[test]
fn a_ball_on_a_normal_of_an_open_quadric_has_the_gap_that_it_was_given() {
    let ball = Sphere::new(0.15).unwrap();
    let pose = Pose::from_position(0.3, -0.1, 0.2).rotated(Vec3::new(0.3, 1.0, 0.5), 0.8).unwrap();
    let mut cases = 0;
    for quadric in quadrics() {
        let chart = quadric.as_parametric().unwrap();
        let domain = chart.domain();
        let a = ImplicitBody::new(&quadric, pose);
        for k in 0..24 {
            // Feet all over the chart, away from its ends.
            let (s, t) = ((f64::from(k) * 0.618).fract(), 0.15 + 0.7 * (f64::from(k) * 0.414).fract());
            let foot = chart.point(
                domain.u[0] + s * (domain.u[1] - domain.u[0]),
                domain.v[0] + t * (domain.v[1] - domain.v[0]),
            );
            if quadric.beyond_bounds(&foot) > -0.05 {
                continue;
            }
            cases += 1;
            let n = quadric.gradient(&foot).normalize();
            for gap in [0.08, 0.0, -0.05] {
                let centre = pose.point_to_world(&(foot + n * (gap + 0.15)));
                let place = Pose::new(centre, Pose::identity().orientation);
                let b = ImplicitBody::new(&ball, place);
                let boxes = [&quadric.bounds(), &ball.bounds()];
                let outcome = search(&a, &b, boxes, &SearchSettings::default()).unwrap();
                let SearchOutcome::Found(found) = outcome else {
                    panic!("{:?}, foot {foot}: {outcome:?}", quadric.member())
                };
                assert!(
                    (found.gap - gap).abs() < 1e-11,
                    "{:?}, foot {foot}: {} for {gap}",
                    quadric.member(),
                    found.gap
                );
                let (a, b) =
                    (ParametricBody::of(&quadric, pose).unwrap(), ParametricBody::of(&ball, place).unwrap());
                let found = parametric::search(&a, &b, &Default::default()).unwrap().solution;
                assert!(
                    (found.gap - gap).abs() < 1e-11,
                    "{:?}, foot {foot}: {} for {gap}",
                    quadric.member(),
                    found.gap
                );
            }
        }
    }
    assert!(cases > 48, "{cases}");
}

#[test]
fn beyond_the_planes_of_a_quadric_there_is_no_contact() {
    let ball = Sphere::new(0.15).unwrap();
    let core = Quadric::hyperboloid_one_sheet([0.5, 0.6, 0.8], 1.0).unwrap();
    // A foot on the same hyperboloid, 0.3 above its upper plane.
    let z: f64 = 1.3;
    let foot = Vec3::new(0.5 * (1.0 + (z / 0.8).powi(2)).sqrt(), 0.0, z);
    let centre = foot + core.gradient(&foot).normalize() * 0.2;
    let (a, b) = (
        ImplicitBody::new(&core, Pose::identity()),
        ImplicitBody::new(&ball, Pose::from_position(centre.x, centre.y, centre.z)),
    );
    let outcome = search(&a, &b, [&core.bounds(), &ball.bounds()], &SearchSettings::default()).unwrap();
    assert!(matches!(outcome, SearchOutcome::NoneWithinBounds { .. }), "{outcome:?}");
}
