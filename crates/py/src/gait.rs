//! Walking trials: the tasks of the command, `rattleback_gait::task`.

use crate::watch::{Watch, attended};
use crate::{array, errors, json};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rattleback_gait::body::MassTable;
use rattleback_gait::doctor::{Known, examine};
use rattleback_gait::file::Storage;
use rattleback_gait::task::{self, LegRequest, TaskRequest, TaskStage};
use rattleback_gait::trial::Side;
use rattleback_gait::{GaitError, Trial, TrialFiles};
use rattleback_record::{Document, RecordError, WholeFile, claim_folder};
use std::path::PathBuf;

/// What a task may fail by.
enum Trouble {
    Gait(GaitError),
    Record(RecordError),
}

impl From<GaitError> for Trouble {
    fn from(error: GaitError) -> Self {
        Self::Gait(error)
    }
}

impl From<RecordError> for Trouble {
    fn from(error: RecordError) -> Self {
        Self::Record(error)
    }
}

fn raise(py: Python<'_>, trouble: Trouble) -> PyErr {
    match trouble {
        Trouble::Gait(error) => errors::gait(py, &error),
        Trouble::Record(error) => errors::record(py, &error),
    }
}

/// A trial, as Python asks for it: the fields of `TaskRequest`.
#[derive(FromPyObject)]
pub struct Asked {
    #[pyo3(item)]
    walk: PathBuf,
    #[pyo3(item)]
    standing: Option<PathBuf>,
    #[pyo3(item)]
    forces: Option<PathBuf>,
    #[pyo3(item)]
    markers: Option<PathBuf>,
    #[pyo3(item)]
    mass: Option<f64>,
    #[pyo3(item)]
    table: String,
    #[pyo3(item)]
    foot: Option<String>,
    #[pyo3(item)]
    stance: Option<[f64; 2]>,
    #[pyo3(item)]
    foot_model: Option<PathBuf>,
}

fn side(py: Python<'_>, field: &str, word: Option<&str>) -> PyResult<Option<Side>> {
    match word {
        None => Ok(None),
        Some("right") => Ok(Some(Side::Right)),
        Some("left") => Ok(Some(Side::Left)),
        Some(other) => Err(errors::argument(py, field, other, "\"right\" or \"left\"")),
    }
}

fn interval(py: Python<'_>, field: &str, given: Option<[f64; 2]>) -> PyResult<Option<[f64; 2]>> {
    match given {
        Some([a, b]) if !(a < b && b.is_finite() && a.is_finite()) => {
            let expected = "two times in s, the earlier one first";
            Err(errors::argument(py, field, &format!("[{a}, {b}]"), expected))
        }
        given => Ok(given),
    }
}

impl Asked {
    fn request(self, py: Python<'_>) -> PyResult<TaskRequest> {
        let table = match self.table.as_str() {
            "winter" => MassTable::Winter,
            "de-leva-women" => MassTable::DeLevaWomen,
            "de-leva-men" => MassTable::DeLevaMen,
            other => {
                let expected = "\"winter\", \"de-leva-women\" or \"de-leva-men\"";
                return Err(errors::argument(py, "table", other, expected));
            }
        };
        let mut files = TrialFiles::find(&self.walk).map_err(|error| errors::gait(py, &error))?;
        files.still = self.standing.or(files.still);
        files.forces = self.forces.or(files.forces);
        files.names = self.markers;
        Ok(TaskRequest {
            files,
            mass: self.mass,
            table,
            side: side(py, "foot", self.foot.as_deref())?,
            stance: interval(py, "stance", self.stance)?,
            foot_model: self.foot_model,
        })
    }
}

/// Does a task without the interpreter's lock. Ctrl-C ends it at its next stage.
fn watched<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut dyn FnMut(TaskStage<'_>) -> bool) -> Result<T, Trouble> + Send,
) -> PyResult<T> {
    let watch = Watch::new(None);
    let done = py.detach(|| attended(&watch, || work(&mut |_| !watch.is_stopped())));
    watch.end(0.0)?;
    done.map_err(|trouble| raise(py, trouble))
}

/// What is told: title, texts and tables, as the command tells them to programs.
fn told<'py>(py: Python<'py>, document: &Document) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("document", json::object(py, &document.as_json())?)?;
    dict.set_item("text", document.as_text())?;
    Ok(dict)
}

