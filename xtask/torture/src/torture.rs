//! Pairs in chunks, each with bodies of its own, on all threads.

use crate::body::Body;
use crate::check::{Fault, SHARE, Verdict, check};
use crate::couple::Couple;
use crate::engine::{Answer, Refusal, ask, placed_json, pose, shape};
use crate::kind::{KINDS, Kind};
use crate::placement::{Class, Placed, place};
use crate::search::{DEEP, PLAIN};
use crate::tally::Counts;
use crate::vector::{Random, Rotation, Vector, after, along, times};
use rattleback_contact::narrow::{Branch, Certificate};
use rattleback_geom::Pose;
use rattleback_geom::surface::Shape;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::time::Instant;

/// Pairs that share the costly bodies of a bench.
const CHUNK: u64 = 1024;
/// One pair in so many is searched deeply.
const SAMPLED: u64 = 64;

/// A pair worth looking at, as `rattleback distance` reads it.
#[derive(Debug, Clone)]
pub struct Case {
    /// Whether it is a false certificate.
    pub is_false: bool,
    /// One line of JSON.
    pub line: String,
}

/// What a run found.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Counts by kind of pair.
    pub rows: BTreeMap<String, Counts>,
    /// Cases, in the order of the pairs.
    pub cases: Vec<Case>,
}

/// Bodies of one unit.
struct Bench {
    /// 2ᵏ m.
    unit: f64,
    /// Bodies that take long to make, by kind.
    costly: Vec<(Kind, Body, Result<Shape, String>)>,
}

/// The kinds of pairs, without two half-spaces; `only` is a kind, or two with a hyphen between.
pub fn pairs_of(only: Option<&str>) -> Vec<[Kind; 2]> {
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
    pairs
}

/// Asks the engine about `count` pairs of a seed.
pub fn torture(count: u64, seed: u64, only: Option<&str>) -> Result<Outcome, String> {
    let kinds = pairs_of(only);
    if kinds.is_empty() {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name()).collect();
        return Err(format!("no such kind of pair: {}; there are {}", only.unwrap_or(""), names.join(", ")));
    }
    let chunks = count.div_ceil(CHUNK);
    let found: Vec<Outcome> = (0..chunks)
        .into_par_iter()
        .map(|chunk| run_chunk(chunk, count.min((chunk + 1) * CHUNK), seed, &kinds))
        .collect();
    let mut outcome = Outcome::default();
    for part in found {
        for (name, counts) in part.rows {
            outcome.rows.entry(name).or_default().add(&counts);
        }
        outcome.cases.extend(part.cases);
    }
    Ok(outcome)
}

fn run_chunk(chunk: u64, end: u64, seed: u64, kinds: &[[Kind; 2]]) -> Outcome {
    let mut random = Random::new(seed, chunk);
    let wanted: Vec<Kind> = [Kind::Sum, Kind::Harmonics]
        .into_iter()
        .filter(|kind| kinds.iter().any(|pair| pair.contains(kind)))
        .collect();
    let benches: Vec<Bench> = (0..4).map(|k| bench(&mut random, k, &wanted)).collect();
    let mut outcome = Outcome::default();
    for index in chunk * CHUNK..end {
        let pair = kinds[(index % kinds.len() as u64) as usize];
        let mut random = Random::new(seed ^ 0x5bd1_e995, index);
        let bench = random.below(benches.len());
        let bench = &benches[bench];
        run_pair(index, pair, bench, &mut random, &mut outcome);
    }
    outcome
}

