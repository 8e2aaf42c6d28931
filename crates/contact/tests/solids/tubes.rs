//! Rings, halves of rings and links close to each other and to balls, eggs and capsules: what is certified is held to
//! the distance of the curves that they are about, sampled all along both. `RATTLEBACK_PAIRS` sets how many pairs there
//! are.

use super::random::Random;
use rattleback_contact::geom::surface::{
    Capsule, Cylinder, Ellipsoid, HalfTorus, Link, Shape, Sphere, Torus,
};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::narrow::touch;
use rattleback_contact::{Start, Touch};
use std::f64::consts::{PI, TAU};

/// A shape about a curve over the parameters from 0 to 1, and how thick it is about it. An egg is thick about its own
/// surface not at all: its curve runs over it in a spiral.
struct Tube {
    shape: Shape,
    curve: Box<dyn Fn(f64) -> Vec3>,
    radius: f64,
    samples: usize,
}

fn tube(kind: usize, r: &mut Random) -> Tube {
    let (big, small) = (r.between(0.2, 0.6), r.between(0.02, 0.15));
    let ring = move |angle: f64| Vec3::new(angle.cos(), angle.sin(), 0.0) * big;
    let new = |shape: Shape, radius: f64, samples, curve: Box<dyn Fn(f64) -> Vec3>| Tube {
        shape,
        curve,
        radius,
        samples,
    };
    match kind {
        0 => new(Torus::new(big, small).unwrap().into(), small, 1500, Box::new(move |u| ring(TAU * u))),
        1 => new(HalfTorus::new(big, small).unwrap().into(), small, 1500, Box::new(move |u| ring(PI * u))),
        2 => {
            let h = r.between(0.01, 0.5);
            let stadium = move |u: f64| {
                let (side, u) = if u < 0.5 { (1.0, 2.0 * u) } else { (-1.0, 2.0 * u - 1.0) };
                let s = u * (2.0 * h + PI * big);
                if s <= 2.0 * h {
                    return Vec3::new(0.0, side * big, side * (s - h));
                }
                let angle = (s - 2.0 * h) / big;
                Vec3::new(0.0, side * big * angle.cos(), side * (h + big * angle.sin()))
            };
            new(Link::new(small, big, h).unwrap().into(), small, 2000, Box::new(stadium))
        }
        3 => new(Sphere::new(small).unwrap().into(), small, 1, Box::new(|_| Vec3::zeros())),
        4 => {
            let h = r.between(0.05, 0.4);
            new(
                Capsule::new(small, h).unwrap().into(),
                small,
                500,
                Box::new(move |u| Vec3::new(0.0, 0.0, (2.0 * u - 1.0) * h)),
            )
        }
        _ => {
            let axes = Vec3::new(r.between(0.05, 0.2), r.between(0.05, 0.2), r.between(0.05, 0.2));
            let spiral = move |u: f64| {
                let (theta, phi) = (PI * u, 60.0 * TAU * u);
                axes.component_mul(&Vec3::new(theta.sin() * phi.cos(), theta.sin() * phi.sin(), theta.cos()))
            };
            new(Ellipsoid::new(axes.into()).unwrap().into(), 0.0, 6000, Box::new(spiral))
        }
    }
}

/// The least distance of samples of both curves less the radii: never below the distance of the solids.
fn sampled(tubes: [&Tube; 2], poses: [&Pose; 2]) -> f64 {
    let points = |k: usize| -> Vec<Vec3> {
        let last = (tubes[k].samples - 1).max(1) as f64;
        (0..tubes[k].samples).map(|i| poses[k].point_to_world(&(tubes[k].curve)(i as f64 / last))).collect()
    };
    let (first, second) = (points(0), points(1));
    let least = first
        .iter()
        .flat_map(|p| second.iter().map(move |q| (p - q).norm_squared()))
        .fold(f64::INFINITY, f64::min);
    least.sqrt() - tubes[0].radius - tubes[1].radius
}

