//! What can go wrong with runs and sweeps.

use rattleback_dynamics::DynamicsError;
use rattleback_record::RecordError;
use rattleback_scene::SceneError;
use std::path::PathBuf;

/// The result of everything in this crate that can fail.
pub type Result<T> = std::result::Result<T, SweepError>;

/// Why a run or a sweep could not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// A scene or a study that is refused.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// Results that could not be kept or read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Results that could not be written while a run went on.
    #[error("{source}{}", kept(folder.as_ref()))]
    Unwritten {
        /// What the record says.
        source: RecordError,
        /// The folder.
        folder: Option<PathBuf>,
    },
    /// The motion could not be computed to the end.
    #[error("{}", told(described, health, *reached, folder.as_ref()))]
    Motion {
        /// What the engine says.
        source: Box<DynamicsError>,
        /// The same, shown in the scene where it is about a place there.
        described: String,
        /// What is wrong with the run's health, if anything is.
        health: Option<String>,
        /// How far it came, in s.
        reached: f64,
        /// Where everything up to there is.
        folder: Option<PathBuf>,
    },
    /// Many steps lead no further.
    #[error("{}", told(verdict, &None, *reached, folder.as_ref()))]
    Stalled {
        /// The verdict on the run's health.
        verdict: String,
        /// How far it came, in s.
        reached: f64,
        /// Where everything up to there is.
        folder: Option<PathBuf>,
    },
    /// The run came to its end, but its health says that it is no motion of the scene.
    #[error("{verdict}")]
    Broken {
        /// The verdict on its health.
        verdict: String,
    },
    /// What an application remembers of a run cannot be read.
    #[error("{}: what its checkpoint remembers of the scene cannot be read: {reason}", path.display())]
    Memory {
        /// The folder.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The user stopped it.
    #[error("stopped")]
    Stopped,
    /// An option of a run that does not suit the scene.
    #[error("{option}: {reason}")]
    Option {
        /// `duration` or `every`.
        option: &'static str,
        /// What was found and what is expected.
        reason: String,
    },
    /// A parameter that a scene does not have.
    #[error("there is no parameter \"{name}\"; the scene has {known}")]
    Parameter {
        /// What was asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// An output that has no finite value.
    #[error("{output} has no value")]
    NoValue {
        /// Which.
        output: String,
    },
    /// Something about one run among several.
    #[error("the scene with {settings}: {source}")]
    With {
        /// The parameters that were changed, as `radius = 0.01 m`.
        settings: String,
        /// What is wrong.
        source: Box<SweepError>,
    },
    /// A folder that holds another study, or files that are none.
    #[error("{}: {reason}", path.display())]
    Folder {
        /// The folder or the file.
        path: PathBuf,
        /// What it holds and what is expected.
        reason: String,
    },
    /// A number of threads, of a run or of a row that is not possible.
    #[error("{what} = {found}: must be {allowed}")]
    OutOfRange {
        /// What it is.
        what: &'static str,
        /// What was found.
        found: u64,
        /// What is accepted.
        allowed: String,
    },
    /// Threads could not be started.
    #[error("threads could not be started: {reason}")]
    Threads {
        /// What the system said.
        reason: String,
    },
}

fn kept(folder: Option<&PathBuf>) -> String {
    folder.map_or_else(String::new, |folder| format!("\nWhat was written before is in {}", folder.display()))
}

fn told(what: &str, health: &Option<String>, reached: f64, folder: Option<&PathBuf>) -> String {
    let mut text = what.to_owned();
    if let Some(health) = health {
        text += &format!("\n{health}");
    }
    if let Some(folder) = folder {
        text += &format!("\nAll up to t = {reached} s is in {}", folder.display());
    }
    text
}
