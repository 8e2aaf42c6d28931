//! `rattleback info`: what a result folder holds, or what a scene has.

use crate::check::summary;
use crate::failure::Failure;
use crate::progress::{clock, rounded};
use crate::voice::Voice;
use clap::Args;
use rattleback_record::{ResultFolder, Sheet, Status, Table};
use rattleback_scene::{Scene, read_scene};
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
pub fn run(arguments: &Arguments, voice: &Voice) -> Result<ExitCode, Failure> {
    if arguments.path.is_dir() {
        folder(arguments, voice)?;
    } else {
        scene(&read_scene(&arguments.path)?, voice)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn folder(arguments: &Arguments, voice: &Voice) -> Result<(), Failure> {
    let folder = ResultFolder::open(&arguments.path)?;
    let m = folder.manifest();
    voice.tell(m)?;
    let status = match (m.status, &m.error) {
        (Status::Running, _) => "under way, or killed: rattleback resume goes on".to_owned(),
        (Status::Finished, _) => "finished".to_owned(),
        (Status::Stopped, _) => "stopped: rattleback resume goes on".to_owned(),
        (Status::Failed, error) => format!("failed: {}", error.as_deref().unwrap_or("no reason is given")),
    };
    let mut table = Table::new(["", ""].map(str::to_owned));
    let mut row = |key: &str, value: String| table.push([key.to_owned(), value]);
    row("scene", m.title.clone());
    row("status", status);
    row("started", m.started.clone());
    row("program", format!("rattleback {}", m.rattleback));
    row("time", format!("{} of {} s, a record every {} s", m.reached_s, m.end_s, m.interval_s));
    row("wall time", format!("{}, {} times real time", clock(m.wall_s), rounded(m.speed)));
    row("steps", m.steps.to_string());
    row("contacts", m.events.to_string());
    if let Some(energy) = &m.energy {
        row("total energy", format!("{} J, strays by {:.1e} J", energy.start_J, energy.drift_J));
    }
    for (key, value) in &m.options {
        row(&format!("option {key}"), value.clone());
    }
    voice.say(&table.to_string())?;
    let mut sheets = Table::new(["records", "rows", "columns", "files"].map(str::to_owned));
    for sheet in &m.sheets {
        let files: Vec<&str> = sheet.files.iter().map(|file| file.name.as_str()).collect();
        sheets.push([
            sheet.name.clone(),
            sheet.rows.to_string(),
            sheet.columns.len().to_string(),
            files.join(", "),
        ]);
    }
    voice.say(&format!("\n{sheets}"))?;
    if arguments.columns {
        for sheet in Sheet::ALL.into_iter().filter(|sheet| folder.has(*sheet)) {
            voice.say(&format!("\n{}\n{}", sheet.name(), sheet.describe()))?;
        }
    }
    Ok(())
}

fn scene(scene: &Scene, voice: &Voice) -> Result<(), Failure> {
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
    voice.tell(&json!({
        "title": scene.title,
        "description": scene.description,
        "source": scene.origin,
        "duration_s": scene.duration,
        "bodies": told,
    }))?;
    voice.say(&format!("{}\n", summary(scene)))?;
    if !scene.description.is_empty() {
        voice.say(&format!("\n{}\n", scene.description))?;
    }
    if !scene.origin.is_empty() {
        voice.say(&format!("\nSource: {}\n", scene.origin))?;
    }
    voice.say(&format!("\n{table}"))
}
