//! Bodies with flat faces and straight sides on each other: the points that stand for what they share, their weights,
//! rates and energy.

use super::differences::{compare_with_differences, moved};
use super::random::Random;
use rattleback_contact::geom::surface::{
    Capsule, ConvexHull, Cuboid, Cylinder, Frustum, Shape, Superellipsoid,
};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::{Collider, ContactQuery, Start, collide, contact, feature_count};
use std::f64::consts::FRAC_PI_2;

const DEPTH: f64 = 1e-4;

fn table(rounding: f64) -> Collider {
    Collider::new(Cuboid::new([0.4, 0.3, 0.1], rounding).unwrap(), Pose::from_position(0.0, 0.0, -0.05))
}

fn pedestal() -> Collider {
    Collider::new(Cylinder::new(0.15, 0.05).unwrap(), Pose::from_position(0.0, 0.0, -0.05))
}

fn roller() -> Collider {
    let pose = Pose::from_position(0.0, 0.0, -0.05).rotated(Vec3::y(), FRAC_PI_2).unwrap();
    Collider::new(Cylinder::new(0.05, 0.2).unwrap(), pose)
}

/// A superellipsoid of flat faces.
fn pillow(exponent: f64) -> Shape {
    Superellipsoid::new([0.06, 0.05, 0.04], [exponent; 2]).unwrap().into()
}

fn slab() -> Collider {
    let shape = Superellipsoid::new([0.2, 0.15, 0.05], [12.0; 2]).unwrap();
    Collider::new(shape, Pose::from_position(0.0, 0.0, -0.05))
}

/// What lies on what, [`DEPTH`] deep, with the sum of the weights and the number of points.
fn lying() -> Vec<([Collider; 2], f64, usize)> {
    let on = |below: Collider, shape: Shape, pose: Pose, weight: f64, points: usize| {
        ([below, Collider { shape, pose }], weight, points)
    };
    let at = |z: f64| Pose::from_position(0.01, 0.02, z - DEPTH);
    // Over the middle of a roller.
    let over = |z: f64| Pose::from_position(0.01, 0.0, z - DEPTH);
    let side = |z: f64| over(z).rotated(Vec3::y(), FRAC_PI_2).unwrap();
    let wedge =
        [[0.06, 0.05, -0.03], [-0.06, 0.05, -0.03], [0.0, -0.06, -0.03], [0.0, 0.0, 0.09]].map(Vec3::from);
    let (r, h) = (0.05_f64, 0.12_f64);
    // The generator of a cone lies level where the axis is inclined by the half angle of its apex.
    let lying_cone = Pose::from_position(0.0, 0.0, 0.5 * r * h / r.hypot(h) - DEPTH)
        .rotated(Vec3::y(), FRAC_PI_2 + r.atan2(h))
        .unwrap();
    vec![
        on(table(0.0), Cylinder::new(0.06, 0.05).unwrap().into(), at(0.05), 3.0, 8),
        on(table(0.01), Cylinder::new(0.06, 0.05).unwrap().into(), at(0.05), 3.0, 8),
        on(table(0.0), Frustum::new([0.06, 0.03], 0.1).unwrap().into(), at(0.05), 3.0, 8),
        on(table(0.0), Cylinder::new(0.06, 0.05).unwrap().into(), side(0.06), 2.0, 2),
        on(table(0.0), Frustum::cone(r, h).unwrap().into(), lying_cone, 2.0, 2),
        on(pedestal(), ConvexHull::new(&wedge, 0.01).unwrap().into(), at(0.04), 3.0, 8),
        on(pedestal(), Cylinder::new(0.06, 0.05).unwrap().into(), at(0.05), 3.0, 8),
        on(pedestal(), Frustum::new([0.06, 0.03], 0.1).unwrap().into(), at(0.05), 3.0, 8),
        on(pedestal(), Cuboid::new([0.5, 0.4, 0.08], 0.01).unwrap().into(), at(0.04), 3.0, 8),
        on(pedestal(), Capsule::new(0.04, 0.06).unwrap().into(), side(0.04), 2.0, 2),
        on(roller(), Cylinder::new(0.06, 0.05).unwrap().into(), side(0.06), 2.0, 2),
        on(roller(), Cuboid::new([0.12, 0.1, 0.08], 0.0).unwrap().into(), over(0.04), 2.0, 2),
        on(table(0.0), pillow(20.0), at(0.04), 1.0, 8),
        on(table(0.01), pillow(8.0), at(0.04), 1.0, 8),
        on(pedestal(), pillow(50.0), at(0.04), 1.0, 8),
        on(slab(), pillow(20.0), at(0.04), 1.0, 8),
        on(roller(), pillow(20.0), over(0.04), 1.0, 2),
    ]
}

