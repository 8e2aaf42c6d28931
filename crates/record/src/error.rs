//! What can go wrong in keeping results.

use std::path::PathBuf;

/// The result of everything in this crate that can fail.
pub type Result<T> = std::result::Result<T, RecordError>;

/// Why a result could not be kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// A figure could not be drawn.
    #[error("figure \"{figure}\": {reason}")]
    Figure {
        /// Its title.
        figure: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A picture could not be drawn.
    #[error("{what}: {reason}")]
    Picture {
        /// The body, the camera, the size or whatever is at fault.
        what: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A model or a state that dynamics refuses.
    #[error(transparent)]
    Dynamics(#[from] rattleback_dynamics::DynamicsError),
    /// A curve that a result folder does not have.
    #[error("no curve is named \"{name}\": {reason}")]
    Curve {
        /// Its name.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A file could not be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file could not be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A folder for new results that is not empty.
    #[error("{}: holds \"{found}\" already; results are never overwritten", path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
        /// Something that is in it.
        found: String,
    },
    /// A folder that another process writes to.
    #[error("{}: another process is writing to it", path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// A folder without a manifest.
    #[error("{}: is no result folder: it has no run.json", path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
    },
    /// A run that was ended before its first checkpoint.
    #[error("{}: has no checkpoint to go on from: the run ended before the first one was stored, and has to be begun anew", path.display())]
    NoCheckpoint {
        /// The folder.
        path: PathBuf,
    },
    /// A file in JSON that is cut off or that somebody has changed.
    #[error("{}: cannot be understood: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        reason: String,
    },
    /// A file of another version of the format.
    #[error("{}: has format {found}, this program reads format {expected}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version that can be read.
        expected: u32,
    },
    /// A checkpoint from which this run cannot go on.
    #[error("{}: {reason}", path.display())]
    Mismatch {
        /// The checkpoint.
        path: PathBuf,
        /// What differs.
        reason: String,
    },
    /// A run that has come to its end and cannot be taken up again.
    #[error("{}: the run has finished", path.display())]
    Finished {
        /// The folder.
        path: PathBuf,
    },
    /// A file that is shorter than the checkpoint knows it.
    #[error("{}: has {found} bytes, the checkpoint counts on {expected}", path.display())]
    Shortened {
        /// The file.
        path: PathBuf,
        /// Its length.
        found: u64,
        /// The length at the checkpoint.
        expected: u64,
    },
    /// A state or a list that does not belong to the model of the record.
    #[error("{what} number {found}, the model has {expected}")]
    Count {
        /// The list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// What the model has.
        expected: usize,
    },
    /// A NaN or an infinity in a state that was to be stored.
    #[error("{field} = {value}: a checkpoint holds finite numbers only")]
    NotFinite {
        /// Which number.
        field: String,
        /// Its value.
        value: f64,
    },
    /// A line of a sheet that is none.
    #[error("{}, line {line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A cell of a sheet that is not what its column holds.
    #[error("{}, line {line}, column {column}: found \"{found}\", expected {expected}", path.display())]
    Cell {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column.
        column: &'static str,
        /// What it holds.
        found: String,
        /// What was expected, in words.
        expected: &'static str,
    },
    /// A column that a sheet does not have, or has of another kind.
    #[error("{sheet} has no column \"{column}\" of {expected}")]
    Column {
        /// The sheet.
        sheet: &'static str,
        /// The column.
        column: String,
        /// What was asked for: numbers or text.
        expected: &'static str,
    },
    /// A body or joint that a sheet does not have.
    #[error("{sheet} has no {what} \"{name}\"")]
    Absent {
        /// The sheet.
        sheet: &'static str,
        /// What was asked for.
        what: &'static str,
        /// Its name.
        name: String,
    },
    /// A Parquet file could not be made.
    #[error("{}: {reason}", path.display())]
    Parquet {
        /// The file.
        path: PathBuf,
        /// What the library said.
        reason: String,
    },
}
