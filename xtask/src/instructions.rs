//! Instructions per query, counted by callgrind inside the driver's `query` alone. Overlapping pairs are counted
//! twice: by a search for the least depth, and with the proof that it is the least.
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
    println!("instructions per query, cold start; {PAIRS} pairs of each set, a bar where there are none");
    println!("{:<12} {:>9} {:>21} {:>19}", "", "separate", "overlapping, searched", "overlapping, proved");
    for set in SETS {
        let [separate, searched, proved] = [
            mean(&folder, &program, set, "separate")?,
            mean(&folder, &program, set, "searched")?,
            mean(&folder, &program, set, "overlapping")?,
        ];
        println!("{set:<12} {separate:>9} {searched:>21} {proved:>19}");
    }
    Ok(())
}

fn mean(folder: &Path, program: &Path, set: &str, state: &str) -> Result<String, String> {
    let (total, pairs) = count(folder, program, set, state)?;
    Ok(if pairs > 0 { format!("{:.0}", total as f64 / pairs as f64) } else { "-".to_owned() })
}

/// Instructions of all pairs of a set in a state, and how many pairs these are.
fn count(folder: &Path, program: &Path, set: &str, state: &str) -> Result<(u64, u64), String> {
    let profile = folder.join(format!("callgrind.{set}.{state}"));
    let mut valgrind = Command::new("valgrind");
    valgrind
        .args(["--quiet", "--tool=callgrind", "--toggle-collect=*peer_driver*query*"])
        .arg(format!("--callgrind-out-file={}", profile.display()))
        .arg(program)
        .arg("count")
        .arg(folder)
        .args([&PAIRS.to_string(), set, state])
        .stderr(Stdio::inherit());
    let output = valgrind.output().map_err(|e| format!("valgrind could not be started: {e}"))?;
    if !output.status.success() {
        return Err(format!("valgrind failed: {}", output.status));
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    let pairs = printed.trim().parse().map_err(|e| format!("the driver printed {printed:?}: {e}"))?;
    if pairs == 0 {
        return Ok((0, 0));
    }
    let text = std::fs::read_to_string(&profile).map_err(|e| format!("{}: {e}", profile.display()))?;
    let total = text.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok());
    match total {
        Some(total) if total > 0 => Ok((total, pairs)),
        _ => Err(format!("{}: no instruction was counted inside peer_driver::query", profile.display())),
    }
}