/// What stands on an edge on what, [`DEPTH`] deep: tilted by 4° or more about an edge that is level.
fn on_edge() -> Vec<[Collider; 2]> {
    let hull = |rounding: f64| {
        let corners =
            [[0.06, 0.05, -0.03], [-0.06, 0.05, -0.03], [0.06, -0.06, -0.03], [-0.06, -0.06, -0.03]];
        let top = [[0.05, 0.0, 0.09], [-0.05, 0.0, 0.09]];
        let all: Vec<Vec3> = corners.into_iter().chain(top).map(Vec3::from).collect();
        Shape::from(ConvexHull::new(&all, rounding).unwrap())
    };
    let cuboid = |rounding: f64| Shape::from(Cuboid::new([0.12, 0.1, 0.08], rounding).unwrap());
    let tilted = |below: Collider, shape: Shape, degrees: f64| {
        let turn = Pose::identity().rotated(Vec3::x(), f64::to_radians(degrees)).unwrap();
        let down = turn.vector_to_local(&-Vec3::z());
        let reach = shape.surface().as_support().unwrap().support(&down);
        let pose = Pose::new(Vec3::new(0.01, 0.02, reach - DEPTH), turn.orientation);
        [below, Collider { shape, pose }]
    };
    let post = Collider::new(Cylinder::new(0.03, 0.05).unwrap(), Pose::from_position(0.0, -0.03, -0.05));
    let stump = Collider::new(Frustum::new([0.2, 0.15], 0.1).unwrap(), Pose::from_position(0.0, 0.0, -0.05));
    vec![
        tilted(pedestal(), cuboid(0.0), 4.0),
        tilted(pedestal(), cuboid(0.0), -5.0),
        tilted(pedestal(), cuboid(0.0), 30.0),
        tilted(pedestal(), cuboid(0.01), 5.0),
        tilted(pedestal(), hull(0.01), 8.0),
        tilted(stump, cuboid(0.0), 12.0),
        tilted(post, cuboid(0.0), 6.0),
    ]
}

#[test]
fn an_edge_that_is_level_on_a_face_is_borne_at_both_of_its_ends() {
    for pair in on_edge() {
        let swapped = [pair[1].clone(), pair[0].clone()];
        for (pair, sign) in [(&pair, 1.0), (&swapped, -1.0)] {
            let found = collide(&pair[0], &pair[1], 0.0).unwrap();
            assert_eq!(found.len(), 2, "{}", named(pair));
            for contact in &found {
                let touch = &contact.touch;
                assert_eq!(contact.weight, 1.0, "{}", named(pair));
                assert!((touch.gap + DEPTH).abs() < 1e-12, "{}: {}", named(pair), touch.gap);
                assert!((touch.normal - Vec3::z() * sign).norm() < 1e-12, "{}", named(pair));
            }
            let apart = (found[1].touch.point_a - found[0].touch.point_a).norm();
            assert!(apart > 0.039, "{}: {apart}", named(pair));
        }
    }
}

/// While a body turns from one edge over its face to the other one the weights of all places go over into each other.
#[test]
fn weights_of_edges_and_faces_go_over_into_each_other() {
    for pair in on_edge() {
        let mut last: Option<Vec<f64>> = None;
        for k in -400..=400 {
            let turn = Pose::identity().rotated(Vec3::x(), 1e-4 * f64::from(k)).unwrap();
            let along = Pose::identity().rotated(Vec3::y(), 5e-5 * f64::from(k)).unwrap();
            let pose = Pose::new(pair[1].pose.position, along.orientation * turn.orientation);
            let pair = [pair[0].clone(), Collider { shape: pair[1].shape.clone(), pose }];
            let weights: Vec<f64> = queries(&pair).map(|query| query.weight().unwrap()).collect();
            let shares = [weights[0], weights[1..9].iter().sum::<f64>(), 0.5 * (weights[9] + weights[10])];
            assert!(shares[0] >= 0.0 && shares[0] + shares[2] <= 1.0 + 1e-12, "{k}: {shares:?}");
            if let Some(last) = last {
                let jump = last.iter().zip(&weights).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
                assert!(jump < 0.03, "{}, {k}: {jump}: {last:?} {weights:?}", named(&pair));
            }
            last = Some(weights);
        }
    }
}

