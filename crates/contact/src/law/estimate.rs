//! What a contact is expected to be like, before anything moves: how deep it goes and how fast it is.
//!
//!   δ_s = (W/K)^(1/n),   δ_v = ((n + 1) m v²/(2K))^(1/(n+1)),   1/ω = √(m/(n K δⁿ⁻¹))
//!
//! | symbol | here | unit |
//! |---|---|---|
//! | m, W | `mass`, `weight` of the body that is pressed | kg, N |
//! | K, n | of the law, for a round body of half the width `half_width` on a flat one | N/mⁿ |
//! | v | `speed` of approach | m/s |
//! | δ_s, δ_v | depth at rest under the weight, and of an impact without losses | m |
//!
//! Damping acts within m/D: D is c K δⁿ/v₀ for hysteresis, which is c W/v₀ at rest with the least approach speed v₀.
//! Friction holds within m w/(μ W), w the speed of transition, and a bristle swings with √(m/k).

use super::ContactLaw;
use super::friction::FrictionLaw;
use super::normal::NormalLaw;
use crate::error::{Result, positive};

/// What is pressed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pressed {
    /// m.
    pub mass: f64,
    /// W.
    pub weight: f64,
    /// Half the width of the body, in m.
    pub half_width: f64,
    /// v.
    pub speed: f64,
}

/// What its contact is expected to be like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactEstimate {
    /// δ_s.
    pub depth_at_rest: f64,
    /// δ_v.
    pub depth_of_impact: f64,
    /// 1/ω at the greater of the two depths, in s; infinite where nothing presses.
    pub oscillation: f64,
    /// The shortest time within which damping acts, in s; infinite without damping.
    pub damping: f64,
    /// The time within which friction holds, in s; infinite without friction.
    pub holding: f64,
}

impl ContactLaw {
    /// What the contact of a body is expected to be like.
    pub fn estimate(&self, pressed: &Pressed) -> Result<ContactEstimate> {
        let Pressed { mass, weight, half_width, speed } = *pressed;
        positive("mass", mass)?;
        let curvature = 1.0 / positive("half_width", half_width)?;
        let k = self.stiffness.at(Some([curvature; 2]))?.value;
        let n = self.exponent();
        let depth_at_rest = (weight / k).powf(1.0 / n);
        let depth_of_impact = ((n + 1.0) * mass * speed * speed / (2.0 * k)).powf(1.0 / (n + 1.0));
        let depth = depth_at_rest.max(depth_of_impact);
        let slope = n * k * if n == 1.0 { 1.0 } else { depth.powf(n - 1.0) };
        let damping = match &self.normal {
            NormalLaw::Hysteresis(law) => {
                let impact = k * depth_of_impact.powf(n) / speed.max(self.least_speed);
                mass / (law.factor() * impact.max(weight / self.least_speed))
            }
            NormalLaw::KelvinVoigt(law) => mass / law.damping(),
        };
        let holding = match &self.friction {
            FrictionLaw::None => f64::INFINITY,
            FrictionLaw::Coulomb(law) => mass * law.transition() / (law.coefficient() * weight),
            FrictionLaw::Bristle(law) => (mass / law.stiffness()).sqrt(),
        };
        Ok(ContactEstimate {
            depth_at_rest,
            depth_of_impact,
            oscillation: (mass / slope).sqrt(),
            damping,
            holding,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::{hertz, spring};
    use crate::material::Material;

    const BALL: Pressed = Pressed { mass: 0.5, weight: 4.9, half_width: 0.02, speed: 1.5 };

    #[test]
    fn a_linear_spring_has_the_depths_and_the_frequency_of_its_oscillator() {
        let law = spring(2e4).unwrap();
        let found = law.estimate(&BALL).unwrap();
        assert!((found.depth_at_rest - 4.9 / 2e4).abs() < 1e-15);
        assert!((found.depth_of_impact - 1.5 * (0.5_f64 / 2e4).sqrt()).abs() < 1e-15);
        assert!((found.oscillation - (0.5_f64 / 2e4).sqrt()).abs() < 1e-15);
        assert_eq!(found.holding, f64::INFINITY);
    }

    #[test]
    fn a_ball_on_its_material_is_indented_as_hertz_says() {
        let steel = Material::new(210e9, 0.3).unwrap();
        let law = hertz(&steel, &steel).restitution(0.8).unwrap().friction(0.3).unwrap();
        let found = law.estimate(&BALL).unwrap();
        let k = 4.0 / 3.0 * steel.effective_modulus(&steel) * 0.02_f64.sqrt();
        assert!((k * found.depth_at_rest.powf(1.5) / 4.9 - 1.0).abs() < 1e-9);
        // ½ m v² = 2/5 K δ^(5/2).
        assert!((0.4 * k * found.depth_of_impact.powf(2.5) / (0.5 * 0.5 * 2.25) - 1.0).abs() < 1e-9);
        assert!((found.holding - 0.5 * 1e-3 / (0.3 * 4.9)).abs() < 1e-12);
        assert!(found.damping > 0.0 && found.damping < 1.0);
        let lost = law.estimate(&Pressed { weight: 0.0, speed: 0.0, ..BALL }).unwrap();
        assert_eq!((lost.depth_at_rest, lost.oscillation, lost.holding), (0.0, f64::INFINITY, f64::INFINITY));
        assert!(law.estimate(&Pressed { mass: 0.0, ..BALL }).is_err());
    }
}
