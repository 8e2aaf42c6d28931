//! A contact law in one line: an elastic law, then what it loses.
//!
//! ```
//! use rattleback_contact::law;
//! use rattleback_contact::material::Material;
//!
//! # fn main() -> rattleback_contact::Result<()> {
//! let (steel, rubber) = (Material::new(210e9, 0.3)?, Material::new(5e6, 0.45)?);
//! let bouncing = law::hertz(&steel, &rubber).restitution(0.7)?.friction(0.4)?;
//! let rolling = law::stiffness(1e8)?.restitution(0.5)?.friction(0.3)?.rolling_resistance(1e-4)?;
//! # assert!(bouncing.exponent() == 1.5 && rolling.exponent() == 1.5);
//! # Ok(())
//! # }
//! ```
//!
//! | step | law | taken for granted |
//! |---|---|---|
//! | `hertz`, `stiffness` | F = K δ^{3/2} | the force acts at half depth |
//! | `spring` | F = K δ | the same |
//! | `restitution` | F = K δⁿ (1 + c δ̇/v₀), the restitution asked for | `ContactLaw::LEAST_SPEED` |
//! | `friction` | Coulomb's | `Coulomb::TRANSITION` |
//! | `bristle` | stiction by a bristle, blended with sliding | `Coulomb::TRANSITION` |
//! | `rolling_resistance`, `spinning_resistance` | torques against turning | `Resistance::TRANSITION` |
//!
//! Each step replaces what an earlier one said of the same thing. Other numbers than those taken for
//! granted are given to [`ContactLaw::new`] and its `with_` methods.

use super::friction::{Bristle, Coulomb};
use super::normal::{Hysteresis, NormalLaw, Rule};
use super::{Application, ContactLaw, FrictionLaw, RegionLaw, Resistance};
use crate::error::{ContactError, Result};
use crate::material::{Material, Stiffness};

/// Hertz's elastic contact of two materials, K from the curvatures where the bodies touch; without friction.
pub fn hertz(a: &Material, b: &Material) -> ContactLaw {
    elastic(Stiffness::hertz(a, b), Hysteresis::ELASTIC)
}

/// An elastic contact F = K δ^{3/2} with K in N/m^{3/2}, the same wherever the bodies touch; without friction.
pub fn stiffness(stiffness: f64) -> Result<ContactLaw> {
    Ok(elastic(Stiffness::given(stiffness)?, Hysteresis::ELASTIC))
}

/// A linear elastic contact F = K δ with K in N/m; without friction.
pub fn spring(stiffness: f64) -> Result<ContactLaw> {
    Ok(elastic(Stiffness::given(stiffness)?, Hysteresis::with_factor(0.0, 1.0)?))
}

fn elastic(stiffness: Stiffness, normal: Hysteresis) -> ContactLaw {
    ContactLaw {
        stiffness,
        normal: normal.into(),
        friction: FrictionLaw::None,
        resistance: Resistance::NONE,
        application: Application::HalfDepth,
        least_speed: ContactLaw::LEAST_SPEED,
        regions: RegionLaw::Energy,
    }
}

impl ContactLaw {
    /// The same with damping that yields a restitution in [0, 1], by [`Rule::Exact`]. A linear damper (`KelvinVoigt`)
    /// is refused: its restitution depends on the masses, which a law does not know.
    pub fn restitution(self, restitution: f64) -> Result<Self> {
        self.restitution_by(Rule::Exact, restitution)
    }

    /// The same with the damping of an author's rule for a restitution in [0, 1].
    pub fn restitution_by(self, rule: Rule, restitution: f64) -> Result<Self> {
        match self.normal {
            NormalLaw::Hysteresis(law) => {
                Ok(Self { normal: law.with_restitution(rule, restitution)?.into(), ..self })
            }
            NormalLaw::KelvinVoigt(_) => Err(ContactError::OutOfRange {
                field: "restitution".to_owned(),
                value: restitution,
                allowed: "left to KelvinVoigt::with_restitution, which knows the masses, where the law is a damper",
            }),
        }
    }

    /// The same with Coulomb's friction of a coefficient of zero or above, smooth below [`Coulomb::TRANSITION`]. About
    /// zero slip it is a damper of μN/v₁: explicit steps of fixed length that are longer than about m v₁/(2 μ N) need a
    /// larger v₁, by [`Coulomb::new`].
    pub fn friction(self, coefficient: f64) -> Result<Self> {
        Ok(self.with_friction(Coulomb::new(coefficient, Coulomb::TRANSITION)?))
    }