fn queries([a, b]: &[Collider; 2]) -> impl Iterator<Item = ContactQuery<'_>> {
    let count = feature_count(&a.shape, &b.shape, false);
    (0..count).map(move |place| ContactQuery { a, b, feature: Some(place), faces: None })
}

fn named([a, b]: &[Collider; 2]) -> String {
    format!("{} on {}", b.shape.surface().kind(), a.shape.surface().kind())
}

#[test]
fn what_lies_on_a_face_is_borne_at_several_points_as_deep_as_it_is() {
    for (pair, weight, points) in lying() {
        let swapped = [pair[1].clone(), pair[0].clone()];
        for (pair, sign) in [(&pair, 1.0), (&swapped, -1.0)] {
            let found = collide(&pair[0], &pair[1], 0.0).unwrap();
            assert_eq!(found.len(), points, "{}", named(pair));
            let sum: f64 = found.iter().map(|contact| contact.weight).sum();
            assert!((sum - weight).abs() < 1e-12, "{}: {sum}", named(pair));
            for contact in &found {
                let touch = &contact.touch;
                assert!((touch.gap + DEPTH).abs() < 1e-12, "{}: {}", named(pair), touch.gap);
                assert!((touch.normal - Vec3::z() * sign).norm() < 1e-12, "{}", named(pair));
            }
            // The middle of the points is that of what is shared: a torque tips no body that lies in the middle.
            let span = found.iter().map(|one| (one.touch.point_a - found[0].touch.point_a).norm());
            assert!(span.fold(0.0, f64::max) > 0.05, "{}", named(pair));
        }
    }
}

#[test]
fn a_disc_half_over_an_edge_is_borne_by_what_is_left_of_it() {
    let table = table(0.0);
    for over in [-0.05, -0.02, 0.0, 0.03, 0.05] {
        let disc = Collider::new(
            Cylinder::new(0.06, 0.01).unwrap(),
            Pose::from_position(0.2 + over, 0.0, 0.01 - DEPTH),
        );
        let found = collide(&table, &disc, 0.0).unwrap();
        assert_eq!(found.len(), 8, "{over}");
        let mut farthest = f64::NEG_INFINITY;
        for contact in &found {
            let p = contact.touch.point_a;
            assert!(p.x <= 0.2 + 1e-12 && (p.x - 0.2 - over).hypot(p.y) <= 0.06 + 1e-12, "{over}: {p}");
            farthest = farthest.max(p.x);
        }
        let edge = f64::min(0.2, 0.2 + over + 0.06);
        assert!((farthest - edge).abs() < 1e-12, "{over}: {farthest}");
    }
}

/// Everything that lies or stands on an edge.
fn all() -> impl Iterator<Item = [Collider; 2]> {
    lying().into_iter().map(|(pair, ..)| pair).chain(on_edge())
}

/// What has no area, no length or no direction falls back to the nearest points, or is borne by what is left.
#[test]
fn degenerate_places_have_finite_answers() {
    let can = || Collider::new(Cylinder::new(0.06, 0.05).unwrap(), Pose::identity());
    let slab = |rounding: f64| Shape::from(Cuboid::new([0.2, 0.2, 0.1], rounding).unwrap());
    let thin = Shape::from(Cylinder::new(1e-4, 1.0).unwrap());
    let others = [slab(0.05), slab(0.0), thin, can().shape, Frustum::cone(0.05, 0.1).unwrap().into()];
    let poses = [
        Pose::identity(),
        Pose::from_position(0.0, 0.0, 0.1),
        Pose::from_position(0.16, 0.0, 0.1),
        Pose::from_position(0.12, 0.0, 0.0),
        Pose::from_position(1e3, 0.0, 0.0),
        Pose::from_position(0.0, 0.0, 0.1).rotated(Vec3::x(), FRAC_PI_2).unwrap(),
        Pose::from_position(0.0, 0.0, 0.0).rotated(Vec3::x(), FRAC_PI_2).unwrap(),
        Pose::from_position(0.0, 0.11, 0.1).rotated(Vec3::new(1.0, 1.0, 0.0), 0.8).unwrap(),
    ];
    for shape in others {
        for pose in poses {
            let pair = [can(), Collider { shape: shape.clone(), pose }];
            let mut weights = 0.0;
            for query in queries(&pair) {
                let contact = query.contact_without_curvature(query.touch(Start::Cold).unwrap()).unwrap();
                let name = format!("{} at {pose:?}", named(&pair));
                assert!(contact.touch.gap.is_finite() && (0.0..=1.0).contains(&contact.weight), "{name}");
                assert!((contact.touch.normal.norm() - 1.0).abs() < 1e-9, "{name}");
                weights += contact.weight;
                if query.feature != Some(0) {
                    let derivatives = query.derivatives(&contact).unwrap();
                    assert!(derivatives.gap.iter().all(|x| x.is_finite()), "{name}");
                    assert!(derivatives.weight.iter().all(|x| x.is_finite()), "{name}");
                }
            }
            assert!((0.99..=4.01).contains(&weights), "{}: {weights}", named(&pair));
        }
    }
}

