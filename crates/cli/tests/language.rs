//! Parameters from the command line, scenes of several files and in JSON, and runs that are prolonged, as a user has
//! them.

use crate::command::{folder, rattleback, text};
use std::path::Path;

/// Balls that fall on a floor, in three solvers; the last output of the short runs is none of the long ones'.
const SCENE: &str = r#"
include = ["steel.toml"]
title = "Falling balls"
gravity = [0, 0, -9.81]

[parameters]
n = 3
radius = "10 mm"

[[bodies]]
name = "floor"
fixed = true
shape = { type = "plane", normal = [0, 0, 1] }
material = "steel"

[[repeat]]
index = "i"
count = "=n"
[[repeat.bodies]]
name = "ball {i}"
position = ["=3*radius*i", 0, "=radius*(2 + i/4)"]
shape = { type = "sphere", radius = "=radius" }
material = "steel"

[[contacts]]
stiffness = "1e6 N/m^1.5"
normal = { law = "exact", restitution = 0.6 }
friction = { law = "coulomb", coefficient = 0.3, transition = "1 mm/s" }

[run]
duration = "0.11 s"

[output]
every = "20 ms"
"#;

const STEEL: &str = "[materials.steel]\ndensity = \"7800 kg/m^3\"\n";

fn written(name: &str, solver: &str) -> std::path::PathBuf {
    let here = folder(name);
    std::fs::write(here.join("scene.toml"), format!("{SCENE}\n{solver}")).unwrap();
    std::fs::write(here.join("steel.toml"), STEEL).unwrap();
    here
}

fn done(here: &Path, arguments: &[&str]) -> String {
    let output = rattleback(here, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

fn same(here: &Path, one: &str, other: &str) {
    for file in ["states", "contacts", "events", "energies"] {
        for ending in ["csv", "parquet"] {
            let [a, b] = [one, other]
                .map(|run| std::fs::read(here.join(run).join(format!("{file}.{ending}"))).unwrap());
            assert!(a == b, "{file}.{ending} of {one} and {other} differ");
        }
    }
}

#[test]
fn a_finished_run_that_is_prolonged_has_the_bytes_of_a_longer_one() {
    for (k, solver) in [
        "",
        "[solver]\ntype = \"many\"\nstep = \"20 µs\"",
        "[solver]\ntype = \"mechanism\"\nstep = \"0.2 ms\"",
        "[solver]\ntype = \"rolling\"",
    ]
    .into_iter()
    .enumerate()
    {
        let here = written(&format!("prolonged-{k}"), solver);
        // One end is an output of the longer run, the other is not.
        for (name, short) in [("even", "0.1 s"), ("odd", "0.11 s")] {
            done(&here, &["run", "scene.toml", "--duration", short, "-o", name, "--no-report"]);
            done(&here, &["resume", name, "--until", "0.15 s", "--no-report"]);
            done(&here, &["resume", name, "--until", "0.19 s", "--no-report"]);
        }
        done(&here, &["run", "scene.toml", "--duration", "0.19 s", "-o", "long", "--no-report"]);
        same(&here, "even", "long");
        same(&here, "odd", "long");
        let told = std::fs::read_to_string(here.join("odd/run.json")).unwrap();
        assert!(told.contains("\"end_s\": 0.19") && told.contains("\"status\": \"finished\""), "{told}");
        let output = rattleback(&here, &["resume", "odd", "--until", "0.19 s"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("expected a time after 0.19 s"), "{}", text(&output.stderr));
        assert_ne!(rattleback(&here, &["resume", "odd"]).status.code(), Some(0));
    }
}

#[test]
fn a_run_keeps_the_scene_with_the_parameters_that_were_set() {
    let here = written("set", "");
    done(&here, &["run", "scene.toml", "--set", "radius=15mm", "--set", "n=2", "-o", "out", "--no-report"]);
    let kept = std::fs::read_to_string(here.join("out/scene.toml")).unwrap();
    assert!(
        kept.contains("radius = \"15mm\"") && kept.contains("n = 2") && !kept.contains("include"),
        "{kept}"
    );
    let told: serde_json::Value =
        serde_json::from_slice(&std::fs::read(here.join("out/run.json")).unwrap()).unwrap();
    assert_eq!(told["parameters"], serde_json::json!({"n": "2.0", "radius": "0.015 m"}));
    assert!(told["inputs"]["steel.toml"].is_string());
    // What is kept runs again without the files that it came from, to the same bytes.
    std::fs::remove_file(here.join("steel.toml")).unwrap();
    std::fs::remove_file(here.join("scene.toml")).unwrap();
    done(&here, &["resume", "out", "--until", "0.15 s", "--no-report"]);
    done(&here, &["run", "out/scene.toml", "--duration", "0.15 s", "-o", "again", "--no-report"]);
    same(&here, "out", "again");
}

#[test]
fn settings_of_what_is_no_parameter_are_refused() {
    let here = written("unset", "");
    for (setting, said) in [
        ("radus=1mm", "did you mean \"radius\"?"),
        ("radius=1 kg", "a mass; expected a length"),
        ("n=2.5", "which is 2.5; expected a whole number"),
    ] {
        let output = rattleback(&here, &["check", "scene.toml", "--set", setting]);
        assert_eq!(output.status.code(), Some(1), "{setting}");
        assert!(text(&output.stderr).contains(said), "{setting}: {}", text(&output.stderr));
    }
    assert_eq!(rattleback(&here, &["run", "scene.toml", "--set", "n"]).status.code(), Some(2));
}

#[test]
fn a_scene_in_json_runs_and_is_taken_up_again() {
    let here = folder("json");
    let scene = r#"{"title": "Fall", "gravity": [0, 0, -9.81], "run": {"duration": 0.1},
        "bodies": [{"name": "ball", "mass": 1, "inertia": [1, 1, 1]}], "solver": {"type": "explicit"}}"#;
    std::fs::write(here.join("fall.json"), scene).unwrap();
    done(&here, &["run", "fall.json", "-o", "short", "--no-report"]);
    done(&here, &["resume", "short", "--until", "0.2s", "--no-report"]);
    done(&here, &["run", "fall.json", "--duration", "0.2s", "-o", "long", "--no-report"]);
    same(&here, "short", "long");
    let output = rattleback(&here, &["check", "--json", "fall.json"]);
    assert_eq!(output.status.code(), Some(0));
}
