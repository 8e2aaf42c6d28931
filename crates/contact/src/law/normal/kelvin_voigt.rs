//! F = K δ + D δ̇: a linear spring beside a linear damper (Kelvin and Voigt).
//!
//! Its damping D is in N s/m. Unlike the other laws its restitution depends on the masses, e(ζ) with ζ = D/(2√(K m))
//! and m the effective mass 1/(1/m_A + 1/m_B); `with_restitution` inverts that. At first touch the force jumps to D v₀,
//! a known defect of the law.

use super::restitution::ratio_of_restitution;
use super::{Indentation, NormalForce};
use crate::error::{Result, not_negative, positive};

/// The law F = K δ + D δ̇.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KelvinVoigt {
    damping: f64,
    adhesive: bool,
}

impl KelvinVoigt {
    /// The law with the damping D ≥ 0 in N s/m.
    pub fn new(damping: f64) -> Result<Self> {
        Ok(Self { damping: not_negative("damping", damping)?, adhesive: false })
    }

    /// The law whose damping yields `restitution` for a stiffness in N/m and an effective mass in kg, never pulling.
    pub fn with_restitution(restitution: f64, stiffness: f64, mass: f64) -> Result<Self> {
        positive("stiffness", stiffness)?;
        positive("mass", mass)?;
        let ratio = ratio_of_restitution(restitution, false)?;
        Self::new(2.0 * ratio * (stiffness * mass).sqrt())
    }

    /// The same law, but allowed to pull.
    #[must_use]
    pub fn adhesive(self) -> Self {
        Self { adhesive: true, ..self }
    }

    /// The damping D in N s/m.
    pub fn damping(&self) -> f64 {
        self.damping
    }

    pub(super) fn force(&self, at: &Indentation) -> NormalForce {
        let elastic = at.stiffness * at.depth;
        let force = elastic + self.damping * at.rate;
        let energy = NormalForce {
            stored: 0.5 * elastic * at.depth,
            stored_by_stiffness: 0.5 * at.depth * at.depth,
            damped: -elastic * at.rate,
            ..NormalForce::default()
        };
        if force <= 0.0 && !self.adhesive {
            return energy;
        }
        NormalForce {
            force,
            by_depth: at.stiffness,
            by_rate: self.damping,
            by_stiffness: at.depth,
            damped: self.damping * at.rate * at.rate,
            ..energy
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_input_is_refused_by_name() {
        for (found, said) in [
            (KelvinVoigt::new(-1.0), "damping = -1"),
            (KelvinVoigt::new(f64::NAN), "damping = NaN"),
            (KelvinVoigt::with_restitution(0.5, -1.0, 1.0), "stiffness = -1"),
            (KelvinVoigt::with_restitution(0.5, 1.0, 0.0), "mass = 0"),
            (KelvinVoigt::with_restitution(1.5, 1.0, 1.0), "restitution = 1.5"),
        ] {
            let message = found.unwrap_err().to_string();
            assert!(message.starts_with(said), "{message}");
        }
    }
}
