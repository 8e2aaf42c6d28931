//! Derivatives of every kind of pair against differences of the query itself.
//!
//! `RATTLEBACK_PAIRS` sets how many pairs there are, `RATTLEBACK_SEED` which. A pair is placed at random, at a gap from separate to
//! overlapping. Along each of the twelve coordinates differences of sixth order are taken with steps from 0.1 µm up to 2 cm, and the
//! shortest three in a row that agree are believed. Where none agree the entry is unresolved, for one of two reasons:
//!
//! - beside a plane: a point is so near to a plane where curvature has no derivative, or is infinite, that steps which stay on one
//!   side of it are lost in rounding;
//! - steep: the normal turns so fast, as between rims that are nearly parallel, that rounding is above what differences show.

use crate::differences::{AGREE, Entries, Said, exact, pack, scales, slopes};
use crate::random::Random;
use rattleback_contact::geom::potential::{Harmonics, Potential};
use rattleback_contact::geom::surface::{Capsule, Cylinder, Plane, PotentialBody, Shape, Sphere};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::{Collider, Regularity, Start, contact, derivatives};
use std::collections::BTreeMap;
use std::sync::Arc;

const KINDS: [&str; 12] = [
    "plane",
    "sphere",
    "ellipsoid",
    "thin ellipsoid",
    "superellipsoid 2-4",
    "superellipsoid",
    "superquadric",
    "cylinder",
    "capsule",
    "harmonics",
    "sum",
    "sum with flats",
];

/// The greatest difference from the exact answer that is right, in units of the entry's own scale.
const RIGHT: f64 = 1e-6;

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

/// What became of the pairs of one kind.
#[derive(Default)]
struct Tally {
    pairs: u32,
    uncertified: u32,
    typed: BTreeMap<String, u32>,
    entries: u32,
    /// Beside a plane, steep, for another reason.
    unresolved: [u32; 3],
    wrong: u32,
    worst: f64,
    /// Of an entry that is wrong, or unresolved for another reason.
    example: String,
}

/// A share of a coordinate below this is beside the plane where it vanishes: stencils that are long enough for rounding cross it.
const BESIDE: f64 = 1e-3;

/// A normal that turns faster than this, in rad per metre or radian, is steep.
const STEEP: f64 = 1e3;

/// Whether a point is beside a plane across which curvature is not differentiable.
fn is_beside_plane(body: &Collider, point: &Vec3) -> bool {
    let (axes, exponents) = match &body.shape {
        Shape::Superellipsoid(s) => (s.semi_axes(), s.exponents().to_vec()),
        Shape::Superquadric(s) => (s.semi_axes(), s.exponents().to_vec()),
        _ => return false,
    };
    let least = body.pose.point_to_local(point).component_div(axes).abs().min();
    least < BESIDE && exponents.iter().any(|&e| e != 2.0)
}

fn examine(a: &Collider, b: &Collider, tally: &mut Tally) {
    tally.pairs += 1;
    let found = contact(a, b).unwrap();
    if !found.touch.certified {
        tally.uncertified += 1;
        return;
    }
    let d = derivatives(a, b, &found).unwrap();
    assert!(d.point_a.iter().chain(&d.relative).chain(&d.normal).all(|x| x.is_finite()), "{a:?} {b:?}");
    if d.regularity != Regularity::Smooth {
        *tally.typed.entry(format!("{:?}", d.regularity)).or_default() += 1;
    }
    let rows = match d.regularity {
        r if r.has_curvatures() => 16,
        r if r.has_points() => 10,
        r if r.has_gap() => 1,
        _ => return,
    };
    let infinite = pack(&found).map(|x| !(x.abs() < 1e100));
    let start = Start::Warm(found.touch.normal);
    let all: [Entries; 12] = std::array::from_fn(|column| exact(&d, column));
    for column in 0..12 {
        let e = all[column];
        let scale = scales(&e, &found);
        let said = slopes([a, b], start, column, &scale, &all);
        for row in (0..rows).filter(|&row| !infinite[row]) {
            tally.entries += 1;
            let Said { slope, spread, .. } = said[row];
            let error = (slope - e[row]).abs() / scale[row];
            if spread > AGREE {
                let touch = &found.touch;
                let beside = is_beside_plane(a, &touch.point_a) || is_beside_plane(b, &touch.point_b);
                let steep = e.fixed_rows::<3>(1).norm() > STEEP;
                tally.unresolved[if beside { 0 } else { 2 - usize::from(steep) }] += 1;
                if beside || steep {
                    continue;
                }
            } else {
                tally.worst = tally.worst.max(error);
                tally.wrong += u32::from(error > RIGHT);
            }
            if (spread > AGREE || error > RIGHT) && tally.example.is_empty() {
                tally.example = format!(
                    "row {row}, column {column}: {slope:e} by differences to {spread:.1e}, {:e} exactly, {:?}\n{a:?}\n{b:?}\n{found:?}",
                    e[row], d.regularity
                );
            }
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
        examine(&a, &b, tallies.entry(kinds).or_default());
        done += 1;
    }
    let sum = |of: fn(&Tally) -> u32| tallies.values().map(of).sum::<u32>();
    for (kinds, t) in &tallies {
        println!(
            "{:<40} {:>5} pairs, {:>4} uncertified, {:>7} entries, {:?} unresolved, {:>4} wrong, worst {:.1e} {:?}",
            kinds.join(" - "),
            t.pairs,
            t.uncertified,
            t.entries,
            t.unresolved,
            t.wrong,
            t.worst,
            t.typed
        );
    }
    for t in tallies.values().filter(|t| !t.example.is_empty()) {
        println!("{}", t.example);
    }
    let (entries, wrong) = (sum(|t| t.entries), sum(|t| t.wrong));
    let [beside, steep, other] =
        [sum(|t| t.unresolved[0]), sum(|t| t.unresolved[1]), sum(|t| t.unresolved[2])];
    println!("{entries} entries, {wrong} wrong, {} pairs uncertified", sum(|t| t.uncertified));
    println!("unresolved: {beside} beside a plane, {steep} where the normal is steep, {other} others");
    assert_eq!([wrong, other], [0; 2]);
    assert!(f64::from(beside + steep) < 1e-4 * f64::from(entries));
}
