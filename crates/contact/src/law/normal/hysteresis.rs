//! F = K δⁿ (1 + c δ̇/v₀): Hertz's force with a damping that grows with the depth.
//!
//! The authors differ in the factor c alone, which they find from the restitution e under assumptions of their own:
//!
//! | rule | c(e) | right for |
//! |---|---|---|
//! | Hertz | 0 | e = 1 |
//! | Hunt and Crossley 1975 | 3(1 − e)/2 | e → 1 |
//! | Lankarani and Nikravesh 1990 | 3(1 − e²)/4 | e → 1 |
//! | Gonthier et al. 2004 | (1 − e²)/e | e → 0, and e = 1 |
//! | Hu and Guo 2015 | 3(1 − e)/(2e) | e → 1, close elsewhere |
//! | Flores et al. 2011 | 8(1 − e)/(5e) | close everywhere |
//! | exact | the root of c(1 + e) = ln[(1 + c)/(1 − ce)] | every e |
//!
//! | symbol | field | unit |
//! |---|---|---|
//! | n | `exponent` | 1 |
//! | c | `factor` | 1 |

use super::restitution::factor_of_restitution;
use super::{Indentation, NormalForce};
use crate::error::{Result, check, not_negative};

/// How the factor c follows from the restitution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// No damping at all, whatever the restitution.
    Hertz,
    /// Hunt and Crossley 1975.
    HuntCrossley,
    /// Lankarani and Nikravesh 1990.
    LankaraniNikravesh,
    /// Flores, Machado, Silva and Martins 2011; Marques (42), Römer (96), Dopico (1).
    Flores,
    /// Gonthier, McPhee, Lange and Piedbœuf 2004.
    Gonthier,
    /// Hu and Guo 2015.
    HuGuo,
    /// The restitution that was asked for.
    Exact,
}

impl Rule {
    /// Every rule, in the order of the years.
    pub const ALL: [Rule; 7] = [
        Rule::Hertz,
        Rule::HuntCrossley,
        Rule::LankaraniNikravesh,
        Rule::Gonthier,
        Rule::Flores,
        Rule::HuGuo,
        Rule::Exact,
    ];

    /// The name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hertz => "hertz",
            Self::HuntCrossley => "hunt-crossley",
            Self::LankaraniNikravesh => "lankarani-nikravesh",
            Self::Flores => "flores",
            Self::Gonthier => "gonthier",
            Self::HuGuo => "hu-guo",
            Self::Exact => "exact",
        }
    }

    /// The factor c for the restitution `e` in [0, 1]; zero is refused where c would be infinite.
    pub fn factor(self, e: f64) -> Result<f64> {
        check("restitution", e, "between 0 and 1", (0.0..=1.0).contains(&e))?;
        if matches!(self, Self::Flores | Self::Gonthier | Self::HuGuo) {
            check("restitution", e, "above 0 (0 would take infinite damping)", e > 0.0)?;
        }
        Ok(match self {
            Self::Hertz => 0.0,
            Self::HuntCrossley => 1.5 * (1.0 - e),
            Self::LankaraniNikravesh => 0.75 * (1.0 - e * e),
            Self::Flores => 1.6 * (1.0 - e) / e,
            Self::Gonthier => (1.0 - e * e) / e,
            Self::HuGuo => 1.5 * (1.0 - e) / e,
            Self::Exact => factor_of_restitution(e)?,
        })
    }
}

/// The law F = K δⁿ (1 + c δ̇/v₀).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hysteresis {
    exponent: f64,
    factor: f64,
    adhesive: bool,
}

impl Hysteresis {
    /// Hertz's force without any damping.
    pub const ELASTIC: Hysteresis = Hysteresis { exponent: 1.5, factor: 0.0, adhesive: false };

    /// The law of an author for a restitution in [0, 1] and an exponent n ≥ 1 (3/2 for Hertz's theory).
    pub fn new(rule: Rule, restitution: f64, exponent: f64) -> Result<Self> {
        Self::with_factor(rule.factor(restitution)?, exponent)
    }

    /// The law with a factor c ≥ 0 of one's own.
    pub fn with_factor(factor: f64, exponent: f64) -> Result<Self> {
        not_negative("factor", factor)?;
        check("exponent", exponent, "1 or above", exponent >= 1.0)?;
        Ok(Self { exponent, factor, adhesive: false })
    }

    /// The same exponent, and adhesion if there is any, with the factor of an author's rule for a restitution in [0,
    /// 1].
    pub fn with_restitution(self, rule: Rule, restitution: f64) -> Result<Self> {
        Ok(Self { factor: rule.factor(restitution)?, ..self })
    }

    /// The same law, but allowed to pull.
    #[must_use]
    pub fn adhesive(self) -> Self {
        Self { adhesive: true, ..self }
    }

    /// The exponent n.
    pub fn exponent(&self) -> f64 {
        self.exponent
    }

    /// The factor c.
    pub fn factor(&self) -> f64 {
        self.factor
    }

    pub(super) fn force(&self, at: &Indentation) -> NormalForce {
        let n = self.exponent;
        // √ is a tenth of the cost of a power, and Hertz's case is the common one.
        let power = if n == 1.5 { at.depth * at.depth.sqrt() } else { at.depth.powf(n) };
        let elastic = at.stiffness * power;
        let shared = power * at.depth / (n + 1.0);
        let damping = self.factor / at.approach_speed;
        let share = 1.0 + damping * at.rate;
        let energy = NormalForce {
            stored: at.stiffness * shared,
            stored_by_stiffness: shared,
            damped: -elastic * at.rate,
            ..NormalForce::default()
        };
        if share <= 0.0 && !self.adhesive {
            return energy;
        }
        NormalForce {
            force: elastic * share,
            by_depth: n * elastic / at.depth * share,
            by_rate: elastic * damping,
            by_stiffness: power * share,
            damped: elastic * damping * at.rate * at.rate,
            ..energy
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_leaves_an_elastic_impact_alone_and_damps_more_the_less_it_returns() {
        for rule in Rule::ALL {
            assert_eq!(rule.factor(1.0).unwrap(), 0.0, "{}", rule.name());
            let mut last = 0.0;
            for i in (1..20).rev() {
                let c = rule.factor(f64::from(i) / 20.0).unwrap();
                assert!(c > last || rule == Rule::Hertz, "{}", rule.name());
                last = c;
            }
        }
    }

    #[test]
    fn bad_input_is_refused_by_name() {
        for rule in Rule::ALL {
            for bad in [-0.01, 1.01, f64::NAN, f64::INFINITY] {
                let message = Hysteresis::new(rule, bad, 1.5).unwrap_err().to_string();
                assert!(message.starts_with("restitution = "), "{message}");
            }
        }
        for rule in [Rule::Flores, Rule::Gonthier, Rule::HuGuo, Rule::Exact] {
            let message = Hysteresis::new(rule, 0.0, 1.5).unwrap_err().to_string();
            assert!(message.contains("infinite damping"), "{message}");
        }
        // Where zero needs no infinite factor it is a restitution like any other.
        assert_eq!(Hysteresis::new(Rule::HuntCrossley, 0.0, 1.5).unwrap().factor(), 1.5);
        for bad in [0.99, f64::NAN] {
            let message = Hysteresis::new(Rule::Hertz, 1.0, bad).unwrap_err().to_string();
            assert!(message.starts_with("exponent = "), "{message}");
        }
        assert!(Hysteresis::with_factor(-1.0, 1.5).unwrap_err().to_string().starts_with("factor = -1"));
    }
}
