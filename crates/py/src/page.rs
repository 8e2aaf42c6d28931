//! What is seen: a result folder as one page or as a film, the start of a scene as a picture.

use crate::errors;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rattleback_dynamics::BodyId;
use rattleback_record::RecordError;
use rattleback_record::picture::{Camera, Look, Shot, Stage};
use rattleback_scene::Scene;
use rattleback_view::{Feed, FilmOptions, Subject, export as write};
use std::path::{Path, PathBuf};

/// Writes a file of the kind that its ending says; says how many instants are in it, and what to know of them.
pub fn export(
    py: Python<'_>,
    scene: Scene,
    folder: PathBuf,
    path: &Path,
    options: &FilmOptions,
) -> PyResult<(u64, Option<String>)> {
    let FilmOptions { rate, speed, size, .. } = *options;
    for (field, value) in [("rate", rate), ("speed", speed)] {
        if !(value > 0.0 && value.is_finite()) {
            return Err(errors::argument(py, field, &value.to_string(), "a number above zero"));
        }
    }
    check_size(py, size)?;
    crate::pool::ready(py)?;
    let written = py.detach(|| {
        let feed = Feed::open(Subject { scene, folder: Some(folder) })?;
        write(&feed, path, options)
    });
    let written = written
        .map_err(|error| errors::raise(py, "RecordError", &error.to_string(), serde_json::Value::Null))?;
    Ok((written.instants, written.remark))
}

/// The start of a scene as PNG.
pub fn picture<'py>(py: Python<'py>, scene: &Scene, size: [u32; 2]) -> PyResult<Bound<'py, PyBytes>> {
    check_size(py, size)?;
    crate::pool::ready(py)?;
    let png = py.detach(|| draw(scene, size)).map_err(|error| errors::record(py, &error))?;
    Ok(PyBytes::new(py, &png))
}

fn check_size(py: Python<'_>, size: [u32; 2]) -> PyResult<()> {
    if size.iter().all(|side| (1..=8192).contains(side)) {
        return Ok(());
    }
    Err(errors::argument(py, "size", &format!("{size:?}"), "two numbers of pixels from 1 to 8192"))
}

fn draw(scene: &Scene, [width, height]: [u32; 2]) -> Result<Vec<u8>, RecordError> {
    let mut stage = Stage::new(&scene.model)?;
    for (i, look) in scene.looks.iter().enumerate().take(scene.model.bodies().len()) {
        stage.set_look(BodyId(i), Look { colour: look.colour, hidden: look.hidden })?;
    }
    let motions = &scene.state.motions;
    let camera = match scene.output.camera {
        Some(own) => Camera {
            eye: own.eye,
            target: own.target,
            up: own.up.unwrap_or_else(|| stage.up()),
            field_of_view: own.field_of_view,
        },
        None => stage.camera([motions.as_slice()], f64::from(width) / f64::from(height))?,
    };
    stage.draw(motions, &Shot { width, height, ..Shot::new(camera) })?.image.to_png()
}
