//! What can go wrong in a query.

use rattleback_geom::{Brief, GeomError};

/// The result of everything in this crate that can fail.
pub type Result<T> = std::result::Result<T, ContactError>;

/// Why a query has no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ContactError {
    /// A number outside the range in which its field makes sense; NaN and infinities arrive here too.
    #[error("{field} = {}: must be {allowed}", Brief(*value))]
    OutOfRange {
        /// The field.
        field: String,
        /// What was found.
        value: f64,
        /// What is accepted, in words.
        allowed: &'static str,
    },
    /// No solver knows this pair of surfaces.
    #[error("no solver for {a} against {b}: {reason}")]
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
    /// A proximity query's name that is not known.
    #[error("no proximity query is called {name}; there are {known}")]
    UnknownProximity {
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
    /// Bodies that overlap, asked of a solver that has distances alone.
    #[error("{solver} has no depth: the bodies overlap")]
    NoDepth {
        /// The solver's name.
        solver: &'static str,
    },
    /// Bodies that meet in a line, a face or an edge, where Hertz's theory has no stiffness.
    #[error(
        "no Hertz stiffness for the relative curvatures {} and {} 1/m: {reason}; give the contact a `stiffness`",
        curvature[0], curvature[1]
    )]
    NoStiffness {
        /// The relative principal curvatures in 1/m.
        curvature: [f64; 2],
        /// What they mean.
        reason: &'static str,
    },
    /// A shape that is wrong in itself.
    #[error(transparent)]
    Geometry(#[from] GeomError),
}

/// A number that satisfies `holds`, or the error that names its field.
pub(crate) fn check(field: &str, value: f64, allowed: &'static str, holds: bool) -> Result<f64> {
    if holds && value.is_finite() {
        return Ok(value);
    }
    Err(ContactError::OutOfRange { field: field.to_owned(), value, allowed })
}

/// A finite number above zero.
pub(crate) fn positive(field: &str, value: f64) -> Result<f64> {
    check(field, value, "above zero and finite", value > 0.0)
}

/// A finite number not below zero.
pub(crate) fn not_negative(field: &str, value: f64) -> Result<f64> {
    check(field, value, "zero or above and finite", value >= 0.0)
}
