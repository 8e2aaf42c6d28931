//! One short run per engine: the sheets it leaves have the same bytes on one, two and four threads, and the
//! fingerprint that `golden.txt` keeps, so that a change of any bit of any result is seen and meant.
//!
//! Sines and their like come from the C library, whose last bits depend on whether the processor multiplies and adds in
//! one: the fingerprints kept are those of glibc on x86-64 with FMA, and are compared there alone.
//!
//! `RATTLEBACK_BLESS=1 cargo test -p rattleback-cli --test tests golden` writes the fingerprints anew.

use crate::command::{command, folder, text};
use rattleback_geom::Fingerprint;
use std::fmt::Write;
use std::path::Path;

/// Engine, built-in scene, duration, interval of outputs. Something begins to touch within it.
const RUNS: [[&str; 4]; 5] = [
    ["explicit", "marques_ball", "0.5s", "5ms"],
    ["stiff", "marques_ellipsoid", "0.2s", "5ms"],
    ["many", "heap", "0.2s", "20ms"],
    ["mechanism", "marques_cradle_two_damped", "0.4s", "5ms"],
    ["rolling", "rattleback", "1s", "10ms"],
];

const SHEETS: [&str; 4] = ["states.csv", "contacts.csv", "events.csv", "energies.csv"];

/// The sheets of a run, one after the other.
fn sheets(here: &Path, [engine, scene, duration, every]: [&str; 4], threads: usize) -> Vec<u8> {
    let out = format!("{engine}-{threads}");
    let arguments = ["run", scene, "--duration", duration, "--every", every, "--no-report", "--quiet", "-o"];
    let run = command(here, &[&arguments[..], &[&out]].concat())
        .env("RAYON_NUM_THREADS", threads.to_string())
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(0), "{engine}: {}", text(&run.stderr));
    let read = |name: &str| std::fs::read(here.join(&out).join(name)).unwrap();
    assert!(text(&read("events.csv")).lines().count() > 1, "{engine}: nothing touched");
    SHEETS.iter().flat_map(|name| read(name)).collect()
}

/// Whether the fingerprints kept are those of this machine.
fn is_the_machine_of_the_file() -> bool {
    #[cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]
    let same = std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu")))]
    let same = false;
    same
}

#[test]
fn every_engine_leaves_the_same_bytes_on_any_number_of_threads_and_as_ever() {
    let here = folder("golden");
    let mut found = String::new();
    for run in RUNS {
        let one = sheets(&here, run, 1);
        for threads in [2, 4] {
            assert!(one == sheets(&here, run, threads), "{} differs on {threads} threads", run[0]);
        }
        writeln!(found, "{} {}", run[..3].join(" "), Fingerprint::of(&one)).unwrap();
    }
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden.txt");
    if std::env::var_os("RATTLEBACK_BLESS").is_some() {
        std::fs::write(&kept, &found).unwrap();
    }
    if !is_the_machine_of_the_file() {
        println!("the fingerprints of another machine are not compared");
        return;
    }
    assert_eq!(found, std::fs::read_to_string(&kept).unwrap(), "new bits: bless them if they are meant");
}
