//! Prediction on the measured trial: fitted on the right stance 0.617–1.408 s alone.

use crate::gait::measured;
use rattleback_gait::Trial;
use rattleback_gait::body::MassTable;
use rattleback_gait::fit::{correct_pose, sensitivity};
use rattleback_gait::predict::{
    Calibration, CalibrationSettings, Prediction, Score, Walk, calibrate, copy_stance, feet_only, score,
    whole_body,
};
use rattleback_gait::trial::Side;

/// The weight of the subject by both plates over whole strides, in N; only scores are divided by it.
const WEIGHT: f64 = 715.4;
/// The stances that the foot has not seen: which foot and plate, and the interval in s.
const UNSEEN: [(usize, [f64; 2]); 3] = [(1, [0.0, 0.787]), (1, [1.245, 2.017]), (0, [1.852, 2.5])];

fn walk(trial: &Trial) -> Walk<'_> {
    Walk::of(trial, CalibrationSettings::default().pose_cutoff_hz, None, MassTable::default()).unwrap()
}

fn calibrated(walk: &Walk) -> Calibration {
    let found = calibrate(walk, &CalibrationSettings::default()).unwrap();
    assert_eq!(found.foot.side, Side::Right);
    let [begin, end] = found.foot.interval;
    assert!((begin - 0.617).abs() < 0.003 && (end - 1.408).abs() < 0.003, "{begin} {end}");
    found
}

fn scores(trial: &Trial, prediction: &Prediction) -> Vec<Score> {
    let one = |&(k, interval): &(usize, [f64; 2])| {
        score(&prediction.feet[k], &trial.plates[k], interval, WEIGHT).unwrap()
    };
    UNSEEN.iter().map(one).collect()
}

#[test]
fn one_stance_is_fitted_and_a_correction_of_the_pose_explains_what_is_left() {
    let Some(trial) = measured() else { return };
    let walk = walk(&trial);
    let found = calibrated(&walk);
    println!(
        "fit alone {:.2} %, this foot {:.2} %, {} evaluations, weight {:.1} N from {}, levers {:?}",
        100.0 * found.error_alone,
        100.0 * found.fitted.fit_errors[1],
        found.fitted.evaluations,
        found.foot.weight,
        found.foot.weight_source,
        found.foot.levers
    );
    assert!(found.fitted.converged);
    assert!(found.error_alone < 0.035, "{}", found.error_alone);
    assert!(found.fitted.fit_errors[1] < 0.06);
    assert!((found.foot.weight - WEIGHT).abs() < 0.01 * WEIGHT);
    let correction = correct_pose(&found.fitted.model, &found.stance, &found.foot.settings, 2.5e-3).unwrap();
    println!("corrected {:.2} %, {:.2} mm", 100.0 * correction.error, 1e3 * correction.rms);
    assert!(correction.error < 0.02 && correction.greatest <= 2.5e-3, "{}", correction.error);
    let s =
        sensitivity(&found.fitted.model, &found.stance.track, &found.stance.counted, &found.foot.settings)
            .unwrap();
    assert!((0.1..0.5).contains(&s.per_millimetre) && s.per_degree_roll < 0.5 * s.per_degree_pitch, "{s:?}");
}

#[test]
fn feet_alone_predict_unseen_stances() {
    let Some(trial) = measured() else { return };
    let walk = walk(&trial);
    let prediction = feet_only(&walk, &calibrated(&walk).foot).unwrap();
    for s in scores(&trial, &prediction) {
        println!("feet only {s:?}");
        assert!(s.force[1] < 0.13, "{s:?}");
        assert!(s.centre[0] < 0.025 && s.centre[1] < 0.010, "{s:?}");
        assert!(s.within.iter().all(|w| (0.5..0.8).contains(w)), "{s:?}");
        assert!(s.centre_within.iter().all(|w| (0.45..0.9).contains(w)), "{s:?}");
        assert!((0.4..0.9).contains(&s.free_moment_within), "{s:?}");
    }
}

