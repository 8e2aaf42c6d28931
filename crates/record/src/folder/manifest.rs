//! The manifest of a result folder, `run.json`: what was run, how far it came, and what is in the files.

use super::columns::{Column, Sheet};
use super::stored_health::HealthSummary;
use crate::error::{RecordError, Result};
use crate::whole_file::WholeFile;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// The version of the files of a result folder.
pub(super) const FORMAT: u32 = 2;
/// The name of the file.
pub(super) const NAME: &str = "run.json";

/// What is to be run, as the caller knows it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct About {
    /// The scene's title or name.
    pub title: String,
    /// The scene's text, which goes into the folder.
    pub scene: String,
    /// The options as they were given.
    pub options: BTreeMap<String, String>,
    /// The parameters of the scene, in SI units.
    pub parameters: BTreeMap<String, String>,
    /// Which solver moves it, and why, where the scene does not say it.
    pub solver: String,
    /// Where the simulated time begins, in s.
    pub begin: f64,
    /// Where it is to end, in s.
    pub end: f64,
    /// The time between outputs, in s.
    pub interval: f64,
    /// The fingerprints of the other files that the scene reads, by their names.
    pub inputs: BTreeMap<String, String>,
}

/// How a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It goes on, or it was killed.
    Running,
    /// It came to its end, healthy.
    Finished,
    /// It came to its end, but what it found is no motion of this scene: its health says why.
    Broken,
    /// The user stopped it.
    Stopped,
    /// An error ended it.
    Failed,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunOutcome {
    /// At its end.
    Finished,
    /// By the user.
    Stopped,
    /// By an error, in its own words.
    Failed(String),
}

/// The total energy of a run, as seen at its outputs, in J.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[allow(non_snake_case, reason = "the names end in their units")]
pub struct Balance {
    /// At the first output.
    #[serde(deserialize_with = "number")]
    pub start_J: f64,
    /// At the last one.
    #[serde(deserialize_with = "number")]
    pub end_J: f64,
    /// The greatest distance from the start.
    #[serde(deserialize_with = "number")]
    pub drift_J: f64,
}

impl Balance {
    /// Takes the total energy of an output; a drift that is not a number stays one.
    pub(super) fn see(&mut self, total: f64) {
        let distance = (total - self.start_J).abs();
        self.end_J = total;
        self.drift_J = if self.drift_J > distance || self.drift_J.is_nan() { self.drift_J } else { distance };
    }
}

/// The manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the folder's format.
    pub format: u32,
    /// The version of the program.
    pub rattleback: String,
    /// The scene's title or name.
    pub title: String,
    /// The options as they were given.
    pub options: BTreeMap<String, String>,
    /// The parameters of the scene, in SI units.
    #[serde(default)]
    pub parameters: BTreeMap<String, String>,
    /// Which solver moves it, and why, where the scene does not say it.
    #[serde(default)]
    pub solver: String,
    /// The fingerprints of the other files that the scene reads, by their names.
    #[serde(default)]
    pub inputs: BTreeMap<String, String>,
    /// When the run was started, RFC 3339 in UTC.
    pub started: String,
    /// How it stands.
    pub status: Status,
    /// What went wrong, if anything did.
    pub error: Option<String>,
    /// Where the simulated time begins, in s.
    #[serde(deserialize_with = "number")]
    pub begin_s: f64,
    /// Where it is to end, in s.
    #[serde(deserialize_with = "number")]
    pub end_s: f64,
    /// How far it came, in s: the last output, or the last step where that is later.
    #[serde(deserialize_with = "number")]
    pub reached_s: f64,
    /// The time between outputs, in s.
    #[serde(deserialize_with = "number")]
    pub interval_s: f64,
    /// Outputs so far.
    pub outputs: u64,
    /// Steps so far.
    pub steps: u64,
    /// Time spent so far, in s.
    #[serde(deserialize_with = "number")]
    pub wall_s: f64,
    /// Simulated time over time spent: above one is faster than the world.
    #[serde(deserialize_with = "number")]
    pub speed: f64,
    /// Contacts that have ended so far, and after the end those that still last.
    pub events: u64,
    /// The total energy; none before the first output.
    pub energy: Option<Balance>,
    /// Whether it can be trusted so far.
    #[serde(default)]
    pub health: Option<HealthSummary>,
    /// What is in the files.
    pub sheets: Vec<SheetSummary>,
}

/// A sheet in the manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SheetSummary {
    /// Its name.
    pub name: String,
    /// Rows, without the header.
    pub rows: u64,
    /// Its files.
    pub files: Vec<FileSummary>,
    /// Its columns.
    pub columns: Vec<ColumnSummary>,
}

/// A file in the manifest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileSummary {
    /// Its name.
    pub name: String,
    /// Its length.
    pub bytes: u64,
}

/// A column in the manifest and in Parquet's metadata.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColumnSummary {
    /// Its name.
    pub name: String,
    /// Its unit; empty where there is none.
    pub unit: String,
    /// `float`, `integer` or `text`.
    pub kind: String,
    /// What it says.
    pub meaning: String,
}

impl From<&Column> for ColumnSummary {
    fn from(column: &Column) -> Self {
        Self {
            name: column.name.to_owned(),
            unit: column.unit.to_owned(),
            kind: column.kind.word().to_owned(),
            meaning: column.meaning.to_owned(),
        }
    }
}

/// The columns of a sheet, for manifests and metadata.
pub(super) fn summaries(sheet: Sheet) -> Vec<ColumnSummary> {
    sheet.columns().iter().map(ColumnSummary::from).collect()
}

impl Manifest {
    /// Reads the manifest of a folder.
    pub fn read(folder: &Path) -> Result<Self> {
        match read_json(&folder.join(NAME), FORMAT) {
            Err(RecordError::Read { source, .. })
                if source.kind() == ErrorKind::NotFound && folder.is_dir() =>
            {
                Err(RecordError::NoRun { path: folder.to_owned() })
            }
            read => read,
        }
    }

    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        write_json(&folder.join(NAME), self)
    }
}

/// JSON has no NaN and no infinity: they are written as null, and come back as NaN.
pub(super) fn number<'de, D: Deserializer<'de>>(json: D) -> std::result::Result<f64, D::Error> {
    Ok(Option::deserialize(json)?.unwrap_or(f64::NAN))
}

/// Only the version, which is looked at before the rest.
#[derive(Deserialize)]
struct Version {
    format: u32,
}

/// Reads a file of the given version.
pub(super) fn read_json<T: for<'de> Deserialize<'de>>(path: &Path, expected: u32) -> Result<T> {
    let bytes = std::fs::read(path).map_err(|source| RecordError::Read { path: path.to_owned(), source })?;
    let unreadable = |source: serde_json::Error| RecordError::Unreadable {
        path: path.to_owned(),
        reason: source.to_string(),
    };
    let version: Version = serde_json::from_slice(&bytes).map_err(unreadable)?;
    if version.format != expected {
        return Err(RecordError::Format { path: path.to_owned(), found: version.format, expected });
    }
    serde_json::from_slice(&bytes).map_err(unreadable)
}

/// Writes a file whole.
pub(super) fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let written = || -> std::io::Result<()> {
        let mut file = WholeFile::create(path)?;
        serde_json::to_writer_pretty(&mut file, value)?;
        file.write_all(b"\n")?;
        file.finish()
    };
    written().map_err(|source| RecordError::Write { path: path.to_owned(), source })
}
