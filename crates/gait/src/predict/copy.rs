//! The calibration stance, copied onto every other one: stretched to its duration, put under its foot, mirrored for
//! the other foot. It knows nothing of the stance it is copied to but when it was and where the foot stood; a model
//! that does no better than it is of no use.

use super::calibrate::{CalibratedFoot, Original};
use super::feet::{LEAST, unmirrored};
use super::walk::Walk;
use super::{FootPrediction, Mode, Prediction};
use crate::trial::Side;
use rattleback_geom::Vec3;

impl Original {
    /// Force and moments at a share of its duration, between samples by a straight line.
    fn at(&self, share: f64) -> (Vec3, [f64; 2]) {
        let last = self.force.len() - 1;
        let x = share.clamp(0.0, 1.0) * last as f64;
        let (k, next) = (x.floor() as usize, (x.floor() as usize + 1).min(last));
        let w = x - k as f64;
        let force = Vec3::from(self.force[k]) * (1.0 - w) + Vec3::from(self.force[next]) * w;
        (force, [0, 1].map(|a| self.arms[k][a] * (1.0 - w) + self.arms[next][a] * w))
    }
}

/// The copies. A stance that is cut by the trial's ends has the duration of the calibration's.
pub fn copy_stance(walk: &Walk, foot: &CalibratedFoot) -> Prediction {
    Prediction {
        mode: Mode::Copied,
        feet: [copy_foot(walk, foot, Side::Right), copy_foot(walk, foot, Side::Left)],
        weight: foot.weight,
    }
}

fn copy_foot(walk: &Walk, foot: &CalibratedFoot, side: Side) -> FootPrediction {
    let track = walk.track(side);
    let duration = foot.original.duration;
    let mut out = FootPrediction::none(side, &track.times);
    if foot.original.force.is_empty() {
        return out;
    }
    for s in walk.stances.iter().filter(|s| s.side == side) {
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
            let (f, arms) = foot.original.at(share);
            out.force[i] = unmirrored(side, &f);
            if f.y > LEAST * foot.weight {
                let p = track.poses[i].position;
                let c = Vec3::new(p.x + arms[0] / f.y, walk.floor, p.z + arms[1] / f.y);
                out.centre[i] = Some(unmirrored(side, &c));
            }
        }
    }
    out
}
