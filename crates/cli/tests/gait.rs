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
