//! Whole body: the sum of the ground forces is T = m(a − g), which markers give to a few per cent, and the feet share
//! it out.
//!
//! With s_i the share of foot i in the vertical force (one in single support), and p_i its centre of pressure:
//!
//!   F_i,y = s_i T_y,   F_i,h = s_i (T_h + q_h T_y (p̄_h − p_i,h)/H),   p̄ = Σ s_j p_j
//!
//! The horizontal rule is that the forces of both feet point at one place, plus a common part: with
//! F_i = q N_i (c − p_i)/H + s_i e, the remainder e fixed by Σ F_i = T, the place c drops out. The leading foot
//! brakes and the trailing one pushes, though their sum is nearly zero. H is the height of the centre of mass; q,
//! near one, is found for either direction from the double support of the calibration stance by least squares.
//!
//! Stances are those of the kinematics: a foot in swing has no share, and where neither foot stands half of the force
//! is in doubt. In double support the shares are those of the mean, by their variances, of the feet-only force and of
//! the calibration stance, copied: strides of one person differ by [`STRIDES`], and feet alone are less certain.
//!
//! At the ends of a trial an acceleration is known from one side only, to [`EDGE`] W e^(−d/τ) with d the time to the
//! end and τ a quarter period of the filter. There T_y is the mean, by variances, of m(a − g) and of what the feet
//! carry, and horizontal forces have half of that deviation.
//!
//! Variance: s² (σ_T² + σ_q² (T_y (p̄ − p_i)/H)²) + T² σ_s² with σ_T from the single support of the calibration stance
//! (its plate against T) and σ_s from the deviations of the feet.

use super::calibrate::CalibratedFoot;
use super::copy::copy_stance;
use super::feet::unmirrored;
use super::walk::{Walk, other};
use super::{FootPrediction, Mode, Prediction};
use crate::fit::StanceData;
use crate::trial::Side;
use rattleback_geom::Vec3;

/// A share below this is none: a foot that is about to touch or has just left.
const NO_SHARE: f64 = 1e-6;
/// σ_T where nothing can be compared, as a share of the weight: what markers are good for.
const UNKNOWN: f64 = 0.02;
/// The deviation between the same instants of two strides of a person, as a share of the weight.
const STRIDES: f64 = 0.05;
/// The deviation of the vertical force at the very ends of a trial, as a share of the weight.
const EDGE: f64 = 0.2;
/// q lies between these: towards the centre of mass, no farther than half its height below it.
const LEVERS: [f64; 2] = [0.0, 2.0];
/// The deviation of q between stances.
const LEVER_DEVIATION: f64 = 0.3;

