//! A short round of the command itself, and whether it notices what it is there for.

use std::path::PathBuf;
use std::process::{Command, Output};

fn fuzz(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rattleback-fuzz")).args(arguments).output().expect("the command")
}

fn folder(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("rattleback-fuzz-{name}-{}", std::process::id()))
}

#[test]
fn a_short_round_of_mutated_inputs_finds_nothing() {
    let folder = folder("round");
    let done =
        fuzz(&["5", "--inputs", "3000", "--jobs", "1", "--seed", "15", "-o", &folder.to_string_lossy()]);
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    assert!(said.contains("all            3000 in "), "{said}");
    assert!(said.contains("0 causes of findings, 0 processes replaced"), "{said}");
    assert!(!folder.exists());
}

#[test]
fn a_wrong_command_line_is_refused() {
    for wrong in
        [&["0"][..], &["x"], &["1", "--jobs"], &["1", "--only", "shapes"], &["try", "mesh", "/nowhere.stl"]]
    {
        let done = fuzz(wrong);
        assert_eq!(done.status.code(), Some(2), "{wrong:?}");
        assert!(!done.stderr.is_empty(), "{wrong:?}");
    }
}

/// A round in which the seventh input does what must be noticed.
fn spoiled(fault: &str) -> String {
    let folder = folder(fault);
    let done = Command::new(env!("CARGO_BIN_EXE_rattleback-fuzz"))
        .args(["5", "--inputs", "20", "--jobs", "1", "--only", "mesh", "-o", &folder.to_string_lossy()])
        .env("RATTLEBACK_FUZZ_SPOIL", format!("7 {fault}"))
        .output()
        .expect("the command");
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(said.contains("1 causes of findings, 1 processes replaced"), "{said}");
    let kept = std::fs::read_dir(folder.join("mesh")).expect("findings").count();
    assert_eq!(kept, 1, "{said}");
    std::fs::remove_dir_all(&folder).expect("a folder to remove");
    said
}

#[test]
fn a_process_that_hangs_swallows_memory_or_dies_is_noticed_and_replaced() {
    assert!(spoiled("hang").contains("mesh 7: hang: more than 2 s"));
    assert!(spoiled("memory").contains("mesh 7: memory: more than 1024 MiB"));
    assert!(spoiled("abort").contains("mesh 7: death: ended by signal 6"));
}
