//! From the file to the study, and from the study to a row per run.

use super::design::{Axis, Points};
use super::{Design, ParameterSpec, Scale, StudySpec, sobol};
use crate::error::{Result, SweepError};
use crate::log::{Cell, Header, Row, RunStatus};
use crate::output::RunOutput;
use crate::session::{RunOptions, Watcher, run_in_memory};
use rattleback_geom::Fingerprint;
use rattleback_record::report::Sheets;
use rattleback_scene::read::{At, Reader};
use rattleback_scene::{Format, ParameterValue, Scene, SceneError, Setting, Source};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The most runs: their numbers are those of 32-bit sequences, and a row of each is held in memory.
const MAX_RUNS: usize = 10_000_000;

/// The columns that every table has.
const RESERVED: [&str; 7] = ["run", "status", "verdict", "outcome", "reached_s", "steps", "contacts"];

/// All that it takes to make a run of a study, on this machine or on another one: plain data.
///
/// The scene is one text; files that it names beside its own, such as meshes, are looked for at the same path and must
/// be the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sweepable {
    /// The version of the program, which must be that of who runs it.
    pub version: String,
    /// Where the scene was read.
    pub path: PathBuf,
    /// What it says.
    pub text: String,
    /// Files that are not looked for on the disk.
    pub beside: Vec<(PathBuf, String)>,
    /// The fingerprints of the files that it reads.
    pub inputs: BTreeMap<String, String>,
    /// How long, in s, instead of what the scene says.
    pub duration: Option<f64>,
    /// The time between records, in s, instead of what the scene says.
    pub every: Option<f64>,
    /// The outputs.
    pub outputs: Vec<String>,
}

/// A study, ready to be run.
#[derive(Debug, Clone)]
pub struct Study {
    /// What it is called.
    pub title: String,
    /// What it is for.
    pub description: String,
    sweepable: Sweepable,
    parameters: Vec<String>,
    units: Vec<String>,
    output_units: Vec<&'static str>,
    points: Points,
}

impl Study {
    /// Reads a study; every mistake in it is told at once. `built_in` finds the scenes that are on no disk.
    pub fn read(path: &Path, format: &Format, built_in: impl Fn(&str) -> Option<Source>) -> Result<Self> {
        Self::parse(Source::read(path)?, format, built_in)
    }

    /// The study of a text that has been read, TOML or JSON.
    pub fn parse(source: Source, format: &Format, built_in: impl Fn(&str) -> Option<Source>) -> Result<Self> {
        let folder = source.path.parent().unwrap_or(Path::new("")).to_owned();
        let mut wrong_scene = None;
        let lowered = format.parse_entry(source, |spec: StudySpec, reader| {
            let name = spec.scene.value.as_path();
            let path = folder.join(name);
            let found = match name.to_str().filter(|_| !path.exists()).and_then(&built_in) {
                Some(source) => Ok(source),
                None => Source::read(&path),
            };
            let found = match found {
                Ok(source) => format.parse_scene(source),
                Err(error) => {
                    reader.refuse_at(&spec.scene, format!("the scene cannot be read: {error}"));
                    return None;
                }
            };
            match found {
                Ok(scene) => lower(&spec, scene, reader),
                Err(error) => {
                    wrong_scene = Some(error);
                    None
                }
            }
        });
        // What is wrong with the scene is shown in the scene.
        match wrong_scene {
            Some(error) => Err(error.into()),
            None => Ok(lowered?),
        }
    }

    /// How many runs there are.
    pub fn runs(&self) -> usize {
        self.points.runs()
    }

    /// The parameters that are varied, with their units.
    pub fn parameters(&self) -> impl Iterator<Item = (&str, &str)> {
        self.parameters.iter().zip(&self.units).map(|(name, unit)| (name.as_str(), unit.as_str()))
    }

    /// The outputs that are collected, with their units.
    pub fn outputs(&self) -> impl Iterator<Item = (&str, &'static str)> {
        self.sweepable.outputs.iter().map(String::as_str).zip(self.output_units.iter().copied())
    }

    /// What it takes to make a run anywhere.
    pub fn sweepable(&self) -> &Sweepable {
        &self.sweepable
    }

    /// The values of the parameters in a run, in SI units.
    pub fn values(&self, run: usize) -> Result<Vec<ParameterValue>> {
        if run >= self.runs() {
            let allowed = format!("below {}, the number of runs", self.runs());
            return Err(SweepError::OutOfRange { what: "run", found: run as u64, allowed });
        }
        Ok(self.points.at(run))
    }

