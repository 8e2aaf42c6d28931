//! The log of a sweep: what it takes and what it refuses.

use rattleback_sweep::{Cell, Header, Log, Row, RunStatus};
use std::path::PathBuf;

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sweep-log").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn header() -> Header {
    Header {
        format: Header::FORMAT,
        version: "1".to_owned(),
        study: "abc".to_owned(),
        runs: 4,
        parameters: vec!["p".to_owned()],
        outputs: vec!["a".to_owned(), "b".to_owned()],
    }
}

fn row(run: usize, a: f64, b: f64) -> Row {
    Row { run, status: RunStatus::Failed, outputs: vec![Cell(a), Cell(b)], ..Row::default() }
}

#[test]
fn numbers_come_back_to_the_bit_and_a_row_that_comes_twice_counts_once() {
    let folder = folder("bits");
    let values = [0.1 + 0.2, -0.0, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1.0 / 3.0];
    let mut log = Log::open(&folder, header()).unwrap();
    for (run, pair) in values.chunks(2).enumerate() {
        assert!(log.add(row(run, pair[0], pair[1])).unwrap());
    }
    assert!(!log.add(row(0, 7.0, 7.0)).unwrap());
    drop(log);
    let log = Log::open(&folder, header()).unwrap();
    let found: Vec<f64> = log.rows().flat_map(|row| row.outputs.iter().map(|cell| cell.0)).collect();
    assert!(found.iter().zip(values).all(|(a, b)| Cell(*a) == Cell(b)), "{found:?}");
    assert!(log.missing().is_empty());
}

#[test]
fn a_line_that_was_cut_off_is_made_again_and_one_that_was_changed_is_refused() {
    let folder = folder("torn");
    let mut log = Log::open(&folder, header()).unwrap();
    for run in [2, 0] {
        log.add(row(run, 1.0, 2.0)).unwrap();
    }
    drop(log);
    let path = folder.join("rows.jsonl");
    let whole = std::fs::read(&path).unwrap();
    let last = whole[..whole.len() - 1].iter().rposition(|&b| b == b'\n').unwrap() + 1;
    // Wherever it is cut, the header apart: the rows before are there, and the next one is a whole line.
    let first = whole.iter().position(|&b| b == b'\n').unwrap() + 1;
    for length in first..whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        let mut log = Log::open(&folder, header()).unwrap();
        assert_eq!(log.missing().len(), if length < last { 4 } else { 3 }, "{length} bytes");
        log.add(row(3, 1.0, 2.0)).unwrap();
        drop(log);
        let log = Log::open(&folder, header()).unwrap();
        assert!(!log.missing().contains(&3));
    }
    let text = String::from_utf8(whole).unwrap();
    for (damaged, reason) in [
        (text.replace("\"run\":2", "\"run\":9"), "run = 9: must be below 4"),
        (text.replace("[1.0,2.0]", "[1.0]"), "number of outputs"),
        (text.replace("\"run\":2", "\"run\":x"), "line 2"),
        (text.replace("abc", "abd"), "the rows of another study"),
        (text.replace("\"version\":\"1\"", "\"version\":\"0\""), "was begun by version 0"),
    ] {
        std::fs::write(&path, damaged).unwrap();
        let message = Log::open(&folder, header()).unwrap_err().to_string();
        assert!(message.contains(reason), "{message}");
    }
}

#[test]
fn a_folder_with_other_files_and_one_that_is_in_use_are_refused() {
    let folder = folder("occupied");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("notes.txt"), "mine").unwrap();
    assert!(Log::open(&folder, header()).unwrap_err().to_string().contains("never overwritten"));
    std::fs::remove_file(folder.join("notes.txt")).unwrap();
    let _held = Log::open(&folder, header()).unwrap();
    assert!(Log::open(&folder, header()).unwrap_err().to_string().contains("another process"));
}
