//! Our queries beside those of Coal, MuJoCo and parry: the same pairs, one thread, native code, in the same minutes.
//!
//! The drivers of the others are outside the repository, in `../shared/peers`; its script `measure` builds and runs
//! them, and says what the files in `WORKDIR/out` hold. Superellipsoids (SE) are run on parry alone, which takes any
//! support function. With several rounds the libraries take turns and the best round of each counts.

use crate::table::{self, Timing};
use crate::{driver, inputs};
use std::fs;
use std::path::Path;
use std::process::Command;

const SETS: [&str; 5] = ["A", "B-thin", "penetrating", "overlapping", "SE"];

/// Measures, then prints one table per set.
pub fn run(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let folder = &arguments.next().ok_or("usage: cargo xtask peers WORKDIR [ROUNDS [SET...]]")?;
    let rounds: u32 = match arguments.next() {
        None => 1,
        Some(text) => text.parse().map_err(|e| format!("ROUNDS is {text}, not a whole number: {e}"))?,
    };
    let peers = driver::root().join("../shared/peers");
    if !peers.join("measure").exists() {
        println!("skipped: {} has no drivers of other libraries", peers.display());
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(|e| format!("{folder}: {e}"))?;
    let folder = &fs::canonicalize(folder).map_err(|e| format!("{folder}: {e}"))?;
    let program = driver::build(folder, "native")?;
    // Rows of former runs stay in the file and out of the tables.
    let former = timings(folder)?.len();
    let named: Vec<String> = arguments.collect();
    let sets: Vec<&str> =
        if named.is_empty() { SETS.to_vec() } else { named.iter().map(String::as_str).collect() };
    let ellipsoids: Vec<&str> = sets.iter().copied().filter(|&set| set != "SE").collect();
    for _ in 0..rounds {
        inputs::write_if_absent(folder, "overlapping")?;
        if !ellipsoids.is_empty() {
            let mut measure = Command::new(peers.join("measure"));
            driver::run("measure", measure.arg(folder).env("SETS", ellipsoids.join(" ")))?;
        }
        if sets.contains(&"SE") {
            inputs::write_if_absent(folder, "SE")?;
            let mut parry = Command::new(folder.join("bin/parry"));
            driver::run("parry", parry.arg("SE").env("PEERS_DIR", folder))?;
        }
        driver::run("the driver", Command::new(&program).arg("time").arg(folder).args(&sets))?;
    }
    let rows = timings(folder)?.split_off(former);
    for set in sets {
        println!("\n{}", table::of(folder, set, &rows)?);
    }
    Ok(())
}

fn timings(folder: &Path) -> Result<Vec<Timing>, String> {
    let file = folder.join("out/timings.csv");
    if !file.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let row =
        |(k, line)| Timing::parse(line).ok_or(format!("{}:{}: not a row of times", file.display(), k + 1));
    text.lines().enumerate().map(row).collect()
}
