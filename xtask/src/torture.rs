//! Brute force against the narrow phase: the package `xtask-torture`, built with optimisation.
//!
//! It is a package of its own because it needs the engine, which the other chores do without: they stay quick to build.

use crate::driver;
use std::process::Command;

/// Runs it with the arguments PAIRS, SEED and KIND.
pub fn run(arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .current_dir(driver::root())
        .args(["run", "--quiet", "--release", "--package", "xtask-torture", "--"])
        .args(arguments);
    driver::run("torture", &mut cargo)
}
