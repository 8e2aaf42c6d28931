//! Answers and times held against the truth.

use super::set::Certified;
use crate::Result;
use rattleback_contact::{Collider, Solver};
use std::time::Instant;

/// An answer farther from the truth than this, in m, belongs to another common normal, or is none.
pub const WRONG: f64 = 1e-6;
/// The accuracies that are counted, in m.
pub const ACCURACIES: [f64; 3] = [1e-9, 1e-12, 1e-14];

/// What a solver did with a set.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// All pairs.
    pub count: usize,
    /// Those without an answer, or with one that is no number.
    pub failed: usize,
    /// Those whose answer is farther than [`WRONG`] from the truth.
    pub wrong: usize,
    /// Those within each of [`ACCURACIES`].
    pub within: [usize; 3],
    /// The median of the errors of all answers and the greatest of those that are not wrong, in m.
    pub median: Option<f64>,
    /// The greatest error of the answers that are not wrong, in m.
    pub greatest: Option<f64>,
    /// The mean time of a query in µs, where it was taken.
    pub microseconds: Option<f64>,
}

impl Row {
    /// Of the answers to a set; none where a solver had none.
    pub fn new(name: &str, pairs: &[Certified], answers: &[Option<f64>], microseconds: Option<f64>) -> Self {
        let errors = pairs.iter().zip(answers).filter_map(|(pair, gap)| {
            gap.map(|gap| pair.truth.error_of(gap)).filter(|error| error.is_finite())
        });
        let mut errors: Vec<f64> = errors.collect();
        errors.sort_by(f64::total_cmp);
        let right = errors.iter().filter(|error| **error <= WRONG).count();
        let within = ACCURACIES.map(|most| errors.iter().filter(|error| **error <= most).count());
        Self {
            name: name.to_owned(),
            count: pairs.len(),
            failed: pairs.len() - errors.len(),
            wrong: errors.len() - right,
            within,
            median: errors.get(errors.len() / 2).copied(),
            greatest: errors[..right].last().copied(),
            microseconds,
        }
    }
}

/// Asks a solver all pairs of a set, one after the other on this thread.
pub fn ask(solver: Solver, pairs: &[Certified]) -> Result<Row> {
    let bodies: Vec<[Collider; 2]> = pairs.iter().map(Certified::colliders).collect::<Result<_>>()?;
    let begun = Instant::now();
    let answers: Vec<Option<f64>> =
        bodies.iter().map(|[a, b]| solver.solve(a, b).ok().map(|found| found.gap)).collect();
    let microseconds = begun.elapsed().as_secs_f64() * 1e6 / pairs.len().max(1) as f64;
    Ok(Row::new(solver.name(), pairs, &answers, Some(microseconds)))
}
