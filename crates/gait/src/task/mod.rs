//! What is done with a trial, from its files to a document: the command and the Python package call the same functions.
//!
//! | task | file |
//! |---|---|
//! | a foot from one stance on a force plate | `fit.rs` |
//! | ground forces from markers | `predict.rs` |
//! | a leg driven by measured joint angles | `leg.rs` |
//! | a walk of the engine's own | `example.rs` |

mod example;
mod fit;
mod leg;
mod predict;

pub use example::{example_documents, write_example};
pub use fit::{FittedFoot, fit};
pub use leg::{LegRequest, leg};
pub use predict::{PredictedForces, predict};

use crate::body::{GRAVITY, MassTable};
use crate::predict::{
    CalibratedFoot, Calibration, CalibrationSettings, CalibrationStage, Walk, calibrate_watched,
};
use crate::trial::Side;
use crate::{GaitError, Result, Trial, TrialFiles};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// A trial, what is known of the body beforehand, and the stance of the calibration.
#[derive(Debug, Clone, Default)]
pub struct TaskRequest {
    /// The files of the trial.
    pub files: TrialFiles,
    /// The body's mass in kg; none where it comes from the calibration stance.
    pub mass: Option<f64>,
    /// The table of mass shares.
    pub table: MassTable,
    /// The foot that is fitted; none for the first one with a whole stance on a plate.
    pub side: Option<Side>,
    /// An interval of time in s that holds the stance that is fitted; none for the first whole one.
    pub stance: Option<[f64; 2]>,
    /// The file of a foot that was fitted before; none where it is fitted to this trial's own plates.
    pub foot_model: Option<PathBuf>,
}

/// How far a task is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TaskStage<'s> {
    /// A stage begins.
    Begins(&'s str),
    /// Where it stands.
    Stands(&'s str),
}

/// Who is told how far a task is; the task ends with [`GaitError::Stopped`] at the next stage after it has said false.
pub type TaskWatcher<'w> = &'w mut dyn FnMut(TaskStage<'_>) -> bool;

fn begin(stage: &str, tell: TaskWatcher<'_>) -> Result<()> {
    if tell(TaskStage::Begins(stage)) { Ok(()) } else { Err(GaitError::Stopped) }
}

impl TaskRequest {
    /// The walk's name without folder and ending.
    pub fn name(&self) -> String {
        let stem = self.files.markers.file_stem();
        stem.map_or_else(|| "walk".to_owned(), |stem| stem.to_string_lossy().into_owned())
    }

    /// The foot that was fitted before, for a body of the given mass.
    fn stored_foot(&self) -> Result<Option<CalibratedFoot>> {
        let Some(path) = &self.foot_model else { return Ok(None) };
        with_mass(read_foot(path)?, self.mass).map(Some)
    }

    /// The walk of a trial: for a stored foot with its cut-off, ground and markers.
    fn walk<'t>(&self, trial: &'t Trial, stored: Option<&CalibratedFoot>) -> Result<Walk<'t>> {
        match stored {
            Some(foot) => Walk::for_foot(trial, foot, self.table),
            None => Walk::of(trial, CalibrationSettings::default().pose_cutoff_hz, None, self.table),
        }
    }

    /// Fits a foot to a stance of the walk.
    fn calibrate(&self, walk: &Walk<'_>, tell: TaskWatcher<'_>) -> Result<Calibration> {
        let settings = CalibrationSettings {
            interval: self.stance,
            side: self.side,
            mass: self.mass,
            ..CalibrationSettings::default()
        };
        begin("Identifying the foot", tell)?;
        let (tell, is_stopped) = (RefCell::new(tell), std::cell::Cell::new(false));
        let found = calibrate_watched(walk, &settings, &|stage| {
            let text = match stage {
                CalibrationStage::Perturbed { cutoff_hz, evaluations } => {
                    format!("forces up to {cutoff_hz} Hz, {evaluations} evaluations")
                }
                CalibrationStage::Alone { evaluations } => {
                    format!("to the stance alone, {evaluations} evaluations")
                }
            };
            if !(tell.borrow_mut())(TaskStage::Stands(&text)) {
                is_stopped.set(true);
            }
        })?;
        if is_stopped.get() { Err(GaitError::Stopped) } else { Ok(found) }
    }

    /// The foot of the file, or one that is fitted to the walk.
    fn foot(
        &self,
        walk: &Walk<'_>,
        stored: Option<CalibratedFoot>,
        tell: TaskWatcher<'_>,
    ) -> Result<CalibratedFoot> {
        match stored {
            Some(foot) => Ok(foot),
            None => Ok(self.calibrate(walk, tell)?.foot),
        }
    }
}

/// Reads a foot that `fit` has written.
fn read_foot(path: &Path) -> Result<CalibratedFoot> {
    let failed = |reason: String| GaitError::Read { path: path.to_owned(), reason };
    let text = std::fs::read_to_string(path).map_err(|e| failed(e.to_string()))?;
    let foot: CalibratedFoot = serde_json::from_str(&text)
        .map_err(|e| failed(format!("it is not a foot that gait fit wrote: {e}")))?;
    foot.check().map_err(|e| failed(e.to_string()))?;
    Ok(foot)
}

/// The foot under a body of another mass: its stiffness belongs to the foot, the weight to the body.
fn with_mass(mut foot: CalibratedFoot, mass: Option<f64>) -> Result<CalibratedFoot> {
    if let Some(mass) = mass {
        if !(mass > 1.0 && mass < 500.0) {
            return Err(GaitError::out_of_range("mass", mass, "between 1 and 500 kg"));
        }
        foot.weight = mass * GRAVITY;
        foot.weight_deviation = 0.0;
        foot.weight_source = format!("the mass given, {mass} kg");
    }
    Ok(foot)
}
