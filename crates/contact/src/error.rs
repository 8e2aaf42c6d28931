//! What can go wrong in a query.

use rattleback_geom::GeomError;

/// The result of everything in this crate that can fail.
pub type Result<T> = std::result::Result<T, ContactError>;

/// Why a query has no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ContactError {
    /// A number outside the range in which its field makes sense; NaN and infinities arrive here too.
    #[error("{field} = {value}: must be {allowed}")]
    OutOfRange {
        /// The field.
        field: String,
        /// What was found.
        value: f64,
        /// What is accepted, in words.
        allowed: &'static str,
    },
    /// No solver knows this pair of surfaces.
    #[error("no solver for a {a} against a {b}: {reason}")]
    Unsupported {
        /// Kind of A.
        a: &'static str,
        /// Kind of B.
        b: &'static str,
        /// What is missing.
        reason: &'static str,
    },
    /// Every common normal lies outside the planes that bound an open surface: no contact, as far as it goes.
    #[error("a {a} and a {b} have no common normal within the bounds of both")]
    BeyondBounds {
        /// Kind of A.
        a: &'static str,
        /// Kind of B.
        b: &'static str,
    },
    /// A solver's name that is not known.
    #[error("no solver is called {name}; there are {known}")]
    UnknownSolver {
        /// What was asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A solver stopped without an answer.
    #[error("{solver} found no contact point after {iterations} iterations: the residual is {residual:e}")]
    NotConverged {
        /// The solver's name.
        solver: &'static str,
        /// Iterations spent.
        iterations: u32,
        /// The residual it stopped at.
        residual: f64,
    },
    /// A shape that is wrong in itself.
    #[error(transparent)]
    Geometry(#[from] GeomError),
}
