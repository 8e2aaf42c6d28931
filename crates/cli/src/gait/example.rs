//! `rattleback gait example`: a walk of the engine's own, to begin from.

use crate::console::Console;
use crate::failure::Failure;
use clap::Args;
use rattleback_gait::file::{write_storage, write_trc};
use rattleback_gait::synthetic::SyntheticWalk;
use serde_json::json;
use std::path::PathBuf;
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
    std::fs::create_dir_all(folder)
        .map_err(|e| Failure::output(format!("cannot make {}: {e}", folder.display())))?;
    let walk = SyntheticWalk::default();
    if std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(Failure::input(format!("{} is not empty: nothing is overwritten", folder.display())));
    }
    let files = ["walk.trc", "walk_grf.mot", "static.trc"].map(|name| folder.join(name));
    write_trc(&walk.markers(&mut || 0.0)?, &files[0])?;
    write_storage(&walk.forces()?, &files[1])?;
    write_trc(&walk.standing(), &files[2])?;
    let text: String = files.iter().map(|path| format!("{}\n", path.display())).collect();
    console.tell(&json!({ "files": files }))?;
    console.say(&text)?;
    Ok(ExitCode::SUCCESS)
}
