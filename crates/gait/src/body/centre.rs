//! The centre of mass, its velocity and acceleration, and the ground force.
//!
//! The positions' mean by mass is low-passed without lag and differentiated by quintic splines. The cut-off is that
//! of the residual analysis of its three coordinates (their median), within [`CUTOFFS`]. The upper bound is what
//! walking has even at the feet: 99.7 % of the power of their markers is below 6 Hz (Winter, Sidwall and Hobson 1974,
//! J. Biomech. 7, 157); above, what marker noise adds to an acceleration grows with the square of the frequency. It
//! holds where markers were filtered or interpolated before, so that residual analysis finds no noise. The lower
//! bound keeps the double bump of the vertical force.

use super::GRAVITY;
use super::segment::{WholeBody, weighted};
use crate::feet::{Track, median};
use crate::signal::{differentiate, low_pass_points, residual_analysis};
use crate::{GaitError, Result};
use rattleback_geom::Vec3;

/// The least and the greatest cut-off, in Hz.
pub const CUTOFFS: [f64; 2] = [4.0, 6.0];
/// A run of frames shorter than this says nothing, in s.
const SHORTEST: f64 = 0.3;

/// The centre of mass over the longest run of frames in which all segments are known.
#[derive(Debug, Clone, PartialEq)]
pub struct CentreOfMass {
    /// The first frame of the run.
    pub first: usize,
    /// Frames per second.
    pub rate_hz: f64,
    /// The filter's cut-off, in Hz.
    pub cutoff_hz: f64,
    /// Places, filtered, in m.
    pub positions: Vec<Vec3>,
    /// Velocities, in m/s.
    pub velocities: Vec<Vec3>,
    /// Accelerations, in m/s².
    pub accelerations: Vec<Vec3>,
}

impl CentreOfMass {
    /// The sum of the ground forces on a body of a mass in kg, in each frame of the run, in N.
    pub fn ground_force(&self, mass: f64) -> Vec<Vec3> {
        let last = self.first + self.accelerations.len();
        (self.first..last).filter_map(|frame| self.ground_force_at(frame, mass)).collect()
    }

    /// The same in a frame of the trial; none outside of the run.
    pub fn ground_force_at(&self, frame: usize, mass: f64) -> Option<Vec3> {
        let a = self.accelerations.get(frame.checked_sub(self.first)?)?;
        Some((a + Vec3::new(0.0, GRAVITY, 0.0)) * mass)
    }
}

/// The centre of mass of a body, with the cut-off that the data ask for, or the one given in Hz.
pub fn centre_of_mass(body: &WholeBody, cutoff_hz: Option<f64>) -> Result<CentreOfMass> {
    let count = body.segments.first().map_or(0, |s| s.centres.len());
    let places: Vec<Option<Vec3>> = (0..count).map(|i| weighted(&body.segments, i)).collect();
    let run = Track::longest(&places).filter(|run| run.points.len() as f64 > SHORTEST * body.rate_hz);
    let Some(Track { first, points }) = run else {
        let reason = format!("there are not {SHORTEST} s in which all segments are known");
        return Err(GaitError::unsupported("the centre of mass", reason));
    };
    let rate_hz = body.rate_hz;
    let cutoff_hz = match cutoff_hz {
        Some(cutoff) => cutoff,
        None => advised(&points, rate_hz)?.clamp(CUTOFFS[0], CUTOFFS[1]).min(0.4 * rate_hz),
    };
    let positions = low_pass_points(&points, rate_hz, cutoff_hz)?;
    let velocities = differentiate(&positions, rate_hz, 1)?;
    let accelerations = differentiate(&positions, rate_hz, 2)?;
    Ok(CentreOfMass { first, rate_hz, cutoff_hz, positions, velocities, accelerations })
}

fn advised(points: &[Vec3], rate_hz: f64) -> Result<f64> {
    let mut cutoffs = Vec::new();
    for axis in 0..3 {
        let values: Vec<f64> = points.iter().map(|p| p[axis]).collect();
        cutoffs.push(residual_analysis(&values, rate_hz)?.cutoff_hz);
    }
    Ok(median(&mut cutoffs))
}
