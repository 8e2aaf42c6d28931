//! The checks, cheapest to explain first. Each one is an ordinary command that can be run alone.

use crate::python;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Name, arguments to cargo, environment.
type Check = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

const CHECKS: &[Check] = &[
    // The README's test command.
    ("tests", &["test", "--workspace", "--locked"], &[]),
    ("format", &["fmt", "--all", "--check"], &[]),
    (
        "clippy",
        &["clippy", "--workspace", "--all-targets", "--all-features", "--locked", "--", "-D", "warnings"],
        &[],
    ),
    (
        "rustdoc",
        &["doc", "--workspace", "--no-deps", "--all-features", "--locked"],
        &[("RUSTDOCFLAGS", "-D warnings")],
    ),
];

/// The oldest toolchain that the manifests claim.
const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Runs every check and stops at the first that fails; the Python package after the Rust tests, of which it shares
/// what is built.
pub fn run() -> Result<(), String> {
    for (name, arguments, environment) in CHECKS {
        let mut cargo = Command::new(env!("CARGO"));
        check(name, cargo.args(*arguments).envs(environment.iter().copied()))?;
        if *name == "tests" {
            python::test()?;
        }
    }
    oldest()
}

/// Runs a command, tells what it is and how long it took.
pub fn check(name: &str, command: &mut Command) -> Result<(), String> {
    let start = Instant::now();
    let program = Path::new(command.get_program()).file_name().unwrap_or_default().to_owned();
    let words: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    println!("== {name}: {} {}", program.display(), words.join(" "));
    let status = command.status();
    let status = status.map_err(|e| format!("{name}: {} could not be started: {e}", program.display()))?;
    if !status.success() {
        return Err(format!("{name} failed"));
    }
    println!("== {name}: passed in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// The libraries and the command with the oldest toolchain, where it is installed. Where it is not, clippy's lint
/// `incompatible_msrv` has still seen what the standard library did not have then, but not what the language lacked.
fn oldest() -> Result<(), String> {
    let rustup = |arguments: &[&str]| {
        let mut command = Command::new("rustup");
        // Those of the toolchain that runs this chore.
        command.env_remove("CARGO").env_remove("RUSTC").env_remove("RUSTDOC").args(["run", OLDEST, "cargo"]);
        command.args(arguments);
        command
    };
    let there = rustup(&["--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        println!("== oldest: NOT CHECKED, for want of `rustup toolchain install {OLDEST}`");
        return Ok(());
    }
    check("oldest", &mut rustup(&["check", "--workspace", "--all-features", "--locked"]))
}
