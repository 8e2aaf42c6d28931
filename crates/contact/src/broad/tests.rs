//! The broad phase against the definition of a pair, written out for all pairs.

use super::{Broad, Filter, Kind};
use crate::proximity::sample::Random;
use rattleback_geom::surface::Plane;
use rattleback_geom::{Aabb, Vec3};
use std::collections::BTreeMap;

const MARGIN: f64 = 0.05;

#[derive(Clone)]
enum Shape {
    Box(Aabb),
    Plane(Plane),
}

/// What was last given for each id.
type World = BTreeMap<u32, (Shape, Kind, Filter)>;

fn definition(world: &World) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    let over = |b: &Aabb, p: &Plane| {
        let least = |i: usize| (p.normal()[i] * b.min[i]).min(p.normal()[i] * b.max[i]);
        least(0) + least(1) + least(2) - p.offset() <= MARGIN
    };
    for (&i, (a, kind_a, filter_a)) in world {
        for (&j, (b, kind_b, filter_b)) in world.range(i + 1..) {
            let near = match (a, b) {
                (Shape::Box(a), Shape::Box(b)) => {
                    a.fattened(0.5 * MARGIN).overlaps(&b.fattened(0.5 * MARGIN))
                }
                (Shape::Box(a), Shape::Plane(p)) | (Shape::Plane(p), Shape::Box(a)) => over(a, p),
                _ => false,
            };
            let meet = filter_a.group & filter_b.mask != 0 && filter_b.group & filter_a.mask != 0;
            if near && meet && (*kind_a == Kind::Moving || *kind_b == Kind::Moving) {
                pairs.push((i, j));
            }
        }
    }
    pairs
}

fn put(broad: &mut Broad, id: u32, (shape, kind, filter): &(Shape, Kind, Filter)) {
    match shape {
        Shape::Box(aabb) => broad.insert_filtered(id, aabb, *kind, *filter).unwrap(),
        Shape::Plane(plane) => broad.insert_plane(id, plane, *kind, *filter).unwrap(),
    }
}

fn random_box(random: &mut Random) -> Aabb {
    // Now and then a body many times as large as the others.
    let size = if random.below(40) == 0 { 1.0 } else { 0.15 };
    let half = Vec3::from_fn(|_, _| random.within(0.0, size));
    let centre = random.point(2.0);
    Aabb { min: centre - half, max: centre + half }
}

fn random_entry(random: &mut Random) -> (Shape, Kind, Filter) {
    let kind = if random.below(4) == 0 { Kind::Static } else { Kind::Moving };
    let filter = match random.below(6) {
        0 => Filter { group: 2, mask: 1 },
        1 => Filter { group: 1, mask: 2 },
        _ => Filter::default(),
    };
    let shape = if random.below(50) == 0 {
        Shape::Plane(Plane::new(random.direction().into(), random.within(-2.0, 0.0)).unwrap())
    } else {
        Shape::Box(random_box(random))
    };
    (shape, kind, filter)
}

/// One random insertion, removal, small step or jump.
fn disturb(random: &mut Random, broad: &mut Broad, world: &mut World) {
    let id = random.below(300) as u32;
    let Some(entry) = world.get_mut(&id) else {
        let entry = random_entry(random);
        put(broad, id, &entry);
        world.insert(id, entry);
        return;
    };
    let chance = random.below(100);
    if chance < 5 {
        broad.remove(id).unwrap();
        world.remove(&id);
        return;
    }
    match &mut entry.0 {
        Shape::Plane(plane) => {
            *plane = Plane::new((*plane.normal()).into(), plane.offset() + random.within(-0.1, 0.1)).unwrap();
            broad.update_plane(id, plane).unwrap();
        }
        Shape::Box(aabb) if chance < 10 => {
            *aabb = random_box(random);
            broad.update(id, aabb).unwrap();
        }
        Shape::Box(aabb) => {
            let step = random.point(0.03);
            *aabb = Aabb { min: aabb.min + step, max: aabb.max + step };
            broad.update_moving(id, aabb, &(step * random.within(0.0, 10.0))).unwrap();
        }
    }
}

#[test]
fn pairs_equal_the_definition_and_those_of_a_fresh_structure_after_thousands_of_random_changes() {
    let mut random = Random(31);
    let (mut broad, mut world) = (Broad::new(MARGIN).unwrap(), World::new());
    let mut most = 0;
    for round in 0..400 {
        // From single changes, put in one by one, to many at once, which rebuild the tree.
        for _ in 0..[1, 5, 20, 200][round % 4] {
            disturb(&mut random, &mut broad, &mut world);
        }
        let expected = definition(&world);
        most = most.max(expected.len());
        assert_eq!(broad.pairs(), expected, "round {round}");
        assert_eq!(broad.len(), world.len());
        if round % 20 == 0 {
            let mut fresh = Broad::new(MARGIN).unwrap();
            world.iter().rev().for_each(|(&id, entry)| put(&mut fresh, id, entry));
            assert_eq!(fresh.pairs(), expected, "round {round}");
        }
    }
    assert!(most > 500, "{most}");
}

