//! Ground forces of both feet from markers.

use super::{TaskRequest, TaskWatcher, begin};
use crate::file::{Storage, write_storage};
use crate::predict::{CalibratedFoot, Mode, Prediction, Walk, copy_stance, feet_only, whole_body};
use crate::report::{compare, force_table, prediction_document};
use crate::{Result, Trial};
use rattleback_record::Document;
use std::path::{Path, PathBuf};

/// Predicted forces, and what is told of them.
#[derive(Debug)]
pub struct PredictedForces {
    /// Texts, tables, figures.
    pub document: Document,
    /// The tables of forces, as external loads of OpenSim are named, by mode: the whole body, where it has markers,
    /// then the feet alone.
    pub tables: Vec<(Mode, Storage)>,
}

/// Predicts the ground force of both feet.
pub fn predict(request: &TaskRequest, tell: TaskWatcher<'_>) -> Result<PredictedForces> {
    begin("Reading the trial", tell)?;
    let trial = Trial::read(&request.files)?;
    let stored = request.stored_foot()?;
    let walk = request.walk(&trial, stored.as_ref())?;
    let is_own = stored.is_none();
    let foot = request.foot(&walk, stored, tell)?;
    begin("Predicting forces", tell)?;
    let only = feet_only(&walk, &foot)?;
    let whole = walk.centre.is_ok().then(|| whole_body(&walk, &foot, &only));
    let copied = copy_stance(&walk, &foot);
    let predictions: Vec<&Prediction> =
        whole.iter().chain([&only]).chain(foot.original.force.first().map(|_| &copied)).collect();
    let rows = compare(&walk, &predictions, is_own.then_some(foot.interval));
    begin("Drawing the page", tell)?;
    let remarks = remarks(&walk, &foot, request);
    let document = prediction_document(&request.name(), &walk, &predictions, &rows, &remarks);
    let written = whole.iter().chain([&only]);
    let tables = written.map(|p| (p.mode, force_table(&file_of(p.mode), &trial, p))).collect();
    Ok(PredictedForces { document, tables })
}

/// The name of a table's file: `forces-whole-body.mot`, `forces-feet-only.mot`.
fn file_of(mode: Mode) -> String {
    format!("forces-{}.mot", mode.word().replace(' ', "-"))
}

impl PredictedForces {
    /// The names of the tables' files, with their modes.
    pub fn files(&self) -> impl Iterator<Item = (Mode, String)> {
        self.tables.iter().map(|(mode, _)| (*mode, file_of(*mode)))
    }

    /// Writes the tables into a folder.
    pub fn write_tables(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        let write = |(mode, table): &(Mode, Storage)| {
            let path = folder.join(file_of(*mode));
            write_storage(table, &path).map(|()| path)
        };
        self.tables.iter().map(write).collect()
    }
}

fn remarks(walk: &Walk<'_>, foot: &CalibratedFoot, request: &TaskRequest) -> Vec<String> {
    let [begin, end] = foot.interval;
    let model = request.foot_model.as_deref();
    let source = model.map_or_else(|| "this trial".to_owned(), |path| path.display().to_string());
    let mut lines = vec![format!(
        "Foot: fitted to the {} stance {begin:.3}–{end:.3} s of {source}. Body weight {:.1} N, from {}.",
        foot.side.word(),
        foot.weight,
        foot.weight_source
    )];
    if request.files.still.is_none() {
        lines.push(match model {
            Some(_) => "No static trial: the markers' places in the feet are those of the trial that the foot was fitted to.",
            None => "No static trial: the markers' places in the feet are from the walk itself.",
        }
        .to_owned());
    }
    lines.extend(walk.plate_delay_words());
    lines.extend(walk.trial.remarks.iter().cloned());
    if let Some(why) = walk.no_body() {
        lines.push(format!("No whole-body prediction: {why}"));
    } else if !walk.missing.is_empty() {
        lines.push(format!("Whole body without markers of its own: {}.", walk.missing.join(", ")));
    }
    lines
}
