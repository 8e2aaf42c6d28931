//! Whole body: the sum of the ground forces is T = m(a − g), which markers give to a few per cent, and the feet share it out.
//!
//! With s_i the share of foot i in the vertical force of the feet-only prediction (one in single support), and p_i its centre of
//! pressure:
//!
//!   F_i,y = s_i T_y,   F_i,h = s_i (T_h + q_h T_y (p̄_h − p_i,h)/H),   p̄ = Σ s_j p_j
//!
//! The horizontal rule is that the forces of both feet point at one place, plus a common part: with
//! F_i = q N_i (c − p_i)/H + s_i e, the remainder e fixed by Σ F_i = T, the place c drops out. The leading foot brakes and the
//! trailing one pushes, though their sum is nearly zero. H is the height of the centre of mass; q, near one, is found for
//! either direction from the double support of the calibration stance by least squares.
//!
//! Stances are those of the kinematics: a foot in swing has no share.
//!
//! Variance: s² σ_T² + T² σ_s² with σ_T from the single support of the calibration stance (its plate against T) and σ_s from
//! the deviations of the feet.

use super::calibrate::{Calibration, is_in_the_air};
use super::feet::unmirrored;
use super::{FootPrediction, Mode, Prediction};
use crate::body::CentreOfMass;
use crate::stance::Stance;
use crate::trial::{Side, Trial};
use rattleback_geom::Vec3;

/// A share below this is none: a foot that is about to touch or has just left.
const NO_SHARE: f64 = 1e-6;
/// σ_T where nothing can be compared, as a share of the weight: what markers are good for.
const UNKNOWN: f64 = 0.02;

/// q lies between these: towards the centre of mass, no farther than half its height below it.
const LEVERS: [f64; 2] = [0.0, 2.0];
/// The deviation of the weight that the calibration stance gives, as a share of it.
const WEIGHT: f64 = 0.01;

/// The forces of both feet from the whole body's motion. Frames without a centre of mass keep those of the feet alone.
pub fn whole_body(
    trial: &Trial,
    stances: &[Stance],
    calibration: &Calibration,
    feet: &Prediction,
    centre: &CentreOfMass,
) -> Prediction {
    let total = centre.ground_force(calibration.weight / crate::body::GRAVITY);
    let at = |i: usize| {
        let k = i.checked_sub(centre.first)?;
        Some((*total.get(k)?, (centre.positions[k].y - calibration.floor).max(0.1)))
    };
    let mut sum_deviation = sum_deviation(stances, calibration, &trial.times, &|i| at(i).map(|(t, _)| t));
    if calibration.settings.mass.is_none() {
        sum_deviation.y = sum_deviation.y.hypot(WEIGHT * calibration.weight);
    }
    let levers = levers(stances, calibration, feet, &at);
    let mut out = feet.feet.clone();
    for i in 0..feet.feet[0].times.len() {
        let Some((t, height)) = at(i) else { continue };
        let shares = shares(feet, stances, i);
        let arms = arms(feet, &shares, i, height);
        let doubt = share_deviation(feet, &shares, i);
        for (j, foot) in out.iter_mut().enumerate() {
            let push = levers.component_mul(&arms[j]) * t.y;
            let whole = Vec3::new(t.x + push.x, t.y.max(0.0), t.z + push.z);
            set(foot, i, shares[j], &whole, doubt, &sum_deviation);
        }
    }
    Prediction { mode: Mode::WholeBody, feet: out, weight: calibration.weight }
}

/// (p̄ − p_i)/H of both feet.
fn arms(feet: &Prediction, shares: &[f64; 2], i: usize, height: f64) -> [Vec3; 2] {
    match [0, 1].map(|j| feet.feet[j].centre[i]) {
        [Some(a), Some(b)] => {
            let mean = a * shares[0] + b * shares[1];
            [(mean - a) / height, (mean - b) / height]
        }
        _ => [Vec3::zeros(); 2],
    }
}

