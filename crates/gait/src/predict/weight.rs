//! The weight of the body from the calibration stance alone.
//!
//! While the other foot is in the air F = m(a + g) with the centre of mass' acceleration a, so m = Σ F (a + g)/Σ (a +
//! g)² over that time. Without a centre of mass: over a stride of steady walking each foot carries half of the
//! weight, W = ∫ F dt / (half the stride), with the stride between the foot's heel strikes in the markers. A mass
//! that is given goes before.

use super::calibrate::{CalibrationSettings, OnPlate};
use super::walk::{Walk, other};
use crate::body::{GRAVITY, contradiction};
use crate::{GaitError, Result};

/// The least single support that gives a weight, in s.
const SUPPORT: f64 = 0.1;

/// The weight in N, and where it comes from.
pub(super) fn weight(walk: &Walk, at: &OnPlate, settings: &CalibrationSettings) -> Result<(f64, String)> {
    match settings.mass {
        Some(mass) if mass > 1.0 && mass < 500.0 => {
            let by_plate = single_support(walk, at).or_else(|| half_stride(walk, at).ok());
            let words = by_plate.and_then(|(weight, _)| contradiction(mass, weight / GRAVITY));
            let but = words.map_or_else(String::new, |words| format!(". {}", words.trim_end_matches('.')));
            Ok((mass * GRAVITY, format!("the mass given, {mass} kg{but}")))
        }
        Some(mass) => Err(GaitError::out_of_range("mass", mass, "between 1 and 500 kg")),
        None => single_support(walk, at).map_or_else(|| half_stride(walk, at), Ok),
    }
}

/// The weight from the time in which the other foot is in the air.
fn single_support(walk: &Walk, at: &OnPlate) -> Option<(f64, String)> {
    let plate = &walk.trial.plates[at.plate];
    let (mut above, mut below, mut count) = (0.0, 0.0, 0usize);
    for (i, time) in walk.trial.times.iter().enumerate() {
        let is_single =
            (at.interval[0]..=at.interval[1]).contains(time) && walk.is_in_the_air(other(at.side), *time);
        // Of a body of 1 N.
        if let (true, Some((total, _)), Some(sample)) =
            (is_single, walk.total(i, 1.0), plate.sample_at(*time))
        {
            above += plate.force[sample].y * total.y;
            below += total.y * total.y;
            count += 1;
        }
    }
    let duration = count as f64 / walk.trial.rate_hz;
    (duration > SUPPORT)
        .then(|| (above / below, format!("{duration:.2} s of single support in the calibration stance")))
}

fn half_stride(walk: &Walk, at: &OnPlate) -> Result<(f64, String)> {
    let [begin, end] = at.interval;
    let plate = &walk.trial.plates[at.plate];
    let impulse: f64 = (0..plate.force.len())
        .filter(|i| (begin..=end).contains(&plate.times[*i]))
        .map(|i| plate.force[i].y / plate.rate_hz)
        .sum();
    let strikes: Vec<f64> =
        walk.stances.iter().filter(|s| s.side == at.side && s.has_strike).map(|s| s.begin).collect();
    let near = strikes.iter().position(|s| (s - begin).abs() < 0.1);
    let stride = near.and_then(|k| {
        let after = strikes.get(k + 1).map(|next| next - strikes[k]);
        after.or_else(|| k.checked_sub(1).map(|before| strikes[k] - strikes[before]))
    });
    match stride {
        Some(stride) if stride > 0.0 => Ok((
            impulse / (0.5 * stride),
            format!("the impulse of the calibration stance over half a stride of {stride:.3} s"),
        )),
        _ => Err(GaitError::unsupported(
            "the weight of the body",
            "the markers do not show a whole stride about the calibration stance: give the mass, `--mass 72.6`",
        )),
    }
}
