//! A walk of the engine's own, to begin from.

use crate::body::MassTable;
use crate::file::{write_storage, write_trc};
use crate::forward::{foot_scene, run_scene};
use crate::predict::{CalibrationSettings, Walk, calibrate, copy_stance, feet_only};
use crate::report::{add_drop, compare, fit_document, prediction_document};
use crate::synthetic::SyntheticWalk;
use crate::{Result, Trial, TrialFiles};
use rattleback_record::Document;
use std::path::{Path, PathBuf};

/// Writes the files of a trial that the engine makes itself into a folder: markers, forces, static trial.
pub fn write_example(folder: &Path) -> Result<[PathBuf; 3]> {
    let walk = SyntheticWalk::default();
    let files = ["walk.trc", "walk_grf.mot", "static.trc"].map(|name| folder.join(name));
    write_trc(&walk.markers(&mut || 0.0)?, &files[0])?;
    write_storage(&walk.forces()?, &files[1])?;
    write_trc(&walk.standing(), &files[2])?;
    Ok(files)
}

/// The documents of a fit and of a prediction of this walk, whose files go into a folder.
pub fn example_documents(folder: &Path) -> Result<(Document, Document)> {
    let [markers, ..] = write_example(folder)?;
    let trial = Trial::read(&TrialFiles::find(&markers)?)?;
    let settings = CalibrationSettings::default();
    let walk = Walk::of(&trial, settings.pose_cutoff_hz, None, MassTable::default())?;
    let found = calibrate(&walk, &settings)?;
    let only = feet_only(&walk, &found.foot)?;
    let copied = copy_stance(&walk, &found.foot);
    let predictions = [&only, &copied];
    let rows = compare(&walk, &predictions, Some(found.foot.interval));
    let name = "A walk of the engine's own";
    let mut fitted = fit_document(name, &walk, &found)?;
    let dropped = run_scene("foot", foot_scene(name, &found.foot)?, &found.foot.model, &mut |_, _| {})?;
    add_drop(&mut fitted, &dropped, found.foot.length)?;
    Ok((fitted, prediction_document(name, &walk, &predictions, &rows, &[])))
}
