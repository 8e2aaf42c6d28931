//! `rattleback gait`: walking trials of laboratories, one file per verb.

mod check;
mod example;
mod fit;
mod leg;
mod predict;

use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt;
use crate::progress::Stages;
use crate::run::free_folder;
use check::Table;
use clap::{Args, Subcommand};
use rattleback_gait::task::{TaskRequest, TaskStage};
use rattleback_gait::{GaitError, TrialFiles};
use rattleback_record::claim_folder;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Walking trials: markers and force plates
#[derive(Args)]
pub struct Arguments {
    /// End when standard input ends: the studio holds it open
    #[arg(long, hide = true, global = true)]
    attended: bool,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Check(check::Arguments),
    Example(example::Arguments),
    Fit(fit::Arguments),
    Leg(leg::Arguments),
    Predict(predict::Arguments),
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    if arguments.attended {
        interrupt::attend_or_exit();
    }
    match &arguments.verb {
        Verb::Check(arguments) => check::run(arguments, console),
        Verb::Example(arguments) => example::run(arguments, console),
        Verb::Fit(arguments) => fit::run(arguments, console),
        Verb::Leg(arguments) => leg::run(arguments, console),
        Verb::Predict(arguments) => predict::run(arguments, console),
    }
}

/// The files of a trial, as every verb takes them.
#[derive(Args)]
pub struct Files {
    /// The walk's markers, .trc; the other files are found beside it by their names
    walk: PathBuf,
    /// The markers of a static trial, .trc
    #[arg(long = "static", value_name = "FILE")]
    still: Option<PathBuf>,
    /// The force plates, .mot or .sto
    #[arg(long, value_name = "FILE")]
    forces: Option<PathBuf>,
    /// Roles of markers, .toml: right_heel = "RCAL"
    #[arg(long, value_name = "FILE")]
    markers: Option<PathBuf>,
}

impl Files {
    /// The files that were named, and those found beside the walk.
    pub fn find(&self) -> Result<TrialFiles, Failure> {
        let mut files = TrialFiles::find(&self.walk)?;
        files.still = self.still.clone().or(files.still);
        files.forces = self.forces.clone().or(files.forces);
        files.names = self.markers.clone();
        Ok(files)
    }
}

/// A trial, what is known of the body beforehand, and the stance of the calibration.
#[derive(Args)]
pub struct WalkArguments {
    #[command(flatten)]
    files: Files,
    /// The body's mass in kg [default: from the calibration stance]
    #[arg(long, value_name = "KG")]
    mass: Option<f64>,
    /// The table of mass shares
    #[arg(long, value_enum, default_value_t = Table::Winter)]
    table: Table,
    #[command(flatten)]
    choice: fit::Choice,
}

impl WalkArguments {
    /// What is asked of the library, with a foot that was fitted before or one of this trial.
    fn request(&self, foot_model: Option<PathBuf>) -> Result<TaskRequest, Failure> {
        Ok(TaskRequest {
            files: self.files.find()?,
            mass: self.mass,
            table: self.table.shares(),
            side: self.choice.foot.map(fit::Foot::side),
            stance: self.choice.stance,
            foot_model,
        })
    }
}

/// Shows how far a task is; nobody asks it to stop.
fn shown(stages: &mut Stages, stage: TaskStage<'_>) -> bool {
    match stage {
        TaskStage::Begins(text) => stages.begin(text),
        TaskStage::Stands(text) => stages.show(text),
    }
    true
}

pub use example::example_documents;

/// A folder for results that overwrites nothing: the one asked for, which must be new or empty, or one that is free.
fn output_folder(asked: Option<&Path>, name: &str, verb: &str) -> Result<PathBuf, Failure> {
    let folder = asked.map_or_else(|| free_folder(&format!("{name}-{verb}")), Path::to_owned);
    claim_folder(&folder)?;
    Ok(folder)
}

impl From<GaitError> for Failure {
    fn from(error: GaitError) -> Self {
        match error {
            GaitError::Write { .. } => Self::output(error.to_string()),
            GaitError::Motion { .. } => Self::motion(error.to_string()),
            _ => Self::input(error.to_string()),
        }
    }
}