    /// The same with friction that holds bodies without creep, by a bristle of `stiffness` in N/m and `damping` in N
    /// s/m, blended with sliding at [`Coulomb::TRANSITION`].
    pub fn bristle(self, coefficient: f64, stiffness: f64, damping: f64) -> Result<Self> {
        Ok(self.with_friction(Bristle::new(coefficient, Coulomb::TRANSITION, stiffness, damping)?))
    }

    /// The same with a resistance against rolling of so many metres: how far ahead of the contact's middle a rolling
    /// body is carried.
    pub fn rolling_resistance(self, length: f64) -> Result<Self> {
        Ok(self.with_resistance(self.resistance.with_rolling(length)?))
    }

    /// The same with a resistance against spinning about the normal of so many metres.
    pub fn spinning_resistance(self, length: f64) -> Result<Self> {
        Ok(self.with_resistance(self.resistance.with_spinning(length)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::normal::KelvinVoigt;

    #[test]
    fn a_law_in_one_line_is_the_law_that_the_long_form_makes() {
        let steel = Material::new(210e9, 0.3).unwrap();
        let short = hertz(&steel, &steel).restitution(0.7).unwrap().friction(0.4).unwrap();
        let normal = Hysteresis::new(Rule::Exact, 0.7, 1.5).unwrap();
        let long = ContactLaw::new(Stiffness::hertz(&steel, &steel), normal).unwrap();
        assert_eq!(short, long.with_friction(Coulomb::new(0.4, 1e-3).unwrap()));

        let short = spring(1e5).unwrap().bristle(0.3, 1e6, 50.0).unwrap().rolling_resistance(1e-3).unwrap();
        let normal = Hysteresis::new(Rule::Hertz, 1.0, 1.0).unwrap();
        let long = ContactLaw::new(Stiffness::given(1e5).unwrap(), normal)
            .unwrap()
            .with_friction(Bristle::new(0.3, 1e-3, 1e6, 50.0).unwrap())
            .with_resistance(Resistance::new(1e-3, 0.0, 0.1).unwrap());
        assert_eq!(short, long);
    }

    #[test]
    fn steps_keep_what_other_steps_have_said_and_replace_their_own() {
        let law = stiffness(1e6).unwrap();
        let one = law.friction(0.2).unwrap().restitution(0.5).unwrap().spinning_resistance(1e-3).unwrap();
        let other =
            law.spinning_resistance(1e-3).unwrap().restitution(0.9).unwrap().restitution(0.5).unwrap();
        assert_eq!(one, other.friction(0.7).unwrap().friction(0.2).unwrap());
        let both = one.rolling_resistance(2e-3).unwrap();
        assert_eq!(both, one.with_resistance(Resistance::new(2e-3, 1e-3, 0.1).unwrap()));
        let normal = Hysteresis::new(Rule::Exact, 0.5, 2.0).unwrap().adhesive();
        let pulling = ContactLaw::new(Stiffness::given(1.0).unwrap(), normal).unwrap();
        let expected = Hysteresis::new(Rule::Flores, 0.6, 2.0).unwrap().adhesive();
        let found = pulling.restitution_by(Rule::Flores, 0.6).unwrap();
        assert_eq!(found, ContactLaw::new(Stiffness::given(1.0).unwrap(), expected).unwrap());
    }

    #[test]
    fn wrong_numbers_are_refused_by_name() {
        let law = stiffness(1e6).unwrap();
        let damper = ContactLaw::new(Stiffness::given(1e6).unwrap(), KelvinVoigt::new(3.0).unwrap()).unwrap();
        for (found, said) in [
            (stiffness(0.0), "stiffness = 0"),
            (spring(f64::NAN), "stiffness = NaN"),
            (law.restitution(1.1), "restitution = 1.1"),
            (law.restitution(f64::NAN), "restitution = NaN"),
            (law.friction(-0.1), "friction = -0.1"),
            (law.bristle(0.1, 0.0, 1.0), "bristle stiffness = 0"),
            (law.bristle(0.1, 1.0, -1.0), "bristle damping = -1"),
            (law.rolling_resistance(-1.0), "rolling resistance = -1"),
            (law.spinning_resistance(f64::INFINITY), "spinning resistance = inf"),
            (damper.restitution(0.5), "restitution = 0.5"),
        ] {
            let message = found.unwrap_err().to_string();
            assert!(message.starts_with(said), "{message}");
        }
    }
}
