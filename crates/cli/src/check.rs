//! `rattleback check`: reads scenes and tells all that is wrong with them, without running them.

use crate::applications::FORMAT;
use crate::console::{Console, complain};
use crate::failure::Failure;
use crate::overlap;
use crate::report;
use clap::Args;
use rattleback_scene::{Complaint, Scene, SceneError, Setting, Source};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Read scenes and tell everything that is wrong with them
#[derive(Args)]
#[command(
    after_help = "Examples:\n  rattleback check scene.toml\n  rattleback check scenes/papers/*.toml --json"
)]
pub struct Arguments {
    /// The scene files
    #[arg(required = true)]
    scenes: Vec<PathBuf>,
    /// Give a parameter of the scenes another value, as radius=15mm; may stand several times
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<Setting>,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let mut told = Vec::new();
    let mut fine = true;
    for path in &arguments.scenes {
        match read(path, &arguments.settings) {
            Ok(scene) => {
                console.say(&format!("{}: {}\n", path.display(), summary(&scene)))?;
                if !scene.choice.is_empty() {
                    console.say(&format!("{}\n", scene.choice))?;
                }
                let (start, mut remarks) = (overlap::at_start(&scene), scene.remarks.clone());
                let mut complaints = Vec::new();
                let overlaps = match start {
                    Ok((overlaps, assembly)) => {
                        remarks.extend(assembly);
                        remarks.extend(overlap::lines(&scene.model, &overlaps));
                        overlaps
                    }
                    Err(error) => {
                        complaints.push(format!("The run cannot begin: {}", scene.describe(&error)));
                        Vec::new()
                    }
                };
                for remark in &remarks {
                    console.remark(remark);
                }
                for complaint in complaints.iter().filter(|_| !console.json) {
                    complain(complaint);
                }
                fine &= complaints.is_empty();
                let each: Vec<Value> = complaints.iter().map(|message| json!({"message": message})).collect();
                told.push(json!({
                    "file": path,
                    "valid": complaints.is_empty(),
                    "title": scene.title,
                    "solver": scene.scheme.name(),
                    "choice": scene.choice,
                    "remarks": remarks,
                    "overlaps": overlap::told(&scene.model, &overlaps),
                    "complaints": each,
                }));
            }
            Err(error) => {
                fine = false;
                if !console.json {
                    complain(&error.to_string());
                }
                told.push(json!({"file": path, "valid": false, "complaints": complaints(&error)}));
            }
        }
    }
    console.tell(&told)?;
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn read(path: &Path, settings: &[Setting]) -> Result<Scene, SceneError> {
    let scene = FORMAT.parse_scene_with(Source::read(path)?, settings)?;
    report::check_curves(&scene)?;
    Ok(scene)
}

/// What a scene has, in one line.
pub fn summary(scene: &Scene) -> String {
    let model = &scene.model;
    let count = |n: u128, what: &str, whats: &str| match n {
        0 => None,
        1 => Some(format!("1 {what}")),
        n => Some(format!("{n} {whats}")),
    };
    let parts = [
        count(model.bodies().len() as u128, "body", "bodies"),
        count(model.joints().len() as u128, "joint", "joints"),
        count(model.forces().len() as u128, "force", "forces"),
        count(model.count_pairs(), "pair that may touch", "pairs that may touch"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("{}; {}, {} s", scene.title, parts.join(", "), scene.duration)
}

/// Every complaint with its place, for programs.
fn complaints(error: &SceneError) -> Value {
    let SceneError::Refused { file: source, complaints } = error else {
        return json!([{"message": error.to_string()}]);
    };
    let each = |complaint: &Complaint| {
        let (line, column) = source.place(complaint.span.start);
        json!({
            "file": source.path_at(complaint.span.start),
            "line": line,
            "column": column,
            "key": complaint.key,
            "message": complaint.message,
            "help": complaint.help,
        })
    };
    complaints.iter().map(each).collect()
}
