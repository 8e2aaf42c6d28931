//! A foot from one stance on a force plate.

use super::{TaskRequest, TaskStage, TaskWatcher, begin};
use crate::forward::{foot_scene, run_scene};
use crate::predict::CalibratedFoot;
use crate::report::{add_drop, fit_document};
use crate::{GaitError, Result, Trial};
use rattleback_record::{Document, WholeFile};
use std::path::{Path, PathBuf};

/// A foot that was fitted, and what is told of it.
#[derive(Debug)]
pub struct FittedFoot {
    /// The foot.
    pub foot: CalibratedFoot,
    /// A scene in which it is dropped, TOML.
    pub scene: String,
    /// Texts, tables, figures.
    pub document: Document,
}

/// Fits the bodies under a foot to the force of one stance, and drops the foot on its heel.
pub fn fit(request: &TaskRequest, tell: TaskWatcher<'_>) -> Result<FittedFoot> {
    begin("Reading the trial", tell)?;
    let trial = Trial::read(&request.files)?;
    let walk = request.walk(&trial, None)?;
    let found = request.calibrate(&walk, tell)?;
    let name = request.name();
    begin("Dropping the foot", tell)?;
    let scene = foot_scene(&name, &found.foot)?;
    let dropped = run_scene("foot", scene.clone(), &found.foot.model, &mut |seen, end| {
        tell(TaskStage::Stands(&format!("{:.3} of {end} s", seen.state.time)));
    })?;
    begin("Drawing the page", tell)?;
    let mut document = fit_document(&name, &walk, &found)?;
    add_drop(&mut document, &dropped, found.foot.length)?;
    Ok(FittedFoot { foot: found.foot, scene, document })
}

impl FittedFoot {
    /// The foot as JSON, for `TaskRequest::foot_model`.
    pub fn as_json(&self) -> Result<String> {
        serde_json::to_string_pretty(&self.foot)
            .map_err(|e| GaitError::Write { path: PathBuf::from("foot.json"), reason: e.to_string() })
    }

    /// Writes `foot.json`, `foot.toml` and the page into a folder; where the page is.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, rattleback_record::RecordError> {
        let page = self.document.write(folder)?;
        let path = folder.join("foot.json");
        let text = self.as_json().map_err(|e| rattleback_record::RecordError::Write {
            path: path.clone(),
            source: std::io::Error::other(e.to_string()),
        })?;
        WholeFile::write(&path, text.as_bytes())?;
        WholeFile::write(&folder.join("foot.toml"), self.scene.as_bytes())?;
        Ok(page)
    }
}
