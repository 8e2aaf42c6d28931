//! Anchor manoeuvres: the study of the command, `rattleback_anchor::study`.

use crate::scene::Scene;
use crate::watch::{Watch, attended};
use crate::{errors, json};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rattleback_anchor::study::{self, Case, Durations};
use rattleback_scene::Source;

/// Follows manoeuvres, those of scenes or of the built-in set, and sets them side by side; writes the page into a new
/// folder, where one is given.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "they are those of the Python function")]
pub fn anchor_study<'py>(
    py: Python<'py>,
    scenes: Vec<(String, PyRef<'py, Scene>)>,
    cases: Option<usize>,
    duration: f64,
    seaway: f64,
    raise: bool,
    folder: Option<std::path::PathBuf>,
    tell: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    for (field, time, least) in [("duration", duration, f64::MIN_POSITIVE), ("seaway", seaway, 0.0)] {
        if !(time >= least && time.is_finite()) {
            return Err(errors::argument(py, field, &time.to_string(), "a finite time in s, not below zero"));
        }
    }
    let mut followed = Vec::new();
    for (name, scene) in &scenes {
        let (start, scene) = (scene.parsed.title.clone(), (*scene.parsed).clone());
        let Some(case) = Case::new(name, &start, scene) else {
            return Err(errors::argument(py, "scenes", &start, "scenes with the key `manoeuvre`"));
        };
        followed.push(case);
    }
    let watch = Watch::new(None);
    let document = py.detach(|| {
        attended(&watch, || {
            if followed.is_empty() {
                followed = study::built_in(duration)?;
                followed.truncate(cases.unwrap_or(usize::MAX));
            }
            let durations = Durations { longest: duration, seaway, raise };
            let line = |line: &str| watch.tell(tell.as_ref(), line);
            let stopped = || watch.is_stopped();
            let report = study::report_until(&followed, &durations, folder.is_some(), &line, &stopped)?;
            if stopped() {
                return Ok(report);
            }
            if let Some(folder) = &folder {
                rattleback_record::claim_folder(folder)?;
                report.write(folder)?;
            }
            Ok(report)
        })
    });
    watch.end(0.0)?;
    let document = document.map_err(|error| errors::record(py, &error))?;
    let dict = PyDict::new(py);
    dict.set_item("document", json::object(py, &document.as_json())?)?;
    dict.set_item("text", document.as_text())?;
    Ok(dict)
}

/// A scene that is built into the application.
pub fn built_in(name: &str) -> Option<Source> {
    let scenes = rattleback_anchor::APPLICATION.scenes;
    scenes.iter().find(|scene| scene.name == name).map(rattleback_scene::BuiltIn::source)
}

/// The text of a scene that is built into the application.
#[pyfunction]
pub fn anchor_scene(py: Python<'_>, name: &str) -> PyResult<String> {
    match built_in(name) {
        Some(source) => Ok(source.text),
        None => {
            let scenes = rattleback_anchor::APPLICATION.scenes.iter();
            let known: Vec<&str> = scenes.map(|scene| scene.name).collect();
            Err(errors::argument(py, "name", name, &known.join(", ")))
        }
    }
}
