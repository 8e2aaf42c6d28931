//! `rattleback gait fit`: a foot from one stance on a force plate.

use super::{Table, WalkArguments, output_folder, short_name};
use crate::console::Console;
use crate::failure::Failure;
use crate::progress::Stages;
use clap::{Args, ValueEnum};
use rattleback_gait::Trial;
use rattleback_gait::forward::{foot_scene, run_scene};
use rattleback_gait::predict::{Calibration, CalibrationSettings, CalibrationStage, Walk, calibrate_watched};
use rattleback_gait::report::{add_drop, fit_document};
use rattleback_gait::trial::Side;
use rattleback_record::WholeFile;
use std::cell::RefCell;
use std::path::PathBuf;
use std::process::ExitCode;

/// Fit the bodies under a foot to the force of one stance
#[derive(Args)]
#[command(after_help = "\
Four superellipsoids under the foot (heel, medial and lateral ball, hallux) get their places, sizes, stiffness, exponents and
damping from one whole stance on a force plate, under perturbed poses, so that they hold for other stances. Written are
foot.json, for gait predict --foot-model, foot.toml, a scene in which the foot is dropped, and a page. The weight of the body comes from that stance too, unless
--mass gives it: no other plate data are used.

Examples:
  rattleback gait fit walk1.trc
  rattleback gait fit walk1.trc --foot left --stance 1.2,2.1 --mass 72.6 -o results/left-foot")]
pub struct Arguments {
    #[command(flatten)]
    walk: WalkArguments,
    /// The folder for foot.json and the page [default: results/NAME-gait-fit]
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// Which stance is fitted.
#[derive(Args)]
pub struct Choice {
    /// The foot [default: the first one with a whole stance on a plate]
    #[arg(long, value_enum)]
    foot: Option<Foot>,
    /// An interval of time in s that holds the stance, as 0.6,1.5 [default: the first whole one]
    #[arg(long, value_name = "FROM,TO", value_parser = interval)]
    stance: Option<[f64; 2]>,
}

/// A foot.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Foot {
    /// The right one
    Right,
    /// The left one
    Left,
}

impl Foot {
    /// Its side.
    pub fn side(self) -> Side {
        match self {
            Self::Right => Side::Right,
            Self::Left => Side::Left,
        }
    }
}

/// Two times, the earlier one first.
pub fn interval(text: &str) -> Result<[f64; 2], String> {
    let parts: Vec<&str> = text.split(',').collect();
    let numbers: Vec<f64> = parts.iter().filter_map(|p| p.trim().parse().ok()).collect();
    match numbers[..] {
        [a, b] if parts.len() == 2 && a < b && b.is_finite() => Ok([a, b]),
        _ => Err("two times in seconds, the earlier one first, as 0.6,1.5".to_owned()),
    }
}

/// Calibrates on a walk.
pub fn calibration(
    walk: &Walk,
    arguments: &WalkArguments,
    stages: &mut Stages,
) -> Result<Calibration, Failure> {
    let WalkArguments { mass, choice, .. } = arguments;
    let settings = CalibrationSettings {
        interval: choice.stance,
        side: choice.foot.map(Foot::side),
        mass: *mass,
        ..CalibrationSettings::default()
    };
    stages.begin("Identifying the foot");
    let stages = RefCell::new(stages);
    let found = calibrate_watched(walk, &settings, &|stage| {
        let text = match stage {
            CalibrationStage::Perturbed { cutoff_hz, evaluations } => {
                format!("forces up to {cutoff_hz} Hz, {evaluations} evaluations")
            }
            CalibrationStage::Alone { evaluations } => {
                format!("to the stance alone, {evaluations} evaluations")
            }
        };
        stages.borrow_mut().show(&text);
    })?;
    Ok(found)
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let mut stages = Stages::new(4, console);
    stages.begin("Reading the trial");
    let files = arguments.walk.files.find()?;
    let trial = Trial::read(&files)?;
    let cutoff = CalibrationSettings::default().pose_cutoff_hz;
    let walk = Walk::of(&trial, cutoff, None, Table::shares(arguments.walk.table))?;
    let found = calibration(&walk, &arguments.walk, &mut stages)?;
    let name = short_name(&files);
    stages.begin("Dropping the foot");
    let text = foot_scene(&name, &found.foot)?;
    let dropped = run_scene("foot", text.clone(), &found.foot.model, &mut |seen, end| {
        stages.show(&format!("{:.3} of {end} s", seen.state.time));
    })?;
    stages.begin("Drawing the page");
    let mut document = fit_document(&name, &walk, &found)?;
    add_drop(&mut document, &dropped, found.foot.length)?;
    let folder = output_folder(arguments.output.as_deref(), &name, "gait-fit")?;
    let page = document.write(&folder)?;
    stages.end();
    let path = folder.join("foot.json");
    let foot = serde_json::to_string_pretty(&found.foot).map_err(|e| Failure::output(e.to_string()))?;
    WholeFile::write(&path, foot.as_bytes())?;
    let scene = folder.join("foot.toml");
    WholeFile::write(&scene, text.as_bytes())?;
    console.tell(&document.as_json())?;
    console.say(&format!(
        "{}\nFoot: {}\nScene of the foot, dropped: {}\nPage: {}\n",
        document.as_text(),
        path.display(),
        scene.display(),
        page.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}