/// Most benches are in metres; some are small or large, and some so much that squares of lengths leave the doubles.
fn bench(random: &mut Random, k: usize, wanted: &[Kind]) -> Bench {
    let exponent = match (k, random.below(4)) {
        (0 | 1, _) => 0,
        (2, _) => random.below(121) as i32 - 60,
        (_, 0) => random.of(&[-900, -600, -565, -520, 505, 560, 700, 900]),
        (_, 1) => random.of(&[-400, -250, -170, -120, -88, 88, 120, 170, 250, 400]),
        _ => random.below(121) as i32 - 60,
    };
    let unit = 2_f64.powi(exponent);
    let mut costly = Vec::new();
    for kind in wanted {
        for _ in 0..4 {
            let body = kind.body(random, 1.0);
            let made = shape(&body, unit).map_err(|error| error.to_string());
            costly.push((*kind, body, made));
        }
    }
    Bench { unit, costly }
}

fn body(kind: Kind, bench: &Bench, random: &mut Random) -> (Body, Result<Shape, String>) {
    if kind.is_costly() {
        let of_kind: Vec<_> = bench.costly.iter().filter(|(k, ..)| *k == kind).collect();
        let (_, body, made) = of_kind[random.below(of_kind.len())];
        return (body.clone(), made.clone());
    }
    let size = if random.chance(0.7) { random.power(-0.5, 0.5) } else { random.power(-2.0, 2.0) };
    let body = kind.body(random, size);
    let made = shape(&body, bench.unit).map_err(|error| error.to_string());
    (body, made)
}

/// Everything of one pair.
struct Trial<'a> {
    index: u64,
    class: Class,
    placed: &'a [Placed<'a>; 2],
    unit: f64,
}

fn run_pair(index: u64, [x, y]: [Kind; 2], bench: &Bench, random: &mut Random, outcome: &mut Outcome) {
    let kinds = if random.chance(0.5) { [x, y] } else { [y, x] };
    let counts = outcome.rows.entry(format!("{}-{}", x.name(), y.name())).or_default();
    counts.pairs += 1;
    let [(a, made_a), (b, made_b)] = kinds.map(|kind| body(kind, bench, random));
    let (class, placed) = place(random, &a, &b);
    let (Ok(shape_a), Ok(shape_b)) = (made_a, made_b) else {
        counts.errors += 1;
        return;
    };
    let trial = Trial { index, class, placed: &placed, unit: bench.unit };
    let shapes = [&shape_a, &shape_b];
    let poses = [0, 1].map(|i| pose(&placed[i].position, &placed[i].quaternion, bench.unit));
    let begun = Instant::now();
    let answer = ask([(shapes[0], &poses[0]), (shapes[1], &poses[1])], None, bench.unit);
    let seconds = begun.elapsed().as_secs_f64();
    let answer = match answer {
        Ok(answer) => answer,
        Err(Refusal::Error) => {
            counts.errors += 1;
            return;
        }
        Err(Refusal::Panic) => {
            counts.false_certificates += 1;
            *counts.rules.entry(Fault::Panic).or_default() += 1;
            outcome.cases.push(trial.case(true, "panic", 0.0, f64::NAN));
            return;
        }
    };
    counts.seconds += seconds;
    judge(&trial, shapes, &poses, &answer, random, counts, &mut outcome.cases);
}

