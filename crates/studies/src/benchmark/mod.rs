//! A benchmark of signed distances whose truth is proved to 1e-14 m: pairs, their gaps, and a table of solvers with
//! their failures, accuracy and times.
//!
//! The sets are in [`set`], the proof in [`truth`], the files in [`files`].

pub mod files;
pub mod measure;
pub mod set;
pub mod truth;

use crate::Result;
use crate::draw::Drawn;
use measure::{ACCURACIES, Row, WRONG, ask};
use rattleback_contact::Solver;
use rattleback_record::{Axis, Document, Figure, Series, Table};
use set::{Certified, Set};
use std::path::Path;

/// The pairs of a set unless another number is asked for.
pub const PAIRS: u64 = 500;

/// Whose answers are compared besides those of the solvers here.
#[derive(Debug, Clone, Copy, Default)]
pub struct Peers<'a> {
    /// The folder with the files of their drivers.
    pub folder: Option<&'a Path>,
    /// What is to be said of them.
    pub remark: Option<&'a str>,
}

/// The sets with their pairs.
pub fn data(drawn: Drawn) -> Result<Vec<(Set, Vec<Certified>)>> {
    Set::ALL.into_iter().map(|set| Ok((set, set.pairs(drawn.seed, drawn.samples)?))).collect()
}

/// Asks every solver every pair, and adds what other libraries answered.
pub fn report(data: &[(Set, Vec<Certified>)], peers: Peers) -> Result<Document> {
    let mut report = Document::new("A certified benchmark of signed distances");
    let all = || data.iter().flat_map(|(_, pairs)| pairs);
    let widest = all().fold(0.0f64, |most, pair| most.max(pair.truth.width.abs()));
    report.text(format!(
        "{} pairs in {} sets. The gap of every pair is known to {widest:.0e} m at worst: a lower bound from a normal and an \
         upper one from two points, evaluated with 32 digits (crates/studies/src/benchmark/truth.rs). Under overlap the upper \
         bound holds for every direction, because the overlap is less than the least radii of curvature. A method is asked \
         each pair from its own cold start, alone on one thread.",
        all().count(),
        data.len(),
    ));
    let mut medians: Vec<(String, Vec<[f64; 2]>)> = Vec::new();
    for (k, (set, pairs)) in data.iter().enumerate() {
        let mut rows = Solver::ALL.into_iter().map(|s| ask(s, pairs)).collect::<Result<Vec<Row>>>()?;
        rows.extend(peers.folder.map_or_else(Vec::new, |folder| files::peers(folder, *set, pairs)));
        for row in &rows {
            let share = 100.0 * row.within[1] as f64 / row.count.max(1) as f64;
            match medians.iter_mut().find(|(name, _)| *name == row.name) {
                Some((_, points)) => points.push([k as f64, share]),
                None => medians.push((row.name.clone(), vec![[k as f64, share]])),
            }
        }
        report.table(format!("{}: {}", set.name(), set.describe()), table(&rows));
    }
    report.text(format!(
        "Failed: no answer, or none that is a number; gjk has no depth, and answers nothing of bodies that touch or overlap. \
         Wrong: farther than {WRONG:.0e} m from the truth, most often another common normal. Median and greatest are errors \
         of the gap, the greatest among the answers that are not wrong. Times are of the machine that made this page, and of \
         whatever else it did; those of other libraries are by their own drivers, the best of several rounds.",
    ));
    report.text(peers.remark.unwrap_or(
        "Other libraries are not in these tables: none of their drivers was run (--peers FOLDER names them).",
    ));
    report.figure("accuracy", figure(data, medians));
    for (set, pairs) in data {
        for (name, bytes) in files::of(*set, pairs) {
            let what = match name.rsplit('.').next() {
                Some("jsonl") => "pairs, for rattleback distance",
                Some("csv") => "their truth",
                _ => "the same pairs as doubles, for other programs",
            };
            report.file(name.clone(), bytes, format!("{name}: {what}"));
        }
    }
    Ok(report)
}

fn table(rows: &[Row]) -> Table {
    let columns = ["method", "failed %", "wrong %"].map(str::to_owned).into_iter();
    let columns = columns.chain(ACCURACIES.map(|most| format!("within {most:.0e} m, %")));
    let mut table =
        Table::new(columns.chain(["median, m", "greatest, m", "µs per query"].map(str::to_owned)));
    for row in rows {
        let percent = |n: usize| format!("{:.1}", 100.0 * n as f64 / row.count.max(1) as f64);
        let length = |x: Option<f64>| x.map_or("-".to_owned(), |x| format!("{x:.1e}"));
        let mut cells = vec![row.name.clone(), percent(row.failed), percent(row.wrong)];
        cells.extend(row.within.map(percent));
        cells.extend([length(row.median), length(row.greatest)]);
        cells.push(row.microseconds.map_or("-".to_owned(), |t| format!("{t:.2}")));
        table.push(cells);
    }
    table
}

/// The share within 1e-12 m of every method, set by set.
fn figure(data: &[(Set, Vec<Certified>)], shares: Vec<(String, Vec<[f64; 2]>)>) -> Figure {
    let names: Vec<String> =
        data.iter().enumerate().map(|(k, (set, _))| format!("{k} {}", set.name())).collect();
    Figure {
        title: "Answers within 1e-12 m of the truth".to_owned(),
        x: Axis {
            label: format!("set: {}", names.join(", ")),
            range: [-0.2, data.len() as f64 - 0.8],
            logarithmic: false,
        },
        y: Axis { label: "percent".to_owned(), range: [-2.0, 105.0], logarithmic: false },
        series: shares.into_iter().map(|(name, points)| Series { name, points, dashed: false }).collect(),
    }
}
