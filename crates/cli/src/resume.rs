//! `rattleback resume`: a run that was stopped or killed goes on from its last checkpoint, as if it had never stopped.

use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt;
use crate::run::{conclude, positive_time, prolonged, scene_of, scene_with, wall_time};
use crate::session::drive;
use clap::Args;
use rattleback_record::{Manifest, Recorder, ResultFolder};
use rattleback_scene::Scene;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Go on with a run that was stopped or killed, from its last checkpoint
///
/// What was recorded after the checkpoint is computed again, to the same bits. A run that has finished goes on with
/// `--until`, to the same bits as if it had been that long from its start.
#[derive(Args)]
#[command(after_help = "\
Examples:
  rattleback resume results/roemer_box
  rattleback resume results/roemer_box --until 20s")]
pub struct Arguments {
    /// The result folder
    folder: PathBuf,
    /// Go on to this time, later than where the run was to end
    #[arg(long, value_name = "TIME", value_parser = positive_time)]
    until: Option<f64>,
    /// Store a checkpoint at this interval of wall time; 0s for none
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = wall_time)]
    checkpoint: Duration,
    /// Stop after so many outputs, with a checkpoint
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    outputs: Option<u64>,
    /// Leave the report away
    #[arg(long)]
    no_report: bool,
    /// Stop when standard input ends, as by Ctrl-C: the studio holds it open
    #[arg(long, hide = true)]
    attended: bool,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    if arguments.attended {
        interrupt::attend();
    }
    let folder = ResultFolder::open(&arguments.folder)?;
    let manifest = folder.manifest();
    let (scene, (recorder, state)) = match arguments.until {
        None => {
            let scene = scene_of(folder.scene()?, manifest)?;
            check_inputs(&arguments.folder, manifest, &scene)?;
            let taken_up = Recorder::resume(&arguments.folder, &scene.model)?;
            (scene, taken_up)
        }
        Some(until) if !(until > manifest.end_s) => {
            let end = manifest.end_s;
            return Err(Failure::usage(format!(
                "--until: found {until} s; expected a time after {end} s, where the run is to end as it is"
            )));
        }
        Some(until) => {
            let options = prolonged(manifest, until);
            let scene = scene_with(folder.scene()?, &options)?;
            check_inputs(&arguments.folder, manifest, &scene)?;
            let taken_up = Recorder::prolong(&arguments.folder, &scene.model, until, options)?;
            (scene, taken_up)
        }
    };
    console.say(&format!("{}, from t = {} s\n", scene.title, state.time))?;
    let interval = (arguments.checkpoint > Duration::ZERO).then_some(arguments.checkpoint);
    let ended = drive(&scene, recorder, state, interval, arguments.outputs, console)?;
    let is_partial = ended.stopped && arguments.outputs.is_some();
    conclude(&scene, &arguments.folder, &ended, !arguments.no_report && !is_partial, console)
}

/// Refuses a scene whose other files are not what they were when the run began.
fn check_inputs(folder: &Path, manifest: &Manifest, scene: &Scene) -> Result<(), Failure> {
    let changed = scene.inputs.iter().find(|(name, found)| manifest.inputs.get(*name) != Some(*found));
    match changed {
        None => Ok(()),
        Some((name, _)) => Err(Failure::input(format!(
            "{}: the file \"{name}\" of its scene has changed since the run began; it goes on with the same file only",
            folder.display()
        ))),
    }
}
