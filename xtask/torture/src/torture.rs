//! Pairs in chunks, each with bodies of its own, on all threads.

use crate::body::Body;
use crate::engine::shape;
use crate::kind::{KINDS, Kind};
use crate::placement::place;
use crate::search::{DEEP, PLAIN};
use crate::tally::{Counts, Tally};
use crate::trial::{Case, Trial};
use crate::vector::Random;
use rattleback_geom::surface::Shape;
use rayon::prelude::*;

/// Pairs that share the costly bodies of their benches.
const CHUNK: u64 = 1024;
/// Chunks between two reports of progress.
const BATCH: u64 = 128;
/// One pair in so many is searched deeply.
const SAMPLED: u64 = 64;
/// Costly bodies of a kind on a bench.
const SHARED: usize = 4;
/// Up to 2^±60 m, some 1e±18 m, every pair must be answered.
const ORDINARY: i32 = 60;

/// Bodies of one unit.
struct Bench {
    /// k of the unit of 2ᵏ m.
    exponent: i32,
    /// Bodies that take long to make, and what the engine makes of them.
    costly: Vec<(Kind, Made)>,
}

/// A body, and its shape where the engine accepts it.
#[derive(Clone)]
struct Made {
    body: Body,
    shape: Option<Shape>,
}

impl Bench {
    fn unit(&self) -> f64 {
        2_f64.powi(self.exponent)
    }

    fn name(&self) -> &'static str {
        match self.exponent {
            0 => "unit 1 m",
            k if k.abs() <= ORDINARY => "unit 1e-18 to 1e18 m",
            k if k.abs() <= 400 => "unit 1e-120 to 1e120 m",
            _ => "unit 1e-270 to 1e270 m",
        }
    }

    fn make(&self, kind: Kind, size: f64, random: &mut Random) -> Made {
        let body = kind.body(random, size);
        let shape = shape(&body, self.unit()).ok();
        Made { body, shape }
    }

    /// A body of a kind, of its own or one that others use too.
    fn body(&self, kind: Kind, random: &mut Random) -> Made {
        let shared: Vec<&Made> =
            self.costly.iter().filter(|(k, _)| *k == kind).map(|(_, made)| made).collect();
        if !shared.is_empty() {
            return shared[random.below(shared.len())].clone();
        }
        let size = match random.below(20) {
            0..=13 => random.power(-0.5, 0.5),
            14..=18 => random.power(-2.0, 2.0),
            _ => random.power(-9.0, 0.0),
        };
        self.make(kind, size, random)
    }
}

/// The kinds of pairs, without two half-spaces; `only` is a kind, or two with a hyphen between.
fn pairs_of(only: Option<&str>) -> Result<Vec<[Kind; 2]>, String> {
    let mut pairs = Vec::new();
    for (i, x) in KINDS.iter().enumerate() {
        for y in &KINDS[i..] {
            let [n, m] = [x.name(), y.name()];
            let wanted = only.is_none_or(|only| {
                only == n || only == m || only == format!("{n}-{m}") || only == format!("{m}-{n}")
            });
            if [*x, *y] != [Kind::Plane; 2] && wanted {
                pairs.push([*x, *y]);
            }
        }
    }
    match (pairs.is_empty(), only) {
        (true, Some(only)) => {
            let names = KINDS.map(Kind::name).join(", ");
            Err(format!("KIND: found {only}; expected one of {names}, or two of them with a hyphen between"))
        }
        _ => Ok(pairs),
    }
}

/// Asks the engine about `count` pairs of a seed. The pairs do not depend on the number of threads. After every batch
/// `report` gets the cases in the order of the pairs, and what was counted so far.
pub fn torture(
    count: u64,
    seed: u64,
    only: Option<&str>,
    mut report: impl FnMut(&[Case], &Tally) -> Result<(), String>,
) -> Result<Tally, String> {
    let kinds = pairs_of(only)?;
    let chunks = count.div_ceil(CHUNK);
    let mut tally = Tally::default();
    for first in (0..chunks).step_by(BATCH as usize) {
        let found: Vec<(Tally, Vec<Case>)> = (first..chunks.min(first + BATCH))
            .into_par_iter()
            .map(|chunk| run_chunk(chunk, count.min((chunk + 1) * CHUNK), seed, &kinds))
            .collect();
        let mut cases = Vec::new();
        for (part, some) in found {
            tally.add(&part);
            cases.extend(some);
        }
        report(&cases, &tally)?;
    }
    Ok(tally)
}

