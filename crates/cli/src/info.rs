//! `rattleback info`: what a result folder holds, or what a scene has.

use crate::applications::FORMAT;
use crate::check::summary;
use crate::console::Console;
use crate::failure::Failure;
use clap::Args;
use rattleback_record::{ResultFolder, Sheet, Status, Table};
use rattleback_scene::Scene;
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

/// Say what a result folder holds, or what a scene has
#[derive(Args)]
#[command(after_help = "\
Examples:
  rattleback info results/demonstration
  rattleback info results/demonstration --columns
  rattleback info scenes/papers/roemer_box.toml")]
pub struct Arguments {
    /// A result folder or a scene file
    path: PathBuf,
    /// Say what every column of the records means
    #[arg(long)]
    columns: bool,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    if arguments.path.is_dir() {
        folder(arguments, console)?;
    } else {
        scene(&FORMAT.read_scene(&arguments.path)?, console)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn folder(arguments: &Arguments, console: &Console) -> Result<(), Failure> {
    let folder = ResultFolder::open(&arguments.path)?;
    let m = folder.manifest();
    console.tell(m)?;
    let mut summary = m.summary();
    let options = m.options.iter().map(|(key, value)| (format!("option {key}"), value));
    let parameters = m.parameters.iter().map(|(name, value)| (format!("parameter {name}"), value));
    for (key, value) in options.chain(parameters) {
        summary.push([key, value.clone()]);
    }
    if !m.solver.is_empty() {
        summary.push(["solver".to_owned(), m.solver.clone()]);
    }
    console.say(&format!("{}\n\n{summary}", m.title))?;
    if !matches!(m.status, Status::Finished | Status::Broken) {
        console.say(&format!(
            "\nrattleback resume {} goes on from the last checkpoint.\n",
            folder.path().display()
        ))?;
    }
    console.say(&format!("\n{}", m.contents()))?;
    if arguments.columns {
        for sheet in Sheet::ALL.into_iter().filter(|sheet| folder.has(*sheet)) {
            console.say(&format!("\n{}\n{}", sheet.name(), sheet.describe()))?;
        }
    }
    Ok(())
}

fn scene(scene: &Scene, console: &Console) -> Result<(), Failure> {
    let mut table = Table::new(["body", "moves", "mass in kg", "shapes"].map(str::to_owned));
    let mut told = Vec::new();
    for body in scene.model.bodies() {
        let moves = match body.mobility {
            rattleback_dynamics::model::Mobility::Free => "free",
            rattleback_dynamics::model::Mobility::Fixed => "fixed",
            rattleback_dynamics::model::Mobility::Prescribed(_) => "prescribed",
        };
        let shapes: Vec<&str> = body.parts.iter().map(|part| part.shape.surface().kind()).collect();
        let mass = if body.is_free() { format!("{:.6}", body.body.mass) } else { "-".to_owned() };
        table.push([body.name.clone(), moves.to_owned(), mass, shapes.join(", ")]);
        told.push(json!({"name": body.name, "moves": moves, "mass_kg": body.body.mass, "shapes": shapes}));
    }
    console.tell(&json!({
        "title": scene.title,
        "description": scene.description,
        "source": scene.origin,
        "duration_s": scene.duration,
        "bodies": told,
    }))?;
    console.say(&format!("{}\n", summary(scene)))?;
    if !scene.description.is_empty() {
        console.say(&format!("\n{}\n", scene.description))?;
    }
    if !scene.origin.is_empty() {
        console.say(&format!("\nSource: {}\n", scene.origin))?;
    }
    console.say(&format!("\n{table}"))
}
