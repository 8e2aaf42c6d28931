//! Kry and Pai 2002: evaluation times of surfaces, a bowl on a table under limits on its steps, a rattleback.

pub mod bowl;
mod bowl_report;
pub mod equations;
mod fixed_report;
mod frames;
mod pictures;
pub mod sound;
pub mod stone;
mod stone_report;
mod tap_report;
pub mod times;

use crate::Result;
use rattleback_record::Document;
use rattleback_record::Table;

/// What is measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Extent {
    /// Limits on the bowl's steps, in s.
    pub limits: Vec<f64>,
    /// Those of the columns of Fig. 6, in s.
    pub columns: Vec<f64>,
    /// How many evaluations of a surface are timed.
    pub evaluations: usize,
    /// How much of the sound is listened to, in s.
    pub sound: f64,
}

impl Default for Extent {
    /// All of the paper.
    fn default() -> Self {
        let limits = bowl::STEPS.map(|(longest, _)| longest).to_vec();
        Self {
            limits,
            columns: vec![1e-3, 16e-3, 64e-3],
            evaluations: times::EVALUATIONS,
            sound: sound::DURATION,
        }
    }
}

impl Extent {
    /// A look at whether all works.
    pub fn short() -> Self {
        Self { limits: vec![64e-3], columns: vec![64e-3], evaluations: 20, sound: 0.2 }
    }
}

/// Times the surfaces, throws the bowl and spins the stone.
pub fn report(extent: &Extent) -> Result<Document> {
    let mut report = Document::new("Kry and Pai: surfaces, a bowl on a table, a rattleback");
    report.text(
        "Continuous contact simulation for smooth surfaces, 2002. The paper prints times, sizes and figures, but neither the \
         control points nor how the bowl was thrown: those are ours, so that counts and trajectories are to be compared by \
         their kind.",
    );
    add_times(&mut report, extent.evaluations)?;
    bowl_report::add(&mut report, &extent.limits)?;
    pictures::add_bowl(&mut report, &extent.columns)?;
    stone_report::add(&mut report)?;
    pictures::add_stone(&mut report)?;
    frames::add(&mut report)?;
    fixed_report::add(&mut report)?;
    tap_report::add(&mut report)?;
    sound::add(&mut report, extent.sound)?;
    Ok(report)
}

/// Table I.
fn add_times(report: &mut Document, evaluations: usize) -> Result<()> {
    let columns = ["surface", "ours in µs", "paper in ms", "paper/ours"];
    let mut table = Table::new(columns.map(str::to_owned));
    for row in times::rows(evaluations)? {
        table.push([
            row.name.to_owned(),
            format!("{:.3}", 1e-3 * row.nanoseconds),
            format!("{:.4}", row.paper_milliseconds),
            format!("{:.0}", 1e6 * row.paper_milliseconds / row.nanoseconds),
        ]);
    }
    report.table(
        "Table I: a point with all derivatives to third order, the paper's on a Pentium II of 350 MHz",
        table,
    );
    let mut table = Table::new(columns.map(str::to_owned));
    for row in equations::rows(evaluations)? {
        let paper = row.paper_milliseconds;
        table.push([
            row.name.to_owned(),
            format!("{:.3}", 1e-3 * row.nanoseconds),
            paper.map_or("-".to_owned(), |paper| format!("{paper:.4}")),
            paper.map_or("-".to_owned(), |paper| format!("{:.0}", 1e6 * paper / row.nanoseconds)),
        ]);
    }
    report.table("Section 4.1: the contact matrix and the accelerations, (20), Bézier on Bézier", table);
    Ok(())
}
