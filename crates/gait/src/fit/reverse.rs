//! Reverse validation: by how much the foot must move for the model to produce the measured force.
//!
//! The correction of the height u(t) is piecewise linear between knots [`SPACING`] apart and bounded. It is the least
//! of |F(u) − F_m|²/W² + ε Σ (u_k/u_max)², so that no knot moves without need. What it needs in millimetres is what the
//! pose or the foot is wrong by.

use super::identify::{IdentifySettings, StanceData};
use super::levenberg::{LeastSquares, solve};
use crate::Result;
use crate::foot::{FootModel, FootTrack, low_pass_loads};
use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::{DMatrix, DVector};

/// The distance of knots, in s.
const SPACING: f64 = 0.05;
/// ε as a weight of residuals: a correction of its bound counts as much as this share of the weight in one frame.
const RELUCTANCE: f64 = 0.01;
/// The step of differences, in m; forces change by 1e-4 of the weight.
const STEP: f64 = 1e-6;

/// A correction of the height along a stance.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Correction {
    /// The times of the frames, in s.
    pub times: Vec<f64>,
    /// Upwards, in m.
    pub height: Vec<f64>,
    /// The root mean square of the vertical force's error with it, as a share of the weight.
    pub error: f64,
    /// The root mean square of the correction, in m.
    pub rms: f64,
    /// Its greatest size, in m.
    pub greatest: f64,
}

struct Problem<'a> {
    model: &'a FootModel,
    stance: &'a StanceData,
    settings: &'a IdentifySettings,
    bound: f64,
    knots: usize,
    begin: f64,
}

impl Problem<'_> {
    /// The two knots beside a time and the share of the second.
    fn between(&self, time: f64) -> (usize, usize, f64) {
        let x = ((time - self.begin) / SPACING).clamp(0.0, (self.knots - 1) as f64);
        let k = (x.floor() as usize).min(self.knots.saturating_sub(2));
        (k, (k + 1).min(self.knots - 1), x - k as f64)
    }

    fn height(&self, u: &[f64], time: f64) -> f64 {
        let (a, b, share) = self.between(time);
        u[a] * (1.0 - share) + u[b] * share
    }

    fn forces(&self, u: &[f64]) -> Result<Vec<f64>> {
        let mut track: FootTrack = self.stance.track.clone();
        for (pose, time) in track.poses.iter_mut().zip(&self.stance.track.times) {
            pose.position.y += self.height(u, *time);
        }
        let load = self.model.load(&track, &Vec3::from(self.settings.ground_velocity))?;
        let load = low_pass_loads(&load, track.rate_hz, self.settings.force_cutoff_hz)?;
        Ok(load.force.iter().map(|f| f.y).collect())
    }

    fn errors(&self, u: &[f64]) -> Result<Vec<f64>> {
        let forces = self.forces(u)?;
        Ok((0..forces.len())
            .filter(|i| self.stance.counted[*i])
            .map(|i| (forces[i] - self.stance.measured[i].force.y) / self.settings.weight)
            .collect())
    }
}

impl LeastSquares for Problem<'_> {
    fn evaluate(&self, u: &[f64]) -> Result<(DVector<f64>, DMatrix<f64>)> {
        let mut residuals = self.errors(u)?;
        let rows = residuals.len();
        let mut jacobian = DMatrix::zeros(rows + u.len(), u.len());
        for k in 0..u.len() {
            let mut moved = u.to_vec();
            moved[k] += STEP;
            for (i, value) in self.errors(&moved)?.into_iter().enumerate() {
                jacobian[(i, k)] = (value - residuals[i]) / STEP;
            }
            jacobian[(rows + k, k)] = RELUCTANCE / self.bound;
        }
        residuals.extend(u.iter().map(|v| RELUCTANCE * v / self.bound));
        Ok((DVector::from_vec(residuals), jacobian))
    }
}

/// The correction of a stance of at most `bound` metres.
pub fn correct_pose(
    model: &FootModel,
    stance: &StanceData,
    settings: &IdentifySettings,
    bound: f64,
) -> Result<Correction> {
    let times = &stance.track.times;
    let (begin, end) = (times.first().copied().unwrap_or(0.0), times.last().copied().unwrap_or(0.0));
    let knots = ((end - begin) / SPACING).ceil() as usize + 1;
    let problem = Problem { model, stance, settings, bound, knots, begin };
    let found = solve(&problem, &vec![0.0; knots], &vec![[-bound, bound]; knots], &vec![bound; knots])?;
    let errors = problem.errors(&found.x)?;
    let height: Vec<f64> = times.iter().map(|t| problem.height(&found.x, *t)).collect();
    let counted: Vec<f64> =
        height.iter().zip(&stance.counted).filter(|(_, c)| **c).map(|(h, _)| *h).collect();
    let rms =
        |values: &[f64]| (values.iter().map(|v| v * v).sum::<f64>() / values.len().max(1) as f64).sqrt();
    Ok(Correction {
        times: times.clone(),
        error: rms(&errors),
        rms: rms(&counted),
        greatest: counted.iter().fold(0.0, |a: f64, b| a.max(b.abs())),
        height,
    })
}
