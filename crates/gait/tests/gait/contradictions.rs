//! Trials that contradict themselves: each is told, or refused with one clear error.

use super::laboratory::Laboratory;
use super::{data, raw, scratch};
use rattleback_gait::body::MassTable;
use rattleback_gait::doctor::{Known, examine};
use rattleback_gait::file::{Trc, write_trc};
use rattleback_gait::predict::{CalibrationSettings, Walk, calibrate, feet_only, score};
use rattleback_gait::{Trial, TrialFiles};

fn marker(trc: &Trc, name: &str) -> usize {
    trc.markers.iter().position(|n| n == name).unwrap()
}

#[test]
fn a_static_trial_that_walks_is_refused() {
    let Some(mut lab) = Laboratory::here() else { return };
    lab.still = lab.walk.clone();
    let error = lab.read("walking-static").unwrap_err().to_string();
    assert!(error.contains("Static_cal.trc") && error.contains("this is no static trial"), "{error}");
}

#[test]
fn a_static_trial_of_another_size_is_refused() {
    for scale in [0.85, 0.9, 1.12] {
        let Some(mut lab) = Laboratory::here() else { return };
        lab.still.positions.iter_mut().for_each(|p| *p = p.map(|v| scale * v));
        let error = lab.read("small-static").unwrap_err().to_string();
        assert!(error.contains("times as large as those of the walk"), "{error}");
    }
    // A few per cent are the shoe and the skin.
    let Some(mut lab) = Laboratory::here() else { return };
    lab.still.positions.iter_mut().for_each(|p| *p = p.map(|v| 0.99 * v));
    assert!(lab.read("near-static").is_ok());
}

#[test]
fn markers_of_the_feet_with_each_others_names_are_named() {
    for landmark in ["Heel", "Toe.Lat", "Midfoot.Sup"] {
        let Some(mut lab) = Laboratory::here() else { return };
        let names = ["R", "L"].map(|side| format!("{side}.{landmark}"));
        for trc in [&mut lab.walk, &mut lab.still] {
            let [a, b] = names.each_ref().map(|n| marker(trc, n));
            trc.markers.swap(a, b);
        }
        let error = lab.read("swapped").unwrap_err().to_string();
        assert!(error.contains(&format!("{} and {} have each other's names", names[0], names[1])), "{error}");
    }
}

#[test]
fn a_mass_that_contradicts_the_plates_is_told() {
    let Some(lab) = Laboratory::here() else { return };
    let trial = lab.read("mass").unwrap();
    let lines = |kg| {
        let known = Known { mass_kg: Some(kg), ..Known::default() };
        examine(&trial, &known).unwrap().lines().join("\n")
    };
    assert!(lines(90.0).contains("90 kg, contradicts the plates, which say 72."), "{}", lines(90.0));
    assert!(!lines(73.0).contains("contradicts"), "{}", lines(73.0));
    let settings = CalibrationSettings { mass: Some(60.0), ..Default::default() };
    let walk = Walk::of(&trial, settings.pose_cutoff_hz, None, MassTable::default()).unwrap();
    let foot = calibrate(&walk, &settings).unwrap().foot;
    assert!(foot.weight_source.contains("60 kg, contradicts the plates"), "{}", foot.weight_source);
}

#[test]
fn plates_that_are_late_or_early_are_told() {
    for (delay, told) in
        [(0.05, Some("50 ms late")), (-0.04, Some("40 ms early")), (0.0, None), (0.008, None), (-0.008, None)]
    {
        let Some(mut lab) = Laboratory::here() else { return };
        let width = lab.forces.labels.len();
        for row in lab.forces.values.chunks_exact_mut(width) {
            row[0] += delay;
        }
        let trial = lab.read("late").unwrap();
        let lines = examine(&trial, &Known::default()).unwrap().lines().join("\n");
        let settings = CalibrationSettings::default();
        let walk = Walk::of(&trial, settings.pose_cutoff_hz, None, MassTable::default()).unwrap();
        let words = walk.plate_delay_words().unwrap_or_default();
        match told {
            Some(_) => {
                let word = if delay > 0.0 { "late" } else { "early" };
                assert!(lines.contains(&format!("ms {word} against the markers")), "{lines}");
                assert!(words.contains(word), "{words}");
                let ms: f64 =
                    words.split(" ms ").next().unwrap().rsplit(' ').next().unwrap().parse().unwrap();
                assert!((ms - 1e3 * f64::abs(delay)).abs() < 10.0, "{words}");
            }
            None => assert!(!lines.contains("against the markers:") && words.is_empty(), "{lines} {words}"),
        }
    }
}

