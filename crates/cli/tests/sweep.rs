//! `rattleback sweep`: every run of a study is a row, whatever ends the program in between.

use crate::command::{command, folder, rattleback, text};
use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

const SCENE: &str = r#"
title = "A thrown ball"
gravity = [0, 0, -10]
parameters = { speed = "3 m/s", bounce = 0.5 }
contacts = [{ stiffness = 1e9, normal = { law = "exact", restitution = "= bounce" } }]
run = { duration = "0.8 s" }
output = { every = "10 ms" }
materials.steel = { density = 7800 }
[[bodies]]
name = "floor"
fixed = true
shape = { type = "plane", normal = [0, 0, 1] }
material = "steel"
[[bodies]]
name = "ball"
position = [0, 0, "10 mm"]
velocity = ["= speed", 0, "= speed"]
shape = { type = "sphere", radius = "10 mm" }
material = "steel"
"#;

fn study(design: &str, parameters: &str) -> String {
    let outputs = r#"["ball.x_m", "max ball.z_m", "energy.damped_J"]"#;
    format!("scene = \"throw.toml\"\noutputs = {outputs}\n{design}\n{parameters}")
}

fn prepared(name: &str, study: &str) -> std::path::PathBuf {
    let here = folder(name);
    std::fs::write(here.join("throw.toml"), SCENE).unwrap();
    std::fs::write(here.join("study.toml"), study).unwrap();
    here
}

fn rows(folder: &Path) -> Vec<Value> {
    let log = std::fs::read_to_string(folder.join("rows.jsonl")).unwrap();
    let mut rows: Vec<Value> = log.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    rows.sort_by_key(|row| row["run"].as_u64());
    rows
}

