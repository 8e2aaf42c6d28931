//! Rolling and spinning resistance: torques against the relative angular velocity ω of B against A.
//!
//!   T_roll = −b_r N τ(ω_t),   T_spin = −b_s N tanh(ω_n/ω₁) n,   τ(ω) = tanh(‖ω‖/ω₁) ω/‖ω‖
//!
//! with ω_t the tangent part of ω and ω_n = n·ω. The coefficients are lengths: b_r is how far ahead of the contact's
//! middle a rolling body is carried, b_s is 2/3 of the contact's radius times μ for an even pressure.
//!
//! | symbol | field | unit |
//! |---|---|---|
//! | b_r, b_s | `rolling`, `spinning` | m |
//! | ω₁ | `transition` | rad/s |

use super::friction::{Direction, direction};
use crate::error::{Result, not_negative, positive};
use rattleback_geom::{Mat3, Vec3};

/// The coefficients.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resistance {
    rolling: f64,
    spinning: f64,
    transition: f64,
}

/// The torques on B and their derivatives.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ResistanceTorque {
    /// The torque against rolling, a tangent vector, in N m.
    pub rolling: Vec3,
    /// ∂/∂ω_t.
    pub rolling_by_angular_velocity: Mat3,
    /// The torque against spinning, along the normal, in N m.
    pub spinning: f64,
    /// ∂/∂ω_n.
    pub spinning_by_spin: f64,
    /// The power that friction dissipates, not negative, in W.
    pub friction_loss: f64,
}

impl Resistance {
    /// The transition in rad/s where none is asked for: a ball of 1 cm that rolls at 1 mm/s turns so fast, the speed at
    /// which [`Coulomb::TRANSITION`](super::friction::Coulomb::TRANSITION) fades.
    pub const TRANSITION: f64 = 0.1;

    /// None.
    pub const NONE: Resistance = Resistance { rolling: 0.0, spinning: 0.0, transition: Self::TRANSITION };

    /// Coefficients in metres, smooth about rest: 76 % acts at the angular velocity `transition` in rad/s.
    pub fn new(rolling: f64, spinning: f64, transition: f64) -> Result<Self> {
        Ok(Self {
            rolling: not_negative("rolling resistance", rolling)?,
            spinning: not_negative("spinning resistance", spinning)?,
            transition: positive("transition", transition)?,
        })
    }

    /// The same with another coefficient b_r of rolling, in m.
    pub fn with_rolling(self, rolling: f64) -> Result<Self> {
        Self::new(rolling, self.spinning, self.transition)
    }

    /// The same with another coefficient b_s of spinning, in m.
    pub fn with_spinning(self, spinning: f64) -> Result<Self> {
        Self::new(self.rolling, spinning, self.transition)
    }

    /// The coefficient b_s of spinning, in m.
    pub fn spinning(&self) -> f64 {
        self.spinning
    }

    /// The torques on B for the tangent part and the normal component of ω, under the normal force N ≥ 0. Both are
    /// proportional to N.
    pub fn torque(&self, tangent: &Vec3, normal: f64, normal_force: f64) -> ResistanceTorque {
        if self.rolling == 0.0 && self.spinning == 0.0 {
            return ResistanceTorque::default();
        }
        let Direction { value, by_vector } = direction(tangent, self.transition);
        let fade = (normal / self.transition).tanh();
        let (roll, spin) = (self.rolling * normal_force, self.spinning * normal_force);
        ResistanceTorque {
            rolling: value * -roll,
            rolling_by_angular_velocity: by_vector * -roll,
            spinning: -spin * fade,
            spinning_by_spin: -spin * (1.0 - fade) * (1.0 + fade) / self.transition,
            friction_loss: roll * value.dot(tangent) + spin * fade * normal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn torques_oppose_the_spin_within_their_bounds() {
        let law = Resistance::new(1e-3, 2e-3, 0.1).unwrap();
        let found = law.torque(&Vec3::new(3.0, -4.0, 0.0), 7.0, 50.0);
        assert!((found.rolling - Vec3::new(-0.6, 0.8, 0.0) * 0.05).norm() < 1e-12);
        assert!((found.spinning + 0.1).abs() < 1e-12);
        assert!((found.friction_loss - 0.05 * 5.0 - 0.1 * 7.0).abs() < 1e-12);
    }

    #[test]
    fn bad_input_is_refused_by_name() {
        for (found, said) in [
            (Resistance::new(-1.0, 0.0, 1.0), "rolling resistance = -1"),
            (Resistance::new(0.0, f64::NAN, 1.0), "spinning resistance = NaN"),
            (Resistance::new(0.0, 0.0, 0.0), "transition = 0"),
        ] {
            let message = found.unwrap_err().to_string();
            assert!(message.starts_with(said), "{message}");
        }
    }
}
