//! The engine's own query, [`touch`], on the realisations of a study.
//!
//! It takes no start: it chooses one by itself. Its iterations are those at its end; the accuracies on the way are not
//! observed, so that an accuracy counts as reached at the end, which is late for the coarse ones.

use super::{ACCURACIES, Attempt, Realisation, Study};
use rattleback_contact::Result;
use rattleback_contact::narrow::roemer::Algorithm;
use rattleback_contact::narrow::{Branch, Certificate, Solution, Start, Touch, touch};
use rattleback_geom::Pose;
use rattleback_geom::surface::{Ellipsoid, Shape};
use rayon::prelude::*;

/// The answer to a realisation.
pub fn answer(realisation: &Realisation) -> Result<Touch> {
    let a = Shape::from(Ellipsoid::new(realisation.semi_axes_a)?);
    let b = Shape::from(Ellipsoid::new(realisation.semi_axes_b)?);
    touch(&a, &Pose::identity(), &b, &realisation.pose_b, Start::Cold)
}

/// The answer in the terms of the study.
pub fn attempt(realisation: &Realisation) -> Result<Attempt> {
    let t = answer(realisation)?;
    let solution = Solution {
        gap: t.gap,
        normal: t.normal,
        point_a: t.point_a,
        point_b: t.point_b,
        iterations: t.iterations,
        residual: t.residual,
    };
    let reached = ACCURACIES.map(|accuracy| (t.residual <= accuracy).then_some(t.iterations));
    let begun = realisation.length(&realisation.start(Study::A))?;
    Ok(Attempt { solution: Some(solution), reached, begun })
}

/// What the answers to many realisations rest on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Evidence {
    /// All realisations.
    pub count: u64,
    /// Those that returned an error.
    pub failed: u64,
    /// Those whose answer has a number that is not finite.
    pub not_finite: u64,
    /// Those whose answer meets the engine's tolerance.
    pub certified: u64,
    /// Bodies that are apart.
    pub separate: u64,
    /// Overlaps whose depth is proved to be the least of all.
    pub global: u64,
    /// Overlaps whose depth is the least of those that a search found.
    pub compared: u64,
    /// How many took 0, 1, 2, … iterations.
    pub iterations: Vec<u64>,
}

impl Evidence {
    /// Answers that are not certified; errors are counted elsewhere.
    pub fn uncertified(&self) -> u64 {
        self.count - self.failed - self.certified
    }

    /// The least number of iterations that a share of all answers did not exceed; zero where there are none.
    pub fn iterations_within(&self, share: f64) -> usize {
        let wanted = share * self.iterations.iter().sum::<u64>() as f64;
        let mut sum = 0;
        let place = self.iterations.iter().position(|&n| {
            sum += n;
            sum as f64 >= wanted
        });
        place.unwrap_or(0)
    }

    fn add(mut self, answer: &Result<Touch>) -> Self {
        self.count += 1;
        let Ok(touch) = answer else {
            self.failed += 1;
            return self;
        };
        let sum = touch.gap + touch.normal.sum() + touch.point_a.sum() + touch.point_b.sum();
        self.not_finite += u64::from(!sum.is_finite());
        self.certified += u64::from(touch.certified);
        match touch.certificate {
            Certificate::Overlap { branch: Branch::Global, .. } => self.global += 1,
            Certificate::Overlap { .. } => self.compared += 1,
            _ => self.separate += 1,
        }
        let n = touch.iterations as usize;
        if self.iterations.len() <= n {
            self.iterations.resize(n + 1, 0);
        }
        self.iterations[n] += 1;
        self
    }

    fn merge(mut self, other: &Self) -> Self {
        self.count += other.count;
        self.failed += other.failed;
        self.not_finite += other.not_finite;
        self.certified += other.certified;
        self.separate += other.separate;
        self.global += other.global;
        self.compared += other.compared;
        if self.iterations.len() < other.iterations.len() {
            self.iterations.resize(other.iterations.len(), 0);
        }
        self.iterations.iter_mut().zip(&other.iterations).for_each(|(m, t)| *m += t);
        self
    }
}

/// How many overlaps of the realisations `0..count` have a lesser depth than the answer says, by more than `slack` m,
/// along a normal that one of the algorithms of Römer et al. ends with from either start.
///
/// A translation by n·d along any normal separates the bodies, so that one such normal refutes an answer; that there
/// is none proves nothing.
pub fn refuted(seed: u64, count: u64, slack: f64) -> Result<u64> {
    let is_refuted = |index| {
        let realisation = super::realisation(seed, index);
        let gap = answer(&realisation)?.gap;
        if gap >= 0.0 {
            return Ok(false);
        }
        for algorithm in Algorithm::ALL {
            for study in [Study::A, Study::B] {
                let found = super::attempt(algorithm, &realisation, &realisation.start(study))?;
                if found.solution.is_some_and(|s| s.normal.dot(&(s.point_b - s.point_a)) > gap + slack) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    };
    (0..count).into_par_iter().map(|index| is_refuted(index).map(u64::from)).sum()
}

/// Answers the realisations `0..count` of a drawing on all threads.
pub fn evidence(count: u64, draw: impl Fn(u64) -> Realisation + Sync) -> Evidence {
    (0..count)
        .into_par_iter()
        .fold(Evidence::default, |sum, index| sum.add(&answer(&draw(index))))
        .reduce(Evidence::default, |x, y| x.merge(&y))
}
