//! A run from its first output to its last: the scene moves, the recorder writes, somebody watches.

use crate::error::{Result, SweepError};
use rattleback_dynamics::{DynamicsError, Energy, Instant as Seen, Overlap, Run, State, active_contacts};
use rattleback_record::{About, Columns, Manifest, RecordError, Recorder, RunOutcome, WholeFile};
use rattleback_scene::{ApplicationScene, Monitor, Output, Scene, Source, Verdict};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The file of a result folder that says what an application makes of the run.
pub const VERDICT: &str = "verdict.txt";

/// What was asked of a run that goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopRequest {
    /// Nothing.
    GoOn,
    /// To stop where it is convenient: at the next output, or, where that is not near, at the next step.
    StopSoon,
    /// To stop at the next step.
    StopNow,
}

/// Where a run stands.
#[derive(Debug, Clone, Copy, Default)]
pub struct Standing {
    /// Simulated time in s.
    pub time: f64,
    /// Steps so far.
    pub steps: u64,
    /// Contacts now.
    pub contacts: usize,
    /// How far the total energy is from its start, as a share of the largest energy seen.
    pub drift: f64,
}

/// A run that is to stop soon stops at its next step once it has computed this long since its last output: short for a
/// person or a system that waits for its end, long against what most runs need from output to output.
const NEAR: Duration = Duration::from_millis(300);

/// Who watches a run: is told of it, and may stop it.
pub trait Watcher {
    /// A run begins, which is not taken up from a checkpoint; `overlaps` are those at its start, deepest first.
    fn begins(&mut self, _run: &Run<'_>, _overlaps: &[Overlap]) {}

    /// A step was made.
    fn steps(&mut self, _standing: &Standing) {}

    /// An output was written.
    fn outputs(&mut self, _standing: &Standing) {}

    /// What is asked of the run.
    fn stop_request(&self) -> StopRequest {
        StopRequest::GoOn
    }
}

/// Nobody watches.
impl Watcher for () {}

/// How a run ended that did not fail.
#[derive(Debug)]
pub struct Ended {
    /// What the record says of itself.
    pub manifest: Manifest,
    /// Whether it was stopped.
    pub stopped: bool,
    /// What an application says became of it.
    pub verdict: Option<Verdict>,
    /// What overlapped at the start, where the run began there.
    pub overlaps: Vec<Overlap>,
}

/// A run that was recorded in memory.
#[derive(Debug)]
pub struct InMemory {
    /// How it ended.
    pub ended: Ended,
    /// Its sheets.
    pub sheets: Vec<Columns>,
}

/// The options of a run by which it is taken up again and reported on.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RunOptions {
    /// How long, in s, instead of what the scene says.
    pub duration: Option<f64>,
    /// The time between outputs, in s, instead of what the scene says.
    pub every: Option<f64>,
    /// Whether the run begins at the scene's equilibrium.
    pub settle: bool,
}

impl RunOptions {
    /// As the manifest keeps them.
    fn written(&self, source: &Source) -> BTreeMap<String, String> {
        let path = std::path::absolute(&source.path).unwrap_or_else(|_| source.path.clone());
        let mut map = BTreeMap::from([("scene".to_owned(), path.display().to_string())]);
        if let (false, Some(name)) = (source.beside.is_empty(), source.path.file_stem()) {
            map.insert("built_in".to_owned(), name.to_string_lossy().into_owned());
        }
        for (key, value) in [("duration_s", self.duration), ("every_s", self.every)] {
            if let Some(value) = value {
                map.insert(key.to_owned(), value.to_string());
            }
        }
        if self.settle {
            map.insert("settle".to_owned(), "true".to_owned());
        }
        map
    }

    /// The scene with the options in force; an error where they ask for more records than can be written.
    pub fn apply(&self, mut scene: Scene) -> Result<Scene> {
        if let Some(duration) = self.duration {
            scene = scene.with_duration(duration);
        }
        if let Some(every) = self.every {
            scene.output.every = every;
        }
        if self.duration.is_some() {
            let checked = scene.check_duration(scene.duration);
            checked.map_err(|reason| SweepError::Option { option: "duration", reason })?;
        }
        let option = if self.every.is_some() { "every" } else { "duration" };
        Output::check_interval(scene.output.every, scene.duration)
            .map_err(|reason| SweepError::Option { option, reason })?;
        Ok(scene)
    }
}

fn about(scene: &Scene, source: &Source, options: &RunOptions) -> About {
    About {
        title: scene.title.clone(),
        // What a program has made has no text of its own.
        scene: if scene.text.is_empty() { source.text.clone() } else { scene.text.clone() },
        parameters: scene.parameters.clone(),
        solver: scene.choice.clone(),
        options: options.written(source),
        begin: scene.state.time,
        end: scene.duration,
        interval: scene.output.every,
        inputs: scene.inputs.clone(),
    }
}

