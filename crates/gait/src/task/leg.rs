//! A leg whose joints have measured angles, on the fitted foot.

use super::{TaskRequest, TaskStage, TaskWatcher, begin};
use crate::file::read_storage;
use crate::forward::{ANGLE_CUTOFF_HZ, JointAngles, drive, leg_scene, run_scene};
use crate::predict::{feet_only, whole_body};
use crate::report::leg_document;
use crate::trial::Side;
use crate::{GaitError, Result, Trial};
use rattleback_record::Document;
use std::path::PathBuf;

/// Which leg is driven, and by what.
#[derive(Debug, Clone, Default)]
pub struct LegRequest {
    /// The file of joint angles; none for the one beside the walk.
    pub angles: Option<PathBuf>,
    /// The leg; none for that of the fitted foot.
    pub side: Option<Side>,
    /// An interval of time in s that holds the stance that is driven; none for the first whole one.
    pub during: Option<[f64; 2]>,
}

/// Drives a leg over the ground by measured joint angles. The scene, TOML, is given before it is run.
pub fn leg(
    request: &TaskRequest,
    driven: &LegRequest,
    scene: &mut dyn FnMut(&str) -> Result<()>,
    tell: TaskWatcher<'_>,
) -> Result<Document> {
    begin("Reading the trial", tell)?;
    let files = &request.files;
    let Some(path) = driven.angles.clone().or_else(|| files.angles.clone()) else {
        return Err(GaitError::unsupported(
            "joint angles",
            format!("no file of them was found beside {}: name it, `--angles`", files.markers.display()),
        ));
    };
    let table = read_storage(&path)?;
    let trial = Trial::read(files)?;
    let stored = request.stored_foot()?;
    let walk = request.walk(&trial, stored.as_ref())?;
    let foot = request.foot(&walk, stored, tell)?;
    begin("Predicting the other foot", tell)?;
    let only = feet_only(&walk, &foot)?;
    let prediction = if walk.centre.is_ok() { whole_body(&walk, &foot, &only) } else { only };
    let side = driven.side.unwrap_or(foot.side);
    let angles = JointAngles::of(&table, side, Some(ANGLE_CUTOFF_HZ))?;
    let remarks = angles.remarks.clone();
    let motion = drive(&walk, &foot, &prediction, angles, driven.during)?;
    let name = request.name();
    let text = leg_scene(&name, &motion)?;
    scene(&text)?;
    begin("Driving the leg", tell)?;
    let run = run_scene("leg", text, &motion.foot, &mut |seen, end| {
        let (time, contacts) = (seen.state.time, seen.active_contacts.len());
        tell(TaskStage::Stands(&format!("{time:.4} of {end:.4} s, {contacts} contacts")));
    })?;
    let mut document = leg_document(&name, &walk, &motion, &run)?;
    for remark in remarks {
        document.text(remark);
    }
    Ok(document)
}
