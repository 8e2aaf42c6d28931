//! Forces as a table that other programs read: `.mot`, in the axes of the laboratory's files, SI units.

use crate::file::{Storage, load_labels};
use crate::predict::Prediction;
use crate::trial::{Side, Trial};
use rattleback_geom::Vec3;

/// The table of a prediction: force, centre of pressure and torque of the right and the left foot, as external loads of
/// OpenSim are named; after them the deviations of all of them, `sd` in their names.
pub fn force_table(name: &str, trial: &Trial, prediction: &Prediction) -> Storage {
    let mut labels = load_labels();
    for prefix in ["", "1_"] {
        for what in ["force_sd_v", "force_sd_p", "torque_sd_"] {
            labels.extend(["x", "y", "z"].map(|axis| format!("{prefix}ground_{what}{axis}")));
        }
    }
    let mut table = Storage::new(name, labels);
    let mut last = [Vec3::zeros(); 2];
    let mut last_deviation = [Vec3::zeros(); 2];
    for (i, time) in trial.times.iter().enumerate().take(prediction.feet[0].times.len()) {
        table.values.push(*time);
        for (k, foot) in prediction.feet.iter().enumerate() {
            debug_assert!(k == 0 || foot.side == Side::Left);
            // A foot without force has the centre of pressure it had last: readers interpolate it.
            last[k] = foot.centre[i].unwrap_or(last[k]);
            let torque = Vec3::new(0.0, foot.free_moment[i], 0.0);
            for v in [
                trial.axes.vector_to_file(&foot.force[i]),
                trial.axes.vector_to_file(&last[k]),
                trial.axes.vector_to_file(&torque),
            ] {
                table.values.extend(v.iter());
            }
        }
        for (foot, last) in prediction.feet.iter().zip(&mut last_deviation) {
            if foot.centre[i].is_some() {
                *last = Vec3::new(foot.centre_deviation[i][0], 0.0, foot.centre_deviation[i][1]);
            }
            let torque = Vec3::new(0.0, foot.free_moment_deviation[i], 0.0);
            for v in [foot.deviation[i], *last, torque] {
                table.values.extend(trial.axes.vector_to_file(&v).iter().map(|v| v.abs()));
            }
        }
    }
    table
}
