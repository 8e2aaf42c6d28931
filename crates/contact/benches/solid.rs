//! What a query of solids without a support function costs, for every kind of pair, apart and overlapping: random pairs
//! of `tests/solids`, the least of several times each, asked cold and asked again with the normal that was found.
//!
//! Times are also told as multiples of that of two ellipsoids in the same run, which compare across machines. For every
//! kind of body it is told how many of its single pairs take more than what is allowed.
//!
//! `RATTLEBACK_PAIRS` sets how many pairs of each kind are apart and how many overlap (12), `RATTLEBACK_SEED` where
//! they begin; `RATTLEBACK_SLOW` prints every pair that takes more than so many µs, `RATTLEBACK_ALL=1` every kind of
//! pair, and `RATTLEBACK_KINDS=I,J` asks only about the kinds I and J of `tests/solids/kinds.rs`; with
//! `RATTLEBACK_ONLY=K` too it asks about their pair K once, without a clock, as counters of instructions need it.

#[path = "../tests/solids/brute.rs"]
#[allow(dead_code)]
mod brute;
#[path = "../tests/solids/convex.rs"]
mod convex;
#[path = "../tests/solids/kinds.rs"]
mod kinds;
#[path = "../tests/solids/random.rs"]
mod random;

use brute::Solid;
use kinds::{KINDS, STACKS};
use random::Random;
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::narrow::touch;
use rattleback_contact::{Start, Touch};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

/// What is allowed for a query, in s.
const ALLOWED: f64 = 50e-6;

/// How often a pair is asked, and how often one that takes more than the share of what is allowed.
const FEW: usize = 5;
const MANY: usize = 60;
const CLEARLY: f64 = 0.5;

/// An ellipsoid among the kinds.
const ELLIPSOID: usize = 11;

#[derive(Default, Clone)]
struct Times(Vec<f64>);

impl Times {
    fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len().max(1) as f64
    }

    fn most(&self) -> f64 {
        self.0.iter().copied().fold(0.0, f64::max)
    }

    /// How many took longer than what is allowed.
    fn above(&self) -> usize {
        self.0.iter().filter(|time| **time > ALLOWED).count()
    }

    /// Times that a half, a tenth and so on of the pairs exceed.
    fn quantiles(&self) -> String {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let at = |share: f64| sorted[((sorted.len() - 1) as f64 * (1.0 - share)).round() as usize];
        let shares = [0.5, 0.1, 0.03, 0.01, 0.003, 0.001];
        let tell = |share: f64| format!("  {:.1} % {:.1}", 1e2 * share, 1e6 * at(share));
        if sorted.is_empty() { String::new() } else { shares.map(tell).concat() }
    }

    fn show(&self, unit: f64) -> String {
        let (mean, most) = (self.mean(), self.most());
        format!("{:6}{:6}{:8.1}{:8.1}{:9.1}", self.0.len(), self.above(), 1e6 * mean, mean / unit, 1e6 * most)
    }
}

fn setting(name: &str, default: f64) -> f64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The least time of a few, and of many where a few are not clearly below what is allowed: what else the machine does
/// only adds to a time.
fn least(mut ask: impl FnMut() -> Option<Touch>) -> f64 {
    let mut once = |_| {
        let begun = Instant::now();
        black_box(ask());
        begun.elapsed().as_secs_f64()
    };
    let few = (0..FEW).map(&mut once).fold(f64::INFINITY, f64::min);
    if few < CLEARLY * ALLOWED { few } else { (FEW..MANY).map(once).fold(few, f64::min) }
}

struct Pair {
    solids: [Solid; 2],
    poses: [Pose; 2],
}

impl Pair {
    fn random(kinds: [usize; 2], r: &mut Random) -> Self {
        let solids = kinds.map(|kind| kinds::random(kind, r));
        let first = Pose { position: Vec3::zeros(), orientation: r.turn() };
        let second = r.pose(solids[0].radius() + solids[1].radius());
        Self { solids, poses: [first, second] }
    }

    fn ask(&self, start: Start) -> Option<Touch> {
        let ([a, b], [pose_a, pose_b]) = (&self.solids, &self.poses);
        touch(&a.shape, pose_a, &b.shape, pose_b, start).ok()
    }

    fn names(&self) -> [&'static str; 2] {
        [self.solids[0].name, self.solids[1].name]
    }
}

/// Times of a kind of pair, cold and warm, of those apart and of those that overlap.
type Kind = [[Times; 2]; 2];

