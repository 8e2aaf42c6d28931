//! What can be wrong with a file.

use rattleback_geom::GeomError;
use std::path::PathBuf;

/// The result of everything in this crate that can fail.
pub type Result<T> = std::result::Result<T, SceneError>;

/// Why a file was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The file could not be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file's text is not what its format allows.
    #[error("{}: {message}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Line, column, what was found and what was expected.
        message: String,
    },
    /// The file's ending names no format that is known.
    #[error("{}: the ending says no known format; expected .toml, .json, .stl or .obj", path.display())]
    Format {
        /// The file.
        path: PathBuf,
    },
    /// The numbers make no surface.
    #[error("{}: {source}", path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// What is wrong with them.
        source: GeomError,
    },
    /// A line is not a pair of bodies.
    #[error("{message}{}", at(*column))]
    Pair {
        /// What was found and what was expected.
        message: String,
        /// Where in the line, from one; zero where that is not known.
        column: usize,
    },
    /// The numbers of a body make no shape or no placement.
    #[error("{key}: {source}")]
    Body {
        /// Where they stand.
        key: String,
        /// What is wrong with them.
        source: GeomError,
    },
}

fn at(column: usize) -> String {
    if column == 0 { String::new() } else { format!(", column {column}") }
}