/// q fore-aft and lateral, from the frames of the calibration stance in which both feet stand.
fn levers(
    stances: &[Stance],
    calibration: &Calibration,
    feet: &Prediction,
    at: &dyn Fn(usize) -> Option<(Vec3, f64)>,
) -> Vec3 {
    let own = usize::from(calibration.side == Side::Left);
    let track = &calibration.stance.track;
    let (mut above, mut below) = (Vec3::zeros(), Vec3::zeros());
    for (i, time) in feet.feet[0].times.iter().enumerate() {
        let k = track.times.iter().position(|t| (t - time).abs() < 1e-6);
        let k = k.filter(|k| calibration.stance.counted[*k]);
        if let (Some(k), Some((t, height))) = (k, at(i)) {
            let shares = shares(feet, stances, i);
            let by = arms(feet, &shares, i, height)[own] * (shares[own] * t.y);
            let measured = unmirrored(calibration.side, &calibration.stance.measured[k].force);
            above += by.component_mul(&(measured - t * shares[own]));
            below += by.component_mul(&by);
        }
    }
    Vec3::from_fn(|a, _| if below[a] > 0.0 { (above[a] / below[a]).clamp(LEVERS[0], LEVERS[1]) } else { 1.0 })
}

fn set(foot: &mut FootPrediction, i: usize, share: f64, whole: &Vec3, doubt: f64, sum_deviation: &Vec3) {
    foot.force[i] = whole * share;
    foot.deviation[i] = Vec3::from_fn(|a, _| (share * sum_deviation[a]).hypot(whole[a] * doubt));
    if share < NO_SHARE {
        foot.centre[i] = None;
        foot.free_moment[i] = 0.0;
    }
}

fn stands(stances: &[Stance], side: Side, time: f64) -> bool {
    stances.iter().any(|s| s.side == side && s.contains(time))
}

/// The shares of right and left foot.
fn shares(feet: &Prediction, stances: &[Stance], i: usize) -> [f64; 2] {
    let time = feet.feet[0].times[i];
    match [0, 1].map(|k| stands(stances, feet.feet[k].side, time)) {
        [true, false] => [1.0, 0.0],
        [false, true] => [0.0, 1.0],
        [false, false] => [0.0, 0.0],
        [true, true] => {
            let n = [0, 1].map(|k| feet.feet[k].force[i].y.max(0.0));
            let sum = n[0] + n[1];
            if sum > 0.0 { [n[0] / sum, n[1] / sum] } else { [0.5, 0.5] }
        }
    }
}

/// σ of the shares.
fn share_deviation(feet: &Prediction, shares: &[f64; 2], i: usize) -> f64 {
    if shares[0] < NO_SHARE || shares[1] < NO_SHARE {
        return 0.0;
    }
    let n = [0, 1].map(|k| feet.feet[k].force[i].y.max(1e-3 * feet.weight));
    let d = [0, 1].map(|k| feet.feet[k].deviation[i].y);
    let sum = n[0] + n[1];
    ((n[1] * d[0]).hypot(n[0] * d[1]) / (sum * sum)).min(0.5)
}

/// σ_T: the error of the sum in the single support of the calibration stance.
fn sum_deviation(
    stances: &[Stance],
    calibration: &Calibration,
    times: &[f64],
    total: &dyn Fn(usize) -> Option<Vec3>,
) -> Vec3 {
    let other = if calibration.side == Side::Right { Side::Left } else { Side::Right };
    let [begin, end] = calibration.interval;
    let track = &calibration.stance.track;
    let (mut squares, mut count) = (Vec3::zeros(), 0.0);
    for (i, time) in times.iter().enumerate() {
        let is_single = (begin..=end).contains(time) && is_in_the_air(stances, other, *time);
        let k = track.times.iter().position(|t| (t - time).abs() < 1e-6);
        if let (true, Some(k), Some(t)) = (is_single, k, total(i)) {
            let e = t - unmirrored(calibration.side, &calibration.stance.measured[k].force);
            squares += e.component_mul(&e);
            count += 1.0;
        }
    }
    if count < 3.0 {
        return Vec3::repeat(UNKNOWN * calibration.weight);
    }
    squares.map(|v: f64| (v / count).sqrt())
}
