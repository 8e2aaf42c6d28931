//! The program that asks our engine the queries of a set: the example `peer_driver` of the contact crate.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// Builds the driver for a processor, with the options of the other libraries' drivers, and returns where it is.
pub fn build(folder: &Path, processor: &str) -> Result<PathBuf, String> {
    let target = folder.join(format!("rattleback-{processor}"));
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .current_dir(root())
        .args([
            "build",
            "--quiet",
            "--release",
            "--package",
            "rattleback-contact",
            "--example",
            "peer_driver",
        ])
        .arg("--target-dir")
        .arg(&target)
        .env("RUSTFLAGS", format!("-C target-cpu={processor}"))
        .env("CARGO_PROFILE_RELEASE_LTO", "fat")
        .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "1");
    run("the build of the driver", &mut cargo)?;
    Ok(target.join("release/examples/peer_driver"))
}

/// Runs a command to its end.
pub fn run(name: &str, command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|e| format!("{name} could not be started: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} failed: {status}")) }
}
