//! `rattleback study atlas` and `study stowage`: maps of study files, the built-in ones or the user's own.

use super::Output;
use crate::applications::FORMAT;
use crate::console::Console;
use crate::examples;
use crate::failure::Failure;
use crate::interrupt;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget};
use rattleback_record::Document;
use rattleback_studies::StudyError;
use rattleback_studies::map::{self, BuiltInStudy, MapWatcher};
use rattleback_sweep::{StopRequest, Study};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Args)]
pub struct Arguments {
    /// A study file with the same parameters, in place of the built-in one
    study: Option<PathBuf>,
    #[command(flatten)]
    pub output: Output,
}

impl Arguments {
    fn read(&self, built_in: &BuiltInStudy) -> Result<Arc<Study>, Failure> {
        let scene = |name: &str| examples::find(name).map(|example| example.source());
        let study = match &self.study {
            Some(path) => map::read_study(path, &FORMAT, scene),
            None => built_in.read(&FORMAT, None),
        };
        study.map_err(failure)
    }
}

/// What a study says went wrong, with the exit code of what it is.
pub fn failure(error: StudyError) -> Failure {
    match error {
        StudyError::Sweep(error) => error.into(),
        StudyError::Record(error) => error.into(),
        StudyError::Stopped => Failure { code: interrupt::code(), message: "stopped".to_owned() },
        error => Failure::input(error.to_string()),
    }
}

struct Shown {
    bar: ProgressBar,
}

impl Shown {
    fn new(runs: usize, console: &Console) -> Self {
        let seen = console.speaks() && std::io::stderr().is_terminal();
        let target = if seen { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Self { bar: ProgressBar::with_draw_target(Some(runs as u64), target) }
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl MapWatcher for Shown {
    fn done(&self, done: usize, _: usize) {
        self.bar.set_position(done as u64);
    }

    fn goes_on(&self) -> bool {
        interrupt::stop_request() == StopRequest::GoOn
    }
}

/// Makes the atlas; says where its page goes.
pub fn atlas(arguments: &Arguments, console: &Console) -> Result<(Document, Option<PathBuf>), Failure> {
    let study = arguments.read(&map::atlas::STUDY)?;
    interrupt::listen();
    let shown = Shown::new(study.runs(), console);
    let report = map::atlas::report(&study, &FORMAT, &shown).map_err(failure)?;
    Ok((report, arguments.output.folder("atlas")))
}

/// Makes the stowage map; says where its page goes.
pub fn stowage(arguments: &Arguments, console: &Console) -> Result<(Document, Option<PathBuf>), Failure> {
    let study = arguments.read(&map::stowage::STUDY)?;
    interrupt::listen();
    let shown = Shown::new(study.runs(), console);
    let folder = arguments.output.folder("stowage");
    // Without a folder of its own the runs are kept in a temporary one.
    let temporary = std::env::temp_dir().join(format!("rattleback-stowage-{}", std::process::id()));
    let runs = folder.as_ref().map_or_else(|| temporary.clone(), |folder| folder.join("runs"));
    let report = map::stowage::report(&study, &runs, &FORMAT, &shown).map_err(failure);
    if folder.is_none() {
        // What cannot be removed is left to the system.
        let _ = std::fs::remove_dir_all(&temporary);
    }
    Ok((report?, folder))
}
