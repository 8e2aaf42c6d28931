//! The same prediction for the same walk, however another laboratory would have written it.

use super::laboratory::Laboratory;
use rattleback_gait::Trial;
use rattleback_gait::body::MassTable;
use rattleback_gait::predict::{CalibrationSettings, Prediction, Walk, calibrate, feet_only, whole_body};
use rattleback_geom::Vec3;

/// Both predictions.
fn predict(trial: &Trial) -> [Prediction; 2] {
    let settings = CalibrationSettings::default();
    let walk = Walk::of(trial, settings.pose_cutoff_hz, None, MassTable::default()).unwrap();
    let foot = calibrate(&walk, &settings).unwrap().foot;
    let only = feet_only(&walk, &foot).unwrap();
    let whole = whole_body(&walk, &foot, &only);
    [only, whole]
}

/// The greatest difference of forces between two predictions, as a share of the weight: feet only, whole body.
fn difference(a: &[Prediction; 2], b: &[Prediction; 2]) -> [f64; 2] {
    [0, 1].map(|mode| {
        let pairs = [0, 1].into_iter().flat_map(|k| a[mode].feet[k].force.iter().zip(&b[mode].feet[k].force));
        pairs.map(|(a, b): (&Vec3, &Vec3)| (a - b).norm()).fold(0.0, f64::max) / a[mode].weight
    })
}

fn here() -> Option<(Laboratory, [Prediction; 2])> {
    let lab = Laboratory::here()?;
    let plain = predict(&lab.read("plain").unwrap());
    Some((lab, plain))
}

#[test]
fn other_axes_units_and_exact_times_predict_the_same() {
    let Some((mut lab, plain)) = here() else { return };
    lab.turn(|[x, y, z]| [-x, z, y]);
    lab.map_markers(|p, _| p.map(|v| 1e-3 * v));
    for trc in [&mut lab.walk, &mut lab.still] {
        trc.units = Some("m".to_owned());
        let rate = trc.data_rate.unwrap();
        for (i, t) in trc.times.iter_mut().enumerate() {
            *t = i as f64 / rate;
        }
    }
    let found = difference(&plain, &predict(&lab.read("axes").unwrap()));
    assert!(found.iter().all(|d| *d < 1e-6), "{found:?}");
}

#[test]
fn a_walk_over_the_ground_predicts_the_same() {
    let Some((mut lab, plain)) = here() else { return };
    // The belt's own speed, so that flat feet stand still; markers in mm, centres of pressure in m.
    let speed = -lab.examine("belt").unwrap().ground.forward;
    let count = lab.walk.markers.len();
    for (i, p) in lab.walk.positions.iter_mut().enumerate() {
        p[0] += 1e3 * speed * (i / count) as f64 / 60.0;
    }
    let width = lab.forces.labels.len();
    let columns: Vec<usize> = (0..width).filter(|k| lab.forces.labels[*k].ends_with("force_px")).collect();
    for row in lab.forces.values.chunks_exact_mut(width) {
        for k in &columns {
            row[*k] += speed * row[0];
        }
    }
    let found = difference(&plain, &predict(&lab.read("overground").unwrap()));
    // Belt and walk differ by what the belt's speed is known to, times the reach of filters at the ends.
    assert!(found[0] < 0.02 && found[1] < 0.02, "{found:?}");
}

#[test]
fn without_head_markers_the_feet_predict_the_same_and_the_body_nearly() {
    let Some((mut lab, plain)) = here() else { return };
    for trc in [&mut lab.walk, &mut lab.still] {
        let keep: Vec<bool> =
            trc.markers.iter().map(|name| !name.contains("Temple") && !name.contains("Head")).collect();
        let count = trc.markers.len();
        let mut k = 0;
        trc.positions.retain(|_| {
            k += 1;
            keep[(k - 1) % count]
        });
        let mut k = 0;
        trc.markers.retain(|_| {
            k += 1;
            keep[k - 1]
        });
    }
    let found = difference(&plain, &predict(&lab.read("headless").unwrap()));
    // The weight is from the whole body's single support, and the foot is fitted in shares of it.
    assert!(found[0] < 0.03 && found[1] < 0.1, "{found:?}");
}

#[test]
fn a_plate_that_is_lower_by_three_millimetres_is_zeroed_at_foot_flat() {
    let Some((mut lab, plain)) = here() else { return };
    // The left foot's plate, and the foot on it, are 3 mm lower.
    for (k, name) in lab.walk.markers.clone().iter().enumerate() {
        if ["L.Heel", "L.Midfoot", "L.Toe"].iter().any(|start| name.starts_with(start)) {
            let count = lab.walk.markers.len();
            lab.walk.positions.iter_mut().skip(k).step_by(count).for_each(|p| p[1] -= 3.0);
        }
    }
    let found = difference(&plain, &predict(&lab.read("lower").unwrap()));
    assert!(found[0] < 0.01, "{found:?}");
}

#[test]
fn without_a_stance_on_a_plate_there_is_one_clear_error() {
    let Some(mut lab) = Laboratory::here() else { return };
    let width = lab.forces.labels.len();
    for row in lab.forces.values.chunks_exact_mut(width) {
        row[1..].fill(0.0);
    }
    let trial = lab.read("unloaded").unwrap();
    let walk = Walk::of(&trial, None, None, MassTable::default()).unwrap();
    let message = calibrate(&walk, &CalibrationSettings::default()).unwrap_err().to_string();
    assert!(
        message.contains("calibration stance") && message.contains("heel strike to toe off"),
        "{message}"
    );
}
