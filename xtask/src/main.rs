//! Chores of the repository. `cargo xtask` lists them.

mod ci;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <chore>

  ci    everything that must hold before a change lands: tests, format, clippy, rustdoc
";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let outcome = match arguments.next().as_deref() {
        Some("ci") => ci::run(),
        Some("help" | "--help" | "-h") | None => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Some(other) => Err(format!("no such chore: {other}\n\n{USAGE}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
