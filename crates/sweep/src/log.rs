//! The log of a sweep, `rows.jsonl`: one line for the study, then one for every run, in the order in which they end.
//!
//! A line is written at once and whole; what a killed program left of its last one is cut off when the log is opened
//! again. No line is ever changed. Numbers are written so that they are read back to the same bits; JSON has no NaN and
//! no infinity, which are written as text.

use crate::error::{Result, SweepError};
use rattleback_record::RecordError;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The name of the file.
const NAME: &str = "rows.jsonl";
/// What was written is on the disk after this time at the latest, if more rows come.
const SYNC: Duration = Duration::from_secs(1);

/// A number of a row.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cell(pub f64);

impl From<f64> for Cell {
    fn from(value: f64) -> Self {
        Self(value)
    }
}

/// By their bits, where all NaN are one.
impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits() || self.0.is_nan() && other.0.is_nan()
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, out: S) -> std::result::Result<S::Ok, S::Error> {
        if self.0.is_finite() {
            out.serialize_f64(self.0)
        } else {
            out.serialize_str(match self.0 {
                f64::INFINITY => "inf",
                f64::NEG_INFINITY => "-inf",
                _ => "NaN",
            })
        }
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(json: D) -> std::result::Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(f64),
            Word(String),
        }
        match Written::deserialize(json)? {
            Written::Number(number) => Ok(Self(number)),
            Written::Word(word) => match word.as_str() {
                "inf" => Ok(Self(f64::INFINITY)),
                "-inf" => Ok(Self(f64::NEG_INFINITY)),
                "NaN" => Ok(Self(f64::NAN)),
                other => Err(serde::de::Error::custom(format!("found \"{other}\"; expected a number"))),
            },
        }
    }
}

/// How a run of a sweep ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunStatus {
    /// At its end, healthy.
    #[default]
    Finished,
    /// At its end, but its health says that it is no motion of the scene.
    Broken,
    /// By an error.
    Failed,
}

impl RunStatus {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Broken => "broken",
            Self::Failed => "failed",
        }
    }
}

/// What became of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Row {
    /// Its number, from zero.
    pub run: usize,
    /// How it ended.
    pub status: RunStatus,
    /// The verdict on its health, or the error.
    pub verdict: String,
    /// What an application says became of it; empty where none does.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub outcome: String,
    /// How far it came, in s.
    pub reached_s: Cell,
    /// Steps that it took.
    pub steps: u64,
    /// Contacts that it had.
    pub contacts: u64,
    /// The outputs; NaN where it failed.
    pub outputs: Vec<Cell>,
}

/// The first line of a log: which study it is of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the log's format.
    pub format: u32,
    /// The version of the program.
    pub version: String,
    /// The fingerprint of the scene and of the values of all runs.
    pub study: String,
    /// How many runs there are.
    pub runs: usize,
    /// The parameters that are varied.
    pub parameters: Vec<String>,
    /// The outputs that are collected.
    pub outputs: Vec<String>,
}

impl Header {
    /// The version of the format.
    pub const FORMAT: u32 = 1;
}

/// A log that grows.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    header: Header,
    rows: Vec<Option<Row>>,
    done: usize,
    synced: Instant,
}

