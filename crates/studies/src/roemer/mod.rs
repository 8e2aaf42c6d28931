//! The convergence study of Römer et al., section 5.2: two ellipsoids, drawn at random.
//!
//! A at the origin with semi-axes a_M, b_M, c_M, B with a_S, b_S, c_S at (a_M + x̄, b_M + ȳ, c_M + z̄) in any
//! orientation; all nine numbers uniform within (0, 1) m, the orientation uniform over all rotations. Study A starts
//! from n₀ = r/∣r∣, study B from a direction uniform on the sphere (the sentence that says so is cut off in the
//! text; Table 1 has "random").
//!
//! What counts as solved: at the normal that a solver ends with,
//!
//!   ∣∣n·d∣ − ∣d∣∣ < √ε   (90)   and   ∣n·d − gap∣ < √ε m,
//!
//! `gap` being the signed distance that the caller's `reference` gives: least distance, or least depth with a minus.
//! Departure: the paper takes the best result of its four algorithms for the truth and asks that it be closer than
//! the start (91); agreement with the true gap implies the first. What the paper's own criterion accepts, (90) and
//! (91) at the normal that an algorithm ends with, is counted beside it. A realisation penetrates if `gap` < 0.
//!
//! Table 2 asks for the iterations after which a share of all realisations has reached an accuracy. The text does
//! not define the accuracy; here it is the length of the part of d across n, in m, and realisations that were not
//! solved count as never reaching it. The text of the paper has lost the numbers of Table 2; those of Table 1 are in
//! [`PAPER_TABLE_1`].

use crate::draw::Stream;
use rattleback_contact::Result;
use rattleback_contact::narrow::Solution;
use rattleback_contact::narrow::roemer::{Algorithm, Settings, SupportBody, solve_observed};
use rattleback_geom::surface::{Ellipsoid, Support};
use rattleback_geom::{Pose, Vec3};
use rayon::prelude::*;

mod figures;
pub mod query;
mod report;
pub mod schemes;

pub use report::report;

/// The realisations of the paper's study.
pub const PAPER_COUNT: u64 = 100_000;
/// The accuracies of Table 2, in m.
pub const ACCURACIES: [f64; 6] = [1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14];
/// The shares of all realisations of Table 2.
pub const SHARES: [f64; 7] = [0.40, 0.50, 0.60, 0.70, 0.80, 0.90, 0.95];
/// √ε of (90).
const ACCEPTED: f64 = 1.490_116_119_384_765_6e-8;

/// Which start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Study {
    /// n₀ = r/∣r∣.
    A,
    /// n₀ random.
    B,
}

/// A row of Table 1: percentages solved and the least aspect ratio among the failures, each for studies A and B.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PaperRow {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Without penetration, percent.
    pub separate: [f64; 2],
    /// With penetration, percent.
    pub penetrating: [f64; 2],
    /// Least of the larger aspect ratios of failed realisations without penetration.
    pub separate_aspect: [f64; 2],
    /// The same with penetration.
    pub penetrating_aspect: [f64; 2],
}

const fn row(algorithm: Algorithm, percent: [[f64; 2]; 2], aspect: [[f64; 2]; 2]) -> PaperRow {
    PaperRow {
        algorithm,
        separate: percent[0],
        penetrating: percent[1],
        separate_aspect: aspect[0],
        penetrating_aspect: aspect[1],
    }
}

/// Table 1 of the paper: 10⁵ realisations, at most 10³ iterations.
pub const PAPER_TABLE_1: [PaperRow; 4] = [
    row(Algorithm::I, [[55.2, 16.5], [48.9, 18.4]], [[1.3, 1.0], [1.5, 1.3]]),
    row(Algorithm::II, [[92.8, 47.5], [77.7, 47.3]], [[2.0, 1.1], [1.5, 1.2]]),
    row(Algorithm::III, [[99.9, 99.7], [97.8, 96.4]], [[18.2, 3.4], [4.1, 3.6]]),
    row(Algorithm::IV, [[99.2, 99.1], [96.4, 95.2]], [[6.2, 3.4], [3.6, 2.2]]),
];