/// A recorder for a scene from its start into a new folder. The options are already in force in the scene.
pub fn record(scene: &Scene, source: &Source, options: &RunOptions, folder: &Path) -> Result<Recorder> {
    Ok(Recorder::create(folder, &scene.model, about(scene, source, options))?)
}

/// Runs a scene from its start and keeps its records in memory. The options are already in force in the scene.
pub fn run_in_memory(
    scene: &Scene,
    source: &Source,
    options: &RunOptions,
    watcher: &mut dyn Watcher,
) -> Result<InMemory> {
    let recorder = Recorder::in_memory(&scene.model, about(scene, source, options))?;
    let (ended, sheets) = run(scene, recorder, scene.state.clone(), None, watcher)?;
    Ok(InMemory { ended, sheets })
}

/// Runs a scene from a state on, to its end or until it is stopped. Checkpoints are made after outputs, at the given
/// interval of wall time, and where it is stopped: that of the last output, from which on it goes over the same steps
/// again.
pub fn drive(
    scene: &Scene,
    recorder: Recorder,
    state: State,
    checkpoint: Option<Duration>,
    watcher: &mut dyn Watcher,
) -> Result<Ended> {
    run(scene, recorder, state, checkpoint, watcher).map(|(ended, _)| ended)
}

/// Why a run did not end well.
enum RunFailure {
    Motion(DynamicsError),
    Record(RecordError),
    Stopped,
    /// It leads no further.
    Stalled,
}

impl From<DynamicsError> for RunFailure {
    fn from(error: DynamicsError) -> Self {
        Self::Motion(error)
    }
}

impl From<RecordError> for RunFailure {
    fn from(error: RecordError) -> Self {
        Self::Record(error)
    }
}

fn run(
    scene: &Scene,
    mut recorder: Recorder,
    state: State,
    checkpoint: Option<Duration>,
    watcher: &mut dyn Watcher,
) -> Result<(Ended, Vec<Columns>)> {
    recorder.set_scheme(&scene.scheme);
    let mut monitor = monitor(scene, &recorder)?;
    let mut overlaps = Vec::new();
    let begun = Run::new(&scene.model, state, &scene.scheme).map_err(RunFailure::from).and_then(|run| {
        if recorder.outputs() == 0 {
            overlaps = run.overlaps()?;
            watcher.begins(&run, &overlaps);
        }
        Ok(run)
    });
    let outcome = begun
        .and_then(|mut run| advance(scene, &mut recorder, (&mut run, &mut monitor), checkpoint, watcher));
    let folder = recorder.folder().map(PathBuf::from);
    match outcome {
        Ok(()) => end(monitor.as_deref(), recorder, &RunOutcome::Finished, overlaps),
        Err(RunFailure::Stopped) => end(monitor.as_deref(), recorder, &RunOutcome::Stopped, overlaps),
        Err(RunFailure::Motion(error)) => {
            let manifest = recorder.finish(&RunOutcome::Failed(error.to_string()))?;
            let (reached, health) = (manifest.reached_s, told(&manifest));
            let described = scene.describe(&error);
            Err(SweepError::Motion { source: Box::new(error), described, health, reached, folder })
        }
        Err(RunFailure::Stalled) => {
            let verdict = recorder.health().verdict().line;
            let manifest = recorder.finish(&RunOutcome::Failed(verdict.clone()))?;
            Err(SweepError::Stalled { verdict, reached: manifest.reached_s, folder })
        }
        Err(RunFailure::Record(source)) => {
            // The disk may take no more; what it took stays.
            let _ = recorder.finish(&RunOutcome::Failed(source.to_string()));
            Err(SweepError::Unwritten { source, folder })
        }
    }
}

/// Ends the record of a run. What was seen is judged before the manifest says that the run is over: whoever is killed
/// in between can take it up again.
fn end(
    monitor: Option<&dyn Monitor>,
    recorder: Recorder,
    outcome: &RunOutcome,
    overlaps: Vec<Overlap>,
) -> Result<(Ended, Vec<Columns>)> {
    let verdict = monitor.and_then(Monitor::verdict);
    if let (Some(verdict), Some(folder)) = (&verdict, recorder.folder()) {
        WholeFile::write(&folder.join(VERDICT), verdict.lines.join("\n").as_bytes())?;
    }
    let stopped = *outcome == RunOutcome::Stopped;
    let (manifest, sheets) = recorder.finish_in_memory(outcome)?;
    Ok((Ended { manifest, stopped, verdict, overlaps }, sheets))
}

/// What follows a run for the application whose scene it is, with what it remembered where the run is taken up again.
fn monitor(scene: &Scene, recorder: &Recorder) -> Result<Option<Box<dyn Monitor>>> {
    let begin = |application: &Arc<dyn ApplicationScene>| match recorder.memory() {
        // Without it the verdict would be on a part of the run.
        None if recorder.outputs() > 0 => Err("there is nothing".to_owned()),
        memory => application.monitor(memory),
    };
    scene.application.as_ref().map(begin).transpose().map_err(|reason| {
        let path = recorder.folder().map(PathBuf::from).unwrap_or_default();
        SweepError::Memory { path, reason }
    })
}