fn judge(
    trial: &Trial<'_>,
    shapes: [&Shape; 2],
    poses: &[Pose; 2],
    answer: &Answer,
    random: &mut Random,
    counts: &mut Counts,
    cases: &mut Vec<Case>,
) {
    let [a, b] = trial.placed;
    let couple = Couple::new(a, b);
    let tolerance = SHARE * couple.size;
    let separate = answer.gap > 0.0;
    let certified = answer.touch.certified;
    counts.separate += u64::from(separate);
    counts.overlap += u64::from(!separate);
    counts.certified += u64::from(certified);
    if let Certificate::Overlap { branch, .. } = answer.touch.certificate {
        counts.global += u64::from(branch == Branch::Global);
        counts.compared += u64::from(branch == Branch::Compared);
    }
    let swapped = ask([(shapes[1], &poses[1]), (shapes[0], &poses[0])], None, trial.unit).ok();
    let warm = ask([(shapes[0], &poses[0]), (shapes[1], &poses[1])], Some(&answer.normal), trial.unit).ok();
    let (moved, motion) = moved_answer(trial, &couple, shapes, random);
    let mut known: Vec<Vector> = Vec::new();
    known.extend(swapped.map(|s| times(-1.0, &s.normal)));
    known.extend(warm.map(|w| w.normal));
    known.extend(moved.map(|m| motion.back(&m.normal)));
    let budget = if trial.index.is_multiple_of(SAMPLED) { DEEP } else { PLAIN };
    let verdict = check(&couple, answer, &known, budget);
    let differs = |other: Option<Answer>, allowed: f64| {
        other.is_none_or(|other| !((other.gap - answer.gap).abs() <= allowed))
    };
    let far = 32.0 * f64::EPSILON * (2.0 * couple.far + 4.0 * couple.size);
    let (order, warm) = (differs(swapped, tolerance), differs(warm, tolerance));
    let moved = differs(moved, tolerance + far);
    counts.order += u64::from(order);
    counts.warm += u64::from(warm);
    counts.moved += u64::from(moved);
    counts.certified_overlaps += u64::from(certified && !separate);
    counts.not_least += u64::from(certified && verdict.not_least);
    record(trial, answer, &verdict, [order, warm, moved], counts, cases);
}

fn record(
    trial: &Trial<'_>,
    answer: &Answer,
    verdict: &Verdict,
    [order, warm, moved]: [bool; 3],
    counts: &mut Counts,
    cases: &mut Vec<Case>,
) {
    let certified = answer.touch.certified;
    let is_false = verdict.fault.is_some_and(|fault| certified || fault == Fault::NotFinite);
    counts.said_to_overlap += u64::from(verdict.fault == Some(Fault::SaidToOverlap));
    match verdict.fault {
        Some(fault) if is_false => {
            counts.false_certificates += 1;
            *counts.rules.entry(fault).or_default() += 1;
        }
        Some(_) => counts.uncertified_wrong += 1,
        None if !certified && verdict.not_least => counts.uncertified_wrong += 1,
        None if !certified => counts.uncertified_right += 1,
        None => {}
    }
    let rule = match verdict.fault {
        Some(fault) => fault.words(),
        None if verdict.not_least => "the depth is not the least",
        None if !certified => "uncertified and right",
        None if order => "depends on the order",
        None if moved => "depends on a common motion",
        None if warm => "depends on the start",
        None => return,
    };
    cases.push(trial.case(is_false, rule, answer.gap, verdict.greatest));
}

/// The answer to the same pair after a common motion, and the motion's turn.
fn moved_answer(
    trial: &Trial<'_>,
    couple: &Couple<'_>,
    shapes: [&Shape; 2],
    random: &mut Random,
) -> (Option<Answer>, Rotation) {
    let q = random.quaternion();
    let turn = Rotation::new(&q);
    let shift = times(couple.size, &random.direction());
    let poses = [0, 1].map(|i| {
        let placed = &trial.placed[i];
        let position = along(&shift, 1.0, &turn.out(&placed.position));
        pose(&position, &after(&q, &placed.quaternion), trial.unit)
    });
    (ask([(shapes[0], &poses[0]), (shapes[1], &poses[1])], None, trial.unit).ok(), turn)
}

impl Trial<'_> {
    fn case(&self, is_false: bool, rule: &str, gap: f64, greatest: f64) -> Case {
        let [a, b] = self.placed;
        let body = |p: &Placed<'_>| placed_json(p.body, &p.position, &p.quaternion, self.unit);
        let found =
            if greatest.is_finite() { format!("{:e}", greatest * self.unit) } else { "null".to_owned() };
        let gap = if gap.is_finite() { format!("{:e}", gap * self.unit) } else { "null".to_owned() };
        let line = format!(
            r#"{{"id":{{"pair":{},"rule":"{rule}","class":"{:?}","gap":{gap},"greatest":{found}}},"a":{},"b":{}}}"#,
            self.index,
            self.class,
            body(a),
            body(b)
        );
        Case { is_false, line }
    }
}
