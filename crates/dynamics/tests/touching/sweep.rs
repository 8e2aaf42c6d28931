//! Every shape on a half-space and on a ball, in every engine that takes it, in several directions.

use super::shapes;
use super::stage::{GRAVITY, engines, least_gap, model, touching};
use rattleback_dynamics::geom::Vec3;
use rattleback_dynamics::geom::surface::{Plane, Shape, Sphere};
use std::collections::BTreeMap;

const DURATION: f64 = 0.008;
/// How far a body falls in that time.
const FALL: f64 = 0.5 * GRAVITY * DURATION * DURATION;

fn directions() -> [Vec3; 4] {
    [Vec3::z(), -Vec3::x(), Vec3::new(1.0, 2.0, 2.0) / 3.0, Vec3::new(-0.48, 0.6, -0.64)]
}

/// A body that the narrow phase cannot put on the carrier to rounding is not exactly touching, and not looked at.
fn is_placed(gap: f64) -> bool {
    gap.abs() < 1e-14
}

fn sweep(
    carrier: impl Fn(&Vec3) -> Shape,
    distance: f64,
    wanted: fn(&str) -> bool,
) -> BTreeMap<(&'static str, &'static str), usize> {
    let mut runs = BTreeMap::new();
    for (name, shape) in shapes::all().into_iter().filter(|(name, _)| wanted(name)) {
        for up in directions() {
            let model = model(carrier(&up), shape.clone(), &up);
            let Ok(motions) = touching(&model, up * distance, &up) else { continue };
            if !super::stage::gap(&model, &motions).is_ok_and(is_placed) {
                continue;
            }
            for (engine, scheme) in engines() {
                // What an engine cannot do, it says before the run.
                let found = least_gap(&model, motions.clone(), &scheme, DURATION);
                let Ok([least, end]) = found else { continue };
                assert!(least > -0.25 * FALL, "{name} up {up:?}, {engine}: gap {least}, at the end {end}");
                *runs.entry((name, engine)).or_default() += 1;
            }
        }
    }
    runs
}

fn demand(
    runs: &BTreeMap<(&'static str, &'static str), usize>,
    engines: &[&'static str],
    shapes: &[&'static str],
) {
    for &engine in engines {
        for &shape in shapes {
            let count = runs.get(&(shape, engine)).copied().unwrap_or(0);
            assert_eq!(count, 4, "{shape}, {engine}: {runs:#?}");
        }
    }
}

/// Bodies with support functions. In `mechanism` and `rolling` flat points of superellipsoids and superquadrics, where
/// curvatures vanish, are refused by an error in some directions.
const ROUND: [&str; 4] = ["sphere", "ellipsoid", "harmonics", "sum"];
const EDGED: [&str; 3] = ["cylinder", "frustum", "capsule"];
const FLAT: [&str; 3] = ["superellipsoid", "rounded box", "superquadric"];

#[test]
fn every_shape_that_touches_a_half_space_exactly_presses_on_it_in_every_engine() {
    let plane = |up: &Vec3| Plane::new([up.x, up.y, up.z], 0.125).unwrap().into();
    let runs = sweep(plane, 3.0, |_| true);
    demand(&runs, &["explicit", "stiff", "many"], &[&ROUND[..], &EDGED, &FLAT, &["torus"]].concat());
    demand(&runs, &["mechanism"], &[&ROUND[..], &EDGED, &["mesh", "link"]].concat());
    demand(&runs, &["rolling"], &[&ROUND[..], &["torus"]].concat());
}

#[test]
fn every_convex_shape_that_touches_a_ball_exactly_presses_on_it_in_every_engine() {
    let ball = |_: &Vec3| Sphere::new(0.5).unwrap().into();
    // Tori and open quadrics against a ball take milliseconds a query: one of the sweeps is enough for them.
    let runs = sweep(ball, 3.0, |name| [&ROUND[..], &EDGED, &FLAT].concat().contains(&name));
    demand(&runs, &["explicit", "stiff", "many"], &[&ROUND[..], &EDGED, &FLAT].concat());
    demand(&runs, &["mechanism"], &[&ROUND[..], &EDGED].concat());
    demand(&runs, &["rolling"], &ROUND);
}
