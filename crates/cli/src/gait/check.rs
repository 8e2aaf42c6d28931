//! `rattleback gait check`: what a laboratory should know before it trusts a trial.

use super::Files;
use crate::console::Console;
use crate::failure::Failure;
use crate::progress::Stages;
use clap::{Args, ValueEnum};
use rattleback_gait::Trial;
use rattleback_gait::body::MassTable;
use rattleback_gait::doctor::{Known, examine};
use serde_json::json;
use std::process::ExitCode;

/// Tell what a laboratory should know before it trusts a trial
#[derive(Args)]
#[command(after_help = "\
Told are: the rate against the column of times, the treadmill's speed, stances with the plate under each, the height
of the ground, markers that slip or dip, gaps, the body's mass, the whole body's force against the plates, filters.
Axes, units and the walking direction are found in the data.

Examples:
  rattleback gait check walk1.trc
  rattleback gait check walk1.trc --static standing.trc --forces walk1_grf.mot --json
  rattleback gait check walk1.trc --markers names.toml --mass 72.5")]
pub struct Arguments {
    #[command(flatten)]
    files: Files,
    /// The body's mass in kg [default: from the plates]
    #[arg(long, value_name = "KG")]
    mass: Option<f64>,
    /// The table of mass shares
    #[arg(long, value_enum, default_value_t = Table::Winter)]
    table: Table,
}

/// Tables of mass shares.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Table {
    /// Winter, after Dempster
    Winter,
    /// De Leva, women
    DeLevaWomen,
    /// De Leva, men
    DeLevaMen,
}

impl Table {
    /// The table of the library.
    pub fn shares(self) -> MassTable {
        match self {
            Self::Winter => MassTable::Winter,
            Self::DeLevaWomen => MassTable::DeLevaWomen,
            Self::DeLevaMen => MassTable::DeLevaMen,
        }
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let mut stages = Stages::new(2, console);
    stages.begin("Reading the trial");
    let files = arguments.files.find()?;
    let trial = Trial::read(&files)?;
    stages.begin("Examining it");
    let findings = examine(&trial, &Known { mass_kg: arguments.mass, table: arguments.table.shares() })?;
    stages.end();
    let mut text = format!("Walk: {}\n", files.markers.display());
    for (what, path) in [("Static trial", &files.still), ("Forces", &files.forces)] {
        let found = path.as_ref().map_or_else(|| "none found".to_owned(), |path| path.display().to_string());
        text.push_str(&format!("{what}: {found}\n"));
    }
    for line in findings.lines() {
        text.push_str(&line);
        text.push('\n');
    }
    console.say(&text)?;
    console.tell(&json!({
        "walk": files.markers,
        "static": files.still,
        "forces": files.forces,
        "findings": findings,
        "lines": findings.lines(),
    }))?;
    Ok(ExitCode::SUCCESS)
}
