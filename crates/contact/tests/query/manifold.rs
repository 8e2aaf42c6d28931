//! Hulls of balls on each other: corners, edges that cross, their weights, rates and energy.

use super::differences::compare_with_differences;
use super::random::Random;
use rattleback_contact::geom::surface::{Capsule, ConvexHull, Cuboid, Shape};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::{Collider, ContactQuery, Start, collide, contact, feature_count, near_features};

fn bodies() -> [Shape; 4] {
    let corners = [[0.5, 0.4, 0.3], [0.5, -0.4, -0.3], [-0.4, 0.3, -0.2], [-0.5, -0.4, 0.2], [0.1, 0.0, 0.6]];
    [
        Capsule::new(0.2, 0.6).unwrap().into(),
        Cuboid::new([0.8, 1.1, 0.6], 0.0).unwrap().into(),
        Cuboid::new([0.9, 0.7, 1.2], 0.15).unwrap().into(),
        ConvexHull::new(&corners.map(Vec3::from), 0.1).unwrap().into(),
    ]
}

/// All pairs of them that have rounded edges, anywhere near each other.
fn pairs(random: &mut Random, rounds: usize) -> Vec<[Collider; 2]> {
    let mut found = Vec::new();
    for (i, one) in bodies().iter().enumerate() {
        for (k, other) in bodies().iter().enumerate() {
            if (i, k) == (1, 1) {
                continue;
            }
            for _ in 0..rounds {
                let a = Collider::new(one.clone(), Pose::new(random.vector() * 0.1, random.rotation()));
                let b = Collider::new(other.clone(), Pose::new(random.vector(), random.rotation()));
                found.push([a, b]);
            }
        }
    }
    found
}

fn queries([a, b]: &[Collider; 2]) -> impl Iterator<Item = ContactQuery<'_>> {
    let count = feature_count(&a.shape, &b.shape, false);
    (0..count).map(move |place| ContactQuery { a, b, feature: Some(place), faces: None })
}

fn gaps(pair: &[Collider; 2]) -> Vec<f64> {
    queries(pair).map(|query| query.touch(Start::Cold).unwrap().gap).collect()
}

#[test]
fn the_least_gap_of_corners_and_edges_is_that_of_the_bodies_until_their_cores_meet() {
    let mut random = Random(31);
    let (mut separate, mut overlapping) = (0, 0);
    for pair in pairs(&mut random, 200) {
        let whole = contact(&pair[0], &pair[1]).unwrap().touch.gap;
        let radii = pair.each_ref().map(|body| match &body.shape {
            Shape::Capsule(body) => body.radius(),
            Shape::Cuboid(body) => body.rounding(),
            Shape::ConvexHull(body) => body.rounding(),
            _ => 0.0,
        });
        if whole < -0.99 * (radii[0] + radii[1]) {
            continue;
        }
        let least = gaps(&pair).into_iter().fold(f64::INFINITY, f64::min);
        let kinds = pair.each_ref().map(|body| body.shape.surface().kind());
        assert!((least - whole).abs() < 1e-9, "{kinds:?}: {least} for {whole}");
        if whole > 0.0 { separate += 1 } else { overlapping += 1 }
    }
    assert!(separate > 300 && overlapping > 100, "{separate} {overlapping}");
}