#[test]
fn a_clone_goes_on_exactly_like_its_original() {
    let mut random = Random(32);
    let (mut broad, mut world) = (Broad::new(MARGIN).unwrap(), World::new());
    (0..2000).for_each(|_| disturb(&mut random, &mut broad, &mut world));
    broad.pairs();
    (0..50).for_each(|_| disturb(&mut random, &mut broad, &mut world));
    let (mut copy, mut copied_world, mut same) = (broad.clone(), world.clone(), Random(random.0));
    for _ in 0..20 {
        for _ in 0..30 {
            disturb(&mut random, &mut broad, &mut world);
            disturb(&mut same, &mut copy, &mut copied_world);
        }
        assert_eq!(broad.pairs(), copy.pairs());
    }
}

#[test]
fn boxes_as_far_apart_as_the_margin_are_a_pair_and_beyond_it_are_not() {
    let mut broad = Broad::new(0.5).unwrap();
    let unit = |x: f64| Aabb { min: Vec3::new(x, 0.0, 0.0), max: Vec3::new(x + 1.0, 1.0, 1.0) };
    broad.insert(7, &unit(0.0), Kind::Moving).unwrap();
    broad.insert(3, &unit(1.5), Kind::Static).unwrap();
    assert_eq!(broad.pairs(), [(3, 7)]);
    broad.update(7, &unit(-1e-9)).unwrap();
    assert_eq!(broad.pairs(), []);
    broad
        .insert_plane(0, &Plane::new([1.0, 0.0, 0.0], -0.5 - 1e-9).unwrap(), Kind::Static, Filter::default())
        .unwrap();
    assert_eq!(broad.pairs(), [(0, 7)]);
    broad.update_plane(0, &Plane::new([1.0, 0.0, 0.0], -0.6).unwrap()).unwrap();
    assert_eq!(broad.pairs(), []);
}

#[test]
fn a_closure_can_refuse_pairs() {
    let mut broad = Broad::new(0.0).unwrap();
    for id in 0..4 {
        broad.insert(id, &Aabb::centred(Vec3::repeat(1.0)), Kind::Moving).unwrap();
    }
    assert_eq!(broad.pairs_where(|i, j| i + 1 != j), [(0, 2), (0, 3), (1, 3)]);
    assert_eq!(broad.pairs().len(), 6);
}

#[test]
fn a_body_that_stops_does_not_keep_the_long_box_of_its_flight() {
    let mut broad = Broad::new(0.0).unwrap();
    let aabb = Aabb::centred(Vec3::repeat(1.0));
    broad.insert(0, &aabb.fattened(0.1), Kind::Moving).unwrap();
    broad.update_moving(0, &aabb.fattened(0.5), &Vec3::new(100.0, 0.0, 0.0)).unwrap();
    assert!(broad.bodies.fat[0].extents().x > 100.0);
    broad.update(0, &aabb).unwrap();
    assert!(broad.bodies.fat[0].extents().x < 3.0);
}

#[test]
fn nan_infinities_and_wrong_ids_are_refused_by_name_and_leave_the_state_alone() {
    let mut broad = Broad::new(0.1).unwrap();
    let good = Aabb::centred(Vec3::repeat(1.0));
    broad.insert(17, &good, Kind::Moving).unwrap();
    broad.insert(18, &good, Kind::Moving).unwrap();
    let said = |error: crate::ContactError| error.to_string();
    let mut bad = good;
    bad.max.y = f64::NAN;
    assert_eq!(said(broad.update(17, &bad).unwrap_err()), "body 17: max[1] = NaN: must be finite");
    assert_eq!(
        said(broad.insert(5, &Aabb::ALL, Kind::Static).unwrap_err()),
        "body 5: min[0] = -inf: must be finite"
    );
    bad.max.y = -2.0;
    assert_eq!(
        said(broad.update(17, &bad).unwrap_err()),
        "body 17: extent[1] = -1: must be finite and at least zero"
    );
    let ahead = Vec3::new(0.0, 0.0, f64::INFINITY);
    assert_eq!(
        said(broad.update_moving(18, &good, &ahead).unwrap_err()),
        "body 18: ahead[2] = inf: must be finite"
    );
    assert_eq!(
        said(broad.update(4, &good).unwrap_err()),
        "id = 4: must be the id of a body that was inserted"
    );
    assert_eq!(said(broad.remove(99).unwrap_err()), "id = 99: must be the id of a body that was inserted");
    assert_eq!(
        said(broad.insert(17, &good, Kind::Moving).unwrap_err()),
        "id = 17: must be an id that is not in use"
    );
    assert!(
        said(broad.insert(u32::MAX, &good, Kind::Moving).unwrap_err()).ends_with("must be below 16777216")
    );
    assert_eq!(said(Broad::new(f64::NAN).unwrap_err()), "margin = NaN: must be finite and at least zero");
    assert_eq!(broad.pairs(), [(17, 18)]);
}
