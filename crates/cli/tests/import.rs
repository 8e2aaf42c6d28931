//! Robots of other programs, as a user imports and runs them.

use crate::command::{folder, rattleback, text};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn robot(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../scene/tests/import/robots").join(name)
}

#[test]
fn a_robot_is_imported_checked_run_and_not_overwritten() {
    let here = folder("import/arm");
    let arm = robot("arm.urdf");
    let output = rattleback(&here, &["import", arm.to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(
        said.starts_with("Written: arm.toml, with 3 bodies that move, 3 joints, and 2 remarks"),
        "{said}"
    );
    assert!(
        text(&output.stderr).contains("arm.urdf:86: transmission \"waist_drive\": not taken over"),
        "{}",
        text(&output.stderr)
    );
    assert!(here.join("arm_meshes/wedge_1.obj").is_file());
    let output = rattleback(&here, &["check", "arm.toml"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("4 bodies, 3 joints"), "{}", text(&output.stdout));
    let output =
        rattleback(&here, &["run", "arm.toml", "--duration", "50ms", "--no-report", "-o", "results"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("Healthy"), "{}", text(&output.stdout));
    let output = rattleback(&here, &["import", arm.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(5));
}

#[test]
fn what_is_lost_is_there_for_programs() {
    let here = folder("import/json");
    let hopper = robot("hopper.xml");
    let output = rattleback(&here, &["import", hopper.to_str().unwrap(), "-o", "deep/h.toml", "--json"]);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((told["bodies"].as_u64(), told["joints"].as_u64()), (Some(2), Some(2)), "{told}");
    let lost = told["lost"].as_array().unwrap();
    assert!(
        lost.iter().any(|loss| loss["line"] == 19 && loss["what"].as_str().unwrap().contains("rotor")),
        "{told}"
    );
    assert!(here.join("deep/h.toml").is_file());
    let output = rattleback(&here, &["import", hopper.to_str().unwrap(), "-o", "-", "-q"]);
    let scene = text(&output.stdout);
    assert!(
        scene.starts_with("# Imported from hopper.xml") && scene.ends_with("duration = \"1 s\"\n"),
        "{scene}"
    );
}

#[test]
fn what_is_no_robot_is_told_where() {
    let here = folder("import/wrong");
    std::fs::write(
        here.join("a.urdf"),
        "<robot name=\"r\">\n  <link name=\"a\"/>\n  <link name=\"a\"/>\n</robot>\n",
    )
    .unwrap();
    let output = rattleback(&here, &["import", "a.urdf"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.contains("the name \"a\" is taken already") && said.contains("a.urdf:3:15"), "{said}");
    assert!(!here.join("a.toml").exists());
    assert_eq!(rattleback(&here, &["import", "none.urdf"]).status.code(), Some(1));
    assert_eq!(rattleback(&here, &["import", "a.urdf", "--package", "x"]).status.code(), Some(2));
}
