//! What a query of solids without a support function costs, for every kind of the first body: random pairs of
//! `tests/solids`, the least of five times each, asked cold and asked again with the normal that was found.
//!
//! `RATTLEBACK_PAIRS` sets how many pairs (2,000), `RATTLEBACK_SEED` where they begin; `RATTLEBACK_SLOW` prints every
//! pair that takes more than so many µs.

#[path = "../tests/solids/brute.rs"]
#[allow(dead_code)]
mod brute;
#[path = "../tests/solids/convex.rs"]
mod convex;
#[path = "../tests/solids/kinds.rs"]
mod kinds;
#[path = "../tests/solids/random.rs"]
mod random;

use kinds::{KINDS, STACKS};
use random::Random;
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::narrow::touch;
use rattleback_contact::{Start, Touch};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

#[derive(Default, Clone, Copy)]
struct Times {
    pairs: usize,
    sum: f64,
    most: f64,
}

impl Times {
    fn add(&mut self, time: f64) {
        self.pairs += 1;
        self.sum += time;
        self.most = self.most.max(time);
    }

    fn show(&self) -> String {
        format!("{:7}{:8.1}{:9.1}", self.pairs, 1e6 * self.sum / self.pairs as f64, 1e6 * self.most)
    }
}

fn setting(name: &str, default: f64) -> f64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn least(mut ask: impl FnMut() -> Option<Touch>) -> f64 {
    let once = |_| {
        let begun = Instant::now();
        black_box(ask());
        begun.elapsed().as_secs_f64()
    };
    (0..5).map(once).fold(f64::INFINITY, f64::min)
}

fn main() {
    let (pairs, seed) = (setting("RATTLEBACK_PAIRS", 2000.0) as u64, setting("RATTLEBACK_SEED", 1.0) as u64);
    let slow = 1e-6 * setting("RATTLEBACK_SLOW", f64::INFINITY);
    // Apart and overlapping, cold and warm.
    let mut tally: BTreeMap<&str, [[Times; 2]; 2]> = BTreeMap::new();
    let mut by_kinds: BTreeMap<(&str, &str, bool), Times> = BTreeMap::new();
    for k in 0..pairs {
        let mut r = Random(seed.wrapping_add(k).wrapping_mul(0x2545_f491_4f6c_dd1d));
        let (i, j) = (r.pick(STACKS), r.pick(KINDS));
        let (a, b) = (kinds::random(i, &mut r), kinds::random(j, &mut r));
        let pose_a = Pose { position: Vec3::zeros(), orientation: r.turn() };
        let pose_b = r.pose(a.radius() + b.radius());
        let ask = |start| touch(&a.shape, &pose_a, &b.shape, &pose_b, start).ok();
        let Some(found) = ask(Start::Cold) else { continue };
        let times = [least(|| ask(Start::Cold)), least(|| ask(Start::Warm(found.normal)))];
        let kinds = &mut tally.entry(a.name).or_default()[usize::from(found.gap <= 0.0)];
        kinds.iter_mut().zip(times).for_each(|(t, time)| t.add(time));
        by_kinds.entry((a.name, b.name, found.gap <= 0.0)).or_default().add(times[0]);
        if times[0] > slow {
            let names = [a.name, b.name];
            println!(
                "{k}: {names:?} gap {:.3e}, {:.0} µs, {} steps",
                found.gap,
                1e6 * times[0],
                found.iterations
            );
        }
    }
    println!("{:20}{:>24}{:>24}{:>24}{:>24}", "pairs, mean µs, max", "apart", "warm", "overlap", "warm");
    for (name, [apart, overlap]) in &tally {
        println!("{name:20}{}{}{}{}", apart[0].show(), apart[1].show(), overlap[0].show(), overlap[1].show());
    }
    let mut worst: Vec<_> = by_kinds.into_iter().filter(|(_, times)| times.pairs >= 5).collect();
    let mean = |times: &Times| times.sum / times.pairs as f64;
    worst.sort_by(|x, y| mean(&y.1).total_cmp(&mean(&x.1)));
    println!("the slowest kinds of pairs, asked cold:");
    for ((a, b, overlap), times) in worst.iter().take(12) {
        let names = format!("{a}, {b}, {}", if *overlap { "overlapping" } else { "apart" });
        println!("{names:60}{}", times.show());
    }
}
