//! Walking trials, as a laboratory checks them.

use crate::command::{folder, rattleback, text};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The measured walk, if it is there.
fn walk() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/gait/subject01_walk1.trc");
    if path.is_file() {
        return Some(path);
    }
    eprintln!("skipped: {} is absent", path.display());
    None
}

#[test]
fn a_measured_walk_is_checked_in_words_and_for_programs() {
    let Some(walk) = walk() else { return };
    let here = folder("gait/check");
    let output = rattleback(&here, &["gait", "check", walk.to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    for part in
        ["subject01_static.trc", "subject01_walk1_grf.mot", "a treadmill, -1.15", "L.Midfoot.Lat slips"]
    {
        assert!(said.contains(part), "{part}\n{said}");
    }
    let output = rattleback(&here, &["gait", "check", walk.to_str().unwrap(), "--json", "--mass", "70"]);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = &told["findings"];
    assert_eq!((found["mass"]["kg"].as_f64(), found["rate_hz"].as_f64()), (Some(70.0), Some(60.0)), "{told}");
    assert_eq!(found["stances"][2]["side"], "right");
    assert_eq!(found["stances"][2]["plate"], "0");
    assert_eq!(found["slips"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_damaged_trial_is_told_all_its_places() {
    let here = folder("gait/damaged");
    let head = "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\n60\t60\t3\t1\tmm\n";
    let rows = "1\t0\t1\ttwo\t3\n2\t0.017\t1\t2\t3\t4\n3\t0.01\t1\t2\t3\n";
    std::fs::write(here.join("a.trc"), format!("{head}Frame#\tTime\tHeel\n\t\tX1\tY1\tZ1\n\n{rows}"))
        .unwrap();
    let output = rattleback(&here, &["gait", "check", "a.trc"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    for part in ["a.trc:7:7: Heel y: \"two\" is no number", "a.trc:8:15: 6 values where 5 were expected"] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    assert_eq!(rattleback(&here, &["gait", "check", "none.trc"]).status.code(), Some(1));
    assert_eq!(rattleback(&here, &["gait", "check"]).status.code(), Some(2));
    assert_eq!(rattleback(&here, &["gait", "check", "a.trc", "--table", "x"]).status.code(), Some(2));
}

#[test]
fn the_engines_own_walk_is_fitted_and_predicted() {
    let here = folder("gait/example");
    assert!(rattleback(&here, &["gait", "example", "-o", "trial"]).status.success());
    let fit = ["gait", "fit", "trial/walk.trc", "--mass", "71.38", "--foot", "left", "-o", "fit"];
    let output = rattleback(&here, &fit);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    for part in ["fitted to the left stance", "% of body weight per mm", "hallux", "foot.json"] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    // Stages are told beside the results, and not to those who want quiet.
    for stage in ["Reading the trial", "Identifying the foot", "Dropping the foot"] {
        assert!(text(&output.stderr).contains(stage), "{stage}: {}", text(&output.stderr));
    }
    let quiet =
        rattleback(&here, &["gait", "fit", "trial/walk.trc", "--mass", "71.38", "-o", "quiet", "--quiet"]);
    assert!(quiet.status.success() && quiet.stderr.is_empty() && quiet.stdout.is_empty());
    for file in [
        "foot.json",
        "foot.toml",
        "index.html",
        "force.svg",
        "foot-1.png",
        "drop-penetration.svg",
        "drop-1.png",
    ] {
        assert!(here.join("fit").join(file).is_file(), "{file}");
    }
    // Dropped on its heel, the foot rolls over to its ball.
    let output = rattleback(&here, &["run", "fit/foot.toml", "-o", "dropped", "--no-report"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("Healthy"), "{}", text(&output.stdout));
    let events = std::fs::read_to_string(here.join("dropped/events.csv")).unwrap();
    let first = |part: &str| events.lines().position(|line| line.contains(part));
    let ball = first("rear foot,1,").or(first("rear foot,2,")).unwrap();
    assert!(first("rear foot,0,").unwrap() < ball, "{events}");
    // Nothing is overwritten.
    assert_eq!(rattleback(&here, &["gait", "example", "-o", "trial"]).status.code(), Some(5));
    assert_eq!(rattleback(&here, &fit).status.code(), Some(5));
    let predict =
        ["gait", "predict", "trial/walk.trc", "--foot-model", "fit/foot.json", "-o", "forces", "--json"];
    let output = rattleback(&here, &predict);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let table = told["parts"].as_array().unwrap().iter().find(|part| part["rows"].is_array()).unwrap();
    for row in table["rows"].as_array().unwrap().iter().filter(|row| row[1] == "feet only") {
        let vertical: f64 = row[2].as_str().unwrap().parse().unwrap();
        assert!(vertical < 4.0, "{row}");
    }
    let forces = std::fs::read_to_string(here.join("forces/forces-feet-only.mot")).unwrap();
    for label in ["ground_force_sd_px", "1_ground_torque_sd_y"] {
        assert!(forces.contains(label), "{label}");
    }
    assert!(forces.contains("ground_force_vy") && forces.contains("1_ground_force_sd_vy"));
    assert!(!here.join("forces/forces-whole-body.mot").exists());
}

#[test]
fn what_a_fit_cannot_use_is_told() {
    let here = folder("gait/refused");
    assert!(rattleback(&here, &["gait", "example", "-o", "trial"]).status.success());
    for (arguments, part) in [
        (vec!["gait", "fit", "trial/static.trc"], "a calibration stance"),
        (vec!["gait", "fit", "trial/walk.trc", "--stance", "2,2.1"], "a calibration stance"),
        (vec!["gait", "fit", "trial/walk.trc", "--mass", "0.5"], "between 1 and 500 kg"),
    ] {
        let output = rattleback(&here, &arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(text(&output.stderr).contains(part), "{arguments:?}: {}", text(&output.stderr));
    }
    assert_eq!(rattleback(&here, &["gait", "fit", "trial/walk.trc", "--stance", "2"]).status.code(), Some(2));
    std::fs::write(here.join("foot.json"), "{}").unwrap();
    let output = rattleback(&here, &["gait", "predict", "trial/walk.trc", "--foot-model", "foot.json"]);
    assert!(text(&output.stderr).contains("is not a foot that gait fit wrote"), "{}", text(&output.stderr));
}

#[test]
fn a_leg_is_driven_by_the_angles_beside_its_walk() {
    let here = folder("gait/leg");
    assert!(rattleback(&here, &["gait", "example", "-o", "trial"]).status.success());
    let output = rattleback(&here, &["gait", "leg", "trial/walk.trc", "--mass", "71.38"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("name it, `--angles`"), "{}", text(&output.stderr));
    let Some(walk) = walk() else { return };
    let output = rattleback(&here, &["gait", "leg", walk.to_str().unwrap(), "-o", "leg"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    for part in [
        "the right leg driven by its joint angles",
        "bears on heel, then",
        "vertical force against the plate",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    for file in ["leg.toml", "index.html", "force.svg", "penetration.svg", "angles.svg", "leg-1.png"] {
        assert!(here.join("leg").join(file).is_file(), "{file}");
    }
    let output = rattleback(&here, &["check", "leg/leg.toml"]);
    assert!(output.status.success(), "{}", text(&output.stdout));
}
