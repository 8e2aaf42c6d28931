//! Runs that are killed, and disks that are full: a test starts itself again as another process.

#![cfg(target_os = "linux")]

use super::run::{Folder, Runner, about, record, soft_ball};
use rattleback_dynamics::Energy;
use rattleback_record::{Recorder, ResultFolder, RunOutcome, Sheet, Status};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The folder in which the other process is to work.
const PLACE: &str = "RATTLEBACK_TEST_FOLDER";
/// What the other process says when a file has become too large.
const WORDS: &str = "File too large (os error 27)";

fn other(test: &str) -> String {
    let (_, module) = module_path!().split_once("::").unwrap();
    format!(
        "\"{}\" --exact {module}::{test} --ignored --nocapture",
        std::env::current_exe().unwrap().display()
    )
}

#[test]
#[ignore = "the other process of a_killed_run_leaves_whole_lines_and_can_be_taken_up"]
fn runs_until_it_is_killed() {
    let Ok(place) = std::env::var(PLACE) else { return };
    let case = soft_ball(0.7);
    let mut recorder = Recorder::create(place, &case.model, about()).unwrap();
    let state = case.run(&mut recorder, case.first(), 15, &mut |_, _| ());
    recorder.checkpoint(&state).unwrap();
    case.run(&mut recorder, state, 49, &mut |_, _| ());
    // The same instant over and over again: whoever kills it does so in the middle of writing.
    let energy = Energy::of(&case.model, &case.state).unwrap();
    loop {
        recorder.output(&case.state, &energy, &[], &[]).unwrap();
    }
}

#[test]
fn a_killed_run_leaves_whole_lines_and_can_be_taken_up() {
    let (case, folder, whole) = (soft_ball(0.7), Folder::new(), Folder::new());
    record(&case, &whole, 40);
    let mut child = Command::new("bash")
        .args(["-c", &format!("exec {}", other("runs_until_it_is_killed"))])
        .env(PLACE, folder.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let long = |_: &u32| {
        std::thread::sleep(Duration::from_millis(10));
        std::fs::metadata(folder.join("states.csv")).is_ok_and(|file| file.len() > 1 << 20)
    };
    assert!((0..6000).find(long).is_some(), "nothing was written");
    child.kill().unwrap();
    child.wait().unwrap();
    let killed = ResultFolder::open(folder.path()).unwrap();
    assert_eq!(killed.manifest().status, Status::Running);
    let states = killed.sheet(Sheet::States).unwrap();
    assert!(states.rows() > 5000);
    assert!(killed.sheet(Sheet::Energies).unwrap().rows() > 2500);
    let (mut recorder, state) = Recorder::resume(folder.path(), &case.model).unwrap();
    case.run(&mut recorder, state, 40, &mut |_, _| ());
    recorder.finish(&RunOutcome::Finished).unwrap();
    for name in ["states.csv", "contacts.csv", "events.csv", "energies.csv"] {
        assert_eq!(folder.read(name), whole.read(name), "{name}");
    }
}

#[test]
#[ignore = "the other process of a_file_that_cannot_grow_keeps_its_rows"]
fn writes_until_the_file_cannot_grow() {
    let Ok(place) = std::env::var(PLACE) else { return };
    let case = soft_ball(0.7);
    let energy = Energy::of(&case.model, &case.state).unwrap();
    let mut recorder = Recorder::create(place, &case.model, about()).unwrap();
    let error = (0..100_000).find_map(|_| recorder.output(&case.state, &energy, &[], &[]).err()).unwrap();
    let message = error.to_string();
    assert!(message.contains("states.csv") && message.ends_with(WORDS), "{message}");
    let error = recorder.finish(&RunOutcome::Failed(message)).unwrap_err();
    assert!(error.to_string().ends_with(WORDS), "{error}");
}

#[test]
fn a_file_that_cannot_grow_keeps_its_rows() {
    let folder = Folder::new();
    // 600 kB; the signal that would end the process is ignored, so that writing fails instead.
    let script = format!("trap '' XFSZ; ulimit -f 600; exec {}", other("writes_until_the_file_cannot_grow"));
    let output = Command::new("bash").args(["-c", &script]).env(PLACE, folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let states = folder.read("states.csv");
    assert!(states.len() > 100_000 && states.ends_with(b"\n"));
    let failed = ResultFolder::open(folder.path()).unwrap();
    assert_eq!(failed.manifest().status, Status::Failed);
    assert!(failed.manifest().error.as_ref().unwrap().ends_with(WORDS));
    let rows = failed.sheet(Sheet::States).unwrap().rows() as u64;
    assert!(rows > 1000 && failed.manifest().sheets[0].rows == rows, "{rows}");
}
