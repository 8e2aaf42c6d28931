//! What can go wrong in showing results.

use std::path::PathBuf;

/// The result of everything in this crate that can fail.
pub type Result<T> = std::result::Result<T, ViewError>;

/// Why a result could not be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// No port could be opened.
    #[error("no server on {address}: {source}")]
    Listen {
        /// Where it was to listen.
        address: std::net::SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// The system gives no random numbers, without which there is no secret address.
    #[error("the system gives no random numbers: {reason}")]
    Random {
        /// What it said.
        reason: String,
    },
    /// A result folder that cannot be read, or a picture that cannot be drawn.
    #[error(transparent)]
    Record(#[from] rattleback_record::RecordError),
    /// A file could not be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A result folder without a single record.
    #[error("{}: nothing has been recorded yet", path.display())]
    Empty {
        /// The folder.
        path: PathBuf,
    },
    /// A request that makes no sense.
    #[error("{what}: found {found}; expected {expected}")]
    Request {
        /// What was asked for.
        what: &'static str,
        /// What was given.
        found: String,
        /// What would do.
        expected: String,
    },
    /// A file of a kind that cannot be made.
    #[error("{}: {reason}", path.display())]
    Export {
        /// The file.
        path: PathBuf,
        /// Why not, and what would do.
        reason: String,
    },
}
