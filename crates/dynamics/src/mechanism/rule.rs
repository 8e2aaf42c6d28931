//! The rules of integration, all of one form: with d = q₁ − q₀ the displacement of a step of length h,
//!
//!   q̇₁ = g d + ĝ,   q̈₁ = b d + b̂.
//!
//! Generalized-α with the auxiliary accelerations a (M. Arnold, O. Brüls, Multibody Syst. Dyn. 18 (2007) 185–202;
//! J. Chung, G. M. Hulbert, J. Appl. Mech. 60 (1993) 371–375, for the parameters):
//!
//!   (1 − α_m) a₁ + α_m a₀ = (1 − α_f) q̈₁ + α_f q̈₀
//!   q₁ = q₀ + h q̇₀ + h²(½ − β) a₀ + h²β a₁,   q̇₁ = q̇₀ + h(1 − γ) a₀ + hγ a₁
//!   α_m = (2ρ − 1)/(ρ + 1),  α_f = ρ/(ρ + 1),  γ = ½ + α_f − α_m,  β = ¼(γ + ½)²
//!
//! The trapezoidal rule is the case α_m = α_f = 0, γ = ½, β = ¼, for which a = q̈, g = 2/h and b = 4/h².
//!
//! The displacement is the unknown, not the position: its rounding is relative to itself, which b = 4/h² would
//! otherwise magnify.

use super::equations::Weights;
use super::settings::Rule;

/// A rule with its step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Discrete {
    h: f64,
    alpha_m: f64,
    alpha_f: f64,
    beta: f64,
    gamma: f64,
    /// g.
    pub(super) rate: f64,
    /// b.
    pub(super) acceleration: f64,
}

impl Discrete {
    pub(super) fn new(rule: Rule, h: f64) -> Self {
        let (alpha_m, alpha_f) = match rule {
            Rule::Trapezoidal => (0.0, 0.0),
            Rule::GeneralizedAlpha { rho } => ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)),
        };
        let gamma = 0.5 + alpha_f - alpha_m;
        let beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
        let acceleration = (1.0 - alpha_m) / ((1.0 - alpha_f) * h * h * beta);
        Self { h, alpha_m, alpha_f, beta, gamma, rate: gamma / (h * beta), acceleration }
    }

    /// s = 1/b and c = g/b.
    pub(super) fn weights(&self) -> Weights {
        Weights { damping: self.rate / self.acceleration, stiffness: 1.0 / self.acceleration }
    }

    /// ĝ and b̂ from q̇₀, q̈₀ and a₀.
    pub(super) fn constants(&self, v: f64, a: f64, averaged: f64) -> [f64; 2] {
        let Self { h, alpha_m, alpha_f, gamma, .. } = *self;
        let next = self.next(0.0, v, averaged);
        let rate = v + h * (1.0 - gamma) * averaged + h * gamma * next;
        [rate, ((1.0 - alpha_m) * next + alpha_m * averaged - alpha_f * a) / (1.0 - alpha_f)]
    }

    /// a₁ from d, q̇₀ and a₀.
    pub(super) fn next(&self, d: f64, v: f64, averaged: f64) -> f64 {
        let Self { h, beta, .. } = *self;
        (d - h * v) / (h * h * beta) - (0.5 / beta - 1.0) * averaged
    }
}
