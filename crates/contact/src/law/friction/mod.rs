//! Friction: the force in the common tangent plane.
//!
//! A law sees the slip velocity v of B against A (a tangent vector), the normal force N and, for a bristle, its state;
//! it returns the force on B. Every law opposes the slip and stays inside the cone it claims:
//!
//! | law | force on B | bound | file |
//! |---|---|---|---|
//! | none | 0 | 0 | – |
//! | Coulomb, Römer (97) | −μN tanh(‖v‖/v₁) v/‖v‖ | μN | `coulomb.rs` |
//! | Coulomb and viscous, Marques (44) | −(μN + c‖v‖) tanh(‖v‖/v₁) v/‖v‖ | μN + c‖v‖ | `coulomb.rs` |
//! | Coulomb, shared with spin | −μN tanh(s/v₁) v/s, s² = ‖v‖² + ρ²ω², and a torque | μN | `coulomb.rs` |
//! | bristle, Dopico (2–4) | κ F_stick + (1 − κ) F_slide − c v | max(μ_s, μ_k) N + c‖v‖ | `bristle.rs` |
//!
//! A bristle's spring can push with the slip while it unwinds, as a spring must; what no law does is give energy: the
//! power `friction_loss` is never negative.

mod bristle;
mod coulomb;

pub use bristle::Bristle;
pub use coulomb::Coulomb;
pub(crate) use coulomb::{Direction, direction};

use rattleback_geom::{Mat3, Vec3};

/// What a friction law sees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slip {
    /// Velocity of B's material against A's where they touch, a tangent vector, in m/s.
    pub velocity: Vec3,
    /// ω: angular velocity of B against A about the normal, in rad/s.
    pub spin: f64,
    /// N ≥ 0, in N.
    pub normal_force: f64,
    /// The bristle's stretch, a tangent vector, in m.
    pub bristle: Vec3,
}

/// A vector that a friction law returns, with its partial derivatives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Partials {
    /// The vector.
    pub value: Vec3,
    /// ∂/∂v.
    pub by_velocity: Mat3,
    /// ∂/∂N.
    pub by_normal_force: Vec3,
    /// ∂/∂z, z the bristle's stretch.
    pub by_bristle: Mat3,
}

impl Partials {
    pub(crate) fn zero() -> Self {
        let (value, none) = (Vec3::zeros(), Mat3::zeros());
        Self { value, by_velocity: none, by_normal_force: value, by_bristle: none }
    }
}

/// What a friction law says.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FrictionForce {
    /// The force on B, in N.
    pub force: Vec3,
    /// The torque on B about the normal, in N m.
    pub torque: f64,
    /// The rate of the bristle's stretch in the contact's own frame, in m/s.
    pub bristle_rate: Vec3,
    /// The energy in the bristle, in J.
    pub stored: f64,
    /// The power that friction dissipates, not negative, in W.
    pub friction_loss: f64,
}

/// The same with derivatives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionPartials {
    /// The force on B, in N.
    pub force: Partials,
    /// The rate of the bristle's stretch in the contact's own frame, in m/s.
    pub bristle_rate: Partials,
    /// ∂(force)/∂ω.
    pub force_by_spin: Vec3,
    /// The torque on B about the normal, in N m, proportional to N.
    pub torque: f64,
    /// ∂(torque)/∂v.
    pub torque_by_velocity: Vec3,
    /// ∂(torque)/∂ω.
    pub torque_by_spin: f64,
}

impl FrictionPartials {
    pub(crate) fn zero() -> Self {
        Self {
            force: Partials::zero(),
            bristle_rate: Partials::zero(),
            force_by_spin: Vec3::zeros(),
            torque: 0.0,
            torque_by_velocity: Vec3::zeros(),
            torque_by_spin: 0.0,
        }
    }
}

/// A friction law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FrictionLaw {
    /// No friction.
    None,
    /// Coulomb's friction, smooth about zero slip, with or without a viscous term.
    Coulomb(Coulomb),
    /// Stiction by a bristle, blended with sliding and viscous friction.
    Bristle(Bristle),
}

impl FrictionLaw {
    /// The force and its energies.
    pub fn force(&self, slip: &Slip) -> FrictionForce {
        match self {
            Self::None => FrictionForce::default(),
            Self::Coulomb(law) => law.force(slip),
            Self::Bristle(law) => law.evaluate(slip).0,
        }
    }

    /// The force and its derivatives.
    pub fn partials(&self, slip: &Slip) -> FrictionPartials {
        match self {
            Self::None => FrictionPartials::zero(),
            Self::Coulomb(law) => law.partials(slip),
            Self::Bristle(law) => law.evaluate(slip).1,
        }
    }

    /// No friction: no force, and a bristle keeps its stored energy until the contact's ledger is closed.
    pub(crate) fn at_rest(&self, bristle: &Vec3) -> FrictionForce {
        let stored = if let Self::Bristle(law) = self { law.stored(bristle) } else { 0.0 };
        FrictionForce { stored, ..FrictionForce::default() }
    }

    /// The bristle's stretch after a step of `h` seconds with the slip of its end, however long the step is, and how
    /// far it follows a change of that slip, in s.
    pub fn stretched(&self, slip: &Slip, h: f64) -> (Vec3, f64) {
        match self {
            Self::Bristle(law) => law.stretched(slip, h),
            _ => (slip.bristle, 0.0),
        }
    }

    /// The law of a place that bears the given share of a contact.
    pub(crate) fn of_share(self, share: f64) -> Self {
        match self {
            Self::Bristle(law) => Self::Bristle(law.of_share(share)),
            other => other,
        }
    }

    /// The greatest force that the law can exert under the normal force `normal_force` at the slip speed `speed`.
    pub fn bound(&self, normal_force: f64, speed: f64) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Coulomb(law) => law.bound(normal_force, speed),
            Self::Bristle(law) => law.bound(normal_force, speed),
        }
    }
}

impl From<Coulomb> for FrictionLaw {
    fn from(law: Coulomb) -> Self {
        Self::Coulomb(law)
    }
}

impl From<Bristle> for FrictionLaw {
    fn from(law: Bristle) -> Self {
        Self::Bristle(law)
    }
}
