//! What bodies are made of, and how stiff that makes their contact.
//!
//! Two elastic bodies press against each other as one body of the effective modulus
//!
//!   1/E* = (1 − ν_A²)/E_A + (1 − ν_B²)/E_B
//!
//! against a rigid one (Johnson, Contact Mechanics, 4.2). With the relative principal curvatures of the touching
//! surfaces it gives the stiffness K of F = K δ^{3/2}, `hertz.rs`.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | E, ν | `young`, `poisson` | Pa, 1 |
//! | E* | `effective_modulus` | Pa |
//! | K | `stiffness` | N/mⁿ |

mod ellipse_table;
mod hertz;
mod stiffness;

pub use hertz::{Hertz, circular_hertz, elliptical_factor, hertz};
pub use stiffness::{Stiffness, StiffnessValue};

use crate::error::{Result, check, positive};

/// An isotropic elastic material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    young: f64,
    poisson: f64,
}

impl Material {
    /// A material of Young's modulus `young` in Pa and Poisson's ratio `poisson`, above −1 and at most ½.
    pub fn new(young: f64, poisson: f64) -> Result<Self> {
        positive("young", young)?;
        check("poisson", poisson, "above -1 and at most 0.5", poisson > -1.0 && poisson <= 0.5)?;
        Ok(Self { young, poisson })
    }

    /// Young's modulus in Pa.
    pub fn young(&self) -> f64 {
        self.young
    }

    /// Poisson's ratio.
    pub fn poisson(&self) -> f64 {
        self.poisson
    }

    /// The plane-strain modulus E/(1 − ν²) in Pa: the effective modulus against a rigid body.
    pub fn plane_strain_modulus(&self) -> f64 {
        self.young / (1.0 - self.poisson * self.poisson)
    }

    /// The effective modulus E* of a contact with `other`, in Pa.
    pub fn effective_modulus(&self, other: &Material) -> f64 {
        1.0 / (1.0 / self.plane_strain_modulus() + 1.0 / other.plane_strain_modulus())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_equal_bodies_have_half_the_modulus_of_one_against_a_rigid_one() {
        let steel = Material::new(210e9, 0.3).unwrap();
        assert!((steel.effective_modulus(&steel) / (210e9 / (2.0 * 0.91)) - 1.0).abs() < 1e-15);
        let rigid = Material::new(1e300, 0.3).unwrap();
        assert!((steel.effective_modulus(&rigid) / steel.plane_strain_modulus() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn bad_materials_are_refused_by_name() {
        for (young, poisson, said) in [
            (-1.0, 0.3, "young = -1"),
            (f64::NAN, 0.3, "young = NaN"),
            (1e9, 0.51, "poisson = 0.51"),
            (1e9, -1.0, "poisson = -1"),
            (1e9, f64::NAN, "poisson = NaN"),
        ] {
            let message = Material::new(young, poisson).unwrap_err().to_string();
            assert!(message.starts_with(said), "{message}");
        }
    }
}
