//! The common normal of parametric surfaces: closed forms, non-convex bodies, agreement with Newton on the sphere.

use crate::ellipsoids::Ellipsoids;
use rattleback_contact::narrow::parametric::{
    ParametricBody, SearchSettings, SupportedBody, refine, search, search_against_support,
};
use rattleback_geom::surface::{Ellipsoid, Sphere, Torus};
use rattleback_geom::{Pose, Vec3};

fn tilted() -> Pose {
    Pose::from_position(0.3, -0.2, 0.5)
        .rotated(Vec3::new(1.0, 0.4, 0.2), 1.1)
        .expect("an axis with a direction")
}

/// Centres of a ball in the ring's frame: outside, in the hole, above, overlapping, touching.
const CENTRES: [[f64; 3]; 6] =
    [[2.0, 0.4, -0.5], [0.2, 0.1, 0.3], [0.9, 0.3, 0.8], [0.8, 0.6, 0.1], [0.5, 0.9, 0.2], [1.55, 0.0, 0.0]];

#[test]
fn a_ring_and_a_ball_have_the_gap_of_the_closed_form() {
    let (ring, ball) = (Torus::new(1.0, 0.25).unwrap(), Sphere::new(0.3).unwrap());
    let pose = tilted();
    let a = ParametricBody::of(&ring, pose).unwrap();
    for c in CENTRES.map(Vec3::from) {
        let place =
            Pose::new(pose.point_to_world(&c), Pose::identity().rotated(Vec3::y(), 0.7).unwrap().orientation);
        let gap = (c.x.hypot(c.y) - 1.0).hypot(c.z) - 0.55;
        let b = ParametricBody::of(&ball, place).unwrap();
        let found = search(&a, &b, &SearchSettings::default()).unwrap().solution;
        assert!((found.gap - gap).abs() < 1e-12, "{c}: {found:?}, closed form {gap}");
        let b = SupportedBody { surface: &ball, inside: Some(&ball), pose: place };
        let found = search_against_support(&a, &b, &SearchSettings::default()).unwrap().solution;
        assert!((found.gap - gap).abs() < 1e-12, "{c}: {found:?}, closed form {gap}");
    }
}

#[test]
fn coaxial_rings_are_as_far_apart_as_their_centre_lines_less_the_tubes() {
    let (wide, narrow) = (Torus::new(1.0, 0.2).unwrap(), Torus::new(0.6, 0.15).unwrap());
    let pose = tilted();
    let a = ParametricBody::of(&wide, pose).unwrap();
    for z in [0.5f64, 0.3, 0.0] {
        let b = ParametricBody::of(&narrow, pose.compose(&Pose::from_position(0.0, 0.0, z))).unwrap();
        let found = search(&a, &b, &SearchSettings::default()).unwrap().solution;
        assert!((found.gap - (z.hypot(0.4) - 0.35)).abs() < 1e-12, "{z}: {found:?}");
    }
}

#[test]
fn linked_rings_overlap_touch_and_part_inside_each_other() {
    // Unit circles in the planes xy and xz, the second shifted along x by s: they cross the x axis s apart.
    let ring = Torus::new(1.0, 0.2).unwrap();
    let a = ParametricBody::of(&ring, Pose::identity()).unwrap();
    for (s, gap) in [(1.0, 0.6), (0.5, 0.1), (0.4, 0.0), (0.3, -0.1)] {
        let upright =
            Pose::from_position(s, 0.0, 0.0).rotated(Vec3::x(), std::f64::consts::FRAC_PI_2).unwrap();
        let b = ParametricBody::of(&ring, upright).unwrap();
        let found = search(&a, &b, &SearchSettings::default()).unwrap().solution;
        assert!((found.gap - gap).abs() < 1e-10, "{s}: {found:?}");
    }
}

#[test]
fn ellipsoids_agree_with_newton_on_the_sphere_apart_and_overlapping() {
    let mut overlaps = 0;
    for index in 0..150 {
        let mut r = Ellipsoids::drawn(11, index);
        if r.aspect() > 8.0 {
            continue;
        }
        // Every other pair is pushed together.
        if index % 2 == 0 {
            r.pose_b.position *= 0.7;
        }
        let truth = r.gap().unwrap();
        let (e, f) = (Ellipsoid::new(r.semi_axes_a).unwrap(), Ellipsoid::new(r.semi_axes_b).unwrap());
        let a = ParametricBody::of(&e, Pose::identity()).unwrap();
        let b = ParametricBody::of(&f, r.pose_b).unwrap();
        overlaps += u32::from(truth < 0.0);
        let four = search(&a, &b, &SearchSettings::default()).unwrap().solution;
        let b = SupportedBody { surface: &f, inside: Some(&f), pose: r.pose_b };
        let two = search_against_support(&a, &b, &SearchSettings::default()).unwrap().solution;
        for found in [four, two] {
            assert!((found.gap - truth).abs() < 1e-10, "{index}: {} against {}", found.gap, truth);
        }
    }
    assert!(overlaps >= 10, "{overlaps}");
}

#[test]
fn a_contact_at_the_poles_of_both_parametrisations_is_found() {
    let (e, f) = (Ellipsoid::new([1.0, 0.8, 0.6]).unwrap(), Ellipsoid::new([0.7, 0.9, 0.5]).unwrap());
    let a = ParametricBody::of(&e, Pose::identity()).unwrap();
    for (z, gap) in [(1.4, 0.3), (1.1, 0.0), (1.0, -0.1)] {
        let b = ParametricBody::of(&f, Pose::from_position(0.0, 0.0, z)).unwrap();
        let found = search(&a, &b, &SearchSettings::default()).unwrap().solution;
        assert!((found.gap - gap).abs() < 1e-12, "{z}: {found:?}");
    }
}

#[test]
fn a_warm_start_follows_a_motion_in_a_few_evaluations() {
    let (ring, e) = (Torus::new(1.0, 0.25).unwrap(), Ellipsoid::new([0.4, 0.3, 0.2]).unwrap());
    let a = ParametricBody::of(&ring, Pose::identity()).unwrap();
    let place =
        |t: f64| Pose::from_position(1.3 + 0.1 * t, 0.4, 0.5 - 0.2 * t).rotated(Vec3::x(), t).unwrap();
    let body = |t: f64| ParametricBody::of(&e, place(t)).unwrap();
    let mut last = search(&a, &body(0.0), &SearchSettings::default()).unwrap();
    for step in 1..=50 {
        let b = body(0.02 * f64::from(step));
        last = refine(&a, &b, last.parameters, &SearchSettings::default()).unwrap();
        assert!(last.solution.iterations <= 10, "{last:?}");
    }
    let cold = search(&a, &body(1.0), &SearchSettings::default()).unwrap();
    assert!((cold.solution.gap - last.solution.gap).abs() < 1e-12);
}

#[test]
fn nan_is_refused_by_name() {
    let ring = Torus::new(1.0, 0.25).unwrap();
    let a = ParametricBody::of(&ring, Pose::identity()).unwrap();
    let b = ParametricBody::of(&ring, Pose::from_position(f64::NAN, 0.0, 0.0)).unwrap();
    let error = search(&a, &b, &SearchSettings::default()).unwrap_err().to_string();
    assert!(error.starts_with("b.pose.position[0] = NaN"), "{error}");
    let error =
        refine(&a, &a, [0.0, f64::INFINITY, 0.0, 0.0], &SearchSettings::default()).unwrap_err().to_string();
    assert!(error.starts_with("parameters[1] = inf"), "{error}");
}