impl Log {
    /// Opens the log of a folder, which is made where it does not exist. A log of the same study goes on; a folder that
    /// holds anything else is refused, and so is one that another process writes to.
    pub fn open(folder: &Path, header: Header) -> Result<Self> {
        let refuse = |reason: String| SweepError::Folder { path: folder.to_owned(), reason };
        let path = folder.join(NAME);
        if !path.exists() {
            rattleback_record::claim_folder(folder)?;
        }
        let failed = |source| RecordError::Write { path: path.clone(), source };
        let opened = File::options().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = opened.map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RecordError::Busy { path: folder.to_owned() }.into()),
            Err(TryLockError::Error(source)) => return Err(failed(source).into()),
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(failed)?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut log = Self {
            path: path.clone(),
            rows: vec![None; header.runs],
            file,
            header,
            done: 0,
            synced: Instant::now(),
        };
        let mut lines = text[..whole].split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        match lines.next() {
            None => {
                log.file.set_len(0).and_then(|()| log.file.rewind()).map_err(failed)?;
                let line = serde_json::to_string(&log.header).map_err(|e| failed(e.into()))?;
                log.write(&line)?;
                log.file.sync_data().map_err(failed)?;
            }
            Some(line) => {
                let found: Header = serde_json::from_slice(line)
                    .map_err(|error| refuse(format!("{NAME}, line 1 is no log of a sweep: {error}")))?;
                if found != log.header {
                    return Err(refuse(difference(&found, &log.header)));
                }
                for (number, line) in lines.enumerate() {
                    let bad = |reason: String| refuse(format!("{NAME}, line {}: {reason}", number + 2));
                    let row: Row = serde_json::from_slice(line).map_err(|error| bad(error.to_string()))?;
                    log.keep(row).map_err(|error| bad(error.to_string()))?;
                }
                let end = whole as u64;
                log.file.set_len(end).and_then(|()| log.file.seek(SeekFrom::Start(end))).map_err(failed)?;
            }
        }
        Ok(log)
    }

    /// Which runs have no row yet.
    pub fn missing(&self) -> Vec<usize> {
        (0..self.rows.len()).filter(|&run| self.rows[run].is_none()).collect()
    }

    /// How many runs have their row.
    pub fn done(&self) -> usize {
        self.done
    }

    /// What it begins with.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The rows there are, by the numbers of their runs.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().flatten()
    }

    /// Adds a row; says whether it is new. A run that has its row already keeps it.
    pub fn add(&mut self, row: Row) -> Result<bool> {
        self.check(&row)?;
        if self.rows[row.run].is_some() {
            return Ok(false);
        }
        let failed = |source| RecordError::Write { path: self.path.clone(), source };
        let line = serde_json::to_string(&row).map_err(|e| failed(e.into()))?;
        self.write(&line)?;
        if self.synced.elapsed() >= SYNC {
            self.sync()?;
        }
        self.keep(row)?;
        Ok(true)
    }

    /// Has all rows on the disk.
    pub fn sync(&mut self) -> Result<()> {
        self.synced = Instant::now();
        let synced = self.file.sync_data();
        Ok(synced.map_err(|source| RecordError::Write { path: self.path.clone(), source })?)
    }

    fn check(&self, row: &Row) -> Result<()> {
        let (runs, outputs) = (self.header.runs, self.header.outputs.len());
        if row.run >= runs {
            let allowed = format!("below {runs}, the number of runs");
            return Err(SweepError::OutOfRange { what: "run", found: row.run as u64, allowed });
        }
        if row.outputs.len() != outputs {
            let (what, found) = ("number of outputs", row.outputs.len() as u64);
            return Err(SweepError::OutOfRange { what, found, allowed: outputs.to_string() });
        }
        Ok(())
    }

    /// The first row of a run counts.
    fn keep(&mut self, row: Row) -> Result<()> {
        self.check(&row)?;
        let place = &mut self.rows[row.run];
        if place.is_none() {
            *place = Some(row);
            self.done += 1;
        }
        Ok(())
    }

    /// One call of the system per line: whatever kills the program, the lines before are whole.
    fn write(&mut self, line: &str) -> Result<()> {
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        Ok(written.map_err(|source| RecordError::Write { path: self.path.clone(), source })?)
    }
}

fn difference(found: &Header, expected: &Header) -> String {
    let what = if found.format != expected.format {
        format!("has a log of format {}, this program writes format {}", found.format, expected.format)
    } else if found.version != expected.version {
        format!("was begun by version {}, this is version {}", found.version, expected.version)
    } else {
        "holds the rows of another study, or of this one with another scene".to_owned()
    };
    format!("{what}; name another folder")
}
