//! `rattleback gait fit`: a foot from one stance on a force plate.

use super::{WalkArguments, output_folder, shown};
use crate::console::Console;
use crate::failure::Failure;
use crate::progress::Stages;
use clap::{Args, ValueEnum};
use rattleback_gait::task::fit;
use rattleback_gait::trial::Side;
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
    pub foot: Option<Foot>,
    /// An interval of time in s that holds the stance, as 0.6,1.5 [default: the first whole one]
    #[arg(long, value_name = "FROM,TO", value_parser = interval)]
    pub stance: Option<[f64; 2]>,
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

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let mut stages = Stages::new(4, console);
    let request = arguments.walk.request(None)?;
    let fitted = fit(&request, &mut |stage| shown(&mut stages, stage))?;
    let folder = output_folder(arguments.output.as_deref(), &request.name(), "gait-fit")?;
    let page = fitted.write(&folder)?;
    stages.end();
    console.tell(&fitted.document.as_json())?;
    console.say(&format!(
        "{}\nFoot: {}\nScene of the foot, dropped: {}\nPage: {}\n",
        fitted.document.as_text(),
        folder.join("foot.json").display(),
        folder.join("foot.toml").display(),
        page.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}
