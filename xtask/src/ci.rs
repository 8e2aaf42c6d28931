//! The checks, cheapest to explain first. Each one is an ordinary command that can be run alone.

use std::process::Command;
use std::time::Instant;

/// Name, arguments to cargo, environment.
type Check = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

const CHECKS: &[Check] = &[
    // The README's test command.
    ("tests", &["test", "--workspace"], &[]),
    ("format", &["fmt", "--all", "--check"], &[]),
    ("clippy", &["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"], &[]),
    ("rustdoc", &["doc", "--workspace", "--no-deps", "--all-features"], &[("RUSTDOCFLAGS", "-D warnings")]),
];

/// Runs every check and stops at the first that fails.
pub fn run() -> Result<(), String> {
    for (name, arguments, environment) in CHECKS {
        let start = Instant::now();
        println!("== {name}: cargo {}", arguments.join(" "));
        let status = Command::new(env!("CARGO"))
            .args(*arguments)
            .envs(environment.iter().copied())
            .status()
            .map_err(|e| format!("{name}: cargo could not be started: {e}"))?;
        if !status.success() {
            return Err(format!("{name} failed"));
        }
        println!("== {name}: passed in {:.0} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}
