//! The normal force: how hard two bodies push each other apart.
//!
//! A law sees how deep, how fast and how stiff, never a shape. Signs: the depth δ is positive in contact, its rate δ̇
//! is positive while the bodies approach, the force is positive when it pushes.
//!
//! | family | force | file |
//! |---|---|---|
//! | hysteresis | F = K δⁿ (1 + c δ̇/v₀), c from the restitution by the rule of each author | `hysteresis.rs` |
//! | linear | F = K δ + D δ̇ (Kelvin–Voigt) | `kelvin_voigt.rs` |
//!
//! v₀ is the approach speed at which the contact began: it belongs to the contact's state. The force never pulls unless
//! the law is made adhesive. What restitution a law yields is in `restitution.rs`.
//!
//! Energy: K δⁿ⁺¹/(n + 1) is stored, the rest of the force's work, (F − K δⁿ) δ̇ ≥ 0, is damped away. Where a force
//! that would pull is cut off, the energy that the recovering bodies keep to themselves counts as damped.

mod hysteresis;
mod kelvin_voigt;
mod restitution;

pub use hysteresis::{Hysteresis, Rule};
pub use kelvin_voigt::KelvinVoigt;
pub use restitution::{
    factor_of_restitution, ratio_of_restitution, restitution_of_factor, restitution_of_ratio,
};

/// What a normal law sees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Indentation {
    /// δ, positive in contact, in m.
    pub depth: f64,
    /// δ̇, positive while approaching, in m/s.
    pub rate: f64,
    /// v₀ > 0, the rate at which the contact began, in m/s.
    pub approach_speed: f64,
    /// K, in N/mⁿ.
    pub stiffness: f64,
}

/// What a normal law says.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NormalForce {
    /// F, positive when it pushes, in N.
    pub force: f64,
    /// ∂F/∂δ, in N/m.
    pub by_depth: f64,
    /// ∂F/∂δ̇, in N s/m.
    pub by_rate: f64,
    /// ∂F/∂K, in mⁿ.
    pub by_stiffness: f64,
    /// The elastic energy, in J.
    pub stored: f64,
    /// ∂(stored)/∂K, in J per N/mⁿ.
    pub stored_by_stiffness: f64,
    /// The power that is damped away, not negative, in W.
    pub damped: f64,
}

impl NormalForce {
    /// The same where the law counts with a weight.
    #[must_use]
    pub fn weighted(self, weight: f64) -> Self {
        Self {
            force: self.force * weight,
            by_depth: self.by_depth * weight,
            by_rate: self.by_rate * weight,
            by_stiffness: self.by_stiffness * weight,
            stored: self.stored * weight,
            stored_by_stiffness: self.stored_by_stiffness * weight,
            damped: self.damped * weight,
        }
    }
}

/// A normal law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NormalLaw {
    /// F = K δⁿ (1 + c δ̇/v₀).
    Hysteresis(Hysteresis),
    /// F = K δ + D δ̇.
    KelvinVoigt(KelvinVoigt),
}

impl NormalLaw {
    /// The exponent n of the elastic part.
    pub fn exponent(&self) -> f64 {
        match self {
            Self::Hysteresis(law) => law.exponent(),
            Self::KelvinVoigt(_) => 1.0,
        }
    }

    /// The same law, but allowed to pull.
    #[must_use]
    pub fn adhesive(self) -> Self {
        match self {
            Self::Hysteresis(law) => Self::Hysteresis(law.adhesive()),
            Self::KelvinVoigt(law) => Self::KelvinVoigt(law.adhesive()),
        }
    }

    /// The force, its derivatives and its energies. Without depth there is none of them.
    #[inline]
    pub fn force(&self, at: &Indentation) -> NormalForce {
        if !(at.depth > 0.0) {
            return NormalForce::default();
        }
        match self {
            Self::Hysteresis(law) => law.force(at),
            Self::KelvinVoigt(law) => law.force(at),
        }
    }
}

impl From<Hysteresis> for NormalLaw {
    fn from(law: Hysteresis) -> Self {
        Self::Hysteresis(law)
    }
}

impl From<KelvinVoigt> for NormalLaw {
    fn from(law: KelvinVoigt) -> Self {
        Self::KelvinVoigt(law)
    }
}
