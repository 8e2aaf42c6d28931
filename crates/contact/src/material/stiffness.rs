//! Where a contact's stiffness comes from: given, or Hertz's from material and local curvature.

use super::{Hertz, Material, circular_hertz, hertz};
use crate::error::{Result, positive};

/// The rule that gives K in F = K δⁿ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stiffness {
    /// The same everywhere, in N/mⁿ.
    Given(f64),
    /// K = f·(4/3)E*√R_e from the effective modulus in Pa and the relative curvatures where the bodies touch; n = 3/2.
    Hertz(f64),
    /// K = (4/3)E*(κ₁κ₂)^(−1/4) from the same: the ellipse of contact is taken for a circle, as in Römer (96).
    CircularHertz(f64),
}

/// A stiffness and how it changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StiffnessValue {
    /// K in N/mⁿ.
    pub value: f64,
    /// ∂K/∂κ for the two relative principal curvatures.
    pub by_curvature: [f64; 2],
    /// Semi-axes a ≥ b of the ellipse of contact divided by √δ, in √m; zero where the theory is not Hertz's.
    pub patch: [f64; 2],
}

impl From<Hertz> for StiffnessValue {
    fn from(Hertz { stiffness, by_curvature, patch }: Hertz) -> Self {
        Self { value: stiffness, by_curvature, patch }
    }
}

impl Stiffness {
    /// The exponent n of Hertz's theory.
    pub const HERTZ_EXPONENT: f64 = 1.5;

    /// A stiffness that does not depend on where the bodies touch, in N/mⁿ.
    pub fn given(stiffness: f64) -> Result<Self> {
        Ok(Self::Given(positive("stiffness", stiffness)?))
    }

    /// Hertz's stiffness for two materials.
    pub fn hertz(a: &Material, b: &Material) -> Self {
        Self::Hertz(a.effective_modulus(b))
    }

    /// The same as if contacts were circular.
    pub fn circular_hertz(a: &Material, b: &Material) -> Self {
        Self::CircularHertz(a.effective_modulus(b))
    }

    /// Whether it is Hertz's, of either form: it follows the curvatures, and the exponent is 3/2.
    #[inline]
    pub fn is_hertz(&self) -> bool {
        matches!(self, Self::Hertz(_) | Self::CircularHertz(_))
    }

    /// The rule for a share of a contact.
    pub(crate) fn of_share(self, share: f64) -> Self {
        match self {
            Self::Given(value) => Self::Given(share * value),
            Self::Hertz(modulus) => Self::Hertz(share * modulus),
            Self::CircularHertz(modulus) => Self::CircularHertz(share * modulus),
        }
    }

    /// K where the relative principal curvatures are `curvature`, in 1/m, if there are any.
    #[inline]
    pub fn at(&self, curvature: Option<[f64; 2]>) -> Result<StiffnessValue> {
        match *self {
            Self::Given(value) => Ok(StiffnessValue { value, by_curvature: [0.0; 2], patch: [0.0; 2] }),
            // Where no curvature is known the bodies count as flat, and Hertz's theory has no answer.
            Self::Hertz(modulus) => hertz(modulus, curvature.unwrap_or_default()).map(StiffnessValue::from),
            Self::CircularHertz(modulus) => {
                circular_hertz(modulus, curvature.unwrap_or_default()).map(StiffnessValue::from)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_given_stiffness_knows_no_curvature_and_hertz_needs_two() {
        let given = Stiffness::given(1e6).unwrap();
        assert_eq!(given.at(None).unwrap().value, 1e6);
        let steel = Material::new(210e9, 0.3).unwrap();
        assert!(Stiffness::hertz(&steel, &steel).at(Some([1.0, 0.0])).is_err());
        for bad in [-1.0, 0.0, f64::NAN, f64::INFINITY] {
            let message = Stiffness::given(bad).unwrap_err().to_string();
            assert!(message.starts_with("stiffness = "), "{message}");
        }
    }
}
