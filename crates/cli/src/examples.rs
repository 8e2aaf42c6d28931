//! `rattleback examples`: the scenes that are built into the program.

use crate::applications::FORMAT;
use crate::console::Console;
use crate::failure::Failure;
use clap::Args;
use rattleback_record::{Table, WholeFile};
use rattleback_scene::BuiltIn;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// List the built-in scenes, or write one out
#[derive(Args)]
#[command(after_help = "\
Examples:
  rattleback examples
  rattleback examples roemer_box
  rattleback examples heap -o my_heap.toml")]
pub struct Arguments {
    /// The scene to write out
    name: Option<String>,
    /// Where to, `-` for standard output [default: NAME.toml]
    #[arg(short, long, value_name = "FILE", requires = "name")]
    output: Option<PathBuf>,
}

/// All built-in scenes, in the order of the list.
pub fn all() -> impl Iterator<Item = &'static BuiltIn> {
    rattleback_studies::case::ALL.iter().map(|case| &case.file).chain(FORMAT.scenes())
}

/// The built-in scene of that name.
pub fn find(name: &str) -> Option<&'static BuiltIn> {
    all().find(|example| example.name == name)
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    match &arguments.name {
        None => list(console)?,
        Some(name) => write(name, arguments.output.as_deref(), console)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn list(console: &Console) -> Result<(), Failure> {
    let mut table = Table::new(["name", "what", "s"].map(str::to_owned));
    let mut told = Vec::new();
    for example in all() {
        let scene = FORMAT.parse_scene(example.source())?;
        table.push([example.name.to_owned(), scene.title.clone(), scene.duration.to_string()]);
        told.push(json!({
            "name": example.name,
            "title": scene.title,
            "description": scene.description,
            "source": scene.origin,
            "duration_s": scene.duration,
        }));
    }
    console.tell(&told)?;
    console.say(&format!(
        "{table}\nRun one: rattleback run NAME. Write it out to change it: rattleback examples NAME\n"
    ))
}

fn write(name: &str, output: Option<&Path>, console: &Console) -> Result<(), Failure> {
    let Some(example) = find(name) else {
        return Err(Failure::input(format!(
            "no built-in scene is named \"{name}\"; rattleback examples lists them"
        )));
    };
    if output == Some(Path::new("-")) {
        return crate::console::print(example.text);
    }
    let path = output.map_or_else(|| PathBuf::from(format!("{name}.toml")), Path::to_owned);
    let beside = |(name, text): &(&str, &'static str)| (path.with_file_name(name), *text);
    let files: Vec<(PathBuf, &str)> =
        std::iter::once((path.clone(), example.text)).chain(example.beside.iter().map(beside)).collect();
    if let Some((path, _)) = files.iter().find(|(path, _)| path.exists()) {
        return Err(Failure::output(format!("{}: exists already and is not overwritten", path.display())));
    }
    for (path, text) in &files {
        let failed = |e: std::io::Error| Failure::output(format!("{}: {e}", path.display()));
        let mut file = WholeFile::create(path).map_err(failed)?;
        file.write_all(text.as_bytes()).map_err(failed)?;
        file.finish().map_err(failed)?;
    }
    let beside: Vec<&PathBuf> = files[1..].iter().map(|(path, _)| path).collect();
    console.tell(&json!({"name": name, "file": path, "beside": beside}))?;
    let written: Vec<String> = files.iter().map(|(path, _)| path.display().to_string()).collect();
    console.say(&format!("Written: {}. Run it: rattleback run {}\n", written.join(", "), path.display()))
}
