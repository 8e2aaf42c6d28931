//! What can be wrong with a file.

use crate::mesh_file::ENDINGS;
use crate::read::{Complaint, Source};
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
    /// Neither the file's content nor its ending is that of a format that is known.
    #[error(
        "{}: neither content nor ending says a known format; expected .toml, .json, {ENDINGS}", path.display()
    )]
    Format {
        /// The file.
        path: PathBuf,
    },
    /// What a mesh file holds is no closed mesh.
    #[error("{}: {source}", path.display())]
    Mesh {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: GeomError,
    },
    /// The file says what makes no sense.
    #[error("{}", told(file, complaints))]
    Refused {
        /// The file.
        file: Source,
        /// All that is wrong with it.
        complaints: Vec<Complaint>,
    },
    /// A robot's description gives a scene that cannot begin.
    #[error("{}: the scene of it cannot begin: {reason}", path.display())]
    Start {
        /// The file.
        path: PathBuf,
        /// What the engine says.
        reason: String,
    },
    /// A line is not a pair of bodies.
    #[error("{message}{}", at(*column))]
    Pair {
        /// What was found and what was expected.
        message: String,
        /// Where in the line, from one; zero where that is not known.
        column: usize,
    },
}

/// Every complaint with the line it is about, and their count.
fn told(file: &Source, complaints: &[Complaint]) -> String {
    let mut text = String::new();
    for complaint in complaints {
        text += &complaint.show(file);
        text.push('\n');
    }
    let noun = if complaints.len() == 1 { "mistake" } else { "mistakes" };
    text + &format!("{} {noun} in {}", complaints.len(), file.path.display())
}

fn at(column: usize) -> String {
    if column == 0 { String::new() } else { format!(", column {column}") }
}
