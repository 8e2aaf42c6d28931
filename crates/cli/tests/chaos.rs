//! A short round of `cargo xtask chaos`: every engine is killed, stopped, starved and damaged, and goes on to the same
//! bytes.

#![cfg(unix)]

#[path = "../../../xtask/src/chaos/mod.rs"]
mod chore;

use crate::command::folder;
use std::path::Path;

#[test]
fn whatever_befalls_a_run_it_goes_on_to_the_same_bytes() {
    let here = folder("chaos");
    let program = Path::new(env!("CARGO_BIN_EXE_rattleback"));
    let mut said = Vec::new();
    let mut told = |line: &str| said.push(line.to_owned());
    let (table, differences) =
        chore::rounds(program, &here, 3 * chore::CASES.len() as u64, 15, &mut told).unwrap();
    assert_eq!(differences, 0, "{}\n{table}", said.join("\n"));
}