/// The forces of both feet from the whole body's motion. Frames without a centre of mass keep those of the feet alone.
pub fn whole_body(walk: &Walk, foot: &CalibratedFoot, feet: &Prediction) -> Prediction {
    let mut sum_deviation = Vec3::from(foot.sum_deviation) * foot.weight;
    sum_deviation.y = sum_deviation.y.hypot(foot.weight_deviation * foot.weight);
    let levers = Vec3::new(foot.levers[0], 0.0, foot.levers[1]);
    let carried = Carried::of(walk, foot, feet);
    let mut out = feet.feet.clone();
    for i in 0..feet.feet[0].times.len() {
        let Some((mut t, height)) = walk.total(i, foot.weight) else { continue };
        let shares = carried.shares(walk, i);
        let edge = EDGE * foot.weight * walk.edge(i);
        let (sum, deviation) = carried.sum(&shares, i);
        let (a, b) = (edge.powi(2), deviation.powi(2));
        t.y = (t.y * b + sum * a) / (a + b);
        let mut sum_deviation = sum_deviation;
        sum_deviation.y = sum_deviation.y.hypot((a * b / (a + b)).sqrt());
        for axis in [0, 2] {
            sum_deviation[axis] = sum_deviation[axis].hypot(0.5 * edge);
        }
        let arms = arms(feet, &shares, i, height);
        let doubt = carried.share_deviation(walk, &shares, i);
        for (j, foot) in out.iter_mut().enumerate() {
            let push = levers.component_mul(&arms[j]) * t.y;
            let whole = Vec3::new(t.x + push.x, t.y.max(0.0), t.z + push.z);
            let lever = arms[j] * (t.y * LEVER_DEVIATION);
            let of_sum =
                Vec3::from_fn(|a, _| if a == 1 { sum_deviation.y } else { sum_deviation[a].hypot(lever[a]) });
            set(foot, i, shares[j], &whole, doubt, &of_sum);
        }
    }
    Prediction { mode: Mode::WholeBody, feet: out, weight: foot.weight }
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
pub(super) fn levers(walk: &Walk, foot: &CalibratedFoot, stance: &StanceData, feet: &Prediction) -> [f64; 2] {
    let own = usize::from(foot.side == Side::Left);
    let carried = Carried::of(walk, foot, feet);
    let (mut above, mut below) = (Vec3::zeros(), Vec3::zeros());
    for (i, k) in frames(walk, stance) {
        if let Some((t, height)) = walk.total(i, foot.weight) {
            let shares = carried.shares(walk, i);
            let by = arms(feet, &shares, i, height)[own] * (shares[own] * t.y);
            let measured = unmirrored(foot.side, &stance.measured[k].force);
            above += by.component_mul(&(measured - t * shares[own]));
            below += by.component_mul(&by);
        }
    }
    [0, 2].map(|a| if below[a] > 0.0 { (above[a] / below[a]).clamp(LEVERS[0], LEVERS[1]) } else { 1.0 })
}

/// The frames of a trial that are in a stance, and their places in it.
fn frames(walk: &Walk, stance: &StanceData) -> Vec<(usize, usize)> {
    let times = &stance.track.times;
    let first = times.first().map_or(0, |t| walk.trial.times.partition_point(|u| *u < t - 1e-9));
    (0..times.len()).filter(|k| stance.counted[*k]).map(|k| (first + k, k)).collect()
}

fn set(foot: &mut FootPrediction, i: usize, share: f64, whole: &Vec3, doubt: f64, sum_deviation: &Vec3) {
    foot.force[i] = whole * share;
    foot.deviation[i] = Vec3::from_fn(|a, _| (share * sum_deviation[a]).hypot(whole[a] * doubt));
    if share < NO_SHARE {
        foot.centre[i] = None;
        foot.centre_deviation[i] = [0.0; 2];
        foot.free_moment[i] = 0.0;
        foot.free_moment_deviation[i] = 0.0;
    }
}

/// What right and left foot carry at each frame, and its deviation, in N.
struct Carried {
    times: Vec<f64>,
    force: [Vec<f64>; 2],
    deviation: [Vec<f64>; 2],
}

impl Carried {
    fn of(walk: &Walk, foot: &CalibratedFoot, feet: &Prediction) -> Self {
        let copied = copy_stance(walk, foot);
        let strides = STRIDES * foot.weight;
        let mut carried = Self {
            times: feet.feet[0].times.clone(),
            force: [Vec::new(), Vec::new()],
            deviation: [Vec::new(), Vec::new()],
        };
        for k in 0..2 {
            let (own, copy) = (&feet.feet[k], &copied.feet[k]);
            for i in 0..carried.times.len() {
                // A foot that has just touched may have neither force nor deviation.
                let sigma = own.deviation[i].y.max(0.01 * foot.weight);
                let (a, b) = (sigma.powi(-2), strides.powi(-2));
                carried.force[k].push(((a * own.force[i].y + b * copy.force[i].y) / (a + b)).max(0.0));
                carried.deviation[k].push((a + b).powf(-0.5));
            }
        }
        carried
    }

    /// The shares of right and left foot.
    fn shares(&self, walk: &Walk, i: usize) -> [f64; 2] {
        match [Side::Right, Side::Left].map(|side| walk.stands(side, self.times[i])) {
            [true, false] => [1.0, 0.0],
            [false, true] => [0.0, 1.0],
            // Where the kinematics have no foot on the ground, what the feet carry says which it is.
            [false, false] | [true, true] => {
                let n = [0, 1].map(|k| self.force[k][i]);
                let sum = n[0] + n[1];
                if sum > 0.0 { [n[0] / sum, n[1] / sum] } else { [0.5, 0.5] }
            }
        }
    }

    /// What the feet that stand carry together, and its deviation.
    fn sum(&self, shares: &[f64; 2], i: usize) -> (f64, f64) {
        let on = [0, 1].map(|k| f64::from(u8::from(shares[k] > NO_SHARE)));
        let [n, d] = [&self.force, &self.deviation].map(|of| [of[0][i] * on[0], of[1][i] * on[1]]);
        (n[0] + n[1], d[0].hypot(d[1]).max(1e-6))
    }

    /// σ of the shares.
    fn share_deviation(&self, walk: &Walk, shares: &[f64; 2], i: usize) -> f64 {
        if ![Side::Right, Side::Left].iter().any(|side| walk.stands(*side, self.times[i])) {
            return 0.5;
        }
        if shares[0] < NO_SHARE || shares[1] < NO_SHARE {
            return 0.0;
        }
        let [n, d] = [&self.force, &self.deviation].map(|of| [of[0][i], of[1][i]]);
        let sum = n[0] + n[1];
        ((n[1] * d[0]).hypot(n[0] * d[1]) / (sum * sum)).min(0.5)
    }
}

/// σ_T: the error of the sum in the single support of the calibration stance, as shares of the weight.
pub(super) fn sum_deviation(walk: &Walk, foot: &CalibratedFoot, stance: &StanceData) -> [f64; 3] {
    let (mut squares, mut count) = (Vec3::zeros(), 0.0);
    for (i, k) in frames(walk, stance) {
        if !walk.is_in_the_air(other(foot.side), stance.track.times[k]) {
            continue;
        }
        if let Some((t, _)) = walk.total(i, foot.weight) {
            let e = (t - unmirrored(foot.side, &stance.measured[k].force)) / foot.weight;
            squares += e.component_mul(&e);
            count += 1.0;
        }
    }
    if count < 3.0 {
        return [UNKNOWN; 3];
    }
    [0, 1, 2].map(|a| (squares[a] / count).sqrt())
}
