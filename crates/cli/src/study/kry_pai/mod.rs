//! Kry and Pai 2002: evaluation times of surfaces, a bowl on a table under limits on its steps, a rattleback.

mod bowl;
mod stone;

use super::Output;
use super::report::Report;
use clap::Args;
use rattleback_dynamics::Result;
use rattleback_dynamics::study::{kry_pai_bowl, kry_pai_times};
use rattleback_record::Table;

/// What is measured.
#[derive(Args)]
pub struct Arguments {
    /// Limits on the bowl's steps, in ms [default: the paper's 1,2,4,8,16,32,64]
    #[arg(long, value_name = "MS", value_delimiter = ',')]
    steps: Vec<f64>,
    /// How many evaluations of a surface are timed
    #[arg(long, value_name = "N", default_value_t = kry_pai_times::EVALUATIONS as u64,
          value_parser = clap::value_parser!(u64).range(1..))]
    evaluations: u64,
    #[command(flatten)]
    pub output: Output,
}

impl Arguments {
    /// All of the paper, or, if `short`, a look at whether all works.
    pub fn new(short: bool) -> Self {
        let (steps, evaluations) =
            if short { (vec![64.0], 20) } else { (Vec::new(), kry_pai_times::EVALUATIONS) };
        Self { steps, evaluations: evaluations as u64, output: Output { plot: false, output: None } }
    }

    /// In s.
    fn limits(&self) -> Vec<f64> {
        if self.steps.is_empty() {
            return kry_pai_bowl::STEPS.map(|(longest, _)| longest).to_vec();
        }
        self.steps.iter().map(|step| step * 1e-3).collect()
    }
}

pub fn report(arguments: &Arguments) -> Result<Report> {
    let mut report = Report::new("Kry and Pai: surfaces, a bowl on a table, a rattleback");
    report.text(
        "Continuous contact simulation for smooth surfaces, 2002. The paper prints times, sizes and figures, but neither the \
         control points nor how the bowl was thrown: those are ours, so that counts and trajectories are to be compared by \
         their kind.",
    );
    times(&mut report, arguments.evaluations as usize)?;
    bowl::add(&mut report, &arguments.limits())?;
    stone::add(&mut report)?;
    Ok(report)
}

/// Table I.
fn times(report: &mut Report, evaluations: usize) -> Result<()> {
    let columns = ["surface", "ours in µs", "paper in ms", "paper/ours"];
    let mut table = Table::new(columns.map(str::to_owned));
    for row in kry_pai_times::rows(evaluations)? {
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
    Ok(())
}
