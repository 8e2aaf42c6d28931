//! A run from its first output to its last: the scene moves, the recorder writes, the user watches.

use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::{self, StopRequest};
use crate::overlap;
use crate::progress::{Progress, Standing};
use crate::report::VERDICT;
use rattleback_dynamics::{DynamicsError, Energy, Instant as Seen, Overlap, Run, State, active_contacts};
use rattleback_record::{Manifest, RecordError, Recorder, RunOutcome, WholeFile};
use rattleback_scene::{ApplicationScene, Monitor, Scene, Verdict};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How a run ended that did not fail.
#[derive(Debug)]
pub struct Ended {
    /// What the folder says of itself.
    pub manifest: Manifest,
    /// Whether the user stopped it.
    pub stopped: bool,
    /// What an application says became of it.
    pub verdict: Option<Verdict>,
    /// What overlapped at the start, where the run began there.
    pub overlaps: Vec<Overlap>,
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

/// Runs a scene from a state on, to its end or until the user stops it. Checkpoints are made after outputs, at the
/// given interval of wall time, and where the user stops it.
pub fn drive(
    scene: &Scene,
    mut recorder: Recorder,
    state: State,
    checkpoint: Option<Duration>,
    console: &Console,
) -> Result<Ended, Failure> {
    interrupt::listen();
    recorder.set_scheme(&scene.scheme);
    let mut monitor = monitor(scene, &recorder)?;
    let mut progress = Progress::new(state.time, scene.duration, console);
    let (mut overlaps, mut assembly) = (Vec::new(), None);
    let begun = Run::new(&scene.model, state, &scene.scheme).map_err(RunFailure::from).and_then(|run| {
        if recorder.outputs() == 0 {
            overlaps = run.overlaps()?;
            assembly = overlap::assembly_line(&scene.model, run.assembly());
        }
        Ok(run)
    });
    for line in assembly.into_iter().chain(overlap::lines(&scene.model, &overlaps)) {
        console.remark(&line);
    }
    let outcome = begun.and_then(|mut run| {
        advance(scene, &mut recorder, (&mut run, &mut monitor), checkpoint, &mut progress)
    });
    progress.end();
    let folder = recorder.folder().display().to_string();
    match outcome {
        Ok(()) => end(monitor.as_deref(), recorder, &RunOutcome::Finished, overlaps),
        Err(RunFailure::Stopped) => end(monitor.as_deref(), recorder, &RunOutcome::Stopped, overlaps),
        Err(RunFailure::Motion(error)) => {
            let manifest = recorder.finish(&RunOutcome::Failed(error.to_string()))?;
            let (reached, health) = (manifest.reached_s, told(&manifest));
            let error = scene.describe(&error);
            Err(Failure::motion(format!("{error}\n{health}All up to t = {reached} s is in {folder}")))
        }
        Err(RunFailure::Stalled) => {
            let verdict = recorder.health().verdict().line;
            let manifest = recorder.finish(&RunOutcome::Failed(verdict.clone()))?;
            let reached = manifest.reached_s;
            Err(Failure::broken(format!("{verdict}\nAll up to t = {reached} s is in {folder}")))
        }
        Err(RunFailure::Record(error)) => {
            // The disk may take no more; what it took stays.
            let message = error.to_string();
            let _ = recorder.finish(&RunOutcome::Failed(message.clone()));
            Err(Failure::output(format!("{message}\nWhat was written before is in {folder}")))
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
) -> Result<Ended, Failure> {
    let verdict = monitor.and_then(Monitor::verdict);
    if let Some(verdict) = &verdict {
        WholeFile::write(&recorder.folder().join(VERDICT), verdict.lines.join("\n").as_bytes())?;
    }
    Ok(Ended {
        manifest: recorder.finish(outcome)?,
        stopped: *outcome == RunOutcome::Stopped,
        verdict,
        overlaps,
    })
}

/// What follows a run for the application whose scene it is, with what it remembered where the run is taken up again.
fn monitor(scene: &Scene, recorder: &Recorder) -> Result<Option<Box<dyn Monitor>>, Failure> {
    let begin = |application: &Arc<dyn ApplicationScene>| match recorder.memory() {
        // Without it the verdict would be on a part of the run.
        None if recorder.outputs() > 0 => Err("there is nothing".to_owned()),
        memory => application.monitor(memory),
    };
    scene.application.as_ref().map(begin).transpose().map_err(|reason| {
        let folder = recorder.folder().display();
        Failure::input(format!(
            "{folder}: what its checkpoint remembers of the scene cannot be read: {reason}"
        ))
    })
}

/// What is wrong with the health of a run, as a line, if anything is.
fn told(manifest: &Manifest) -> String {
    let broken = manifest.health.as_ref().filter(|health| !health.healthy);
    broken.map_or_else(String::new, |health| format!("{}\n", health.verdict))
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
    progress: &mut Progress,
) -> Result<(), RunFailure> {
    let mut standing = Standing { time: run.state().time, ..Standing::default() };
    let mut energy_drift = EnergyDrift::default();
    if recorder.outputs() == 0 {
        energy_drift.keep(&write(run, recorder)?);
    }
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
            store(run, recorder, monitor)?;
        }
        let mut trouble = None;
        let advanced = run.advance(end, &mut |seen: &Seen<'_>| {
            standing.time = seen.state.time;
            standing.steps += 1;
            standing.contacts = seen.active_contacts.len();
            progress.show(&standing);
            if let Some(monitor) = monitor {
                monitor.see(seen);
            }
            if let Err(error) = recorder.step(seen) {
                trouble = Some(RunFailure::Record(error));
            } else if interrupt::stop_request() == StopRequest::StopNow {
                trouble = Some(RunFailure::Stopped);
            } else if recorder.health().is_stalled() {
                trouble = Some(RunFailure::Stalled);
            }
            match trouble {
                Some(_) => Err(DynamicsError::Stopped { time: seen.state.time }),
                None => Ok(()),
            }
        });
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        advanced?;
        standing.drift = energy_drift.keep(&write(run, recorder)?);
        let stop = interrupt::stop_request() != StopRequest::GoOn;
        let is_due = checkpoint.is_some_and(|interval| stored.elapsed() >= interval);
        let is_end =
            checkpoint.is_some() && end == scene.duration && recorder.health().verdict().is_healthy();
        // At the end, what a longer run shares; the checkpoint before it stays where it shares nothing.
        let is_of_use = end < scene.duration || is_shared;
        if is_of_use && (stop || is_due || is_end) || stop && checkpoint.is_none() {
            store(run, recorder, monitor)?;
            stored = Instant::now();
        }
        if stop {
            return Err(RunFailure::Stopped);
        }
    }
    Ok(())
}

/// Stores a checkpoint.
fn store(
    run: &Run<'_>,
    recorder: &mut Recorder,
    monitor: &Option<Box<dyn Monitor>>,
) -> Result<(), RunFailure> {
    if let Some(monitor) = monitor {
        recorder.set_memory(monitor.memory()?);
    }
    Ok(recorder.checkpoint(run.state())?)
}

/// Writes the rows of an output.
fn write(run: &mut Run<'_>, recorder: &mut Recorder) -> Result<Energy, RunFailure> {
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
