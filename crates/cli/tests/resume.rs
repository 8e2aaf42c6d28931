//! Runs that are taken up again as a user does it: after SIGTERM, beside another process, with files that have changed.

#![cfg(unix)]
use crate::command::{command, folder, rattleback, text};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A tetrahedron on a soft floor, for longer than anybody waits.
const SCENE: &str = r#"
title = "A tetrahedron"
gravity = [0, 0, -9.81]

[materials.wood]
density = "700 kg/m^3"

[[bodies]]
name = "floor"
fixed = true
shape = { type = "plane", normal = [0, 0, 1] }
material = "wood"

[[bodies]]
name = "tetrahedron"
position = [0, 0, "20 cm"]
shape = { type = "mesh", file = "tetrahedron.obj" }
material = "wood"

[[contacts]]
stiffness = 1e6
normal = { law = "exact", restitution = 0.5 }

[solver]
type = "mechanism"
step = "0.1 ms"

[run]
duration = "1000 s"

[output]
every = "1 ms"
"#;

const TETRAHEDRON: &str = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// A run that goes on until it is stopped, with a checkpoint.
fn begun(here: &Path, arguments: &[&str]) -> Child {
    let quiet = ["--quiet", "--no-report", "--checkpoint", "1ms"];
    let child = command(here, &[arguments, &quiet[..]].concat()).stderr(Stdio::null()).spawn().unwrap();
    let since = Instant::now();
    while !here.join("out/checkpoint.json").exists() {
        assert!(since.elapsed() < Duration::from_secs(300), "nothing happens");
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

/// Takes up the run in `out`, lets it store a checkpoint of its own, and ends it.
fn goes_on(here: &Path) {
    let stored = || std::fs::metadata(here.join("out/checkpoint.json")).unwrap().modified().unwrap();
    let before = stored();
    let resume = ["resume", "out", "--quiet", "--no-report", "--checkpoint", "1ms"];
    let mut child = command(here, &resume).spawn().unwrap();
    let since = Instant::now();
    while stored() == before {
        assert!(child.try_wait().unwrap().is_none(), "it was not taken up");
        assert!(since.elapsed() < Duration::from_secs(300), "nothing happens");
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

fn signal(child: &Child, word: &str) {
    Command::new("kill").args([word, &child.id().to_string()]).status().unwrap();
}

/// The simulated time of a manifest or a checkpoint, in s.
fn reached(text: &str) -> f64 {
    let number = text.split("\"reached_s\": ").nth(1).unwrap().split([',', '\n']).next();
    number.unwrap().parse().unwrap()
}

fn tetrahedron(name: &str) -> std::path::PathBuf {
    let here = folder(name);
    std::fs::write(here.join("scene.toml"), SCENE).unwrap();
    std::fs::write(here.join("tetrahedron.obj"), TETRAHEDRON).unwrap();
    here
}

#[test]
fn sigterm_stores_a_checkpoint_and_has_an_exit_code_of_its_own() {
    let here = tetrahedron("resume/terminated");
    let checkpoint = here.join("out/checkpoint.json");
    let mut child = begun(&here, &["run", "scene.toml", "-o", "out"]);
    signal(&child, "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(143));
    let manifest = std::fs::read_to_string(here.join("out/run.json")).unwrap();
    assert!(manifest.contains("\"status\": \"stopped\""), "{manifest}");
    // The checkpoint is that of the last output: nothing is computed twice.
    assert_eq!(reached(&std::fs::read_to_string(checkpoint).unwrap()), reached(&manifest));
}

/// Waits until a process ends by itself.
fn ended(child: &mut Child) -> Option<i32> {
    let since = Instant::now();
    while since.elapsed() < Duration::from_secs(60) {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    panic!("it does not end");
}

#[test]
fn a_run_whose_next_output_is_far_ends_at_a_signal_with_the_checkpoint_of_its_last() {
    let here = tetrahedron("resume/far");
    let options = ["--every", "500s", "--checkpoint", "0s", "--quiet", "--no-report"];
    let runs = [&["run", "scene.toml", "-o", "out"][..], &options].concat();
    let resumes = ["resume", "out", "--checkpoint", "0s", "--quiet", "--no-report"];
    for (arguments, word, code) in
        [(&runs[..], "-TERM", 143), (&resumes, "-INT", 130), (&resumes, "-TERM", 143)]
    {
        let mut child = command(&here, arguments).stderr(Stdio::null()).spawn().unwrap();
        let since = Instant::now();
        // It listens before it steps, and the first bounce tells of steps.
        let bounces =
            || std::fs::read_to_string(here.join("out/events.csv")).unwrap_or_default().lines().count();
        let is_cut = |count: usize| count < 2;
        let mut fresh = arguments[0] == "run";
        while !fresh || is_cut(bounces()) {
            fresh |= is_cut(bounces());
            assert!(since.elapsed() < Duration::from_secs(60), "nothing happens");
            std::thread::sleep(Duration::from_millis(1));
        }
        signal(&child, word);
        assert_eq!(ended(&mut child), Some(code));
        let manifest = std::fs::read_to_string(here.join("out/run.json")).unwrap();
        assert!(manifest.contains("\"status\": \"stopped\""), "{manifest}");
        assert!(reached(&manifest) > 0.0);
        let checkpoint = std::fs::read_to_string(here.join("out/checkpoint.json")).unwrap();
        assert_eq!((reached(&checkpoint), checkpoint.contains("\"outputs\": 1,")), (0.0, true));
    }
}

#[test]
fn a_run_whose_mesh_file_has_changed_is_not_taken_up() {
    let here = tetrahedron("resume/changed");
    let mut child = begun(&here, &["run", "scene.toml", "-o", "out"]);
    child.kill().unwrap();
    child.wait().unwrap();
    let states = std::fs::read(here.join("out/states.csv")).unwrap();
    std::fs::write(here.join("tetrahedron.obj"), TETRAHEDRON.replace("v 0.1 0 0", "v 0.2 0 0")).unwrap();
    let output = rattleback(&here, &["resume", "out"]);
    assert_eq!(output.status.code(), Some(1));
    let said = "error: out: the file \"tetrahedron.obj\" of its scene has changed since the run began; \
                it goes on with the same file only\n";
    assert_eq!(text(&output.stderr), said);
    assert_eq!(std::fs::read(here.join("out/states.csv")).unwrap(), states);
    // As it was, it is taken up.
    std::fs::write(here.join("tetrahedron.obj"), TETRAHEDRON).unwrap();
    goes_on(&here);
}

#[test]
fn a_second_process_is_turned_away_and_a_killed_one_leaves_no_lock() {
    let here = tetrahedron("resume/twice");
    let mut child = begun(&here, &["run", "scene.toml", "-o", "out"]);
    for arguments in [&["resume", "out"][..], &["run", "scene.toml", "-o", "out"]] {
        let output = rattleback(&here, arguments);
        assert_eq!(output.status.code(), Some(5), "{arguments:?}");
        let said = text(&output.stderr);
        assert!(
            said.contains("out: another process is writing") || said.contains("never overwritten"),
            "{said}"
        );
    }
    let output = rattleback(&here, &["resume", "out"]);
    assert_eq!(text(&output.stderr), "error: out: another process is writing to it\n");
    child.kill().unwrap();
    child.wait().unwrap();
    goes_on(&here);
}

#[test]
fn a_folder_without_a_checkpoint_or_without_a_run_is_told_in_plain_words() {
    let here = tetrahedron("resume/none");
    let short = ["run", "scene.toml", "-o", "out", "--duration", "5ms", "--quiet", "--no-report"];
    let short = [&short[..], &["--checkpoint", "0s"]].concat();
    assert_eq!(rattleback(&here, &short).status.code(), Some(0));
    let manifest = std::fs::read_to_string(here.join("out/run.json")).unwrap();
    std::fs::write(here.join("out/run.json"), manifest.replace("\"finished\"", "\"running\"")).unwrap();
    for (folder, said) in [
        (
            "out",
            "error: out: has no checkpoint to go on from: the run ended before the first one was stored, and has to be begun anew\n",
        ),
        (".", "error: .: is no result folder: it has no run.json\n"),
    ] {
        let output = rattleback(&here, &["resume", folder]);
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(1), said));
    }
    let output = rattleback(&here, &["resume", "nowhere"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("nowhere"), "{}", text(&output.stderr));
}

#[test]
fn the_verdict_on_a_manoeuvre_that_was_taken_up_is_that_on_one_that_was_not() {
    let here = folder("resume/verdict");
    let run = ["run", "jam", "--duration", "0.3s", "--every", "5ms"];
    let quiet = ["--quiet", "--no-report"];
    let whole = rattleback(&here, &[&run[..], &quiet, &["-o", "whole"]].concat());
    assert_eq!(whole.status.code(), Some(0), "{}", text(&whole.stderr));
    let mut child = begun(&here, &[&run[..], &["-o", "out"]].concat());
    // Between the first sample of what is watched and the last.
    let reached = || reached(&std::fs::read_to_string(here.join("out/run.json")).unwrap());
    while child.try_wait().unwrap().is_none() && reached() < 0.12 {
        std::thread::sleep(Duration::from_millis(1));
    }
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130), "it was too fast to be stopped");
    // A checkpoint that does not say what was seen, or not in its words, is refused: no verdict on a part of a run.
    for (memory, reason) in [("null", "there is nothing"), ("{}", "missing field `samples`")] {
        copy(&here.join("out"), &here.join("forgotten"));
        remember(&here.join("forgotten"), memory);
        let output = rattleback(&here, &["resume", "forgotten"]);
        assert_eq!(output.status.code(), Some(1));
        let said = text(&output.stderr);
        let begins = "error: forgotten: what its checkpoint remembers of the scene cannot be read: ";
        assert_eq!(said.trim_end(), format!("{begins}{reason}"));
    }
    assert_eq!(rattleback(&here, &[&["resume", "out"], &quiet[..]].concat()).status.code(), Some(0));
    let [whole, taken_up] = ["whole", "out"]
        .map(|folder| std::fs::read_to_string(here.join(folder).join("verdict.txt")).unwrap());
    assert_eq!(taken_up, whole);
    assert!(whole.contains("Pull of the windlass"), "{whole}");
}

/// Copies the files of a folder, in place of what is there.
fn copy(from: &Path, to: &Path) {
    let _ = std::fs::remove_dir_all(to);
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}

/// Has a checkpoint remember something else, with the fingerprint of what it says then.
fn remember(folder: &Path, memory: &str) {
    let path = folder.join("checkpoint.json");
    let said = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = said.split_once("\"watch\": ").unwrap();
    let (_, after) = rest.split_once("\"totals\": ").unwrap();
    let said = format!("{before}\"watch\": {memory}, \"totals\": {after}");
    let (begin, end) = (said.find("\"checkpoint\": ").unwrap() + 14, said.rfind("\n}").unwrap());
    let fingerprint = rattleback_geom::Fingerprint::of(&said.as_bytes()[begin..end]).to_string();
    let at = said.find("\"fingerprint\": \"").unwrap() + 16;
    std::fs::write(&path, said.replacen(&said[at..at + 16], &fingerprint, 1)).unwrap();
}

#[test]
fn more_records_than_can_be_written_are_refused_before_the_run() {
    let here = folder("resume/records");
    for (option, value) in [("--every", "1e-300s"), ("--duration", "1e300s")] {
        let output = rattleback(&here, &["run", "marques_ball", option, value, "-o", "out"]);
        assert_eq!(output.status.code(), Some(2));
        let said = text(&output.stderr);
        assert!(said.starts_with(&format!("error: {option}: found ")), "{said}");
        assert!(said.contains("expected at most 10000000"), "{said}");
        assert!(!here.join("out").exists());
    }
}
