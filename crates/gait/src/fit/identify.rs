//! What is compared in an identification, under perturbed poses.
//!
//! For each frame of the stance and each of seven poses (as measured, and moved up and down, pitched and rolled by a
//! standard deviation) three residuals: (F − F_m)/W and, with the weight [`MOMENTS`], the two moments of F − F_m
//! about the foot's middle over W ℓ, ℓ = [`ARM`]; W is the weight. A foot that fits one pose alone to the last per
//! cent is wrong by tens of per cent when the next stance is 0.4 mm lower; the perturbed poses keep it as soft as the
//! data allow. To them come the priors (θ − θ₀)/spread, with a weight of their own.
//!
//! Covariance: with s² the mean square of the residuals of the data at the measured pose, C = s² (JᵀJ)⁻¹ over the free
//! parameters, JᵀJ of the data at the measured pose and of the priors.

use super::levenberg::{LeastSquares, Solution, solve};
use crate::foot::{FootLoad, FootModel, FootTrack, Offset, Parameter, low_pass_loads};
use crate::{GaitError, Result};
use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::{DMatrix, DVector};

/// The weight of moments against forces, and the arm that makes them comparable, in m.
const MOMENTS: f64 = 0.5;
const ARM: f64 = 0.05;

/// How an identification is done.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct IdentifySettings {
    /// Standard deviations of the pose that a stance may have: height in m, pitch and roll in rad.
    pub pose_deviation: [f64; 3],
    /// The cut-off of forces, in Hz; none leaves them as they are.
    pub force_cutoff_hz: Option<f64>,
    /// The weight of the body, in N.
    pub weight: f64,
    /// The velocity of the ground, in m/s.
    pub ground_velocity: [f64; 3],
    /// The weight of one standard deviation of a prior, in shares of the weight of the body.
    pub prior: f64,
}

impl IdentifySettings {
    /// The weight of priors that are to decide only what the data leave open.
    pub const PRIOR: f64 = 0.05;
}

/// A measured force at a frame, mirrored for a left foot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForceSample {
    /// The force on the body, in N.
    pub force: Vec3,
    /// Σ N x, Σ N z about the laboratory's origin, in N m.
    pub moments: [f64; 2],
}

/// A stance: the foot's motion with a margin about it, and what was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct StanceData {
    /// The motion.
    pub track: FootTrack,
    /// The measured force at each frame of the motion.
    pub measured: Vec<ForceSample>,
    /// Which frames count.
    pub counted: Vec<bool>,
}

/// A foot that was identified.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedFoot {
    /// The foot.
    pub model: FootModel,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Which of them ended at a bound.
    pub held: Vec<bool>,
    /// Their covariance.
    pub covariance: DMatrix<f64>,
    /// How it was done.
    pub settings: IdentifySettings,
    /// Root mean squares of the force's errors in the fit, fore-aft, vertical, lateral, as shares of the weight.
    pub fit_errors: [f64; 3],
    /// Half the sum of squares that was made least.
    pub cost: f64,
    /// Evaluations.
    pub evaluations: usize,
    /// Whether the iteration converged.
    pub converged: bool,
}

struct Problem<'a> {
    model: &'a FootModel,
    parameters: &'a [Parameter],
    settings: &'a IdentifySettings,
    stance: &'a StanceData,
    tracks: Vec<FootTrack>,
    watch: &'a Watch<'a>,
}

/// Told of an identification on its way: evaluations so far, and half the sum of squares that is made least.
pub type Watch<'w> = dyn Fn(usize, f64) + 'w;

impl Problem<'_> {
    fn load(&self, model: &FootModel, track: &FootTrack) -> Result<FootLoad> {
        let load = model.load(track, &Vec3::from(self.settings.ground_velocity))?;
        low_pass_loads(&load, track.rate_hz, self.settings.force_cutoff_hz)
    }

    /// The residuals of the data for one of the poses.
    fn data(&self, model: &FootModel, pose: usize, out: &mut Vec<f64>, by: &mut Vec<f64>) -> Result<()> {
        let track = &self.tracks[pose];
        let load = self.load(model, track)?;
        let w = 1.0 / (self.tracks.len() as f64).sqrt() / self.settings.weight;
        let wm = w * MOMENTS / ARM;
        for i in (0..track.poses.len()).filter(|i| self.stance.counted[*i]) {
            let m = &self.stance.measured[i];
            let middle = load.middle[i];
            out.push(w * (load.force[i].y - m.force.y));
            out.push(wm * (load.moments[i][0] - (m.moments[0] - middle.x * m.force.y)));
            out.push(wm * (load.moments[i][1] - (m.moments[1] - middle.z * m.force.y)));
            let [f, a, b] = &load.by[i];
            by.extend(f.iter().map(|v| w * v));
            by.extend(a.iter().chain(b).map(|v| wm * v));
        }
        Ok(())
    }
}

