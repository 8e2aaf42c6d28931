//! The command `rattleback`.

mod distance;
mod shape;
mod study;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Smooth-surface contact in multibody dynamics.
#[derive(Parser)]
#[command(name = "rattleback", version, about, long_about = None)]
#[command(after_help = "\
Exit codes: 0 done; 1 the input is wrong or could not be read; 2 the command line is wrong; 3 some lines failed.

Examples:
  rattleback shape scenes/shapes/rattleback.toml
  rattleback shape body.toml --density 7800 --chord 1e-4 --mesh body.stl
  rattleback distance scenes/pairs/examples.jsonl
  rattleback study roemer --samples 20000 --plot")]
struct Command {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    Distance(distance::Arguments),
    Shape(shape::Arguments),
    Study(study::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Command::parse().verb {
        Verb::Distance(arguments) => distance::run(&arguments),
        Verb::Shape(arguments) => shape::run(&arguments),
        Verb::Study(arguments) => study::run(&arguments),
    };
    match outcome {
        Ok(code) => code,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
