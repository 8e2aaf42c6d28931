//! Feet only: the fitted foot along each stance, zeroed at foot-flat.
//!
//! Variance of a sample: (∂F/∂o)² σ_o² over height, pitch and roll of the pose, J C Jᵀ of the parameters, and the
//! square of the misfit at the calibration stance. They are taken as independent. The pose's
//! deviations are the ones under which the foot was identified, and for the height what marker noise leaves in a
//! frame. The centre of pressure and the free moment have the same parts, and under the foot that was not calibrated
//! what two feet of a person and the markers on them differ by.

use super::calibrate::CalibratedFoot;
use super::walk::Walk;
use super::{FootPrediction, Mode, Prediction};
use crate::foot::{FootLoad, FootModel, FootTrack, Offset, foot_flat, low_pass_loads, mirror, moved};
use crate::stance::Stance;
use crate::trial::Side;
use crate::{GaitError, Result};
use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::{DMatrix, DVector};

/// Below this share of the weight there is no centre of pressure.
pub(crate) const LEAST: f64 = 0.03;
/// The misfit counts in full from this share of the weight on.
const WHOLE_MISFIT: f64 = 0.2;

/// What the mirrored calibration foot is off by under the other foot: markers are placed on landmarks to 6 to 21 mm
/// (Della Croce et al. 2005, Gait & Posture 21, 226), here in m; and the free moment, which no parameter tells, as a
/// share of weight times foot length.
const OTHER_CENTRE: f64 = 8e-3;
const OTHER_MOMENT: f64 = 0.025;

/// A point or a force of a mirrored foot as it is.
pub(crate) fn unmirrored(side: Side, p: &Vec3) -> Vec3 {
    mirror(side, p)
}

/// The forces of both feet from their motion alone.
pub fn feet_only(walk: &Walk, foot: &CalibratedFoot) -> Result<Prediction> {
    let count = foot.model.values().len();
    if foot.covariance.len() != count * count {
        return Err(GaitError::out_of_range("covariance", foot.covariance.len() as f64, "of all parameters"));
    }
    let covariance = DMatrix::from_row_slice(count, count, &foot.covariance);
    let predict = |side| predict_foot(walk, foot, &covariance, side);
    Ok(Prediction {
        mode: Mode::FeetOnly,
        feet: [predict(Side::Right)?, predict(Side::Left)?],
        weight: foot.weight,
    })
}

/// The foot of the calibration scaled to another one's length.
pub fn scaled_to(foot: &CalibratedFoot, length: f64) -> FootModel {
    let mut model = foot.model.clone();
    let s = length / foot.length;
    for element in &mut model.elements {
        for axis in [0, 2] {
            element.centre[axis] *= s;
            element.semi_axes[axis] *= s;
        }
    }
    model
}

/// The motion with every stance at the height of the calibration's foot-flat.
fn zeroed(track: &FootTrack, stances: &[Stance], foot: &CalibratedFoot) -> FootTrack {
    let own: Vec<&Stance> = stances.iter().filter(|s| s.side == track.side).collect();
    let mut out = track.clone();
    let Some(reference) = &foot.flat else { return out };
    // Height and pitch: a degree of roll changes the force by a tenth of what a degree of pitch does, and the roll of
    // flat feet is not that of the other foot.
    let offsets: Vec<Option<Offset>> = own
        .iter()
        .map(|stance| foot_flat(track, stance.begin, stance.end))
        .map(|flat| flat.map(|flat| Offset { roll: 0.0, ..flat.offset_to(reference, track.length) }))
        .collect();
    for (k, stance) in own.iter().enumerate() {
        // A stance that the trial cuts before the foot is flat has the offset of the nearest one.
        let known = (0..own.len()).filter(|j| offsets[*j].is_some()).min_by_key(|j| j.abs_diff(k));
        let Some(offset) = known.and_then(|j| offsets[j]) else { continue };
        // The offset changes in the middle of the swings, where the foot is off the ground.
        let from = k.checked_sub(1).map_or(f64::NEG_INFINITY, |b| 0.5 * (own[b].end + stance.begin));
        let to = own.get(k + 1).map_or(f64::INFINITY, |n| 0.5 * (stance.end + n.begin));
        for (pose, time) in out.poses.iter_mut().zip(&track.times) {
            if (from..to).contains(time) {
                *pose = moved(pose, track.length, &offset);
            }
        }
    }
    out
}

/// The loads of a foot as it is, and with each offset of one standard deviation to both sides.
struct Loads {
    middle: FootLoad,
    moved: Vec<[FootLoad; 2]>,
}

impl Loads {
    fn of(track: &FootTrack, foot: &CalibratedFoot, ground: &Vec3) -> Result<Self> {
        let model = scaled_to(foot, track.length);
        let cutoff = foot.settings.force_cutoff_hz;
        let load = |offset: Offset| -> Result<FootLoad> {
            low_pass_loads(&model.load(&track.moved(&offset), ground)?, track.rate_hz, cutoff)
        };
        let [height, pitch, roll] = foot.settings.pose_deviation;
        let height = height.hypot(frame_noise(track, cutoff));
        let none = Offset::default();
        let mut moved = Vec::new();
        for (plus, minus) in [
            (Offset { height, ..none }, Offset { height: -height, ..none }),
            (Offset { pitch, ..none }, Offset { pitch: -pitch, ..none }),
            (Offset { roll, ..none }, Offset { roll: -roll, ..none }),
        ] {
            moved.push([load(plus)?, load(minus)?]);
        }
        Ok(Self { middle: load(none)?, moved })
    }

