//! Runs that are broken say so: in their exit code, in `run.json`, on top of the report, after `resume` as before.
//! Overlaps at the start are told, with their energy.

use crate::command::{folder, rattleback, text};
use serde_json::Value;
use std::path::Path;

/// A ball of 10 mm on a floor of a linear contact.
fn scene(height: &str, stiffness: f64, solver: &str, duration: &str) -> String {
    format!(
        r#"
title = "A ball on a floor"
gravity = [0, 0, -9.81]

[materials.steel]
density = "7800 kg/m^3"

[[bodies]]
name = "floor"
fixed = true
shape = {{ type = "plane", normal = [0, 0, 1] }}
material = "steel"

[[bodies]]
name = "ball"
position = [0, 0, "{height}"]
shape = {{ type = "sphere", radius = "10 mm" }}
material = "steel"

[[contacts]]
materials = ["steel", "steel"]
stiffness = {stiffness:e}
normal = {{ law = "exact", restitution = 0.5, exponent = 1 }}

[solver]
{solver}

[run]
duration = "{duration}"

[output]
every = "10 ms"
"#
    )
}

const ENGINES: [&str; 4] = [
    "type = \"explicit\"",
    "type = \"stiff\"",
    "type = \"many\"\nstep = \"10 us\"",
    "type = \"mechanism\"\nstep = \"10 us\"",
];

fn manifest(folder: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join("run.json")).unwrap()).unwrap()
}

#[test]
fn the_readme_s_ball_placed_exactly_on_the_floor_rests_on_it() {
    let here = folder("health/touching");
    for (k, solver) in ENGINES.into_iter().chain(["type = \"rolling\""]).enumerate() {
        std::fs::write(here.join("ball.toml"), scene("10 mm", 1e5, solver, "0.5 s")).unwrap();
        let results = format!("run-{k}");
        let arguments = ["run", "ball.toml", "--json", "--no-report", "-o", &results];
        let output = rattleback(&here, &arguments);
        assert_eq!(output.status.code(), Some(0), "{solver}: {}", text(&output.stderr));
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(told["health"]["healthy"].as_bool().unwrap(), "{solver}: {told}");
        let states = std::fs::read_to_string(here.join(&results).join("states.csv")).unwrap();
        let last = states.lines().rev().find(|line| line.contains("ball")).unwrap();
        let z: f64 = last.split(',').nth(4).unwrap().parse().unwrap();
        assert!((z - 0.01).abs() < 1e-4, "{solver}: {last}");
    }
}

#[test]
fn a_destroyed_run_has_its_own_exit_code_and_says_what_to_change() {
    let here = folder("health/destroyed");
    std::fs::write(here.join("ball.toml"), scene("20 mm", 1e12, "type = \"many\"\nstep = \"1 ms\"", "0.3 s"))
        .unwrap();
    let output = rattleback(&here, &["run", "ball.toml", "-o", "results"]);
    let (said, complained) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(6), "{said}{complained}");
    for word in ["finished", "kept", "Healthy"] {
        assert!(!said.contains(word) && !complained.contains(word), "{said}{complained}");
    }
    assert!(complained.contains("Broken: the step is "), "{complained}");
    assert!(complained.contains("shorten `step` from 1.0e-3"), "{complained}");
    let told = manifest(&here.join("results"));
    assert_eq!((told["status"].as_str(), told["health"]["healthy"].as_bool()), (Some("broken"), Some(false)));
    assert!(told["health"]["drift_share"].as_f64().unwrap() > 0.1, "{told}");
    let page = std::fs::read_to_string(here.join("results/report.html")).unwrap();
    let notice = page.find("Broken: the step is ").unwrap();
    assert!(notice < page.find("<table").unwrap() && notice < page.find("<h2").unwrap(), "it is not on top");
    let output = rattleback(&here, &["info", "results"]);
    let said = text(&output.stdout);
    assert!(said.contains("broken") && !said.contains("finished") && !said.contains("kept"), "{said}");
    let output = rattleback(&here, &["resume", "results"]);
    assert_eq!(output.status.code(), Some(1), "a run that came to its end is not taken up");
}

