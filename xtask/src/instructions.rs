//! Instructions per query, counted by callgrind inside the driver's `query` alone.
//!
//! The count repeats from run to run and does not depend on other work on the machine, so that a change of a per cent
//! is seen. The driver is built for x86-64-v3 because valgrind does not run AVX-512.

use crate::{driver, inputs};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PAIRS: u64 = 2000;
const SETS: [&str; 5] = ["A", "B-thin", "penetrating", "overlapping", "SE"];
const PROCESSOR: &str = "x86-64-v3";

/// Prints the table; inputs and outputs are in `folder`, by default `target/peers`.
pub fn run(folder: Option<&str>) -> Result<(), String> {
    let found =
        Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !found.is_ok_and(|status| status.success()) {
        println!("skipped: valgrind is not installed");
        return Ok(());
    }
    let folder = folder.map_or_else(|| driver::root().join("target/peers"), PathBuf::from);
    for set in SETS {
        inputs::write_if_absent(&folder, set)?;
    }
    let program = driver::build(&folder, PROCESSOR)?;
    println!("instructions per query, cold start, mean of {PAIRS}");
    for set in SETS {
        println!("{set:<12} {:>8.0}", count(&folder, &program, set)? as f64 / PAIRS as f64);
    }
    Ok(())
}

fn count(folder: &Path, program: &Path, set: &str) -> Result<u64, String> {
    let profile = folder.join(format!("callgrind.{set}"));
    let mut valgrind = Command::new("valgrind");
    valgrind
        .args(["--quiet", "--tool=callgrind", "--toggle-collect=*peer_driver*query*"])
        .arg(format!("--callgrind-out-file={}", profile.display()))
        .arg(program)
        .arg("count")
        .arg(folder)
        .args([&PAIRS.to_string(), set]);
    driver::run("valgrind", &mut valgrind)?;
    let text = std::fs::read_to_string(&profile).map_err(|e| format!("{}: {e}", profile.display()))?;
    let total = text.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok());
    match total {
        Some(total) if total > 0 => Ok(total),
        _ => Err(format!("{}: no instruction was counted inside peer_driver::query", profile.display())),
    }
}
