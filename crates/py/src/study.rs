//! Studies and their sweeps, on this machine and in pieces on others.

use crate::anchor;
use crate::scene::settings;
use crate::watch::{Watch, WatchedRun, attended};
use crate::{FORMAT, array, errors};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict};
use rattleback_scene::Source;
use rattleback_sweep::{self as sweep, Row, Sweep, Sweepable};
use serde_json::json;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// A study, read and checked.
#[pyclass(frozen, module = "rattleback._rattleback")]
pub struct Study {
    study: Arc<sweep::Study>,
    source: Source,
}

fn unreadable(py: Python<'_>, error: &serde_json::Error) -> PyErr {
    errors::raise(py, "SweepError", &error.to_string(), json!({}))
}

#[pymethods]
impl Study {
    /// The study of a text, JSON or TOML as the ending of the path says; the scene is looked for from there, or is
    /// built into the application of anchors.
    #[new]
    fn new(py: Python<'_>, text: String, path: PathBuf) -> PyResult<Self> {
        let source = Source { path, text, beside: Vec::new() };
        let study = py.detach(|| sweep::Study::parse(source.clone(), &FORMAT, anchor::built_in));
        let study = Arc::new(study.map_err(|error| errors::sweep(py, &error))?);
        Ok(Self { study, source })
    }

    #[getter]
    fn title(&self) -> &str {
        &self.study.title
    }

    #[getter]
    fn runs(&self) -> usize {
        self.study.runs()
    }

    /// Names and units of the parameters.
    #[getter]
    fn parameters(&self) -> Vec<(String, String)> {
        self.study.parameters().map(|(name, unit)| (name.to_owned(), unit.to_owned())).collect()
    }

    /// Expressions and units of the outputs.
    #[getter]
    fn outputs(&self) -> Vec<(String, String)> {
        self.study.outputs().map(|(name, unit)| (name.to_owned(), unit.to_owned())).collect()
    }

    /// The text and the path that it was read from.
    #[getter]
    fn source(&self) -> (&str, &PathBuf) {
        (&self.source.text, &self.source.path)
    }

    /// The values of the parameters in all runs, in SI units: a row per run.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        let (runs, width) = (self.study.runs(), self.study.parameters().count());
        let mut all = Vec::with_capacity(runs * width);
        for run in 0..runs {
            let values = self.study.values(run).map_err(|error| errors::sweep(py, &error))?;
            all.extend(values.iter().map(|value| value.value));
        }
        array::floats(py, &all)
    }

    /// The settings of a run.
    fn settings(&self, py: Python<'_>, run: usize) -> PyResult<Vec<(String, String)>> {
        let settings = self.study.settings(run).map_err(|error| errors::sweep(py, &error))?;
        Ok(settings.into_iter().map(|setting| (setting.name, setting.value)).collect())
    }

    /// What it takes to make a run anywhere, as JSON for `run_task`.
    fn task(&self, py: Python<'_>) -> PyResult<String> {
        serde_json::to_string(self.study.sweepable()).map_err(|error| unreadable(py, &error))
    }
}

/// Makes a run of a study from what `Study.task` has given: its row, as JSON.
#[pyfunction]
pub fn run_task(py: Python<'_>, task: &str, run: usize, given: Vec<(String, String)>) -> PyResult<String> {
    let task: Sweepable = serde_json::from_str(task).map_err(|error| unreadable(py, &error))?;
    let settings = settings(py, given)?;
    crate::pool::ready(py)?;
    let watch = Watch::new(None);
    let row = py.detach(|| task.run(run, &settings, &FORMAT, &mut WatchedRun { watch: &watch, end: 0.0 }));
    watch.end(0.0)?;
    let row = row.map_err(|error| errors::sweep(py, &error))?;
    let Some(row) = row else { return Err(errors::sweep(py, &sweep::SweepError::Stopped)) };
    serde_json::to_string(&row).map_err(|error| unreadable(py, &error))
}

/// The folder of a sweep: its log and its table. Only one at a time has it.
#[pyclass(frozen, module = "rattleback._rattleback")]
pub struct SweepFolder {
    study: Arc<sweep::Study>,
    folder: PathBuf,
    /// None once it was closed.
    open: Mutex<Option<Sweep>>,
}

