//! `rattleback plot`: one figure from a result folder.

use crate::console::Console;
use crate::failure::Failure;
use crate::run::scene_of;
use clap::Args;
use rattleback_record::report::{Curve, Sheets, figure, figure_over};
use rattleback_record::{ResultFolder, WholeFile};
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

/// Draw curves of a result folder over time or over another curve, as SVG or PNG
#[derive(Args)]
#[command(after_help = "\
Curves are BODY.COLUMN, energy.COLUMN, BODY|BODY.COLUMN for a contact, joint NAME.COLUMN;
rattleback info FOLDER --columns lists the columns.

Examples:
  rattleback plot results/roemer_box I.z_m II.z_m -o heights.svg
  rattleback plot results/roemer_box energy.mechanical_J energy.friction_J -o energy.png
  rattleback plot results/roemer_box 'I|II.normal_force_N'
  rattleback plot results/marques_ball 'floor|ball.normal_force_N' --over 'floor|ball.gap_m'")]
pub struct Arguments {
    /// The result folder
    folder: PathBuf,
    /// The curves
    #[arg(required = true)]
    curves: Vec<String>,
    /// The curve along the horizontal axis [default: time]
    #[arg(long, value_name = "CURVE")]
    over: Option<String>,
    /// The figure's file, .svg or .png [default: plot.svg in the folder]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The line above the figure [default: the scene's title]
    #[arg(long)]
    title: Option<String>,
    /// What the vertical axis shows, with the unit [default: from the columns]
    #[arg(long)]
    label: Option<String>,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let path = arguments.output.clone().unwrap_or_else(|| arguments.folder.join("plot.svg"));
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if ending != "svg" && ending != "png" {
        return Err(Failure::usage(format!("{}: the ending must be .svg or .png", path.display())));
    }
    let folder = ResultFolder::open(&arguments.folder)?;
    let scene = scene_of(folder.scene()?, folder.manifest())?;
    let curves = arguments.curves.iter().map(|name| Curve::parse(name, &scene.model));
    let curves = curves.collect::<Result<Vec<_>, _>>()?;
    let title = arguments.title.as_ref().unwrap_or(&scene.title);
    let (label, sheets) = (arguments.label.as_deref(), Sheets::read(&folder)?);
    let figure = match &arguments.over {
        Some(over) => figure_over(title, label, &curves, &Curve::parse(over, &scene.model)?, &sheets)?,
        None => figure(title, label, &curves, &sheets)?,
    };
    let bytes = if ending == "svg" { figure.to_svg()?.into_bytes() } else { figure.to_png()? };
    WholeFile::write(&path, &bytes)?;
    console.tell(&json!({"figure": path}))?;
    console.say(&format!("Figure: {}\n", path.display()))?;
    Ok(ExitCode::SUCCESS)
}
