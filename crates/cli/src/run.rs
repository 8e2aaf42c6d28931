//! `rattleback run`: a scene from start to end, its records and its report.

use crate::applications::FORMAT;
use crate::console::{Console, complain};
use crate::equilibrium;
use crate::examples;
use crate::failure::{BROKEN, Failure};
use crate::interrupt;
use crate::overlap;
use crate::progress::{clock, rounded};
use crate::report;
use crate::session::drive;
use clap::Args;
use rattleback_record::{Manifest, Recorder};
use rattleback_scene::{Scene, Setting, Source, parse_time};
use rattleback_sweep::{Ended, RunOptions, StopRequest};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Run a scene, record it and write a report
///
/// Without a scene a small demonstration is run, which is built into the program.
#[derive(Args)]
#[command(after_help = "\
The scene is a file, or the name of a built-in scene, which rattleback examples lists.
Ctrl-C ends the run at the next output and stores a checkpoint of it, and so does SIGTERM. Where the
next output is not near, or after a second one, it ends at the next step, with a checkpoint of the last
output. rattleback resume goes on from there.

Examples:
  rattleback run
  rattleback run scenes/papers/roemer_box.toml
  rattleback run roemer_box --duration 1s --every 2ms -o results/short
  rattleback run scene.toml --set radius=15mm --set n=20
  rattleback run scene.toml --checkpoint 10s --quiet")]
pub struct Arguments {
    /// The scene file, or the name of a built-in scene
    scene: Option<PathBuf>,
    /// The folder for the results, which must not exist or be empty [default: results/NAME, or NAME-2 and so on]
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Give a parameter of the scene another value, as radius=15mm; may stand several times
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<Setting>,
    /// Simulate this long instead of what the scene says, as 2s or 150ms
    #[arg(long, value_name = "TIME", value_parser = positive_time)]
    duration: Option<f64>,
    /// Record at this interval instead of what the scene says
    #[arg(long, value_name = "TIME", value_parser = positive_time)]
    every: Option<f64>,
    /// Store a checkpoint at this interval of wall time; 0s for none
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = wall_time)]
    checkpoint: Duration,
    /// Begin at the scene's equilibrium: bodies are first led to where they rest, then they get their velocities
    #[arg(long)]
    settle: bool,
    /// Stop after so many outputs, with a checkpoint: rattleback resume goes on
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    outputs: Option<u64>,
    /// Leave the report away
    #[arg(long)]
    no_report: bool,
    /// Stop when standard input ends, as by Ctrl-C: the studio holds it open
    #[arg(long, hide = true)]
    attended: bool,
}

/// The scene that is run where none is named.
const DEMONSTRATION: &str = "demonstration";

pub fn positive_time(text: &str) -> Result<f64, String> {
    match parse_time(text) {
        Ok(time) if time > 0.0 && time.is_finite() => Ok(time),
        Ok(time) => Err(format!("{time} s is not above zero")),
        Err(reason) => Err(reason),
    }
}

pub fn wall_time(text: &str) -> Result<Duration, String> {
    let time = parse_time(text)?;
    Duration::try_from_secs_f64(time).map_err(|_| format!("{time} s is no time to wait"))
}

/// A scene that was asked for.
pub struct Chosen {
    /// Its file's name without ending, for the folder.
    pub name: String,
    /// Its text.
    pub source: Source,
}

/// The options that a manifest keeps, for another duration in s.
pub fn prolonged(manifest: &Manifest, duration: f64) -> BTreeMap<String, String> {
    let mut map = manifest.options.clone();
    map.insert("duration_s".to_owned(), duration.to_string());
    map
}

/// The scene of a result folder, as it was run.
pub fn scene_of(text: String, manifest: &Manifest) -> Result<Scene, Failure> {
    scene_with(text, &manifest.options)
}

/// The scene of a result folder, as it is run with options.
pub fn scene_with(text: String, options: &BTreeMap<String, String>) -> Result<Scene, Failure> {
    let path = options.get("scene").map_or_else(|| PathBuf::from("scene.toml"), PathBuf::from);
    // Whatever it was read from, the folder has it as TOML.
    let path = path.with_extension("toml");
    let number = |key: &str| options.get(key).and_then(|text| text.parse().ok());
    let settle = options.contains_key("settle");
    let own = RunOptions { duration: number("duration_s"), every: number("every_s"), settle };
    // Files beside a built-in scene are on no disk.
    let example = options.get("built_in").and_then(|name| examples::find(name));
    let beside = example.map(|example| example.files()).unwrap_or_default();
    Ok(own.apply(FORMAT.parse_scene(Source { path, text, beside })?)?)
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    if arguments.attended {
        interrupt::attend();
    }
    let chosen = choose(arguments.scene.as_deref())?;
    let options =
        RunOptions { duration: arguments.duration, every: arguments.every, settle: arguments.settle };
    let mut scene = options.apply(FORMAT.parse_scene_with(chosen.source.clone(), &arguments.settings)?)?;
    report::check_curves(&scene)?;
    for remark in &scene.remarks {
        console.remark(remark);
    }
    if options.settle {
        let (state, line) = equilibrium::settled(&scene)?;
        scene.state = state;
        console.remark(&line);
    }
    let folder = arguments.output.clone().unwrap_or_else(|| free_folder(&chosen.name));
    let interval = (arguments.checkpoint > Duration::ZERO).then_some(arguments.checkpoint);
    let recorder = begin(&scene, &chosen.source, &options, &folder, console)?;
    let ended = drive(&scene, recorder, scene.state.clone(), interval, arguments.outputs, console)?;
    // A run that stops after some outputs has its report at its end.
    let is_partial = ended.stopped && arguments.outputs.is_some();
    conclude(&scene, &folder, &ended, !arguments.no_report && !is_partial, console)
}