impl SweepFolder {
    fn with<T>(&self, py: Python<'_>, act: impl FnOnce(&Sweep) -> sweep::Result<T> + Send) -> PyResult<T>
    where
        T: Send,
    {
        let done = py.detach(|| {
            let open = self.open.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            open.as_ref().map(act)
        });
        match done {
            None => Err(errors::argument(py, "folder", "a folder that was closed", "one that is open")),
            Some(done) => done.map_err(|error| errors::sweep(py, &error)),
        }
    }
}

#[pymethods]
impl SweepFolder {
    /// Opens a new folder, or one of the same study.
    #[new]
    fn new(py: Python<'_>, study: PyRef<'_, Study>, folder: PathBuf) -> PyResult<Self> {
        let study = Arc::clone(&study.study);
        let open = py.detach(|| Sweep::open(Arc::clone(&study), &folder));
        let open = open.map_err(|error| errors::sweep(py, &error))?;
        Ok(Self { study, folder, open: Mutex::new(Some(open)) })
    }

    #[getter]
    fn folder(&self) -> &PathBuf {
        &self.folder
    }

    /// Makes all runs that have no row yet, on that many threads; zero for all that the machine has.
    fn run(&self, py: Python<'_>, threads: usize, progress: Option<Py<PyAny>>) -> PyResult<()> {
        let watch = Watch::new(progress);
        let ran = self.with(py, |open| attended(&watch, || open.run(threads, &FORMAT, &watch)));
        watch.end(self.study.runs() as f64)?;
        ran
    }

    /// Which runs have no row yet.
    fn missing(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        self.with(py, Sweep::missing)
    }

    /// Adds rows that were made elsewhere, as JSON.
    fn add(&self, py: Python<'_>, rows: Vec<String>) -> PyResult<()> {
        for row in rows {
            let row: Row = serde_json::from_str(&row).map_err(|error| unreadable(py, &error))?;
            self.with(py, |open| open.add(row, &()))?;
        }
        Ok(())
    }

    /// Writes the table, where all rows are there; says where it is.
    fn finish(&self, py: Python<'_>) -> PyResult<Option<PathBuf>> {
        self.with(py, Sweep::finish)
    }

    /// Lets another process have the folder.
    fn close(&self) {
        if let Ok(mut open) = self.open.lock() {
            *open = None;
        }
    }

    /// The columns of the table, as far as there are rows.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let rows = self.with(py, Sweep::rows)?;
        let dict = PyDict::new(py);
        let whole = |of: &dyn Fn(&Row) -> u64| rows.iter().map(|row| of(row) as i64).collect::<Vec<i64>>();
        let float = |of: &dyn Fn(&Row) -> f64| rows.iter().map(of).collect::<Vec<f64>>();
        dict.set_item("run", ("q", array::integers(py, &whole(&|row| row.run as u64))?))?;
        let values = rows.iter().map(|row| self.study.values(row.run)).collect::<sweep::Result<Vec<_>>>();
        let values = values.map_err(|error| errors::sweep(py, &error))?;
        for (k, (name, _)) in self.study.parameters().enumerate() {
            let column: Vec<f64> = values.iter().map(|values| values[k].value).collect();
            dict.set_item(name, ("d", array::floats(py, &column)?))?;
        }
        dict.set_item("status", rows.iter().map(|row| row.status.word()).collect::<Vec<_>>())?;
        dict.set_item("verdict", rows.iter().map(|row| row.verdict.as_str()).collect::<Vec<_>>())?;
        dict.set_item("outcome", rows.iter().map(|row| row.outcome.as_str()).collect::<Vec<_>>())?;
        dict.set_item("reached_s", ("d", array::floats(py, &float(&|row| row.reached_s.0))?))?;
        dict.set_item("steps", ("q", array::integers(py, &whole(&|row| row.steps))?))?;
        dict.set_item("contacts", ("q", array::integers(py, &whole(&|row| row.contacts))?))?;
        for (k, (name, _)) in self.study.outputs().enumerate() {
            dict.set_item(name, ("d", array::floats(py, &float(&|row| row.outputs[k].0))?))?;
        }
        Ok(dict)
    }
}
