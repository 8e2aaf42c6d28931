//! One pair: asked as it is, with its bodies exchanged, moved as a whole or from its own answer; judged and counted.

use crate::check::{Fault, SHARE, Verdict, check};
use crate::couple::Couple;
use crate::engine::{Answer, Refusal, ask, placed_json, pose};
use crate::placement::Placed;
use crate::search::Budget;
use crate::tally::Counts;
use crate::vector::{Random, Rotation, Vector, after, along, times};
use rattleback_contact::narrow::{Branch, Certificate};
use rattleback_geom::Pose;
use rattleback_geom::surface::Shape;
use std::time::Instant;

/// A query that takes longer than this, in s, was perhaps interrupted by another process: it is timed again until two
/// times agree.
const INTERRUPTED: f64 = 2e-3;

/// A pair worth looking at, as `rattleback distance` reads it.
#[derive(Debug, Clone)]
pub struct Case {
    /// Whether it is a false certificate, or an answer that is worse.
    pub is_false: bool,
    /// What is wrong with it.
    pub rule: &'static str,
    /// One line of JSON.
    pub line: String,
}

/// Two placed bodies and their shapes.
pub struct Trial<'a> {
    /// The number of the pair.
    pub index: u64,
    /// How it was placed.
    pub class: &'static str,
    /// A and B.
    pub placed: &'a [Placed<'a>; 2],
    /// As the engine takes them.
    pub shapes: [&'a Shape; 2],
    /// The unit of length in m.
    pub unit: f64,
    /// What may be spent on a search.
    pub budget: Budget,
}

/// Which of the other questions have another answer.
#[derive(Debug, Clone, Copy, Default)]
struct Differences {
    order: bool,
    warm: bool,
    moved: bool,
    /// Whether one of those that differ is certified, and so is the answer.
    certified: bool,
}

