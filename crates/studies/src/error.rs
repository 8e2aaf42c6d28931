//! What can go wrong in a study.

use rattleback_contact::ContactError;
use rattleback_dynamics::DynamicsError;
use rattleback_geom::GeomError;
use rattleback_record::RecordError;
use rattleback_scene::SceneError;
use rattleback_sweep::SweepError;
use thiserror::Error;

/// The result of a study.
pub type Result<T> = std::result::Result<T, StudyError>;

/// Why a study cannot be made.
#[derive(Debug, Error)]
pub enum StudyError {
    /// A number that makes no sense.
    #[error("{field} = {value}: must be {allowed}")]
    OutOfRange {
        /// What it is.
        field: &'static str,
        /// The number.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// No case has this name.
    #[error("no case is named \"{name}\"")]
    UnknownCase {
        /// The name.
        name: String,
    },
    /// A scene file without a key that a study changes.
    #[error("case {case} has no key {key}")]
    MissingKey {
        /// The case.
        case: &'static str,
        /// The key, such as `contacts.0.normal`.
        key: String,
    },
    /// A scene that is not what a study expects of it.
    #[error("case {case}: expected {expected}")]
    Unexpected {
        /// The case.
        case: &'static str,
        /// What is expected.
        expected: &'static str,
    },
    /// A scene file that is no TOML.
    #[error("case {case}: {reason}")]
    Toml {
        /// The case.
        case: &'static str,
        /// Why.
        reason: String,
    },
    /// A scene that is refused.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A query without an answer.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// A motion that cannot be computed.
    #[error(transparent)]
    Dynamics(#[from] DynamicsError),
    /// A shape that is wrong in itself.
    #[error(transparent)]
    Geometry(#[from] GeomError),
    /// Records that cannot be read, or a report that cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Runs of a study file that cannot be made.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// A study file that varies other parameters than its map has.
    #[error("the study varies {found}; the map is over {expected}")]
    Parameters {
        /// The parameters of the study.
        found: String,
        /// Those of the map.
        expected: String,
    },
    /// It was ended from outside.
    #[error("stopped")]
    Stopped,
}

/// Refuses what is not a number above zero.
pub(crate) fn positive(field: &'static str, value: f64) -> Result<()> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(StudyError::OutOfRange { field, value, allowed: "above zero and finite" })
}

/// Refuses what is not zero or a number above it.
pub(crate) fn not_negative(field: &'static str, value: f64) -> Result<()> {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(StudyError::OutOfRange { field, value, allowed: "zero or above, and finite" })
}