#[test]
fn certified_distances_of_tubes_are_never_above_those_of_their_curves() {
    let pairs: u64 = std::env::var("RATTLEBACK_PAIRS").map_or(60, |n| n.parse().unwrap());
    let (mut apart, mut certified, mut close) = (0, 0, 0);
    for k in 0..pairs {
        let mut r = Random(k.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(99));
        let (a, b) = (tube(r.pick(3), &mut r), tube(r.pick(6), &mut r));
        let pose_a = Pose { position: Vec3::zeros(), orientation: r.turn() };
        let mut pose_b = r.pose(0.6);
        let ask =
            |pose_b: &Pose, start| -> Touch { touch(&a.shape, &pose_a, &b.shape, pose_b, start).unwrap() };
        // Moved together along the normal, in turn, until the gap is a small one.
        let gap = [1e-2, 1e-4, 1e-7, 1e-9][r.pick(4)];
        let mut found = ask(&pose_b, Start::Cold);
        for _ in 0..40 {
            let way = if found.gap > 0.0 { gap - found.gap } else { 0.05 - found.gap };
            pose_b.position += found.normal * way.clamp(-0.1, 0.1);
            found = ask(&pose_b, Start::Warm(found.normal));
            if (found.gap - gap).abs() < 1e-12 {
                break;
            }
        }
        let warm = ask(&pose_b, Start::Warm(found.normal));
        let cold = ask(&pose_b, Start::Cold);
        let distance = sampled([&a, &b], [&pose_a, &pose_b]);
        let said = |gap: f64| format!("pair {k}: {:?} and {:?}: {gap} for {distance}", a.shape, b.shape);
        if warm.gap <= 0.0 || cold.gap <= 0.0 {
            assert!(distance < 1e-3, "{}", said(warm.gap));
            continue;
        }
        apart += 1;
        for answer in [&warm, &cold] {
            // Flat ends of half a ring are farther away than its tube's.
            let half = [&a, &b].iter().any(|tube| matches!(tube.shape, Shape::HalfTorus(_)));
            assert!(half || answer.gap <= distance + 1e-12, "{}", said(answer.gap));
        }
        certified += u64::from(warm.certified && cold.certified);
        close += u64::from((warm.gap - cold.gap).abs() < 1e-12);
    }
    println!("{apart} of {pairs} apart, {certified} of them certified warm and cold, {close} alike");
    assert!(2 * apart > pairs, "{apart} of {pairs} are apart");
    assert!(10 * certified > 9 * apart && 20 * close > 19 * apart, "{certified}, {close} of {apart}");
}

/// The distance of a point from a cylinder about z; zero inside.
fn from_cylinder(x: &Vec3, radius: f64, h: f64) -> f64 {
    (x.x.hypot(x.y) - radius).max(0.0).hypot((x.z.abs() - h).max(0.0))
}

/// Sides, caps and rims of cylinders beside rings and links, inside of them too.
#[test]
fn distances_of_tubes_from_cylinders_are_those_of_their_curves() {
    let pairs: u64 = std::env::var("RATTLEBACK_PAIRS").map_or(200, |n| n.parse().unwrap());
    const SAMPLES: usize = 20_000;
    let (mut apart, mut places) = (0, [0; 3]);
    for k in 0..pairs {
        let mut r = Random(k.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(7));
        let tube = tube([0, 2][r.pick(2)], &mut r);
        let (radius, h) = (r.scaled(0.02, 0.6), r.scaled(0.01, 0.8));
        let cylinder: Shape = Cylinder::new(radius, h).unwrap().into();
        let pose = Pose { position: Vec3::zeros(), orientation: r.turn() };
        // Every fourth one stands on the plane of the curve, as near all the way round.
        let turn = if k % 4 == 0 { pose.orientation } else { r.turn() };
        let place = Pose { orientation: turn, ..r.pose(0.8) };
        let found = touch(&tube.shape, &pose, &cylinder, &place, Start::Cold).unwrap();
        let at = |i: usize| pose.point_to_world(&(tube.curve)(i as f64 / SAMPLES as f64));
        let far = |i: usize| from_cylinder(&place.point_to_local(&at(i)), radius, h) - tube.radius;
        let distance = (0..SAMPLES).map(far).fold(f64::INFINITY, f64::min);
        if found.gap <= 0.0 {
            assert!(distance < 1e-6, "pair {k}: {found:?}, but {distance}");
            continue;
        }
        apart += 1;
        assert!(found.certified, "pair {k}: {found:?}");
        // Between two samples the distance falls by the square of their step at most.
        let off = found.gap - distance;
        assert!((-1e-7..=1e-12).contains(&off), "pair {k}: {found:?}, but {distance}");
        let q = place.point_to_local(&found.point_b);
        let (side, cap) = (q.x.hypot(q.y) > radius - 1e-9, q.z.abs() > h - 1e-9);
        places[usize::from(cap) + usize::from(side && cap)] += 1;
    }
    println!("{apart} apart: beside sides, caps, rims {places:?}");
    assert!(3 * apart > pairs && places.iter().all(|n| 40 * n > apart), "{apart}, {places:?} of {pairs}");
}