#[test]
fn the_whole_body_predicts_unseen_stances() {
    let Some(trial) = measured() else { return };
    let walk = walk(&trial);
    let foot = calibrated(&walk).foot;
    let prediction = whole_body(&walk, &foot, &feet_only(&walk, &foot).unwrap());
    for s in scores(&trial, &prediction) {
        println!("whole body {s:?}");
        assert!(s.force[0] < 0.05 && s.force[1] < 0.05 && s.force[2] < 0.025, "{s:?}");
        assert!(s.centre[0] < 0.022 && s.centre[1] < 0.010, "{s:?}");
        assert!(s.within.iter().all(|w| (0.5..0.8).contains(w)), "{s:?}");
    }
    // The two peaks of the left stance: the first within 4 % and 20 ms, the second within 10 % and 35 ms.
    let peaks = |from: f64, to: f64| {
        let foot = &prediction.feet[1];
        let mine = foot.times.iter().zip(&foot.force).filter(|(t, _)| (from..to).contains(*t));
        let mine = mine.max_by(|a, b| a.1.y.total_cmp(&b.1.y)).unwrap();
        let plate = &trial.plates[1];
        let plates = plate.times.iter().zip(&plate.force).filter(|(t, _)| (from..to).contains(*t));
        let plates = plates.max_by(|a, b| a.1.y.total_cmp(&b.1.y)).unwrap();
        println!("peak {:?} {:?}", mine, plates);
        (mine.1.y / plates.1.y - 1.0, mine.0 - plates.0)
    };
    let (size, time) = peaks(1.245, 1.6);
    assert!(size.abs() < 0.04 && time.abs() <= 0.020, "{size} {time}");
    let (size, time) = peaks(1.6, 2.017);
    assert!(size.abs() < 0.10 && time.abs() <= 0.035, "{size} {time}");
}

#[test]
fn the_sum_of_the_feet_is_the_whole_bodys_force() {
    let Some(trial) = measured() else { return };
    let walk = walk(&trial);
    let foot = calibrated(&walk).foot;
    let prediction = whole_body(&walk, &foot, &feet_only(&walk, &foot).unwrap());
    let (mut error, mut count) = ([0.0; 3], 0.0);
    for (i, time) in trial.times.iter().enumerate().filter(|(_, t)| (0.19..=2.42).contains(*t)) {
        let sum = prediction.feet[0].force[i] + prediction.feet[1].force[i];
        let plates =
            trial.plates.iter().map(|p| p.force[p.sample_at(*time).unwrap()]).sum::<rattleback_geom::Vec3>();
        for (slot, e) in error.iter_mut().zip((sum - plates).iter()) {
            *slot += e * e;
        }
        count += 1.0;
    }
    let error = error.map(|e: f64| (e / count).sqrt() / WEIGHT);
    println!("sum {error:?}");
    assert!(error[0] < 0.03 && error[1] < 0.02 && error[2] < 0.02, "{error:?}");
}

#[test]
fn the_copied_stance_stands_beside_them() {
    let Some(trial) = measured() else { return };
    let walk = walk(&trial);
    let foot = calibrated(&walk).foot;
    let copies = scores(&trial, &copy_stance(&walk, &foot));
    // It is a strong baseline for forces, and a weak one for where they act.
    assert!(copies.iter().all(|s| (0.02..0.05).contains(&s.force[1])), "{copies:?}");
    assert!(copies.iter().any(|s| s.centre[1] > 0.015), "{copies:?}");
}

#[test]
fn a_stored_foot_predicts_the_same() {
    let Some(trial) = measured() else { return };
    let walk = walk(&trial);
    let foot = calibrated(&walk).foot;
    let text = serde_json::to_string(&foot).unwrap();
    let again: rattleback_gait::predict::CalibratedFoot = serde_json::from_str(&text).unwrap();
    assert_eq!(feet_only(&walk, &foot).unwrap(), feet_only(&walk, &again).unwrap());
}