#[test]
fn names_with_the_subjects_prefix_are_known() {
    for prefix in ["JD_", "subject 01-", "S01.T2_"] {
        let Some(mut lab) = Laboratory::here() else { return };
        let plain = lab.examine("bare").unwrap();
        for trc in [&mut lab.walk, &mut lab.still] {
            trc.markers.iter_mut().for_each(|name| *name = format!("{prefix}{name}"));
        }
        let found = lab.examine("prefixed").unwrap();
        assert_eq!(found.stances, plain.stances, "{prefix}");
        assert_eq!(found.unknown_markers.len(), plain.unknown_markers.len());
    }
}

#[test]
fn roles_of_markers_that_are_not_there_are_an_error_with_their_place() {
    let Some((walk, still)) = raw() else { return };
    let folder = scratch("roles");
    write_trc(&walk, &folder.join("walk.trc")).unwrap();
    write_trc(&still, &folder.join("static.trc")).unwrap();
    let names = folder.join("names.toml");
    std::fs::write(&names, "right_heel = \"R.Heel\"\nleft_heel = \"LCAL\"\n").unwrap();
    let mut files = TrialFiles::find(&folder.join("walk.trc")).unwrap();
    files.names = Some(names);
    let error = Trial::read(&files).unwrap_err().to_string();
    assert!(error.contains("names.toml:2:13: no marker is named LCAL; the walk has: "), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_stored_foot_without_a_static_trial_keeps_its_markers_or_is_refused() {
    let Some((walk, _)) = raw() else { return };
    let with = Trial::read(&TrialFiles::find(&data().unwrap().join("subject01_walk1.trc")).unwrap()).unwrap();
    let settings = CalibrationSettings::default();
    let seen = Walk::of(&with, settings.pose_cutoff_hz, None, MassTable::default()).unwrap();
    let foot = calibrate(&seen, &settings).unwrap().foot;
    // The same walk without its static trial: the stored markers take its place.
    let read = |walk: &Trc| {
        let folder = scratch("alone");
        write_trc(walk, &folder.join("walk.trc")).unwrap();
        let trial = Trial::read(&TrialFiles::find(&folder.join("walk.trc")).unwrap()).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        trial
    };
    let alone = read(&walk);
    let bare = Walk::for_foot(&alone, &foot, MassTable::default()).unwrap();
    let [a, b] = [&seen, &bare].map(|walk| feet_only(walk, &foot).unwrap());
    let mut worst: f64 = 0.0;
    for k in 0..2 {
        for (x, y) in a.feet[k].force.iter().zip(&b.feet[k].force) {
            worst = worst.max((x.y - y.y).abs() / foot.weight);
        }
    }
    println!("largest difference {:.2} % of body weight", 100.0 * worst);
    assert!(worst < 0.03, "{worst}");
    let s = score(&b.feet[1], &with.plates[1], [1.245, 2.017], foot.weight).unwrap();
    assert!(s.force[1] < 0.13, "{s:?}");
    // Markers that were placed anew belong to another foot.
    let mut moved = walk.clone();
    let (count, heel) = (moved.markers.len(), marker(&moved, "R.Heel"));
    let lateral = marker(&moved, "R.Toe.Lat");
    for frame in moved.positions.chunks_exact_mut(count) {
        let back: Vec<f64> = (0..3).map(|k| frame[heel][k] - frame[lateral][k]).collect();
        for k in 0..3 {
            frame[heel][k] += 0.1 * back[k];
        }
    }
    let other = read(&moved);
    let error = Walk::for_foot(&other, &foot, MassTable::default()).unwrap_err().to_string();
    assert!(error.contains("they were placed anew"), "{error}");
    // A file that does not hold them cannot be used without a static trial.
    let mut old = foot;
    old.shapes.clear();
    assert!(
        Walk::for_foot(&alone, &old, MassTable::default()).unwrap_err().to_string().contains("static trial")
    );
}
