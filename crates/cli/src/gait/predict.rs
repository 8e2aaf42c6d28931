//! `rattleback gait predict`: ground forces from markers.

use super::fit::calibration;
use super::{Table, WalkArguments, output_folder, short_name};
use crate::console::Console;
use crate::failure::Failure;
use crate::progress::Stages;
use clap::Args;
use rattleback_gait::body::GRAVITY;
use rattleback_gait::file::write_storage;
use rattleback_gait::predict::{
    CalibratedFoot, CalibrationSettings, Prediction, Walk, copy_stance, feet_only, whole_body,
};
use rattleback_gait::report::{compare, force_table, prediction_document};
use rattleback_gait::{Trial, TrialFiles};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Predict the ground force of both feet from markers
#[derive(Args)]
#[command(after_help = "\
In two modes. Feet only: the fitted foot along the motion of each foot. Whole body: the sum of the forces is mass times (the
centre of mass' acceleration - g), shared out between the feet. Every sample has a standard deviation. Written are
forces-whole-body.mot and forces-feet-only.mot, named as external loads of OpenSim are, and a page; where there are plates,
errors stand beside those of the calibration stance, copied.

Examples:
  rattleback gait predict walk1.trc
  rattleback gait predict walk2.trc --foot-model results/walk1-gait-fit/foot.json")]
pub struct Arguments {
    #[command(flatten)]
    walk: WalkArguments,
    /// A foot that gait fit wrote [default: fitted to this trial's own plates]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["foot", "stance"])]
    foot_model: Option<PathBuf>,
    /// The folder for forces and the page [default: results/NAME-gait-predict]
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let mut stages = Stages::new(4, console);
    stages.begin("Reading the trial");
    let files = arguments.walk.files.find()?;
    let trial = Trial::read(&files)?;
    let stored = arguments.foot_model.as_deref().map(read_foot).transpose()?;
    let walk = walk_of(&trial, stored.as_ref(), arguments.walk.table)?;
    let is_own = stored.is_none();
    let foot = match stored {
        Some(foot) => with_mass(foot, arguments.walk.mass)?,
        None => calibration(&walk, &arguments.walk, &mut stages)?.foot,
    };
    stages.begin("Predicting forces");
    let only = feet_only(&walk, &foot)?;
    let whole = walk.centre.is_ok().then(|| whole_body(&walk, &foot, &only));
    let copied = copy_stance(&walk, &foot);
    let predictions: Vec<&Prediction> =
        whole.iter().chain([&only]).chain(foot.original.force.first().map(|_| &copied)).collect();
    let rows = compare(&walk, &predictions, is_own.then_some(foot.interval));
    stages.begin("Drawing the page");
    let name = short_name(&files);
    let remarks = remarks(&walk, &foot, &files, arguments.foot_model.as_deref());
    let document = prediction_document(&name, &walk, &predictions, &rows, &remarks);
    let folder = output_folder(arguments.output.as_deref(), &name, "gait-predict")?;
    let page = document.write(&folder)?;
    stages.end();
    let mut text = document.as_text();
    for (file, prediction) in
        [("forces-whole-body.mot", whole.as_ref()), ("forces-feet-only.mot", Some(&only))]
    {
        if let Some(prediction) = prediction {
            let path = folder.join(file);
            write_storage(&force_table(file, &trial, prediction), &path)?;
            text += &format!("\nForces, {}: {}", prediction.mode.word(), path.display());
        }
    }
    console.tell(&document.as_json())?;
    console.say(&format!("{text}\nPage: {}\n", page.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// The walk of a trial: for a stored foot with its cut-off, ground and markers.
pub fn walk_of<'t>(
    trial: &'t Trial,
    stored: Option<&CalibratedFoot>,
    table: Table,
) -> Result<Walk<'t>, Failure> {
    let walk = match stored {
        Some(foot) => Walk::for_foot(trial, foot, table.shares()),
        None => Walk::of(trial, CalibrationSettings::default().pose_cutoff_hz, None, table.shares()),
    };
    Ok(walk?)
}

/// Reads a foot that `gait fit` wrote.
pub fn read_foot(path: &Path) -> Result<CalibratedFoot, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| Failure::input(format!("cannot read {}: {e}", path.display())))?;
    let foot: CalibratedFoot = serde_json::from_str(&text)
        .map_err(|e| Failure::input(format!("{} is not a foot that gait fit wrote: {e}", path.display())))?;
    foot.check().map_err(|e| Failure::input(format!("{}: {e}", path.display())))?;
    Ok(foot)
}

/// The foot under a body of another mass: its stiffness belongs to the foot, the weight to the body.
pub fn with_mass(mut foot: CalibratedFoot, mass: Option<f64>) -> Result<CalibratedFoot, Failure> {
    if let Some(mass) = mass {
        if !(mass > 1.0 && mass < 500.0) {
            return Err(Failure::input(format!("mass = {mass}: must be between 1 and 500 kg")));
        }
        foot.weight = mass * GRAVITY;
        foot.weight_deviation = 0.0;
        foot.weight_source = format!("the mass given, {mass} kg");
    }
    Ok(foot)
}

fn remarks(walk: &Walk, foot: &CalibratedFoot, files: &TrialFiles, model: Option<&Path>) -> Vec<String> {
    let [begin, end] = foot.interval;
    let source = model.map_or_else(|| "this trial".to_owned(), |path| path.display().to_string());
    let mut lines = vec![format!(
        "Foot: fitted to the {} stance {begin:.3}–{end:.3} s of {source}. Body weight {:.1} N, from {}.",
        foot.side.word(),
        foot.weight,
        foot.weight_source
    )];
    if files.still.is_none() {
        lines.push(match model {
            Some(_) => "No static trial: the markers' places in the feet are those of the trial that the foot was fitted to.",
            None => "No static trial: the markers' places in the feet are from the walk itself.",
        }
        .to_owned());
    }
    lines.extend(walk.plate_delay_words());
    lines.extend(walk.trial.remarks.iter().cloned());
    if let Some(why) = walk.no_body() {
        lines.push(format!("No whole-body prediction: {why}"));
    } else if !walk.missing.is_empty() {
        lines.push(format!("Whole body without markers of its own: {}.", walk.missing.join(", ")));
    }
    lines
}
