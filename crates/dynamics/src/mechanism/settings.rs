//! How a mechanism is integrated.

use crate::error::{DynamicsError, Result};

/// The rule that ties velocities and accelerations to positions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// The implicit trapezoidal rule.
    Trapezoidal,
    /// The generalized-α rule.
    GeneralizedAlpha {
        /// The factor ρ∞ that remains of infinitely fast oscillations after a step, in [0, 1].
        rho: f64,
    },
}

/// How long steps are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step {
    /// All alike.
    Fixed(f64),
    /// As the estimate of the local error allows.
    Adaptive {
        /// The local error allowed per step in any coordinate, in m and rad.
        tolerance: f64,
        /// The first step in s.
        first: f64,
        /// The longest step in s.
        longest: f64,
    },
}

/// How a mechanism is integrated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The rule.
    pub rule: Rule,
    /// The steps of [`super::Mechanism::advance`].
    pub step: Step,
    /// κ: by how much the penalty outweighs the inertia. 1e6 takes two iterations on the multipliers to rounding and
    /// leaves the matrix ten digits.
    pub penalty: f64,
    /// The last correction of an iteration that counts as converged, as a share of the step's displacement. What is
    /// left after it is smaller again, but accelerations magnify it by 4/Δt²: 1e-12 keeps it below the rule's own
    /// error.
    pub tolerance: f64,
    /// Iterations before a step is cut in half. Newton's method takes three to five; near a singular position a
    /// multiplier may take many more, which no shorter step avoids.
    pub iterations: usize,
    /// How often a step may be cut in half.
    pub halvings: u32,
    /// Whether bodies whose joints do not close at the start, or whose velocities contradict them, are moved without
    /// question. If not, more than a thousandth of the arm or of the speed is an error.
    pub snap: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rule: Rule::Trapezoidal,
            step: Step::Fixed(1e-3),
            penalty: 1e6,
            tolerance: 1e-12,
            iterations: 60,
            halvings: 12,
            snap: true,
        }
    }
}

impl Settings {
    /// The same with steps of `h` s.
    #[must_use]
    pub fn with_step(self, h: f64) -> Self {
        Self { step: Step::Fixed(h), ..self }
    }

    /// Whether all numbers make sense.
    pub(super) fn check(&self) -> Result<()> {
        let positive = |field: &str, value: f64| {
            if value > 0.0 && value.is_finite() {
                return Ok(());
            }
            Err(DynamicsError::OutOfRange {
                field: field.to_owned(),
                value,
                allowed: "above zero and finite",
            })
        };
        positive("penalty", self.penalty)?;
        positive("tolerance", self.tolerance)?;
        positive("iterations", self.iterations as f64)?;
        match self.step {
            Step::Fixed(h) => positive("step", h)?,
            Step::Adaptive { tolerance, first, longest } => {
                positive("tolerance of the step", tolerance)?;
                positive("first step", first)?;
                positive("longest step", longest)?;
            }
        }
        match self.rule {
            Rule::GeneralizedAlpha { rho } if !(0.0..=1.0).contains(&rho) => {
                Err(DynamicsError::OutOfRange { field: "rho".to_owned(), value: rho, allowed: "in [0, 1]" })
            }
            _ => Ok(()),
        }
    }
}
