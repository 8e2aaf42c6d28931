//! The restitution that a normal law yields: one central impact, integrated in time (Marques, section 3.1 and Fig. 2).
//!
//! A mass m meets a wall, or two bodies of that effective mass each other, at the speed v₀; nothing else acts:
//!
//!   m δ̈ = −F(δ, δ̇),   δ(0) = 0,   δ̇(0) = v₀,   until δ = 0 again;   e = −δ̇/v₀ at the end
//!
//! The integration is in lengths of ℓ = (m v₀²/K)^{1/(n+1)} and times of ℓ/v₀, in which every impact is of order one.
//! The paper lets a ball bounce under gravity; without gravity the truth is known in closed form, for every law.

use rattleback_contact::law::normal::{
    Hysteresis, Indentation, KelvinVoigt, NormalForce, NormalLaw, Rule, restitution_of_factor,
};
use rattleback_dynamics::integrator::{
    AdvanceOutcome, Direction, Dop853, Equations, Event, Settings, Stepper, Tolerance, advance,
};
use rattleback_dynamics::{DynamicsError, Result};

mod report;

pub use report::report;

/// A central impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impact {
    /// The normal law.
    pub law: NormalLaw,
    /// K, in N/mⁿ.
    pub stiffness: f64,
    /// The effective mass 1/(1/m_A + 1/m_B), in kg.
    pub mass: f64,
    /// The approach speed, in m/s.
    pub speed: f64,
}

/// What comes of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rebound {
    /// Speed of parting over speed of approach.
    pub restitution: f64,
    /// The greatest depth, in m.
    pub depth: f64,
    /// The greatest force, in N.
    pub peak: f64,
    /// How long the bodies overlap, in s.
    pub duration: f64,
    /// Energy damped away, in J.
    pub damped: f64,
}

/// The local error per step: two digits above rounding, so that the restitution is right to about 1e-12.
const TOLERANCE: f64 = 1e-14;
/// An impact takes about three units of time; a nearly plastic one creeps out for many more.
const LONGEST: f64 = 1e9;

/// Depth, its rate and the damped energy, in the units of the file's head.
struct Motion {
    impact: Impact,
    length: f64,
}

impl Motion {
    fn force(&self, depth: f64, rate: f64) -> NormalForce {
        self.impact.law.force(&Indentation {
            depth: depth * self.length,
            rate: rate * self.impact.speed,
            approach_speed: self.impact.speed,
            stiffness: self.impact.stiffness,
        })
    }

    /// m v₀²/ℓ.
    fn unit_of_force(&self) -> f64 {
        self.impact.mass * self.impact.speed * self.impact.speed / self.length
    }

    /// dF/dt, up to its unit.
    fn force_rate(&self, y: &[f64]) -> f64 {
        let found = self.force(y[0], y[1]);
        let acceleration = -found.force / self.unit_of_force();
        found.by_depth * y[1] * self.length + found.by_rate * acceleration * self.impact.speed
    }
}

impl Equations for Motion {
    fn dimension(&self) -> usize {
        3
    }

    fn rate(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        let found = self.force(y[0], y[1]);
        let force = self.unit_of_force();
        dy[0] = y[1];
        dy[1] = -found.force / force;
        dy[2] = found.damped / (force * self.impact.speed);
        Ok(())
    }
}

impl Impact {
    /// Integrates the impact.
    pub fn run(&self) -> Result<Rebound> {
        for (field, value) in [("stiffness", self.stiffness), ("mass", self.mass), ("speed", self.speed)] {
            if !(value > 0.0 && value.is_finite()) {
                let allowed = "above zero and finite";
                return Err(DynamicsError::OutOfRange { field: field.to_owned(), value, allowed });
            }
        }
        let n = self.law.exponent();
        let length = (self.mass * self.speed * self.speed / self.stiffness).powf(1.0 / (n + 1.0));
        let mut motion = Motion { impact: *self, length };
        let watch = Motion { impact: *self, length };
        let tolerance = Tolerance::new(TOLERANCE, TOLERANCE)?;
        let mut stepper = Dop853::new(0.0, &[0.0, 1.0, 0.0], tolerance, Settings::default())?;
        let mut events = [
            Event::new(Direction::Falling, |_, y: &[f64]| Ok(y[0])),
            Event::new(Direction::Falling, |_, y: &[f64]| Ok(y[1])),
            Event::new(Direction::Falling, |_, y: &[f64]| Ok(watch.force_rate(y))),
        ];
        // The linear law's force is greatest at once where its damping is strong.
        let (mut depth, mut peak) = (0.0f64, motion.force(f64::MIN_POSITIVE, 1.0).force);
        loop {
            let outcome = advance(&mut stepper, &mut motion, &mut events, LONGEST, &mut |_| Ok(()))?;
            let y = stepper.state();
            depth = depth.max(y[0]);
            peak = peak.max(motion.force(y[0], y[1]).force);
            match outcome {
                AdvanceOutcome::Event { index: 0, .. } => break,
                AdvanceOutcome::Event { .. } => {}
                AdvanceOutcome::Reached => {
                    return Err(DynamicsError::TooManySteps {
                        time: stepper.time() * length / self.speed,
                        steps: stepper.statistics().steps,
                    });
                }
            }
        }
        let y = stepper.state();
        Ok(Rebound {
            restitution: -y[1],
            depth: depth * length,
            peak,
            duration: stepper.time() * length / self.speed,
            damped: y[2] * self.mass * self.speed * self.speed,
        })
    }
}

/// A law of the study: a rule for the factor c, or the linear law.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Candidate {
    /// F = K δⁿ (1 + c δ̇/v₀), n = 3/2.
    Hysteresis(Rule),
    /// F = K δ + D δ̇, its damping chosen for the restitution.
    Linear,
}

impl Candidate {
    /// Every law, in the order of the years and the linear one last.
    pub fn all() -> impl Iterator<Item = Candidate> {
        Rule::ALL.into_iter().map(Self::Hysteresis).chain([Self::Linear])
    }

    /// The name in files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Hysteresis(rule) => rule.name(),
            Self::Linear => "linear",
        }
    }

    /// The restitution that theory predicts where `asked` is asked for.
    pub fn predicted(self, asked: f64) -> Result<f64> {
        Ok(match self {
            Self::Hysteresis(rule) => restitution_of_factor(rule.factor(asked)?)?,
            Self::Linear => asked,
        })
    }

    /// The restitution that an integrated impact yields where `asked` is asked for.
    pub fn obtained(self, asked: f64) -> Result<f64> {
        // Steel-like numbers; the result does not depend on them.
        let (stiffness, mass, speed) = (1e9, 0.1, 1.0);
        let law = match self {
            Self::Hysteresis(rule) => Hysteresis::new(rule, asked, 1.5)?.into(),
            Self::Linear => KelvinVoigt::with_restitution(asked, stiffness, mass)?.into(),
        };
        Ok(Impact { law, stiffness, mass, speed }.run()?.restitution)
    }
}
