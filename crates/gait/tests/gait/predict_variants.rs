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

#[test]
fn an_origin_a_metre_below_the_ground_changes_nothing() {
    let Some((mut lab, plain)) = here() else { return };
    let belt = lab.examine("belt").unwrap().ground.forward;
    lab.map_markers(|[x, y, z], _| [x, y + 1000.0, z]);
    let width = lab.forces.labels.len();
    for row in lab.forces.values.chunks_exact_mut(width) {
        row[5] += 1.0;
        row[11] += 1.0;
    }
    assert!((lab.examine("raised").unwrap().ground.forward - belt).abs() < 1e-6);
    let found = difference(&plain, &predict(&lab.read("raised").unwrap()));
    assert!(found.iter().all(|d| *d < 1e-6), "{found:?}");
}

#[test]
fn a_walk_ten_degrees_off_the_axis_of_the_file_does_not_slip_sideways() {
    let Some((mut lab, plain)) = here() else { return };
    let (sin, cos) = 10f64.to_radians().sin_cos();
    lab.turn(|[x, y, z]| [x * cos + z * sin, y, z * cos - x * sin]);
    let found = predict(&lab.read("yaw").unwrap());
    // The axes are the file's; forces are turned by the ten degrees.
    for (a, b) in plain[0].feet[0].force.iter().zip(&found[0].feet[0].force) {
        let turned = Vec3::new(a.x * cos + a.z * sin, a.y, a.z * cos - a.x * sin);
        assert!((turned - b).norm() < 0.03 * plain[0].weight, "{turned} {b}");
    }
}

#[test]
fn missing_forces_are_bridged_and_told_or_refused() {
    let Some((mut lab, plain)) = here() else { return };
    let width = lab.forces.labels.len();
    for sample in [500, 501, 502, 700] {
        lab.forces.values[sample * width + 2] = f64::NAN;
    }
    let trial = lab.read("holes").unwrap();
    assert!(trial.remarks.iter().any(|r| r.contains("4 samples without a force")), "{:?}", trial.remarks);
    // A foot is as well known as its stance: straight lines for curves move it a little.
    let found = difference(&plain, &predict(&trial));
    assert!(found[0] < 0.05 && found[1] < 0.02, "{found:?}");
    for sample in 500..560 {
        lab.forces.values[sample * width + 2] = f64::NAN;
    }
    let message = lab.read("hole").unwrap_err().to_string();
    assert!(message.contains("0.833 s on for more than 0.02 s"), "{message}");
}

#[test]
fn a_foot_that_the_kinematics_lose_is_in_doubt_and_not_without_force() {
    let Some((mut lab, _)) = here() else { return };
    let count = lab.walk.markers.len();
    let [right, left] =
        ["R.Heel", "L.Heel"].map(|name| lab.walk.markers.iter().position(|m| m == name).unwrap());
    for frame in 41..70 {
        lab.walk.positions.swap(frame * count + right, frame * count + left);
    }
    let trial = lab.read("swapped").unwrap();
    let settings = CalibrationSettings::default();
    let walk = Walk::of(&trial, settings.pose_cutoff_hz, None, MassTable::default()).unwrap();
    let Ok(found) = calibrate(&walk, &settings) else { return };
    let only = feet_only(&walk, &found.foot).unwrap();
    let whole = whole_body(&walk, &found.foot, &only);
    for i in 0..trial.times.len() {
        let sum = whole.feet[0].force[i].y + whole.feet[1].force[i].y;
        let doubt = whole.feet[0].deviation[i].y + whole.feet[1].deviation[i].y;
        assert!(sum + doubt > 0.3 * whole.weight, "{} s: {sum} ± {doubt}", trial.times[i]);
    }
}