#[test]
fn a_run_that_is_taken_up_again_gets_the_verdict_of_the_whole_one() {
    let here = folder("health/resumed");
    // All that breaks it happens before the checkpoint: a ball that is hit out of the scene.
    std::fs::write(here.join("ball.toml"), scene("20 mm", 1e12, "type = \"many\"\nstep = \"1 ms\"", "0.3 s"))
        .unwrap();
    let whole = rattleback(&here, &["run", "ball.toml", "-o", "whole", "--no-report"]);
    assert_eq!(whole.status.code(), Some(6), "{}", text(&whole.stderr));
    let arguments = ["run", "ball.toml", "-o", "part", "--no-report", "--checkpoint", "0.000001ms"];
    assert_eq!(rattleback(&here, &arguments).status.code(), Some(6));
    // As if it had been killed after its last checkpoint.
    let path = here.join("part/run.json");
    let killed = std::fs::read_to_string(&path).unwrap().replace("\"broken\"", "\"running\"");
    std::fs::write(&path, killed).unwrap();
    let resumed = rattleback(&here, &["resume", "part", "--no-report"]);
    assert_eq!(resumed.status.code(), Some(6), "{}", text(&resumed.stderr));
    assert_eq!(manifest(&here.join("part"))["health"], manifest(&here.join("whole"))["health"]);
}

#[test]
fn overlap_at_the_start_is_told_with_its_energy_by_check_and_run_in_every_engine() {
    let here = folder("health/overlap");
    // ½ K δ² with K = 1e5 N/m and δ = 1 mm.
    let stored = 0.05;
    let mut totals = Vec::new();
    for (k, solver) in ENGINES.into_iter().enumerate() {
        std::fs::write(here.join("ball.toml"), scene("9 mm", 1e5, solver, "20 ms")).unwrap();
        let output = rattleback(&here, &["check", "ball.toml", "--json"]);
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        let overlap = &told[0]["overlaps"][0];
        assert_eq!((overlap["a"].as_str(), overlap["b"].as_str()), (Some("floor"), Some("ball")), "{told}");
        assert!((overlap["depth_m"].as_f64().unwrap() - 1e-3).abs() < 1e-15, "{told}");
        assert!((overlap["stored_J"].as_f64().unwrap() - stored).abs() < 1e-12, "{told}");
        let output = rattleback(&here, &["check", "ball.toml"]);
        let said = text(&output.stderr);
        assert!(said.contains("floor and ball overlap at the start by 1.0000e-3 m"), "{said}");
        assert!(said.contains("m/s: change `position` of one of them, or try `run --settle`"), "{said}");
        let results = format!("run-{k}");
        let output = rattleback(&here, &["run", "ball.toml", "--no-report", "-o", &results]);
        assert_eq!(output.status.code(), Some(0), "{solver}: {}", text(&output.stderr));
        let said = text(&output.stderr);
        assert!(said.contains("their contact stores 5.0000e-2 J"), "{said}");
        let told = manifest(&here.join(&results));
        totals.push(told["energy"]["start_J"].as_f64().unwrap());
        assert!(told["health"]["drift_share"].as_f64().unwrap() < 2e-3, "{solver}: {told}");
    }
    assert!(totals.iter().all(|total| (total - totals[0]).abs() < 1e-12), "{totals:?}");
}

#[test]
fn a_scene_without_overlap_is_checked_without_a_word_about_it() {
    let here = folder("health/apart");
    std::fs::write(here.join("ball.toml"), scene("10 mm", 1e5, ENGINES[0], "20 ms")).unwrap();
    let output = rattleback(&here, &["check", "ball.toml"]);
    assert!(!text(&output.stderr).contains("overlap"), "{}", text(&output.stderr));
}
