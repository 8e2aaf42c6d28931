//! What is told of joints at the start, and the columns in which they are recorded.

use crate::command::{folder, rattleback, text};
use serde_json::Value;

/// A rod on a hinge at x = 0, its middle at `x` metres, with more keys of the rod, the joint and the solver.
fn scene(x: &str, rod: &str, joint: &str, solver: &str) -> String {
    format!(
        r#"
title = "A rod on a hinge"
gravity = [0, 0, 0]
[[bodies]]
name = "frame"
fixed = true
[[bodies]]
name = "rod"
position = [{x}, 0, 0]
mass = "2 kg"
inertia = [0.01, 0.06, 0.06]
{rod}
[[joints]]
name = "hinge"
type = "revolute"
bodies = ["frame", "rod"]
a = {{ position = [0, 0, 0] }}
b = {{ position = [-0.3, 0, 0] }}
{joint}
[solver]
type = "mechanism"
{solver}
[run]
duration = "20 ms"
[output]
every = "10 ms"
"#
    )
}

#[test]
fn joints_that_do_not_close_are_told_by_check_and_run_and_closed_on_request() {
    let here = folder("joints/apart");
    std::fs::write(here.join("apart.toml"), scene("0.8", "", "", "")).unwrap();
    for (verb, code) in [("check", 1), ("run", 4)] {
        let output = rattleback(&here, &[verb, "apart.toml"]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{verb}: {said}");
        assert!(
            said.contains("joint hinge is open by 0.5") && said.contains("snap = true"),
            "{verb}: {said}"
        );
    }
    std::fs::write(here.join("snapped.toml"), scene("0.8", "", "", "snap = true")).unwrap();
    for arguments in [vec!["check", "snapped.toml"], vec!["run", "snapped.toml", "--no-report"]] {
        let output = rattleback(&here, &arguments);
        let said = text(&output.stderr);
        assert!(output.status.success() && said.contains("rod was moved by 5.0000e-1 m"), "{said}");
    }
    std::fs::write(here.join("fits.toml"), scene("0.3", "", "", "")).unwrap();
    let output = rattleback(&here, &["check", "fits.toml"]);
    assert!(output.status.success() && !text(&output.stderr).contains("moved"), "{}", text(&output.stderr));
}

#[test]
fn velocities_that_contradict_a_joint_are_told_with_those_that_fit() {
    let here = folder("joints/velocity");
    let turning = "angular_velocity = { world = [0, 0, 2] }";
    std::fs::write(here.join("turns.toml"), scene("0.3", turning, "", "")).unwrap();
    let output = rattleback(&here, &["check", "turns.toml", "--json"]);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), told[0]["valid"].as_bool()), (Some(1), Some(false)));
    let said = told[0]["complaints"][0]["message"].as_str().unwrap();
    assert!(said.contains("the velocity of body rod contradicts its joints"), "{said}");
    let fitting = format!("{turning}\nvelocity = [0, 0.6, 0]");
    std::fs::write(here.join("fits.toml"), scene("0.3", &fitting, "", "")).unwrap();
    assert!(rattleback(&here, &["check", "fits.toml"]).status.success());
}

#[test]
fn coordinates_rates_and_motors_of_joints_are_columns() {
    let here = folder("joints/columns");
    let motor = "motor = { rate = \"60 rpm\", ramp = \"10 ms\", profile = \"s_curve\" }";
    std::fs::write(here.join("driven.toml"), scene("0.3", "", motor, "")).unwrap();
    let output = rattleback(&here, &["run", "driven.toml", "--no-report", "--quiet", "-o", "out"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let sheet = std::fs::read_to_string(here.join("out/joints.csv")).unwrap();
    let mut lines = sheet.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let place = |name: &str| names.iter().position(|other| *other == name).unwrap();
    let last: Vec<&str> = lines.last().unwrap().split(',').collect();
    let number = |name: &str| last[place(name)].parse::<f64>().unwrap();
    // Ramped within 10 ms, then 10 ms at one turn per second.
    let rate = std::f64::consts::TAU;
    assert!((number("turn_rate_rad_per_s") - rate).abs() < 1e-6, "{sheet}");
    assert!((number("turn_rad") - rate * 0.015).abs() < 1e-8, "{sheet}");
    assert!(number("turn_motor_N_m").abs() < 1e-3, "{sheet}");
    assert_eq!((last[place("slide_m")], last[place("second_turn_rad")]), ("", ""));
}