/// One random pair; A stands at the origin along the world's axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Realisation {
    /// Semi-axes of A in m.
    pub semi_axes_a: [f64; 3],
    /// Semi-axes of B in m.
    pub semi_axes_b: [f64; 3],
    /// Where B is.
    pub pose_b: Pose,
    /// The start of study B, of length one.
    pub random_normal: Vec3,
}

/// The realisation of an index under a seed; any machine, thread or order gives the same.
pub fn realisation(seed: u64, index: u64) -> Realisation {
    let mut stream = Stream::new(seed, index);
    let mut three = || [stream.unit(), stream.unit(), stream.unit()];
    let (semi_axes_a, semi_axes_b, beyond) = (three(), three(), three());
    let orientation = stream.rotation();
    Realisation {
        semi_axes_a,
        semi_axes_b,
        pose_b: Pose::new(Vec3::from(semi_axes_a) + Vec3::from(beyond), orientation),
        random_normal: stream.direction(),
    }
}

impl Realisation {
    /// The normal that a study starts from.
    pub fn start(&self, study: Study) -> Vec3 {
        match study {
            Study::A => self.pose_b.position.normalize(),
            Study::B => self.random_normal,
        }
    }

    /// ∣d∣ of the points with a normal, in m.
    pub fn length(&self, normal: &Vec3) -> Result<f64> {
        let (a, b) = (Ellipsoid::new(self.semi_axes_a)?, Ellipsoid::new(self.semi_axes_b)?);
        let q = b.support_point(&-self.pose_b.vector_to_local(normal));
        Ok((self.pose_b.point_to_world(&q) - a.support_point(normal)).norm())
    }

    /// The larger of the two ratios of the longest to the shortest semi-axis.
    pub fn aspect(&self) -> f64 {
        let ratio = |[a, b, c]: [f64; 3]| a.max(b).max(c) / a.min(b).min(c);
        ratio(self.semi_axes_a).max(ratio(self.semi_axes_b))
    }
}

/// What a solver did with a realisation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attempt {
    /// Where it ended, if anywhere.
    pub solution: Option<Solution>,
    /// The iterations after which each of [`ACCURACIES`] was first reached.
    pub reached: [Option<u32>; 6],
    /// ∣d∣ at the start, in m.
    pub begun: f64,
}

/// Runs one of the four algorithms with the study's bound of 10³ iterations.
///
/// The tolerance is the last accuracy of Table 2; where rounding keeps an iteration from reaching it, the best normal
/// on the way is what counts.
pub fn attempt(algorithm: Algorithm, realisation: &Realisation, start: &Vec3) -> Result<Attempt> {
    let (a, b) = (Ellipsoid::new(realisation.semi_axes_a)?, Ellipsoid::new(realisation.semi_axes_b)?);
    let body_a = SupportBody { surface: &a, pose: Pose::identity() };
    let body_b = SupportBody { surface: &b, pose: realisation.pose_b };
    let settings = Settings { tolerance: ACCURACIES[5], max_iterations: 1000 };
    let mut reached = [None; 6];
    let mut observe = |iterations: u32, across: f64| {
        for (first, accuracy) in reached.iter_mut().zip(ACCURACIES) {
            if first.is_none() && across <= accuracy {
                *first = Some(iterations);
            }
        }
    };
    let outcome = solve_observed(algorithm, &body_a, &body_b, start, &settings, &mut observe)?;
    Ok(Attempt { solution: Some(*outcome.best()), reached, begun: realisation.length(start)? })
}

/// The realisations with, or without, penetration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Group {
    /// All of them.
    pub count: u64,
    /// Those solved.
    pub solved: u64,
    /// Those that the paper's criterion accepts, (90) and (91).
    pub accepted: u64,
    /// The least aspect ratio among the others; +∞ where there are none.
    pub failed_aspect: f64,
}

impl Group {
    const EMPTY: Self = Self { count: 0, solved: 0, accepted: 0, failed_aspect: f64::INFINITY };

    /// The share solved in percent; NaN for an empty group.
    pub fn percent(&self) -> f64 {
        100.0 * self.solved as f64 / self.count as f64
    }

    /// The share that the paper's criterion accepts, in percent; NaN for an empty group.
    pub fn accepted_percent(&self) -> f64 {
        100.0 * self.accepted as f64 / self.count as f64
    }

    fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.solved += other.solved;
        self.accepted += other.accepted;
        self.failed_aspect = self.failed_aspect.min(other.failed_aspect);
    }
}

/// The outcome of a study for one solver.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    /// Without penetration.
    pub separate: Group,
    /// With penetration.
    pub penetrating: Group,
    /// For each of [`ACCURACIES`], how many solved realisations first reached it after 0, 1, 2, … iterations.
    pub needed: [Vec<u64>; 6],
}

impl Default for Tally {
    fn default() -> Self {
        Self { separate: Group::EMPTY, penetrating: Group::EMPTY, needed: Default::default() }
    }
}

impl Tally {
    /// Adds the counts of another part of the same study.
    pub fn merge(mut self, other: &Self) -> Self {
        self.separate.merge(&other.separate);
        self.penetrating.merge(&other.penetrating);
        for (mine, theirs) in self.needed.iter_mut().zip(&other.needed) {
            if mine.len() < theirs.len() {
                mine.resize(theirs.len(), 0);
            }
            mine.iter_mut().zip(theirs).for_each(|(m, t)| *m += t);
        }
        self
    }

    /// An entry of Table 2: the iterations after which `share` of all realisations had reached an accuracy, given by
    /// its place in [`ACCURACIES`]; none if fewer ever did.
    pub fn iterations_for(&self, accuracy: usize, share: f64) -> Option<u32> {
        let wanted = share * (self.separate.count + self.penetrating.count) as f64;
        let mut sum = 0;
        let place = self.needed.get(accuracy)?.iter().position(|&n| {
            sum += n;
            sum as f64 >= wanted
        });
        place.map(|n| n as u32)
    }

    fn add(mut self, realisation: &Realisation, attempt: &Attempt, gap: f64) -> Self {
        let solved = attempt.solution.is_some_and(|s| is_solved(&s, gap));
        let group = if gap < 0.0 { &mut self.penetrating } else { &mut self.separate };
        group.count += 1;
        group.accepted += u64::from(attempt.solution.is_some_and(|s| is_accepted(&s, attempt.begun)));
        if !solved {
            group.failed_aspect = group.failed_aspect.min(realisation.aspect());
            return self;
        }
        group.solved += 1;
        for (histogram, reached) in self.needed.iter_mut().zip(attempt.reached) {
            let Some(n) = reached else { continue };
            let n = n as usize;
            if histogram.len() <= n {
                histogram.resize(n + 1, 0);
            }
            histogram[n] += 1;
        }
        self
    }
}

/// The paper's criterion: (90), and ∣d∣ below that of the start, `begun` in m, (91). The far sides of separate bodies
/// and deep overlaps may pass it.
pub fn is_accepted(solution: &Solution, begun: f64) -> bool {
    let d = solution.point_b - solution.point_a;
    (solution.normal.dot(&d).abs() - d.norm()).abs() < ACCEPTED && d.norm() < begun
}

/// (90), and agreement with the true gap.
pub fn is_solved(solution: &Solution, gap: f64) -> bool {
    let d = solution.point_b - solution.point_a;
    let along = solution.normal.dot(&d);
    (along.abs() - d.norm()).abs() < ACCEPTED && (along - gap).abs() < ACCEPTED
}

/// Runs a solver over the realisations `0..count` of a seed on all threads.
///
/// `solver` gets a realisation and the study's start; `reference` gives the true signed gap in m. The counts do not
/// depend on the number of threads.
pub fn run(
    study: Study,
    seed: u64,
    count: u64,
    solver: impl Fn(&Realisation, &Vec3) -> Result<Attempt> + Sync,
    reference: impl Fn(&Realisation) -> Result<f64> + Sync,
) -> Result<Tally> {
    (0..count)
        .into_par_iter()
        .map(|index| {
            let realisation = realisation(seed, index);
            let attempt = solver(&realisation, &realisation.start(study))?;
            Ok((realisation, attempt, reference(&realisation)?))
        })
        .try_fold(Tally::default, |tally, item| item.map(|(r, a, gap)| tally.add(&r, &a, gap)))
        .try_reduce(Tally::default, |x, y| Ok(x.merge(&y)))
}
