//! Derivatives of every kind of pair against differences of the query itself.
//!
//! `RATTLEBACK_PAIRS` sets how many pairs there are. A pair is placed at random, at a gap from separate to overlapping. Along each of
//! the twelve coordinates differences of sixth order are taken with steps from 1 cm down to 0.1 µm, each a fifth of the one before,
//! and the two in a row that agree best are believed. Where none agree, a kink lies within the smallest stencil or the query's own
//! error is above the step: the entry counts as unresolved, and there may be few of them.

use crate::random::Random;
use rattleback_contact::geom::nalgebra::SVector;
use rattleback_contact::geom::potential::{Harmonics, Potential};
use rattleback_contact::geom::surface::{Capsule, Cylinder, Plane, PotentialBody, Shape, Sphere};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::{
    Collider, Contact, Derivatives, Regularity, Start, contact, contact_from, derivatives,
};
use std::collections::BTreeMap;

const KINDS: [&str; 11] = [
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
];

/// The greatest difference from the exact answer that is right, in units of the entry's own scale.
const RIGHT: f64 = 1e-6;

/// Differences that agree to this are believed.
const AGREE: f64 = 1e-7;

/// Answers that are farther off than this share of a step tell nothing of their derivatives.
const OFF: f64 = 1e-3;

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
        _ => {
            let part = Potential::ellipsoid(r.axes(0.2)).unwrap().rotated(&r.rotation()).unwrap();
            let sum = part.sum(&Potential::ellipsoid(r.axes(0.2)).unwrap());
            PotentialBody::new(sum.offset(0.05).unwrap()).unwrap().into()
        }
    }
}

/// gap, normal, point_a, point_b, curvature_a, curvature_b, relative in one vector.
fn pack(c: &Contact) -> SVector<f64, 16> {
    let t = &c.touch;
    let mut v = SVector::<f64, 16>::zeros();
    v[0] = t.gap;
    v.fixed_rows_mut::<3>(1).copy_from(&t.normal);
    v.fixed_rows_mut::<3>(4).copy_from(&t.point_a);
    v.fixed_rows_mut::<3>(7).copy_from(&t.point_b);
    for k in 0..2 {
        v[10 + k] = c.curvature_a.kappa[k];
        v[12 + k] = c.curvature_b.kappa[k];
        v[14 + k] = c.relative.kappa[k];
    }
    v
}

fn exact(d: &Derivatives, column: usize) -> SVector<f64, 16> {
    let mut e = SVector::<f64, 16>::zeros();
    e[0] = d.gap[column];
    e.fixed_rows_mut::<3>(1).copy_from(&d.normal.column(column));
    e.fixed_rows_mut::<3>(4).copy_from(&d.point_a.column(column));
    e.fixed_rows_mut::<3>(7).copy_from(&d.point_b.column(column));
    for k in 0..2 {
        e[10 + k] = d.curvature_a[(k, column)];
        e[12 + k] = d.curvature_b[(k, column)];
        e[14 + k] = d.relative[(k, column)];
    }
    e
}

fn moved(c: &Collider, d: &[f64], s: f64) -> Collider {
    let turn =
        rattleback_contact::geom::nalgebra::UnitQuaternion::from_scaled_axis(Vec3::new(d[3], d[4], d[5]) * s);
    let pose = Pose::new(c.pose.position + Vec3::new(d[0], d[1], d[2]) * s, turn * c.pose.orientation);
    Collider { shape: c.shape.clone(), pose }
}

/// The outer normal at a point of a body whose faces are so flat that queries refine its points; those of others follow from normals.
fn own_normal(body: &Collider, p: &Vec3) -> Option<Vec3> {
    let flat = match &body.shape {
        Shape::Superellipsoid(s) => s.exponents().iter().all(|&e| e >= 2.0),
        Shape::Superquadric(s) => s.exponents().iter().all(|&e| e >= 2.0),
        _ => false,
    };
    let implicit = body.shape.surface().as_implicit().filter(|_| flat)?;
    Some(body.pose.vector_to_world(&implicit.gradient(&body.pose.point_to_local(p)).normalize()))
}

/// The answer where points and normals are exactly opposite each other.
///
/// A query stops when its bounds have closed, with a part e of q − p left across n and normals that are an angle off: it is the
/// exact answer for B moved by −e and bodies turned about their points by that angle. What they change is taken from the
/// derivatives under test. Both are at most the share `OFF` of a step, so that no error of the derivatives above that share of
/// itself can hide behind them.
fn settled(
    pair: [&Collider; 2],
    c: &Contact,
    d: &[SVector<f64, 16>; 12],
    h: f64,
) -> Option<SVector<f64, 16>> {
    let t = &c.touch;
    let apart = t.point_b - t.point_a;
    let e = apart - t.normal * t.normal.dot(&apart);
    let mut v = pack(c);
    let mut off = e.norm();
    for k in 0..3 {
        v[7 + k] -= e[k];
        v += d[6 + k] * e[k];
    }
    for (side, point, normal) in [(0, t.point_a, t.normal), (1, t.point_b, -t.normal)] {
        let Some(own) = own_normal(pair[side], &point) else { continue };
        // Turning back by ω about the point moves the origin by ω × (x − p).
        let turn = normal.cross(&own);
        let shift = turn.cross(&(pair[side].pose.position - point));
        off = off.max(turn.norm());
        for k in 0..3 {
            v += d[6 * side + k] * shift[k] + d[6 * side + 3 + k] * turn[k];
        }
    }
    (off <= OFF * h).then_some(v)
}