    /// The variance of the force at a frame, from the pose, the parameters and the misfit.
    fn variance(&self, i: usize, foot: &CalibratedFoot, covariance: &DMatrix<f64>) -> Vec3 {
        let mut variance = Vec3::zeros();
        for [plus, minus] in &self.moved {
            let half = 0.5 * (plus.force[i] - minus.force[i]);
            variance += half.component_mul(&half);
        }
        let by = DVector::from_column_slice(&self.middle.by[i][0]);
        variance.y += by.dot(&(covariance * &by)).max(0.0);
        let share = (self.middle.force[i].y / (WHOLE_MISFIT * foot.weight)).clamp(0.0, 1.0);
        variance + Vec3::from(foot.misfits.map(|e| (share * e * foot.weight).powi(2)))
    }

    /// The deviation of the centre of pressure at a frame, where the force is above `least`: from the pose, from the
    /// parameters (with A = Σ N x about the foot's middle, x = A/F: dx = (dA − x dF)/F), and what the fit left, which
    /// weighs less the greater the force is.
    fn centre_deviation(
        &self,
        i: usize,
        least: f64,
        foot: &CalibratedFoot,
        covariance: &DMatrix<f64>,
    ) -> [f64; 2] {
        let force = self.middle.force[i].y.max(least);
        let [by_force, by_moments @ ..] = &self.middle.by[i];
        let mut squares = [0, 1].map(|k| {
            let x = self.middle.moments[i][k] / force;
            let by = DVector::from_fn(by_force.len(), |j, _| (by_moments[k][j] - x * by_force[j]) / force);
            by.dot(&(covariance * &by)).max(0.0) + (foot.centre_errors[k] / force).powi(2)
        });
        for [plus, minus] in &self.moved {
            if let (Some(a), Some(b)) = (plus.centre(i, least, 0.0), minus.centre(i, least, 0.0)) {
                squares[0] += (0.5 * (a.x - b.x)).powi(2);
                squares[1] += (0.5 * (a.z - b.z)).powi(2);
            }
        }
        squares.map(f64::sqrt)
    }

    /// The deviation of the free moment at a frame: from the pose, and what the fit left.
    fn free_moment_deviation(&self, i: usize, least: f64, foot: &CalibratedFoot) -> f64 {
        let share = (self.middle.force[i].y / (WHOLE_MISFIT * foot.weight)).clamp(0.0, 1.0);
        let mut squares = (share * foot.free_moment_error).powi(2);
        for moved in &self.moved {
            if let [Some(a), Some(b)] =
                moved.each_ref().map(|l| l.centre(i, least, 0.0).map(|c| l.free_moment(i, &c)))
            {
                squares += (0.5 * (a - b)).powi(2);
            }
        }
        squares.sqrt()
    }
}

/// What marker noise leaves in the height of the foot after the filter of forces, in m.
fn frame_noise(track: &FootTrack, cutoff_hz: Option<f64>) -> f64 {
    let share = cutoff_hz.map_or(1.0, |cutoff| (cutoff / (0.5 * track.rate_hz)).min(1.0));
    track.noise / (track.template.len() as f64).sqrt() * share.sqrt()
}

fn predict_foot(
    walk: &Walk,
    foot: &CalibratedFoot,
    covariance: &DMatrix<f64>,
    side: Side,
) -> Result<FootPrediction> {
    let track = zeroed(walk.track(side), &walk.stances, foot);
    let loads = Loads::of(&track, foot, &unmirrored(side, &walk.ground_velocity()))?;
    let mut out = FootPrediction::none(side, &track.times);
    let least = LEAST * foot.weight;
    for i in 0..track.times.len() {
        let force = loads.middle.force[i];
        let force = Vec3::new(force.x, force.y.max(0.0), force.z);
        if let Some(c) = loads.middle.centre(i, least, walk.floor) {
            out.centre[i] = Some(unmirrored(side, &c));
            let is_other = f64::from(u8::from(side != foot.side));
            out.centre_deviation[i] =
                loads.centre_deviation(i, least, foot, covariance).map(|d| d.hypot(is_other * OTHER_CENTRE));
            out.free_moment_deviation[i] = loads
                .free_moment_deviation(i, least, foot)
                .hypot(is_other * OTHER_MOMENT * foot.weight * foot.length);
            // The moment about the centre, of horizontal forces at the bodies; a mirror turns its sign.
            let free = loads.middle.free_moment(i, &c);
            out.free_moment[i] = if side == Side::Left { -free } else { free };
        }
        out.force[i] = unmirrored(side, &force);
        out.deviation[i] = loads.variance(i, foot, covariance).map(f64::sqrt);
    }
    Ok(out)
}
