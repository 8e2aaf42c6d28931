//! Derivatives of every kind of pair against differences of the query itself.
//!
//! `RATTLEBACK_PAIRS` sets how many pairs there are, `RATTLEBACK_SEED` which. A pair is placed at random, at a gap from
//! separate to overlapping. Along each of the twelve coordinates differences of sixth order are taken with steps from
//! 0.1 µm up to 2 cm, and the shortest three in a row that agree are believed.

use super::random::Random;
use super::tally::{Tally, report};
use rattleback_contact::geom::Pose;
use rattleback_contact::geom::potential::{Harmonics, Potential};
use rattleback_contact::geom::surface::{Capsule, Cylinder, Frustum, Plane, PotentialBody, Shape, Sphere};
use rattleback_contact::{Collider, Start, contact, contact_from};
use std::collections::BTreeMap;
use std::sync::Arc;

const KINDS: [&str; 14] = [
    "plane",
    "sphere",
    "ellipsoid",
    "thin ellipsoid",
    "superellipsoid 2-4",
    "superellipsoid",
    "superquadric",
    "cylinder",
    "frustum",
    "cone",
    "capsule",
    "harmonics",
    "sum",
    "sum with flats",
];

fn shape(kind: &str, r: &mut Random) -> Shape {
    match kind {
        "plane" => Plane::new(r.vector().into(), r.unit()).unwrap().into(),
        "sphere" => Sphere::new(r.axes(0.1)[0]).unwrap().into(),
        "ellipsoid" => r.ellipsoid(0.2),
        "thin ellipsoid" => r.ellipsoid(0.01),
        "superellipsoid 2-4" => r.superellipsoid(2.0, 4.0),
        "superellipsoid" => {
            let (low, high) = if r.unit() < 0.3 { (1.05, 2.0) } else { (1.05, 50.0) };
            r.superellipsoid(low, high)
        }
        "superquadric" => {
            let (low, high) = if r.unit() < 0.3 { (1.05, 2.0) } else { (1.05, 50.0) };
            r.superquadric(low, high)
        }
        "cylinder" => Cylinder::new(r.axes(0.1)[0], r.axes(0.1)[0]).unwrap().into(),
        "frustum" => Frustum::new([r.axes(0.1)[0], r.axes(0.1)[0]], r.axes(0.1)[0]).unwrap().into(),
        "cone" => Frustum::cone(r.axes(0.1)[0], r.axes(0.1)[0]).unwrap().into(),
        "capsule" => Capsule::new(r.axes(0.1)[0], r.axes(0.1)[0]).unwrap().into(),
        "harmonics" => {
            let mut c = [0.0; 16];
            c.iter_mut().skip(1).for_each(|x| *x = r.within(-0.01, 0.01));
            c[0] = 2.0;
            PotentialBody::new(Potential::harmonics(Harmonics::new(3, &c).unwrap())).unwrap().into()
        }
        "sum" => {
            let part = Potential::ellipsoid(r.axes(0.2)).unwrap().rotated(&r.rotation()).unwrap();
            let sum = part.sum(&Potential::ellipsoid(r.axes(0.2)).unwrap());
            PotentialBody::new(sum.offset(0.05).unwrap()).unwrap().into()
        }
        _ => {
            // Longer than thick, so that walls are met.
            let (radius, length) = (r.axes(0.1)[0], 0.5 + r.unit());
            let part = if r.unit() < 0.5 {
                Potential::from_support(Arc::new(Cylinder::new(radius, length).unwrap()), 0.0)
            } else {
                Potential::from_support(Arc::new(Capsule::new(radius, length).unwrap()), radius)
            };
            let part = part.unwrap().rotated(&r.rotation()).unwrap();
            let other = Potential::ellipsoid(r.axes(0.2)).unwrap();
            PotentialBody::new(part.sum(&other).translated(&r.vector()).unwrap()).unwrap().into()
        }
    }
}

/// Two bodies of the given kinds at a gap between a tenth of a metre and an overlap of a hundredth.
fn pair(kinds: [&str; 2], r: &mut Random) -> Option<(Collider, Collider)> {
    let a = Collider::new(shape(kinds[0], r), Pose::new(r.vector(), r.rotation()));
    // From beside the first body, where faces and walls are met, to far away, where edges and corners are.
    let place = a.pose.position + r.vector() * 4f64.powf(r.unit());
    let mut b = Collider::new(shape(kinds[1], r), Pose::new(place, r.rotation()));
    let gap = [0.1, 1e-3, 0.0, -1e-3, -1e-2][(r.unit() * 5.0) as usize];
    let first = contact(&a, &b).ok()?.touch;
    b.pose.position += first.normal * (gap - first.gap);
    Some((a, b))
}

#[test]
fn derivatives_of_every_kind_of_pair_agree_with_differences() {
    let count: usize = std::env::var("RATTLEBACK_PAIRS").map_or(1000, |n| n.parse().unwrap());
    let mut random = Random(std::env::var("RATTLEBACK_SEED").map_or(7, |n| n.parse().unwrap()));
    let mut tallies: BTreeMap<[&str; 2], Tally> = BTreeMap::new();
    let mut done = 0;
    while done < count {
        let mut kind = || KINDS[(random.unit() * KINDS.len() as f64) as usize];
        let mut kinds = [kind(), kind()];
        if kinds == ["plane"; 2] {
            continue;
        }
        let Some((a, b)) = pair(kinds, &mut random) else { continue };
        kinds.sort_unstable();
        let found = contact(&a, &b).unwrap();
        let known = found.touch.certified.then_some(&found);
        let ask = |a: &Collider, b: &Collider| contact_from(a, b, Start::Warm(found.touch.normal)).ok();
        tallies.entry(kinds).or_default().examine([&a, &b], known, &ask);
        done += 1;
    }
    report(&tallies, 0.0);
}
