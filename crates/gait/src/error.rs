//! What can be wrong with a trial.

use std::fmt;
use std::path::{Path, PathBuf};

/// The result of this crate's functions.
pub type Result<T, E = GaitError> = std::result::Result<T, E>;

/// How many complaints about one file are told.
pub const MAX_COMPLAINTS: usize = 20;

/// Something wrong at a place of a file. Lines and columns count from one, columns in characters; line zero is the file
/// as a whole.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Complaint {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
    /// What was found and what was expected.
    pub message: String,
}

/// An error about a trial.
#[derive(Debug, Clone, PartialEq)]
pub enum GaitError {
    /// A file could not be read.
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A file could not be written.
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A file is damaged.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The first complaints, at most [`MAX_COMPLAINTS`].
        complaints: Vec<Complaint>,
        /// How many more there are.
        more: usize,
    },
    /// The data do not hold what was asked of them.
    Unsupported {
        /// What was asked.
        what: String,
        /// What is missing or contradictory.
        reason: String,
    },
    /// A motion could not be computed.
    Motion {
        /// What moves.
        what: String,
        /// Why not.
        reason: String,
    },
    /// Whoever watched it asked it to stop.
    Stopped,
    /// A number is outside of what is allowed.
    OutOfRange {
        /// The field.
        field: String,
        /// Its value.
        value: f64,
        /// What is allowed.
        allowed: String,
    },
}

impl GaitError {
    /// The data do not hold what was asked of them.
    pub fn unsupported(what: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Unsupported { what: what.into(), reason: reason.into() }
    }

    /// A motion that could not be computed.
    pub fn motion(what: impl Into<String>, reason: impl fmt::Display) -> Self {
        Self::Motion { what: what.into(), reason: reason.to_string() }
    }

    /// A number outside of what is allowed.
    pub fn out_of_range(field: impl Into<String>, value: f64, allowed: impl Into<String>) -> Self {
        Self::OutOfRange { field: field.into(), value, allowed: allowed.into() }
    }
}

impl fmt::Display for GaitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, reason } => write!(f, "{}: could not be read: {reason}", path.display()),
            Self::Write { path, reason } => write!(f, "{}: could not be written: {reason}", path.display()),
            Self::Damaged { path, complaints, more } => {
                for (i, complaint) in complaints.iter().enumerate() {
                    let Complaint { line, column, message } = complaint;
                    let end = if i == 0 { "" } else { "\n" };
                    match line {
                        0 => write!(f, "{end}{}: {message}", path.display())?,
                        _ => write!(f, "{end}{}:{line}:{column}: {message}", path.display())?,
                    }
                }
                if *more > 0 { write!(f, "\n{}: and {more} more", path.display()) } else { Ok(()) }
            }
            Self::Unsupported { what, reason } | Self::Motion { what, reason } => {
                write!(f, "{what}: {reason}")
            }
            Self::Stopped => write!(f, "stopped"),
            Self::OutOfRange { field, value, allowed } => {
                write!(f, "{field}: {value} is not allowed, it must be {allowed}")
            }
        }
    }
}

impl std::error::Error for GaitError {}

/// Complaints about one file, as they are found.
#[derive(Debug, Default)]
pub(crate) struct Complaints {
    first: Vec<Complaint>,
    more: usize,
}

impl Complaints {
    pub(crate) fn add(&mut self, line: usize, column: usize, message: impl Into<String>) {
        if self.first.len() < MAX_COMPLAINTS {
            self.first.push(Complaint { line, column, message: message.into() });
        } else {
            self.more += 1;
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// An error where there was any complaint.
    pub(crate) fn finish(self, path: &Path) -> Result<()> {
        if self.first.is_empty() {
            return Ok(());
        }
        Err(GaitError::Damaged { path: path.to_owned(), complaints: self.first, more: self.more })
    }
}
