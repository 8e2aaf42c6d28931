//! `rattleback schema`: the JSON Schema of the files that the program reads.

use crate::applications::FORMAT;
use crate::failure::Failure;
use clap::{Args, ValueEnum};
use std::process::ExitCode;

/// Print the JSON Schema of scene files, for editors that complete and check
#[derive(Args)]
#[command(after_help = "\
Examples:
  rattleback schema > scene.schema.json
  rattleback schema shape")]
pub struct Arguments {
    /// Of which files
    #[arg(value_enum, default_value = "scene")]
    of: Files,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Files {
    /// Scenes
    Scene,
    /// Shapes
    Shape,
    /// Plane curves
    Curve,
    /// Studies of rattleback sweep
    Study,
}

/// Runs the verb.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let schema = match arguments.of {
        Files::Scene => FORMAT.scene_schema(),
        Files::Shape => FORMAT.shape_schema(),
        Files::Curve => FORMAT.curve_schema(),
        Files::Study => rattleback_sweep::study_schema(),
    };
    crate::console::print(&format!("{schema:#}\n"))?;
    Ok(ExitCode::SUCCESS)
}
