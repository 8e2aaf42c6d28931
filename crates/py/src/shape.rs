//! Shapes.

use crate::{FORMAT, errors};
use pyo3::prelude::*;
use rattleback_geom::surface::Shape as Solid;
use rattleback_scene::Source;
use std::path::PathBuf;

/// A shape by its description, with the keys of shape files.
#[pyclass(frozen, module = "rattleback._rattleback")]
pub struct Shape {
    pub(crate) solid: Solid,
    /// Its description and where it was read, by which a copy is made.
    text: String,
    path: PathBuf,
    #[pyo3(get)]
    remarks: Vec<String>,
}

impl Shape {
    /// Whether a query takes microseconds: nothing is searched but directions.
    pub fn is_quick(&self) -> bool {
        self.solid.surface().as_support().is_some()
    }
}

#[pymethods]
impl Shape {
    /// The shape of a text, JSON or TOML as the ending of the path says; files that it names are looked for from there.
    #[new]
    fn new(py: Python<'_>, text: String, path: PathBuf) -> PyResult<Self> {
        let source = Source { path: path.clone(), text: text.clone(), beside: Vec::new() };
        let read = py.detach(|| FORMAT.parse_shape(source));
        let (solid, remarks) = read.map_err(|error| errors::scene(py, &error))?;
        Ok(Self { solid, text, path, remarks })
    }

    /// The shape of a file: a description, or a mesh.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let read = py.detach(|| FORMAT.read_shape(&path));
        let (solid, remarks) = read.map_err(|error| errors::scene(py, &error))?;
        let file = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
        let mesh = !matches!(path.extension().and_then(|e| e.to_str()), Some("toml" | "json"));
        let text = if mesh {
            serde_json::json!({"type": "mesh", "file": file}).to_string()
        } else {
            std::fs::read_to_string(&path)?
        };
        Ok(Self { solid, text, path: if mesh { file.with_extension("json") } else { file }, remarks })
    }

    /// What it is called.
    #[getter]
    fn kind(&self) -> &'static str {
        self.solid.surface().kind()
    }

    /// Its box along its own axes in m: the least and the greatest coordinates.
    #[getter]
    fn bounds(&self) -> [[f64; 3]; 2] {
        let bounds = self.solid.surface().bounds();
        [bounds.min.into(), bounds.max.into()]
    }

    /// The text and the path that it was made of.
    #[getter]
    fn source(&self) -> (&str, &PathBuf) {
        (&self.text, &self.path)
    }
}
