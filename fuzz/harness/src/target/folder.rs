//! Result folders: opened and read as by `rattleback info` and `plot`, then taken up again as by `rattleback resume`.

use super::FORMAT;
use super::scene::demand_finite_state;
use crate::finding::Fault;
use crate::sandbox::Outcome;
use rattleback_dynamics::{DynamicsError, Run, State, active_contacts};
use rattleback_record::report::{Curve, Sheets};
use rattleback_record::{About, RecordError, Recorder, ResultFolder, RunOutcome as Ending, Sheet};
use rattleback_scene::{Scene, Source};
use std::path::Path;

/// Outputs before the checkpoint and after it.
const OUTPUTS: u64 = 3;
/// Steps of a run that is taken up again.
const STEPS: usize = 5;

/// Examines a folder.
pub fn folder(path: &Path, outcome: &mut Outcome) {
    let folder = match ResultFolder::open(path) {
        Ok(folder) => folder,
        Err(error) => return demand_place(&error, path, outcome),
    };
    let manifest = folder.manifest();
    let _ = (manifest.summary().to_string(), manifest.contents().to_string());
    let mut whole = true;
    for sheet in Sheet::ALL.into_iter().filter(|sheet| folder.has(*sheet)) {
        if let Err(error) = folder.sheet(sheet) {
            whole = false;
            demand_place(&error, path, outcome);
        }
    }
    let Ok(text) = folder.scene() else { return };
    // What a scene may say is another target's.
    let Ok(scene) = FORMAT.parse_scene(Source { path: path.join("scene.toml"), text, beside: Vec::new() })
    else {
        return;
    };
    if let Ok(sheets) = Sheets::read(&folder) {
        for name in scene.output.plots.iter().flat_map(|plot| &plot.curves) {
            let _ = Curve::parse(&name.value, &scene.model).and_then(|curve| curve.points(&sheets));
        }
    }
    match Recorder::resume(path, &scene.model) {
        Ok((recorder, state)) => {
            outcome.accepted = whole;
            go_on(&scene, recorder, state, outcome);
        }
        Err(error) => demand_place(&error, path, outcome),
    }
}

/// Goes on for a few steps and ends the record. What dynamics refuses is an answer.
fn go_on(scene: &Scene, mut recorder: Recorder, state: State, outcome: &mut Outcome) {
    demand_finite_state("stored state", &state, outcome);
    if let Ok(mut run) = Run::new(&scene.model, state, &scene.scheme) {
        let mut steps = 0;
        let _ = run.advance(run.state().time + 1e-3, &mut |seen| {
            steps += 1;
            let told = recorder.step(seen);
            if told.is_err() || steps >= STEPS {
                return Err(DynamicsError::Stopped { time: seen.state.time });
            }
            Ok(())
        });
    }
    let _ = recorder.finish(&Ending::Stopped);
}

/// Holds what is said of a folder to naming a file of it.
fn demand_place(error: &RecordError, folder: &Path, outcome: &mut Outcome) {
    let said = error.to_string();
    let unreadable = matches!(error, RecordError::Unreadable { .. });
    if !said.contains(&*folder.to_string_lossy()) || (unreadable && !said.contains("line")) {
        outcome.find(Fault::NoPlace, said);
    }
}

/// Runs a scene into a folder as far as a few outputs, with a checkpoint among them, and stops there.
pub fn record_run(text: &str, folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let source = Source { path: "scene.toml".into(), text: text.to_owned(), beside: Vec::new() };
    let scene = FORMAT.parse_scene(source)?;
    let about = About {
        title: scene.title.clone(),
        scene: text.to_owned(),
        begin: scene.state.time,
        end: scene.duration,
        interval: scene.output.every,
        ..About::default()
    };
    let mut recorder = Recorder::create(folder, &scene.model, about)?;
    let mut run = Run::new(&scene.model, scene.state.clone(), &scene.scheme)?;
    for k in 0..=2 * OUTPUTS {
        let mut trouble = None;
        let end = scene.output.every * k as f64;
        if k > 0 {
            run.advance(end, &mut |seen| {
                trouble = trouble.take().or(recorder.step(seen).err());
                Ok(())
            })?;
        }
        if let Some(error) = trouble {
            return Err(error.into());
        }
        let (energy, joints) = (run.energy()?, run.joint_readings()?);
        recorder.output(run.state(), &energy, &active_contacts(run.model(), run.state())?, &joints)?;
        if k == OUTPUTS {
            recorder.checkpoint(run.state())?;
        }
    }
    recorder.finish(&Ending::Stopped)?;
    Ok(())
}
