//! Results of a run, in memory or in a folder.

use crate::scene::Scene as Parsed;
use crate::{FORMAT, array, errors, json};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyTuple};
use rattleback_record::report::{Curve, Sheets};
use rattleback_record::{ColumnData, Columns, Kind, Manifest, RecordError, ResultFolder, Sheet};
use rattleback_scene::{Scene, Source, Verdict};
use rattleback_sweep::RunOutput;
use rattleback_view::FilmOptions;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// The records of a run.
#[pyclass(frozen, module = "rattleback._rattleback")]
pub struct Record {
    scene: Mutex<Option<Arc<Scene>>>,
    manifest: Manifest,
    sheets: Option<Vec<Columns>>,
    folder: Option<PathBuf>,
    verdict: Option<Verdict>,
}

impl Record {
    pub(crate) fn new(
        scene: Option<Arc<Scene>>,
        manifest: Manifest,
        sheets: Option<Vec<Columns>>,
        folder: Option<PathBuf>,
        verdict: Option<Verdict>,
    ) -> Self {
        Self { scene: Mutex::new(scene), manifest, sheets, folder, verdict }
    }

    fn columns(&self, sheet: Sheet) -> Result<Columns, RecordError> {
        match (&self.sheets, &self.folder) {
            (Some(sheets), _) => {
                sheets.iter().find(|columns| columns.sheet() == sheet).cloned().ok_or_else(|| {
                    RecordError::Absent { sheet: sheet.name(), what: "sheet", name: sheet.name().to_owned() }
                })
            }
            (None, Some(folder)) => ResultFolder::open(folder)?.sheet(sheet),
            (None, None) => {
                Err(RecordError::Absent { sheet: sheet.name(), what: "sheet", name: sheet.name().to_owned() })
            }
        }
    }

    /// The scene that was run, which is read from the folder where nobody has it.
    fn scene(&self, py: Python<'_>) -> PyResult<Arc<Scene>> {
        if let Some(scene) = self.scene.lock().ok().and_then(|scene| scene.clone()) {
            return Ok(scene);
        }
        let Some(folder) = &self.folder else {
            return Err(errors::argument(py, "folder", "none", "the records of a scene"));
        };
        let text = ResultFolder::open(folder).and_then(|open| open.scene());
        let text = text.map_err(|error| errors::record(py, &error))?;
        let path =
            self.manifest.options.get("scene").map_or_else(|| PathBuf::from("scene.toml"), PathBuf::from);
        // Whatever it was read from, the folder has it as TOML.
        let source = Source { path: path.with_extension("toml"), text, beside: Vec::new() };
        let parsed = py.detach(|| FORMAT.parse_scene(source)).map_err(|error| errors::scene(py, &error))?;
        let parsed = Arc::new(parsed);
        if let Ok(mut scene) = self.scene.lock() {
            *scene = Some(Arc::clone(&parsed));
        }
        Ok(parsed)
    }

    fn all_sheets(&self) -> Result<Sheets, RecordError> {
        match (&self.sheets, &self.folder) {
            (Some(sheets), _) => Sheets::of(sheets.clone()),
            (None, Some(folder)) => Sheets::read(&ResultFolder::open(folder)?),
            (None, None) => Sheets::of(Vec::new()),
        }
    }
}

#[pymethods]
impl Record {
    /// Opens a result folder.
    #[staticmethod]
    fn open(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let opened = py.detach(|| ResultFolder::open(&folder));
        let manifest = opened.map_err(|error| errors::record(py, &error))?.manifest().clone();
        Ok(Self::new(None, manifest, None, Some(folder), None))
    }

    /// Records in memory, of what the getters of others have given: the manifest and the outcome as JSON, the columns
    /// of all sheets.
    #[staticmethod]
    fn restore(
        py: Python<'_>,
        manifest: &str,
        sheets: Vec<(String, Bound<'_, PyDict>)>,
        scene: Option<&Bound<'_, Parsed>>,
        outcome: Option<&str>,
    ) -> PyResult<Self> {
        let unreadable = |error: serde_json::Error| {
            errors::argument(py, "result", &error.to_string(), "records as they were stored")
        };
        let manifest: Manifest = serde_json::from_str(manifest).map_err(unreadable)?;
        let json = outcome.map(serde_json::from_str).transpose().map_err(unreadable)?;
        let mut restored = Vec::with_capacity(sheets.len());
        for (name, columns) in sheets {
            let sheet = sheet_of(py, &name)?;
            let data = columns.values().iter().map(|column| data_of(&column)).collect::<PyResult<_>>()?;
            restored.push(Columns::new(sheet, data).map_err(|error| errors::record(py, &error))?);
        }
        let scene = scene.map(|scene| Arc::clone(&scene.get().parsed));
        let verdict = json.map(|json| Verdict { lines: Vec::new(), json });
        Ok(Self::new(scene, manifest, Some(restored), None, verdict))
    }

    /// The manifest, as `run.json` has it.
    #[getter]
    fn manifest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let value = serde_json::to_value(&self.manifest);
        json::object(py, &value.unwrap_or(serde_json::Value::Null))
    }

