//! What was ever found does not come back: every case under `fuzz/found` is run.
//!
//! A case is a folder, `fuzz/found/TARGET/CASE/`, with the input under the name by which it is read and, beside it,
//! `finding.txt`: what was found.

use rattleback_fuzz::{Input, Sandbox, Target, corpus};
use std::fs;
use std::path::{Path, PathBuf};

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    entries
}

/// The input of a case; of a result folder's file the folder's name is part of its name.
fn input(target: Target, case: &Path) -> Input {
    let is_input = |path: &PathBuf| path.file_name().is_some_and(|name| name != "finding.txt");
    let mut path = entries(case).into_iter().find(is_input).expect("an input");
    if path.is_dir() {
        path = entries(&path).remove(0);
    }
    let name = path.strip_prefix(case).expect("within the case").to_string_lossy().into_owned();
    Input::new(target, name, fs::read(&path).expect("a file"))
}

#[test]
fn what_was_ever_found_is_answered_or_refused_with_its_place() {
    let sandbox = Sandbox::temporary().expect("a folder");
    let mut cases = 0;
    for target in Target::ALL {
        for case in entries(&corpus::root().join("fuzz/found").join(target.word())) {
            let outcome = sandbox.run(&input(target, &case));
            assert_eq!(outcome.findings, [], "{}", case.display());
            cases += 1;
        }
    }
    assert!(cases > 0, "fuzz/found is empty");
}

#[test]
fn every_file_of_the_corpus_is_answered_or_refused_with_its_place() {
    let sandbox = Sandbox::temporary().expect("a folder");
    let corpus = corpus::Corpus::load(&sandbox.folder().join("templates")).expect("a corpus");
    let inputs = corpus.inputs();
    let mut accepted = [0; Target::ALL.len()];
    for input in &inputs {
        let outcome = sandbox.run(input);
        assert_eq!(outcome.findings, [], "{} of {} bytes", input.name, input.bytes.len());
        accepted[input.target as usize] += usize::from(outcome.accepted);
    }
    // Most of them are right, or mutation would only ever see the first complaint.
    assert!(accepted.into_iter().all(|count| count >= 4), "{accepted:?} of {}", inputs.len());
}
