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
    /// A file could not be written.
    #[error("{}: {source}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}
