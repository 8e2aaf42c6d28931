//! `rattleback gait leg`: a leg whose joints have measured angles, on the fitted foot.

use super::fit::{Foot, calibration, interval};
use super::predict::{read_foot, walk_of, with_mass};
use super::{WalkArguments, output_folder, short_name};
use crate::console::Console;
use crate::failure::Failure;
use crate::progress::Stages;
use clap::Args;
use rattleback_gait::file::read_storage;
use rattleback_gait::forward::{ANGLE_CUTOFF_HZ, JointAngles, drive, leg_scene, run_scene};
use rattleback_gait::predict::{feet_only, whole_body};
use rattleback_gait::report::leg_document;
use rattleback_gait::{GaitError, Trial};
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
    stages.begin("Reading the trial");
    let files = arguments.walk.files.find()?;
    let Some(path) = arguments.angles.clone().or_else(|| files.angles.clone()) else {
        return Err(GaitError::unsupported(
            "joint angles",
            format!("no file of them was found beside {}: name it, `--angles`", files.markers.display()),
        )
        .into());
    };
    let table = read_storage(&path)?;
    let trial = Trial::read(&files)?;
    let stored = arguments.foot_model.as_deref().map(read_foot).transpose()?;
    let walk = walk_of(&trial, stored.as_ref(), arguments.walk.table)?;
    let foot = match stored {
        Some(foot) => with_mass(foot, arguments.walk.mass)?,
        None => calibration(&walk, &arguments.walk, &mut stages)?.foot,
    };
    stages.begin("Predicting the other foot");
    let only = feet_only(&walk, &foot)?;
    let prediction = if walk.centre.is_ok() { whole_body(&walk, &foot, &only) } else { only };
    let side = arguments.leg.map_or(foot.side, Foot::side);
    let angles = JointAngles::of(&table, side, Some(ANGLE_CUTOFF_HZ))?;
    let remarks = angles.remarks.clone();
    let driven = drive(&walk, &foot, &prediction, angles, arguments.during)?;
    let name = short_name(&files);
    let text = leg_scene(&name, &driven)?;
    let folder = output_folder(arguments.output.as_deref(), &name, "gait-leg")?;
    let scene = folder.join("leg.toml");
    WholeFile::write(&scene, text.as_bytes())?;
    stages.begin("Driving the leg");
    let run = run_scene("leg", text, &driven.foot, &mut |seen, end| {
        let (time, contacts) = (seen.state.time, seen.active_contacts.len());
        stages.show(&format!("{time:.4} of {end:.4} s, {contacts} contacts"));
    });
    stages.end();
    let mut document = leg_document(&name, &walk, &driven, &run?)?;
    for remark in remarks {
        document.text(remark);
    }
    let page = document.write(&folder)?;
    console.tell(&document.as_json())?;
    console.say(&format!(
        "{}\nScene: {}\nPage: {}\n",
        document.as_text(),
        scene.display(),
        page.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}
