//! Ground forces from markers: each foot's, in two modes, with a standard deviation for every sample.
//!
//! | what | file |
//! |---|---|
//! | what every prediction asks of a trial | `walk.rs` |
//! | the stance of the identification, and plates as samples of a foot | `calibrate.rs` |
//! | the weight of the body from it | `weight.rs` |
//! | feet only: the fitted foot along each stance, zeroed at foot-flat | `feet.rs` |
//! | whole body: the sum is m(a − g), the feet share it | `whole.rs` |
//! | the calibration stance, copied: a baseline | `copy.rs` |
//! | errors against plates | `score.rs` |

mod calibrate;
mod copy;
mod feet;
mod score;
mod walk;
mod weight;
mod whole;

pub use calibrate::{
    CalibratedFoot, Calibration, CalibrationSettings, CalibrationStage, FORCE_CUTOFFS, Original, calibrate,
    calibrate_watched, foot_of_plate, samples_of_plate,
};
pub use copy::copy_stance;
pub use feet::{feet_only, scaled_to};
pub use score::{Score, loaded_intervals, score};
pub use walk::Walk;
pub use whole::whole_body;

use crate::trial::Side;
use rattleback_geom::Vec3;

/// How the forces were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// From the feet's motion alone.
    FeetOnly,
    /// From the whole body's motion, shared out by the feet.
    WholeBody,
    /// The calibration stance, copied.
    Copied,
}

impl Mode {
    /// Its name in tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::FeetOnly => "feet only",
            Self::WholeBody => "whole body",
            Self::Copied => "calibration stance, copied",
        }
    }
}

/// The predicted force of a foot at every frame of a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct FootPrediction {
    /// Which foot.
    pub side: Side,
    /// The times of the frames, in s.
    pub times: Vec<f64>,
    /// The force on the body, in N.
    pub force: Vec<Vec3>,
    /// Its standard deviation, in N.
    pub deviation: Vec<Vec3>,
    /// The centre of pressure; none where there is too little force.
    pub centre: Vec<Option<Vec3>>,
    /// Its standard deviation fore-aft and lateral, in m.
    pub centre_deviation: Vec<[f64; 2]>,
    /// The free moment about the vertical, in N m.
    pub free_moment: Vec<f64>,
    /// Its standard deviation, in N m.
    pub free_moment_deviation: Vec<f64>,
}

/// The force of both feet.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// How it was found.
    pub mode: Mode,
    /// Right and left.
    pub feet: [FootPrediction; 2],
    /// The weight of the body, in N.
    pub weight: f64,
}

impl FootPrediction {
    /// A foot without force.
    pub(crate) fn none(side: Side, times: &[f64]) -> Self {
        let n = times.len();
        Self {
            side,
            times: times.to_vec(),
            force: vec![Vec3::zeros(); n],
            deviation: vec![Vec3::zeros(); n],
            centre: vec![None; n],
            centre_deviation: vec![[0.0; 2]; n],
            free_moment: vec![0.0; n],
            free_moment_deviation: vec![0.0; n],
        }
    }
}
