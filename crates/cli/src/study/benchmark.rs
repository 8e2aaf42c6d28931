//! `rattleback study benchmark`: certified pairs, and the drivers of other libraries where they can be built.

use super::Output;
use crate::console::Console;
use clap::Args;
use rattleback_record::{Document, WholeFile};
use rattleback_studies::benchmark::{self, Peers, files, set::Set};
use rattleback_studies::study::Drawn;
use rattleback_studies::{Result, StudyError};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(Args)]
pub struct Arguments {
    /// How many pairs a set has
    #[arg(long, default_value_t = benchmark::PAIRS, value_parser = clap::value_parser!(u64).range(1..))]
    samples: u64,
    /// Which pairs are drawn: the same seed draws the same ones
    #[arg(long, default_value_t = Drawn::default().seed)]
    seed: u64,
    /// A folder with drivers of other libraries and their script `measure`, which builds them and asks them the same
    /// pairs
    #[arg(long, value_name = "FOLDER")]
    peers: Option<PathBuf>,
    #[command(flatten)]
    pub output: Output,
}

pub fn report(arguments: &Arguments, console: &Console) -> Result<Document> {
    let data = benchmark::data(Drawn { samples: arguments.samples, seed: arguments.seed })?;
    let Some(drivers) = &arguments.peers else { return benchmark::report(&data, Peers::default()) };
    // Drivers read and write files: without a folder of one's own they work in a temporary one.
    let temporary = std::env::temp_dir().join(format!("rattleback-benchmark-{}", std::process::id()));
    let folder = arguments.output.folder("benchmark").unwrap_or_else(|| temporary.clone());
    for (set, pairs) in &data {
        for (name, bytes) in files::of(*set, pairs) {
            write(&folder.join(name), &bytes)?;
        }
    }
    let remark = match measure(drivers, &folder, console) {
        Ok(()) => "Names with a colon are other libraries, asked by their own drivers.".to_owned(),
        Err(reason) => format!(
            "Other libraries: {reason}. Those that are in the tables answered before that, by their own drivers."
        ),
    };
    let report = benchmark::report(&data, Peers { folder: Some(&folder), remark: Some(&remark) });
    if folder == temporary {
        // What cannot be removed is left to the system.
        let _ = std::fs::remove_dir_all(&temporary);
    }
    report
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let failed = |source| rattleback_record::RecordError::Write { path: path.to_owned(), source };
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(failed)?;
    }
    WholeFile::write(path, bytes).map_err(StudyError::from)
}

/// Builds the drivers and asks them all sets; what went wrong, in words.
fn measure(drivers: &Path, folder: &Path, console: &Console) -> std::result::Result<(), String> {
    let script = drivers.join("measure");
    if !script.is_file() {
        return Err(format!("{} has no script `measure`", drivers.display()));
    }
    let drivers = drivers.canonicalize().map_err(|e| format!("{}: {e}", drivers.display()))?;
    console.remark(&format!("building and running the drivers of {}", drivers.display()));
    let sets: Vec<&str> =
        Set::ALL.into_iter().filter(|set| *set != Set::Superellipsoids).map(Set::name).collect();
    let mut command = Command::new(drivers.join("measure"));
    run("measure", command.arg(folder).env("SETS", sets.join(" ")))?;
    // Of the drivers only this one takes superellipsoids.
    let folder = folder.canonicalize().map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut parry = Command::new(folder.join("bin/parry"));
    run("parry", parry.arg(Set::Superellipsoids.name()).env("PEERS_DIR", &folder))
}

fn run(name: &str, command: &mut Command) -> std::result::Result<(), String> {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    let status = status.map_err(|e| format!("{name} could not be started: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} failed: {status}")) }
}
