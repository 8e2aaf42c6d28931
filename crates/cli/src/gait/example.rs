//! `rattleback gait example`: a walk of the engine's own, to begin from.

use crate::console::Console;
use crate::failure::Failure;
use clap::Args;
use rattleback_gait::task;
use rattleback_record::{Document, claim_folder};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Write a trial that the engine makes itself: markers, static trial, plates
#[derive(Args)]
#[command(after_help = "\
Both feet on a treadmill, every stance alike; forces and parameters are known exactly, and the mass is 71.38 kg. There are no
markers of the whole body: its feet alone are predicted.

Examples:
  rattleback gait example
  rattleback gait predict results/gait-example/walk.trc --mass 71.38")]
pub struct Arguments {
    /// The folder for the files
    #[arg(short, long, value_name = "FOLDER", default_value = "results/gait-example")]
    output: PathBuf,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let folder = &arguments.output;
    claim_folder(folder)?;
    let files = task::write_example(folder)?;
    let text: String = files.iter().map(|path| format!("{}\n", path.display())).collect();
    console.tell(&json!({ "files": files }))?;
    console.say(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The documents of a fit and of a prediction of this walk, whose files go into a folder.
pub fn example_documents(folder: &Path) -> Result<(Document, Document), Failure> {
    claim_folder(folder)?;
    Ok(task::example_documents(folder)?)
}