/// The pairs of a seed with these numbers once more, all kinds taking part: what they are counted as, and the cases.
pub fn repeat(seed: u64, pairs: &[u64]) -> Result<(Tally, Vec<Case>), String> {
    let kinds = pairs_of(None)?;
    let each = |&index: &u64| {
        let (mut tally, benches) = (Tally::default(), benches(index / CHUNK, seed, &kinds));
        let case = run_index(index, seed, &kinds, &benches, &mut tally);
        (tally, case)
    };
    let found: Vec<(Tally, Option<Case>)> = pairs.par_iter().map(each).collect();
    let (mut tally, mut cases) = (Tally::default(), Vec::new());
    for (part, case) in found {
        tally.add(&part);
        cases.extend(case);
    }
    Ok((tally, cases))
}

fn benches(chunk: u64, seed: u64, kinds: &[[Kind; 2]]) -> [Bench; 4] {
    let mut random = Random::new(seed, chunk);
    let costly: Vec<Kind> = KINDS
        .into_iter()
        .filter(|kind| kind.is_costly() && kinds.iter().any(|pair| pair.contains(kind)))
        .collect();
    [0, 1, 2, 3].map(|k| bench(&mut random, k, &costly))
}

fn run_chunk(chunk: u64, end: u64, seed: u64, kinds: &[[Kind; 2]]) -> (Tally, Vec<Case>) {
    let benches = benches(chunk, seed, kinds);
    let (mut tally, mut cases) = (Tally::default(), Vec::new());
    for index in chunk * CHUNK..end {
        cases.extend(run_index(index, seed, kinds, &benches, &mut tally));
    }
    (tally, cases)
}

fn run_index(
    index: u64,
    seed: u64,
    kinds: &[[Kind; 2]],
    benches: &[Bench; 4],
    tally: &mut Tally,
) -> Option<Case> {
    let pair = kinds[(index % kinds.len() as u64) as usize];
    let mut random = Random::new(!seed, index);
    let bench = &benches[random.below(benches.len())];
    run_pair(index, pair, bench, &mut random, tally)
}

/// Two benches of four are in metres; one is small or large, and one so much that lengths squared may leave the
/// doubles.
fn bench(random: &mut Random, k: usize, costly: &[Kind]) -> Bench {
    let ordinary = |random: &mut Random| random.below(2 * ORDINARY as usize + 1) as i32 - ORDINARY;
    let exponent = match (k, random.below(4)) {
        (0 | 1, _) => 0,
        (3, 0) => random.of(&[-900, -600, -565, -520, 505, 560, 700, 900]),
        (3, 1) => random.of(&[-400, -250, -170, -120, -88, 88, 120, 170, 250, 400]),
        _ => ordinary(random),
    };
    let mut bench = Bench { exponent, costly: Vec::new() };
    for kind in costly {
        for _ in 0..SHARED {
            let made = bench.make(*kind, 1.0, random);
            bench.costly.push((*kind, made));
        }
    }
    bench
}

fn run_pair(
    index: u64,
    [x, y]: [Kind; 2],
    bench: &Bench,
    random: &mut Random,
    tally: &mut Tally,
) -> Option<Case> {
    let kinds = if random.chance(0.5) { [x, y] } else { [y, x] };
    let [a, b] = kinds.map(|kind| bench.body(kind, random));
    let (class, far, placed) = place(random, &a.body, &b.body);
    let (counts, case) = match (&a.shape, &b.shape) {
        (Some(shape_a), Some(shape_b)) => {
            let budget = if index.is_multiple_of(SAMPLED) { DEEP } else { PLAIN };
            let (shapes, unit) = ([shape_a, shape_b], bench.unit());
            Trial { index, class: class.name(), placed: &placed, shapes, unit, budget }.run(random)
        }
        _ => (Counts { pairs: 1, errors: 1, ..Counts::default() }, None),
    };
    tally.count([x.name(), y.name()], [class.name(), bench.name(), far], &counts);
    case
}
