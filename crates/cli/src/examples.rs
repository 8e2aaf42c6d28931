//! `rattleback examples`: the scenes that are built into the program.

use crate::failure::Failure;
use crate::voice::Voice;
use clap::Args;
use rattleback_record::{Table, WholeFile};
use rattleback_scene::{Scene, Source, parse_scene};
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

/// A built-in scene.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
    /// The files that it names, and what they say.
    pub beside: &'static [(&'static str, &'static str)],
}

macro_rules! scenes {
    ($($name:literal: $path:literal $(with $folder:literal $($file:literal)+)?),+ $(,)?) => {
        &[$( Example {
            name: $name,
            text: include_str!(concat!("../../../scenes/", $path)),
            beside: &[$($(($file, include_str!(concat!("../../../scenes/", $folder, $file)))),+)?],
        } ),+]
    };
}

/// All of them, in the order of the list.
pub const ALL: &[Example] = scenes! {
    "demonstration": "demonstration.toml",
    "heap": "heap.toml",
    "roemer_box": "papers/roemer_box.toml",
    "marques_ball": "papers/marques_ball.toml",
    "marques_cradle": "papers/marques_cradle.toml",
    "marques_cradle_damped": "papers/marques_cradle_damped.toml",
    "marques_cradle_two": "papers/marques_cradle_two.toml",
    "marques_cradle_two_damped": "papers/marques_cradle_two_damped.toml",
    "marques_rolling_sphere": "papers/marques_rolling_sphere.toml",
    "marques_ellipsoid": "papers/marques_ellipsoid.toml",
    "pendulum": "mechanisms/pendulum.toml",
    "four_bar": "mechanisms/four_bar.toml",
    "bricard": "mechanisms/bricard.toml",
    "flyball": "mechanisms/flyball.toml",
    "squeezer": "mechanisms/squeezer.toml",
    "hanging_chain": "mechanisms/hanging_chain.toml",
    "stow": "anchor/stow.toml",
    "jam": "anchor/jam.toml",
    "rattleback": "rolling/rattleback.toml",
    "patch": "rolling/patch.toml",
    "bowl": "rolling/bowl.toml" with "rolling/" "bowl.obj" "table.obj",
    "incline": "rolling/incline.toml",
    "ring": "rolling/ring.toml",
    "stack": "rolling/stack.toml",
};

/// The built-in scene of that name.
pub fn find(name: &str) -> Option<&'static Example> {
    ALL.iter().find(|example| example.name == name)
}

impl Example {
    /// The files that it names, and what they say.
    pub fn files(&self) -> Vec<(PathBuf, String)> {
        self.beside.iter().map(|(name, text)| (PathBuf::from(name), (*text).to_owned())).collect()
    }

    /// Its text as a file of its name.
    pub fn source(&self) -> Source {
        let path = PathBuf::from(format!("{}.toml", self.name));
        Source { path, text: self.text.to_owned(), beside: self.files() }
    }

    /// The scene.
    pub fn scene(&self) -> Result<Scene, Failure> {
        Ok(parse_scene(self.source())?)
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, voice: &Voice) -> Result<ExitCode, Failure> {
    match &arguments.name {
        None => list(voice)?,
        Some(name) => write(name, arguments.output.as_deref(), voice)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn list(voice: &Voice) -> Result<(), Failure> {
    let mut table = Table::new(["name", "what", "s"].map(str::to_owned));
    let mut told = Vec::new();
    for example in ALL {
        let scene = example.scene()?;
        table.push([example.name.to_owned(), scene.title.clone(), scene.duration.to_string()]);
        told.push(json!({
            "name": example.name,
            "title": scene.title,
            "description": scene.description,
            "source": scene.origin,
            "duration_s": scene.duration,
        }));
    }
    voice.tell(&told)?;
    voice.say(&format!(
        "{table}\nRun one: rattleback run NAME. Write it out to change it: rattleback examples NAME\n"
    ))
}

fn write(name: &str, output: Option<&Path>, voice: &Voice) -> Result<(), Failure> {
    let Some(example) = find(name) else {
        return Err(Failure::input(format!(
            "no built-in scene is named \"{name}\"; rattleback examples lists them"
        )));
    };
    if output == Some(Path::new("-")) {
        return crate::voice::print(example.text);
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
    voice.tell(&json!({"name": name, "file": path, "beside": beside}))?;
    let written: Vec<String> = files.iter().map(|(path, _)| path.display().to_string()).collect();
    voice.say(&format!("Written: {}. Run it: rattleback run {}\n", written.join(", "), path.display()))
}
