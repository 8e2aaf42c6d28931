//! How accurate, and how many steps at most.
//!
//! A local error e is measured as √(1/n Σ (eᵢ/sᵢ)²) with sᵢ = gᵢ (aᵢ + r ∣yᵢ∣), and accepted up to 1 (Hairer, Nørsett,
//! Wanner, Solving Ordinary Differential Equations I, eqs. II.4.10 and II.4.11; the shares gᵢ, 1 if not given, are
//! ours, for components whose size is not that over which the equations change).
//!
//! | symbol | here | unit |
//! |---|---|---|
//! | r | `relative` | 1 |
//! | aᵢ | `absolute` | that of yᵢ |
//! | gᵢ | `shares` | 1 |

use crate::{DynamicsError, Result};

/// Below this the rounding of a single step exceeds what is asked for.
const FINEST_RELATIVE: f64 = 10.0 * f64::EPSILON;

/// The local error allowed per step.
#[derive(Debug, Clone, PartialEq)]
pub struct Tolerance {
    relative: f64,
    /// One entry for all components, or one each.
    absolute: Vec<f64>,
    /// One entry for each component, or none where all are one.
    shares: Vec<f64>,
}

impl Tolerance {
    /// The same absolute tolerance for all components.
    pub fn new(relative: f64, absolute: f64) -> Result<Self> {
        Self::per_component(relative, &[absolute])
    }

    /// An absolute tolerance for each component, for states of mixed units.
    pub fn per_component(relative: f64, absolute: &[f64]) -> Result<Self> {
        if !(FINEST_RELATIVE..1.0).contains(&relative) {
            return Err(DynamicsError::OutOfRange {
                field: "relative tolerance".into(),
                value: relative,
                allowed: "at least 10 ε = 2.3e-15 and below 1",
            });
        }
        if absolute.is_empty() {
            return Err(DynamicsError::Dimension { field: "absolute tolerance", found: 0, expected: 1 });
        }
        for (i, &value) in absolute.iter().enumerate() {
            positive(|| format!("absolute tolerance[{i}]"), value)?;
            if value.is_infinite() {
                let field = format!("absolute tolerance[{i}]");
                return Err(DynamicsError::OutOfRange { field, value, allowed: "finite" });
            }
        }
        Ok(Self { relative, absolute: absolute.to_vec(), shares: Vec::new() })
    }

    /// The same with gᵢ, one for each component, above zero and at most one.
    pub fn with_shares(self, shares: Vec<f64>) -> Result<Self> {
        for (i, &value) in shares.iter().enumerate() {
            if !(value > 0.0 && value <= 1.0) {
                let field = format!("share of the tolerance[{i}]");
                return Err(DynamicsError::OutOfRange { field, value, allowed: "above 0, at most 1" });
            }
        }
        Ok(Self { shares, ..self })
    }

    /// r.
    pub fn relative(&self) -> f64 {
        self.relative
    }

    /// aᵢ.
    pub fn absolute(&self, component: usize) -> f64 {
        if self.absolute.len() == 1 { self.absolute[0] } else { self.absolute[component] }
    }

    /// sᵢ for a component of size `size`.
    pub(super) fn scale(&self, component: usize, size: f64) -> f64 {
        let scale = self.absolute(component) + self.relative * size.abs();
        self.shares.get(component).map_or(scale, |share| share * scale)
    }

    /// Whether the list of absolute tolerances, if there is one, fits the equations.
    pub(super) fn check(&self, dimension: usize) -> Result<()> {
        let found = self.absolute.len();
        if found != 1 && found != dimension {
            return Err(DynamicsError::Dimension { field: "absolute tolerance", found, expected: dimension });
        }
        let found = self.shares.len();
        if found != 0 && found != dimension {
            let field = "share of the tolerance";
            return Err(DynamicsError::Dimension { field, found, expected: dimension });
        }
        Ok(())
    }
}

/// Limits on the steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The length of the first trial step; guessed from the rate if not given.
    pub first_step: Option<f64>,
    /// No step is longer; infinite if nothing is known. What an event function may do within a step bounds it.
    pub longest_step: f64,
    /// The most steps in one call of [`advance`](super::advance()).
    pub max_steps: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { first_step: None, longest_step: f64::INFINITY, max_steps: 1_000_000 }
    }
}

impl Settings {
    pub(super) fn check(&self) -> Result<()> {
        positive(|| "longest step".into(), self.longest_step)?;
        self.first_step.map_or(Ok(()), |h| positive(|| "first step".into(), h))
    }
}

fn positive(field: impl Fn() -> String, value: f64) -> Result<()> {
    if !(value > 0.0) {
        return Err(DynamicsError::OutOfRange { field: field(), value, allowed: "positive" });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerances_that_make_no_sense_are_refused_by_name() {
        for relative in [0.0, -1.0, 1e-16, 1.0, f64::NAN] {
            let error = Tolerance::new(relative, 1.0).unwrap_err();
            assert!(error.to_string().starts_with("relative tolerance = "), "{error}");
        }
        for absolute in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let error = Tolerance::per_component(1e-3, &[1.0, absolute]).unwrap_err();
            assert!(error.to_string().starts_with("absolute tolerance[1] = "), "{error}");
        }
        for share in [0.0, -1.0, 1.5, f64::NAN] {
            let error = Tolerance::new(1e-3, 1.0).unwrap().with_shares(vec![1.0, share]).unwrap_err();
            assert!(error.to_string().starts_with("share of the tolerance[1] = "), "{error}");
        }
        let shared = Tolerance::new(1e-3, 1.0).unwrap().with_shares(vec![1.0, 0.25]).unwrap();
        assert_eq!([shared.scale(0, 1e3), shared.scale(1, 1e3)], [2.0, 0.5]);
        assert!(shared.check(2).is_ok() && shared.check(3).is_err());
        let three = Tolerance::per_component(1e-3, &[1.0, 2.0, 3.0]).unwrap();
        assert_eq!(
            three.check(2),
            Err(DynamicsError::Dimension { field: "absolute tolerance", found: 3, expected: 2 })
        );
    }

    #[test]
    fn settings_that_make_no_sense_are_refused_by_name() {
        let endless = Settings { longest_step: f64::NAN, ..Settings::default() };
        assert!(endless.check().unwrap_err().to_string().starts_with("longest step = NaN"));
        let backwards = Settings { first_step: Some(-1.0), ..Settings::default() };
        assert!(backwards.check().unwrap_err().to_string().starts_with("first step = -1"));
    }
}
