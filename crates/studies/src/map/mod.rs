//! Maps: what becomes of a scene over its parameters, from the runs of a study file of `scenes/studies`.
//!
//! | map | what it shows | file |
//! |---|---|---|
//! | `atlas` | how often and how soon a rattleback turns back, over the angle of its inertia, friction and damping | `atlas.rs` |
//! | `stowage` | how probable it is that an anchor jams, over its heading, its swing and the sea, for several hulls | `stowage.rs` |
//!
//! The grids are coarse: the atlas is made of 234 short runs, the stowage map of 72 runs of ten seconds each. A study
//! file of one's own with the same parameters takes their place.

pub mod atlas;
mod lattice;
pub mod stowage;

use crate::error::{Result, StudyError};
use lattice::Lattice;
use rattleback_record::Table;
use rattleback_scene::{Format, Source};
use rattleback_sweep::{Row, RunStatus, Study};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Who is told of a map on its way, from several threads at once, and may end it.
pub trait MapWatcher: Sync {
    /// So many of all runs are done.
    fn done(&self, _done: usize, _runs: usize) {}

    /// Whether to go on.
    fn goes_on(&self) -> bool {
        true
    }
}

/// Nobody watches.
impl MapWatcher for () {}

/// A study file that is compiled in, with its scene.
#[derive(Debug, Clone, Copy)]
pub struct BuiltInStudy {
    file: &'static str,
    text: &'static str,
    scene: (&'static str, &'static str),
}

impl BuiltInStudy {
    /// The study; its runs end after so many seconds, if that is asked for.
    pub fn read(&self, format: &Format, duration: Option<f64>) -> Result<Arc<Study>> {
        // A folder that is on no disk: the scene beside the file is the one that is compiled in.
        let path = PathBuf::from("built-in study").join(self.file);
        let ends = duration.map(|seconds| format!("duration = {seconds:?}\n")).unwrap_or_default();
        let source = Source { path, text: ends + self.text, beside: Vec::new() };
        let scene = |name: &str| {
            (name == self.scene.0).then(|| Source {
                path: PathBuf::from(self.scene.0),
                text: self.scene.1.to_owned(),
                beside: Vec::new(),
            })
        };
        Ok(Arc::new(Study::parse(source, format, scene)?))
    }
}

/// The study of a file in place of a built-in one; it must vary the same parameters.
pub fn read_study(
    path: &Path,
    format: &Format,
    built_in: impl Fn(&str) -> Option<Source>,
) -> Result<Arc<Study>> {
    Ok(Arc::new(Study::read(path, format, built_in)?))
}

/// A map of a study cannot be made of other parameters than its own.
fn check_parameters(study: &Study, wanted: &[&'static str]) -> Result<()> {
    let found: Vec<&str> = study.parameters().map(|(name, _)| name).collect();
    let mut sorted = (found.clone(), wanted.to_vec());
    sorted.0.sort_unstable();
    sorted.1.sort_unstable();
    if sorted.0 == sorted.1 {
        return Ok(());
    }
    Err(StudyError::Parameters { found: found.join(", "), expected: wanted.join(", ") })
}

/// The parameters and what became of every run, as text to read by programs.
fn rows_csv(study: &Study, lattice: &Lattice, rows: &[Row], columns: &[(&str, Vec<String>)]) -> String {
    let names = study.parameters().map(|(name, unit)| match unit {
        "" => name.to_owned(),
        unit => format!("{name} in {unit}"),
    });
    let own = columns.iter().map(|(name, _)| (*name).to_owned());
    let mut text = names.chain(["status".to_owned()]).chain(own).collect::<Vec<_>>().join(",") + "\n";
    for (k, row) in rows.iter().enumerate() {
        let values = lattice.values(row.run).iter().map(|value| format!("{value:?}"));
        let status = std::iter::once(row.status.word().to_owned());
        let own = columns.iter().map(|(_, values)| values.get(k).cloned().unwrap_or_default());
        text += &(values.chain(status).chain(own).collect::<Vec<_>>().join(",") + "\n");
    }
    text
}

/// How the runs ended, in a table.
fn statuses(rows: &[Row]) -> Table {
    let mut table = Table::new(["runs", "finished", "broken", "failed"]);
    let count = |status: RunStatus| rows.iter().filter(|row| row.status == status).count().to_string();
    table.push([
        rows.len().to_string(),
        count(RunStatus::Finished),
        count(RunStatus::Broken),
        count(RunStatus::Failed),
    ]);
    table
}
