//! The calibration stance, copied onto every other one: stretched to its duration, put under its foot, mirrored for the other
//! foot. It knows nothing of the stance it is copied to but when it was and where the foot stood; a model that does no
//! better than it is of no use.

use super::calibrate::Calibration;
use super::feet::{LEAST, track_of, unmirrored};
use super::{FootPrediction, Mode, Prediction};
use crate::Result;
use crate::signal::Spline;
use crate::stance::Stance;
use crate::trial::{Side, Trial};
use rattleback_geom::Vec3;

/// The calibration stance as functions of time: forces, and moments about the foot's origin.
struct Original {
    force: [Spline; 3],
    arms: [Spline; 2],
}

impl Original {
    fn of(calibration: &Calibration) -> Result<Self> {
        let stance = &calibration.stance;
        let spline = |get: &dyn Fn(usize) -> f64| -> Result<Spline> {
            let values: Vec<f64> = (0..stance.measured.len()).map(get).collect();
            Spline::uniform(stance.track.times[0], stance.track.rate_hz, &values, 1)
        };
        let heel = |i: usize| stance.track.poses[i].position;
        Ok(Self {
            force: [
                spline(&|i| stance.measured[i].force.x)?,
                spline(&|i| stance.measured[i].force.y)?,
                spline(&|i| stance.measured[i].force.z)?,
            ],
            arms: [
                spline(&|i| stance.measured[i].moments[0] - stance.measured[i].force.y * heel(i).x)?,
                spline(&|i| stance.measured[i].moments[1] - stance.measured[i].force.y * heel(i).z)?,
            ],
        })
    }
}

/// The copies. A stance that is cut by the trial's ends has the duration of the calibration's.
pub fn copy_stance(trial: &Trial, stances: &[Stance], calibration: &Calibration) -> Result<Prediction> {
    let original = Original::of(calibration)?;
    let foot = |side| copy_foot(trial, stances, calibration, &original, side);
    Ok(Prediction {
        mode: Mode::Copied,
        feet: [foot(Side::Right)?, foot(Side::Left)?],
        weight: calibration.weight,
    })
}

fn copy_foot(
    trial: &Trial,
    stances: &[Stance],
    calibration: &Calibration,
    original: &Original,
    side: Side,
) -> Result<FootPrediction> {
    let [begin, end] = calibration.interval;
    let duration = end - begin;
    let track = track_of(trial, side, calibration.settings.pose_cutoff_hz, calibration.floor)?;
    let mut out = FootPrediction::none(side, &track.times);
    for s in stances.iter().filter(|s| s.side == side) {
        let (from, to) = match (s.has_strike, s.has_off) {
            (true, true) => (s.begin, s.end),
            (true, false) => (s.begin, s.begin + duration),
            (false, true) => (s.end - duration, s.end),
            (false, false) => continue,
        };
        for i in 0..track.times.len() {
            let share = (track.times[i] - from) / (to - from);
            if !(0.0..=1.0).contains(&share) {
                continue;
            }
            let time = begin + share * duration;
            let f = Vec3::from_fn(|k, _| original.force[k].value(time));
            out.force[i] = unmirrored(side, &f);
            if f.y > LEAST * calibration.weight {
                let p = track.poses[i].position;
                let [a, b] = [0, 1].map(|k| original.arms[k].value(time) / f.y);
                out.centre[i] = Some(unmirrored(side, &Vec3::new(p.x + a, calibration.floor, p.z + b)));
            }
        }
    }
    Ok(out)
}
