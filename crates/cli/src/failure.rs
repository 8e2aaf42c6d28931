//! How a command fails: what is said, and the exit code.
//!
//! | code | meaning |
//! |---|---|
//! | 0 | done |
//! | 1 | the input is wrong or could not be read |
//! | 2 | the command line is wrong |
//! | 3 | some lines of a file of pairs failed |
//! | 4 | the motion could not be computed to the end |
//! | 5 | results could not be written |
//! | 6 | the run is broken: its health verdict says why |
//! | 7 | some runs of a sweep failed or are broken |
//! | 130 | stopped by Ctrl-C |
//! | 143 | stopped by SIGTERM |

use rattleback_record::RecordError;
use rattleback_scene::SceneError;
use rattleback_sweep::SweepError;
use rattleback_view::ViewError;

/// The exit code of a run that is broken.
pub const BROKEN: u8 = 6;
/// The exit code of a sweep of which some runs failed or are broken.
pub const SOME_RUNS: u8 = 7;

/// A failure with its exit code.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub code: u8,
    /// What is said.
    pub message: String,
}

impl Failure {
    /// The input is wrong.
    pub fn input(message: impl Into<String>) -> Self {
        Self { code: 1, message: message.into() }
    }

    /// The command line is wrong in a way that its parser cannot see.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { code: 2, message: message.into() }
    }

    /// The motion could not be computed.
    pub fn motion(message: impl Into<String>) -> Self {
        Self { code: 4, message: message.into() }
    }

    /// The run came out broken.
    pub fn broken(message: impl Into<String>) -> Self {
        Self { code: BROKEN, message: message.into() }
    }

    /// Results could not be written.
    pub fn output(message: impl Into<String>) -> Self {
        Self { code: 5, message: message.into() }
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Self {
        Self::input(message)
    }
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        Self::input(error.to_string())
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        let code = match error {
            RecordError::Write { .. }
            | RecordError::Occupied { .. }
            | RecordError::Busy { .. }
            | RecordError::Parquet { .. } => 5,
            _ => 1,
        };
        Self { code, message: error.to_string() }
    }
}

impl From<ViewError> for Failure {
    fn from(error: ViewError) -> Self {
        match error {
            ViewError::Record(error) => error.into(),
            error @ (ViewError::Write { .. } | ViewError::Listen { .. } | ViewError::Random { .. }) => {
                Self::output(error.to_string())
            }
            error => Self::input(error.to_string()),
        }
    }
}

impl From<SweepError> for Failure {
    fn from(error: SweepError) -> Self {
        match error {
            SweepError::Scene(error) => error.into(),
            SweepError::Record(error) => error.into(),
            SweepError::Motion { .. } | SweepError::NoValue { .. } | SweepError::Stopped => {
                Self::motion(error.to_string())
            }
            SweepError::Stalled { .. } | SweepError::Broken { .. } => Self::broken(error.to_string()),
            SweepError::Unwritten { .. } | SweepError::Threads { .. } => Self::output(error.to_string()),
            SweepError::Option { option, reason } => Self::usage(format!("--{option}: {reason}")),
            SweepError::With { settings, source } => {
                let failure = Self::from(*source);
                Self { message: format!("the scene with {settings}: {}", failure.message), ..failure }
            }
            other => Self::input(other.to_string()),
        }
    }
}
