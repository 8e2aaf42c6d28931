//! Right answers pass, and every kind of wrong answer is found by its rule.

use crate::body::Body;
use crate::check::{Fault, check};
use crate::couple::Couple;
use crate::engine::{Answer, ask, pose, shape};
use crate::placement::Placed;
use crate::search::{DEEP, PLAIN};
use crate::vector::{Vector, along, times, unit};

const UPRIGHT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

fn answer(bodies: [&Placed<'_>; 2]) -> Answer {
    let [a, b] = bodies.map(|p| (shape(p.body, 1.0).unwrap(), pose(&p.position, &p.quaternion, 1.0)));
    ask([(&a.0, &a.1), (&b.0, &b.1)], None, 1.0).unwrap()
}

/// Two balls and the engine's answer, which for them is a closed form.
fn balls(distance: f64, wrong: impl Fn(&mut Answer)) -> Option<Fault> {
    let ball = Body::Sphere { radius: 1.0 };
    let [a, b] = [[0.1, 0.2, 0.3], [0.1 + 0.6 * distance, 0.2, 0.3 - 0.8 * distance]]
        .map(|position| Placed::new(&ball, position, UPRIGHT));
    let mut answer = answer([&a, &b]);
    wrong(&mut answer);
    check(&Couple::new(&a, &b), &answer, &[], DEEP).fault
}

#[test]
fn a_right_answer_keeps_all_rules() {
    for distance in [0.5, 1.999, 2.0, 2.0 + 1e-9, 3.0, 1e4] {
        assert_eq!(balls(distance, |_| ()), None, "{distance}");
    }
}

#[test]
fn every_wrong_number_breaks_its_rule() {
    let tilted = |n: &Vector| unit(&along(n, 1e-3, &[0.0, 1.0, 0.0])).unwrap();
    for distance in [1.5, 3.0] {
        assert_eq!(balls(distance, |a| a.gap += 1e-9), Some(Fault::GapOfSupports));
        assert_eq!(balls(distance, |a| a.gap = f64::NAN), Some(Fault::NotFinite));
        assert_eq!(balls(distance, |a| a.point_b[1] = f64::INFINITY), Some(Fault::NotFinite));
        assert_eq!(balls(distance, |a| a.normal = times(1.0 + 1e-9, &a.normal)), Some(Fault::NormalLength));
        assert_eq!(balls(distance, |a| a.normal = tilted(&a.normal)), Some(Fault::GapOfSupports));
        let beyond = |p: &Vector, a: &Answer| along(p, 1e-8, &a.normal);
        assert_eq!(balls(distance, |a| a.point_b = beyond(&a.point_b, a)), Some(Fault::GapOfPoints));
        let both = |a: &mut Answer| {
            (a.point_a, a.point_b) = (beyond(&a.point_a, a), beyond(&a.point_b, a));
        };
        assert_eq!(balls(distance, both), Some(Fault::PointA));
        assert_eq!(balls(distance, |a| a.point_a[1] += 1e-4), Some(Fault::PointA));
        assert_eq!(balls(distance, |a| a.point_b[1] += 1e-4), Some(Fault::PointB));
        assert_eq!(balls(distance, |a| a.residual += 1e-9), Some(Fault::Residual));
    }
}

/// A box against a box, with the points of a normal that is not the best.
fn boxes(position: Vector, n: Vector) -> (Option<Fault>, bool) {
    let cube = Body::Superellipsoid { axes: [1.0, 0.5, 0.25], exponents: [50.0, 50.0] };
    let [a, b] = [Placed::new(&cube, [0.0; 3], UPRIGHT), Placed::new(&cube, position, UPRIGHT)];
    let couple = Couple::new(&a, &b);
    let mut answer = answer([&a, &b]);
    answer.normal = n;
    answer.gap = couple.f(&n);
    answer.point_a = a.point(&n);
    answer.point_b = along(&b.position, 1.0, &b.point(&times(-1.0, &n)));
    let g = [0, 1, 2].map(|i| answer.point_b[i] - answer.point_a[i]);
    answer.residual = crate::vector::length(&along(&g, -answer.gap, &n));
    let verdict = check(&couple, &answer, &[], PLAIN);
    (verdict.fault, verdict.not_least)
}

#[test]
fn a_depth_that_is_not_the_least_is_refuted() {
    let (fault, not_least) = boxes([0.0, 0.0, 0.1], [1.0, 0.0, 0.0]);
    assert!(not_least && fault != Some(Fault::SaidToOverlap), "{fault:?}");
}

#[test]
fn separate_bodies_that_are_said_to_overlap_are_found() {
    let (fault, not_least) = boxes([0.0, 0.0, 0.6], [1.0, 0.0, 0.0]);
    assert!(not_least && fault == Some(Fault::SaidToOverlap), "{fault:?}");
}
