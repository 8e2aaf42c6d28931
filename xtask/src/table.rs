//! Times and answers of all libraries on one set.
//!
//! An answer is right to a length if its distance is that near to ours, counted over the pairs whose answer of ours
//! is certified. Ours is checked in turn by every library's normals: the signed gap is the greatest f(n) over all
//! directions, so that an f(n) above our gap refutes it.

use crate::inputs::{self, InputPair};
use std::cmp::Ordering;
use std::fmt::Write;
use std::fs;
use std::path::Path;

const OURS: &str = "rattleback:touch";
/// In m, bodies being about 1 m.
const RIGHT: [f64; 3] = [1e-6, 1e-9, 1e-12];
/// How far f(n) must be above our gap to refute it, in m: well above the rounding of f(n).
const REFUTED: f64 = 1e-12;

/// A row of `timings.csv`, in ns.
#[derive(Debug, Clone)]
pub struct Timing {
    name: String,
    set: String,
    mean: f64,
    median: f64,
    p99: f64,
    most: f64,
}

impl Timing {
    /// Reads name,set,N,mean,median,p99,max.
    pub fn parse(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split(',').collect();
        let &[name, set, _, mean, median, p99, most] = fields.as_slice() else { return None };
        let number = |text: &str| text.parse().ok();
        Some(Self {
            name: name.to_owned(),
            set: set.to_owned(),
            mean: number(mean)?,
            median: number(median)?,
            p99: number(p99)?,
            most: number(most)?,
        })
    }
}

/// The answers of one library: distance, normal, two points.
fn answers(folder: &Path, name: &str, set: &str) -> Result<Vec<f64>, String> {
    inputs::read_numbers(&folder.join("out").join(format!("{name}__{set}.bin")))
}

/// What a set's answers are held against.
struct Reference {
    pairs: Vec<InputPair>,
    gaps: Vec<f64>,
    certified: Vec<bool>,
}

impl Reference {
    fn read(folder: &Path, set: &str) -> Result<Self, String> {
        let file = folder.join("out").join(format!("{OURS}__{set}.certified"));
        let certified = fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let gaps: Vec<f64> = answers(folder, OURS, set)?.chunks_exact(10).map(|row| row[0]).collect();
        let pairs = inputs::read(folder, set)?;
        if gaps.len() != pairs.len() || certified.len() != pairs.len() {
            return Err(format!("the set {set} and our answers to it differ in number"));
        }
        Ok(Self { pairs, gaps, certified: certified.iter().map(|&c| c == 1).collect() })
    }

    fn count(&self) -> usize {
        self.certified.iter().filter(|&&c| c).count()
    }

    /// The percentages that are right, and how many of our gaps are refuted.
    fn compare(&self, answers: &[f64]) -> ([f64; 3], usize) {
        let (mut right, mut refuted) = ([0; 3], 0);
        for (k, row) in answers.chunks_exact(10).enumerate() {
            let (Some(pair), gap, true) = (self.pairs.get(k), self.gaps[k], self.certified[k]) else {
                continue;
            };
            let error = (row[0] - gap).abs();
            for (right, most) in right.iter_mut().zip(RIGHT) {
                *right += usize::from(error <= most);
            }
            refuted += usize::from(pair.bound([row[1], row[2], row[3]]) > gap + REFUTED);
        }
        (right.map(|n| 100.0 * n as f64 / self.count() as f64), refuted)
    }
}

/// The table of a set, fastest first.
pub fn of(folder: &Path, set: &str, rows: &[Timing]) -> Result<String, String> {
    let reference = Reference::read(folder, set)?;
    let mut best: Vec<&Timing> = Vec::new();
    for row in rows.iter().filter(|row| row.set == set) {
        match best.iter_mut().find(|other| other.name == row.name) {
            Some(other) if row.mean < other.mean => *other = row,
            Some(_) => {}
            None => best.push(row),
        }
    }
    best.sort_by(|x, y| x.mean.partial_cmp(&y.mean).unwrap_or(Ordering::Equal));
    let ours = best.iter().find(|row| row.name == OURS).map_or(f64::NAN, |row| row.mean);
    let mut text = format!(
        "{set}: {} pairs, {} of them overlap, {} of our answers certified\n{:<16} {:<27} {:>8} {:>8} {:>8} {:>8} {:>6}   {:>8} {:>8} {:>8} {:>8}\n",
        reference.pairs.len(),
        reference.gaps.iter().filter(|&&gap| gap < 0.0).count(),
        reference.count(),
        "library",
        "name",
        "mean ns",
        "median",
        "p99",
        "max",
        "ratio",
        "1e-6 %",
        "1e-9 %",
        "1e-12 %",
        "refuted"
    );
    for row in best {
        let ([six, nine, twelve], refuted) = reference.compare(&answers(folder, &row.name, set)?);
        let (library, name) = row.name.split_once(':').unwrap_or((&row.name, ""));
        let ratio = row.mean / ours;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{library:<16} {name:<27} {:>8.0} {:>8.0} {:>8.0} {:>8.0} {ratio:>6.2}   {six:>8.3} {nine:>8.3} {twelve:>8.3} {refuted:>8}",
            row.mean, row.median, row.p99, row.most
        );
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_and_a_short_one_refused() {
        let row = Timing::parse("parry:contact,A,20000,1.5,2,3,4.25").expect("seven fields");
        assert_eq!((row.name.as_str(), row.set.as_str()), ("parry:contact", "A"));
        assert_eq!([row.mean, row.median, row.p99, row.most], [1.5, 2.0, 3.0, 4.25]);
        assert!(Timing::parse("parry:contact,A,20000,1.5,2,3").is_none());
        assert!(Timing::parse("parry:contact,A,20000,fast,2,3,4").is_none());
    }
}
