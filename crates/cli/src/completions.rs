//! `rattleback completions`: completions for a shell.

use crate::failure::Failure;
use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};
use std::process::ExitCode;

/// Print completions for a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  rattleback completions bash > ~/.local/share/bash-completion/completions/rattleback
  rattleback completions fish > ~/.config/fish/completions/rattleback.fish")]
pub struct Arguments {
    /// The shell
    shell: Shell,
}

/// Runs the verb.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut text = Vec::new();
    generate(arguments.shell, &mut crate::Command::command(), "rattleback", &mut text);
    crate::console::print(&String::from_utf8_lossy(&text))?;
    Ok(ExitCode::SUCCESS)
}
