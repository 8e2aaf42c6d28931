//! The documents speak of things that exist.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

/// Every `path/with/slashes` or `file.ending` in backquotes.
fn paths(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (k, piece) in text.split('`').enumerate() {
        let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
        let named = piece.contains('/') || [".rs", ".md", ".toml"].iter().any(|e| piece.ends_with(e));
        if k % 2 == 1 && named && piece.chars().all(plain) {
            found.push(piece.to_owned());
        }
    }
    found
}

#[test]
fn every_path_that_the_architecture_names_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let paths = paths(&text);
    assert!(paths.len() > 20, "only {} paths found", paths.len());
    for path in paths {
        assert!(root.join(&path).exists(), "ARCHITECTURE.md names {path}, which does not exist");
    }
}

#[test]
fn the_checks_run_the_test_command_of_the_readme() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let checks = std::fs::read_to_string(root.join("xtask/src/ci.rs")).unwrap();
    assert!(readme.contains("    cargo test --workspace --locked\n"));
    assert!(checks.contains("&[\"test\", \"--workspace\", \"--locked\"]"));
}

/// Where a crate has one test program, a file that is no line of it would be a test that nobody runs.
#[test]
fn every_file_of_tests_is_a_line_of_its_test_program() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut programs = 0;
    for entry in std::fs::read_dir(crates).unwrap() {
        let tests = entry.unwrap().path().join("tests");
        let Ok(index) = std::fs::read_to_string(tests.join("main.rs")) else { continue };
        programs += 1;
        for entry in std::fs::read_dir(&tests).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let is_code = path.join("mod.rs").exists() || path.extension().is_some_and(|e| e == "rs");
            assert!(!path.join("main.rs").exists(), "{} would not be run", path.display());
            let is_listed = name == "main" || index.lines().any(|line| line == format!("mod {name};"));
            assert!(!is_code || is_listed, "{} is not in {}/main.rs", path.display(), tests.display());
        }
    }
    assert!(programs >= 5, "only {programs} test programs found");
}
