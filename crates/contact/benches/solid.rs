//! What a query of solids without a support function costs, for every kind of the first body: random pairs of
//! `tests/solids`, the least of five times each, asked cold and asked again with the normal that was found.
//!
//! `RATTLEBACK_PAIRS` sets how many pairs (2,000), `RATTLEBACK_SEED` where they begin; `RATTLEBACK_SLOW` prints every pair that
//! takes more than so many µs.

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
    let mut quality = [(0, 0.0); 2];
    for k in 0..pairs {
        let mut r = Random(seed.wrapping_add(k).wrapping_mul(0x2545_f491_4f6c_dd1d));
        let (i, j) = (r.pick(STACKS), r.pick(KINDS));
        let (a, b) = (kinds::random(i, &mut r), kinds::random(j, &mut r));
        let pose_a = Pose { position: Vec3::zeros(), orientation: r.turn() };
        let pose_b = r.pose(a.radius() + b.radius());
        let ask = |start| touch(&a.shape, &pose_a, &b.shape, &pose_b, start).ok();
        let Some(found) = ask(Start::Cold) else { continue };
        if std::env::var("OVL").is_ok() && found.gap > 0.0 {
            continue;
        }
        let times = [least(|| ask(Start::Cold)), least(|| ask(Start::Warm(found.normal)))];
        let kinds = &mut tally.entry(a.name).or_default()[usize::from(found.gap <= 0.0)];
        kinds.iter_mut().zip(times).for_each(|(t, time)| t.add(time));
        if found.gap < 0.0 {
            quality[usize::from(found.residual < 1e-9)].0 += 1;
            quality[usize::from(found.residual < 1e-9)].1 += found.gap / (a.radius() + b.radius());
        }
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
    println!("{quality:?} total {}", quality[0].1 + quality[1].1);
    println!("{:20}{:>24}{:>24}{:>24}{:>24}", "pairs, mean µs, max", "apart", "warm", "overlap", "warm");
    for (name, [apart, overlap]) in &tally {
        println!("{name:20}{}{}{}{}", apart[0].show(), apart[1].show(), overlap[0].show(), overlap[1].show());
    }
}
