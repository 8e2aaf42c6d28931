//! Records in memory are those of a folder, and outputs those of its sheets.

use rattleback_record::report::Sheets;
use rattleback_record::{ResultFolder, Sheet, Status};
use rattleback_scene::{Source, parse_scene};
use rattleback_sweep::{
    RunOptions, RunOutput, Standing, StopRequest, SweepError, Watcher, drive, record, run_in_memory,
    study_schema,
};
use std::path::PathBuf;

fn source(text: &str) -> Source {
    Source { path: PathBuf::from("scene.toml"), text: text.to_owned(), beside: Vec::new() }
}

const SCENE: &str = r#"
title = "A ball falls on a floor"
gravity = [0, 0, -10]
contacts = [{ stiffness = 1e6, normal = { law = "exact", restitution = 0.5 } }]
run = { duration = "0.3 s" }
output = { every = "1 ms" }
materials.steel = { density = 7800 }
[[bodies]]
name = "floor"
fixed = true
shape = { type = "plane", normal = [0, 0, 1] }
material = "steel"
[[bodies]]
name = "ball"
material = "steel"
position = [0, 0, "6 cm"]
shape = { type = "sphere", radius = "10 mm" }
"#;

#[test]
fn sheets_in_memory_are_those_of_a_folder() {
    let source = source(SCENE);
    let scene = parse_scene(source.clone()).unwrap();
    let options = RunOptions::default();
    let memory = run_in_memory(&scene, &source, &options, &mut ()).unwrap();
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sweep-memory");
    let _ = std::fs::remove_dir_all(&path);
    let recorder = record(&scene, &source, &options, &path).unwrap();
    let ended = drive(&scene, recorder, scene.state.clone(), None, &mut ()).unwrap();
    assert_eq!([ended.manifest.status, memory.ended.manifest.status], [Status::Finished; 2]);
    assert_eq!(ended.manifest.steps, memory.ended.manifest.steps);
    let folder = ResultFolder::open(&path).unwrap();
    assert_eq!(memory.sheets.len(), 4);
    for columns in &memory.sheets {
        let stored = folder.sheet(columns.sheet()).unwrap();
        assert_eq!(format!("{columns:?}"), format!("{stored:?}"));
        // No record need fall into the short time of a contact.
        assert!(columns.rows() > 0 || columns.sheet() == Sheet::Contacts, "{:?}", columns.sheet());
    }
    let sheets = Sheets::of(memory.sheets).unwrap();
    let value =
        |expression: &str| RunOutput::parse(expression, &scene.model).unwrap().value(&sheets).unwrap();
    let heights: Vec<f64> = folder.series("ball", "z_m").unwrap().iter().map(|point| point[1]).collect();
    assert_eq!(value("ball.z_m"), *heights.last().unwrap());
    assert_eq!(value("max ball.z_m"), 0.06);
    assert_eq!(value("min ball.z_m"), heights.iter().copied().fold(f64::INFINITY, f64::min));
    assert!(RunOutput::parse("max bell.z_m", &scene.model).is_err_and(|e| e.to_string().contains("bell")));
    assert!(folder.has(Sheet::States));
}

/// Stops after some steps.
struct Impatient(u64);

impl Watcher for Impatient {
    fn steps(&mut self, standing: &Standing) {
        self.0 = self.0.saturating_sub(standing.steps.min(1));
    }

    fn stop_request(&self) -> StopRequest {
        if self.0 == 0 { StopRequest::StopNow } else { StopRequest::GoOn }
    }
}

#[test]
fn a_run_in_memory_can_be_stopped_and_options_that_do_not_suit_are_refused() {
    let source = source(SCENE);
    let scene = parse_scene(source.clone()).unwrap();
    let run = run_in_memory(&scene, &source, &RunOptions::default(), &mut Impatient(3)).unwrap();
    assert!(run.ended.stopped && run.ended.manifest.status == Status::Stopped);
    let endless = RunOptions { every: Some(1e-12), ..RunOptions::default() };
    assert!(matches!(endless.apply(scene), Err(SweepError::Option { option: "every", .. })));
}

#[test]
fn the_schema_of_studies_has_every_key() {
    let schema = study_schema();
    let keys = &schema["$defs"]["StudySpec"]["properties"];
    for key in ["scene", "outputs", "design", "samples", "seed", "parameters", "duration", "every", "title"] {
        assert!(keys[key].is_object(), "{key}: {schema}");
    }
}