#[test]
fn features_that_are_near_are_all_whose_gaps_are_within_reach() {
    let mut random = Random(32);
    for pair in pairs(&mut random, 40) {
        for reach in [0.0, 0.05, 0.4] {
            let all = gaps(&pair);
            let expected: Vec<usize> = (0..all.len()).filter(|k| all[*k] <= reach).collect();
            let mut found = Vec::new();
            near_features(&pair[0], &pair[1], all.len(), reach, &mut found).unwrap();
            found.retain(|k| all[*k] <= reach);
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn derivatives_of_corners_and_edges_agree_with_differences() {
    let mut random = Random(33);
    let (mut compared, mut weighted) = (0, 0);
    for pair in pairs(&mut random, 12) {
        for query in queries(&pair) {
            let contact = query.contact_without_curvature(query.touch(Start::Cold).unwrap()).unwrap();
            // What is far off or bears nothing is left out.
            if contact.weight == 0.0 || !(-0.1..0.3).contains(&contact.touch.gap) {
                continue;
            }
            let [all, of_weights] = compare_with_differences(&query, &contact, 1e-6);
            compared += all;
            weighted += of_weights;
        }
    }
    assert!(compared > 10_000 && weighted > 20, "{compared} {weighted}");
}

/// A plate across a beam: the four places where its lower edges cross the beam's upper ones bear it, whatever the
/// angle.
#[test]
fn a_plate_across_a_beam_is_borne_where_edges_cross() {
    let beam = Collider::new(Cuboid::new([0.1, 1.0, 0.1], 0.0).unwrap(), Pose::identity());
    for degrees in [90.0_f64, 60.0, 30.0, 120.0] {
        let pose = Pose::from_position(0.0, 0.0, 0.0699).rotated(Vec3::z(), degrees.to_radians()).unwrap();
        let plate = Collider::new(Cuboid::new([0.1, 1.0, 0.04], 0.01).unwrap(), pose);
        let found = collide(&beam, &plate, 0.0).unwrap();
        assert_eq!(found.len(), 4, "{degrees}");
        for contact in found {
            assert!((contact.touch.gap + 1e-4).abs() < 1e-12 && contact.weight == 1.0);
            assert!((contact.touch.normal - Vec3::z()).norm() < 1e-12);
        }
    }
}

/// With w the weight and δ the depth, Σ w δ^2.5 has no jump while one body turns, slides and tilts over the other.
#[test]
fn the_elastic_energy_is_continuous_along_every_way() {
    let mut random = Random(34);
    let table: Shape = Cuboid::new([0.3, 0.25, 0.1], 0.01).unwrap().into();
    let shapes: [Shape; 3] = [
        Cuboid::new([0.2, 0.3, 0.1], 0.01).unwrap().into(),
        Capsule::new(0.05, 0.12).unwrap().into(),
        Cuboid::new([0.3, 0.25, 0.1], 0.01).unwrap().into(),
    ];
    for shape in shapes {
        for _ in 0..6 {
            let (turn, slide) = (random.within(-3.0, 3.0), random.vector() * 0.3);
            let energy = |s: f64| {
                let up = Vec3::new(slide.x * s, slide.y * s, 0.1 - 5e-4);
                let lying = if matches!(shape, Shape::Capsule(_)) { 0.5 * std::f64::consts::PI } else { 0.0 };
                let pose = Pose::from_position(up.x, up.y, up.z)
                    .rotated(Vec3::z(), turn * s)
                    .unwrap()
                    .rotated(Vec3::y(), lying + 1e-3 * s)
                    .unwrap();
                let a = Collider::new(table.clone(), Pose::identity());
                let b = Collider { shape: shape.clone(), pose };
                let found = collide(&a, &b, 0.0).unwrap();
                found.iter().map(|c| c.weight * (-c.touch.gap).powf(2.5)).sum::<f64>()
            };
            let steps = 500;
            let all: Vec<f64> = (0..=steps).map(|k| energy(f64::from(k) / f64::from(steps))).collect();
            let most = all.iter().copied().fold(0.0, f64::max);
            assert!(most > 0.0);
            for k in 0..steps {
                // Into the half with the greater change, until a jump would be all that is left.
                let (mut low, mut high) =
                    (f64::from(k) / f64::from(steps), f64::from(k + 1) / f64::from(steps));
                let mut change = (energy(high) - energy(low)).abs();
                for _ in 0..30 {
                    if change < 1e-3 * most {
                        break;
                    }
                    let middle = 0.5 * (low + high);
                    let halves = [low, middle, high].map(&energy);
                    let [first, second] = [(halves[1] - halves[0]).abs(), (halves[2] - halves[1]).abs()];
                    if first > second {
                        high = middle
                    } else {
                        low = middle
                    }
                    change = first.max(second);
                }
                assert!(change < 1e-3 * most, "{shape:?} at {low}: {change:e} of {most:e}");
            }
        }
    }
}