#[test]
fn a_sweep_that_is_killed_goes_on_to_the_same_bytes_on_any_number_of_threads() {
    let grid = "[parameters.speed]\nfrom = \"1 m/s\"\nto = \"3 m/s\"\ncount = 6\n\
                [parameters.bounce]\nfrom = 0.1\nto = 0.9\ncount = 10\n";
    let here = prepared("sweep/killed", &study("design = \"grid\"\nduration = \"50 ms\"", grid));
    let output = rattleback(&here, &["sweep", "study.toml", "-o", "whole", "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!([&told["runs"], &told["finished"], &told["failed"]], [60, 60, 0]);
    let log = here.join("killed/rows.jsonl");
    for torn in 0..3 {
        let before = std::fs::read_to_string(&log).map_or(0, |log| log.lines().count());
        let mut child = command(&here, &["sweep", "study.toml", "-o", "killed", "--threads", "1"]);
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while std::fs::read_to_string(&log).map_or(0, |log| log.lines().count()) < before + 7 {
            assert!(child.try_wait().unwrap().is_none(), "it ended before it was killed");
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(rows(&here.join("killed")).len() < 60);
        // What a machine that fails may leave of a line.
        let mut file = std::fs::File::options().append(true).open(&log).unwrap();
        file.write_all(&b"{\"run\":59,\"status\":\"fin"[..torn * 9]).unwrap();
    }
    let output = rattleback(&here, &["sweep", "study.toml", "-o", "killed", "--threads", "2"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("have their rows already"), "{}", text(&output.stderr));
    assert_eq!(rows(&here.join("killed")), rows(&here.join("whole")));
    let table = |name: &str| std::fs::read(here.join(name).join("rows.parquet")).unwrap();
    assert!(table("killed") == table("whole"), "the tables differ");
}

#[test]
fn rows_have_what_runs_of_the_same_settings_have() {
    let list = "[parameters.speed]\nvalues = [2, \"250 cm/s\"]\n[parameters.bounce]\nvalues = [0.3, 0.6]\n";
    let here = prepared("sweep/rows", &study("design = \"list\"", list));
    let output = rattleback(&here, &["sweep", "study.toml", "-o", "rows", "--quiet"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let settings = [["speed=2", "bounce=0.3"], ["speed=2.5m/s", "bounce=0.6"]];
    for (row, [speed, bounce]) in rows(&here.join("rows")).iter().zip(settings) {
        let name = format!("run-{}", row["run"]);
        let arguments = ["run", "throw.toml", "-o", &name, "--no-report", "--set", speed, "--set", bounce];
        assert!(rattleback(&here, &arguments).status.success());
        let states = std::fs::read_to_string(here.join(&name).join("states.csv")).unwrap();
        let header: Vec<&str> = states.lines().next().unwrap().split(',').collect();
        let column = header.iter().position(|name| *name == "x_m").unwrap();
        let last = states.lines().rfind(|line| line.contains(",ball,")).unwrap();
        let expected: f64 = last.split(',').nth(column).unwrap().parse().unwrap();
        assert_eq!(row["outputs"][0].as_f64().unwrap().to_bits(), expected.to_bits(), "{row}");
        assert_eq!(row["status"], "finished");
    }
}

#[test]
fn runs_that_fail_are_rows_with_their_reasons() {
    let list = "[parameters.bounce]\nvalues = [0.5, 1.5]\n";
    let here = prepared("sweep/failed", &study("", list));
    let output = rattleback(&here, &["sweep", "study.toml", "-o", "rows", "--json"]);
    assert_eq!(output.status.code(), Some(7), "{}", text(&output.stderr));
    let rows = rows(&here.join("rows"));
    assert_eq!([&rows[0]["status"], &rows[1]["status"]], ["finished", "failed"]);
    assert!(rows[1]["verdict"].as_str().unwrap().contains("restitution"), "{}", rows[1]);
    assert_eq!(rows[1]["outputs"][0], "NaN");
    let again = rattleback(&here, &["sweep", "study.toml", "-o", "rows", "--json"]);
    assert_eq!(output.stdout, again.stdout);
}

#[test]
fn the_rows_of_another_study_are_left_alone() {
    let list = "[parameters.bounce]\nvalues = [0.5]\n";
    let here = prepared("sweep/another", &study("", list));
    assert!(rattleback(&here, &["sweep", "study.toml", "-o", "rows"]).status.success());
    std::fs::write(here.join("study.toml"), study("", "[parameters.bounce]\nvalues = [0.6]\n")).unwrap();
    let output = rattleback(&here, &["sweep", "study.toml", "-o", "rows"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("the rows of another study"), "{}", text(&output.stderr));
    assert_eq!(rows(&here.join("rows")).len(), 1);
}

#[test]
fn what_is_wrong_with_a_study_is_told_where_it_stands() {
    let told = |name: &str, study: &str| {
        let here = prepared(&format!("sweep/{name}"), study);
        let output = rattleback(&here, &["sweep", "study.toml", "-o", "rows"]);
        assert_eq!(output.status.code(), Some(1), "{study}");
        assert!(!here.join("rows").exists());
        text(&output.stderr)
    };
    let bounce = "[parameters.bounce]\nvalues = [0.5]\n";
    let wrong = study("design = \"gird\"", bounce);
    let message = told("gird", &wrong);
    assert!(message.contains("study.toml:3:10") && message.contains("did you mean \"grid\"?"), "{message}");
    let message = told("unknown", &study("", "[parameters.bonce]\nvalues = [0.5]\n"));
    assert!(message.contains("no parameter \"bonce\"; it has bounce, speed"), "{message}");
    let message = told("unit", &study("", "[parameters.speed]\nvalues = [\"3 kg\"]\n"));
    assert!(message.contains("found 3.0 kg; expected a value in the unit"), "{message}");
    let message = told("samples", &study("design = \"sobol\"", "[parameters.bounce]\nfrom = 0\nto = 1\n"));
    assert!(message.contains("missing key `samples`"), "{message}");
    let output = "scene = \"throw.toml\"\noutputs = [\"max bal.z_m\"]\n[parameters.bounce]\nvalues = [0.5]\n";
    let message = told("output", output);
    assert!(message.contains("study.toml:2:12") && message.contains("there is no body \"bal\""), "{message}");
    let message =
        told("log", &study("", "[parameters.bounce]\nfrom = 0\nto = 1\ncount = 3\nscale = \"log\"\n"));
    assert!(message.contains("a log scale needs"), "{message}");
    let message = told("both", &study("", "[parameters.bounce]\nvalues = [0.5]\nfrom = 0\n"));
    assert!(message.contains("expected either `values`, or `from` and `to`"), "{message}");
}

#[test]
fn sampled_designs_have_as_many_runs_as_are_asked_for_within_their_ranges() {
    for design in ["latin_hypercube", "sobol"] {
        let keys = format!("design = \"{design}\"\nsamples = 16\nseed = 3\nduration = \"20 ms\"");
        let ranges = "[parameters.speed]\nfrom = 1\nto = 2\n[parameters.bounce]\nfrom = 0.2\nto = 0.4\n";
        let here = prepared(&format!("sweep/{design}"), &study(&keys, ranges));
        let output = rattleback(&here, &["sweep", "study.toml", "-o", "rows", "--quiet"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let rows = rows(&here.join("rows"));
        assert_eq!(rows.len(), 16);
        // In the air: x is the speed times 20 ms.
        let mut strata = [0; 16];
        for row in &rows {
            let speed = row["outputs"][0].as_f64().unwrap() / 0.02;
            strata[((speed - 1.0) * 16.0) as usize] += 1;
        }
        assert!(strata.iter().all(|&n| n == 1), "{design}: {strata:?}");
    }
}