/// Runs a scene from its start into a new folder. The options are already in force in the scene.
pub fn record(
    scene: &Scene,
    source: &Source,
    options: &RunOptions,
    folder: &Path,
    checkpoint: Option<Duration>,
    console: &Console,
) -> Result<Ended, Failure> {
    let recorder = begin(scene, source, options, folder, console)?;
    drive(scene, recorder, scene.state.clone(), checkpoint, None, console)
}

/// A new folder for the results of a scene.
fn begin(
    scene: &Scene,
    source: &Source,
    options: &RunOptions,
    folder: &Path,
    console: &Console,
) -> Result<Recorder, Failure> {
    let recorder = rattleback_sweep::record(scene, source, options, folder)?;
    console.say(&format!("{}\n", scene.title))?;
    if !scene.choice.is_empty() {
        console.say(&format!("{}\n", scene.choice))?;
    }
    Ok(recorder)
}

/// Reports on a run that has ended, and says where everything is.
pub fn conclude(
    scene: &Scene,
    folder: &Path,
    ended: &Ended,
    wanted: bool,
    console: &Console,
) -> Result<ExitCode, Failure> {
    let page = if wanted { Some(report::write(scene, folder)?) } else { None };
    let mut told = serde_json::to_value(&ended.manifest).map_err(|e| Failure::output(e.to_string()))?;
    told["overlaps_at_start"] = overlap::told(&scene.model, &ended.overlaps);
    told["folder"] = folder.display().to_string().into();
    told["report"] = page.as_ref().map(|page| page.display().to_string()).into();
    if scene.application.is_some() {
        told["verdict"] = ended.verdict.as_ref().map(|verdict| verdict.json.clone()).into();
    }
    console.tell(&told)?;
    console.say(&summary(&ended.manifest))?;
    for line in ended.verdict.iter().flat_map(|verdict| &verdict.lines) {
        console.say(&format!("{line}\n"))?;
    }
    console.say(&format!("Results: {}\n", folder.display()))?;
    if let Some(page) = page {
        console.say(&format!("Report:  {}\n", page.display()))?;
    }
    let broken = broken(&ended.manifest);
    if let Some(verdict) = broken {
        complain(verdict);
    }
    if ended.stopped {
        console.remark(&format!(
            "Stopped; rattleback resume {} goes on from the last checkpoint.",
            folder.display()
        ));
        // Where nobody interrupted it, it stopped as its options say.
        let is_asked = interrupt::stop_request() == StopRequest::GoOn;
        return Ok(if is_asked { ExitCode::SUCCESS } else { ExitCode::from(interrupt::code()) });
    }
    Ok(if broken.is_some() { ExitCode::from(BROKEN) } else { ExitCode::SUCCESS })
}

/// The verdict on a run that is broken.
pub fn broken(manifest: &Manifest) -> Option<&str> {
    manifest.health.as_ref().filter(|health| !health.healthy).map(|health| health.verdict.as_str())
}

/// The summary for a person.
fn summary(manifest: &Manifest) -> String {
    let mut text = format!(
        "{} s simulated in {}, {} times real time: {} steps, {} contacts",
        manifest.reached_s - manifest.begin_s,
        clock(manifest.wall_s),
        rounded(manifest.speed),
        manifest.steps,
        manifest.events,
    );
    text += "\n";
    // A run that is broken is told of on standard error, at the end.
    if let Some(health) = manifest.health.as_ref().filter(|health| health.healthy) {
        text += &format!("{}\n", health.verdict);
    }
    text
}

/// The scene that was asked for, or the demonstration.
pub fn choose(asked: Option<&Path>) -> Result<Chosen, Failure> {
    let path = asked.unwrap_or(Path::new(DEMONSTRATION));
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if let (Some(name), false) = (path.to_str(), asked.is_some() && path.exists())
        && let Some(example) = examples::find(name)
    {
        return Ok(Chosen { name: stem, source: example.source() });
    }
    match Source::read(path) {
        Ok(source) => Ok(Chosen { name: stem, source }),
        Err(error) => Err(Failure::input(format!("{error}; rattleback examples lists the built-in scenes"))),
    }
}

/// A folder for results that is not there yet.
pub fn free_folder(name: &str) -> PathBuf {
    let results = Path::new("results");
    let mut numbered = (2..).map(|k: u64| results.join(format!("{name}-{k}")));
    let first = results.join(name);
    if !first.exists() {
        return first;
    }
    numbered.find(|folder| !folder.exists()).unwrap_or(first)
}
