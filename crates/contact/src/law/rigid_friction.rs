//! What a law means for bodies that do not yield: their restitution and their friction.
//!
//! The compliant laws have the same parameters as rigid contact: the restitution that they yield, and the cones in
//! which friction stays. So one description serves both, and the two can be held against each other.

use super::friction::FrictionLaw;
use super::normal::{NormalLaw, restitution_of_factor, restitution_of_ratio};
use super::{ContactLaw, Resistance};
use crate::error::{Result, positive};

/// Friction between bodies that do not yield.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RigidFriction {
    /// μ_s: bodies roll without slip as long as the friction this takes is within μ_s N. Not less than `sliding`.
    pub sticking: f64,
    /// μ_k: friction against slip is μ_k N.
    pub sliding: f64,
    /// Friction against slip beside it, in N s/m.
    pub viscous: f64,
    /// ρ: the lever at which friction resists pure spin, in m, where slip and spin share it; zero where they do not.
    pub spin_radius: f64,
    /// Torques against rolling and spinning.
    pub resistance: Resistance,
}

impl ContactLaw {
    /// The restitution that the normal law yields; a linear law's depends on the effective mass of the impact, in kg.
    pub fn restitution_of_impact(&self, mass: f64) -> Result<f64> {
        match &self.normal {
            NormalLaw::Hysteresis(law) => restitution_of_factor(law.factor()),
            NormalLaw::KelvinVoigt(law) => {
                let stiffness = self.stiffness.at(None)?.value;
                let ratio = 0.5 * law.damping() / (stiffness * positive("mass", mass)?).sqrt();
                restitution_of_ratio(ratio, false)
            }
        }
    }

    /// The friction between rigid bodies: without the slip speed over which smooth laws rise.
    pub fn rigid_friction(&self) -> RigidFriction {
        let [sticking, sliding, viscous] = match &self.friction {
            FrictionLaw::None => [0.0; 3],
            FrictionLaw::Coulomb(law) => [law.coefficient(), law.coefficient(), law.viscous()],
            FrictionLaw::Bristle(law) => {
                let [sticking, sliding] = law.coefficients();
                [sticking.max(sliding), sliding, law.viscous()]
            }
        };
        let spin_radius = match &self.friction {
            FrictionLaw::Coulomb(law) => law.spin_radius(),
            FrictionLaw::None | FrictionLaw::Bristle(_) => 0.0,
        };
        RigidFriction { sticking, sliding, viscous, spin_radius, resistance: self.resistance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::friction::{Bristle, Coulomb};
    use crate::law::normal::{Hysteresis, KelvinVoigt, Rule};
    use crate::material::Stiffness;

    #[test]
    fn the_restitution_asked_for_comes_back() {
        let stiffness = Stiffness::given(1e5).unwrap();
        for e in [1.0, 0.7, 0.1] {
            let exact = ContactLaw::new(stiffness, Hysteresis::new(Rule::Exact, e, 1.5).unwrap()).unwrap();
            assert!((exact.restitution_of_impact(2.0).unwrap() - e).abs() < 1e-12);
            let linear = KelvinVoigt::with_restitution(e, 1e5, 2.0).unwrap();
            let linear = ContactLaw::new(stiffness, linear).unwrap();
            assert!((linear.restitution_of_impact(2.0).unwrap() - e).abs() < 1e-12);
        }
    }

    #[test]
    fn friction_keeps_its_coefficients() {
        let law =
            ContactLaw::new(Stiffness::given(1e5).unwrap(), Hysteresis::new(Rule::Hertz, 1.0, 1.5).unwrap());
        let law = law.unwrap();
        assert_eq!((law.rigid_friction().sticking, law.rigid_friction().sliding), (0.0, 0.0));
        let coulomb = law.with_friction(Coulomb::with_viscous(0.3, 2.0, 1e-3).unwrap()).rigid_friction();
        assert_eq!((coulomb.sticking, coulomb.sliding, coulomb.viscous), (0.3, 0.3, 2.0));
        let bristle = Bristle::new(0.3, 1e-3, 1e4, 1.0).unwrap().with_static(0.5).unwrap();
        let bristle = law.with_friction(bristle).rigid_friction();
        assert_eq!((bristle.sticking, bristle.sliding), (0.5, 0.3));
    }
}
