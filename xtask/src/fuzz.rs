//! `cargo xtask fuzz`: builds and runs the package `rattleback-fuzz`, which is apart so that other chores need not
//! build the engine.

use crate::driver::{root, run as run_command};
use std::process::Command;

/// Runs it with the arguments that it is given; none of them asks it for help.
pub fn run(arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .current_dir(root())
        // The profile of tests: optimised, with checks for overflow and the engine's own assertions.
        .args(["run", "--quiet", "--profile", "test", "--package", "rattleback-fuzz", "--"])
        .args(arguments);
    run_command("fuzzing", &mut cargo)
}
