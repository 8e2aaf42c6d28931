//! `checkpoint.json`: everything that a run needs to go on as if it had never stopped, and proof that it is the same run.

use super::lasting::Follow;
use super::manifest::{Balance, FORMAT, read_json, write_json};
use super::sheet_writer::SheetWriter;
use super::stored::{StoredFollow, StoredState};
use super::watched::StoredFigures;
use crate::error::{RecordError, Result};
use rattleback_dynamics::model::PairId;
use rattleback_dynamics::{Model, State};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The name of the file.
pub(super) const NAME: &str = "checkpoint.json";
/// How far from one the length of a stored quaternion may be: those of a run are normalised to rounding, or nearly.
const LENGTH: f64 = 1e-3;

/// What has been counted so far.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Totals {
    pub(super) outputs: u64,
    pub(super) steps: u64,
    pub(super) events: u64,
    pub(super) wall_s: f64,
    pub(super) reached_s: f64,
    pub(super) energy: Option<Balance>,
    /// What the watch over the run's health has seen.
    #[serde(default)]
    pub(super) health: StoredFigures,
}

/// How long a sheet's CSV was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Length {
    sheet: String,
    pub(super) bytes: u64,
    pub(super) rows: u64,
}

/// The file's content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    format: u32,
    scene_hash: String,
    bodies: Vec<StoredBody>,
    joints: Vec<String>,
    state: StoredState,
    follow: StoredFollow,
    pub(super) totals: Totals,
    sheets: Vec<Length>,
}

/// What is known of a body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoredBody {
    name: String,
    parts: usize,
}

/// The names of a model's bodies and joints, by which it is known again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) bodies: Vec<String>,
    pub(super) joints: Vec<String>,
    parts: Vec<usize>,
}

impl Names {
    pub(super) fn of(model: &Model) -> Self {
        Self {
            bodies: model.bodies().iter().map(|body| body.name.clone()).collect(),
            joints: model.joints().iter().map(|joint| joint.name.clone()).collect(),
            parts: model.bodies().iter().map(|body| body.parts.len()).collect(),
        }
    }

    fn stored(&self) -> Vec<StoredBody> {
        let body = |(name, &parts): (&String, &usize)| StoredBody { name: name.clone(), parts };
        self.bodies.iter().zip(&self.parts).map(body).collect()
    }
}

impl Checkpoint {
    pub(super) fn new(
        names: &Names,
        scene: &str,
        state: &State,
        follow: &Follow,
        totals: Totals,
        sheets: &[SheetWriter],
    ) -> Result<Self> {
        let length = |writer: &SheetWriter| Length {
            sheet: writer.sheet.name().to_owned(),
            bytes: writer.bytes(),
            rows: writer.rows(),
        };
        Ok(Self {
            format: FORMAT,
            scene_hash: hash(scene),
            bodies: names.stored(),
            joints: names.joints.clone(),
            state: StoredState::new(state, &names.bodies)?,
            follow: StoredFollow::new(follow, &names.bodies)?,
            totals,
            sheets: sheets.iter().map(length).collect(),
        })
    }

    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        write_json(&folder.join(NAME), self)
    }

    /// Reads the checkpoint of a folder, which must be one of this model and this scene.
    pub(super) fn read(folder: &Path, model: &Model, scene: &str) -> Result<(Self, State, Follow)> {
        let path = folder.join(NAME);
        let checkpoint: Self = read_json(&path)?;
        let (state, follow) = (checkpoint.state.state(), checkpoint.follow.follow());
        let found = checkpoint.compare(&Names::of(model), scene).and_then(|()| fits(&state, &follow, model));
        found.map_err(|reason| RecordError::Mismatch { path, reason })?;
        Ok((checkpoint, state, follow))
    }

    /// How long the CSV of a sheet was.
    pub(super) fn length(&self, folder: &Path, sheet: &str) -> Result<&Length> {
        self.sheets.iter().find(|length| length.sheet == sheet).ok_or_else(|| RecordError::Mismatch {
            path: folder.join(NAME),
            reason: format!("it does not say how long {sheet}.csv was"),
        })
    }

    fn compare(&self, names: &Names, scene: &str) -> std::result::Result<(), String> {
        let said = |what: &str, found: Option<String>, expected: Option<String>| {
            let word = |name: Option<String>| name.unwrap_or_else(|| "nothing".to_owned());
            Err(format!(
                "it is of another model: it has {} where the model has {} as {what}",
                word(found),
                word(expected)
            ))
        };
        let bodies = names.stored();
        for k in 0..self.bodies.len().max(bodies.len()) {
            let (found, expected) = (self.bodies.get(k), bodies.get(k));
            if found != expected {
                let word = |body: &StoredBody| format!("\"{}\" with {} parts", body.name, body.parts);
                return said(&format!("body {k}"), found.map(word), expected.map(word));
            }
        }
        for k in 0..self.joints.len().max(names.joints.len()) {
            let (found, expected) = (self.joints.get(k), names.joints.get(k));
            if found != expected {
                let word = |name: &String| format!("\"{name}\"");
                return said(&format!("joint {k}"), found.map(word), expected.map(word));
            }
        }
        let expected = hash(scene);
        if self.scene_hash != expected {
            let found = &self.scene_hash;
            return Err(format!(
                "it is of another scene: its text has the hash {found}, the folder's {expected}"
            ));
        }
        Ok(())
    }
}

/// Whether a state that was read can be one of the model.
fn fits(state: &State, follow: &Follow, model: &Model) -> std::result::Result<(), String> {
    state.check(model).map_err(|error| error.to_string())?;
    for (motion, body) in state.motions.iter().zip(model.bodies()) {
        let length = motion.pose.orientation.coords.norm();
        if !((length - 1.0).abs() <= LENGTH) {
            return Err(format!("the orientation of body {} has the length {length}", body.name));
        }
    }
    // The state knows its own pairs to be of the model; a contact that lasts is one of them.
    let stray = follow.lasting.iter().find(|lasting| !state.pairs.contains_key(&lasting.pair));
    match stray.map(|lasting| lasting.pair) {
        Some(PairId(a, b, _)) => Err(format!(
            "it follows a contact that the state does not know: body {} part {}, body {} part {}",
            a.0.0, a.1, b.0.0, b.1
        )),
        None if !follow.lasting.is_sorted_by_key(|lasting| lasting.pair) => {
            Err("its contacts are out of order".to_owned())
        }
        None => Ok(()),
    }
}

/// FNV-1a with 64 bits (Fowler, Noll, Vo): tells texts apart, proves nothing against malice.
fn hash(text: &str) -> String {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    format!("{:016x}", text.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_has_its_published_values() {
        // Test vectors of draft-eastlake-fnv.
        assert_eq!(
            [hash(""), hash("a"), hash("foobar")],
            ["cbf29ce484222325", "af63dc4c8601ec8c", "85944171f73967e8"]
        );
    }
}