    /// The settings of a run.
    pub fn settings(&self, run: usize) -> Result<Vec<Setting>> {
        let values = self.values(run)?;
        Ok(self.parameters.iter().zip(&values).map(|(name, value)| value.setting(name)).collect())
    }

    /// Makes a run; none where it was stopped.
    pub fn run(&self, run: usize, format: &Format, watcher: &mut dyn Watcher) -> Result<Option<Row>> {
        self.sweepable.run(run, &self.settings(run)?, format, watcher)
    }

    /// What a log of it begins with.
    pub fn header(&self) -> Result<Header> {
        let mut fingerprint = Fingerprint::default();
        let fixed = serde_json::to_string(&Sweepable { path: PathBuf::new(), ..self.sweepable.clone() });
        fingerprint.add(fixed.unwrap_or_default().as_bytes());
        for run in 0..self.runs() {
            for setting in self.settings(run)? {
                fingerprint.add(format!("{}={}\n", setting.name, setting.value).as_bytes());
            }
        }
        Ok(Header {
            format: Header::FORMAT,
            version: self.sweepable.version.clone(),
            study: fingerprint.to_string(),
            runs: self.runs(),
            parameters: self.parameters.clone(),
            outputs: self.sweepable.outputs.clone(),
        })
    }
}

impl Sweepable {
    /// Makes a run with settings; none where it was stopped. What is wrong with the run itself is a row; an error is
    /// what is wrong with the machine.
    pub fn run(
        &self,
        run: usize,
        settings: &[Setting],
        format: &Format,
        watcher: &mut dyn Watcher,
    ) -> Result<Option<Row>> {
        if self.version != env!("CARGO_PKG_VERSION") {
            let found = env!("CARGO_PKG_VERSION");
            let reason = format!("the study was made by version {}, this is version {found}", self.version);
            return Err(SweepError::Folder { path: self.path.clone(), reason });
        }
        match self.made(settings, format, watcher) {
            Ok(row) => Ok(row.map(|row| Row { run, ..row })),
            Err(error @ SweepError::Folder { .. }) => Err(error),
            Err(error) => Ok(Some(Row {
                run,
                status: RunStatus::Failed,
                verdict: said(&error),
                reached_s: match error {
                    SweepError::Motion { reached, .. } | SweepError::Stalled { reached, .. } => {
                        reached.into()
                    }
                    _ => f64::NAN.into(),
                },
                outputs: vec![f64::NAN.into(); self.outputs.len()],
                ..Row::default()
            })),
        }
    }

    fn made(&self, settings: &[Setting], format: &Format, watcher: &mut dyn Watcher) -> Result<Option<Row>> {
        let source = Source { path: self.path.clone(), text: self.text.clone(), beside: self.beside.clone() };
        let options = RunOptions { duration: self.duration, every: self.every, settle: false };
        let scene = options.apply(format.parse_scene_with(source.clone(), settings)?)?;
        self.check_inputs(&scene)?;
        let run = run_in_memory(&scene, &source, &options, watcher)?;
        if run.ended.stopped {
            return Ok(None);
        }
        let manifest = run.ended.manifest;
        let sheets = Sheets::of(run.sheets)?;
        let value = |output: &String| Ok(RunOutput::parse(output, &scene.model)?.value(&sheets)?.into());
        let health = manifest.health.as_ref();
        let healthy = health.is_none_or(|health| health.healthy);
        let outcome = run.ended.verdict.map(|verdict| verdict.lines.join("\n"));
        Ok(Some(Row {
            run: 0,
            status: if healthy { RunStatus::Finished } else { RunStatus::Broken },
            verdict: health.map_or_else(String::new, |health| health.verdict.clone()),
            outcome: outcome.unwrap_or_default(),
            reached_s: manifest.reached_s.into(),
            steps: manifest.steps,
            contacts: manifest.events,
            outputs: self.outputs.iter().map(value).collect::<Result<Vec<Cell>>>()?,
        }))
    }

    fn check_inputs(&self, scene: &Scene) -> Result<()> {
        match scene.inputs.iter().find(|(name, found)| self.inputs.get(*name) != Some(*found)) {
            None => Ok(()),
            Some((name, _)) => Err(SweepError::Folder {
                path: self.path.clone(),
                reason: format!(
                    "the file \"{name}\" of the scene is not what it was when the study was read"
                ),
            }),
        }
    }
}

