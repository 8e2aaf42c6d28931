//! `rattleback import`: robots of other programs as scenes.

use crate::applications::FORMAT;
use crate::console::Console;
use crate::failure::Failure;
use clap::Args;
use rattleback_record::WholeFile;
use rattleback_scene::ImportOptions;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Turn a robot, URDF or MJCF, into a scene; what is lost on the way is told line by line
#[derive(Args)]
#[command(after_help = "\
Which format a file has is told by its root element, <robot> or <mujoco>. What is fixed to a body becomes part of it.
Contacts, the stiffness of limits and the solver are chosen; the scene says where. Links of a URDF touch the ground
and, where --self-contacts says so, each other; bodies of an MJCF file touch as contype and conaffinity say. Bodies
that overlap at the start never touch each other, which is told.

Examples:
  rattleback import robot.urdf -o scene.toml
  rattleback import robot.urdf --free --ground --package my_robot=../my_robot
  rattleback import humanoid.xml --carriers -o humanoid.toml")]
pub struct Arguments {
    /// The robot's file
    robot: PathBuf,
    /// Where to, `-` for standard output [default: the robot's name with .toml, in the current folder]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Where a package is that a URDF names
    #[arg(long, value_name = "NAME=FOLDER", value_parser = package)]
    package: Vec<(String, PathBuf)>,
    /// Let the root of a URDF move freely; without it, it stands still
    #[arg(long)]
    free: bool,
    /// Put a half-space below the robot's lowest point
    #[arg(long)]
    ground: bool,
    /// Let links of a URDF touch each other, save those that are joined or overlap at the start
    #[arg(long)]
    self_contacts: bool,
    /// Divide joints that no joint of a scene is for by bodies of a ten-thousandth of the mass
    #[arg(long)]
    carriers: bool,
    /// Hold joints where they begin, by a control of 5 Hz within their greatest effort
    #[arg(long)]
    hold: bool,
}

fn package(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, folder)) if !name.is_empty() => Ok((name.to_owned(), PathBuf::from(folder))),
        _ => Err("expected NAME=FOLDER".to_owned()),
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let stem = arguments.robot.file_stem().unwrap_or_default();
    let output = arguments.output.clone().unwrap_or_else(|| Path::new(stem).with_extension("toml"));
    let to_console = output == Path::new("-");
    let options = ImportOptions {
        packages: arguments.package.clone(),
        free: arguments.free,
        ground: arguments.ground,
        self_contacts: arguments.self_contacts,
        carriers: arguments.carriers,
        hold: arguments.hold,
    };
    let place = if to_console { Path::new("scene.toml") } else { &output };
    let imported = FORMAT.import_robot(&arguments.robot, place, &options)?;
    let folder = place.parent().unwrap_or(Path::new(""));
    let beside = imported.files.iter().map(|(name, text)| (folder.join(name), text.as_str()));
    let scene = (!to_console).then(|| (output.clone(), imported.text.as_str()));
    let files: Vec<(PathBuf, &str)> = scene.into_iter().chain(beside).collect();
    if let Some((path, _)) = files.iter().find(|(path, _)| path.exists()) {
        return Err(Failure::output(format!("{}: exists already and is not overwritten", path.display())));
    }
    for (path, text) in &files {
        write(path, text)?;
    }
    if to_console {
        crate::console::print(&imported.text)?;
    }
    for loss in &imported.losses {
        console.remark(&loss.to_string());
    }
    let losses: Vec<Value> = imported
        .losses
        .iter()
        .map(|loss| json!({"file": loss.file, "line": loss.line, "what": loss.what}))
        .collect();
    let written: Vec<&PathBuf> = files.iter().map(|(path, _)| path).collect();
    if to_console {
        return Ok(ExitCode::SUCCESS);
    }
    console.tell(&json!({
        "scene": output,
        "files": written,
        "bodies": imported.bodies,
        "joints": imported.joints,
        "lost": losses,
    }))?;
    console.say(&format!(
        "Written: {}, with {} bodies that move, {} joints, and {} remarks on what is lost. Run it: rattleback run {}\n",
        output.display(),
        imported.bodies,
        imported.joints,
        imported.losses.len(),
        output.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |e: std::io::Error| Failure::output(format!("{}: {e}", path.display()));
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut file = WholeFile::create(path).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.finish().map_err(failed)
}