fn measure(kinds: [usize; 2], each: usize, seed: u64, slow: f64) -> ([&'static str; 2], Kind) {
    let mut out = Kind::default();
    let mut names = [""; 2];
    let only = std::env::var("RATTLEBACK_ONLY").ok().and_then(|text| text.parse::<u64>().ok());
    for k in 0..20 * each as u64 {
        if only.is_some_and(|only| only != k) {
            continue;
        }
        let number = (seed << 32) + ((kinds[0] * KINDS + kinds[1]) as u64) * 65_536 + k;
        let pair = Pair::random(kinds, &mut Random(number.wrapping_mul(0x2545_f491_4f6c_dd1d)));
        names = pair.names();
        let Some(found) = pair.ask(Start::Cold) else { continue };
        if only.is_some() {
            println!("{names:?} gap {:.3e}, {} steps", found.gap, found.iterations);
            continue;
        }
        let of_state = &mut out[usize::from(found.gap <= 0.0)];
        if of_state[0].0.len() >= each {
            continue;
        }
        let times = [Start::Cold, Start::Warm(found.normal)].map(|start| least(|| pair.ask(start)));
        of_state.iter_mut().zip(times).for_each(|(t, time)| t.0.push(time));
        if times.iter().any(|time| *time > slow) {
            let [cold, warm] = times.map(|time| 1e6 * time);
            let (gap, off, steps, sure) = (found.gap, found.residual, found.iterations, found.certified);
            println!(
                "{k}: {kinds:?} {names:?} gap {gap:.3e}, off {off:.0e}, cold {cold:.1} µs, warm {warm:.1} µs, {steps} steps, certified {sure}"
            );
        }
    }
    (names, out)
}

fn main() {
    let (each, seed) = (setting("RATTLEBACK_PAIRS", 12.0) as usize, setting("RATTLEBACK_SEED", 1.0) as u64);
    let slow = 1e-6 * setting("RATTLEBACK_SLOW", f64::INFINITY);
    let (_, reference) = measure([ELLIPSOID, ELLIPSOID], each.max(50), seed, f64::INFINITY);
    let unit = reference[0][0].mean();
    println!("two ellipsoids apart, asked cold: {:.2} µs on average, the unit of ×", 1e6 * unit);
    let mut by_first: BTreeMap<&str, Kind> = BTreeMap::new();
    let mut by_kinds: Vec<(String, Times)> = Vec::new();
    let only = std::env::var("RATTLEBACK_KINDS").ok();
    for i in 0..STACKS {
        for j in (i..KINDS).filter(|j| only.as_ref().is_none_or(|kinds| *kinds == format!("{i},{j}"))) {
            let (names, kind) = measure([i, j], each, seed, slow);
            for (state, text) in ["apart", "overlapping"].into_iter().enumerate() {
                by_kinds.push((format!("{}, {}, {text}", names[0], names[1]), kind[state][0].clone()));
                for name in if i == j { &names[..1] } else { &names[..] } {
                    let all = &mut by_first.entry(name).or_default()[state];
                    (0..2).for_each(|start| all[start].0.extend(&kind[state][start].0));
                }
            }
        }
    }
    let heads = ["apart", "warm", "overlap", "warm"];
    println!("{:20}{}", "pairs, above, µs, ×, max", heads.map(|head| format!("{head:>37}")).concat());
    for (name, [apart, overlap]) in &by_first {
        let shown = [&apart[0], &apart[1], &overlap[0], &overlap[1]].map(|times| times.show(unit));
        println!("{name:20}{}", shown.concat());
    }
    by_kinds.sort_by(|x, y| y.1.mean().total_cmp(&x.1.mean()));
    let above = by_kinds.iter().filter(|(_, times)| times.mean() > ALLOWED).count();
    let all = Times(by_kinds.iter().flat_map(|(_, times)| times.0.iter().copied()).collect());
    println!("all, asked cold: {}", all.show(unit));
    println!(
        "above {:.0} µs: {above} of {} kinds on average, {} of {} pairs ({:.2} %)",
        1e6 * ALLOWED,
        by_kinds.len(),
        all.above(),
        all.0.len(),
        1e2 * all.above() as f64 / all.0.len().max(1) as f64
    );
    println!("slower than so many µs, asked cold:{}", all.quantiles());
    let shown = if setting("RATTLEBACK_ALL", 0.0) > 0.0 { by_kinds.len() } else { 16 };
    for (names, times) in by_kinds.iter().take(shown) {
        println!("{names:60}{}", times.show(unit));
    }
}