/// The columns of a table by their labels, in the order of the file.
fn columns<'py>(py: Python<'py>, table: &Storage) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (k, label) in table.labels.iter().enumerate() {
        dict.set_item(label, ("d", array::floats(py, &table.column(k))?))?;
    }
    Ok(dict)
}

/// What a laboratory should know before it trusts a trial.
#[pyfunction]
pub fn gait_check<'py>(py: Python<'py>, asked: Asked) -> PyResult<Bound<'py, PyAny>> {
    let request = asked.request(py)?;
    let known = Known { mass_kg: request.mass, table: request.table };
    let found = watched(py, |_| Ok(examine(&Trial::read(&request.files)?, &known)?))?;
    let value = serde_json::json!({
        "walk": request.files.markers,
        "static": request.files.still,
        "forces": request.files.forces,
        "findings": found,
        "lines": found.lines(),
    });
    json::object(py, &value)
}

/// Fits the bodies under a foot to the force of one stance; writes into a new folder, where one is given.
#[pyfunction]
pub fn gait_fit<'py>(py: Python<'py>, asked: Asked, folder: Option<PathBuf>) -> PyResult<Bound<'py, PyDict>> {
    let request = asked.request(py)?;
    let (fitted, foot) = watched(py, |tell| {
        let fitted = task::fit(&request, tell)?;
        if let Some(folder) = &folder {
            claim_folder(folder)?;
            fitted.write(folder)?;
        }
        let foot = fitted.as_json()?;
        Ok((fitted, foot))
    })?;
    let dict = told(py, &fitted.document)?;
    let foot: serde_json::Value = serde_json::from_str(&foot).unwrap_or_default();
    dict.set_item("foot", json::object(py, &foot)?)?;
    dict.set_item("scene", &fitted.scene)?;
    Ok(dict)
}

/// Predicts the ground force of both feet; writes into a new folder, where one is given.
#[pyfunction]
pub fn gait_predict<'py>(
    py: Python<'py>,
    asked: Asked,
    folder: Option<PathBuf>,
) -> PyResult<Bound<'py, PyDict>> {
    let request = asked.request(py)?;
    let found = watched(py, |tell| {
        let found = task::predict(&request, tell)?;
        if let Some(folder) = &folder {
            claim_folder(folder)?;
            found.document.write(folder)?;
            found.write_tables(folder)?;
        }
        Ok(found)
    })?;
    let (dict, forces) = (told(py, &found.document)?, PyDict::new(py));
    for (mode, table) in &found.tables {
        forces.set_item(mode.word(), columns(py, table)?)?;
    }
    dict.set_item("forces", forces)?;
    Ok(dict)
}

/// Drives a leg by measured joint angles; writes into a new folder, where one is given.
#[pyfunction]
pub fn gait_leg<'py>(
    py: Python<'py>,
    asked: Asked,
    angles: Option<PathBuf>,
    leg: Option<String>,
    during: Option<[f64; 2]>,
    folder: Option<PathBuf>,
) -> PyResult<Bound<'py, PyDict>> {
    let request = asked.request(py)?;
    let side = side(py, "leg", leg.as_deref())?;
    let driven = LegRequest { angles, side, during: interval(py, "during", during)? };
    let (document, scene) = watched(py, |tell| {
        let (mut scene, mut trouble) = (String::new(), None);
        let mut keep = |text: &str| {
            text.clone_into(&mut scene);
            let Some(folder) = &folder else { return Ok(()) };
            let written = claim_folder(folder)
                .and_then(|_| WholeFile::write(&folder.join("leg.toml"), text.as_bytes()));
            written.map_err(|error| {
                trouble = Some(error);
                GaitError::Stopped
            })
        };
        let document = task::leg(&request, &driven, &mut keep, tell);
        if let Some(error) = trouble {
            return Err(error.into());
        }
        let document = document?;
        if let Some(folder) = &folder {
            document.write(folder)?;
        }
        Ok((document, scene))
    })?;
    let dict = told(py, &document)?;
    dict.set_item("scene", scene)?;
    Ok(dict)
}

/// Writes a trial that the engine makes itself into a new folder: the files of markers, forces and the static trial.
#[pyfunction]
pub fn gait_example(py: Python<'_>, folder: PathBuf) -> PyResult<Vec<PathBuf>> {
    let files = py.detach(|| -> Result<_, Trouble> {
        claim_folder(&folder)?;
        Ok(task::write_example(&folder)?)
    });
    files.map(Vec::from).map_err(|trouble| raise(py, trouble))
}
