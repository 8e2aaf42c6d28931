//! `rattleback gait predict`: ground forces from markers.

use super::{WalkArguments, output_folder, shown};
use crate::console::Console;
use crate::failure::Failure;
use crate::progress::Stages;
use clap::Args;
use rattleback_gait::task::predict;
use std::path::PathBuf;
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
    let request = arguments.walk.request(arguments.foot_model.clone())?;
    let found = predict(&request, &mut |stage| shown(&mut stages, stage))?;
    let folder = output_folder(arguments.output.as_deref(), &request.name(), "gait-predict")?;
    let page = found.document.write(&folder)?;
    stages.end();
    let mut text = found.document.as_text();
    found.write_tables(&folder)?;
    for (mode, file) in found.files() {
        text += &format!("\nForces, {}: {}", mode.word(), folder.join(file).display());
    }
    console.tell(&found.document.as_json())?;
    console.say(&format!("{text}\nPage: {}\n", page.display()))?;
    Ok(ExitCode::SUCCESS)
}