    #[getter]
    fn folder(&self) -> Option<&PathBuf> {
        self.folder.as_ref()
    }

    /// What an application says became of the scene.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::object(py, self.verdict.as_ref().map_or(&serde_json::Value::Null, |verdict| &verdict.json))
    }

    /// The names of its sheets.
    #[getter]
    fn sheets(&self) -> Vec<String> {
        self.manifest.sheets.iter().map(|sheet| sheet.name.clone()).collect()
    }

    /// The columns of a sheet by name, in their order: kind and bytes of numbers, lists of texts.
    fn sheet<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
        let sheet = sheet_of(py, name)?;
        let columns = py.detach(|| self.columns(sheet)).map_err(|error| errors::record(py, &error))?;
        let dict = PyDict::new(py);
        for column in sheet.columns() {
            let failed = |error: RecordError| errors::record(py, &error);
            match column.kind {
                Kind::Text => dict.set_item(column.name, columns.text(column.name).map_err(failed)?)?,
                Kind::Float => {
                    let numbers = columns.numbers(column.name).map_err(failed)?;
                    dict.set_item(column.name, ("d", array::floats(py, numbers)?))?;
                }
                Kind::Integer => {
                    let numbers = columns.numbers(column.name).map_err(failed)?;
                    let whole: Vec<i64> = numbers.iter().map(|x| *x as i64).collect();
                    dict.set_item(column.name, ("q", array::integers(py, &whole)?))?;
                }
            }
        }
        Ok(dict)
    }

    /// A curve by name: rows of time and value.
    fn curve<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyByteArray>> {
        let scene = self.scene(py)?;
        let points = py.detach(|| Curve::parse(name, &scene.model)?.points(&self.all_sheets()?));
        let points = points.map_err(|error| errors::record(py, &error))?;
        array::floats(py, points.as_flattened())
    }

    /// The unit of a curve.
    fn unit(&self, py: Python<'_>, name: &str) -> PyResult<&'static str> {
        let scene = self.scene(py)?;
        Ok(Curve::parse(name, &scene.model).map_err(|error| errors::record(py, &error))?.unit())
    }

    /// Writes a file of the kind that its ending says, a page or a film; of folders alone.
    fn export(
        &self,
        py: Python<'_>,
        path: PathBuf,
        rate: f64,
        speed: f64,
        size: [u32; 2],
    ) -> PyResult<(u64, Option<String>)> {
        let scene = (*self.scene(py)?).clone();
        let Some(folder) = self.folder.clone() else {
            return Err(errors::argument(py, "result", "records in memory", "those of a folder"));
        };
        let options = FilmOptions { rate, speed, size, ..FilmOptions::default() };
        crate::page::export(py, scene, folder, &path, &options)
    }

    /// An output by its expression, such as "max ball.z_m".
    fn output(&self, py: Python<'_>, expression: &str) -> PyResult<f64> {
        let scene = self.scene(py)?;
        let found = py.detach(|| RunOutput::parse(expression, &scene.model)?.value(&self.all_sheets()?));
        found.map_err(|error| errors::sweep(py, &error))
    }
}

/// The sheet of a name.
fn sheet_of(py: Python<'_>, name: &str) -> PyResult<Sheet> {
    Sheet::ALL.into_iter().find(|sheet| sheet.name() == name).ok_or_else(|| {
        let known: Vec<&str> = Sheet::ALL.iter().map(|sheet| sheet.name()).collect();
        errors::argument(py, "sheet", name, &known.join(", "))
    })
}

/// A column as `Record.sheet` has given it.
fn data_of(column: &Bound<'_, PyAny>) -> PyResult<ColumnData> {
    let Ok(pair) = column.cast::<PyTuple>() else { return Ok(ColumnData::Texts(column.extract()?)) };
    let (kind, bytes): (String, Bound<'_, PyByteArray>) = pair.extract()?;
    let bytes = bytes.to_vec();
    Ok(ColumnData::Numbers(match kind.as_str() {
        "q" => array::integers_of(&bytes).into_iter().map(|whole| whole as f64).collect(),
        _ => array::floats_of(&bytes),
    }))
}