/// The scale of each entry: of a length, of an angle, and of a curvature's change, with the largest entries of their own kind.
fn scales(e: &SVector<f64, 16>, sharp: f64) -> SVector<f64, 16> {
    let (turn, shift) = (e.fixed_rows::<3>(1).norm(), e.fixed_rows::<6>(4).norm());
    SVector::from_fn(|row, _| match row {
        0 => 1.0,
        1..4 => 1.0 + turn,
        4..10 => 1.0 + shift,
        // A curvature changes as the place moves on and as the normal turns: by κ² per length, by κ per turn.
        _ => (1.0 + sharp) * (1.0 + sharp) * (1.0 + shift) + e[row].abs(),
    })
}

/// What differences say of an entry.
#[derive(Clone, Copy)]
struct Said {
    slope: f64,
    /// How far the two steps that agree best are from each other, in the entry's scale.
    spread: f64,
}

/// Slopes of all entries along one coordinate.
fn slopes(
    pair: [&Collider; 2],
    start: Start,
    column: usize,
    scale: &SVector<f64, 16>,
    exact: &[SVector<f64, 16>; 12],
) -> [Said; 16] {
    let mut d = [0.0; 12];
    d[column] = 1.0;
    let at = |s: f64, h: f64| {
        let moved = [moved(pair[0], &d[..6], s), moved(pair[1], &d[6..], s)];
        let found = contact_from(&moved[0], &moved[1], start).ok()?;
        settled([&moved[0], &moved[1]], &found, exact, h)
    };
    let mut said = [Said { slope: f64::NAN, spread: f64::INFINITY }; 16];
    let mut before: Option<SVector<f64, 16>> = None;
    let mut h = 1e-2;
    for _ in 0..8 {
        let delta = |k: f64| Some(at(k * h, h)? - at(-k * h, h)?);
        let slope = (|| Some((delta(1.0)? * 45.0 - delta(2.0)? * 9.0 + delta(3.0)?) / (60.0 * h)))();
        if let (Some(now), Some(last)) = (slope, before) {
            for row in 0..16 {
                let spread = (now[row] - last[row]).abs() / scale[row];
                if spread < said[row].spread {
                    said[row] = Said { slope: now[row], spread };
                }
            }
        }
        if said.iter().all(|s| s.spread <= 1e-3 * AGREE) {
            break;
        }
        (before, h) = (slope, 0.2 * h);
    }
    said
}

/// What became of the pairs of one kind.
#[derive(Default)]
struct Tally {
    pairs: u32,
    uncertified: u32,
    typed: BTreeMap<String, u32>,
    entries: u32,
    unresolved: u32,
    wrong: u32,
    worst: f64,
    /// Of an entry that is wrong.
    example: String,
}

fn sharpness(c: &Contact) -> f64 {
    let all = [c.curvature_a.kappa, c.curvature_b.kappa].concat();
    all.into_iter().filter(|k| k.is_finite() && *k < 1e100).fold(0.0, f64::max)
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
    let all: [SVector<f64, 16>; 12] = std::array::from_fn(|column| exact(&d, column));
    for column in 0..12 {
        let e = all[column];
        let scale = scales(&e, sharpness(&found));
        let said = slopes([a, b], start, column, &scale, &all);
        for row in (0..rows).filter(|&row| !infinite[row]) {
            tally.entries += 1;
            let Said { slope, spread } = said[row];
            if spread > AGREE {
                tally.unresolved += 1;
                continue;
            }
            let error = (slope - e[row]).abs() / scale[row];
            tally.worst = tally.worst.max(error);
            if error > RIGHT {
                tally.wrong += 1;
                if tally.example.is_empty() {
                    tally.example = format!(
                        "row {row}, column {column}: {slope:e} by differences, {:e} exactly, {:?}\n{a:?}\n{b:?}\n{found:?}",
                        e[row], d.regularity
                    );
                }
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
    let mut random = Random(7);
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
            "{:<40} {:>5} pairs, {:>4} uncertified, {:>7} entries, {:>5} unresolved, {:>4} wrong, worst {:.1e} {:?}",
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
    let (entries, unresolved, wrong) = (sum(|t| t.entries), sum(|t| t.unresolved), sum(|t| t.wrong));
    println!(
        "{entries} entries, {unresolved} unresolved, {wrong} wrong, {} pairs uncertified",
        sum(|t| t.uncertified)
    );
    assert_eq!(wrong, 0);
    assert!(f64::from(unresolved) < 0.01 * f64::from(entries));
}
