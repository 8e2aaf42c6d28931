//! `rattleback gait fit`: a foot from one stance on a force plate.

use super::{Table, WalkArguments, output_folder, short_name};
use crate::console::Console;
use crate::failure::Failure;
use clap::{Args, ValueEnum};
use rattleback_gait::Trial;
use rattleback_gait::predict::{Calibration, CalibrationSettings, Walk, calibrate};
use rattleback_gait::report::{fit_document, foot_scene};
use rattleback_gait::trial::Side;
use rattleback_record::WholeFile;
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
enum Foot {
    /// The right one
    Right,
    /// The left one
    Left,
}

fn interval(text: &str) -> Result<[f64; 2], String> {
    let parts: Vec<&str> = text.split(',').collect();
    let numbers: Vec<f64> = parts.iter().filter_map(|p| p.trim().parse().ok()).collect();
    match numbers[..] {
        [a, b] if parts.len() == 2 && a < b && b.is_finite() => Ok([a, b]),
        _ => Err("two times in seconds, the earlier one first, as 0.6,1.5".to_owned()),
    }
}

/// Calibrates on a walk.
pub fn calibration(walk: &Walk, arguments: &WalkArguments) -> Result<Calibration, Failure> {
    let WalkArguments { mass, choice, .. } = arguments;
    let side = choice.foot.map(|foot| match foot {
        Foot::Right => Side::Right,
        Foot::Left => Side::Left,
    });
    let settings =
        CalibrationSettings { interval: choice.stance, side, mass: *mass, ..CalibrationSettings::default() };
    Ok(calibrate(walk, &settings)?)
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let files = arguments.walk.files.find()?;
    let trial = Trial::read(&files)?;
    let cutoff = CalibrationSettings::default().pose_cutoff_hz;
    let walk = Walk::of(&trial, cutoff, None, Table::shares(arguments.walk.table))?;
    let found = calibration(&walk, &arguments.walk)?;
    let name = short_name(&files);
    let document = fit_document(&name, &found)?;
    let folder = output_folder(arguments.output.as_deref(), &name, "gait-fit")?;
    let page = document.write(&folder)?;
    let path = folder.join("foot.json");
    let text = serde_json::to_string_pretty(&found.foot).map_err(|e| Failure::output(e.to_string()))?;
    WholeFile::write(&path, text.as_bytes())?;
    let scene = folder.join("foot.toml");
    WholeFile::write(&scene, foot_scene(&name, &found.foot).as_bytes())?;
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
