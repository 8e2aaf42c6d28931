//! The cost of a step of the broad phase in a granular packing, and how it grows with the number of bodies.
//!
//! Spheres of diameter one around the points of a cubic lattice of spacing 1.05 oscillate in a direction of their own
//! by 0.1, at a phase of their own, by up to 0.01 in a step; all of them move in every step. Ids are given in
//! random order, as in a packing that has been stirred. One plane lies below. A step updates every box and asks for the
//! pairs. The exponent is the slope of log time over log bodies between the smallest and the largest packing.
//!
//! `fall` adds a common motion of 0.3 per step, so that every body leaves its fattened box in every step or two: the
//! worst case. `ahead` is the same with the motion announced.

use rattleback_contact::broad::{Broad, Filter, Kind};
use rattleback_contact::geom::surface::Plane;
use rattleback_contact::geom::{Aabb, Vec3};
use rattleback_random::unit;
use std::hint::black_box;
use std::time::Instant;

const MARGIN: f64 = 0.02;

struct Grain {
    home: Vec3,
    swing: Vec3,
    phase: f64,
}

fn packing(count: usize) -> Vec<Grain> {
    let mut state = 1;
    let side = (count as f64).cbrt().ceil() as usize;
    let mut grains: Vec<Grain> = (0..count)
        .map(|k| {
            let home =
                Vec3::new((k % side) as f64, (k / side % side) as f64, (k / side / side) as f64) * 1.05;
            let swing = Vec3::from_fn(|_, _| unit(&mut state) - 0.5).normalize() * 0.1;
            Grain { home, swing, phase: unit(&mut state) * std::f64::consts::TAU }
        })
        .collect();
    for k in (1..count).rev() {
        grains.swap(k, (unit(&mut state) * (k + 1) as f64) as usize);
    }
    grains
}

fn boxes(grains: &[Grain], drift: f64, step: usize, into: &mut Vec<Aabb>) {
    into.clear();
    into.extend(grains.iter().map(|grain| {
        let mut centre = grain.home + grain.swing * (0.1 * step as f64 + grain.phase).sin();
        centre.z -= drift * step as f64;
        Aabb { min: centre.add_scalar(-0.5), max: centre.add_scalar(0.5) }
    }));
}

/// The mean over the steps, in seconds, and the number of pairs of the last.
fn measure(
    count: usize,
    drift: f64,
    announced: bool,
    steps: usize,
) -> Result<(f64, usize), Box<dyn std::error::Error>> {
    let grains = packing(count);
    let mut now = Vec::with_capacity(count);
    boxes(&grains, drift, 0, &mut now);
    let mut broad = Broad::new(MARGIN)?;
    broad.insert_plane(0, &Plane::new([0.0, 0.0, 1.0], -0.6)?, Kind::Static, Filter::default())?;
    for (id, aabb) in (1..).zip(&now) {
        broad.insert(id, aabb, Kind::Moving)?;
    }
    broad.pairs();
    let ahead = Vec3::new(0.0, 0.0, if announced { -4.0 * drift } else { 0.0 });
    let mut times = Vec::with_capacity(steps);
    for step in 1..=steps {
        boxes(&grains, drift, step, &mut now);
        let start = Instant::now();
        for (id, aabb) in (1..).zip(&now) {
            broad.update_moving(id, aabb, &ahead)?;
        }
        black_box(broad.pairs().len());
        times.push(start.elapsed().as_secs_f64());
    }
    // The mean, because rebuilding the tree falls on some steps only.
    let mean = times.iter().sum::<f64>() / steps as f64;
    Ok((mean, broad.pairs().len()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, drift, announced) in [("swing", 0.0, false), ("fall", 0.3, false), ("ahead", 0.3, true)] {
        println!(
            "{name:>6}  {:>7}  {:>20}  {:>11}  {:>8}",
            "bodies", "ns per body per step", "ms per step", "pairs"
        );
        let mut times = Vec::new();
        for (count, steps) in [(1000, 1000), (10_000, 200), (100_000, 64)] {
            // The best of three: other work on the machine only ever adds time.
            let (mut seconds, mut pairs) = (f64::INFINITY, 0);
            for _ in 0..3 {
                let (mean, count) = measure(count, drift, announced, steps)?;
                (seconds, pairs) = (mean.min(seconds), count);
            }
            let each = seconds / count as f64 * 1e9;
            println!("{:>6}  {count:>7}  {each:>20.1}  {:>11.3}  {pairs:>8}", "", seconds * 1e3);
            times.push((count as f64, seconds));
        }
        if let (Some(first), Some(last)) = (times.first(), times.last()) {
            println!("        exponent {:.3}\n", (last.1 / first.1).ln() / (last.0 / first.0).ln());
        }
    }
    Ok(())
}