/// What is wrong with the health of a run, as a line, if anything is.
fn told(manifest: &Manifest) -> Option<String> {
    manifest.health.as_ref().filter(|health| !health.healthy).map(|health| health.verdict.clone())
}

/// The instant of an output.
fn instant(scene: &Scene, k: u64) -> f64 {
    let time = scene.output.every * k as f64;
    // The end is an output, and no output is within rounding of it.
    if time > scene.duration * (1.0 - 1e-12) { scene.duration } else { time }
}

fn advance(
    scene: &Scene,
    recorder: &mut Recorder,
    (run, monitor): (&mut Run<'_>, &mut Option<Box<dyn Monitor>>),
    checkpoint: Option<Duration>,
    watcher: &mut dyn Watcher,
) -> std::result::Result<(), RunFailure> {
    let mut standing = Standing { time: run.state().time, ..Standing::default() };
    let mut energy_drift = EnergyDrift::default();
    if recorder.outputs() == 0 {
        energy_drift.keep(&write(run, recorder)?);
    }
    keep(run, recorder, monitor)?;
    let mut stored = Instant::now();
    while run.state().time < scene.duration {
        let end = instant(scene, recorder.outputs());
        // A longer run has an output elsewhere: it goes on from the last that it shares.
        let is_shared = end == scene.output.every * recorder.outputs() as f64;
        if checkpoint.is_some()
            && end == scene.duration
            && !is_shared
            && recorder.health().verdict().is_healthy()
        {
            recorder.store_kept()?;
        }
        let (mut trouble, begun) = (None, Instant::now());
        let advanced = run.advance(end, &mut |seen: &Seen<'_>| {
            standing.time = seen.state.time;
            standing.steps += 1;
            standing.contacts = seen.active_contacts.len();
            watcher.steps(&standing);
            if let Some(monitor) = monitor {
                monitor.see(seen);
            }
            if let Err(error) = recorder.step(seen) {
                trouble = Some(RunFailure::Record(error));
            } else if is_over(watcher.stop_request(), begun) {
                trouble = Some(RunFailure::Stopped);
            } else if recorder.health().is_stalled() {
                trouble = Some(RunFailure::Stalled);
            }
            match trouble {
                Some(_) => Err(DynamicsError::Stopped { time: seen.state.time }),
                None => Ok(()),
            }
        });
        if let Some(RunFailure::Stopped) = trouble {
            recorder.store_kept()?;
        }
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        advanced?;
        standing.drift = energy_drift.keep(&write(run, recorder)?);
        keep(run, recorder, monitor)?;
        standing.time = run.state().time;
        watcher.outputs(&standing);
        let stop = watcher.stop_request() != StopRequest::GoOn;
        let is_due = checkpoint.is_some_and(|interval| stored.elapsed() >= interval);
        let is_end =
            checkpoint.is_some() && end == scene.duration && recorder.health().verdict().is_healthy();
        // At the end, what a longer run shares; the checkpoint before it stays where it shares nothing.
        let is_of_use = end < scene.duration || is_shared;
        if is_of_use && (stop || is_due || is_end) || stop && checkpoint.is_none() {
            recorder.store_kept()?;
            stored = Instant::now();
        }
        if stop {
            return Err(RunFailure::Stopped);
        }
    }
    Ok(())
}

/// Whether a run stops at a step, which it has gone on to since `begun`.
fn is_over(asked: StopRequest, begun: Instant) -> bool {
    match asked {
        StopRequest::GoOn => false,
        StopRequest::StopSoon => begun.elapsed() > NEAR,
        StopRequest::StopNow => true,
    }
}

/// Keeps an output in mind, of which a checkpoint may be stored until the next one.
fn keep(
    run: &Run<'_>,
    recorder: &mut Recorder,
    monitor: &Option<Box<dyn Monitor>>,
) -> std::result::Result<(), RunFailure> {
    if let Some(monitor) = monitor {
        recorder.set_memory(monitor.memory()?);
    }
    Ok(recorder.keep(run.state())?)
}

/// Writes the rows of an output.
fn write(run: &mut Run<'_>, recorder: &mut Recorder) -> std::result::Result<Energy, RunFailure> {
    let (energy, joints) = (run.energy()?, run.joint_readings()?);
    let contacts = active_contacts(run.model(), run.state())?;
    recorder.output(run.state(), &energy, &contacts, &joints)?;
    Ok(energy)
}

/// How far the energy has drifted.
#[derive(Default)]
struct EnergyDrift {
    start: Option<f64>,
    scale: f64,
}

impl EnergyDrift {
    fn keep(&mut self, energy: &Energy) -> f64 {
        let total = energy.total();
        let start = *self.start.get_or_insert(total);
        self.scale = self.scale.max(total.abs()).max(energy.kinetic);
        if self.scale > 0.0 { (total - start).abs() / self.scale } else { 0.0 }
    }
}
