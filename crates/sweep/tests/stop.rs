//! Runs that are stopped between two outputs keep the checkpoint of the last one, and go on from it to the same bytes.

use rattleback_record::{Recorder, Sheet, Status};
use rattleback_scene::{Scene, Source, parse_scene};
use rattleback_sweep::{RunOptions, Standing, StopRequest, Watcher, drive, record};
use std::path::{Path, PathBuf};

/// A steel ball on or above a floor, with few outputs.
fn scene_text(solver: &str, contact: &str, height: &str) -> String {
    format!(
        r#"
title = "A ball"
gravity = [0, 0, -10]
contacts = [{{ stiffness = 1e6, {contact} }}]
solver = {{ {solver} }}
run = {{ duration = "0.4 s" }}
output = {{ every = "0.15 s" }}
materials.steel = {{ density = 7800 }}
[[bodies]]
name = "floor"
fixed = true
shape = {{ type = "plane", normal = [0, 0, 1] }}
material = "steel"
[[bodies]]
name = "ball"
material = "steel"
position = [0, 0, "{height}"]
velocity = [0.1, 0, 0]
shape = {{ type = "sphere", radius = "10 mm" }}
"#
    )
}

/// Stops at the step of this number.
struct StopsAt(u64, u64);

impl Watcher for StopsAt {
    fn steps(&mut self, standing: &Standing) {
        self.1 = standing.steps;
    }

    fn stop_request(&self) -> StopRequest {
        if self.1 == self.0 { StopRequest::StopNow } else { StopRequest::GoOn }
    }
}

fn begin(scene: &Scene, source: &Source, name: &str) -> (PathBuf, Recorder) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("stop-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    let recorder = record(scene, source, &RunOptions::default(), &folder).unwrap();
    (folder, recorder)
}

/// All sheets of a folder.
fn sheets(folder: &Path) -> Vec<Option<Vec<u8>>> {
    let files = Sheet::ALL
        .into_iter()
        .flat_map(|sheet| ["csv", "parquet"].map(|ending| format!("{}.{ending}", sheet.name())));
    files.map(|name| std::fs::read(folder.join(name)).ok()).collect()
}

#[test]
fn every_engine_goes_on_from_its_last_output_to_the_same_bytes_wherever_it_was_stopped() {
    let bounces = "normal = { law = \"hunt-crossley\", restitution = 0.8 }";
    let rolls = "normal = { law = \"exact\", restitution = 0.3 }, friction = { law = \"coulomb\", coefficient = 0.1, transition = \"1 mm/s\" }";
    for (engine, contact, height) in [
        ("type = \"explicit\"", bounces, "6 cm"),
        ("type = \"stiff\"", bounces, "6 cm"),
        ("type = \"many\", step = \"0.1 ms\"", bounces, "6 cm"),
        ("type = \"mechanism\", step = \"0.1 ms\"", bounces, "6 cm"),
        ("type = \"rolling\"", rolls, "10 mm"),
    ] {
        let text = scene_text(engine, contact, height);
        let source = Source { path: PathBuf::from("scene.toml"), text, beside: Vec::new() };
        let scene = parse_scene(source.clone()).unwrap();
        let (whole, recorder) = begin(&scene, &source, "whole");
        let ended = drive(&scene, recorder, scene.state.clone(), None, &mut ()).unwrap();
        assert_eq!(ended.manifest.status, Status::Finished);
        let steps = ended.manifest.steps;
        // Of flights and of contacts; the last is before the end of the run.
        for stop in [1, 2, steps / 3, steps / 2, 2 * steps / 3, steps - 1] {
            let (folder, recorder) = begin(&scene, &source, "stopped");
            let stopped =
                drive(&scene, recorder, scene.state.clone(), None, &mut StopsAt(stop.max(1), 0)).unwrap();
            assert!(stopped.stopped, "{engine}: step {stop} of {steps}");
            let (recorder, state) = Recorder::resume(&folder, &scene.model).unwrap();
            let outputs = [0.0, 0.15, 0.3, 0.4];
            let reached = stopped.manifest.reached_s;
            let last = outputs.into_iter().rfind(|time| *time < reached);
            assert_eq!(Some(state.time), last, "{engine}: stopped at {reached} s");
            let ended = drive(&scene, recorder, state, None, &mut ()).unwrap();
            assert_eq!((ended.manifest.status, ended.manifest.steps), (Status::Finished, steps));
            assert!(sheets(&folder) == sheets(&whole), "{engine}: stopped at {reached} s");
        }
    }
}
