//! Derivatives of tori, links and bounded quadrics, their hollows, rims, edges and corners included, against each
//! other, against bodies with support functions and planes, as `every_pair` has them for these. `RATTLEBACK_PAIRS` sets
//! how many pairs there are, `RATTLEBACK_SEED` which.
//!
//! An overlap of such bodies has several common normals. The one that a warm start keeps is examined.

use super::random::Random;
use super::tally::{Tally, report};
use rattleback_contact::geom::surface::{
    Capsule, Cylinder, HalfTorus, Link, Plane, Quadric, Shape, Sheet, Sphere, Superhyperboloid, Torus,
};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::{Collider, Contact, Start, contact, contact_from};
use std::collections::BTreeMap;

/// Those without support functions come first.
const KINDS: [&str; 15] = [
    "torus",
    "half torus",
    "link",
    "one sheet",
    "two sheets",
    "paraboloid",
    "saddle",
    "super one sheet",
    "super two sheets",
    "plane",
    "sphere",
    "ellipsoid",
    "superellipsoid 2-4",
    "cylinder",
    "capsule",
];
const STACKS: usize = 9;

/// So many entries may be unresolved: of edges that overlap, whose common normal a warm start loses before differences
/// are long enough for rounding.
const LOST: f64 = 1e-3;

fn shape(kind: &str, r: &mut Random) -> Shape {
    let sheet = |r: &mut Random| if r.unit() < 0.5 { Sheet::Upper } else { Sheet::Lower };
    let exponents = |r: &mut Random| [r.within(1.3, 6.0), r.within(1.3, 6.0)];
    match kind {
        "torus" => Torus::new(1.0, r.within(0.02, 0.9)).unwrap().into(),
        "half torus" => HalfTorus::new(1.0, r.within(0.02, 0.9)).unwrap().into(),
        "link" => Link::new(r.within(0.05, 0.25), r.within(0.3, 0.6), r.within(0.0, 1.0)).unwrap().into(),
        "one sheet" => Quadric::hyperboloid_one_sheet(r.axes(0.2), r.within(0.2, 1.5)).unwrap().into(),
        "two sheets" => {
            let (axes, sheet) = (r.axes(0.2), sheet(r));
            Quadric::hyperboloid_two_sheets(axes, sheet, axes[2] * r.within(1.1, 3.0)).unwrap().into()
        }
        "paraboloid" => Quadric::elliptic_paraboloid(r.axes(0.2), r.within(0.0, 1.0)).unwrap().into(),
        "saddle" => {
            let (axes, wide) = (r.axes(0.2), [r.within(0.2, 1.0), r.within(0.2, 1.0)]);
            let top = axes[2] * (wide[0] / axes[0]).powi(2) + r.within(0.0, 0.5);
            Quadric::hyperbolic_paraboloid(axes, wide, top).unwrap().into()
        }
        "super one sheet" => {
            Superhyperboloid::one_sheet(r.axes(0.2), exponents(r), r.within(0.2, 1.5)).unwrap().into()
        }
        "super two sheets" => {
            let (axes, exponents, sheet) = (r.axes(0.2), exponents(r), sheet(r));
            let height = axes[2] * r.within(1.1, 3.0);
            Superhyperboloid::two_sheets(axes, exponents, sheet, height).unwrap().into()
        }
        "plane" => Plane::new(r.vector().into(), r.unit()).unwrap().into(),
        "sphere" => Sphere::new(r.axes(0.1)[0]).unwrap().into(),
        "ellipsoid" => r.ellipsoid(0.2),
        "superellipsoid 2-4" => r.superellipsoid(2.0, 4.0),
        "cylinder" => Cylinder::new(r.axes(0.1)[0], r.axes(0.1)[0]).unwrap().into(),
        _ => Capsule::new(r.axes(0.1)[0], r.axes(0.1)[0]).unwrap().into(),
    }
}

/// Two bodies of the given kinds at a gap between a tenth of a metre and an overlap of a hundredth.
fn pair(kinds: [&str; 2], r: &mut Random) -> Option<(Collider, Collider)> {
    let a = Collider::new(shape(kinds[0], r), Pose::new(r.vector(), r.rotation()));
    // From within a hole or a hollow to far away.
    let place = a.pose.position + r.vector() * 8f64.powf(r.unit() - 0.5);
    let mut b = Collider::new(shape(kinds[1], r), Pose::new(place, r.rotation()));
    let gap = [0.1, 1e-3, 0.0, -1e-3, -1e-2][(r.unit() * 5.0) as usize];
    for _ in 0..20 {
        let first = contact(&a, &b).unwrap().touch;
        // Bodies that overlap are pushed apart first.
        let way = if first.gap > 0.0 { gap - first.gap } else { 0.1 - first.gap };
        b.pose.position += first.normal * way;
        if first.gap > 0.0 {
            return Some((a, b));
        }
    }
    None
}

/// The contact that a warm start keeps; none where the answer is neither certified nor a common normal to rounding.
fn settled(a: &Collider, b: &Collider) -> Option<Contact> {
    let mut found = contact(a, b).unwrap();
    for _ in 0..4 {
        let next = contact_from(a, b, Start::Warm(found.touch.normal)).unwrap();
        let moved = (next.touch.point_a - found.touch.point_a).norm();
        found = next;
        if moved < 1e-9 {
            let touch = &found.touch;
            let common = touch.gap < 1e-12 && touch.residual < 1e-12;
            return (touch.certified || common).then_some(found);
        }
    }
    None
}

#[test]
fn derivatives_of_surfaces_without_support_functions_agree_with_differences() {
    let count: usize = std::env::var("RATTLEBACK_PAIRS").map_or(60, |n| n.parse().unwrap());
    let mut random = Random(std::env::var("RATTLEBACK_SEED").map_or(11, |n| n.parse().unwrap()));
    let mut tallies: BTreeMap<[&str; 2], Tally> = BTreeMap::new();
    let mut done = 0;
    while done < count {
        let mut kind = |of: usize| KINDS[(random.unit() * of as f64) as usize];
        let mut kinds = [kind(STACKS), kind(KINDS.len())];
        if random.unit() < 0.5 {
            kinds.swap(0, 1);
        }
        let Some((a, b)) = pair(kinds, &mut random) else { continue };
        kinds.sort_unstable();
        let found = settled(&a, &b);
        let normal = found.map_or(Vec3::x(), |c| c.touch.normal);
        let ask = |a: &Collider, b: &Collider| contact_from(a, b, Start::Warm(normal)).ok();
        tallies.entry(kinds).or_default().examine([&a, &b], found.as_ref(), &ask);
        done += 1;
    }
    report(&tallies, LOST);
}
