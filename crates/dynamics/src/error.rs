//! What can go wrong in motion.

use rattleback_contact::ContactError;
use rattleback_geom::{Brief, GeomError};

/// The result of everything in this crate that can fail.
pub type Result<T> = std::result::Result<T, DynamicsError>;

/// Why a motion cannot be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DynamicsError {
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
    /// Something in a model that cannot be.
    #[error("{what}: {reason}")]
    Invalid {
        /// The body, joint, force or field.
        what: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Something in a model that the engine asked for cannot move.
    #[error("the solver \"{scheme}\" cannot move this: {what}")]
    Unsupported {
        /// The engine's name in scenes.
        scheme: &'static str,
        /// What it is, why, and which engine can.
        what: crate::support::Unsupported,
    },
    /// A list whose length does not fit the equations.
    #[error("{field} has {found} entries, the equations have {expected}")]
    Dimension {
        /// The list.
        field: &'static str,
        /// Its length.
        found: usize,
        /// The number of equations.
        expected: usize,
    },
    /// A NaN or an infinity that no smaller step avoids.
    #[error("{what} is not finite at t = {time}")]
    NotFinite {
        /// The last time up to which all was finite.
        time: f64,
        /// What was not.
        what: &'static str,
    },
    /// The accuracy asked for needs a step that the time cannot resolve.
    #[error("the step at t = {time} would have to be smaller than {step:e}, which rounding does not allow")]
    StepTooSmall {
        /// The time that was reached.
        time: f64,
        /// The last step tried.
        step: f64,
    },
    /// The limit on steps was reached before the end.
    #[error("{steps} steps led no further than t = {time}")]
    TooManySteps {
        /// The time that was reached.
        time: f64,
        /// Steps spent.
        steps: usize,
    },
    /// What an observer returns to end a run before its time; nothing is wrong.
    #[error("stopped at t = {time}")]
    Stopped {
        /// When.
        time: f64,
    },
    /// A position that no small correction brings onto the constraints.
    #[error("joint {joint} cannot be assembled: its equations are left with {residual:e}")]
    CannotAssemble {
        /// The joint, or the body, whose equations are worst.
        joint: String,
        /// What is left of them.
        residual: f64,
    },
    /// A joint whose frames do not meet at the start.
    #[error(
        "joint {joint} is open by {open:.4} m or rad at the start: to close the joints, body {body} would be moved by \
         {distance:.4} m and {angle:.4} rad; place the bodies so that they fit, or say `snap = true` in [solver]"
    )]
    JointOpen {
        /// The joint that is open the farthest.
        joint: String,
        /// By how much.
        open: f64,
        /// The body that would be moved the farthest.
        body: String,
        /// In m.
        distance: f64,
        /// In rad.
        angle: f64,
    },
    /// A velocity at the start that the joints do not allow.
    #[error(
        "the velocity of body {body} contradicts its joints: velocity = {velocity:?} and an angular velocity of \
         {angular_velocity:?} in world axes would fit best; say these, or `snap = true` in [solver]"
    )]
    VelocityContradicts {
        /// The body.
        body: String,
        /// The nearest velocity that fits, in m/s.
        velocity: [f64; 3],
        /// The angular velocity that goes with it, in world axes, in rad/s.
        angular_velocity: [f64; 3],
    },
    /// Equations of motion that the iteration does not solve, however short the step.
    #[error(
        "a step of {step:e} s at t = {time} does not converge: the worst is body {body} with {residual:e}"
    )]
    NotConverged {
        /// The time that was reached.
        time: f64,
        /// The last step tried.
        step: f64,
        /// The body with the largest residual, or the joint of a relative coordinate.
        body: String,
        /// Its residual as a change of coordinates, in m or rad.
        residual: f64,
    },
    /// A chain that cannot lie along its path.
    #[error(
        "chain {chain} does not fit: its links are {length:.4} m long in a row, its path is {path:.4} m long"
    )]
    ChainLength {
        /// The chain.
        chain: String,
        /// The sum of its links' inner lengths.
        length: f64,
        /// The length of its path.
        path: f64,
    },
    /// A contact query without an answer.
    #[error(transparent)]
    Contact(#[from] ContactError),
    /// A shape that is wrong in itself.
    #[error(transparent)]
    Geometry(#[from] GeomError),
}

/// Refuses what `allowed` does not describe, by the name of its field.
pub(crate) fn demand(holds: bool, field: &str, value: f64, allowed: &'static str) -> Result<()> {
    if holds && value.is_finite() {
        return Ok(());
    }
    Err(DynamicsError::OutOfRange { field: field.to_owned(), value, allowed })
}

/// Any number.
pub(crate) fn finite(field: &str, value: f64) -> Result<()> {
    demand(true, field, value, "finite")
}

/// A number above zero.
pub(crate) fn positive(field: &str, value: f64) -> Result<()> {
    demand(value > 0.0, field, value, "above zero and finite")
}

/// Zero or a number above it.
pub(crate) fn not_negative(field: &str, value: f64) -> Result<()> {
    demand(value >= 0.0, field, value, "zero or above, and finite")
}
