//! `rattleback gait example`: a walk of the engine's own, to begin from.

use crate::console::Console;
use crate::failure::Failure;
use clap::Args;
use rattleback_gait::body::MassTable;
use rattleback_gait::file::{write_storage, write_trc};
use rattleback_gait::forward::{foot_scene, run_scene};
use rattleback_gait::predict::{CalibrationSettings, Walk, calibrate, copy_stance, feet_only};
use rattleback_gait::report::{add_drop, compare, fit_document, prediction_document};
use rattleback_gait::synthetic::SyntheticWalk;
use rattleback_gait::{Trial, TrialFiles};
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
    let files = write(folder)?;
    let text: String = files.iter().map(|path| format!("{}\n", path.display())).collect();
    console.tell(&json!({ "files": files }))?;
    console.say(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the files: markers, forces, static trial.
fn write(folder: &Path) -> Result<[PathBuf; 3], Failure> {
    let walk = SyntheticWalk::default();
    let files = ["walk.trc", "walk_grf.mot", "static.trc"].map(|name| folder.join(name));
    write_trc(&walk.markers(&mut || 0.0)?, &files[0])?;
    write_storage(&walk.forces()?, &files[1])?;
    write_trc(&walk.standing(), &files[2])?;
    Ok(files)
}

/// The documents of a fit and of a prediction of this walk, whose files go into a folder.
pub fn example_documents(folder: &Path) -> Result<(Document, Document), Failure> {
    claim_folder(folder)?;
    let [markers, ..] = write(folder)?;
    let trial = Trial::read(&TrialFiles::find(&markers)?)?;
    let settings = CalibrationSettings::default();
    let walk = Walk::of(&trial, settings.pose_cutoff_hz, None, MassTable::default())?;
    let found = calibrate(&walk, &settings)?;
    let only = feet_only(&walk, &found.foot)?;
    let copied = copy_stance(&walk, &found.foot);
    let predictions = [&only, &copied];
    let rows = compare(&walk, &predictions, Some(found.foot.interval));
    let name = "A walk of the engine's own";
    let mut fitted = fit_document(name, &walk, &found)?;
    let dropped = run_scene("foot", foot_scene(name, &found.foot)?, &found.foot.model, &mut |_, _| {})?;
    add_drop(&mut fitted, &dropped, found.foot.length)?;
    Ok((fitted, prediction_document(name, &walk, &predictions, &rows, &[])))
}