impl LeastSquares for Problem<'_> {
    fn evaluate(&self, x: &[f64]) -> Result<(DVector<f64>, DMatrix<f64>)> {
        let model = self.model.with_values(x);
        let (mut out, mut by) = (Vec::new(), Vec::new());
        for pose in 0..self.tracks.len() {
            self.data(&model, pose, &mut out, &mut by)?;
        }
        for (k, parameter) in self.parameters.iter().enumerate() {
            out.push(self.settings.prior * (x[k] - parameter.start) / parameter.spread);
            by.extend(
                (0..x.len()).map(|j| if j == k { self.settings.prior / parameter.spread } else { 0.0 }),
            );
        }
        Ok((DVector::from_vec(out.clone()), DMatrix::from_row_slice(out.len(), x.len(), &by)))
    }

    fn progress(&self, evaluations: usize, cost: f64) {
        (self.watch)(evaluations, cost);
    }
}

fn perturbed(track: &FootTrack, deviation: &[f64; 3]) -> Vec<FootTrack> {
    let mut tracks = vec![track.clone()];
    for (k, size) in deviation.iter().enumerate() {
        for sign in [1.0, -1.0] {
            let mut offset = Offset::default();
            let slot = [&mut offset.height, &mut offset.pitch, &mut offset.roll];
            for (j, value) in slot.into_iter().enumerate() {
                if j == k {
                    *value = sign * size;
                }
            }
            if *size > 0.0 {
                tracks.push(track.moved(&offset));
            }
        }
    }
    tracks
}

/// The share of a normal distribution that is within one standard deviation.
const WITHIN_ONE_DEVIATION: f64 = 0.6827;

/// Finds the parameters of a foot from a stance.
pub fn identify(start: &FootModel, stance: &StanceData, settings: &IdentifySettings) -> Result<FittedFoot> {
    identify_watched(start, stance, settings, &|_, _| {})
}

/// The same, watched.
pub fn identify_watched(
    start: &FootModel,
    stance: &StanceData,
    settings: &IdentifySettings,
    watch: &Watch<'_>,
) -> Result<FittedFoot> {
    if stance.counted.iter().filter(|c| **c).count() < 10 {
        return Err(GaitError::unsupported(
            "an identification",
            "the stance has fewer than ten frames with a measured force",
        ));
    }
    let parameters = start.parameters();
    let bounds: Vec<[f64; 2]> = parameters.iter().map(|p| p.bounds).collect();
    let scales: Vec<f64> = parameters.iter().map(|p| p.spread).collect();
    let tracks = perturbed(&stance.track, &settings.pose_deviation);
    let problem = Problem { model: start, parameters: &parameters, settings, stance, tracks, watch };
    let found = solve(&problem, &start.values(), &bounds, &scales)?;
    let model = start.with_values(&found.x);
    let covariance = covariance(&problem, &model, &found)?;
    let fit_errors = fit_errors(&model, stance, settings)?;
    Ok(FittedFoot {
        model,
        held: found.held.clone(),
        covariance,
        settings: *settings,
        fit_errors,
        cost: found.cost,
        evaluations: found.evaluations,
        converged: found.converged,
        parameters,
    })
}

/// The error of the force at the frames of a stance that count, as shares of the weight.
fn errors(model: &FootModel, stance: &StanceData, settings: &IdentifySettings) -> Result<Vec<Vec3>> {
    let load = model.load(&stance.track, &Vec3::from(settings.ground_velocity))?;
    let load = low_pass_loads(&load, stance.track.rate_hz, settings.force_cutoff_hz)?;
    let counted = (0..stance.counted.len()).filter(|i| stance.counted[*i]);
    Ok(counted.map(|i| (load.force[i] - stance.measured[i].force) / settings.weight).collect())
}

