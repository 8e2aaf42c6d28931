//! The chore around `chaos/`: builds the program, prints the table, removes what was written.

use crate::{chaos, driver};
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// `ROUNDS [SEED [PROGRAM]]`; an error where anything differed.
pub fn run(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let number = |text: Option<String>, usual: Option<u64>, what: &str| match text {
        Some(text) => text.parse().map_err(|_| format!("{what}: found {text}; expected a whole number")),
        None => usual.ok_or_else(|| format!("{what}: expected a whole number")),
    };
    let rounds = number(arguments.next(), None, "ROUNDS")?;
    let seed = number(arguments.next(), Some(1), "SEED")?;
    let program = arguments.next().map_or_else(build, |path| Ok(PathBuf::from(path)))?;
    let folder = std::env::temp_dir().join(format!("rattleback-chaos-{}", std::process::id()));
    let begun = Instant::now();
    let outcome = chaos::rounds(&program, &folder, rounds, seed, &mut |line| println!("{line}"));
    // Where something differed it can be looked at.
    let (table, differences) = outcome?;
    print!("{table}");
    println!("{rounds} rounds from seed {seed} in {:.0} s", begun.elapsed().as_secs_f64());
    if differences > 0 {
        return Err(format!("{differences} differences; the last folders are in {}", folder.display()));
    }
    std::fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))
}

/// The program, built as it is released.
pub fn build() -> Result<PathBuf, String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--release", "--package", "rattleback-cli"]).current_dir(driver::root());
    driver::run("cargo", &mut cargo)?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| driver::root().join("target"), PathBuf::from);
    Ok(target.join("release/rattleback"))
}