/// An error in one line, the same on every machine: without the paths of files.
fn said(error: &SweepError) -> String {
    match error {
        SweepError::Scene(SceneError::Refused { complaints, .. }) => {
            complaints.iter().map(|complaint| complaint.sentence()).collect::<Vec<_>>().join("; ")
        }
        SweepError::Motion { source, .. } => source.to_string(),
        SweepError::Stalled { verdict, .. } => verdict.clone(),
        other => other.to_string(),
    }
}

fn lower(spec: &StudySpec, scene: Scene, reader: &mut Reader) -> Option<Study> {
    let mut output_units = Vec::new();
    for output in &spec.outputs {
        match RunOutput::parse(&output.value, &scene.model) {
            Ok(found) => output_units.push(found.unit()),
            Err(error) => reader.refuse_at(output, error.to_string()),
        }
    }
    for (k, output) in spec.outputs.iter().enumerate() {
        if spec.outputs[..k].iter().any(|other| other.value == output.value) {
            reader.refuse_at(output, format!("\"{}\" is collected twice", output.value));
        }
    }
    if spec.outputs.is_empty() {
        reader.wrong(&spec.place, "outputs", "the list is empty; expected at least one output");
    }
    if spec.parameters.0.is_empty() {
        reader.wrong(
            &spec.place,
            "parameters",
            "there is none; expected at least one parameter that is varied",
        );
    }
    let axes: Vec<Axis> = spec
        .parameters
        .0
        .iter()
        .filter_map(|(name, own)| axis(name, own, spec.design, &scene, reader))
        .collect();
    let time = |at: &Option<At<rattleback_scene::read::Time>>, key: &str, reader: &mut Reader| {
        let time = at.as_ref()?;
        let seconds = time.value.0;
        if !(seconds > 0.0 && seconds.is_finite()) {
            reader.refuse_at(time, format!("found {seconds} s; expected a {key} above zero"));
        }
        Some(seconds)
    };
    let duration = time(&spec.duration, "duration", reader);
    let every = time(&spec.every, "time", reader);
    if !reader.is_content() || axes.len() != spec.parameters.0.len() || axes.is_empty() {
        return None;
    }
    let runs = count(spec, &axes, reader)?;
    let options = RunOptions { duration, every, settle: false };
    let path = scene.source.path.with_extension("toml");
    let sweepable = Sweepable {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        path: std::path::absolute(&path).unwrap_or(path),
        text: scene.text.clone(),
        beside: scene.source.beside.clone(),
        inputs: scene.inputs.clone(),
        duration,
        every,
        outputs: spec.outputs.iter().map(|output| output.value.clone()).collect(),
    };
    let title = spec.title.clone().unwrap_or_else(|| scene.title.clone());
    if let Err(error) = options.apply(scene) {
        reader.wrong(&spec.place, if spec.every.is_some() { "every" } else { "duration" }, error.to_string());
        return None;
    }
    let units = axes.iter().map(|axis| match axis {
        Axis::Values(values) => values[0].unit.clone(),
        Axis::Range { unit, .. } => unit.clone(),
    });
    Some(Study {
        title,
        description: spec.description.clone().unwrap_or_default(),
        sweepable,
        parameters: spec.parameters.0.iter().map(|(name, _)| name.clone()).collect(),
        units: units.collect(),
        output_units,
        points: Points::new(spec.design, spec.seed.map(|seed| seed as u64), runs, axes),
    })
}