/// Root mean squares of the force's error over a stance, fore-aft, vertical and lateral, as shares of the weight.
pub fn fit_errors(model: &FootModel, stance: &StanceData, settings: &IdentifySettings) -> Result<[f64; 3]> {
    let errors = errors(model, stance, settings)?;
    let squares: Vec3 = errors.iter().map(|e| e.component_mul(e)).sum();
    Ok([0, 1, 2].map(|a| (squares[a] / f64::max(errors.len() as f64, 1.0)).sqrt()))
}

/// The sizes below which the force's error is for as many frames as a normal one is within its standard deviation: a
/// foot that strikes the ground leaves a few large errors, which make the root mean square that of few frames.
pub fn misfits(model: &FootModel, stance: &StanceData, settings: &IdentifySettings) -> Result<[f64; 3]> {
    let errors = errors(model, stance, settings)?;
    // The first size that is not among them.
    let at = (WITHIN_ONE_DEVIATION * errors.len() as f64).ceil() as usize;
    Ok([0, 1, 2].map(|a| {
        let mut sizes: Vec<f64> = errors.iter().map(|e| e[a].abs()).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.get(at).or(sizes.last()).copied().unwrap_or(0.0)
    }))
}

fn covariance(problem: &Problem, model: &FootModel, found: &Solution) -> Result<DMatrix<f64>> {
    let n = found.x.len();
    let (mut out, mut by) = (Vec::new(), Vec::new());
    problem.data(model, 0, &mut out, &mut by)?;
    // The residuals of one pose carry 1/√(number of poses).
    let poses = problem.tracks.len() as f64;
    let jacobian = DMatrix::from_row_slice(out.len(), n, &by) * poses.sqrt();
    let squares: f64 = out.iter().map(|r| r * r * poses).sum();
    let variance = squares / out.len() as f64;
    let mut normal = jacobian.tr_mul(&jacobian) / variance.max(f64::MIN_POSITIVE);
    for (k, parameter) in problem.parameters.iter().enumerate() {
        normal[(k, k)] += parameter.spread.powi(-2);
    }
    let free: Vec<usize> = (0..n).filter(|k| !found.held[*k]).collect();
    let own = normal.select_columns(&free).select_rows(&free);
    let inverse = own.cholesky().map(|c| c.inverse()).ok_or_else(|| {
        GaitError::unsupported("the covariance of the foot's parameters", "the normal matrix is singular")
    })?;
    let mut whole = DMatrix::zeros(n, n);
    for (a, i) in free.iter().enumerate() {
        for (b, j) in free.iter().enumerate() {
            whole[(*i, *j)] = inverse[(a, b)];
        }
    }
    Ok(whole)
}

/// How the vertical force changes with the pose, as shares of the weight.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Sensitivity {
    /// The root mean square over the stance of the change for a millimetre of height.
    pub per_millimetre: f64,
    /// The same for a degree of pitch.
    pub per_degree_pitch: f64,
    /// The same for a degree of roll.
    pub per_degree_roll: f64,
}

/// The sensitivities of a foot over a stance.
pub fn sensitivity(
    model: &FootModel,
    track: &FootTrack,
    counted: &[bool],
    settings: &IdentifySettings,
) -> Result<Sensitivity> {
    let load = |offset: Offset| -> Result<FootLoad> {
        let moved = track.moved(&offset);
        let load = model.load(&moved, &Vec3::from(settings.ground_velocity))?;
        low_pass_loads(&load, track.rate_hz, settings.force_cutoff_hz)
    };
    // Half a step to either side of a tenth of a millimetre or degree.
    let change = |a: Offset, b: Offset, step: f64| -> Result<f64> {
        let (a, b) = (load(a)?, load(b)?);
        let (mut squares, mut count) = (0.0, 0.0);
        for i in (0..counted.len()).filter(|i| counted[*i]) {
            squares += ((a.force[i].y - b.force[i].y) / step).powi(2);
            count += 1.0;
        }
        Ok((squares / f64::max(count, 1.0)).sqrt() / settings.weight)
    };
    let none = Offset::default();
    let h = 0.05;
    let (mm, deg) = (h * 1e-3, h * std::f64::consts::PI / 180.0);
    Ok(Sensitivity {
        per_millimetre: change(Offset { height: mm, ..none }, Offset { height: -mm, ..none }, 2.0 * h)?,
        per_degree_pitch: change(Offset { pitch: deg, ..none }, Offset { pitch: -deg, ..none }, 2.0 * h)?,
        per_degree_roll: change(Offset { roll: deg, ..none }, Offset { roll: -deg, ..none }, 2.0 * h)?,
    })
}
