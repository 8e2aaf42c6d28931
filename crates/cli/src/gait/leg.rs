//! `rattleback gait leg`: a leg whose joints have measured angles, on the fitted foot.

use super::fit::{Foot, interval};
use super::{WalkArguments, output_folder, shown};
use crate::console::Console;
use crate::failure::Failure;
use crate::progress::Stages;
use clap::Args;
use rattleback_gait::GaitError;
use rattleback_gait::task::{LegRequest, leg};
use rattleback_record::WholeFile;
use std::path::PathBuf;
use std::process::ExitCode;

/// Drive a leg over the ground by measured joint angles
#[derive(Args)]
#[command(after_help = "\
Forward dynamics: pelvis, thigh, shank and the fitted foot, joints driven by the angles of a file of inverse kinematics, the
body's weight on the pelvis, which is free to rise and fall; the other foot carries what gait predict gives it. Written are
leg.toml, a scene for rattleback run, and a page: ground force beside the plate's, forces over depth, joint angles, pictures.

Examples:
  rattleback gait leg walk1.trc
  rattleback gait leg walk1.trc --angles walk1_ik.mot --leg left --foot-model results/walk1-gait-fit/foot.json")]
pub struct Arguments {
    #[command(flatten)]
    walk: WalkArguments,
    /// Joint angles by inverse kinematics, .mot or .sto [default: found beside the walk, as walk1_ik.mot]
    #[arg(long, value_name = "FILE")]
    angles: Option<PathBuf>,
    /// The leg [default: that of the fitted foot]
    #[arg(long, value_enum)]
    leg: Option<Foot>,
    /// An interval of time in s that holds the stance that is driven, as 0.6,1.5 [default: the first whole one]
    #[arg(long, value_name = "FROM,TO", value_parser = interval)]
    during: Option<[f64; 2]>,
    /// A foot that gait fit wrote [default: fitted to this trial's own plates]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["foot", "stance"])]
    foot_model: Option<PathBuf>,
    /// The folder for leg.toml and the page [default: results/NAME-gait-leg]
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let mut stages = Stages::new(4, console);
    let request = arguments.walk.request(arguments.foot_model.clone())?;
    let driven = LegRequest {
        angles: arguments.angles.clone(),
        side: arguments.leg.map(Foot::side),
        during: arguments.during,
    };
    let mut folder = None;
    let mut refused = None;
    // The scene is there before it is run, whatever becomes of the run.
    let mut write = |text: &str| {
        let written =
            output_folder(arguments.output.as_deref(), &request.name(), "gait-leg").and_then(|own| {
                WholeFile::write(&own.join("leg.toml"), text.as_bytes())?;
                folder = Some(own);
                Ok(())
            });
        written.map_err(|failure| {
            refused = Some(failure);
            GaitError::Stopped
        })
    };
    let document = leg(&request, &driven, &mut write, &mut |stage| shown(&mut stages, stage));
    stages.end();
    if let Some(failure) = refused {
        return Err(failure);
    }
    let (document, folder) = (document?, folder.unwrap_or_default());
    let page = document.write(&folder)?;
    console.tell(&document.as_json())?;
    console.say(&format!(
        "{}\nScene: {}\nPage: {}\n",
        document.as_text(),
        folder.join("leg.toml").display(),
        page.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}
