//! The command `rattleback`.

mod shape;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Smooth-surface contact in multibody dynamics.
#[derive(Parser)]
#[command(name = "rattleback", version, about, long_about = None)]
#[command(after_help = "\
Exit codes: 0 done; 1 the input is wrong or could not be read; 2 the command line is wrong.

Examples:
  rattleback shape scenes/shapes/rattleback.toml
  rattleback shape body.toml --density 7800 --chord 1e-4 --mesh body.stl")]
struct Command {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Shape(shape::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Command::parse().verb {
        Verb::Shape(arguments) => shape::run(&arguments),
    };
    match outcome {
        Ok(code) => code,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