#[test]
fn tilted_bodies_touch_at_their_nearest_points_alone() {
    for (pair, ..) in lying() {
        let pose = pair[1].pose;
        // About an axis along which no edge is.
        let turn = Pose::identity().rotated(Vec3::new(0.75_f64.sqrt(), 0.5, 0.0), 0.1).unwrap();
        let tilted = Collider {
            shape: pair[1].shape.clone(),
            pose: Pose::new(pose.position, turn.orientation * pose.orientation),
        };
        let found = collide(&pair[0], &tilted, 0.0).unwrap();
        assert!(found.len() == 1 && found[0].weight == 1.0, "{}: {found:?}", named(&pair));
    }
}

#[test]
fn derivatives_agree_with_differences() {
    let mut random = Random(71);
    let (mut compared, mut weighted) = (0, 0);
    for pair in all() {
        for _ in 0..6 {
            let lifted = random.within(-0.003, 0.0);
            let turn = random.vector() * 0.02;
            let slide = random.vector() * 0.08;
            let by = [slide.x, slide.y, lifted, turn.x, turn.y, turn.z];
            let pair = [pair[0].clone(), moved(&pair[1], &by, 1.0)];
            for query in queries(&pair) {
                let contact = query.contact_without_curvature(query.touch(Start::Cold).unwrap()).unwrap();
                // The nearest points have derivatives of their own.
                if contact.weight == 0.0 || query.feature == Some(0) {
                    continue;
                }
                // A step this short seldom crosses a corner of an outline.
                let [all, of_weights] = compare_with_differences(&query, &contact, 1e-7);
                compared += all;
                weighted += of_weights;
            }
        }
    }
    assert!(compared > 10_000 && weighted > 100, "{compared} {weighted}");
}

/// With w the weight and δ the depth, Σ w δ^2.5 of all points but the nearest ones, which jump, has no jump while one
/// body turns, slides over the end of the other and tilts.
#[test]
fn the_elastic_energy_is_continuous_along_every_way() {
    let mut random = Random(72);
    for pair in all() {
        for _ in 0..4 {
            let (turn, slide) = (random.vector() * 0.03, random.vector() * 0.4);
            let by = [slide.x, slide.y, -4.0 * DEPTH, turn.x, turn.y, 20.0 * turn.z];
            let energy = |s: f64| {
                let pair = [pair[0].clone(), moved(&pair[1], &by, s)];
                let found = queries(&pair).skip(1).map(|query| {
                    let touch = query.touch(Start::Cold).unwrap();
                    query.weight().unwrap() * (-touch.gap).max(0.0).powf(2.5)
                });
                found.sum::<f64>()
            };
            let steps = 100;
            let all: Vec<f64> = (0..=steps).map(|k| energy(f64::from(k) / f64::from(steps))).collect();
            let most = all.iter().copied().fold(0.0, f64::max);
            assert!(most > 0.0);
            for k in 0..steps {
                let (mut low, mut high) =
                    (f64::from(k) / f64::from(steps), f64::from(k + 1) / f64::from(steps));
                let mut change = (energy(high) - energy(low)).abs();
                for _ in 0..40 {
                    if change < 1e-3 * most {
                        break;
                    }
                    let middle = 0.5 * (low + high);
                    let halves = [low, middle, high].map(energy);
                    let [first, second] = [(halves[1] - halves[0]).abs(), (halves[2] - halves[1]).abs()];
                    if first > second {
                        high = middle
                    } else {
                        low = middle
                    }
                    change = first.max(second);
                }
                assert!(change < 1e-3 * most, "{} at {low}: {change:e} of {most:e}", named(&pair));
            }
        }
    }
}

