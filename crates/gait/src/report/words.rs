//! What the data can and cannot support, in words that stand in the tables' place.

use super::percent;
use super::prediction::Comparison;
use crate::fit::{Correction, Sensitivity};
use crate::predict::{CalibratedFoot, Calibration, Mode};

/// What to expect of the foot where it has no plate.
pub(super) fn expectation(s: &Sensitivity, foot: &CalibratedFoot) -> String {
    let [height, pitch, _] = foot.settings.pose_deviation;
    let degrees = pitch.to_degrees();
    let expected =
        (s.per_millimetre * 1e3 * height).hypot(s.per_degree_pitch * degrees).hypot(foot.fit_errors[1]);
    format!(
        "Vertical force changes {:.0} % of body weight per mm and {:.0} % per degree of pitch; if \
         foot-flat is known to {:.2} mm and {degrees:.2}°, with {:.1} % that the fit leaves, expect ± {:.0} % from the \
         feet alone.",
        100.0 * s.per_millimetre,
        100.0 * s.per_degree_pitch,
        1e3 * height,
        100.0 * foot.fit_errors[1],
        100.0 * expected
    )
}

/// Remarks on a fit.
pub(super) fn of_fit(calibration: &Calibration, correction: &Correction) -> Vec<String> {
    let foot = &calibration.foot;
    let mut lines = vec![format!(
        "Body weight {:.1} N ({:.2} kg), from {}.",
        foot.weight,
        foot.weight / crate::body::GRAVITY,
        foot.weight_source
    )];
    let held = calibration.fitted.held.iter().filter(|h| **h).count();
    if held > 0 {
        lines.push(format!(
            "{held} of {} parameters ended at their bounds: the stance does not tell them.",
            calibration.fitted.held.len()
        ));
    }
    if !calibration.fitted.converged {
        lines.push(
            "The identification stopped at its bound of iterations: the parameters are not the best."
                .to_owned(),
        );
    }
    if foot.flat.is_none() {
        lines.push("The foot is never flat in this stance: other stances cannot be zeroed.".to_owned());
    }
    lines.push(format!(
        "A correction of the foot's height of {:.2} mm (root mean square) would bring the force to {} % of body weight.",
        1e3 * correction.rms,
        percent(correction.error)
    ));
    lines
}

/// Remarks on predictions that were compared with plates.
pub(super) fn of_comparison(rows: &[Comparison]) -> Vec<String> {
    let unseen: Vec<&Comparison> = rows.iter().filter(|row| !row.is_calibration).collect();
    let mut lines = Vec::new();
    let mean = |mode: Mode, get: &dyn Fn(&Comparison) -> f64| -> Option<f64> {
        let all: Vec<f64> = unseen.iter().filter(|r| r.mode == mode).map(|r| get(r)).collect();
        (!all.is_empty()).then(|| (all.iter().map(|v| v * v).sum::<f64>() / all.len() as f64).sqrt())
    };
    for (what, axis) in [("Vertical", 1), ("Fore-aft", 0), ("Lateral", 2)] {
        let copied = mean(Mode::Copied, &|r| r.score.force[axis]);
        for mode in [Mode::WholeBody, Mode::FeetOnly] {
            if let (Some(own), Some(copied)) = (mean(mode, &|r| r.score.force[axis]), copied)
                && copied < own
            {
                lines.push(format!(
                    "{what} force, {}: the calibration stance, copied, does better ({} against {} %).",
                    mode.word(),
                    percent(copied),
                    percent(own)
                ));
            }
        }
    }
    let moment = mean(Mode::FeetOnly, &|r| r.score.free_moment);
    let zero = mean(Mode::FeetOnly, &|r| r.score.free_moment_of_zero);
    if let (Some(moment), Some(zero)) = (moment, zero)
        && moment > 0.9 * zero
    {
        lines.push(format!(
            "Free moment: no better than zero on this trial ({moment:.1} against {zero:.1} N m); it is written as predicted."
        ));
    }
    lines
}