/// What a parameter can be; what is wrong with it is told.
fn axis(
    name: &str,
    spec: &ParameterSpec,
    design: Design,
    scene: &Scene,
    reader: &mut Reader,
) -> Option<Axis> {
    let Some(own) = scene.parameters.get(name) else {
        let known: Vec<&str> = scene.parameters.keys().map(String::as_str).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        reader.wrong(&spec.place, "", format!("the scene has no parameter \"{name}\"; it has {known}"));
        return None;
    };
    if RESERVED.contains(&name) {
        let message =
            format!("\"{name}\" is a column of every table; the scene's parameter needs another name");
        reader.wrong(&spec.place, "", message);
        return None;
    }
    let unit = own.split_once(' ').map_or("", |(_, unit)| unit);
    // A number without unit is in SI units, as in the scene.
    let fits = |value: &ParameterValue| value.unit == unit || value.unit.is_empty();
    let unfit = |value: &ParameterValue| {
        format!("found {}; expected a value in the unit of the scene's parameter, {own}", value.text())
    };
    match (&spec.values, &spec.from, &spec.to) {
        (Some(values), None, None) => {
            if values.value.is_empty() {
                reader.refuse_at(values, "the list is empty; expected at least one value".to_owned());
                return None;
            }
            if let Some(wrong) = values.value.iter().find(|value| !fits(value)) {
                reader.refuse_at(values, unfit(wrong));
                return None;
            }
            if let Some(count) = &spec.count {
                reader.refuse_at(count, "it goes with `from` and `to`, not with `values`".to_owned());
                return None;
            }
            let with_unit =
                |value: &ParameterValue| ParameterValue { value: value.value, unit: unit.to_owned() };
            Some(Axis::Values(values.value.iter().map(with_unit).collect()))
        }
        (None, Some(from), Some(to)) => {
            for end in [from, to] {
                if !fits(&end.value) {
                    reader.refuse_at(end, unfit(&end.value));
                    return None;
                }
            }
            let (from, to) = (from.value.value, to.value.value);
            if spec.scale == Scale::Log && !(from * to > 0.0) {
                reader.wrong(&spec.place, "scale", "a log scale needs two ends above zero, or two below");
                return None;
            }
            let counted = matches!(design, Design::Grid | Design::List);
            let count = match (&spec.count, counted) {
                (Some(count), true) if count.value == 0 || count.value > MAX_RUNS => {
                    reader.refuse_at(count, format!("found {}; expected 1 to {MAX_RUNS}", count.value));
                    return None;
                }
                (Some(count), true) => count.value,
                (None, false) => 0,
                (Some(count), false) => {
                    reader
                        .refuse_at(count, "it is for grids and lists; this design has `samples`".to_owned());
                    return None;
                }
                (None, true) => {
                    reader.wrong(&spec.place, "", "missing key `count`: how many values from end to end");
                    return None;
                }
            };
            Some(Axis::Range { from, to, unit: unit.to_owned(), scale: spec.scale, count })
        }
        _ => {
            reader.wrong(&spec.place, "", "expected either `values`, or `from` and `to`");
            None
        }
    }
}

/// How many runs there are.
fn count(spec: &StudySpec, axes: &[Axis], reader: &mut Reader) -> Option<usize> {
    let sampled = matches!(spec.design, Design::LatinHypercube | Design::Sobol);
    match (&spec.samples, sampled) {
        (Some(samples), false) => {
            let message = "it is for latin_hypercube and sobol; grids and lists count their values";
            reader.refuse_at(samples, message.to_owned());
            return None;
        }
        (None, true) => {
            reader.wrong(&spec.place, "", "missing key `samples`: how many runs there are");
            return None;
        }
        (Some(samples), true) if samples.value == 0 || samples.value > MAX_RUNS => {
            reader.refuse_at(samples, format!("found {}; expected 1 to {MAX_RUNS}", samples.value));
            return None;
        }
        _ => {}
    }
    match spec.design {
        Design::Grid => {
            let all = axes.iter().try_fold(1usize, |all, axis| all.checked_mul(axis.count()));
            let all = all.filter(|&all| all <= MAX_RUNS);
            if all.is_none() {
                let message = format!("the grid has more than {MAX_RUNS} runs; expected fewer");
                reader.wrong(&spec.place, "parameters", message);
            }
            all
        }
        Design::List => {
            let first = axes[0].count();
            if axes.iter().any(|axis| axis.count() != first) {
                let counts: Vec<String> = axes.iter().map(|axis| axis.count().to_string()).collect();
                let message = format!("found {} values; expected the same number of each", counts.join(", "));
                reader.wrong(&spec.place, "parameters", message);
                return None;
            }
            Some(first)
        }
        Design::Sobol if axes.len() > sobol::DIMENSIONS => {
            let (found, most) = (axes.len(), sobol::DIMENSIONS);
            let message = format!("found {found} parameters; a Sobol sequence has at most {most} here");
            reader.wrong(&spec.place, "parameters", message);
            None
        }
        Design::Sobol | Design::LatinHypercube => spec.samples.as_ref().map(|samples| samples.value),
    }
}
