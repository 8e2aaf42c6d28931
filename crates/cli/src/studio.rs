//! `rattleback studio`: scenes written, drawn, run and compared, on a page that this program serves to this machine
//! alone.

use crate::applications::FORMAT;
use crate::console::Console;
use crate::examples;
use crate::failure::Failure;
use crate::studio_tools::TOOLS;
use crate::view::{feed, serve};
use clap::Args;
use rattleback_view::{Handler, Server, Studio, StudioOptions};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Write scenes, run them and watch them, in a browser
///
/// The page is served to this machine alone, at an address with a secret in it, until Ctrl-C; runs end then at their
/// next outputs, with checkpoints. Scenes are saved beside the one that is opened, or in the present folder, and
/// results go to results/ there.
#[derive(Args)]
#[command(after_help = "\
Examples:
  rattleback studio
  rattleback studio scene.toml --open")]
pub struct Arguments {
    /// The scene file to open, TOML
    scene: Option<PathBuf>,
    /// Listen at this port [default: any that is free]
    #[arg(long)]
    port: Option<u16>,
    /// Open the page in the browser of the desktop
    #[arg(long)]
    open: bool,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let unreadable = |error: std::io::Error| Failure::input(error.to_string());
    let parent =
        arguments.scene.as_deref().and_then(Path::parent).filter(|path| !path.as_os_str().is_empty());
    let folder = std::path::absolute(parent.unwrap_or(Path::new("."))).map_err(unreadable)?;
    let studio = Arc::new(Studio::new(StudioOptions {
        program: std::env::current_exe().map_err(unreadable)?,
        format: FORMAT,
        examples: examples::all().collect(),
        folder,
        scene: arguments.scene.clone(),
        open: |folder| feed(folder).map_err(|failure| failure.message),
        tools: TOOLS,
    })?);
    let server = Server::bind(None, arguments.port)?;
    let handler: Arc<dyn Handler> = studio.clone();
    serve(&server, &handler, arguments.open, console)?;
    studio.end();
    Ok(ExitCode::SUCCESS)
}
