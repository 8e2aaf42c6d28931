//! Runs as a user makes them: the demonstration, every scene, stopping, killing, taking up again, disks that take no
//! more.

use crate::command::{command, folder, rattleback, text};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn manifest(folder: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join("run.json")).unwrap()).unwrap()
}

/// The files that must be the same, byte for byte, however often the run was broken off.
const RECORDS: [&str; 4] = ["states.csv", "contacts.csv", "events.csv", "energies.csv"];

fn assert_same_records(one: &Path, other: &Path) {
    for name in RECORDS {
        for ending in ["csv", "parquet"] {
            let name = Path::new(name).with_extension(ending);
            let read = |folder: &Path| std::fs::read(folder.join(&name)).unwrap();
            assert!(read(one) == read(other), "{} differs", name.display());
        }
    }
}

#[test]
fn the_demonstration_says_where_its_results_are() {
    let here = folder("run/demonstration");
    let output = rattleback(&here, &["run"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(said.contains("Results: results/demonstration\n"), "{said}");
    assert!(said.contains("Report:  results/demonstration/report.html\n"), "{said}");
    let results = here.join("results/demonstration");
    let told = manifest(&results);
    assert_eq!(told["status"], "finished");
    assert!(told["events"].as_u64().unwrap() > 0, "nothing touched");
    let page = std::fs::read_to_string(results.join("report.html")).unwrap();
    for part in ["<html", "data:image/png;base64,", "<svg", "Where the energy is"] {
        assert!(page.contains(part), "the page has no {part}");
    }
    assert!(
        !page.contains("<script") && !page.contains("http://") || page.contains("http://www.w3.org"),
        "it asks for more"
    );
    // A second run does not touch the first.
    let before = std::fs::read(results.join("run.json")).unwrap();
    let output = rattleback(&here, &["run", "--duration", "50ms", "--no-report"]);
    assert!(text(&output.stdout).contains("Results: results/demonstration-2\n"));
    assert_eq!(std::fs::read(results.join("run.json")).unwrap(), before);
}

/// Whether a file says which scene is varied, and is none itself.
fn is_study(path: &Path) -> bool {
    std::fs::read_to_string(path).unwrap().lines().any(|line| line.starts_with("scene = "))
}

#[test]
fn every_scene_runs_for_a_short_time() {
    let here = folder("run/scenes");
    let mut scenes = Vec::new();
    let mut folders = vec![root().join("scenes")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_scenes = !["shapes", "pairs", "curves"].iter().any(|other| path.ends_with(other));
            if path.is_dir() && is_scenes {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "toml") && !is_study(&path) {
                scenes.push(path);
            }
        }
    }
    assert!(scenes.len() >= 13, "{scenes:?}");
    for scene in scenes {
        let name = scene.file_stem().unwrap().to_str().unwrap().to_owned();
        let arguments =
            ["run", scene.to_str().unwrap(), "--duration", "20ms", "--every", "5ms", "--no-report", "--json"];
        let output = rattleback(&here, &arguments);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", text(&output.stderr));
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(told["status"], "finished", "{name}");
        assert_eq!(told["outputs"], 5, "{name}");
        assert_eq!(told["reached_s"], 0.02, "{name}");
        let states =
            std::fs::read_to_string(here.join(told["folder"].as_str().unwrap()).join("states.csv")).unwrap();
        assert!(!states.contains("NaN") && states.lines().count() > 5, "{name}");
    }
}

#[test]
fn a_run_that_was_killed_goes_on_to_the_same_bits() {
    let here = folder("run/killed");
    let scene = ["run", "roemer_box", "--duration", "1.5s", "--every", "2ms", "--no-report", "--quiet"];
    let whole = rattleback(&here, &[&scene[..], &["-o", "whole"]].concat());
    assert_eq!(whole.status.code(), Some(0), "{}", text(&whole.stderr));
    let mut child = command(&here, &[&scene[..], &["-o", "broken", "--checkpoint", "1ms"]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let broken = here.join("broken");
    let begun = Instant::now();
    let contacts = || std::fs::metadata(broken.join("events.csv")).map_or(0, |file| file.len());
    // In the middle: when contacts have ended and a checkpoint is there.
    while !(contacts() > 1000 && broken.join("checkpoint.json").exists())
        && child.try_wait().unwrap().is_none()
    {
        assert!(begun.elapsed() < Duration::from_secs(300), "nothing happens");
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(manifest(&broken)["status"], "running", "it was too fast to be killed");
    // What is there can be read, and looked at.
    let output = rattleback(&here, &["info", "broken"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let output = rattleback(&here, &["plot", "broken", "I.z_m", "-o", "broken.png"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let output = rattleback(&here, &["resume", "broken", "--no-report", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_same_records(&here.join("whole"), &broken);
    // What has finished cannot be taken up again.
    let output = rattleback(&here, &["resume", "broken"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("the run has finished"), "{}", text(&output.stderr));
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_cleanly_and_the_run_can_be_taken_up() {
    let here = folder("run/stopped");
    let scene = ["run", "roemer_box", "--duration", "1.5s", "--every", "2ms", "--no-report", "--quiet"];
    let mut child = command(&here, &[&scene[..], &["-o", "stopped"]].concat()).spawn().unwrap();
    let stopped = here.join("stopped");
    let begun = Instant::now();
    while std::fs::metadata(stopped.join("events.csv")).map_or(0, |file| file.len()) < 600 {
        assert!(begun.elapsed() < Duration::from_secs(300), "nothing happens");
        std::thread::sleep(Duration::from_millis(2));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let told = manifest(&stopped);
    assert_eq!(told["status"], "stopped");
    assert!(stopped.join("states.parquet").exists(), "what was written is there in both formats");
    let output = rattleback(&here, &["resume", "stopped", "--no-report", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let whole = rattleback(&here, &[&scene[..], &["-o", "whole"]].concat());
    assert_eq!(whole.status.code(), Some(0));
    assert_same_records(&here.join("whole"), &stopped);
}

#[test]
#[cfg(unix)]
fn a_disk_that_takes_no_more_is_told_and_nothing_earlier_is_lost() {
    let here = folder("run/full");
    let scene = "run roemer_box --duration 1s --every 1ms --no-report --quiet --checkpoint 1ms";
    // Files may grow to 200 blocks of 1024 bytes; more is refused as a full disk refuses it.
    let shell =
        format!("trap '' XFSZ; ulimit -f 200; exec {} {scene} -o full", env!("CARGO_BIN_EXE_rattleback"));
    let output = Command::new("bash").args(["-c", &shell]).current_dir(&here).output().unwrap();
    assert_eq!(output.status.code(), Some(5), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    assert!(said.starts_with("error: ") && said.contains("states.csv"), "{said}");
    let full = here.join("full");
    let kept = std::fs::read(full.join("states.csv")).unwrap();
    assert!(kept.len() > 10_000 && kept.ends_with(b"\n"), "{} bytes", kept.len());
    assert_eq!(manifest(&full)["status"], "failed");
    // With room again the run goes on from its last checkpoint, and all is as if nothing had happened.
    let output = rattleback(&here, &["resume", "full", "--no-report", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let scene: Vec<&str> = scene.split(' ').chain(["-o", "whole"]).collect();
    assert_eq!(rattleback(&here, &scene).status.code(), Some(0));
    assert_same_records(&here.join("whole"), &full);
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error_before_anything_is_computed() {
    let here = folder("run/unwritable");
    std::fs::write(here.join("file"), "precious").unwrap();
    let output = rattleback(&here, &["run", "marques_ball", "-o", "file/results"]);
    assert_eq!(output.status.code(), Some(5));
    assert!(text(&output.stderr).starts_with("error: file/results: "), "{}", text(&output.stderr));
    assert_eq!(std::fs::read_to_string(here.join("file")).unwrap(), "precious");
    std::fs::create_dir(here.join("taken")).unwrap();
    std::fs::write(here.join("taken/thesis.tex"), "precious").unwrap();
    let output = rattleback(&here, &["run", "marques_ball", "-o", "taken"]);
    assert_eq!(output.status.code(), Some(5));
    assert!(text(&output.stderr).contains("never overwritten"), "{}", text(&output.stderr));
    assert_eq!(std::fs::read_dir(here.join("taken")).unwrap().count(), 1);
}

#[test]
fn quiet_says_nothing_and_json_says_everything() {
    let here = folder("run/quiet");
    let short = ["run", "marques_ball", "--duration", "10ms", "--no-report"];
    let output = rattleback(&here, &[&short[..], &["--quiet", "-o", "a"]].concat());
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty());
    let output = rattleback(&here, &[&short[..], &["--json", "-o", "b"]].concat());
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(output.stderr.is_empty());
    assert_eq!(told["folder"], "b");
    let columns = told["sheets"][0]["columns"].as_array().unwrap();
    assert!(columns.iter().any(|column| column["name"] == "x_m" && column["unit"] == "m"));
}

#[test]
fn a_wrong_scene_writes_nothing() {
    let here = folder("run/wrong");
    std::fs::write(here.join("wrong.toml"), "title = 3\n").unwrap();
    let output = rattleback(&here, &["run", "wrong.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("wrong.toml:1:9"), "{}", text(&output.stderr));
    assert!(!here.join("results").exists());
    let output = rattleback(&here, &["run", "no_such_scene"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("rattleback examples"), "{}", text(&output.stderr));
    assert_eq!(rattleback(&here, &["run", "marques_ball", "--duration", "3 kg"]).status.code(), Some(2));
}