#[test]
fn faces_that_turn_to_each_other_from_behind_are_no_contact() {
    let table = table(0.0);
    // On its apex: its base is above the table's top face and turned to the bottom one.
    let upside_down = Pose::identity().rotated(Vec3::x(), std::f64::consts::PI).unwrap().orientation;
    let cone = Frustum::cone(0.03, 0.06).unwrap();
    for height in [0.05, 0.03, 0.0299] {
        let cone = Collider::new(cone, Pose::new(Vec3::new(0.0, 0.0, height), upside_down));
        let gap = contact(&table, &cone).unwrap().touch.gap;
        for query in queries(&[table.clone(), cone]) {
            let touch = query.touch(Start::Cold).unwrap();
            assert!(touch.gap >= gap.min(0.0) - 1e-12, "{height}: {} below {gap}", touch.gap);
        }
    }
}

/// Follows ways by which no point of a body goes farther than the gap of a place without weight, and none farther than
/// the least way of a place: neither leads to an overlap there. How many were followed.
fn follow_ways(random: &mut Random, pair: &[Collider; 2]) -> usize {
    let mut seen = 0;
    let bounds = pair[1].shape.surface().bounds();
    let radius = bounds.min.sup(&-bounds.min).sup(&bounds.max).norm();
    let turn = random.vector() * 0.1;
    let slide = random.vector() * 0.1;
    let by = [slide.x, slide.y, random.within(-0.01, 0.002), turn.x, turn.y, turn.z];
    let start = moved(&pair[1], &by, 1.0);
    // What is tilted turns back, what is deep comes out, or anything.
    let way = match random.within(0.0, 3.0) as usize {
        0 => [0.0, 0.0, 0.0, -turn.x, -turn.y, -turn.z],
        1 => [0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
        _ => {
            let [v, w] = [random.vector(), random.vector() / radius];
            [v.x, v.y, v.z, w.x, w.y, w.z]
        }
    };
    let goes = Vec3::new(way[0], way[1], way[2]).norm() + radius * Vec3::new(way[3], way[4], way[5]).norm();
    let there = [pair[0].clone(), start.clone()];
    let lies = queries(&there).skip(1).any(|query| query.weight().unwrap() > 0.0);
    for query in queries(&there).skip(1) {
        let touch = query.touch(Start::Cold).unwrap();
        let gap = touch.gap;
        assert!(gap >= 0.0 || lies, "{}: {gap}", named(&there));
        if gap <= 0.0 {
            continue;
        }
        let least = query.least_way(&touch);
        assert!((0.0..=gap).contains(&least), "{}: {least} for {gap}", named(&there));
        assert!(lies || least == gap, "{}: {least} for {gap}", named(&there));
        if least <= f64::MIN_POSITIVE {
            continue;
        }
        seen += 1;
        for part in [0.3, 0.6, 0.99] {
            let later = [pair[0].clone(), moved(&start, &way, part * least / goes)];
            let query = ContactQuery { a: &later[0], b: &later[1], feature: query.feature, faces: None };
            let left = query.touch(Start::Cold).unwrap().gap;
            let name = format!("{there:?}, {by:?}, {way:?}, {:?}", query.feature);
            assert!(left >= 0.0, "{}: {left} after {part} of {least}, {name}", named(&there));
        }
    }
    seen
}

/// Engines that watch gaps by bounds on their change see every weight begin.
#[test]
fn no_weight_begins_before_the_bodies_have_moved_by_the_gap() {
    let mut seen = 0;
    for seed in [73, 74] {
        let mut random = Random(seed);
        for pair in all() {
            seen += (0..300).map(|_| follow_ways(&mut random, &pair)).sum::<usize>();
        }
    }
    assert!(seen > 50_000, "{seen}");
}

/// The same of bodies of all kinds and sizes that lie, stand on an edge or lean.
#[test]
fn no_weight_of_any_two_bodies_begins_before_they_have_moved_by_the_gap() {
    let mut random = Random(76);
    let mut seen = 0;
    for _ in 0..400 {
        let pair = any_pair(&mut random);
        seen += follow_ways(&mut random, &pair);
    }
    assert!(seen > 5_000, "{seen}");
}

/// A body with faces, a side or edges, up to 0.2 m wide.
fn any_shape(random: &mut Random) -> Shape {
    let mut size = || 0.1 * 10f64.powf(random.within(-1.0, 0.0));
    let [x, y, z] = [size(), size(), size()];
    match random.within(0.0, 8.0) as usize {
        0 => Cuboid::new([2.0 * x, 2.0 * y, 2.0 * z], 0.0).unwrap().into(),
        1 => Cuboid::new([2.0 * x, 2.0 * y, 2.0 * z], 0.3 * x.min(y).min(z)).unwrap().into(),
        2 => Cylinder::new(x, z).unwrap().into(),
        3 => Frustum::new([x, y], 2.0 * z).unwrap().into(),
        4 => Frustum::cone(x, 2.0 * z).unwrap().into(),
        5 => Capsule::new(x, z).unwrap().into(),
        6 => {
            let corners: Vec<Vec3> =
                (0..8).map(|_| random.vector().component_mul(&Vec3::new(x, y, z))).collect();
            let rounding = if random.unit() < 0.5 { 1e-6 } else { 0.2 * x.min(y).min(z) };
            ConvexHull::new(&corners, rounding).unwrap().into()
        }
        _ => {
            let exponents = [random.within(7.0, 50.0), random.within(7.0, 50.0)];
            Superellipsoid::new([x, y, z], exponents).unwrap().into()
        }
    }
}

/// A turn by quarters and about z, every other one leaning; or any turn.
fn any_turn(random: &mut Random, by_quarters: bool) -> Pose {
    let any = Pose::new(Vec3::zeros(), random.rotation());
    if !by_quarters {
        return any;
    }
    let mut axis = || [Vec3::x(), Vec3::y(), Vec3::z()][random.within(0.0, 3.0) as usize];
    let (first, about) = (axis(), axis());
    let leans = if random.unit() < 0.6 { 0.0 } else { random.within(0.03, 0.6) };
    let turn = |axis: Vec3, angle: f64| Pose::identity().rotated(axis, angle).unwrap().orientation;
    let quarter = turn(first, FRAC_PI_2 * random.within(0.0, 4.0).floor());
    Pose::new(Vec3::zeros(), turn(Vec3::z(), random.within(0.0, 6.0)) * turn(about, leans) * quarter)
}

/// Two of them whose contact has weights, the second one above the first and just touching it.
fn any_pair(random: &mut Random) -> [Collider; 2] {
    loop {
        let shapes = [any_shape(random), any_shape(random)];
        if feature_count(&shapes[0], &shapes[1], false) < 9 {
            continue;
        }
        let is_askew = random.unit() < 0.05;
        let poses = [any_turn(random, true), any_turn(random, !is_askew)];
        let reach = |k: usize, n: &Vec3| {
            shapes[k].surface().as_support().unwrap().support(&poses[k].vector_to_local(n))
        };
        let height = reach(0, &Vec3::z()) + reach(1, &-Vec3::z());
        let aside = [Vec3::x(), Vec3::y()].map(|n| reach(0, &n) * random.within(-1.3, 1.3));
        let at = Vec3::new(aside[0], aside[1], height);
        let [a, b] = shapes;
        return [
            Collider { shape: a, pose: poses[0] },
            Collider { shape: b, pose: Pose::new(at, poses[1].orientation) },
        ];
    }
}

/// What lies inclined on a level face that it does not reach beyond is pushed straight up: nothing drives it along.
#[test]
fn what_lies_within_a_level_face_is_pushed_along_its_normal_however_it_is_inclined() {
    let turn = Pose::identity().rotated(Vec3::new(0.6, 0.8, 0.0), 4e-3).unwrap().orientation;
    let mut seen = 0;
    for ([below, above], ..) in lying() {
        let is_level_face = matches!(below.shape, Shape::Cuboid(_)) || below.pose.orientation.angle() == 0.0;
        let reaches_beyond = above.shape.surface().bounds().extents().max() > 0.3;
        if !is_level_face || reaches_beyond {
            continue;
        }
        let pose = Pose::new(above.pose.position, turn * above.pose.orientation);
        let above = Collider { shape: above.shape.clone(), pose };
        let found = collide(&below, &above, 0.0).unwrap();
        let swapped = collide(&above, &below, 0.0).unwrap();
        assert_eq!(found.len(), swapped.len());
        for (contact, other) in found.iter().zip(&swapped) {
            let up = contact.touch.normal;
            assert!(
                (up - Vec3::z()).norm() < 1e-14,
                "{} on {}: {up}",
                above.shape.surface().kind(),
                below.shape.surface().kind()
            );
            assert!((up + other.touch.normal).norm() < 1e-14);
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}