impl Trial<'_> {
    /// Asks, judges and counts.
    pub fn run(&self, random: &mut Random) -> (Counts, Option<Case>) {
        let mut counts = Counts { pairs: 1, ..Counts::default() };
        let poses = [0, 1].map(|i| pose(&self.placed[i].position, &self.placed[i].quaternion, self.unit));
        let timed = || {
            let begun = Instant::now();
            (self.ask(&poses, false, None), begun.elapsed().as_secs_f64())
        };
        let (answer, mut seconds) = timed();
        for _ in 0..4 {
            if seconds <= INTERRUPTED {
                break;
            }
            let again = timed().1;
            let agree = again.max(seconds) <= 1.5 * again.min(seconds);
            seconds = seconds.min(again);
            if agree {
                break;
            }
        }
        match answer {
            Ok(answer) => {
                counts.seconds = seconds;
                let case = self.judge(&poses, &answer, random, &mut counts);
                (counts, case)
            }
            Err(Refusal::Error) => {
                counts.errors = 1;
                (counts, None)
            }
            Err(Refusal::Panic) => {
                counts.false_certificates = 1;
                counts.rules.insert(Fault::Panic, 1);
                let case = self.case(true, Fault::Panic.words(), f64::NAN, [f64::NAN; 3], [0.0, f64::NAN]);
                (counts, Some(case))
            }
        }
    }

    fn ask(&self, poses: &[Pose; 2], exchanged: bool, start: Option<&Vector>) -> Result<Answer, Refusal> {
        let [a, b] = [0, 1].map(|i| (self.shapes[i], &poses[i]));
        ask(if exchanged { [b, a] } else { [a, b] }, start, self.unit)
    }

    fn judge(
        &self,
        poses: &[Pose; 2],
        answer: &Answer,
        random: &mut Random,
        counts: &mut Counts,
    ) -> Option<Case> {
        let couple = Couple::new(&self.placed[0], &self.placed[1]);
        let mut panicked = false;
        let mut answered = |asked: Result<Answer, Refusal>| {
            panicked |= matches!(asked, Err(Refusal::Panic));
            asked.ok()
        };
        let exchanged = answered(self.ask(poses, true, None));
        // Queries are most of the time of a run: half of the pairs are moved, the others asked from their own answer.
        let is_moved = random.chance(0.5);
        let warm = (!is_moved).then(|| answered(self.ask(poses, false, Some(&answer.normal))));
        let moved = is_moved.then(|| self.motion(&couple, random));
        let moved = moved.and_then(|(poses, turn)| Some((answered(self.ask(&poses, false, None))?, turn)));
        let mut known: Vec<Vector> = Vec::new();
        known.extend(exchanged.map(|s| times(-1.0, &s.normal)));
        known.extend(warm.flatten().map(|w| w.normal));
        known.extend(moved.map(|(m, turn)| turn.back(&m.normal)));
        let mut verdict = check(&couple, answer, &known, self.budget);
        if panicked {
            verdict.fault = Some(Fault::Panic);
        }
        let mut certified = false;
        let mut differs = |other: &Answer, allowed: f64| {
            let differs = !((other.gap - answer.gap).abs() <= allowed);
            certified |= differs && answer.touch.certified && other.touch.certified;
            differs
        };
        let tolerance = SHARE * couple.size;
        // W and W′, with the shift of the motion.
        let far = 32.0 * f64::EPSILON * (2.0 * couple.far + 2.0 * couple.size);
        let order = exchanged.is_none_or(|other| differs(&other, tolerance));
        let warm = warm.is_some_and(|warm| warm.is_none_or(|other| differs(&other, tolerance)));
        // None where the motion led beyond the lengths that are answered.
        let moved = moved.is_some_and(|(other, _)| differs(&other, tolerance + far));
        let differences = Differences { order, warm, moved, certified };
        self.count(answer, &verdict, differences, counts);
        self.told(answer, &verdict, differences)
    }

    /// The poses after a common motion, and its turn.
    fn motion(&self, couple: &Couple<'_>, random: &mut Random) -> ([Pose; 2], Rotation) {
        let q = random.quaternion();
        let turn = Rotation::new(&q);
        let shift = times(couple.size, &random.direction());
        let poses = [0, 1].map(|i| {
            let placed = &self.placed[i];
            let position = along(&shift, 1.0, &turn.out(&placed.position));
            pose(&position, &after(&q, &placed.quaternion), self.unit)
        });
        (poses, turn)
    }

    fn count(&self, answer: &Answer, verdict: &Verdict, differences: Differences, counts: &mut Counts) {
        let (certified, separate) = (answer.touch.certified, answer.gap > 0.0);
        counts.separate = u64::from(separate);
        counts.overlap = u64::from(!separate);
        counts.certified = u64::from(certified);
        if let Certificate::Overlap { branch, .. } = answer.touch.certificate {
            counts.global = u64::from(branch == Branch::Global);
            counts.compared = u64::from(branch == Branch::Compared);
        }
        counts.order = u64::from(differences.order);
        counts.warm = u64::from(differences.warm);
        counts.moved = u64::from(differences.moved);
        counts.contradictions = u64::from(differences.certified);
        counts.certified_overlaps = u64::from(certified && !separate);
        counts.not_least = u64::from(certified && verdict.not_least);
        counts.said_to_overlap = u64::from(verdict.fault == Some(Fault::SaidToOverlap));
        match verdict.fault {
            Some(fault) if is_false(answer, verdict) => {
                counts.false_certificates = 1;
                counts.rules.insert(fault, 1);
            }
            Some(fault) => {
                counts.uncertified_wrong = 1;
                counts.uncertified_rules.insert(fault, 1);
            }
            None if !certified && verdict.not_least => counts.uncertified_wrong = 1,
            None if !certified => counts.uncertified_right = 1,
            None => {}
        }
    }

    fn told(&self, answer: &Answer, verdict: &Verdict, differences: Differences) -> Option<Case> {
        let rule = match verdict.fault {
            Some(fault) => fault.words(),
            None if verdict.not_least => "the depth is not the least",
            None if !answer.touch.certified => "uncertified and right",
            None if differences.certified => "two certified answers differ",
            None if differences.order => "depends on the order",
            None if differences.moved => "depends on a common motion",
            None if differences.warm => "depends on the start",
            None => return None,
        };
        Some(self.case(
            is_false(answer, verdict),
            rule,
            answer.gap,
            answer.normal,
            [verdict.by, verdict.greatest],
        ))
    }

    /// What the line says of itself is its `id`, which the answer repeats: gap and normal that the engine answered, the
    /// greatest f that was found, and by which share of L a rule is broken.
    fn case(
        &self,
        is_false: bool,
        rule: &'static str,
        gap: f64,
        normal: Vector,
        [by, greatest]: [f64; 2],
    ) -> Case {
        let [a, b] = self.placed;
        let body = |p: &Placed<'_>| placed_json(p.body, &p.position, &p.quaternion, self.unit);
        // JSON has no NaN.
        let number = |x: f64| if x.is_finite() { format!("{x:e}") } else { "null".to_owned() };
        let (gap, greatest) = (number(gap * self.unit), number(greatest * self.unit));
        let id = format!(
            r#"{{"pair":{},"rule":"{rule}","false":{is_false},"class":"{}","gap":{gap},"greatest":{greatest},"by":{},"normal":[{}]}}"#,
            self.index,
            self.class,
            number(by),
            normal.map(number).join(",")
        );
        Case { is_false, rule, line: format!(r#"{{"id":{id},"a":{},"b":{}}}"#, body(a), body(b)) }
    }
}

/// Whether the engine vouches for what is wrong, or breaks where it should refuse.
fn is_false(answer: &Answer, verdict: &Verdict) -> bool {
    let breaks = |fault: Fault| matches!(fault, Fault::NotFinite | Fault::Panic);
    verdict.fault.is_some_and(|fault| answer.touch.certified || breaks(fault))
}
