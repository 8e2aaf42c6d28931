//! The touches of many pairs in one call, timed: poses come from standard input as rows of seven doubles.
//!
//! `crates/py/examples/speed.py` sets it beside the same from Python. Prints the least time of some rounds in s and the
//! sum of all gaps in m.

use rattleback_contact::geom::Pose;
use rattleback_contact::geom::surface::Ellipsoid;
use rattleback_contact::{Collider, ColliderPair, touches};
use std::io::Read;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rounds: usize = std::env::args().nth(1).map_or(Ok(3), |text| text.parse())?;
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes)?;
    let numbers =
        bytes.chunks_exact(8).map(|b| f64::from_le_bytes([b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]]));
    let numbers: Vec<f64> = numbers.collect();
    let egg = Ellipsoid::new([0.3, 0.2, 0.1])?;
    let mut colliders = vec![Collider::new(egg, Pose::identity())];
    for row in numbers.chunks_exact(7) {
        let pose = Pose::from_parts([row[0], row[1], row[2]], [row[3], row[4], row[5], row[6]])?;
        colliders.push(Collider::new(egg, pose));
    }
    let pairs: Vec<ColliderPair> = (1..colliders.len()).map(|k| ColliderPair::new(0, k)).collect();
    let (mut least, mut sum) = (f64::INFINITY, 0.0);
    for _ in 0..rounds {
        let begun = Instant::now();
        let found = touches(&colliders, &pairs);
        least = least.min(begun.elapsed().as_secs_f64());
        sum = 0.0;
        for touch in found {
            sum += touch?.gap;
        }
    }
    println!("{least} {sum:?}");
    Ok(())
}
