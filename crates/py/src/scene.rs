//! Scenes, and runs of them from start to end.

use crate::result::Record;
use crate::watch::{Watch, WatchedRun, attended};
use crate::{FORMAT, errors};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use rattleback_scene::{Scene as Parsed, Setting, Source};
use rattleback_sweep::{self as sweep, RunOptions, Sensitivity};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A scene, read and checked.
#[pyclass(frozen, module = "rattleback._rattleback")]
pub struct Scene {
    pub(crate) parsed: Arc<Parsed>,
    source: Source,
    settings: Vec<Setting>,
}

/// The settings of Python's names and texts.
pub fn settings(py: Python<'_>, given: Vec<(String, String)>) -> PyResult<Vec<Setting>> {
    let one = |(name, value): (String, String)| {
        let text = format!("{name}={value}");
        text.parse().map_err(|reason: String| {
            let (found, expected) = reason.split_once("; expected ").unwrap_or((&value, &reason));
            errors::argument(py, &name, found.strip_prefix("found ").unwrap_or(found), expected)
        })
    };
    given.into_iter().map(one).collect()
}

#[pymethods]
impl Scene {
    /// The scene of a text, JSON or TOML as the ending of the path says, with other values of some parameters.
    #[new]
    fn new(py: Python<'_>, text: String, path: PathBuf, given: Vec<(String, String)>) -> PyResult<Self> {
        let source = Source { path, text, beside: Vec::new() };
        let settings = settings(py, given)?;
        let parsed = py.detach(|| FORMAT.parse_scene_with(source.clone(), &settings));
        let parsed = Arc::new(parsed.map_err(|error| errors::scene(py, &error))?);
        Ok(Self { parsed, source, settings })
    }

    #[getter]
    fn title(&self) -> &str {
        &self.parsed.title
    }

    #[getter]
    fn description(&self) -> &str {
        &self.parsed.description
    }

    #[getter]
    fn duration(&self) -> f64 {
        self.parsed.duration
    }

    #[getter]
    fn every(&self) -> f64 {
        self.parsed.output.every
    }

    #[getter]
    fn solver(&self) -> &str {
        &self.parsed.choice
    }

    #[getter]
    fn remarks(&self) -> Vec<String> {
        self.parsed.remarks.clone()
    }

    #[getter]
    fn bodies(&self) -> Vec<&str> {
        self.parsed.model.bodies().iter().map(|body| body.name.as_str()).collect()
    }

    #[getter]
    fn joints(&self) -> Vec<&str> {
        self.parsed.model.joints().iter().map(|joint| joint.name.as_str()).collect()
    }

    #[getter]
    fn parameters(&self) -> BTreeMap<String, String> {
        self.parsed.parameters.clone()
    }

    /// The scene as it is run, in one text.
    #[getter]
    fn text(&self) -> &str {
        &self.parsed.text
    }

    /// The text and the path that it was read from, and the settings.
    #[getter]
    fn source(&self) -> (&str, &PathBuf, Vec<(String, String)>) {
        let settings = self.settings.iter().map(|setting| (setting.name.clone(), setting.value.clone()));
        (&self.source.text, &self.source.path, settings.collect())
    }

    /// Its start, drawn: PNG.
    fn picture<'py>(&self, py: Python<'py>, size: [u32; 2]) -> PyResult<Bound<'py, PyBytes>> {
        crate::page::picture(py, &self.parsed, size)
    }

    /// Runs it from start to end, recorded into a new folder or in memory.
    fn run(
        &self,
        py: Python<'_>,
        folder: Option<PathBuf>,
        duration: Option<f64>,
        every: Option<f64>,
        checkpoint: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Record> {
        for (name, time) in [("duration", duration), ("every", every)] {
            if let Some(time) = time.filter(|time| !(*time > 0.0 && time.is_finite())) {
                return Err(errors::argument(py, name, &time.to_string(), "a time in s above zero"));
            }
        }
        let interval = match checkpoint {
            None => None,
            Some(seconds) => Some(Duration::try_from_secs_f64(seconds).map_err(|_| {
                errors::argument(py, "checkpoint", &seconds.to_string(), "an interval of wall time in s")
            })?),
        };
        let options = RunOptions { duration, every, settle: false };
        let applied = if duration.is_some() || every.is_some() {
            Arc::new(options.apply((*self.parsed).clone()).map_err(|error| errors::sweep(py, &error))?)
        } else {
            Arc::clone(&self.parsed)
        };
        crate::pool::ready(py)?;
        let watch = Watch::new(progress);
        let ended = py.detach(|| {
            let mut watched = WatchedRun { watch: &watch, end: applied.duration };
            match &folder {
                None => sweep::run_in_memory(&applied, &self.source, &options, &mut watched)
                    .map(|run| (run.ended, Some(run.sheets))),
                Some(folder) => {
                    let recorder = sweep::record(&applied, &self.source, &options, folder)?;
                    let state = applied.state.clone();
                    sweep::drive(&applied, recorder, state, interval, &mut watched).map(|ended| (ended, None))
                }
            }
        });
        // What the callback raised, or Ctrl-C, comes before what it led to.
        watch.end(applied.duration)?;
        let (ended, sheets) = ended.map_err(|error| errors::sweep(py, &error))?;
        Ok(Record::new(Some(applied), ended.manifest, sheets, folder, ended.verdict))
    }
}

/// Outputs of a run and their derivatives by parameters of its scene.
#[pyfunction]
pub fn sensitivity<'py>(
    py: Python<'py>,
    scene: PyRef<'py, Scene>,
    outputs: Vec<String>,
    of: Vec<String>,
) -> PyResult<Bound<'py, PyDict>> {
    let watch = Watch::new(None);
    let (source, settings) = (&scene.source, &scene.settings);
    let end = scene.parsed.duration;
    let found = py.detach(|| {
        let watcher = || WatchedRun { watch: &watch, end };
        attended(&watch, || Sensitivity::of((&FORMAT, source), settings, &outputs, &of, watcher))
    });
    watch.end(end)?;
    let found = found.map_err(|error| errors::sweep(py, &error))?;
    let dict = PyDict::new(py);
    dict.set_item("parameters", &found.parameters)?;
    dict.set_item("at", found.at.iter().map(|(value, _)| *value).collect::<Vec<_>>())?;
    dict.set_item("units", found.at.iter().map(|(_, unit)| unit.as_str()).collect::<Vec<_>>())?;
    dict.set_item("values", &found.values)?;
    let each = |of: fn(&sweep::Derivative) -> f64| -> Vec<Vec<f64>> {
        (0..outputs.len()).map(|o| found.derivatives.iter().map(|column| of(&column[o])).collect()).collect()
    };
    // By output and parameter, as Jacobians are; NaN where the runs have none.
    dict.set_item("derivatives", each(|d| if d.exists() { d.value } else { f64::NAN }))?;
    dict.set_item("errors", each(|d| d.error))?;
    Ok(dict)
}
